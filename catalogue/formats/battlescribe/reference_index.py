"""Check references across the files of a data set: links to nothing, in circles, or to one of several."""

from collections import defaultdict
from collections.abc import Container, Iterator
from typing import NamedTuple

from catalogue.definitions.catalogues import Catalogue, CatalogueKind
from catalogue.definitions.entries import Category, Entry, ForceEntry
from catalogue.definitions.infos import Info
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.source_file import ReferenceKind, SourceFile

Node = Entry | Info
"""What links lead to and start from."""


class ReadFile(NamedTuple):
    """A file and what was read from it."""

    file: SourceFile
    catalogue: Catalogue


class ReferenceIndex:
    """Every definition of a data set by id, and which of several a file means by an id.

    Nearest wins: the file itself, the files it links to, the game system, any other.
    """

    def __init__(self, files: list[ReadFile]) -> None:
        self.files = files
        entries_by_id: dict[str, list[tuple[int, Node]]] = defaultdict(list)
        infos_by_id: dict[str, list[tuple[int, Node]]] = defaultdict(list)
        self.nodes = {ReferenceKind.ENTRY: entries_by_id, ReferenceKind.INFO: infos_by_id}
        self.ids: set[str] = set()
        for number, read in enumerate(files):
            self.ids |= read.file.defined.keys() | read.file.known
            entries = _list_entries(read.catalogue)
            for entry in entries:
                entries_by_id[entry.id].append((number, entry))
            for info in _list_infos(read.catalogue, entries):
                infos_by_id[info.id].append((number, info))
        self._tiers = [self._rank_files(number) for number in range(len(files))]

    def resolve(self, ref: ReferenceKind, target: str, number: int) -> list[tuple[int, Node]]:
        """Return the definitions that file `number` may mean by the id `target`; more than one is ambiguous."""
        nodes = self.nodes[ref].get(target, [])
        if len(nodes) < 2:
            return nodes
        for tier in self._tiers[number]:
            near = [(at, node) for at, node in nodes if at in tier]
            if near:
                return near
        return nodes

    def _rank_files(self, number: int) -> tuple[set[int], ...]:
        by_id = {read.catalogue.id: at for at, read in enumerate(self.files)}
        systems = {at for at, read in enumerate(self.files) if read.catalogue.kind is CatalogueKind.GAME_SYSTEM}
        return {number}, self._follow_links(number, by_id), systems

    def _follow_links(self, number: int, by_id: dict[str, int]) -> set[int]:
        """Return the files that one links to, over however many others."""
        linked: set[int] = set()
        waiting = [number]
        while waiting:
            for link in self.files[waiting.pop()].catalogue.links:
                at = by_id.get(link.target_id)
                if at is not None and at not in linked:
                    linked.add(at)
                    waiting.append(at)
        return linked


def _list_entries(catalogue: Catalogue) -> list[Entry]:
    """Return all entries of a catalogue; the order decides which link of a circle is cut, and so what is installed."""
    entries = []
    waiting = [*catalogue.entries, *catalogue.shared_entries]
    while waiting:
        entry = waiting.pop()
        entries.append(entry)
        if entry.entries:
            waiting += entry.entries
    return entries


def _list_infos(catalogue: Catalogue, entries: list[Entry]) -> list[Info]:
    """Return all texts of a catalogue that has these entries, wherever they are."""
    infos = []
    waiting = [*catalogue.infos, *catalogue.shared_infos]
    holders: list[Entry | Category | ForceEntry] = [*entries, *catalogue.categories, *_walk_forces(catalogue)]
    for holder in holders:
        if holder.infos:
            waiting += holder.infos
    while waiting:
        info = waiting.pop()
        infos.append(info)
        if info.infos:
            waiting += info.infos
    return infos


def _walk_forces(catalogue: Catalogue) -> Iterator[ForceEntry]:
    waiting = [*catalogue.forces]
    while waiting:
        force = waiting.pop()
        yield force
        waiting += force.forces


def _collect_targets(index: ReferenceIndex) -> dict[ReferenceKind, Container[str]]:
    """Return the ids that references of each kind may name."""
    return {
        **dict.fromkeys(ReferenceKind, index.ids),
        ReferenceKind.ENTRY: index.nodes[ReferenceKind.ENTRY].keys(),
        ReferenceKind.INFO: index.nodes[ReferenceKind.INFO].keys(),
        ReferenceKind.CATEGORY: {c.id for read in index.files for c in read.catalogue.categories},
        ReferenceKind.CATALOGUE: {read.catalogue.id for read in index.files},
        ReferenceKind.COST: {c.id for read in index.files for c in read.catalogue.cost_types},
    }


def _report_dangling(file: SourceFile, targets: dict[ReferenceKind, Container[str]]) -> None:
    for kind, places in zip(ReferenceKind, file.references, strict=True):
        for target in places:
            if target not in targets[kind]:
                _report_reference(file, _DANGLING[kind], kind, target)


def check_references(index: ReferenceIndex) -> None:
    """Report every reference that leads nowhere or to several definitions."""
    targets = _collect_targets(index)
    for number, read in enumerate(index.files):
        _report_dangling(read.file, targets)
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
