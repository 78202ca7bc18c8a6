"""The bench and related pages: their answers, who gets them, and what is logged."""

import io
import json
import re
import zipfile
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalogue.formats.packs.load import SHIPPED
from catalogue.services.documents import load_data_set
from roster.events.models import AuditRecord, Event, Participant, Recheck, Submission, SubmissionStatus, Team
from roster.events.models.submission import is_for_judges
from roster.events.services import reading
from roster.events.services.access import find_standing, may_see_list
from roster.events.services.bench import (
    assign_lists,
    give_late_pass,
    open_window,
    suggest_penalties,
    withdraw_late_pass,
    withdraw_penalty,
)
from roster.events.services.bulk_checks import recheck_lists, select_checked
from roster.events.services.events import add_role, create_event, set_blind, set_house_rules
from roster.events.services.judging import EVENT_RULES
from roster.events.services.mail import set_mail_choice
from roster.events.services.reading import read_upload
from roster.events.services.submissions import copy_verdict, judge_received, replace_unread
from roster.events.services.teams import create_team, set_captain
from roster.events.templatetags.events import render_status
from roster.formats.list_document import Unreadable
from roster.services.accounts import export_account_data
from tests.events.cast import LIST, RULES, TWO_CUTTERS, Bench, opened, person, read
from tests.roster.small_game import installed
from tests.roster.views_cast import HTMX, SCRIPT
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db


def url(bench: Bench, name: str, *args: str) -> str:
    return reverse(f"events:{name}", args=[bench.event.public_id, *args])


def act(bench: Bench, who: str, player: str, **form: object):
    entry = bench.entry(player)
    answer = bench.client(who).post(url(bench, "acts", entry.public_id), form)
    return answer, bench.entry(player)


def zipped(**files: str) -> SimpleUploadedFile:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.yaml", text)
    return SimpleUploadedFile("lists.zip", buffer.getvalue())


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("event", {"ora": 200, "jud": 200, "ann": 200, "sue": 200, "": 200}),
        ("bench", {"ora": 200, "jud": 200, "ann": 404, "sue": 404, "": 404}),
        ("checks", {"ora": 200, "jud": 200, "ann": 404, "": 404}),
        ("settings", {"ora": 200, "jud": 404, "ann": 404, "": 404}),
        ("audit", {"ora": 200, "jud": 404, "ann": 404, "": 404}),
        ("upload", {"ora": 200, "jud": 404, "ann": 404, "": 404}),
        ("lists", {"ora": 200, "ann": 200, "sue": 200, "": 200}),
        ("numbers", {"ora": 200, "ann": 200, "sue": 200, "": 200}),
        ("house-rules", {"ora": 200, "ann": 200}),
        ("teams", {"ora": 404}),
    ],
)
def test_who_opens_which_page(name, statuses):
    bench = opened("ann")
    answers = {who: bench.client(who).get(url(bench, name)).status_code for who in statuses}
    assert answers == statuses


def test_a_draft_is_its_organisers_alone():
    bench = opened("ann")
    Event.objects.update(status="draft")
    assert [bench.client(who).get(url(bench, "event")).status_code for who in ("jud", "ann", "")] == [200, 404, 404]


def test_an_event_begins_with_a_form():
    bench = opened()
    client = bench.client("sue")
    answer = client.post(reverse("events:events"), {"name": "Spring", "game": "fenland"})
    assert answer.status_code == 303
    assert client.get(answer["Location"]).status_code == 200
    bad = client.post(reverse("events:events"), {"name": "", "game": "fenland"})
    assert bad.status_code == 422
    assert client.post(reverse("events:events"), {"name": "x", "game": "nowhere"}).status_code == 422
    assert bench.client().post(reverse("events:events"), {"name": "x"}).status_code == 302


def test_a_player_joins_by_the_invitation_link():
    bench = opened()
    address = reverse("events:join", args=[bench.event.token])
    assert bench.client().get(address).status_code == 200
    assert bench.client("sue").post(address, {"name": "Sue of the reeds"}).status_code == 303
    assert bench.entry("sue").name == "Sue of the reeds"
    assert bench.client("sue").get(reverse("events:join", args=["a" * 22])).status_code == 404


def test_a_player_sees_the_verdict_then_submits_and_gets_a_receipt():
    bench = opened("ann")
    client, entry = bench.client("ann"), bench.entry("ann")
    address = url(bench, "submit", entry.public_id)
    shown = client.post(address, {"text": TWO_CUTTERS})
    assert shown.status_code == 200
    assert "Take one unit of cutters." in shown.content.decode()
    assert Submission.objects.count() == 0
    done = client.post(address, {"held": shown.context["held"], "do": "submit"})
    assert done.status_code == 303
    receipt = client.get(done["Location"])
    assert Submission.objects.get().received_hash in receipt.content.decode()
    assert client.post(address, {"held": "forged", "do": "submit"}).status_code == 422
    assert client.post(address, {}).status_code == 422
    # Other users cannot submit for a player.
    assert bench.client("sue").post(address, {"text": LIST, "do": "submit"}).status_code == 404


def test_a_form_from_before_the_deadline_is_refused_with_a_sentence():
    bench = opened("ann")
    client, address = bench.client("ann"), url(bench, "submit", bench.entry("ann").public_id)
    held = client.post(address, {"text": LIST}).context["held"]
    bench.pass_deadline()
    answer = client.post(address, {"held": held, "do": "submit"})
    assert (answer.status_code, Submission.objects.count()) == (422, 0)
    assert "The deadline has passed" in answer.content.decode()


def test_a_list_of_the_builder_is_submitted_as_it_was_shown():
    from roster.services.exchange import import_list, read_list_file
    from roster.services.owners import Visitor

    bench = opened("ann")
    roster = import_list(Visitor(user_id=bench.people["ann"].pk), read_list_file(LIST.encode()))
    client, address = bench.client("ann"), url(bench, "submit", bench.entry("ann").public_id)
    held = client.post(address, {"roster": roster.public_id}).context["held"]
    assert client.post(address, {"held": held, "do": "submit"}).status_code == 303
    assert Submission.objects.get().claimed == roster.points
    link = f"http://testserver{roster.get_absolute_url()}"
    assert client.post(address, {"text": link}).context["receipt"].judged_list.verdict == "legal"
    assert bench.client("ann").post(address, {"roster": "x" * 22}).status_code == 422
    assert "There is no list" in client.post(address, {"text": "http://testserver/r/" + "x" * 22}).content.decode()


def test_the_bench_shows_all_lists_and_one_beside_them():
    bench = opened("ann", "bob", "eve")
    bench.submit("ann")
    bench.submit("bob", TWO_CUTTERS)
    page = bench.client("jud").get(url(bench, "bench"), {"at": bench.entry("bob").public_id})
    assert page.context["counts"]["new"] == 2
    assert page.context["counts"]["missing"] == 1
    assert page.context["panel"].verdict == "illegal"
    assert "Take one unit of cutters." in page.content.decode()
    panel = bench.client("jud").get(
        url(bench, "bench"), {"at": bench.entry("ann").public_id}, headers=HTMX | {"HX-Target": "panel"}
    )
    assert "<html" not in panel.content.decode()
    assert "Message to player" in panel.content.decode()


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ({}, {"ann", "bob", "eve"}),
        ({"state": "illegal"}, {"bob"}),
        ({"state": "legal"}, {"ann"}),
        ({"state": "missing"}, {"eve"}),
        ({"state": "to-check"}, {"ann", "bob"}),
        ({"state": "nonsense"}, set()),
        ({"q": "bo"}, {"bob"}),
        ({"q": "cutters"}, {"ann", "bob"}),
        ({"q": "nobody"}, set()),
        ({"state": "late"}, set()),
        ({"team": "x", "checker": "-"}, {"ann", "bob", "eve"}),
    ],
)
def test_lists_are_filtered(wanted, names):
    bench = opened("ann", "bob", "eve")
    bench.submit("ann")
    bench.submit("bob", TWO_CUTTERS)
    page = bench.client("ora").get(url(bench, "bench"), wanted, headers=HTMX)
    assert {entry.name for entry in page.context["rows"]} == names


