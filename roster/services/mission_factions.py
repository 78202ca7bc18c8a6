from collections.abc import Iterable, Iterator
from typing import NamedTuple

from catalogue.definitions.missions import MissionDefinition
from catalogue.models import Faction


class ListFaction(NamedTuple):
    list_name: str
    faction_id: str
    faction_name: str


class Misfit(NamedTuple):
    mission_name: str
    faction_names: tuple[str, ...]
    list_faction: ListFaction


def find_misfits(version_id: int, mission: MissionDefinition, lists: Iterable[ListFaction]) -> Iterator[Misfit]:
    unsuited = [one for one in dict.fromkeys(lists) if not mission.suits(one.faction_id)]
    if not unsuited:
        return
    rows = Faction.objects.filter(version_id=version_id, faction_id__in=mission.factions).order_by("position")
    names = tuple(row.heading for row in rows)
    for list_faction in unsuited:
        yield Misfit(mission.name, names, list_faction)
