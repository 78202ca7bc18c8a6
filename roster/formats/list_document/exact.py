"""A list document that says all there is: nothing is filled in."""

from collections.abc import Iterable, Iterator

from catalogue.definitions.entries import Entry, ForceEntry
from catalogue.graph.compiled_entry import CompiledOption, ContainerOptions
from catalogue.graph.ids import compose_id, get_link_prefix
from roster.engine.dependent_limits import find_dependent_limits
from roster.engine.planting import recognised
from roster.engine.tree import OUTSIDE, Force, Limit, Roster, Selection
from roster.formats.list_document.document import ListDocument, ListedForce, ListedItem
from roster.formats.list_document.resolver import Desk, group_id_of


class ExactBuilder(Desk):
    exact = True

    def build(self, document: ListDocument) -> Roster:
        roster = Roster(
            id=self.ids(),
            name=document.name,
            player=document.player,
            event=document.event,
            notes=document.notes,
            limits=self.agreed(document),
            unshown=document.unshown,
            faction=self.faction_id,
            forces=tuple(self.force(listed, None) for listed in document.detachments),
        )
        return recognised(self.ruleset, roster)

    def agreed(self, document: ListDocument) -> tuple[Limit, ...]:
        """What the document limits, and what follows from that unless it says otherwise."""
        limits = {limit.type_id: limit.value for limit in self.limits(document)}
        limits = {**find_dependent_limits(self.ruleset, limits), **limits}
        return tuple(Limit(type_id=own, value=value) for own, value in limits.items() if value >= 0)

    def force(self, listed: ListedForce, parent: ForceEntry | None) -> Force:
        catalogue_id = self.home_id = self.catalogue_id(listed)
        entry = None if listed.outside else self.entry(listed, catalogue_id, parent)
        own = self.ids()
        units = [unit for unit in listed.units if unit.count != 0]
        selections = tuple(self.items(units, self.layout(catalogue_id), ""))
        leading = [s.id for s, unit in zip(selections, units, strict=True) if unit.leads]
        return Force(
            id=own,
            entry_id=entry.id if entry else OUTSIDE,
            catalogue_id=catalogue_id,
            name=entry.name if entry else "",
            custom_name=listed.name,
            notes=listed.notes,
            leader_id=next(iter(leading), ""),
            also_leading=tuple(leading[1:]),
            category_notes=self.notes(listed),
            selections=selections,
            forces=tuple(self.force(inner, entry) for inner in listed.detachments),
        )

    def option(self, layout: ContainerOptions, item: ListedItem) -> CompiledOption | Entry | None:
        """What is meant here, perhaps something of another faction, of which nothing but its entry may be known.

        A list from elsewhere may hold what the data does not offer here, or does not know.
        """
        if option := self.known_option(layout, item):
            return option
        entry = self.foreign(item.entry)
        return self.ruleset.find_misplaced_option(entry.id if entry else item.entry.value) or entry

    def items(
        self, listed: Iterable[ListedItem], layout: ContainerOptions, start: str
    ) -> Iterator[Selection]:
        for item in listed:
            if item.count == 0:
                continue
            option = self.option(layout, item)
            own = self.ids()
            if not isinstance(option, CompiledOption):
                yield self.placeholder(item, option, own)
                continue
            self.handles.note(item, option, [own], root=not start)
            yield Selection(
                id=own,
                entry_id=compose_id(start, option),
                group_id=group_id_of(start, option),
                number=item.count or 1,
                name=option.name,
                custom_name=item.name,
                notes=item.notes,
                selections=tuple(
                    self.items(
                        item.options or (), option.entry.contents, get_link_prefix(compose_id(start, option))
                    )
                ),
            )
