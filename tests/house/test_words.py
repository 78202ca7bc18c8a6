"""Pages, mails and messages use the hobby's words; retired phrases stay away."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.measure import ROOT

RETIRED = (
    "Anyway",
    "Ask",
    "At most, points",
    "Bring a list",
    "Bring back",
    "Cards to cut out",
    "Dearest first",
    "Draw the objectives",
    "Enough",
    "Everything else",
    "Forget the plan",
    "Give",
    "It belongs to an account",
    "Judged besides by",
    "Keep it so",
    "Keep the deck",
    "Look into your mail",
    "Make",
    "Name, limit and notes",
    "One state of it",
    "Put the hand away",
    "Read it",
    "Start building",
    "Take away",
    "Take the address back",
    "The address",
    "To be had",
    "Was it legal on this day?",
    "What fits",
    "What it can do",
    "Who may see it",
    "A name of its own",
    "This page can be looked at, nothing else",
    "This address is not asked that way",
    "Led by nobody: %(what)s",
    "%(measured)s, where none would be better",
    "There is nothing to do again",
    "Nothing in it was unknown, ambiguous or dangling",
    "What would change",
    "%(measured)s counted, at least %(allowed)s needed",
    "%(measured)s counted, at most %(allowed)s allowed",
    "Agree on one",
    "Ask the other player in",
    "Begin anew",
    "Find out",
    "Here you choose a new password:",
    "Is it you?",
    "Keep the plan",
    "Kept, change %(n)s. %(word)s",
    "Look on",
    "Nothing is kept yet",
    "One step more",
    "Open a hand",
    "Played games",
    "Settle these names",
    "Share out",
    "Take in pairings",
    "Take it out",
    "Take the codes back",
    "The hand is put away",
    "The list itself",
    "The plan is forgotten",
    "The plan is kept",
    "There is no way back",
    "Too often",
    "Under the pile",
    "What decks keep to",
    "Who helps",
    "You are signed in here alone",
)
WORDS = re.compile(
    r"""\{% translate "([^"]+)"|_\("([^"]+)"\)"""
    r"|\{% blocktranslate[^%]*%\}\s*(.*?)\s*\{% (?:plural|endblocktranslate) %\}",
    re.DOTALL,
)
FOLDERS = ("templates", "armybuilder", "catalogue", "roster")
DATE = re.compile(r'\|date:"([^"]+)"')
DATE_FORMS = {"c", "Y-m-d", "j M Y"}
"""For machines, for form fields, and for readers; times have a separate filter."""


def list_phrases() -> Iterator[tuple[str, str]]:
    """Yield each phrase for readers with its file."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".html", ".txt", ".py"} and "paper" not in path.relative_to(ROOT).parts:
                for match in WORDS.finditer(path.read_text(encoding="utf-8")):
                    yield str(path.relative_to(ROOT)), next(filter(None, match.groups()), "")


@pytest.fixture(scope="module")
def phrases() -> list[tuple[str, str]]:
    return list(list_phrases())


def test_phrases_are_found(phrases: list[tuple[str, str]]) -> None:
    assert len(phrases) > 800
    assert "My lists" in {phrase for _, phrase in phrases}


@pytest.mark.parametrize("retired", RETIRED)
def test_retired_phrase_is_gone(phrases: list[tuple[str, str]], retired: str) -> None:
    assert [place for place, phrase in phrases if phrase.rstrip(".") == retired] == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "armybuilder" / "locale").rglob("django.po")), ids=lambda path: path.parts[-3]
)
def test_catalogues_have_no_retired_phrase(path: Path) -> None:
    """An entry of a removed phrase could come back with its translation."""
    said = set(re.findall(r'^msgid "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE))
    assert "My lists" in said
    assert said & set(RETIRED) == set()


def test_dates_have_one_form() -> None:
    forms = {
        (path.name, form)
        for path in sorted((ROOT / "templates").rglob("*.html"))
        if "paper" not in path.relative_to(ROOT).parts
        for form in DATE.findall(path.read_text(encoding="utf-8"))
    }
    assert forms
    assert {one for one in forms if one[1] not in DATE_FORMS} == set()
