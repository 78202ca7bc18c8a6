"""Commander: one unit commands the list and lets others count as another type."""

COMMANDER = "commander"
COMMANDS = "commands"
"""The prefix of categories of named units that command."""
LEAVE = "leave"
"""The prefix of categories for the commander's permission."""


def make_commands_id(unit_id: str) -> str:
    return f"{COMMANDS}/{unit_id}"
