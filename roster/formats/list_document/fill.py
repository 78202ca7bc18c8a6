"""Fill in a list document as the builder does."""

from collections.abc import Iterable

from catalogue.definitions.entries import ForceEntry
from catalogue.graph.compiled_entry import CompiledOption, ContainerOptions
from catalogue.graph.ids import compose_id, get_link_prefix
from roster.engine import edits
from roster.engine.draft import Draft
from roster.engine.edits import Refused
from roster.engine.tree import OUTSIDE, Force, RosterTree, Selection, copy_with
from roster.formats.list_document.document import ListDocument, ListedForce, ListedItem
from roster.formats.list_document.nodes import Unreadable, UnreadableError, refuse_size
from roster.formats.list_document.resolver import Resolver, get_group_id
from roster.formats.list_document.values import Text
from roster.formats.list_text import MAX_PARTS


def _count_all(selections: Iterable[Selection]) -> int:
    return sum(selection.number for selection in selections)


class FillingBuilder(Resolver):
    def build_roster(self, document: ListDocument) -> RosterTree:
        limits = edits.list_open_limits(self.ruleset)
        limits |= {limit.type_id: limit.value for limit in self.resolve_limits(document)}
        start = edits.create_roster(self.ruleset, document.name, limits=limits, ids=self.ids)
        titled = copy_with(
            start.roster,
            player=document.player,
            event=document.event,
            notes=document.notes,
            unshown=document.unshown,
            vendor=document.vendor,
            faction=self.faction_id,
        )
        self.draft = Draft(self.ruleset, titled, self.ids, self.deadline)
        for listed in document.detachments:
            self._add_force(listed, None, "")
        return self.attach_selections(self.draft.build_roster())

    def _expect_id(self, outcome: str | Refused, place: Text) -> str:
        if isinstance(outcome, Refused):
            raise UnreadableError(Unreadable(outcome.code, place.line, place.column, place.value))
        # Check after each edit: automatic selections may be many times what was requested.
        if self.draft.parts > MAX_PARTS:
            raise UnreadableError(refuse_size(self.draft.parts))
        return outcome

    def _add_force(self, listed: ListedForce, parent: ForceEntry | None, parent_id: str) -> None:
        catalogue_id = self.home_id = self.resolve_catalogue_id(listed)
        if listed.outside:
            outside = Force(id=self.ids(), entry_id=OUTSIDE, catalogue_id=catalogue_id, name=listed.name)
            self.draft.put_force(outside)
            self._fill_force(outside.id, listed, catalogue_id)
            return
        entry = self.resolve_force_entry(listed, catalogue_id, parent)
        force_id = self._expect_id(self.draft.add_force(entry.id, catalogue_id, parent_id), listed.force)
        self._set_texts(force_id, listed.name, listed.notes)
        for note in self.resolve_category_notes(listed):
            self.draft.note_category(force_id, note)
        self._fill_force(force_id, listed, catalogue_id, entry)
        for inner in listed.detachments:
            self._add_force(inner, entry, force_id)

    def _fill_force(
        self, force_id: str, listed: ListedForce, catalogue_id: str, entry: ForceEntry | None = None
    ) -> None:
        catalogue = self.ruleset.find_catalogue(catalogue_id)
        assert catalogue is not None  # noqa: S101 - the id was looked up among the catalogues of this ruleset
        self.set_slots(catalogue, entry)
        self._fill_container(force_id, listed.units, catalogue.root_options, "", "unknown-unit")

    def _set_texts(self, node_id: str, name: str, notes: str) -> None:
        if name or notes:
            self.draft.set_texts(node_id, custom_name=name, notes=notes)

    def _fill_container(
        self, container_id: str, listed: Iterable[ListedItem], contents: ContainerOptions, start: str, code: str
    ) -> None:
        items: list[tuple[ListedItem, CompiledOption]] = []
        for item in listed:
            option = self._resolve_option(container_id, contents, item, code)
            if option:
                items.append((item, option))

        named = {option for item, option in items if item.count != 0}
        # Naming another member of a group removes its default, unless the default has its own minimum.
        staying = named.union(contents.automatic_options)
        for group in contents.groups:
            if group.default and group.default not in staying and not named.isdisjoint(group.options):
                self._remove_all(self._list_taken(container_id, start, group.default), Text())

        there = {option: self._list_taken(container_id, start, option) for _, option in items}
        for item, option in items:
            selection_ids = self._ensure_item(container_id, item, option, start, there[option])
            self.register_item(item, option, selection_ids, root=not start)
            for selection_id in selection_ids:
                self._set_texts(selection_id, item.name, item.notes)
                if item.leads:
                    self._expect_id(self.draft.declare_leader(container_id, selection_id), item.entry)
                # A selection without `options` keeps its automatic contents.
                if item.options is not None:
                    inner = get_link_prefix(compose_id(start, option))
                    self._fill_container(selection_id, item.options, option.entry.contents, inner, "unknown-option")

        # `_ensure_item` has taken the claimed selections out of these lists. The rest exceeds the count.
        for item, option in items:
            if item.count is not None:
                self._remove_all(there[option], item.entry)

    def _resolve_option(
        self, container_id: str, contents: ContainerOptions, item: ListedItem, code: str
    ) -> CompiledOption | None:
        """Return an item's option; None for an entry from elsewhere, which is kept by name only."""
        if option := self.find_option(contents, item):
            return option
        entry = self.find_foreign_entry(item.entry)
        if entry is None:
            # An option that the faction has for other units breaks a rule here, but the list remains readable.
            is_stray = code == "unknown-option" and not item.group
            if is_stray and (misplaced := self.find_misplaced_option(item.entry)):
                return misplaced
            entry = self.find_own_option(item.entry) if is_stray else None
            if entry is None and not item.is_elsewhere:
                return self.resolve_option(contents, item, code)
        option = self.ruleset.find_misplaced_option(entry.id) if entry else None
        # It cannot be evaluated, but must not be lost.
        if option is None and item.count != 0:
            self.draft.put_selection(container_id, self.build_placeholder(item, entry, self.ids()))
        return option

    def _ensure_item(
        self, container_id: str, item: ListedItem, option: CompiledOption, start: str, there: list[Selection]
    ) -> list[str]:
        """Take the item's number of an option, or claim selections from `there`; return their ids."""
        if item.count == 0:
            return []
        # Two items of one option share the automatic selections in the order of the document.
        claimed: list[Selection] = []
        while there and (item.count is None or _count_all(claimed) < item.count):
            claimed.append(there.pop(0))
        claimed_ids = [selection.id for selection in claimed]
        missing = (item.count or 1) - _count_all(claimed)

        entry_id = compose_id(start, option)
        if option.entry.target.apart:
            return claimed_ids + [self._select_option(container_id, item, option, entry_id) for _ in range(missing)]
        if not claimed:
            selection_id = self._select_option(container_id, item, option, entry_id)
            # A minimum may have added more than one.
            if missing > 1:
                self._set_number(selection_id, self.draft.get_number(selection_id) + missing - 1, item.entry)
            return [selection_id]
        if item.count and missing:
            # The last selection makes up the difference, so that the others keep their contents.
            self._set_number(claimed[-1].id, claimed[-1].number + missing, item.entry)
        return claimed_ids

    def _select_option(self, container_id: str, item: ListedItem, option: CompiledOption, entry_id: str) -> str:
        if option is self.ruleset.find_misplaced_option(option.local_id):
            return self._expect_id(self.draft.insert_option(container_id, option), item.entry)
        return self._expect_id(self.draft.select(container_id, entry_id), item.entry)

    def _set_number(self, selection_id: str, number: int, place: Text) -> None:
        self._expect_id(self.draft.set_number(selection_id, number), place)

    def _remove_all(self, selections: list[Selection], place: Text) -> None:
        while selections:
            self._set_number(selections.pop().id, 0, place)

    def _list_taken(self, container_id: str, start: str, option: CompiledOption) -> list[Selection]:
        entry_id, group_id = compose_id(start, option), get_group_id(start, option)
        # The same entry in another group is another choice.
        return [s for s in self.draft.get_children(container_id) if s.entry_id == entry_id and s.group_id == group_id]
