"""The rows of an organisation chart: kinds of force, their slots and the rules they bring."""

from collections.abc import Iterable
from typing import NamedTuple

from catalogue.definitions.citations import Citation
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CategoryLink, ForceEntry
from catalogue.definitions.infos import InfoKind
from catalogue.definitions.queries import Field
from catalogue.models import Detachment, Faction, OrganisationChart, PackVersion, Slot
from catalogue.services.book import Book
from catalogue.services.limits import INSIDE_FORCE, INSIDE_ROSTER, limits
from catalogue.services.texts import cited, shortened


class ChartRows(NamedTuple):
    """Unsaved rows: a detachment's `parent` stands before it."""

    chart: OrganisationChart
    detachments: list[Detachment]
    slots: list[Slot]


def chart_rows(version: PackVersion, faction: Faction | None, book: Book, position: int) -> ChartRows:
    """The rows for all forces that the catalogue of `book` offers."""
    chart = OrganisationChart(
        version=version,
        faction=faction,
        chart_id=book.catalogue.id,
        name=shortened(book.catalogue.name),
        position=position,
    )
    rows = ChartRows(chart, [], [])
    for force in book.catalogue.forces:
        _add(rows, book, force, parent=None)
    return rows


def _add(rows: ChartRows, book: Book, force: ForceEntry, parent: Detachment | None) -> None:
    limit = limits(force.constraints, INSIDE_ROSTER, {force.id}, Field.FORCES)
    detachment = Detachment(
        chart=rows.chart,
        parent=parent,
        force_id=force.id,
        name=shortened(force.name),
        min=limit.min,
        max=limit.max,
        hidden=force.hidden,
        rules=_rules(book, force),
        depth=parent.depth + 1 if parent else 0,
        position=len(rows.detachments),
        **cited(book.binding, force.citation),
    )
    rows.detachments.append(detachment)
    rows.slots.extend(_slot(book, detachment, force, link, n) for n, link in enumerate(force.categories))
    for child in force.forces:
        _add(rows, book, child, detachment)


def _slot(book: Book, detachment: Detachment, force: ForceEntry, link: CategoryLink, position: int) -> Slot:
    """A slot with the limits of its own, of its type, and those that the force puts on that type."""
    ids = {link.id, link.target_id}
    whole = [constraint for constraint in force.constraints if constraint.query.child_id in ids]
    category = book.binding.categories.get(link.target_id)
    own = category.constraints if category else ()
    modifiers = (*link.modifiers, *force.modifiers, *(category.modifiers if category else ()))
    limit = limits((*link.constraints, *own, *whole), INSIDE_FORCE, ids, modifiers=modifiers)
    return Slot(
        detachment=detachment,
        category_id=link.target_id,
        name=shortened(category.name if category else link.name),
        min=limit.min,
        max=limit.max,
        conditional=limit.conditional,
        hidden=link.hidden or bool(category and category.hidden),
        position=position,
        **cited(book.binding, link.citation),
    )


def _rules(book: Book, force: ForceEntry) -> list[dict[str, object]]:
    """What a reader should know of a force, each rule once: reminders, and constraints that carry words."""
    found = [
        rule(book, info.id, info.name, info.description, info.citation)
        for info in book.library.flat_infos(force.infos, book.catalogue)
        if info.kind is InfoKind.RULE
    ]
    for constraint in _all_constraints(book, force):
        if constraint.text:
            found.append(_rule_of(book, constraint))
    return list({one["text"]: one for one in found}.values())


def _rule_of(book: Book, constraint: Constraint) -> dict[str, object]:
    return rule(book, constraint.rule or constraint.id, constraint.name, constraint.text, constraint.citation)


def _all_constraints(book: Book, force: ForceEntry) -> Iterable[Constraint]:
    yield from force.constraints
    for link in force.categories:
        yield from link.constraints
        category = book.binding.categories.get(link.target_id)
        yield from category.constraints if category else ()


def rule(book: Book, key: str, name: str, text: str, citation: Citation) -> dict[str, object]:
    """A rule as rows and cards carry it."""
    return {"id": key, "name": name, "text": text, "citation": cited(book.binding, citation)}
