"""Compiled rulesets, kept per process: compiling costs tens of milliseconds, judging a list a few."""

from collections.abc import Iterable, Mapping

from catalogue.definitions.catalogues import Catalogue, DataSet
from catalogue.definitions.citations import Publication
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.models import PackVersion
from catalogue.services.documents import dataset_for
from catalogue.services.lru import Lru
from roster.engine.paths import DocumentNode, children
from roster.engine.tree import Force, Roster
from roster.services.overlays import apply_overlay

MAX_KEPT = 16

Publications = Mapping[str, Publication]
"""The publications of a ruleset by id: what a citation needs to be read."""

_rulesets: Lru[tuple[str, ...], Ruleset] = Lru(MAX_KEPT)


def load_ruleset(
    version: PackVersion, faction_id: str, others: Iterable[str] = (), overlay: str = ""
) -> Ruleset:
    """The rules of one faction of one version, and of `others` that a list takes detachments from, under an `overlay`.

    Compiled once per process and content; the least used are let go. An id that the version does not have adds nothing.
    Packs are small, and say by which rule a thing of another faction is out of place: they are compiled whole.
    """
    ids = tuple(sorted({faction_id, *others})) if version.is_community else ()
    key = (version.content_hash, overlay, *ids)
    return _rulesets.get(key, lambda: compile_ruleset(apply_overlay(_load_data(version, ids), overlay)))


def load_list_ruleset(version: PackVersion, faction_id: str, roster: Roster) -> Ruleset:
    """The rules that a list is judged by: those of its faction and of all that its detachments are from."""
    return load_ruleset(version, faction_id, collect_catalogue_ids(roster), roster.overlay)


def collect_catalogue_ids(roster: Roster) -> set[str]:
    """The ids of the catalogues that the detachments of a list are from."""
    pending: list[DocumentNode] = list(roster.forces)
    catalogue_ids = set()
    for node in pending:
        if isinstance(node, Force):
            catalogue_ids.add(node.catalogue_id)
            pending.extend(child for child in children(node) if isinstance(child, Force))
    return catalogue_ids


def _load_data(version: PackVersion, ids: tuple[str, ...]) -> DataSet:
    """The data of these factions; of all where none is named."""
    sets = [dataset_for(version, catalogue_id) for catalogue_id in ids or (None,)]
    if len(sets) == 1:
        return sets[0]
    catalogues: dict[str, Catalogue] = {c.id: c for data in sets for c in data.catalogues}
    return DataSet(catalogues=tuple(catalogues.values()))


def get_publications(ruleset: Ruleset) -> Publications:
    """The publications that citations of this ruleset name."""
    return ruleset.binding.publications


def forget_rulesets() -> None:
    """Let all compiled rulesets go, for measurements and tests."""
    _rulesets.clear()
