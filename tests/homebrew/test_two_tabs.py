"""House rules that are open in two tabs: nothing is overwritten silently, and nothing typed is lost."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from lxml import html

from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from roster.formats.homebrew.document import ChangedValue, write_homebrew
from roster.models import HomebrewSet, HomebrewVersion, Roster
from roster.services.homebrew import change_lines, list_unit_lines, merge_lines, read_working
from tests.homebrew.test_apply import priced_game
from tests.homebrew.test_unit_card import copy, preview, read
from tests.homebrew.test_views import SCRIPT, act, address, change_points, find_key, owner, set_page, stranger
from tests.roster.views_cast import HTMX, Owner

__all__ = ("owner", "stranger")
pytestmark = pytest.mark.django_db


class Tab:
    """A form of a page as a browser has it: all fields that it would send."""

    def __init__(self, client: Client, page: str, answer: HttpResponse, button: str) -> None:
        self.client, self.page = client, page
        tree = html.fromstring(answer.content)
        self.button = next(
            one for one in tree.xpath("//main//button") if button in " ".join(one.text_content().split())
        )
        named = self.button.get("form")
        # A browser sends empty fields, too; lxml only those with a value.
        for field in tree.xpath("//input[not(@type or @value)]"):
            field.set("value", "")
        form = tree.get_element_by_id(named) if named else next(self.button.iterancestors("form"))
        # Fields outside of the form may belong to it, too.
        beside = list(tree.xpath(f"//select[@form='{form.get('id')}']")) if form.get("id") else []
        self.fields: dict[str, Any] = {}
        for name, value in [*form.form_values(), *((one.name, one.value) for one in beside)]:
            self.fields.setdefault(name, []).append(value)
        self.labels = {label.get("for"): label.text_content().strip() for label in form.iter("label")}

    def write(self, label: str, text: str) -> None:
        field = next(key for key, words in self.labels.items() if words == label)
        self.fields[field] = [text]

    def send(self) -> HttpResponse:
        name = self.button.get("name")
        return self.client.post(self.page, self.fields | ({name: self.button.get("value")} if name else {}))


def open_tab(owner: Owner, page: str, button: str = "Save") -> Tab:
    return Tab(owner.client, page, owner.client.get(page), button)


def list_changes(kind: str = "points") -> dict[str, str]:
    changes = read_working(HomebrewSet.objects.get()).changes
    return {line.name: line.to for line in changes if kind in line.name}


def test_a_value_changed_in_another_tab_is_shown_before_it_is_replaced(owner: Owner) -> None:
    change_points(owner)
    page = f"{address()}?value={find_key(owner.client, 'points')}"
    first, second = open_tab(owner, page, "Change"), open_tab(owner, page, "Change")
    assert (first.fields["to"], first.fields["source"]) == (["22"], ["FAQ 3"])
    first.write("Changed to", "25")
    assert first.send().status_code == 303
    second.write("Changed to", "30")
    second.write("Why", "Too cheap")
    refused = second.send()
    assert refused.status_code == 409
    text = read_any(refused)
    assert "changed in another tab or window" in text
    assert "points 30 25 Why Too cheap –" in text
    assert list(list_changes().values()) == ["25"]
    # The page has all that was typed, and a way to keep it.
    again = Tab(owner.client, page, refused, "Keep mine instead")
    assert (again.fields["to"], again.fields["why"]) == (["30"], ["Too cheap"])
    assert again.send().status_code == 303
    assert list(list_changes().values()) == ["30"]
    assert HomebrewVersion.objects.count() == 3

    # Rules that were deleted meanwhile are not silently replaced by new ones.
    late = open_tab(owner, page, "Change")
    act(owner, HomebrewSet.objects.get(), "delete")
    late.write("Name of the new house rules", "Others")
    gone = late.send()
    assert gone.status_code == 422
    assert "Those house rules are deleted" in read_any(gone)
    assert not HomebrewSet.objects.exists()


def read_any(answer: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_the_page_of_house_rules_changes_only_what_it_shows(owner: Owner) -> None:
    change_points(owner)
    rules = HomebrewSet.objects.get()
    page = set_page(rules)
    tabs = {button: open_tab(owner, page, button) for button in ("Save", "Publish", "Remove", "Delete for good")}
    for number, (button, tab) in enumerate(tabs.items()):
        act(owner, rules, "describe", name=f"Club {number}", source="Book")
        tab.fields |= {"name": ["Mine"]} if button == "Save" else {}
        before = HomebrewSet.objects.get().working
        refused = tab.send()
        assert refused.status_code == 409, button
        assert "changed in another tab or window" in read_any(refused)
        assert HomebrewSet.objects.get().working == before
        assert HomebrewVersion.objects.count() == 1
        if button == "Save":
            assert 'value="Mine"' in refused.content.decode()
            assert f"Name Mine Club {number}" in read_any(refused)
    again = {"Save": "Keep mine instead", "Publish": "Publish as they are now"}
    for button, tab in tabs.items():
        act(owner, rules, "describe", name="Club 9", source="Book")
        kept = Tab(owner.client, page, tab.send(), again.get(button, button))
        assert kept.send().status_code == 303, button
        if button == "Save":
            assert HomebrewSet.objects.get().name == "Mine"
        if button == "Publish":
            assert HomebrewVersion.objects.count() == 2
        if button == "Remove":
            assert not list_changes()
    assert not HomebrewSet.objects.exists()


def test_a_form_without_a_revision_is_refused_like_an_outdated_one(owner: Owner) -> None:
    change_points(owner)
    page, before = set_page(HomebrewSet.objects.get()), HomebrewSet.objects.get().working
    for revision in ("", "0", "-1", "x", "9" * 30):
        for do in ("describe", "publish", "delete", "remove"):
            line = re.findall(r'name="line" value="(\w+)"', owner.client.get(page).content.decode())[0]
            sent = {"do": do, "revision": revision, "name": SCRIPT, "line": line}
            refused = owner.client.post(page, sent)
            assert refused.status_code == 409, (revision, do)
            assert SCRIPT not in refused.content.decode()
    assert HomebrewSet.objects.get().working == before


def test_a_unit_changed_in_another_tab_is_shown_before_it_is_replaced(owner: Owner) -> None:
    page = copy(owner)
    first, second = open_tab(owner, page), open_tab(owner, page)
    first.write("points", "31")
    first.fields["option"] = ["Net"]
    assert first.send().status_code == 303
    second.write("points", "40")
    second.write("Name", "River Warden")
    second.fields |= {"ability": ["Marsh born"], "text": ["Water is open ground."]}
    before = HomebrewSet.objects.get().working
    # The preview stores nothing, so it may be of any age.
    assert "River Warden" in read(preview(owner.client, page, second.fields))
    refused = second.send()
    assert refused.status_code == 409
    text = read_any(refused)
    for row in ("Name River Warden Otter Warden", "points 20 → 40 20 → 31", "option – with Net"):
        assert row in text, text
    assert HomebrewSet.objects.get().working == before
    again = Tab(owner.client, page, refused, "Keep mine instead")
    assert again.fields["ability"][0] == "Marsh born"
    assert again.send().status_code == 303
    unit = read_any(owner.client.get(page))
    assert "River Warden" in unit
    assert "Net" not in unit


@pytest.mark.parametrize("whole_set", [False, True])
def test_a_form_for_a_deleted_unit_is_kept_and_saved_as_a_new_one(
    owner: Owner, stranger: Client, whole_set: bool
) -> None:
    page = copy(owner)
    tab = open_tab(owner, page)
    tab.write("points", "40")
    tab.fields |= {"keyword": ["River"], "ability": ["Marsh born"], "text": ["Water is open ground."], "why": ["Tried"]}
    rules = HomebrewSet.objects.get()
    if whole_set:
        rules.delete()
    else:
        homebrew = read_working(rules)
        change_lines(rules, remove=list_unit_lines(homebrew, homebrew.units[0]))
    assert owner.client.get(page).status_code == 404
    assert owner.client.post(page, {"name": "Otter"}).status_code == 404
    assert owner.client.post(page, tab.fields | {"unit": ["a b"]}).status_code == 404

    refused = tab.send()
    assert refused.status_code == 409
    assert "This unit is gone" in read_any(refused)
    assert "Otter Warden Command · River 40" in read_any(refused)
    assert "Otter Warden points" in read_any(refused)
    assert HomebrewSet.objects.count() == int(not whole_set)
    assert owner.client.post(page, tab.fields | {"do": "preview"}, headers=HTMX).status_code == 200
    again = Tab(owner.client, page, refused, "Save as a new unit")
    wrong = Tab(owner.client, page, refused, "Save as a new unit")
    wrong.fields["most"] = ["few"]
    assert wrong.send().status_code == 422
    stored = again.send()
    assert stored.status_code == 303, read_any(stored)
    text = read_any(owner.client.get(stored["Location"]))
    for kept in ("River", "Marsh born", "Points 20 40"):
        assert kept in text
    homebrew = read_working(HomebrewSet.objects.get())
    assert [unit.why for unit in homebrew.units] == ["Tried"]
    # A second press meets the unit that is there again.
    assert again.send()["Location"] == stored["Location"]
    assert len(read_working(HomebrewSet.objects.get()).units) == 1
    # Other people's house rules are no different from deleted ones: their forms begin rules of their own.
    assert stranger.post(set_page(HomebrewSet.objects.get()), {"do": "delete", "revision": "1"}).status_code == 404


def test_a_unit_is_published_and_tried_from_its_page(owner: Owner) -> None:
    page = copy(owner)
    tab = open_tab(owner, page, "Publish version 1")
    tab.write("points", "40")
    assert tab.send().status_code == 303
    assert HomebrewVersion.objects.get().number == 1
    assert "Published: version 1" in read_any(owner.client.get(page))

    tab = open_tab(owner, page, "Try in")
    tab.write("points", "41")
    tab.fields["list"] = [owner.public_id]
    answer = tab.send()
    assert answer["Location"] == owner.url("builder")
    assert Roster.objects.get().tree.homebrew.endswith("@2")
    # What is published already is tried as it is, here in a new list.
    tab = open_tab(owner, page, "Try in")
    tab.fields["list"] = [""]
    answer = tab.send()
    new = Roster.objects.exclude(public_id=owner.public_id).get()
    assert answer["Location"] == reverse("roster:builder", args=[new.public_id])
    assert new.tree.homebrew.endswith("@2")
    # Not in lists of others, nor while another line does not fit.
    tab.fields |= {"list": ["nobodys"], "revision": [str(HomebrewSet.objects.get().revision)]}
    tab.send()
    assert "You have no list at this address" in read_any(owner.client.get(page))
    rules = HomebrewSet.objects.get()
    unfit = ChangedValue(catalogue="marsh", entry="gone", field="cost", id="points", was="1", to="2", name="Old")
    HomebrewSet.objects.update(working=write_homebrew(merge_lines(read_working(rules), [unfit])))
    tab = open_tab(owner, page, "Try in")
    assert tab.send()["Location"] == set_page(rules)
    assert "Remove or change the lines that do not fit" in read_any(owner.client.get(set_page(rules)))


def test_changed_values_are_marked_and_go_back_to_the_book(owner: Owner) -> None:
    page = copy(owner)
    tab = open_tab(owner, page)
    assert 'class="field ch"' not in owner.client.get(page).content.decode()
    tab.write("points", "40")
    tab.fields["most"] = ["2"]
    tab.send()
    answer = owner.client.get(page)
    assert answer.content.decode().count('class="field ch"') == 2
    # Without scripts, a button shows the form with the book's value; nothing is stored before it is saved.
    before = HomebrewSet.objects.get().working
    shown = Tab(owner.client, page, answer, "Back to the book: points").send()
    assert shown.status_code == 200
    assert shown.content.decode().count('class="field ch"') == 1
    back = Tab(owner.client, page, shown, "Back to the book: At most in a list").send()
    assert 'class="field ch"' not in back.content.decode()
    assert HomebrewSet.objects.get().working == before
    assert Tab(owner.client, page, back, "Save").send().status_code == 303
    assert not list_changes("")

    # One value: going back takes its line out.
    change_points(owner, set=HomebrewSet.objects.get().public_id)
    page = f"{address()}?value={find_key(owner.client, 'points')}"
    answer = owner.client.get(page)
    assert 'class="field ch"' in answer.content.decode()
    shown = Tab(owner.client, page, answer, "Back to the book").send()
    assert 'class="field ch"' not in shown.content.decode()
    assert Tab(owner.client, page, shown, "Change").send().status_code == 303
    assert not list_changes("")


def test_going_back_does_not_hide_that_the_form_is_outdated(owner: Owner) -> None:
    page = copy(owner)
    old = open_tab(owner, page, "Back to the book: points")
    new = open_tab(owner, page)
    new.write("points", "31")
    new.send()
    assert Tab(owner.client, page, old.send(), "Save").send().status_code == 409


def test_prices_under_conditions_are_in_both_forms(owner: Owner) -> None:
    install_version(GameInfo(slug="toy-wars", name="Toy wars", label="1"), priced_game())
    text = read_any(owner.client.get(address("link::guard")))
    for words in (
        "pts if Guard in a list ≥ 2 20",
        "fewer pts × Sword 1",
        "prices of Sword by rules that this form cannot",
    ):
        assert words in text, words
    page = copy(owner, "link::guard", "My guard")
    text = read_any(owner.client.get(page))
    assert "fewer pts × Sword" in text
    assert "prices of Sword by rules that this form cannot" in text
    tab = open_tab(owner, page)
    tab.write("fewer pts × Sword", "2")
    assert tab.send().status_code == 303
    assert list_changes("fewer") == {"My guard, fewer pts × Sword": "2"}
