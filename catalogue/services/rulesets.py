"""Compiled rulesets, cached per process."""

from collections.abc import Callable, Iterable

from catalogue.definitions.catalogues import Catalogue, DataSet
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.models import Faction, PackVersion
from catalogue.services.documents import load_data_set
from catalogue.services.lru import Lru

MAX_KEPT = 32

Overlay = Callable[[DataSet], DataSet]

_rulesets: Lru[tuple[str, ...], Ruleset] = Lru(MAX_KEPT)


def load_compiled(
    version: PackVersion, faction_ids: Iterable[str], overlay_name: str = "", overlay: Overlay | None = None
) -> Ruleset:
    """Load these factions' ruleset with an overlay's rules. Cached by content.

    Packs are always compiled whole: their rules may be about entries of other factions.
    """
    ids = tuple(sorted(set(faction_ids))) if version.is_community else ()
    key = (version.content_hash, overlay_name, *ids)

    def compile_anew() -> Ruleset:
        sets = [load_data_set(version, catalogue_id) for catalogue_id in ids or (None,)]
        data = sets[0]
        if len(sets) > 1:
            catalogues: dict[str, Catalogue] = {c.id: c for part in sets for c in part.catalogues}
            data = DataSet(catalogues=tuple(catalogues.values()))
        is_partial = bool(ids) and version.factions.exclude(faction_id__in=ids).exists()
        return compile_ruleset(overlay(data) if overlay else data, is_partial=is_partial)

    return _rulesets.get(key, compile_anew)


def load_faction_ruleset(faction: Faction) -> Ruleset:
    return load_compiled(faction.version, [faction.faction_id])


def forget_rulesets() -> None:
    _rulesets.clear()
