"""From the numbers of a roster file to amounts per parent.

A file says how many of a selection there are in the whole force: ten spears in one unit of ten. A roster says how many
there are per one of the parent. Where that does not divide (three spears in a selection of two soldiers) the parent is
taken apart into single ones, the first of which get what is left over.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from roster.engine.tree import Selection

MOST_SINGLES = 200
"""Selections larger than this stay whole, with amounts rounded up; no program makes such a thing."""


@dataclass
class Counted:
    """A selection of a file: `number` is the number in the force."""

    made: Selection
    number: int
    inside: list["Counted"] = field(default_factory=list)

    @cached_property
    def is_even(self) -> bool:
        """Whether every one of it has the same inside."""
        return all(child.number % self.number == 0 and child.is_even for child in self.inside)


Rename = Callable[[Selection], str]
"""Gives the id of the next part of a selection."""


def per_parent(counted: list[Counted], rename: Rename, uneven: list[str]) -> tuple[Selection, ...]:
    """The selections of a force with amounts per parent; the names of those taken apart are added to `uneven`."""
    return tuple(s for one in counted for s in _parts(one, 0, one.number, 1, rename, uneven))


def _parts(
    one: Counted, first: int, last: int, parents: int, rename: Rename, uneven: list[str]
) -> Iterator[Selection]:
    """The ones from `first` up to `last` of a selection, shared out among equal `parents`."""
    amount = last - first
    if amount <= 0:
        return
    if one.is_even or amount > MOST_SINGLES:
        inside = [
            part
            for child in one.inside
            for part in _parts(child, 0, -(-child.number * amount // one.number), amount, rename, uneven)
        ]
        yield _selection(one, -(-amount // parents), inside, rename)
        return
    uneven.append(one.made.name)
    for single in range(first, last):
        inside = [
            part
            for child in one.inside
            for part in _parts(
                child, _before(child, one, single), _before(child, one, single + 1), 1, rename, uneven
            )
        ]
        yield _selection(one, 1, inside, rename)


def _before(child: Counted, parent: Counted, single: int) -> int:
    """How many of `child` belong to the first `single` ones of its parent."""
    each, left = divmod(child.number, parent.number)
    return each * single + min(left, single)


def _selection(one: Counted, number: int, inside: list[Selection], rename: Rename) -> Selection:
    made = one.made
    return Selection(
        id=rename(made),
        entry_id=made.entry_id,
        group_id=made.group_id,
        number=number,
        name=made.name,
        custom_name=made.custom_name,
        notes=made.notes,
        selections=tuple(inside),
    )
