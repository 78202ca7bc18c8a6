"""The page of a game plan: with and without script, refused, in conflict, tampered with, and read only."""

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from roster.engine.plan import GamePlan, Join
from roster.formats.list_document import build_list, read_list
from roster.models import Roster, RosterPlan
from roster.services.owners import SESSION_KEY, Visitor, get_guest_key
from roster.services.plan_board import build_plan_board
from roster.services.plan_zones import build_zones
from roster.services.plans import encode_plan, get_game_plan
from roster.services.rosters import find_roster, store_roster
from tests.markup import markup
from tests.roster.small_game_with_plan import compiled, installed
from tests.roster.views_cast import HTMX, SCRIPT, started, swapped

pytestmark = pytest.mark.django_db

HEAD = """list: 1
game: fenland-played
faction: marsh
name: {name}
detachments:
- {{detachment: column, units: {units}}}
"""
UNITS = "[warden, cutters, giants]"


@dataclass
class Planner:
    """A user with a list of Fenland with plans, and its plan page."""

    client: Client
    public_id: str

    @property
    def roster(self) -> Roster:
        return find_roster(self.public_id)

    @property
    def game(self) -> GamePlan | None:
        return get_game_plan(self.roster)

    def url(self, name: str = "plan") -> str:
        return reverse(f"roster:{name}", args=[self.public_id])

    def unit(self, name: str) -> str:
        return next(s.id for f in self.roster.tree.forces for s in f.selections if s.name == name)

    def page(self) -> str:
        return markup(self.client.get(self.url()))

    def send(self, headers: dict[str, str] | None = None, **fields: Any) -> HttpResponse:
        revision = RosterPlan.objects.filter(roster=self.roster).values_list("revision", flat=True).first() or 0
        form = {"revision": str(revision)} | fields
        return self.client.post(self.url(), form, headers=headers or {})


def planner(units: str = UNITS, name: str = "Low water") -> Planner:
    version = installed()
    client = Client()
    session = client.session
    session[SESSION_KEY] = "a secret of this browser"
    session.save()
    document = read_list(HEAD.format(name=name, units=units).encode())
    roster = build_list(compiled(), document, "marsh").roster
    kept = store_roster(Visitor(key=get_guest_key(client.session)), version, "marsh", roster)
    return Planner(client, kept.public_id)


# ---- the page ----------------------------------------------------------------------------------------------------


def test_works():
    page = planner().page()
    for name in ("mission", "opponents", "commander", "objective", "joins", "rides", "reserves", "number-table-width"):
        assert f'name="{name}"' in page
    assert "Marshal" in page
    assert "Fen Book, p. 30" in page
    assert "No changes yet." in page


def test_is_linked_from_the_builder():
    owner = planner()
    assert f'href="{owner.url()}"' in markup(owner.client.get(owner.url("builder")))


@pytest.mark.parametrize(
    ("of_list", "shown", "names_list"),
    [("legal", "incomplete", False), ("incomplete", "incomplete", False), ("illegal", "illegal", True)],
)
def test_no_plan_looks_better_than_its_list(of_list, shown, names_list):
    owner = planner(units="[]")
    assert build_plan_board(owner.roster).verdict == "incomplete"
    Roster.objects.update(verdict=of_list, violations=73)
    planned = owner.client.get(owner.url()).context["planned"]
    assert planned.value == shown
    assert planned.word.startswith("List: ") == ("73" in planned.tally) == names_list


def test_a_game_that_asks_for_nothing_is_told_kindly():
    owner = started()
    page = markup(owner.client.get(owner.url("plan")))
    assert "Nothing to plan" in page
    assert 'name="revision"' not in page


def test_an_empty_list_has_a_plan_too():
    assert 'name="mission"' in planner(units="[]").page()


def test_stranger_gets_404():
    owner = planner()
    assert Client().get(owner.url()).status_code == 404
    assert Client().post(owner.url(), {"revision": "0"}).status_code == 404
    assert owner.game is None


@pytest.mark.parametrize("public_id", ["x", "a" * 22, "%00"])
def test_bad_id(client, public_id):
    assert client.get(f"/rosters/{public_id}/plan/").status_code == 404
    assert client.post(f"/rosters/{public_id}/plan/", {"revision": "0"}).status_code == 404


def test_wrong_method():
    owner = planner()
    answer = owner.client.put(owner.url())
    assert (answer.status_code, answer["Allow"]) == (405, "GET, POST, HEAD")


def test_page_asks_the_same_at_one_and_three_units(django_assert_num_queries):
    one, three = planner("[warden]"), planner("[warden, cutters, giants]")
    for owner in (one, three):
        owner.send(mission="raid")
        owner.page()
        with django_assert_num_queries(3):
            owner.page()


def test_sending_asks_the_same_at_one_and_three_units(django_assert_num_queries):
    for units in ("[warden]", "[warden, cutters, giants]"):
        owner = planner(units)
        owner.send(notes="a")
        owner.page()
        form = {"revision": "1", "notes": "b"}
        with django_assert_num_queries(4):
            owner.client.post(owner.url(), form, headers=HTMX)


