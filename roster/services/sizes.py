"""Game sizes that community data offers as settings: "2. Strike Force (2000 Point limit)"."""

import re
from collections.abc import Iterator
from itertools import chain

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.entries import Entry
from catalogue.definitions.numbers import Number, format_number
from catalogue.formats.packs.pack import Preset
from catalogue.graph.ruleset import Ruleset
from catalogue.models import PackVersion
from catalogue.services.documents import load_game_system
from roster.engine.evaluation import Evaluation
from roster.engine.offers import OfferedGroup, OfferedOption, list_offers
from roster.engine.tree import Force, RosterTree
from roster.services.changes import Choose

_STATED_LIMIT = re.compile(r"(?:(\d{1,9})\s*[-–]\s*)?(\d{1,9})[\s-]*(?:points?|pts)\b", re.IGNORECASE)
_AROUND_SIZE = re.compile(r"^\s*\d+\.\s*|\s*\([^()]*\)\s*$")
"""The number before the name of a size, and the explanation after it."""


_CUSTOMARY_LIMITS: dict[str, tuple[int, ...]] = {
    # Age of Sigmar, 4th edition, by its General's Handbook.
    "e51d-b1a3-75fc-dc3g": (2000, 1000),
    # Kill Team of 2018: a battle-forged kill team, one of the arena, one with commanders.
    "a467-5f42-d24c-6e5b": (100, 125, 200),
}
"""Usual limits, the most common first, of games whose data names none, by game system id."""


def list_game_limits(game_system: Catalogue | None, points_id: str) -> list[Number]:
    """List point limits, the usual one first. A default limit of 0 leaves it to the players."""
    if game_system is None or not points_id:
        return []
    named = [kind.default_limit for kind in game_system.cost_types if kind.id == points_id and kind.default_limit > 0]
    return named or list(_CUSTOMARY_LIMITS.get(game_system.id, ()))


def list_usual_sizes(version: PackVersion) -> list[Preset]:
    """List usual sizes, most common first, if community data offers none."""
    if not (version.is_community and version.points_id):
        return []
    limits = list_game_limits(load_game_system(version), version.points_id)
    return [Preset(id=format_number(limit), name="", limits={version.points_id: limit}) for limit in limits]


def list_stated_sizes(version: PackVersion) -> list[Preset]:
    if not (version.is_community and version.points_id):
        return []
    system = load_game_system(version)
    for group in chain.from_iterable(map(_walk_entries, (*system.entries, *system.shared_entries))):
        sizes = {}
        for option in sorted(group.entries, key=lambda option: option.name):
            stated = None if option.hidden else _STATED_LIMIT.search(option.name)
            if stated is not None:
                limit, name = int(stated[2]), _AROUND_SIZE.sub("", option.name)
                sizes[limit] = Preset(id=format_number(limit), name=name, limits={version.points_id: limit})
        # A single size is no choice.
        if len(sizes) > 1:
            return list(sizes.values())
    return []


def _walk_entries(entry: Entry) -> Iterator[Entry]:
    yield entry
    for child in entry.entries:
        yield from _walk_entries(child)


def find_size_choice(ruleset: Ruleset, roster: RosterTree, force: Force) -> Choose | None:
    """Return a new detachment's setting for the list's limit: "Strike Force (2000 Point limit)"."""
    points = ruleset.points_type
    limits = {limit.type_id: limit.value for limit in roster.limits}
    limit = limits.get(points.id) if points else None
    if limit is None or not force.selections:
        return None
    evaluation = Evaluation(ruleset, roster)
    for selection in force.selections:
        for group in list_offers(evaluation, selection.id).items:
            if not isinstance(group, OfferedGroup):
                continue
            stated = [
                option
                for option in group.items
                if isinstance(option, OfferedOption) and not option.hidden and is_limit_stated(option.name, limit)
            ]
            if len(stated) == 1 and not stated[0].number:
                return Choose(node=selection.id, group=group.group_id, entry=stated[0].entry_id)
    return None


def is_limit_stated(name: str, limit: Number) -> bool:
    """Return whether a name states a size that includes this limit.

    >>> is_limit_stated("2. Strike Force (2000 Point limit)", 2000), is_limit_stated("501-1000 Points", 750)
    (True, True)
    >>> is_limit_stated("Strike Force (2000 Point limit)", 1000)
    False
    """
    stated = _STATED_LIMIT.search(name)
    return stated is not None and int(stated[1] or stated[2]) <= limit <= int(stated[2])
