"""The glossary has each term once, in alphabetical order."""

import pytest

from tests.house.measure import ROOT

COLUMNS = 3


@pytest.fixture(scope="module")
def rows() -> list[list[str]]:
    lines = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    table = [line for line in lines if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_terms_are_in_alphabetical_order(rows: list[list[str]]) -> None:
    terms = [row[0].casefold() for row in rows]
    assert len(terms) > 100
    assert terms == sorted(terms)


def test_a_term_has_one_row(rows: list[list[str]]) -> None:
    terms = [term.strip() for row in rows for term in row[0].split(",")]
    assert [term for term in set(terms) if terms.count(term) > 1] == []


def test_a_row_says_what_the_term_is(rows: list[list[str]]) -> None:
    assert [row for row in rows if len(row) != COLUMNS or not row[0] or not row[2]] == []
