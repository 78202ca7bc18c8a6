"""Lists are judged under an event's rules, frozen, and accepted until the deadline."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from roster.engine.tree import Origin, Selection, copy_with
from roster.events.models import Decision, Event, LatePass, Participant, Submission, SubmissionStatus
from roster.events.models.submission import FrozenError
from roster.events.services.archives import UploadedList
from roster.events.services.bench import decide_list, give_late_pass, list_acceptable, open_window
from roster.events.services.bulk_checks import take_list
from roster.events.services.events import set_house_rules
from roster.events.services.judging import check_house_rules, load_event_rules
from roster.events.services.players import index_players
from roster.events.services.submissions import (
    SubmissionTerms,
    check_correction,
    find_terms,
    judge_received,
    submit_list,
)
from roster.events.services.teams import add_member, create_team
from roster.services.evaluation import encode_tree
from roster.services.exchange import import_list, read_list_file
from roster.services.outcomes import Refused
from roster.services.owners import Visitor
from tests.events.cast import LIST, RULES, TWO_CUTTERS, Bench, opened, read, submit_text
from tests.roster.views_cast import HTMX

pytestmark = pytest.mark.django_db


def broken_rules(submission: Submission) -> set[str]:
    return {violation["rule"] for violation in submission.report["violations"]}


def test_a_list_is_judged_under_the_rules_of_the_event():
    bench = opened("ann")
    fine = bench.submit("ann")
    assert (fine.verdict, broken_rules(fine)) == ("legal", set())
    wrong = bench.submit("ann", TWO_CUTTERS)
    assert wrong.verdict == "illegal"
    assert "house-rules-most-0" in broken_rules(wrong)
    sentence = next(v for v in wrong.report["violations"] if v["rule"] == "house-rules-most-0")
    assert (sentence["sentence"]["text"], sentence["citation"]["book"]) == ("Take one unit of cutters.", "Event pack")


def test_the_limit_of_the_event_stands_in_the_place_of_the_lists_own():
    bench = opened("ann", rules=RULES.replace("100", "10"))
    submission = bench.submit("ann", LIST.replace("name: Low water", "name: Low water\nlimits: {points: 500}"))
    assert "cost-limit" in {violation["code"] for violation in submission.report["violations"]}


def test_what_was_submitted_is_frozen():
    bench = opened("ann")
    submission = bench.submit("ann")
    submission.verdict = "illegal"
    with pytest.raises(FrozenError):
        submission.save()
    assert submission.rules_hash == bench.event.rules_hash
    assert submission.version == bench.event.version


def test_a_list_may_be_submitted_again_until_the_deadline():
    bench = opened("ann")
    bench.submit("ann")
    second = bench.submit("ann", TWO_CUTTERS)
    entry = bench.entry("ann")
    assert (second.number, entry.current, entry.verdict) == (2, second, "illegal")
    assert second.differences


def test_the_same_bytes_again_are_the_same_submission():
    bench = opened("ann")
    assert bench.submit("ann") == bench.submit("ann")


def test_the_same_bytes_under_other_rules_or_after_a_return_are_another_submission():
    bench = opened("ann")
    first = bench.submit("ann")
    set_house_rules(bench.event, bench.people["ora"], RULES.replace("points: 100", "points: 90"))
    second = bench.submit("ann")
    assert (second.number, second.rules_hash) == (2, bench.event.rules_hash)
    assert first.rules_hash != second.rules_hash
    decide_list(bench.entry("ann"), bench.people["jud"], "returned", "Look again.")
    assert bench.submit("ann").number == 3
    assert bench.entry("ann").status == SubmissionStatus.NEW
    # An accepted list stays accepted.
    decide_list(bench.entry("ann"), bench.people["jud"], "accepted")
    assert bench.submit("ann").number == 3
    assert bench.entry("ann").status == SubmissionStatus.ACCEPTED


def test_a_stale_form_after_the_deadline_is_refused():
    bench = opened("ann")
    entry = bench.entry("ann")
    receipt = judge_received(bench.event, read(LIST))
    bench.pass_deadline()
    # The row behind the form is outdated.
    assert submit_list(entry, receipt, bench.people["ann"]) == Refused(code="too-late")
    assert Submission.objects.count() == 0


INSTANT = timedelta(microseconds=1)


def test_a_deadline_counts_to_the_very_moment():
    bench = opened("ann")
    entry = bench.entry("ann")
    deadline = entry.event.deadline
    assert find_terms(entry, deadline) == SubmissionTerms(may_submit=True, reason="open", until=deadline)
    assert find_terms(entry, deadline + INSTANT) == SubmissionTerms(may_submit=False, reason="too-late", until=deadline)
    entry.event.accepts_late = True
    late = find_terms(entry, deadline + INSTANT)
    assert (late.may_submit, late.reason, late.late_seconds) == (True, "late", 1)


@pytest.mark.parametrize(("after", "is_over"), [(timedelta(), False), (INSTANT, True)])
def test_an_event_is_past_its_deadline_when_lists_are_not_taken_any_more(after, is_over, monkeypatch):
    bench = opened("ann")
    entry = bench.entry("ann")
    moment = entry.event.deadline + after
    monkeypatch.setattr(timezone, "now", lambda: moment)
    assert entry.event.is_past_deadline is is_over
    assert find_terms(entry).may_submit is not is_over


def test_a_late_pass_counts_to_the_very_moment():
    bench = opened("ann")
    entry = bench.entry("ann")
    expires = entry.event.deadline + timedelta(hours=1)
    LatePass.objects.create(participant=entry, expires=expires)
    assert find_terms(entry, expires) == SubmissionTerms(may_submit=True, reason="late-pass", until=expires)
    assert not find_terms(entry, expires + INSTANT).may_submit


def test_a_correction_window_counts_from_its_first_to_its_last_moment():
    bench = opened("ann")
    entry = bench.entry("ann")
    starts, ends = (entry.event.deadline + timedelta(hours=hours) for hours in (1, 2))
    open_window(entry.event, bench.people["ora"], starts, ends)
    entry.status = SubmissionStatus.RETURNED
    moments = (starts - INSTANT, starts, ends, ends + INSTANT)
    reasons = [find_terms(entry, moment).reason for moment in moments]
    assert reasons == ["before-window", "correction", "correction", "too-late"]
    assert find_terms(entry, starts - INSTANT).opens == starts
    # Only a returned list waits for the window.
    entry.status = SubmissionStatus.NEW
    assert find_terms(entry, starts - INSTANT).reason == "too-late"


def test_who_is_refused_before_the_window_opens_is_told_when_it_does():
    bench = opened("ann")
    bench.submit("ann", TWO_CUTTERS)
    bench.pass_deadline()
    decide_list(bench.entry("ann"), bench.people["jud"], "returned", "One unit of cutters.")
    opens = timezone.now() + timedelta(days=1)
    open_window(bench.event, bench.people["ora"], opens, opens + timedelta(days=1))
    moment = f"{opens.astimezone(bench.event.timezone):%H:%M} (Europe/Berlin)"
    client, entry = bench.client("ann"), bench.entry("ann")
    page = reverse("events:submit", args=[bench.event.public_id, entry.public_id])
    for address in (page, reverse("events:event", args=[bench.event.public_id])):
        shown = client.get(address).content.decode()
        assert moment in shown
        assert "You may submit until" not in shown
    held = client.post(page, {"text": LIST}).context["held"]
    refused = client.post(page, {"held": held, "do": "submit"})
    assert moment in refused.context["wrong"]
    assert "late pass" not in refused.context["wrong"]
    assert bench.entry("ann").submissions.count() == 1


def test_a_late_pass_lets_one_player_in():
    bench = opened("ann", "bob")
    bench.pass_deadline()
    entry = bench.entry("ann")
    give_late_pass(entry, bench.people["ora"], timezone.now() + timedelta(hours=1))
    assert isinstance(submit_text(entry, LIST, bench.people["ann"]), Submission)
    assert submit_text(bench.entry("bob"), LIST, bench.people["bob"]) == Refused(code="too-late")
    LatePass.objects.update(expires=timezone.now() - timedelta(minutes=1))
    assert submit_text(bench.entry("ann"), TWO_CUTTERS, bench.people["ann"]) == Refused(code="too-late")


def test_a_late_list_is_marked_where_an_event_takes_late_ones():
    bench = opened("ann")
    bench.pass_deadline(hours=2)
    Event.objects.update(accepts_late=True)
    submission = submit_text(bench.entry("ann"), LIST, bench.people["ann"])
    assert isinstance(submission, Submission)
    assert 7_100 < submission.late_seconds < 7_300
    assert bench.entry("ann").is_late
    assert submit_text(bench.entry("ann"), TWO_CUTTERS, bench.people["ann"]) == Refused(code="too-late")


def test_a_correction_marks_what_the_reason_does_not_cover():
    bench = opened("ann", "bob")
    bench.submit("ann", TWO_CUTTERS)
    bench.submit("bob")
    bench.pass_deadline()
    now = timezone.now()
    open_window(bench.event, bench.people["ora"], now - timedelta(minutes=1), now + timedelta(days=2))
    assert isinstance(decide_list(bench.entry("ann"), bench.people["jud"], "returned", "One unit of cutters."), object)
    more = LIST.replace("[warden, cutters]", "[warden, cutters, {unit: warden, name: New}]")
    corrected = submit_text(bench.entry("ann"), more, bench.people["ann"])
    assert isinstance(corrected, Submission)
    assert sorted(covered for _text, covered in corrected.correction) == [False, True]
    assert bench.entry("ann").uncovered == 1
    # The other player's list was not returned.
    assert submit_text(bench.entry("bob"), TWO_CUTTERS, bench.people["bob"]) == Refused(code="too-late")


NEW_WARDEN = LIST.replace("[warden, cutters]", "[warden, cutters, {unit: warden, name: New}]")


def returned_after_the_deadline(text: str = TWO_CUTTERS, reason: str = "One unit of cutters.") -> Bench:
    """An event past its deadline with a correction window; ann's list was returned."""
    bench = opened("ann")
    bench.submit("ann", text)
    bench.pass_deadline()
    now = timezone.now()
    open_window(bench.event, bench.people["ora"], now - timedelta(minutes=1), now + timedelta(days=2))
    decide_list(bench.entry("ann"), bench.people["jud"], "returned", reason)
    return bench


