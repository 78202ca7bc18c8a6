"""Read weapons, gear, abilities and table rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from catalogue.definitions.infos import Phase
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError, SourceLine, suggest_names
from catalogue.documents.section import (
    ONE_TEXT,
    TEXT,
    TEXTS,
    Section,
    ValueType,
    expect_list,
    expect_parsed,
    key,
    need,
    read_section,
)
from catalogue.formats.packs.features.deck_pages.syntax import DeckColumnsSyntax
from catalogue.formats.packs.syntax.base import ABILITY_NAMES, AbilityUse, NamedSyntax, declare_citation
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.scalars import make_id

GLANCES = 3
PHASE_HELP = "when it matters; `list`: only while a list is made, so that it is not printed"
TABLE_USES = ("models", "weapons", "cards")


def _read_phase(text: str) -> Phase:
    if text in PHASES:
        return Phase(text)
    mend = suggest_names(text, PHASES) or f"Write {', '.join(PHASES[:-1])} or {PHASES[-1]}."
    raise MalformedValueError(f"There is no phase “{text}”.", mend)


PHASES = [phase.value for phase in Phase if phase]
PHASE = expect_parsed(" or ".join(f"`{phase}`" for phase in PHASES), _read_phase, Phase.UNKNOWN, {"enum": PHASES})


def _read_table_use(text: str) -> str:
    if text in TABLE_USES:
        return text
    raise MalformedValueError(f"A table is not for “{text}”.", "Write models, weapons or cards, or leave it out.")


class TableSyntax(DeckColumnsSyntax, NamedSyntax):
    title = "The profile table"
    identity_keys = ()

    columns: tuple[str, ...] = need("columns", TEXTS, "the names of its columns, in order")
    use: str = key(
        "for",
        expect_parsed("`models`, `weapons` or `cards`", _read_table_use, "", {"enum": list(TABLE_USES)}),
        "what has rows in it; if several tables are for models, a row belongs to the first with as many "
        "columns, or with the columns that it names",
    )
    label: str = key("name", TEXT, "its heading; by default its id")
    glance: tuple[str, ...] = key(
        "glance", TEXTS, "for models: up to three columns that a closed unit shows; by default the first"
    )

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["name"] = values["label"] or values["name"]
        columns = values["columns"]
        nodes = filter(None, map(mapping.get, ("curve", "kinds", "glance")))
        for column in chain.from_iterable(node.read_texts() for node in nodes):
            if column.read_text() not in columns:
                hint = suggest_names(column.read_text(), columns)
                column.report("unknown-column", f"The table has no column “{column.read_text()}”.", hint)
        if len(values["glance"]) > GLANCES:
            mapping.node.report("too-many", f"A row of a unit has room for {GLANCES} figures.", "Name fewer.")


@dataclass(frozen=True, kw_only=True)
class TableRow:
    name: str
    table: str
    values: tuple[tuple[str, str], ...]
    where: SourceLine


ROW_SCHEMA = {
    "anyOf": [{"type": "array", "items": ONE_TEXT}, {"type": "object", "additionalProperties": ONE_TEXT}, ONE_TEXT]
}


def expect_profile(use: str) -> ValueType[TableRow | None]:
    """Return the type of a row in a table for `use`, named like its construct."""
    return ValueType(
        "row of a table", lambda node, context: read_row(node, context, use, context.name), lambda _: None, ROW_SCHEMA
    )


def read_row(node: DocumentNode, context: ParseContext, use: str, name: str) -> TableRow | None:
    """Read a row of the first table for `use` that it fits, or else of the first."""
    tables = [table for table in context.declared.tables.values() if table.use == use]
    if not tables:
        node.report("no-table", f"The pack declares no profile table for {use}.", "Add it under `profiles:`.")
        return None
    fitting = next((table for table in tables if _fits_table(node, table)), tables[0])
    return _read_row_of(node, name, fitting)


def _read_row_of(node: DocumentNode, name: str, table: TableSyntax) -> TableRow:
    values = _read_values_by_name(node, table) if node.is_map else _read_values_in_order(node, table)
    return TableRow(name=name, table=table.id, values=values, where=node.where)


def _fits_table(node: DocumentNode, table: TableSyntax) -> bool:
    """Return whether a row has a value for each column, or names only columns of the table."""
    if not node.is_map:
        return len(node.read_each()) == len(table.columns)
    columns = {column.casefold() for column in table.columns}
    return all(name.read_text().casefold() in columns for name, _ in node.read_pairs())


def _read_values_by_name(node: DocumentNode, table: TableSyntax) -> tuple[tuple[str, str], ...]:
    columns = {column.casefold(): column for column in table.columns}
    values = []
    for name, value in node.read_pairs():
        column = columns.get(name.read_text().casefold())
        if column is None:
            hint = suggest_names(name.read_text(), table.columns)
            name.report("unknown-column", f"The table “{table.name}” has no column “{name.read_text()}”.", hint)
        else:
            values.append((column, value.read_text()))
    return tuple(values)


def _read_values_in_order(node: DocumentNode, table: TableSyntax) -> tuple[tuple[str, str], ...]:
    values = [value.read_text() for value in node.read_each()]
    if len(values) != len(table.columns):
        message = f"The table “{table.name}” has {len(table.columns)} columns, but there are {len(values)} values."
        hint = f"Write one value for each of {', '.join(table.columns)}, in square brackets with commas between."
        node.report("wrong-columns", message, hint)
    return tuple(zip(table.columns, values, strict=False))


def _read_rows(node: DocumentNode, context: ParseContext) -> tuple[TableRow, ...]:
    rows: list[TableRow] = []
    tables = context.declared.tables
    for name, value in node.read_pairs():
        table = tables.get(make_id(name.read_text()))
        if table is not None:
            rows += [_read_row_of(row, row_name.read_text(), table) for row_name, row in value.read_pairs()]
            continue
        hint = suggest_names(name.read_text(), tables) or "Declare it under `profiles:` in pack.yaml."
        name.report("unknown-table", f"The pack declares no table “{name.read_text()}”.", hint)
    return tuple(rows)


ROWS: ValueType[tuple[TableRow, ...]] = ValueType(
    "rows by table",
    _read_rows,
    lambda _: (),
    {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": ROW_SCHEMA}},
)


def _read_modes(node: DocumentNode, context: ParseContext) -> tuple[TableRow | None, ...]:
    return tuple(
        read_row(value, context, "weapons", f"{context.name}, {mode.read_text()}") for mode, value in node.read_pairs()
    )


MODES: ValueType[tuple[TableRow | None, ...]] = ValueType(
    "rows by name", _read_modes, lambda _: (), {"type": "object", "additionalProperties": ROW_SCHEMA}
)


class WeaponSyntax(NamedSyntax):
    title = "The weapon"
    name_key = "weapon"
    cite_required = True

    profile: TableRow | None = key("profile", expect_profile("weapons"), "its figures")
    modes: tuple[TableRow | None, ...] = key("modes", MODES, "a row for each way to use it, instead of `profile`")
    rows: tuple[TableRow, ...] = key("tables", ROWS, "rows of further tables")
    abilities: tuple[AbilityUse, ...] = key("abilities", ABILITY_NAMES, "its abilities")

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        if "profile" not in mapping and not values["modes"] and not values["rows"]:
            mapping.node.report("missing-key", f"{mapping.title} has no figures.", "Add `profile:` or `modes:`.")
        rows = (values["profile"], *values["modes"], *values["rows"])
        values["rows"] = tuple(row for row in rows if row is not None)


class AbilitySyntax(NamedSyntax):
    """An ability with a reminder, in which `{}` is the parameter.

    `text_at_zero` is for the parameter 0, because "0 more orders" is seldom right.
    """

    title = "The ability"
    name_key = "ability"
    cite_required = True
    text_required = True
    gear = False

    text: str = key("text", TEXT, "a reminder in our own words; `{}` is the text in brackets after the name")
    text_at_zero: str = key(
        "text at zero", TEXT, "the reminder if the number in brackets is 0; by default `text` with 0"
    )
    phase: Phase = key("phase", PHASE, PHASE_HELP)

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        if cls.text_required:
            mapping.need("text", "Add `text:`, a reminder in your own words.")


class GearSyntax(AbilitySyntax):
    title = "The gear"
    name_key = "gear"
    text_required = False
    gear = True


class SharedTextSyntax(Section):
    title = "The abilities"

    names: tuple[DocumentNode, ...] = need(
        "abilities", expect_list("names", lambda node, _: node, ONE_TEXT, split=True), "the names of abilities"
    )
    text: str = need("text", TEXT, "the text that they share")
    phase: Phase = key("phase", PHASE, PHASE_HELP)
    cite: Any = declare_citation(required=True)

    def split(self) -> Iterator[AbilitySyntax]:
        """Yield an ability for each name, and report names without letters or digits."""
        for node in self.names:
            if not make_id(node.read_text()):
                node.report(
                    "bad-id", f"No id can be made from the name “{node.read_text()}”.", "Write it as `ability:`."
                )
            yield AbilitySyntax(
                id=make_id(node.read_text()),
                name=node.read_text(),
                where=node.where,
                cite=self.cite,
                text=self.text,
                phase=self.phase,
            )


def _read_ability_list(node: DocumentNode, context: ParseContext) -> tuple[AbilitySyntax, ...]:
    abilities: list[AbilitySyntax] = []
    for item in node.read_each():
        if item.is_map and any(name.read_text().lower() == "abilities" for name, _ in item.read_pairs()):
            abilities += read_section(SharedTextSyntax, item, context).split()
        else:
            abilities.append(read_section(AbilitySyntax, item, context))
    return tuple(abilities)


ABILITY_LIST: ValueType[tuple[AbilitySyntax, ...]] = ValueType(
    "list of abilities",
    _read_ability_list,
    lambda _: (),
    {"type": "array", "items": {"anyOf": [{"$section": AbilitySyntax}, {"$section": SharedTextSyntax}]}},
)
