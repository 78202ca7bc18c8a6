"""Who may see a list: private, by link, public, secret, withdrawn, reported, hidden."""

import io
import re
from html import escape, unescape
from typing import Any

import pytest
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from catalogue.models import GameSystem
from roster.models import AbuseReport, Roster
from roster.models.ownership import Visibility
from roster.services import list_search
from roster.services.accounts import set_player_name
from roster.services.backups import restore_backup, write_owner_backup
from roster.services.history import name_revision
from roster.services.owners import Visitor
from roster.services.sharing import MOST_OPEN, put_back, take_down
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.views_cast import SCRIPT, Owner, started, started_with_account

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

PUBLIC = reverse("roster:public")
SEEN = ("link", "sheet", "file", "api", "report")


def ways_in(roster: Roster) -> dict[str, str]:
    """Every address at which others could read something of a list."""
    link_id = roster.link_id
    return {
        "link": reverse("roster:link", args=[link_id]),
        "sheet": reverse("roster:sheet", args=[link_id]),
        "file": reverse("roster:file", args=[link_id, "json"]),
        "api": reverse("roster_api:roster", args=[link_id]),
        "report": reverse("roster:report", args=[link_id]),
    }


def open_to(client: Client, owner: Owner) -> set[str]:
    """Return which of these addresses are open; the others answer as if nothing existed."""
    answers = {name: client.get(address).status_code for name, address in ways_in(owner.roster).items()}
    assert set(answers.values()) <= {200, 404}
    return {name for name, status in answers.items() if status == 200}


def say(owner: Owner, visibility: str, /, **fields: str) -> HttpResponse:
    return owner.client.post(owner.url("sharing"), {"do": "share", "visibility": visibility} | fields)


@pytest.fixture
def owner() -> Owner:
    return started_with_account()


# ---- private, by link, public ------------------------------------------------------------------------------------


def test_a_list_begins_by_link(owner: Owner) -> None:
    assert owner.roster.visibility == Visibility.LINK
    assert open_to(Client(), owner) == set(SEEN)


@pytest.mark.parametrize("visibility", Visibility.values)
def test_who_sees_what(owner: Owner, visibility: str) -> None:
    assert say(owner, visibility)["Location"] == owner.url("sharing")
    staff = Client()
    staff.force_login(account("staff@example.org", staff=True))
    expected = set() if visibility == Visibility.PRIVATE else set(SEEN)
    assert open_to(Client(), owner) == open_to(staff, owner) == expected
    assert open_to(owner.client, owner) == {"link", "sheet", "file", "api"}


def test_private_lists_are_copied_by_nobody_else(owner: Owner) -> None:
    say(owner, Visibility.PRIVATE)
    assert Client().post(owner.url("copy")).status_code == 404
    assert owner.client.post(owner.url("copy")).status_code == 303
    assert Roster.objects.count() == 2


def test_a_copy_is_of_the_revision_that_its_form_names(owner: Owner) -> None:
    first = owner.roster.revisions.get(number=1)
    assert first.points != owner.roster.points
    assert Client().post(owner.url("copy"), {"revision": "1", "hash": "0" * 8}).status_code == 404
    Client().post(owner.url("copy"), {"revision": "1", "hash": first.content_hash})
    assert Roster.objects.exclude(public_id=owner.public_id).get().points == first.points


def test_a_copy_is_shared_by_its_new_owner_alone(owner: Owner) -> None:
    say(owner, Visibility.PUBLIC)
    Client().post(owner.url("copy"))
    copy = Roster.objects.exclude(public_id=owner.public_id).get()
    assert (copy.visibility, copy.is_secret) == (Visibility.LINK, False)
    assert copy.link_id != owner.roster.link_id


@pytest.mark.parametrize("visibility", ["", "everybody", "PUBLIC", SCRIPT, "\x00"])
def test_bad_form(owner: Owner, visibility: str) -> None:
    answer = say(owner, visibility, secret="on", link_id="x" * 22, owner="1", taken_down="", name="Mine")
    assert answer.status_code == 400
    assert SCRIPT not in markup(answer)
    roster = owner.roster
    assert (roster.visibility, roster.is_secret, roster.name) == (Visibility.LINK, False, "Low water")


