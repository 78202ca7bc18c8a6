"""Clean and limit the texts of a list, and compare names."""

import unicodedata
from functools import lru_cache

NAME_LENGTH = 100
NOTES_LENGTH = 2_000
MAX_PARTS = 2_000
MAX_DETACHMENTS = 60
"""Rules compare each force with all others."""

# Marks that change the text direction could alter how the text next to a name reads.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNSEEN = ("Cc", "Cs")


def clean_text(text: str, *, lines: bool = False) -> str:
    """Remove invisible characters, and line breaks unless `lines`.

    >>> clean_text(" Low\\twater \\x1b[31m ")
    'Low water [31m'
    """
    if not lines:
        return "".join(filter(_is_visible, " ".join(text.split())))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(sign for sign in text if sign in "\n\t" or _is_visible(sign)).strip()


def decode_text(data: bytes) -> str | None:
    """Decode UTF-8, UTF-16 or Windows text. Return None if the bytes are not text.

    >>> decode_text("Würfel".encode("cp1252")), decode_text(b"\\x00\\x01")
    ('Würfel', None)
    """
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-8-sig", "utf-16") if wide else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if "\x00" in text else text
    return None


def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in _UNSEEN and character not in _TURNING


def simplify_name(name: str) -> str:
    """Remove case, accents and punctuation.

    >>> simplify_name("Élan's  Würfel-Trupp")
    'elans wurfel trupp'
    """
    return _simplify_short(name) if len(name) <= NAME_LENGTH else _simplify_any(name)


def _simplify_any(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(c if c.isalnum() else " " for c in plain if not unicodedata.combining(c) and c not in "'’")
    return " ".join(letters.split())


def make_sort_key(name: str) -> tuple[str, str]:
    """Return a key that sorts names as people do: accents count only between equal letters.

    >>> sorted(["Zoë", "Łukasz", "Ludwig", "Åsa", "anna", "Анна", "Ørsted", "Γιώργος", "Ægir"], key=make_sort_key)
    ['Ægir', 'anna', 'Åsa', 'Ludwig', 'Łukasz', 'Ørsted', 'Zoë', 'Γιώργος', 'Анна']
    """
    return simplify_name(name.casefold().translate(_BARRED)), name


_BARRED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th"})
"""Letters that Unicode does not decompose, with the letters next to which they are sorted."""


_simplify_short = lru_cache(maxsize=8192)(_simplify_any)
