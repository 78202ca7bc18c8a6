"""The outlook of a list: dead ends are grey, and a list that cannot be completed says so."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from roster.engine.completion import solver
from roster.engine.plan import GamePlan
from roster.engine.report import Verdict
from roster.models import Roster
from roster.pdf.sheet_job import create_sheet_job
from roster.services.deeds import ADDITIONS, propose_deeds
from roster.services.evaluation import evaluate_roster
from roster.services.exchange import import_list, read_list_file
from roster.services.history import read_history
from roster.services.list_check import CheckedDocument
from roster.services.owners import Visitor
from roster.services.plans import evaluate_plan
from roster.services.revisions import find_shown_revision
from roster.services.rosters import copy_roster
from roster.templatetags.builder import make_dom_token
from tests.markup import markup
from tests.roster.small_game import installed
from tests.roster.views_cast import HTMX, Owner, started, swapped

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("flat_fenland")]

DEAD = 'class="cause clip no dead"'


def begin(*units: str) -> Owner:
    """A list with room for four units, one of which has to be a warden."""
    owner = started()
    for entry in units:
        owner.unit(entry)
    return owner


def ask(owner: Owner, **query: str) -> HttpResponse:
    query = {"revision": str(owner.roster.head), "into": owner.detachment()} | query
    return owner.client.get(owner.url("outlook"), query, headers=HTMX)


def name_why(entry: str) -> str:
    return f"y-{make_dom_token(entry)}"


def test_the_last_place_is_kept_for_what_is_still_needed() -> None:
    answer = ask(begin("cutters", "cutters", "crew"))
    assert answer.status_code == 200
    assert {"ways", *map(name_why, ("cutters", "crew", "giants"))} == swapped(answer)
    assert markup(answer).count(DEAD) == 3


def test_an_empty_list_shows_what_can_be_taken_at_all_within_its_limit() -> None:
    owner = started(limit="40")
    # Giants need a core unit next to them, and every list a warden.
    assert name_why("giants") in swapped(ask(owner))
    assert name_why("giants") not in swapped(ask(started(limit="100")))


def test_where_everything_leads_somewhere_nothing_is_grey() -> None:
    answer = ask(begin("cutters"))
    assert swapped(answer) == {"ways"}


def test_what_was_grey_and_leads_somewhere_now_is_sent_again() -> None:
    answer = ask(begin("cutters"), grey=name_why("crew") + ",y-nothing")
    assert swapped(answer) == {name_why("crew"), "ways"}
    assert DEAD not in markup(answer)


def test_a_list_that_is_lost_is_illegal_and_says_which_rules_collide() -> None:
    owner = begin("cutters", "cutters", "crew", "crew")
    answer = ask(owner)
    assert {"verdict", "dock", "strip", "ways"} <= swapped(answer)
    assert 'class="panel verdict no"' in markup(answer)
    assert "Four choices" in markup(answer)
    assert DEAD not in markup(answer)
    # No button offers what can no longer mend anything, now or on the next visit.
    assert "Add Wärden" not in markup(answer)
    deeds = propose_deeds(evaluate_roster(owner.roster)).values()
    assert not any(deed.kind in ADDITIONS for offered in deeds for deed in offered)


def test_everybody_has_the_verdict_that_looking_ahead_came_to() -> None:
    owner = begin("cutters", "cutters", "crew", "crew")
    unaware = read_verdicts(owner)
    assert unaware == dict.fromkeys(unaware, "incomplete")
    ask(owner)
    assert read_verdicts(owner) == dict.fromkeys(unaware, "illegal")
    # Readers of a snapshot, such as a printed sheet's, get the same note.
    lost = owner.roster.head
    owner.unit("crew")
    owner.done(do="undo")
    assert (owner.roster.head, read_verdicts(owner)) == (lost, dict.fromkeys(unaware, "illegal"))
    copy = copy_roster(owner.roster, Visitor(key="somebody"))
    assert isinstance(copy, Roster)
    assert copy.verdict == "illegal"
    owner.done(do="undo")
    assert read_verdicts(owner) == dict.fromkeys(unaware, "incomplete")
    past = find_shown_revision(owner.roster, str(lost), "", owned=True).roster
    assert (past.verdict, evaluate_roster(past).verdict) == ("illegal", Verdict.ILLEGAL)


def read_verdicts(owner: Owner) -> dict[str, str]:
    """Return the verdicts on a list in all places where it is read."""
    roster = owner.roster
    link = markup(owner.client.get(roster.get_absolute_url()))
    mine = markup(owner.client.get(reverse("roster:rosters")))
    stored = owner.client.get(f"/api/v1/rosters/{roster.link_id}/").json()
    history = read_history(roster).read_rows([roster.head])
    return {
        "my lists": "illegal" if 'class="v pill no"' in mine else "incomplete",
        "link": "illegal" if 'class="v pill no"' in link else "incomplete",
        "builder": "illegal" if 'class="panel verdict no"' in markup(owner.page()) else "incomplete",
        "API": stored["verdict"],
        "history": history[0].verdict,
        "paper": create_sheet_job(roster).build_sheet().verdict.value,
        "game plan": evaluate_plan(roster, GamePlan()).verdict.value,
    }


def test_what_was_found_is_found_out_anew_when_the_list_is_opened() -> None:
    owner = begin("cutters", "cutters", "crew")
    lost = begin("cutters", "cutters", "crew", "crew")
    ask(lost)
    Roster.objects.filter(public_id=owner.public_id).update(outlook=lost.roster.outlook, verdict="illegal")
    answer = ask(owner)
    assert {"verdict", "dock", "strip"} <= swapped(answer)
    assert (owner.roster.verdict, owner.roster.outlook) == ("incomplete", "")


def test_a_list_that_was_lost_when_it_was_read_is_kept_as_lost() -> None:
    installed()
    units = ", ".join(["crew"] * 4)
    text = f"list: 1\ngame: fenland\nfaction: marsh\ndetachments: [{{detachment: column, units: [{units}]}}]\n"
    read = read_list_file(text.encode())
    assert isinstance(read, CheckedDocument)
    kept = import_list(Visitor(key="somebody"), read)
    assert isinstance(kept, Roster)
    assert (kept.verdict, evaluate_roster(kept).verdict) == ("illegal", Verdict.ILLEGAL)


def test_without_script_a_link_leads_to_the_same_page() -> None:
    owner = begin("cutters", "cutters", "crew")
    answer = owner.client.get(owner.url("outlook"))
    assert answer.status_code == 302
    page = owner.page(outlook="1", into=owner.detachment())
    assert markup(page).count(DEAD) == 3
    assert "dead=1" in markup(page)
    assert DEAD not in markup(owner.page())


def test_the_datasheet_of_a_grey_line_says_why() -> None:
    owner = begin("cutters", "cutters", "crew")
    address = reverse("roster:datasheet", args=[owner.public_id, "crew"])
    assert "With this, no further pick" in markup(owner.client.get(address, {"dead": "1"}))
    assert "With this, no further pick" not in markup(owner.client.get(address))


def test_an_answer_for_a_page_that_has_moved_on_is_none() -> None:
    assert ask(begin("cutters"), revision="1").status_code == 204
    assert ask(begin("cutters"), revision="soon").status_code == 204


def test_only_the_owner_asks() -> None:
    owner = begin()
    assert Client().get(owner.url("outlook"), headers=HTMX).status_code == 404
    assert owner.client.get(reverse("roster:outlook", args=["nothing"]), headers=HTMX).status_code == 404
    assert owner.client.post(owner.url("outlook")).status_code == 405


@pytest.mark.usefixtures("without_solver")
def test_without_a_solver_nobody_asks_and_nothing_is_grey() -> None:
    owner = begin("cutters", "cutters", "crew")
    page = markup(owner.page(outlook="1"))
    assert 'id="ways"' not in page
    assert "data-outlook" not in page
    assert DEAD not in page
    assert swapped(ask(owner)) == set()


def test_edits_and_pages_ask_nothing_of_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Any:
        raise AssertionError

    monkeypatch.setattr(solver, "load_solver", fail)
    owner = begin("cutters", "cutters", "crew", "crew")
    owner.done(do="undo")
    assert owner.page().status_code == 200
    with pytest.raises(AssertionError):
        ask(owner)
