"""The site's languages, and how far each is translated."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

LEAST_COMPLETE = 0.9
"""Languages with a smaller translated share are offered as "in progress"."""

_UNTRANSLATED = re.compile(r'^#, .*\bfuzzy\b|^msgstr(?:\[\d\])? ""$(?!\n")', re.MULTILINE)


class Language(NamedTuple):
    """`name` is in the language itself. `is_in_progress` means that much of the site is still in English."""

    code: str
    name: str
    is_in_progress: bool


@cache
def list_languages() -> tuple[Language, ...]:
    """Return the languages, measuring their translations once per process."""
    return tuple(Language(code, name, measure_catalogue(code) < LEAST_COMPLETE) for code, name in settings.LANGUAGES)


def measure_catalogue(code: str) -> float:
    """Return the translated share of a language's messages, 0 to 1."""
    if code == settings.LANGUAGE_CODE:
        return 1.0
    path = Path(settings.LOCALE_PATHS[0]) / code / "LC_MESSAGES" / "django.po"
    entries = path.read_text(encoding="utf-8").split("\n\n")[1:]  # the first is the header
    entries = [entry for entry in entries if "msgid" in entry and "#~" not in entry]
    if not entries:
        return 0.0
    return sum(not _UNTRANSLATED.search(entry) for entry in entries) / len(entries)
