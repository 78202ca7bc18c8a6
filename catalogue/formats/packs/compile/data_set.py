"""Compile a pack into a game system and faction catalogues."""

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet, Unchecked
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CARDS, Category, CostType, Deck, Entry
from catalogue.definitions.queries import Bound, Condition, Guard, Operator, Query, Scope
from catalogue.documents.problems import Problems
from catalogue.formats.packs.compile.checks import check_constructs
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.decks import build_deck, check_cards
from catalogue.formats.packs.compile.detachments import build_detachment
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard, query_army, walk_nouns
from catalogue.formats.packs.compile.name_index import (
    MODELS,
    WEAPONS,
    NameIndex,
    make_ability_id,
    make_faction_category,
    make_keyword_id,
    make_set_id,
)
from catalogue.formats.packs.compile.parts import build_parts
from catalogue.formats.packs.compile.rules import build_game_rule_words, build_rules
from catalogue.formats.packs.compile.sets_and_figures import build_figures
from catalogue.formats.packs.compile.shared_infos import SharedInfos, build_profile_type
from catalogue.formats.packs.compile.units import build_addon, build_unit
from catalogue.formats.packs.features.allowances.compile import AllowanceSlots
from catalogue.formats.packs.features.commander.compile import (
    add_leave_options,
    build_command,
    build_commander_categories,
    build_leave_rule_words,
    check_leaves,
    find_named_commanders,
)
from catalogue.formats.packs.features.common_keyword.compile import build_common_keyword
from catalogue.formats.packs.features.deck_pages.compile import describe_deck
from catalogue.formats.packs.features.game_plan.compile import build_plan_rule_words, build_planning
from catalogue.formats.packs.features.guests.compile import (
    build_guest_links,
    check_guests,
    list_home_factions,
    settle_home,
)
from catalogue.formats.packs.features.inventory.compile import build_rulebook
from catalogue.formats.packs.features.joins.compile import add_joins, check_addons, is_addon
from catalogue.formats.packs.features.missions.compile import build_definitions, build_missions, build_play_book
from catalogue.formats.packs.features.overlays.compile import build_overlays
from catalogue.formats.packs.features.printed_figures.compile import add_figures, list_figures
from catalogue.formats.packs.features.sets_by_name.compile import resolve_sets
from catalogue.formats.packs.features.withheld.compile import build_withheld_rule_words
from catalogue.formats.packs.pack import Pack
from catalogue.formats.packs.syntax.base import Reference
from catalogue.formats.packs.syntax.declarations import FactionLineSyntax
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.rules import UNITS

PROVISIONAL = "provisional"


def compile_data_set(pack: PackSyntax, info: Pack, problems: Problems) -> DataSet:
    """Report unknown names and leave them out."""
    figures = list_figures(pack)
    # Figures come last: they are read from profiles, which are final now.
    units = tuple(add_figures(add_joins(settle_home(unit, pack), pack), figures) for unit in pack.units)
    pack = replace(pack, units=units)
    pack = replace(pack, units=add_leave_options(pack))
    # Overlays use sets as the pack writes them: only the other data knows which units are in sets of names.
    overlays = build_overlays(pack, problems)
    # Sets come before rules: rules are made for each set of a family.
    sets, derived_sets = resolve_sets(pack)
    context = _make_context(replace(pack, sets=sets), derived_sets, problems)
    check_constructs(context)
    check_addons(context)
    check_guests(context.pack, context.index)
    check_cards(context)
    check_leaves(context)
    allowance_slots = AllowanceSlots(context)
    # Count units with the same slots together. Otherwise there would be a limit for each unit.
    group_categories, group_links = allowance_slots.build_group_categories()
    entries = {}
    for unit in context.pack.units:
        entry = build_addon(unit, context) if is_addon(unit, context) else build_unit(unit, context)
        if unit.id in group_links:
            entry = msgspec.structs.replace(entry, categories=(*entry.categories, group_links[unit.id]))
        entries[unit.id] = entry
    system = _build_game_system(info, context, allowance_slots, entries)
    system = msgspec.structs.replace(system, categories=(*system.categories, *group_categories), overlays=overlays)
    factions = tuple(_build_faction(faction, context, allowance_slots, entries) for faction in pack.factions.values())
    return DataSet(catalogues=(system, *factions))