def test_nothing_else_of_a_list_can_be_set_by_this_form(owner: Owner) -> None:
    take_down(owner.roster)
    before = owner.roster
    say(owner, Visibility.PUBLIC, link_id="x" * 22, owner="", owner_key="k", taken_down="off", points="1", name="Me")
    after = owner.roster
    for field in ("link_id", "owner_id", "owner_key", "taken_down", "points", "name", "updated"):
        assert getattr(after, field) == getattr(before, field)


def test_a_guest_cannot_make_a_list_public(client: Client) -> None:
    guest = started(client)
    answer = say(guest, Visibility.PUBLIC)
    assert answer.status_code == 422
    assert guest.roster.visibility == Visibility.LINK
    assert say(guest, Visibility.PRIVATE).status_code == 302 or guest.roster.visibility == Visibility.PRIVATE


def test_strangers_have_nothing_to_say(owner: Owner) -> None:
    for client in (Client(), started(Client()).client):
        assert client.get(owner.url("sharing")).status_code == 404
        assert client.post(owner.url("sharing"), {"visibility": "private"}).status_code == 404
    assert owner.roster.visibility == Visibility.LINK


def test_the_page_asks_the_same_whatever_is_in_the_list(owner: Owner, django_assert_num_queries: Any) -> None:
    name_revision(owner.roster, 1, "Before the club night")
    for _ in (1, 3):
        with django_assert_num_queries(5):  # session, account, player name, list, named revisions
            owner.client.get(owner.url("sharing"))
        for entry in ("cutters", "crew"):
            owner.unit(entry)
            name_revision(owner.roster, owner.roster.head, entry)


# ---- taking a link back ------------------------------------------------------------------------------------------


def test_an_address_taken_back_leads_nowhere(owner: Owner) -> None:
    old = ways_in(owner.roster)
    owner.client.post(owner.url("sharing"), {"do": "renew"})
    assert {Client().get(address).status_code for address in old.values()} == {404}
    assert {owner.client.get(address).status_code for address in old.values()} == {404}
    assert open_to(Client(), owner) == set(SEEN)
    assert owner.page().status_code == 200, "the owner's own address stays"


def test_every_link_on_the_owners_pages_is_the_new_one(owner: Owner) -> None:
    owner.client.post(owner.url("sharing"), {"do": "renew"})
    names = ("builder", "sharing", "plan")
    pages = [markup(owner.client.get(owner.url(name))) for name in names]
    pages.append(markup(owner.client.get(reverse("roster:rosters"))))
    pages.append(markup(owner.client.get(ways_in(owner.roster)["link"])))
    links = [set(re.findall(r"/r/([\w-]{22})/", page)) for page in pages]
    assert any(links)
    assert all(found <= {owner.roster.link_id} for found in links)


# ---- a secret list -----------------------------------------------------------------------------------------------


def test_a_secret_list_tells_units_alone(owner: Owner) -> None:
    owner.done(do="notes", node="", text="Turns up late")
    say(owner, Visibility.LINK, secret="on")
    told = markup(Client().get(owner.url("link")))
    assert "Wärden" in told
    whole = markup(owner.client.get(owner.url("link")))
    for hidden in ("Turns up late", "points</span>", "Datasheets", "Copy to my lists", "roster.json"):
        assert hidden not in told
    assert "Turns up late" in whole
    assert open_to(Client(), owner) == {"link", "sheet", "report"}
    assert open_to(owner.client, owner) == {"link", "sheet", "file", "api"}
    assert Client().post(owner.url("copy")).status_code == 404


def test_the_sheet_of_a_secret_list_is_the_secret_one_for_others(owner: Owner) -> None:
    say(owner, Visibility.LINK, secret="on")
    sheet = owner.url("sheet")
    tags = {
        style: (Client().get(sheet + f"?style={style}")["ETag"], owner.client.get(sheet + f"?style={style}")["ETag"])
        for style in ("full", "summary", "opponent", "veiled")
    }
    others = {other for other, _ in tags.values()}
    assert others == {tags["veiled"][1]}
    assert len({mine for _, mine in tags.values()}) == 4


# ---- link previews -----------------------------------------------------------------------------------------------


