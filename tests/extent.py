"""How much the tests try: seeded samples in `make test`, whole series in `.ci/run`.

With `ARMYBUILDER_TESTS=complete` all cases are tried but of two series that would take an hour: lists that the solver
completes, and changes that the second readings judge. These and, in `make test`, all long series are sampled, the same
way at each run for one `ARMYBUILDER_TESTS_SEED`, so that a red test stays red until it is mended.
"""

import os
from collections.abc import Iterable, Iterator
from random import Random
from typing import TypeVar

Case = TypeVar("Case")

COMPLETE = os.environ.get("ARMYBUILDER_TESTS", "") == "complete"
SEED = os.environ.get("ARMYBUILDER_TESTS_SEED", "armybuilder")


def sample(cases: Iterable[Case], number: int) -> list[Case]:
    """Return `number` of the cases in their order, or all of them in a complete run."""
    known = list(cases)
    if COMPLETE or number >= len(known):
        return known
    chosen = sorted(Random(SEED).sample(range(len(known)), number))
    return [known[place] for place in chosen]


def thin_out(cases: Iterable[Case], share: float, complete: float = 1) -> Iterator[Case]:
    """Yield about that share of the cases, `complete` of them in a complete run. The cases are not held in memory."""
    dice = Random(SEED)
    return (case for case in cases if dice.random() < (complete if COMPLETE else share))
