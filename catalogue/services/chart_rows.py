"""Rows of an organisation chart: forces, slots and rules."""

from typing import NamedTuple

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.infos import InfoKind
from catalogue.definitions.queries import Field
from catalogue.graph.compiled_entry import HomedInfo
from catalogue.graph.declared import INSIDE_FORCE, INSIDE_ROSTER, find_limits
from catalogue.graph.infos import resolve_infos
from catalogue.graph.ruleset import CompiledCatalogue, CompiledForce, CompiledSlot
from catalogue.models import Detachment, Faction, OrganisationChart, PackVersion
from catalogue.services.texts import build_citation_columns, shorten
from catalogue.services.unit_rows import Values

SLOT_COLUMNS = (
    "category_id",
    "name",
    "min",
    "max",
    "conditional",
    "emblem",
    "hidden",
    "position",
    "book",
    "section",
    "page",
)

SlotRow = tuple[Detachment, Values]


class ChartRows(NamedTuple):
    """Unsaved rows, each parent detachment before its children."""

    chart: OrganisationChart
    detachments: list[Detachment]
    slots: list[SlotRow]


def build_chart_rows(
    version: PackVersion, faction: Faction | None, catalogue: CompiledCatalogue, position: int
) -> ChartRows:
    chart = OrganisationChart(
        version=version,
        faction=faction,
        chart_id=catalogue.catalogue.id,
        name=shorten(catalogue.catalogue.name),
        position=position,
    )
    rows = ChartRows(chart, [], [])
    for force in catalogue.catalogue.forces:
        _add_force(rows, catalogue, force, parent=None)
    return rows


def _add_force(rows: ChartRows, catalogue: CompiledCatalogue, entry: ForceEntry, parent: Detachment | None) -> None:
    force = catalogue.compile_force(entry)
    limits = find_limits(force.constraints, INSIDE_ROSTER, {entry.id}, Field.FORCES)
    detachment = Detachment(
        chart=rows.chart,
        parent=parent,
        force_id=entry.id,
        name=shorten(entry.name),
        min=limits.min,
        max=limits.max,
        hidden=entry.hidden,
        rules=_list_rules(catalogue, force),
        depth=parent.depth + 1 if parent else 0,
        position=len(rows.detachments),
        **build_citation_columns(catalogue.binding, entry.citation),
    )
    rows.detachments.append(detachment)
    for position, slot in enumerate(force.slots):
        rows.slots.append((detachment, _build_slot(catalogue, force, slot, position)))
    for child in entry.forces:
        _add_force(rows, catalogue, child, detachment)


def _build_slot(catalogue: CompiledCatalogue, force: CompiledForce, slot: CompiledSlot, position: int) -> Values:
    """Merge the limits of the slot, of its type, and of the force on that type."""
    ids = {part.id for part in (slot.link, slot.category) if part} | {slot.id}
    of_force = [compiled for compiled in force.constraints if compiled.constraint.query.child_id in ids]
    limits = find_limits((*slot.constraints, *of_force), INSIDE_FORCE, ids)
    named = slot.category or slot.link
    return (
        slot.id,
        shorten(named.name if named else ""),
        limits.min,
        limits.max,
        limits.conditional,
        slot.emblem,
        slot.hidden,
        position,
        *build_citation_columns(catalogue.binding, slot.link.citation if slot.link else NOWHERE).values(),
    )


def _list_rules(catalogue: CompiledCatalogue, force: CompiledForce) -> list[dict[str, object]]:
    homed = [HomedInfo(info, catalogue.catalogue) for info in force.entry.infos]
    rules = [
        _build_rule(catalogue, info.id, info.name, info.description, info.citation)
        for info in resolve_infos(catalogue.binding, homed)
        if info.kind is InfoKind.RULE
    ]
    constraints = list(force.entry.constraints)
    for slot in force.slots:
        constraints += slot.link.constraints if slot.link else ()
        constraints += slot.category.constraints if slot.category else ()
    for constraint in constraints:
        if constraint.text:
            key = constraint.rule or constraint.id
            rules.append(_build_rule(catalogue, key, constraint.name, constraint.text, constraint.citation))
    return list({rule["text"]: rule for rule in rules}.values())


def _build_rule(catalogue: CompiledCatalogue, key: str, name: str, text: str, citation: Citation) -> dict[str, object]:
    return {"id": key, "name": name, "text": text, "citation": build_citation_columns(catalogue.binding, citation)}
