"""Rows of lists: what overviews show beside the name of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalogue.models import Faction, GameSystem
from roster.models import Roster


@dataclass(frozen=True, slots=True)
class RowUnit:
    """A unit of a list: its name as the owner calls it, how many models, its emblem."""

    name: str
    count: int
    emblem: str


@dataclass(frozen=True, slots=True)
class ListRow:
    """A list with its faction, None where the data has it no more."""

    roster: Roster
    faction: Faction | None

    @property
    def face(self) -> Faction | GameSystem:
        """What gives the list its emblem and colours."""
        return self.faction or self.roster.version.game

    @property
    def units(self) -> Sequence[RowUnit]:
        """Its first units; none of a hidden list, whose contents its owner keeps to themselves."""
        return [] if self.roster.is_secret else [RowUnit(*unit) for unit in self.roster.units]

    @property
    def player(self) -> str:
        """What its owner wants to be called; blank where nobody said."""
        return self.roster.player_name

    @property
    def is_empty(self) -> bool:
        """Whether nothing was taken yet."""
        return not self.roster.units and self.roster.points == "0"


def build_list_rows(rosters: Iterable[Roster]) -> list[ListRow]:
    """Build the rows of some lists, with one look for all their factions."""
    listed = list(rosters)
    wanted = {(roster.version_id, roster.faction_id) for roster in listed}
    factions = Faction.objects.filter(
        version__in={version for version, _faction in wanted}, faction_id__in={faction for _, faction in wanted}
    )
    known = {(faction.version_id, faction.faction_id): faction for faction in factions} if listed else {}
    return [ListRow(roster, known.get((roster.version_id, roster.faction_id))) for roster in listed]
