"""What happens to lists and links when organisers change data, link or times."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from roster.events.models import AuditRecord, Event, Participant, Recheck
from roster.events.services.events import set_version
from roster.services.outcomes import Refused
from tests.events.cast import LIST, RULES, opened
from tests.roster.small_game_update import later

pytestmark = pytest.mark.django_db

CREWED = LIST.replace("[warden, cutters]", "[warden, crew, crew, crew]")


def test_lists_are_checked_again_by_a_newer_version_and_the_report_names_whose_verdict_changed():
    bench = opened("ann", "bob", rules=RULES.replace("100", "40"))
    bench.submit("ann")
    before = bench.submit("bob", CREWED)
    settings, recheck = (reverse(f"events:{name}", args=[bench.event.public_id]) for name in ("settings", "recheck"))
    newer, organiser = later(), bench.client("ora")
    assert organiser.post(settings, {"version": newer.content_hash}).status_code == 303
    # Nothing is judged again until a user asks for it.
    assert (bench.entry("bob").verdict, bench.entry("bob").points) == ("legal", "32")
    report = organiser.get(organiser.post(recheck)["Location"])
    lines = [(line["player"], line["before"], line["verdict"]) for line, _choices in report.context["lines"]]
    assert lines == [("bob", "legal", "illegal")]
    assert (bench.entry("ann").verdict, bench.entry("bob").points) == ("legal", "47")
    assert set(Recheck.objects.values_list("version", flat=True)) == {newer.pk}
    before.refresh_from_db()
    assert (before.verdict, before.points, before.version) == ("legal", "32", bench.event.version)
    assert AuditRecord.objects.filter(act="version").exists()


def test_a_version_that_the_house_rules_do_not_fit_is_refused():
    bench = opened(rules="house-rules: 1\nbans: [Giants]")
    assert getattr(set_version(bench.event, bench.people["ora"], later()), "code", "") == "unknown-entry"
    assert bench.fresh().version == bench.event.version


def test_a_version_that_is_held_back_is_none_to_choose():
    bench = opened()
    assert set_version(bench.event, bench.people["ora"], later(hold=True)) == Refused(code="unknown-version")


def test_nobody_joins_by_an_invitation_link_that_was_renewed():
    bench = opened("ann")
    old = reverse("events:join", args=[bench.event.token])
    settings = reverse("events:settings", args=[bench.event.public_id])
    assert bench.client("jud").post(settings, {"do": "link"}).status_code == 404
    assert bench.client("sue").get(old).status_code == 200
    assert bench.client("ora").post(settings, {"do": "link"}).status_code == 303
    new = reverse("events:join", args=[bench.fresh().token])
    assert new != old
    assert [bench.client("sue").get(old).status_code, bench.client("sue").post(old).status_code] == [404, 404]
    assert not Participant.objects.filter(user=bench.people["sue"]).exists()
    assert bench.client("sue").post(new).status_code == 303
    # Players stay, and find the new link.
    assert bench.client("ann").get(bench.event.get_absolute_url()).status_code == 200
    assert new in bench.client("ora").get(settings).content.decode()


def test_moments_stand_in_the_zone_of_the_event_with_what_the_readers_own_is_made_of():
    bench = opened("ann")
    Event.objects.update(deadline=datetime(2031, 7, 1, 10, tzinfo=UTC))
    page = bench.client("ann").get(bench.event.get_absolute_url()).content.decode()
    moment = (
        '<time datetime="2031-07-01T10:00:00+00:00" data-zoned="Europe/Berlin">1 Jul 2031, 12:00 (Europe/Berlin)</time>'
    )
    assert page.count(moment) >= 1
    assert "js/events" in page
