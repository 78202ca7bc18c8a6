"""Docstrings, docs and messages have few phrases that read as translated."""

from itertools import product

import pytest

from tests.house.prose import (
    MOST_WORDS,
    PATTERNS,
    TEXTS,
    Text,
    count_words,
    find_long_sentences,
    find_phrases,
    list_phrases,
)

Rates = dict[tuple[str, str], tuple[float, float, list[tuple[str, str]]]]
NAMES = [*(pattern.name for pattern in PATTERNS), f"more than {MOST_WORDS} words"]


@pytest.fixture(scope="module")
def rates() -> Rates:
    return {(kind, name.split(" (")[0]): (rate, most, phrases) for kind, name, rate, most, phrases in list_phrases()}


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_are_read(kind: str) -> None:
    assert count_words(TEXTS[kind]()) > 10_000


def test_each_phrase_is_counted(rates: Rates) -> None:
    assert set(rates) == set(product(TEXTS, NAMES))


@pytest.mark.parametrize(("kind", "name"), list(product(TEXTS, NAMES)))
def test_a_phrase_is_rare(kind: str, name: str, rates: Rates) -> None:
    """`python -m tests.house.prose` prints the places."""
    rate, most, phrases = rates[kind, name]
    assert rate <= most, "\n".join(f"{place}: {words}" for place, words in phrases)


@pytest.mark.parametrize(
    ("name", "odd", "plain"),
    [
        ("where", "None where there is none.", "None if there is none."),
        ("one that", "Return the first one that is wanted.", "Return the first wanted column."),
        ("whoever", "Whatever it was, whoever asks gets it.", "The owner gets it, whatever its name is."),
        ("noun clause", "What is joined is written without any tags.", "Joined files have no tags."),
        ("none where", "Blank for text, blank where it is none.", "Blank if it is not text."),
        ("stands", "It stands in the book.", "It is in the book. It stands out."),
        ("beside", "It is judged besides.", "It is also judged, beside the list."),
        ("so many", "The panel has so many.", "It takes as many as fit."),
        ("of which", "Units, of which one leads.", "Units, one of which leads."),
        ("no noun", "This is no number.", "There is no number. It is no longer here."),
        ("tale", "What comes along is counted.", "Automatic picks are counted."),
        ("wordy", "Press it in order to print.", "Press it to print."),
    ],
)
def test_a_pattern_finds_the_odd_sentence_alone(name: str, odd: str, plain: str) -> None:
    pattern = next(pattern for pattern in PATTERNS if pattern.name == name)
    assert find_phrases(pattern, (Text("here", odd),))
    assert not find_phrases(pattern, (Text("here", plain),))


def test_long_sentences_are_counted_by_words() -> None:
    assert find_long_sentences((Text("here", "word " * 31),)) != []
    assert find_long_sentences((Text("here", "word " * 30),)) == []
    assert find_long_sentences((Text("here", f"{'word ' * 20}. {'word ' * 20}"),)) == []
