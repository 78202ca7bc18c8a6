"""Missing sentences of a language are shown in English and listed, and the language is marked "in progress"."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import gettext, override

from catalogue.services.languages import LEAST_COMPLETE, list_languages, measure_catalogue
from tests.house.translations import list_missing

HEAD = (
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=n != 1;\\n"\n'
)
SENTENCES = (
    'msgid "Add"\nmsgstr "Hinzufügen"',
    'msgid "A long"\n" one"\nmsgstr ""\n"Ein langer"\n" Satz"',
    'msgid "One"\nmsgid_plural "Many"\nmsgstr[0] "Einer"\nmsgstr[1] "Viele"',
)
LACKING = (
    'msgid "Gone"\nmsgstr ""',
    '#, fuzzy\nmsgid "Guessed"\nmsgstr "Geraten"',
    'msgid "Half"\nmsgid_plural "Halves"\nmsgstr[0] "Halb"\nmsgstr[1] ""',
)


@pytest.fixture
def catalogues(tmp_path: Path, settings: Any) -> Path:
    settings.LOCALE_PATHS = [str(tmp_path)]
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français")]
    list_languages.cache_clear()
    yield tmp_path
    list_languages.cache_clear()


def write_catalogue(folder: Path, code: str, *entries: str) -> Path:
    path = folder / code / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text("\n\n".join((HEAD.rstrip(), *entries)) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("lacking", "share"), [(0, 1), (1, 0.75), (2, 0.6), (3, 0.5)])
def test_missing_guessed_and_half_sentences_count_as_untranslated(catalogues: Path, lacking: int, share: float) -> None:
    write_catalogue(catalogues, "de", *SENTENCES, *LACKING[:lacking])
    assert measure_catalogue("de") == share


def test_a_language_below_nine_tenths_is_in_progress(client: Client, db: None, catalogues: Path) -> None:
    write_catalogue(catalogues, "de", *SENTENCES * 3, LACKING[0])
    write_catalogue(catalogues, "fr", *SENTENCES * 2, LACKING[0])
    assert measure_catalogue("de") == LEAST_COMPLETE
    assert [language.is_in_progress for language in list_languages()] == [False, False, True]
    page = client.get("/games/").content.decode()
    # In the footer and in the menu of themes.
    assert page.count("(in progress)") == page.count('value="fr"')


def test_shipped_languages_are_offered_as_complete() -> None:
    list_languages.cache_clear()
    assert not any(language.is_in_progress for language in list_languages())


def test_a_sentence_without_a_translation_is_shown_in_english() -> None:
    with override("de"):
        assert gettext("A sentence that nobody has translated.") == "A sentence that nobody has translated."


def test_what_a_catalogue_lacks_is_listed(tmp_path: Path) -> None:
    complete = write_catalogue(tmp_path, "de", *SENTENCES)
    gathered = write_catalogue(tmp_path, "en", *SENTENCES, LACKING[0])
    assert len(list_missing(complete, gathered)) == 1
    assert list_missing(complete, complete) == []
