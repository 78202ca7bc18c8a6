"""Results of a season through the API: entered, confirmed, corrected, and challenges declined."""

from typing import Any

import pytest

from roster.club.models import Club, Meeting
from roster.models.tokens import TokenScope
from tests.club.test_leagues import League, table_of
from tests.roster.test_tokens import ask, make

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    return League()


def test_programs_enter_confirm_and_correct_results(league: League) -> None:
    season = league.begin()
    meeting = league.meet("Ben", "Cleo")
    listing = f"/api/v1/seasons/{season.public_id}/meetings/"
    address = f"{listing}{meeting.pk}/"
    tokens = {name: make(league.users[name], TokenScope.EVENTS) for name in league.users}

    def send(who: str, below: str = "", method: str = "post", **sent: Any) -> tuple[int, Any]:
        options = {"data": sent, "content_type": "application/json"} if method == "post" else {}
        answer = ask(tokens[who], f"{address}{below}", method, **options)
        return answer.status_code, answer.json() if answer.content else None

    assert ask(tokens["ben"], address).json() in ask(tokens["ben"], listing).json()
    assert ask(tokens["ben"], f"{listing}987654321/").status_code == 404
    # Readers of an open club act no more than strangers.
    Club.objects.update(is_open=True)
    assert ask(tokens["stranger"], address).status_code == 200
    for below, sent in (("result/", {"first": 1, "second": 2}), ("confirmation/", {"outcome": "1 18:11"})):
        assert send("stranger", below, **sent)[0] == 404
        assert (
            league.browsers["guest"].post(f"{address}{below}", sent, content_type="application/json").status_code == 404
        )
    assert send("stranger", method="delete")[0] == 404

    for sent in ({}, {"first": 18}, {"first": "many", "second": 1}, {"game": ""}):
        status, problem = send("ben", "result/", **sent)
        assert (status, problem["code"]) == (400, "invalid-fields"), sent
    assert send("ben", "result/", first=10_000_000, second=1)[1]["code"] == "bad-score"
    assert send("ben", "result/", game="x" * 22)[1]["code"] == "bad-change"
    assert not Meeting.objects.exclude(game=None).exists()

    status, shown = send("ben", "result/", first=18, second=11)
    assert (status, shown["first_score"], shown["outcome"], shown["waits_for"]) == (200, 18, "1 18:11", ["second"])
    assert shown["counts"] is False
    status, problem = send("cleo", "result/", first=1, second=1)
    assert (status, problem["code"]) == (409, "has-result")
    assert send("cleo", "confirmation/", outcome="1 18:1")[1]["code"] == "scores-changed"
    assert send("cleo", "confirmation/")[0] == 400
    status, shown = send("cleo", "confirmation/", outcome="1 18:11")
    assert (status, shown["counts"], shown["waits_for"]) == (200, True, [])
    assert table_of(season)[0] == ("Ben", 3)

    assert send("ben", "result/", "delete")[0] == 404
    assert send("ben", method="delete")[1]["code"] == "bad-change"
    status, shown = send("ada", "result/", "delete")
    assert (status, shown["outcome"]) == (200, "")
    assert send("ada", "result/", first=11, second=11)[1]["counts"] is True


def test_programs_decline_a_challenge(league: League) -> None:
    season = league.begin(format="challenge")
    opponent = season.players.get(member__name="Cleo")
    assert league.act("ben", season, do="challenge", player=opponent.pk) == 303
    address = f"/api/v1/seasons/{season.public_id}/meetings/{Meeting.objects.get().pk}/"
    token = make(league.users["cleo"], TokenScope.EVENTS)
    assert ask(token, address, "delete").status_code == 204
    assert not Meeting.objects.exists()
