"""Choose the table rules: the data's, or the players' setup."""

from msgspec.structs import replace

from catalogue.definitions.table_rules import TableResource, TableRules
from catalogue.services.play import Play
from roster.play.table_setup import TableSetup, read_setup

FREE_TABLE = TableRules(resources=tuple(TableResource(id=f"counter-{number}", name="") for number in (1, 2)))


def has_table_rules(play: Play) -> bool:
    """Return whether the data has table rules. If not, players may set up their own."""
    return play.table != TableRules()


def load_table_rules(play: Play, text: str) -> TableRules:
    """Return the table rules of the data or of the players' setup, else two unnamed counters."""
    if has_table_rules(play):
        return play.table
    # A setup of a later version is unreadable here; go on without it.
    setup = read_setup(text) if text else None
    rules = setup.build_rules() if isinstance(setup, TableSetup) else FREE_TABLE
    says_only_who_plays = rules == TableRules(players=rules.players, teams=rules.teams)
    return replace(FREE_TABLE, players=rules.players, teams=rules.teams) if says_only_who_plays else rules
