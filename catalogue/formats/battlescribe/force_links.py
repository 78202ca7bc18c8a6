"""Replace force links by force entries after reading all files. Rosters refer to such a force as `link::target`."""

from collections.abc import Iterable, Iterator

import msgspec

from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.link_index import walk_forces
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.reference_index import ReadFile
from catalogue.graph.ids import join_ids

MOST_FORCES = 5_000
"""Nested links to forces multiply."""


def replace_force_links(files: list[ReadFile]) -> list[ReadFile]:
    """Raise ReadError for too many forces."""
    if not any(read.file.force_links for read in files):
        return files
    links = ForceLinks(files)
    return [
        read._replace(
            catalogue=msgspec.structs.replace(
                read.catalogue, forces=tuple(links.replace_links(read.catalogue.forces, read, ()))
            )
        )
        for read in files
    ]


class ForceLinks:
    def __init__(self, files: list[ReadFile]) -> None:
        self._count = 0
        self._forces_by_id: dict[str, list[tuple[ReadFile, ForceEntry]]] = {}
        for read in files:
            for force in walk_forces((*read.file.shared_forces, *read.catalogue.forces)):
                if force.id not in read.file.force_links:
                    self._forces_by_id.setdefault(force.id, []).append((read, force))

    def replace_links(
        self, forces: Iterable[ForceEntry], read: ReadFile, above: tuple[str, ...]
    ) -> Iterator[ForceEntry]:
        for force in forces:
            if force.id not in read.file.force_links:
                inside = tuple(self.replace_links(force.forces, read, (*above, force.id)))
                yield msgspec.structs.replace(force, forces=inside)
                continue

            target_id, line = read.file.force_links[force.id]
            targets = self._forces_by_id.get(target_id, [])
            # A force inside its own kind would never end.
            if not targets or target_id in above:
                kind = FindingKind.FORCE_CIRCLE if targets else FindingKind.DANGLING_LINK
                read.file.findings.add(kind, target_id or "''", line, force.id)
                continue
            self._count += 1
            if self._count > MOST_FORCES:
                raise ReadError(
                    "too-large",
                    f"Links to forces create more than {MOST_FORCES} forces.",
                    mend="Remove some of the links.",
                    file=read.file.name,
                    line=line,
                )
            # Prefer the force of the link's own file.
            home, target = next((pair for pair in targets if pair[0] is read), targets[0])
            below = (*above, target_id)
            yield ForceEntry(
                id=join_ids(force.id, target_id),
                name=target.name or force.name,
                hidden=target.hidden or force.hidden,
                costs=target.costs + force.costs,
                sort_index=force.sort_index or target.sort_index,
                inner_label=force.inner_label or target.inner_label,
                constraints=target.constraints + force.constraints,
                modifiers=target.modifiers + force.modifiers,
                effects=target.effects + force.effects,
                categories=target.categories + force.categories,
                infos=target.infos + force.infos,
                forces=(
                    *self.replace_links(target.forces, home, below),
                    *self.replace_links(force.forces, read, below),
                ),
                citation=target.citation or force.citation,
            )
