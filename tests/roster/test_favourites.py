"""Favourites and the units taken last: stored, claimed, and first in the builder."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from lxml import html

from roster.engine.edits import Refused
from roster.models import FavouriteUnit, Roster
from roster.services import favourites
from roster.services.favourites import load_habits, star_unit, unstar_unit
from roster.services.owners import SESSION_KEY, Visitor, claim_guest_data, get_guest_key
from tests.roster.accounts_cast import account, say_who, sign_in
from tests.roster.test_accounts import export_of
from tests.roster.views_cast import HTMX, Owner, have, parts_of, started, swapped

pytestmark = pytest.mark.django_db


def keeper(owner: Owner) -> Visitor:
    return Visitor(key=owner.roster.owner_key)


def sections(page: Any) -> dict[str, list[str]]:
    """Return the names in the sections above the offers, by heading."""
    found = {}
    for form in html.fromstring(page.content.decode()).xpath('//div[@id="quick"]/form'):
        found[form.findtext("h2")] = [name.text for name in form.xpath('.//span[@class="nm"]')]
    return found


def starred(page: Any) -> list[str]:
    stars = html.fromstring(page.content.decode()).xpath('//button[@class="star" and @aria-pressed="true"]')
    return [star.get("aria-label") for star in stars]


def offered(page: Any) -> list[str]:
    names = html.fromstring(page.content.decode()).xpath('//div[@id="offers"]//span[@class="nm"]')
    return [name.text for name in names]


def star(owner: Owner, headers: dict[str, str] | None = None, **fields: str) -> Any:
    return owner.client.post(owner.url("favourites"), fields, headers=headers or {})


# ---- stored ------------------------------------------------------------------------------------------------------


def test_a_favourite_holds_over_lists_of_its_owner_alone() -> None:
    owner, other = started(), started()
    assert star_unit(keeper(owner), owner.roster, "cutters") is None
    assert star_unit(keeper(owner), owner.roster, "warden") is None
    assert star_unit(keeper(owner), owner.roster, "cutters") is None
    second = started(owner.client, name="Another")
    assert load_habits(keeper(owner), second.roster).starred == ("warden", "cutters")
    assert load_habits(keeper(other), other.roster).starred == ()
    unstar_unit(keeper(other), other.roster, "warden")
    unstar_unit(keeper(owner), second.roster, "cutters")
    assert load_habits(keeper(owner), owner.roster).starred == ("warden",)


def test_what_the_lists_factions_do_not_have_or_is_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = started()
    for entry_id in ("zeppelin", "sabre", "x" * 2_000, "\0"):
        refused = star_unit(keeper(owner), owner.roster, entry_id)
        assert isinstance(refused, Refused)
        assert refused.code == "unknown-entry"
    monkeypatch.setattr(favourites, "MOST_FAVOURITES", 1)
    assert star_unit(keeper(owner), owner.roster, "warden") is None
    refused = star_unit(keeper(owner), owner.roster, "cutters")
    assert isinstance(refused, Refused)
    assert (refused.code, refused.allowed) == ("no-room", 1)


def test_last_taken_is_of_the_last_lists_of_the_faction_outside_the_bin() -> None:
    owner = started()
    for entry in ("warden", "cutters", "crew", "cutters"):
        owner.unit(entry)
    fresh = started(owner.client, name="Another")
    assert load_habits(keeper(owner), fresh.roster).taken == ("cutters", "crew", "warden")
    fresh.unit("giants")
    assert load_habits(keeper(owner), fresh.roster).taken == ("giants", "cutters", "crew", "warden")
    owner.client.post("/rosters/bulk/", {"do": "bin", "list": owner.public_id})
    assert load_habits(keeper(fresh), fresh.roster).taken == ("giants",)
    assert load_habits(Visitor(key="other"), fresh.roster).taken == ()


def test_favourites_follow_their_guest_into_an_account_and_its_export_and_go_with_it() -> None:
    owner = started()
    star_unit(keeper(owner), owner.roster, "cutters")
    user: User = account()
    # The account had starred the same unit before.
    FavouriteUnit.objects.create(owner=user, game=owner.roster.version.game, entry_id="cutters")
    session = SessionStore()
    session[SESSION_KEY] = "secret"
    FavouriteUnit.objects.filter(owner=None).update(owner_key=get_guest_key(session))
    claim_guest_data(session, user.pk)
    mine = Visitor(user_id=user.pk)
    assert load_habits(mine, owner.roster).starred == ("cutters",)
    client = Client()
    sign_in(client)
    say_who(client)
    assert [row["entry_id"] for row in export_of(client)["favourite_units.jsonl"]] == ["cutters", "cutters"]
    unstar_unit(mine, owner.roster, "cutters")
    assert not FavouriteUnit.objects.exists()
    star_unit(mine, owner.roster, "crew")
    user.delete()
    assert not FavouriteUnit.objects.exists()


# ---- without script ----------------------------------------------------------------------------------------------


def test_a_star_is_a_form_that_leads_back_to_its_line() -> None:
    owner = started()
    page = html.fromstring(owner.page().content.decode())
    button = page.xpath('//button[@aria-label="Favourite: Cutters"]')[0]
    assert (button.get("formaction"), button.get("aria-pressed")) == (owner.url("favourites"), "false")
    answer = star(owner, into=owner.detachment(), **{button.get("name"): button.get("value")})
    assert answer.status_code == 303
    line = button.getparent().get("id")
    assert answer["Location"] == f"{owner.url()}?into={owner.detachment()}#{line}"
    shown = owner.page()
    assert starred(shown) == ["Favourite: Cutters"]
    assert sections(shown) == {"Favourites": ["Cutters"]}
    star(owner, unstar="cutters")
    assert (starred(owner.page()), sections(owner.page())) == ([], {})


def test_sections_show_five_units_at_most_and_none_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = started()
    for entry in ("warden", "cutters", "crew"):
        owner.unit(entry)
    star(owner, star="crew")
    assert sections(owner.page()) == {"Favourites": [name_of(owner, "crew")], "Last taken": ["Cutters", "Wärden"]}
    for module in ("roster.services.favourites", "roster.views.builder.page"):
        monkeypatch.setattr(f"{module}.QUICK_UNITS", 1)
    star(owner, star="warden")
    assert sections(owner.page()) == {"Favourites": ["Wärden"], "Last taken": ["Cutters"]}


def name_of(owner: Owner, entry: str) -> str:
    page = html.fromstring(owner.page().content.decode())
    name = page.xpath('//div[@id="offers"]//button[@value=$entry]//span[@class="nm"]/text()', entry=entry)[0]
    assert isinstance(name, str)
    return name


def test_a_unit_is_taken_from_its_section() -> None:
    owner = started()
    star(owner, star="cutters")
    form = html.fromstring(owner.page().content.decode()).xpath('//div[@id="quick"]/form')[0]
    fields = {field.get("name"): field.get("value") for field in form.xpath('.//input[@type="hidden"]')}
    button = form.xpath(".//button")[0]
    answer = owner.client.post(form.get("action"), fields | {button.get("name"): button.get("value")})
    assert answer.status_code == 303
    assert len(owner.units()) == 1


def test_a_search_hides_the_sections_and_ranks_them_first_among_equals() -> None:
    owner = started()
    warden, cutters, crew = "Wärden", "Cutters", name_of(owner, "crew")
    # The letter is inside all three names.
    assert offered(owner.page(q="r"))[:3] == [warden, cutters, crew]
    owner.unit("crew")
    assert offered(owner.page(q="r"))[:3] == [crew, cutters, warden]
    star(owner, star="cutters")
    assert offered(owner.page(q="r"))[:3] == [cutters, crew, warden]
    assert offered(owner.page(q="crew"))[0] == crew
    for query, is_hidden in ({"q": "r"}, True), ({"most": "50"}, True), ({}, False):
        quick = html.fromstring(owner.page(**query).content.decode()).xpath('//div[@id="quick"]')[0]
        assert (quick.get("hidden") is not None) == is_hidden


@pytest.mark.parametrize("headers", [None, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize(
    ("fields", "status"), [({}, 400), ({"star": ""}, 400), ({"star": "zeppelin"}, 422), ({"star": "\0"}, 422)]
)
def test_bad_input_is_refused(fields: dict[str, str], status: int, headers: dict[str, str] | None) -> None:
    owner = started()
    answer = star(owner, headers, **fields)
    assert answer.status_code == status
    assert b"message error" in answer.content
    assert not FavouriteUnit.objects.exists()


def test_only_the_owner_stars() -> None:
    owner = started()
    for stranger in (Client(), started().client):
        assert stranger.post(owner.url("favourites"), {"star": "cutters"}).status_code == 404
    assert owner.client.get(owner.url("favourites")).status_code == 405
    assert not FavouriteUnit.objects.exists()


# ---- with script -------------------------------------------------------------------------------------------------


def token_of(owner: Owner, name: str) -> str:
    page = html.fromstring(owner.page().content.decode())
    return str(page.xpath("//button[@aria-label=$label]/@id", label=f"Favourite: {name}")[0])[2:]


def test_a_star_answers_with_the_sections_and_its_line() -> None:
    owner = started()
    token, before = token_of(owner, "Cutters"), parts_of(owner.page())
    answer = star(owner, HTMX, star="cutters", have=have(before))
    assert swapped(answer) == {"quick", f"p-{token}", "state", "messages"}
    assert sections(answer) == {"Favourites": ["Cutters"]}


def test_an_edit_keeps_stars_and_sections_without_asking_for_them(django_assert_num_queries: Any) -> None:
    owner = started()
    star(owner, star="cutters")
    token, before = token_of(owner, "Cutters"), parts_of(owner.page())
    fields = {"do": "add-unit", "node": owner.detachment(), "entry": "cutters", "have": have(before)}
    fields |= {"starred": token, "into": owner.detachment(), "revision": str(owner.roster.head)}
    with django_assert_num_queries(7):
        answer = owner.edit(HTMX, **fields)
    assert starred(answer) == ["Favourite: Cutters"]
    assert "quick" not in swapped(answer)
    assert before | parts_of(answer) == parts_of(owner.page())


def test_a_new_detachment_brings_its_own_sections() -> None:
    owner = started()
    star(owner, star="cutters")
    before = parts_of(owner.page())
    answer = owner.edit(HTMX, do="add-detachment", entry="column", into=owner.detachment(), have=have(before))
    assert sections(answer) == {"Favourites": ["Cutters"]}
    new = Roster.objects.get(public_id=owner.public_id).tree.forces[1].id
    quick = html.fromstring(answer.content.decode()).xpath('//div[@id="quick"]')[0]
    assert quick.xpath('.//input[@name="node"]/@value') == [new]
    assert quick.get("data-starred") == token_of(owner, "Cutters")


def test_another_detachment_has_its_own_sections() -> None:
    owner = started()
    star(owner, star="cutters")
    owner.done(do="add-detachment", entry="column")
    other = Roster.objects.get(public_id=owner.public_id).tree.forces[1].id
    query = {"into": other, "from": owner.detachment(), "revision": str(owner.roster.head)}
    answer = owner.client.get(owner.url(), query, headers=HTMX)
    assert "quick" in swapped(answer)
    assert sections(answer) == {"Favourites": ["Cutters"]}
    assert starred(answer) == ["Favourite: Cutters"]
