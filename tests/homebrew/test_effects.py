"""What a changed value does to the reader's lists, shown beside the form before it is saved."""

import re
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from roster.models import HomebrewSet, HomebrewVersion, Roster
from roster.services import homebrew_effects
from tests.homebrew.test_views import SCRIPT, address, change_points, find_key, owner, stranger
from tests.roster.small_game_update import later
from tests.roster.views_cast import HTMX, Owner, started

__all__ = ("owner", "stranger")
pytestmark = pytest.mark.django_db


def ask(client: Client, to: str = "22", unit: str = "warden", **more: str) -> HttpResponse:
    fields = {"value": find_key(client, "points", unit), "to": to, "set": "new"} | more
    return client.get(address(unit, "homebrew-effects"), fields, headers=HTMX)


def read(answer: HttpResponse) -> str:
    assert answer.status_code == 200, answer.content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def list_stored() -> tuple[int, int, list[Any]]:
    return HomebrewSet.objects.count(), HomebrewVersion.objects.count(), list(Roster.objects.order_by("pk").values())


def test_a_list_shows_its_points_before_and_after(owner: Owner) -> None:
    stored = list_stored()
    text = read(ask(owner.client))
    assert "Low water 20 22 · Legal → Legal by House rules" in text
    assert "Change to 22" in text
    assert "without it" not in text
    assert list_stored() == stored


def test_a_list_shows_its_verdict_before_and_after(owner: Owner) -> None:
    small = started(owner.client, name="Small", limit="21")
    small.unit("warden")
    text = read(ask(owner.client, "22"))
    assert "Small 20 22 · Legal → Illegal" in text
    assert "Low water 20 22 · Legal → Legal by House rules" in text
    assert "Small 20 21 · Legal → Legal by House rules Low" in read(ask(owner.client, "21"))


def test_the_list_that_it_was_opened_from_comes_first_with_its_verdict(owner: Owner) -> None:
    started(owner.client, name="Newer").unit("warden")
    text = read(ask(owner.client, "30", list=owner.public_id, source="FAQ 3", page="2", name="Club"))
    assert text.startswith("Legal By house rules : Club 30 / 100 70 left")
    assert "1 value changed Wärden 20 30 FAQ 3, p. 2 · without it: Legal, 20" in text
    assert text.index("Low water") < text.index("Newer")
    # Its rules cannot be switched off before they are switched on.
    assert "Switch off" not in text

    before = read(ask(owner.client, "", list=owner.public_id))
    assert before.startswith("Legal 20 / 100 80 left What it changes")
    change_points(owner, to="30", list=owner.public_id)
    text = read(ask(owner.client, "31", list=owner.public_id, set=HomebrewSet.objects.get().public_id))
    assert text.startswith("Legal By house rules : Sluice club rules 31 / 100")
    assert "without it: Legal by Sluice club rules, 30" in text
    assert "Low water 30 31 · Legal by Sluice club rules Newer 20 31 · Legal → Legal by Sluice club rules" in text
    assert "Switch off for this list" in text


def test_the_other_lines_of_the_chosen_rules_count_too(owner: Owner) -> None:
    """The chosen rules have a line about the lamp, which new rules would not have."""
    lamp = next(
        key
        for key, name in re.findall(
            r'href="\?value=([0-9a-f]{8})"\s*>([^<]+) <b>2.5', owner.client.get(address()).content.decode()
        )
        if name == "points"
    )
    owner.client.post(address(), {"value": lamp, "to": "9", "set": "new", "name": "Lamps"})
    with_lamp = started(owner.client, name="Lit")
    unit = with_lamp.unit("warden")
    with_lamp.done(do="toggle", node=unit, entry="lamp")
    assert "Lit 22.5 24.5" in read(ask(owner.client))
    assert "Lit 22.5 31" in read(ask(owner.client, set=HomebrewSet.objects.get().public_id))