# ---- planning ----------------------------------------------------------------------------------------------------


def everything(owner: Planner) -> dict[str, Any]:
    warden, cutters, giants = (owner.unit(name) for name in ("Wärden", "Cutters", "Giants"))
    return {
        "mission": "raid",
        "side": "keepers",
        "opponents": ["weir", "", ""],
        "allies": [""],
        "commander": warden,
        "objective": "Eels",
        "joins": [f"{warden}:{cutters}"],
        "rides": [f"{cutters}:{giants}"],
        "reserves": [giants],
        "answers": ["aims:hold", "aims:burn", f"way:flank:{cutters}", ""],
        "number-table-width": "4.5",
        "notes": "Dice.",
    }


def test_works_without_script():
    owner = planner()
    answer = owner.send(**everything(owner))
    assert (answer.status_code, answer["Location"]) == (303, owner.url())
    page = owner.page()
    assert "Plan saved." in page
    assert "No Reserves" in page
    assert "Nobody waits." in page
    assert 'class="v pill no"' in page
    assert re.search(r'value="raid" selected', page)
    assert re.search(r'value="keepers" checked', page)
    assert 'value="4.5"' in page
    assert ">Dice.</textarea>" in page
    game = owner.game
    assert (game.opponents, game.allies, len(game.answers)) == (("weir",), (), 3)


def test_what_the_form_shows_is_what_it_sends():
    """Sending the page unchanged changes nothing, and forms of an earlier state are recognised."""
    owner = planner()
    owner.send(**everything(owner))
    before = owner.game
    page = owner.page()
    form = {"revision": "1", "notes": "Dice.", "objective": "Eels", "number-table-width": "4.5"}
    for name, value in re.findall(r'<input type="(?:checkbox|radio)" name="([a-z]+)" value="([^"]*)" checked', page):
        form.setdefault(name, []).append(value)
    for select, body in re.findall(r'<select class="in" id="[^"]+" name="([a-z]+)">(.*?)</select>', page, re.DOTALL):
        form.setdefault(select, []).extend(re.findall(r'value="([^"]*)" selected', body))
    owner.send(**form)
    assert owner.game == before


def test_answers_with_what_is_said_beside_the_form():
    owner = planner()
    owner.send(mission="raid", side="keepers")
    answer = owner.send(HTMX, mission="raid", side="keepers", reserves=[owner.unit("Giants")])
    page = markup(answer)
    assert answer.status_code == 200
    assert {"plan-revision", "plan-verdict", "plan-specials", "plan-kept", "messages"} <= swapped(answer)
    assert "<select" not in page
    assert "<html" not in page
    assert 'value="2" hx-swap-oob' in page
    assert "No Reserves" in page
    assert "HX-Request" in answer["Vary"]


def test_another_mission_brings_the_form_anew():
    owner = planner()
    answer = owner.send(HTMX, mission="raid")
    page = markup(answer)
    assert {"plan", "messages"} == swapped(answer)
    assert 'name="side"' in page
    assert 'value="way:flank:' in page
    assert "<html" not in page


def test_breaches_stand_at_their_units():
    owner = planner("[warden, warden, cutters]")
    first, second = (s.id for s in owner.roster.tree.forces[0].selections[:2])
    host = owner.unit("Cutters")
    owner.send(joins=[f"{first}:{host}", f"{second}:{host}"])
    page = owner.page()
    row = re.search(r"<h3>Cutters</h3>(.*?)</div>", page, re.DOTALL)
    assert row
    assert 'class="mark illegal"' in row.group(1)
    assert "Wärden 1" in page
    assert "Wärden 2" in page


def places(owner: Planner) -> dict[str, list[list[str]]]:
    """The zones of the plan by kind and name of subject, each with its blocks of units."""
    return {
        f"{zone.kind} {zone.name}".strip(): [[unit.name for unit in block] for block in zone.blocks]
        for zone in build_zones(build_plan_board(owner.roster))
    }


def test_units_are_in_the_zone_of_their_narrowest_place():
    owner = planner()
    owner.send(**everything(owner))
    assert places(owner) == {
        "table": [],
        "aboard Giants": [["Cutters", "Wärden"]],
        "answer Flank": [],
        "answer By boat": [],
        "reserve": [["Giants"]],
    }


def test_units_that_joined_in_a_circle_are_shown_once_each():
    owner = planner("[warden, warden, cutters]")
    first, second = (s.id for s in owner.roster.tree.forces[0].selections[:2])
    game = GamePlan(joins=(Join(character_id=first, host_id=second), Join(character_id=second, host_id=first)))
    RosterPlan.objects.create(roster=owner.roster, document=encode_plan(game))
    assert places(owner)["table"] == [["Wärden 1"], ["Wärden 2"], ["Cutters"]]


def test_units_of_a_game_that_asks_for_no_places_have_no_zones():
    board = build_plan_board(planner().roster)
    assert build_zones(replace(board, parts={}, units=())) == ()


def test_forgetting():
    owner = planner()
    owner.send(notes="x")
    answer = owner.send(do="forget")
    assert answer.status_code == 303
    assert owner.game is None
    assert "Plan cleared." in owner.page()


