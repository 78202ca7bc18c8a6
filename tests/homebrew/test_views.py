"""The pages of house rules: change a value, publish, use it in a list, read it by link."""

import re
from collections.abc import Iterator
from html import escape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from catalogue.models import UnitEntry
from roster.club.services.statistics import select_counted_lists
from roster.formats.homebrew.document import MOST_LINES
from roster.models import HomebrewSet, HomebrewVersion, Roster, VerdictReport
from roster.services.evaluation import evaluate_roster, forget_evaluations
from roster.services.exchange import RosterFormat, export_list
from roster.wording.pasted import describe_verdict
from tests.roster.accounts_cast import account
from tests.roster.views_cast import Owner, started

pytestmark = pytest.mark.django_db
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def owner() -> Iterator[Owner]:
    client = Client()
    client.force_login(account())
    made = started(client)
    made.unit("warden")
    yield made
    forget_evaluations()


@pytest.fixture
def stranger() -> Client:
    client = Client()
    client.force_login(account("bob@example.org"))
    return client


def address(entry_id: str = "warden", page: str = "homebrew-value") -> str:
    units = UnitEntry.objects.filter(faction__version=F("faction__version__game__current"))
    unit = units.select_related("faction__version__game").get(entry_id=entry_id)
    faction = unit.faction
    return reverse(f"roster:{page}", args=[faction.version.game.slug, faction.slug, unit.slug])


def find_key(client: Client, label: str, entry_id: str = "warden") -> str:
    text = client.get(address(entry_id)).content.decode()
    keys = re.findall(r'href="\?value=([0-9a-f]{8})"\s*>([^<]+) <b>', text)
    return next(key for key, name in keys if name == label)


def change_points(owner: Owner, to: str = "22", **more: str) -> None:
    key = find_key(owner.client, "points")
    fields = {"value": key, "to": to, "set": "new", "name": "Sluice club rules", "source": "FAQ 3", "page": "2"}
    fields |= {f"revision-{one.public_id}": str(one.revision) for one in HomebrewSet.objects.all()}
    answer = owner.client.post(address(), fields | more)
    assert answer.status_code == 303, answer.content.decode()


def test_a_value_is_changed_published_and_used(owner: Owner, stranger: Client) -> None:
    before = Roster.objects.get().points
    change_points(owner, list=owner.public_id)
    published = HomebrewVersion.objects.get()
    roster = Roster.objects.get()
    assert (roster.tree.homebrew, roster.homebrew) == (published.key, "Sluice club rules")
    assert roster.points != before

    builder = owner.client.get(owner.url("builder")).content.decode()
    assert "By house rules" in builder
    assert "FAQ 3, p. 2" in builder
    for page in (reverse("roster:link", args=[roster.link_id]), reverse("roster:rosters")):
        assert "By house rules" in stranger_or_owner(owner, stranger, page)
    answer = stranger.get(f"/api/v1/rosters/{roster.link_id}/").json()
    assert answer["house_rules"] == "Sluice club rules"
    assert not answer["legal"]

    # Undo takes the rules off again.
    owner.client.post(owner.url("edits"), {"do": "undo", "revision": roster.head})
    roster.refresh_from_db()
    assert (roster.tree.homebrew, roster.homebrew, roster.points) == ("", "", before)


def test_lists_that_are_legal_by_house_rules_are_a_search_of_their_own(owner: Owner, stranger: Client) -> None:
    change_points(owner, list=owner.public_id)
    plain = started(owner.client)
    Roster.objects.update(verdict="legal", visibility="public")
    by_rules, legal = (Roster.objects.get(public_id=one.public_id).link_id for one in (owner, plain))
    for sought, ids in (("legal", {legal}), ("house-rules", {by_rules}), ("", {legal, by_rules}), ("illegal", set())):
        query = {"verdict": sought} if sought else {}
        rows = stranger.get("/api/v1/rosters/", query).json()["results"]
        assert {row["id"] for row in rows} == ids, sought
        page = owner.client.get(reverse("roster:rosters"), query).content.decode()
        shown = {one.link_id for one in Roster.objects.all() if one.public_id in page}
        assert shown == ids, sought
    assert list(select_counted_lists(Roster.objects.first().version.game)) == [Roster.objects.get(link_id=legal)]


def stranger_or_owner(owner: Owner, stranger: Client, page: str) -> str:
    client = owner.client if page == reverse("roster:rosters") else stranger
    return client.get(page).content.decode()


PLAIN = re.compile(r"\blegal\b(?! by | only|\s+By house rules)", re.I)
"""A verdict that does not say by whose rules."""


