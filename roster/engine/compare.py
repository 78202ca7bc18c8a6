"""Compare two lists. `roster.wording` words the differences."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Generic, TypeVar

from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number
from roster.engine.tree import (
    Force,
    RosterTree,
    Selection,
    Value,
    change_selections,
    copy_with,
    index_names,
    walk_forces,
)


class DifferenceKind(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    REPLACED = "replaced"
    DIVIDED = "divided"
    MOVED = "moved"
    RENAMED = "renamed"
    NOTED = "noted"
    LEADS = "leads"
    JOINED = "joined"
    LEFT = "left"
    LIMIT = "limit"
    RULES = "rules"
    HOMEBREW = "homebrew"
    ORIGIN = "origin"
    UNSHOWN = "unshown"
    FACTION = "faction"
    REORDERED = "reordered"


class DifferencePart(StrEnum):
    LIST = "list"
    DETACHMENT = "detachment"
    CATEGORY = "category"
    UNIT = "unit"
    OPTION = "option"


class Difference(Value):
    """One difference between two lists.

    `name` is the new name, or the removed part's; `before` is the old name or the replaced part. `unit` is the unit
    around an option, a moved part's new detachment, or the unit that another joins; `before` repeats it if only the
    way of joining changed. For limits `name` is the cost type, for house rules their id or "", for notes on categories
    the detachment. For parts divided differently `number` is how many of them have other contents.
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
    forces = _pair_forces(before, after)
    units = _pair_units(before, after, forces)
    differences = [*_compare_detachments(forces), *_compare_numbers(DifferencePart.UNIT, units, "")]
    differences += _compare_places(before, after, forces, units)
    for old, new in units.both:
        differences += _compare_options(old, new, get_title(new))
    differences += _compare_ties(before, after, forces, units)
    differences += _compare_limits(before, after)
    differences += _compare_texts(before, after, forces)
    for old, new in units.both:
        differences += _compare_part_texts(DifferencePart.UNIT, old, new)
    # Adding a unit changes the order, too, so report a new order only by itself.
    if not differences and (
        [old.id for old, _ in units.both] != [unit.id for unit in _list_units(before)]
        or [old.id for old, _ in forces.both] != [force.id for force in _list_forces(before)]
    ):
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


def _compare_numbers(what: DifferencePart, pairs: "PairedParts[Selection]", unit: str) -> Iterator[Difference]:
    more: Counter[str] = Counter()
    for one in pairs.new:
        more[one.name] += one.number
    for one in pairs.gone:
        more[one.name] -= one.number
    for old, new in pairs.both:
        more[new.name] += new.number - old.number
    yield from _report_counts(what, more, unit)
    # Equal sums may hide another entry of the same name, or other numbers of differently equipped models.
    divided = {one.name for one in pairs.gone} | {new.name for old, new in pairs.both if old.number != new.number}
    for name, number in more.items():
        if number or name not in divided:
            continue
        same = [pair for pair in pairs.both if pair[1].name == name]
        old_parts = [*(one for one in pairs.gone if one.name == name), *(old for old, _ in same)]
        new_parts = [*(one for one in pairs.new if one.name == name), *(new for _, new in same)]
        if {one.entry_id for one in old_parts} != {one.entry_id for one in new_parts}:
            yield Difference(kind=DifferenceKind.REPLACED, what=what, name=name, before=name, unit=unit)
        else:
            others = _count_contents(new_parts) - _count_contents(old_parts)
            yield Difference(kind=DifferenceKind.DIVIDED, what=what, name=name, unit=unit, number=others.total())
    for old, new in pairs.both:
        if old.group_id != new.group_id:
            yield Difference(kind=DifferenceKind.MOVED, what=DifferencePart.OPTION, name=new.name, unit=unit)


def _count_contents(parts: Iterable[Selection]) -> Counter[Hashable]:
    """Count copies by what each contains, however they are divided."""
    counted: Counter[Hashable] = Counter()
    for one in parts:
        counted[_get_content(copy_with(one, number=1, custom_name=""))] += one.number
    return counted


def _report_counts(what: DifferencePart, more: Counter[str], unit: str) -> Iterator[Difference]:
    for name, number in more.items():
        if number:
            kind = DifferenceKind.ADDED if number > 0 else DifferenceKind.REMOVED
            yield Difference(kind=kind, what=what, name=name, number=abs(number), unit=unit)


