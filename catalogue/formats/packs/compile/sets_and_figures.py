"""What a list is known by and known by: sets of units, figures."""

from collections.abc import Iterator

from catalogue.definitions.catalogues import Figure
from catalogue.definitions.entries import CategoryLink
from catalogue.definitions.queries import Change, Modifier, Term
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import (
    QueryOrigin,
    build_guard,
    build_sum,
    list_own_categories,
)
from catalogue.formats.packs.compile.name_index import make_ability_id, make_keyword_id, make_set_id
from catalogue.formats.packs.syntax.declarations import SetSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def build_set_modifiers(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Modifier]:
    """Yield what makes a unit a member of the sets that are about it."""
    for set_form in context.forms.sets:
        if is_member(set_form, unit, context):
            guard = build_guard(set_form.when, origin)
            yield Modifier(change=Change.ADD, field="category", value=make_set_id(set_form.id), guard=guard)


def is_member(set_form: SetSyntax, unit: UnitSyntax, context: CompileContext) -> bool:
    if set_form.units:
        return unit.id in set_form.units
    words = {make_keyword_id(make_id(word.text)) for word in unit.keywords} | {unit.id}
    words |= {make_id(unit.type.text)} if unit.type else set()
    if set_form.home and not {make_id(name.text) for name in set_form.home} & {
        make_id(name.text) for name in unit.home
    }:
        return False
    targets = [context.index.find_target(name, None, ("type", "keyword", "unit")) for name in set_form.of]
    return not set_form.of or any(target and target.id in words for target in targets)


def build_set_links(part: PartSyntax, context: CompileContext) -> tuple[CategoryLink, ...]:
    """Return what makes a model a member of the sets of units that it is one of."""
    mine = (make_set_id(set_form.id) for set_form in context.forms.sets if part.id in set_form.models)
    return tuple(
        CategoryLink(id=f"{part.id}@{category_id}", target_id=category_id, hidden=True)
        for category_id in mine
    )


def build_ability_links(
    form: UnitSyntax | PartSyntax, owner_id: str, context: CompileContext
) -> tuple[CategoryLink, ...]:
    """Return what counts the abilities that rules ask for, without those that a part has only at times."""
    category_ids = list_own_categories(form) & context.counted_abilities
    if isinstance(form, PartSyntax):
        category_ids -= _list_conditional_abilities(form) - {
            make_ability_id(make_id(use.name.text)) for use in form.abilities if not use.when
        }
    return tuple(
        CategoryLink(id=f"{owner_id}@{mark}", target_id=mark, hidden=True) for mark in sorted(category_ids)
    )


def build_ability_modifiers(
    part: PartSyntax, context: CompileContext, origin: QueryOrigin
) -> Iterator[Modifier]:
    """Yield what counts the abilities that a part has only at times."""
    for use in part.abilities:
        mark = make_ability_id(make_id(use.name.text))
        if use.when and mark in context.counted_abilities:
            guard = build_guard(use.when, origin)
            yield Modifier(change=Change.ADD, field="category", value=mark, guard=guard)


def _list_conditional_abilities(part: PartSyntax) -> set[str]:
    return {make_ability_id(make_id(use.name.text)) for use in part.abilities if use.when}


def build_figures(context: CompileContext) -> Iterator[Figure]:
    """Yield the numbers that a list is known by."""
    origin = QueryOrigin(context.index, scope="roster", owner="roster")
    for form in context.forms.figures:
        value, terms = build_sum(form.count, origin)
        if not terms:
            continue
        first, *rest = terms
        if first.coefficient != 1:
            rest.append(Term(query=first.query, coefficient=first.coefficient - 1))
        yield Figure(
            id=form.id,
            name=form.name,
            query=first.query,
            value=value,
            terms=tuple(rest),
            text=form.text,
            citation=form.cite,
        )