def covered(submission: object) -> list[bool]:
    assert isinstance(submission, Submission), submission
    return sorted(is_covered for _text, is_covered in submission.correction)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("name: Low water", "name: Fix"),
        ("name: Low water", "name: Low water\nlimits: {points: 60}"),
        ("name: Low water", "name: Low water\nnotes: With love"),
        ("detachment: column", "detachment: column\n    name: Advance guard"),
        ("[warden, ", "[{unit: warden, name: Nan}, "),
    ],
)
def test_a_change_that_leaves_the_army_as_it_is_is_cosmetic(before, after):
    bench = returned_after_the_deadline()
    corrected = bench.submit("ann", LIST.replace(before, after))
    marks = [mark for _text, mark in corrected.correction]
    assert "cosmetic" in marks
    assert False not in marks
    assert bench.entry("ann").uncovered == 0
    panel = bench.client("jud").get(
        reverse("events:bench", args=[bench.event.public_id]), {"at": bench.entry("ann").public_id}
    )
    assert ">(cosmetic)<" in panel.content.decode()
    assert 'class="uncovered"' not in panel.content.decode()


def test_the_same_army_written_by_another_program_is_cosmetic():
    """A list returned because it shows no options is pasted again with them, or built here after a file."""
    bench = returned_after_the_deadline(
        LIST.replace("name: Low water", "name: Low water\nunshown: [options]"), "Your list must show its options."
    )
    assert covered(bench.submit("ann", LIST)) == ["cosmetic"]
    assert bench.entry("ann").uncovered == 0

    locked = bench.entry("ann").locked
    (column,) = locked.tree.forces
    warden = column.selections[0]
    net = Selection(id="n", entry_id="net")
    three, two, five = (Selection(id=f"m{n}", entry_id="trooper", name="Trooper", number=n) for n in (3, 2, 5))

    def check(before: list[Selection], after: list[Selection], **more: object) -> list[bool | str]:
        old, new = (
            copy_with(locked.tree, forces=(copy_with(column, selections=(copy_with(warden, selections=models),)),))
            for models in (tuple(before), tuple(after))
        )
        earlier = Submission(participant=locked.participant, number=1, document=encode_tree(old))
        return [mark for _text, mark in check_correction(earlier, copy_with(new, **more))]

    assert check([five], [five], origin=Origin.BATTLESCRIBE) == ["cosmetic"]
    assert check([three, two], [five]) == check([five], [three, two]) == ["cosmetic"]
    assert check([five], [three, copy_with(two, selections=(net,))]) == [False]
    assert check([five], [three, copy_with(two, entry_id="veteran")]) == [False]


