"""Forces of other catalogues for a list: as in BattleScribe, all visible catalogues except libraries."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.definitions.identity import shorten_faction_name
from catalogue.graph.ruleset import CompiledCatalogue, CompiledForce, Ruleset
from catalogue.models import PackVersion
from catalogue.services.lru import Lru
from catalogue.services.search import split_words
from catalogue.services.texts import fold_text
from roster.engine.evaluation import Evaluation
from roster.engine.force_kinds import Surrounding, list_surroundings, may_show
from roster.engine.nodes import ForceNode, RosterNode
from roster.engine.tree import copy_with
from roster.models import Roster
from roster.services.board.shapes import ForceOffer, Shape
from roster.services.board.unit_offers import build_force_offers
from roster.services.rulesets import load_allied_ruleset

VERSIONS_KNOWN = 256
FACTIONS_KNOWN = 4096
_faction_ids: Lru[str, tuple[str, ...]] = Lru(VERSIONS_KNOWN)
_have_allies: Lru[tuple[str, str], bool] = Lru(FACTIONS_KNOWN)


class AlliedFaction(Shape):
    catalogue_id: str
    name: str
    full_name: str
    emblem: str
    forces: tuple[ForceOffer, ...]

    @property
    def open_forces(self) -> tuple[ForceOffer, ...]:
        return tuple(force for force in self.forces if force.blocked is None)


def list_faction_ids(version: PackVersion) -> tuple[str, ...]:
    """List factions whose forces a list may take; () for packs, which declare allies themselves."""
    if not version.is_community:
        return ()
    ids = version.factions.values_list("faction_id", flat=True)
    return _faction_ids.get(version.content_hash, lambda: tuple(ids))


def may_hold_allies(ruleset: Ruleset, force: ForceNode, faction_ids: Collection[str]) -> bool:
    if force.compiled_catalogue is None or force.compiled_force is None:
        return False
    compile_force, inner = force.compiled_catalogue.compile_force, force.compiled_force.entry.forces
    around = list_surroundings(force)
    others = tuple(faction_id for faction_id in faction_ids if faction_id != force.document.catalogue_id)
    # Cached, because every edit needs the answer for each force of the list.
    key = (may_hold_allies, force.compiled_force, others, around)
    return ruleset.derive(key, lambda: _may_show_any(ruleset, map(compile_force, inner), others, around))


def _may_show_any(
    ruleset: Ruleset, kinds: Iterable[CompiledForce], faction_ids: Collection[str], around: tuple[Surrounding, ...]
) -> bool:
    for kind in kinds:
        named = [faction_id for faction_id in kind.named_catalogues if faction_id in faction_ids]
        # No condition names the others, so one of them stands in for all.
        unnamed = next((faction_id for faction_id in faction_ids if faction_id not in kind.named_catalogues), None)
        tried = [*named, unnamed] if unnamed else named
        if any(may_show(ruleset, kind, faction_id, around) for faction_id in tried):
            return True
    return False


def has_allies(roster: Roster, evaluation: Evaluation) -> bool:
    """Return whether another faction's force could be at the top of a list."""
    version, ruleset = roster.version, evaluation.ruleset
    others = set(list_faction_ids(version)) - {roster.faction_id}
    faction = ruleset.find_catalogue(roster.faction_id)
    if not others or faction is None:
        return False

    def look() -> bool:
        # Usually one force that the factions of a game system share is enough for all of them.
        shared = ruleset.binding.game_system.forces if ruleset.binding.game_system else ()
        if _may_show_any(ruleset, map(faction.compile_force, shared), others, ()):
            return True
        allied = load_allied_ruleset(version, roster.faction_id, roster.tree)
        compiled = [other for other in map(allied.find_catalogue, others) if other]
        return any(
            may_show(allied, other.compile_force(entry), other.catalogue.id, ())
            for other in compiled
            for entry in other.force_entries
        )

    return _have_allies.get((version.content_hash, roster.faction_id), look)


def list_allied_factions(roster: Roster, node_id: str = "") -> tuple[AlliedFaction, ...]:
    """List other factions' forces for the top or the force `node_id`, by name, blocked factions last."""
    if len(list_faction_ids(roster.version)) < 2:
        return ()
    tree = roster.tree
    ruleset = load_allied_ruleset(roster.version, roster.faction_id, tree)
    evaluation = Evaluation(ruleset, tree)
    place = evaluation.find_container(node_id) if node_id else evaluation.roster
    if not isinstance(place, RosterNode | ForceNode):
        return ()
    choices = list(_list_choices(evaluation, place, roster.faction_id))
    headings = Counter(shorten_faction_name(compiled.catalogue.name) for compiled in choices)
    factions = []
    for compiled in choices:
        catalogue = compiled.catalogue
        entries = place.inner_entries if isinstance(place, ForceNode) else compiled.force_entries
        forces = build_force_offers(evaluation, entries, catalogue.id, node_id)
        if not forces:
            continue
        heading = shorten_faction_name(catalogue.name)
        faction = AlliedFaction(
            catalogue_id=catalogue.id,
            # Several catalogues may have the same short name.
            name=heading if headings[heading] == 1 else catalogue.name,
            full_name=catalogue.name,
            emblem=compiled.identity.emblem,
            forces=forces,
        )
        factions.append(faction)
    return tuple(sorted(factions, key=lambda faction: (not faction.open_forces, faction.name.casefold())))


def _list_choices(
    evaluation: Evaluation, place: RosterNode | ForceNode, faction_id: str
) -> Iterator[CompiledCatalogue]:
    ruleset = evaluation.ruleset
    usual_id = place.document.catalogue_id if isinstance(place, ForceNode) else faction_id
    for catalogue in ruleset.binding.catalogues:
        if catalogue.kind is CatalogueKind.FACTION and catalogue.id != usual_id:
            yield ruleset.compile_catalogue(catalogue)


def search_forces(factions: Iterable[AlliedFaction], text: str) -> tuple[AlliedFaction, ...]:
    words = split_words(text)
    narrowed = []
    for faction in factions:
        forces = []
        for force in faction.forces:
            searched = fold_text(f"{faction.full_name} {force.name}")
            if all(word in searched for word in words):
                forces.append(force)
        if forces:
            narrowed.append(copy_with(faction, forces=tuple(forces)))
    return tuple(narrowed)
