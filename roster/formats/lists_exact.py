"""A list document that says all there is: nothing is filled in."""

from collections.abc import Iterable, Iterator

from catalogue.definitions.entries import ForceEntry
from roster.engine.options import composite, start_of
from roster.engine.planting import recognised
from roster.engine.templates import Layout, Option
from roster.engine.tree import OUTSIDE, Force, Roster, Selection
from roster.formats.lists_desk import Desk, group_id_of, option_of
from roster.formats.lists_nodes import UnreadableError
from roster.formats.lists_shapes import ListDocument, ListedForce, ListedItem


class ExactBuilder(Desk):
    exact = True

    def build(self, document: ListDocument) -> Roster:
        roster = Roster(
            id=self.ids(),
            name=document.name,
            player=document.player,
            event=document.event,
            notes=document.notes,
            limits=tuple(limit for limit in self.limits(document) if limit.value >= 0),
            unshown=document.unshown,
            forces=tuple(self.force(listed, None) for listed in document.detachments),
        )
        return recognised(self.ruleset, roster)

    def force(self, listed: ListedForce, parent: ForceEntry | None) -> Force:
        catalogue_id = self.catalogue_id(listed)
        entry = None if listed.outside else self.entry(listed, catalogue_id, parent)
        own = self.ids()
        units = [unit for unit in listed.units if unit.count != 0]
        selections = tuple(self.items(units, self.layout(catalogue_id), "", "unknown-unit"))
        leaders = (s.id for s, unit in zip(selections, units, strict=True) if unit.leads)
        return Force(
            id=own,
            entry_id=entry.id if entry else OUTSIDE,
            catalogue_id=catalogue_id,
            name=entry.name if entry else "",
            custom_name=listed.name,
            notes=listed.notes,
            leader_id=next(leaders, ""),
            category_notes=self.notes(listed),
            selections=selections,
            forces=tuple(self.force(inner, entry) for inner in listed.detachments),
        )

    def option(self, layout: Layout, item: ListedItem, code: str) -> Option | None:
        """What is meant here. A list from elsewhere may hold what the data does not offer here, or does not know."""
        try:
            return option_of(layout, item, code)
        except UnreadableError:
            return self.ruleset.stray(item.entry.value)

    def placeholder(self, item: ListedItem, own: str) -> Selection:
        """Something that the data does not know: it keeps its name, and everything in it does."""
        inner = (self.placeholder(each, self.ids()) for each in item.options or () if each.count != 0)
        return Selection(
            id=own,
            entry_id=item.entry.value,
            number=item.count or 1,
            name=item.entry.value,
            custom_name=item.name,
            notes=item.notes,
            selections=tuple(inner),
        )

    def items(
        self, listed: Iterable[ListedItem], layout: Layout, start: str, code: str
    ) -> Iterator[Selection]:
        for item in listed:
            if item.count == 0:
                continue
            option = self.option(layout, item, code)
            own = self.ids()
            if option is None:
                yield self.placeholder(item, own)
                continue
            self.handles.note(item, option, [own], root=not start)
            yield Selection(
                id=own,
                entry_id=composite(start, option),
                group_id=group_id_of(start, option),
                number=item.count or 1,
                name=option.name,
                custom_name=item.name,
                notes=item.notes,
                selections=tuple(
                    self.items(
                        item.options or (),
                        option.template.layout,
                        start_of(composite(start, option)),
                        "unknown-option",
                    )
                ),
            )
