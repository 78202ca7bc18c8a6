"""Read the files of a pack, and join them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, TypeVar

from catalogue.documents.node import MappingReader
from catalogue.documents.problems import Problems
from catalogue.documents.section import (
    FLAG,
    TEXT,
    KeySpec,
    Section,
    expect_named_sections,
    expect_pairs,
    expect_section,
    expect_sections,
    inline,
    key,
    list_keys,
    need,
    read_keys,
)
from catalogue.formats.packs.features.commander.syntax import CommanderSyntax
from catalogue.formats.packs.features.common_keyword.syntax import CommonKeywordSyntax, FactionKeywordsSyntax
from catalogue.formats.packs.features.game_plan.syntax import PlanKeySyntax, PlanSyntax
from catalogue.formats.packs.features.guests.syntax import AnywhereSyntax
from catalogue.formats.packs.features.inventory.syntax import InventorySyntax
from catalogue.formats.packs.features.joins.syntax import JoiningSyntax
from catalogue.formats.packs.features.missions.map_syntax import MapsSyntax
from catalogue.formats.packs.features.missions.syntax import PlayContentSyntax, PlayKind
from catalogue.formats.packs.features.overlays.syntax import OverlaysSyntax
from catalogue.formats.packs.features.rulesets.syntax import RulesetsSyntax
from catalogue.formats.packs.features.table_rules.syntax import AtTheTableSyntax
from catalogue.formats.packs.features.withheld.syntax import WithheldSyntax
from catalogue.formats.packs.pack import Pack
from catalogue.formats.packs.syntax.base import (
    CITATION,
    ID,
    NAME,
    RULE,
    CommonValues,
    KeyNode,
    NamedSyntax,
    Reference,
    RuleText,
    UncheckedSyntax,
    expect_definitions,
)
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.decks import CardSyntax, DeckSyntax
from catalogue.formats.packs.syntax.declarations import (
    DECLARED_NAMES,
    FACTIONS,
    TYPES,
    BookSyntax,
    CostSyntax,
    FactionLineSyntax,
    FigureSyntax,
    OneFactionSyntax,
    SetSyntax,
    TypeSyntax,
)
from catalogue.formats.packs.syntax.detachments import DetachmentSyntax, PresetSyntax
from catalogue.formats.packs.syntax.identity import IdentitySyntax
from catalogue.formats.packs.syntax.infos import ABILITY_LIST, AbilitySyntax, GearSyntax, TableSyntax, WeaponSyntax
from catalogue.formats.packs.syntax.rules import BUILTIN_RULES, DETACHMENT_RULES, RULES, RuleSyntax, expect_rule_words
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import SharedListSyntax, UnitSyntax

# ---- any file -----------------------------------------------------------------------------------------------------


class ContentSyntax(PlayContentSyntax, MapsSyntax, PlanKeySyntax, OverlaysSyntax, InventorySyntax):
    weapons: tuple[WeaponSyntax, ...] = key("weapons", expect_sections(WeaponSyntax), "weapons")
    abilities: tuple[AbilitySyntax, ...] = key("abilities", ABILITY_LIST, "abilities")
    gear: tuple[GearSyntax, ...] = key("gear", expect_sections(GearSyntax, "list of gear"), "pieces of gear")
    units: tuple[UnitSyntax, ...] = key("units", expect_sections(UnitSyntax), "units")
    decks: tuple[DeckSyntax, ...] = key("decks", expect_sections(DeckSyntax), "decks")
    cards: tuple[CardSyntax, ...] = key("cards", expect_sections(CardSyntax), "cards")
    lists: tuple[SharedListSyntax, ...] = key(
        "lists", expect_sections(SharedListSyntax), "lists of options that several units use"
    )


class FileHeaderSyntax(FactionKeywordsSyntax):
    factions: tuple[FactionLineSyntax, ...] = key("factions", FACTIONS, "factions of the pack")
    faction: Reference | None = key("faction", NAME, "the faction of the file's units", None)
    provisional: str = key(
        "provisional", TEXT, "a sentence about figures from another source, for all units of the file"
    )


class FileSyntax(ContentSyntax):
    """Any file except pack.yaml, worked lists and proofs."""

    title = "The file"

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        header = read_keys(FileHeaderSyntax, mapping, context)
        problems = mapping.node.source.problems
        factions = context.declared.factions
        declare_names(factions, header.factions, problems)
        context.declared.declare_faction_keywords(header.faction_keywords, problems)
        faction = header.faction
        if faction is not None and faction.text not in factions:
            message, otherwise = f"The pack has no faction “{faction.text}”.", "Name it under `factions:` in pack.yaml."
            problems.add_unknown(faction.where, faction.text, factions, message, otherwise, "unknown-faction")
        context = replace(
            context.enter(context.read_citation(mapping)),
            faction=faction.text if faction is not None else "",
            provisional=header.provisional,
        )
        return {}, context

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        cite = KeySpec("cite", CITATION, "what things in it cite unless they name another")
        return (*list_keys(FileHeaderSyntax), cite)


# ---- pack.yaml ----------------------------------------------------------------------------------------------------


class DeclarationsSyntax(FactionKeywordsSyntax):
    books: tuple[BookSyntax, ...] = need(
        "books", expect_named_sections(BookSyntax, "`id: book`"), "the books that the pack cites"
    )
    factions: tuple[FactionLineSyntax, ...] = key("factions", FACTIONS, "the factions of the game")
    keywords: tuple[NamedSyntax, ...] = key("keywords", DECLARED_NAMES, "keywords of units and cards")
    types: tuple[TypeSyntax, ...] = need("types", TYPES, "types of units, in the order of lists")
    costs: tuple[CostSyntax, ...] = key(
        "costs", expect_sections(CostSyntax, "list of names, or of costs"), "kinds of cost"
    )
    tables: tuple[TableSyntax, ...] = key(
        "profiles", expect_named_sections(TableSyntax, "`id: table`"), "kinds of profile tables"
    )

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        # Read books first: limit rules cite them.
        node = mapping.need("books")
        books = expect_named_sections(BookSyntax).read(node, context) if node is not None else ()
        return {"books": books}, context.enter(context.read_citation(mapping))

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        context.declared.add_declarations(values, mapping.node.source.problems)


class OrganisationSyntax(AnywhereSyntax, AtTheTableSyntax, CommanderSyntax, JoiningSyntax, WithheldSyntax):
    texts: dict[str, RuleText] = key(
        "built in rules",
        expect_rule_words((*BUILTIN_RULES, *DETACHMENT_RULES)),
        "the wording of rules that follow from units themselves",
    )
    sets: tuple[SetSyntax, ...] = key("sets", expect_sections(SetSyntax), "units that rules count together")
    figures: tuple[FigureSyntax, ...] = key("figures", expect_sections(FigureSyntax), "key numbers of a list")
    shown: tuple[tuple[str, RuleText], ...] = key(
        "must show",
        expect_pairs(
            "`what: words of a rule`",
            lambda name, value, context: (make_id(name.read_text()), RULE.read(value, context)),
            RULE.schema,
        ),
        "what a list from another program must show: `options: {rule, name, text, cite}`",
    )
    rules: tuple[RuleSyntax, ...] = key("rules", RULES, "rules of the whole pack")
    one_faction: tuple[OneFactionSyntax, ...] = key(
        "one faction",
        expect_sections(OneFactionSyntax, "words of a rule, or several"),
        "the rule that everything in a list belongs to the list's own faction, even in detachments of other"
        " factions; or several such rules",
    )
    common: CommonKeywordSyntax | None = key(
        "common keyword", expect_section(CommonKeywordSyntax), "the rule for the whole list", None
    )
    detachments: tuple[DetachmentSyntax, ...] = key(
        "detachments", expect_sections(DetachmentSyntax), "kinds of detachment"
    )
    unchecked: tuple[UncheckedSyntax, ...] = key(
        "unchecked",
        expect_sections(UncheckedSyntax, "list of texts, or of notes"),
        "what cannot be checked from a list: a text, or `{code, text, cite}`; shown next to every verdict. "
        "The code `event-rules` is for unknown house rules of events, so an event leaves it out",
    )

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        context.declared.texts.update(values["texts"])
        context.declared.detachment_ids.update(detachment.id for detachment in values["detachments"])


class PackLineSyntax(Section):
    id: str = need(
        "pack", ID, "its id, used in lists and addresses", hint="Add `pack:` with an id, as `pack: my-game`."
    )
    game_id: str = key("game", TEXT, "the id shared by all editions of the game; by default the pack's id")
    game: str = need("name", TEXT, "the name of the game")
    edition: str = key("edition", TEXT, "the edition of the game")
    version: str = need("version", TEXT, "the version of the pack, in quotes")
    long_name: str = key("title", TEXT, "a longer name for display")
    about: str = key("about", TEXT, "a few sentences about the game")
    publisher: str = key("publisher", TEXT, "the publisher of the game")
    identity: IdentitySyntax = inline(IdentitySyntax, IdentitySyntax())
    example: bool = key("example", FLAG, "whether it is an invented game; all other packs are shown as unofficial")


class WaysToPlaySyntax(RulesetsSyntax):
    presets: tuple[Any, ...] = key("presets", expect_definitions(PresetSyntax), "ways to start a list")


class PackFileSyntax(Section):
    """Declarations are read first."""

    title = "The pack"

    line: PackLineSyntax
    declarations: DeclarationsSyntax
    organisation: OrganisationSyntax = inline(OrganisationSyntax, OrganisationSyntax())
    ways_to_play: WaysToPlaySyntax = inline(WaysToPlaySyntax, WaysToPlaySyntax())
    content: ContentSyntax = inline(ContentSyntax, ContentSyntax())

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        values: dict[str, Any] = {"line": read_keys(PackLineSyntax, mapping, context)}
        values["declarations"] = read_keys(DeclarationsSyntax, mapping, context)
        return values, context.enter(context.read_citation(mapping))

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        cite = KeySpec("cite", CITATION, "the book that pack.yaml itself cites")
        return (*list_keys(PackLineSyntax), cite, *list_keys(DeclarationsSyntax))

    def make_pack(self, notice: str) -> Pack:
        line = self.line
        return Pack(
            id=line.id,
            game_id=line.game_id or line.id,
            game=line.game,
            edition=line.edition,
            version=line.version,
            title=line.long_name,
            about=line.about,
            publisher=line.publisher,
            notice=notice,
            identity=line.identity.define(),
            example=line.example,
            unofficial=not line.example,
            books=tuple(book.define() for book in self.declarations.books),
            presets=self.ways_to_play.presets,
            rulesets=self.ways_to_play.rulesets,
        )


# ---- all files together -------------------------------------------------------------------------------------------

AnyNamed = TypeVar("AnyNamed", bound=NamedSyntax)


def declare_names(by_id: dict[str, AnyNamed], names: Iterable[AnyNamed], problems: Problems) -> None:
    for name in names:
        if name.id in by_id:
            message = f"“{name.name}” is declared twice."
            problems.add(name.where, "duplicate-id", message, "Keep one of them.")
        elif not name.id:
            message = f"No id can be made from the name “{name.name}”."
            problems.add(name.where, "bad-id", message, "Write it as `some-id: Name`.")
        else:
            by_id[name.id] = name


@dataclass(frozen=True, kw_only=True)
class DeclaredNames:
    """The names that a pack declares. `references` must exist once all files are read."""

    factions: dict[str, FactionLineSyntax] = field(default_factory=dict)
    types: dict[str, TypeSyntax] = field(default_factory=dict)
    keywords: dict[str, NamedSyntax] = field(default_factory=dict)
    faction_keywords: dict[str, NamedSyntax] = field(default_factory=dict)
    tables: dict[str, TableSyntax] = field(default_factory=dict)
    costs: dict[str, CostSyntax] = field(default_factory=dict)
    texts: dict[str, RuleText] = field(default_factory=dict)
    detachment_ids: set[str] = field(default_factory=set)
    references: list[tuple[PlayKind, Reference]] = field(default_factory=list)

    def declare_faction_keywords(self, names: Iterable[NamedSyntax], problems: Problems) -> None:
        """Add faction keywords, which are keywords too."""
        declare_names(self.faction_keywords, names, problems)
        self.keywords.update(self.faction_keywords)

    def add_declarations(self, values: dict[str, Any], problems: Problems) -> None:
        declare_names(self.factions, values["factions"], problems)
        declare_names(self.keywords, values["keywords"], problems)
        self.declare_faction_keywords(values["faction_keywords"], problems)
        declare_names(self.types, values["types"], problems)
        self.costs.update({cost.id: cost for cost in values["costs"]})
        self.tables.update({table.id: table for table in values["tables"]})


class PackSyntax(OrganisationSyntax, ContentSyntax, DeclaredNames):
    @cached_property
    def addon_types(self) -> frozenset[str]:
        return frozenset(unit_type.id for unit_type in self.types.values() if unit_type.inside)

    def list_play_kinds(self) -> dict[PlayKind, Sequence[NamedSyntax]]:
        return {
            PlayKind.MISSION: self.missions,
            PlayKind.PACK: self.packs,
            PlayKind.SPECIAL: self.specials,
            PlayKind.OBJECTIVE: self.objectives,
            PlayKind.GROUP: self.groups,
            PlayKind.MAP: self.maps,
            PlayKind.SIZE: self.sizes,
            PlayKind.STRATAGEM: self.stratagems,
            PlayKind.TOKEN: self.tokens,
        }


def gather_pack(head: PackFileSyntax, files: Iterable[FileSyntax], names: DeclaredNames) -> PackSyntax:
    """Keep the order of the files."""
    # pack.yaml comes first: files may add to its declarations.
    contents = [_open_groups(content) for content in (head.content, *files)]
    gathered = _gather_fields(contents, CONTENT_FIELDS)
    plan = replace(PlanSyntax(), **_gather_fields([content.plan for content in contents], PLAN_FIELDS))
    return PackSyntax(**(vars(head.organisation) | vars(names) | gathered), plan=plan)


PLAN_FIELDS = ("parts", "questions", "numbers")
CONTENT_FIELDS = tuple(item.name for item in fields(ContentSyntax) if item.name not in ("where", "plan"))


def _gather_fields(sections: Sequence[Section], names: Iterable[str]) -> dict[str, Any]:
    return {name: tuple(thing for section in sections for thing in getattr(section, name)) for name in names}


def _open_groups(content: ContentSyntax) -> ContentSyntax:
    grouped = tuple(objective for group in content.groups for objective in group.objectives)
    return replace(content, objectives=(*grouped, *content.objectives), abilities=(*content.abilities, *content.gear))
