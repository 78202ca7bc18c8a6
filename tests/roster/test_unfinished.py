"""When time runs out, pages, JSON and paper say so and offer to continue, and nothing of it is stored."""

from functools import partial

import pytest
from django.test import Client

from roster.engine.completion.effort import Effort
from roster.engine.completion.repair import FoundRepairs
from roster.engine.completion.search import Completion
from roster.engine.completion.solver import Possibility
from roster.engine.report import NOT_FINISHED, Verdict
from roster.models import Roster
from roster.pdf.sheet_job import create_unstored_sheet_job
from roster.services import additions as additions_module
from roster.services import list_check as list_check_module
from roster.services import ways as ways_module
from roster.services.evaluation import evaluate_roster, evaluate_with, forget_outlook
from roster.services.outlooks import look_ahead
from roster.services.ways import WayKind, find_ways, name_outcome
from roster.views.builder import responses
from roster.wording.api_payload import serialize_list
from tests.markup import markup
from tests.roster.small_game import installed
from tests.roster.test_api import LIST, check
from tests.roster.views_cast import HTMX, Owner, started, swapped

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("flat_fenland")]

GIVEN_UP = Effort(30_000, -1.0)
LOST = ("cutters", "cutters", "crew", "crew")


def begin(*units: str) -> Owner:
    """A list with room for four units, one of which has to be a warden."""
    owner = started()
    for entry in units:
        owner.unit(entry)
    return owner


def ask(owner: Owner, page: str, **query: str):
    query = {"revision": str(owner.roster.head), "into": owner.detachment()} | query
    return owner.client.get(owner.url(page), query, headers=HTMX)


def test_a_verdict_that_is_not_finished_says_so_and_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = begin(*LOST)
    monkeypatch.setattr(responses, "OUTLOOK", GIVEN_UP)
    answer = ask(owner, "outlook")
    assert {"verdict", "ways"} <= swapped(answer)
    assert markup(answer).count("data-ask=") == 1
    assert (owner.roster.verdict, owner.roster.outlook) == ("incomplete", "")
    # The answer to the request to continue is also shown to later readers.
    assert 'class="panel verdict no"' in markup(ask(owner, "outlook", patient="1"))
    assert owner.roster.verdict == "illegal"


def test_what_was_found_to_the_end_stays_when_the_clock_ends_the_next_search(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = begin(*LOST)
    ask(owner, "outlook")
    found = owner.roster.outlook
    monkeypatch.setattr(responses, "OUTLOOK", GIVEN_UP)
    ask(owner, "outlook")
    assert (owner.roster.verdict, owner.roster.outlook) == ("illegal", found)
    assert found


def test_without_script_the_whole_page_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = begin(*LOST)
    monkeypatch.setattr(responses, "OUTLOOK", GIVEN_UP)
    assert "patient=1" in markup(owner.page(outlook="1"))
    assert 'class="panel verdict no"' in markup(owner.page(outlook="1", patient="1"))


def test_an_outlook_that_is_not_finished_is_a_remark_of_the_report() -> None:
    judged = look_ahead(evaluate_roster(begin(*LOST).roster), effort=GIVEN_UP).evaluated_list
    assert (judged.verdict, judged.report.is_finished) == (Verdict.INCOMPLETE, False)
    written = serialize_list(judged)
    assert not written["finished"]
    assert NOT_FINISHED in [note["code"] for note in written["unchecked"]]
    assert all(note["text"] for note in written["unchecked"])
    assert forget_outlook(judged).report.is_finished


def test_paper_says_what_was_not_finished() -> None:
    roster = begin("cutters").roster
    judged = evaluate_roster(roster)
    unfinished = evaluate_with(judged.ruleset, judged.tree, look_ahead=True, seconds=-1.0)
    sheets = [
        create_unstored_sheet_job(roster.version, roster.faction_id, one).build_sheet() for one in (judged, unfinished)
    ]
    assert [len(sheet.unchecked) for sheet in sheets] == [1, 2]


def test_the_checker_says_what_was_not_finished(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    installed()
    document = LIST | {"detachments": [{"detachment": "column", "units": list(LOST)}]}
    finished = check(client, document).json()
    assert (finished["verdict"], finished["finished"]) == ("illegal", True)
    monkeypatch.setattr(list_check_module, "evaluate_with", partial(evaluate_with, seconds=-1.0))
    given_up = check(client, document).json()
    assert (given_up["verdict"], given_up["finished"]) == ("incomplete", False)


def test_a_unit_that_was_not_looked_at_is_told_apart_from_one_of_which_nothing_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged = evaluate_roster(begin("cutters").roster)
    monkeypatch.setattr(additions_module, "WAYS", GIVEN_UP)
    given_up = additions_module.list_additions(judged)
    assert given_up
    assert {one.answer for one in given_up} == {Possibility.UNFINISHED}
    patient = additions_module.list_additions(judged, is_patient=True)
    assert patient
    assert {one.answer for one in patient} == {Possibility.YES}


@pytest.mark.parametrize("kind", WayKind)
def test_ways_that_were_not_looked_for_to_the_end_can_be(kind: WayKind, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = begin("crew")
    monkeypatch.setattr(ways_module, "WAYS", GIVEN_UP)
    search = find_ways(evaluate_roster(owner.roster), kind)
    assert (search.answer, search.is_finished, search.ways) == (Possibility.UNFINISHED, False, ())
    assert name_outcome(kind, search) == "unfinished-way"
    assert "data-ask=" in markup(ask(owner, "ways", kind=kind))
    patient = ask(owner, "ways", kind=kind, patient="1")
    assert 'name="way"' in markup(patient)
    assert "data-ask=" not in markup(patient)


@pytest.mark.parametrize("kind", WayKind)
def test_what_is_said_follows_from_the_reason(kind: WayKind, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = evaluate_roster(begin(*LOST).roster)
    outcomes = []
    for answer, is_finished in ((Possibility.NO, True), (Possibility.UNKNOWN, True), (Possibility.UNFINISHED, False)):
        found = Completion(answer, is_finished=is_finished)
        for name in ("complete", "fill"):
            monkeypatch.setattr(ways_module, name, lambda *_, found=found, **__: found)
        monkeypatch.setattr(
            ways_module, "repair", lambda *_, found=found, **__: FoundRepairs(found.answer, (), found.is_finished)
        )
        outcomes.append(name_outcome(kind, find_ways(judged, kind)))
    ending = "repair" if kind is WayKind.REPAIR else "way"
    assert outcomes == [f"no-{ending}", f"unknown-{ending}", "unfinished-way"]


@pytest.mark.parametrize("kind", WayKind)
def test_nobody_with_a_legal_list_has_to_change_anything(kind: WayKind, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = begin()
    owner.client.post(owner.url("ways"), {"revision": str(owner.roster.head), "do": "complete"})
    judged = evaluate_roster(owner.roster)
    assert judged.verdict is Verdict.LEGAL
    monkeypatch.setattr(ways_module, "fill", lambda *_, **__: Completion(Possibility.UNKNOWN))
    monkeypatch.setattr(ways_module, "fill_by_deeds", lambda *_: None)
    search = find_ways(judged, kind)
    assert search.is_settled
    assert name_outcome(kind, search) == ("nothing-found" if kind is WayKind.FILL else "legal-already")
    # Taking that way does not create a step.
    head = owner.roster.head
    owner.client.post(owner.url("ways"), {"revision": str(head), "do": kind.value})
    assert Roster.objects.get(public_id=owner.public_id).head == head
