"""A list document that says all there is: nothing is filled in."""

from collections.abc import Iterable, Iterator

from catalogue.definitions.entries import ForceEntry
from roster.engine.planting import recognised
from roster.engine.templates import Layout
from roster.engine.tree import OUTSIDE, Force, Roster, Selection
from roster.formats.lists_desk import Desk, Prefix, entry_id_of, group_id_of, option_of
from roster.formats.lists_shapes import ListDocument, ListedForce, ListedItem


class ExactBuilder(Desk):
    exact = True

    def build(self, document: ListDocument) -> Roster:
        roster = Roster(
            id=self.ids(),
            name=document.name,
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
        selections = tuple(self.items(units, self.layout(catalogue_id), (), "unknown-unit"))
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

    def items(
        self, listed: Iterable[ListedItem], layout: Layout, prefix: Prefix, code: str
    ) -> Iterator[Selection]:
        for item in listed:
            option = option_of(layout, item, code)
            if item.count == 0:
                continue
            own = self.ids()
            self.handles.note(item, option, [own], root=not prefix)
            yield Selection(
                id=own,
                entry_id=entry_id_of(prefix, option),
                group_id=group_id_of(prefix, option),
                number=item.count or 1,
                name=option.name,
                custom_name=item.name,
                notes=item.notes,
                selections=tuple(
                    self.items(
                        item.options or (), option.template.layout, (*prefix, *option.links), "unknown-option"
                    )
                ),
            )
