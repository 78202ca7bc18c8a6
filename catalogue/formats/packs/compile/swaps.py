"""Swaps: replacements for what is carried, never more of them than is carried."""

from collections.abc import Iterator

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.queries import Bound, Query, Scope, Term
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.models import Held, held
from catalogue.formats.packs.compile.name_index import walk
from catalogue.formats.packs.forms.units import PartForm, UnitForm
from catalogue.formats.packs.words import slug


def swap_limits(part: PartForm, context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    """What limits one swap: its own number, and what is carried less what other swaps replace of it."""
    words = context.words("swap")
    unit = origin.unit
    if unit is not None:
        for name in part.by:
            origin.index.part(name, unit)
    carried = held(part, unit)
    if carried.nobody and part.replaces:
        message = f"Nobody here carries “{part.replaces.text}”."
        context.problems.add(part.replaces.where, "unknown-name", message, "Add it to `carries:`.")
    others = _earlier(part, unit)
    own_most = 1 if part.whole_unit else part.range.high if part.explicit else None
    if own_most is not None:
        capped = "swap at most" if "swap at most" in context.forms.texts and not part.whole_unit else "swap"
        yield context.made(f"{part.id}#max", Bound.MAX, own_most, context.words(capped), part.cite)
    if not part.whole_unit and (own_most is None or others or own_most > carried.fixed):
        terms = _terms(carried, others, "model" if carried.by_model else "unit")
        query = Query(scope=Scope.PARENT, child_id=part.id)
        yield context.made(
            f"{part.id}#carried", Bound.MAX, carried.fixed, words, part.cite, query, terms=terms
        )


def _terms(carried: Held, others: list[PartForm], around: str) -> tuple[Term, ...]:
    scope = Scope.MODEL if around == "model" else Scope.UNIT
    more = (Term(query=_count(own, Scope.UNIT), coefficient=number) for own, number in carried.each)
    less = (Term(query=_count(other.id, scope), coefficient=-1) for other in others)
    return (*more, *less)


def _count(own: str, scope: Scope) -> Query:
    return Query(scope=scope, child_id=own, deep=True)


def _earlier(part: PartForm, unit: UnitForm | None) -> list[PartForm]:
    """The swaps of the same thing before this one: the last of them sees all, so that a breach is reported once."""
    if unit is None or part.replaces is None:
        return []
    what = slug(part.replaces.text)
    found: list[PartForm] = []
    for other in walk((*unit.models, *unit.options)):
        if other.id == part.id:
            return found
        same = other.kind == "swap" and other.replaces and slug(other.replaces.text) == what
        if same and not other.whole_unit and held(other, unit) == held(part, unit):
            found.append(other)
    return found