def test_no_surface_calls_a_list_plainly_legal_by_house_rules(owner: Owner, stranger: Client) -> None:
    before = owner.roster.head
    change_points(owner, list=owner.public_id)
    owner.done(do="rename", text="High water")
    roster = owner.roster
    assert (roster.verdict, roster.homebrew) == ("legal", "Sluice club rules")
    Roster.objects.update(visibility="public")
    link = reverse("roster:link", args=[roster.link_id])

    def read(client: Client, page: str) -> str:
        main = client.get(page).content.decode().partition("<main")[2].partition("</main>")[0]
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", main))

    by_rules = (
        (stranger, link),
        (owner.client, f"{link}?revision={roster.head - 1}"),
        (stranger, reverse("roster:public")),
        (owner.client, f"{owner.url('compare')}?a={roster.head - 1}&b={roster.head}"),
        (owner.client, owner.url("own-verdict-report")),
    )
    for client, page in by_rules:
        text = read(client, page)
        assert re.search("legal by", text, re.I), page
        assert not PLAIN.search(text), page
    rows = read(owner.client, owner.url("history"))
    assert rows.count("Legal by Sluice club rules") == 2
    assert len(PLAIN.findall(rows)) == 1, "the step before the rules"
    assert "now legal by Sluice club rules" in read(owner.client, f"{owner.url('compare')}?a={before}&b={roster.head}")

    for form in (RosterFormat.TEXT, RosterFormat.TABLE):
        assert not PLAIN.search(export_list(roster, form).decode())
    assert describe_verdict(evaluate_roster(roster)) == "Legal by Sluice club rules"

    api = f"/api/v1/rosters/{roster.link_id}/"
    revisions = owner.client.get(f"{api}revisions/").json()["results"]
    assert [row["house_rules"] for row in revisions if row["verdict"] == "legal"] == ["Sluice club rules"] * 2 + [""]
    told = owner.client.get(f"{api}diff/?from={before}&to={roster.head}").json()
    assert told["house_rules"] == ["", "Sluice club rules"]
    assert "now legal by Sluice club rules" in told["summary"]
    (way,) = owner.client.get(f"{api}fill/").json()["ways"]
    assert (way["legal"], way["house_rules"]) == (False, "Sluice club rules")

    owner.client.post(owner.url("own-verdict-report"), {"doubt": "other", "text": "It should be illegal."})
    staff = Client()
    staff.force_login(account("staff@example.org", staff=True))
    report = VerdictReport.objects.get()
    assert not PLAIN.search(read(staff, reverse("roster:verdict-report-staff", args=[report.public_id])))

    HomebrewSet.objects.all().delete()
    assert read(owner.client, owner.url("history")).count("Legal by house rules") == 2, "they are gone now"


def test_a_value_that_does_not_fit_is_refused_at_the_field(owner: Owner) -> None:
    key = find_key(owner.client, "points")
    for to in ("many", "", "1e99"):
        answer = owner.client.post(address(), {"value": key, "to": to, "set": "new", "name": "Club"})
        assert answer.status_code == 422
        assert "to-wrong" in answer.content.decode()
    answer = owner.client.post(address(), {"value": key, "to": "22", "set": "new", "name": ""})
    assert "Give the house rules a name" in answer.content.decode()
    answer = owner.client.post(address(), {"value": "00000000", "to": "22"})
    assert answer.status_code == 400
    assert not HomebrewSet.objects.exists()


def test_changing_a_value_again_publishes_the_next_version_and_lists_keep_theirs(owner: Owner) -> None:
    change_points(owner, list=owner.public_id)
    rules = HomebrewSet.objects.get()
    change_points(owner, to="23", set=rules.public_id)
    assert [version.number for version in rules.versions.all()] == [2, 1]
    assert Roster.objects.get().tree.homebrew.endswith("@1")
    page = owner.client.get(owner.url("house-rules")).content.decode()
    assert "Use version 2" in page
    owner.client.post(owner.url("house-rules"), {"homebrew": f"{rules.public_id}@2"})
    assert Roster.objects.get().tree.homebrew.endswith("@2")
    owner.client.post(owner.url("house-rules"), {"homebrew": ""})
    assert Roster.objects.get().tree.homebrew == ""


def test_unknown_rules_are_not_switched_on(owner: Owner) -> None:
    change_points(owner)
    key = HomebrewVersion.objects.get().key
    for wrong in ("nothing", key + "7", key.replace("@", ""), f"{key[:22]}@9999999999", "@1"):
        owner.client.post(owner.url("house-rules"), {"homebrew": wrong})
        assert Roster.objects.get().tree.homebrew == ""


