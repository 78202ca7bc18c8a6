"""Revisions are stored as differences from an earlier one and read back whole."""

import random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from roster.models import RosterRevision, roster
from roster.models.roster import WholeDocument, pack_text, unpack_text
from roster.services.evaluation import hash_document
from tests.roster.views_cast import started


def make_long_document() -> str:
    """Return the text of a list of the maximum length, without repetition."""
    source = random.Random(16)
    return " ".join(f"{source.getrandbits(64):016x}" for _ in range(23_000))


def test_an_edit_of_the_longest_list_leaves_two_kilobytes_at_most() -> None:
    document = make_long_document()
    whole = RosterRevision(number=1)
    whole.store_document(document, None)
    edited = document[:200_000] + "a hundred bytes of a new name " * 4 + document[200_000:]
    step = RosterRevision(number=2)
    step.store_document(edited, WholeDocument(1, document))
    assert (whole.base, step.base) == (0, 1)
    assert len(document) > 380_000
    assert step.stored < 2_000 < whole.stored
    assert unpack_text(step.packed, whole.document) == edited


def test_what_differs_too_much_or_is_too_far_away_is_stored_whole() -> None:
    whole = WholeDocument(1, "Reeds")
    other, near, far = (RosterRevision(number=number) for number in (2, roster.WHOLE_EVERY, roster.WHOLE_EVERY + 1))
    other.store_document(make_long_document(), whole)
    near.store_document("Reeds and eels", whole)
    far.store_document("Reeds and eels", whole)
    assert [row.base for row in (other, near, far)] == [0, 1, 0]
    assert far.document == "Reeds and eels"


@pytest.mark.parametrize("text", ["", "Schilf, Röhricht, 蘆葦", "x" * 100_000])
def test_any_text_is_read_back(text: str) -> None:
    assert unpack_text(pack_text(text)) == text
    assert unpack_text(pack_text(text, "Schilf, Röhricht"), "Schilf, Röhricht") == text


@pytest.mark.django_db
def test_a_step_on_one_just_stored_reads_no_other(client: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr(transaction, "on_commit", lambda keep: keep())
    owner = started(client)
    owner.done(do="rename", node="", text="Marsh watch")
    with CaptureQueriesContext(connection) as queries:
        owner.done(do="rename", node="", text="Marsh wardens")
    asked = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
    assert not [sql for sql in asked if "roster_rosterrevision" in sql and "packed" in sql]
    newest = owner.roster.revisions.first()
    assert (newest.base, newest.document) == (1, owner.roster.document)


@pytest.mark.django_db
@pytest.mark.parametrize("is_kept", [False, True], ids=["as read", "as kept"])
def test_every_step_of_a_history_is_read_back(client: Client, monkeypatch: Any, is_kept: bool) -> None:
    monkeypatch.setattr(roster, "WHOLE_EVERY", 4)
    if is_kept:
        monkeypatch.setattr(transaction, "on_commit", lambda keep: keep())
    owner = started(client)
    documents = {owner.roster.head: owner.roster.document}
    for number in range(10):
        owner.done(do="rename", node="", text=f"Name {number}")
        documents[owner.roster.head] = owner.roster.document
    rows = {row.number: row for row in owner.roster.revisions.all()}
    assert len(documents) == 11
    assert documents.items() <= {number: row.document for number, row in rows.items()}.items()
    assert [number for number, row in sorted(rows.items()) if not row.base] == [1, 5, 9]
    assert all(row.content_hash == hash_document(row.document) for row in rows.values())


@pytest.mark.django_db
def test_a_named_step_of_a_guest_keeps_what_it_is_a_difference_from(
    client: Client, monkeypatch: Any, settings: Any
) -> None:
    monkeypatch.setattr(roster, "WHOLE_EVERY", 4)
    owner = started(client)
    owner.done(do="rename", node="", text="Marsh watch")
    document = owner.roster.document
    named = owner.roster.revisions.get(number=owner.roster.head)
    assert named.base == 1
    client.post(owner.url("history"), {"do": "name", "number": str(named.number), "name": "The beginning"})
    quota = {"things": 9, "bytes": 10**6, "history": owner.roster.written + 600}
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "QUOTAS": {"guest": quota, "account": quota}}
    for number in range(30):
        owner.done(do="rename", node="", text=f"Name {number}")
    rows = {row.number: row for row in owner.roster.revisions.all()}
    assert len(rows) < 15
    assert rows[named.number].document == document
    # Whole documents that are no longer a base are deleted.
    assert {row.base for row in rows.values()} - {0} <= rows.keys()
    assert 5 not in rows


@pytest.mark.django_db
def test_a_revision_of_old_is_read_and_built_on(client: Client) -> None:
    owner = started(client)
    roster = owner.roster
    head, document = roster.head, roster.document
    RosterRevision.forget(roster.revisions.values_list("pk", flat=True))
    RosterRevision(roster=roster, number=head, parent=0, text=document, version=roster.version).save()
    owner.done(do="rename", node="", text="Marsh watch")
    newer = owner.roster.revisions.get(number=head + 1)
    assert (newer.base, newer.document) == (head, owner.roster.document)
    owner.done(do="undo")
    assert owner.roster.document == document
