"""The rows of units and of the options inside them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.db.models import Field, Model

from catalogue.definitions.entries import EntryType
from catalogue.definitions.infos import InfoKind
from catalogue.definitions.numbers import format_number
from catalogue.models import Option, UnitEntry
from catalogue.services.book import FLAVOUR, SEPARATOR, Bound, Key, Library
from catalogue.services.points import Smallest
from catalogue.services.texts import cited, folded, shortened

DEEPEST_OPTION = 3
MOST_OPTIONS = 40
"""How many options of one unit get rows: some community data repeats thousands in each. Card and API show them all."""
PROVISIONAL = "provisional"

UNIT_COLUMNS = (
    "entry_id",
    "name",
    "type",
    "category_id",
    "category",
    "points",
    "costs",
    "models_min",
    "models_max",
    "option_count",
    "keywords",
    "terms",
    "search_text",
    "hidden",
    "provisional",
    "book",
    "section",
    "page",
)
OPTION_COLUMNS = ("entry_id", "name", "group", "type", "note", "points", "min", "max", "depth")

Columns = dict[str, Any]
Values = tuple[Any, ...]
"""What stands in some columns, as the database takes it."""
Term = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Content:
    """What the rows of a unit and of its options hold, whichever faction offers it: values as the database takes them.

    `unit` are those of `UNIT_COLUMNS`, each of `options` those of `OPTION_COLUMNS`.
    """

    name: str
    unit: Values
    options: list[Values]


@dataclass(slots=True)
class Inside:
    """What may be chosen inside an entry or group, outer choices before what is in them, and what all of it shows.

    `rows` are those of the first options, at most `most`, their paths begun at the entry; `count` and `names` are of
    all of them.
    """

    infos: dict[Term, None]
    most: int
    rows: list[Values] = field(default_factory=list)
    count: int = 0
    names: dict[str, None] = field(default_factory=dict)

    def add(self, path: str, other: "Inside") -> None:
        """Take in what is inside something whose place is `path`."""
        self.infos |= other.infos
        self.names |= other.names
        self.count += other.count
        first = other.rows[: self.most - len(self.rows)]
        self.rows += [(path + row[0], *row[1:]) for row in first] if path else first

    def add_option(self, row: Values) -> None:
        self.names[row[1]] = None
        self.count += 1
        if len(self.rows) < self.most:
            self.rows.append(row)


class Contents:
    """The contents of the units of one library, each made once however many factions offer it.

    `most` is how many options of each are listed.
    """

    def __init__(self, library: Library, points_id: str, most: int = MOST_OPTIONS) -> None:
        self._most = most
        self._library = library
        self._binding = library.binding
        self._points_id = points_id
        self._smallest = Smallest(library, points_id)
        self._made: dict[Key, Content] = {}
        self._options: dict[Key, Values] = {}
        self._inside: dict[tuple[Key, int], Inside] = {}
        marks = (mark for catalogue in self._binding.catalogues for mark in catalogue.unchecked)
        self._provisional = {mark.subject_id for mark in marks if mark.code.startswith(PROVISIONAL)}

    def of(self, bound: Bound) -> Content:
        if bound.key not in self._made:
            self._made[bound.key] = self._make(bound)
        return self._made[bound.key]

    def _make(self, bound: Bound) -> Content:
        inside = self._inside_of(bound, 0)
        told = {name for _, name in inside.infos}
        unit = self._unit(bound)
        terms = [
            *[("keyword", name) for name in unit["keywords"]],
            *inside.infos,
            *[("option", name) for name in inside.names if name not in told],
        ]
        words = " ".join([unit["name"], unit["category"], *[name for _, name in terms]])
        unit |= {"terms": terms, "search_text": folded(words), "option_count": inside.count}
        path = path_of(bound.prefix)
        options = [(path + row[0], *row[1:]) for row in inside.rows] if path else inside.rows
        unit |= {
            column: stored(UnitEntry, column, unit[column])
            for column in ("points", "costs", "keywords", "terms")
        }
        return Content(unit["name"], tuple([unit[column] for column in UNIT_COLUMNS]), options)

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
            "points": self._smallest.costs(bound).get(self._points_id),
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

    def _inside_of(self, bound: Bound, depth: int) -> Inside:
        """What is inside `bound`, made once for all places of one depth; `depth` is how many choices it lies inside."""
        key = (bound.key, depth)
        inside = self._inside.get(key)
        if inside is None:
            inside = self._inside[key] = self._gather(bound, depth)
        return inside

    def _gather(self, bound: Bound, depth: int) -> Inside:
        found = Inside(self._infos(bound), self._most)
        group = shortened(bound.name) if bound.is_group else ""
        for child in self._library.inside(bound) if depth <= DEEPEST_OPTION else []:
            if child.hidden:
                continue
            path = path_of(child.prefix)
            if child.is_group:
                found.add(path, self._inside_of(child, depth))
            else:
                name, *others = self._columns_of(child)
                found.add_option((path + child.entry.id, name, group, *others, depth))
                found.add(path, self._inside_of(child, depth + 1))
        return found

    def _infos(self, bound: Bound) -> dict[Term, None]:
        infos = self._library.flat_infos(bound.infos, bound.home) if bound.infos else ()
        return dict.fromkeys(
            (term_kind(info.kind, info.type_name), info.name)
            for info in infos
            if not info.id.endswith(FLAVOUR)
        )

    def _columns_of(self, bound: Bound) -> Values:
        if bound.key not in self._options:
            self._options[bound.key] = self._columns(bound)
        return self._options[bound.key]

    def _columns(self, bound: Bound) -> Values:
        """Those that do not depend on where the option stands."""
        limit = self._smallest.limits(bound)
        cost = self._smallest.costs(bound).get(self._points_id)
        points = None if cost is None else stored(Option, "points", cost)
        return (shortened(bound.name), bound.entry.type.value, bound.note, points, limit.min, limit.max)


def stored(model: type[Model], column: str, value: object) -> Any:
    """`value` as the database takes it for that column."""
    kept: Field[Any, Any] = model._meta.get_field(column)  # type: ignore[assignment]  # no column is a relation's far end
    return kept.get_db_prep_save(value, connection)


def path_of(links: Iterable[str]) -> str:
    """How the composite id of what stands behind `links` begins.

    >>> path_of(["a", "b"]), path_of([])
    ('a::b::', '')
    """
    return "".join([link + SEPARATOR for link in links])


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
