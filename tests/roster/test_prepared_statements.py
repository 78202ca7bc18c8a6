"""Statements that are composed once find and change what those that Django composes each time would."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.sessions.models import Session
from django.db import IntegrityError, connection, connections, transaction
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from armybuilder.sessions import SessionStore
from catalogue.services.prepared import PreparedInsert, PreparedQuery, PreparedUpdate
from roster.models import Roster, RosterRevision
from tests.roster.views_cast import started

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

LISTS = Roster.objects.filter(binned=None).select_related("version__game")


@pytest.fixture
def roster(client: Client) -> Roster:
    started(client)
    return LISTS.get()


def read_columns(thing: Model) -> dict[str, object]:
    return {field.attname: getattr(thing, field.attname) for field in thing._meta.concrete_fields}


def test_a_row_is_found_with_those_that_come_along(roster: Roster) -> None:
    prepared = PreparedQuery(LISTS, "public_id")
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            found = prepared.get(public_id=roster.public_id)
            same = (read_columns(found), read_columns(found.version), read_columns(found.version.game))
        assert len(queries) == 1
        assert same == (read_columns(roster), read_columns(roster.version), read_columns(roster.version.game))
        assert found._state.adding is False


def test_what_is_asked_for_is_no_part_of_the_statement(roster: Roster) -> None:
    prepared = PreparedQuery(LISTS, "public_id")
    for unknown in ("", "' OR 1=1 --", "%s", "x" * 22):
        with pytest.raises(Roster.DoesNotExist):
            prepared.get(public_id=unknown)
    assert prepared.get(public_id=roster.public_id) == roster


def test_the_other_conditions_hold(roster: Roster) -> None:
    prepared = PreparedQuery(LISTS, "public_id")
    assert prepared.get(public_id=roster.public_id) == roster
    Roster.objects.update(binned=timezone.now())
    with pytest.raises(Roster.DoesNotExist):
        prepared.get(public_id=roster.public_id)


@pytest.mark.parametrize("asked", [{}, {"link_id": "x"}, {"public_id": "x", "name": "x"}])
def test_it_asks_for_what_it_is_prepared_for_alone(asked: dict[str, str]) -> None:
    with pytest.raises(TypeError, match="prepared for public_id"):
        PreparedQuery(LISTS, "public_id").get(**asked)


@pytest.mark.django_db(transaction=True)
def test_threads_ask_by_their_own_connections(roster: Roster) -> None:
    prepared = PreparedQuery(LISTS, "public_id")

    def find() -> tuple[str, int]:
        try:
            return prepared.get(public_id=roster.public_id).name, id(connections["default"])
        finally:
            connections.close_all()

    here = find()
    with ThreadPoolExecutor(1) as pool:
        there = pool.submit(find).result(timeout=60)
    assert here[0] == there[0] == roster.name
    assert here[1] != there[1]
    assert find() == here


CHANGE = {"points": "12", "units": [["Reed Cutters", 5, ""]], "cards": None, "updated": timezone.now()}


def test_a_row_is_changed_where_it_is_as_it_was_read(roster: Roster) -> None:
    update = PreparedUpdate(Roster, "pk", "head", "last")
    read = {"pk": roster.pk, "head": roster.head, "last": roster.last}
    for number, changes in enumerate((CHANGE, {**CHANGE, "cards": 40}, {**CHANGE, "points": "13"}), 2):
        assert update.run({**changes, "head": number, "last": number, "version": roster.version}, **read)
        stored = Roster.objects.get()
        assert {name: getattr(stored, name) for name in changes} == changes
        assert (stored.head, stored.last, stored.version) == (number, number, roster.version)
        assert stored.name == roster.name
        read |= {"head": number, "last": number}


@pytest.mark.parametrize("moved", ["pk", "head", "last"])
def test_one_that_has_moved_stays(roster: Roster, moved: str) -> None:
    update = PreparedUpdate(Roster, "pk", "head", "last")
    read = {"pk": roster.pk, "head": roster.head, "last": roster.last}
    assert not update.run(CHANGE, **read | {moved: read[moved] + 1})
    assert Roster.objects.get().points == roster.points


def test_a_new_row_is_stored_as_it_is(roster: Roster) -> None:
    insert = PreparedInsert(RosterRevision)
    for number in (7, 8):
        revision = RosterRevision(
            roster=roster, number=number, parent=1, text="", act="test", subject="“%s” 100 %", version=roster.version
        )
        revision.store_document("Reeds and eels", None)
        insert.run(revision)
        stored = RosterRevision.objects.get(pk=revision.pk)
        assert not revision._state.adding
        assert read_columns(stored) | {"packed": bytes(stored.packed)} == read_columns(revision)
        assert stored.document == "Reeds and eels"


def test_a_row_that_breaks_a_rule_of_the_table_is_refused(roster: Roster) -> None:
    there = list(roster.revisions.all())
    revision = RosterRevision(roster=roster, number=there[0].number, parent=0, text="", act="", version=roster.version)
    revision.store_document("Reeds", None)
    with pytest.raises(IntegrityError), transaction.atomic():
        PreparedInsert(RosterRevision).run(revision)
    assert list(roster.revisions.all()) == there


def test_a_session_ends_when_its_time_is_over(client: Client) -> None:
    started(client)
    key = client.session.session_key
    assert SessionStore(key).get("guest")
    Session.objects.update(expire_date=timezone.now())
    over = SessionStore(key)
    assert not over.get("guest")
    assert over.session_key is None


def test_a_session_that_never_was_is_empty() -> None:
    unknown = SessionStore("x" * 32)
    assert not unknown.get("guest")
    assert unknown.session_key is None
