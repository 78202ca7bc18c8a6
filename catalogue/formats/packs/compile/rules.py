"""Compile rules, and the wording of built-in rules."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import msgspec

from catalogue.definitions.constraints import Constraint, RuleWords, Stage
from catalogue.definitions.entries import CARDS
from catalogue.definitions.queries import Guard, Query
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import (
    POINTS_WORD,
    SAME_UNIT,
    QueryOrigin,
    build_guard,
    build_query,
    count_unseen,
    is_asking_plan,
    walk_questions,
)
from catalogue.formats.packs.compile.name_index import make_keyword_id
from catalogue.formats.packs.features.sets_by_name.compile import build_mixed_guard, is_stand_in
from catalogue.formats.packs.syntax.base import BoundSyntax, Reference, RuleText
from catalogue.formats.packs.syntax.detachments import DetachmentSyntax
from catalogue.formats.packs.syntax.expressions import SumExpression, SumTerm
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.rules import ADD_ONS, FOREIGN, NARROWED, PLACEMENT_RULES, UNITS, RuleSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax


def build_rule(rule: RuleSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    # A set made from names becomes several.
    subjects: list[Reference | None] = [] if rule.for_each else [None]
    for named in rule.for_each:
        subjects += context.derived_sets.get(make_id(named.text), (named,))
    for subject in subjects:
        yield from _build_rule_for(subject, rule, context, origin)


def _build_rule_for(
    subject: Reference | None, rule: RuleSyntax, context: CompileContext, origin: QueryOrigin
) -> Iterator[Constraint]:
    subject_origin = replace(origin, each_name=subject.text if subject else "")
    query, bounds = _move_to_bounds(rule, context, subject_origin)
    if query is None:
        return
    if rule.stage is Stage.LIST and is_asking_plan(rule, subject_origin):
        message, mend = "The rule asks for the game plan, which no list has.", "Add `stage: setup` or `stage: match`."
        context.problems.add(rule.where, "no-effect", message, mend)

    when = build_guard(rule.when, subject_origin)
    if rule.mixed and subject:
        mixed = build_mixed_guard(subject, context.pack.sets)
        when = Guard(guards=(when, mixed)) if when else mixed

    # Stored verdicts contain these ids, so they come from the pack's words and never from a position.
    owner_id = origin.unit.id if origin.unit else origin.owner
    prefix = f"{owner_id}#{rule.id.split('/')[-1]}"
    if subject:
        prefix += f"-{make_id(subject.text)}"
    for bound in bounds:
        constraint_id = f"{prefix}-{bound.bound}" if len(bounds) > 1 else prefix
        constraint = context.build_bounded_constraint(constraint_id, bound, query, rule.text, subject_origin, when)
        yield msgspec.structs.replace(constraint, stage=rule.stage)


def build_unit_rules(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    """Yield a unit's rules, and the pack's rules about it.

    Stand-ins for other units are not counted as the same unit.
    """
    is_nobody = is_stand_in(unit, context.pack.sets)
    about_unit = [
        rule for rule in context.pack.rules if rule.scope == "unit" and context.index.is_about_unit(rule.of, unit)
    ]
    for rule in (*unit.rules, *about_unit):
        counts_same_unit = any(make_id(ask.noun) == SAME_UNIT for ask in walk_questions(rule.count))
        # “One of each unit” would forbid two choices from one entry.
        if not (is_nobody and counts_same_unit):
            yield from build_rule(rule, context, origin)


def build_rules(rules: Iterable[RuleSyntax], context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    for rule in rules:
        yield from build_rule(rule, context, origin)


def _check_count(rule: RuleSyntax, context: CompileContext) -> None:
    where, counted = rule.count.where, rule.count.summands
    if not counted:
        mend = "Write what to count, as `core`."
        context.problems.add(where, "wrong-form", "Nothing is counted here.", mend)
    elif counted[0].coefficient != 1:
        mend = "Begin with a thing that counts once, as `light + 2 x heavy`."
        context.problems.add(where, "wrong-form", "The first thing counted has a factor.", mend)
    elif rule.for_each and not any(POINTS_WORD.search(ask.noun) for ask in walk_questions(rule)):
        message = "The rule is made for each of several, but asks for none."
        context.problems.add(where, "no-effect", message, "Ask for `each`, or remove `for each:`.")


def _move_to_bounds(
    rule: RuleSyntax, context: CompileContext, origin: QueryOrigin
) -> tuple[Query | None, list[BoundSyntax]]:
    """Query the first count, and move the others into the bounds."""
    _check_count(rule, context)
    if not rule.count.summands:
        return None, []
    first, *rest = rule.count.summands
    query = build_query(first.ask, origin)
    # The constant, and the owner itself, lower the bound like other counts.
    constant = rule.count.constant + (count_unseen(query, origin) if query else 0)
    moved = [SumTerm(-summand.coefficient, summand.ask) for summand in rest]
    bounds = []
    for bound in rule.bounds:
        total = SumExpression(bound.sum.constant - constant, (*bound.sum.summands, *moved), bound.sum.where)
        bounds.append(BoundSyntax(bound=bound.bound, sum=total))
    return query, bounds


# ---- words of rules that the engine judges by itself ----------------------------------------------------------------

ADD_ON_HOSTS = "add-on-hosts"
FOREIGN_SUBJECTS = {"foreign unit": UNITS, "foreign card": CARDS}
"""Rules about foreign entries of no single type."""


def build_rule_words(code: str, text: RuleText, of: str = "", place: str = "") -> RuleWords:
    return RuleWords(
        code=str(code),
        of=of,
        place=place,
        rule=text.rule,
        name=text.name,
        text=text.text,
        citation=text.cite,
        severity=text.severity,
    )


def build_game_rule_words(pack: PackSyntax) -> Iterator[RuleWords]:
    """Word the whole game's rules.

    A foreign entry breaks the “one faction” rule if the pack words it, otherwise the rule of the common keyword.
    """
    yield from _build_placement_words(pack.texts, pack)
    if pack.one_faction:
        yield from _build_foreign_words(pack.one_faction[0].text, pack)
    elif pack.common:
        yield from _build_foreign_words(pack.common.unshared, pack)
    texts = dict(pack.shown)
    for subject, text in texts.items():
        yield build_rule_words(RuleCode.MISSING_FROM_WRITTEN_LIST, text, subject)
    if ADD_ON_HOSTS in texts:
        # The list does not say which of several possible hosts has the add-on.
        for type_id in sorted(pack.addon_types):
            yield build_rule_words(RuleCode.WRONG_PLACE, texts[ADD_ON_HOSTS], type_id, "hosts")


def build_detachment_rule_words(detachment: DetachmentSyntax, pack: PackSyntax) -> Iterator[RuleWords]:
    """Word a detachment kind's rules, which take precedence over the game's."""
    yield from _build_placement_words(detachment.texts, pack)
    if detachment.common and not pack.one_faction:
        yield from _build_foreign_words(detachment.common.unshared, pack)


def _build_placement_words(texts: Mapping[str, RuleText], pack: PackSyntax) -> Iterator[RuleWords]:
    for name, text in texts.items():
        if name.startswith(FOREIGN):
            subject = FOREIGN_SUBJECTS.get(name) or make_id(name.removeprefix(FOREIGN))
            yield build_rule_words(RuleCode.FOREIGN_ENTRY, text, subject)
    # The engine takes the first match, so the most specific comes first.
    for rule in PLACEMENT_RULES:
        prefix = rule.name + NARROWED
        for name, text in texts.items():
            if name.startswith(prefix):
                kind = make_id(name.removeprefix(prefix))
                subject = kind if kind in pack.types else make_keyword_id(kind)
                yield build_rule_words(rule.code, text, subject, rule.place)
    for rule in PLACEMENT_RULES:
        if rule.name in texts:
            # The engine does not know which types are add-ons.
            subjects = sorted(pack.addon_types) if rule.subject == ADD_ONS else [rule.subject]
            for subject in subjects:
                yield build_rule_words(rule.code, texts[rule.name], subject, rule.place)
    if "unknown option" in texts:
        yield build_rule_words(RuleCode.FOREIGN_ENTRY, texts["unknown option"], place="selection")


def _build_foreign_words(text: RuleText, pack: PackSyntax) -> Iterator[RuleWords]:
    for type_id in (UNITS, *sorted(pack.addon_types)):
        yield build_rule_words(RuleCode.FOREIGN_ENTRY, text, type_id)
    yield build_rule_words(RuleCode.FOREIGN_ENTRY, text, place="force")