def test_a_unit_that_is_gone_is_shown_until_somebody_chooses_again():
    owner = planner()
    owner.send(**everything(owner))
    cutters = owner.unit("Cutters")
    edit = {"do": "remove", "node": cutters, "revision": str(owner.roster.head)}
    assert owner.client.post(owner.url("edits"), edit).status_code == 303
    page = owner.page()
    assert "The list no longer has this unit." in page
    assert "Cutters (gone)" in page
    assert 'class="v pill no"' in page
    owner.send(notes="Starting over.")
    assert "(gone)" not in owner.page()


# ---- refused -----------------------------------------------------------------------------------------------------

TAMPERED = [
    ({"revision": ""}, 400),
    ({"revision": "-1"}, 400),
    ({"revision": "²"}, 400),
    ({"revision": "9" * 50}, 400),
    ({"mission": "picnic"}, 400),
    ({"mission": "x" * 3000}, 400),
    ({"side": "keepers"}, 400),
    ({"commander": "nobody"}, 400),
    ({"reserves": ["nobody"]}, 400),
    ({"joins": ["nobody"]}, 400),
    ({"joins": ["a:b:c"]}, 400),
    ({"joins": ["a:b"]}, 400),
    ({"rides": [":"]}, 400),
    ({"answers": ["aims"]}, 400),
    ({"answers": ["aims:steal"]}, 400),
    ({"answers": ["way:flank:nobody"]}, 400),
    ({"answers": ["a:b:c:d"]}, 400),
    ({"number-table-width": "wide"}, 400),
    ({"number-table-width": "-1"}, 400),
    ({"number-table-width": "9" * 400}, 400),
    ({"number-height": "3"}, 400),
    ({"number-": "3"}, 400),
    ({"notes": "x" * 2500}, 422),
    ({"objective": "x" * 200}, 422),
    ({"opponents": ["x" * 200]}, 422),
]


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(("fields", "status"), TAMPERED)
def test_tampered_form(fields, status, headers):
    owner = planner()
    answer = owner.send(headers, **fields)
    assert answer.status_code == status
    assert b'class="message error"' in answer.content
    assert owner.game is None


def test_a_text_that_is_too_long_is_not_lost():
    answer = planner().send(notes="y" * 2100, objective="Eels")
    assert b"y" * 2100 in answer.content
    assert b'value="Eels"' in answer.content


@pytest.mark.parametrize("do", [{}, {"do": "forget"}])
def test_stale_revision_is_a_conflict_that_offers_ones_own_plan_again(do):
    owner = planner()
    owner.send(notes="first")
    answer = owner.send(revision="0", notes="second", answers=["aims:hold", "aims:burn"], **do)
    page = markup(answer)
    assert answer.status_code == 409
    assert owner.game.notes == "first"
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)
    assert ("revision", "1") in fields
    assert [value for name, value in fields if name == "answers"] == ["aims:hold", "aims:burn"]
    assert f'href="{owner.url()}"' in page


def test_stale_revision_with_script_is_a_banner():
    owner = planner()
    owner.send(notes="first")
    answer = owner.send(HTMX, revision="0", notes="second")
    assert answer.status_code == 409
    assert swapped(answer) == {"messages"}
    assert b"<html" not in answer.content


def test_form_without_proof_of_origin():
    owner = planner()
    owner.client.handler.enforce_csrf_checks = True
    assert owner.send(notes="x").status_code == 403


def test_oversized_body():
    answer = planner().send(notes="x" * 3_000_000)
    assert answer.status_code == 413
    assert b"<h1>" in answer.content


def test_too_many_fields():
    owner = planner()
    assert owner.client.post(owner.url(), {f"f{n}": "x" for n in range(2000)}).status_code == 400


def test_text_of_users_is_never_markup():
    owner = planner(name=f"'{SCRIPT}'")
    for headers in ({}, HTMX):
        owner.send(headers, notes=SCRIPT, objective=SCRIPT, opponents=[SCRIPT])
    assert owner.game.notes == SCRIPT
    for name in ("plan", "link"):
        page = markup(owner.client.get(owner.url(name)))
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page


# ---- read only ---------------------------------------------------------------------------------------------------


def test_the_read_only_page_shows_it_once_there_is_one():
    owner = planner()
    assert b"Game plan" not in Client().get(owner.url("link")).content
    owner.send(**everything(owner))
    page = markup(Client().get(owner.url("link")))
    assert "Game plan" in page
    for said in ("Raid", "Keepers", "Weir Folk", "Wärden → Cutters", "Cutters: Flank", "Nobody waits."):
        assert said in page
    assert 'name="revision"' not in page
    assert owner.url() not in page


@pytest.mark.usefixtures("fresh_answers")
def test_the_read_only_page_asks_the_same_at_one_and_three_units(django_assert_num_queries):
    for units in ("[warden]", "[warden, cutters, giants]"):
        owner = planner(units)
        owner.send(mission="raid")
        Client().get(owner.url("link"))
        with django_assert_num_queries(5):  # list, faction, plan; its state for editors
            Client().get(owner.url("link"))