def test_the_bench_asks_the_same_of_one_list_and_of_three():
    bench = opened("ann", "bob", "eve")

    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert bench.client("ora").get(url(bench, "bench")).status_code == 200
        return len(queries)

    bench.submit("ann")
    count_queries()
    one = count_queries()
    bench.submit("bob")
    bench.submit("eve", TWO_CUTTERS)
    assert count_queries() == one


def test_a_list_is_accepted_returned_and_taken_back():
    bench = opened("ann")
    bench.submit("ann", TWO_CUTTERS)
    _answer, entry = act(bench, "jud", "ann", do="return", reason="")
    assert entry.status == "new"
    _answer, entry = act(bench, "jud", "ann", do="return", reason="One unit of cutters.")
    assert (entry.status, entry.locked) == ("returned", entry.current)
    assert "One unit of cutters." in bench.client("ann").get(url(bench, "event")).content.decode()
    _answer, entry = act(bench, "jud", "ann", do="undo")
    assert entry.status == "new"
    _answer, entry = act(bench, "jud", "ann", do="accept", number="7")
    assert entry.status == "new"
    _answer, entry = act(bench, "jud", "ann", do="accept", number="1")
    assert entry.status == "accepted"
    answer, _entry = act(bench, "ann", "ann", do="accept")
    assert answer.status_code == 404
    assert list(AuditRecord.objects.filter(act__in=("accepted", "returned")).values_list("actor_name", flat=True))


def test_all_legal_lists_are_accepted_at_once():
    bench = opened("ann", "bob", "eve")
    bench.submit("ann")
    bench.submit("bob", TWO_CUTTERS)
    bench.client("ora").post(url(bench, "bulk"), {"do": "accept-legal"})
    assert [bench.entry(name).status for name in ("ann", "bob", "eve")] == ["accepted", "new", "missing"]
    ticked = [bench.entry("bob").public_id, bench.entry("eve").public_id]
    bench.client("ora").post(url(bench, "bulk"), {"do": "return", "list": ticked, "reason": "See the rules."})
    assert [bench.entry(name).status for name in ("bob", "eve")] == ["returned", "missing"]
    assert bench.client("ann").post(url(bench, "bulk"), {"do": "accept-legal"}).status_code == 404
    assert bench.client("ora").post(url(bench, "bulk"), {"do": "nonsense"}).status_code == 303


def test_lists_are_not_shared_out_to_what_is_no_key():
    bench = opened("ann")
    bench.submit("ann")
    nobody = {"list": bench.entry("ann").public_id, "checker": ["x", "-1"], "checking_team": "9" * 20}
    for form in ({"do": "assign"}, {"do": "assign-ticked", "to": "person-x"}, {"do": "assign-ticked"}):
        answer = bench.client("ora").post(url(bench, "bulk"), nobody | form, follow=True)
        assert [message.level_tag for message in answer.context["messages"]] == ["error"]
    assert not bench.entry("ann").assignments.exists()


@pytest.mark.parametrize(
    ("do", "status"), [("accept-legal", "accepted"), ("accept", "accepted"), ("return", "returned")]
)
def test_what_was_submitted_since_the_page_was_shown_is_skipped_and_named(do, status):
    bench = opened("ann", "bob")
    for name in ("ann", "bob"):
        bench.submit(name)
    page = bench.client("ora").get(url(bench, "bench"))
    assert page.content.decode().count('name="seen"') == 2
    bench.submit("ann", LIST.replace("Low water", "Lower water"))
    ids = [bench.entry(name).public_id for name in ("ann", "bob")]
    form = {"do": do, "list": ids, "reason": "See the rules.", "seen": page.context["seen"]}
    answer = bench.client("ora").post(url(bench, "bulk"), form, follow=True)
    assert [bench.entry(name).status for name in ("ann", "bob")] == ["new", status]
    assert "Nothing was done for: ann." in answer.content.decode()


@pytest.mark.parametrize("status", ["new", "accepted", "returned"])
def test_a_late_list_says_so_whatever_becomes_of_it(status):
    bench = opened("ann")
    bench.submit("ann")
    Participant.objects.update(late_seconds=60, status=status)
    word = render_status(bench.entry("ann"))
    assert "Late" in word
    assert str(SubmissionStatus(status).label) in word


def test_lists_are_filtered_by_team_and_by_who_checks():
    bench = opened("ann", "bob", "eve")
    Event.objects.update(is_team=True)
    team = Team.objects.create(event=bench.event, name="Reeds")
    Participant.objects.filter(name="ann").update(team=team)
    bench.submit("bob")
    jud = bench.people["jud"]
    assign_lists(bench.event, bench.people["ora"], [bench.entry("bob").public_id], [jud])
    for wanted, names in (({"team": team.pk}, {"ann"}), ({"checker": jud.pk}, {"bob"})):
        page = bench.client("ora").get(url(bench, "bench"), wanted)
        assert {entry.name for entry in page.context["rows"]} == names
        (field,) = wanted
        shown = re.search(rf'<select class="in" name="{field}">.*?</select>', page.content.decode(), re.DOTALL)
        assert shown
        assert re.search(rf'value="{wanted[field]}"\s+selected', shown[0])
    # Users who cannot check are not offered, nor are teams in an event without them.
    Event.objects.update(is_team=False)
    page = bench.client("ora").get(url(bench, "bench"))
    assert [person.username for person in page.context["checkers"]] == ["jud"]
    assert 'name="team"' not in page.content.decode()


def test_organisers_take_a_player_out_and_back_in():
    bench = opened("ann", "bob", "eve")
    bench.submit("ann")
    page = bench.client("ora").get(url(bench, "bench"), {"at": bench.entry("ann").public_id}).content.decode()
    assert 'value="drop"' in page
    for who, expected in (("jud", 303), ("ann", 404), ("bob", 404), ("sue", 404), ("", 404)):
        answer, entry = act(bench, who, "ann", do="drop")
        assert (answer.status_code, entry.dropped) == (expected, False)
    page = bench.client("jud").get(url(bench, "bench"), {"at": bench.entry("ann").public_id}).content.decode()
    assert 'value="drop"' not in page
    _answer, entry = act(bench, "ora", "ann", do="drop")
    assert (entry.dropped, entry.current.number) == (True, 1)
    page = bench.client("ora").get(url(bench, "bench"), {"at": entry.public_id}).content.decode()
    assert 'value="take-back"' in page
    Event.objects.update(seats=2)
    _answer, entry = act(bench, "ora", "ann", do="take-back")
    assert entry.dropped, "the seats are taken"
    Event.objects.update(seats=3)
    _answer, entry = act(bench, "ora", "ann", do="take-back")
    assert not entry.dropped
    assert list(
        AuditRecord.objects.filter(participant=entry, act__in=("drop", "return-player")).values_list("act")
    ) == [("return-player",), ("drop",)]


