"""The card beside the form of a unit of one's own shows what the form says, and nothing is stored."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from catalogue.definitions.catalogues import DataSet
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from roster.engine.tree import copy_with
from roster.formats.homebrew.document import CopiedUnit, Homebrew, write_homebrew
from roster.models import HomebrewSet, HomebrewVersion
from tests.homebrew.test_apply import linked_game
from tests.homebrew.test_views import SCRIPT, address, find_revision, owner, stranger
from tests.roster.views_cast import HTMX, Owner

__all__ = ("owner", "stranger")
pytestmark = pytest.mark.django_db


def copy(owner: Owner, unit: str = "warden", name: str = "Otter Warden") -> str:
    answer = owner.client.post(address(unit, "homebrew-copy"), {"name": name})
    assert answer.status_code == 303
    return answer["Location"]


def fill(client: Client, page: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the form as it is, with some fields changed."""
    text = client.get(page).content.decode()
    kept = re.findall(r'name="kept"\s+value="([0-9a-f]{8})"', text)
    return {"name": "Otter Warden", "kept": kept, "revision": find_revision(text)} | fields


def preview(client: Client, page: str, fields: dict[str, Any], *, htmx: bool = True) -> HttpResponse:
    return client.post(page, fill(client, page, fields) | {"do": "preview"}, headers=HTMX if htmx else {})


def read(answer: HttpResponse) -> str:
    assert answer.status_code == 200, answer.content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_the_page_shows_the_card_of_what_is_stored(owner: Owner) -> None:
    page = copy(owner)
    text = read(owner.client.get(page))
    assert "Otter Warden Command 20 By house rules" in text
    assert "Lamp +2.5" in text
    assert "Differs from Wärden In its name only, so far." in text


def test_the_card_follows_the_form_and_nothing_is_stored(owner: Owner) -> None:
    page = copy(owner)
    before = HomebrewSet.objects.get().working
    fields: dict[str, Any] = {
        "name": "River Warden",
        "keyword": "River, Sea",
        "most": "1",
        "source": "Club",
        "page": "2",
    }
    fields |= {"ability": ["Marsh born"], "text": ["Water is open ground."], "option": ["Net"]}
    label = re.search(r'<label for="(v-[0-9a-f]{8})">points</label>', owner.client.get(page).content.decode())
    assert label
    fields |= {label[1]: "31", "points": ["3"]}
    answer = preview(owner.client, page, fields)
    text = read(answer)
    assert "River Warden Command · River, Sea 31 By house rules" in text
    assert "Marsh born Water is open ground." in text
    assert "Net +3" in text
    assert "Limits 0–1 in a list" in text
    assert "Club, p. 2" in text
    for difference in ("Points 20 31", "Keywords River, Sea", "Options Net", "At most in a list 1"):
        assert difference in text
    assert "<html" not in answer.content.decode()
    assert HomebrewSet.objects.get().working == before

    # Without scripts, the button shows the whole page, which keeps the form.
    whole = preview(owner.client, page, fields, htmx=False)
    assert whole.status_code == 200
    assert "<html" in whole.content.decode()
    assert "River Warden Command · River, Sea 31" in read(whole)
    assert 'value="Marsh born"' in whole.content.decode()
    assert HomebrewSet.objects.get().working == before


def test_what_does_not_fit_is_named_and_the_rest_is_shown(owner: Owner) -> None:
    page = copy(owner)
    text = read(preview(owner.client, page, {"most": "few", "option": ["Net"], "points": ["3"]}))
    assert "1 field to fix" in text
    assert "“few” cannot be this value" in text
    assert "Net +3" in text
    assert "At most in a list" not in text
    for field, value, complaint in (
        ("name", "", "Give the unit a name."),
        ("name", " ", "Give the unit a name."),
        ("why", "x" * 5000, "This is too long."),
        ("ability", ["Swim"], "Write its sentence, too."),
        ("keyword", ["x" * 300], "This is too long."),
    ):
        text = read(preview(owner.client, page, {field: value, "text": [""]}))
        assert complaint in text, field
        assert "Otter Warden Command 20" in text
    assert "Otter Warden Command 20" in read(owner.client.post(page, {"do": "preview", "name": "Otter Warden"}))


def test_scripts_are_text(owner: Owner) -> None:
    page = copy(owner)
    fields = {
        "name": SCRIPT,
        "keyword": SCRIPT,
        "ability": [SCRIPT],
        "text": [SCRIPT],
        "option": [SCRIPT],
        "why": SCRIPT,
    }
    for htmx in (True, False):
        answer = preview(owner.client, page, fields, htmx=htmx)
        assert answer.status_code == 200
        assert SCRIPT not in answer.content.decode()


def test_a_refused_form_shows_the_card_that_it_asks_for(owner: Owner) -> None:
    page = copy(owner)
    answer = owner.client.post(page, fill(owner.client, page, {"most": "few", "name": "River Warden"}))
    assert answer.status_code == 422
    assert "River Warden Command" in re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_others_preview_nothing(owner: Owner, stranger: Client) -> None:
    page = copy(owner)
    for client in (stranger, Client()):
        assert client.post(page, {"do": "preview", "name": "x"}, headers=HTMX).status_code == 404


