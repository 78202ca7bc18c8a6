"""Pairings: import, names, publication; standings and table sheets."""

import csv
import io
import json
from dataclasses import replace
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pypdf import PdfReader

from catalogue.formats.packs.load import SHIPPED
from catalogue.models import Job
from roster.events.models import AuditRecord, Event, Pairing, Participant, Penalty
from roster.events.pdf.table_sheet import TableSeat, TableSheetJob
from roster.events.services.bench import add_penalty
from roster.events.services.events import create_event, enter_player
from roster.events.services.held import list_held
from roster.events.services.pairing_tables import PairingTableError, read_juggler, read_rows, read_table
from roster.formats.column_headings import PAIRINGS, map_columns
from roster.pdf.pages import FOOT, PAPERS
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from tests.events.cast import Bench, opened
from tests.full_lists import PLAIN, ReadyList, full_sheet
from tests.roster.paper_tools import words_in
from tests.roster.views_cast import SCRIPT

pytestmark = pytest.mark.django_db

TABLE = "Round;Table;Player 1;Player 2;Points 1;Points 2\n1;7;ann;bob;12;8\n1;8;eve;BYE;10;\n"
JUGGLER = {
    "tournament": {
        "players": [{"id": 1, "name": "ann"}, {"id": 2, "name": "bob"}, {"id": 3, "name": "eve"}],
        "rounds": [
            {
                "round-type": "swiss",
                "round-number": 2,
                "matches": [
                    {"player1": 1, "player2": "bob", "player1points": 100, "player2points": 40},
                    {"player1": "eve", "player2": None, "player1points": 50},
                ],
            }
        ],
    }
}


@pytest.fixture
def bench() -> Bench:
    return opened("ann", "bob", "eve")


def url(bench: Bench, name: str, *args: str) -> str:
    return reverse(f"events:{name}", args=[bench.event.public_id, *args])


def bring(bench: Bench, text: str = TABLE, who: str = "ora", **form: object):
    return bench.client(who).post(url(bench, "bring-pairings"), {"text": text, **form})


def tables(bench: Bench) -> list[tuple[int, str, str, str]]:
    pairings = bench.event.pairings.select_related("first", "second")
    return [(one.round, one.table, one.first.name, one.second.name if one.second else "") for one in pairings]


def publish(bench: Bench, number: int = 1, do: str = "publish"):
    return bench.client("ora").post(url(bench, "pairings"), {"round": number, "do": do})


# ---- reading ---------------------------------------------------------------------------------------------------------


def test_a_table_with_headings_is_read(bench):
    answer = bring(bench)
    assert (answer.status_code, answer["Location"]) == (303, url(bench, "pairings") + "?round=1")
    assert tables(bench) == [(1, "7", "ann", "bob"), (1, "8", "eve", "")]
    assert [(one.first_points, one.second_points) for one in bench.event.pairings.all()] == [(12, 8), (10, None)]
    assert AuditRecord.objects.filter(act="pairings", detail="1").exists()


@pytest.mark.parametrize(
    "text",
    [
        "Tisch\tSpieler 1\tSpieler 2\n7\tann\tbob\n8\teve\tFreilos",
        "table,player a,opponent\n7,Ann,BOB\n8,bye,eve",
        "Mesa;Jugador 1;Rival\n7;ann;bob\n8;descansa;eve",
        "Tavolo;Giocatore A;Giocatore B\n7;ann;bob\n8;eve;riposo",
        "Stół;Gracz 1;Gracz 2\n7;ann;bob\n8;eve;wolny los",
        "\ufeffTable;Joueur 1;Joueur 2\r\n7;ann;bob\r\n8;eve;\r\n",
    ],
)
def test_other_headings_are_read(bench, text):
    assert bring(bench, text, round="3").status_code == 303
    assert tables(bench) == [(3, "7", "ann", "bob"), (3, "8", "eve", "")]


def test_json_of_list_juggler_is_read(bench):
    file = SimpleUploadedFile("event.json", json.dumps(JUGGLER).encode())
    assert bring(bench, "", file=file).status_code == 303
    assert tables(bench) == [(2, "1", "ann", "bob"), (2, "2", "eve", "")]
    assert bench.event.pairings.first().first_points == 100


