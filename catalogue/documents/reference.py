"""Reference for authors, made from declarative sections: a JSON Schema for editors, and tables for the docs."""

import re
from collections.abc import Mapping
from typing import Any

from catalogue.documents.section import SECTION, GroupSpec, KeySpec, Schema, Section, list_keys, list_specs

DRAFT = "http://json-schema.org/draft-07/schema#"
"""The one that most editors know."""


class SchemaWriter:
    """Writes the schemas of sections as definitions that refer to each other."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        """Begin with the definitions that the types of values refer to by name."""
        self.definitions: dict[str, Any] = {}
        self.sections: dict[str, type[Section]] = {}
        for name, schema in definitions.items():
            self.definitions[name] = self.resolve(schema)

    def refer_to(self, cls: type[Section]) -> dict[str, str]:
        """Return a reference to the schema of a section, which is written if it is not yet."""
        name = name_definition(cls)
        if name not in self.definitions:
            self.sections[name] = cls
            self.definitions[name] = {}  # sections may hold each other
            self.definitions[name] = self._describe_section(cls)
        return {"$ref": f"#/$defs/{name}"}

    def resolve(self, schema: Any) -> Any:
        """Return a schema with references in place of the sections in it."""
        if isinstance(schema, Mapping):
            if SECTION in schema:
                return self.refer_to(schema[SECTION])
            return {name: self.resolve(value) for name, value in schema.items()}
        if isinstance(schema, (list, tuple)):
            return [self.resolve(value) for value in schema]
        return schema

    def _describe_section(self, cls: type[Section]) -> dict[str, Any]:
        mapping = self._describe_mapping(cls)
        if not cls.short:
            return mapping
        lone = next(spec for spec in list_keys(cls) if spec.key == cls.short)
        return {"anyOf": [self.resolve(lone.type.schema), mapping]}

    def _describe_mapping(self, cls: type[Section]) -> dict[str, Any]:
        keys = list_keys(cls)
        properties = {spec.key: self._describe_key(spec) for spec in keys}
        schema: dict[str, Any] = {
            "type": "object",
            "properties": properties,
            "additionalProperties": self._describe_further_keys(cls),
        }
        spellings = {
            pattern: properties[spec.key] for spec in keys if (pattern := match_spellings(spec.key, spec.alias))
        }
        if spellings:
            schema["patternProperties"] = spellings
        required = [spec.key for spec in keys if spec.required]
        if required:
            schema["required"] = required
        return schema

    def _describe_key(self, spec: KeySpec) -> dict[str, Any]:
        schema = self.resolve(spec.type.schema)
        # Beside a reference nothing else counts in this draft.
        return {"description": spec.help, **({"allOf": [schema]} if "$ref" in schema else schema)}

    def _describe_further_keys(self, cls: type[Section]) -> Any:
        groups = [spec for _, spec in list_specs(cls) if isinstance(spec, GroupSpec) and spec.open_ended]
        return self.resolve(groups[0].open_ended) if groups else False


def match_spellings(key: str, alias: str) -> str:
    """Return a pattern of the other spellings of a key; blank where there is none.

    >>> match_spellings("only when", "")
    '^(only[-_ ]when)$'
    """
    spellings = [alias] if alias else []
    if " " in key:
        spellings.append(re.sub(" ", "[-_ ]", key))
    return f"^({'|'.join(spellings)})$" if spellings else ""


def name_definition(cls: type[Section]) -> str:
    """Return what a schema calls a section.

    >>> name_definition(type("DeckSyntax", (Section,), {}))
    'deck'
    """
    words = re.findall("[A-Z][a-z]*", cls.__name__.removesuffix("Syntax"))
    return "_".join(word.lower() for word in words)


_PLACE = re.compile(r"(<!-- keys: ([\w ]+) -->\n).*?(<!-- end of keys -->)", re.DOTALL)
HEAD = "| key | value | what |\n|---|---|---|\n"


def update_tables(page: str, sections: Mapping[str, type[Section]]) -> str:
    """Return a page with its tables made anew; raises KeyError where it names a section that there is not."""
    return _PLACE.sub(lambda place: place[1] + write_table(sections[place[2]]) + place[3], page)


def list_tables(page: str) -> tuple[str, ...]:
    """Return the names of the sections whose tables a page has."""
    return tuple(place[2] for place in _PLACE.finditer(page))


def write_table(cls: type[Section]) -> str:
    """Return the table of the keys of a section in Markdown.

    Keys that have a page of their own are named below the table, with the page.
    """
    keys = list_keys(cls)
    table = HEAD + "".join(_write_row(spec) for spec in keys if not spec.page)
    pages = dict.fromkeys(spec.page for spec in keys if spec.page)
    if not pages:
        return table
    links = []
    for page in pages:
        names = ", ".join(f"`{spec.key}`" for spec in keys if spec.page == page)
        links.append(f"{names} ([{page.replace('_', ' ')}](features/{page}.md))")
    return f"{table}\nMore keys, on pages of their own: {'; '.join(links)}.\n"


def _write_row(spec: KeySpec) -> str:
    value = f"{spec.type.label}, required" if spec.required else spec.type.label
    return f"| `{spec.key}` | {_escape_pipes(value)} | {_escape_pipes(spec.help)} |\n"


def _escape_pipes(text: str) -> str:
    return text.replace("|", "\\|")
