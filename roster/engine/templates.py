"""Compiled entries: what a link and its target amount to together, and the options found inside.

A template does not depend on where it stands, so shared definitions are compiled once and the catalogue stays a graph
that is unfolded lazily.
"""

from collections.abc import Container, Iterable
from typing import TYPE_CHECKING, NamedTuple

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.citations import Citation
from catalogue.definitions.entries import Entry, EntryKind, ForceEntry
from catalogue.definitions.infos import Info
from catalogue.definitions.link_index import Found
from catalogue.definitions.numbers import Number
from roster.engine.demands import NO_DEMANDS, Demands, Modifiers, by_field, demand_of, queries_of
from roster.engine.layouts import MAX_DEPTH, Layout, arrange
from roster.engine.options import SEPARATOR, Group, Membership, Option

if TYPE_CHECKING:
    from roster.engine.compile import Ruleset

__all__ = [
    "MAX_DEPTH",
    "SEPARATOR",
    "BoundInfo",
    "Group",
    "Layout",
    "Membership",
    "Option",
    "Template",
]


def costs_of(
    parts: Iterable[Entry | ForceEntry], modifiers: Modifiers, known: Container[str]
) -> dict[str, Number]:
    """The unit costs that `parts` name together, of known types; a type that is only modified starts from nothing."""
    costs = {cost.type_id: cost.value for part in parts for cost in part.costs if cost.type_id in known}
    return costs | {field: 0 for field in modifiers if field in known and field not in costs}


class BoundInfo(NamedTuple):
    """A profile, rule, group or link, and the catalogue where its link is resolved.

    `on_link`: it belongs to the link to an entry, not to the entry.
    """

    info: Info
    home: Catalogue
    on_link: bool = False


class Template:
    """An entry or group, and the link it was reached by, merged: target first, then link."""

    __slots__ = (
        "_cost_readers",
        "_layout",
        "_ruleset",
        "category_links",
        "citation",
        "collective",
        "costs",
        "default_amount",
        "default_id",
        "demands",
        "effects",
        "fixed_costs",
        "hidden",
        "home",
        "infos",
        "instanced",
        "link",
        "link_home",
        "modifiers",
        "name",
        "note",
        "sort_index",
        "target",
    )

    def __init__(self, ruleset: "Ruleset", found: Found, link: Entry | None, link_home: Catalogue) -> None:
        target = found.entry
        parts = (target, link) if link else (target,)
        self._ruleset = ruleset
        self._layout: Layout | None = None
        self._cost_readers: tuple[str, ...] | None = None
        self.instanced: bool | None = None
        self.target = target
        self.link = link
        self.link_home = link_home
        self.home = found.home
        self.name = target.name or (link.name if link else "")
        self.note = next((p.note for p in reversed(parts) if p.note), "")
        self.default_id = next((p.default_id for p in reversed(parts) if p.default_id), "")
        self.citation: Citation = next((p.citation for p in parts if p.citation), target.citation)
        self.default_amount = next((p.default_amount for p in reversed(parts) if p.default_amount), 0)
        self.sort_index = next((p.sort_index for p in reversed(parts) if p.sort_index), 0)
        self.effects = tuple(e for p in parts for e in p.effects)
        self.hidden = any(p.hidden for p in parts)
        self.collective = any(p.collective for p in parts)
        self.modifiers = by_field(m for p in parts for m in p.modifiers)
        self.costs = costs_of(parts, self.modifiers, ruleset.binding.cost_types)
        self.fixed_costs = not any(type_id in self.modifiers for type_id in self.costs)
        self.category_links = tuple(c for p in parts for c in p.categories)
        self.infos = tuple(
            [BoundInfo(info, found.home) for info in target.infos]
            + [BoundInfo(info, link_home, on_link=True) for info in (link.infos if link else ())]
        )
        constrained = [(p, c) for p in parts for c in p.constraints]
        self.demands = (
            Demands(demand_of(c, p.id, p.name or target.name, self.modifiers) for p, c in constrained)
            if constrained
            else NO_DEMANDS
        )

    def is_made_by(self, link_id: str, target_id: str) -> bool:
        """Whether a link of that id to that target makes it."""
        return self.link is not None and self.link.id == link_id and self.target.id == target_id

    @property
    def is_group(self) -> bool:
        return self.target.kind is EntryKind.GROUP

    @property
    def asks_alike(self) -> bool:
        """Whether it asks and allows the same number wherever it stands."""
        numbers = self.demands.least + self.demands.most
        return "hidden" not in self.modifiers and all(d.plain and not d.modifiers for d in numbers)

    @property
    def comes_along(self) -> bool:
        """Whether a container may come with some of it."""
        return bool(self.demands.least or self.default_amount)

    @property
    def cost_readers(self) -> tuple[str, ...]:
        """The cost types of which its cost depends on costs."""
        if self._cost_readers is None:
            known = self._ruleset.binding.cost_types
            self._cost_readers = tuple(
                type_id
                for type_id in self.costs
                if any(q.field in known for m in self.modifiers.get(type_id, ()) for q in queries_of(m))
            )
        return self._cost_readers

    @property
    def layout(self) -> "Layout":
        """What may be taken inside, compiled when first asked for."""
        if self._layout is None:
            with self._ruleset.lock:
                if self._layout is None:
                    self._layout = arrange(self._ruleset, self.held, self.held_by_link)
        return self._layout

    @property
    def held(self) -> list[Found]:
        """What the target holds."""
        return [Found(entry, self.home) for entry in self.target.entries]

    @property
    def held_by_link(self) -> list[Found]:
        """What the link adds to it."""
        return [Found(entry, self.link_home) for entry in self.link.entries] if self.link else []
