"""Compare two lists. `roster.wording` words the differences."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number
from roster.engine.tree import Force, RosterTree, Selection, Value, change_selections, copy_with


class DifferenceKind(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    REPLACED = "replaced"
    MOVED = "moved"
    RENAMED = "renamed"
    NOTED = "noted"
    LEADS = "leads"
    LIMIT = "limit"
    RULES = "rules"
    HOMEBREW = "homebrew"
    REORDERED = "reordered"


class DifferencePart(StrEnum):
    LIST = "list"
    DETACHMENT = "detachment"
    UNIT = "unit"
    OPTION = "option"


class Difference(Value):
    """One difference between two lists.

    `name` is the new name, or the removed part's; `before` is the old name or the replaced part. `unit` is the unit
    around an option, or a moved unit's new detachment. For limits `name` is the cost type, for house rules their id or
    "".
    """

    kind: DifferenceKind
    what: DifferencePart
    name: str = ""
    before: str = ""
    unit: str = ""
    number: int = 0
    was: Number | None = None
    now: Number | None = None


def compare_rosters(before: RosterTree, after: RosterTree) -> tuple[Difference, ...]:
    """Return the differences of `after`: detachments, units, options, limits, then texts.

    >>> crew = Selection(id="1", entry_id="c", name="Crew")
    >>> column = Force(id="f", entry_id="x", catalogue_id="y", selections=(crew,))
    >>> differences = compare_rosters(RosterTree(id=""), RosterTree(id="", forces=(column,)))
    >>> [(one.kind.value, one.number, one.name) for one in differences if one.what is DifferencePart.UNIT]
    [('added', 1, 'Crew')]
    """
    units = pair_selections(_list_units(before), _list_units(after))
    differences = [*_compare_detachments(before, after), *_compare_numbers(DifferencePart.UNIT, units, "")]
    differences += _compare_places(before, after)
    for old, new in units.both:
        differences += _compare_options(old, new, get_title(new))
    differences += _compare_limits(before, after)
    differences += _compare_texts(before, after)
    for old, new in units.both:
        differences += _compare_part_texts(DifferencePart.UNIT, old, new)
    # Adding a unit changes the order, too, so report a new order only by itself.
    if not differences and _list_unit_ids(before) != _list_unit_ids(after):
        differences.append(Difference(kind=DifferenceKind.REORDERED, what=DifferencePart.LIST))
    return tuple(differences)


def get_title(part: Force | Selection) -> str:
    return part.custom_name or part.name


def _compare_options(before: Selection, after: Selection, unit: str) -> Iterator[Difference]:
    pairs = pair_selections(before.selections, after.selections)
    # Take replacements first, so that they do not count as added and removed.
    for old, new in take_replacements(pairs):
        yield Difference(
            kind=DifferenceKind.REPLACED,
            what=DifferencePart.OPTION,
            name=new.name,
            before=old.name,
            unit=unit,
            number=new.number,
        )
    yield from _compare_numbers(DifferencePart.OPTION, pairs, unit)
    for old, new in pairs.both:
        yield from _compare_options(old, new, unit)


def _compare_numbers(what: DifferencePart, pairs: "PairedSelections", unit: str) -> Iterator[Difference]:
    more: Counter[str] = Counter()
    for one in pairs.new:
        more[one.name] += one.number
    for one in pairs.gone:
        more[one.name] -= one.number
    for old, new in pairs.both:
        more[new.name] += new.number - old.number
    yield from _report_counts(what, more, unit)


def _report_counts(what: DifferencePart, more: Counter[str], unit: str) -> Iterator[Difference]:
    for name, number in more.items():
        if number:
            kind = DifferenceKind.ADDED if number > 0 else DifferenceKind.REMOVED
            yield Difference(kind=kind, what=what, name=name, number=abs(number), unit=unit)


def _compare_detachments(before: RosterTree, after: RosterTree) -> Iterator[Difference]:
    more = Counter(force.name for force in _walk_forces(after.forces) if force.entry_id)
    more.subtract(force.name for force in _walk_forces(before.forces) if force.entry_id)
    yield from _report_counts(DifferencePart.DETACHMENT, more, "")


def _compare_places(before: RosterTree, after: RosterTree) -> Iterator[Difference]:
    places = {unit.id: force.id for force in _walk_forces(before.forces) for unit in force.selections}
    for force in _walk_forces(after.forces):
        for unit in force.selections:
            if places.get(unit.id, force.id) != force.id:
                detachment = get_title(force) if force.entry_id else ""
                yield Difference(
                    kind=DifferenceKind.MOVED, what=DifferencePart.UNIT, name=get_title(unit), unit=detachment
                )


def _compare_limits(before: RosterTree, after: RosterTree) -> Iterator[Difference]:
    was, now = (
        {limit.type_id: limit.value for limit in roster.limits if limit.value >= 0} for roster in (before, after)
    )
    if before.overlay != after.overlay:
        yield Difference(kind=DifferenceKind.RULES, what=DifferencePart.LIST, name=after.overlay.partition("@")[0])
    if before.homebrew != after.homebrew:
        yield Difference(kind=DifferenceKind.HOMEBREW, what=DifferencePart.LIST, name=after.homebrew)
    for type_id in dict.fromkeys((*was, *now)):
        if was.get(type_id) != now.get(type_id):
            yield Difference(
                kind=DifferenceKind.LIMIT,
                what=DifferencePart.LIST,
                name=type_id,
                was=was.get(type_id),
                now=now.get(type_id),
            )


# ---- what is written on the parts --------------------------------------------------------------------------------


def _compare_texts(before: RosterTree, after: RosterTree) -> Iterator[Difference]:
    if before.name != after.name:
        yield Difference(kind=DifferenceKind.RENAMED, what=DifferencePart.LIST, name=after.name, before=before.name)
    was, now = ((roster.notes, roster.player, roster.event, roster.vendor) for roster in (before, after))
    if was != now:
        yield Difference(kind=DifferenceKind.NOTED, what=DifferencePart.LIST)
    by_id = {force.id: force for force in _walk_forces(before.forces)}
    names = {unit.id: get_title(unit) for unit in _list_units(after)}
    for force in _walk_forces(after.forces):
        old = by_id.get(force.id)
        if old is None:
            continue
        yield from _compare_part_texts(DifferencePart.DETACHMENT, old, force)
        if old.leading != force.leading:
            leader = names.get(force.leader_id, "")
            yield Difference(
                kind=DifferenceKind.LEADS, what=DifferencePart.DETACHMENT, name=leader, unit=get_title(force)
            )


def _compare_part_texts(what: DifferencePart, old: Force | Selection, new: Force | Selection) -> Iterator[Difference]:
    if old.custom_name != new.custom_name:
        yield Difference(kind=DifferenceKind.RENAMED, what=what, name=get_title(new), before=get_title(old))
    elif old.name != new.name:
        yield Difference(kind=DifferenceKind.RENAMED, what=what, name=new.name, before=old.name)
    if old.notes != new.notes:
        yield Difference(kind=DifferenceKind.NOTED, what=what, name=get_title(new))
    if isinstance(old, Selection) and isinstance(new, Selection):
        for inner_old, inner_new in pair_selections(old.selections, new.selections).both:
            yield from _compare_part_texts(DifferencePart.OPTION, inner_old, inner_new)


# ---- walking -----------------------------------------------------------------------------------------------------


def _walk_forces(forces: Iterable[Force]) -> Iterator[Force]:
    for force in forces:
        yield force
        yield from _walk_forces(force.forces)


def _list_units(roster: RosterTree) -> Sequence[Selection]:
    return [unit for force in _walk_forces(roster.forces) for unit in force.selections]


def _list_unit_ids(roster: RosterTree) -> list[str]:
    return [unit.id for unit in _list_units(roster)]


# ---- which part of one list is which part of another -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PairedSelections:
    both: list[tuple[Selection, Selection]]
    gone: list[Selection]
    new: list[Selection]


def pair_selections(before: Sequence[Selection], after: Sequence[Selection]) -> PairedSelections:
    """Pair selections by id, then content, then entry."""
    pairs = PairedSelections([], list(before), list(after))
    for likeness in (_get_identity, _get_content, _get_entry_id):
        _pair_by(pairs, likeness)
    order = {one.id: index for index, one in enumerate(after)}
    pairs.both.sort(key=lambda pair: order[pair[1].id])
    return pairs


def take_replacements(pairs: PairedSelections) -> list[tuple[Selection, Selection]]:
    """Remove and return pairs of an old and a new selection in one group."""
    replacements = []
    for old in list(pairs.gone):
        new = next((new for new in pairs.new if old.group_id and new.group_id == old.group_id), None)
        if new is not None:
            pairs.gone.remove(old)
            pairs.new.remove(new)
            replacements.append((old, new))
    return replacements


def _pair_by(pairs: PairedSelections, likeness: Callable[[Selection], Hashable]) -> None:
    waiting = group_by(pairs.gone, likeness)
    new = []
    for other in pairs.new:
        like = waiting.get(likeness(other))
        if like:
            pairs.both.append((like.pop(0), other))
        else:
            new.append(other)
    pairs.new[:] = new
    left = set(map(id, chain.from_iterable(waiting.values())))
    pairs.gone[:] = [one for one in pairs.gone if id(one) in left]


def _get_identity(one: Selection) -> Hashable:
    return one.id, one.entry_id


def _get_content(one: Selection) -> Hashable:
    inside = tuple(sorted((_get_content(inner) for inner in one.selections), key=repr))
    return one.entry_id, one.group_id, one.number, one.custom_name, inside


def _get_entry_id(one: Selection) -> Hashable:
    return one.entry_id


# ---- names of another version of the data ----------------------------------------------------------------------------


def rename_selections(roster: RosterTree, names: Mapping[str, str]) -> RosterTree:
    """Change the data names of selections, by id. Custom names stay.

    >>> crew = Selection(id="1", entry_id="c", name="Crew")
    >>> force = Force(id="f", entry_id="x", catalogue_id="y", selections=(crew,))
    >>> rename_selections(RosterTree(id="", forces=(force,)), {"1": "Punt Crew"}).forces[0].selections[0].name
    'Punt Crew'
    """
    return change_selections(roster, lambda one: copy_with(one, name=names.get(one.id, one.name)))
