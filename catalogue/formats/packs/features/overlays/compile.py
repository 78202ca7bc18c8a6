"""Overlays as definitions: the pack's rules made for units that it does not know, by their types.

For each type a prototype stands for its units, so that the rules are built just as they are for the pack's own.
"""

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from catalogue.definitions.constraints import CommonCategory, Constraint
from catalogue.definitions.overlays import NameSet, Overlay, OverlayUnitType, Remark
from catalogue.definitions.queries import Query
from catalogue.definitions.rewrite_queries import rewrite_queries
from catalogue.definitions.rule_codes import RuleCode
from catalogue.documents.problems import Problems
from catalogue.formats.packs.compile.builtin_rule_words import build_rule_words
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.name_index import UNITS, NameIndex, Target, make_keyword_id, make_set_id
from catalogue.formats.packs.compile.rules import build_rule, build_unit_rules
from catalogue.formats.packs.compile.sets_and_figures import build_set_modifiers
from catalogue.formats.packs.compile.shared_infos import SharedInfos
from catalogue.formats.packs.syntax.base import Reference, RuleSyntax
from catalogue.formats.packs.syntax.game import CommonKeywordSyntax, OverlaySyntax, PackSyntax, SetSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax

PROTOTYPE = "any "


def build_overlays(forms: PackSyntax, problems: Problems) -> tuple[Overlay, ...]:
    """The overlays of a pack, from its forms as they were read: sets of names are not resolved yet."""
    return tuple(_build_overlay(form, forms, problems) for form in forms.overlays)


def _build_overlay(form: OverlaySyntax, forms: PackSyntax, problems: Problems) -> Overlay:
    context = _make_context(form, forms, problems)
    families = {set_form.id: set_form for set_form in forms.sets if set_form.called or set_form.alike}
    origin = QueryOrigin(context.index, scope="roster", owner="roster")
    plain = [
        rule for rule in context.forms.rules if rule.scope == "roster" and not is_made_for(rule, families)
    ]
    return Overlay(
        id=form.id,
        name=form.name,
        over=form.over,
        text=form.text,
        costs={
            target.id: there for name, there in form.costs if (target := _find_target(name, "cost", context))
        },
        keywords={
            target.id: there
            for name, there in form.keywords
            if (target := _find_target(name, "keyword", context))
        },
        faction_keywords=form.faction_keywords,
        kinds=tuple(_build_kind(name, called, context) for name, called in form.types),
        families=tuple(_build_family(set_form, context, origin) for set_form in families.values()),
        constraints=tuple(c for rule in plain for c in build_rule(rule, context, origin)),
        common=_build_common(form.common, context) if form.common else None,
        broad=form.broad,
        unchecked=tuple(Remark(code=code, text=text, citation=cite) for code, text, cite in form.unchecked),
        citation=form.cite,
    )


def _make_context(form: OverlaySyntax, forms: PackSyntax, problems: Problems) -> CompileContext:
    """A workshop whose only units are the prototypes, and in which sets of names stand for themselves."""
    left_out = {name.text for name in form.without}
    changed = replace(
        forms,
        units=[_make_prototype(name, form) for name, _ in form.types],
        rules=[*(rule for rule in forms.rules if rule.id not in left_out), *form.rules],
        sets=[
            replace(set_form, of=(), called=(), also_in=(), alike=None) if is_named(set_form) else set_form
            for set_form in forms.sets
        ],
    )
    unknown = left_out - {rule.id for rule in forms.rules}
    for name in form.without:
        if name.text in unknown:
            problems.add(name.where, "unknown-name", f"The pack has no rule “{name.text}”.")
    index = NameIndex(changed, Problems())
    index.problems = problems
    return CompileContext(changed, index, SharedInfos(changed, index), problems)


def is_named(set_form: SetSyntax) -> bool:
    return bool(set_form.called or set_form.alike)


def _make_prototype(name: Reference, form: OverlaySyntax) -> UnitSyntax:
    return UnitSyntax(
        id=PROTOTYPE + make_id(name.text),
        name=name.text,
        where=name.where,
        cite=form.cite,
        faction="",
        file=name.where.file,
        type=name,
    )


def _build_kind(name: Reference, called: tuple[str, ...], context: CompileContext) -> OverlayUnitType:
    unit = context.index.units[PROTOTYPE + make_id(name.text)]
    origin = QueryOrigin(context.index, scope="unit", owner="unit", unit=unit)
    named = {make_set_id(set_form.id) for set_form in context.forms.sets if not set_form.of}
    sets = (modifier.value for modifier in build_set_modifiers(unit, context, origin))

    def own(query: Query) -> Query:
        is_unit = query.child_id == unit.id
        return msgspec.structs.replace(query, child_id=None) if is_unit else query

    target = _find_target(name, "type", context)
    return OverlayUnitType(
        type_id=target.id if target else "",
        called=called,
        sets=tuple(set_id for set_id in sets if set_id not in named),
        constraints=tuple(rewrite_queries(c, own) for c in build_unit_rules(unit, context, origin)),
    )


def _build_family(set_form: SetSyntax, context: CompileContext, origin: QueryOrigin) -> NameSet:
    mine = [rule for rule in context.forms.rules if is_made_for(rule, {set_form.id: set_form})]
    name = Reference(set_form.id, set_form.where)
    alike = set_form.alike
    return NameSet(
        id=make_set_id(set_form.id),
        name=set_form.name,
        within=tuple(make_id(kind.text) for kind in set_form.of),
        called=tuple(called.text for called in set_form.called),
        also_in=tuple(unit.text for unit in set_form.also_in),
        of=_get_keyword_name(alike.of, context) if alike else "",
        to=_get_keyword_name(alike.to, context) if alike else "",
        strike=alike.strike if alike else (),
        mixed=any(rule.mixed for rule in mine),
        constraints=tuple(_build_constraints(mine, name, context, origin)),
    )


def _build_constraints(
    rules: list[RuleSyntax], name: Reference, context: CompileContext, origin: QueryOrigin
) -> Iterator[Constraint]:
    for rule in rules:
        yield from build_rule(replace(rule, for_each=(name,), mixed=False), context, origin)


def is_made_for(rule: RuleSyntax, families: dict[str, SetSyntax]) -> bool:
    return any(make_id(name.text) in families for name in rule.for_each)


def _get_keyword_name(named: Reference, context: CompileContext) -> str:
    form = context.forms.keywords.get(make_id(named.text))
    return form.name if form else named.text


def _build_common(form: CommonKeywordSyntax, context: CompileContext) -> CommonCategory:
    """What units share, by the names of faction keywords: which there are, the data says."""
    barred = (context.index.find_target(name, None, ("keyword",)) for name in form.barred)
    called = {
        make_keyword_id(keyword_id): keyword.name
        for keyword_id, keyword in context.forms.faction_keywords.items()
    }
    return CommonCategory(
        of=(),
        unshared=build_rule_words(RuleCode.NO_COMMON_CATEGORY, form.unshared),
        among=UNITS,
        barred=tuple(called[target.id] for target in barred if target and target.id in called),
        barred_only=build_rule_words(RuleCode.NO_COMMON_CATEGORY, form.barred_only)
        if form.barred_only
        else None,
    )


def _find_target(name: Reference, kind: str, context: CompileContext) -> Target | None:
    return context.index.find_target(name, None, (kind,))