def _make_context(
    pack: PackSyntax, derived_sets: dict[str, tuple[Reference, ...]], problems: Problems
) -> CompileContext:
    index = NameIndex(pack, problems)
    nouns = set(walk_nouns(pack))
    # Categories take space in every selection, so only counted abilities become one.
    abilities = [syntax.id for syntax in pack.abilities if f"{syntax.id}-ability" in nouns]
    return CompileContext(
        pack=pack,
        index=index,
        infos=SharedInfos(pack, index),
        problems=problems,
        counts_weapons=WEAPONS in nouns,
        counted_abilities=frozenset(make_ability_id(ability) for ability in abilities),
        commanders=frozenset(find_named_commanders(nouns, pack)),
        derived_sets=derived_sets,
    )


def _build_game_system(
    info: Pack, context: CompileContext, allowance_slots: AllowanceSlots, entries: dict[str, Entry]
) -> Catalogue:
    pack = context.pack
    detachments = [syntax for syntax in pack.detachments if not syntax.factions]
    # Conditions of a shared list refer to the unit that links to it.
    list_origin = QueryOrigin(context.index, scope="unit", owner="part")
    lists = build_parts(tuple(pack.lists), context, list_origin)
    offered, shared = _list_faction_entries("", context, entries)
    roster_origin = QueryOrigin(context.index, scope="roster", owner="roster")
    roster_rules = [rule for rule in pack.rules if rule.scope == "roster"]
    return Catalogue(
        id=info.id,
        name=info.game,
        identity=info.identity,
        kind=CatalogueKind.GAME_SYSTEM,
        revision=info.version,
        publications=info.books,
        cost_types=(*_build_cost_types(context), *allowance_slots.build_cost_types()),
        profile_types=tuple(build_profile_type(table) for table in pack.tables.values()),
        categories=tuple(_build_categories(context)),
        forces=tuple(build_detachment(syntax, context, allowance_slots) for syntax in detachments),
        entries=offered,
        decks=_describe_decks("", context),
        shared_entries=(*shared, *lists),
        # Complete only now: compiling units creates the rules of abilities.
        shared_infos=tuple(context.infos.shared.values()),
        constraints=(
            *build_rules(roster_rules, context, roster_origin),
            *_build_one_faction_limits(context, roster_origin),
        ),
        words=(
            *build_game_rule_words(pack),
            *build_leave_rule_words(pack),
            *build_withheld_rule_words(context),
            *build_plan_rule_words(context),
        ),
        common=build_common_keyword(pack.common, context),
        command=build_command(context),
        figures=tuple(build_figures(context)),
        rulebook=build_rulebook(context),
        specials=build_definitions(pack.specials),
        missions=build_missions(context),
        play=build_play_book(context),
        planning=build_planning(context),
        unchecked=tuple(Unchecked(code=note.code, text=note.text, citation=note.cite) for note in pack.unchecked),
    )


def _build_faction(
    line: FactionLineSyntax, context: CompileContext, allowance_slots: AllowanceSlots, entries: dict[str, Entry]
) -> Catalogue:
    faction = line.id
    offered, shared = _list_faction_entries(faction, context, entries)
    detachments = [
        syntax for syntax in context.pack.detachments if faction in context.index.find_ids(syntax.factions, "faction")
    ]
    return Catalogue(
        id=faction,
        name=line.name,
        identity=line.identity.define(),
        kind=CatalogueKind.FACTION,
        forces=tuple(build_detachment(syntax, context, allowance_slots) for syntax in detachments),
        entries=offered,
        decks=_describe_decks(faction, context),
        shared_entries=shared,
        unchecked=tuple(_list_unchecked(faction, context)),
    )