def _compare_detachments(forces: "PairedParts[Force]") -> Iterator[Difference]:
    now, was = [*forces.new, *(new for _, new in forces.both)], [*forces.gone, *(old for old, _ in forces.both)]
    more = Counter(force.name for force in now if force.entry_id)
    more.subtract(force.name for force in was if force.entry_id)
    yield from _report_counts(DifferencePart.DETACHMENT, more, "")
    changed = [new.name for old, new in forces.both if old.entry_id != new.entry_id]
    for name in dict.fromkeys((*changed, *(force.name for force in forces.gone if force.entry_id))):
        if not more[name]:
            yield Difference(kind=DifferenceKind.REPLACED, what=DifferencePart.DETACHMENT, name=name, before=name)
    for old, new in forces.both:
        if old.catalogue_id != new.catalogue_id:
            yield Difference(kind=DifferenceKind.FACTION, what=DifferencePart.DETACHMENT, name=get_title(new))


def _compare_places(
    before: RosterTree, after: RosterTree, forces: "PairedParts[Force]", units: "PairedParts[Selection]"
) -> Iterator[Difference]:
    partners = {old.id: new.id for old, new in forces.both}
    was, now = ({inner.id: force for force in walk_forces(one) for inner in force.forces} for one in (before, after))
    for old_force, new_force in forces.both:
        outer_before, outer = was.get(old_force.id), now.get(new_force.id)
        if (outer_before and partners.get(outer_before.id)) != (outer and outer.id):
            yield Difference(
                kind=DifferenceKind.MOVED,
                what=DifferencePart.DETACHMENT,
                name=get_title(new_force),
                unit=get_title(outer) if outer else "",
            )
    homes_before, homes = (
        {unit.id: force for force in walk_forces(one) for unit in force.selections} for one in (before, after)
    )
    for old, new in units.both:
        home_before, home = homes_before[old.id], homes[new.id]
        # Of a detachment that the other list lacks, only the units that kept their ids have moved.
        place = partners.get(home_before.id, "" if old.id == new.id else home.id)
        if place != home.id:
            yield Difference(
                kind=DifferenceKind.MOVED,
                what=DifferencePart.UNIT,
                name=get_title(new),
                unit=get_title(home) if home.entry_id else "",
            )


def _compare_ties(
    before: RosterTree, after: RosterTree, forces: "PairedParts[Force]", units: "PairedParts[Selection]"
) -> Iterator[Difference]:
    """Compare what selections are attached to, and which units lead."""
    both = list(_walk_both(units))
    partners = {old.id: new.id for old, new in both}
    names_before, names = index_names(before), index_names(after)

    def translate(selection_id: str) -> Hashable:
        # An id of a selection that the list lost is equal only to itself.
        return partners.get(selection_id) or ("", selection_id)

    def recognise(selection_id: str) -> Hashable:
        return selection_id if selection_id in names else ("", selection_id)

    started = [(Selection(id="", entry_id=""), new) for new in _walk_selections(units.new)]
    for old, new in chain(both, started):
        was = {(translate(one.to_id), one.association_id): names_before.get(one.to_id, "") for one in old.attachments}
        now = {(recognise(one.to_id), one.association_id): names.get(one.to_id, "") for one in new.attachments}
        joined, left = ({key: one[key] for key in one if key not in other} for one, other in ((now, was), (was, now)))
        rebound = {target for target, _ in joined} & {target for target, _ in left}
        what = DifferencePart.UNIT
        for (target, _), unit in left.items():
            if target not in rebound:
                yield Difference(kind=DifferenceKind.LEFT, what=what, name=get_title(new), unit=unit)
        for (target, _), unit in joined.items():
            before_name = unit if target in rebound else ""
            yield Difference(kind=DifferenceKind.JOINED, what=what, name=get_title(new), unit=unit, before=before_name)
    for old_force, new_force in forces.both:
        if [*map(translate, old_force.leading)] != [*map(recognise, new_force.leading)]:
            yield Difference(
                kind=DifferenceKind.LEADS,
                what=DifferencePart.DETACHMENT,
                name=names.get(new_force.leader_id, ""),
                unit=get_title(new_force),
            )


def _compare_limits(before: RosterTree, after: RosterTree) -> Iterator[Difference]:
    was, now = (
        {limit.type_id: limit.value for limit in roster.limits if limit.value >= 0} for roster in (before, after)
    )
    what = DifferencePart.LIST
    if before.overlay != after.overlay:
        yield Difference(kind=DifferenceKind.RULES, what=what, name=after.overlay.partition("@")[0])
    if before.homebrew != after.homebrew:
        yield Difference(kind=DifferenceKind.HOMEBREW, what=what, name=after.homebrew)
    if before.origin != after.origin:
        yield Difference(kind=DifferenceKind.ORIGIN, what=what, name=after.origin.value)
    if before.unshown != after.unshown:
        yield Difference(kind=DifferenceKind.UNSHOWN, what=what)
    for type_id in dict.fromkeys((*was, *now)):
        if was.get(type_id) != now.get(type_id):
            yield Difference(
                kind=DifferenceKind.LIMIT, what=what, name=type_id, was=was.get(type_id), now=now.get(type_id)
            )


# ---- what is written on the parts --------------------------------------------------------------------------------


