"""Print phrases that read as translated: `python -m tests.house.prose`.

Reads docstrings, docs and the sentences of pages, mails and paper. Each pattern has a rate per thousand words, about
twice that of projects with good prose; `test_prose.py` holds the rates. A single phrase may be right: rewrite a
sentence only if it gets better, and change a pattern that makes sentences worse.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tests.house.measure import ROOT, read_modules

DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)\s]*\)|<!--.*?-->|^> .*$|^\s*>>> .*$", re.DOTALL | re.MULTILINE)
"""Parts of a text that are no prose."""
SENTENCE_END = re.compile(r"[.!?:;]\s|\n\s*\n|\n\s*(?:[-*#|]|\d+\.)|\|")
CATALOGUE = ROOT / "armybuilder" / "locale" / "de" / "LC_MESSAGES" / "django.po"
MOST_WORDS = 30
LONG_SENTENCES = 2
"""How many sentences of a thousand words may have more than `MOST_WORDS`."""


@dataclass(frozen=True)
class Pattern:
    """A phrase to avoid, what to write instead, and how often a thousand words may have it."""

    name: str
    phrase: str
    instead: str
    rate: float = 0.3


PATTERNS = (
    Pattern("where", r"\bwhere\b", "if, when", 2),
    Pattern("one that", r"(?<!the )\b(?:one|ones|those) (?:that|which)\b|\bthose of\b", "the noun again"),
    Pattern("whoever", r"\b[Ww](?:hoever|hichever)\b|\bsomebody\b|\b[Ww]hatever it (?:is|was)\b", "the user, someone"),
    Pattern(
        "noun clause",
        r"(?:^|(?<=[.:;] ))(?:What|Who|Which)(?: \w+){1,6}? (?:is|are|was|has|goes|comes|gets|counts)(?: \w+){3,}[.;]",
        "the noun as subject",
    ),
    Pattern("none where", r"\b(?:[Nn]one|[Bb]lank|[Nn]othing|empty) where\b", "None if"),
    Pattern("stands", r"\bstands? (?:in|on|at|for|below|above|there)\b", "is, appears"),
    Pattern("beside", r"\bbesides\b|\bbeside (?:it|them|this|that)\b|\bas well as\b", "also, next to"),
    Pattern("so many", r"\b(?:so many|so much|as many)\b(?! as)", "the number's name"),
    Pattern("of which", r"(?:^|[,.;] )(?:of|to|in|from) (?:which|whom)\b", "two sentences"),
    Pattern("no noun", r"(?<![Tt]here )\b(?:is|are) no (?!longer|more)\w+", "is not a"),
    Pattern("tale", r"\b(?:comes along|hangs below|leads back|is told of|is heard|tells of)\b", "the technical verb"),
    Pattern(
        "wordy", r"\b(?:in order to|due to the fact|at this point|is able to|utili[sz]e|basically)\b", "to, because"
    ),
)
"""Constructions of another language, by what they begin with."""


@dataclass(frozen=True)
class Text:
    place: str
    words: str


@cache
def read_docstrings() -> tuple[Text, ...]:
    """Return the docstrings of the product."""
    return tuple(
        Text(f"{module.path.relative_to(ROOT)}:{node.body[0].lineno}", CODE.sub("", docstring))
        for module in read_modules()
        for node in ast.walk(module.tree)
        if isinstance(node, DOCUMENTED) and (docstring := ast.get_docstring(node))
    )


@cache
def read_docs() -> tuple[Text, ...]:
    """Return the paragraphs of the manual, without code and without the tables of keys."""
    paths = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return tuple(
        Text(str(path.relative_to(ROOT)), paragraph)
        for path in paths
        for paragraph in re.split(r"\n\s*\n", CODE.sub("", path.read_text(encoding="utf-8")))
        if not paragraph.lstrip().startswith("|")
    )


@cache
def read_messages() -> tuple[Text, ...]:
    """Return the English sentences of pages, mails, paper and commands."""
    text = CATALOGUE.read_text(encoding="utf-8")
    entries = re.findall(r'^msgid ((?:".*"\n)+)', text, re.MULTILINE)
    sentences = ("".join(re.findall(r'"(.*)"', entry)).replace('\\"', '"') for entry in entries)
    return tuple(Text(f"“{sentence[:40]}”", sentence) for sentence in sentences if sentence)


TEXTS = {"docstrings": read_docstrings, "docs": read_docs, "messages": read_messages}


def count_words(texts: tuple[Text, ...]) -> int:
    return sum(len(text.words.split()) for text in texts)


def find_phrases(pattern: Pattern, texts: tuple[Text, ...]) -> list[tuple[str, str]]:
    """Return the place and surroundings of each occurrence.

    >>> find_phrases(PATTERNS[0], (Text("here", "Return None where there is no unit."),))
    [('here', 'Return None where there is no unit.')]
    """
    phrase = re.compile(pattern.phrase, re.MULTILINE)
    return [
        (text.place, " ".join(text.words[max(match.start() - 50, 0) : match.end() + 50].split()))
        for text in texts
        for match in phrase.finditer(text.words)
    ]


def find_long_sentences(texts: tuple[Text, ...]) -> list[tuple[str, str]]:
    """Return the place and words of sentences of more than `MOST_WORDS` words."""
    return [
        (text.place, " ".join(sentence.split()))
        for text in texts
        for sentence in SENTENCE_END.split(text.words)
        if len(sentence.split()) > MOST_WORDS
    ]


def list_phrases() -> Iterator[tuple[str, str, float, float, list[tuple[str, str]]]]:
    """Yield the kind of text, the pattern, its rate per thousand words, the most there may be, and the places."""
    for kind, read in TEXTS.items():
        texts = read()
        thousands = count_words(texts) / 1000
        for pattern in PATTERNS:
            phrases = find_phrases(pattern, texts)
            yield kind, f"{pattern.name} ({pattern.instead})", len(phrases) / thousands, pattern.rate, phrases
        sentences = find_long_sentences(texts)
        yield kind, f"more than {MOST_WORDS} words", len(sentences) / thousands, LONG_SENTENCES, sentences


def main() -> None:
    for kind, name, rate, most, phrases in list_phrases():
        print(f"\n{kind}: {name}: {rate:.2f} in a thousand words, at most {most}")
        for place, words in phrases:
            print(f"  {place}: {words}")


if __name__ == "__main__":
    main()
