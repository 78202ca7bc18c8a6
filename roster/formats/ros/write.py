"""Write `.ros` and `.rosz` so that BattleScribe and New Recruit open them.

The file holds what was chosen, in the order of the roster, and beside it everything derived (costs, categories,
profiles, rules), because other programs print from the file without the data. Only what BattleScribe's own form has
is written: it refuses attributes that it does not know.
"""

import io
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from lxml import etree

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.link_index import Binding
from roster.engine.report import CostTotal, EffectiveCategory, EffectiveForce, EffectiveSelection, Report
from roster.engine.tree import CategoryNote, Force, Limit, Origin, RosterTree, Selection
from roster.formats.ros.markup import (
    NAMESPACE,
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
PROGRAM = "armybuilder"
"""What names the program that wrote a roster; BattleScribe alone names none."""
_AS_DEFAULT: dict[Any, str] = {None: NAMESPACE}
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


def write_ros(roster: RosterTree, report: Report, data: DataSet) -> bytes:
    """Write `roster` as a `.ros` file; `report` is the engine's for it by `data`, with its effective tree."""
    root = _Writer(report, data).build_roster(roster)
    written: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=True, pretty_print=True)
    return written


def write_rosz(roster: RosterTree, report: Report, data: DataSet) -> bytes:
    """Write the same as a packed `.rosz`; equal rosters give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        # A fixed date, so that equal rosters give equal bytes.
        archive.writestr(zipfile.ZipInfo("roster.ros", _FIXED_DATE), write_ros(roster, report, data))
    return buffer.getvalue()


def _describe_unknown(selection: Selection) -> EffectiveSelection:
    """Describe a selection of which the report says nothing."""
    return EffectiveSelection(id=selection.id, entry_id=selection.entry_id, name=selection.name, placeholder=True)


def _describe_unknown_force(force: Force) -> EffectiveForce:
    return EffectiveForce(
        id=force.id, entry_id=force.entry_id, catalogue_id=force.catalogue_id, catalogue_name="", name=force.name
    )


def _list_other_costs(costs: Iterable[CostTotal], seen: Collection[str]) -> Iterator[CostTotal]:
    """List what is spent of cost types that a roster has not seen yet."""
    return (cost for cost in costs if cost.value and cost.type_id not in seen)


def _add_force_category(row: etree._Element, force: Force, category: EffectiveCategory, note: CategoryNote) -> None:
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


class _Writer:
    """One roster file while it is written."""

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
        self._add_roster_costs(root, roster)
        self._add_limits(root, roster.limits)
        self._add_forces(root, roster.forces)
        add_notes(root, roster.notes)
        return root

    def _add_roster_costs(self, root: etree._Element, roster: RosterTree) -> None:
        """Add the cost types seen in the roster, in its own order; one that nothing carries is left out."""
        totals = {cost.type_id: cost for cost in self._report.costs}
        seen = [totals.get(type_id) or self._describe_unspent(type_id) for type_id in roster.cost_types]
        add_costs(root, (*seen, *_list_other_costs(totals.values(), roster.cost_types)))

    def _describe_unspent(self, type_id: str) -> CostTotal:
        return CostTotal(type_id=type_id, name=self._get_cost_name(type_id), value=0)

    def _get_cost_name(self, type_id: str) -> str:
        known = self._binding.cost_types.get(type_id)
        return known.name if known else type_id

    def _add_limits(self, root: etree._Element, limits: tuple[Limit, ...]) -> None:
        if limits:
            row = add_element(root, "costLimits")
            for limit in limits:
                name = self._get_cost_name(limit.type_id)
                add_element(row, "costLimit", name=name, typeId=limit.type_id, value=format_decimal(limit.value))

    def _add_forces(self, parent: etree._Element, forces: tuple[Force, ...]) -> None:
        if forces:
            row = add_element(parent, "forces")
            for force in forces:
                self._add_force(row, force)

    def _add_force(self, parent: etree._Element, force: Force) -> None:
        known = self._forces.get(force.id) or _describe_unknown_force(force)
        element = add_element(
            parent,
            "force",
            id=force.id,
            name=known.name,
            entryId=force.entry_id,
            customName=force.custom_name or None,
            catalogueId=force.catalogue_id,
            **self._get_catalogue_attributes(force.catalogue_id),
        )
        add_rules(element, known.rules)
        add_profiles(element, known.profiles)
        self._add_selections(element, force.selections, 1)
        self._add_forces(element, force.forces)
        self._add_publications(element, force)
        self._add_force_categories(element, force, known.categories)
        add_notes(element, force.notes)

    def _get_catalogue_attributes(self, catalogue_id: str) -> dict[str, str]:
        catalogue = self._binding.by_id.get(catalogue_id)
        revision, name = (catalogue.revision, catalogue.name) if catalogue else ("", "")
        return {"catalogueRevision": format_revision(revision), "catalogueName": name}

    def _add_selections(self, parent: etree._Element, selections: tuple[Selection, ...], times: int) -> None:
        if selections:
            row = add_element(parent, "selections")
            for selection in selections:
                self._add_selection(row, selection, times)

    def _add_selection(self, parent: etree._Element, selection: Selection, times: int) -> None:
        known = self._selections.get(selection.id) or _describe_unknown(selection)
        number = selection.number * times
        element = add_element(
            parent,
            "selection",
            id=selection.id,
            name=selection.name if known.placeholder else known.name,
            entryId=selection.entry_id,
            entryGroupId=selection.group_id or None,
            customName=selection.custom_name or None,
            **get_citation_attributes(known.citation),
            number=str(number),
            type=known.type,
        )
        add_rules(element, known.rules)
        add_profiles(element, known.profiles)
        self._add_selections(element, selection.selections, number)
        add_costs(element, known.costs)
        add_categories(element, selection.id, known.categories)
        self._add_associations(element, selection)
        add_notes(element, selection.notes)

    def _add_associations(self, element: etree._Element, selection: Selection) -> None:
        """Add what a selection is attached to, of which the form of BattleScribe knows nothing."""
        if not selection.attachments:
            return
        row = add_element(element, "associations")
        for attachment in selection.attachments:
            add_element(
                row,
                "association",
                id=f"{selection.id}-{attachment.association_id}-{attachment.to_id}",
                name=self._get_shown_name(attachment.to_id),
                associationId=attachment.association_id,
                to=attachment.to_id,
            )

    def _get_shown_name(self, selection_id: str) -> str | None:
        """Return what the player calls a selection, None for one that is not in the report."""
        selection = self._selections.get(selection_id)
        return (selection.custom_name or selection.name) if selection else None

    def _add_publications(self, element: etree._Element, force: Force) -> None:
        """Add all books of the data that the force sees, and any other that is named in it."""
        # A rule may cite a book of data that the force itself does not build on.
        books = dict.fromkeys((*self._list_visible_books(force), *_list_cited_books(element)))
        if not books:
            return
        row = add_element(element, "publications")
        for ident in books:
            book = self._binding.publications.get(ident)
            add_element(row, "publication", id=ident, name=book.name if book else ident)

    def _list_visible_books(self, force: Force) -> list[str]:
        catalogue = self._binding.by_id.get(force.catalogue_id)
        if catalogue is None:
            return []
        return [book.id for c in self._binding.list_visible(catalogue) for book in c.publications]

    def _add_force_categories(
        self, parent: etree._Element, force: Force, categories: tuple[EffectiveCategory, ...]
    ) -> None:
        """Add the slots; those with the player's notes last, so that the notes keep their order."""
        known = {category.id: category for category in categories}
        row = add_element(parent, "categories")
        for note in _order_category_notes(known, force.category_notes):
            ident = note.category_id
            category = known.get(ident) or EffectiveCategory(id=ident, name=ident)
            _add_force_category(row, force, category, note)


def _order_category_notes(known: Iterable[str], notes: Sequence[CategoryNote]) -> Iterator[CategoryNote]:
    """Yield a note for each category, blank ones first."""
    noted = {note.category_id: note for note in notes}
    yield from (CategoryNote(category_id=ident) for ident in known if ident not in noted)
    yield from noted.values()


def _list_cited_books(element: etree._Element) -> Iterator[str]:
    """List the books that anything in an element names."""
    for inner in element.iter():
        if book_id := inner.get("publicationId"):
            yield str(book_id)