def test_deleted_and_hidden_rules_leave_the_list_with_a_remark(owner: Owner) -> None:
    before = Roster.objects.get().points
    change_points(owner, list=owner.public_id)
    rules = HomebrewSet.objects.get()
    HomebrewSet.objects.update(taken_down=True)
    page = owner.client.get(owner.url("builder")).content.decode()
    assert "By house rules" not in page
    assert "no longer installed" in page
    assert "deleted or hidden" in owner.client.get(owner.url("house-rules")).content.decode()
    HomebrewSet.objects.update(taken_down=False)
    assert "By house rules" in owner.client.get(owner.url("builder")).content.decode()
    act(owner, rules, "delete")
    assert not HomebrewSet.objects.exists()
    assert owner.client.get(owner.url("builder")).status_code == 200
    assert Roster.objects.get().points != before  # as stored, until the next change
    owner.client.post(owner.url("house-rules"), {"homebrew": ""})
    assert Roster.objects.get().points == before


def test_a_copied_unit_is_filled_in_and_taken(owner: Owner) -> None:
    answer = owner.client.post(address(page="homebrew-copy"), {"name": "Otter Warden"})
    assert answer.status_code == 303
    page = answer["Location"]
    text = owner.client.get(page).content.decode()
    assert "Otter Warden" in text
    points = re.search(r'<label for="(v-[0-9a-f]{8})">points</label>', text)
    assert points
    kept = re.findall(r'name="kept"\s+value="([0-9a-f]{8})"', text)
    form = {"name": "Otter Warden", "kept": kept, points[1]: "31", "most": "1", "keyword": "River, Sea", "why": "Tried"}
    form |= {"ability": ["Marsh born", ""], "text": ["Water is open ground.", ""], "option": ["Net", ""]}
    form |= {"points": ["3", ""], "revision": find_revision(text)}
    answer = owner.client.post(page, form)
    assert answer.status_code == 303, answer.content.decode()
    text = owner.client.get(page).content.decode()
    assert re.search(r"<dt>Points</dt>\s*<dd>\s*<s>20</s>\s*<b>31</b>", text)
    assert "Marsh born" in text
    # The same again changes nothing.
    before = HomebrewSet.objects.get().working
    form["revision"] = find_revision(text)
    assert owner.client.post(page, form).status_code == 303
    assert HomebrewSet.objects.get().working == before

    wrong = owner.client.post(page, form | {points[1]: "many", "most": "few"})
    assert wrong.status_code == 422
    assert "2 fields to fix" in wrong.content.decode()
    assert HomebrewSet.objects.get().working == before

    rules = HomebrewSet.objects.get()
    act(owner, rules, "publish")
    owner.client.post(owner.url("house-rules"), {"homebrew": HomebrewVersion.objects.get().key})
    owner.unit("house/otter-warden")
    roster = Roster.objects.get()
    assert "Otter Warden" in [unit[0] for unit in roster.units]
    assert "By house rules" in owner.client.get(owner.url("builder")).content.decode()


def test_scripts_in_names_are_text(owner: Owner, stranger: Client) -> None:
    change_points(owner, name=SCRIPT, why=SCRIPT, source=SCRIPT, page=SCRIPT, list=owner.public_id)
    owner.client.post(address(page="homebrew-copy"), {"name": SCRIPT, "set": HomebrewSet.objects.get().public_id})
    rules, roster = HomebrewSet.objects.get(), Roster.objects.get()
    unit = re.search(r'href="([^"]+/units/[^"]+)"', owner.client.get(set_page(rules)).content.decode())
    assert unit
    pages = [
        *(owner.url(name) for name in ("builder", "house-rules", "history")),
        *(set_page(rules), unit[1], address(), reverse("roster:homebrew"), reverse("roster:rosters")),
    ]
    for page in pages:
        text = owner.client.get(page).content.decode()
        assert SCRIPT not in text
    for page in (reverse("roster:homebrew-link", args=[rules.link_id]), reverse("roster:link", args=[roster.link_id])):
        text = stranger.get(page).content.decode()
        assert SCRIPT not in text
        assert escape(SCRIPT) in text


def set_page(rules: HomebrewSet) -> str:
    return reverse("roster:homebrew-set", args=[rules.public_id])


def act(owner: Owner, rules: HomebrewSet, do: str, **fields: str) -> HttpResponse:
    """Send a form of a set's page as it is now."""
    rules.refresh_from_db()
    return owner.client.post(set_page(rules), {"do": do, "revision": rules.revision} | fields)


def find_revision(text: str) -> str:
    shown = re.search(r'name="revision"\s+value="(\d+)"', text)
    assert shown
    return shown[1]


