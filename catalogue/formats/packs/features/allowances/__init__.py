"""Allowances: units open slots for others in their detachment, or fill a slot that another unit opened."""

ALLOWED, DEMANDED = "allowed", "demanded"


def make_allowed_id(slot_id: str) -> str:
    """Return the id of the hidden cost type that counts open slots of a kind."""
    return f"{ALLOWED}/{slot_id}"


def make_demanded_id(slot_id: str) -> str:
    """Return the id of the hidden cost type that counts slots of a kind that must be filled."""
    return f"{DEMANDED}/{slot_id}"


ALLOWANCES = {ALLOWED: make_allowed_id, DEMANDED: make_demanded_id}
"""The function that makes the cost id, by the first word of a noun."""
