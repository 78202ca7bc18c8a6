"""Every sentence for readers can be translated, and translations keep its placeholders.

Missing translations are shown in English; `make translations` lists them.
"""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.catalogues import list_catalogues
from tests.house.measure import ROOT

TEMPLATES = ROOT / "templates"
UNSAID = re.compile(
    r"\{% comment %\}.*?\{% endcomment %\}|\{#.*?#\}|<!--.*?-->|<(script|style)\b.*?</\1>"
    r"|\{% blocktranslate.*?\{% endblocktranslate %\}"
    r"|\{% block \w+_(?:class|attributes) %\}.*?\{% endblock %\}",
    re.DOTALL,
)
"""Parts that are not read, or are already translated."""
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
MARKUP = re.compile(r"<[^<>]*>", re.DOTALL)
SPOKEN = re.compile(r'\b(?:aria-label|aria-description|title|placeholder|alt|data-copied)="([^"]*)"')
WORD = re.compile(r"[^\W\d_]{2,}")
NAMES = {
    "Armybuilder",
    "API",
    "JSON",
    "YAML",
    "CSV",
    "New",
    "Recruit",
    "Tabletop",
    "Simulator",
    "ros",
    "rosz",
    "https",
    "Letter",
    "CP",
    "Alt",
    "Ctrl",
    "Del",
    "Enter",
    "Esc",
    "Shift",
}
"""The site, formats, sizes of paper, keys, units: the same in each language."""
TRANSLATES = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext"}
MARKS = re.compile(r"</?[a-z][^<>]*>|%%\w+")
OF_NAMES = {"credits.html", "robots.txt", "roster/front.html", "roster/parts/showcase.html"}
"""Templates that hold names: of people and licences, of addresses, of example units."""


def list_templates() -> list[Path]:
    return sorted(path for path in TEMPLATES.rglob("*") if path.suffix in {".html", ".txt"})


def list_unmarked(text: str) -> Iterator[str]:
    """Yield each untranslated word of a template that a reader sees or hears."""
    said = TAG.sub(" ", UNSAID.sub(" ", text))
    for part in (MARKUP.sub(" ", said), *SPOKEN.findall(said)):
        yield from (word for word in WORD.findall(part) if word not in NAMES)


@pytest.mark.parametrize(
    ("template", "unmarked"),
    [
        ('<p title="Read it">{% translate "Lists" %} and more</p>', ["and", "more", "Read", "it"]),
        ('<p class="soft">{{ name }} · Armybuilder {# why #}</p>', []),
        ("{% block main_class %}page narrow{% endblock %}{% blocktranslate %}All of it{% endblocktranslate %}", []),
    ],
)
def test_words_without_a_mark_are_found(template: str, unmarked: list[str]) -> None:
    assert list(list_unmarked(template)) == unmarked


def test_every_word_of_templates_can_be_translated() -> None:
    found = {
        f"{path.relative_to(TEMPLATES)}: {word}"
        for path in list_templates()
        if str(path.relative_to(TEMPLATES)) not in OF_NAMES
        for word in list_unmarked(path.read_text(encoding="utf-8"))
    }
    assert len(list_templates()) > 150
    assert found == set(), "put these words into {% translate %} or {% blocktranslate %}"


def list_hidden_calls(path: Path) -> Iterator[str]:
    """Yield each translated sentence inside an f-string, where makemessages does not look."""
    source = path.read_text(encoding="utf-8")
    for text in ast.walk(ast.parse(source)) if "gettext" in source else ():
        for call in ast.walk(text) if isinstance(text, ast.JoinedStr) else ():
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in TRANSLATES:
                yield f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call)}"


def test_no_sentence_hides_from_the_catalogues() -> None:
    paths = [path for app in ("armybuilder", "catalogue", "roster") for path in (ROOT / app).rglob("*.py")]
    assert len(paths) > 200
    assert [call for path in paths for call in list_hidden_calls(path)] == [], "translate it outside of the f-string"


def test_each_language_has_a_catalogue() -> None:
    offered = {code for code, _ in settings.LANGUAGES} - {settings.LANGUAGE_CODE}
    assert {path.parts[-3] for path in list_catalogues()} == offered


@pytest.mark.parametrize("path", list_catalogues(), ids=lambda path: path.parts[-3])
def test_placeholders_are_those_of_the_sentence(path: Path, tmp_path: Path) -> None:
    command = ["msgfmt", "--check-format", "--output-file", tmp_path / "django.mo", path]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


def list_strings(entry: str, key: str) -> list[str]:
    """Return the texts of an entry of a catalogue whose key is "msgid" or "msgstr", in all plural forms."""
    return re.findall(rf'^{key}(?:_plural|\[\d\])? "(.*)"$', entry.replace('"\n"', ""), re.MULTILINE)


@pytest.mark.parametrize("path", list_catalogues(), ids=lambda path: path.parts[-3])
def test_tags_and_placeholders_of_scripts_are_those_of_the_sentence(path: Path) -> None:
    """msgfmt does not look at these."""
    wrong = []
    for entry in path.read_text(encoding="utf-8").split("\n\n")[1:]:
        allowed = [sorted(MARKS.findall(text)) for text in list_strings(entry, "msgid")]
        translated = filter(None, list_strings(entry, "msgstr"))
        wrong += [text for text in translated if sorted(MARKS.findall(text)) not in allowed]
    assert wrong == []