def test_no_search_engine_is_told_but_of_public_lists(owner: Owner) -> None:
    for visibility, told in ((Visibility.LINK, False), (Visibility.PUBLIC, True)):
        say(owner, visibility)
        answer = Client().get(owner.url("link"))
        assert ("X-Robots-Tag" not in answer) is told
        assert ('content="noindex"' not in markup(answer)) is told
    for name in ("sheet", "report"):
        answer = Client().get(ways_in(owner.roster)[name])
        assert "noindex" in answer.get("X-Robots-Tag", "") + answer.content.decode("latin-1")


def test_a_link_says_what_it_leads_to(owner: Owner) -> None:
    page = markup(Client().get(owner.url("link")))
    address = f"http://testserver{owner.url('link')}"
    assert f'<meta property="og:url" content="{address}">' in page
    assert '<meta property="og:title" content="Low water">' in page
    assert 'property="og:description"' in page
    assert 'property="og:image"' in page
    assert re.search(r'<div class="qr"[^>]*><svg[^>]*>', page)


def test_a_preview_says_names_as_they_are_and_the_verdict_once(owner: Owner) -> None:
    GameSystem.objects.update(name="Fen's Edge")

    def preview() -> str:
        page = markup(Client().get(owner.roster.get_absolute_url()))
        found = re.search(r'property="og:description" content="([^"]*)"', page)
        assert found
        return unescape(found[1])

    assert preview().startswith("Fen's Edge")
    say(owner, "link", secret="on")
    said = preview()
    assert said.startswith("Fen's Edge")
    assert owner.roster.get_verdict_display().capitalize() in said
    assert ". ." not in said


@pytest.mark.parametrize("field", ["name", "notes"])
def test_script_in_texts_stays_text(owner: Owner, field: str) -> None:
    if field == "name":
        owner.done(do="rename", node="", text=SCRIPT)
    else:
        owner.done(do="notes", node="", text=SCRIPT)
    say(owner, Visibility.PUBLIC)
    for address in (owner.url("link"), owner.url("sharing"), PUBLIC, ways_in(owner.roster)["report"]):
        for client in (owner.client, Client()):
            assert SCRIPT not in markup(client.get(address))
    say(owner, Visibility.PUBLIC, secret="on")
    assert SCRIPT not in markup(Client().get(owner.url("link")))


# ---- public lists ------------------------------------------------------------------------------------------------


def on_show(client: Client, **query: str) -> set[str]:
    answer = client.get(PUBLIC, query)
    assert answer.status_code == 200
    return {row.roster.public_id for row in answer.context["rows"]}


def test_public_lists_alone_are_on_show(owner: Owner, client: Client) -> None:
    started(Client())
    for visibility, shown in (
        (Visibility.PRIVATE, set()),
        (Visibility.LINK, set()),
        (Visibility.PUBLIC, {owner.public_id}),
    ):
        say(owner, visibility)
        assert on_show(client) == shown
    assert on_show(client, game="fenland") == {owner.public_id}
    assert on_show(client, game="elsewhere") == on_show(client, game=SCRIPT) == set()
    assert on_show(client, q="Low wat", faction="marsh") == {owner.public_id}
    assert on_show(client, q="high") == on_show(client, faction="weir") == on_show(client, size="no") == set()
    assert on_show(client, legal="yes") == ({owner.public_id} if owner.roster.verdict == "legal" else set())
    for page in ("0", "99", "-1", "x", "\x00"):
        assert client.get(PUBLIC, {"page": page}).status_code == 200


def test_points_of_secret_lists_are_not_on_show(owner: Owner, client: Client) -> None:
    say(owner, Visibility.PUBLIC)
    told = f'<span class="big">{owner.roster.points}<'
    assert told in markup(client.get(PUBLIC))
    say(owner, Visibility.PUBLIC, secret="on")
    assert told not in markup(client.get(PUBLIC))
    assert on_show(client) == {owner.public_id}


def test_names_of_owners_are_not_on_show(owner: Owner, client: Client) -> None:
    say(owner, Visibility.PUBLIC)
    for address in (PUBLIC, owner.url("link"), ways_in(owner.roster)["api"]):
        page = markup(client.get(address))
        assert "ann" not in re.findall(r"\w+", page)
        assert "example.org" not in page


