"""Convert a roster file's numbers to amounts per parent.

A file gives the number of a selection in the whole force: ten spears in a unit of ten. If the number does not divide,
the parent is split into single selections.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from roster.engine.tree import Selection

MOST_SINGLES = 200
"""Larger selections stay whole, with amounts rounded up. No program writes them."""


@dataclass
class CountedSelection:
    selection: Selection
    number: int
    inside: list["CountedSelection"] = field(default_factory=list)

    @cached_property
    def is_even(self) -> bool:
        return all(child.number % self.number == 0 and child.is_even for child in self.inside)


IdSource = Callable[[Selection], str]


def divide_amounts(counted: list[CountedSelection], rename: IdSource, uneven: list[str]) -> tuple[Selection, ...]:
    """Convert numbers to amounts per parent. Adds the names of split selections to `uneven`."""
    return tuple(s for one in counted for s in _split_parts(one, 0, one.number, 1, rename, uneven))


def _split_parts(
    one: CountedSelection, first: int, last: int, parents: int, rename: IdSource, uneven: list[str]
) -> Iterator[Selection]:
    amount = last - first
    if amount <= 0:
        return
    if one.is_even or amount > MOST_SINGLES:
        inside: list[Selection] = []
        # Round up, so that nothing is lost.
        for child in one.inside:
            inside += _split_parts(child, 0, -(-child.number * amount // one.number), amount, rename, uneven)
        yield _build_selection(one, -(-amount // parents), inside, rename)
        return

    uneven.append(one.selection.name)
    for single in range(first, last):
        inside = []
        for child in one.inside:
            share, left = divmod(child.number, one.number)
            before = share * single + min(left, single)
            after = share * (single + 1) + min(left, single + 1)
            inside += _split_parts(child, before, after, 1, rename, uneven)
        yield _build_selection(one, 1, inside, rename)


def _build_selection(one: CountedSelection, number: int, inside: list[Selection], rename: IdSource) -> Selection:
    source = one.selection
    return Selection(
        id=rename(source),
        entry_id=source.entry_id,
        group_id=source.group_id,
        number=number,
        name=source.name,
        custom_name=source.custom_name,
        notes=source.notes,
        attachments=source.attachments,
        selections=tuple(inside),
    )
