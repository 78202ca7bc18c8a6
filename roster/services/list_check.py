"""Evaluate a list document in the game and faction that it names."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from catalogue.models import Faction, GameSystem, PackVersion
from catalogue.services.published_games import select_readable_games
from catalogue.services.releases import list_published_versions
from roster.engine.evaluation import Deadline, expire_never
from roster.engine.tree import RosterTree, copy_with
from roster.formats.list_document import ListDocument, Media, Text, Unreadable, build_list, read_list
from roster.formats.list_document.document import ListedForce
from roster.formats.list_document.nodes import UnreadableError
from roster.formats.list_document.values import Candidate, Resolved, resolve_name
from roster.services.evaluation import EvaluatedList, evaluate_with
from roster.services.limits import check_size
from roster.services.rulesets import check_overlay, find_homebrew, find_homebrew_for, list_overlays, load_ruleset

SHORTEST_HASH = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedDocument:
    document: ListDocument
    version: PackVersion
    faction: Faction
    evaluated_list: EvaluatedList
    named: frozenset[str]


def check_document(
    data: bytes,
    media: Media = Media.AUTO,
    *,
    tree: bool = False,
    deadline: Deadline = expire_never,
    reader: int | None = None,
) -> CheckedDocument | Unreadable:
    """Read and evaluate a list document. Raises only OverdueError, whatever the content."""
    document = read_list(data, media)
    if isinstance(document, Unreadable):
        return document
    return judge_document(document, tree=tree, deadline=deadline, reader=reader)


def judge_document(
    document: ListDocument, *, tree: bool = False, deadline: Deadline = expire_never, reader: int | None = None
) -> CheckedDocument | Unreadable:
    """Evaluate a parsed list document. Raises OverdueError. An account `reader` may use its private games.

    A list of a pack is illegal if it cannot be completed. Only pages look ahead in community data, which takes seconds.
    """
    try:
        games = [Candidate(game, (game.slug,), game.name) for game in select_readable_games(reader)]
        version = _find_version(document, _resolve_among(document.game, games, "unknown-game"))
        faction = _find_faction(document, version)
        others = _find_other_factions(document, version)
        overlay = _find_overlay(document.rules, version)
        # A list keeps the name of house rules that are deleted or hidden, and says so.
        if find_homebrew(document.homebrew) and not find_homebrew_for(version.game_id, document.homebrew):
            return Unreadable("unknown-rules", given=document.homebrew)
    except UnreadableError as error:
        return error.unreadable
    rules = RosterTree(id="", overlay=overlay, homebrew=document.homebrew).rules
    ruleset = load_ruleset(version, faction.faction_id, others, rules)
    named: set[str] = set()
    built = build_list(ruleset, document, faction.faction_id, deadline, named=named)
    if isinstance(built, Unreadable):
        return built
    refused = check_size(built.roster, 0)
    if refused:
        return Unreadable(refused.code, given=str(refused.measured), detail=str(refused.allowed))
    overlaid = copy_with(built.roster, overlay=overlay, homebrew=document.homebrew)
    ahead = not version.is_community
    evaluated_list = evaluate_with(ruleset, overlaid, built.game, tree=tree, look_ahead=ahead, deadline=deadline)
    return CheckedDocument(
        document=document, version=version, faction=faction, evaluated_list=evaluated_list, named=frozenset(named)
    )


def _find_version(document: ListDocument, game: GameSystem) -> PackVersion:
    if not document.version:
        version = game.shown_version
        version.game = game
        return version
    versions = [one.version for one in list_published_versions(game)]
    # A label may look like a hash; the hash of a single version wins.
    start = document.version.value
    hashed = [version for version in versions if version.content_hash.startswith(start)]
    if len(hashed) == 1 and len(start) >= SHORTEST_HASH:
        return hashed[0]
    # The newest of the versions that share a label.
    newest = {version.label or version.short_hash: version for version in reversed(versions)}
    labelled = [Candidate(version, (name,), name) for name, version in reversed(newest.items())]
    return _resolve_among(document.version, labelled, "unknown-version")


def _resolve_among(given: Text, candidates: Sequence[Candidate[Resolved]], code: str) -> Resolved:
    """Resolve a name. Errors suggest all candidates, closest first."""
    try:
        return resolve_name(given, candidates, code)
    except UnreadableError as error:
        problem = error.unreadable
        if problem.code != code:
            raise
        names = tuple(dict.fromkeys((*problem.suggestions, *(one.ids[0] for one in candidates))))
        complaint = Unreadable(problem.code, problem.line, problem.column, problem.given, names)
        raise UnreadableError(complaint) from None


def _find_overlay(given: Text, version: PackVersion) -> str:
    if not given:
        return ""
    candidates = [Candidate(offer.name, (offer.name, offer.game), offer.title) for offer in list_overlays(version)]
    pinned = check_overlay(given.value, version)
    return pinned or resolve_name(given, candidates, "unknown-rules")


def _find_faction(document: ListDocument, version: PackVersion) -> Faction:
    factions = list(version.factions.all())
    if not document.faction and len(factions) == 1:
        return factions[0]
    if not document.faction:
        ids = tuple(faction.faction_id for faction in factions)
        raise UnreadableError(Unreadable("missing-key", 1, 1, "faction", ids))
    return _resolve_faction(document.faction, factions)


def _resolve_faction(given: Text, factions: Iterable[Faction]) -> Faction:
    candidates = [Candidate(f, (f.faction_id, f.slug), f.name) for f in factions]
    return resolve_name(given, candidates, "unknown-faction")


def _find_other_factions(document: ListDocument, version: PackVersion) -> list[str]:
    """Ignore unknown factions of an exact document, which may no longer exist."""
    named: dict[str, Text] = {}
    for text in _list_named_factions(document.detachments):
        named.setdefault(text.value, text)
    factions = list(version.factions.all()) if named else []
    others = []
    for text in named.values():
        try:
            others.append(_resolve_faction(text, factions).faction_id)
        except UnreadableError:
            if not document.exact:
                raise
    return others


def _list_named_factions(detachments: Iterable[ListedForce]) -> Iterator[Text]:
    for detachment in detachments:
        if detachment.catalogue:
            yield detachment.catalogue
        yield from _list_named_factions(detachment.detachments)
