"""Teams: a captain enters and submits for all members, and rules apply across their lists."""

import pytest
from django.core import mail
from django.urls import reverse

from roster.events.models import Assignment, Event, Participant, Team
from roster.events.services.mail import send_waiting_mail
from roster.events.services.teams import add_member, create_team, find_or_create_team, list_teams
from roster.services.outcomes import Refused
from tests.events.cast import LIST, TWO_CUTTERS, Bench, opened, submit_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def bench() -> Bench:
    made = opened("ann", "bob")
    Event.objects.update(is_team=True, team_size=2)
    made.event.refresh_from_db()
    return made


def team_of(bench: Bench, *members: str, reserves: tuple[str, ...] = ()) -> Team:
    captain = bench.people["sue"]
    team = create_team(bench.event, captain, "Reeds")
    assert isinstance(team, Team)
    for name in (*members, *reserves):
        assert isinstance(add_member(team, captain, name, is_reserve=name in reserves), Participant)
    return team


def test_a_captain_submits_for_all_and_nobody_else_does(bench):
    team = team_of(bench, "Una", reserves=("Ria",))
    address = reverse("events:submit", args=[bench.event.public_id, team.members.get(name="Una").public_id])
    held = bench.client("sue").post(address, {"text": LIST}).context["held"]
    assert bench.client("sue").post(address, {"held": held, "do": "submit"}).status_code == 303
    assert bench.client("ann").post(address, {"held": held, "do": "submit"}).status_code == 404
    (state,) = list_teams(bench.event)
    assert (state.status, state.verdict, [one.name for one in state.reserves]) == ("missing", "incomplete", ["Ria"])


def test_a_team_has_one_army_once_unless_the_event_allows_more(bench):
    team = team_of(bench, "Una", "Max", reserves=("Ria",))
    for member in team.members.all():
        submit_text(member, LIST, bench.people["sue"])
    (state,) = list_teams(bench.event)
    assert (state.status, state.verdict, len(state.doubled)) == ("new", "illegal", 1)
    assert list_teams(bench.event, most=2)[0].verdict == "legal"
    # A reserve has the army of the player they replace.
    team.members.filter(name="Max").update(dropped=True)
    assert list_teams(bench.event)[0].doubled == ()


def test_the_status_of_a_team_is_the_worst_of_its_lists(bench):
    team = team_of(bench, "Una", "Max")
    una, other = team.members.order_by("name").reverse()
    submit_text(una, TWO_CUTTERS, bench.people["sue"])
    assert list_teams(bench.event)[0].status == "missing"
    submit_text(other, LIST, bench.people["sue"])
    assert [(state.status, state.verdict) for state in list_teams(bench.event)] == [("new", "illegal")]


def test_teams_are_as_large_as_the_event_says_and_names_are_taken_once(bench):
    team = team_of(bench, "Una", "Max")
    assert add_member(team, bench.people["sue"], "Third", is_reserve=False) == Refused(code="team-full", allowed=2)
    assert add_member(team, bench.people["ann"], "Mole", is_reserve=True) == Refused(code="not-captain")
    assert create_team(bench.event, bench.people["ann"], "Reeds") == Refused(code="name-taken")
    assert create_team(bench.event, bench.people["ann"], " ") == Refused(code="no-name")


def test_the_page_of_teams_shows_others_no_army_before_the_reveal(bench):
    team = team_of(bench, "Una")
    submit_text(team.members.get(), LIST, bench.people["sue"])
    address = reverse("events:teams", args=[bench.event.public_id])
    faction = team.members.get().faction
    told = {who: faction in bench.client(who).get(address).content.decode() for who in ("sue", "ora", "ann", "")}
    assert told == {"sue": True, "ora": True, "ann": False, "": False}
    made = bench.client("ann").post(address, {"do": "team", "name": "Sluice"})
    assert (made.status_code, bench.entry("ann").team.name) == (303, "Sluice")
    bad = {"do": "member", "team": "x" * 22, "name": "Nobody"}
    assert bench.client("ann").post(address, bad).status_code == 422
    assert bench.client().post(address, bad).status_code == 302


