"""Swaps: replacements for what is carried, never more of them than is carried."""

from collections.abc import Iterator

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.queries import Bound, Query, Scope, Term
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.models import Carriers, find_carriers
from catalogue.formats.packs.compile.name_index import walk_parts
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def build_swap_limits(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    """Yield what limits one swap: its own number, and what is carried less what other swaps replace of it."""
    words = context.get_rule_text("swap")
    unit = origin.unit
    if unit is not None:
        for name in part.by:
            origin.index.find_part(name, unit)
    carried = find_carriers(part, unit)
    if carried.nobody and part.replaces:
        message = f"Nobody here carries “{part.replaces.text}”."
        context.problems.add(part.replaces.where, "unknown-name", message, "Add it to `carries:`.")
    others = _list_earlier_swaps(part, unit)
    own_most = 1 if part.whole_unit else part.range.high if part.explicit else None
    if own_most is not None:
        capped = "swap at most" if "swap at most" in context.forms.texts and not part.whole_unit else "swap"
        yield context.build_constraint(
            f"{part.id}#max", Bound.MAX, own_most, context.get_rule_text(capped), part.cite
        )
    if not part.whole_unit and (own_most is None or others or own_most > carried.fixed):
        terms = _build_terms(carried, others, "model" if carried.by_model else "unit")
        query = Query(scope=Scope.PARENT, child_id=part.id)
        yield context.build_constraint(
            f"{part.id}#carried", Bound.MAX, carried.fixed, words, part.cite, query, terms=terms
        )


def _build_terms(carried: Carriers, others: list[PartSyntax], around: str) -> tuple[Term, ...]:
    scope = Scope.MODEL if around == "model" else Scope.UNIT
    more = (
        Term(query=_count_entry(model_id, Scope.UNIT), coefficient=number)
        for model_id, number in carried.by_model_id
    )
    less = (Term(query=_count_entry(other.id, scope), coefficient=-1) for other in others)
    return (*more, *less)


def _count_entry(entry_id: str, scope: Scope) -> Query:
    return Query(scope=scope, child_id=entry_id, deep=True)


def _list_earlier_swaps(part: PartSyntax, unit: UnitSyntax | None) -> list[PartSyntax]:
    """Return the swaps of the same thing before this one: the last sees all, so that a breach is reported once."""
    if unit is None or part.replaces is None:
        return []
    what = make_id(part.replaces.text)
    swaps: list[PartSyntax] = []
    for other in walk_parts((*unit.models, *unit.options)):
        if other.id == part.id:
            return swaps
        same = other.kind == "swap" and other.replaces and make_id(other.replaces.text) == what
        if same and not other.whole_unit and find_carriers(other, unit) == find_carriers(part, unit):
            swaps.append(other)
    return swaps
