"""The engine accepts just the lists that a brute force counts."""

import pytest

from tests.counting import maelstroms_edge, warzone, warzone_squads
from tests.counting.trial import Trial, hold

TRIALS = {f"maelstroms-edge-2e: {name}": trial for name, trial in maelstroms_edge.TRIALS.items()}
TRIALS |= {
    f"warzone-resurrection: {name}": trial for name, trial in (warzone.TRIALS | warzone_squads.TRIALS).items()
}


@pytest.mark.parametrize("trial", TRIALS.values(), ids=TRIALS)
def test_engine_accepts_what_is_counted(trial: Trial) -> None:
    tally = hold(trial)
    assert not tally.disputed[:5]
    assert tally.legal_by_engine == tally.legal_by_count > 0
    assert set(tally.rejected) == trial.rules
