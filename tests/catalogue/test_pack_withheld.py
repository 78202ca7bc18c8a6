"""Units that are not offered under a condition."""

from pathlib import Path

import pytest

from tests.catalogue.pack_files import PACK, broken, pond

KING = "- {unit: Frog King, type: boss, points: 7, cite: p. 5, keywords: [Loud]}\n"
WITHHELD = """\
withheld:
- {of: [%s], when: at least 2 crew in roster, rule: p-shy, name: Shy, text: No king in a crowd., cite: p. 1}
"""


@pytest.mark.parametrize("kind", ["boss", "Loud"])
def test_a_withheld_unit_breaks_the_rule(tmp_path: Path, kind: str) -> None:
    reading = pond(tmp_path, KING, PACK + WITHHELD % kind)
    assert broken(reading, "[frog king, toad]") == []
    assert broken(reading, "[frog king, toad, toad]") == ["p-shy"]


def test_a_kind_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    reading = pond(tmp_path, KING, PACK + WITHHELD % "bosss")
    assert [found.code for found in reading.diagnostics] == ["unknown-name"]
