"""Units that an owner starred or used last, which the builder offers first."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from roster.engine.edits import Refused
from roster.engine.tree import walk_forces
from roster.models import FavouriteUnit, Roster
from roster.services.faces import load_faction
from roster.services.owners import Visitor, filter_owned

MOST_FAVOURITES = 200
"""The most starred units of an owner in one game."""
QUICK_UNITS = 5
"""How many units a section above the offers shows."""
LAST_LISTS = 4
"""How many lists are searched for units used last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitHabits:
    """Entry ids of an owner's units, newest first."""

    starred: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()

    def limit_to(self, offered: Collection[str]) -> "UnitHabits":
        """Return favourites on offer, and a few others used last."""
        starred = tuple(entry_id for entry_id in self.starred if entry_id in offered)
        taken = [entry_id for entry_id in self.taken if entry_id in offered and entry_id not in starred]
        return UnitHabits(starred=starred, taken=tuple(taken[:QUICK_UNITS]))


def load_habits(owner: Visitor, roster: Roster) -> UnitHabits:
    mine = filter_owned(owner, FavouriteUnit.objects.filter(game=roster.version.game_id))
    starred = mine.order_by("-created", "-pk").values_list("entry_id", flat=True)
    alike = Roster.objects.filter(version__game=roster.version.game_id, faction_id=roster.faction_id, binned=None)
    lists = filter_owned(owner, alike).order_by("-updated", "-pk").only("document", "faction_id")[:LAST_LISTS]
    taken = (entry_id for one in lists for entry_id in _list_taken(one))
    return UnitHabits(starred=tuple(dict.fromkeys(starred)), taken=tuple(dict.fromkeys(taken)))


def _list_taken(roster: Roster) -> Iterator[str]:
    for force in reversed(list(walk_forces(roster.tree))):
        for selection in reversed(force.selections):
            yield selection.entry_id


def star_unit(owner: Visitor, roster: Roster, entry_id: str) -> Refused | None:
    """Star a unit of the list's factions. Refuses `unknown-entry` and `no-room`."""
    factions = {roster.faction_id, *(force.catalogue_id for force in walk_forces(roster.tree))}
    if not any(entry_id in load_faction(roster.version_id, faction_id).units for faction_id in factions):
        return Refused(code="unknown-entry", subject_id=entry_id)
    mine = filter_owned(owner, FavouriteUnit.objects.filter(game=roster.version.game_id))
    if mine.filter(entry_id=entry_id).exists():
        return None
    if mine.count() >= MOST_FAVOURITES:
        return Refused(code="no-room", allowed=MOST_FAVOURITES)
    FavouriteUnit.objects.create(game_id=roster.version.game_id, entry_id=entry_id, **owner.fields)
    return None


def unstar_unit(owner: Visitor, roster: Roster, entry_id: str) -> None:
    filter_owned(owner, FavouriteUnit.objects.filter(game=roster.version.game_id, entry_id=entry_id)).delete()