def test_the_log_names_the_settings_that_changed():
    bench = opened()
    form = bench.client("ora").get(url(bench, "settings")).context["form"]
    values = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in values.items() if not (value is None or value is False)}
    sent |= {name: f"{value:%Y-%m-%dT%H:%M}" for name, value in sent.items() if isinstance(value, datetime)}
    before = AuditRecord.objects.filter(act="change").count()
    assert bench.client("ora").post(url(bench, "settings"), sent | {"place": "The old mill"}).status_code == 303
    bench.client("ora").post(url(bench, "settings"), sent | {"place": "The old mill"})
    written = AuditRecord.objects.filter(act="change").order_by("pk").values_list("detail", flat=True)[before:]
    # Times lose their seconds in the form.
    assert list(written) == ["deadline, place, starts"]


@pytest.mark.parametrize(
    ("code", "on", "counts"),
    [
        ("not-checked", "warden", True),
        ("dangling-link", "warden", True),
        ("no-limit", "", True),
        ("not-finished", "", True),
        ("not-checked", "", False),
        ("house-rule", "", False),
        ("at-table", "warden", False),
        ("provisional", "warden", False),
    ],
)
def test_a_legal_list_that_leaves_something_open_is_looked_at(code, on, counts):
    """The star marks lists whose notes a judge can settle by looking; only those notes prevent acceptance."""
    bench = opened("ann", "bob")
    for name in ("ann", "bob"):
        bench.submit(name)
    entry = bench.entry("ann")
    notes = [{"code": code, "on": on, "text": "Its banner."}, {"code": "models", "on": "", "text": "The weather."}]
    copy_verdict(entry, Recheck(verdict="legal", points="30", unchecked=2, report={"unchecked": notes}))
    entry.save()
    assert entry.left_open == counts
    page = bench.client("ora").get(url(bench, "bench"))
    assert page.content.decode().count('title="To check by hand"') == counts
    assert page.context["counts"]["unchecked"] == counts
    starred = bench.client("ora").get(url(bench, "bench"), {"state": "unchecked"}).context["rows"]
    assert [row.name for row in starred] == ["ann"] * counts
    bench.client("ora").post(url(bench, "bulk"), {"do": "accept-legal"})
    assert [bench.entry(name).status for name in ("ann", "bob")] == ["new" if counts else "accepted", "accepted"]


def test_notes_of_organisers_and_the_question_of_house_rules_star_no_list():
    """In an event, a game's note about house rules is settled, with or without rules."""
    version = install_shipped(SHIPPED / "reeds_and_rust" / "first")
    (game_note,) = [note for note in load_data_set(version).catalogues[0].unchecked if note.code == EVENT_RULES]
    assert game_note.text
    boat = "list: 1\ngame: reeds-and-rust\nfaction: iron-weir\nname: Boat\ndetachments:\n  - detachment: standard\n"
    boat += "    units: [Weir Mistress, Stokers, Siege Barge]\n"
    ora = person("ora")
    event = create_event(ora, version, "Muster")
    assert isinstance(event, Event)
    for rules in ("", "house-rules: 1\nname: M\nnotes: [Painted models only.]\n"):
        assert isinstance(set_house_rules(event, ora, rules), Event)
        received = read_upload(boat.encode(), game="reeds-and-rust")
        report = judge_received(event, received).judged_list.report
        codes = [note["code"] for note in report["unchecked"]]
        assert EVENT_RULES not in codes
        assert ("house-rule" in codes) is bool(rules)
        assert "at-table" in codes
        assert not any(map(is_for_judges, report["unchecked"]))


def test_comments_for_organisers_are_hidden_from_players():
    bench = opened("ann")
    bench.submit("ann")
    act(bench, "jud", "ann", do="comment", audience="organisers", text="Known for this.")
    act(bench, "jud", "ann", do="comment", audience="player", text=f"Well made. {SCRIPT}")
    act(bench, "jud", "ann", do="comment", audience="everybody", text="No such audience")
    pages = [
        bench.client("ann").get(url(bench, "event")).content.decode(),
        bench.client("ann").get(url(bench, "list", bench.entry("ann").public_id)).content.decode(),
    ]
    for page in pages:
        assert "Well made." in page
        assert "Known for this." not in page
        assert SCRIPT not in page
    shown = bench.client("ora").get(url(bench, "bench"), {"at": bench.entry("ann").public_id}).content.decode()
    assert "Known for this." in shown
    assert bench.entry("ann").comments.count() == 2


def test_penalties_are_suggested_by_the_events_table_and_confirmed_by_a_judge():
    bench = opened("ann")
    table = {
        "penalty-offence": ["illegal", "late"],
        "penalty-severity": ["major", ""],
        "penalty-points": ["-10", "-1"],
        "penalty-per": ["", "day"],
        "penalty-rule": ["Event pack 4.2", ""],
    }
    assert bench.client("ora").post(url(bench, "settings"), table).status_code == 303
    bad = table | {"penalty-points": ["many", "-1"]}
    assert bench.client("ora").post(url(bench, "settings"), bad).status_code == 422
    bench.submit("ann", TWO_CUTTERS)
    act(bench, "jud", "ann", do="suggest")
    assert bench.entry("ann").penalties.count() == 0, "there is time to mend it"
    bench.pass_deadline()
    act(bench, "jud", "ann", do="suggest")
    act(bench, "jud", "ann", do="suggest")
    penalty = bench.entry("ann").penalties.get()
    assert (penalty.offence, penalty.points, penalty.rule, penalty.state) == (
        "illegal",
        -10,
        "Event pack 4.2",
        "suggested",
    )
    act(bench, "jud", "ann", do="confirm", penalty=str(penalty.pk), points="-5")
    penalty.refresh_from_db()
    assert (penalty.state, penalty.points, penalty.decided_by) == ("confirmed", -5, bench.people["jud"])
    act(bench, "jud", "ann", do="confirm", penalty="999999")
    for text in ("NaN", "1E+9999999", "1.2.3"):
        act(bench, "jud", "ann", do="penalty", offence="other", points=text)
    assert bench.entry("ann").penalties.count() == 1


@pytest.mark.parametrize(("hours", "per", "points"), [(70, "day", "-3"), (2.5, "hour", "-3"), (70, "", "-1")])
def test_a_list_that_is_missing_is_late_since_the_deadline(hours, per, points):
    bench = opened("ann")
    row = {"offence": "late", "severity": "", "points": "-1", "rule": "", "per": per}
    Event.objects.update(penalty_table=[row])
    bench.pass_deadline(hours=hours)
    (penalty,) = suggest_penalties(bench.entry("ann"))
    assert penalty.points == Decimal(points)


def test_a_list_under_a_late_pass_is_not_late_before_that_ends():
    bench = opened("ann")
    Event.objects.update(penalty_table=[{"offence": "late", "severity": "", "points": "-1", "rule": "", "per": "day"}])
    bench.pass_deadline(hours=30)
    give_late_pass(bench.entry("ann"), bench.people["ora"], timezone.now() + timedelta(hours=1))
    assert suggest_penalties(bench.entry("ann")) == []