def test_columns_that_nobody_knows_are_asked_and_remembered(bench):
    text = "Brett;Weiß;Schwarz;table\nx;ann;bob;7"
    asked = bring(bench, text)
    assert (asked.status_code, asked.context["draft"].lacks_columns, tables(bench)) == (200, True, [])
    keys = asked.context["keys"]
    told = {"column-first": keys[1], "column-second": keys[2], "column-table": "table"}
    assert bring(bench, text, **told).status_code == 303
    assert tables(bench) == [(1, "7", "ann", "bob")]
    assert bring(bench, text.replace("ann;bob", "eve;bob"), round="2").status_code == 303
    assert tables(bench)[1:] == [(2, "7", "eve", "bob")]


def test_a_table_without_headings_is_asked_about(bench):
    asked = bring(bench, "7\tann\tbob\n8\teve\t-")
    assert asked.context["keys"] == ("#1", "#2", "#3")
    told = {"column-first": "#2", "column-second": "#3", "column-table": "#1"}
    answer = bring(bench, "7\tann\tbob", **told)
    assert (answer.status_code, tables(bench)) == (303, [(1, "7", "ann", "bob")])


@pytest.mark.parametrize("text", ["{", "[]", '{"rounds": 1}', '{"rounds": []}', "one column", "a;b\n", "[" * 5000])
def test_rubbish_is_refused(bench, text):
    answer = bring(bench, text)
    assert answer.status_code in (200, 422)
    assert Pairing.objects.count() == 0


def test_what_is_no_text_is_refused(bench):
    file = SimpleUploadedFile("event.csv", b"PK\x03\x04\x00\xff\xfe")
    assert (bring(bench, "", file=file).status_code, bring(bench, "").status_code) == (422, 422)


def test_rows_beyond_all_measure_are_refused():
    table = read_table("player1;player2\n" + "a;b\n" * 4_001)
    with pytest.raises(PairingTableError, match="too-many-rows"):
        read_rows(table, map_columns(table.keys, PAIRINGS))
    assert read_juggler("player1;player2") is None


# ---- names -----------------------------------------------------------------------------------------------------------


def test_a_name_that_nobody_has_is_asked_once_and_remembered(bench):
    text = "table;player1;player2\n1;Annie;bob"
    question = bring(bench, text).context["questions"][0]
    assert (question.name, len(question.players)) == ("Annie", 3)
    assert bring(bench, text, **{f"who-{question.key}": bench.entry("ann").public_id}).status_code == 303
    assert tables(bench) == [(1, "1", "ann", "bob")]
    assert bring(bench, text, round="2").status_code == 303


def test_equal_names_are_asked_each_time(bench):
    other = enter_player(bench.event, bench.people["ora"], "Ann")
    assert isinstance(other, Participant)
    text = "table;player1;player2\n1;ann;bob\n2;ann;eve"
    asked = bring(bench, text).context["questions"]
    assert [len(question.players) for question in asked] == [2, 2]
    first = {f"who-{asked[0].key}": bench.entry("ann").public_id}
    again = bring(bench, text, **first).context["questions"]
    assert [question.key for question in again] == [asked[1].key]
    assert bring(bench, text, **first, **{f"who-{asked[1].key}": other.public_id}).status_code == 303
    assert [one.first_id for one in Pairing.objects.all()] == [bench.entry("ann").pk, other.pk]
    assert len(bring(bench, text).context["questions"]) == 2
    # Only a player with the same name is an answer.
    wrong = bring(bench, text, **{f"who-{asked[0].key}": bench.entry("eve").public_id})
    assert len(wrong.context["questions"]) == 2


def test_a_table_of_nobody_is_left_out(bench):
    text = "table;player1;player2\n1;ann;bob\n2;Ghost;eve"
    question = bring(bench, text).context["questions"][0]
    assert bring(bench, text, **{f"who-{question.key}": "-"}).status_code == 303
    assert tables(bench) == [(1, "1", "ann", "bob")]