def test_an_army_that_a_team_has_twice_is_in_every_verdict(bench):
    team = team_of(bench, "Una", "Max", reserves=("Ria",))
    una, other = team.members.get(name="Una"), team.members.get(name="Max")
    page = reverse("events:submit", args=[bench.event.public_id, other.public_id])
    captain = bench.client("sue")
    assert captain.post(page, {"text": LIST}).context["verdict"] == "legal"
    submit_text(una, LIST, bench.people["sue"])
    judged = captain.post(page, {"text": LIST}).context
    assert (judged["verdict"], judged["receipt"].judged_list.verdict) == ("illegal", "legal")
    assert judged["doubled"].faction == team.members.get(name="Una").faction
    asked = f"/api/v1/events/{bench.event.public_id}/players/{other.public_id}/"
    told = captain.post(asked, {"list": LIST}, content_type="application/json").json()
    army = judged["doubled"].faction
    assert (told["verdict"], told["doubled"]) == ("illegal", army)
    submission = submit_text(other, LIST, bench.people["sue"])
    assert (submission.verdict, submission.doubled) == ("legal", army)
    receipt = captain.get(reverse("events:receipt", args=[bench.event.public_id, submission.public_id]))
    assert receipt.context["verdict"] == "illegal"
    assert "more often in the team than allowed" in receipt.content.decode()
    shown = captain.get(asked).json()
    assert (shown["verdict"], shown["doubled"]) == ("illegal", army)
    rows = bench.client("jud").get(f"/api/v1/events/{bench.event.public_id}/submissions/").json()
    told = {row["name"]: (row["verdict"], row["doubled"]) for row in rows if row["doubled"]}
    assert told == dict.fromkeys(("Una", "Max"), ("illegal", army))
    send_waiting_mail()
    assert ["more often in the team than allowed" in message.body for message in mail.outbox] == [False, True]
    reserve = reverse("events:submit", args=[bench.event.public_id, team.members.get(name="Ria").public_id])
    assert captain.post(reserve, {"text": LIST}).context["verdict"] == "legal"


def test_the_bench_marks_an_army_that_a_team_has_twice_and_accepts_neither(bench):
    team = team_of(bench, "Una", "Max", reserves=("Ria",))
    for member in team.members.all():
        submit_text(member, LIST, bench.people["sue"])
    bench.submit("ann")
    address = reverse("events:bench", args=[bench.event.public_id])
    queue = bench.client("jud").get(address, {"at": team.members.get(name="Max").public_id})
    named = set(Participant.objects.filter(pk__in=queue.context["doubled"]).values_list("name", flat=True))
    assert (named, queue.context["acceptable"]) == ({"Una", "Max"}, 2)
    assert (queue.context["panel"].verdict, bool(queue.context["panel"].doubled)) == ("illegal", True)
    shown = {}
    for state in ("doubled", "illegal", "legal"):
        rows = bench.client("jud").get(address, {"state": state}).context["rows"]
        shown[state] = {row.name for row in rows}
    assert shown == {"doubled": {"Una", "Max"}, "illegal": {"Una", "Max"}, "legal": {"Ria", "ann"}}
    mine = bench.client("sue").get(bench.event.get_absolute_url()).context["mine"]
    assert {one["entry"].name: one["verdict"] for one in mine} == {"Una": "illegal", "Max": "illegal", "Ria": "legal"}
    bench.client("jud").post(reverse("events:bulk", args=[bench.event.public_id]), {"do": "accept-legal"})
    assert set(Participant.objects.filter(status="accepted").values_list("name", flat=True)) == {"Ria", "ann"}


def test_a_team_checks_lists_of_others_that_are_given_to_it(bench):
    team = team_of(bench, "Una")
    Participant.objects.filter(name="bob").update(team=team)
    una = team.members.get(name="Una")
    bench.submit("ann")
    submit_text(una, LIST, bench.people["sue"])
    listed = {
        one.name: reverse("events:list", args=[bench.event.public_id, one.public_id])
        for one in (una, bench.entry("ann"))
    }
    assert bench.client("bob").get(listed["ann"]).status_code == 404
    bulk = reverse("events:bulk", args=[bench.event.public_id])
    form = {"do": "assign", "list": [una.public_id, bench.entry("ann").public_id], "checking_team": team.pk}
    assert bench.client("ora").post(bulk, form).status_code == 303
    # A team does not check its own lists; its players and captain see the lists it was given, other users do not.
    assert [one.participant.name for one in Assignment.objects.filter(team=team)] == ["ann"]
    assert {who: bench.client(who).get(listed["ann"]).status_code for who in ("bob", "sue", "")} == {
        "bob": 200,
        "sue": 200,
        "": 404,
    }
    acts = reverse("events:acts", args=[bench.event.public_id, bench.entry("ann").public_id])
    assert bench.client("bob").post(acts, {"do": "checked", "remark": "Legal."}).status_code == 303
    done = Assignment.objects.get(team=team)
    assert (bool(done.done), done.remark) == (True, "Legal.")


