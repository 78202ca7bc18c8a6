from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.services.published_games import select_games
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import redirect_after_post, render_form
from roster import wording
from roster.pdf.played_game import PlayedGameJob, PlayedLine, PlayedSide
from roster.pdf.sheet_options import PaperSize
from roster.play.chance import seal_seed
from roster.play.game_state import SIDES
from roster.play.services import game_records as verbs
from roster.play.services.game_board import BoardSide, GameBoard, build_game_board
from roster.play.services.game_log import export_game, list_log, name_item, stream_json, write_csv, write_json
from roster.play.services.game_records import HandEntry
from roster.play.services.games import find_place, find_places, list_games
from roster.play.views.forms import ResultForm
from roster.play.views.game_page import describe_ending
from roster.play.views.games import PostedTap, find_linked_game, find_own_game, take_posted_tap
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, make_owner
from roster.views.paper.sheets import answer_print, read_asked_options
from roster.views.plots import PlotBar, draw_bars

HEIGHT = 120
COLUMN = 18
MOST_BARS = 8
ENDINGS = ("csv", "json")


@allow("GET")
def show_record(request: HttpRequest) -> HttpResponse:
    record = verbs.compute_record(identify_visitor(request))
    best = max([1, *(points for _, points in record.scored)])
    most = max([1.0, *(max(mine, theirs) for _, mine, theirs in record.rounds)])
    context = {
        "page": "play",
        "record": record,
        "shares": draw_bars(((line.name, line.share, f"{line.share} %") for line in record.factions[:MOST_BARS]), 100),
        # The opponent's column is next to the visitor's.
        "mine_by_round": [_draw_column(place, mine, most, 0) for place, mine, _ in record.rounds],
        "theirs_by_round": [_draw_column(place, theirs, most, COLUMN) for place, _, theirs in record.rounds],
        "height": HEIGHT,
        "rounds_width": (len(record.rounds) + 1) * 3 * COLUMN,
        "scored": draw_bars(((name, points, str(points)) for name, points in record.scored[:MOST_BARS]), best),
    }
    return render(request, "play/game/record.html", context)


def _draw_column(place: int, points: float, most: float, shift: int) -> PlotBar:
    height = (HEIGHT - 2 * COLUMN) * points / most
    return PlotBar(
        place * 3 * COLUMN - 2 * COLUMN + shift, HEIGHT - COLUMN - height, COLUMN, height, str(place), f"{points:g}"
    )


@allow("GET", "POST")
def enter_result(request: HttpRequest) -> HttpResponse:
    form, wrong = ResultForm(), ""
    if request.method == "POST":
        form = ResultForm(request.POST)
        game = verbs.enter_result(make_owner(request), HandEntry(**form.read_fields()))
        if not isinstance(game, Refused):
            return redirect_after_post("play:game-record")
        wrong = wording.explain_refusal(game)
    context = {"page": "play", "games": select_games(), "given": form.data, "wrong": wrong}
    return render_form(request, "play/game/by_hand.html", context)


@allow("GET", "POST")
@hide_linked_page()
def show_log(request: HttpRequest, link_id: str) -> HttpResponse:
    """Show a game's log. Its players undo actions here, however old."""
    game = find_linked_game(request, link_id)
    place = find_place(game, identify_visitor(request))
    posted = PostedTap()
    if request.method == "POST":
        if place is None:
            raise Http404
        posted = take_posted_tap(request, game, place)
        if not posted.wrong:
            return redirect_after_post("play:game-log", link_id, anchor=posted.anchor)
    board = build_game_board(game, place)
    context = {
        "page": "play",
        "game": game,
        "place": place,
        "board": board,
        "result": [(side.name, side.score.total) for side in board.sides],
        "ending": describe_ending(board),
        "rounds": range(1, board.rounds + 1),
        "table": [(side, side.list_rounds(board.rounds)) for side in board.sides],
        "held": board.holds_points,
        "lines": list_log(game, place),
        "wrong": posted.wrong,
        "form_id": uuid4(),
        "seal": seal_seed(game.seed) if game.seed and board.rules.fold.hand else "",
    }
    return render(request, "play/game/log.html", context, status=posted.status)


@allow("GET")
@hide_linked_page()
def print_log(request: HttpRequest, link_id: str) -> HttpResponse:
    game = find_linked_game(request, link_id)
    place = find_place(game, identify_visitor(request))
    board = build_game_board(game, place)
    names = [f"{side.name} {side.score.total}" for side in board.by_place]
    if len(names) == SIDES:
        second = board.get_side(1)
        names = [f"{names[0]} : {second.score.total} {second.name}"]
    day = date_format(timezone.localtime(game.played), _("j M Y"))
    job = PlayedGameJob(
        title=", ".join(names),
        about=" · ".join(filter(None, [game.mission_name, game.map_name, day, str(game.version.game)])),
        round=board.rules.table.round or _("Round"),
        sides=tuple(_describe_played_side(board, side) for side in board.by_place),
        lines=tuple(PlayedLine(line.round, line.who, line.text) for line in list_log(game, place)[::-1] if line.stands),
        notes=game.notes,
        paper=read_asked_options({"paper": request.GET.get("paper", PaperSize.A4)}).paper,
        identity=game.version.game.identity,
    )
    return answer_print(request, job, slugify(game.name, allow_unicode=True) or "game")


def _describe_played_side(board: GameBoard, side: BoardSide) -> PlayedSide:
    return PlayedSide(
        name=side.name,
        rounds=tuple(side.list_rounds(max(board.rounds, 1))),
        scored=tuple((name_item(board.rules, item), points) for item, points in side.score.by_item.items()),
        total=side.score.total,
    )


@allow("GET")
@hide_linked_page()
def export_one_game(request: HttpRequest, public_id: str, ending: str) -> HttpResponse:
    """Download one game, even while it is played. Unknown file extensions get a 404."""
    game, place = find_own_game(request, public_id)
    _check_ending(ending)
    name = f"{slugify(game.name) or 'game'}.{ending}"
    if ending == "json":
        return _answer_file(write_json(export_game(game, place)), "application/json", name)
    return _answer_file(write_csv([game], {game.pk: place}).encode(), "text/csv; charset=utf-8", name)


@allow("GET")
def export_games(request: HttpRequest, ending: str) -> HttpResponseBase:
    """Download the visitor's games. Unknown file extensions get a 404."""
    _check_ending(ending)
    visitor = identify_visitor(request)
    games = list(list_games(visitor)[: verbs.MOST_GAMES])
    places = find_places(games, visitor)
    if ending == "json":
        # Years of games are many megabytes, so stream them one at a time.
        content = stream_json(export_game(game, places[game.pk]) for game in games)
        return StreamingHttpResponse(content, "application/json", headers=_attach("games.json"))
    return _answer_file(write_csv(games, places).encode(), "text/csv; charset=utf-8", "games.csv")


def _check_ending(ending: str) -> None:
    if ending not in ENDINGS:
        raise Http404


def _answer_file(content: bytes, media: str, name: str) -> HttpResponse:
    return HttpResponse(content, content_type=media, headers=_attach(name))


def _attach(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
