"""Build a roster from a list document.

Units and options are taken as in the builder, with automatic minimums and defaults. Naming a member of a group removes
the group's default, unless the default has a minimum or is also named. An automatic option keeps its number unless the
document gives a `count`; `count: 0` removes it. An `exact` document lists every selection.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from catalogue.definitions.entries import Entry, ForceEntry
from catalogue.graph.compiled_entry import ContainerOptions
from catalogue.graph.ids import compose_id, get_link_prefix
from catalogue.graph.ruleset import Ruleset
from roster.engine.edits import find_dependent_limits
from roster.engine.evaluation import Deadline, expire_never
from roster.engine.new_selections import register_cost_types
from roster.engine.plan import GamePlan
from roster.engine.tree import OUTSIDE, Force, Limit, RosterTree, Selection
from roster.formats.list_document.document import ListDocument, ListedForce, ListedItem, list_present
from roster.formats.list_document.fill import FillingBuilder
from roster.formats.list_document.nodes import Unreadable, UnreadableError, refuse_size
from roster.formats.list_document.plan_resolver import build_plan
from roster.formats.list_document.resolver import Resolver, get_group_id
from roster.formats.list_document.values import Text
from roster.formats.list_text import MAX_DETACHMENTS, MAX_PARTS


class ExactBuilder(Resolver):
    exact = True

    def build_roster(self, document: ListDocument) -> RosterTree:
        self._is_stacked = document.stacked
        self._parts = 0
        limits = {limit.type_id: limit.value for limit in self.resolve_limits(document)}
        limits = {**find_dependent_limits(self.ruleset, limits), **limits}
        roster = RosterTree(
            id=self.ids(),
            name=document.name,
            player=document.player,
            event=document.event,
            notes=document.notes,
            limits=tuple(Limit(type_id=type_id, value=value) for type_id, value in limits.items() if value >= 0),
            unshown=document.unshown,
            vendor=document.vendor,
            faction=self.faction_id,
            forces=tuple(self._build_force(listed, None) for listed in document.detachments),
        )
        return register_cost_types(self.ruleset, self.attach_selections(roster))

    def _build_force(self, listed: ListedForce, parent: ForceEntry | None) -> Force:
        catalogue_id = self.home_id = self._find_catalogue_id(listed)
        catalogue = self.ruleset.find_catalogue(catalogue_id)
        # Keep a force even if the data no longer has its catalogue.
        is_known = catalogue is not None and not listed.outside
        entry = self.resolve_force_entry(listed, catalogue_id, parent) if is_known else None
        self.set_slots(catalogue, entry)
        force_id = self.ids()
        units = list_present(listed.units)
        if catalogue is None:
            selections = tuple(self.build_placeholder(unit, None, self.ids()) for unit in units)
        else:
            selections = tuple(self._build_selections(units, catalogue.root_options, "", is_inside=False))
        leading = [selection.id for selection, unit in zip(selections, units, strict=True) if unit.leads]
        return Force(
            id=force_id,
            entry_id=entry.id if entry else OUTSIDE if listed.outside else listed.force.value,
            catalogue_id=catalogue_id,
            name=entry.name if entry else "",
            custom_name=listed.name,
            notes=listed.notes,
            leader_id=next(iter(leading), ""),
            also_leading=tuple(leading[1:]),
            category_notes=self.resolve_category_notes(listed),
            selections=selections,
            forces=tuple(self._build_force(inner, entry) for inner in listed.detachments),
        )

    def _find_catalogue_id(self, listed: ListedForce) -> str:
        try:
            return self.resolve_catalogue_id(listed)
        except UnreadableError:
            return listed.catalogue.value

    def _build_selections(
        self, listed: Iterable[ListedItem], contents: ContainerOptions, start: str, *, is_inside: bool = True
    ) -> Iterator[Selection]:
        for item in list_present(listed):
            # A list from another program may hold unknown entries, or entries that the data does not offer here.
            option = self.find_option(contents, item)
            entry: Entry | None = None
            if option is None:
                entry = self.find_foreign_entry(item.entry)
                option = self.find_misplaced_option(Text(entry.id) if entry else item.entry)
            if option is None:
                yield self.build_placeholder(item, entry, self.ids())
                continue

            entry_id, number = compose_id(start, option), item.count or 1
            is_stack = self._is_stacked and is_inside and option.entry.is_instanced and not item.is_single
            for _ in range(number if is_stack else 1):
                # A line with a count may become more selections than the document's size check counted.
                self._parts += 1
                if self._parts > MAX_PARTS:
                    raise UnreadableError(refuse_size(self._parts))
                selection_id = self.ids()
                self.register_item(item, option, [selection_id], root=not start)
                inner = self._build_selections(item.options or (), option.entry.contents, get_link_prefix(entry_id))
                yield Selection(
                    id=selection_id,
                    entry_id=entry_id,
                    group_id=get_group_id(start, option),
                    number=1 if is_stack else number,
                    name=option.name,
                    custom_name=item.name,
                    notes=item.notes,
                    selections=tuple(inner),
                )


class BuiltList(NamedTuple):
    roster: RosterTree
    game: GamePlan | None = None


def build_list(
    ruleset: Ruleset,
    document: ListDocument,
    faction_id: str,
    deadline: Deadline = expire_never,
    *,
    named: set[str] | None = None,
) -> BuiltList | Unreadable:
    """Build a document's roster and plan, or return its first mistake. Raises OverdueError.

    Adds the ids of explicitly listed selections to `named`.
    """
    if document.count_detachments() > MAX_DETACHMENTS:
        return Unreadable("too-many-detachments", given=str(document.count_detachments()), detail=str(MAX_DETACHMENTS))
    if document.count_parts() > MAX_PARTS:
        return refuse_size(document.count_parts())
    try:
        builder = (ExactBuilder if document.exact else FillingBuilder)(ruleset, faction_id, deadline)
        roster = builder.build_roster(document)
        plan = document.plan
        if named is not None:
            named |= builder.named
        return BuiltList(roster, build_plan(ruleset, plan, builder.references) if plan else None)
    except UnreadableError as error:
        return error.unreadable
