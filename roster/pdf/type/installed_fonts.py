"""Find characters that the machine's fonts lack, and the packages that add them."""

import shutil
import subprocess
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache

from roster.pdf.type.measure import find_missing_letters

SECONDS = 10
CJK, SCRIPTS, EMOJI = "fonts-noto-cjk", "fonts-noto-core", "fonts-noto-color-emoji"
"""Packages of Debian and Ubuntu."""
_CJK_NAMES = ("CJK ", "HIRAGANA ", "KATAKANA ", "HANGUL ", "BOPOMOFO ", "IDEOGRAPHIC ", "FULLWIDTH ", "HALFWIDTH ")


def find_unprintable_letters(texts: Iterable[str]) -> str:
    """Return the characters, each once, that no bundled or installed font has."""
    missing = find_missing_letters(texts)
    return "".join(letter for letter in missing if not has_letter(_read_installed(), ord(letter))) if missing else ""


def name_font_packages(letters: str) -> tuple[str, ...]:
    """Name the packages whose fonts have these characters.

    >>> name_font_packages("鷺"), name_font_packages("ก🦆"), name_font_packages("")
    (('fonts-noto-cjk',), ('fonts-noto-core', 'fonts-noto-color-emoji'), ())
    """
    return tuple(sorted({_name_package(letter) for letter in letters}, key=(CJK, SCRIPTS, EMOJI).index))


def _name_package(letter: str) -> str:
    if unicodedata.name(letter, "").startswith(_CJK_NAMES):
        return CJK
    return EMOJI if unicodedata.category(letter) == "So" else SCRIPTS


Ranges = tuple[tuple[int, int], ...]
"""First and last characters, in order and without overlaps."""


def has_letter(ranges: Ranges, letter: int) -> bool:
    """Return whether a character is in one of the ranges.

    >>> [has_letter(((65, 90), (97, 122)), ord(letter)) for letter in "AZa1"]
    [True, True, True, False]
    """
    place = bisect_right(ranges, (letter, letter)) - 1
    candidates = ranges[max(place, 0) : place + 2]
    return any(first <= letter <= last for first, last in candidates)


def read_ranges(charsets: str) -> Ranges:
    """Read the hexadecimal ranges that fontconfig lists; ignore other words.

    >>> read_ranges("41-5a 61\\n50-60 ?")
    ((65, 97),)
    """
    read = []
    for word in charsets.split():
        first, _, last = word.partition("-")
        try:
            read.append((int(first, 16), int(last or first, 16)))
        except ValueError:
            continue
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(read):
        if joined and begin <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return tuple(joined)


@cache
def _read_installed() -> Ranges:
    program = shutil.which("fc-list")
    if program is None:
        return ()
    command = [program, "--format", "%{charset}\n"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603 - no input of users
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return read_ranges(listed.stdout)
