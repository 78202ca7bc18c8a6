from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue.definitions.numbers import format_number
from catalogue.services.published_games import select_games
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import CONFLICT, REFUSED, redirect_after_post
from roster import wording
from roster.club.campaign_map import EXAMPLE_MAP
from roster.club.ladder import START_RATING, LadderLine
from roster.club.models import Club, ClubMember, LadderKind, Meeting, Season, SeasonFormat, SeasonPlayer
from roster.club.services import results
from roster.club.services import seasons as verbs
from roster.club.services.clubs import ClubStanding, open_club
from roster.club.services.maps import hash_map, list_idle_holders, set_map, set_stake
from roster.club.services.nights import list_nights
from roster.club.services.season_lists import choose_list, list_offered_lists, load_meeting_lists, release_lists
from roster.club.services.seasons import SeasonBoard, SeasonDraft, ShownMeeting, load_map
from roster.club.views.clubs import find_organiser
from roster.club.views.forms import MapForm, SeasonActForm, SeasonForm
from roster.club.views.night_cards import build_night_card
from roster.club.views.shown_map import MAP_KEYS, list_shown_territories, list_targets
from roster.club.wording import explain_club_refusal
from roster.events.views.event_rules import describe_homebrew
from roster.formats.list_document import Unreadable
from roster.services.outcomes import Refused
from roster.views.requests import parse_date, parse_whole_number

