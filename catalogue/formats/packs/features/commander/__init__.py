"""Commander: one unit commands the list and lets other units count as another type."""

COMMANDER = "commander"
"""The category of the commander."""
COMMANDS = "commands"
"""The prefix of categories for named units while they command."""
LEAVE = "leave"
"""The prefix of categories for units that count as another type by the commander's leave."""


def make_commands_id(unit_id: str) -> str:
    return f"{COMMANDS}/{unit_id}"