def test_public_page_asks_the_same_at_one_and_three_lists(
    owner: Owner, client: Client, django_assert_num_queries: Any
) -> None:
    say(owner, Visibility.PUBLIC)
    for _ in (1, 3):
        with django_assert_num_queries(5):  # games and factions in the filter, keys, rows, games
            client.get(PUBLIC)
        for _number in range(2):
            say(started(owner.client), Visibility.PUBLIC)


def test_public_lists_are_found_by_words_faction_and_size(owner: Owner, client: Client) -> None:
    say(owner, Visibility.PUBLIC)
    mine = {owner.public_id}
    limit = Roster.objects.get(public_id=owner.public_id).limit
    assert on_show(client, q="warden") == on_show(client, q="wardn") == mine
    assert on_show(client, faction="marsh") == on_show(client, size=limit) == mine
    assert on_show(client, q="giants") == on_show(client, faction="weir") == on_show(client, size="7") == set()
    for bad in ({"faction": SCRIPT}, {"size": "\x00"}, {"q": "x" * 9_000}, {"folder": "1", "tag": "1"}):
        assert client.get(PUBLIC, bad).status_code == 200


def copied(owner: Owner, number: int) -> str:
    """Make a list of this owner public with a number of copies, and return its id."""
    made = started(owner.client)
    say(made, Visibility.PUBLIC)
    Roster.objects.filter(public_id=made.public_id).update(times_copied=number)
    return made.public_id


def in_order(client: Client, **query: str) -> list[str]:
    return [row.roster.public_id for row in client.get(PUBLIC, query).context["rows"]]


def test_the_most_copied_lists_come_first_where_that_is_asked_for(owner: Owner, client: Client) -> None:
    newest_last = [copied(owner, number) for number in (1, 2, 0, 2)]
    first, second, third, fourth = newest_last
    assert in_order(client, order="copied") == [fourth, second, first, third]
    newest = newest_last[::-1]
    assert in_order(client) == in_order(client, order="") == newest
    for bad in ("name", "times_copied", SCRIPT, "\x00"):
        assert in_order(client, order=bad) == newest


def test_pages_of_the_most_copied_lists_go_on_in_their_order(
    owner: Owner, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_search, "AT_ONCE", 2)
    low, high, middle = (copied(owner, number) for number in (1, 9, 5))
    page = client.get(PUBLIC, {"order": "copied", "legal": ""})
    assert [row.roster.public_id for row in page.context["rows"]] == [high, middle]
    [following] = re.findall(r'rel="next"\s+href="([^"]+)"', page.content.decode())
    [last] = client.get(PUBLIC + unescape(following)).context["rows"]
    assert last.roster.public_id == low


def test_a_row_says_how_often_its_list_was_copied(owner: Owner, client: Client) -> None:
    say(owner, Visibility.PUBLIC)
    assert "Copied" not in markup(client.get(PUBLIC))
    for sentence in ("Copied 1 time", "Copied 2 times"):
        assert Client().post(owner.url("copy")).status_code == 303
        assert f'aria-label="{sentence}"' in markup(client.get(PUBLIC))


def test_a_restored_list_was_not_copied(owner: Owner) -> None:
    Roster.objects.update(times_copied=3)
    visitor, file = Visitor(user_id=owner.roster.owner_id), io.BytesIO()
    write_owner_backup(visitor, file)
    owner.roster.delete()
    file.seek(0)
    assert restore_backup(visitor, file).restored == 1
    assert owner.roster.times_copied == 0


def test_words_of_units_find_no_list_that_hides_them(owner: Owner, client: Client) -> None:
    say(owner, Visibility.PUBLIC, secret="on")
    assert on_show(client, q="warden") == on_show(client, q="wardn") == set()
    assert on_show(client, q=owner.roster.name.split()[0]) == {owner.public_id}


def test_a_player_is_named_who_chose_a_name(owner: Owner, client: Client) -> None:
    say(owner, Visibility.PUBLIC)
    set_player_name(owner.roster.owner, SCRIPT[:20])
    for address in (PUBLIC, owner.url("link")):
        page = client.get(address).content.decode()
        assert SCRIPT[:20] not in page
        assert escape(SCRIPT[:20]) in page


# ---- reports -----------------------------------------------------------------------------------------------------


