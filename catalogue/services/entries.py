"""The rows of a faction's units and of the options inside them."""

from collections.abc import Iterator
from decimal import Decimal

from catalogue.definitions.entries import EntryType
from catalogue.definitions.infos import InfoKind
from catalogue.definitions.numbers import Number, format_number
from catalogue.models import Faction, Option, UnitEntry
from catalogue.services.book import FLAVOUR, Book, Bound
from catalogue.services.points import Smallest
from catalogue.services.texts import Slugs, cited, folded, shortened

DEEPEST_OPTION = 6
PROVISIONAL = "provisional"

Term = tuple[str, str]


class UnitRows:
    """Makes the unsaved rows of one faction."""

    def __init__(self, book: Book, faction: Faction, points_id: str) -> None:
        self._book = book
        self._faction = faction
        self._points_id = points_id
        self._smallest = Smallest(book, points_id)
        self._slugs = Slugs("unit")
        self._provisional = book.unchecked_ids(PROVISIONAL)

    def units(self) -> Iterator[tuple[UnitEntry, list[Option]]]:
        """Each unit with its options, in the order of the data."""
        for position, bound in enumerate(self._book.roots()):
            unit = self._unit(bound, position)
            options = list(self._options(unit, bound))
            unit.terms = terms = list(dict.fromkeys(self._terms(bound, options)))
            unit.search_text = folded(" ".join([unit.name, unit.category, *(name for _, name in terms)]))
            yield unit, options

    def _unit(self, bound: Bound, position: int) -> UnitEntry:
        costs = self._smallest.costs(bound)
        least, most = self._smallest.models(bound)
        category_id, category = self._primary(bound)
        return UnitEntry(
            faction=self._faction,
            entry_id=bound.id,
            slug=self._slugs.of(bound.name),
            name=shortened(bound.name),
            type=bound.entry.type.value,
            category_id=category_id,
            category=shortened(category),
            points=self._points(bound),
            costs={kind: format_number(value) for kind, value in costs.items()},
            models_min=least if most != 0 else None,
            models_max=most or None,
            keywords=self._keywords(bound),
            hidden=bound.hidden,
            provisional=bool(bound.ids & self._provisional),
            position=position,
            **cited(self._book.binding, bound.citation),
        )

    def _primary(self, bound: Bound) -> tuple[str, str]:
        """Id and name of the type; the last primary counts, so that a link may move its target."""
        ids = [link.target_id for link in bound.categories if link.primary]
        return (ids[-1], self._category_name(ids[-1])) if ids else ("", "")

    def _keywords(self, bound: Bound) -> list[str]:
        """Those of the unit; where several units are taken as one choice, those of the unit inside it."""
        inside = (child for child in self._book.children(bound) if child.entry.type is EntryType.UNIT)
        links = [link for place in (bound, *inside) for link in place.categories]
        ids = dict.fromkeys(link.target_id for link in links if not (link.primary or link.hidden))
        categories = [self._book.binding.categories.get(key) for key in ids]
        return [category.name for category in categories if category and not category.hidden]

    def _category_name(self, key: str) -> str:
        category = self._book.binding.categories.get(key)
        return category.name if category else ""

    def _points(self, bound: Bound) -> Decimal | None:
        value: Number | None = self._smallest.costs(bound).get(self._points_id)
        return None if value is None else Decimal(value)

    def _options(self, unit: UnitEntry, bound: Bound) -> Iterator[Option]:
        for position, (option, group, depth) in enumerate(self._inside(bound, "", 0)):
            limit = self._smallest.limits(option)
            yield Option(
                unit=unit,
                entry_id=option.id,
                name=shortened(option.name),
                group=shortened(group),
                type=option.entry.type.value,
                note=option.note,
                points=self._points(option),
                min=limit.min,
                max=limit.max,
                depth=depth,
                position=position,
            )

    def _inside(self, bound: Bound, group: str, depth: int) -> Iterator[tuple[Bound, str, int]]:
        """Options with the name of their innermost group and how deep they lie, outer ones first."""
        for child in self._book.children(bound):
            if child.hidden or depth > DEEPEST_OPTION:
                continue
            if child.is_group:
                yield from self._inside(child, child.name, depth)
            else:
                yield child, group, depth
                yield from self._inside(child, "", depth + 1)

    def _terms(self, bound: Bound, options: list[Option]) -> Iterator[Term]:
        yield from (("keyword", name) for name in self._keywords(bound))
        yield from self._info_terms(bound, 0)
        yield from (("option", option.name) for option in options)

    def _info_terms(self, bound: Bound, depth: int) -> Iterator[Term]:
        for info in self._book.flat_infos(bound.infos, bound.home):
            if not info.id.endswith(FLAVOUR):
                yield term_kind(info.kind, info.type_name), info.name
        for child in self._book.children(bound) if depth <= DEEPEST_OPTION else []:
            if not child.hidden:
                yield from self._info_terms(child, depth + 1)


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
