"""Lists of current games are legal, and each break of one is judged as the data says.

`make test` tries one list of three games, a complete run all of them.
"""

from pathlib import Path

import pytest

from catalogue.models import PackVersion
from roster.engine.report import Verdict
from tests.current.building import begin_list
from tests.current.facts import find_mistake
from tests.current.judging import describe, sum_costs, try_break
from tests.current.written import HERE, list_files, read_list
from tests.extent import sample
from tests.read_archives import import_archive

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FEWEST_LISTS = 3
FEWEST_BREAKS = 10
SIZES = range(1_000, 2_001)
ALL = [path for files in list_files().values() for path in files]
TRIED = sample([path for files in list_files().values() for path in sample(files, 1)], 3)


def identify(path: Path) -> str:
    return str(path.relative_to(HERE).with_suffix(""))


def find_archive(shared: Path, name: str) -> Path:
    path = shared / "bsdata" / name
    if not path.is_file():
        pytest.skip(f"ARMYBUILDER_SHARED has no bsdata/{name}")
    return path


@pytest.fixture(scope="module")
def games(request: pytest.FixtureRequest, module_db: None, shared: Path) -> dict[str, PackVersion]:
    """Import an archive once for all of its lists."""
    imported = import_archive(find_archive(shared, request.param))
    return {game.version.game.name: game.version for game in imported.games}


@pytest.mark.parametrize("path", sample(ALL, 2), ids=identify)
def test_the_archive_says_what_each_break_relies_on(path: Path, shared: Path) -> None:
    written = read_list(path)
    archive = find_archive(shared, written.archive)
    mistakes = [
        f"{one.title}: {mistake}"
        for one in written.breaks
        for fact in one.because
        if (mistake := find_mistake(archive, fact))
    ]
    assert mistakes == []


@pytest.mark.parametrize("path", ALL, ids=identify)
def test_each_list_is_broken_ten_times_for_reasons(path: Path) -> None:
    breaks = read_list(path).breaks
    assert sum(not one.legal for one in breaks) >= FEWEST_BREAKS
    assert len({one.title for one in breaks}) == len(breaks)
    for one in breaks:
        assert one.because, one.title
        assert bool(one.wrong) != one.legal, one.title


@pytest.mark.parametrize("path", ALL, ids=identify)
def test_each_list_has_the_size_of_a_game(path: Path) -> None:
    written = read_list(path)
    assert len(list_files()[path.parent.name]) >= FEWEST_LISTS
    if path.parent.name == "kill-team":
        # The data counts operatives and has no points.
        assert written.costs == {}
        return
    points = next(iter(written.costs.values()))
    assert points in SIZES


@pytest.mark.parametrize(
    ("games", "path"), [(read_list(path).archive, path) for path in TRIED], indirect=["games"], ids=map(identify, TRIED)
)
def test_a_list_is_legal_and_its_breaks_are_named(path: Path, games: dict[str, PackVersion]) -> None:
    written = read_list(path)
    assert written.system in games
    builder = begin_list(games[written.system], written)
    for step in written.steps:
        builder.carry_out(step)
    judged = builder.evaluated_list
    assert [describe(violation) for violation in judged.report.errors] == []
    assert judged.verdict is Verdict.LEGAL
    assert sum_costs(judged, written.costs) == written.costs
    assert sorted(remark.code for remark in judged.report.unchecked) == sorted(written.unjudged)
    mistakes = [text for one in written.breaks for text in try_break(builder, one)]
    assert mistakes == []
