"""Compiled entries: what a link and its target amount to together, and the options found inside.

A template does not depend on where it stands, so shared definitions are compiled once and the catalogue stays a graph
that is unfolded lazily. An `Option` is "this entry at this place in this container"; its identity is an index key.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from catalogue.definitions.binding import Found
from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.citations import Citation
from catalogue.definitions.entries import CategoryLink, Entry, EntryKind
from catalogue.definitions.infos import Info
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ANY, Bound
from roster.engine.demands import Demands, by_field, demand_of, queries_of

if TYPE_CHECKING:
    from roster.engine.compile import Ruleset

MAX_DEPTH = 100
"""How deep groups, selections and forces may be nested. Real data stays below 15."""

SEPARATOR = "::"

LOWER = (Bound.MIN, Bound.EXACTLY)
"""The ways to bind that ask for something."""


class Membership(NamedTuple):
    """The categories of a selection, in the order of the data, and the primary one (blank: none)."""

    ids: tuple[str, ...]
    primary: str = ""


class BoundInfo(NamedTuple):
    """A profile, rule, group or link, and the catalogue where its link is resolved."""

    info: Info
    home: Catalogue


def membership_of(links: Iterable[CategoryLink]) -> Membership:
    """The categories that `links` name; the last primary one wins."""
    ids: dict[str, None] = {}
    primary = ""
    for link in links:
        ids[link.target_id] = None
        if link.primary:
            primary = link.target_id
    return Membership(tuple(ids), primary)


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
        known = ruleset.binding.cost_types
        self.costs: dict[str, Number] = {
            c.type_id: c.value for p in parts for c in p.costs if c.type_id in known
        }
        self.fixed_costs = not any(type_id in self.modifiers for type_id in self.costs)
        self.category_links = tuple(c for p in parts for c in p.categories)
        self.infos = tuple(
            BoundInfo(i, home) for p, home in ((target, found.home), (link, link_home)) if p for i in p.infos
        )
        self.demands = Demands(
            demand_of(c, p.id, p.name or target.name, self.modifiers) for p in parts for c in p.constraints
        )

    @property
    def is_group(self) -> bool:
        return self.target.kind is EntryKind.GROUP

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
                    found = [Found(entry, self.home) for entry in self.target.entries]
                    self._layout = Layout(self._ruleset, found)
        return self._layout


class Option:
    """An entry at its place in a container: inside which groups, and reached by which links.

    `keys` is what a selection of it is counted under where links are shared: itself, its groups, and the ids of all of
    them; its type; `any`. `local_id` is its composite id below the container.
    """

    __slots__ = ("group", "groups", "keys", "links", "local_id", "membership", "moves_category", "template")

    def __init__(self, template: Template, groups: tuple["Group", ...], links: tuple[str, ...]) -> None:
        self.template = template
        self.groups = groups
        self.group = groups[-1] if groups else None
        self.links = links
        self.local_id = SEPARATOR.join((*links, template.target.id))
        owners = (template, *(g.template for g in groups))
        self.membership = membership_of(link for owner in owners for link in owner.category_links)
        self.moves_category = any("category" in owner.modifiers for owner in owners)
        ids = [part.id for o in owners for part in (o.target, o.link) if part]
        keys: dict[Hashable, None] = dict.fromkeys((self, *groups, *ids, template.target.type.value, ANY))
        self.keys = tuple(keys)

    @property
    def name(self) -> str:
        return self.template.name

    def answers_to(self, wanted: str) -> bool:
        """Whether `wanted` is its target's or its link's id."""
        link = self.template.link
        return wanted == self.template.target.id or bool(link and wanted == link.id)

    def __repr__(self) -> str:
        return f"<Option {self.local_id}>"


class Group:
    """A group of options at its place in a container. `groups` are the enclosing ones, itself last."""

    __slots__ = ("groups", "items", "links", "local_id", "template")

    def __init__(self, template: Template, outer: tuple["Group", ...], links: tuple[str, ...]) -> None:
        self.template = template
        self.groups = (*outer, self)
        self.links = links
        self.local_id = SEPARATOR.join((*links, template.target.id))
        self.items: tuple[Option | Group, ...] = ()

    @property
    def options(self) -> tuple[Option, ...]:
        """All options in it and in groups inside it, in order."""
        return tuple(flat(self.items))

    @property
    def default(self) -> Option | None:
        """The option chosen when the group's minimum is filled."""
        wanted = self.template.default_id
        if not wanted:
            return None
        return next((option for option in self.options if option.answers_to(wanted)), None)

    def __repr__(self) -> str:
        return f"<Group {self.local_id}>"


