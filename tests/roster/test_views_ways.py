"""The panel below the verdict: complete, fill and mend a list in one click, and undo it in one."""

import re
from html.parser import HTMLParser

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from roster.engine.completion.effort import Effort
from roster.engine.completion.repair import FoundRepairs
from roster.engine.completion.solver import Possibility
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services import ways as ways_module
from roster.services.evaluation import evaluate_roster
from roster.services.ways import WayKind, find_ways
from tests.markup import markup
from tests.roster.deck_owner import weir
from tests.roster.small_game import installed
from tests.roster.views_cast import HTMX, Owner, started, swapped

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("flat_fenland")]

PROVED = "Nothing you could add or remove makes this list legal"
GO_ON = "data-ask="


class _Signed(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "input" and given.get("name") == "way":
            self.found.append(given["value"] or "")


def begin(*units: str) -> Owner:
    """A list with room for four units, one of which has to be a warden."""
    owner = started()
    for entry in units:
        owner.unit(entry)
    return owner


def ask(owner: Owner, kind: str, **query: str) -> HttpResponse:
    query = {"revision": str(owner.roster.head), "kind": kind} | query
    return owner.client.get(owner.url("ways"), query, headers=HTMX)


def take(owner: Owner, headers: dict[str, str] | None = None, **fields: str) -> HttpResponse:
    form = {"revision": str(owner.roster.head)} | fields
    return owner.client.post(owner.url("ways"), form, headers=headers or {})


def taken(owner: Owner, **fields: str) -> None:
    answer = take(owner, **fields)
    assert answer.status_code == 303, markup(answer)[:2000]


def read_signed(answer: HttpResponse) -> list[str]:
    parser = _Signed()
    parser.feed(markup(answer))
    return parser.found


def list_entries(owner: Owner) -> list[str]:
    return [unit.entry_id for unit in owner.roster.tree.forces[0].selections]


def test_a_list_is_completed_by_what_was_shown_in_one_step() -> None:
    owner = begin("cutters")
    before = owner.roster
    answer = ask(owner, "complete")
    assert swapped(answer) == {"mending"}
    (signed,) = read_signed(answer)
    taken(owner, do="complete", way=signed)
    after = owner.roster
    assert (after.verdict, sorted(list_entries(owner))) == (Verdict.LEGAL.value, ["cutters", "warden"])
    assert after.revisions.get(number=after.head).act == "complete"
    owner.done(do="undo")
    assert owner.roster.document == before.document


def test_a_list_that_is_legal_lacks_nothing() -> None:
    owner = begin()
    taken(owner, do="complete")
    completed = find_ways(evaluate_roster(owner.roster), WayKind.COMPLETE)
    assert [way.differences for way in completed.ways] == [()]


def test_a_list_is_filled_up_in_one_step_and_keeps_what_it_has() -> None:
    owner = begin("crew")
    unit = owner.units()[0]
    head = owner.roster.head
    taken(owner, do="fill")
    after = owner.roster
    assert (after.verdict, after.head) == (Verdict.LEGAL.value, head + 1)
    assert unit in owner.units()
    assert float(after.points) > 80
    owner.done(do="undo")
    assert owner.units() == [unit]


def test_a_list_without_anything_becomes_a_whole_army() -> None:
    owner = started(detachment=False)
    taken(owner, do="fill")
    assert owner.roster.verdict == Verdict.LEGAL.value
    assert owner.roster.tree.forces


def test_a_broken_list_is_made_legal_by_each_way_shown() -> None:
    owner = begin("warden", "cutters", "cutters", "crew", "crew")
    before = owner.roster.document
    signed = read_signed(ask(owner, "repair"))
    assert 1 <= len(signed) <= 3
    for way in signed:
        # A way applies to the state it was shown for, also after it was taken and undone.
        taken(owner, do="repair", way=way)
        assert owner.roster.verdict == Verdict.LEGAL.value
        owner.done(do="undo")
        assert owner.roster.document == before


def test_the_answer_to_a_script_holds_what_changed() -> None:
    owner = begin("cutters")
    answer = take(owner, HTMX, do="fill")
    assert answer.status_code == 200
    assert {"verdict", "undo"} <= swapped(answer)


def test_a_way_worked_out_for_another_state_is_refused_in_words() -> None:
    owner = begin("cutters")
    (signed,) = read_signed(ask(owner, "complete"))
    owner.unit("crew")
    answer = take(owner, do="complete", way=signed)
    assert (answer.status_code, owner.roster.verdict) == (422, "incomplete")
    assert "has changed since" in markup(answer)


def test_a_way_worked_out_for_another_list_is_refused_in_words() -> None:
    owner, other = begin("cutters"), begin("cutters")
    assert owner.roster.head == other.roster.head
    (signed,) = read_signed(ask(other, "complete"))
    before = owner.roster.document
    assert take(owner, do="complete", way=signed).status_code == 422
    assert owner.roster.document == before


@pytest.mark.parametrize("way", ["nonsense", "a:b:c", "ey:1:x" * 9])
def test_a_way_that_nobody_signed_is_refused(way: str) -> None:
    owner = begin("cutters")
    assert take(owner, do="repair", way=way).status_code == 400
    assert owner.roster.verdict == "incomplete"


def test_a_list_that_nothing_completes_is_not_filled() -> None:
    owner = begin("cutters", "cutters", "crew", "crew")
    answer = take(owner, do="fill")
    assert (answer.status_code, "Remove something first" in markup(answer)) == (422, True)


def test_a_list_that_no_change_makes_legal_says_that_it_is_proved() -> None:
    owner = begin("crew")
    owner.done(do="set-limit", type="points", value="3")
    answer = ask(owner, "repair")
    assert (read_signed(answer), PROVED in markup(answer)) == ([], True)
    refused = take(owner, do="repair")
    assert (refused.status_code, PROVED in markup(refused)) == (422, True)


def test_a_repair_that_is_not_found_is_not_said_to_be_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways_module, "repair", lambda *_, **__: FoundRepairs(Possibility.UNKNOWN))
    owner = begin("cutters", "cutters", "crew", "crew")
    answer = ask(owner, "repair")
    assert (read_signed(answer), GO_ON in markup(answer), PROVED in markup(answer)) == ([], True, False)
    refused = take(owner, do="repair")
    assert (refused.status_code, PROVED in markup(refused)) == (422, False)


