"""One address sends the costliest judgements without end; no other user is refused anything.

Waiting times are printed, and compared by the benchmark `attack`, because tests do not assert times.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.attack import Neighbours, attacked
from tests.bench.load import list_processes
from tests.service.site import Site, open_site

pytestmark = [pytest.mark.slow, pytest.mark.complete, pytest.mark.postgres]

JUDGING_AT_ONCE = 3
"""As in `armybuilder.settings.base`; the settings of these tests have no bound."""
MOST_MEMORY = 400
"""MiB that a worker may hold after an attack."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with open_site(tmp_path_factory.mktemp("site")) as opened:
        opened.start()
        yield opened


@pytest.mark.parametrize(("parallel", "seconds"), [(20, 10), (4, 10)])
def test_an_attack_by_one_address_is_nothing_to_others(site: Site, parallel: int, seconds: int) -> None:
    neighbours = Neighbours(site)
    with attacked(site.address, parallel, seconds) as wait_for_answers:
        times = neighbours.act(seconds)
        answers = wait_for_answers()
    p50, p95, most = (times.percentile(share) for share in (0.5, 0.95, 1))
    print(f"{parallel} at once: others {p50:.2f} s, p95 {p95:.2f} s, at most {most:.2f} s")  # noqa: T201 - for `pytest -s`
    assert neighbours.wrong == []
    # The attacker is always answered, with a verdict or with a time to retry.
    assert {status for status, _has_time in answers} <= {200, 413, 429, 503}
    assert all(has_time for status, has_time in answers if status in (429, 503))
    assert any(status in (429, 503) for status, _has_time in answers) or parallel < 20
    judging = [int(path.read_text()) for path in Path(site.folder).glob("judging-*")]
    assert judging
    assert max(judging) <= JUDGING_AT_ONCE
    memory = [process.mebibytes for process in list_processes(site)]
    print(f"MiB of each process: {memory}; answers: {dict(answers)}")  # noqa: T201 - for `pytest -s`
    assert max(memory) < MOST_MEMORY
