"""What a list is known by and known by: sets of units, figures."""

from collections.abc import Iterator

from catalogue.definitions.catalogues import Figure
from catalogue.definitions.entries import CategoryLink
from catalogue.definitions.queries import Change, Modifier, Term
from catalogue.formats.packs.building.asks import Context, guard_of, marks_of, sum_of
from catalogue.formats.packs.building.index import keyword_id, set_id
from catalogue.formats.packs.building.workshop import Workshop
from catalogue.formats.packs.forms.game import SetForm
from catalogue.formats.packs.forms.units import PartForm, UnitForm
from catalogue.formats.packs.words import slug


def set_modifiers(unit: UnitForm, shop: Workshop, context: Context) -> Iterator[Modifier]:
    """What makes a unit a member of the sets that are about it."""
    for each in shop.forms.sets:
        if _is_about(each, unit, shop):
            guard = guard_of(each.when, context)
            yield Modifier(change=Change.ADD, field="category", value=set_id(each.id), guard=guard)


def _is_about(each: SetForm, unit: UnitForm, shop: Workshop) -> bool:
    words = {keyword_id(slug(word.text)) for word in unit.keywords} | {unit.id}
    words |= {slug(unit.type.text)} if unit.type else set()
    if each.home and not {slug(name.text) for name in each.home} & {slug(name.text) for name in unit.home}:
        return False
    targets = [shop.index.target(name, None, ("type", "keyword", "unit")) for name in each.of]
    return not each.of or any(target and target.id in words for target in targets)


def ability_links(form: UnitForm | PartForm, own: str, shop: Workshop) -> tuple[CategoryLink, ...]:
    """What counts the abilities of a unit or part that rules ask for."""
    found = sorted(marks_of(form) & shop.counted_abilities)
    return tuple(CategoryLink(id=f"{own}@{mark}", target_id=mark, hidden=True) for mark in found)


def figures(shop: Workshop) -> Iterator[Figure]:
    """The numbers that a list is known by."""
    context = Context(shop.index, scope="roster", owner="roster")
    for form in shop.forms.figures:
        value, terms = sum_of(form.count, context)
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
