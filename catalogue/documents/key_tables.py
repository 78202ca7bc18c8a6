"""The tables of keys in the documentation, made of declarative sections.

A page has `<!-- keys: NAME -->` where the table of a section stands, and `<!-- end of keys -->` below it.
"""

import re
from collections.abc import Mapping

from catalogue.documents.section import KeySpec, Section, list_keys

_PLACE = re.compile(r"(<!-- keys: ([\w ]+) -->\n).*?(<!-- end of keys -->)", re.DOTALL)
HEAD = "| key | value | what |\n|---|---|---|\n"


def update_tables(page: str, sections: Mapping[str, type[Section]]) -> str:
    """Return a page with its tables made anew; raises KeyError where it names a section that there is not."""
    return _PLACE.sub(lambda place: place[1] + write_table(sections[place[2]]) + place[3], page)


def list_tables(page: str) -> tuple[str, ...]:
    """Return the names of the sections whose tables a page has."""
    return tuple(place[2] for place in _PLACE.finditer(page))


def write_table(cls: type[Section]) -> str:
    """Return the table of the keys of a section in Markdown."""
    return HEAD + "".join(_write_row(spec) for spec in list_keys(cls))


def _write_row(spec: KeySpec) -> str:
    value = f"{spec.type.label}, required" if spec.required else spec.type.label
    return f"| `{spec.key}` | {_escape_pipes(value)} | {_escape_pipes(spec.help)} |\n"


def _escape_pipes(text: str) -> str:
    return text.replace("|", "\\|")
