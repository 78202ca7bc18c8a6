"""Write `.ros` and `.rosz` that BattleScribe and New Recruit can open.

Other programs print from the file without the data, so it holds all derived values. BattleScribe refuses unknown
attributes.
"""

import io
import zipfile
from typing import Any

from lxml import etree

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.link_index import Binding
from roster.engine.report import CostTotal, EffectiveCategory, EffectiveForce, EffectiveSelection, Report
from roster.engine.tree import CategoryNote, Force, Origin, RosterTree, Selection
from roster.formats.ros.markup import (
    NAMESPACE,
    PROGRAM,
    add_categories,
    add_costs,
    add_element,
    add_notes,
    add_profiles,
    add_rules,
    format_decimal,
    format_revision,
    get_citation_attributes,
    strip_control_characters,
)

VERSION = "2.03"
_AS_DEFAULT: dict[Any, str] = {None: NAMESPACE}
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


def write_ros(roster: RosterTree, report: Report, data: DataSet) -> bytes:
    root = _Writer(report, data).build_roster(roster)
    written: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=True, pretty_print=True)
    return written


def write_rosz(roster: RosterTree, report: Report, data: DataSet) -> bytes:
    """Write a packed `.rosz`. Equal rosters give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("roster.ros", _FIXED_DATE), write_ros(roster, report, data))
    return buffer.getvalue()


class _Writer:
    def __init__(self, report: Report, data: DataSet) -> None:
        self._report = report
        self._data = data
        self._binding = Binding(data)
        self._forces: dict[str, EffectiveForce] = {}
        self._selections: dict[str, EffectiveSelection] = {}
        for force in report.walk_forces():
            self._forces[force.id] = force
            for root in force.selections:
                self._selections.update((selection.id, selection) for selection in root.walk())

    def build_roster(self, roster: RosterTree) -> etree._Element:
        system = self._data.game_system
        attributes = {
            "id": roster.id,
            "name": strip_control_characters(roster.name),
            "battleScribeVersion": VERSION,
            **({} if roster.origin is Origin.BATTLESCRIBE else {"generatedBy": PROGRAM}),
            "gameSystemId": system.id,
            "gameSystemName": strip_control_characters(system.name),
            "gameSystemRevision": format_revision(system.revision),
        }
        root = etree.Element(f"{{{NAMESPACE}}}roster", attributes, nsmap=_AS_DEFAULT)

        totals = {cost.type_id: cost for cost in self._report.costs}
        costs: list[CostTotal] = []
        for type_id in roster.cost_types:
            unspent = CostTotal(type_id=type_id, name=self._get_cost_name(type_id), value=0)
            costs.append(totals.get(type_id, unspent))
        costs += (cost for cost in totals.values() if cost.value and cost.type_id not in roster.cost_types)
        add_costs(root, tuple(costs))
        if roster.limits:
            row = add_element(root, "costLimits")
            for limit in roster.limits:
                name = self._get_cost_name(limit.type_id)
                add_element(row, "costLimit", name=name, typeId=limit.type_id, value=format_decimal(limit.value))
        self._add_forces(root, roster.forces)
        add_notes(root, roster.notes)
        return root

    def _get_cost_name(self, type_id: str) -> str:
        cost_type = self._binding.cost_types.get(type_id)
        return cost_type.name if cost_type else type_id

    def _add_forces(self, parent: etree._Element, forces: tuple[Force, ...]) -> None:
        if not forces:
            return
        row = add_element(parent, "forces")
        for force in forces:
            effective = self._forces.get(force.id)
            catalogue = self._binding.by_id.get(force.catalogue_id)
            element = add_element(
                row,
                "force",
                id=force.id,
                name=effective.name if effective else force.name,
                entryId=force.entry_id,
                customName=force.custom_name or None,
                catalogueId=force.catalogue_id,
                catalogueRevision=format_revision(catalogue.revision if catalogue else ""),
                catalogueName=catalogue.name if catalogue else "",
            )
            add_rules(element, effective.rules if effective else ())
            add_profiles(element, effective.profiles if effective else ())
            self._add_selections(element, force.selections, 1)
            self._add_forces(element, force.forces)
            self._add_publications(element, force)
            _add_force_categories(element, force, effective.categories if effective else ())
            add_notes(element, force.notes)

    def _add_selections(self, parent: etree._Element, selections: tuple[Selection, ...], times: int) -> None:
        if not selections:
            return
        row = add_element(parent, "selections")
        for selection in selections:
            effective = self._selections.get(selection.id) or EffectiveSelection(
                id=selection.id, entry_id=selection.entry_id, name=selection.name, placeholder=True
            )
            number = selection.number * times
            element = add_element(
                row,
                "selection",
                id=selection.id,
                name=selection.name if effective.placeholder else effective.name,
                entryId=selection.entry_id,
                entryGroupId=selection.group_id or None,
                customName=selection.custom_name or None,
                **get_citation_attributes(effective.citation),
                number=str(number),
                type=effective.type,
            )
            add_rules(element, effective.rules)
            add_profiles(element, effective.profiles)
            self._add_selections(element, selection.selections, number)
            add_costs(element, effective.costs)
            add_categories(element, selection.id, effective.categories)
            self._add_associations(element, selection)
            add_notes(element, selection.notes)

    def _add_associations(self, element: etree._Element, selection: Selection) -> None:
        if not selection.attachments:
            return
        row = add_element(element, "associations")
        for attachment in selection.attachments:
            other = self._selections.get(attachment.to_id)
            add_element(
                row,
                "association",
                id=f"{selection.id}-{attachment.association_id}-{attachment.to_id}",
                name=(other.custom_name or other.name) if other else None,
                associationId=attachment.association_id,
                to=attachment.to_id,
            )

    def _add_publications(self, element: etree._Element, force: Force) -> None:
        catalogue = self._binding.by_id.get(force.catalogue_id)
        visible = self._binding.list_visible(catalogue) if catalogue else ()
        books = dict.fromkeys(book.id for other in visible for book in other.publications)
        # A rule may cite a book of data that the force does not build on.
        for inner in element.iter():
            if book_id := inner.get("publicationId"):
                books[str(book_id)] = None
        if not books:
            return
        row = add_element(element, "publications")
        for ident in books:
            book = self._binding.publications.get(ident)
            add_element(row, "publication", id=ident, name=book.name if book else ident)


def _add_force_categories(parent: etree._Element, force: Force, categories: tuple[EffectiveCategory, ...]) -> None:
    by_id = {category.id: category for category in categories}
    noted = {note.category_id: note for note in force.category_notes}
    row = add_element(parent, "categories")
    for ident in (*(ident for ident in by_id if ident not in noted), *noted):
        category = by_id.get(ident) or EffectiveCategory(id=ident, name=ident)
        note = noted.get(ident) or CategoryNote(category_id=ident)
        element = add_element(
            row,
            "category",
            id=f"{force.id}-{category.id}",
            name=category.name,
            entryId=category.id,
            customName=note.custom_name or None,
            **get_citation_attributes(category.citation),
            primary="false",
        )
        add_rules(element, category.rules)
        add_profiles(element, category.profiles)
        add_notes(element, note.notes)