def test_a_second_correction_does_not_wash_the_first_one_clean():
    bench = returned_after_the_deadline()
    first = bench.entry("ann").current
    assert covered(bench.submit("ann", NEW_WARDEN)) == [False, True]
    decide_list(bench.entry("ann"), bench.people["jud"], "returned", "Nobody asked for a warden.")
    assert covered(bench.submit("ann", NEW_WARDEN + "\n")) == [False, True]
    assert (bench.entry("ann").locked, bench.entry("ann").uncovered) == (first, 1)
    # The units of all returns add up, and a withdrawn return asks for nothing.
    decide_list(bench.entry("ann"), bench.people["jud"], "returned", "Name the warden.", ["New", "Warden"])
    assert covered(bench.submit("ann", NEW_WARDEN)) == [True, True]
    taken_back = bench.entry("ann").submissions.get(number=3)
    Decision.objects.create(submission=taken_back, status="new")
    decide_list(bench.entry("ann"), bench.people["jud"], "returned", "Once more.")
    assert covered(bench.submit("ann", NEW_WARDEN + "\n")) == [False, True]


def test_what_was_returned_before_the_deadline_is_free_until_then():
    bench = opened("ann")
    bench.submit("ann", TWO_CUTTERS)
    decide_list(bench.entry("ann"), bench.people["jud"], "returned", "One unit of cutters.")
    assert covered(bench.submit("ann", NEW_WARDEN)) == []
    assert bench.entry("ann").locked is None


