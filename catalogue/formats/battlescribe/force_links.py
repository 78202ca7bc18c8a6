"""Replace links to forces by force entries of their own, once all files are read.

A roster calls such a force by the link and its target, `link::target`, as it does with entries.
"""

from collections.abc import Iterable, Iterator

import msgspec

from catalogue.definitions.entries import ForceEntry
from catalogue.definitions.link_index import walk_forces
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.reference_index import ReadFile
from catalogue.graph.ids import join_ids

MOST_FORCES = 5_000
"""How many forces links may make: links within links multiply."""


def replace_force_links(files: list[ReadFile]) -> list[ReadFile]:
    """Return the files with every link to a force replaced. Raise ReadError where there is no end to them."""
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
    """All forces by id, each with the file it is in, and how many were made of links."""

    def __init__(self, files: list[ReadFile]) -> None:
        self._made = 0
        self._found: dict[str, list[tuple[ReadFile, ForceEntry]]] = {}
        for read in files:
            for force in walk_forces((*read.file.shared_forces, *read.catalogue.forces)):
                if force.id not in read.file.force_links:
                    self._found.setdefault(force.id, []).append((read, force))

    def replace_links(
        self, forces: Iterable[ForceEntry], read: ReadFile, above: tuple[str, ...]
    ) -> Iterator[ForceEntry]:
        """Yield the forces of a file with links followed; `above` are the ids of the forces around them."""
        for force in forces:
            if force.id in read.file.force_links:
                yield from self._build_linked_force(force, read, above)
            else:
                inside = tuple(self.replace_links(force.forces, read, (*above, force.id)))
                yield msgspec.structs.replace(force, forces=inside)

    def _build_linked_force(self, link: ForceEntry, read: ReadFile, above: tuple[str, ...]) -> Iterator[ForceEntry]:
        target_id, line = read.file.force_links[link.id]
        targets = self._found.get(target_id, [])
        # A force inside one of its own kind would go on for ever.
        if not targets or target_id in above:
            kind = FindingKind.FORCE_CIRCLE if targets else FindingKind.DANGLING_LINK
            read.file.findings.add(kind, target_id or "''", line, link.id)
            return
        self._made += 1
        if self._made > MOST_FORCES:
            raise _refuse_endless_links(read, line)
        # Of several forces with this id, the one in the same file is meant.
        home, target = next((pair for pair in targets if pair[0] is read), targets[0])
        below = (*above, target_id)
        inside = (*self.replace_links(target.forces, home, below), *self.replace_links(link.forces, read, below))
        yield _merge_force(link, target, target_id, inside)


def _merge_force(link: ForceEntry, target: ForceEntry, target_id: str, inside: tuple[ForceEntry, ...]) -> ForceEntry:
    return ForceEntry(
        id=join_ids(link.id, target_id),
        name=target.name or link.name,
        hidden=target.hidden or link.hidden,
        costs=target.costs + link.costs,
        sort_index=link.sort_index or target.sort_index,
        inner_label=link.inner_label or target.inner_label,
        constraints=target.constraints + link.constraints,
        modifiers=target.modifiers + link.modifiers,
        effects=target.effects + link.effects,
        categories=target.categories + link.categories,
        infos=target.infos + link.infos,
        forces=inside,
        citation=target.citation or link.citation,
    )


def _refuse_endless_links(read: ReadFile, line: int) -> ReadError:
    return ReadError(
        "too-large",
        f"Links to forces make more than {MOST_FORCES} of them.",
        mend="Take some of the links out.",
        file=read.file.name,
        line=line,
    )
