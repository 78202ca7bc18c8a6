"""Record what a unit or force depends on outside itself. `docs/adr/0039-judging-on.md` says why this is safe."""

from collections.abc import Hashable
from enum import StrEnum
from typing import Any


class Ask(StrEnum):
    """A kind of question about the list outside a unit or force."""

    HOLDS = "holds"
    """Whether a guard holds in a force."""
    IS_MET = "is met"
    IS_HIDDEN = "is hidden"
    """Whether an entry is hidden in a whole force."""
    IS_SLOT_HIDDEN = "is slot hidden"
    COUNT = "count"
    """How many selections with a key are in a place."""
    AMOUNT = "amount"
    """Any other amount of a query in a place."""
    TOTAL = "total"
    """The total that a query's percentage refers to."""
    CATEGORIES = "categories"
    """The categories that a preview would have in a force."""
    ARE_HIDDEN = "are hidden"
    """Which entries that hide automatic selections of a container are hidden in a whole force."""


HIDDEN = ""
"""An id among broken constraints: something is hidden."""

Question = tuple[Ask, int, Hashable, Hashable]
"""The kind of question, the `id` of the asking definition, the counted key, and the `token` of the place."""


class Footprint:
    """What a unit or force depends on outside itself, and the ids of `broken` constraints in it, or `HIDDEN`.

    A force's footprint excludes its units and offers. `answers` holds the asking definition, so that its `id` stays
    valid. Other evaluations can ask the questions if `is_repeatable`.
    """

    __slots__ = ("answers", "broken", "is_repeatable", "known_broken")

    def __init__(self) -> None:
        self.answers: dict[Question, tuple[Any, object]] = {}
        self.broken: set[str] = set()
        self.is_repeatable = True
        self.known_broken: frozenset[str] | None = None

    @property
    def is_clean(self) -> bool:
        return self.known_broken is not None and not self.known_broken

    def may_break(self, constraint_id: str) -> bool:
        return self.known_broken is None or constraint_id in self.known_broken

    def include(self, other: "Footprint") -> None:
        self.answers |= other.answers
        self.is_repeatable &= other.is_repeatable

    def note(self, ask: Ask, definition: object, key: Hashable, token: Hashable, answer: object) -> None:
        """Add an answer. Without a token, other evaluations cannot find the place."""
        if token is None:
            self.is_repeatable = False
        else:
            self.answers[ask, id(definition), key, token] = definition, answer
