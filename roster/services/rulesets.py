"""The rulesets that lists are judged by."""

from collections.abc import Iterable, Mapping

from catalogue.definitions.citations import Publication
from catalogue.graph.ruleset import Ruleset
from catalogue.models import PackVersion
from catalogue.services.rulesets import load_compiled
from roster.engine.document_paths import DocumentNode, get_children
from roster.engine.tree import Force, RosterTree
from roster.services.overlays import apply_overlay

Publications = Mapping[str, Publication]
"""The publications of a ruleset by id: what a citation needs to be read."""


def load_ruleset(
    version: PackVersion, faction_id: str, others: Iterable[str] = (), overlay: str = ""
) -> Ruleset:
    """Return the rules of one faction of one version under an `overlay`.

    With those of `others` that a list takes detachments from.
    """
    return load_compiled(version, (faction_id, *others), overlay, lambda data: apply_overlay(data, overlay))


def load_list_ruleset(version: PackVersion, faction_id: str, roster: RosterTree) -> Ruleset:
    """Return the rules that a list is judged by: those of its faction and of all that its detachments are from."""
    return load_ruleset(version, faction_id, collect_catalogue_ids(roster), roster.overlay)


def collect_catalogue_ids(roster: RosterTree) -> set[str]:
    """Return the ids of the catalogues that the detachments of a list are from."""
    pending: list[DocumentNode] = list(roster.forces)
    catalogue_ids = set()
    for node in pending:
        if isinstance(node, Force):
            catalogue_ids.add(node.catalogue_id)
            pending.extend(child for child in get_children(node) if isinstance(child, Force))
    return catalogue_ids


def get_publications(ruleset: Ruleset) -> Publications:
    """Return the publications that citations of this ruleset name."""
    return ruleset.binding.publications
