"""From the forms of a pack to its definitions: one game system, one catalogue for each faction."""

from collections.abc import Iterator

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet, Unchecked
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.decks import CARDS, Deck
from catalogue.definitions.entries import Category, CostType, Entry
from catalogue.definitions.queries import Bound, Condition, Guard, Operator, Query, Scope
from catalogue.formats.packs.compile.addons import check_addons, is_addon
from catalogue.formats.packs.compile.builtin_rule_words import common, game_rulings
from catalogue.formats.packs.compile.checks import check_forms
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.decks import build_deck, check_cards, described
from catalogue.formats.packs.compile.derived_sets import resolve_sets
from catalogue.formats.packs.compile.derived_unit_fields import gather
from catalogue.formats.packs.compile.detachments import build_force
from catalogue.formats.packs.compile.expressions import QueryOrigin, guard_of
from catalogue.formats.packs.compile.game_plan import planned_words, planning
from catalogue.formats.packs.compile.multi_faction_units import check_guests, guest_links, homes
from catalogue.formats.packs.compile.name_index import (
    MODELS,
    UNITS,
    WEAPONS,
    Index,
    ability_id,
    faction_category,
    keyword_id,
    set_id,
)
from catalogue.formats.packs.compile.parts import build_part
from catalogue.formats.packs.compile.referenced_names import nouns
from catalogue.formats.packs.compile.rulebook import rulebook
from catalogue.formats.packs.compile.rules import build_rule
from catalogue.formats.packs.compile.sets_and_figures import figures
from catalogue.formats.packs.compile.shared_infos import Infos, profile_type
from catalogue.formats.packs.compile.unit_state_conditions import army_of
from catalogue.formats.packs.compile.units import build_addon, build_unit
from catalogue.formats.packs.compile.withheld_units import withheld_words
from catalogue.formats.packs.features.allowances.slots import Places
from catalogue.formats.packs.features.commander.compile import (
    add_leave_options,
    asked_commanders,
    command,
    command_categories,
    command_words,
)
from catalogue.formats.packs.features.missions.compile import missions, play_book
from catalogue.formats.packs.features.overlays.compile import overlays
from catalogue.formats.packs.forms.game import DetachmentForm, Forms
from catalogue.formats.packs.forms.units import UnitForm
from catalogue.formats.packs.pack import Pack
from catalogue.formats.packs.problems import Problems

PROVISIONAL = "provisional"


def build(forms: Forms, pack: Pack, problems: Problems) -> DataSet:
    """The definitions of a pack; whatever names something that does not exist is reported and left out."""
    gather(forms)
    add_leave_options(forms)
    laid = overlays(forms, problems)
    families = resolve_sets(forms)
    index = Index(forms, problems)
    context = CompileContext(forms, index, Infos(forms, index), problems, families=families, overlays=laid)
    asked = set(nouns(forms))
    context.counts_weapons = WEAPONS in asked
    context.counted_abilities = {
        ability_id(form.id) for form in forms.abilities if f"{form.id}-ability" in asked
    }
    context.commanders = set(asked_commanders(asked, context))
    places = Places(context)
    check_forms(context)
    check_addons(context)
    check_guests(context)
    check_cards(context)
    entries = {unit.id: _unit(unit, context) for unit in forms.units}
    group_categories, group_of = places.marks()
    for own, link in group_of.items():
        entry = entries[own]
        entries[own] = msgspec.structs.replace(entry, categories=(*entry.categories, link))
    system = _game_system(pack, context, places, entries, group_categories)
    factions = tuple(
        _faction(own, form.name, context, places, entries) for own, form in forms.factions.items()
    )
    return DataSet(catalogues=(system, *factions))


def _unit(unit: UnitForm, context: CompileContext) -> Entry:
    return build_addon(unit, context) if is_addon(unit, context) else build_unit(unit, context)


