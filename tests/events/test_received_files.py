"""Submitted files in all formats, and stated totals compared with the cost."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from roster.events.models import Participant
from roster.events.services.bench import list_acceptable
from roster.events.services.bulk_checks import judge_again
from roster.events.services.judging import load_event_rules
from roster.services.exchange import RosterFormat, export_list, import_list, read_list_file
from roster.services.owners import Visitor
from tests.events.cast import LIST, Bench, opened

pytestmark = pytest.mark.django_db

CLAIMING = {
    RosterFormat.ROS: (rb'(<cost name="points" typeId="points" value=")30(?:\.0)?"', rb'\g<1>35"'),
    RosterFormat.NEW_RECRUIT_JSON: (rb'("typeId":\s*"points",\s*"value":\s*")30(?:\.0)?', rb"\g<1>35"),
    RosterFormat.TEXT: (rb"\b30\b", b"35"),
}
"""How to change the total in a file, by format."""


def write_list(bench: Bench, form: RosterFormat) -> bytes:
    roster = import_list(Visitor(user_id=bench.people["ann"].pk), read_list_file(LIST.encode()))
    return export_list(roster, form)


def hand_in(bench: Bench, data: bytes, name: str) -> Participant:
    """Submit a file as ann, as a browser does: the verdict first."""
    page = reverse("events:submit", args=[bench.event.public_id, bench.entry("ann").public_id])
    shown = bench.client("ann").post(page, {"file": SimpleUploadedFile(name, data)})
    assert shown.context["verdict"] == "legal"
    assert bench.client("ann").post(page, {"held": shown.context["held"], "do": "submit"}).status_code == 303
    return bench.entry("ann")


@pytest.mark.parametrize("form", [RosterFormat.ROS, RosterFormat.ROSZ, RosterFormat.YAML, RosterFormat.JSON, *CLAIMING])
def test_a_file_of_any_form_is_the_list_that_it_holds(form):
    bench = opened("ann")
    entry = hand_in(bench, write_list(bench, form), f"low-water.{form.value}")
    assert (entry.verdict, entry.points, entry.faction) == ("legal", "30", "Marsh Folk")
    assert [unit for unit, *_rest in entry.current.units] == ["Wärden", "Cutters"]
    assert entry.current.source == "file"


@pytest.mark.parametrize("form", CLAIMING)
@pytest.mark.parametrize("claim", ["30", "35"])
def test_what_a_file_claims_stands_beside_what_it_costs(form, claim):
    bench = opened("ann")
    data = write_list(bench, form)
    if claim == "35":
        data, number = re.subn(*CLAIMING[form], data, count=1)
        assert number == 1
    entry = hand_in(bench, data, f"low-water.{form.value}")
    assert (entry.claimed, entry.points, entry.differs_in_points) == (claim, "30", claim == "35")
    queue = reverse("events:bench", args=[bench.event.public_id])
    page = bench.client("jud").get(queue, {"at": entry.public_id})
    assert (f'<span class="num diff">{entry.points}</span>' in page.content.decode()) == (claim == "35")
    # Lists with another stated total are not accepted in bulk.
    assert page.context["acceptable"] == (0 if claim == "35" else 1)
    assert (claim in page.context["panel"].proposed) == (claim == "35")


@pytest.mark.parametrize(
    "address", ["http://[", "//[::1/r/x", "http://a]/r/" + "a" * 22, "/r/" + "a" * 22 + "?x#y", "\x00"]
)
def test_a_link_that_is_none_is_no_list(address):
    bench = opened("ann")
    page = reverse("events:submit", args=[bench.event.public_id, bench.entry("ann").public_id])
    answer = bench.client("ann").post(page, {"text": address})
    assert answer.status_code < 500
    assert bench.entry("ann").current is None


@pytest.mark.parametrize(
    "rest", ["", "\nthe heron is in my other pocket, honest\n"], ids=["whole", "with-an-unread-line"]
)
def test_a_text_that_was_not_wholly_read_is_legal_only_as_far_as_read(rest):
    """The bench shows the verdict's word, does not accept it in bulk, and keeps the word on rechecks."""
    bench = opened("ann", rules="")
    text = "Mine (30 points)\n\nMarsh Folk\n\nCORE\n\nCutters (10 pts)\nWärden (20 pts)\n" + rest
    submission = bench.submit("ann", text)
    verdict = "as-read" if rest else "legal"
    assert (submission.verdict, bench.entry("ann").verdict, submission.report["legal"]) == (verdict, verdict, not rest)
    assert list_acceptable(bench.event).exists() is not bool(rest)
    assert judge_again(load_event_rules(bench.event), submission).verdict == verdict

    bench_page = reverse("events:bench", args=[bench.event.public_id])
    shown = bench.client("ora").get(bench_page).content.decode()
    assert ("v pill part" in shown) is bool(rest)
    filtered = bench.client("ora").get(bench_page, {"state": "as-read"})
    assert ("ann" in filtered.content.decode()) is bool(rest)