def test_players_report_the_score_of_their_own_table_once(bench):
    bring(bench, "table;player1;player2\n1;ann;bob\n2;eve;")
    pairing, bye = Pairing.objects.order_by("table")

    def report(who: str, *points: str, at: Pairing = pairing) -> int:
        fields = {f"points-{at.pk}-{side}": text for side, text in enumerate(points)}
        return bench.client(who).post(url(bench, "pairings"), {"round": 1, "do": "report", **fields}).status_code

    def stored() -> tuple:
        pairing.refresh_from_db()
        return pairing.first_points, pairing.second_points

    # Not before the round is shown.
    assert (report("ann", "12", "8"), stored()) == (404, (None, None))
    publish(bench)
    for who in ("eve", "sue", ""):
        report(who, "20", "0")
        assert stored() == (None, None)
    for points in (("12",), ("12", "x"), ("", ""), ()):
        report("ann", *points)
        assert stored() == (None, None)
    report("eve", "20", "0", at=bye)
    bye.refresh_from_db()
    assert bye.first_points is None
    page = bench.client("bob").get(url(bench, "pairings")).content.decode()
    assert (f"points-{pairing.pk}-0" in page, f"points-{bye.pk}-0" in page) == (True, False)
    assert 'value="report"' not in bench.client("eve").get(url(bench, "pairings")).content.decode()
    assert (report("bob", "12", "8"), stored()) == (303, (12, 8))
    # The second report changes nothing, a helper's does, and the log names both.
    assert (report("ann", "20", "0"), stored()) == (303, (12, 8))
    form = {"round": 1, "do": "results", f"points-{pairing.pk}-0": "11", f"points-{pairing.pk}-1": "9"}
    bench.client("jud").post(url(bench, "pairings"), form)
    assert stored() == (11, 9)
    log = AuditRecord.objects.filter(act="results").order_by("pk").values_list("actor_name", flat=True)
    assert list(log) == ["bob", "jud"]
    assert bench.client("ann").post(url(bench, "pairings"), {"round": 1, "do": "publish"}).status_code == 404


def test_who_plays_twice_in_a_round_is_named(bench):
    answer = bring(bench, "table;player1;player2\n1;ann;bob\n2;ann;eve")
    assert (answer.status_code, "“ann”" in answer.context["wrong"], Pairing.objects.count()) == (422, True, 0)
    assert bring(bench, "table;player1;player2\n1;ann;ann").status_code == 422
    assert bring(bench, "round;player1;player2\n999;ann;bob").status_code == 422


def test_players_of_another_event_are_no_answer(bench):
    other = create_event(bench.people["sue"], bench.event.version, "Another")
    assert isinstance(other, Event)
    zoe = enter_player(other, bench.people["sue"], "zoe")
    assert isinstance(zoe, Participant)
    text = "player1;player2\nGhost;bob"
    answer = bring(bench, text, **{"who-0-0": zoe.public_id})
    assert (answer.status_code, len(answer.context["questions"])) == (200, 1)


def test_a_round_that_is_brought_in_again_takes_the_place_of_the_first(bench):
    bring(bench)
    publish(bench)
    bring(bench, "round;table;player1;player2\n1;1;bob;eve")
    assert tables(bench) == [(1, "1", "bob", "eve")]
    assert Pairing.objects.get().published is not None


def test_names_of_tables_are_text(bench):
    bring(bench, f"table;player1;player2\n{SCRIPT};{SCRIPT};bob")
    page = bring(bench, f"table;player1;player2\n<script>;{SCRIPT};bob").content.decode()
    assert SCRIPT not in page


# ---- who sees it -----------------------------------------------------------------------------------------------------


def test_players_see_a_round_once_it_is_shown(bench):
    bring(bench)
    bring(bench, "round;table;player1;player2\n2;1;bob;eve")

    def seen(who: str) -> tuple[list[int], int, int]:
        client = bench.client(who)
        standings = client.get(url(bench, "standings")).context["lines"]
        rows = client.get(url(bench, "export-standings")).content.decode().splitlines()
        return client.get(url(bench, "pairings")).context["rounds"], len(standings), len(rows)

    for who in ("ora", "jud"):
        assert seen(who) == ([1, 2], 3, 4)
    for who in ("ann", "sue", ""):
        assert seen(who) == ([], 0, 0)
    publish(bench)
    for who in ("ann", "sue", ""):
        assert seen(who) == ([1], 3, 4)
        # Unpublished rounds are not found by number either.
        assert bench.client(who).get(url(bench, "pairings") + "?round=2").context["number"] == 1
    publish(bench, do="unpublish")
    assert seen("ann") == ([], 0, 0)


