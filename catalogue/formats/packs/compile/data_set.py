"""From the forms of a pack to its definitions: one game system, one catalogue for each faction."""

from collections.abc import Iterator

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet, Unchecked
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.decks import CARDS, Deck
from catalogue.definitions.entries import Category, CostType, Entry
from catalogue.definitions.queries import Bound, Condition, Guard, Operator, Query, Scope
from catalogue.documents.problems import Problems
from catalogue.formats.packs.compile.addons import check_addons, is_addon
from catalogue.formats.packs.compile.builtin_rule_words import build_common, build_game_rule_words
from catalogue.formats.packs.compile.checks import check_forms
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.decks import build_deck, check_cards, describe_deck
from catalogue.formats.packs.compile.derived_sets import resolve_sets
from catalogue.formats.packs.compile.derived_unit_fields import complete_units
from catalogue.formats.packs.compile.detachments import build_force
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard
from catalogue.formats.packs.compile.game_plan import build_plan_rule_words, build_planning
from catalogue.formats.packs.compile.multi_faction_units import (
    build_guest_links,
    check_guests,
    list_home_factions,
)
from catalogue.formats.packs.compile.name_index import (
    MODELS,
    UNITS,
    WEAPONS,
    NameIndex,
    make_ability_id,
    make_faction_category,
    make_keyword_id,
    make_set_id,
)
from catalogue.formats.packs.compile.parts import build_part
from catalogue.formats.packs.compile.referenced_names import walk_nouns
from catalogue.formats.packs.compile.rulebook import build_rulebook
from catalogue.formats.packs.compile.rules import build_rule
from catalogue.formats.packs.compile.sets_and_figures import build_figures
from catalogue.formats.packs.compile.shared_infos import SharedInfos, build_profile_type
from catalogue.formats.packs.compile.unit_state_conditions import query_army
from catalogue.formats.packs.compile.units import build_addon, build_unit
from catalogue.formats.packs.compile.withheld_units import build_withheld_rule_words
from catalogue.formats.packs.features.allowances.slots import AllowanceSlots
from catalogue.formats.packs.features.commander.compile import (
    add_leave_options,
    build_command,
    build_commander_categories,
    build_leave_rule_words,
    find_named_commanders,
)
from catalogue.formats.packs.features.missions.compile import build_missions, build_play_book
from catalogue.formats.packs.features.overlays.compile import build_overlays
from catalogue.formats.packs.pack import Pack
from catalogue.formats.packs.syntax.game import DetachmentSyntax, PackSyntax
from catalogue.formats.packs.syntax.units import UnitSyntax

PROVISIONAL = "provisional"


def compile_data_set(forms: PackSyntax, pack: Pack, problems: Problems) -> DataSet:
    """The definitions of a pack; whatever names something that does not exist is reported and left out."""
    complete_units(forms)
    add_leave_options(forms)
    overlays = build_overlays(forms, problems)
    families = resolve_sets(forms)
    index = NameIndex(forms, problems)
    context = CompileContext(
        forms, index, SharedInfos(forms, index), problems, families=families, overlays=overlays
    )
    asked = set(walk_nouns(forms))
    context.counts_weapons = WEAPONS in asked
    context.counted_abilities = {
        make_ability_id(form.id) for form in forms.abilities if f"{form.id}-ability" in asked
    }
    context.commanders = set(find_named_commanders(asked, context))
    places = AllowanceSlots(context)
    check_forms(context)
    check_addons(context)
    check_guests(context)
    check_cards(context)
    entries = {unit.id: _build_unit_entry(unit, context) for unit in forms.units}
    group_categories, group_of = places.build_group_categories()
    for unit_id, link in group_of.items():
        entry = entries[unit_id]
        entries[unit_id] = msgspec.structs.replace(entry, categories=(*entry.categories, link))
    system = _build_game_system(pack, context, places, entries, group_categories)
    factions = tuple(
        _build_faction(faction_id, form.name, context, places, entries)
        for faction_id, form in forms.factions.items()
    )
    return DataSet(catalogues=(system, *factions))


def _build_unit_entry(unit: UnitSyntax, context: CompileContext) -> Entry:
    return build_addon(unit, context) if is_addon(unit, context) else build_unit(unit, context)


def _build_game_system(
    pack: Pack,
    context: CompileContext,
    places: AllowanceSlots,
    entries: dict[str, Entry],
    group_categories: list[Category],
) -> Catalogue:
    forms = context.forms
    forces = tuple(build_force(form, context, places) for form in forms.detachments if not form.factions)
    origin = QueryOrigin(context.index, scope="roster", owner="roster")
    rules = [c for rule in forms.rules if rule.scope == "roster" for c in build_rule(rule, context, origin)]
    lists = tuple(
        entry
        for part in forms.lists
        if (entry := build_part(part, context, QueryOrigin(context.index, scope="unit", owner="part")))
    )
    entries_of_no_faction = _list_faction_entries("", context, entries)
    return Catalogue(
        id=pack.id,
        name=pack.game,
        kind=CatalogueKind.GAME_SYSTEM,
        revision=pack.version,
        publications=pack.books,
        cost_types=(*_build_cost_types(context), *places.build_cost_types()),
        profile_types=tuple(build_profile_type(table) for table in forms.tables.values()),
        categories=(*_build_categories(context), *group_categories),
        forces=forces,
        entries=entries_of_no_faction[0],
        decks=_describe_decks("", context),
        shared_entries=(*entries_of_no_faction[1], *lists),
        shared_infos=tuple(context.infos.shared.values()),
        constraints=(*rules, *_build_one_faction_limits(context)),
        words=(
            *build_game_rule_words(forms),
            *build_leave_rule_words(forms),
            *build_withheld_rule_words(context),
            *build_plan_rule_words(context),
        ),
        common=build_common(forms.common, context),
        command=build_command(context),
        figures=tuple(build_figures(context)),
        rulebook=build_rulebook(context),
        specials=tuple(forms.play.specials),
        missions=build_missions(context),
        play=build_play_book(context),
        planning=build_planning(context),
        unchecked=tuple(
            Unchecked(code=code, text=text, citation=cite) for code, text, cite in forms.unchecked
        ),
        overlays=context.overlays,
    )