def _game_system(
    pack: Pack,
    context: CompileContext,
    places: Places,
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
    own = _of_faction("", context, entries)
    return Catalogue(
        id=pack.id,
        name=pack.game,
        kind=CatalogueKind.GAME_SYSTEM,
        revision=pack.version,
        publications=pack.books,
        cost_types=(*_cost_types(context), *places.cost_types()),
        profile_types=tuple(profile_type(table) for table in forms.tables.values()),
        categories=(*_categories(context), *group_categories),
        forces=forces,
        entries=own[0],
        decks=_decks("", context),
        shared_entries=(*own[1], *lists),
        shared_infos=tuple(context.infos.shared.values()),
        constraints=(*rules, *_one_faction(context)),
        words=(
            *game_rulings(forms),
            *command_words(forms),
            *withheld_words(context),
            *planned_words(context),
        ),
        common=common(forms.common, context),
        command=command(context),
        figures=tuple(figures(context)),
        rulebook=rulebook(context),
        specials=tuple(forms.play.specials),
        missions=missions(context),
        play=play_book(context),
        planning=planning(context),
        unchecked=tuple(
            Unchecked(code=code, text=text, citation=cite) for code, text, cite in forms.unchecked
        ),
        overlays=context.overlays,
    )


def _faction(
    faction: str, name: str, context: CompileContext, places: Places, entries: dict[str, Entry]
) -> Catalogue:
    offered, shared = _of_faction(faction, context, entries)
    detachments = [form for form in context.forms.detachments if _is_of(form, faction, context)]
    return Catalogue(
        id=faction,
        name=name,
        kind=CatalogueKind.FACTION,
        forces=tuple(build_force(form, context, places) for form in detachments),
        entries=offered,
        decks=_decks(faction, context),
        shared_entries=shared,
        unchecked=tuple(_unchecked(faction, context)),
    )


def _is_of(form: DetachmentForm, faction: str, context: CompileContext) -> bool:
    targets = [context.index.target(name, None, ("faction",)) for name in form.factions]
    return any(target and target.id == faction for target in targets)


def _of_faction(
    faction: str, context: CompileContext, entries: dict[str, Entry]
) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """What a faction offers, and the add-ons that its units link to. A blank faction is all of them."""
    units = [unit for unit in context.forms.units if unit.faction == faction and not unit.also_in]
    inside = [unit for unit in units if is_addon(unit, context) or unit.only_joined]
    offered = [entries[unit.id] for unit in units if unit not in inside]
    offered += guest_links(faction, context)
    offered += [build_deck(deck, context) for deck in context.forms.decks if deck.faction == faction]
    inside += [] if faction else [unit for unit in context.forms.units if unit.also_in and unit not in inside]
    return tuple(offered), tuple(entries[unit.id] for unit in inside)


def _decks(faction: str, context: CompileContext) -> tuple[Deck, ...]:
    return tuple(described(deck, context) for deck in context.forms.decks if deck.faction == faction)


def _unchecked(faction: str, context: CompileContext) -> Iterator[Unchecked]:
    for unit in context.forms.units:
        if faction in homes(unit):
            for text in unit.unchecked:
                yield Unchecked(code="not-checked", text=text, subject_id=unit.id, citation=unit.cite)
            if unit.provisional:
                yield Unchecked(
                    code=PROVISIONAL, text=unit.provisional, subject_id=unit.id, citation=unit.cite
                )


def _cost_types(context: CompileContext) -> Iterator[CostType]:
    for form in context.forms.costs.values():
        leading = context.index.target(form.follows, None, ("cost",)) if form.follows else None
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


def _categories(context: CompileContext) -> Iterator[Category]:
    """Types in their order, keywords, and the hidden sets that rules count."""
    forms = context.forms
    for form in forms.types.values():
        yield Category(id=form.id, name=form.name)
    for form in forms.keywords.values():
        yield Category(id=keyword_id(form.id), name=form.name)
    yield Category(id=UNITS, name="Units", hidden=True)
    yield from command_categories(context)
    for each in forms.sets:
        yield Category(id=set_id(each.id), name=each.name, hidden=True)
    for ability in forms.abilities:
        if ability_id(ability.id) in context.counted_abilities:
            yield Category(id=ability_id(ability.id), name=ability.name, hidden=True)
    if forms.decks:
        yield Category(id=CARDS, name="Cards", hidden=True)
    for form in forms.factions.values():
        yield Category(id=faction_category(form.id), name=form.name, hidden=True)


def _one_faction(context: CompileContext) -> Iterator[Constraint]:
    """No list holds units of a faction that it is not of itself."""
    for number, (text, held) in enumerate(context.forms.one_faction):
        around = guard_of(held, QueryOrigin(context.index, scope="roster", owner="roster"))
        suffix = f"-{number + 1}" if number else ""
        for faction in context.forms.factions:
            other = Condition(operator=Operator.LESS_THAN, query=army_of(faction), value=1)
            when = Guard(conditions=(other,), guards=(around,) if around else ())
            count = Query(scope=Scope.ROSTER, child_id=faction_category(faction), deep=True)
            own = f"roster#one-faction{suffix}-{faction}"
            yield context.made(own, Bound.MAX, 0, text, text.cite, count, when)
