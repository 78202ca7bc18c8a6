"""Which part of one list is which part of another."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from roster.engine.tree import Selection


@dataclass(frozen=True, slots=True)
class PairedSelections:
    """Parts of two lists: those in both, side by side; those only in the first; those only in the second."""

    both: list[tuple[Selection, Selection]]
    gone: list[Selection]
    new: list[Selection]


def pair_selections(before: Sequence[Selection], after: Sequence[Selection]) -> PairedSelections:
    """The parts paired by id; what is left by being the same all through; what is left then by being of one entry."""
    found = PairedSelections([], list(before), list(after))
    for likeness in (_get_identity, _get_content, _get_entry_id):
        _pair_by(found, likeness)
    order = {one.id: place for place, one in enumerate(after)}
    found.both.sort(key=lambda pair: order[pair[1].id])
    return found


def take_replacements(found: PairedSelections) -> list[tuple[Selection, Selection]]:
    """What is gone and what is new of one group: one in place of the other, taken out of both."""
    pairs = []
    for old in tuple(found.gone):
        new = next((new for new in found.new if old.group_id and new.group_id == old.group_id), None)
        if new is not None:
            found.gone.remove(old)
            found.new.remove(new)
            pairs.append((old, new))
    return pairs


def _pair_by(found: PairedSelections, likeness: Callable[[Selection], Hashable]) -> None:
    waiting: dict[Hashable, list[Selection]] = {}
    for one in found.gone:
        waiting.setdefault(likeness(one), []).append(one)
    new = []
    for other in found.new:
        like = waiting.get(likeness(other))
        if like:
            found.both.append((like.pop(0), other))
        else:
            new.append(other)
    found.new[:] = new
    left = {id(one) for row in waiting.values() for one in row}
    found.gone[:] = [one for one in found.gone if id(one) in left]


def _get_identity(one: Selection) -> Hashable:
    return one.id, one.entry_id


def _get_content(one: Selection) -> Hashable:
    """Everything about a part but its ids."""
    inside = tuple(sorted((_get_content(inner) for inner in one.selections), key=repr))
    return one.entry_id, one.group_id, one.number, one.custom_name, inside


def _get_entry_id(one: Selection) -> Hashable:
    return one.entry_id
