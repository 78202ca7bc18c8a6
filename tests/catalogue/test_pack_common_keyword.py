"""Keywords that all units of a detachment must share."""

from pathlib import Path

import pytest

from tests.catalogue.pack_files import PACK, broken, pond

KEYWORDS = PACK.replace(
    "keywords: [Wet, Loud]\n", "keywords: [Wet, Loud]\nfaction keywords: [Amphibia, Anura, Caudata]\n"
)
SHARED = KEYWORDS.replace(
    "- {detachment: Pond, cite: p. 2, slots: [boss, crew]}\n",
    """\
- detachment: Pond
  cite: p. 2
  slots: [boss, crew]
  common keyword:
    none shared: {rule: p-kin, name: Kin, text: All share a keyword., cite: p. 2}
    barred: [Amphibia]
    barred shared: {rule: p-narrow, name: Narrow, text: Amphibia is too broad., cite: p. 2}
""",
)
UNITS = """\
- {unit: Frog, type: crew, points: 1, cite: p. 5, keywords: [Amphibia, Anura]}
- {unit: Mud frog, type: crew, points: 1, cite: p. 5, keywords: [Amphibia, Anura]}
- {unit: Newt, type: crew, points: 1, cite: p. 5, keywords: [Amphibia, Caudata]}
"""


@pytest.mark.parametrize(
    ("units", "expected"),
    [("[frog]", []), ("[frog, mud-frog]", []), ("[frog, newt]", ["p-narrow"]), ("[frog, newt, toad]", ["p-kin"])],
)
def test_all_units_share_a_keyword_that_is_not_too_broad(tmp_path: Path, units: str, expected: list[str]) -> None:
    assert broken(pond(tmp_path, UNITS, SHARED), units) == expected


def test_without_the_key_nothing_has_to_be_shared(tmp_path: Path) -> None:
    assert broken(pond(tmp_path, UNITS, KEYWORDS), "[frog, newt, toad]") == []
