"""Composite ids: the ids of all links that lead to an entry or group, then its own.

A local id starts with the first link inside a container.
"""

from typing import Protocol

SEPARATOR = "::"


class HasLocalId(Protocol):
    """With `on_link`, it belongs to the link to its container, not the container's target."""

    @property
    def local_id(self) -> str: ...

    @property
    def on_link(self) -> bool: ...


def join_ids(*ids: str) -> str:
    """Join the ids of links and their target.

    >>> join_ids("l1", "l2", "squad"), join_ids("squad")
    ('l1::l2::squad', 'squad')
    """
    return SEPARATOR.join(ids)


def split_id(composite_id: str) -> list[str]:
    """Split a composite id.

    >>> split_id("l1::l2::squad"), split_id("squad")
    (['l1', 'l2', 'squad'], ['squad'])
    """
    return composite_id.split(SEPARATOR)


def get_target_id(composite_id: str) -> str:
    """Return the entry's or group's own id.

    >>> get_target_id("l1::l2::squad"), get_target_id("squad")
    ('squad', 'squad')
    """
    return composite_id.rpartition(SEPARATOR)[2]


def has_final_id(composite_id: str, entry_id: str) -> bool:
    """Return whether a composite id is `entry_id` or ends in it.

    >>> has_final_id("l1::squad", "squad"), has_final_id("l1::l2::squad", "l2::squad"), has_final_id("a-squad", "squad")
    (True, True, False)
    """
    return (SEPARATOR + composite_id).endswith(SEPARATOR + entry_id)


def get_link_prefix(composite_id: str) -> str:
    """Return a composite id's links, with which all ids inside that selection start.

    >>> get_link_prefix("l1::l2::squad"), get_link_prefix("squad")
    ('l1::l2::', '')
    """
    return "".join(composite_id.rpartition(SEPARATOR)[:2])


def extend_prefix(prefix: str, link_id: str) -> str:
    """Return a prefix with one more link.

    >>> extend_prefix("", "l1"), extend_prefix("l1::", "l2")
    ('l1::', 'l1::l2::')
    """
    return prefix + link_id + SEPARATOR


def drop_last_link(prefix: str) -> str:
    """Return a prefix without its last link.

    >>> drop_last_link("l1::l2::"), drop_last_link("l1::")
    ('l1::', '')
    """
    return get_link_prefix(prefix.removesuffix(SEPARATOR))


def compose_id(prefix: str, place: HasLocalId) -> str:
    return (drop_last_link(prefix) if place.on_link else prefix) + place.local_id


def strip_link_prefix(prefix: str, composite_id: str) -> str:
    """Return a composite id relative to its container's prefix.

    >>> strip_link_prefix("l1::l2::", "l1::l2::squad"), strip_link_prefix("l1::l2::", "l1::squad")
    ('squad', 'squad')
    >>> strip_link_prefix("l1::", "squad")
    'squad'
    """
    if composite_id.startswith(prefix):
        return composite_id.removeprefix(prefix)
    return composite_id.removeprefix(drop_last_link(prefix))
