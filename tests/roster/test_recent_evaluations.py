"""A recent evaluation is lent to the next request for the same list, one reader at a time."""

import gc
from weakref import ref

import pytest
from django.test import Client
from pytest_django import Settings

from catalogue.services.lru import Lru
from catalogue.services.rulesets import forget_rulesets
from roster.engine.evaluation import Evaluation
from roster.engine.report import Verdict
from roster.services import evaluation
from roster.services.evaluation import forget_evaluations, lend_evaluation, take_evaluation
from tests.roster.views_cast import HTMX, Owner, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Owner:
    forget_evaluations()
    return started(Client())


@pytest.fixture
def judged_documents(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    documents: list[str] = []
    judge = evaluation.evaluate_list

    def note_document(version, faction_id, document):
        documents.append(document)
        return judge(version, faction_id, document)

    monkeypatch.setattr(evaluation, "evaluate_list", note_document)
    return documents


def test_the_same_list_is_judged_once(owner: Owner, judged_documents: list[str]) -> None:
    with lend_evaluation(owner.roster) as first:
        pass
    with lend_evaluation(owner.roster) as second:
        assert second.evaluation is first.evaluation
    assert len(judged_documents) <= 1


def test_what_an_edit_found_out_serves_the_page_after_it(owner: Owner, judged_documents: list[str]) -> None:
    owner.edit(do="add-unit", node=owner.detachment(), entry="cutters", headers=HTMX)
    assert owner.page().status_code == 200
    assert judged_documents == []


def test_two_readers_never_share_one(owner: Owner) -> None:
    with lend_evaluation(owner.roster) as first, lend_evaluation(owner.roster) as second:
        assert second.evaluation is not first.evaluation
        assert second.report == first.report


def test_a_reader_that_fails_leaves_nothing_behind(owner: Owner) -> None:
    with lend_evaluation(owner.roster) as before:
        pass
    with pytest.raises(RuntimeError), lend_evaluation(owner.roster):
        raise RuntimeError
    with lend_evaluation(owner.roster) as after:
        assert after.evaluation is not before.evaluation


def test_another_document_faction_or_ruleset_is_judged_anew(owner: Owner, judged_documents: list[str]) -> None:
    roster = owner.roster
    with lend_evaluation(roster):
        pass
    judged_documents.clear()
    forget_rulesets()
    judged = take_evaluation(roster.version, roster.faction_id, roster.document)
    assert judged.tree == roster.tree
    owner.done(do="add-unit", node=owner.detachment(), entry="cutters")
    changed = owner.roster
    take_evaluation(changed.version, changed.faction_id, changed.document)
    assert judged_documents == [roster.document, changed.document]


def test_what_looking_ahead_found_is_added_for_each_reader(owner: Owner) -> None:
    with lend_evaluation(owner.roster) as judged:
        violations = judged.report.violations
    roster = owner.roster
    roster.outlook = (
        '[{"code":"no-completion","on":{"kind":"roster","id":""},"severity":"error","mendable":false,"measured":0,'
        '"allowed":0}]'
    )
    with lend_evaluation(roster) as foreseen:
        assert foreseen.report.verdict is Verdict.ILLEGAL
        assert len(foreseen.report.violations) == len(violations) + 1
    with lend_evaluation(owner.roster) as judged:
        assert judged.report.violations == violations


def test_what_had_to_go_is_freed_without_the_collector(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "_recent", Lru(1))
    with lend_evaluation(owner.roster) as judged:
        parts = [ref(part) for part in (judged.evaluation.queries, judged.evaluation.conditions)]
    del judged
    gc.disable()
    try:
        owner.edit(do="add-unit", node=owner.detachment(), entry="cutters", headers=HTMX)
        assert [part() for part in parts] == [None, None]
    finally:
        gc.enable()


def test_a_list_lent_again_is_whole(owner: Owner) -> None:
    with lend_evaluation(owner.roster) as first:
        pass
    with lend_evaluation(owner.roster, first) as second, lend_evaluation(owner.roster, first):
        pass
    assert second.evaluation.totals is not None


def list_evaluations() -> list[Evaluation]:
    return [thing for thing in gc.get_objects() if type(thing) is Evaluation]


@pytest.mark.parametrize("seconds", [10, 0], ids=["judged", "given up"])
def test_a_list_that_is_only_judged_leaves_nothing_for_the_collector(
    owner: Owner, settings: Settings, seconds: int
) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_SECONDS": {"guest": seconds, "account": seconds}}
    asked = {"list": 1, "game": "fenland", "faction": "marsh", "detachments": [{"detachment": "column"}] * 20}
    client = Client()
    statuses = {client.post("/api/v1/check", asked, content_type="application/json").status_code}
    # Keep objects of earlier tests from the collector.
    gc.freeze()
    before = list_evaluations()
    gc.disable()
    try:
        for _ in range(3):
            statuses.add(client.post("/api/v1/check", asked, content_type="application/json").status_code)
        assert list_evaluations() == before
    finally:
        gc.enable()
        gc.unfreeze()
    assert statuses == {200 if seconds else 413}


def list_rows(owner: Owner) -> dict[str, object]:
    with lend_evaluation(owner.roster) as judged:
        return {row.id: row for force in judged.report.walk_forces() for row in force.selections}


def test_an_edit_is_judged_on_from_the_list_that_it_changes(owner: Owner) -> None:
    for _ in range(2):
        owner.edit(do="add-unit", node=owner.detachment(), entry="cutters", headers=HTMX)
    before = list_rows(owner)
    first, *others = before
    owner.edit(do="rename", node=first, text="Anna", headers=HTMX)
    after = list_rows(owner)
    assert after.keys() == before.keys()
    assert after[first] != before[first]
    assert others
    assert all(after[unit] is before[unit] for unit in others)


def test_after_an_edit_both_lists_are_at_hand(owner: Owner, judged_documents: list[str]) -> None:
    owner.page()
    judged_documents.clear()
    owner.edit(do="add-unit", node=owner.detachment(), entry="cutters", headers=HTMX)
    owner.edit(do="undo", headers=HTMX)
    assert owner.page().status_code == 200
    assert judged_documents == []
