"""Two records of the same answers are equal, and a difference is named."""

import doctest
from pathlib import Path

from django.test import Client

from tests.record import __main__ as record
from tests.record.__main__ import Recorder, compare_records


def test_examples() -> None:
    assert doctest.testmod(record).failed == 0


def test_records_of_the_same_page_are_equal_and_of_others_are_not(client: Client, db: None, tmp_path: Path) -> None:
    for folder, address in (("old", "/games/"), ("same", "/games/"), ("other", "/credits/")):
        Recorder(tmp_path / folder, Client()).get("page", address)
    (tmp_path / "other" / "more").write_text("only here")
    assert list(compare_records(tmp_path / "old", tmp_path / "same")) == []
    found = list(compare_records(tmp_path / "old", tmp_path / "other"))
    assert found == ["only new: more", "differs: page"]
