"""Sets of units that the pack does not list one by one: those of some names, those with the same title in two books."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue.formats.packs.compile.name_index import walk_parts
from catalogue.formats.packs.forms.base import Named
from catalogue.formats.packs.forms.game import AlikeForm, Forms, SetForm
from catalogue.formats.packs.forms.units import PartForm, UnitForm
from catalogue.formats.packs.words import slug


def resolve_sets(forms: Forms) -> dict[str, tuple[Named, ...]]:
    """Put sets of single units in the place of those that names make; gives the sets that each of those became.

    A set without units is none: a rule made for it is made for nothing.
    """
    sets_by_origin: dict[str, tuple[Named, ...]] = {}
    resolved: list[SetForm] = []
    for set_form in forms.sets:
        derived_sets = (
            list(_derive_sets(set_form, forms)) if set_form.called or set_form.alike else [set_form]
        )
        if derived_sets != [set_form]:
            sets_by_origin[set_form.id] = tuple(Named(form.id, set_form.where) for form in derived_sets)
        resolved += derived_sets
    forms.sets = resolved
    return sets_by_origin


def _derive_sets(set_form: SetForm, forms: Forms) -> Iterator[SetForm]:
    """The sets that a set of names amounts to."""
    units = [unit for unit in forms.units if is_of_kind(unit, set_form.of)]
    if set_form.alike is None:
        called = {slug(name.text) for name in set_form.called}
        members = [unit for unit in units if slug(unit.name) in called]
        if members:
            models = tuple(
                part.id for part in _find_stand_in_models(set_form, forms) if slug(part.name) in called
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
                set_form, f"{set_form.id}-{slug(title)}", there[title].name, [there[title], unit]
            )


def _build_unit_set(set_form: SetForm, set_id: str, name: str, units: list[UnitForm]) -> SetForm:
    ids = tuple(unit.id for unit in units)
    return replace(set_form, id=set_id, name=name, of=(), units=ids, called=(), alike=None)


def _find_stand_in_models(set_form: SetForm, forms: Forms) -> Iterator[PartForm]:
    """The models of the units that stand for one of several others."""
    for unit in forms.units:
        if is_stand_in(unit, (set_form,)):
            yield from (part for part in walk_parts(unit.models) if part.kind == "model")


def is_stand_in(unit: UnitForm, sets: Iterable[SetForm]) -> bool:
    """Whether a unit is only the place of one of several others, which its models are."""
    return any(
        slug(name.text) in (unit.id, slug(unit.name)) for set_form in sets for name in set_form.also_in
    )


def is_of_kind(unit: UnitForm, of: tuple[Named, ...]) -> bool:
    kind = slug(unit.type.text) if unit.type else ""
    return not of or any(slug(name.text) == kind or has_keyword(unit, name) for name in of)


def has_keyword(unit: UnitForm, keyword: Named) -> bool:
    return slug(keyword.text) in {slug(word.text) for word in unit.keywords}


def _normalize_title(unit: UnitForm, alike: AlikeForm) -> str:
    """The title without the words that do not count, small and with single spaces."""
    title = unit.name
    for words in alike.strike:
        title = re.sub(rf"\b{re.escape(words)}\b", " ", title, flags=re.IGNORECASE)
    return " ".join(title.lower().split())
