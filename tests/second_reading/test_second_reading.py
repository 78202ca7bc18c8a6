"""The engine and the second reading of each book agree on the rules that a changed list breaks."""

from dataclasses import replace
from functools import cache

import pytest

from catalogue.definitions.rulebook import RuleKind, RuleStage, split_claim
from tests.extent import COMPLETE, sample
from tests.second_reading.judging import Tally, hold, hold_one_by_one, legal_lists, ruleset_of
from tests.second_reading.reading import Reading
from tests.second_reading.readings import READINGS

pytestmark = pytest.mark.slow

SAMPLE = 20
"""Changes in `make test`, spread over the lists of a game: enough to break the most frequent rule."""
EACH = 60
"""Changes of each list in a complete run; `python -m tests.second_reading` takes 400."""
SHARES = 8 if COMPLETE else 1
"""The lists of a game are split among this many tests, so that all processes share the work."""
MOST_DIFFERENCES = 10


def pack_of(reading: Reading) -> str:
    return reading.pack


def spread_sample(pack: str) -> tuple[int, slice]:
    """Return the sample's number of changes per list, and its lists: all if there are few, else every nth."""
    lists = len(legal_lists(pack))
    return SAMPLE // lists + 1, slice(None, None, lists // SAMPLE + 1)


@cache
def hold_sample(pack: str) -> Tally:
    """Judge a pack's sample; cached, because two tests need it and it takes seconds."""
    [reading] = [reading for reading in READINGS if reading.pack == pack]
    return hold(reading, *spread_sample(pack))


@pytest.mark.parametrize("first", range(SHARES))
@pytest.mark.parametrize("reading", READINGS, ids=pack_of)
def test_both_judges_agree(reading: Reading, first: int) -> None:
    tally = hold(reading, EACH, slice(first, None, SHARES)) if COMPLETE else hold_sample(reading.pack)
    assert tally.disputed[:5] == []
    assert 0 < tally.legal < tally.judged


@pytest.mark.parametrize("reading", READINGS, ids=pack_of)
def test_every_judged_rule_is_read_again_or_named(reading: Reading) -> None:
    rulebook = ruleset_of(reading.pack)[1].data.game_system.rulebook
    judged = {
        entry.id: entry
        for entry in rulebook
        if entry.kind is not RuleKind.SHOW
        and entry.stage in (RuleStage.LIST, RuleStage.MATCH, RuleStage.SETUP)
        and not entry.part_of
    }
    assert reading.covers.isdisjoint(reading.left_out)
    assert reading.covers | reading.left_out.keys() == judged.keys()
    assert all(reading.left_out.values())


@pytest.mark.parametrize("reading", READINGS, ids=pack_of)
def test_the_differences_are_few_and_of_clauses_that_exist(reading: Reading) -> None:
    rulebook = {entry.id: entry for entry in ruleset_of(reading.pack)[1].data.game_system.rulebook}
    assert len(reading.differences) <= MOST_DIFFERENCES
    for claim, reason in reading.differences.items():
        rule, clause = split_claim(claim)
        assert clause in {each.id for each in rulebook[rule].clauses}
        assert reason


@pytest.mark.parametrize("reading", sample(READINGS, 2), ids=pack_of)
def test_a_reading_that_forgets_a_rule_is_found_out(reading: Reading) -> None:
    [(forgotten, _)] = hold_sample(reading.pack).broken.most_common(1)
    forgetful = replace(
        reading, broken_rules=lambda document, figures: reading.broken_rules(document, figures) - {forgotten}
    )
    tallies = hold_one_by_one(forgetful, *spread_sample(reading.pack))
    assert any(tally.disputed for tally in tallies)


@pytest.mark.parametrize("reading", READINGS, ids=pack_of)
def test_there_are_legal_lists_to_change(reading: Reading) -> None:
    assert len(legal_lists(reading.pack)) >= 2
