"""A ruleset shared by threads compiles lazy values once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from roster.engine.evaluate import evaluate
from roster.engine.tree import Force, RosterTree, Selection
from tests.engine.games import WORKSHOP, game

THREADS = 8


def test_options_are_the_same_for_all() -> None:
    ruleset = game(WORKSHOP)
    barrier = Barrier(THREADS, timeout=60)

    def options(_: int) -> list[int]:
        barrier.wait()
        book = ruleset.find_catalogue("army")
        assert book
        roots = book.root_options.options
        return [id(option) for root in roots for option in (root, *root.entry.contents.options)]

    with ThreadPoolExecutor(THREADS) as pool:
        seen = list(pool.map(options, range(THREADS)))
    assert all(row == seen[0] for row in seen)


def test_verdicts_are_the_same_for_all() -> None:
    ruleset = game(WORKSHOP)
    captains = tuple(Selection(id=str(i), entry_id="captain") for i in range(3))
    roster = RosterTree(id="r", forces=(Force(id="f", entry_id="patrol", catalogue_id="army", selections=captains),))
    with ThreadPoolExecutor(THREADS) as pool:
        reports = list(pool.map(lambda _: evaluate(ruleset, roster), range(4 * THREADS)))
    assert all(report == reports[0] for report in reports)
