"""Profiles and rules with links followed and groups opened."""

from collections.abc import Iterable, Iterator

import msgspec

from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.link_index import Binding
from catalogue.graph.compiled_entry import MAX_DEPTH, HomedInfo


def resolve_infos(binding: Binding, infos: Iterable[HomedInfo], depth: int = 0) -> Iterator[Info]:
    """Yield profiles and rules, links followed and groups opened; what is hidden is left out.

    What a link says of parameter and citation takes precedence over what its target says.
    """
    for info, home, _ in infos:
        if info.hidden or depth > MAX_DEPTH:
            continue
        if info.kind is InfoKind.GROUP:
            yield from resolve_infos(binding, (HomedInfo(inner, home) for inner in info.infos), depth + 1)
        elif info.kind is InfoKind.LINK:
            yield from _resolve_link(binding, HomedInfo(info, home), depth)
        else:
            yield info


def _resolve_link(binding: Binding, link: HomedInfo, depth: int) -> Iterator[Info]:
    """Yield what a link leads to.

    A link to a group, as to a weapon with its rules, means the profiles in it: its parameter is how many are carried.
    """
    target = binding.find_info(link.info.target_id, link.home)
    if target is None:
        return
    infos = resolve_infos(binding, [HomedInfo(target.info, target.home)], depth + 1)
    if not link.info.parameter and not link.info.citation:
        yield from infos
        return
    for info in infos:
        means_info = info.kind is InfoKind.PROFILE or target.info.kind is not InfoKind.GROUP
        yield msgspec.structs.replace(
            info,
            parameter=(link.info.parameter if means_info else "") or info.parameter,
            citation=link.info.citation or info.citation,
        )