def test_an_older_page_changes_nothing() -> None:
    owner = begin("cutters")
    answer = take(owner, do="fill", revision="1")
    assert (answer.status_code, owner.roster.verdict) == (409, "incomplete")
    assert ask(owner, "complete", revision="1").status_code == 204


@pytest.mark.parametrize("kind", ["", "rhubarb", "undo"])
def test_a_way_of_no_kind_is_refused(kind: str) -> None:
    owner = begin()
    assert ask(owner, kind).status_code == 400
    assert take(owner, do=kind).status_code == 400
    assert take(owner, do="fill", revision="soon").status_code == 400


def test_only_the_owner_sees_and_takes_ways() -> None:
    owner = begin("cutters")
    stranger = Client()
    assert stranger.get(owner.url("ways"), {"kind": "fill"}, headers=HTMX).status_code == 404
    assert stranger.post(owner.url("ways"), {"do": "fill", "revision": "1"}).status_code == 404
    assert owner.client.get(reverse("roster:ways", args=["nothing"]), headers=HTMX).status_code == 404
    assert owner.client.put(owner.url("ways")).status_code == 405


def test_the_panel_offers_what_the_list_wants() -> None:
    empty = markup(begin().page(outlook="1"))
    assert "A whole army in one click" in empty
    incomplete = begin("cutters").page(outlook="1")
    assert ("Finish this list" in markup(incomplete), len(read_signed(incomplete))) == (True, 1)
    lost = begin("cutters", "cutters", "crew", "crew").page(outlook="1")
    assert ("Make it legal" in markup(lost), 'value="fill"' in markup(lost)) == (True, False)
    legal = markup(begin("warden").page(outlook="1"))
    assert ("Units that fit" in legal, 'value="fill"' in legal) == (True, True)


def test_what_is_needed_stands_first() -> None:
    page = markup(begin("cutters").page(outlook="1"))
    best = page[page.index('class="best"') :]
    assert best.index("Wärden") < best.index("needed") < best.index("Giants")


def test_without_script_the_same_page_has_the_ways() -> None:
    owner = begin("cutters")
    answer = owner.client.get(owner.url("ways"))
    assert (answer.status_code, answer["Location"].endswith("?outlook=1#ways")) == (302, True)


@pytest.mark.usefixtures("without_solver")
def test_without_a_solver_no_button_stands_there_and_a_form_is_refused_in_words() -> None:
    owner = begin("cutters")
    assert 'value="fill"' not in markup(owner.page(outlook="1"))
    answer = take(owner, do="fill")
    assert (answer.status_code, "has no solver" in markup(answer)) == (422, True)
    assert read_signed(ask(owner, "complete")) == []


