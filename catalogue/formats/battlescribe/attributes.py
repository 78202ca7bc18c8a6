"""Read attributes, and report unknown ones."""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from catalogue.definitions.numbers import Number, parse_number
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.source_file import Attributes, SourceFile, local_name
from catalogue.formats.battlescribe.xml_parser import Element

_FLAGS: dict[str | None, bool] = {"true": True, "false": False, "1": True, "0": False}
MOST_DIGITS = 9
_WHOLE_NUMBER = re.compile(rf"\s*[+-]?[0-9]{{1,{MOST_DIGITS}}}\s*")
_NUMBER = re.compile(r"\s*[+-]?(\d{1,18}(\.\d{0,18})?|\.\d{1,18})([eE][+-]?\d{1,2})?\s*", re.ASCII)

Choice = TypeVar("Choice", bound=StrEnum)


class KnownAttributes:
    """Attributes that the reader uses, and others that only affect display or defaults.

    With `only_shown`, no attribute can change a verdict, not even an unknown one.
    """

    def __init__(self, read: str, *, display: str = "", convenience: str = "", only_shown: bool = False) -> None:
        self.only_shown = only_shown
        self.read = frozenset(read.split())
        self.display = frozenset(display.split())
        self.convenience = frozenset(convenience.split())


def read_attributes(element: Element, attribute_names: KnownAttributes, file: SourceFile, owner: str) -> Attributes:
    attrs: Attributes = dict(element.items())
    if not attrs.keys() <= attribute_names.read:
        subject = attrs.get("id", "") if "name" in attrs else ""
        # Keep file order: equal files must give equal data, and the order of a set differs between processes.
        for name, value in attrs.items():
            if name in attribute_names.read:
                continue
            what = f"{local_name(element.tag)} {name}"
            if not (
                attribute_names.only_shown or name in attribute_names.display or name in attribute_names.convenience
            ):
                file.report_oddity(FindingKind.UNKNOWN_ATTRIBUTE, what, element, subject or owner)
            elif value != "false":
                is_shown = attribute_names.only_shown or name in attribute_names.display
                kind = FindingKind.DISPLAY_ONLY if is_shown else FindingKind.CONVENIENCE
                file.report_oddity(kind, what, element)
    ident = attrs.get("id")
    if ident and len(ident) > file.limits.ident:
        file.has_long_ids = True
        file.report_oddity(FindingKind.LONG_ID, f"{ident[:20]}…", element)
    return attrs


def read_flag(attrs: Attributes, name: str, default: bool, element: Element, file: SourceFile) -> bool:
    value = _FLAGS.get(attrs.get(name))
    if value is not None:
        return value
    if name in attrs:
        _report_value(name, attrs[name], element, file)
    return default


def read_number(attrs: Attributes, name: str, default: Number, element: Element, file: SourceFile) -> Number:
    text = attrs.get(name)
    if not text:
        return default
    try:
        return parse_exact_number(text)
    except ValueError:
        file.report_oddity(FindingKind.BAD_NUMBER, f"{local_name(element.tag)} {name}={text[:40]!r}", element)
        return default


def read_choice(
    kinds: Mapping[str, Choice], attrs: Attributes, name: str, default: Choice, element: Element, file: SourceFile
) -> Choice:
    text = attrs.get(name)
    if text is None:
        return default
    value = kinds.get(text)
    if value is None:
        _report_value(name, text, element, file, attrs.get("id", ""))
        return default
    return value


@lru_cache(maxsize=4096)
def parse_exact_number(text: str) -> Number:
    """Read `12`, `-1.0` or `1.0E7`. Raises ValueError for anything else."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is not a number")
    return parse_number(text)


def _report_value(name: str, text: str, element: Element, file: SourceFile, owner: str = "") -> None:
    file.report_oddity(FindingKind.UNKNOWN_VALUE, f"{local_name(element.tag)} {name}={text[:40]!r}", element, owner)


def parse_whole_number(text: str) -> int:
    """Read at most MOST_DIGITS digits. Raises ValueError for anything else."""
    if not _WHOLE_NUMBER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a whole number")
    return int(text)
