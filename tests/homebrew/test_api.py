"""House rules through the API: listed, read, created of YAML, published, and read by link."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from roster.formats.homebrew.document import MOST_BYTES
from roster.models import HomebrewSet, HomebrewVersion
from roster.models.tokens import TokenScope
from roster.services.homebrew import MOST_SETS
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.test_tokens import make

pytestmark = pytest.mark.django_db

SETS = "/api/v1/house-rules/"
DOCUMENT = """
homebrew: 1
name: Sluice club rules
game: fenland
source: FAQ 3
changes:
- in: marsh
  name: Warden, points
  entry: warden
  field: cost
  id: points
  was: '20'
  to: '12'
"""


@pytest.fixture
def ann() -> User:
    installed()
    return account()


def send(secret: str, method: str, address: str, body: str = "", media: str = "application/yaml") -> Any:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return Client().generic(method, address, body, media, headers=headers)


def test_house_rules_are_created_published_and_read_by_link(ann: User) -> None:
    secret = make(ann, TokenScope.READ, TokenScope.WRITE)
    created = send(secret, "POST", SETS, DOCUMENT)
    assert created.status_code == 201, created.content
    told = created.json()
    assert (told["name"], told["game"], told["newest"], told["is_published"]) == (
        "Sluice club rules",
        "fenland",
        None,
        False,
    )
    assert [(line["text"], line["refused"]) for line in told["lines"]] == [("Warden, points: 20 → 12", "")]
    address = created["Location"]
    assert send(secret, "GET", address).json() == told
    link = f"{SETS}by-link/{told['link']}/"
    assert send("", "GET", link).status_code == 404, "only published house rules are read by link"

    published = send(secret, "POST", f"{address}versions/")
    assert published.status_code == 201
    version = HomebrewVersion.objects.get()
    assert (published.json()["key"], published.json()["number"]) == (version.key, 1)
    assert send(secret, "GET", f"{address}versions/").json() == [published.json()]
    again = send(secret, "POST", f"{address}versions/")
    assert (again.status_code, again.json()["code"]) == (409, "nothing-new")

    for read in (send("", "GET", link), send("", "GET", published["Location"])):
        assert read.json()["document"] == version.document
        assert read.json()["key"] == version.key
        assert "noindex" in read["X-Robots-Tag"]
    rows = send(secret, "GET", SETS).json()
    assert [(row["id"], row["newest"]) for row in rows] == [(told["id"], 1)]


def test_lines_that_do_not_fit_are_stored_with_the_reason_and_not_published(ann: User) -> None:
    secret = make(ann, TokenScope.READ, TokenScope.WRITE)
    told = send(secret, "POST", SETS, DOCUMENT.replace("'20'", "'21'")).json()
    assert [line["refused"] for line in told["lines"]] == ["value-differs"]
    answer = send(secret, "POST", f"{SETS}{told['id']}/versions/")
    assert (answer.status_code, answer.json()["code"]) == (409, "lines-do-not-fit")
    assert [line["refused"] for line in answer.json()["lines"]] == ["value-differs"]
    assert not HomebrewVersion.objects.exists()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", ""),
        ("homebrew: 9\n", "unknown-form"),
        ("[", ""),
        (DOCUMENT.replace("fenland", "nowhere"), "unknown-game"),
        (DOCUMENT.replace("field: cost", "field: colour"), "unknown-field"),
        ("a: &a [*a]\n", ""),
        ("x" * (MOST_BYTES + 1), "too-big"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused_with_the_reason(ann: User, body: str, code: str) -> None:
    answer = send(make(ann, TokenScope.WRITE), "POST", SETS, body)
    assert answer.status_code in (400, 413), answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"]
    assert answer.json()["code"] == code or not code
    assert not HomebrewSet.objects.exists()


def test_too_many_are_refused(ann: User) -> None:
    secret = make(ann, TokenScope.WRITE)
    assert send(secret, "POST", SETS, DOCUMENT).status_code == 201
    one = HomebrewSet.objects.get()
    HomebrewSet.objects.bulk_create(
        HomebrewSet(owner=ann, game=one.game, name="More", working=one.working) for _ in range(MOST_SETS - 1)
    )
    answer = send(secret, "POST", SETS, DOCUMENT)
    assert (answer.status_code, answer.json()["code"]) == (409, "too-many-rules")


def test_others_find_nothing_and_hidden_ones_are_closed(ann: User) -> None:
    secret = make(ann, TokenScope.READ, TokenScope.WRITE)
    told = send(secret, "POST", SETS, DOCUMENT).json()
    send(secret, "POST", f"{SETS}{told['id']}/versions/")
    other = make(account("bob@example.org"), *TokenScope)
    for method, path in (("GET", ""), ("GET", "versions/"), ("POST", "versions/")):
        assert send(other, method, f"{SETS}{told['id']}/{path}").status_code == 404
        assert send("", method, f"{SETS}{told['id']}/{path}").status_code == 401
    assert send(other, "GET", SETS).json() == []
    assert send("", "GET", SETS).status_code == 401
    link = f"{SETS}by-link/{told['link']}/"
    assert send(other, "GET", link).status_code == 200
    for number in ("2", "x", "-1", "9" * 30):
        assert send(other, "GET", f"{link}?number={number}").status_code == 404
    HomebrewSet.objects.update(taken_down=True)
    assert send(other, "GET", link).status_code == 404
    assert send(secret, "GET", link).status_code == 200


def test_a_list_of_sets_takes_the_same_queries_for_one_and_for_three(
    ann: User, django_assert_max_num_queries: Any
) -> None:
    secret = make(ann, TokenScope.READ, TokenScope.WRITE)
    send(secret, "POST", SETS, DOCUMENT)
    send(secret, "GET", SETS)
    counts = []
    for _ in range(2):
        with django_assert_max_num_queries(20) as asked:
            assert send(secret, "GET", SETS).status_code == 200
        counts.append(len(asked))
        send(secret, "POST", SETS, DOCUMENT)
        send(secret, "POST", SETS, DOCUMENT)
    assert counts[0] == counts[1]


def test_scripts_in_names_stay_text(ann: User) -> None:
    script = "<script>alert(1)</script>"
    answer = send(make(ann, TokenScope.WRITE), "POST", SETS, DOCUMENT.replace("Sluice club rules", script))
    assert (answer.status_code, answer.json()["name"]) == (201, script)
    assert answer["Content-Type"] == "application/json"