def _list_faction_entries(
    faction: str, context: CompileContext, entries: dict[str, Entry]
) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Return offers and shared entries. A blank faction means all."""
    offered: list[Entry] = []
    shared: list[Entry] = []
    for unit in context.pack.units:
        if unit.faction != faction or unit.also_in:
            continue
        is_inside_others = is_addon(unit, context) or unit.only_joined
        (shared if is_inside_others else offered).append(entries[unit.id])
    if not faction:
        # A unit of several factions is here once, and each of them links to it.
        shared += [entries[unit.id] for unit in context.pack.units if unit.also_in]
    offered += build_guest_links(faction, context.pack)
    offered += [build_deck(deck, context) for deck in context.pack.decks if deck.faction == faction]
    return tuple(offered), tuple(shared)


def _describe_decks(faction: str, context: CompileContext) -> tuple[Deck, ...]:
    return tuple(describe_deck(deck, context) for deck in context.pack.decks if deck.faction == faction)


def _list_unchecked(faction: str, context: CompileContext) -> Iterator[Unchecked]:
    for unit in context.pack.units:
        if faction not in list_home_factions(unit):
            continue
        for note in unit.unchecked:
            yield Unchecked(
                code=note.code,
                text=note.text,
                subject_id=unit.id,
                citation=note.cite or unit.cite,
                excused_from=note.rule if note.is_exception else "",
            )
        if unit.provisional:
            yield Unchecked(code=PROVISIONAL, text=unit.provisional, subject_id=unit.id, citation=unit.cite)


def _build_cost_types(context: CompileContext) -> Iterator[CostType]:
    for syntax in context.pack.costs.values():
        yield CostType(
            id=syntax.id,
            name=syntax.name,
            default_limit=syntax.default,
            presets=syntax.presets,
            follows=context.index.find_id(syntax.limit_by.cost, "cost") if syntax.limit_by else "",
            steps=syntax.limit_by.steps if syntax.limit_by else (),
            hidden=syntax.derived is not None,
            rule=syntax.text.rule,
            rule_name=syntax.text.name,
            rule_text=syntax.text.text,
            citation=syntax.text.cite,
        )
    yield CostType(id=MODELS, name="Models", hidden=True)
    if context.counts_weapons:
        yield CostType(id=WEAPONS, name="Weapons", hidden=True)


def _build_categories(context: CompileContext) -> Iterator[Category]:
    pack = context.pack
    for unit_type in pack.types.values():
        yield Category(id=unit_type.id, name=unit_type.name, emblem=unit_type.emblem)
    for keyword in pack.keywords.values():
        yield Category(id=make_keyword_id(keyword.id), name=keyword.name)
    yield Category(id=UNITS, name="Units", hidden=True)
    yield from build_commander_categories(context)
    for set_syntax in pack.sets:
        yield Category(id=make_set_id(set_syntax.id), name=set_syntax.name, hidden=True)
    for ability in pack.abilities:
        if make_ability_id(ability.id) in context.counted_abilities:
            yield Category(id=make_ability_id(ability.id), name=ability.name, hidden=True)
    if pack.decks:
        yield Category(id=CARDS, name="Cards", hidden=True)
    for faction in pack.factions.values():
        yield Category(id=make_faction_category(faction.id), name=faction.name, hidden=True)


def _build_one_faction_limits(context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    for number, one_faction in enumerate(context.pack.one_faction):
        text = one_faction.text
        around = build_guard(one_faction.when, origin)
        # The first rule has no number, because stored verdicts contain its id.
        suffix = f"-{number + 1}" if number else ""
        for faction in context.pack.factions:
            other_army = Condition(operator=Operator.LESS_THAN, query=query_army(faction), value=1)
            when = Guard(conditions=(other_army,), guards=(around,) if around else ())
            count = Query(scope=Scope.ROSTER, child_id=make_faction_category(faction), deep=True)
            constraint_id = f"roster#one-faction{suffix}-{faction}"
            yield context.build_constraint(constraint_id, Bound.MAX, 0, text, text.cite, count, when)
