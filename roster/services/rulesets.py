"""Load rulesets with overlays: rules of a pack laid over other data, pinned to a version."""

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
from roster.formats.homebrew.apply import RefusedLine, apply_homebrew
from roster.formats.homebrew.document import Homebrew, read_homebrew
from roster.models import HomebrewVersion
from roster.models.homebrew import VERSION_MARK

MARK = "@"
RULES_GONE = "rules-gone"
SYSTEM_ALONE = ""
LONGEST_NUMBER = 6
HOMEBREW_MARK = '"homebrew":'
"""In the document of each list with house rules of a player."""

ALLIED_KEPT = 4
"""Each compiles the list's factions once more, which takes some megabytes."""

Publications = Mapping[str, Publication]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlayOffer:
    name: str
    game: str
    title: str
    text: str
    presets: tuple[Preset, ...]


def list_overlays(version: PackVersion) -> list[OverlayOffer]:
    """List additional rules for new lists; [] for packs."""
    if not version.is_community:
        return []
    system = _read_system(version)
    packs = PackVersion.objects.filter_current().filter(source=PackVersion.Source.PACK).select_related("game")
    # Every page of the builder runs this query.
    packs = packs.only("content_hash", "presets", "game__slug")
    return [
        _build_offer(pack, overlay, system) for pack in packs if (overlay := find_overlay(system, _read_system(pack)))
    ]


def list_overlay_choices(version: PackVersion, current: str, title: str) -> list[OverlayOffer]:
    offered = list_overlays(version)
    if not current or current in [offer.name for offer in offered]:
        return offered
    game, _, _ = current.partition(MARK)
    return [*offered, OverlayOffer(name=current, game=game, title=title or current, text="", presets=())]


def check_overlay(name: str, version: PackVersion) -> str:
    """Return `name` if its rules are installed and fit this data, else ""."""
    pack = _find_pack(name) if MARK in name else None
    return name if pack and find_overlay(_read_system(version), _read_system(pack)) else ""


def apply_overlay(data: DataSet, name: str) -> DataSet:
    """Apply additional rules; missing ones are reported as unchecked."""
    if not name:
        return data
    pack = _find_pack(name)
    overlay_system = _read_system(pack) if pack else None
    overlay = find_overlay(data.game_system, overlay_system) if overlay_system else None
    if overlay_system and overlay:
        return overlay_data(data, overlay_system, overlay)
    return _note_missing(data, name)


def _note_missing(data: DataSet, name: str) -> DataSet:
    system = data.game_system
    marked = msgspec.structs.replace(system, unchecked=(*system.unchecked, Unchecked(code=RULES_GONE, text=name)))
    return DataSet(catalogues=tuple(marked if catalogue is system else catalogue for catalogue in data.catalogues))


def _read_system(version: PackVersion) -> Catalogue:
    return load_data_set(version, SYSTEM_ALONE).game_system


def _find_pack(name: str) -> PackVersion | None:
    # Lists name rules as `game@hash`, which pins the version of the pack.
    game, _, start = name.partition(MARK)
    packs = PackVersion.objects.filter(source=PackVersion.Source.PACK)
    versions = packs.filter(game__slug=game, content_hash__startswith=start)
    return versions.first() if start else None


def _build_offer(pack: PackVersion, overlay: Overlay, system: Catalogue) -> OverlayOffer:
    # Limits by this data's cost types of the same names.
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


def load_ruleset(version: PackVersion, faction_id: str, others: Iterable[str] = (), rules: str = "") -> Ruleset:
    """Load a ruleset; `rules` are an overlay, a space, and house rules."""
    overlay, _, homebrew = rules.partition(" ")
    if not homebrew:
        return load_compiled(version, (faction_id, *others), overlay, lambda data: apply_overlay(data, overlay))
    published = find_homebrew_for(version.game_id, homebrew)
    # By content, so that rules which staff hide or their owner deletes stop to count at once.
    name = f"{rules} {published.content_hash if published else RULES_GONE}"
    return load_compiled(
        version,
        (faction_id, *others),
        name,
        lambda data: lay_homebrew(
            apply_overlay(data, overlay),
            published.document if published else "",
            homebrew,
            is_partial=version.is_community,
        ),
    )


def find_homebrew(key: str) -> HomebrewVersion | None:
    """Find published house rules by `id@number`; None if they are deleted or hidden."""
    public_id, _, number = key.partition(VERSION_MARK)
    if not number.isascii() or not number.isdigit() or len(number) > LONGEST_NUMBER:
        return None
    versions = HomebrewVersion.objects.select_related("homebrew_set__owner__player_name", "homebrew_set__game")
    return versions.filter(
        homebrew_set__public_id=public_id, homebrew_set__taken_down=False, number=int(number)
    ).first()


def find_homebrew_for(game_id: int | None, key: str) -> HomebrewVersion | None:
    """Find published house rules for a game. Who may read a private game's list may read its house rules, too."""
    published = find_homebrew(key)
    return published if published and published.homebrew_set.game_id == game_id else None


def lay_homebrew(data: DataSet, document: str, key: str, *, is_partial: bool) -> DataSet:
    """Apply house rules; without a document, report them as unchecked."""
    homebrew = read_homebrew(document.encode()) if document else None
    if isinstance(homebrew, Homebrew):
        return apply_homebrew(data, homebrew, is_partial=is_partial).data
    return _note_missing(data, key)


def compile_draft(
    version: PackVersion, faction_id: str, roster: RosterTree, homebrew: Homebrew
) -> tuple[Ruleset, tuple[RefusedLine, ...]]:
    """Compile a list's ruleset with unpublished house rules instead of its own; return the refused lines, too.

    Nothing is cached: a draft changes with every key.
    """
    ruleset = load_ruleset(version, faction_id, collect_catalogue_ids(roster), roster.overlay)
    applied = apply_homebrew(ruleset.data, homebrew, is_partial=version.is_community)
    return compile_ruleset(applied.data, is_partial=ruleset.is_partial), applied.refused


def load_list_ruleset(version: PackVersion, faction_id: str, roster: RosterTree) -> Ruleset:
    """Load a list's ruleset, including the catalogues of its detachments."""
    return load_ruleset(version, faction_id, collect_catalogue_ids(roster), roster.rules)


_allied: Lru[tuple[str, ...], Ruleset] = Lru(ALLIED_KEPT)


def load_allied_ruleset(version: PackVersion, faction_id: str, roster: RosterTree) -> Ruleset:
    """Load a list's ruleset with forces, but no entries, of all other catalogues."""
    catalogue_ids = sorted({faction_id, *collect_catalogue_ids(roster)})

    def compile_anew() -> Ruleset:
        catalogues = load_list_ruleset(version, faction_id, roster).data.catalogues
        loaded_ids = {catalogue.id for catalogue in catalogues}
        others = (outline for outline in load_outlines(version) if outline.id not in loaded_ids)
        return compile_ruleset(DataSet(catalogues=(*catalogues, *others)))

    return _allied.get((version.content_hash, roster.rules, *catalogue_ids), compile_anew)


def collect_catalogue_ids(roster: RosterTree) -> set[str]:
    return {force.catalogue_id for force in walk_forces(roster)}


def get_publications(ruleset: Ruleset) -> Publications:
    return ruleset.binding.publications