def report(client: Client, owner: Owner, **fields: str) -> HttpResponse:
    form = {"reason": "offensive", "text": "Look at the name"} | fields
    return client.post(ways_in(owner.roster)["report"], form)


def test_anybody_reports(owner: Owner) -> None:
    assert report(Client(), owner).status_code == 302
    made = AbuseReport.objects.get()
    assert (made.thing, made.reason, made.text, made.settled) == (owner.roster, "offensive", "Look at the name", None)


@pytest.mark.parametrize(
    ("fields", "status"), [({"reason": ""}, 400), ({"reason": SCRIPT}, 400), ({"text": "x" * 1001}, 422)]
)
def test_bad_report(owner: Owner, fields: dict[str, str], status: int) -> None:
    answer = report(Client(), owner, **fields)
    assert answer.status_code == status
    assert SCRIPT not in markup(answer)
    assert not AbuseReport.objects.exists()


def test_a_flood_of_reports_is_not_kept(owner: Owner) -> None:
    for _ in range(MOST_OPEN + 3):
        assert report(Client(), owner, settled="2000-01-01", object_id="999").status_code == 302
    assert AbuseReport.objects.count() == AbuseReport.objects.filter(settled=None).count() == MOST_OPEN


def test_reports_go_with_what_they_are_about(owner: Owner) -> None:
    report(Client(), owner)
    owner.roster.delete()
    assert not AbuseReport.objects.exists()


def hide(client: Client, action: str = "hide", model: str = "abusereport") -> HttpResponse:
    objects = AbuseReport.objects.all() if model == "abusereport" else Roster.objects.all()
    form = {"action": action, "_selected_action": [thing.pk for thing in objects]}
    return client.post(reverse(f"admin:roster_{model}_changelist"), form)


def test_staff_hide_what_is_reported_and_show_it_again(owner: Owner, admin_client: Client) -> None:
    say(owner, Visibility.PUBLIC)
    report(Client(), owner, text=SCRIPT)
    page = markup(admin_client.get(reverse("admin:roster_abusereport_changelist")))
    assert owner.url("link") in page
    assert SCRIPT not in page
    hide(admin_client)
    assert open_to(Client(), owner) == set()
    assert on_show(Client()) == set()
    assert open_to(owner.client, owner) == {"link", "sheet", "file", "api"}
    assert "Hidden by the staff" in markup(owner.client.get(owner.url("link")))
    assert admin_client.get(owner.url("link")).status_code == 200
    assert AbuseReport.objects.get().settled
    say(owner, Visibility.PUBLIC)
    assert open_to(Client(), owner) == set(), "what the staff hid, its owner cannot show"
    hide(admin_client, "show_again", "roster")
    assert open_to(Client(), owner) == set(SEEN)


def test_the_owner_of_what_is_hidden_is_told(owner: Owner, admin_client: Client) -> None:
    user = account("bea@example.org")
    Roster.objects.filter(pk=owner.roster.pk).update(owner=user, owner_key="")
    owner.client.force_login(user)
    report(Client(), owner)
    page = reverse("admin:roster_abusereport_changelist")
    form = {"action": "hide", "_selected_action": [AbuseReport.objects.get().pk]}
    assert "1 was hidden" in markup(admin_client.post(page, form, follow=True))
    [letter] = mail.outbox
    assert letter.to == ["bea@example.org"]
    assert owner.roster.name in letter.subject
    assert "It is offensive" in letter.body
    assert "The staff have hidden this list" in markup(owner.page())
    assert "Hidden by the staff" in markup(owner.client.get(reverse("roster:rosters")))
    hide(admin_client)
    assert len(mail.outbox) == 1, "once is enough"


def test_a_copy_of_what_is_hidden_is_hidden(owner: Owner, admin_client: Client) -> None:
    report(Client(), owner)
    hide(admin_client)
    owner.client.post(owner.url("link") + "copy/")
    copied = Roster.objects.exclude(pk=owner.roster.pk).get()
    assert copied.taken_down
    hide(admin_client, "show_again")
    assert not owner.roster.taken_down, "shown again from among the reports"


def test_the_admin_deletes_nothing_by_the_dozen(owner: Owner, admin_client: Client) -> None:
    for model in ("roster_roster", "play_missiondeck"):
        page = markup(admin_client.get(reverse(f"admin:{model}_changelist")))
        assert 'value="delete_selected"' not in page
    hide(admin_client, "delete_selected", "roster")
    assert Roster.objects.filter(pk=owner.roster.pk).exists()


