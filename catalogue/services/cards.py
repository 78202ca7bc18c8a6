"""Everything there is to know about a unit before it is taken: the card that a player reads."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import EntryType
from catalogue.definitions.infos import Info
from catalogue.models import Option, UnitEntry
from catalogue.services.allowances import allowances
from catalogue.services.book import FLAVOUR, Book, Bound
from catalogue.services.books import book_of
from catalogue.services.card import Ability, Choice, Citing, Price, Restriction, Row, Table, UnitCard
from catalogue.services.entries import OPTION_COLUMNS, Contents, term_kind
from catalogue.services.limits import INSIDE_ROSTER, limits
from catalogue.services.points import Smallest
from catalogue.services.texts import cited

DEEPEST = 8


def card_of(unit: UnitEntry) -> UnitCard | None:
    """The card of `unit`; None where its document does not hold it."""
    book = book_of(unit.faction)
    bound = next((root for root in book.roots() if root.id == unit.entry_id), None)
    return CardMaker(book, unit.faction.version.points_id).card(unit, bound) if bound else None


def options_of(unit: UnitEntry) -> list[Option]:
    """All options of `unit` in the order of the data, also those without a row; none of them can be saved."""
    book = book_of(unit.faction)
    bound = next((root for root in book.roots() if root.id == unit.entry_id), None)
    if bound is None:
        return []
    made = Contents(book.library, unit.faction.version.points_id, most=unit.option_count).of(bound)
    return [_option(unit, position, values) for position, values in enumerate(made.options)]


def _option(unit: UnitEntry, position: int, values: tuple[Any, ...]) -> Option:
    columns = dict(zip(OPTION_COLUMNS, values, strict=True))
    points = columns.pop("points")
    return Option(unit=unit, position=position, points=None if points is None else Decimal(points), **columns)


class CardMaker:
    """Makes the cards of one book."""

    def __init__(self, book: Book, points_id: str) -> None:
        self._book = book
        self._library = book.library
        self._points_id = points_id
        self._smallest = Smallest(book.library, points_id)

    def card(self, unit: UnitEntry, bound: Bound) -> UnitCard:
        infos = list(self._infos(bound, "", 0))
        inside = list(self._all_inside(bound, 0))
        return UnitCard(
            unit=unit,
            limits=limits(bound.constraints, INSIDE_ROSTER, bound.ids, modifiers=bound.modifiers),
            about=bound.note or " ".join(info.description for info, _ in infos if info.id.endswith(FLAVOUR)),
            prices=self._prices(bound),
            allowances=allowances(self._book, self._smallest.costs(bound)),
            tables=self._tables(infos),
            abilities=self._abilities(infos),
            choices=self._choices(bound, 0),
            restrictions=self._restrictions(bound, inside),
            open_points=self._open_points([bound, *inside]),
        )

    def _prices(self, bound: Bound) -> list[Price]:
        kinds = self._book.binding.cost_types
        costs = self._smallest.costs(bound)
        shown = [(kinds[key], value) for key, value in costs.items() if key in kinds and value]
        return [
            Price(kind.name, value) for kind, value in shown if not kind.hidden and kind.id != self._points_id
        ]

    def _infos(self, bound: Bound, source: str, depth: int) -> Iterator[tuple[Info, str]]:
        """Profiles and rules of the unit and of all its visible options, each with where it comes from."""
        for info in self._library.flat_infos(bound.infos, bound.home):
            yield info, source
        if depth > DEEPEST:
            return
        for child in self._library.children(bound):
            if not child.hidden:
                own = source if child.is_group or child.entry.type is EntryType.UNIT else child.name
                yield from self._infos(child, own, depth + 1)

    def _tables(self, infos: Iterable[tuple[Info, str]]) -> list[Table]:
        """Equal profiles stand there once, with all who bring them; tables that are yet to be filled come last."""
        sources: dict[Info, list[str]] = {}
        for info, source in infos:
            if term_kind(info.kind, info.type_name) != "ability":
                sources.setdefault(info, []).append(_other(source, info.name))
        tables: dict[str, Table] = {}
        for info, bringers in sources.items():
            table = tables.setdefault(info.type_id, Table(info.type_name, self._columns(info)))
            values = {figure.name: figure.value for figure in info.characteristics}
            line = tuple(values.get(column, "") for column in table.columns)
            named = "" if "" in bringers else ", ".join(dict.fromkeys(bringers))
            table.rows.append(Row(info.name, info.parameter, line, named, self._cite(info)))
        return sorted(tables.values(), key=lambda table: not any("".join(row.values) for row in table.rows))

    def _columns(self, info: Info) -> tuple[str, ...]:
        """As the profile type declares them, else as the profile itself has them."""
        types = (kind for c in self._book.binding.catalogues for kind in c.profile_types)
        declared = next((kind for kind in types if kind.id == info.type_id), None)
        named = declared.characteristic_types if declared else info.characteristics
        return tuple(column.name for column in named)

    def _abilities(self, infos: Iterable[tuple[Info, str]]) -> list[Ability]:
        found: dict[tuple[str, str], Ability] = {}
        for info, source in infos:
            if term_kind(info.kind, info.type_name) == "ability" and not info.id.endswith(FLAVOUR):
                found.setdefault(
                    (info.name, info.parameter),
                    Ability(
                        name=info.name,
                        parameter=info.parameter,
                        text=_text(info),
                        source=_other(source, info.name),
                        citation=self._cite(info),
                        brought=bool(source),
                    ),
                )
        return list(found.values())

    def _choices(self, bound: Bound, depth: int, default_id: str = "") -> tuple[Choice, ...]:
        children = self._library.children(bound) if depth <= DEEPEST else []
        return tuple(self._choice(child, depth, default_id) for child in children if not child.hidden)

    def _choice(self, bound: Bound, depth: int, default_id: str) -> Choice:
        return Choice(
            name=bound.name,
            is_group=bound.is_group,
            points=None if bound.is_group else self._smallest.costs(bound).get(self._points_id),
            limits=self._smallest.limits(bound),
            note=bound.note,
            is_default=bool(default_id) and default_id in bound.ids,
            citation=cited(self._book.binding, bound.citation),
            choices=self._choices(bound, depth + 1, bound.default_id if bound.is_group else ""),
        )

    def _restrictions(self, unit: Bound, inside: list[Bound]) -> list[Restriction]:
        """Rules with words that neither a plain limit nor a footnote shows already."""
        notes = {bound.note for bound in inside}
        found: dict[str, Restriction] = {}
        for bound in (unit, *inside):
            for constraint in bound.constraints:
                if constraint.text and constraint.text not in notes and not _is_plain(constraint):
                    name = constraint.name if bound is unit else bound.name
                    place = cited(self._book.binding, constraint.citation)
                    found.setdefault(constraint.text, Restriction(name, constraint.text, place))
        return list(found.values())

    def _all_inside(self, bound: Bound, depth: int) -> Iterator[Bound]:
        for child in self._library.children(bound) if depth <= DEEPEST else []:
            if not child.hidden:
                yield child
                yield from self._all_inside(child, depth + 1)

    def _open_points(self, places: Iterable[Bound]) -> list[Unchecked]:
        ids = {key for bound in places for key in bound.ids}
        near = self._book.binding.list_visible(self._book.catalogue)
        return [mark for catalogue in near for mark in catalogue.unchecked if mark.subject_id in ids]

    def _cite(self, info: Info) -> Citing:
        return cited(self._book.binding, info.citation)


def _is_plain(constraint: Constraint) -> bool:
    """Whether it says no more than how many of its own entry there may be."""
    return constraint.query.child_id is None and not (constraint.when or constraint.terms)


def _text(info: Info) -> str:
    """What a rule says, or a profile that community data uses for one."""
    return info.description or " ".join(figure.value for figure in info.characteristics if figure.value)


def _other(source: str, name: str) -> str:
    """Where a profile comes from, unless its name says it already."""
    return "" if source == name else source