def test_who_may_change_pairings(bench):
    bring(bench)
    statuses = {"jud": 404, "ann": 404, "sue": 404, "": 404}
    for who, status in statuses.items():
        assert bench.client(who).get(url(bench, "bring-pairings")).status_code == status
        assert bring(bench, TABLE, who).status_code == status
        for do in ("publish", "delete"):
            assert bench.client(who).post(url(bench, "pairings"), {"round": 1, "do": do}).status_code == status
    assert bench.client("jud").post(url(bench, "pairings"), {"round": 1, "do": "results"}).status_code == 303
    assert bench.client("ann").post(url(bench, "pairings"), {"round": 1, "do": "results"}).status_code == 404
    assert publish(bench, 9).status_code == 404
    assert publish(bench, do="delete").status_code == 303
    assert Pairing.objects.count() == 0


def test_a_round_asks_as_much_for_many_tables_as_for_few(bench):
    bring(bench, "table;player1;player2\n1;ann;bob")

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            bench.client("ora").get(url(bench, "pairings"))
            bench.client("ora").get(url(bench, "standings"))
        return len(queries)

    count()
    few = count()
    text = "table;player1;player2\n"
    for number in range(10):
        enter_player(bench.event, bench.people["ora"], f"Player {number}")
    text += "".join(f"{number};Player {number};Player {number + 1}\n" for number in range(0, 10, 2))
    assert bring(bench, text, round="1").status_code == 303
    assert count() == few


# ---- standings -------------------------------------------------------------------------------------------------------


def test_standings_take_confirmed_penalties_off(bench):
    bring(bench)
    penalty = add_penalty(bench.entry("ann"), bench.people["jud"], "late", "-3.5", "")
    assert isinstance(penalty, Penalty)
    Penalty.objects.create(participant=bench.entry("bob"), offence="late", points=Decimal(5))
    lines = bench.client("ora").get(url(bench, "standings")).context["lines"]
    assert [(one.place, one.player.name, one.wins, one.losses, one.total) for one in lines] == [
        (1, "eve", 1, 0, 10),
        (2, "ann", 1, 0, Decimal("8.5")),
        (3, "bob", 0, 1, 8),
    ]
    table = csv.DictReader(io.StringIO(bench.client("ora").get(url(bench, "export-standings")).content.decode()))
    rows = [(row["name"], Decimal(row["penalty"]), Decimal(row["total"])) for row in table]
    assert rows[1] == ("ann", Decimal("3.5"), Decimal("8.5"))


def test_games_won_decide_between_equal_points(bench):
    bring(bench, "table;player1;player2;points1;points2\n1;ann;eve;10;12\n2;bob;bye;10;")
    lines = bench.client("ora").get(url(bench, "standings")).context["lines"]
    assert [(one.place, one.player.name, one.wins, one.total) for one in lines] == [
        (1, "eve", 1, 12),
        (2, "bob", 1, 10),
        (3, "ann", 0, 10),
    ]


