"""If the verdict on a stored list changes, its owner is told once."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from roster.models import Roster
from roster.services.evaluation import evaluate_roster
from roster.services.rule_corrections import record_correction
from tests.markup import markup
from tests.roster.views_cast import HTMX, Owner, started

pytestmark = pytest.mark.django_db

SAVED = datetime(2026, 5, 3, 12, tzinfo=ZoneInfo("UTC"))
LEGAL_BEFORE = (
    "This list was legal when it was saved on May 3, 2026; the rules of this game have been corrected since. "
    "Its current problems are listed below."
)


def saved_as(owner: Owner, **summary: object) -> dict[str, object]:
    """Store an old summary of the list, and return the current one."""
    rows = Roster.objects.filter(public_id=owner.public_id)
    now = rows.values("points", "verdict", "violations").get()
    rows.update(**summary, updated=SAVED)
    return now


def stored(owner: Owner) -> dict[str, object]:
    rows = Roster.objects.filter(public_id=owner.public_id)
    return rows.values("points", "verdict", "violations").get()


def test_a_list_that_was_legal_is_told_of_once():
    owner = started()
    now = saved_as(owner, verdict="legal", violations=0)
    assert now["verdict"] != "legal"
    assert LEGAL_BEFORE in markup(owner.page())
    assert "corrected since" not in markup(owner.page())
    assert stored(owner) == now
    assert owner.roster.updated == SAVED


def test_a_list_that_was_broken_and_is_not_any_more():
    owner = started()
    owner.unit("warden")
    now = saved_as(owner, verdict="illegal", violations=3)
    assert now["verdict"] == "legal"
    page = markup(owner.page())
    assert "This list was illegal when it was saved on May 3, 2026" in page
    assert "Nothing is wrong with it now." in page


def test_a_list_of_the_same_verdict_with_other_points():
    owner = started()
    saved_as(owner, points="99")
    page = markup(owner.page())
    assert "The rules of this game have been corrected since this list was saved on May 3, 2026." in page
    assert "99" in page


def test_nobody_is_told_of_a_list_that_came_out_as_stored():
    owner = started()
    assert "corrected since" not in markup(owner.page())
    assert record_correction(owner.roster, evaluate_roster(owner.roster)) is None


def test_others_are_not_told_and_the_owner_still_is():
    owner = started()
    saved_as(owner, verdict="legal", violations=0)
    link = owner.roster.get_absolute_url()
    assert "corrected since" not in markup(Client().get(link))
    assert LEGAL_BEFORE in markup(owner.page())


def test_a_part_of_the_page_does_not_use_the_message_up():
    owner = started()
    saved_as(owner, verdict="legal", violations=0)
    answer = owner.client.get(owner.url(), {"revision": str(owner.roster.head)}, headers=HTMX)
    assert answer.status_code == 200
    assert LEGAL_BEFORE in markup(owner.page())


def test_of_two_readers_at_once_one_is_told():
    owner = started()
    saved_as(owner, verdict="legal", violations=0)
    first, second = owner.roster, owner.roster
    judged = evaluate_roster(first)
    assert record_correction(first, judged) is not None
    assert record_correction(second, judged) is None


def test_history_keeps_what_was_stored():
    owner = started()
    revision = owner.roster.revisions.get(number=owner.roster.head)
    saved_as(owner, verdict="legal", violations=0)
    owner.page()
    assert owner.roster.revisions.get(pk=revision.pk).verdict == revision.verdict
