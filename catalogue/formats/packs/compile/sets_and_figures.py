"""What a list is known by and known by: sets of units, figures."""

from collections.abc import Iterator

from catalogue.definitions.catalogues import Figure
from catalogue.definitions.entries import CategoryLink
from catalogue.definitions.queries import Change, Modifier, Term
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin, guard_of, marks_of, sum_of
from catalogue.formats.packs.compile.name_index import ability_id, keyword_id, set_id
from catalogue.formats.packs.forms.game import SetForm
from catalogue.formats.packs.forms.units import PartForm, UnitForm
from catalogue.formats.packs.words import slug


def set_modifiers(unit: UnitForm, context: CompileContext, origin: QueryOrigin) -> Iterator[Modifier]:
    """What makes a unit a member of the sets that are about it."""
    for each in context.forms.sets:
        if _is_about(each, unit, context):
            guard = guard_of(each.when, origin)
            yield Modifier(change=Change.ADD, field="category", value=set_id(each.id), guard=guard)


def _is_about(each: SetForm, unit: UnitForm, context: CompileContext) -> bool:
    if each.units:
        return unit.id in each.units
    words = {keyword_id(slug(word.text)) for word in unit.keywords} | {unit.id}
    words |= {slug(unit.type.text)} if unit.type else set()
    if each.home and not {slug(name.text) for name in each.home} & {slug(name.text) for name in unit.home}:
        return False
    targets = [context.index.target(name, None, ("type", "keyword", "unit")) for name in each.of]
    return not each.of or any(target and target.id in words for target in targets)


def set_links(part: PartForm, context: CompileContext) -> tuple[CategoryLink, ...]:
    """What makes a model a member of the sets of units that it is one of."""
    mine = (set_id(each.id) for each in context.forms.sets if part.id in each.models)
    return tuple(CategoryLink(id=f"{part.id}@{own}", target_id=own, hidden=True) for own in mine)


def ability_links(form: UnitForm | PartForm, own: str, context: CompileContext) -> tuple[CategoryLink, ...]:
    """What counts the abilities of a unit or part that rules ask for; not those that a part has at times only."""
    found = marks_of(form) & context.counted_abilities
    if isinstance(form, PartForm):
        found -= _at_times(form) - {ability_id(slug(use.name.text)) for use in form.abilities if not use.when}
    return tuple(CategoryLink(id=f"{own}@{mark}", target_id=mark, hidden=True) for mark in sorted(found))


def ability_modifiers(part: PartForm, context: CompileContext, origin: QueryOrigin) -> Iterator[Modifier]:
    """What counts the abilities that a part has at times only."""
    for use in part.abilities:
        mark = ability_id(slug(use.name.text))
        if use.when and mark in context.counted_abilities:
            guard = guard_of(use.when, origin)
            yield Modifier(change=Change.ADD, field="category", value=mark, guard=guard)


def _at_times(part: PartForm) -> set[str]:
    return {ability_id(slug(use.name.text)) for use in part.abilities if use.when}


def figures(context: CompileContext) -> Iterator[Figure]:
    """The numbers that a list is known by."""
    origin = QueryOrigin(context.index, scope="roster", owner="roster")
    for form in context.forms.figures:
        value, terms = sum_of(form.count, origin)
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
