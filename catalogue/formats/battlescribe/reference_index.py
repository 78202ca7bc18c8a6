"""Check references across files for dangling and ambiguous targets."""

from collections import defaultdict
from collections.abc import Container
from typing import NamedTuple

from catalogue.definitions.catalogues import Catalogue, CatalogueKind
from catalogue.definitions.entries import Category, Entry, ForceEntry
from catalogue.definitions.infos import Info
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.source_file import ReferenceKind, SourceFile

Node = Entry | Info


class ReadFile(NamedTuple):
    file: SourceFile
    catalogue: Catalogue


class ReferenceIndex:
    """Resolves ids that several files define.

    The nearest definition counts: in the file itself, files that it links to, the game system, any other.
    """

    def __init__(self, files: list[ReadFile]) -> None:
        self.files = files
        entries_by_id: dict[str, list[tuple[int, Node]]] = defaultdict(list)
        infos_by_id: dict[str, list[tuple[int, Node]]] = defaultdict(list)
        self.nodes = {ReferenceKind.ENTRY: entries_by_id, ReferenceKind.INFO: infos_by_id}
        self.ids: set[str] = set()
        for number, read in enumerate(files):
            self.ids |= read.file.defined.keys() | read.file.other_ids
            entries, infos = _list_entries_and_infos(read.catalogue)
            for entry in entries:
                entries_by_id[entry.id].append((number, entry))
            for info in infos:
                infos_by_id[info.id].append((number, info))

        by_id = {read.catalogue.id: number for number, read in enumerate(files)}
        systems = {at for at, read in enumerate(files) if read.catalogue.kind is CatalogueKind.GAME_SYSTEM}
        self._tiers: list[tuple[set[int], ...]] = []
        for number in range(len(files)):
            # The files that this one links to, directly or not.
            linked: set[int] = set()
            waiting = [number]
            while waiting:
                for link in files[waiting.pop()].catalogue.links:
                    at = by_id.get(link.target_id)
                    if at is not None and at not in linked:
                        linked.add(at)
                        waiting.append(at)
            self._tiers.append(({number}, linked, systems))

    def resolve(self, ref: ReferenceKind, target: str, number: int) -> list[tuple[int, Node]]:
        nodes = self.nodes[ref].get(target, [])
        if len(nodes) < 2:
            return nodes
        for tier in self._tiers[number]:
            near = [(at, node) for at, node in nodes if at in tier]
            if near:
                return near
        return nodes


def _list_entries_and_infos(catalogue: Catalogue) -> tuple[list[Entry], list[Info]]:
    """List all entries and infos. Their order decides which link of a cycle is cut."""
    entries: list[Entry] = []
    entries_left = [*catalogue.entries, *catalogue.shared_entries]
    while entries_left:
        entry = entries_left.pop()
        entries.append(entry)
        if entry.entries:
            entries_left += entry.entries

    infos: list[Info] = []
    infos_left = [*catalogue.infos, *catalogue.shared_infos]
    holders: list[Entry | Category | ForceEntry] = [*entries, *catalogue.categories]
    forces_left = [*catalogue.forces]
    while forces_left:
        force = forces_left.pop()
        holders.append(force)
        forces_left += force.forces
    for holder in holders:
        if holder.infos:
            infos_left += holder.infos
    while infos_left:
        info = infos_left.pop()
        infos.append(info)
        if info.infos:
            infos_left += info.infos
    return entries, infos


def check_references(index: ReferenceIndex) -> None:
    known_ids: dict[ReferenceKind, Container[str]] = {
        **dict.fromkeys(ReferenceKind, index.ids),
        ReferenceKind.ENTRY: index.nodes[ReferenceKind.ENTRY].keys(),
        ReferenceKind.INFO: index.nodes[ReferenceKind.INFO].keys(),
        ReferenceKind.CATEGORY: {c.id for read in index.files for c in read.catalogue.categories},
        ReferenceKind.CATALOGUE: {read.catalogue.id for read in index.files},
        ReferenceKind.COST: {c.id for read in index.files for c in read.catalogue.cost_types},
    }
    for number, read in enumerate(index.files):
        for kind, places in zip(ReferenceKind, read.file.references, strict=True):
            for target in places:
                if target not in known_ids[kind]:
                    _report_reference(read.file, _DANGLING[kind], kind, target)
        for target in read.file.references[ReferenceKind.ENTRY]:
            if len(index.resolve(ReferenceKind.ENTRY, target, number)) > 1:
                _report_reference(read.file, FindingKind.AMBIGUOUS_REFERENCE, ReferenceKind.ENTRY, target)


def _report_reference(file: SourceFile, kind: FindingKind, ref: ReferenceKind, target: str) -> None:
    for line, owner in file.references[ref][target]:
        file.findings.add(kind, target or "''", line, owner)


_DANGLING = {
    ReferenceKind.ENTRY: FindingKind.DANGLING_LINK,
    ReferenceKind.CATEGORY: FindingKind.DANGLING_CATEGORY,
    ReferenceKind.INFO: FindingKind.DANGLING_INFO,
    ReferenceKind.CATALOGUE: FindingKind.DANGLING_CATALOGUE,
    ReferenceKind.SCOPE: FindingKind.DANGLING_SCOPE,
    ReferenceKind.CHILD: FindingKind.DANGLING_CHILD,
    ReferenceKind.FIELD: FindingKind.DANGLING_FIELD,
    ReferenceKind.COST: FindingKind.DANGLING_COST,
    ReferenceKind.DEFAULT: FindingKind.DANGLING_DEFAULT,
    ReferenceKind.PROFILE_TYPE: FindingKind.DANGLING_PROFILE_TYPE,
    ReferenceKind.PUBLICATION: FindingKind.DANGLING_PUBLICATION,
}
