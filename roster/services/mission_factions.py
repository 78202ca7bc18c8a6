"""Lists whose faction a mission is not for."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from catalogue.definitions.missions import MissionDefinition
from catalogue.models import Faction


class ListFaction(NamedTuple):
    """Who brings a list of which faction. The id is blank if it is unknown."""

    list_name: str
    faction_id: str
    faction_name: str


class Misfit(NamedTuple):
    mission_name: str
    faction_names: tuple[str, ...]
    brought: ListFaction


def find_misfits(version_id: int, mission: MissionDefinition, lists: Iterable[ListFaction]) -> Iterator[Misfit]:
    """Yield the lists whose faction a mission of this version is not for, each once."""
    unsuited = [brought for brought in dict.fromkeys(lists) if not mission.suits(brought.faction_id)]
    if not unsuited:
        return
    names = name_factions(version_id, mission)
    for brought in unsuited:
        yield Misfit(mission.name, names, brought)


def name_factions(version_id: int, mission: MissionDefinition) -> tuple[str, ...]:
    """Name the factions that a mission is for, empty for all."""
    if not mission.factions:
        return ()
    rows = Faction.objects.filter(version_id=version_id, faction_id__in=mission.factions).order_by("position")
    return tuple(row.heading for row in rows)
