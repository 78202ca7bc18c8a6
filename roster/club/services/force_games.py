"""Add finished games' results to a force's ledger: propose them, then let the player confirm."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError

from roster.club.campaign_table import MOST_AMOUNT, CampaignTable, Occasion
from roster.club.models import CampaignForce, CountedGame, LedgerEntry, LedgerKind
from roster.club.models.forces import STORY_LENGTH
from roster.club.services.forces import append_entries, build_mark
from roster.club.services.veterans import ForceRoll, VeteranState, load_roll
from roster.engine.tree import list_selections
from roster.formats.list_text import NAME_LENGTH
from roster.play.models import Game
from roster.play.services.game_records import PlayedGame, see_game
from roster.play.services.game_units import load_table_list
from roster.play.services.games import describe_side, find_places, find_played_game, list_games
from roster.services.evaluation import decode_tree
from roster.services.limits import check_name, check_text
from roster.services.outcomes import Refused
from roster.services.owners import Visitor

MOST_OFFERED = 12
"""The newest games that a page of a force offers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VeteranResult:
    """A unit's result, confirmed by the player. `awards` are names of awards chosen by hand."""

    veteran_id: int
    destroyed: bool = False
    kills: int = 0
    awards: tuple[str, ...] = ()
    honour: str = ""
    injury: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ProposedResult:
    """A unit of a force, whether it played, and its known result."""

    state: VeteranState
    played: bool
    result: VeteranResult


def list_open_games(force: CampaignForce, visitor: Visitor) -> list[PlayedGame]:
    """List the visitor's last finished games of the force's game that are not in its ledger, newest first."""
    finished = list_games(visitor).filter(ended__isnull=False, version__game=force.game_id)
    games = list(finished.exclude(pk__in=_list_counted(force)).order_by("-played")[:MOST_OFFERED])
    places = find_places(games, visitor)
    return [see_game(game, places[game.pk]) for game in games]


def find_open_game(force: CampaignForce, visitor: Visitor, public_id: str) -> PlayedGame | Refused:
    """Return one of the visitor's finished games. Refuses `bad-change`, and `counted-game` if the ledger has it."""
    try:
        game, place = find_played_game(public_id, visitor)
    except Game.DoesNotExist:
        return Refused(code="bad-change")
    if not game.ended or game.version.game_id != force.game_id:
        return Refused(code="bad-change")
    if game.pk in _list_counted(force):
        return Refused(code="counted-game")
    return see_game(game, place)


def _list_counted(force: CampaignForce) -> list[int]:
    counted = force.games.filter(taken_back=False, game__isnull=False)
    return list(counted.values_list("game_id", flat=True))


def name_game(played: PlayedGame) -> str:
    """Return the opponents and the points: "Ben 11:18"."""
    names = ", ".join(describe_side(side) for side in played.others)
    points = ":".join(str(side.score or 0) for side in (played.mine, *played.others))
    return f"{names[: NAME_LENGTH - len(points) - 1]} {points}"


def propose_results(roll: ForceRoll, played: PlayedGame) -> list[ProposedResult]:
    """Propose a result for each unit of a force. A unit played if the game's list has its id."""
    side = played.mine
    ids = {one.id for one in list_selections(decode_tree(side.document))} if side.document else set()
    lost: set[str] = set()
    if ids and not played.game.is_by_hand:
        state = played.game.now.sides[side.place]
        lost = {unit.choice_id for unit in load_table_list(side).units if unit.stakes.is_lost(state)}
    return [
        ProposedResult(
            state=veteran,
            played=veteran.veteran.selection_id in ids,
            result=VeteranResult(veteran_id=veteran.veteran.pk, destroyed=veteran.veteran.selection_id in lost),
        )
        for veteran in roll.present
    ]


def record_results(
    force: CampaignForce, visitor: Visitor, game_id: str, results: Sequence[VeteranResult]
) -> Refused | None:
    """Write a game's results into the ledger, as one step.

    Refuses `no-units`, `bad-change` for other users' or running games, unknown units and awards, `bad-number`,
    `too-long`, `full-ledger`, and `counted-game` if the force already has the game.
    """
    if not results:
        return Refused(code="no-units")
    played = find_open_game(force, visitor, game_id)
    if isinstance(played, Refused):
        return played
    title = name_game(played)

    def build(held: CampaignForce) -> list[LedgerEntry] | Refused:
        roll = load_roll(held)
        entries: list[LedgerEntry] = []
        for result in results:
            state = roll.find(result.veteran_id)
            rows = _build_rows(roll.table, state, result, title) if state else Refused(code="bad-change")
            if isinstance(rows, Refused):
                return rows
            entries += rows
        CountedGame.objects.create(force=held, game=played.game, name=title, step=held.last + 1)
        return entries

    try:
        outcome = append_entries(force, build)
    except IntegrityError:
        return Refused(code="counted-game")
    return outcome if isinstance(outcome, Refused) else None


def _build_rows(
    table: CampaignTable, state: VeteranState, result: VeteranResult, title: str
) -> list[LedgerEntry] | Refused:
    text, honour, injury = check_text(result.text, STORY_LENGTH), check_name(result.honour), check_name(result.injury)
    for cleaned in (text, honour, injury):
        if isinstance(cleaned, Refused):
            return cleaned
    if not 0 <= result.kills <= MOST_AMOUNT:
        return Refused(code="bad-number")
    chosen = {award.name for award in table.awards if award.occasion is Occasion.CHOSEN}
    if not chosen.issuperset(result.awards):
        return Refused(code="bad-change")
    veteran = state.veteran
    times = {
        Occasion.GAME: 1,
        Occasion.SURVIVED: int(not result.destroyed),
        Occasion.DESTROYED: int(result.destroyed),
        Occasion.KILL: result.kills,
    }
    rows = [
        LedgerEntry(veteran=veteran, kind=LedgerKind.GAME, name=title, amount=int(not result.destroyed), text=str(text))
    ]
    if result.kills:
        rows.append(LedgerEntry(veteran=veteran, kind=LedgerKind.KILLS, amount=result.kills))
    for award in table.awards:
        amount = award.experience * times.get(award.occasion, int(award.name in result.awards))
        if amount:
            rows.append(LedgerEntry(veteran=veteran, kind=LedgerKind.EXPERIENCE, name=award.name, amount=amount))
    for kind, name in ((LedgerKind.HONOUR, honour), (LedgerKind.INJURY, injury)):
        if name:
            rows.append(build_mark(table, LedgerEntry(veteran=veteran, kind=kind, name=str(name))))
    return rows