def test_a_unit_of_data_that_is_gone_has_no_page(owner: Owner) -> None:
    rules = HomebrewSet.objects.create(
        owner_id=owner.roster.owner_id,
        game=owner.roster.version.game,
        name="Old",
        working=write_homebrew(
            Homebrew(name="Old", game="fenland", units=(CopiedUnit(catalogue="marsh", of="gone", unit="x", name="X"),))
        ),
    )
    text = owner.client.get(reverse("roster:homebrew-set", args=[rules.public_id])).content.decode()
    unit = re.search(r'href="([^"]+/units/[^"]+)"', text)
    assert unit
    assert owner.client.get(unit[1]).status_code == 404


def test_a_unit_needs_another_one(owner: Owner) -> None:
    page = copy(owner)
    needs = {"needs": ["", "2", "x"], "needed": ["crew", "cutters", ""], "place": ["list", "detachment", "list"]}
    text = read(preview(owner.client, page, needs))
    assert "Needs 1 Crew, 2 Cutters" in text
    assert "Otter Warden, needs Crew (in the list)" in text

    assert owner.client.post(page, fill(owner.client, page, needs)).status_code == 303
    shown = owner.client.get(page).content.decode()
    assert re.search(r'<option value="cutters" selected>', shown)
    before = HomebrewSet.objects.get().working
    assert owner.client.post(page, fill(owner.client, page, needs)).status_code == 303
    assert HomebrewSet.objects.get().working == before

    rules = HomebrewSet.objects.get()
    published = {"do": "publish", "revision": str(rules.revision)}
    owner.client.post(reverse("roster:homebrew-set", args=[rules.public_id]), published)
    owner.client.post(owner.url("house-rules"), {"homebrew": HomebrewVersion.objects.get().key})
    owner.unit("house/otter-warden")
    builder = owner.client.get(owner.url("builder")).content.decode()
    assert "Otter Warden, needs Crew (in the list)" in builder
    assert "Otter Warden, needs Cutters (in the same detachment)" in builder
    for wrong in (
        {"needs": ["0"], "needed": ["crew"], "place": ["list"]},
        {"needs": ["many"], "needed": ["crew"], "place": ["list"]},
        {"needs": ["1"], "needed": ["dragon"], "place": ["list"]},
        {"needs": ["1"], "needed": ["crew"], "place": ["sea"]},
        {"needs": ["x" * 999], "needed": ["crew"], "place": ["list"]},
    ):
        assert "1 field to fix" in read(preview(owner.client, page, wrong)), wrong
        assert owner.client.post(page, fill(owner.client, page, wrong)).status_code == 422
    assert HomebrewSet.objects.get().working == before
    assert owner.client.post(page, fill(owner.client, page, {"needed": ["crew"]})).status_code == 303


def test_a_unit_of_imported_data_that_a_faction_links_to_has_a_page_with_its_card(owner: Owner) -> None:
    """The copy of a link to a library's unit, which the faction offers under both ids."""
    install_version(GameInfo(slug="toy-wars", name="Toy wars", label="1"), linked_game())
    page = copy(owner, "link::guard", "My guard")
    text = read(owner.client.get(page))
    assert "copied from Guard" in text
    assert "My guard HQ 12 By house rules" in text
    assert "M 6" in text
    label = re.search(r'<label for="(v-[0-9a-f]{8})">M</label>', owner.client.get(page).content.decode())
    assert label
    text = read(preview(owner.client, page, {"name": "My guard", label[1]: "7"}))
    assert "M 7" in text
    assert "Differs from Guard M 6 7" in text


def test_a_unit_of_a_library_has_the_card_of_a_faction_that_offers_it(owner: Owner) -> None:
    """The library itself is no faction, so it has no page."""
    system, faction, library = linked_game().catalogues
    root = faction.entries[0]
    data = DataSet(catalogues=(system, copy_with(faction, entries=()), copy_with(library, entries=(root,))))
    shared = copy_with(data.catalogues[1], links=(copy_with(faction.links[0], import_root_entries=True),))
    install_version(
        GameInfo(slug="toy-wars", name="Toy wars", label="1"), DataSet(catalogues=(system, shared, data.catalogues[2]))
    )
    page = copy(owner, "link::guard", "My guard")
    assert HomebrewSet.objects.get().working.count("in: lib") == 1
    assert "My guard HQ 12 By house rules" in read(owner.client.get(page))


def test_a_slot_is_chosen_by_its_emblem(owner: Owner) -> None:
    page = copy(owner)
    text = owner.client.get(page).content.decode()
    slots = re.findall(r'type="radio"\s+name="(v-[0-9a-f]{8})"\s+value="([^"]+)"\s*(checked)?', text)
    assert [(name, checked) for _key, name, checked in slots] == [("Command", "checked"), ("Core", ""), ("Hammer", "")]
    key = slots[0][0]
    answer = read(preview(owner.client, page, {key: "Hammer"}))
    assert "Otter Warden Hammer 20" in answer
    assert "Slot Command Hammer" in answer
    assert "has no slot “Boats”" in read(preview(owner.client, page, {key: "Boats"}))
    assert owner.client.post(page, fill(owner.client, page, {key: "Hammer"})).status_code == 303
    assert "was Command" in owner.client.get(page).content.decode()