def test_lists_without_the_unit_and_without_any_list(owner: Owner, stranger: Client) -> None:
    started(owner.client, name="Empty hands")
    assert "Empty hands no Wärden" in read(ask(owner.client))
    assert "None of your lists has Wärden." in read(ask(stranger))
    theirs = started(stranger, name="Theirs")
    text = read(ask(stranger, list=theirs.public_id))
    assert text.startswith("Empty")
    assert "Theirs no Wärden" in text
    assert "Low water" not in text


def test_a_value_that_does_not_fit_says_so_and_judges_nothing(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roster.views.homebrew_effects.list_effects", lambda *_: pytest.fail("judged"))
    for to, sentence in (
        ("many", "“many” cannot be this value"),
        ("20", "The data already says that"),
        ("1e99", "cannot be this value"),
        ("", "Write the new value"),
        (" ", "Write the new value"),
        ("9" * 5000, "cannot be this value"),
        (SCRIPT, "cannot be this value"),
    ):
        answer = ask(owner.client, to)
        assert sentence in read(answer), to
        assert "Change to" not in read(answer)
        assert SCRIPT not in answer.content.decode()


def test_bad_questions_are_answered_gently(owner: Owner, stranger: Client) -> None:
    page = address(page="homebrew-effects")
    for value in ("", "00000000", "\0", "x" * 3000):
        answer = owner.client.get(page, {"value": value, "to": "22"}, headers=HTMX)
        assert answer.status_code == 400
        assert answer.content.decode()
    assert "Low water 20 22" in read(ask(owner.client, set="nobody's"))
    assert ask(stranger, list=owner.public_id).status_code == 404
    assert ask(owner.client, list="x").status_code == 404
    assert Client().get(page).status_code == 302
    answer = owner.client.get(page, {"value": "1", "to": "22"})
    assert (answer.status_code, answer["Location"]) == (303, f"{address()}?value=1&to=22")
    assert owner.client.post(page).status_code == 405


def test_scripts_in_names_are_text(owner: Owner) -> None:
    scripted = started(owner.client, name=SCRIPT)
    scripted.unit("warden")
    answer = ask(owner.client, list=scripted.public_id, name=SCRIPT, source=SCRIPT, page=SCRIPT)
    assert SCRIPT not in answer.content.decode()
    assert answer.content.decode().count("&lt;script&gt;") > 2


def test_the_work_is_bounded(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(homebrew_effects.LISTS_SHOWN):
        started(owner.client, name=f"List {number}").unit("warden")
    assert read(ask(owner.client)).count("Legal by House rules") == homebrew_effects.LISTS_JUDGED
    assert read(ask(owner.client)).count("Not judged") == homebrew_effects.LISTS_SHOWN - homebrew_effects.LISTS_JUDGED
    monkeypatch.setattr(homebrew_effects, "SECONDS", -1.0)
    text = read(ask(owner.client, list=owner.public_id))
    assert text.count("Not judged") == homebrew_effects.LISTS_SHOWN
    assert text.startswith("Legal 20 / 100")


def test_more_lists_need_no_more_queries(owner: Owner) -> None:
    def count_queries() -> int:
        ask(owner.client)
        with CaptureQueriesContext(connection) as queries:
            ask(owner.client)
        return len(queries)

    one = count_queries()
    for number in range(3):
        started(owner.client, name=f"List {number}").unit("warden")
    assert count_queries() == one


def test_a_list_on_older_data_says_why_it_does_not_take_the_value(owner: Owner) -> None:
    owner.unit("crew")
    later()
    text = read(ask(owner.client, "10", "crew", list=owner.public_id))
    assert "Low water The data now says 4, not 9." in text
    assert "They change nothing in this list." in text
    assert "value changed" not in text


def test_the_form_asks_for_it(owner: Owner) -> None:
    page = owner.client.get(address(), {"value": find_key(owner.client, "points"), "list": owner.public_id})
    text = page.content.decode()
    assert f'hx-get="{address(page="homebrew-effects")}"' in text
    assert 'id="change-word"' in text
