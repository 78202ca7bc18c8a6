"""Results of earlier games, moved into a season from a spreadsheet."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from lxml import html

from roster.club.models import ClubMember, Meeting, Season
from roster.club.services import past_results
from roster.models.webhooks import WebhookDelivery
from roster.play.models import Game, GameSeat
from tests.club.test_campaigns import Campaign
from tests.club.test_leagues import SEASON, League, board_of, table_of

pytestmark = pytest.mark.django_db

HEAD = "date,player A,player B,score A,score B\n"


@pytest.fixture
def league() -> League:
    return League()


def shift(days: int) -> date:
    return timezone.localdate() - timedelta(days=days)


def page(season: Season) -> str:
    return reverse("club:season-import", args=[season.public_id])


def bring(league: League, season: Season, text: str = "", who: str = "ada", **fields: Any) -> HttpResponse:
    return league.browsers[who].post(page(season), {"text": text, **fields})


def read_refusal(answer: HttpResponse) -> str:
    assert answer.status_code == 422
    (wrong,) = html.fromstring(answer.content.decode()).find_class("wrong")
    return " ".join(wrong.text_content().split())


def test_a_spreadsheet_of_a_round_robin_fills_its_meetings(league: League) -> None:
    season = league.begin(ladder="elo")
    early, late = shift(60), shift(30)
    # The names, the order of the players and the columns are the spreadsheet's.
    text = (
        "Datum;Runde;Spieler A;Spieler B;Punkte A;Punkte B\r\n\r\n"
        f"{late:%d.%m.%Y};1;BEN;Cleo;18;11\r\n{early:%d.%m.%y};2; cléo ;dan;3.0;8\r\n"
    )
    answer = bring(league, season, file=SimpleUploadedFile("liga.csv", text.encode("cp1252")))
    assert answer.status_code == 303
    assert "2 results entered." in league.see("ada", season.get_absolute_url())
    board = board_of(season)
    assert len(board.meetings) == 6
    counted = [(one.played.date(), str(board.players[one.result.winner or 0])) for one in board.counted]
    assert counted == [(early, "Dan"), (late, "Ben")]
    assert {game.is_by_hand for game in Game.objects.all()} == {True}
    # Players with an account find them among their games, at the table nothing changes.
    assert GameSeat.objects.filter(owner=league.users["cleo"]).count() == 2
    meeting = Meeting.objects.get(first__member__name="Ben", second__member__name="Cleo")
    assert "18" in league.see("cleo", reverse("play:game-record"))

    # Entered twice, nothing is doubled.
    assert read_refusal(bring(league, season, text)).count("already entered") == 2
    assert Game.objects.count() == 2
    # The organiser corrects and removes them like others.
    assert league.enter("ada", meeting, do="scores", first="11", second="11") == 303
    assert league.enter("ada", meeting, do="clear") == 303
    assert Game.objects.count() == 1
    # The season's own file puts it back, without the games that were not played, and the results of events.
    exported = league.browsers["ben"].get(reverse("club:season-results", args=[season.public_id, "csv"]))
    lines = exported.content.decode().splitlines()
    lines.append(f"Spring open,1,Ada,Ben,7,2,1,{late},,,True")
    assert league.enter("ada", Meeting.objects.get(game__isnull=False), do="clear") == 303
    assert bring(league, season, "\n".join(lines)).status_code == 303
    assert Game.objects.get().played.date() == early
    assert "Name the columns" in read_refusal(bring(league, season, "\n".join([lines[0], lines[-1]])))
    # Other tables may name an event, too.
    other = f"event,date,a,b,result\nSpring open,{late},Ada,Ben,7:2\n"
    assert bring(league, season, other).status_code == 303
    # A player who came back before the start has no games.
    Meeting.objects.filter(first__member__name="Ada", second__member__name="Dan").delete()
    missing = read_refusal(bring(league, season, other.replace("Ben", "Dan")))
    assert "Row 2: These two have no game in this season: Ada : Dan." in missing


def test_a_swiss_season_moves_here_before_its_next_round(league: League) -> None:
    assert league.post("ada", league.page("season-new"), **(SEASON | {"format": "swiss"})) == 303
    season = Season.objects.get()
    members = [league.member(name).pk for name in ("Ada", "Ben", "Cleo", "Dan")]
    assert league.act("ada", season, do="add", member=members) == 303
    text = (
        "Jour,Ronde,Joueur 1,Joueur 2,Résultat\n"
        f"{shift(20)},1,Ben,Cleo,18:11\n{shift(20)},1,Ada,Dan,nul\n{shift(6)},2,Ben,Dan,défaite\n"
    )
    assert "Row 2: Enter the round" in read_refusal(bring(league, season, text.replace(",1,Ben", ",,Ben")))
    assert "Row 4: Ben already has another opponent" in read_refusal(bring(league, season, text.replace(",2,", ",1,")))
    assert bring(league, season, text).status_code == 303
    # Whoever leaves before the start stays in the table.
    assert league.act("cleo", season, do="leave") == 303
    assert table_of(season) == [("Dan", 5), ("Ben", 4), ("Ada", 2), ("Cleo", 1)]
    # An organiser settles their own game only against a player without an account.
    own = f"date,round,a,b,result\n{shift(6)},3,Ada,Ben,win\n"
    assert bring(league, season, own).status_code == 303
    assert "1 of them is a game of yours" in league.see("ada", season.get_absolute_url())
    meeting = Meeting.objects.get(round=3)
    assert league.enter("ben", meeting, do="confirm", outcome="1 1:0") == 303
    assert dict(table_of(season))["Ada"] == 5
    assert league.enter("ada", meeting, do="clear") == 303
    assert "Enter the scores" in league.see("ada", meeting.get_absolute_url())
    # The open meeting of the round takes the result.
    assert bring(league, season, own).status_code == 303
    assert Meeting.objects.get(round=3) == meeting
    # The next round is paired after those.
    assert league.act("ada", season, do="start") == 303
    assert {one.meeting.round for one in board_of(season).meetings if one.is_open and not one.scores} == {4}


def test_results_of_a_campaign_decide_its_places_and_are_not_posted() -> None:
    league = Campaign()
    season, posted = league.season, WebhookDelivery.objects.count()
    day = shift(3)
    text = f"Date,Player 1,Player 2,Player 1 points,Player 2 points,Place\n{day},Dan,Ben,9,4,mill\n"
    assert "Row 2: There is no place called “mull”." in read_refusal(
        bring(league, season, text.replace("mill", "mull"))
    )
    assert league.attack("ada", "Mill") == 303
    assert "Row 2: A game for “Mill” is still open." in read_refusal(bring(league, season, text))
    assert league.enter("ada", Meeting.objects.get(), do="withdraw") == 303
    posted = WebhookDelivery.objects.count()
    assert bring(league, season, text).status_code == 303
    board = board_of(season)
    assert str(board.players[board.holders["Mill"]]) == "Dan"
    assert WebhookDelivery.objects.count() == posted
    # Twice on one day needs rounds, so that a table entered twice doubles nothing.
    again = f"{text}{day},Ben,Dan,1,1,\n"
    refused = read_refusal(bring(league, season, again))
    assert "Row 2: These two already have a game on that day: Dan : Ben 9:4." in refused
    assert "Row 3" in refused
    rounds = f"date,round,first,second,score a,score b\n{day},Round 2,Dan,Ben,5,5\n{day},3,Ben,Dan,2,7\n"
    assert bring(league, season, rounds).status_code == 303
    assert read_refusal(bring(league, season, rounds)).count("already entered: ") == 2
    assert Game.objects.count() == 3


def test_each_wrong_row_is_named_and_nothing_is_entered(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    season = league.begin(format="challenge")
    assert league.act("cleo", season, do="leave") == 303
    day, known = shift(3), Game.objects.count()
    rows = {
        f"{day},Ada,Dan,5,2": "",
        "someday,Ada,Dan,5,2": "“someday” is not a date.",
        "2026-02-30,Ada,Dan,5,2": "is not a date.",
        f"{timezone.localdate() + timedelta(days=2)},Ada,Dan,5,2": "is in the future.",
        "1999-05-04,Ada,Dan,5,2": "is more than two years before this season.",
        "3/4/2026,Ada,Dan,5,2": "“3/4/2026” could be two dates.",
        f"13/1/{shift(200).year},Ben,Dan,5,2": "",
        f"1/14/{shift(200).year},Ben,Dan,5,2": "",
        f"{day},Ada,<b>Eve</b>,5,2": "Nobody called “<b>Eve</b>” plays in this season.",
        f"{day},Ada,Cleo,5,2": "Cleo has left the season.",
        f"{day},Ada,ADA,5,2": "Ada can’t play against themselves.",
        f"{day},Ada,bye,5,2": "Two players are needed.",
        f"{day},Ada,,5,2": "Two players are needed.",
        f"{day},Ada,!!,5,2": "Two players are needed.",
        f"{day},Ben,Dan,5,many": "“5 : many” is not a result.",
        f"{day},Ben,Dan,5": "is not a result.",
        f'"{day}\n",Dan,Ada,5,2': "These two already have a game on that day: Ada : Dan 5:2.",
        f"{day},Ben,Dan,1,2,first": "",
    }
    numbers = [*range(3, 20), 21]
    answer = bring(league, season, f"{HEAD}\n" + "\n".join(rows))
    refused = read_refusal(answer)
    for number, why in zip(numbers, rows.values(), strict=True):
        assert (f"Row {number}: " in refused) == bool(why)
        assert why in refused
    assert "someday,Ada,Dan" in html.fromstring(answer.content.decode()).xpath("//textarea")[0].text_content()
    assert Game.objects.count() == known
    assert not Meeting.objects.exists()
    # One day that cannot be two dates settles the others.
    slashes = f"{HEAD}{shift(400):%Y}-01-02,Ada,Dan,1,2\n{shift(400).year}/1,Ada,Dan,1,2\n"
    assert "Row 3: “" in read_refusal(bring(league, season, slashes))
    slashes = f"{HEAD}12/25/{shift(400).year},Ada,Dan,1,2\n02/03/{shift(400).year},Ben,Dan,1,2\n"
    assert bring(league, season, slashes).status_code == 303
    assert [game.played.month for game in Game.objects.order_by("pk")] == [2, 12]

    for text in ("", "nonsense", "date,player A\n", HEAD, "2026-03-21,Ada,Ben,18,11\n"):
        assert "Name the columns in the first line" in read_refusal(bring(league, season, text))
    picture = SimpleUploadedFile("picture.csv", b"\x89PNG\x00\xff")
    assert "Name the columns" in read_refusal(bring(league, season, file=picture))
    monkeypatch.setattr(past_results, "MOST_RESULTS", 2)
    text = HEAD + f"{day},Ada,Dan,1,2\n" * 3
    assert "There are 3 games in it. At most 2" in read_refusal(bring(league, season, text))
    # A stranger finds no such page, a member neither.
    for who in ("stranger", "ben", "guest"):
        assert league.browsers[who].get(page(season)).status_code == 404
        assert bring(league, season, text, who).status_code == 404
    assert league.act("ada", season, do="end") == 303
    assert "This season is over." in read_refusal(bring(league, season, f"{HEAD}{day},Ada,Dan,1,2\n"))


def test_a_round_robin_starts_before_its_results(league: League) -> None:
    assert league.post("ada", league.page("season-new"), **SEASON) == 303
    season = Season.objects.get()
    assert "Start the season first" in read_refusal(bring(league, season, f"{HEAD}{shift(1)},Ada,Dan,1,2\n"))


def test_headings_and_results_are_read_in_the_languages_of_the_site(league: League) -> None:
    season = league.begin(format="challenge")
    day = shift(3)
    for text in (
        f"Fecha;Ronda;Jugador 1;Jugador 2;Puntos 1;Puntos 2\n{day};1;Ben;Cleo;18;11\n",
        f"Data;Turno;Giocatore A;Giocatore B;Risultato\n{day};2;Cleo;Ben;sconfitta\n",
        f"Dzień;Runda;Gracz 1;Gracz 2;Punkty gracza 1;Punkty gracza 2\n{day};3;Ben;Cleo;7;5\n",
        f"Data gry;Kolejka;Zawodnik 1;Przeciwnik;Wynik\n{day};4;Cleo;Ben;porażka\n",
    ):
        assert bring(league, season, text).status_code == 303, text
    counted = board_of(season).counted
    assert [len(counted), table_of(season)[0]] == [4, ("Ben", 12)]


def test_organisers_remove_a_wrong_game_of_a_round(league: League) -> None:
    assert league.post("ada", league.page("season-new"), **(SEASON | {"format": "swiss"})) == 303
    season = Season.objects.get()
    members = [league.member(name).pk for name in ("Ada", "Ben", "Cleo", "Dan")]
    assert league.act("ada", season, do="add", member=members) == 303
    wrong = f"date,round,a,b,result,venue\n{shift(5)},1.0,Ben,Cleo,18:11,Hall\n"
    assert bring(league, season, wrong).status_code == 303
    meeting = Meeting.objects.get(round=1)
    assert league.enter("ada", meeting, do="withdraw") == 422
    assert league.enter("ada", meeting, do="clear") == 303
    # A round of past games has no deadline to move.
    Season.objects.update(started=timezone.now())
    later = (timezone.localdate() + timedelta(days=9)).isoformat()
    assert league.act("ada", season, do="deadline", round="1", day=later) == 422
    # In a round with paired games, only these get another last day.
    first, second = season.players.filter(member__name__in=("Ada", "Dan")).order_by("pk")
    Meeting.objects.create(season=season, round=1, first=first, second=second, until=timezone.localdate())
    assert league.act("ada", season, do="deadline", round="1", day=later) == 303
    assert list(Meeting.objects.values_list("until", flat=True)) == [None, date.fromisoformat(later)]
    assert "until " in league.see("ben", season.get_absolute_url())
    Meeting.objects.exclude(pk=meeting.pk).delete()
    Season.objects.update(started=None)
    assert "Remove the game" not in league.see("ben", meeting.get_absolute_url())
    assert league.enter("ben", meeting, do="withdraw") == 422
    right = wrong.replace("Cleo", "Dan").replace("venue", "Ort")
    assert "already has another opponent" in read_refusal(bring(league, season, right))
    assert "Remove the game" in league.see("ada", meeting.get_absolute_url())
    assert league.enter("ada", meeting, do="withdraw") == 303
    assert "“-1” is not a round" in read_refusal(bring(league, season, right.replace("1.0", "-1")))
    assert bring(league, season, right).status_code == 303
    assert str(Meeting.objects.get()) == "Ben : Dan"
    # What was paired stays.
    assert league.act("ada", season, do="start") == 303
    paired = Meeting.objects.filter(round=2).first()
    assert paired is not None
    assert "Remove the game" not in league.see("ada", paired.get_absolute_url())
    assert league.enter("ada", paired, do="withdraw") == 422


def test_games_of_one_day_follow_their_rounds_and_rows(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    season = league.begin(format="challenge", ladder="elo")
    ClubMember.objects.filter(name="Dan").update(name="!!!")
    steps: list[object] = []
    lock, load = QuerySet.select_for_update, past_results.load_season_board

    def note_lock(rows: QuerySet[Any], **options: Any) -> QuerySet[Any]:
        steps.append(rows.model)
        return lock(rows, **options)

    def note_board(season: Season) -> Any:
        steps.append("board")
        return load(season)

    monkeypatch.setattr(QuerySet, "select_for_update", note_lock)
    monkeypatch.setattr(past_results, "load_season_board", note_board)
    for day in (shift(4), shift(0)):
        Meeting.objects.all().delete()
        steps.clear()
        text = (
            f"date,round,a,b,result\n{day},3,Ben,!!!,1:0\n{day},1,Ben,Cleo,2:0\n"
            f"{day},2,Cleo,!!!,3:0\n{day},1,Ada,!!!,4:0\n"
        )
        assert bring(league, season, text).status_code == 303
        assert [one.result.first_score for one in board_of(season).counted] == [2, 4, 3, 1]
        # Results that players enter meanwhile wait.
        assert steps[:3] == [Season, Meeting, "board"]
    # A name of signs is not just any name without letters.
    for name in ("", "??"):
        row = f"{HEAD}{shift(9)},Ada,{name},1,2\n"
        assert "Two players are needed" in read_refusal(bring(league, season, row))
