import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from uuid import uuid4

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue.definitions.missions import DeploymentMapDefinition, MissionDefinition
from catalogue.models import Faction
from catalogue.services.play import Play, load_play
from roster.formats.list_text import NAME_LENGTH
from roster.models import Roster
from roster.models.ownership import PLAYER_NAME_LENGTH
from roster.play.chance import new_seed
from roster.play.game_state import RESULT, SIDES, GameState, Kind, Operation, apply_operation, encode_state
from roster.play.game_victory import Ending, Outcome
from roster.play.models import Game, GameInvitation, GameSeat, GameSide
from roster.play.models.games import NOTE_LENGTH
from roster.play.services.game_rules import load_rules, make_course
from roster.play.services.game_standings import close_game, find_end, score_rows
from roster.play.services.game_taps import (
    SentOperation,
    append_operations,
    deal_decks,
    list_played_places,
    read_operation,
    write_beginning,
)
from roster.play.services.table_setups import choose_setup
from roster.services.limits import check_room, check_text
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, filter_owned, find_readable, find_thing, is_owner, is_public_id
from roster.services.plans import encode_plan, get_game_plan, list_side_ids
from roster.services.rosters import find_readable_roster
from roster.services.sharing import is_redacted_for

DICE = "roll"
"""The dice decide."""
SEATS = {"2": (2, 0), "3": (3, 0), "4": (4, 0), "teams": (4, 2)}
"""The numbers of players and teams for each choice of a form."""
MOST_ROLLS = 8
MOST_INVITATIONS = 20
_LINK = re.compile(r"(?:/r/|^)([A-Za-z0-9_-]{22})(?:[/?#]|$)")
_dice = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class Opponent:
    name: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSetup:
    """The form that starts a game. Dice may choose `mission`, `map` and `first`.

    `player` is the owner's name. `pack` is the mission pack to roll in. `table` (a setup's key) and `mission_name` are
    for data without either. If `players` and `teams` are 0, the mission or the setup decides.
    """

    mission: str = ""
    pack: str = ""
    map: str = ""
    size: str = ""
    first: str = "0"
    mission_side: str = ""
    table: str = ""
    mission_name: str = ""
    players: int = 0
    teams: int = 0
    player: str = ""
    opponents: tuple[Opponent, ...] = ()


def list_games(visitor: Visitor) -> QuerySet[Game]:
    """List the games that a visitor owns or has joined, most recently changed first."""
    if not visitor.may_own:
        return Game.objects.none()
    joined = filter_owned(visitor, GameSeat.objects.all()).values("side__game")
    mine = Q(**visitor.fields) | Q(pk__in=joined)
    return Game.objects.filter(mine).select_related("version__game").prefetch_related("sides")


def find_played_game(public_id: str, visitor: Visitor) -> tuple[Game, int]:
    """Return a game with the visitor's place. Raises Game.DoesNotExist."""
    game = find_thing(Game.objects.select_related("version__game"), public_id=public_id)
    place = find_place(game, visitor)
    if place is None:
        raise Game.DoesNotExist
    return game, place


def find_place(game: Game, visitor: Visitor) -> int | None:
    """Return the place that a visitor plays, None for a spectator."""
    if is_owner(visitor, game):
        return 0
    if not visitor.may_own:
        return None
    seats = filter_owned(visitor, GameSeat.objects.filter(side__game=game))
    return seats.values_list("side__place", flat=True).first()


def find_places(games: Iterable[Game], visitor: Visitor) -> dict[int, int]:
    """Return the visitor's place in each game, by the game's key."""
    seats = filter_owned(visitor, GameSeat.objects.all()) if visitor.may_own else GameSeat.objects.none()
    joined = dict(seats.values_list("side__game_id", "side__place"))
    return {game.pk: 0 if is_owner(visitor, game) else joined.get(game.pk, 0) for game in games}


def find_shown_game(link_id: str, visitor: Visitor) -> Game:
    """Return a link's game. Raises Game.DoesNotExist."""
    return find_readable(visitor, Game.objects.select_related("version__game"), link_id)


