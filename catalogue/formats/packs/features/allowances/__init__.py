"""Allowances: each unit opens slots for others in its detachment, and each unit needs a slot that another one opens."""

ALLOWED, DEMANDED = "allowed", "demanded"


def make_allowed_id(slot_id: str) -> str:
    """Return the hidden cost type that counts the open slots of a kind."""
    return f"{ALLOWED}/{slot_id}"


def make_demanded_id(slot_id: str) -> str:
    """Return the hidden cost type that counts the slots of a kind that have to be filled."""
    return f"{DEMANDED}/{slot_id}"


ALLOWANCES = {ALLOWED: make_allowed_id, DEMANDED: make_demanded_id}
"""What makes the id of the cost that is asked for, by the word that a question begins with."""
