"""Print-outs compared with locked lists: by the code on builder or event paper, or by hand."""

import pytest
from django.urls import reverse

from roster.events.models import AuditRecord
from roster.events.services.events import set_blind
from roster.events.services.reading import read_roster
from roster.events.services.submissions import judge_received, submit_list
from roster.models import Roster
from roster.models.ownership import Visibility
from roster.services.exchange import import_list, read_list_file
from roster.services.owners import Visitor
from roster.services.revisions import build_revision_address
from tests.events.cast import LIST, TWO_CUTTERS, Bench, opened

pytestmark = pytest.mark.django_db

MATCH, MISMATCH = "This is the locked list", "This is not the locked list"


@pytest.fixture
def bench() -> Bench:
    return opened("ann", "bob")


def store(bench: Bench, text: str = LIST, who: str = "ann") -> Roster:
    roster = import_list(Visitor(user_id=bench.people[who].pk), read_list_file(text.encode()))
    assert isinstance(roster, Roster)
    return roster


def submit(bench: Bench, roster: Roster, who: str = "ann") -> None:
    submit_list(bench.entry(who), judge_received(bench.event, read_roster(roster)), bench.people[who])


def code_of(roster: Roster) -> str:
    revision = roster.revisions.get(number=roster.head)
    return build_revision_address(roster.get_absolute_url(), roster.head, revision.content_hash)


def said(bench: Bench, who: str, address: str) -> str:
    answer = bench.client(who).get(address, follow=True)
    text = answer.content.decode()
    return MATCH if MATCH in text else MISMATCH if MISMATCH in text else str(answer.status_code)


def url(bench: Bench, name: str = "paper", *args: str) -> str:
    return reverse(f"events:{name}", args=[bench.event.public_id, *args])


def test_the_code_of_the_builders_paper_matches(bench):
    roster = store(bench)
    submit(bench, roster)
    for who in ("ora", "jud"):
        assert said(bench, who, code_of(roster)) == MATCH
    for who in ("ann", "bob", "sue", ""):
        assert said(bench, who, code_of(roster)) == "200"
    assert [(one.actor_name, one.participant) for one in AuditRecord.objects.filter(act="paper")] == [
        (name, bench.entry("ann")) for name in ("jud", "ora")
    ]
    # Without a paper there is no check.
    assert said(bench, "ora", roster.get_absolute_url()) == "200"


def test_the_code_of_another_list_does_not(bench):
    submit(bench, store(bench))
    other = store(bench, TWO_CUTTERS)
    page = bench.client("jud").get(code_of(other)).content.decode()
    assert MISMATCH in page
    assert "Cutters" in page


def test_a_forged_code_does_not(bench):
    roster = store(bench)
    submit(bench, roster)
    assert said(bench, "jud", build_revision_address(roster.get_absolute_url(), 1, "0" * 12)) == MISMATCH


def test_a_list_that_was_handed_in_as_text_is_compared(bench):
    bench.submit("ann", LIST)
    assert said(bench, "jud", code_of(store(bench))) == MATCH
    assert said(bench, "jud", code_of(store(bench, TWO_CUTTERS))) == MISMATCH


def test_an_earlier_submission_is_not_the_locked_one(bench):
    first, second = store(bench), store(bench, TWO_CUTTERS)
    submit(bench, first)
    submit(bench, second)
    assert (said(bench, "jud", code_of(first)), said(bench, "jud", code_of(second))) == (MISMATCH, MATCH)


def test_the_code_of_a_private_list_leads_to_what_was_handed_in(bench):
    roster = store(bench)
    submit(bench, roster)
    Roster.objects.update(visibility=Visibility.PRIVATE)
    assert said(bench, "jud", code_of(roster)) == MATCH
    for who in ("bob", "sue", ""):
        assert said(bench, who, code_of(roster)) == "404"
    assert said(bench, "jud", roster.get_absolute_url()) == "404"


def test_who_is_blind_learns_nothing(bench):
    roster = store(bench)
    submit(bench, roster)
    set_blind(bench.event, bench.people["ora"], bench.event.roles.get(user=bench.people["jud"]), blind=True)
    assert said(bench, "jud", code_of(roster)) == "200"
    assert said(bench, "jud", url(bench)) == "403"


def test_the_code_of_the_events_paper(bench):
    submission = bench.submit("ann")
    page = url(bench, "list", bench.entry("ann").public_id)
    assert said(bench, "jud", build_revision_address(page, 1, submission.content_hash)) == MATCH
    assert said(bench, "jud", build_revision_address(page, 1, "0" * 12)) == MISMATCH
    assert said(bench, "bob", build_revision_address(page, 1, submission.content_hash)) == "404"


def test_the_signs_of_a_paper_are_written_by_hand(bench):
    bench.submit("ann", TWO_CUTTERS)
    first = bench.entry("ann").current.content_hash
    current = bench.submit("ann").content_hash
    for text, found in ((f"{current[:4]} {current[4:8].upper()}", MATCH), (first[:8], MISMATCH)):
        assert said(bench, "jud", f"{url(bench)}?paper={text}") == found
    nothing = bench.client("jud").get(url(bench), {"paper": "00000000"})
    assert (nothing.context["matches"], "This is not a locked list" in nothing.content.decode()) == ([], True)
    assert bench.client("jud").get(url(bench), {"paper": "zz"}).context["digits"] == ""
    assert AuditRecord.objects.filter(act="paper").count() == 3
    assert [bench.client(who).get(url(bench)).status_code for who in ("ora", "ann", "sue", "")] == [200, 404, 404, 404]


def test_both_fingerprints_of_a_list_are_accepted(bench):
    """The bench and receipts show the hash of the received data, paper that of the list."""
    submit(bench, store(bench))
    submission = bench.entry("ann").current
    panel = bench.client("jud").get(url(bench, "bench"), {"at": bench.entry("ann").public_id}).content.decode()
    for digits in (submission.short_hash, submission.paper_hash):
        assert digits in panel
        assert said(bench, "jud", f"{url(bench)}?paper={digits}") == MATCH
    for digits in (submission.received_hash, submission.received_hash.upper(), f"{submission.short_hash}…"):
        assert said(bench, "jud", f"{url(bench)}?paper={digits}") == MATCH
    assert said(bench, "jud", f"{url(bench)}?paper={submission.received_hash[:7]}") == "200"


def test_the_fingerprint_of_an_earlier_file_is_not_of_the_locked_list(bench):
    bench.submit("ann")
    earlier = bench.entry("ann").current
    bench.submit("ann", TWO_CUTTERS)
    assert said(bench, "jud", f"{url(bench)}?paper={earlier.short_hash}") == MISMATCH