def test_a_correction_under_a_late_pass_is_compared():
    bench = returned_after_the_deadline()
    give_late_pass(bench.entry("ann"), bench.people["ora"], timezone.now() + timedelta(hours=1))
    assert covered(bench.submit("ann", NEW_WARDEN)) == [False, True]


def test_a_correction_that_an_organiser_uploads_is_compared():
    bench = returned_after_the_deadline()
    uploaded = UploadedList(name="ann.yaml", data=NEW_WARDEN.encode(), player="ann")
    line = take_list(index_players(bench.event), uploaded, bench.people["ora"], load_event_rules(bench.event))
    assert line["outcome"] == "taken"
    assert covered(bench.entry("ann").current) == [False, True]


def test_a_correction_of_what_cannot_be_read_says_so_and_is_looked_at():
    bench = returned_after_the_deadline("nothing like a list\nat all", "No list.")
    bench.submit("ann")
    page = bench.client("jud").get(
        reverse("events:bench", args=[bench.event.public_id]), {"at": bench.entry("ann").public_id}
    )
    assert "cannot be compared with the locked list" in page.content.decode()
    assert list(list_acceptable(bench.event)) == []


def test_a_correction_of_a_late_list_stays_late():
    bench = returned_after_the_deadline()
    Participant.objects.update(late_seconds=7_200)
    bench.submit("ann")
    assert bench.entry("ann").late_seconds == 7_200


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nothing like a list\nat all", "unknown-list"),
        ("list: 1\ngame: nowhere", "unknown-game"),
        ("list: 1\ndetachments: [", "bad-yaml"),
    ],
)
def test_what_cannot_be_read_is_kept_as_unreadable(text, code):
    bench = opened("ann")
    submission = bench.submit("ann", text)
    assert (submission.verdict, submission.report["unreadable"]["code"]) == ("unreadable", code)
    assert bench.entry("ann").status == SubmissionStatus.NEW


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("caps: [{cap: Cutters, at most: 1, at least: 2}]", "at-least-over-at-most"),
        ("bans: [Cutters]\ncaps: [{cap: cutters, at least: 1}]", "ban-and-cap"),
        ("bans: [Cutters, cutters]", "banned-twice"),
        ("caps: [{cap: Cutters, at most: 1}, {cap: Cutters, at least: 2}]", "capped-apart"),
        ("limits: {points: 0}", "limit-zero"),
        ("limits: {points: 10}\ncaps: [{cap: Cutters, at least: 5}]", "least-too-dear"),
        ("caps: [{cap: Cutters}]", "nothing-asked"),
        ("bans: [Cuttres]", "unknown-entry"),
        ("limits: {glory: 5}", "unknown-entry"),
        ("detachments: [Horde]", "unknown-entry"),
        ('detachments: [""]', "unknown-entry"),
        ("bans: 7: 8", "bad-yaml"),
        ("house: 1", "unknown-key"),
        ("book: nowhere", "unknown-rules"),
    ],
)
def test_rules_that_contradict_themselves_are_refused(rules, code):
    from tests.roster.small_game import installed

    problem = check_house_rules(installed(), f"house-rules: 1\n{rules}")
    assert getattr(problem, "code", None) == code


