"""What may be taken inside a container: its groups and options, where each is found, and what comes along."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from catalogue.definitions.link_index import Found
from catalogue.definitions.queries import Bound
from roster.engine.options import Group, Option, flat

if TYPE_CHECKING:
    from roster.engine.compile import Ruleset
    from roster.engine.templates import Template

__all__ = ["EMPTY", "LOWER", "MAX_DEPTH", "MOST_AUTOMATIC", "Group", "Layout", "Option", "arrange"]

MAX_DEPTH = 100
"""How deep groups, selections and forces may be nested. Real data stays below 15."""

MOST_AUTOMATIC = 500
"""How many selections come along at most: more is an error in the data."""

LOWER = (Bound.MIN, Bound.EXACTLY)
"""The ways to bind that ask for something."""

Picks = tuple[tuple[Option, int], ...]
"""Options with the number of each that is taken."""


class Layout:
    """What may be taken inside one container: the tree of groups and options, and the same flattened.

    `asking` are the options that may demand something without being taken, `bearing` the groups that demand anything,
    both by the way it binds; `required` and `defaults` are what may come along by itself. `bounds` are the ways in
    which anything in it binds.
    """

    __slots__ = (
        "_places",
        "asking",
        "bearing",
        "bounds",
        "defaults",
        "fixed_picks",
        "groups",
        "items",
        "options",
        "required",
    )

    def __init__(self, items: tuple[Option | Group, ...], groups: tuple[Group, ...]) -> None:
        self.items = items
        self.groups = groups
        self.options = tuple(flat(items))
        self.asking = {bound: tuple(o for o in self.options if _asks(o, bound)) for bound in LOWER}
        self.bearing = {
            bound: tuple(g for g in groups if bound in g.template.demands.every) for bound in Bound
        }
        places: tuple[Option | Group, ...] = (*self.options, *groups)
        self.bounds = frozenset(bound for place in places for bound in place.template.demands.every)
        self.required = tuple(o for o in self.options if o.template.comes_along)
        self.defaults = tuple((g, d) for g in groups if g.template.demands.least and (d := g.default))
        self.fixed_picks: Picks | None = _fixed_picks(self)
        self._places: dict[tuple[str, str], Option] = {}
        for option in self.options:
            group_id = option.group.local_id if option.group else ""
            self._places.setdefault((option.local_id, group_id), option)
            self._places.setdefault((option.local_id, ""), option)

    def place(self, local_id: str, group_local_id: str) -> Option | None:
        """The option at a place, or at another place if its group was moved."""
        return self._places.get((local_id, group_local_id)) or self._places.get((local_id, ""))

    def linked(self, link_id: str, target_id: str) -> Option | None:
        """The option that a link of that id makes of that target."""
        return next((o for o in self.options if o.template.is_made_by(link_id, target_id)), None)

    def named(self, wanted: str) -> Option | None:
        """The option meant by a local composite id, a link's id or a target's id; an entry wins over a link to it."""
        if exact := self._places.get((wanted, "")):
            return exact
        return next((option for option in self.options if option.answers_to(wanted)), None)


def arrange(
    ruleset: "Ruleset", entries: Iterable[Found], on_link: Iterable[Found] = (), *, root: bool = False
) -> Layout:
    """The layout of a container that holds `entries`, and `on_link` what the link to it adds; groups are no roots."""
    groups: list[Group] = []
    places = _Places(ruleset, groups, root=root)
    items = (*places.items(entries, (), ()), *replace(places, on_link=True).items(on_link, (), ()))
    return Layout(items, tuple(groups)) if items else EMPTY


@dataclass(frozen=True)
class _Places:
    """Makes the options and groups of one container; all groups are put into `groups`."""

    ruleset: "Ruleset"
    groups: list[Group]
    root: bool
    on_link: bool = False

    def items(
        self, entries: Iterable[Found], outer: tuple[Group, ...], links: tuple[str, ...]
    ) -> Iterator[Option | Group]:
        for found in entries:
            template = self.ruleset.template(*found)
            if template is None or (self.root and template.is_group):
                continue
            path = (*links, template.link.id) if template.link else links
            if not template.is_group:
                yield Option(template, outer, path, on_link=self.on_link)
            elif all(g.template.target is not template.target for g in outer) and len(outer) < MAX_DEPTH:
                yield self.group(template, outer, links, path)

    def group(
        self,
        template: "Template",
        outer: tuple[Group, ...],
        links: tuple[str, ...],
        path: tuple[str, ...],
    ) -> Group:
        """A group; what the link to it holds is reached without that link."""
        group = Group(template, outer, path, on_link=self.on_link)
        self.groups.append(group)
        group.items = (
            *self.items(template.held, group.groups, path),
            *self.items(template.held_by_link, group.groups, links),
        )
        return group


def _fixed_picks(layout: Layout) -> Picks | None:
    """What every fresh container of a layout comes with; None where modifiers or the rest of the roster decide."""
    drawn = dict.fromkeys((*layout.required, *(option for _, option in layout.defaults)))
    owners = {template for option in drawn for template in option.owners}
    named = [part.id for option in drawn for part in (option.template.target, option.template.link) if part]
    if len(named) > len(set(named)) or not all(template.asks_alike for template in owners):
        return None
    picks: dict[Option, int] = {}
    for option in layout.required:
        amount = min(option.template.default_amount, _room(option))
        picks[option] = 0 if option.hidden else min(max(_least(option.template), amount), MOST_AUTOMATIC)
    for group, option in layout.defaults:
        inside = sum(number for other, number in picks.items() if group in other.groups)
        taken = picks.get(option, 0)
        picks[option] = taken + max(0, min(_least(group.template) - inside, _room(option) - taken))
    return tuple((option, number) for option, number in picks.items() if number > 0)


def _least(template: "Template") -> int:
    return max((ceil(demand.constraint.value) for demand in template.demands.least), default=0)


def _room(option: Option) -> int:
    if option.hidden:
        return 0
    limits = (int(d.constraint.value) for d in option.template.demands.most if d.constraint.value >= 0)
    return min(limits, default=MOST_AUTOMATIC)


def _asks(option: Option, bound: Bound) -> bool:
    return any(demand.can_ask for demand in option.template.demands.own.get(bound, ()))


EMPTY = Layout((), ())
