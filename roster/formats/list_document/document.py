"""Read the keys of a list document. `build` looks up the names in it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from catalogue.definitions.numbers import Number
from catalogue.documents.node import DocumentNode
from catalogue.documents.problems import NO_SOURCE_LINE, SourceLine
from catalogue.documents.reference import DRAFT, SchemaWriter
from catalogue.documents.section import (
    KeySpec,
    Section,
    ValueType,
    expect_section,
    inline,
    key,
    list_key_names,
    list_keys,
    list_misnomers,
    need,
    read_section,
)
from roster.formats.list_document.link import is_list_link, unpack_list_link
from roster.formats.list_document.nodes import ListMapping, Media, Unreadable, UnreadableError, read_source, refuse_node
from roster.formats.list_document.values import (
    COUNT,
    INTEGER,
    LIMIT,
    NAME,
    NOTES,
    NOTHING,
    NUMBER,
    TEXTS,
    TRUTH,
    VENDOR,
    VERDICT,
    WORD,
    WORDS,
    Text,
    list_of,
    map_of,
)

LIST_FORM = 1
OUTSIDE_WORD = "none"

BY_COST = map_of("`cost: number`", LIMIT)
OPTIONS: ValueType[tuple["ListedItem", ...]] = list_of(
    "list of options",
    ValueType(
        "option",
        lambda node, context: read_section(ListedOptionItem, node, context),
        lambda where: ListedOptionItem(entry=NOTHING),
        {"$ref": "#/$defs/listed_option_item"},
    ),
)
FORCES: ValueType[tuple["ListedForce", ...]] = list_of(
    "list of detachments",
    ValueType(
        "detachment",
        lambda node, context: read_section(ListedForce, node, context),
        lambda where: ListedForce(force=NOTHING),
        {"$ref": "#/$defs/listed_force"},
    ),
)


class ListSection(Section):
    """A mapping in a list document. Reading stops at the first mistake. The context is whether a program wrote it."""

    where: SourceLine = field(default=NO_SOURCE_LINE, compare=False, repr=False)

    @classmethod
    def open_mapping(cls, node: DocumentNode, context: Any) -> ListMapping:
        lone_key = cls.short if cls.is_lone(node) else ""
        return ListMapping(
            node, list_key_names(cls), lone_key, list_misnomers(cls), is_written_by_program=bool(context)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedLimit:
    type: Text
    value: Number | None


def _read_limits(node: DocumentNode, context: object) -> tuple[ListedLimit, ...]:
    return tuple(ListedLimit(type=name, value=value) for name, value in BY_COST.read(node, context))


LIMITS: ValueType[tuple[ListedLimit, ...]] = ValueType(BY_COST.label, _read_limits, lambda _: (), BY_COST.schema)


class ListedItem(ListSection):
    """A unit or an option. `count` and `options` are None if the document does not give them.

    `leads` means that the player declared it the leader of its detachment. The plan, and `attached` of other units,
    refer to it by `ref`. `is_elsewhere` means that only another faction has the option of this name.
    """

    entry: Text
    is_elsewhere: bool = False
    group: Text = key("group", WORD, "the group of an option that several groups offer")
    count: int | None = key(
        "count",
        COUNT,
        "how many; by default 1 of a unit; 0 removes an automatic choice",
        None,
        misnomers=("amount", "models", "number"),
    )
    name: str = key("name", NAME, "its own name")
    notes: str = key("notes", NOTES, "its own notes")
    leads: bool = key("leads", TRUTH, "it is declared to lead its detachment, or the list if several could command it")
    ref: Text = key("ref", WORD, "the name by which the plan or attached units refer to it")
    attached: tuple[tuple[Text, tuple[Text, ...]], ...] = key(
        "attached",
        map_of("`association: units`", WORDS),
        "what it is attached to, such as a leader to its unit, by association",
    )
    options: tuple["ListedItem", ...] | None = key(
        "options", OPTIONS, "the choices in it: names, or mappings", None, misnomers=("gear", "weapons")
    )

    @property
    def is_single(self) -> bool:
        has_words = self.name or self.notes or self.ref or self.attached
        return bool(has_words) or any(option.is_single for option in self.options or ())


def list_present(items: Iterable[ListedItem]) -> list[ListedItem]:
    return [item for item in items if item.count != 0]


class ListedUnitItem(ListedItem):
    short = "unit"

    entry: Text = need("unit", WORD, "which one")


class ListedOptionItem(ListedItem):
    short = "option"

    entry: Text = need("option", WORD, "which one")


class ListedCategory(ListSection):
    category: Text = need("category", WORD, "which type of unit")
    name: str = key("name", NAME, "its own name")
    notes: str = key("notes", NOTES, "its own notes")


class ListedForce(ListSection):
    """`outside` holds the units in no detachment."""

    force: Text = need("detachment", WORD, "its kind; `none` holds units outside all detachments")
    outside: bool = False
    catalogue: Text = key("catalogue", WORD, "its faction, if not the list's")
    name: str = key("name", NAME, "its own name")
    notes: str = key("notes", NOTES, "its own notes")
    categories: tuple[ListedCategory, ...] = key(
        "categories",
        list_of("list of notes", expect_section(ListedCategory)),
        "notes on types of unit: `[{category: core, notes: ...}]`",
    )
    units: tuple[ListedItem, ...] = key(
        "units", list_of("list of units", expect_section(ListedUnitItem)), "names, or mappings"
    )
    detachments: tuple["ListedForce", ...] = key("detachments", FORCES, "detachments inside it")

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: Any, context: Any) -> None:
        values["outside"] = values["force"].value == OUTSIDE_WORD


class ListedPlan(ListSection):
    """`joins` maps characters to hosts, `aboard` passengers to transports, `choices` questions to answers."""

    mission: Text = key("mission", WORD, "id or name of a mission of the game")
    side: Text = key("side", WORD, "id or name of a side of that mission")
    opponents: tuple[Text, ...] = key("opponents", WORDS, "the other players: factions, or any names")
    allies: tuple[Text, ...] = key("allies", WORDS, "the other players on the same side")
    commander: Text = key("commander", WORD, "the unit with the commander")
    objective: str = key("objective", NAME, "in your own words")
    joins: tuple[tuple[Text, Text], ...] = key("joins", map_of("`unit: unit`", WORD), "which unit joins which")
    aboard: tuple[tuple[Text, Text], ...] = key("aboard", map_of("`unit: unit`", WORD), "which unit rides in which")
    reserves: tuple[Text, ...] = key("reserves", WORDS, "the units in reserve")
    choices: tuple[tuple[Text, tuple[Text, ...]], ...] = key(
        "choices", map_of("`question: answers`", WORDS), "answers to the questions of the game, one or several each"
    )
    units: tuple[tuple[Text, tuple[tuple[Text, tuple[Text, ...]], ...]], ...] = key(
        "units",
        map_of("`unit: {question: answers}`", map_of("`question: answers`", WORDS)),
        "answers to questions about single units, by unit",
    )
    numbers: tuple[tuple[Text, Number], ...] = key("numbers", map_of("`name: number`", NUMBER), "numbers to decide")
    notes: str = key("notes", NOTES, "in your own words")


class ExpectedOutcome(ListSection):
    """The verdict that a worked list must get. Rules are named by id, or as `rule/clause` if they have clauses."""

    verdict: str = key("expect", VERDICT, "its verdict")
    breaks: tuple[str, ...] = key("breaks", TEXTS, "all rules that it breaks")
    warns: tuple[str, ...] = key("warns", TEXTS, "some of its warnings")
    keeps: tuple[str, ...] = key("keeps", TEXTS, "rules that matter in it and that it keeps")
    total: Number | None = key("total", NUMBER, "its total", None, misnomers=("points",))
    why: str = key("why", NOTES, "what it shows")
    starter: bool = key("starter", TRUTH, "whether it is an army to start from rather than an example of a rule")


class ListDocument(ListSection):
    """A whole list document.

    `exact` means that nothing is filled in. `unshown` has the parts that the original text leaves out, `rules` the pack
    whose rules also apply. `stacked` turns a count inside a unit into that many selections if each can be equipped
    separately; only our own text sets it.
    """

    game: Text = need("game", WORD, "the id of an installed game")
    version: Text = key(
        "version", WORD, "a published version of its data, by label or hash; by default the current one"
    )
    faction: Text = key("faction", WORD, "id or name; needed if the game has several")
    rules: Text = key(
        "rules",
        WORD,
        "the id of a pack with additional rules for the list, if the pack lays them over this game's data; "
        "see [packs](packs.md)",
    )
    homebrew: str = key(
        "homebrew", NAME, "published house rules of a player, `id@number`; see [house rules](homebrew.md)"
    )
    name: str = key("name", NAME, "the name of the list")
    player: str = key("player", NAME, "the player, printed on the sheet")
    event: str = key("event", NAME, "the event, printed on the sheet")
    notes: str = key("notes", NOTES, "notes on the list")
    exact: bool = key("exact", TRUTH, "whether the list is complete, so that nothing is filled in")
    limits: tuple[ListedLimit, ...] = key(
        "limits",
        LIMITS,
        "by cost: `{points: 120}`; `none` lifts a limit. A limit that follows another, such as command "
        "points, need not be named",
        misnomers=("points",),
    )
    unshown: tuple[str, ...] = key(
        "unshown", TEXTS, 'what the original written list leaves out: `[options]`; see "must show" in [packs](packs.md)'
    )
    detachments: tuple[ListedForce, ...] = key("detachments", FORCES, "its detachments", misnomers=("forces", "units"))
    plan: ListedPlan | None = key("plan", expect_section(ListedPlan, "mapping"), "the game plan", None)
    vendor: str = key(
        "vendor",
        VENDOR,
        "what programs keep with the list, by program: `{my-bot: {channel: 12}}`; see [exchange](exchange.md)",
    )
    expected: ExpectedOutcome = inline(ExpectedOutcome, ExpectedOutcome())
    stacked: bool = field(default=False)

    @classmethod
    def read_common_keys(cls, mapping: Any, context: Any, under: object) -> tuple[dict[str, Any], Any]:
        node = mapping.need("list")
        form = INTEGER.read(node, context)
        if form != LIST_FORM:
            refuse_node("unknown-form", node, given=str(form), detail=str(LIST_FORM))
        return {}, context

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (KeySpec("list", INTEGER, f"the form of the document: `{LIST_FORM}`", required=True),)

    def count_detachments(self) -> int:
        pending = list(self.detachments)
        for detachment in pending:
            pending.extend(detachment.detachments)
        return len(pending)

    def count_parts(self) -> int:
        pending: list[ListedForce | ListedItem] = list(self.detachments)
        for part in pending:
            pending.extend(part.options or () if isinstance(part, ListedItem) else (*part.units, *part.detachments))
        return len(pending)


def read_list(data: bytes, media: Media = Media.AUTO) -> ListDocument | Unreadable:
    """Read the list in a document or a link, or return why it is unreadable. Never raises.

    Unknown keys of links and `exact` documents are ignored: a program wrote them, and newer ones have more keys.
    """
    try:
        is_link = is_list_link(data)
        if is_link:
            data, media = unpack_list_link(data), Media.JSON
        root = read_source(data, media)
        members = root.members if root.is_map else ()
        is_exact = any(key.content == "exact" and TRUTH.read(value, None) for key, value in members)
        return read_section(ListDocument, root, is_link or is_exact)
    except UnreadableError as error:
        return error.unreadable


def list_document_sections() -> dict[str, type[Section]]:
    return _describe_document().sections


def write_list_schema() -> dict[str, Any]:
    """Return the schema for editors, including the verdicts of worked lists."""
    writer = _describe_document()
    return {
        "$schema": DRAFT,
        "title": "A list of Armybuilder",
        "description": "docs/lists.md explains it.",
        "allOf": [writer.refer_to(ListDocument)],
        "$defs": dict(sorted(writer.definitions.items())),
    }


def write_exchange_schema(address: str) -> dict[str, Any]:
    """Return the schema for programs, at its `address`. It allows unknown keys, because form 1 gets new ones.

    Lists of programs claim no verdict: each reader evaluates again.
    """
    schema = write_list_schema()
    properties = schema["$defs"]["list_document"]["properties"]
    for spec in list_keys(ExpectedOutcome):
        properties[spec.key] = False
    properties["list"] = {**properties["list"], "const": LIST_FORM}
    for definition in schema["$defs"].values():
        for mapping in (definition, *definition.get("anyOf", ())):
            if mapping.get("additionalProperties") is False:
                del mapping["additionalProperties"]
    return {**schema, "$id": address, "description": "docs/exchange.md explains it."}


def _describe_document() -> SchemaWriter:
    writer = SchemaWriter({})
    for section in (ListDocument, ListedForce, ListedOptionItem):
        writer.refer_to(section)
    return writer
