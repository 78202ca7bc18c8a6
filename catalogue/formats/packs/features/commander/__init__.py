"""Commander: one unit commands the list, and what it lets other units count as."""

COMMANDER = "commander"
"""The category of the unit that commands."""
COMMANDS = "commands"
"""Begins the category of a unit while it commands, for each unit that rules ask about by name."""
LEAVE = "leave"
"""Begins the categories of units that count as another type by the commander's leave."""


def make_commands_id(unit_id: str) -> str:
    return f"{COMMANDS}/{unit_id}"