def test_lists_are_shared_out_to_checkers_and_none_checks_their_own():
    bench = opened("ann", "bob", "eve")
    for name in ("ann", "bob", "eve"):
        bench.submit(name)
    for name in ("bob", "sue"):
        add_role(bench.event, bench.people["ora"], f"{name}@example.org", "judge")
    form = {"do": "assign", "checker": [str(bench.people[name].pk) for name in ("bob", "sue", "ora")]}
    # A judge who plays sees no lists of others, so cannot assign or check any.
    assert bench.client("bob").post(url(bench, "bulk"), form).status_code == 404
    page = bench.client("ora").get(url(bench, "checks"))
    assert {role.user.username for role in page.context["roles"]} == {"ora", "jud", "sue"}
    assert bench.client("ora").post(url(bench, "bulk"), form).status_code == 303
    given = {entry.assignments.get().checker for entry in Participant.objects.all()}
    assert given == {bench.people["sue"], bench.people["ora"]}
    assert "ann" in bench.client("ora").get(url(bench, "checks")).content.decode()
    # If another organiser unhides lists, they can check, but not their own.
    bench.event.roles.update(is_blind=False)
    form["checker"] = [str(bench.people["bob"].pk)]
    bench.client("ora").post(url(bench, "bulk"), form)
    checked = Participant.objects.filter(assignments__checker=bench.people["bob"])
    assert {entry.name for entry in checked} == {"ann", "eve"}
    assign_lists(bench.event, bench.people["ora"], [bench.entry("ann").public_id], [bench.people["ora"]])
    _answer, entry = act(bench, "ora", "ann", do="checked", remark="All fine.")
    assert entry.assignments.get().done


@pytest.mark.parametrize("place", ["captain", "member"])
def test_nobody_is_given_lists_of_their_own_team(place):
    bench = opened("ann", "bob", "eve")
    Event.objects.update(is_team=True)
    team = Team.objects.create(event=bench.event, name="Reeds")
    if place == "captain":
        Team.objects.update(captain=bench.people["jud"])
    else:
        Participant.objects.create(event=bench.event, user=bench.people["jud"], name="jud", team=team)
    Participant.objects.filter(name="ann").update(team=team)
    ids = [bench.entry(name).public_id for name in ("ann", "bob", "eve")]
    given = assign_lists(bench.event, bench.people["ora"], ids, [bench.people["jud"]])
    assert {one.participant.name for one in given} == {"bob", "eve"}
    assert [one.participant.name for one in assign_lists(bench.event, bench.people["ora"], ids[:1], [team])] == []


def test_a_player_of_another_team_checks_what_was_given_to_them():
    bench = opened("ann", "bob")
    bench.submit("ann")
    entry = bench.entry("ann")
    address = url(bench, "list", entry.public_id)
    assert bench.client("bob").get(address).status_code == 404
    assign_lists(bench.event, bench.people["ora"], [entry.public_id], [bench.people["bob"]])
    assert bench.client("bob").get(address).status_code == 200
    assert entry.public_id in bench.client("bob").get(url(bench, "event")).content.decode()
    answer, _entry = act(bench, "bob", "ann", do="accept")
    assert answer.status_code == 404
    answer, entry = act(bench, "bob", "ann", do="checked", remark="Legal.")
    assert (answer.status_code, entry.assignments.get().remark) == (303, "Legal.")


def test_ticked_lists_are_given_to_a_checker_from_the_table():
    bench = opened("ann", "bob", "eve")
    for name in ("ann", "bob", "eve"):
        bench.submit(name)
    person = f"person-{bench.people['jud'].pk}"
    form = {"do": "assign-ticked", "to": person, "list": [bench.entry(name).public_id for name in ("ann", "bob")]}
    assert person in [value for value, _word in bench.client("ora").get(url(bench, "bench")).context["assignees"]]
    bench.client("ora").post(url(bench, "bulk"), form)
    given = Participant.objects.filter(assignments__checker=bench.people["jud"])
    assert {entry.name for entry in given} == {"ann", "bob"}
    act(bench, "jud", "ann", do="checked", remark="Fine.")
    page = bench.client("ora").get(url(bench, "checks"))
    assert page.context["progress"] == [("jud", 1, 2)]
    # Without ticks or a checker, nothing is assigned.
    for wrong in ({"list": []}, {"to": "person-x"}, {"to": f"person-{bench.people['sue'].pk}"}, {"to": "team-1"}):
        bench.client("ora").post(url(bench, "bulk"), form | wrong)
    assert bench.entry("eve").assignments.count() == 0
    assert {one.checker.username for one in bench.entry("bob").assignments.all()} == {bench.people["jud"].username}


def test_a_member_of_a_checking_team_marks_a_list_as_done_beside_it():
    bench = opened("ann", "bob")
    Event.objects.update(is_team=True)
    bench.submit("ann")
    team = Team.objects.create(event=bench.event, name="Reeds")
    Participant.objects.filter(name="bob").update(team=team)
    form = {"do": "assign-ticked", "to": f"team-{team.pk}", "list": [bench.entry("ann").public_id]}
    bench.client("ora").post(url(bench, "bulk"), form)
    address = url(bench, "list", bench.entry("ann").public_id)
    assert 'value="checked"' in bench.client("bob").get(address).content.decode()
    assert 'value="checked"' not in bench.client("jud").get(address).content.decode()
    assert 'value="checked"' not in bench.client("ann").get(address).content.decode()
    act(bench, "bob", "ann", do="checked", remark="Legal.")
    assert "Legal." in bench.client("bob").get(address).content.decode()
    assert "Legal." not in bench.client("ann").get(address).content.decode()


def test_the_units_of_a_list_stand_beside_its_verdict():
    bench = opened("ann", "bob")
    bench.submit("ann")
    bench.submit("bob", "What is this?")
    panels = {
        name: bench.client("jud").get(
            url(bench, "bench"), {"at": bench.entry(name).public_id}, headers=HTMX | {"HX-Target": "panel"}
        )
        for name in ("ann", "bob")
    }
    units = [unit for unit, _count, _emblem in bench.entry("ann").current.units]
    assert len(units) == 2
    assert [unit for unit in units if unit not in panels["ann"].content.decode()] == []
    assert "What is this?" in panels["bob"].content.decode()


def test_correction_windows_are_changed_and_taken_back():
    bench = opened("ann")
    bench.pass_deadline()
    now = timezone.now()
    first, second = (
        open_window(bench.event, bench.people["ora"], now + timedelta(days=start), now + timedelta(days=start + 1))
        for start in (0, 3)
    )
    form = {"window-key": [second.pk], "window-from": ["2031-02-01T10:00"], "window-until": ["2031-02-02T10:00"]}
    assert bench.client("ora").post(url(bench, "settings"), form).status_code == 303
    second.refresh_from_db()
    assert second.starts.astimezone(bench.event.timezone).strftime("%d %H:%M") == "01 10:00"
    assert "2031-02-01T10:00" in bench.client("ora").get(url(bench, "settings")).content.decode()
    for wrong in ({"until": "2031-01-01T10:00"}, {"from": "soon"}, {"key": "x"}, {"key": first.pk}):
        mistyped = {f"window-{name}": [value] for name, value in wrong.items()}
        answer = bench.client("ora").post(url(bench, "settings"), form | mistyped)
        assert answer.status_code == 422
        assert "windows" in answer.context["wrongs"]
    bench.client("ora").post(url(bench, "settings"), form | {"window-key": [first.pk], "window-remove": [first.pk]})
    assert list(bench.event.windows.all()) == [second]
    acts = list(AuditRecord.objects.filter(act__startswith="window").values_list("act", flat=True))
    assert acts == ["window-removed", "window-changed", "window", "window"]


