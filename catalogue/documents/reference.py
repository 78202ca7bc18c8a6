"""Write a JSON Schema and tables for docs from declarative sections."""

import re
from collections.abc import Mapping
from typing import Any

from catalogue.documents.section import SECTION, GroupSpec, Schema, Section, list_keys, list_specs

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
HEAD = "| key | value | what |\n|---|---|---|\n"


def update_tables(page: str, sections: Mapping[str, type[Section]]) -> str:
    """Return a page with updated tables. Raise KeyError for an unknown section."""
    return _PLACE.sub(lambda place: place[1] + write_table(sections[place[2]]) + place[3], page)


def list_tables(page: str) -> tuple[str, ...]:
    return tuple(place[2] for place in _PLACE.finditer(page))


def write_table(cls: type[Section]) -> str:
    """Return the Markdown table of a section's keys, followed by links for keys on other pages."""
    keys = list_keys(cls)
    table = HEAD
    for spec in keys:
        if not spec.page:
            value = f"{spec.type.label}, required" if spec.required else spec.type.label
            table += f"| `{spec.key}` | {_escape_pipes(value)} | {_escape_pipes(spec.help)} |\n"
    pages = dict.fromkeys(spec.page for spec in keys if spec.page)
    if not pages:
        return table
    links = []
    for page in pages:
        names = ", ".join(f"`{spec.key}`" for spec in keys if spec.page == page)
        links.append(f"{names} ([{page.replace('_', ' ')}](features/{page}.md))")
    return f"{table}\nMore keys, on pages of their own: {'; '.join(links)}.\n"


def _escape_pipes(text: str) -> str:
    return text.replace("|", "\\|")