SHOWN_RESULTS = 8
"""The most results that a line of the table shows, the last ones."""
SHOWN_CHALLENGES = 40
ORGANISERS_ACTS = frozenset({"start", "draw", "deadline", "end", "reopen", "remove", "add"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRound:
    """A round of a season. `mine` is the visitor's open meeting in it, with the other player."""

    number: int
    meetings: Sequence[ShownMeeting]
    until: date | None
    is_now: bool
    mine: ShownMeeting | None = None
    opponent: SeasonPlayer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine:
    """A line of the table with its player.

    `results` are the last ones, `difference` is without its sign, `limit` is how much the player's lists may cost, or
    0.
    """

    line: LadderLine
    player: SeasonPlayer
    results: Sequence[int]
    difference: str
    supply: int
    limit: int
    is_mine: bool


@allow("GET", "POST")
@hide_linked_page()
def start_season(request: HttpRequest, public_id: str) -> HttpResponse:
    standing = find_organiser(request, public_id)
    typed: dict[str, Any] = {"win": "3", "draw": "1", "loss": "0", "factor": "32", "days": "14"}
    wrong = field = ""
    if request.method == "POST":
        typed = SeasonForm(request.POST).read_fields()
        numbers = {key: typed[key] for key in verbs.NUMBERS}
        texts = {key: typed[key] for key in ("name", "text", "game", "format", "ladder")}
        season = verbs.create_season(standing.club, SeasonDraft(numbers=numbers, **texts))
        if not isinstance(season, Refused):
            return redirect_after_post("club:season", season.public_id)
        wrong, field = explain_club_refusal(season), season.subject_id
    context = {
        "page": "events",
        "club": standing.club,
        "games": [(game.slug, str(game)) for game in select_games()],
        "formats": SeasonFormat,
        "ladders": LadderKind,
        "typed": typed,
        "wrong": wrong,
        "field": field,
    }
    return render(request, "club/season_new.html", context, status=REFUSED if wrong else 200)


@allow("GET", "POST")
@hide_linked_page()
def show_season(request: HttpRequest, public_id: str) -> HttpResponseBase:
    season, standing = open_season(request, public_id)
    fields, wrong = {}, ""
    if request.method == "POST":
        fields = SeasonActForm(request.POST).read_fields()
        if standing.member is None or (fields["do"] in ORGANISERS_ACTS and not standing.is_organiser):
            raise Http404
        refused = _act_in_season(season, standing.member, fields)
        if refused is None:
            return redirect_after_post("club:season", public_id)
        wrong = explain_club_refusal(refused)
    board = verbs.load_season_board(season)
    mine = next((one for one in board.players.values() if _is_of(one, standing.member)), None)
    entered = {player.member_id for player in board.players.values() if player.left is None}
    rounds, nights = list_shown_rounds(board, standing.member), list_nights(board)
    context = {
        "page": "events",
        "season": season,
        "face": season.game,
        "standing": standing,
        "mine": mine if mine and not mine.is_gone else None,
        "board": board,
        "rounds": rounds,
        "nights": [build_night_card(night, mine) for night in nights if not (night.night.is_over or season.ended)],
        "past_nights": [
            build_night_card(night, mine)
            for night in nights
            if night.meetings and (night.night.is_over or season.ended)
        ],
        "round_now": next((shown_round.number for shown_round in rounds if shown_round.is_now), board.last_round),
        "lines": _list_lines(board, mine),
        "territories": list_shown_territories(board, mine),
        "targets": list_targets(board, mine),
        "active": [player for player in board.players.values() if not player.is_gone],
        "elo": season.ladder == LadderKind.ELO,
        "homebrew": describe_homebrew(season.homebrew, season.game.shown_version)
        if season.homebrew and season.game
        else None,
        "by_supply": season.ladder == LadderKind.SUPPLY,
        "start_rating": START_RATING,
        "candidates": standing.club.members.filter(left=None).exclude(pk__in=entered).order_by("name")
        if standing.is_organiser
        else [],
        "waiting": [
            shown_meeting
            for shown_meeting in board.meetings
            if shown_meeting.lacks(shown_meeting.find_side(standing.member))
        ]
        if mine
        else [],
        "open_meetings": sum(shown_meeting.is_open for shown_meeting in board.meetings),
        "today": timezone.localdate().isoformat(),
        "typed": fields,
        "wrong": wrong,
    }
    return render(request, "club/season.html", context, status=REFUSED if wrong else 200)


def _is_of(player: SeasonPlayer, member: ClubMember | None) -> bool:
    return member is not None and player.member_id == member.pk


def _act_in_season(season: Season, member: ClubMember, fields: dict[str, Any]) -> Refused | None:
    match fields["do"]:
        case "enter":
            return verbs.enter_season(season, [member])
        case "leave":
            return verbs.leave_season(season, member.pk)
        case "add":
            keys = [parse_whole_number(text) for text in fields.get("member", ())]
            return verbs.enter_season(season, season.club.members.filter(pk__in=filter(None, keys), left=None))
        case "remove":
            return verbs.leave_season(season, fields["player"])
        case "start":
            return verbs.start_season(season)
        case "draw":
            return verbs.draw_round(season)
        case "challenge":
            outcome = verbs.challenge_player(season, member, fields["player"], fields["stake"])
            return outcome if isinstance(outcome, Refused) else None
        case "deadline":
            day = parse_date(fields["day"])
            if day is None or day < timezone.localdate():
                return Refused(code="bad-day")
            return verbs.move_deadline(season, fields["round"], day)
        case "end":
            return verbs.end_season(season)
        case "reopen":
            verbs.reopen_season(season)
            return None
    raise Http404


def list_shown_rounds(board: SeasonBoard, member: ClubMember | None) -> list[ShownRound]:
    """Return the rounds. The first with an open meeting is the current round, and open challenges come first."""
    rounds, now = [], 0
    for number, meetings in board.rounds.items():
        if not number:
            meetings = sorted(
                meetings, key=lambda shown_meeting: (not shown_meeting.is_open, -shown_meeting.meeting.pk)
            )[:SHOWN_CHALLENGES]
        is_open = any(shown_meeting.is_open for shown_meeting in meetings)
        is_now = is_open and not now and board.season.is_running
        now = now or (number if is_now else 0)
        mine = next(
            (shown_meeting for shown_meeting in meetings if shown_meeting.is_open and shown_meeting.find_side(member)),
            None,
        )
        opponent = getattr(mine.meeting, results.OTHER[mine.find_side(member)]) if mine else None
        rounds.append(
            ShownRound(
                number=number,
                meetings=meetings,
                # Past results have no last day.
                until=next((one.meeting.last_day for one in meetings if number and one.meeting.last_day), None),
                is_now=is_now,
                mine=mine,
                opponent=opponent,
            )
        )
    return rounds


def _list_lines(board: SeasonBoard, mine: SeasonPlayer | None) -> list[ShownLine]:
    return [
        ShownLine(
            line=line,
            player=board.players[line.player],
            results=line.results[-SHOWN_RESULTS:],
            difference=format_number(max(line.difference, -line.difference)),
            supply=board.supply.get(line.player, 0),
            limit=board.find_limit(line.player),
            is_mine=mine is not None and mine.pk == line.player,
        )
        for line in board.lines
    ]


@allow("GET", "POST")
@hide_linked_page()
def edit_map(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a season's map as text, or an example. A POST stores it, names the wrong line, or shows another's map."""
    season, standing = open_season(request, public_id)
    if not standing.is_organiser:
        raise Http404
    text, wrong, status = season.map or EXAMPLE_MAP, "", 200
    seen, changed = hash_map(season), None
    if request.method == "POST":
        fields = MapForm(request.POST).read_fields()
        text = fields["text"]
        outcome = set_map(season, text, fields["seen"])
        if outcome is None:
            return redirect_after_post("club:season", public_id)
        # What the organiser began with stays the same after a mistake.
        seen, status = fields["seen"], REFUSED
        if isinstance(outcome, Unreadable):
            complaint = wording.explain_unreadable(outcome)
            wrong = str(complaint)
            if complaint.line:
                wrong = _("Line %(n)d: %(why)s") % {"n": complaint.line, "why": complaint}
        elif outcome.code == "changed-map":
            season.refresh_from_db(fields=["map"])
            seen, status = hash_map(season), CONFLICT
            mine = {line.strip() for line in text.splitlines()}
            changed = [(line, line.strip() not in mine) for line in season.map.splitlines()]
        else:
            wrong = explain_club_refusal(outcome)
    context = {
        "page": "events",
        "season": season,
        "club": season.club,
        "text": text,
        "seen": seen,
        "changed": changed,
        "keys": MAP_KEYS,
        "idle": list_idle_holders(season),
        "wrong": wrong,
    }
    return render(request, "club/season_map.html", context, status=status)


@allow("GET", "POST")
@hide_linked_page()
def delete_season(request: HttpRequest, public_id: str) -> HttpResponse:
    season, standing = open_season(request, public_id)
    if not standing.is_organiser:
        raise Http404
    if request.method != "POST":
        return render(request, "club/season_delete.html", {"page": "events", "season": season})
    verbs.delete_season(season)
    messages.success(request, _("“%(name)s” was deleted.") % {"name": season.name})
    return redirect_after_post("club:club", season.club.public_id)


@allow("GET", "POST")
@hide_linked_page()
def show_meeting(request: HttpRequest, public_id: str, number: int) -> HttpResponseBase:
    season, standing = open_season(request, public_id)
    shown_meeting = _find_meeting(season, number)
    fields, wrong = {}, ""
    if request.method == "POST":
        if not results.may_act(standing, shown_meeting):
            raise Http404
        fields = SeasonActForm(request.POST).read_fields()
        refused = _act_in_meeting(request, standing, season, shown_meeting, fields)
        if refused is None:
            if fields["do"] == "withdraw":
                return redirect_after_post("club:season", public_id)
            return redirect_after_post("club:meeting", public_id, str(number))
        wrong = explain_club_refusal(refused)
        shown_meeting = _find_meeting(season, number)
    side = shown_meeting.find_side(standing.member)
    lists = load_meeting_lists(shown_meeting, standing.member)
    may_enter = shown_meeting.is_open and results.may_act(standing, shown_meeting) and not season.ended
    context = {
        "page": "events",
        "season": season,
        "face": season.game,
        "standing": standing,
        "shown": shown_meeting,
        "meeting": shown_meeting.meeting,
        "side": side,
        "may_act": results.may_act(standing, shown_meeting),
        "may_enter": may_enter and (standing.is_organiser or not shown_meeting.meeting.game),
        "lacks_mine": shown_meeting.lacks(side or "first") or shown_meeting.lacks(side or "second"),
        "games": results.list_offered_games(season, request.user)
        if may_enter and side and isinstance(request.user, User)
        else [],
        "lists": lists,
        "offered": list_offered_lists(season, request.user)
        if lists.may_choose and isinstance(request.user, User)
        else [],
        "limit": verbs.find_list_limit(season, getattr(shown_meeting.meeting, side).pk) if lists.may_choose else 0,
        "may_withdraw": results.may_withdraw(standing, shown_meeting),
        "stakes": [territory.name for territory in load_map(season.map).territories]
        if standing.is_organiser and not season.ended and not (shown_meeting.is_bye or shown_meeting.is_void)
        else [],
        "typed": fields,
        "wrong": wrong,
    }
    return render(request, "club/meeting.html", context, status=REFUSED if wrong else 200)


def _act_in_meeting(
    request: HttpRequest, standing: ClubStanding, season: Season, shown_meeting: ShownMeeting, fields: dict[str, Any]
) -> Refused | None:
    number = shown_meeting.meeting.pk
    match fields["do"]:
        case "scores":
            return results.enter_scores(standing, season, number, fields["first"], fields["second"])
        case "game" if isinstance(request.user, User):
            return results.attach_game(standing, request.user, season, number, fields["game"])
        case "list" if standing.member and isinstance(request.user, User):
            return choose_list(season, standing.member, request.user, number, fields["list"])
        case "release" if standing.is_organiser and not shown_meeting.find_side(standing.member):
            return release_lists(season, number)
        case "confirm":
            return results.confirm_outcome(standing, season, number, fields["outcome"])
        case "clear" if standing.is_organiser:
            results.clear_scores(season, number)
            return None
        case "stake" if standing.is_organiser:
            return set_stake(season, number, fields["stake"])
        case "withdraw":
            return results.withdraw_meeting(standing, season, number)
    raise Http404


def open_season(request: HttpRequest, public_id: str) -> tuple[Season, ClubStanding]:
    """Return a season that the visitor may read, with their standing in its club. Raises Http404."""
    try:
        season = verbs.find_season(public_id)
        return season, open_club(season.club, request.user)
    except (Season.DoesNotExist, Club.DoesNotExist):
        raise Http404 from None


def _find_meeting(season: Season, number: int) -> ShownMeeting:
    try:
        return verbs.find_meeting(season, number)
    except Meeting.DoesNotExist:
        raise Http404 from None
