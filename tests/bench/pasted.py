"""Pasted lists: a large one read, resolved and judged, and as many as a large event collects."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.benchmark import Figure, benchmark, measure, or_least
from tests.bench.community import shared_data
from tests.bench.databases import empty_database, manage

GAME = "wh40k-10e-v10.6.0.zip"
AT_MOST = 150
EVENT = 500
MINUTE = 60.0
ROUNDS = 10


@benchmark("pasted")
def pasted() -> Iterator[Figure]:
    """Measure against the largest faction that the data knows the lists of."""
    archive = shared_data(GAME)
    if archive is None:
        return
    lists = sorted((archive.parent.parent / "lists").glob("*.txt"))
    with tempfile.TemporaryDirectory(prefix="armybuilder-pasted-") as folder:
        empty_database(folder)
        manage(folder, "import_battlescribe", str(archive))
        yield from _measure_lists(Path(folder), lists)


def _measure_lists(folder: Path, lists: list[Path]) -> Iterator[Figure]:
    from django.conf import settings
    from django.db import connections

    from roster.services.pasted_lists import read_pasted_text

    connections["default"].close()
    database = next(folder.rglob("*.sqlite3"))
    settings.DATABASES["default"]["NAME"] = connections["default"].settings_dict["NAME"] = str(database)
    texts = [path.read_bytes() for path in lists]
    largest = max(texts, key=len)

    def read(text: bytes) -> None:
        answer = read_pasted_text(text)
        assert isinstance(answer, list)

    times = measure(lambda: read(largest), times=or_least(ROUNDS, 1), warm_up=1)
    yield Figure("a 2,000-point list parsed, resolved and judged", times, AT_MOST)

    def read_event() -> None:
        for number in range(or_least(EVENT, 5)):
            read(texts[number % len(texts)])

    yield Figure(
        f"{EVENT} pasted lists one after another, at most {MINUTE:.0f} s",
        measure(read_event, times=1, warm_up=0),
    )
