"""Compile sets made from names."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from catalogue.definitions.queries import Condition, Guard, Operator, Query, Scope
from catalogue.formats.packs.compile.name_index import is_of_kind, list_keyword_ids, list_names, make_ids, walk_models
from catalogue.formats.packs.features.sets_by_name.syntax import AlikeSyntax
from catalogue.formats.packs.syntax.base import Reference
from catalogue.formats.packs.syntax.declarations import SetSyntax
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax


def resolve_sets(pack: PackSyntax) -> tuple[tuple[SetSyntax, ...], dict[str, tuple[Reference, ...]]]:
    """Replace sets of names by sets of units; also return the replacements by id.

    A set of names without units disappears.
    """
    derived_by_origin: dict[str, tuple[Reference, ...]] = {}
    resolved: list[SetSyntax] = []
    for set_syntax in pack.sets:
        if not set_syntax.alike and not set_syntax.called:
            resolved.append(set_syntax)
            continue
        units = [unit for unit in pack.units if not set_syntax.of or is_of_kind(unit, set_syntax.of)]
        if set_syntax.alike:
            derived = list(_pair_by_title(set_syntax, set_syntax.alike, units))
        else:
            derived = list(_collect_by_name(set_syntax, units, pack))
        derived_by_origin[set_syntax.id] = tuple(Reference(syntax.id, set_syntax.where) for syntax in derived)
        resolved += derived
    return tuple(resolved), derived_by_origin


def _pair_by_title(set_syntax: SetSyntax, alike: AlikeSyntax, units: Iterable[UnitSyntax]) -> Iterator[SetSyntax]:
    of, to = make_id(alike.of.text), make_id(alike.to.text)
    titled = [(_normalize_title(unit, alike), unit, list_keyword_ids(unit)) for unit in units]
    twins = {title: unit for title, unit, keywords in titled if to in keywords}
    for title, unit, keywords in titled:
        if of in keywords and title in twins:
            twin = twins[title]
            yield _build_unit_set(set_syntax, f"{set_syntax.id}-{make_id(title)}", twin.name, [twin, unit])


def _normalize_title(unit: UnitSyntax, alike: AlikeSyntax) -> str:
    title = unit.name
    for words in alike.strike:
        title = re.sub(rf"\b{re.escape(words)}\b", " ", title, flags=re.IGNORECASE)
    return " ".join(title.lower().split())


def _collect_by_name(set_syntax: SetSyntax, units: Iterable[UnitSyntax], pack: PackSyntax) -> Iterator[SetSyntax]:
    names = make_ids(set_syntax.called)
    called = [unit for unit in units if make_id(unit.name) in names]
    if not called:
        return
    # The stand-in's model counts if no unit of that name does.
    models = tuple(
        part.id
        for unit in pack.units
        if is_stand_in(unit, (set_syntax,))
        for part in walk_models(unit.models)
        if make_id(part.name) in names
    )
    yield replace(_build_unit_set(set_syntax, set_syntax.id, set_syntax.name, called), models=models)


def _build_unit_set(set_syntax: SetSyntax, set_id: str, name: str, units: list[UnitSyntax]) -> SetSyntax:
    unit_ids = tuple(unit.id for unit in units)
    return replace(set_syntax, id=set_id, name=name, of=(), units=unit_ids, called=(), alike=None)


def is_stand_in(unit: UnitSyntax, sets: Iterable[SetSyntax]) -> bool:
    """Return whether a unit represents its models."""
    references = [name for set_syntax in sets for name in set_syntax.also_in]
    return bool(list_names(unit) & make_ids(references))


def build_mixed_guard(subject: Reference, sets: Iterable[SetSyntax]) -> Guard:
    """Require units of two entries of a set, or a model of it."""
    for set_syntax in sets:
        if set_syntax.id == make_id(subject.text):
            units = map(_build_taken_condition, set_syntax.units)
            models = map(_build_taken_condition, set_syntax.models)
            pairs = tuple(Guard(conditions=pair) for pair in combinations(units, 2))
            return Guard(any_of=True, conditions=tuple(models), guards=pairs)
    return Guard(any_of=True)


def _build_taken_condition(entry_id: str) -> Condition:
    query = Query(scope=Scope.ROSTER, child_id=entry_id, deep=True)
    return Condition(operator=Operator.AT_LEAST, query=query, value=1)
