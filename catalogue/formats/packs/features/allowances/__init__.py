"""Allowances: units open slots for others in their detachment."""

ALLOWED, DEMANDED = "allowed", "demanded"


def make_allowed_id(slot_id: str) -> str:
    return f"{ALLOWED}/{slot_id}"


def make_demanded_id(slot_id: str) -> str:
    return f"{DEMANDED}/{slot_id}"


ALLOWANCES = {ALLOWED: make_allowed_id, DEMANDED: make_demanded_id}