def change(bench: Bench, who: str, team: Team, **form: str) -> int:
    address = reverse("events:teams", args=[bench.event.public_id])
    return bench.client(who).post(address, {"team": team.public_id, **form}).status_code


def test_a_captain_takes_out_and_swaps_members_until_the_deadline(bench):
    team = team_of(bench, "Una", "Max", reserves=("Ria",))
    una, other, ria = (team.members.get(name=name) for name in ("Una", "Max", "Ria"))
    assert change(bench, "ann", team, do="remove", member=una.public_id) == 422
    assert change(bench, "sue", team, do="swap", member=ria.public_id, player=una.public_id) == 303
    assert change(bench, "sue", team, do="swap", member=ria.public_id, player=una.public_id) == 422
    assert change(bench, "sue", team, do="remove", member=other.public_id) == 303
    assert change(bench, "sue", team, do="remove", member="x") == 422
    (state,) = list_teams(bench.event)
    assert [[one.name for one in members] for members in (state.players, state.reserves)] == [["Ria"], ["Una"]]
    bench.pass_deadline()
    assert change(bench, "sue", team, do="remove", member=ria.public_id) == 422
    assert change(bench, "ora", team, do="remove", member=ria.public_id) == 303
    acts = list(bench.event.audit.values_list("act", flat=True)[:3])
    assert acts == ["remove-member", "remove-member", "swap"]


def test_captaincy_is_handed_on_and_given_to_an_uploaded_team(bench):
    team = team_of(bench, "Una")
    assert change(bench, "sue", team, do="captain", named="jud@example.org") == 422
    assert change(bench, "sue", team, do="captain", named="nobody") == 422
    assert change(bench, "sue", team, do="captain", named="ann@example.org") == 303
    team.refresh_from_db()
    assert (team.captain, bench.entry("ann").team) == (bench.people["ann"], team)
    assert change(bench, "sue", team, do="captain", named="sue@example.org") == 422
    # Members with an account stay in the event without the team.
    assert change(bench, "ora", team, do="remove", member=bench.entry("ann").public_id) == 303
    assert (bench.entry("ann").team, bench.entry("ann").dropped) == (None, False)
    uploaded = find_or_create_team(bench.event, "Sluice")
    assert change(bench, "bob", uploaded, do="captain", named="bob@example.org") == 422
    assert change(bench, "ora", uploaded, do="captain", named="sue@example.org") == 303
    uploaded.refresh_from_db()
    assert uploaded.captain == bench.people["sue"]


def test_reserves_take_no_seat(bench):
    team = team_of(bench, "Una")
    Event.objects.update(seats=3)
    team.event.refresh_from_db()
    assert add_member(team, bench.people["sue"], "Max", is_reserve=False) == Refused(code="full", allowed=3)
    assert isinstance(add_member(team, bench.people["sue"], "Ria", is_reserve=True), Participant)


def test_a_team_that_lacks_players_is_not_complete(bench):
    team = team_of(bench, "Una")
    submit_text(team.members.get(), LIST, bench.people["sue"])
    (state,) = list_teams(bench.event)
    assert (state.verdict, state.lacking) == ("incomplete", 1)
    Event.objects.update(team_size=1)
    assert list_teams(bench.fresh())[0].verdict == "legal"
    page = bench.client("sue").get(reverse("events:teams", args=[bench.event.public_id])).content.decode()
    assert 'value="remove"' in page
    others = bench.client("ann").get(reverse("events:teams", args=[bench.event.public_id])).content.decode()
    assert 'value="remove"' not in others