def test_staff_leave_what_is_as_it_should_be(owner: Owner, admin_client: Client) -> None:
    report(Client(), owner)
    hide(admin_client, "leave")
    assert AbuseReport.objects.get().settled
    assert open_to(Client(), owner) == set(SEEN)


def test_only_staff_with_that_right_hide(owner: Owner) -> None:
    report(Client(), owner)
    looking = account("looking@example.org")
    looking.is_staff = True
    looking.save()
    for client in (Client(), owner.client):
        assert hide(client).status_code in (302, 403)
    client = Client()
    client.force_login(looking)
    assert hide(client).status_code == 403
    assert not owner.roster.taken_down


def test_admin_asks_the_same_at_one_and_three_reports(
    owner: Owner, admin_client: Client, django_assert_num_queries: Any
) -> None:
    address = reverse("admin:roster_abusereport_changelist")
    report(Client(), owner)
    admin_client.get(address)
    for _ in (1, 3):
        with django_assert_num_queries(8):
            admin_client.get(address)
        report(Client(), owner)
        report(Client(), started(Client()))


def test_put_back_is_what_the_owner_chose(owner: Owner) -> None:
    say(owner, Visibility.PRIVATE)
    take_down(owner.roster)
    put_back(owner.roster)
    assert open_to(Client(), owner) == set()


def test_nothing_private_looks_like_nothing_at_all(owner: Owner) -> None:
    say(owner, Visibility.PRIVATE)
    csrf = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|' + owner.roster.link_id + "|" + "a" * 22)
    ways = ways_in(owner.roster)
    assert ways
    for name, address in ways.items():
        there, nowhere = (Client().get(path) for path in (address, address.replace(owner.roster.link_id, "a" * 22)))
        assert there.status_code == nowhere.status_code == 404, name
        assert csrf.sub("", markup(there)) == csrf.sub("", markup(nowhere))
        assert there.headers.keys() == nowhere.headers.keys()


def test_the_address_of_today_stays_what_it_is(owner: Owner) -> None:
    page = owner.client.get(owner.url("sharing"))
    frozen = page.context["frozen"]
    owner.unit("giants")
    told = markup(Client().get(frozen.removeprefix("http://testserver")))
    assert "Wärden" in told
    assert "Giants" not in told


def test_a_state_with_a_name_is_handed_out(owner: Owner) -> None:
    name_revision(owner.roster, owner.roster.head, "Before the club night")
    owner.unit("giants")
    page = markup(owner.client.get(owner.url("sharing")))
    found = re.search(r'href="([^"]+)">Before the club night</a>', page)
    assert found
    state = found.group(1).replace("&amp;", "&")
    shown = Client().get(state)
    told = markup(shown)
    assert "“Before the club night”" in told
    assert "Giants" not in told
    assert shown.context["address"] == f"http://testserver{state}", "the QR code leads to this very state"


def test_what_was_public_may_be_known(owner: Owner) -> None:
    say(owner, Visibility.PUBLIC)
    say(owner, Visibility.LINK)
    assert "reset it if" in markup(owner.client.get(owner.url("sharing")))


def test_what_the_staff_hid_comes_back_hidden_from_a_backup(owner: Owner) -> None:
    take_down(owner.roster)
    visitor, file = Visitor(user_id=owner.roster.owner_id), io.BytesIO()
    write_owner_backup(visitor, file)
    owner.roster.delete()
    file.seek(0)
    assert restore_backup(visitor, file).restored == 1
    assert open_to(Client(), owner) == set()


def test_picture_for_chats_is_that_of_the_list(owner: Owner, client: Client) -> None:
    address = reverse("roster:picture", args=[owner.roster.link_id])
    picture = client.get(address)
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")
    assert picture.content.startswith(b"\x89PNG")
    assert address in markup(client.get(owner.url("link")))
    say(owner, Visibility.LINK, secret="on")
    assert client.get(address).content != picture.content
    say(owner, Visibility.PRIVATE)
    assert client.get(address).status_code == 404
    assert owner.client.get(address).status_code == 200
    assert client.post(address).status_code == 405
