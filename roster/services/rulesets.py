"""The rulesets that lists are judged by, and overlays: the rules of a pack that other data may also be judged by.

A list names an overlay with the version that it was started under, so that it never changes under its owner.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import msgspec

from catalogue.definitions.apply_overlay import find_overlay, overlay_data
from catalogue.definitions.catalogues import Catalogue, DataSet, Unchecked
from catalogue.definitions.citations import Publication
from catalogue.definitions.numbers import Number
from catalogue.definitions.overlays import Overlay
from catalogue.formats.packs.pack import Preset
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.models import PackVersion
from catalogue.services.documents import load_data_set, load_outlines
from catalogue.services.lru import Lru
from catalogue.services.rulesets import load_compiled
from roster.engine.tree import RosterTree, walk_forces

MARK = "@"
RULES_GONE = "rules-gone"
"""The code of the remark that the rules a list names are not installed any more."""
SYSTEM_ALONE = ""
"""The id of no faction: what is asked of the game system needs none."""

ALLIED_KEPT = 4
"""A ruleset with the outlines of all catalogues compiles the factions of a list once more: some megabytes."""

Publications = Mapping[str, Publication]
"""The publications of a ruleset by id: what a citation needs to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlayOffer:
    """Rules that may be laid over some data: how a list names them, what to call them, how they are played.

    `presets` have their limits by the cost types of that data.
    """

    name: str
    game: str
    title: str
    text: str
    presets: tuple[Preset, ...]


def list_overlays(version: PackVersion) -> list[OverlayOffer]:
    """Return the rules that new lists of this data may also be judged by; for data of packs there are none."""
    if not version.is_community:
        return []
    system = _read_system(version)
    packs = PackVersion.objects.filter_current().filter(source=PackVersion.Source.PACK).select_related("game")
    # Every page of the builder asks.
    packs = packs.only("content_hash", "presets", "game__slug")
    return [
        _build_offer(pack, overlay, system) for pack in packs if (overlay := find_overlay(system, _read_system(pack)))
    ]


def list_overlay_choices(version: PackVersion, current: str, title: str) -> list[OverlayOffer]:
    """Return the rules to choose from for a list judged by `current`, which is included if it is older."""
    offered = list_overlays(version)
    if not current or current in [offer.name for offer in offered]:
        return offered
    game, _, _ = current.partition(MARK)
    return [*offered, OverlayOffer(name=current, game=game, title=title or current, text="", presets=())]


def check_overlay(name: str, version: PackVersion) -> str:
    """Return the name of rules as a list stores it if they are installed and fit this data, else blank."""
    pack = _find_pack(name) if MARK in name else None
    return name if pack and find_overlay(_read_system(version), _read_system(pack)) else ""


def apply_overlay(data: DataSet, name: str) -> DataSet:
    """Apply the rules that a list names to the data; rules that are gone are reported as unchecked."""
    if not name:
        return data
    pack = _find_pack(name)
    overlay_system = _read_system(pack) if pack else None
    overlay = find_overlay(data.game_system, overlay_system) if overlay_system else None
    if overlay_system and overlay:
        return overlay_data(data, overlay_system, overlay)
    system = data.game_system
    marked = msgspec.structs.replace(system, unchecked=(*system.unchecked, Unchecked(code=RULES_GONE, text=name)))
    return DataSet(catalogues=tuple(marked if catalogue is system else catalogue for catalogue in data.catalogues))


def _read_system(version: PackVersion) -> Catalogue:
    return load_data_set(version, SYSTEM_ALONE).game_system


def _find_pack(name: str) -> PackVersion | None:
    # A list names rules as `game@hash`, so that a new version of the pack does not change it.
    game, _, start = name.partition(MARK)
    versions = PackVersion.objects.filter(game__slug=game, content_hash__startswith=start)
    return versions.first() if start else None


def _build_offer(pack: PackVersion, overlay: Overlay, system: Catalogue) -> OverlayOffer:
    # The pack's ways to play, with their limits by the cost types of this data that have the same names.
    types = {cost.name.strip(): cost.id for cost in system.cost_types if cost.default_limit >= 0}
    cost_ids = {pack_id: types[name] for pack_id, name in overlay.costs.items() if name in types}
    presets: list[Preset] = []
    for preset in pack.read_presets():
        limits: dict[str, Number] = {
            cost_id: preset.limits[pack_id] for pack_id, cost_id in cost_ids.items() if pack_id in preset.limits
        }
        presets.append(msgspec.structs.replace(preset, limits=limits, detachments=()))
    return OverlayOffer(
        name=f"{pack.game.slug}{MARK}{pack.short_hash}",
        game=pack.game.slug,
        title=overlay.name,
        text=overlay.text,
        presets=tuple(presets),
    )


def load_ruleset(version: PackVersion, faction_id: str, others: Iterable[str] = (), overlay: str = "") -> Ruleset:
    """Return the rules of one faction of one version under an `overlay`.

    With those of `others` that a list takes detachments from.
    """
    return load_compiled(version, (faction_id, *others), overlay, lambda data: apply_overlay(data, overlay))


def load_list_ruleset(version: PackVersion, faction_id: str, roster: RosterTree) -> Ruleset:
    """Return the rules that a list is judged by: those of its faction and of all that its detachments are from."""
    return load_ruleset(version, faction_id, collect_catalogue_ids(roster), roster.overlay)


_allied: Lru[tuple[str, ...], Ruleset] = Lru(ALLIED_KEPT)


def load_allied_ruleset(version: PackVersion, faction_id: str, roster: RosterTree) -> Ruleset:
    """Return the rules that a list is judged by, with the forces of all other catalogues of the game and no entries.

    What it says of the list itself holds; a force of another catalogue can be judged by it as long as it is empty.
    """
    catalogue_ids = sorted({faction_id, *collect_catalogue_ids(roster)})

    def compile_anew() -> Ruleset:
        catalogues = load_list_ruleset(version, faction_id, roster).data.catalogues
        known = {catalogue.id for catalogue in catalogues}
        others = (outline for outline in load_outlines(version) if outline.id not in known)
        return compile_ruleset(DataSet(catalogues=(*catalogues, *others)))

    return _allied.get((version.content_hash, roster.overlay, *catalogue_ids), compile_anew)


def collect_catalogue_ids(roster: RosterTree) -> set[str]:
    """Return the ids of the catalogues that the detachments of a list are from."""
    return {force.catalogue_id for force in walk_forces(roster)}


def get_publications(ruleset: Ruleset) -> Publications:
    """Return the publications that citations of this ruleset name."""
    return ruleset.binding.publications