def start_game(visitor: Visitor, roster: Roster, setup: GameSetup) -> Game | Refused:
    play = load_play(roster.version)
    mission = _choose_mission(play, setup)
    if isinstance(mission, Refused):
        return mission
    deployment = _choose_map(play, mission, setup.map)
    if isinstance(deployment, Refused):
        return deployment
    if setup.size and setup.size not in play.sizes:
        return Refused(code="unknown-size", subject_id=setup.size)
    mission_name = check_text(mission.name if mission else setup.mission_name, NAME_LENGTH)
    if isinstance(mission_name, Refused):
        return mission_name
    table = choose_setup(visitor, roster.version, setup.table, setup.players, setup.teams)
    if isinstance(table, Refused):
        return table

    # Store the rolls, so that reloading the page shows the same.
    rolled = []
    if setup.mission == DICE and mission:
        rolled.append(mission.name)
    if setup.map == DICE and deployment:
        rolled.append(deployment.name)
    # Store names too, so that a game stays readable without its data.
    game = Game(
        name=roster.name,
        version=roster.version,
        size_id=setup.size,
        mission_id=mission.id if mission else "",
        mission_name=mission_name,
        table=table,
        map_id=deployment.id if deployment else "",
        map_name=deployment.name if deployment else "",
        rolled=", ".join(rolled)[:120],
        seed=new_seed(),
        **visitor.fields,
    )
    rules = load_rules(game)
    sides = _build_sides(visitor, roster, setup, rules.players)
    if isinstance(sides, Refused):
        return sides
    _share_sides(sides, mission, own_missions=play.table.own_missions)
    # Last, so that mistakes in the form are reported before a lack of room.
    if full := check_room(visitor, Game):
        return full

    if setup.first == DICE:
        game.first = _dice.randrange(len(sides))
    elif setup.first in [str(side.place) for side in sides]:
        game.first = int(setup.first)
    course = replace(make_course(game, rules), sides=len(sides))
    beginning = write_beginning(game, course)
    state = GameState()
    apply_operation(state, read_operation(beginning))
    game.state = encode_state(state)
    with transaction.atomic():
        game.save()
        beginning.save()
        for side in sides:
            side.game = game
        GameSide.objects.bulk_create(sides)
        for side in sides:
            deal_decks(game, side)
        # Players can be invited offline, because the kept page has the codes.
        for side in sides[1:]:
            invite_player(game, side.place)
    return game


def _build_sides(visitor: Visitor, roster: Roster, setup: GameSetup, players: int) -> list[GameSide] | Refused:
    if is_redacted_for(roster, visitor):
        return Refused(code="secret-list")
    name = check_text(setup.player, PLAYER_NAME_LENGTH)
    if isinstance(name, Refused):
        return name
    mine = _copy_list(GameSide(place=0, player=name, mission_side=setup.mission_side), roster)
    # The player's name comes from the list only if the list is the player's own.
    if not name and is_owner(visitor, roster):
        mine.player = roster.player_name[:PLAYER_NAME_LENGTH]
    sides = [mine]
    for place in range(1, players):
        opponent = setup.opponents[place - 1] if place <= len(setup.opponents) else Opponent()
        name = check_text(opponent.name, PLAYER_NAME_LENGTH)
        if isinstance(name, Refused):
            return name
        side = GameSide(place=place, player=name)
        if opponent.link.strip():
            theirs = _find_list_for(mine, visitor, opponent.link)
            if isinstance(theirs, Refused):
                return theirs
            _bring_list(side, theirs)
            side.conceals = is_redacted_for(theirs, visitor)
        sides.append(side)
    return sides


def _bring_list(side: GameSide, roster: Roster) -> GameSide:
    side.player = side.player or roster.player_name[:PLAYER_NAME_LENGTH]
    return _copy_list(side, roster)


def _share_sides(sides: Sequence[GameSide], mission: MissionDefinition | None, *, own_missions: bool) -> None:
    """Give a player without a mission side the one that the other player left. Own missions are not shared out."""
    if own_missions:
        sides[0].mission_side = mission.id if mission else ""
        return
    ids = list_side_ids(mission)
    for side in sides:
        if side.mission_side not in ids:
            side.mission_side = ""
    if len(ids) != SIDES or len(sides) != SIDES:
        return
    # If neither player chose, both stay without a side.
    left = {ids[0]: ids[1], ids[1]: ids[0], "": ""}
    for side, other in (sides, sides[::-1]):
        side.mission_side = side.mission_side or left[other.mission_side]


def _find_list_for(pinned: Game | GameSide, visitor: Visitor, text: str) -> Roster | Refused:
    match = _LINK.search(text.strip())
    if match is None:
        return Refused(code="unknown-list")
    try:
        roster = find_readable_roster(match[1], visitor)
    except Roster.DoesNotExist:
        return Refused(code="unknown-list")
    if pinned.version is None or roster.version.game_id != pinned.version.game_id:
        return Refused(code="other-game")
    return roster


