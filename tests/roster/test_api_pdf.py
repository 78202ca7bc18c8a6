"""Lists as PDF for programs: the same file as on the page, and a problem for each reason why there is none."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from roster.engine.tree import copy_with
from roster.models import Roster
from roster.models.ownership import Visibility
from roster.models.tokens import TokenScope
from roster.pdf import print_job, sheet_job
from roster.pdf.render_lock import TooSlowError, hold_render_slot, join_line, report_layout
from roster.pdf.sheet_job import create_sheet_job
from roster.services.evaluation import encode_tree
from tests.roster.accounts_cast import account
from tests.roster.test_tokens import ask, make
from tests.roster.views_cast import Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.ARMYBUILDER = settings.ARMYBUILDER | {"PDF_CACHE_DIR": tmp_path / "pdf"}
    return tmp_path / "pdf"


@pytest.fixture
def owner() -> Owner:
    client = Client()
    client.force_login(account())
    made = started(client, name="Low water")
    made.unit("warden")
    return made


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Layouts wait for it, and requests do not wait for layouts."""
    opened, lay_out = threading.Event(), sheet_job.lay_out

    def wait(*given: Any, **named: Any) -> Any:
        assert opened.wait(20)
        return lay_out(*given, **named)

    monkeypatch.setattr(sheet_job, "lay_out", wait)
    monkeypatch.setattr("roster.pdf.print_answer.LONGEST_WAIT", 0)
    yield opened
    opened.set()


def address_of(owner: Owner) -> str:
    return f"/api/v1/rosters/{owner.roster.link_id}/pdf/"


def problem_of(answer: HttpResponse, status: int, code: str) -> dict[str, Any]:
    problem: dict[str, Any] = answer.json()  # type: ignore[attr-defined]  # Django's test client adds it
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert answer["Content-Type"] == "application/problem+json"
    assert problem["detail"]
    return problem


def fail(error: Exception) -> Callable[..., Any]:
    def lay_out(*given: Any, **named: Any) -> Any:
        raise error

    return lay_out


def test_a_program_gets_the_file_of_the_page_once(
    owner: Owner, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    Roster.objects.update(visibility=Visibility.PRIVATE)
    user = User.objects.get()
    secret = make(user, TokenScope.READ)
    made = ask(secret, address_of(owner), headers={"Accept": "application/pdf"})
    page = owner.client.get(owner.url("sheet"))
    assert (made.status_code, made["Content-Type"], made.content) == (200, "application/pdf", page.content)
    for header in ("ETag", "Content-Disposition", "Referrer-Policy", "X-Robots-Tag"):
        assert made[header] == page[header]
    # Nothing is laid out for a program that has the file.
    monkeypatch.setattr(sheet_job, "lay_out", fail(AssertionError()))
    address = address_of(owner)
    with django_assert_num_queries(2):  # token and list
        unchanged = ask(secret, address, headers={"If-None-Match": made["ETag"]})
    assert (unchanged.status_code, unchanged.content, unchanged["ETag"]) == (304, b"", made["ETag"])
    problem_of(Client().get(address_of(owner)), 404, "not-found")
    problem_of(ask(make(user, TokenScope.EVENTS, name="Bench"), address_of(owner)), 403, "scope-missing")


def test_the_page_and_the_api_print_the_same_styles_and_revisions(owner: Owner) -> None:
    Roster.objects.update(is_secret=True)
    content_hash = owner.roster.revisions.get(number=1).content_hash[:8]
    for query in ({"style": "summary", "paper": "letter", "ink": "saver"}, {"revision": "1", "hash": content_hash}):
        for reader in (owner.client, Client()):
            answer, page = reader.get(address_of(owner), query), reader.get(owner.url("sheet"), query)
            assert answer.status_code == 200
            assert (answer["ETag"], answer["Content-Disposition"]) == (page["ETag"], page["Content-Disposition"])
        assert "veiled" in answer["Content-Disposition"]
    # Only the owner needs no hash.
    assert owner.client.get(address_of(owner), {"revision": "1"}).status_code == 200
    problem_of(Client().get(address_of(owner), {"revision": "1"}), 404, "not-found")
    problem_of(owner.client.get(address_of(owner), {"revision": "99"}), 404, "not-found")


def test_wrong_options_are_named_with_the_right_ones(owner: Owner) -> None:
    for name, known in (("style", "pocket"), ("paper", "letter"), ("ink", "saver"), ("photos", "yes")):
        answer = Client().get(address_of(owner), {name: "a\x00"}, headers={"Accept": "application/pdf"})
        assert known in problem_of(answer, 400, "invalid-fields")["errors"][name][0]


def test_what_cannot_be_printed_says_why(owner: Owner) -> None:
    empty = started(name="Nothing yet")
    assert "Nothing yet" in problem_of(Client().get(address_of(empty), {"style": "pocket"}), 409, "no-units")["detail"]
    roster = owner.roster
    named = encode_tree(copy_with(roster.tree, name="Heron 鷺"))
    Roster.objects.filter(pk=roster.pk).update(name="Heron 鷺", document=named)
    problem = problem_of(Client().get(address_of(owner)), 409, "missing-letters")
    assert problem["letters"] == "鷺"
    assert problem["packages"]
    assert Client().get(address_of(owner), {"letters": "1"}).status_code == 200


def test_a_program_keeps_its_place_in_the_line(owner: Owner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_job, "LONGEST_WAIT", 0.05)
    join_line(folder, "another", seconds=60)
    with hold_render_slot(folder, 2):
        answer = Client().get(address_of(owner))
    problem = problem_of(answer, 503, "printing")
    assert (problem["ahead"], problem["laid_out"], problem["pages"]) == (1, 0, 0)
    assert int(answer["Retry-After"]) > 0


def test_a_long_layout_says_how_far_it_is(
    owner: Owner, folder: Path, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert problem_of(Client().get(address_of(owner)), 503, "printing")["pages"] == 0
    address = f"http://testserver{owner.roster.get_absolute_url()}"
    report_layout(folder, create_sheet_job(owner.roster, address=address).key, 3, 14)
    monkeypatch.setattr(print_job, "LONGEST_WAIT", 0)
    problem = problem_of(Client().get(address_of(owner)), 503, "printing")
    assert (problem["ahead"], problem["laid_out"], problem["pages"]) == (0, 3, 14)
    gate.set()
    monkeypatch.undo()
    assert Client().get(address_of(owner))["Content-Type"] == "application/pdf"


def test_a_layout_that_ended_without_a_file_says_whether_time_was_the_reason(
    owner: Owner, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = TooSlowError("Page 7")
    for error, code, words in ((slow, "print-too-slow", "took too long"), (ValueError(), "print-failed", "failed")):

        def lay_out(*given: Any, error: Exception = error, **named: Any) -> Any:
            assert gate.wait(20)
            raise error

        gate.clear()
        monkeypatch.setattr(sheet_job, "lay_out", lay_out)
        problem_of(Client().get(address_of(owner)), 503, "printing")
        gate.set()
        answer = Client().get(address_of(owner))
        assert words in problem_of(answer, 503, code)["detail"]
        assert "Retry-After" not in answer


def test_prints_of_programs_are_counted_like_those_of_pages(owner: Owner, settings: Any) -> None:
    cache.clear()
    settings.ARMYBUILDER = settings.ARMYBUILDER | {"RATES": {"print": (1, 60)}}
    assert owner.client.get(owner.url("sheet")).status_code == 200
    answer = owner.client.get(address_of(owner))
    problem_of(answer, 429, "too-many-requests")
    assert int(answer["Retry-After"]) > 0
    cache.clear()
