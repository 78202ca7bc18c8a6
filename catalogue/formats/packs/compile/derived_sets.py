"""Sets of units that the pack does not list one by one: those of some names, those with the same title in two books."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue.formats.packs.compile.name_index import walk_parts
from catalogue.formats.packs.syntax.base import Reference
from catalogue.formats.packs.syntax.game import AlikeSyntax, PackSyntax, SetSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def resolve_sets(forms: PackSyntax) -> dict[str, tuple[Reference, ...]]:
    """Put sets of single units in the place of those that names make; gives the sets that each of those became.

    A set without units is none: a rule made for it is made for nothing.
    """
    sets_by_origin: dict[str, tuple[Reference, ...]] = {}
    resolved: list[SetSyntax] = []
    for set_form in forms.sets:
        derived_sets = (
            list(_derive_sets(set_form, forms)) if set_form.called or set_form.alike else [set_form]
        )
        if derived_sets != [set_form]:
            sets_by_origin[set_form.id] = tuple(Reference(form.id, set_form.where) for form in derived_sets)
        resolved += derived_sets
    forms.sets = resolved
    return sets_by_origin


def _derive_sets(set_form: SetSyntax, forms: PackSyntax) -> Iterator[SetSyntax]:
    """The sets that a set of names amounts to."""
    units = [unit for unit in forms.units if is_of_kind(unit, set_form.of)]
    if set_form.alike is None:
        called = {make_id(name.text) for name in set_form.called}
        members = [unit for unit in units if make_id(unit.name) in called]
        if members:
            models = tuple(
                part.id for part in _find_stand_in_models(set_form, forms) if make_id(part.name) in called
            )
            yield replace(_build_unit_set(set_form, set_form.id, set_form.name, members), models=models)
        return
    there = {
        _normalize_title(unit, set_form.alike): unit for unit in units if has_keyword(unit, set_form.alike.to)
    }
    for unit in units:
        title = _normalize_title(unit, set_form.alike)
        if has_keyword(unit, set_form.alike.of) and title in there:
            yield _build_unit_set(
                set_form, f"{set_form.id}-{make_id(title)}", there[title].name, [there[title], unit]
            )


def _build_unit_set(set_form: SetSyntax, set_id: str, name: str, units: list[UnitSyntax]) -> SetSyntax:
    ids = tuple(unit.id for unit in units)
    return replace(set_form, id=set_id, name=name, of=(), units=ids, called=(), alike=None)


def _find_stand_in_models(set_form: SetSyntax, forms: PackSyntax) -> Iterator[PartSyntax]:
    """The models of the units that stand for one of several others."""
    for unit in forms.units:
        if is_stand_in(unit, (set_form,)):
            yield from (part for part in walk_parts(unit.models) if part.kind == "model")


def is_stand_in(unit: UnitSyntax, sets: Iterable[SetSyntax]) -> bool:
    """Whether a unit is only the place of one of several others, which its models are."""
    return any(
        make_id(name.text) in (unit.id, make_id(unit.name)) for set_form in sets for name in set_form.also_in
    )


def is_of_kind(unit: UnitSyntax, of: tuple[Reference, ...]) -> bool:
    kind = make_id(unit.type.text) if unit.type else ""
    return not of or any(make_id(name.text) == kind or has_keyword(unit, name) for name in of)


def has_keyword(unit: UnitSyntax, keyword: Reference) -> bool:
    return make_id(keyword.text) in {make_id(word.text) for word in unit.keywords}


def _normalize_title(unit: UnitSyntax, alike: AlikeSyntax) -> str:
    """The title without the words that do not count, small and with single spaces."""
    title = unit.name
    for words in alike.strike:
        title = re.sub(rf"\b{re.escape(words)}\b", " ", title, flags=re.IGNORECASE)
    return " ".join(title.lower().split())
