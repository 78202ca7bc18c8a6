"""Compile sets of units, and figures of lists."""

from collections.abc import Iterator

from catalogue.definitions.catalogues import Figure
from catalogue.definitions.entries import CategoryLink
from catalogue.definitions.queries import KNOWN, Change, Field, Modifier, Term
from catalogue.documents.problems import SourceLine
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import (
    COMMANDING,
    JOINED,
    OWN_ARMY,
    QueryOrigin,
    build_guard,
    build_query,
    build_sum,
    is_asking_plan,
    list_own_categories,
    walk_questions,
)
from catalogue.formats.packs.compile.name_index import make_ability_id, make_ids, make_set_id
from catalogue.formats.packs.syntax.base import AbilityUse
from catalogue.formats.packs.syntax.expressions import ConditionExpression
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def build_set_modifiers(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Modifier]:
    for set_syntax in context.pack.sets:
        if set_syntax.units:
            is_member = unit.id in set_syntax.units
        else:
            is_home = not set_syntax.home or bool(make_ids(set_syntax.home) & make_ids(unit.home))
            is_member = is_home and context.index.is_about_unit(set_syntax.of, unit)
        if is_member:
            _report_unanswerable(set_syntax.when, f"The set “{set_syntax.name}”", set_syntax.where, context, origin)
            guard = build_guard(set_syntax.when, origin)
            yield Modifier(change=Change.ADD, field="category", value=make_set_id(set_syntax.id), guard=guard)


def _report_unanswerable(
    when: ConditionExpression | None, what: str, where: SourceLine, context: CompileContext, origin: QueryOrigin
) -> None:
    """Report a membership condition on costs or the plan, which are not known yet.

    Model and weapon counts are costs too, because swaps change them.
    """
    for ask in walk_questions(when):
        is_state = make_id(ask.noun) in (COMMANDING, OWN_ARMY, JOINED)
        query = None if is_state else build_query(ask, origin)
        is_cost = query is not None and KNOWN not in query.field and query.field not in (Field.SELECTIONS, Field.FORCES)
        if is_cost or is_asking_plan(ask, origin):
            message = (
                f"{what} cannot depend on “{ask.noun}”: that is not known yet when it is worked out what units are."
            )
            mend = "Ask for units, types, keywords or abilities, or count it in the rule itself."
            context.problems.add(where, "unanswerable", message, mend)


def build_set_links(part: PartSyntax, context: CompileContext) -> Iterator[CategoryLink]:
    for set_syntax in context.pack.sets:
        if part.id in set_syntax.models:
            yield _build_hidden_link(part.id, make_set_id(set_syntax.id))


def build_ability_links(
    syntax: UnitSyntax | PartSyntax, owner_id: str, context: CompileContext
) -> Iterator[CategoryLink]:
    """Link counted abilities that are always there."""
    category_ids = list_own_categories(syntax) & context.counted_abilities
    if isinstance(syntax, PartSyntax):
        passing = {_make_ability_category(use) for use in syntax.abilities if use.when}
        lasting = {_make_ability_category(use) for use in syntax.abilities if not use.when}
        category_ids -= passing - lasting
    for category_id in sorted(category_ids):
        yield _build_hidden_link(owner_id, category_id)


def _make_ability_category(use: AbilityUse) -> str:
    return make_ability_id(make_id(use.name.text))


def _build_hidden_link(owner_id: str, category_id: str) -> CategoryLink:
    return CategoryLink(id=f"{owner_id}@{category_id}", target_id=category_id, hidden=True)


def build_ability_modifiers(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Modifier]:
    """Add counted abilities under a condition."""
    for use in part.abilities:
        category_id = _make_ability_category(use)
        if use.when and category_id in context.counted_abilities:
            what = f"“{use.name.text}”, which rules count,"
            _report_unanswerable(use.when, what, use.name.where, context, origin)
            guard = build_guard(use.when, origin)
            yield Modifier(change=Change.ADD, field="category", value=category_id, guard=guard)


def build_figures(context: CompileContext) -> Iterator[Figure]:
    origin = QueryOrigin(context.index, scope="roster", owner="roster")
    for syntax in context.pack.figures:
        value, terms = build_sum(syntax.count, origin)
        if not terms:
            continue
        first, *rest = terms
        if first.coefficient != 1:
            rest.append(Term(query=first.query, coefficient=first.coefficient - 1))
        yield Figure(
            id=syntax.id,
            name=syntax.name,
            query=first.query,
            value=value,
            terms=tuple(rest),
            text=syntax.text,
            citation=syntax.cite,
        )