def test_a_player_who_is_out_submits_nothing():
    bench = opened("ann")
    Participant.objects.update(dropped=True)
    assert submit_text(bench.entry("ann"), LIST, bench.people["ann"]) == Refused(code="not-open")


def test_a_list_of_the_builder_is_offered_to_the_events_that_take_it():
    bench = opened("ann")
    roster = import_list(Visitor(user_id=bench.people["ann"].pk), read_list_file(LIST.encode()))
    address = reverse("events:offer", args=[roster.public_id])
    client = bench.client("ann")
    page = client.get(address)
    ((entry, terms),) = page.context["entries"]
    assert (entry, terms.may_submit) == (bench.entry("ann"), True)
    submit = reverse("events:submit", args=[bench.event.public_id, entry.public_id])
    assert f'action="{submit}"' in page.content.decode()
    assert client.post(submit, {"roster": roster.public_id, "do": "check"}).context["verdict"] == "legal"
    assert address in client.get(address, headers=HTMX).content.decode()
    # A menu has no dead links.
    bench.pass_deadline()
    assert client.get(address, headers=HTMX).content.decode().strip() == ""
    assert client.get(address).context["entries"] == []
    others = {who: bench.client(who).get(address).status_code for who in ("ora", "sue", "")}
    assert set(others.values()) == {404}
    assert client.get(reverse("events:offer", args=["x" * 22])).status_code == 404
    assert client.post(address).status_code == 405


def test_the_captain_offers_a_list_to_each_player_of_the_team():
    bench = opened("ann")
    Event.objects.update(is_team=True)
    team = create_team(bench.fresh(), bench.people["ann"], "Reeds")
    add_member(team, bench.people["ann"], "Una", is_reserve=False)
    roster = import_list(Visitor(user_id=bench.people["ann"].pk), read_list_file(LIST.encode()))
    page = bench.client("ann").get(reverse("events:offer", args=[roster.public_id]))
    assert [entry.name for entry, _terms in page.context["entries"]] == ["ann", "Una"]


def test_the_builder_and_the_page_of_a_list_ask_for_the_way_to_events():
    bench = opened("ann")
    roster = import_list(Visitor(user_id=bench.people["ann"].pk), read_list_file(LIST.encode()))
    address = reverse("events:offer", args=[roster.public_id])
    for page in (reverse("roster:builder", args=[roster.public_id]), roster.get_absolute_url()):
        assert f'hx-get="{address}' in bench.client("ann").get(page).content.decode()
