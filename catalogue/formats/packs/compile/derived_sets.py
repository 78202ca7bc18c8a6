"""Resolve sets of units that the pack does not list one by one: those of some names, those with a title in common."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue.formats.packs.compile.unit_names import (
    is_of_kind,
    list_keyword_ids,
    list_names,
    make_ids,
    walk_models,
)
from catalogue.formats.packs.syntax.base import Reference
from catalogue.formats.packs.syntax.declarations import AlikeSyntax, SetSyntax
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def resolve_sets(pack: PackSyntax) -> tuple[list[SetSyntax], dict[str, tuple[Reference, ...]]]:
    """Return the pack's sets with each set of names replaced by sets of single units, and what each of those became.

    A set of names without units becomes no set, so that a rule made for it is made for nothing.
    """
    derived_by_origin: dict[str, tuple[Reference, ...]] = {}
    resolved: list[SetSyntax] = []
    for set_form in pack.sets:
        if not set_form.called and not set_form.alike:
            resolved.append(set_form)
            continue
        if set_form.alike:
            derived = list(_pair_by_title(set_form, set_form.alike, pack))
        else:
            derived = list(_collect_by_name(set_form, pack))
        derived_by_origin[set_form.id] = tuple(Reference(form.id, set_form.where) for form in derived)
        resolved += derived
    return resolved, derived_by_origin


def _collect_by_name(set_form: SetSyntax, pack: PackSyntax) -> Iterator[SetSyntax]:
    """Yield the set of all units of the given names, if there are any."""
    names = make_ids(set_form.called)
    units = [unit for unit in _list_units(set_form, pack) if make_id(unit.name) in names]
    if units:
        models = [part.id for part in _find_stand_in_models(set_form, pack) if make_id(part.name) in names]
        yield replace(_build_unit_set(set_form, set_form.id, set_form.name, units), models=tuple(models))


def _pair_by_title(set_form: SetSyntax, alike: AlikeSyntax, pack: PackSyntax) -> Iterator[SetSyntax]:
    """Yield a set for each title that units of the two keywords share."""
    units = _list_units(set_form, pack)
    unit_by_title = {_normalize_title(unit, alike): unit for unit in units if _has_keyword(unit, alike.to)}
    for unit in units:
        title = _normalize_title(unit, alike)
        if _has_keyword(unit, alike.of) and title in unit_by_title:
            twin = unit_by_title[title]
            yield _build_unit_set(set_form, f"{set_form.id}-{make_id(title)}", twin.name, [twin, unit])


def _list_units(set_form: SetSyntax, pack: PackSyntax) -> list[UnitSyntax]:
    return [unit for unit in pack.units if not set_form.of or is_of_kind(unit, set_form.of)]


def _build_unit_set(set_form: SetSyntax, set_id: str, name: str, units: list[UnitSyntax]) -> SetSyntax:
    unit_ids = tuple(unit.id for unit in units)
    return replace(set_form, id=set_id, name=name, of=(), units=unit_ids, called=(), alike=None)


def _find_stand_in_models(set_form: SetSyntax, pack: PackSyntax) -> Iterator[PartSyntax]:
    for unit in pack.units:
        if is_stand_in(unit, (set_form,)):
            yield from walk_models(unit.models)


def is_stand_in(unit: UnitSyntax, sets: Iterable[SetSyntax]) -> bool:
    """Return whether a unit only stands for one of several others, which its models are."""
    references = [name for set_form in sets for name in set_form.also_in]
    return bool(list_names(unit) & make_ids(references))


def _has_keyword(unit: UnitSyntax, keyword: Reference) -> bool:
    return make_id(keyword.text) in list_keyword_ids(unit)


def _normalize_title(unit: UnitSyntax, alike: AlikeSyntax) -> str:
    """Return the title in lower case, without the words that do not count."""
    title = unit.name
    for words in alike.strike:
        title = re.sub(rf"\b{re.escape(words)}\b", " ", title, flags=re.IGNORECASE)
    return " ".join(title.lower().split())
