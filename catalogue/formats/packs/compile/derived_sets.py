"""Sets of units that the pack does not list one by one: those of some names, those with the same title in two books."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue.formats.packs.compile.name_index import walk
from catalogue.formats.packs.forms.base import Named
from catalogue.formats.packs.forms.game import AlikeForm, Forms, SetForm
from catalogue.formats.packs.forms.units import PartForm, UnitForm
from catalogue.formats.packs.words import slug


def resolve_sets(forms: Forms) -> dict[str, tuple[Named, ...]]:
    """Put sets of single units in the place of those that names make; gives the sets that each of those became.

    A set without units is none: a rule made for it is made for nothing.
    """
    found: dict[str, tuple[Named, ...]] = {}
    resolved: list[SetForm] = []
    for each in forms.sets:
        made = list(_resolved(each, forms)) if each.called or each.alike else [each]
        if made != [each]:
            found[each.id] = tuple(Named(form.id, each.where) for form in made)
        resolved += made
    forms.sets = resolved
    return found


def _resolved(each: SetForm, forms: Forms) -> Iterator[SetForm]:
    """The sets that a set of names amounts to."""
    units = [unit for unit in forms.units if _is_of(unit, each.of)]
    if each.alike is None:
        called = {slug(name.text) for name in each.called}
        members = [unit for unit in units if slug(unit.name) in called]
        if members:
            models = tuple(part.id for part in _models_in(each, forms) if slug(part.name) in called)
            yield replace(_of_units(each, each.id, each.name, members), models=models)
        return
    there = {_title(unit, each.alike): unit for unit in units if _has(unit, each.alike.to)}
    for unit in units:
        title = _title(unit, each.alike)
        if _has(unit, each.alike.of) and title in there:
            yield _of_units(each, f"{each.id}-{slug(title)}", there[title].name, [there[title], unit])


def _of_units(each: SetForm, own: str, name: str, units: list[UnitForm]) -> SetForm:
    ids = tuple(unit.id for unit in units)
    return replace(each, id=own, name=name, of=(), units=ids, called=(), alike=None)


def _models_in(each: SetForm, forms: Forms) -> Iterator[PartForm]:
    """The models of the units that stand for one of several others."""
    for unit in forms.units:
        if stands_for_others(unit, (each,)):
            yield from (part for part in walk(unit.models) if part.kind == "model")


def stands_for_others(unit: UnitForm, sets: Iterable[SetForm]) -> bool:
    """Whether a unit is only the place of one of several others, which its models are."""
    return any(slug(name.text) in (unit.id, slug(unit.name)) for each in sets for name in each.also_in)


def _is_of(unit: UnitForm, of: tuple[Named, ...]) -> bool:
    kind = slug(unit.type.text) if unit.type else ""
    return not of or any(slug(name.text) == kind or _has(unit, name) for name in of)


def _has(unit: UnitForm, keyword: Named) -> bool:
    return slug(keyword.text) in {slug(word.text) for word in unit.keywords}


def _title(unit: UnitForm, alike: AlikeForm) -> str:
    """The title without the words that do not count, small and with single spaces."""
    title = unit.name
    for words in alike.strike:
        title = re.sub(rf"\b{re.escape(words)}\b", " ", title, flags=re.IGNORECASE)
    return " ".join(title.lower().split())