def test_others_read_what_is_published_and_use_it(owner: Owner, stranger: Client) -> None:
    change_points(owner)
    rules = HomebrewSet.objects.get()
    link = reverse("roster:homebrew-link", args=[rules.link_id])
    assert "Sluice club rules" in stranger.get(link).content.decode()
    assert stranger.get(reverse("roster:homebrew-version", args=[rules.link_id, 2])).status_code == 404
    assert stranger.get(reverse("roster:homebrew-version", args=[rules.link_id, 10**30])).status_code == 404
    for name in ("homebrew-set", "homebrew-file"):
        assert stranger.get(reverse(f"roster:{name}", args=[rules.public_id])).status_code == 404
    assert stranger.post(set_page(rules), {"do": "delete"}).status_code == 404

    theirs = started(stranger)
    answer = stranger.post(link, {"list": theirs.public_id})
    assert answer.status_code == 303
    theirs.roster.refresh_from_db()
    assert theirs.roster.homebrew == "Sluice club rules"
    # Not for lists of others.
    assert stranger.post(link, {"list": owner.public_id}).status_code == 404


def test_nothing_is_readable_before_it_is_published(owner: Owner, stranger: Client) -> None:
    owner.client.post(address(page="homebrew-copy"), {"name": "Otter"})
    rules = HomebrewSet.objects.get()
    assert stranger.get(reverse("roster:homebrew-link", args=[rules.link_id])).status_code == 404
    assert not rules.versions.exists()


def test_a_file_goes_out_and_in(owner: Owner, stranger: Client) -> None:
    change_points(owner)
    rules = HomebrewSet.objects.get()
    file = stranger.get(reverse("roster:homebrew-version-file", args=[rules.link_id, 1]))
    assert file["Content-Type"].startswith("application/yaml")
    sent = SimpleUploadedFile("rules.yaml", file.content)
    answer = stranger.post(reverse("roster:homebrew"), {"file": sent})
    assert answer.status_code == 303
    theirs = HomebrewSet.objects.exclude(pk=rules.pk).get()
    assert theirs.working == rules.working


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "There is nothing in this document."),
        (b"\xff\xfe\x00", "not written in UTF-8"),
        (b"homebrew: 1\nname: A\ngame: nowhere", "No game called"),
        (b"homebrew: 1\nname: A\ngame: fenland\ncode: x", "Line 4: Unknown key"),
        (b"homebrew: 1\nname: A\ngame: fenland\nchanges: [{in: a, name: b, field: c}]", "House rules cannot change"),
        (b"homebrew: 1\n" + b"#" * 100_001, "too large"),
    ],
)
def test_bad_files_get_a_reason(owner: Owner, content: bytes, complaint: str) -> None:
    answer = owner.client.post(reverse("roster:homebrew"), {"file": SimpleUploadedFile("rules.yaml", content)})
    assert answer.status_code == 422
    assert complaint in answer.content.decode()
    assert not HomebrewSet.objects.exists()


def test_lines_that_no_longer_fit_are_kept_with_the_reason_and_not_published(owner: Owner) -> None:
    fitting = "{in: marsh, entry: warden, name: New, field: cost, id: points, was: 20, to: 2}"
    line = "{in: marsh, entry: gone, name: Old, field: cost, id: points, was: 1, to: 2}"
    text = f"homebrew: 1\nname: A\ngame: fenland\nchanges:\n- {fitting}\n- {line}"
    answer = owner.client.post(
        reverse("roster:homebrew"), {"file": SimpleUploadedFile("rules.yaml", text.encode())}, follow=True
    )
    page = answer.content.decode()
    assert "This data no longer has that unit" in page
    # Lines that do not fit come first.
    assert page.index("Old: 1 → 2") < page.index("New: 20 → 2")
    rules = HomebrewSet.objects.get()
    assert act(owner, rules, "publish").status_code == 422
    shown = re.search(r'name="line" value="([0-9a-f]{8})"', page)
    assert shown
    act(owner, rules, "remove", line=shown[1])
    assert "gone" not in HomebrewSet.objects.get().working
    assert act(owner, rules, "publish").status_code == 303
    assert act(owner, rules, "publish").status_code == 422
    assert act(owner, rules, "sing").status_code == 422


def test_rules_have_an_end(owner: Owner) -> None:
    for number in range(21):
        answer = owner.client.post(reverse("roster:homebrew"), {"name": f"Rules {number}", "game": "fenland"})
    assert answer.status_code == 422
    assert HomebrewSet.objects.count() == 20
    lines = "- {in: marsh, entry: x, name: Old, field: most, to: 1}\n" * (MOST_LINES + 1)
    text = f"homebrew: 1\nname: A\ngame: fenland\nchanges:\n{lines}"
    answer = owner.client.post(reverse("roster:homebrew"), {"file": SimpleUploadedFile("rules.yaml", text.encode())})
    assert "too large" in answer.content.decode()


def test_guests_sign_in_first() -> None:
    guest = Client()
    made = started(guest)
    for page in (reverse("roster:homebrew"), address()):
        answer = guest.get(page)
        assert answer.status_code == 302
        assert "/accounts/login/" in answer["Location"]
    assert guest.get(made.url("house-rules")).status_code == 200
