"""The engine accepts exactly the lists that brute force counts."""

import pytest

from tests.counting import dawnfall, maelstrom_of_war, maelstroms_edge, warzone, warzone_squads
from tests.counting.trial import hold
from tests.extent import COMPLETE, sample

pytestmark = pytest.mark.slow

GAMES = (maelstroms_edge, dawnfall, maelstrom_of_war, warzone, warzone_squads)
TRIALS = {f"{trial.system}: {name}": trial for game in GAMES for name, trial in game.TRIALS.items()}


@pytest.mark.parametrize("name", sample(TRIALS, 4))
def test_engine_accepts_what_is_counted(name: str) -> None:
    trial = TRIALS[name]
    tally = hold(trial)
    assert not tally.disputed[:5]
    assert tally.legal_by_engine == tally.legal_by_count > 0
    assert set(tally.rejected) <= trial.rules
    assert not COMPLETE or set(tally.rejected) == trial.rules