def _build_faction(
    faction: str, name: str, context: CompileContext, places: AllowanceSlots, entries: dict[str, Entry]
) -> Catalogue:
    offered, shared = _list_faction_entries(faction, context, entries)
    detachments = [form for form in context.forms.detachments if _is_of(form, faction, context)]
    return Catalogue(
        id=faction,
        name=name,
        kind=CatalogueKind.FACTION,
        forces=tuple(build_force(form, context, places) for form in detachments),
        entries=offered,
        decks=_describe_decks(faction, context),
        shared_entries=shared,
        unchecked=tuple(_list_unchecked(faction, context)),
    )


def _is_of(form: DetachmentSyntax, faction: str, context: CompileContext) -> bool:
    targets = [context.index.find_target(name, None, ("faction",)) for name in form.factions]
    return any(target and target.id == faction for target in targets)


def _list_faction_entries(
    faction: str, context: CompileContext, entries: dict[str, Entry]
) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """What a faction offers, and the add-ons that its units link to. A blank faction is all of them."""
    units = [unit for unit in context.forms.units if unit.faction == faction and not unit.also_in]
    inside = [unit for unit in units if is_addon(unit, context) or unit.only_joined]
    offered = [entries[unit.id] for unit in units if unit not in inside]
    offered += build_guest_links(faction, context)
    offered += [build_deck(deck, context) for deck in context.forms.decks if deck.faction == faction]
    inside += [] if faction else [unit for unit in context.forms.units if unit.also_in and unit not in inside]
    return tuple(offered), tuple(entries[unit.id] for unit in inside)


def _describe_decks(faction: str, context: CompileContext) -> tuple[Deck, ...]:
    return tuple(describe_deck(deck, context) for deck in context.forms.decks if deck.faction == faction)


def _list_unchecked(faction: str, context: CompileContext) -> Iterator[Unchecked]:
    for unit in context.forms.units:
        if faction in list_home_factions(unit):
            for text in unit.unchecked:
                yield Unchecked(code="not-checked", text=text, subject_id=unit.id, citation=unit.cite)
            if unit.provisional:
                yield Unchecked(
                    code=PROVISIONAL, text=unit.provisional, subject_id=unit.id, citation=unit.cite
                )


def _build_cost_types(context: CompileContext) -> Iterator[CostType]:
    for form in context.forms.costs.values():
        leading = context.index.find_target(form.follows, None, ("cost",)) if form.follows else None
        yield CostType(
            id=form.id,
            name=form.name,
            default_limit=form.default,
            presets=form.presets,
            follows=leading.id if leading else "",
            steps=form.steps,
            hidden=form.derived is not None,
            rule=form.text.rule,
            rule_name=form.text.name,
            rule_text=form.text.text,
            citation=form.text.cite,
        )
    yield CostType(id=MODELS, name="Models", hidden=True)
    if context.counts_weapons:
        yield CostType(id=WEAPONS, name="Weapons", hidden=True)


def _build_categories(context: CompileContext) -> Iterator[Category]:
    """Types in their order, keywords, and the hidden sets that rules count."""
    forms = context.forms
    for form in forms.types.values():
        yield Category(id=form.id, name=form.name)
    for form in forms.keywords.values():
        yield Category(id=make_keyword_id(form.id), name=form.name)
    yield Category(id=UNITS, name="Units", hidden=True)
    yield from build_commander_categories(context)
    for set_form in forms.sets:
        yield Category(id=make_set_id(set_form.id), name=set_form.name, hidden=True)
    for ability in forms.abilities:
        if make_ability_id(ability.id) in context.counted_abilities:
            yield Category(id=make_ability_id(ability.id), name=ability.name, hidden=True)
    if forms.decks:
        yield Category(id=CARDS, name="Cards", hidden=True)
    for form in forms.factions.values():
        yield Category(id=make_faction_category(form.id), name=form.name, hidden=True)


def _build_one_faction_limits(context: CompileContext) -> Iterator[Constraint]:
    """No list holds units of a faction that it is not of itself."""
    for number, (text, held) in enumerate(context.forms.one_faction):
        around = build_guard(held, QueryOrigin(context.index, scope="roster", owner="roster"))
        suffix = f"-{number + 1}" if number else ""
        for faction in context.forms.factions:
            other = Condition(operator=Operator.LESS_THAN, query=query_army(faction), value=1)
            when = Guard(conditions=(other,), guards=(around,) if around else ())
            count = Query(scope=Scope.ROSTER, child_id=make_faction_category(faction), deep=True)
            constraint_id = f"roster#one-faction{suffix}-{faction}"
            yield context.build_constraint(constraint_id, Bound.MAX, 0, text, text.cite, count, when)
