"""What a unit or a force asks about what is outside of it.

See docs/adr/0039-judging-on.md for why this is right.
"""

from collections.abc import Hashable
from enum import StrEnum
from typing import Any


class Ask(StrEnum):
    """A kind of question that something in a unit or force asks about what is outside."""

    HOLDS = "holds"
    """Whether a guard holds in a force."""
    IS_MET = "is met"
    """Whether a condition is met in a force."""
    IS_HIDDEN = "is hidden"
    """Whether an entry is hidden in a whole force."""
    IS_SLOT_HIDDEN = "is slot hidden"
    """Whether a slot of a force is hidden."""
    COUNT = "count"
    """How many selections with a key are in one place."""
    AMOUNT = "amount"
    """What else a query amounts to in a place."""
    TOTAL = "total"
    """What a query takes its percentage of in a place."""
    CATEGORIES = "categories"
    """Of which categories something would be in a force."""
    ARE_HIDDEN = "are hidden"
    """Which of what could hide something that may come along in a container does so in a whole force."""


HIDDEN = ""
"""Stands among the ids of broken constraints for something that is hidden."""

Question = tuple[Ask, int, Hashable, Hashable]
"""The kind, the `id` of the definition that asks, what is counted, and the `token` of the place."""


class Footprint:
    """What one unit asked about what is outside of it, with the answers, and what was found inside it; or one force.

    What a force asks for itself is apart from what its units ask, and from what each pick asks that is on offer in it.
    `answers` has with each question the definition that asks it, whose `id` is in the question. It is not
    `is_repeatable` if something was asked that cannot be asked again in another evaluation. `broken` are the ids of the
    constraints that failed in it, and `HIDDEN` if something in it is hidden; `known_broken` what an earlier evaluation
    found of these for the same unit or force, None without one.
    """

    __slots__ = ("answers", "broken", "is_repeatable", "known_broken")

    def __init__(self) -> None:
        self.answers: dict[Question, tuple[Any, object]] = {}
        self.broken: set[str] = set()
        self.is_repeatable = True
        self.known_broken: frozenset[str] | None = None

    @property
    def is_clean(self) -> bool:
        """Whether an earlier evaluation found that nothing is wrong."""
        return self.known_broken is not None and not self.known_broken

    def may_break(self, constraint_id: str) -> bool:
        """Return whether a constraint may fail, as far as an earlier evaluation knows."""
        return self.known_broken is None or constraint_id in self.known_broken

    def include(self, other: "Footprint") -> None:
        """Note what another one asked as well."""
        self.answers |= other.answers
        self.is_repeatable &= other.is_repeatable

    def note(self, ask: Ask, definition: object, key: Hashable, token: Hashable, answer: object) -> None:
        """Note a question about a place outside; a place without a token cannot be found again."""
        if token is None:
            self.is_repeatable = False
        else:
            self.answers[ask, id(definition), key, token] = definition, answer
