"""Attach selections to each other: offers, edits, undo, and removal of one of them."""

import pytest

from catalogue.definitions.catalogues import CatalogueKind, DataSet
from catalogue.definitions.overlays import LeaderCorrection
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine import edits
from roster.engine.attachments import list_attachment_offers
from roster.engine.edits import Refused
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.tree import Attachment, RosterTree, copy_with
from tests.engine.games import counting_ids, done, game
from tests.engine.spec_reader import read_spec

MORE = """
game: {forces: [{id: patrol, name: Patrol}]}
army:
  entries:
    - id: herald
      name: Herald
      associations: [{id: escorts, name: Escort, scope: roster, include_child_forces: true, least: 1, most: 2}]
    - id: squad
      name: Squad
      entries:
        - {id: model, name: Model, type: model}
        - {id: icon, name: Icon, associations: [{id: carried, name: Icon, child_id: model, least: 1, most: 1}]}
"""


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    ruleset = read_spec("attachments").ruleset
    assert isinstance(ruleset, Ruleset)
    return ruleset


def built(ruleset: Ruleset, *entries: str) -> tuple[RosterTree, list[str]]:
    ids = counting_ids()
    roster = edits.create_roster(ruleset, ids=ids).roster
    edited = done(edits.add_force(ruleset, roster, "patrol", "army", ids=ids))
    roster, force_id, created = edited.roster, edited.created[0], []
    for entry in entries:
        edited = done(edits.select(ruleset, roster, force_id, entry, ids=ids))
        roster = edited.roster
        created += edited.created
    return roster, created


def attachments(roster: RosterTree, selection_id: str) -> list[str]:
    return [
        attachment.to_id
        for force in roster.forces
        for root in force.selections
        if root.id == selection_id
        for attachment in root.attachments
    ]


def test_a_leader_is_offered_whom_he_may_lead(ruleset: Ruleset) -> None:
    roster, (captain, first, _gun, second) = built(ruleset, "captain", "squad", "gun", "squad")
    (offer,) = list_attachment_offers(Evaluation(ruleset, roster), captain)
    assert (offer.name, offer.least, offer.most, offer.attached_to) == ("Leader", 0, 1, ())
    assert [choice.id for choice in offer.choices] == [first, second]
    assert list_attachment_offers(Evaluation(ruleset, roster), first) == ()
    assert list_attachment_offers(Evaluation(ruleset, roster), "nobody") == ()


def test_a_full_association_lets_go_of_the_longest_standing(ruleset: Ruleset) -> None:
    roster, (captain, first, second) = built(ruleset, "captain", "squad", "squad")
    for to_id in (first, second, second):
        roster = done(edits.attach(ruleset, roster, captain, "leads", to_id)).roster
        assert attachments(roster, captain) == [to_id]
    shown = next(s for s in evaluate(ruleset, roster).forces[0].selections if s.id == captain)
    assert [(a.name, a.to.id, a.to.name) for a in shown.attachments] == [("Leader", second, "Squad")]
    assert attachments(done(edits.detach(roster, captain)).roster, captain) == []
    assert attachments(done(edits.detach(roster, captain, to_id=first)).roster, captain) == [second]


def test_what_is_attached_to_too_much_or_gone_is_wrong(ruleset: Ruleset) -> None:
    roster, (captain, first, second) = built(ruleset, "captain", "squad", "squad")
    force = roster.forces[0]
    both = tuple(Attachment(association_id="leads", to_id=to_id) for to_id in (first, second))
    leader = copy_with(force.selections[0], attachments=both)
    roster = copy_with(roster, forces=(copy_with(force, selections=(leader, *force.selections[1:])),))
    (violation,) = evaluate(ruleset, roster).violations
    assert (violation.code, violation.measured, violation.allowed) == ("wrong-attachment", 2, 1)
    gone = done(edits.remove_one(roster, first)).roster
    assert attachments(gone, captain) == [second]
    assert evaluate(ruleset, gone).violations == ()


def test_what_cannot_be_attached_is_refused(ruleset: Ruleset) -> None:
    roster, (captain, squad) = built(ruleset, "captain", "squad")
    for selection_id, association_id, to_id, code, subject in (
        ("nobody", "leads", squad, "unknown-node", "nobody"),
        (captain, "leads", "nobody", "unknown-node", "nobody"),
        (captain, "leads", captain, "unknown-node", captain),
        (captain, "rides", squad, "unknown-association", "rides"),
    ):
        refused = edits.attach(ruleset, roster, selection_id, association_id, to_id)
        assert refused == Refused(code=code, subject_id=subject)
    assert edits.detach(roster, "nobody") == Refused(code="unknown-node", subject_id="nobody")
    force_id = roster.forces[0].id
    assert edits.detach(roster, force_id) == Refused(code="unknown-node", subject_id=force_id)


def test_copies_are_attached_to_nothing(ruleset: Ruleset) -> None:
    roster, (captain, squad) = built(ruleset, "captain", "squad")
    roster = done(edits.attach(ruleset, roster, captain, "leads", squad)).roster
    copied = done(edits.duplicate_selection(ruleset, roster, captain))
    assert attachments(copied.roster, copied.created[0]) == []


def test_a_scope_may_be_what_is_around_or_the_whole_roster() -> None:
    ruleset = game(MORE)
    roster, (squad, herald) = built(ruleset, "squad", "herald")
    for inner in ("model", "icon"):
        roster = done(edits.select(ruleset, roster, squad, inner, ids=lambda inner=inner: inner)).roster
    wing = done(edits.add_force(ruleset, roster, "patrol", "army"))
    roster = done(edits.select(ruleset, wing.roster, wing.created[0], "squad", ids=lambda: "far")).roster
    evaluation = Evaluation(ruleset, roster)
    (carried,) = list_attachment_offers(evaluation, "icon")
    assert ([choice.id for choice in carried.choices], carried.least) == (["model"], 1)
    (escorts,) = list_attachment_offers(evaluation, herald)
    assert [choice.id for choice in escorts.choices] == [squad, "far"]


def test_a_correction_replaces_what_a_text_says() -> None:
    read = read_spec("leaders-from-texts").ruleset
    assert isinstance(read, Ruleset)
    correction = LeaderCorrection(unit="river marshal", leads=("Heron Guard", "Scouts"), beside=("Herald",))
    catalogues = tuple(
        copy_with(catalogue, leaders=(correction,)) if catalogue.kind is CatalogueKind.GAME_SYSTEM else catalogue
        for catalogue in read.data.catalogues
    )
    ruleset = compile_ruleset(DataSet(catalogues=catalogues))
    roster, (captain, herald, heron, _cutters) = built(ruleset, "captain", "herald", "heron", "cutters")
    (offer,) = list_attachment_offers(Evaluation(ruleset, roster), captain)
    assert [choice.id for choice in offer.choices] == [heron]
    (offer,) = list_attachment_offers(Evaluation(ruleset, roster), herald)
    assert heron not in [choice.id for choice in offer.choices]


def test_units_without_such_texts_are_attached_to_nothing() -> None:
    ruleset = read_spec("leaders-from-texts").ruleset
    assert isinstance(ruleset, Ruleset)
    roster, (cutters, captain) = built(ruleset, "cutters", "captain")
    assert list_attachment_offers(Evaluation(ruleset, roster), cutters) == ()
    (offer,) = list_attachment_offers(Evaluation(ruleset, roster), captain)
    assert (offer.name, [choice.id for choice in offer.choices]) == ("Leader", [cutters])