def test_a_late_pass_is_changed_and_taken_back():
    bench = opened("ann")
    bench.pass_deadline()
    later = timezone.now() + timedelta(days=2)
    for expires in (later - timedelta(days=1), later):
        give_late_pass(bench.entry("ann"), bench.people["ora"], expires)
    page = bench.client("ora").get(url(bench, "bench"), {"at": bench.entry("ann").public_id})
    assert page.context["panel"].late_pass.expires == later
    act(bench, "jud", "ann", do="withdraw-pass")
    assert hasattr(bench.entry("ann"), "late_pass")
    _answer, entry = act(bench, "ora", "ann", do="withdraw-pass")
    assert not hasattr(entry, "late_pass")
    assert AuditRecord.objects.get(act="late-pass-removed").participant == entry
    assert withdraw_late_pass(entry, bench.people["ora"]).code == "bad-change"


def test_a_late_pass_is_given_on_the_page():
    bench = opened("ann")
    bench.pass_deadline()
    until = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    act(bench, "ora", "ann", do="late-pass", expires="soon")
    act(bench, "jud", "ann", do="late-pass", expires=until)
    assert not hasattr(bench.entry("ann"), "late_pass")
    act(bench, "ora", "ann", do="late-pass", expires=until)
    assert bench.entry("ann").late_pass.expires > timezone.now()
    assert give_late_pass(bench.entry("ann"), bench.people["ora"], timezone.now()).code == "pass-too-early"


def test_every_look_is_logged_but_ones_own():
    bench = opened("ann")
    bench.submit("ann")
    address = url(bench, "list", bench.entry("ann").public_id)
    bench.client("ann").get(address)
    assert not AuditRecord.objects.filter(act="look").exists()
    bench.client("jud").get(address)
    bench.client("ora").get(url(bench, "bench"), {"at": bench.entry("ann").public_id})
    looks = AuditRecord.objects.filter(act="look").values_list("actor_name", flat=True)
    assert sorted(looks) == ["jud", "ora"]


def test_looks_at_many_lists_at_once_are_logged_once_an_hour():
    bench = opened("ann")
    submission = bench.submit("ann")
    AuditRecord.objects.all().delete()
    client, api = bench.client("jud"), f"/api/v1/events/{bench.event.public_id}/submissions/"
    for _time in range(2):
        for address in (url(bench, "bench"), f"{url(bench, 'bench')}?q=cutters", url(bench, "numbers"), api):
            assert client.get(address).status_code == 200
    bench.client("ora").get(url(bench, "receipt", submission.public_id))
    bench.client("ann").get(url(bench, "receipt", submission.public_id))
    act(bench, "jud", "ann", do="suggest")
    said = [(one.actor_name, one.act, one.detail) for one in AuditRecord.objects.order_by("pk")]
    assert said == [
        ("jud", "entries", ""),
        ("jud", "search", "cutters"),
        ("jud", "numbers", ""),
        ("ora", "look", submission.short_hash),
        ("jud", "suggest", ""),
    ]


def test_who_is_blind_looks_by_none_of_these_ways():
    bench = opened("ann", "ora")
    submission = bench.submit("ann")
    bench.event.roles.filter(user=bench.people["ora"]).update(is_blind=True)
    AuditRecord.objects.all().delete()
    client = bench.client("ora")
    assert client.get(url(bench, "bench"), {"q": "cutters"}).status_code == 403
    assert client.get(url(bench, "receipt", submission.public_id)).status_code == 404
    assert act(bench, "ora", "ann", do="suggest")[0].status_code == 404
    assert client.get(url(bench, "numbers")).context["numbers"].lists == 0
    assert client.get(f"/api/v1/events/{bench.event.public_id}/submissions/").json() == []
    assert client.get(url(bench, "print")).status_code == 403
    assert not AuditRecord.objects.exists()


@pytest.mark.parametrize("name", ["print", "paper"])
def test_paper_asks_the_same_of_one_list_and_of_three(name):
    bench = opened("ann", "bob", "eve")

    def count_queries() -> int:
        query = {"paper": bench.entry("ann").current.content_hash} if name == "paper" else {}
        with CaptureQueriesContext(connection) as queries:
            assert bench.client("ora").get(url(bench, name), query).status_code == 200
        return len(queries)

    bench.submit("ann")
    count_queries()
    one = count_queries()
    # Equal lists have one hash: all of them match.
    bench.submit("bob")
    bench.submit("eve")
    assert count_queries() == one


def test_an_organiser_who_plays_is_blind_until_lists_are_shown():
    bench = opened("ann", "ora")
    bench.submit("ann")
    assert bench.client("ora").get(url(bench, "bench")).status_code == 403
    address = url(bench, "list", bench.entry("ann").public_id)
    assert bench.client("ora").get(address).status_code == 404
    role = bench.event.roles.get(user=bench.people["ora"])
    assert set_blind(bench.event, bench.people["ora"], role, blind=False).code == "stays-blind"
    Event.objects.update(reveal_roster=timezone.now())
    assert bench.client("ora").get(address).status_code == 200


@pytest.mark.parametrize("kind", ["organiser", "judge"])
def test_a_player_or_captain_who_helps_is_blind(kind):
    bench = opened("ann", "bob")
    Event.objects.update(is_team=True)
    bench.event.refresh_from_db()
    bench.submit("ann")
    create_team(bench.event, bench.people["jud"], "Reeds")
    create_team(bench.event, bench.people["sue"], "Rust")
    for name in ("bob", "sue"):
        add_role(bench.event, bench.people["ora"], f"{name}@example.org", kind)
    blind = {role.user.username for role in bench.event.roles.filter(is_blind=True)}
    assert blind == {"bob", "sue", "jud"}
    for name in blind:
        assert bench.client(name).get(url(bench, "bench")).status_code == 403
    set_captain(Team.objects.get(name="Rust"), bench.people["ora"], "ora@example.org")
    assert bench.event.roles.get(user=bench.people["ora"]).is_blind
    role = bench.event.roles.get(user=bench.people["jud"])
    assert set_blind(bench.event, bench.people["jud"], role, blind=False).code == "stays-blind"
    # After another organiser unhides lists, a change of role does not hide them again.
    set_blind(bench.event, bench.people["ora"], role, blind=False)
    add_role(bench.event, bench.people["ora"], "jud@example.org", "judge")
    assert bench.client("jud").get(url(bench, "bench")).status_code == 200


def test_who_is_blind_reads_no_decisions_in_the_log():
    bench = opened("ann", "ora")
    bench.submit("ann", TWO_CUTTERS)
    act(bench, "jud", "ann", do="return", reason="One unit of cutters.")
    act(bench, "jud", "ann", do="comment", audience="organisers", text="Known for this.")
    act(bench, "jud", "ann", do="penalty", offence="illegal", points="-10")
    withdraw_penalty(bench.entry("ann").penalties.get(), bench.people["jud"], "It was mended.")
    page = bench.client("ora").get(url(bench, "audit"))
    acts = {record.act for record, _word in page.context["rows"]}
    assert {"enter", "submit"} <= acts
    assert not {"returned", "comment-organisers", "penalty-confirmed", "penalty-withdrawn", "look"} & acts
    bench.event.roles.update(is_blind=False)
    page = bench.client("ora").get(url(bench, "audit"))
    assert "penalty-confirmed" in {record.act for record, _word in page.context["rows"]}