def _copy_list(side: GameSide, roster: Roster) -> GameSide:
    planned = get_game_plan(roster)
    faction = Faction.objects.filter(version=roster.version, faction_id=roster.faction_id).first()
    side.roster, side.revision, side.version = roster, roster.head, roster.version
    side.list_name, side.document, side.faction_id = roster.name, roster.document, roster.faction_id
    side.faction_name = faction.heading if faction else roster.faction_id
    side.plan = encode_plan(planned) if planned else ""
    if planned:
        own_missions = load_play(roster.version).table.own_missions
        side.mission_side = side.mission_side or (planned.mission if own_missions else planned.side)
    side.conceals = roster.is_secret
    return side


def _choose_mission(play: Play, setup: GameSetup) -> MissionDefinition | Refused | None:
    if setup.mission != DICE:
        if not setup.mission:
            return None
        return play.missions.get(setup.mission) or Refused(code="unknown-mission", subject_id=setup.mission)

    pack = play.packs.get(setup.pack)
    rollable = [mission for mission in play.list_missions(pack.name) if mission.is_rolled] if pack else []
    if pack is None or not rollable:
        return Refused(code="unknown-pack", subject_id=setup.pack)
    # Books say to reroll a result without a mission.
    for _try in range(MOST_ROLLS):
        rolled = _dice.randint(1, pack.die)
        for mission in rollable:
            if (mission.low or 1) <= rolled <= (mission.high or 0):
                return mission
    # Choose at random if no mission's result is on the die.
    return _dice.choice(rollable)


def _choose_map(play: Play, mission: MissionDefinition | None, map_id: str) -> DeploymentMapDefinition | Refused | None:
    named = list(chain.from_iterable(page.maps for page in play.list_briefs(mission))) if mission else []
    if map_id == DICE:
        return _draw_map(named or play.rollable_maps)
    if not map_id:
        return _draw_map(named)
    return play.maps.get(map_id) or Refused(code="unknown-map", subject_id=map_id)


def _draw_map(maps: Sequence[DeploymentMapDefinition]) -> DeploymentMapDefinition | None:
    return _dice.choice(maps) if maps else None


# ---- the other players -----------------------------------------------------------------------------------------------


def invite_player(game: Game, place: int) -> GameInvitation | Refused:
    """Return a side's open code, or create one."""
    side = game.sides.get(place=place)
    waiting = side.invitations.filter(used=None, withdrawn=None).first()
    if waiting is not None:
        return waiting
    if side.invitations.count() >= MOST_INVITATIONS:
        return Refused(code="too-many", allowed=MOST_INVITATIONS, measured=MOST_INVITATIONS)
    return GameInvitation.objects.create(side=side)


def withdraw_invitations(game: Game) -> None:
    list_invitations(game).update(withdrawn=timezone.now())


def find_invitation(code: str) -> GameInvitation:
    """Return an invitation, used or not. Raises GameInvitation.DoesNotExist."""
    if not is_public_id(code):
        raise GameInvitation.DoesNotExist
    return GameInvitation.objects.select_related("side__game__version__game").get(code=code)


def list_invitations(game: Game) -> QuerySet[GameInvitation]:
    return GameInvitation.objects.filter(side__game=game, used=None, withdrawn=None).select_related("side")


@transaction.atomic
def join_game(invitation: GameInvitation, visitor: Visitor, link: str = "", player: str = "") -> Game | Refused:
    """Let a visitor play the invitation's side, unless they already play in the game.

    A side without a list takes the list at `link`, a side without a name takes the player's name.
    """
    held = GameInvitation.objects.select_for_update().select_related("side__game__version").get(pk=invitation.pk)
    game = held.side.game
    if find_place(game, visitor) is not None:
        return game
    if held.is_over:
        return Refused(code="old-invitation")
    name = check_text(player, PLAYER_NAME_LENGTH)
    if isinstance(name, Refused):
        return name
    if name and not held.side.player:
        held.side.player = name
        held.side.save(update_fields=["player"])
    if link.strip() and not held.side.document:
        brought = _find_list_for(game, visitor, link)
        if isinstance(brought, Refused):
            return brought
        _bring_list(held.side, brought).save()
        # Locked, because the other side may tap at the same moment.
        locked = Game.objects.select_for_update().select_related("version").get(pk=game.pk)
        deal_decks(locked, held.side)
    GameSeat.objects.create(side=held.side, **visitor.fields)
    held.used = timezone.now()
    held.save(update_fields=["used"])
    return game


def leave_game(game: Game, visitor: Visitor) -> None:
    """Remove the visitor from their side; its list and taps stay."""
    filter_owned(visitor, GameSeat.objects.filter(side__game=game)).delete()


