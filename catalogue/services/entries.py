"""The rows of units and of the options inside them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import connection

from catalogue.definitions.entries import EntryType
from catalogue.definitions.infos import InfoKind
from catalogue.definitions.numbers import Number, format_number
from catalogue.models import Option
from catalogue.services.book import FLAVOUR, SEPARATOR, Bound, Key, Library
from catalogue.services.points import Smallest
from catalogue.services.texts import cited, folded, shortened

DEEPEST_OPTION = 3
MOST_OPTIONS = 100
"""How many options of one unit get rows: some community data repeats thousands in each. The card shows them all."""
PROVISIONAL = "provisional"

OPTION_COLUMNS = ("entry_id", "name", "group", "type", "note", "points", "min", "max", "depth")

Columns = dict[str, Any]
Values = tuple[Any, ...]
"""The columns of an option, in the order of `OPTION_COLUMNS`."""
Term = tuple[str, str]
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """What the rows of a unit and of its options hold, whichever faction offers it."""

    unit: Columns
    options: list[Values]


class Contents:
    """The contents of the units of one library, each made once however many factions offer it."""

    def __init__(self, library: Library, points_id: str) -> None:
        self._library = library
        self._binding = library.binding
        self._points_id = points_id
        self._smallest = Smallest(library, points_id)
        self._made: dict[Key, Content] = {}
        self._options: dict[Key, Values] = {}
        self._infos: dict[tuple[Key, int], tuple[Term, ...]] = {}
        marks = (mark for catalogue in self._binding.catalogues for mark in catalogue.unchecked)
        self._provisional = {mark.subject_id for mark in marks if mark.code.startswith(PROVISIONAL)}

    def of(self, bound: Bound) -> Content:
        if bound.key not in self._made:
            self._made[bound.key] = self._make(bound)
        return self._made[bound.key]

    def _make(self, bound: Bound) -> Content:
        options: list[Values] = []
        self._add_options(options, bound, bound.prefix, "", 0)
        unit = self._unit(bound)
        terms = list(dict.fromkeys(self._terms(bound, options)))
        words = " ".join([unit["name"], unit["category"], *(name for _, name in terms)])
        extra = {"terms": terms, "search_text": folded(words), "option_count": len(options)}
        return Content(unit | extra, options[:MOST_OPTIONS])

    def _unit(self, bound: Bound) -> Columns:
        costs = self._smallest.costs(bound)
        least, most = self._smallest.models(bound)
        category_id, category = self._primary(bound)
        return {
            "entry_id": bound.id,
            "name": shortened(bound.name),
            "type": bound.entry.type.value,
            "category_id": category_id,
            "category": shortened(category),
            "points": self._points(bound),
            "costs": {kind: format_number(value) for kind, value in costs.items()},
            "models_min": least if most != 0 else None,
            "models_max": most or None,
            "keywords": self._keywords(bound),
            "hidden": bound.hidden,
            "provisional": bool(bound.ids & self._provisional),
            **cited(self._binding, bound.citation),
        }

    def _primary(self, bound: Bound) -> tuple[str, str]:
        """Id and name of the type; the last primary counts, so that a link may move its target."""
        ids = [link.target_id for link in bound.categories if link.primary]
        category = self._binding.categories.get(ids[-1]) if ids else None
        return (ids[-1] if ids else "", category.name if category else "")

    def _keywords(self, bound: Bound) -> list[str]:
        """Those of the unit; where several units are taken as one choice, those of the unit inside it."""
        inside = (child for child in self._library.inside(bound) if child.entry.type is EntryType.UNIT)
        links = [link for place in (bound, *inside) for link in place.categories]
        ids = dict.fromkeys(link.target_id for link in links if not (link.primary or link.hidden))
        categories = [self._binding.categories.get(key) for key in ids]
        return [category.name for category in categories if category and not category.hidden]

    def _points(self, bound: Bound) -> Decimal | None:
        value: Number | None = self._smallest.costs(bound).get(self._points_id)
        return None if value is None else Decimal(value)

    def _add_options(self, found: list[Values], bound: Bound, prefix: Path, group: str, depth: int) -> None:
        """Put the options inside `bound` on the list `found`, outer ones before what is in them.

        `prefix` holds the ids of the links on the path to `bound`, `group` is the name of the innermost group.
        """
        for child in self._library.inside(bound):
            if child.hidden:
                continue
            path = prefix + child.prefix if child.prefix else prefix
            if child.is_group:
                self._add_options(found, child, path, child.name, depth)
                continue
            found.append(self._option(child, path, group, depth))
            if depth < DEEPEST_OPTION:
                self._add_options(found, child, path, "", depth + 1)

    def _option(self, bound: Bound, path: Path, group: str, depth: int) -> Values:
        if bound.key not in self._options:
            self._options[bound.key] = self._columns(bound)
        name, kind, note, points, least, most = self._options[bound.key]
        entry_id = SEPARATOR.join((*path, bound.entry.id))
        return (entry_id, name, shortened(group), kind, note, points, least, most, depth)

    def _columns(self, bound: Bound) -> Values:
        """Those that do not depend on where the option stands."""
        limit = self._smallest.limits(bound)
        points = Option._meta.get_field("points").get_db_prep_save(self._points(bound), connection)
        return (shortened(bound.name), bound.entry.type.value, bound.note, points, limit.min, limit.max)

    def _terms(self, bound: Bound, options: list[Values]) -> Iterator[Term]:
        yield from (("keyword", name) for name in self._keywords(bound))
        yield from self._info_terms(bound, 0)
        yield from (("option", option[1]) for option in options)

    def _info_terms(self, bound: Bound, depth: int) -> Iterable[Term]:
        """Of an entry and of all inside it, each once; kept, for weapons stand in hundreds of units."""
        key = (bound.key, depth)
        if key not in self._infos:
            infos = self._library.flat_infos(bound.infos, bound.home)
            found = dict.fromkeys(
                (term_kind(info.kind, info.type_name), info.name)
                for info in infos
                if not info.id.endswith(FLAVOUR)
            )
            for child in self._library.inside(bound) if depth <= DEEPEST_OPTION else []:
                if not child.hidden:
                    found |= dict.fromkeys(self._info_terms(child, depth + 1))
            self._infos[key] = tuple(found)
        return self._infos[key]


def term_kind(kind: InfoKind, type_name: str) -> str:
    """What a reader would call a profile or rule of that kind.

    >>> term_kind(InfoKind.PROFILE, "Ranged Weapons"), term_kind(InfoKind.RULE, "")
    ('weapon', 'ability')
    """
    if kind is InfoKind.PROFILE and "weapon" in type_name.lower():
        return "weapon"
    if kind is InfoKind.RULE or "abilit" in type_name.lower():
        return "ability"
    return "profile"