@pytest.mark.parametrize("who", ["bob", "sue", ""])
def test_nobody_sees_anothers_list_before_the_reveal(who):
    bench = opened("ann", "bob")
    bench.submit("ann")
    entry, client = bench.entry("ann"), bench.client(who)
    listed = url(bench, "list", entry.public_id)
    nowhere = url(bench, "list", "x" * 22)
    receipt = url(bench, "receipt", entry.current.public_id)
    found = bench.client(who).get(url(bench, "bench"), {"q": "cutters"})
    assert [client.get(address).status_code for address in (listed, nowhere, receipt)] == [404, 404, 404]
    assert found.status_code == 404
    page = client.get(url(bench, "event")).content.decode()
    assert "Marsh" not in page
    Event.objects.update(reveal_faction=timezone.now())
    assert "Marsh" in client.get(url(bench, "lists")).content.decode()
    assert client.get(listed).status_code == 404
    Event.objects.update(reveal_roster=timezone.now())
    assert client.get(listed).status_code == 200
    assert client.get(receipt).status_code == 404


def test_lists_are_never_shown_before_the_deadline():
    bench = opened("ann")
    form = {
        "name": "Muster",
        "zone": "Europe/Berlin",
        "deadline": "2031-01-02T12:00",
        "reveal_roster": "2031-01-01T12:00",
    }
    form |= {"seats": "0", "team_size": "0", "reminder_hours": "24"}
    assert bench.client("ora").post(url(bench, "settings"), form).status_code == 422
    assert bench.client("ora").post(url(bench, "settings"), form | {"zone": "Middle/Earth"}).status_code == 422
    fine = form | {"reveal_roster": "2031-01-03T12:00"}
    assert bench.client("ora").post(url(bench, "settings"), fine).status_code == 303
    assert bench.fresh().deadline.isoformat() == "2031-01-02T11:00:00+00:00"


def test_contradicting_house_rules_are_refused_with_the_line():
    bench = opened()
    rules = "house-rules: 1\ncaps:\n  - cap: Cutters\n    at least: 2\n    at most: 1\n"
    answer = bench.client("ora").post(url(bench, "settings"), {"rules": rules})
    assert answer.status_code == 422
    assert "Line 3" in answer.content.decode()
    assert bench.fresh().rules == RULES


def fill_in(bench: Bench) -> dict[str, object]:
    """Return all settings as a browser sends them from an unchanged page."""
    context = bench.client("ora").get(url(bench, "settings")).context
    with timezone.override(bench.event.timezone):
        values = {name: context["form"][name].value() for name in context["form"].fields}
    sent: dict[str, object] = {
        name: value for name, value in values.items() if value is not None and value is not False
    }
    sent |= {name: f"{value:%Y-%m-%dT%H:%M}" for name, value in sent.items() if isinstance(value, datetime)}
    sent |= {"rules": context["rules"], "version": context["chosen_version"]}
    windows = context["windows"]
    sent |= {"window-key": [row.key for row in windows], "window-from": [row.starts for row in windows]}
    sent |= {"window-until": [row.ends for row in windows]}
    names = ("offence", "severity", "points", "per", "rule")
    first = {"offence": context["offences"][0][0]}
    return sent | {f"penalty-{n}": [row.get(n, first.get(n, "")) for row in context["penalties"]] for n in names}


def test_all_settings_are_saved_at_once():
    bench = opened()
    client, page = bench.client("ora"), url(bench, "settings")
    form = fill_in(bench)
    before = AuditRecord.objects.count()
    assert client.post(page, form).status_code == 303
    # Times lose their seconds in the form; nothing else changes, and nothing is logged.
    assert [one.act for one in AuditRecord.objects.all()[: AuditRecord.objects.count() - before]] == ["change"]
    form |= {"place": "The mill", "deadline": "2031-01-02T12:00", "rules": "house-rules: 1\nname: Other\n"}
    form |= {"window-from": ["2031-01-03T12:00"], "window-until": ["2031-01-04T12:00"]}
    form["penalty-points"] = ["-10", "", ""]
    assert client.post(page, form | {"status": "closed"}).status_code == 303
    event = bench.fresh()
    assert (event.place, event.rules, event.status) == ("The mill", form["rules"], "closed")
    assert [row["points"] for row in event.penalty_table] == ["-10"]
    window = event.windows.get()
    assert f"{window.starts.astimezone(event.timezone):%d %H:%M}" == "03 12:00"
    assert client.post(page, fill_in(bench)).status_code == 303
    assert event.windows.get() == window


@pytest.mark.parametrize(
    ("wrong", "section"),
    [
        ({"zone": "Middle/Earth"}, "event"),
        ({"rules": "house-rules: 1\nbans: [Hovercraft]\n"}, "rules"),
        ({"version": "0" * 64}, "version"),
        ({"window-from": ["2031-01-03T12:00"], "window-until": [""]}, "windows"),
        ({"window-from": ["2001-01-03T12:00"], "window-until": ["2001-01-04T12:00"]}, "windows"),
        ({"penalty-severity": ["major", "", ""]}, "penalties"),
        ({"penalty-points": ["many", "", ""]}, "penalties"),
        ({"status": "over"}, "status"),
    ],
)
def test_what_is_wrong_in_one_section_saves_none_and_keeps_all_that_was_typed(wrong, section):
    bench = opened()
    form = fill_in(bench) | {"place": "The mill", "text": "Bring dice.", "rules": "house-rules: 1\nname: Other\n"}
    form |= {"window-from": ["2031-01-03T12:00"], "window-until": ["2031-01-04T12:00"]} | wrong
    before = Event.objects.values().get()
    acts = AuditRecord.objects.count()
    answer = bench.client("ora").post(url(bench, "settings"), form)
    assert answer.status_code == 422
    assert list(answer.context["wrongs"]) == [section]
    assert (Event.objects.values().get(), AuditRecord.objects.count()) == (before, acts)
    assert not bench.event.windows.exists()
    shown = answer.content.decode()
    for typed in ("The mill", "Bring dice.", form["rules"], form["window-from"][0], *wrong.values()):
        for text in typed if isinstance(typed, list) else [typed]:
            assert text in shown or section in ("version", "status")


def test_an_event_begins_in_the_zone_of_its_organiser():
    """Times are shown in it even before the settings were saved."""
    version = installed()
    ora = person("ora")
    client = Client()
    client.force_login(ora)
    for number, (zone, saved) in enumerate([("Europe/Paris", "Europe/Paris"), ("Middle/Earth", "UTC"), ("", "UTC")]):
        form = {"game": version.game.slug, "name": f"Muster {number}", "zone": zone}
        client.post(reverse("events:events"), form)
        event = Event.objects.get(name=form["name"])
        assert event.zone == saved
        assert f"({saved})" in re.sub(
            "<[^>]+>", "", client.get(reverse("events:settings", args=[event.public_id])).content.decode()
        )
    set_mail_choice(ora, is_wanted=True, zone="Asia/Tokyo")
    assert create_event(ora, version, "Later").zone == "Asia/Tokyo"


