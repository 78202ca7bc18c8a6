"""Evaluate texts that this program exported, restoring each list exactly."""

from collections.abc import Sequence
from dataclasses import replace

from catalogue.models import Faction, GameSystem, PackVersion
from catalogue.services.published_games import select_games
from catalogue.services.releases import list_published_versions
from roster.engine.evaluation import Deadline
from roster.formats.list_document import ListDocument, Text, Unreadable
from roster.formats.list_text import simplify_name
from roster.formats.text.foreign import walk_outline
from roster.formats.text.foreign_reader import resolve_outline
from roster.formats.text.outline import ListOutline
from roster.formats.text.own_reader import POINTS_NAME
from roster.services.list_check import CheckedDocument, judge_document
from roster.services.rulesets import check_overlay, load_ruleset


def judge_own_document(document: ListDocument, deadline: Deadline, *, tree: bool) -> CheckedDocument | Unreadable:
    """Evaluate a text of ours, with current data if its version is gone. Raises OverdueError."""
    version = _find_version(document.game.value, document.version.value)
    if version is not None:
        limits = list(document.limits)
        # Translate our word for points into the game's.
        for place, limit in enumerate(limits):
            if limit.type.value == POINTS_NAME and version.points_id:
                limits[place] = replace(limit, type=Text(version.points_id))
        document = replace(document, game=Text(version.game.slug), limits=tuple(limits))

    outcome = judge_document(document, tree=tree, deadline=deadline)
    if isinstance(outcome, Unreadable) and outcome.code == "unknown-version":
        outcome = judge_document(replace(document, version=Text()), tree=tree, deadline=deadline)
    return outcome


def judge_outline(
    outline: ListOutline, deadline: Deadline, *, game: str = "", faction: str = "", tree: bool = False
) -> CheckedDocument | None:
    """Evaluate our text in another program's layout; None if it names other data. Raises OverdueError."""
    version = _find_version(outline.game, outline.version)
    if version is None or game not in ("", version.game.slug):
        return None
    factions = list(version.factions.all())
    home = _find_faction(factions, outline.faction)
    if home is None or faction not in ("", home.slug):
        return None
    named = (_find_faction(factions, force.faction) for force, _depth in walk_outline(outline.forces) if force.faction)
    others = {other.faction_id for other in named if other is not None and other != home}
    overlay = check_overlay(outline.rules, version) if outline.rules else ""
    ruleset = load_ruleset(version, home.faction_id, sorted(others), overlay)
    document = resolve_outline(ruleset, outline, home.faction_id, game=version.game.slug, version=version.short_hash)
    outcome = judge_document(document, tree=tree, deadline=deadline) if document else None
    return outcome if isinstance(outcome, CheckedDocument) else None


def _find_version(name: str, hash_start: str) -> PackVersion | None:
    plain_name = simplify_name(name)
    games: list[GameSystem] = []
    for game in select_games():
        if name == game.slug or plain_name in map(simplify_name, (str(game), game.name, game.heading)):
            games.append(game)
    for game in games:
        for published in list_published_versions(game):
            if hash_start and published.version.content_hash.startswith(hash_start):
                return published.version
    # Texts name the edition; older ones did not.
    games.sort(key=lambda game: simplify_name(str(game)) != plain_name)
    return games[0].shown_version if games else None


def _find_faction(factions: Sequence[Faction], name: str) -> Faction | None:
    start = f"{simplify_name(name)} "
    called = [faction for faction in factions if start.startswith(f"{simplify_name(faction.name)} ")]
    return max(called, key=lambda faction: len(faction.name), default=None)