def test_results_are_entered_by_judges(bench):
    bring(bench, "table;player1;player2\n1;ann;bob")
    pairing = Pairing.objects.get()
    form = {"round": 1, "do": "results", f"points-{pairing.pk}-0": "5,5", f"points-{pairing.pk}-1": "5.5"}
    bench.client("jud").post(url(bench, "pairings"), form | {"points-99999-0": "3", "points-x-0": "1"})
    lines = bench.client("ora").get(url(bench, "standings")).context["lines"]
    assert [(one.place, one.draws, one.total) for one in lines] == [(1, 1, 5.5), (1, 1, 5.5), (3, 0, 0)]
    for text in ("NaN", "1E+9999999", "1E-9999999", "1.2.3", "9" * 5_000):
        fields = {"round": 1, "do": "results", f"points-{pairing.pk}-0": text}
        assert bench.client("jud").post(url(bench, "pairings"), fields).status_code == 303
    pairing.refresh_from_db()
    assert (pairing.first_points, pairing.second_points) == (None, None)
    # The log has the earlier points, and nothing if none changed.
    bench.client("jud").post(url(bench, "pairings"), {"round": 1, "do": "results", f"points-{pairing.pk}-0": ""})
    log = AuditRecord.objects.filter(act="results").order_by("pk").values_list("detail", flat=True)
    assert list(log) == ["1; 1: –:– → 5.5:5.5", "1; 1: 5.5:5.5 → –:–"]


def test_pairings_are_taken_away_with_the_event(bench):
    bring(bench)
    exported = bench.client("ora").get(url(bench, "export", "json")).json()
    assert [(row["table"], row["name"], row["opponent_name"]) for row in exported["pairings"]] == [
        ("7", "ann", "bob"),
        ("8", "eve", ""),
    ]
    assert [row["name"] for row in exported["standings"]] == ["ann", "eve", "bob"]


def test_an_account_holds_the_pairings_that_it_was_shown(bench):
    bring(bench)

    def held() -> list[object]:
        return [row for rows in list_held(bench.people["bob"]) for row in rows if isinstance(row, Pairing)]

    assert held() == []
    publish(bench)
    assert held() == [bench.event.pairings.first()]


# ---- table sheets ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_table_sheets_have_both_lists(bench):
    bench.submit("ann")
    bench.submit("eve")
    bring(bench, "table;player1;player2\n7;ann;eve\n8;bob;bye")
    client = bench.client("ora")
    client.post(url(bench, "pairings"), {"round": 1, "do": "print"})
    job = Job.objects.get()
    while job.is_open:
        client.post(reverse("catalogue:job", args=[job.public_id]))
        job.refresh_from_db()
    answer = client.get(url(bench, "fetch-print", job.public_id))
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]
    # Contents and its empty back, then a list on each side of the paper.
    assert [("ann" in page, "eve" in page) for page in pages] == [
        (True, True),
        (False, False),
        (True, False),
        (False, True),
    ]
    assert "bob" in pages[0]
    assert all("Table 7" in page for page in (pages[2], pages[3]))
    assert bench.client("ann").post(url(bench, "pairings"), {"round": 1, "do": "print"}).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("units", [(3, 3), (3, 60), (60, 3), (20, 20)])
def test_longer_lists_of_a_table_are_on_sheets_of_their_own(units):
    lists = [full_sheet(SHIPPED / "wh40k" / "ninth", number) for number in units]
    lists = [replace(sheet, title=name) for sheet, name in zip(lists, "ab", strict=True)]
    counts = [len(build_sheet_pages(sheet, PLAIN, make_look(sheet, PLAIN))) for sheet in lists]
    first, second = (name * count for name, count in zip("ab", counts, strict=True))
    blank = " " if max(counts) > 1 and counts[0] % 2 else ""
    seats = tuple(TableSeat(title=sheet.title, sheet=ReadyList(sheet)) for sheet in lists)
    pages = words_in(TableSheetJob(seats=seats, subtitle="Round 1", options=PLAIN).make_pdf())
    # The foot begins with the title of the list.
    names = [[word[4] for word in words if word[1] > PAPERS[PLAIN.paper][1] - FOOT] for words in pages]
    assert "".join(words[0] if words else " " for words in names) == f"{first}{blank}{second}"


@pytest.mark.slow
def test_a_blind_organiser_prints_no_tables():
    bench = opened("ann", "ora")
    bring(bench, "table;player1;player2\n1;ann;ora")
    answer = bench.client("ora").post(url(bench, "pairings"), {"round": 1, "do": "print"})
    assert (answer.status_code, Job.objects.count()) == (404, 0)


def test_who_plays_at_a_draft_is_nobodys_business(bench):
    bring(bench)
    publish(bench)
    Event.objects.update(status="draft")
    assert bench.client("ann").get(url(bench, "pairings")).status_code == 404