@pytest.mark.parametrize(
    "form",
    [
        {"do": "helper", "named": "nobody@example.org", "kind": "judge"},
        {"do": "helper", "named": "", "kind": "judge"},
        {"do": "helper", "named": "sue@example.org", "kind": "king"},
        {"do": "role", "role": "999999", "change": "remove"},
        {"do": "role", "role": "x", "change": "remove"},
        {"window-key": "", "window-from": "x", "window-until": "y"},
        {"window-key": "", "window-from": "2020-01-01T10:00", "window-until": "2020-01-02T10:00"},
        {"status": "over"},
        {"version": "0" * 64},
        {"name": ""},
        {},
        {"do": "nonsense"},
    ],
)
def test_bad_settings_are_refused(form):
    bench = opened()
    before = Event.objects.values().get()
    assert bench.client("ora").post(url(bench, "settings"), form).status_code == 422
    assert Event.objects.values().get() == before


def test_the_last_organiser_cannot_leave_but_one_of_two_can():
    bench = opened()
    client, mine = bench.client("ora"), bench.event.roles.get(user=bench.people["ora"])
    leave = {"do": "role", "role": str(mine.pk), "change": "remove"}
    answer = client.post(url(bench, "settings"), leave)
    assert answer.status_code == 422
    assert "You are the only organiser" in answer.content.decode()
    client.post(url(bench, "settings"), {"do": "helper", "named": "sue@example.org", "kind": "organiser"})
    assert client.post(url(bench, "settings"), leave).status_code == 303
    assert client.get(url(bench, "settings")).status_code == 404
    assert bench.client("sue").get(url(bench, "settings")).status_code == 200


def test_an_event_outlives_the_account_of_its_organiser():
    bench = opened("ann")
    bench.submit("ann")
    bench.people["ora"].delete()
    assert bench.event.roles.get(user=bench.people["jud"]).kind == "organiser"
    bench.people["jud"].delete()
    assert bench.fresh().status == "closed"
    assert Submission.objects.count() == 1


def test_a_player_whose_account_is_gone_keeps_their_entry():
    bench = opened("ann")
    bench.submit("ann")
    bench.people["ann"].delete()
    entry = Participant.objects.get()
    assert (entry.user, entry.verdict) == (None, "legal")


def test_a_copy_has_the_rules_and_helpers_and_nobody_in_it():
    bench = opened("ann")
    answer = bench.client("ora").post(url(bench, "copy"))
    copied = Event.objects.exclude(pk=bench.event.pk).get()
    assert answer["Location"].endswith(f"{copied.public_id}/settings/")
    assert (copied.rules, copied.zone, copied.status, copied.deadline) == (RULES, "Europe/Berlin", "draft", None)
    assert copied.roles.count() == 2
    assert not copied.participants.exists()
    assert copied.token != bench.event.token


# ---- many lists ------------------------------------------------------------------------------------------------------


def test_an_archive_of_lists_is_taken_in():
    bench = opened("ann", "bob")
    bench.client("ora")
    files = zipped(ann=LIST, bob=TWO_CUTTERS, Carl=LIST, Dora="rubbish")
    answer = bench.client("ora").post(url(bench, "upload"), {"file": files})
    assert answer.status_code == 303
    report = bench.client("ora").get(answer["Location"])
    assert [line["outcome"] for line, _choices in report.context["lines"]] == ["taken"] * 4
    verdicts = dict(Participant.objects.values_list("name", "verdict"))
    assert verdicts == {"ann": "legal", "bob": "illegal", "Carl": "legal", "Dora": "unreadable"}
    assert bench.client("jud").get(answer["Location"]).status_code == 404


def test_a_table_of_lists_is_taken_in_and_equal_names_are_asked():
    bench = opened("ann")
    Participant.objects.create(event=bench.event, name="Ann")
    table = 'Player,Army List\nann,"' + LIST.strip() + '"\nZoe,"' + LIST.strip() + '"\n,nothing\n'
    answer = bench.client("ora").post(url(bench, "upload"), {"file": SimpleUploadedFile("t.csv", table.encode())})
    lines = bench.client("ora").get(answer["Location"]).context["lines"]
    assert [line["outcome"] for line, _choices in lines] == ["several-players", "taken", "no-player"]


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04 no archive at all", b"\x00\x01\x02\x03", b"just,some\ntable,without", b"", zipped().read()]
)
def test_rubbish_is_refused_with_a_sentence(data):
    bench = opened("ann")
    answer = bench.client("ora").post(url(bench, "upload"), {"file": SimpleUploadedFile("lists.zip", data)})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert Submission.objects.count() == 0


def test_an_archive_with_rubbish_in_it_takes_the_lists_and_names_the_rest():
    bench = opened("ann")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ann.yaml", LIST)
        archive.writestr("picture.png", b"\x89PNG\x00\x01")
        archive.writestr("bomb.txt", b"0" * 3_000_000)
        archive.writestr("../../evil.txt", "../../")
        archive.writestr("__MACOSX/._ann.yaml", "x")
        archive.writestr(".hidden", "x")
    answer = bench.client("ora").post(
        url(bench, "upload"), {"file": SimpleUploadedFile("lists.zip", buffer.getvalue())}
    )
    lines = bench.client("ora").get(answer["Location"]).context["lines"]
    assert [(line["player"], line["verdict"]) for line, _choices in lines] == [
        ("ann", "legal"),
        ("picture", "unreadable"),
        ("bomb", "unreadable"),
        ("evil", "unreadable"),
    ]


def test_all_lists_are_checked_again_after_other_rules():
    bench = opened("ann", "bob")
    bench.submit("ann")
    bench.submit("bob", TWO_CUTTERS)
    rules = RULES.replace("at most: 1", "at most: 2")
    assert bench.client("ora").post(url(bench, "settings"), {"rules": rules}).status_code == 303
    answer = bench.client("ora").post(url(bench, "recheck"))
    report = bench.client("ora").get(answer["Location"])
    assert [(line["player"], line["before"], line["verdict"]) for line, _choices in report.context["lines"]] == [
        ("bob", "illegal", "legal")
    ]
    assert (bench.entry("bob").verdict, Submission.objects.get(participant=bench.entry("bob")).verdict) == (
        "legal",
        "illegal",
    )
    assert Recheck.objects.count() == 2
    assert bench.client("ann").post(url(bench, "recheck")).status_code == 404


def test_what_could_not_be_read_is_read_again_with_all_lists(monkeypatch):
    bench = opened("ann", "bob", "eve")
    with monkeypatch.context() as patch:
        # As if its data were not installed yet.
        patch.setattr(reading, "read_list_file", lambda *_, **__: Unreadable("unknown-game", 0, 0, "fenland"))
        unread = {name: bench.submit(name) for name in ("ann", "bob")}
    bench.submit("eve", "list: 1\ngame: elsewhere\n")
    act(bench, "jud", "bob", do="return", reason="I cannot read this.")
    before = bench.entry("ann")
    answer = bench.client("ora").post(url(bench, "recheck"))
    page = bench.client("ora").get(answer["Location"])
    said = [(line["player"], line.get("verdict"), line["outcome"]) for line, _choices in page.context["lines"]]
    assert said == [("ann", "legal", "changed"), ("bob", "legal", "changed"), ("eve", None, "still-unread")]
    assert "Still unreadable" in page.content.decode()
    entry = bench.entry("ann")
    assert (entry.verdict, entry.faction, entry.current.number) == ("legal", "Marsh Folk", 2)
    assert (entry.status, entry.received, entry.late_seconds) == ("new", before.received, 0)
    assert entry.current.received_hash == unread["ann"].received_hash
    # Its decision stays, and the next submission is compared with it.
    assert (bench.entry("bob").status, bench.entry("bob").locked) == ("returned", bench.entry("bob").current)
    assert AuditRecord.objects.filter(act="reread").count() == 2


