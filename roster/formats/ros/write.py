"""Writing `.ros` and `.rosz` so that BattleScribe and New Recruit open them.

The file holds what was chosen, in the order of the roster, and beside it everything derived (costs, categories,
profiles, rules), because other programs print from the file without the data. Only what BattleScribe's own form has
is written: it refuses attributes that it does not know.
"""

import io
import zipfile
from typing import Any

from lxml import etree

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.citations import Citation
from catalogue.definitions.link_index import Binding
from roster.engine.report import (
    CostTotal,
    EffectiveCategory,
    EffectiveForce,
    EffectiveSelection,
    Report,
)
from roster.engine.tree import Force, Limit, Roster, Selection
from roster.formats.ros.markup import (
    NAMESPACE,
    add,
    add_categories,
    add_costs,
    add_notes,
    add_profiles,
    add_rules,
    cited,
    clean,
    decimal,
    revision,
)

VERSION = "2.03"
_AS_DEFAULT: dict[Any, str] = {None: NAMESPACE}
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


def write_ros(roster: Roster, report: Report, data: DataSet) -> bytes:
    """`roster` as a `.ros` file; `report` is what the engine says of it by `data`, with its effective tree."""
    root = _Writer(report, data).roster(roster)
    written: bytes = etree.tostring(
        root, encoding="UTF-8", xml_declaration=True, standalone=True, pretty_print=True
    )
    return written


def write_rosz(roster: Roster, report: Report, data: DataSet) -> bytes:
    """The same as a packed `.rosz`; equal rosters give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("roster.ros", _FIXED_DATE), write_ros(roster, report, data))
    return buffer.getvalue()


class _Writer:
    """One roster file while it is written."""

    def __init__(self, report: Report, data: DataSet) -> None:
        self._report = report
        self._data = data
        self._binding = Binding(data)
        self._forces: dict[str, EffectiveForce] = {}
        self._selections: dict[str, EffectiveSelection] = {}
        for force in report.forces:
            self._note_force(force)

    def _note_force(self, force: EffectiveForce) -> None:
        self._forces[force.id] = force
        for inner in force.forces:
            self._note_force(inner)
        pending = list(force.selections)
        while pending:
            selection = pending.pop()
            self._selections[selection.id] = selection
            pending += selection.selections

    def roster(self, roster: Roster) -> etree._Element:
        system = self._data.game_system
        attributes = {
            "id": roster.id,
            "name": clean(roster.name),
            "battleScribeVersion": VERSION,
            "gameSystemId": system.id,
            "gameSystemName": clean(system.name),
            "gameSystemRevision": revision(system.revision),
        }
        root = etree.Element(f"{{{NAMESPACE}}}roster", attributes, nsmap=_AS_DEFAULT)
        self._roster_costs(root, roster)
        self._limits(root, roster.limits)
        self._forces_in(root, roster.forces)
        add_notes(root, roster.notes)
        return root

    def _roster_costs(self, root: etree._Element, roster: Roster) -> None:
        """The cost types seen in the roster, in its own order; one that nothing carries is not worth a line."""
        totals = {cost.type_id: cost for cost in self._report.costs}
        seen = [
            totals.get(i) or CostTotal(type_id=i, name=self._cost_name(i), value=0) for i in roster.cost_types
        ]
        add_costs(
            root, (*seen, *(c for c in totals.values() if c.value and c.type_id not in roster.cost_types))
        )

    def _cost_name(self, type_id: str) -> str:
        known = self._binding.cost_types.get(type_id)
        return known.name if known else type_id

    def _limits(self, root: etree._Element, limits: tuple[Limit, ...]) -> None:
        if limits:
            row = add(root, "costLimits")
            for limit in limits:
                name = self._cost_name(limit.type_id)
                add(row, "costLimit", name=name, typeId=limit.type_id, value=decimal(limit.value))

    def _forces_in(self, parent: etree._Element, forces: tuple[Force, ...]) -> None:
        if forces:
            row = add(parent, "forces")
            for force in forces:
                self._force(row, force)

    def _force(self, parent: etree._Element, force: Force) -> None:
        known = self._forces.get(force.id)
        catalogue = self._binding.by_id.get(force.catalogue_id)
        element = add(
            parent,
            "force",
            id=force.id,
            name=known.name if known else force.name,
            entryId=force.entry_id,
            customName=force.custom_name or None,
            catalogueId=force.catalogue_id,
            catalogueRevision=revision(catalogue.revision if catalogue else ""),
            catalogueName=catalogue.name if catalogue else "",
        )
        if known:
            add_rules(element, known.rules)
            add_profiles(element, known.profiles)
        self._selections_in(element, force.selections, 1)
        self._forces_in(element, force.forces)
        self._publications(element, force)
        self._force_categories(element, force, known.categories if known else ())
        add_notes(element, force.notes)

    def _selections_in(self, parent: etree._Element, selections: tuple[Selection, ...], times: int) -> None:
        if selections:
            row = add(parent, "selections")
            for selection in selections:
                self._selection(row, selection, times)

    def _selection(self, parent: etree._Element, selection: Selection, times: int) -> None:
        known = self._selections.get(selection.id)
        element = add(
            parent,
            "selection",
            id=selection.id,
            name=known.name if known and not known.placeholder else selection.name,
            entryId=selection.entry_id,
            entryGroupId=selection.group_id or None,
            customName=selection.custom_name or None,
            **cited(known.citation if known else Citation()),
            number=str(selection.number * times),
            type=known.type if known else "upgrade",
        )
        if known:
            add_rules(element, known.rules)
            add_profiles(element, known.profiles)
        self._selections_in(element, selection.selections, selection.number * times)
        if known:
            add_costs(element, known.costs)
            add_categories(element, selection.id, known.categories)
        add_notes(element, selection.notes)

    def _publications(self, element: etree._Element, force: Force) -> None:
        """All books of the data that the force sees, and any other that is named in it."""
        catalogue = self._binding.by_id.get(force.catalogue_id)
        seen = (
            [book.id for c in self._binding.list_visible(catalogue) for book in c.publications]
            if catalogue
            else []
        )
        named = [str(e.get("publicationId")) for e in element.iter() if e.get("publicationId")]
        books = dict.fromkeys((*seen, *named))
        if books:
            row = add(element, "publications")
            for ident in books:
                book = self._binding.publications.get(ident)
                add(row, "publication", id=ident, name=book.name if book else ident)

    def _force_categories(
        self, parent: etree._Element, force: Force, categories: tuple[EffectiveCategory, ...]
    ) -> None:
        """The slots; those with the player's notes last, so that the notes keep their order."""
        known = {category.id: category for category in categories}
        notes = {note.category_id: note for note in force.category_notes}
        row = add(parent, "categories")
        for ident in (*(ident for ident in known if ident not in notes), *notes):
            category = known.get(ident) or EffectiveCategory(id=ident, name=ident)
            note = notes.get(ident)
            element = add(
                row,
                "category",
                id=f"{force.id}-{ident}",
                name=category.name,
                entryId=ident,
                customName=(note.custom_name if note else "") or None,
                **cited(category.citation),
                primary="false",
            )
            add_rules(element, category.rules)
            add_profiles(element, category.profiles)
            add_notes(element, note.notes if note else "")
