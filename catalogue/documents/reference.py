"""Write a JSON Schema and tables for docs from declarative sections."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from catalogue.documents.section import SECTION, GroupSpec, KeySpec, Schema, Section, list_keys, list_specs

DRAFT = "http://json-schema.org/draft-07/schema#"
"""The draft that most editors support."""


class SchemaWriter:
    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self.definitions: dict[str, Any] = {}
        self.sections: dict[str, type[Section]] = {}
        for name, schema in definitions.items():
            self.definitions[name] = self.resolve(schema)

    def refer_to(self, cls: type[Section]) -> dict[str, str]:
        """Return a reference to a section's schema, written on first use."""
        name = name_definition(cls)
        if name not in self.definitions:
            self.sections[name] = cls
            self.definitions[name] = {}  # sections may contain each other
            keys = list_keys(cls)
            properties = {}
            for spec in keys:
                schema = self.resolve(spec.type.schema)
                # This draft ignores keys next to a reference.
                properties[spec.key] = {
                    "description": spec.help,
                    **({"allOf": [schema]} if "$ref" in schema else schema),
                }
            open_groups = [spec for _, spec in list_specs(cls) if isinstance(spec, GroupSpec) and spec.open_ended]
            mapping: dict[str, Any] = {
                "type": "object",
                "properties": properties,
                "additionalProperties": self.resolve(open_groups[0].open_ended) if open_groups else False,
            }
            spellings = {
                pattern: properties[spec.key] for spec in keys if (pattern := match_spellings(spec.key, spec.alias))
            }
            if spellings:
                mapping["patternProperties"] = spellings
            required = [spec.key for spec in keys if spec.required]
            if required:
                mapping["required"] = required
            self.definitions[name] = mapping
            if cls.short:
                short = next(spec for spec in keys if spec.key == cls.short)
                self.definitions[name] = {"anyOf": [self.resolve(short.type.schema), mapping]}
        return {"$ref": f"#/$defs/{name}"}

    def resolve(self, schema: Any) -> Any:
        """Replace sections by references."""
        if isinstance(schema, Mapping):
            if SECTION in schema:
                return self.refer_to(schema[SECTION])
            return {name: self.resolve(value) for name, value in schema.items()}
        if isinstance(schema, (list, tuple)):
            return [self.resolve(value) for value in schema]
        return schema


def match_spellings(key: str, alias: str) -> str:
    """Return a pattern for the other spellings of a key, or "".

    >>> match_spellings("only when", "")
    '^(only[-_ ]when)$'
    """
    spellings = [alias] if alias else []
    if " " in key:
        spellings.append(re.sub(" ", "[-_ ]", key))
    return f"^({'|'.join(spellings)})$" if spellings else ""


def name_definition(cls: type[Section]) -> str:
    """Return the name of a section in schemas.

    >>> name_definition(type("DeckSyntax", (Section,), {}))
    'deck'
    """
    words = re.findall("[A-Z][a-z]*", cls.__name__.removesuffix("Syntax"))
    return "_".join(word.lower() for word in words)


_PLACE = re.compile(r"(<!-- keys: ([\w ]+) -->\n).*?(<!-- end of keys -->)", re.DOTALL)
COMMON = "common"
"""In a page, the table of common keys."""
HEAD = "| key | value | what |\n|---|---|---|\n"


def update_tables(page: str, sections: Mapping[str, type[Section]], docs: str = "") -> str:
    """Return a page with updated tables. `docs` is the way from the page to docs/.

    Raise KeyError for an unknown section.
    """

    def write_again(place: re.Match[str]) -> str:
        table = write_common_table(sections) if place[2] == COMMON else write_table(sections[place[2]], docs)
        return place[1] + table + place[3]

    return _PLACE.sub(write_again, page)


def list_tables(page: str) -> tuple[str, ...]:
    return tuple(place[2] for place in _PLACE.finditer(page))


def write_table(cls: type[Section], docs: str = "") -> str:
    """Return the Markdown table of a section's keys, followed by links for keys that are explained elsewhere."""
    keys = list_keys(cls)
    own_keys = [spec for spec in keys if not spec.page and not spec.common]
    parts = [_write_rows(own_keys)] if own_keys else []
    if common := ", ".join(f"`{spec.key}`" for spec in keys if spec.common and not spec.page):
        parts.append(f"[Common keys]({docs}packs.md#common-keys): {common}.\n")
    links = []
    for page in dict.fromkeys(spec.page for spec in keys if spec.page):
        names = ", ".join(f"`{spec.key}`" for spec in keys if spec.page == page)
        links.append(f"{names} ([{page.replace('_', ' ')}]({docs}features/{page}.md))")
    if links:
        parts.append(f"More keys, on pages of their own: {'; '.join(links)}.\n")
    return "\n".join(parts)


def write_common_table(sections: Mapping[str, type[Section]]) -> str:
    """Return the table of the keys that several sections share, the most frequent first."""
    common = [spec for cls in sections.values() for spec in list_keys(cls) if spec.common]
    specs = {spec.key: replace(spec, required=False) for spec in common}
    frequency = Counter(spec.key for spec in common)
    return _write_rows(specs[name] for name, _ in frequency.most_common())


def _write_rows(keys: Iterable[KeySpec]) -> str:
    table = HEAD
    for spec in keys:
        value = f"{spec.type.label}, required" if spec.required else spec.type.label
        table += f"| `{spec.key}` | {_escape_pipes(value)} | {_escape_pipes(spec.help)} |\n"
    return table


def _escape_pipes(text: str) -> str:
    return text.replace("|", "\\|")