def test_the_file_of_a_player_calls_what_could_not_be_read_as_before():
    bench = opened("eve")
    bench.submit("eve", "list: 1\ngame: elsewhere\n")
    file = io.BytesIO()
    export_account_data(bench.people["eve"], file)
    with zipfile.ZipFile(file) as archive:
        (line,) = archive.read("submissions.jsonl").splitlines()
    assert json.loads(line)["kept"] == Submission.objects.get().unread != ""


def test_a_list_is_not_read_again_once_another_one_lies_there():
    bench = opened("ann")
    unread = bench.submit("ann", "nothing")
    bench.submit("ann")
    receipt = judge_received(bench.event, read(TWO_CUTTERS))
    assert not replace_unread(bench.entry("ann"), unread, receipt, bench.people["ora"])
    assert Submission.objects.count() == 2


def test_a_check_of_all_lists_leaves_what_was_submitted_meanwhile():
    bench = opened("ann", "bob")
    for name in ("ann", "bob"):
        bench.submit(name, TWO_CUTTERS)
    read = list(select_checked(bench.event))
    bench.submit("ann")
    set_house_rules(bench.event, bench.people["ora"], RULES.replace("at most: 1", "at most: 2"))
    lines = recheck_lists(bench.event, read)
    assert [line["player"] for line in lines] == ["bob"]
    assert (bench.entry("ann").points, bench.entry("ann").current.points) == ("30", "30")


def test_who_may_see_a_list_is_one_question():
    bench = opened("ann", "bob")
    bench.submit("ann")
    entry = bench.entry("ann")
    seen = {name: may_see_list(find_standing(bench.event, person), entry) for name, person in bench.people.items()}
    assert seen == {"ora": True, "jud": True, "sue": False, "ann": True, "bob": False}


def test_a_penalty_by_hand_is_told_to_its_player_and_withdrawn_with_a_reason():
    bench = opened("ann", "bob")
    bench.submit("ann")
    form = {"offence": "other", "points": "-5", "reason": "Rude", "severity": "Grave", "rule": "Event pack, p. 9"}
    act(bench, "jud", "ann", do="penalty", **form)
    penalty = bench.entry("ann").penalties.get()
    assert (penalty.state, penalty.severity, penalty.rule) == ("confirmed", "Grave", "Event pack, p. 9")
    told = {
        name: "Event pack, p. 9" in bench.client(name).get(url(bench, "event")).content.decode()
        for name in ("ann", "bob")
    }
    assert told == {"ann": True, "bob": False}
    for refused in (
        {"do": "withdraw"},
        {"do": "dismiss"},
        {"do": "withdraw", "reason": "x" * 401},
        {"do": "withdraw", "reason": "No", "penalty": "x"},
    ):
        act(bench, "jud", "ann", **{"penalty": penalty.pk, "do": "withdraw"} | refused)
        penalty.refresh_from_db()
        assert penalty.state == "confirmed"
    act(bench, "jud", "ann", do="withdraw", penalty=penalty.pk, reason="It was somebody else")
    penalty.refresh_from_db()
    assert (penalty.state, penalty.reason) == ("dismissed", "It was somebody else")
    logged = bench.event.audit.get(act="penalty-withdrawn")
    assert (logged.participant, logged.detail) == (bench.entry("ann"), "other -5.00: It was somebody else")
    assert "Event pack, p. 9" not in bench.client("ann").get(url(bench, "event")).content.decode()


def upload_table(bench: Bench, *rows: str) -> str:
    table = "\n".join(("Player,Team,Email,Army List", *(f'{row},"{LIST.strip()}"' for row in rows)))
    answer = bench.client("ora").post(url(bench, "upload"), {"file": SimpleUploadedFile("t.csv", table.encode())})
    return str(answer["Location"])


def test_mail_address_and_team_tell_equal_names_apart():
    bench = opened("ann")
    Event.objects.update(is_team=True)
    reeds = Team.objects.create(event=bench.event, name="Reeds")
    Participant.objects.create(event=bench.event, name="Ann", team=reeds)
    Participant.objects.create(event=bench.event, name="Ann", email="other@example.org")
    report = upload_table(
        bench, "Ann,Reeds,", "Ann,,OTHER@example.org", "ann,,ann@example.org", "Ann,,", "Ann,Sluice,new@example.org"
    )
    lines = [line for line, _choices in bench.client("ora").get(report).context["lines"]]
    assert [line["outcome"] for line in lines] == ["taken", "taken", "taken", "several-players", "several-players"]
    ids = [
        Participant.objects.get(**found).public_id
        for found in ({"team": reeds}, {"email": "other@example.org"}, {"user": bench.people["ann"]})
    ]
    assert [line["id"] for line in lines[:3]] == ids


def test_two_of_one_name_in_one_table_are_two_players():
    bench = opened()
    Event.objects.update(is_team=True)
    upload_table(bench, "Ann,Reeds,", "Ann,Sluice,", "Zoe,,a@example.org", "Zoe,,b@example.org")
    assert list(Participant.objects.values_list("name", "team__name")) == [
        ("Ann", "Reeds"),
        ("Ann", "Sluice"),
        ("Zoe", None),
        ("Zoe", None),
    ]
    assert Submission.objects.count() == 4


def test_what_is_open_after_an_upload_is_settled_on_its_report():
    bench = opened("ann")
    other = Participant.objects.create(event=bench.event, name="Ann", email="other@example.org")
    report = upload_table(bench, "Ann,,", "Ann,,")
    client = bench.client("ora")
    (line, choices), _second = client.get(report).context["lines"]
    assert (line["outcome"], {value for value, _word in choices}) == (
        "several-players",
        {other.public_id, bench.entry("ann").public_id, "new"},
    )
    for bad in ({"line": "0", "player": "x" * 22}, {"line": "9", "player": "new"}, {"player": "new"}, {}):
        assert (client.post(report, bad).status_code, Submission.objects.count()) == (303, 0)
    assert bench.client("jud").post(report, {"line": "0", "player": "new"}).status_code == 404
    assert client.post(report, {"line": "0", "player": other.public_id}).status_code == 303
    assert Submission.objects.get().participant == other
    client.post(report, {"line": "0", "player": "new"})
    client.post(report, {"line": "1", "player": "new"})
    assert [line["outcome"] for line, _choices in client.get(report).context["lines"]] == ["taken", "taken"]
    assert Participant.objects.filter(name="Ann").count() == 2


def test_what_is_too_large_to_keep_says_what_helps(monkeypatch):
    monkeypatch.setattr("roster.events.services.bulk_checks.MOST_KEPT", 10)
    bench = opened("ann")
    Participant.objects.create(event=bench.event, name="Ann")
    ((line, choices),) = bench.client("ora").get(upload_table(bench, "Ann,,")).context["lines"]
    assert (line["outcome"], "data" in line, choices) == ("several-not-kept", False, [])
