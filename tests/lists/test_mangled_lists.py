"""Lists of other users and of each layout keep units and points however their text was mangled."""

import os
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from roster.formats.text.parse import parse_text
from tests.extent import sample
from tests.lists.mangling import WAYS, drop_bullets, flatten, flatten_some, join_by_blanks, join_by_semicolons

SAMPLES = Path(__file__).parent / "samples"
SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", "")) / "lists"
INVENTED = sorted(SAMPLES.glob("old-world-builder*.txt")) + [
    SAMPLES / name
    for name in ("aos-app.txt", "aos-app-regiments.txt", "app-40k-old.txt", "new-recruit-gw.txt", "wtc-full.txt")
]
REAL = sorted(SHARED.glob("**/*.txt")) if os.environ.get("ARMYBUILDER_SHARED") else []
UNDECIDABLE = {
    # With all lines joined, nothing marks a unit without points.
    "old-world-builder-secret.txt": (join_by_blanks, join_by_semicolons),
    # Without its bullet, an enhancement with points looks like a unit; only the data can tell.
    "002-cities-of-sigmar.txt": (drop_bullets, flatten),
    "003-fyreslayers.txt": (drop_bullets, flatten, flatten_some),
}


@cache
def list_figures(text: str) -> list[tuple[object, ...]]:
    return [
        (one.sum_points(), one.claims.total, [(unit.name.casefold(), unit.points) for unit in one.units])
        for one in parse_text(text).lists
    ]


@pytest.mark.parametrize(
    ("path", "mangle"),
    sample(product([*INVENTED, *REAL], WAYS), 150),
    ids=lambda value: value.stem if isinstance(value, Path) else value.__name__,
)
def test_units_and_points_survive(path, mangle):
    if mangle in UNDECIDABLE.get(path.name, ()):
        pytest.skip("the text alone does not tell any more")
    text = path.read_text(encoding="utf-8").replace("’", "'")
    assert list_figures(mangle(text)) == list_figures(text)
