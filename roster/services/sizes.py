"""The sizes of game that community data asks for among its settings: "2. Strike Force (2000 Point limit)"."""

import re
from collections.abc import Iterator
from itertools import chain

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
"""What stands around the name of a size: its number, and what it means."""


def list_stated_sizes(version: PackVersion) -> list[Preset]:
    """List the sizes of game that community data asks for among its settings, as ways to start a list.

    Such data has no other place for them: "2. Strike Force (2000 Point limit)" is an option like any other.
    """
    if not (version.is_community and version.points_id):
        return []
    system = load_game_system(version)
    settings = chain.from_iterable(map(_walk_entries, (*system.entries, *system.shared_entries)))
    read = (_read_sizes(group, version.points_id) for group in settings)
    # A single one is no choice.
    return next((sizes for sizes in read if len(sizes) > 1), [])


def _walk_entries(entry: Entry) -> Iterator[Entry]:
    yield entry
    for child in entry.entries:
        yield from _walk_entries(child)


def _read_sizes(group: Entry, points_id: str) -> list[Preset]:
    """Return the sizes that the options of a group state, in the order in which they are numbered."""
    sizes = {}
    for option in sorted(group.entries, key=lambda option: option.name):
        limit = None if option.hidden else _read_stated_limit(option.name)
        if limit is not None:
            name = _AROUND_SIZE.sub("", option.name)
            sizes[limit] = Preset(id=format_number(limit), name=name, limits={points_id: limit})
    return list(sizes.values())


def find_size_choice(ruleset: Ruleset, roster: RosterTree, force: Force) -> Choose | None:
    """Return the choice, in the settings that come with a detachment, whose name states the list's limit, if any does.

    Community data asks for the size a second time: "Strike Force (2000 Point limit)".
    """
    limit = _find_points_limit(ruleset, roster)
    if limit is None or not force.selections:
        return None
    evaluation = Evaluation(ruleset, roster)
    for node_id, group in _list_setting_groups(evaluation, force):
        if option := _find_stated(group, limit):
            return Choose(node=node_id, group=group.group_id, entry=option.entry_id)
    return None


def _find_points_limit(ruleset: Ruleset, roster: RosterTree) -> Number | None:
    points = ruleset.points_type
    limits = {limit.type_id: limit.value for limit in roster.limits}
    return limits.get(points.id) if points else None


def _list_setting_groups(evaluation: Evaluation, force: Force) -> Iterator[tuple[str, OfferedGroup]]:
    """List the groups that selections of a detachment offer, each with the id of its selection."""
    for selection in force.selections:
        for item in list_offers(evaluation, selection.id).items:
            if isinstance(item, OfferedGroup):
                yield selection.id, item


def _find_stated(group: OfferedGroup, limit: Number) -> OfferedOption | None:
    """Return the only option of a group that states this limit, unless it is taken."""
    stated = [option for option in group.items if isinstance(option, OfferedOption) and _is_stating(option, limit)]
    return stated[0] if len(stated) == 1 and not stated[0].number else None


def _is_stating(option: OfferedOption, limit: Number) -> bool:
    return not option.hidden and is_limit_stated(option.name, limit)


def is_limit_stated(name: str, limit: Number) -> bool:
    """Return whether a name says that it is for lists of so many points.

    >>> is_limit_stated("2. Strike Force (2000 Point limit)", 2000), is_limit_stated("501-1000 Points", 750)
    (True, True)
    >>> is_limit_stated("Strike Force (2000 Point limit)", 1000)
    False
    """
    stated = _STATED_LIMIT.search(name)
    return stated is not None and int(stated[1] or stated[2]) <= limit <= int(stated[2])


def _read_stated_limit(name: str) -> Number | None:
    """Return the most points that a name states."""
    stated = _STATED_LIMIT.search(name)
    return int(stated[2]) if stated else None