# ---- the end --------------------------------------------------------------------------------------------------------


@transaction.atomic
def end_game(game: Game, notes: str, conceded: int | None = None) -> Game | Refused:
    """End a game with the current score. `conceded` is the place of a side that gave up."""
    cleaned = check_text(notes, NOTE_LENGTH, lines=True)
    if isinstance(cleaned, Refused):
        return cleaned
    held = Game.objects.select_for_update().select_related("version").get(pk=game.pk)
    close_game(held, cleaned, conceded)
    return held


def keep_private_notes(game: Game, place: int, text: str) -> Refused | None:
    cleaned = check_text(text, NOTE_LENGTH, lines=True)
    if isinstance(cleaned, Refused):
        return cleaned
    game.sides.filter(place=place).update(private_notes=cleaned)
    return None


def find_game_outcome(game: Game) -> Outcome:
    """Return how a game ended, or would end now. Old games have no ranks."""
    rows = list(game.sides.select_related("version").order_by("place"))
    return read_outcome(game, rows) if game.ended else find_end(load_rules(game), rows, game.now)


def read_outcome(game: Game, rows: Sequence[GameSide]) -> Outcome:
    """Return how a finished game ended; `rows` are all sides in order."""
    ranks = [row.rank for row in rows if row.rank is not None]
    return Outcome(Ending(game.ending), game.winner, tuple(ranks) if len(ranks) == len(rows) else ())


def describe_outcome(outcome: Outcome, sides: Sequence[GameSide]) -> str:
    # All members of the winning team have won.
    won = [side for side, rank in zip(sides, outcome.ranks, strict=False) if rank == 1]
    if outcome.winner is not None and not won:
        won = [sides[outcome.winner]]
    name = ", ".join(map(describe_side, won))
    match outcome.ending:
        case Ending.CRUSHING:
            return _("Crushing victory: %(name)s") % {"name": name}
        case Ending.STANDARD:
            return _("Victory: %(name)s") % {"name": name}
        case Ending.AT_ONCE:
            return _("Victory at once: %(name)s") % {"name": name}
        case Ending.CONCEDED if len(sides) > SIDES:
            return _("Victory: %(name)s; another side has conceded") % {"name": name}
        case Ending.CONCEDED:
            return _("Victory: %(name)s; the other side has conceded") % {"name": name}
        case Ending.DRAW if len(sides) > SIDES:
            return _("Draw: %(name)s") % {"name": name}
        case Ending.DRAW:
            return _("Draw")
    return ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A side's confirmation of the result; `old` is the confirmed result if it has changed since."""

    side: GameSide
    name: str
    confirmed: bool
    old: str


def confirm_result(game: Game, place: int) -> Refused | None:
    if game.ended is None or game.is_by_hand:
        return Refused(code="bad-change")
    operation = Operation(uid=str(uuid4()), kind=Kind.SET, key=RESULT, text=_write_result(game), side=place)
    receipt = append_operations(game, place, [SentOperation(operation)])
    return next(iter(receipt.refused.values()), None)


def list_confirmations(game: Game) -> list[Confirmation]:
    """List the confirmations of sides with players; [] if the game is running or was entered by hand."""
    if game.ended is None or game.is_by_hand:
        return []
    result = _write_result(game)
    confirmations = []
    for side in game.sides.filter(place__in=list_played_places(game)).order_by("place"):
        text = game.now.sides[side.place].texts.get(RESULT, "")
        old = "" if text == result else text.replace(":", " : ")
        confirmations.append(Confirmation(side, describe_side(side), confirmed=text == result, old=old))
    return confirmations


def is_waiting_for(game: Game, place: int) -> bool:
    return any(one.side.place == place and not one.confirmed for one in list_confirmations(game))


def _write_result(game: Game) -> str:
    scores = score_rows(game, game.sides.select_related("version").order_by("place"), load_rules(game))
    return ":".join(str(score.total) for score in scores)


def reopen_game(game: Game) -> None:
    """Continue an ended game, unless it was entered by hand."""
    if game.is_by_hand:
        return
    game.sides.update(score=None, rank=None)
    game.ended, game.ending, game.winner = None, Ending.OPEN, None
    game.save(update_fields=["ended", "ending", "winner", "updated"])


def describe_side(side: GameSide) -> str:
    """Return the name under which all players know a side."""
    if side.player or side.list_name:
        return side.player or side.list_name
    if len(side.game.now.sides) > SIDES:
        return _("Player %(n)s") % {"n": side.place + 1}
    return _("Opponent") if side.place else _("Player %(n)s") % {"n": 1}
