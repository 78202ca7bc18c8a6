"""The export of an event, for organisers only."""

import csv
import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from roster.events.api.serializers import EventExportSerializer
from roster.events.models import AuditRecord, Event
from roster.events.services.bench import add_comment, add_penalty, assign_lists, decide_list, open_window
from roster.events.services.players import remember_alias
from roster.events.services.teams import create_team
from tests.events.cast import TWO_CUTTERS, Bench, opened

pytestmark = pytest.mark.django_db

TABLES = {
    *("players", "teams", "roles", "aliases", "submissions", "rechecks", "decisions", "penalties"),
    *("pairings", "standings", "comments", "checks", "log"),
}


@pytest.fixture
def bench() -> Bench:
    """An event in which everything happened once."""
    made = opened("ann", "bob")
    made.submit("ann", TWO_CUTTERS)
    entry, judge = made.entry("ann"), made.people["jud"]
    decide_list(entry, judge, "returned", "One unit of cutters.")
    add_comment(entry, judge, "organisers", "=HYPERLINK(1)")
    add_penalty(entry, judge, "other", "-5", "Rude")
    assign_lists(made.event, made.people["ora"], [entry.public_id], [judge])
    made.client("ora").post(reverse("events:recheck", args=[made.event.public_id]))
    return made


def address(bench: Bench, ending: str) -> str:
    return reverse("events:export", args=[bench.event.public_id, ending])


def read_tables(content: bytes) -> dict[str, list[dict[str, str]]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            name.removesuffix(".csv"): list(csv.DictReader(io.StringIO(archive.read(name).decode())))
            for name in archive.namelist()
        }


def test_json_has_everything(bench):
    answer = bench.client("ora").get(address(bench, "json"))
    assert "autumn-muster.json" in answer["Content-Disposition"]
    exported = json.loads(answer.content)
    assert exported.keys() == {"event", *TABLES}
    assert [row["name"] for row in exported["players"]] == ["ann", "bob"]
    (submitted,) = exported["submissions"]
    assert (submitted["verdict"], submitted["document"]["name"]) == ("illegal", "Low water")
    assert submitted["report"]["violations"]
    assert exported["decisions"][0]["reason"] == "One unit of cutters."
    assert (exported["penalties"][0]["points"], exported["penalties"][0]["state"]) == ("-5.00", "confirmed")
    assert exported["comments"][-1]["for"] == "organisers"
    assert exported["checks"][0]["checker"] == "jud@example.org" or exported["checks"][0]["checker"] == "jud"
    assert {"submit", "returned", "comment-organisers", "export"} <= {row["act"] for row in exported["log"]}


def test_tables_hold_the_same_rows_and_no_formulas(bench):
    exported = bench.client("ora").get(f"/api/v1/events/{bench.event.public_id}/export/").json()
    tables = read_tables(bench.client("ora").get(address(bench, "zip")).content)
    assert tables.keys() == {"event", *TABLES}
    for name in TABLES - {"log"}:
        assert len(tables[name]) == len(exported[name]), name
    assert not tables["comments"][-1]["comment"].startswith("=")
    assert tables["submissions"][0]["units"].count("Cutters") == 2


def test_the_program_is_told_of_each_table():
    assert set(EventExportSerializer().fields) == {"event", *TABLES}


def test_teams_helpers_names_and_corrections_are_in_it():
    bench = opened("ann")
    Event.objects.update(is_team=True, team_size=1, mapping={"Spieler": "first"})
    team = create_team(bench.fresh(), bench.people["ann"], "Reeds")
    bench.submit("ann", TWO_CUTTERS)
    decide_list(bench.entry("ann"), bench.people["jud"], "returned", "One unit of cutters.")
    bench.pass_deadline()
    now = timezone.now()
    open_window(bench.event, bench.people["ora"], now - timedelta(minutes=30), now + timedelta(hours=1))
    bench.submit("ann")
    remember_alias(bench.event, "Annie", bench.entry("ann"))
    exported = bench.client("ora").get(f"/api/v1/events/{bench.event.public_id}/export/").json()
    (row,) = exported["teams"]
    assert (row["name"], row["captain"], row["verdict"], row["players"]) == ("Reeds", "ann", "legal", ["ann"])
    assert row["public_id"] == team.public_id
    assert [(one["name"], one["role"]) for one in exported["roles"]] == [("ora", "organiser"), ("jud", "judge")]
    assert [(one["alias"], one["name"]) for one in exported["aliases"]] == [("annie", "ann")]
    assert exported["event"]["mapping"] == {"Spieler": "first"}
    corrected = exported["submissions"][0]
    assert (len(corrected["correction"]), corrected["uncovered"], len(corrected["differences"])) == (1, [], 1)
    tables = read_tables(bench.client("ora").get(address(bench, "zip")).content)
    assert (tables["event"][0]["mapping"], tables["teams"][0]["players"]) == ("Spieler: first", "ann")


def test_taking_it_away_is_in_the_log(bench):
    bench.client("ora").get(address(bench, "zip"))
    assert AuditRecord.objects.filter(act="export", actor=bench.people["ora"]).count() == 1


@pytest.mark.parametrize("ending", ["json", "zip"])
def test_it_is_for_organisers_alone(bench, ending):
    answers = {who: bench.client(who).get(address(bench, ending)).status_code for who in ("jud", "ann", "sue", "")}
    assert set(answers.values()) == {404}
    program = f"/api/v1/events/{bench.event.public_id}/export/"
    assert {bench.client(who).get(program).status_code for who in ("jud", "ann", "sue", "")} == {404}
    assert bench.client("ora").get(address(bench, "exe")).status_code == 404
    assert bench.client("ora").post(address(bench, ending)).status_code == 405


def test_an_organiser_who_plays_waits_for_the_reveal():
    bench = opened("ann", "ora")
    bench.submit("ann")
    program = f"/api/v1/events/{bench.event.public_id}/export/"
    assert bench.client("ora").get(address(bench, "json")).status_code == 403
    assert bench.client("ora").get(program).status_code == 404
    Event.objects.update(reveal_roster=timezone.now())
    assert bench.client("ora").get(address(bench, "json")).status_code == 200
    assert bench.client("ora").get(program).status_code == 200


def test_it_asks_the_same_of_one_list_and_of_three():
    bench = opened("ann", "bob", "eve")

    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert bench.client("ora").get(address(bench, "json")).status_code == 200
        return len(queries)

    bench.submit("ann")
    count_queries()
    one = count_queries()
    for name in ("bob", "eve"):
        bench.submit(name, TWO_CUTTERS)
        decide_list(bench.entry(name), bench.people["jud"], "returned", "Why.")
    assert count_queries() == one