def flat(items: Sequence["Option | Group"]) -> list[Option]:
    """The options among `items`, those in groups included, in order."""
    options: list[Option] = []
    for item in items:
        if isinstance(item, Option):
            options.append(item)
        else:
            options.extend(flat(item.items))
    return options


class Layout:
    """What may be taken inside one container: the tree of groups and options, and the same flattened.

    `asking` are the options that may demand something without being taken, `bearing` the groups that demand anything,
    both by the way it binds; `required` and `defaults` are what may come along by itself.
    """

    __slots__ = ("_places", "asking", "bearing", "defaults", "groups", "items", "options", "required")

    def __init__(self, ruleset: "Ruleset", entries: Iterable[Found], *, root: bool = False) -> None:
        self.groups: list[Group] = []
        self.items = self._arrange(ruleset, entries, (), (), root)
        self.options = tuple(flat(self.items))
        self.asking = {bound: tuple(o for o in self.options if _asks(o, bound)) for bound in LOWER}
        self.bearing = {
            bound: tuple(g for g in self.groups if bound in g.template.demands.every) for bound in Bound
        }
        self.required = tuple(
            o for o in self.options if o.template.demands.least or o.template.default_amount
        )
        self.defaults = tuple((g, d) for g in self.groups if g.template.demands.least and (d := g.default))
        self._places: dict[tuple[str, str], Option] = {}
        for option in self.options:
            group_id = option.group.local_id if option.group else ""
            self._places.setdefault((option.local_id, group_id), option)
            self._places.setdefault((option.local_id, ""), option)

    def _arrange(
        self,
        ruleset: "Ruleset",
        entries: Iterable[Found],
        groups: tuple[Group, ...],
        links: tuple[str, ...],
        root: bool = False,
    ) -> tuple[Option | Group, ...]:
        items: list[Option | Group] = []
        for entry, home in entries:
            template = ruleset.template(entry, home)
            if template is None or (root and template.is_group):
                continue
            path = (*links, template.link.id) if template.link else links
            if not template.is_group:
                items.append(Option(template, groups, path))
            elif all(g.template.target is not template.target for g in groups) and len(groups) < MAX_DEPTH:
                items.append(self._group(ruleset, template, groups, path))
        return tuple(items)

    def _group(
        self, ruleset: "Ruleset", template: Template, groups: tuple[Group, ...], links: tuple[str, ...]
    ) -> Group:
        group = Group(template, groups, links)
        self.groups.append(group)
        inside = [Found(entry, template.home) for entry in template.target.entries]
        group.items = self._arrange(ruleset, inside, group.groups, links)
        return group

    def place(self, local_id: str, group_local_id: str) -> Option | None:
        """The option at a place, or at another place if its group was moved."""
        return self._places.get((local_id, group_local_id)) or self._places.get((local_id, ""))

    def named(self, wanted: str) -> Option | None:
        """The option meant by a local composite id, a link's id or a target's id; an entry wins over a link to it."""
        if exact := self._places.get((wanted, "")):
            return exact
        return next((option for option in self.options if option.answers_to(wanted)), None)


def _asks(option: Option, bound: Bound) -> bool:
    return any(demand.can_ask for demand in option.template.demands.own.get(bound, ()))
