"""Events choose one published version of players' house rules: what counts, who says so, and what changes it."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from lxml import html

from roster.events.models import Event, EventHomebrew
from roster.events.services.bench import list_acceptable
from roster.events.services.event_homebrew import set_homebrew
from roster.events.services.events import copy_event, set_house_rules
from roster.models import HomebrewSet, HomebrewVersion, Roster
from roster.services.homebrew import change_lines, delete_set, describe_set, import_set, publish_set, read_working
from roster.services.outcomes import Refused
from tests.events.cast import LIST, Bench, opened
from tests.homebrew.test_views import address as value_address
from tests.homebrew.test_views import find_key
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db

DOCUMENT = """
homebrew: 1
name: Sluice club rules
game: fenland
source: FAQ 3
units:
- in: marsh
  name: Otter Runners
  unit: house/otters
  copy of: cutters
changes:
- in: marsh
  name: Warden, points
  entry: warden
  field: cost
  id: points
  was: '20'
  to: '12'
"""


def list_otters(version: HomebrewVersion, units: str = "warden, house/otters") -> str:
    return LIST.replace("[warden, cutters]", f"[{units}]") + f"homebrew: {version.key}\n"


@pytest.fixture
def bench() -> Bench:
    return opened("ann", "bob", rules="")


def publish(bench: Bench, name: str = "ora") -> HomebrewVersion:
    homebrew_set = import_set(bench.people[name], DOCUMENT.encode())
    assert isinstance(homebrew_set, HomebrewSet), homebrew_set
    version = publish_set(homebrew_set)
    assert isinstance(version, HomebrewVersion), version
    return version


def choose(bench: Bench, version: HomebrewVersion) -> EventHomebrew:
    event = set_homebrew(bench.fresh(), bench.people["ora"], version.key)
    assert isinstance(event, Event), event
    bench.event = bench.fresh()
    assert bench.event.homebrew is not None
    return bench.event.homebrew


def settings(bench: Bench) -> str:
    return reverse("events:settings", args=[bench.event.public_id])


def read_page(bench: Bench, name: str = "ann", page: str = "event") -> str:
    return bench.client(name).get(reverse(f"events:{page}", args=[bench.event.public_id])).content.decode()


def test_house_rules_lead_to_the_settings_of_organised_events(bench: Bench) -> None:
    mine, others = publish(bench), publish(bench, "bob")
    organiser = bench.client("ora")
    pages = [reverse("roster:homebrew-set", args=[mine.homebrew_set.public_id])]
    pages += [reverse("roster:homebrew-link", args=[one.homebrew_set.link_id]) for one in (mine, others)]
    for page, version in zip(pages, (mine, mine, others), strict=True):
        link = re.search(rf'href="({settings(bench)}[^"#]+)#changed-values"', organiser.get(page).content.decode())
        assert link, page
        Event.objects.update(homebrew=None)
        form = html.fromstring(organiser.get(link[1]).content).get_element_by_id("homebrew").getparent()
        shown = organiser.get(link[1]).content.decode()
        assert "not saved yet" in shown
        assert bench.fresh().homebrew is None
        fields = dict(next(form.iterancestors("form")).form_values())
        assert (fields["homebrew"] == version.key) != bool(fields["link"])
        sent = {key: fields[key] for key in ("homebrew", "link")}
        assert organiser.post(settings(bench), sent).status_code == 303
        assert bench.fresh().homebrew.key == version.key
    # Only for events that are open, of this game and organised by the reader; other addresses are ignored.
    assert "Use in an event" not in bench.client("bob").get(pages[1]).content.decode()
    for address in ("x", "/h/" + "a" * 22 + "/", f"{pages[1]}9/"):
        assert "not saved yet" not in organiser.get(settings(bench), {"house-rules": address}).content.decode()
    Event.objects.update(status="closed")
    assert "Use in an event" not in organiser.get(pages[0]).content.decode()


def test_house_rules_are_switched_on_for_an_event_from_their_own_page(bench: Bench) -> None:
    mine, others = publish(bench), publish(bench, "bob")
    client, fields = bench.client("ora"), {"event": bench.event.public_id}
    for version, page in ((mine, "homebrew-set"), (others, "homebrew-version")):
        rules = version.homebrew_set
        args = [rules.public_id] if page == "homebrew-set" else [rules.link_id, 1]
        answer = client.post(reverse("roster:homebrew-version", args=[rules.link_id, 1]), fields)
        assert (answer.status_code, answer["Location"]) == (303, reverse(f"roster:{page}", args=args))
        assert bench.fresh().homebrew.key == version.key
        shown = client.get(answer["Location"]).content.decode()
        assert "“Autumn Muster” now judges lists by “Sluice club rules”, version 1." in shown
        assert "Now judges by" in shown
        assert "Switch on" not in shown
    assert bench.event.audit.filter(act="homebrew", actor=bench.people["ora"]).count() == 2
    address = reverse("roster:homebrew-version", args=[others.homebrew_set.link_id, 1])
    # Only organisers, and only while the event is open.
    for name in ("bob", "ann", ""):
        assert bench.client(name).post(address, fields).status_code == 404
    assert client.post(address, {"event": "x"}).status_code == 404
    Event.objects.update(status="closed")
    assert client.post(address, fields).status_code == 404


def test_a_changed_value_applies_to_an_event(bench: Bench) -> None:
    client, made = bench.client("ora"), started(bench.client("ora"))
    page = value_address()
    assert "Applies to" not in bench.client("bob").get(page, {"value": find_key(client, "points")}).content.decode()
    fields = {"value": find_key(client, "points"), "to": "22", "set": "new", "name": "Club", "list": made.public_id}
    fields["event"] = bench.event.public_id
    assert client.get(page, fields).content.decode().count('name="event"') == 2
    answer = client.post(page, fields)
    version = HomebrewVersion.objects.get()
    assert answer["Location"] == reverse("roster:homebrew-set", args=[version.homebrew_set.public_id])
    assert bench.fresh().homebrew.key == version.key
    assert Roster.objects.get(public_id=made.public_id).homebrew == ""
    # The same value again makes no version, but an event can still choose the one that has it.
    Event.objects.update(homebrew=None)
    fields |= {"set": version.homebrew_set.public_id, f"revision-{version.homebrew_set.public_id}": "2"}
    assert client.post(page, fields).status_code == 303
    assert bench.fresh().homebrew.key == version.key == HomebrewVersion.objects.get().key


def test_a_value_is_not_stored_if_its_event_refuses_it(bench: Bench) -> None:
    choose(bench, publish(bench))
    cap = "house-rules: 1\nname: Muster\ncaps: [{cap: Otter Runners, at most: 1}]\n"
    assert isinstance(set_house_rules(bench.fresh(), bench.people["ora"], cap), Event)
    client = bench.client("ora")
    fields = {"value": find_key(client, "points"), "to": "22", "set": "new", "name": "Other rules", "why": "Too cheap"}
    for event, complaint in ((bench.event.public_id, "Otter Runners"), ("gone", "organise")):
        answer = client.post(value_address(), fields | {"event": event})
        assert answer.status_code == 422
        shown = answer.content.decode()
        assert complaint in html.fromstring(shown).get_element_by_id("event-wrong").text_content()
        assert 'value="Too cheap"' in shown
    assert HomebrewSet.objects.get().name == bench.fresh().homebrew.name == "Sluice club rules"


def test_an_organiser_chooses_a_version_in_the_settings(bench: Bench) -> None:
    version = publish(bench)
    client = bench.client("ora")
    assert f'value="{version.key}"' in client.get(settings(bench)).content.decode()
    assert client.post(settings(bench), {"homebrew": version.key, "link": ""}).status_code == 303
    event = bench.fresh()
    assert event.homebrew is not None
    assert (event.homebrew.origin, event.homebrew.name) == (version, "Sluice club rules")
    page = read_page(bench)
    assert "Warden, points: 20 → 12" in page
    assert reverse("roster:homebrew-version", args=[version.homebrew_set.link_id, 1]) in page
    # And takes the choice back.
    assert client.post(settings(bench), {"homebrew": "", "link": ""}).status_code == 303
    assert (bench.fresh().homebrew, bench.fresh().rules_hash) == (None, "")
    assert "Sluice club rules" not in read_page(bench)


def test_house_rules_of_somebody_else_are_chosen_by_link(bench: Bench) -> None:
    version = publish(bench, "sue")
    link = f"https://lists.example.org/h/{version.homebrew_set.link_id}/"
    client = bench.client("ora")
    assert client.post(settings(bench), {"homebrew": "", "link": link}).status_code == 303
    assert bench.fresh().homebrew.key == version.key
    assert client.post(settings(bench), {"homebrew": "", "link": f"{link}1/"}).status_code == 303


@pytest.mark.parametrize("fields", [{"link": "https://lists.example.org/h/" + "x" * 22 + "/"}, {"link": "club rules"}])
def test_a_link_without_house_rules_is_refused_and_kept_in_the_form(bench: Bench, fields: dict[str, str]) -> None:
    answer = bench.client("ora").post(settings(bench), {"homebrew": "", **fields})
    assert answer.status_code == 422
    assert fields["link"] in answer.content.decode()
    assert bench.fresh().homebrew is None


@pytest.mark.parametrize("key", ["nothing", "@1", "x" * 22 + "@1"])
def test_unknown_house_rules_are_refused(bench: Bench, key: str) -> None:
    assert set_homebrew(bench.event, bench.people["ora"], key) == Refused(code="unknown-rules", subject_id=key)
    assert bench.client("ora").post(settings(bench), {"homebrew": key}).status_code == 422


def test_house_rules_of_another_game_are_refused(bench: Bench) -> None:
    version = publish(bench)
    game = version.homebrew_set.game
    game.pk, game.slug, game.current = None, "elsewhere", None
    game.save()
    HomebrewSet.objects.update(game=game)
    assert set_homebrew(bench.event, bench.people["ora"], version.key) == Refused(
        code="unknown-rules", subject_id=version.key
    )


def test_lists_are_judged_by_the_chosen_values_and_never_plainly_legal(bench: Bench) -> None:
    plain = bench.submit("ann")
    assert plain.verdict == "legal"
    version = publish(bench)
    choose(bench, version)
    changed = bench.submit("ann")
    assert (changed.number, changed.verdict) == (2, "by-rules")
    assert float(plain.points) - float(changed.points) == 8
    assert changed.report["word"] == "Legal by Sluice club rules"
    assert not changed.report["legal"]
    assert bench.submit("bob", list_otters(version)).verdict == "by-rules"

    for page in ("bench", "event"):
        text = read_page(bench, "ora" if page == "bench" else "ann", page)
        assert "Legal by" in text
    address = reverse("events:list", args=[bench.event.public_id, bench.entry("ann").public_id])
    shown = bench.client("ann").get(address).content.decode()
    assert "Legal by Sluice club rules" in shown
    receipt = reverse("events:receipt", args=[bench.event.public_id, changed.public_id])
    assert "Sluice club rules" in bench.client("ann").get(receipt).content.decode()
    # They break no rule of the event, so an organiser can accept all of them at once.
    assert {entry.name for entry in list_acceptable(bench.event)} == {bench.entry(n).name for n in ("ann", "bob")}


def test_without_the_choice_units_of_house_rules_are_unknown(bench: Bench) -> None:
    version = publish(bench)
    submission = bench.submit("ann", list_otters(version))
    assert submission.verdict == "illegal"
    assert "unknown-entry" in {violation["code"] for violation in submission.report["violations"]}


def test_a_new_version_changes_nothing_in_the_event(bench: Bench) -> None:
    version = publish(bench)
    chosen = choose(bench, version)
    before = bench.submit("ann").points
    homebrew_set = version.homebrew_set
    change_lines(homebrew_set, remove=read_working(homebrew_set).changes)
    newer = publish_set(homebrew_set)
    assert isinstance(newer, HomebrewVersion)
    assert bench.submit("bob").points == before
    assert bench.fresh().homebrew == chosen
    # The newer version is offered, and counts once it is chosen.
    assert newer.key in bench.client("ora").get(settings(bench)).content.decode()
    choose(bench, newer)
    assert bench.submit("bob").points != before


def test_deleted_house_rules_still_count(bench: Bench) -> None:
    version = publish(bench)
    choose(bench, version)
    before = bench.submit("ann").points
    assert delete_set(version.homebrew_set) is None
    bench.event = bench.fresh()
    assert bench.submit("bob").points == before
    page = read_page(bench)
    assert "Sluice club rules" in page
    assert "has deleted them" in page
    # Saving the settings again keeps them.
    client = bench.client("ora")
    assert client.post(settings(bench), {"homebrew": version.key, "link": ""}).status_code == 303
    assert bench.fresh().homebrew.key == version.key


def test_hidden_house_rules_stop_counting_and_the_event_says_so(bench: Bench) -> None:
    version = publish(bench)
    choose(bench, version)
    changed = bench.submit("ann")
    HomebrewSet.objects.update(taken_down=True)
    bench.event = bench.fresh()
    plain = bench.submit("bob")
    assert float(plain.points) - float(changed.points) == 8
    assert plain.verdict == "legal"
    assert "rules-gone" in {note["code"] for note in plain.report["unchecked"]}
    page = read_page(bench)
    assert "Sluice club rules" not in page
    assert "have hidden the chosen house rules" in page
    assert "Sluice club rules" not in read_page(bench, "ora", "settings")
    # Nor do pages that offer the event's organiser to switch on other rules.
    client = bench.client("ora")
    shown = client.get(value_address(), {"value": find_key(client, "points")}).content.decode()
    assert "An event: Autumn Muster" in shown
    assert "Hidden by the staff" in shown
    assert "Now judges by" not in shown
    others = publish(bench, "bob").homebrew_set
    link = reverse("roster:homebrew-link", args=[others.link_id])
    assert "Hidden by the staff" in client.get(link).content.decode()


def test_own_house_rules_may_name_units_of_the_chosen_ones(bench: Bench) -> None:
    cap = "house-rules: 1\nname: Muster\ncaps: [{cap: Otter Runners, at most: 1}]\n"
    assert not isinstance(set_house_rules(bench.event, bench.people["ora"], cap), Event)
    version = publish(bench)
    choose(bench, version)
    assert isinstance(set_house_rules(bench.event, bench.people["ora"], cap), Event)
    two = list_otters(version, "warden, house/otters, house/otters")
    assert bench.submit("ann", two).verdict == "illegal"
    # The choice cannot be taken back while the event's own rules name such a unit.
    assert not isinstance(set_homebrew(bench.fresh(), bench.people["ora"], ""), Event)


def test_a_copied_event_has_its_own_copy(bench: Bench) -> None:
    choose(bench, publish(bench))
    copied = copy_event(bench.event, bench.people["ora"])
    assert isinstance(copied, Event)
    copied.refresh_from_db()
    assert copied.homebrew is not None
    assert (copied.homebrew.event, copied.rules_hash) == (copied, bench.event.rules_hash)


def test_a_submission_keeps_its_house_rules(bench: Bench) -> None:
    version = publish(bench)
    choose(bench, version)
    bench.submit("ann", list_otters(version))
    set_homebrew(bench.fresh(), bench.people["ora"], "")
    address = reverse("events:list", args=[bench.event.public_id, bench.entry("ann").public_id])
    page = bench.client("ann").get(address).content.decode()
    assert "Legal by Sluice club rules" in page
    assert "Otter Runners" in page


def test_a_list_switches_them_on_with_one_click(bench: Bench) -> None:
    version = publish(bench)
    choose(bench, version)
    owner = started(bench.client("ann"))
    offer = reverse("events:offer", args=[owner.public_id])
    for answer in (
        bench.client("ann").get(offer),
        bench.client("ann").post(
            reverse("events:submit", args=[bench.event.public_id, bench.entry("ann").public_id]),
            {"do": "check", "roster": owner.public_id},
        ),
    ):
        page = answer.content.decode()
        assert f'action="{owner.url("house-rules")}"' in page
        assert version.key in page
    owner.client.post(owner.url("house-rules"), {"homebrew": version.key})
    assert Roster.objects.get().tree.homebrew == version.key
    assert version.key not in bench.client("ann").get(offer).content.decode()


def test_scripts_in_names_stay_text(bench: Bench) -> None:
    script = "<script>alert(1)</script>"
    homebrew_set = import_set(bench.people["ora"], DOCUMENT.replace("Sluice club rules", script).encode())
    assert isinstance(homebrew_set, HomebrewSet)
    choose(bench, publish_set(homebrew_set))
    bench.submit("ann")
    pages = [read_page(bench), read_page(bench, "ora", "settings"), read_page(bench, "ora", "bench")]
    assert all(script not in page and "&lt;script&gt;alert" in page for page in pages[:2])
    assert script not in pages[2]


def test_programs_read_what_counts(bench: Bench) -> None:
    client, address = bench.client("ora"), f"/api/v1/events/{bench.event.public_id}/"
    assert client.get(address).json()["homebrew"] == ""
    version = publish(bench)
    choose(bench, version)
    told = client.get(address).json()
    assert (told["homebrew"], told["homebrew_name"]) == (version.key, "Sluice club rules")
    assert told["rules_hash"]
    with CaptureQueriesContext(connection) as first:
        assert [event["homebrew"] for event in client.get("/api/v1/events/").json()] == [version.key]
    copy_event(bench.event, bench.people["ora"])
    with CaptureQueriesContext(connection) as second:
        assert [event["homebrew"] for event in client.get("/api/v1/events/").json()] == [version.key] * 2
    assert len(first) == len(second)
    HomebrewSet.objects.update(taken_down=True)
    assert client.get(address).json()["homebrew_name"] == ""


def test_strangers_cannot_choose(bench: Bench) -> None:
    version = publish(bench, "sue")
    for name in ("sue", "ann", "jud"):
        assert bench.client(name).post(settings(bench), {"homebrew": version.key}).status_code == 404
    assert bench.fresh().homebrew is None


def test_the_version_of_an_event_is_not_deleted_for_a_newer_one(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roster.services.homebrew.MOST_VERSIONS", 2)
    chosen = publish(bench)
    choose(bench, chosen)
    homebrew_set = chosen.homebrew_set
    for name in ("Two", "Three"):
        assert describe_set(homebrew_set, name, "") is None
        assert isinstance(publish_set(homebrew_set), HomebrewVersion)
    assert {version.number for version in homebrew_set.versions.all()} == {1, 3}
