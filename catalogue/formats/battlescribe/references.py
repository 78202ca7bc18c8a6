"""What leads where across the files of a data set: links to nothing, in circles, or to one of several."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from catalogue.definitions.catalogues import Catalogue, CatalogueKind
from catalogue.definitions.entries import Category, Entry, ForceEntry
from catalogue.definitions.infos import Info
from catalogue.formats.battlescribe.findings import Kind
from catalogue.formats.battlescribe.source import Ref, SourceFile

Node = Entry | Info
"""What links lead to and start from."""


class ReadFile(NamedTuple):
    """A file and what was read from it."""

    file: SourceFile
    catalogue: Catalogue


class Index:
    """Every definition of a data set by id, and which of several a file means by an id.

    Nearest wins: the file itself, the files it links to, the game system, any other.
    """

    def __init__(self, files: list[ReadFile]) -> None:
        self.files = files
        self.nodes: dict[Ref, dict[str, list[tuple[int, Node]]]] = {
            Ref.ENTRY: defaultdict(list),
            Ref.INFO: defaultdict(list),
        }
        self.ids: set[str] = set()
        for number, read in enumerate(files):
            self.ids |= read.file.defined.keys() | read.file.known
            for entry in _entries(read.catalogue):
                self.nodes[Ref.ENTRY][entry.id].append((number, entry))
            for info in _infos(read.catalogue):
                self.nodes[Ref.INFO][info.id].append((number, info))
        self._tiers = [self._tiers_of(number) for number in range(len(files))]

    def resolve(self, ref: Ref, target: str, number: int) -> list[tuple[int, Node]]:
        """The definitions that file `number` may mean by the id `target`; more than one is ambiguous."""
        found = self.nodes[ref].get(target, [])
        if len(found) < 2:
            return found
        for tier in self._tiers[number]:
            near = [(at, node) for at, node in found if at in tier]
            if near:
                return near
        return found

    def _tiers_of(self, number: int) -> tuple[set[int], ...]:
        by_id = {read.catalogue.id: at for at, read in enumerate(self.files)}
        systems = {
            at for at, read in enumerate(self.files) if read.catalogue.kind is CatalogueKind.GAME_SYSTEM
        }
        linked: set[int] = set()
        waiting = [number]
        while waiting:
            for link in self.files[waiting.pop()].catalogue.links:
                at = by_id.get(link.target_id)
                if at is not None and at not in linked:
                    linked.add(at)
                    waiting.append(at)
        return {number}, linked, systems


def _entries(catalogue: Catalogue) -> Iterator[Entry]:
    waiting = [*catalogue.entries, *catalogue.shared_entries]
    while waiting:
        entry = waiting.pop()
        yield entry
        waiting += entry.entries


def _infos(catalogue: Catalogue) -> Iterator[Info]:
    """All texts of a catalogue, wherever they are."""
    waiting = [*catalogue.infos, *catalogue.shared_infos]
    holders: list[Entry | Category | ForceEntry] = [
        *_entries(catalogue),
        *catalogue.categories,
        *_forces(catalogue),
    ]
    for holder in holders:
        waiting += holder.infos
    while waiting:
        info = waiting.pop()
        yield info
        waiting += info.infos


def _forces(catalogue: Catalogue) -> Iterator[ForceEntry]:
    waiting = [*catalogue.forces]
    while waiting:
        force = waiting.pop()
        yield force
        waiting += force.forces


def check_references(index: Index) -> None:
    """Report every reference that leads nowhere or to several definitions."""
    targets = {
        **dict.fromkeys(Ref, index.ids),
        Ref.ENTRY: index.nodes[Ref.ENTRY].keys(),
        Ref.INFO: index.nodes[Ref.INFO].keys(),
        Ref.CATEGORY: {c.id for read in index.files for c in read.catalogue.categories},
        Ref.CATALOGUE: {read.catalogue.id for read in index.files},
        Ref.COST: {c.id for read in index.files for c in read.catalogue.cost_types},
    }
    for number, read in enumerate(index.files):
        for ref, places in zip(Ref, read.file.references, strict=True):
            known = targets[ref]
            for target in places:
                if target not in known:
                    _note(read.file, _DANGLING[ref], ref, target)
        for target in read.file.references[Ref.ENTRY]:
            if len(index.resolve(Ref.ENTRY, target, number)) > 1:
                _note(read.file, Kind.AMBIGUOUS_REFERENCE, Ref.ENTRY, target)


def _note(file: SourceFile, kind: Kind, ref: Ref, target: str) -> None:
    for line, owner in file.references[ref][target]:
        file.findings.add(kind, target or "''", line, owner)


_DANGLING = {
    Ref.ENTRY: Kind.DANGLING_LINK,
    Ref.CATEGORY: Kind.DANGLING_CATEGORY,
    Ref.INFO: Kind.DANGLING_INFO,
    Ref.CATALOGUE: Kind.DANGLING_CATALOGUE,
    Ref.SCOPE: Kind.DANGLING_SCOPE,
    Ref.CHILD: Kind.DANGLING_CHILD,
    Ref.FIELD: Kind.DANGLING_FIELD,
    Ref.COST: Kind.DANGLING_COST,
    Ref.DEFAULT: Kind.DANGLING_DEFAULT,
    Ref.PROFILE_TYPE: Kind.DANGLING_PROFILE_TYPE,
    Ref.PUBLICATION: Kind.DANGLING_PUBLICATION,
}
