"""Compile overlays, with a prototype for each type's units."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from catalogue.definitions.constraints import Constraint, rewrite_queries
from catalogue.definitions.overlays import LeaderCorrection, NameSet, Overlay, OverlayUnitType, Remark
from catalogue.definitions.queries import Query
from catalogue.documents.problems import Problems
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.name_index import NameIndex, make_set_id
from catalogue.formats.packs.compile.rules import build_rule, build_unit_rules
from catalogue.formats.packs.compile.sets_and_figures import build_set_modifiers
from catalogue.formats.packs.compile.shared_infos import SharedInfos
from catalogue.formats.packs.features.common_keyword.compile import build_named_common_keyword
from catalogue.formats.packs.features.overlays.syntax import OverlaySyntax
from catalogue.formats.packs.syntax.base import Reference
from catalogue.formats.packs.syntax.declarations import SetSyntax
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.rules import RuleSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax

PROTOTYPE = "any "


def build_overlays(pack: PackSyntax, problems: Problems) -> tuple[Overlay, ...]:
    return tuple(_build_overlay(syntax, pack, problems) for syntax in pack.overlays)


def _build_overlay(overlay: OverlaySyntax, pack: PackSyntax, problems: Problems) -> Overlay:
    context = _make_context(overlay, pack, problems)
    named_sets = {set_syntax.id: set_syntax for set_syntax in pack.sets if _is_made_from_names(set_syntax)}
    origin = QueryOrigin(context.index, scope="roster", owner="roster")
    constraints: list[Constraint] = []
    for rule in context.pack.rules:
        if rule.scope == "roster" and not _is_made_for(rule, named_sets):
            constraints += build_rule(rule, context, origin)
    return Overlay(
        id=overlay.id,
        name=overlay.name,
        over=overlay.over,
        text=overlay.text,
        costs=_pair_names(overlay.costs, "cost", context),
        keywords=_pair_names(overlay.keywords, "keyword", context),
        faction_keywords=overlay.faction_keywords,
        kinds=tuple(_build_kind(name, called, context) for name, called in overlay.types),
        families=tuple(_build_family(set_syntax, context, origin) for set_syntax in named_sets.values()),
        constraints=tuple(constraints),
        common=build_named_common_keyword(overlay.common, context) if overlay.common else None,
        broad=overlay.broad,
        leaders=tuple(
            LeaderCorrection(unit=one.unit, leads=one.leads, beside=one.beside, support=one.support)
            for one in overlay.leaders
        ),
        unchecked=tuple(Remark(code=note.code, text=note.text, citation=note.cite) for note in overlay.unchecked),
        citation=overlay.cite,
    )


def _pair_names(pairs: tuple[tuple[Reference, str], ...], kind: str, context: CompileContext) -> dict[str, str]:
    names: dict[str, str] = {}
    for reference, name_there in pairs:
        own_id = context.index.find_id(reference, kind)
        if own_id:
            names[own_id] = name_there
    return names


def _make_context(overlay: OverlaySyntax, pack: PackSyntax, problems: Problems) -> CompileContext:
    prototypes = tuple(
        UnitSyntax(
            id=PROTOTYPE + make_id(name.text),
            name=name.text,
            where=name.where,
            cite=overlay.cite,
            file=name.where.file,
            type=name,
        )
        for name, _ in overlay.types
    )

    rule_ids = {rule.id for rule in pack.rules}
    for name in overlay.without:
        if name.text not in rule_ids:
            problems.add(name.where, "unknown-name", f"The pack has no rule “{name.text}”.")
    # A rule may occur once for each battle size.
    left_out = {name.text for name in overlay.without}
    rules = [rule for rule in pack.rules if rule.id not in left_out]

    # Only the other data knows the units.
    sets = tuple(
        replace(set_syntax, of=(), called=(), also_in=(), alike=None) if _is_made_from_names(set_syntax) else set_syntax
        for set_syntax in pack.sets
    )
    changed = replace(pack, units=prototypes, rules=(*rules, *overlay.rules), sets=sets)
    # The pack's own index already reports its mistakes.
    index = NameIndex(changed, Problems())
    index.problems = problems
    return CompileContext(pack=changed, index=index, infos=SharedInfos(changed, index), problems=problems)


def _is_made_from_names(set_syntax: SetSyntax) -> bool:
    return bool(set_syntax.called or set_syntax.alike)


def _build_kind(name: Reference, called: tuple[str, ...], context: CompileContext) -> OverlayUnitType:
    unit = context.index.units[PROTOTYPE + make_id(name.text)]
    origin = QueryOrigin(context.index, scope="unit", owner="unit", unit=unit)

    def count_owner(query: Query) -> Query:
        is_prototype = query.child_id == unit.id
        return msgspec.structs.replace(query, child_id=None) if is_prototype else query

    # A set without types is made from names.
    from_names = {make_set_id(set_syntax.id) for set_syntax in context.pack.sets if not set_syntax.of}
    set_ids = [modifier.value for modifier in build_set_modifiers(unit, context, origin)]
    return OverlayUnitType(
        type_id=context.index.find_id(name, "type"),
        called=called,
        sets=tuple(set_id for set_id in set_ids if set_id not in from_names),
        constraints=tuple(rewrite_queries(c, count_owner) for c in build_unit_rules(unit, context, origin)),
    )


def _build_family(set_syntax: SetSyntax, context: CompileContext, origin: QueryOrigin) -> NameSet:
    rules = [rule for rule in context.pack.rules if _is_made_for(rule, {set_syntax.id: set_syntax})]
    name = Reference(set_syntax.id, set_syntax.where)
    constraints: list[Constraint] = []
    for rule in rules:
        constraints += build_rule(replace(rule, for_each=(name,), mixed=False), context, origin)
    family = NameSet(
        id=make_set_id(set_syntax.id),
        name=set_syntax.name,
        within=tuple(make_id(named.text) for named in set_syntax.of),
        called=tuple(named.text for named in set_syntax.called),
        also_in=tuple(named.text for named in set_syntax.also_in),
        mixed=any(rule.mixed for rule in rules),
        constraints=tuple(constraints),
    )
    alike = set_syntax.alike
    if alike is None:
        return family
    return msgspec.structs.replace(
        family, of=_get_keyword_name(alike.of, context), to=_get_keyword_name(alike.to, context), strike=alike.strike
    )


def _is_made_for(rule: RuleSyntax, sets: Mapping[str, SetSyntax]) -> bool:
    return any(make_id(name.text) in sets for name in rule.for_each)


def _get_keyword_name(reference: Reference, context: CompileContext) -> str:
    syntax = context.pack.keywords.get(make_id(reference.text))
    return syntax.name if syntax else reference.text
