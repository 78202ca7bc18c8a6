"""Options and groups: an entry, or a group of them, at its place in a container.

The identity of an `Option` or a `Group` is an index key: the same entry at two places is two options.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from catalogue.definitions.entries import CategoryLink
from catalogue.definitions.queries import ANY

if TYPE_CHECKING:
    from roster.engine.templates import Template

SEPARATOR = "::"


def start_of(entry_id: str) -> str:
    """What the composite ids of what is inside a selection begin with: the links that led to it.

    >>> start_of("l1::l2::squad"), start_of("squad")
    ('l1::l2::', '')
    """
    return "".join(entry_id.rpartition(SEPARATOR)[:2])


def composite(start: str, place: "Option | Group") -> str:
    """The composite id of an option or group inside something whose insides' ids begin with `start`.

    What a link itself holds is reached without that link.
    """
    return (_without_last(start) if place.on_link else start) + place.local_id


def below(start: str, composite_id: str) -> str:
    """The local id: `composite_id` without what it begins with there.

    >>> below("l1::l2::", "l1::l2::squad"), below("l1::l2::", "l1::squad"), below("l1::", "squad")
    ('squad', 'squad', 'squad')
    """
    if composite_id.startswith(start):
        return composite_id.removeprefix(start)
    return composite_id.removeprefix(_without_last(start))


def _without_last(start: str) -> str:
    return start_of(start.removesuffix(SEPARATOR))


class Membership(NamedTuple):
    """The categories of a selection, in the order of the data, and the primary one (blank: none)."""

    ids: tuple[str, ...]
    primary: str = ""


def membership_of(links: Iterable[CategoryLink]) -> Membership:
    """The categories that `links` name; the last primary one wins."""
    ids: dict[str, None] = {}
    primary = ""
    for link in links:
        ids[link.target_id] = None
        if link.primary:
            primary = link.target_id
    return Membership(tuple(ids), primary)


class Option:
    """An entry at its place in a container: inside which groups, and reached by which links.

    A selection of it is counted as itself and its groups, by the ids of all of them, by its type, and as `any`.
    `local_id` is its composite id below the container; `on_link`: the link to the container holds it, not its target.
    """

    __slots__ = (
        "_keys",
        "_membership",
        "group",
        "groups",
        "local_id",
        "moves_category",
        "on_link",
        "template",
    )

    def __init__(
        self,
        template: "Template",
        groups: tuple["Group", ...],
        links: tuple[str, ...],
        *,
        on_link: bool = False,
    ) -> None:
        self.template = template
        self.groups = groups
        self.group = groups[-1] if groups else None
        self.on_link = on_link
        self.local_id = SEPARATOR.join((*links, template.target.id))
        self._keys: tuple[Hashable, ...] | None = None
        self._membership: Membership | None = None
        self.moves_category = any("category" in owner.modifiers for owner in self.owners)

    @property
    def keys(self) -> tuple[Hashable, ...]:
        """What a selection of it is counted under where links are shared."""
        if self._keys is None:
            ids = [part.id for owner in self.owners for part in (owner.target, owner.link) if part]
            kind = self.template.target.type.value
            self._keys = tuple(dict.fromkeys((self, *self.groups, *ids, kind, ANY)))
        return self._keys

    @property
    def membership(self) -> Membership:
        """The categories that links of its entry, its link and its groups name."""
        if self._membership is None:
            self._membership = membership_of(link for owner in self.owners for link in owner.category_links)
        return self._membership

    @property
    def owners(self) -> tuple["Template", ...]:
        """The entry and the groups around it, whose words all count for a selection of it."""
        return (self.template, *(group.template for group in self.groups))

    @property
    def hidden(self) -> bool:
        """Whether it is hidden by declaration."""
        return any(owner.hidden for owner in self.owners)

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
    """A group of options at its place in a container. `groups` are the enclosing ones, itself last.

    `local_id` and `on_link` are as for an option.
    """

    __slots__ = ("groups", "items", "local_id", "on_link", "template")

    def __init__(
        self, template: "Template", outer: tuple["Group", ...], links: tuple[str, ...], *, on_link: bool
    ) -> None:
        self.template = template
        self.groups = (*outer, self)
        self.on_link = on_link
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
