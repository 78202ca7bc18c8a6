"""A list document that is filled in as the builder does: see `roster.formats.lists_build`."""

from collections.abc import Iterable

from catalogue.definitions.entries import ForceEntry
from roster.engine import edits
from roster.engine.edits import Edited, Refused
from roster.engine.options import composite, start_of
from roster.engine.paths import count_nodes, path_to
from roster.engine.templates import Layout, Option
from roster.engine.tree import OUTSIDE, Force, Roster, Selection, changed
from roster.formats.lists_desk import Desk, group_id_of, option_of
from roster.formats.lists_nodes import Unreadable, UnreadableError, too_large
from roster.formats.lists_shapes import ListDocument, ListedForce, ListedItem, Text
from roster.formats.lists_text import MAX_PARTS


class FillingBuilder(Desk):
    """Takes one thing after another, as somebody at the builder would."""

    def build(self, document: ListDocument) -> Roster:
        limits = {limit.type_id: limit.value for limit in self.limits(document)}
        start = edits.new_roster(self.ruleset, document.name, limits=limits, ids=self.ids)
        self.roster = changed(
            start.roster,
            player=document.player,
            event=document.event,
            notes=document.notes,
            unshown=document.unshown,
        )
        for listed in document.detachments:
            self.force(listed, None, "")
        return self.roster

    def do(self, outcome: Edited | Refused, place: Text) -> tuple[str, ...]:
        """Take over what an edit made; a refusal ends the reading at the place that asked for it."""
        if isinstance(outcome, Refused):
            raise UnreadableError(Unreadable(outcome.code, place.line, place.column, place.value))
        self.roster = outcome.roster
        parts = count_nodes(self.roster)
        if parts > MAX_PARTS:  # not only at the end: each further step costs more than the one before it
            raise UnreadableError(too_large(parts))
        return outcome.created

    def force(self, listed: ListedForce, parent: ForceEntry | None, parent_id: str) -> None:
        catalogue_id = self.catalogue_id(listed)
        place = listed.force
        if listed.outside:
            outside = Force(id=self.ids(), entry_id=OUTSIDE, catalogue_id=catalogue_id, name=listed.name)
            self.roster = changed(self.roster, forces=(*self.roster.forces, outside))
            self.fill(outside.id, listed.units, self.layout(catalogue_id), "", "unknown-unit")
            return
        entry = self.entry(listed, catalogue_id, parent)
        force_id, *_ = self.do(
            edits.add_force(self.ruleset, self.roster, entry.id, catalogue_id, parent_id, ids=self.ids), place
        )
        self.customise(force_id, listed.name, listed.notes, place)
        for note in self.notes(listed):
            self.do(
                edits.customise(
                    self.roster,
                    force_id,
                    custom_name=note.custom_name,
                    notes=note.notes,
                    category_id=note.category_id,
                ),
                place,
            )
        self.fill(force_id, listed.units, self.layout(catalogue_id), "", "unknown-unit")
        for inner in listed.detachments:
            self.force(inner, entry, force_id)

    def customise(self, node_id: str, name: str, notes: str, place: Text) -> None:
        if name or notes:
            self.do(edits.customise(self.roster, node_id, custom_name=name, notes=notes), place)

    def fill(
        self, container_id: str, listed: Iterable[ListedItem], layout: Layout, start: str, code: str
    ) -> None:
        """Bring what stands in a container automatically in line with what the document says."""
        items = [(item, option_of(layout, item, code)) for item in listed]
        named = {option for item, option in items if item.count != 0}
        self.drop_defaults(container_id, layout, start, named)
        there = {option: self.taken(container_id, start, option) for _, option in items}
        for item, option in items:
            made = self.item(container_id, item, option, start, there[option])
            self.handles.note(item, option, made, root=not start)
            for selection_id in made:
                self.customise(selection_id, item.name, item.notes, item.entry)
                if item.leads:
                    self.do(edits.declare_leader(self.roster, container_id, selection_id), item.entry)
                if item.options is not None:
                    inner = start_of(composite(start, option))
                    self.fill(selection_id, item.options, option.template.layout, inner, "unknown-option")
        for item, option in items:
            if item.count is not None:
                self.remove(there[option], item.entry)

    def drop_defaults(self, container_id: str, layout: Layout, start: str, named: set[Option]) -> None:
        for group in layout.groups:
            default = group.default
            if default is None or default in named or default in layout.required:
                continue
            if any(option in named for option in group.options):
                self.remove(self.taken(container_id, start, default), Text())

    def item(
        self, container_id: str, item: ListedItem, option: Option, start: str, there: list[Selection]
    ) -> list[str]:
        """Make one item of the document be there, out of what is `there` unclaimed; the ids of the selections it is."""
        if item.count == 0:
            return []
        claimed = self.claim(there, item.count)
        have = sum(selection.number for selection in claimed)
        if not claimed:
            return [self.take(container_id, item, composite(start, option))]
        if item.count is not None and have != item.count:
            last = claimed[-1]
            self.set_number(last.id, last.number + item.count - have, item.entry)
        return [selection.id for selection in claimed]

    def claim(self, there: list[Selection], count: int | None) -> list[Selection]:
        claimed: list[Selection] = []
        while there and (count is None or sum(s.number for s in claimed) < count):
            claimed.append(there.pop(0))
        return claimed

    def take(self, container_id: str, item: ListedItem, entry_id: str) -> str:
        before = {s.id: s.number for s in self.children(container_id)}
        selection_id, *_ = self.do(
            edits.select(self.ruleset, self.roster, container_id, entry_id, ids=self.ids), item.entry
        )
        number = before.get(selection_id, 0) + (item.count or 1)
        if number > 1:
            self.set_number(selection_id, number, item.entry)
        return selection_id

    def set_number(self, selection_id: str, number: int, place: Text) -> None:
        self.do(edits.set_number(self.ruleset, self.roster, selection_id, number), place)

    def remove(self, selections: list[Selection], place: Text) -> None:
        while selections:
            self.set_number(selections.pop().id, 0, place)

    def taken(self, container_id: str, start: str, option: Option) -> list[Selection]:
        entry_id, group_id = composite(start, option), group_id_of(start, option)
        return [s for s in self.children(container_id) if s.entry_id == entry_id and s.group_id == group_id]

    def children(self, container_id: str) -> tuple[Selection, ...]:
        path = path_to(self.roster, container_id)
        return path[-1].selections if path and not isinstance(path[-1], Roster) else ()