def test_another_seed_fills_otherwise_and_the_same_seed_alike() -> None:
    judged = evaluate_roster(weir().roster)
    filled = [find_ways(judged, WayKind.FILL, seed=seed).ways[0].evaluated_list for seed in (1, 1, 2, 3, 4)]
    shapes = [sorted(unit.entry_id for force in one.tree.forces for unit in force.selections) for one in filled]
    assert all(one.verdict is Verdict.LEGAL for one in filled)
    assert shapes[0] == shapes[1]
    assert len({tuple(shape) for shape in shapes}) > 1


# ---- a whole army from the start -------------------------------------------------------------------------------------


def start_army(client: Client, **fields: str) -> HttpResponse:
    installed()
    form = {"game": "fenland", "faction": "marsh", "limit": "60", "name": "Eels"} | fields
    return client.post(reverse("roster:new-army"), form)


def test_a_list_is_started_as_a_whole_army() -> None:
    answer = start_army(Client())
    assert answer.status_code == 303
    roster = Roster.objects.get()
    assert (roster.name, roster.verdict, roster.head) == ("Eels", Verdict.LEGAL.value, 2)
    assert 40 <= float(roster.points) <= 60


def test_an_army_that_is_not_full_says_how_far_it_got(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways_module, "ARMY", Effort(15_000))
    client = Client()
    page = markup(client.get(start_army(client, limit="60")["Location"]))
    points = Roster.objects.get().points
    assert ("This army comes to" in page) is (float(points) < 54)
    assert "This army comes to" in markup(client.get(start_army(client, limit="9000")["Location"]))


def test_an_army_that_is_not_full_goes_on_by_a_button(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways_module, "ARMY", Effort(15_000))
    client = Client()
    page = markup(client.get(start_army(client, limit="9000")["Location"]))
    roster = Roster.objects.get()
    ways = reverse("roster:ways", args=[roster.public_id])
    (form,) = re.findall(rf'<form class="message info" method="post" action="{ways}".*?</form>', page, re.DOTALL)
    assert 'name="patient" value="1"' in form
    monkeypatch.setattr(ways_module, "PATIENT", ways_module.WAYS._replace(steps=1))
    answer = client.post(ways, {"do": "fill", "patient": "1", "revision": str(roster.head)})
    # One step finds nothing.
    assert answer.status_code == 422
    assert "Nothing more that fits was found" in markup(answer)


def test_where_no_army_is_possible_an_empty_list_says_so() -> None:
    client = Client()
    page = client.get(start_army(client, limit="3")["Location"])
    assert 'class="message warning"' in markup(page)
    assert 'id="b-go-on"' in markup(page)
    assert Roster.objects.get().verdict != Verdict.LEGAL.value


@pytest.mark.parametrize("fields", [{"faction": "otters"}, {"game": ""}, {"limit": "many"}])
def test_a_bad_form_starts_no_army(fields: dict[str, str]) -> None:
    assert start_army(Client(), **fields).status_code == 422
    assert not Roster.objects.exists()


def test_an_army_is_asked_for_by_a_form_alone() -> None:
    assert Client().get(reverse("roster:new-army")).status_code == 405


def test_the_start_page_offers_it_where_there_is_a_solver() -> None:
    installed()
    address = reverse("roster:new") + "?game=fenland"
    assert 'id="b-army"' in markup(Client().get(address))


@pytest.mark.usefixtures("without_solver")
def test_the_start_page_offers_none_without_a_solver() -> None:
    client = Client()
    page = client.get(start_army(client)["Location"])
    assert "has no solver" in markup(page)
    assert 'id="b-army"' not in markup(client.get(reverse("roster:new") + "?game=fenland"))


# ---- decks -----------------------------------------------------------------------------------------------------------


def test_a_deck_is_filled_in_one_step() -> None:
    owner = weir("weir-mistress", "order-book")
    address = reverse("roster:deck-fill", args=[owner.public_id])
    assert address in owner.page()
    head = owner.roster.head
    answer = owner.client.post(address, {"do": "fill", "revision": str(head)})
    assert (answer.status_code, owner.roster.head) == (303, head + 1)
    assert owner.roster.verdict == Verdict.LEGAL.value
    assert owner.board.verdict is Verdict.LEGAL
    assert Client().post(address, {"do": "fill", "revision": str(head)}).status_code == 404
    assert owner.client.post(address, {"do": "rhubarb", "revision": str(head)}).status_code == 400
    assert owner.client.get(address).status_code == 405


@pytest.mark.usefixtures("without_solver")
def test_without_a_solver_no_deck_is_filled() -> None:
    owner = weir("weir-mistress", "order-book")
    address = reverse("roster:deck-fill", args=[owner.public_id])
    assert address not in owner.page()
    answer = owner.client.post(address, {"do": "fill", "revision": str(owner.roster.head)})
    assert (answer.status_code, "has no solver" in markup(answer)) == (422, True)