def _compare_texts(before: RosterTree, after: RosterTree, forces: "PairedParts[Force]") -> Iterator[Difference]:
    if before.name != after.name:
        yield Difference(kind=DifferenceKind.RENAMED, what=DifferencePart.LIST, name=after.name, before=before.name)
    was, now = ((roster.notes, roster.player, roster.event, roster.vendor) for roster in (before, after))
    if was != now:
        yield Difference(kind=DifferenceKind.NOTED, what=DifferencePart.LIST)
    for old, new in forces.both:
        yield from _compare_part_texts(DifferencePart.DETACHMENT, old, new)
        if set(old.category_notes) != set(new.category_notes):
            yield Difference(kind=DifferenceKind.NOTED, what=DifferencePart.CATEGORY, name=get_title(new))


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


def _list_forces(roster: RosterTree) -> list[Force]:
    """List a detachment before those inside it."""
    pending = list(reversed(roster.forces))
    forces = []
    while pending:
        forces.append(pending.pop())
        pending += reversed(forces[-1].forces)
    return forces


def _list_units(roster: RosterTree) -> list[Selection]:
    return [unit for force in _list_forces(roster) for unit in force.selections]


def _walk_selections(selections: Iterable[Selection]) -> Iterator[Selection]:
    for one in selections:
        yield one
        yield from _walk_selections(one.selections)


def _walk_both(pairs: "PairedParts[Selection]") -> Iterator[tuple[Selection, Selection]]:
    for old, new in pairs.both:
        yield old, new
        yield from _walk_both(pair_selections(old.selections, new.selections))


# ---- which part of one list is which part of another -----------------------------------------------------------------


PartT = TypeVar("PartT", Force, Selection)


@dataclass(frozen=True, slots=True)
class PairedParts(Generic[PartT]):
    """`both` and `new` are in the order of the second list."""

    both: list[tuple[PartT, PartT]]
    gone: list[PartT]
    new: list[PartT]


def pair_selections(before: Sequence[Selection], after: Sequence[Selection]) -> PairedParts[Selection]:
    """Pair selections by id, then content, then entry."""
    pairs: PairedParts[Selection] = PairedParts([], list(before), list(after))
    for likeness in (_get_identity, _get_content, _get_entry_id):
        _pair_by(pairs, likeness)
    _sort_both(pairs, after)
    return pairs


def _pair_units(before: RosterTree, after: RosterTree, forces: PairedParts[Force]) -> PairedParts[Selection]:
    """Pair units as `pair_selections` does, each time within a detachment before others."""
    units = _list_units(after)
    pairs: PairedParts[Selection] = PairedParts([], _list_units(before), list(units))
    partners = {old.id: new.id for old, new in forces.both}
    was = {unit.id: partners.get(force.id, "") for force in walk_forces(before) for unit in force.selections}
    now = {unit.id: force.id for force in walk_forces(after) for unit in force.selections}
    for likeness in (_get_identity, _get_content, _get_entry_id):
        _pair_by(pairs, likeness, was, now)
        _pair_by(pairs, likeness)
    _sort_both(pairs, units)
    return pairs


def _pair_forces(before: RosterTree, after: RosterTree) -> PairedParts[Force]:
    forces = _list_forces(after)
    pairs: PairedParts[Force] = PairedParts([], _list_forces(before), list(forces))
    for likeness in (
        lambda force: (force.id, force.entry_id),
        lambda force: (force.entry_id, force.catalogue_id),
        lambda force: force.entry_id,
        lambda force: force.id,
    ):
        _pair_by(pairs, likeness)
    _sort_both(pairs, forces)
    return pairs


def _sort_both(pairs: PairedParts[PartT], after: Sequence[PartT]) -> None:
    order = {one.id: index for index, one in enumerate(after)}
    pairs.both.sort(key=lambda pair: order[pair[1].id])


def take_replacements(pairs: PairedParts[Selection]) -> list[tuple[Selection, Selection]]:
    """Remove and return pairs of an old and a new selection in one group."""
    replacements = []
    for old in list(pairs.gone):
        new = next((new for new in pairs.new if old.group_id and new.group_id == old.group_id), None)
        if new is not None:
            pairs.gone.remove(old)
            pairs.new.remove(new)
            replacements.append((old, new))
    return replacements


NO_PLACES: Mapping[str, str] = {}


def _pair_by(
    pairs: PairedParts[PartT],
    likeness: Callable[[PartT], Hashable],
    was: Mapping[str, str] = NO_PLACES,
    now: Mapping[str, str] = NO_PLACES,
) -> None:
    """Pair parts that are alike and whose places, by id, are equal."""
    waiting = group_by(pairs.gone, lambda one: (was.get(one.id), likeness(one)))
    new = []
    for other in pairs.new:
        like = waiting.get((now.get(other.id), likeness(other)))
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
