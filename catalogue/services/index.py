"""Every definition of a catalogue by its id."""

from collections.abc import Iterable
from functools import cached_property

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.citations import Publication
from catalogue.definitions.entries import Category, Entry, ForceEntry
from catalogue.definitions.infos import Info


class CatalogueIndex:
    """The definitions of one catalogue, nested ones included. Of two with one id the shared or the first one counts."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    @cached_property
    def entries(self) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        _gather_entries(self.catalogue.shared_entries, found)
        _gather_entries(self.catalogue.entries, found)
        return found

    @cached_property
    def infos(self) -> dict[str, Info]:
        found: dict[str, Info] = {}
        _gather_infos(self.catalogue.shared_infos, found)
        _gather_infos(self.catalogue.infos, found)
        for entry in self.entries.values():
            _gather_infos(entry.infos, found)
        for force in _all_forces(self.catalogue.forces):
            _gather_infos(force.infos, found)
        return found

    @cached_property
    def categories(self) -> dict[str, Category]:
        return {category.id: category for category in reversed(self.catalogue.categories)}

    @cached_property
    def publications(self) -> dict[str, Publication]:
        return {publication.id: publication for publication in reversed(self.catalogue.publications)}


def _gather_entries(entries: Iterable[Entry], found: dict[str, Entry]) -> None:
    for entry in entries:
        found.setdefault(entry.id, entry)
        _gather_entries(entry.entries, found)


def _gather_infos(infos: Iterable[Info], found: dict[str, Info]) -> None:
    for info in infos:
        found.setdefault(info.id, info)
        _gather_infos(info.infos, found)


def _all_forces(forces: Iterable[ForceEntry]) -> Iterable[ForceEntry]:
    for force in forces:
        yield force
        yield from _all_forces(force.forces)
