"""Copy a unit, with new ids for everything inside."""

from typing import Any

import msgspec

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.entries import Entry, EntryKind
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.link_index import Binding, walk_entries, walk_infos

_NAMING_KEYS = frozenset({"id", "target_id", "child_id", "default_id", "scope", "subject_id"})
"""The keys of definitions whose values may be the id of an entry or a profile."""


def copy_unit(binding: Binding, home: Catalogue, entry: Entry, unit_id: str, name: str) -> Entry:
    """Copy a unit under a new id and name.

    A link is merged with its target. Everything inside gets `unit_id/` before its id, so that changes of the copy do
    not reach the original. Linked content stays shared, except profiles, which are copied.
    """
    target = binding.find_entry(entry.target_id, home) if entry.is_link else None
    whole = _merge_link(entry, target.entry) if target else entry
    home = target.home if target else home
    whole = _copy_profiles(binding, home, whole)

    ids = {entry.id: unit_id, whole.id: unit_id}
    for inner in walk_entries((whole,)):
        if inner is not whole:
            ids[inner.id] = f"{unit_id}/{inner.id}"
        for info in walk_infos(inner.infos):
            ids[info.id] = f"{unit_id}/{info.id}"
    copied = msgspec.convert(_rename_ids(msgspec.to_builtins(whole), ids), Entry)
    return msgspec.structs.replace(copied, id=unit_id, name=name, exported=True, hidden=False)


def _merge_link(link: Entry, target: Entry) -> Entry:
    costs = {cost.type_id: cost for cost in (*target.costs, *link.costs)}
    return msgspec.structs.replace(
        target,
        note=link.note or target.note,
        emblem=link.emblem or target.emblem,
        sort_index=link.sort_index or target.sort_index,
        default_id=link.default_id or target.default_id,
        default_amount=link.default_amount or target.default_amount,
        default_stacks=link.default_stacks or target.default_stacks,
        collective=target.collective or link.collective,
        costs=tuple(costs.values()),
        constraints=target.constraints + link.constraints,
        modifiers=target.modifiers + link.modifiers,
        effects=target.effects + link.effects,
        categories=target.categories + link.categories,
        infos=target.infos + link.infos,
        associations=target.associations + link.associations,
        entries=target.entries + link.entries,
        citation=link.citation or target.citation,
    )


def _copy_profiles(binding: Binding, home: Catalogue, entry: Entry) -> Entry:
    def copy_info(info: Info) -> Info:
        target = binding.find_info(info.target_id, home) if info.kind is InfoKind.LINK else None
        # Modifiers of a link refer to the link itself, so its profile stays shared.
        if target is None or info.modifiers or info.parameter or target.info.kind is not InfoKind.PROFILE:
            return info
        return msgspec.structs.replace(target.info, id=info.id, hidden=info.hidden or target.info.hidden)

    return msgspec.structs.replace(
        entry,
        infos=tuple(map(copy_info, entry.infos)),
        entries=tuple(_copy_profiles(binding, home, inner) for inner in entry.entries),
    )


def _rename_ids(value: Any, ids: dict[str, str], key: str = "") -> Any:
    if isinstance(value, dict):
        # Types of units may have the id of a unit.
        return {
            name: inner if name in ("categories", "type_id") else _rename_ids(inner, ids, name)
            for name, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_rename_ids(inner, ids, key) for inner in value]
    if isinstance(value, str) and key in _NAMING_KEYS:
        return ids.get(value, value)
    return value


def is_copyable(binding: Binding, home: Catalogue, entry: Entry) -> bool:
    if entry.kind in (EntryKind.GROUP, EntryKind.GROUP_LINK):
        return False
    return not entry.is_link or binding.find_entry(entry.target_id, home) is not None
