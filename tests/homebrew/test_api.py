"""House rules through the API: listed, read, created, replaced, published, deleted, and read by link."""

import json
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import User
from django.test import Client

from roster.api import homebrew as homebrew_api
from roster.formats.homebrew.document import MOST_BYTES
from roster.models import HomebrewSet, HomebrewVersion
from roster.models.tokens import TokenScope
from roster.services.homebrew import MOST_SETS, find_own_set
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.test_tokens import make
from tests.roster.views_cast import started

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


@pytest.fixture
def token(ann: User) -> str:
    return make(ann, TokenScope.READ, TokenScope.WRITE)


@pytest.fixture
def address(token: str) -> str:
    """Ann's house rules, at revision 1."""
    created = send(token, "POST", SETS, DOCUMENT)
    assert (created.json()["revision"], created["ETag"][:5]) == (1, 'W/"1-')
    location: str = created["Location"]
    return location


def send(
    secret: str, method: str, address: str, body: str = "", media: str = "application/yaml", if_match: str = ""
) -> Any:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    headers |= {"If-Match": if_match} if if_match else {}
    return Client().generic(method, address, body, media, headers=headers)


def open_browser(user: User, **options: Any) -> Client:
    browser = Client(**options)
    browser.force_login(user)
    return browser


def read_sets() -> list[dict[str, Any]]:
    """Return everything that is stored, for comparison."""
    return [*HomebrewSet.objects.values(), *HomebrewVersion.objects.values()]


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
        (DOCUMENT.replace("Sluice club rules", "''"), "missing-key"),
        (DOCUMENT.replace("in: marsh", "in: ' '"), "missing-key"),
        ("a: &a [*a]\n", ""),
        ("x" * (MOST_BYTES + 1), "too-big"),
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_document_that_cannot_be_read_is_refused_with_the_reason(
    token: str, address: str, body: str, code: str, method: str
) -> None:
    if method == "PUT" and code == "unknown-game":
        code = "rules-of-other-game"
    before = read_sets()
    answer = send(token, method, SETS if method == "POST" else address, body, if_match="1")
    assert answer.status_code == {"too-big": 413, "rules-of-other-game": 409}.get(code, 400), answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"]
    assert answer.json()["code"] == code or not code
    assert read_sets() == before


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_document_that_grows_when_it_is_stored_is_refused(token: str, address: str, method: str) -> None:
    """Stored as YAML, quotes take twice the room, and nothing could read the document again."""
    line = {"in": "marsh", "name": "Signal", "entry": "warden", "field": "ability", "to": "Horn", "text": "'" * 300}
    sent = json.dumps({"homebrew": 1, "name": "A", "game": "fenland", "changes": [line] * 190})
    assert len(sent) < MOST_BYTES
    before = read_sets()
    answer = send(token, method, SETS if method == "POST" else address, sent, "application/json", if_match="1")
    assert (answer.status_code, answer.json()["code"]) == (409, "too-long")
    assert read_sets() == before


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


# ---- replacing ---------------------------------------------------------------------------------------------------


def test_a_working_copy_is_replaced_and_versions_stay(token: str, address: str) -> None:
    assert send(token, "POST", f"{address}versions/").status_code == 201
    link = f"{SETS}by-link/{send(token, 'GET', address).json()['link']}/"
    tag = send(token, "GET", address)["ETag"]
    sent = DOCUMENT.replace("Sluice club rules", "Lock club rules").replace("'12'", "'13'")
    replaced = send(token, "PUT", address, sent, if_match=tag)
    assert replaced.status_code == 200, replaced.content
    answer = replaced.json()
    assert (answer["name"], answer["revision"], answer["newest"], answer["is_published"]) == (
        "Lock club rules",
        2,
        1,
        False,
    )
    assert [line["text"] for line in answer["lines"]] == ["Warden, points: 20 → 13"]
    assert yaml.safe_load(answer["document"]) == yaml.safe_load(sent)
    read = send(token, "GET", address)
    assert (read.json(), read["ETag"]) == (answer, replaced["ETag"])
    assert "noindex" in replaced["X-Robots-Tag"]
    assert send("", "GET", link).json()["lines"][0]["text"] == "Warden, points: 20 → 12"
    assert [row["name"] for row in send(token, "GET", SETS).json()] == ["Lock club rules"]
    # And publishes again.
    assert send(token, "POST", f"{address}versions/").json()["number"] == 2


def test_a_replacement_may_be_json_and_an_equal_one_makes_no_revision(token: str, address: str) -> None:
    sent = json.dumps(yaml.safe_load(DOCUMENT))
    before = read_sets()
    same = send(token, "PUT", address, sent, "application/json", if_match='"1"')
    assert (same.status_code, same.json()["revision"]) == (200, 1)
    assert read_sets() == before
    empty = send(token, "PUT", address, '{"homebrew": 1, "name": "A", "game": "fenland"}', "application/json", '"1"')
    assert (empty.json()["revision"], empty.json()["lines"]) == (2, [])


def test_lines_that_do_not_fit_replace_with_the_reason(token: str, address: str) -> None:
    fitting = "- {in: marsh, name: Warden, entry: warden, field: keyword, to: Wader}\n"
    answer = send(token, "PUT", address, DOCUMENT.replace("'20'", "'21'") + fitting, if_match="*")
    assert answer.status_code == 200
    assert [line["refused"] for line in answer.json()["lines"]] == ["value-differs", ""]
    refused = send(token, "POST", f"{address}versions/")
    assert (refused.status_code, refused.json()["code"]) == (409, "lines-do-not-fit")
    assert refused.json()["lines"] == answer.json()["lines"][:1]
    assert not HomebrewVersion.objects.exists()


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_change_on_the_page_is_not_overwritten(ann: User, token: str, address: str, method: str) -> None:
    seen = send(token, "GET", address)["ETag"]
    browser = open_browser(ann)
    page = f"/house-rules/{HomebrewSet.objects.get().public_id}/"
    described = {"do": "describe", "revision": "1", "name": "Lock club rules", "source": "FAQ 4"}
    assert browser.post(page, described).status_code == 303
    before = read_sets()
    for stated in (seen, "1", '"1"'):
        stale = send(token, method, address, DOCUMENT, if_match=stated)
        problem = stale.json()
        assert (stale.status_code, problem["code"]) == (412, "stale")
        assert (problem["made_on"], problem["revision"]) == (1, 2)
        assert "revision 1" in problem["detail"]
        assert yaml.safe_load(problem["current"])["source"] == "FAQ 4"
        assert read_sets() == before
    assert stale["ETag"] == send(token, "GET", address)["ETag"]
    # Publishing may name the revision, too.
    assert send(token, "POST", f"{address}versions/", "", if_match=seen).status_code == 412
    assert read_sets() == before
    assert send(token, method, address, DOCUMENT, if_match=stale["ETag"]).status_code in (200, 204)


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_change_names_its_revision(token: str, address: str, method: str) -> None:
    before = read_sets()
    answer = send(token, method, address, DOCUMENT)
    assert (answer.status_code, answer.json()["code"]) == (428, "revision-required")
    assert 'If-Match: "1"' in answer.json()["detail"]
    for nonsense in ("x", '"-1"', "1.5", "1" * 30):
        assert send(token, method, address, DOCUMENT, if_match=nonsense).status_code == 400
    assert send(token, method, address, DOCUMENT, if_match="2").status_code == 412, "a revision that never was"
    assert read_sets() == before


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_only_the_owner_with_the_scope_changes_house_rules(ann: User, address: str, method: str) -> None:
    before = read_sets()
    other, reader = make(account("bob@example.org"), *TokenScope), make(ann, TokenScope.READ, name="Reader")
    for secret, status in ((other, 404), ("", 401), ("ab_unknown", 401), (reader, 403)):
        assert send(secret, method, address, DOCUMENT, if_match="1").status_code == status
    # A guest who has a list has a session, but no house rules.
    guest = started().client
    answer = guest.generic(method, address, DOCUMENT, "application/yaml", headers={"If-Match": "1"})
    assert answer.status_code == 401
    assert send(other, method, f"{SETS}{'x' * 22}/", DOCUMENT, if_match="1").status_code == 404
    assert read_sets() == before


def test_a_browser_needs_the_token_of_its_forms(ann: User, address: str) -> None:
    client = open_browser(ann, enforce_csrf_checks=True)
    before = read_sets()
    for method in ("PUT", "DELETE"):
        answer = client.generic(method, address, DOCUMENT, "application/yaml", headers={"If-Match": "1"})
        assert answer.status_code == 403
    assert read_sets() == before


@pytest.mark.parametrize("media", ["image/png", "application/xml", "text/plain"])
def test_a_replacement_in_another_format_is_refused(token: str, address: str, media: str) -> None:
    assert send(token, "PUT", address, DOCUMENT, media, if_match="1").status_code == 415


def test_scripts_in_a_replacement_stay_text(ann: User, token: str, address: str) -> None:
    script = "<script>alert(1)</script>"
    answer = send(token, "PUT", address, DOCUMENT.replace("Sluice club rules", script), if_match="1")
    assert (answer.json()["name"], answer["Content-Type"]) == (script, "application/json")
    browser = open_browser(ann)
    for page in ("/house-rules/", f"/house-rules/{answer.json()['id']}/"):
        text = browser.get(page).content.decode()
        assert "&lt;script&gt;" in text
        assert script not in text


@pytest.mark.parametrize(("method", "path"), [("PUT", ""), ("DELETE", ""), ("POST", "versions/")])
def test_house_rules_that_are_deleted_meanwhile_are_not_found(
    token: str, address: str, method: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_too_early(user: User, public_id: str) -> HomebrewSet:
        homebrew_set = find_own_set(user, public_id)
        HomebrewSet.objects.all().delete()
        return homebrew_set

    monkeypatch.setattr(homebrew_api, "find_own_set", find_too_early)
    answer = send(token, method, f"{address}{path}", DOCUMENT, if_match="1")
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    assert not HomebrewSet.objects.exists()


def test_an_unchanged_working_copy_is_a_304_and_a_new_version_changes_it(token: str, address: str) -> None:
    def read(tag: str) -> int:
        headers = {"Authorization": f"Bearer {token}", "If-None-Match": tag}
        status: int = Client().get(address, headers=headers).status_code
        return status

    tag = send(token, "GET", address)["ETag"]
    assert read(tag) == 304
    send(token, "POST", f"{address}versions/")
    assert read(tag) == 200


def test_a_replacement_reads_the_set_once(token: str, address: str, django_assert_max_num_queries: Any) -> None:
    sent = DOCUMENT.replace("'12'", "'13'")
    send(token, "PUT", address, DOCUMENT, if_match="1")
    # Token and account; set, lock and update in a transaction; newest version, version and data of the game.
    with django_assert_max_num_queries(12) as queries:
        assert send(token, "PUT", address, sent, if_match="1").status_code == 200
    of_sets = [one["sql"] for one in queries.captured_queries if 'FROM "roster_homebrewset"' in one["sql"]]
    assert len(of_sets) == 2, "found, and locked"


# ---- deleting ----------------------------------------------------------------------------------------------------


def test_a_deleted_set_leaves_its_list_with_a_remark(ann: User, token: str, address: str) -> None:
    owner = started(open_browser(ann))
    owner.unit("warden")
    published = send(token, "POST", f"{address}versions/").json()
    listed = f"/api/v1/rosters/{owner.roster.link_id}/"
    edit = json.dumps({"edits": [{"do": "set-homebrew", "homebrew": published["key"]}]})
    assert send(token, "POST", f"{listed}edits/", edit, "application/json", if_match="*").status_code == 200
    judged = send(token, "GET", listed)
    assert judged.json()["house_rules"] == "Sluice club rules"

    link = f"{SETS}by-link/{send(token, 'GET', address).json()['link']}/"
    deleted = send(token, "DELETE", address, if_match="1")
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert read_sets() == []
    for method, gone in (("GET", address), ("GET", link), ("DELETE", address), ("PUT", address)):
        assert send(token, method, gone, DOCUMENT, if_match="1").status_code == 404
    # The list keeps naming them, counts the values of the data, and says so.
    read = send(token, "GET", listed)
    assert read["ETag"] != judged["ETag"]
    assert (read.json()["list"]["homebrew"], read.json()["house_rules"]) == (published["key"], "")
    assert "rules-gone" in [remark["code"] for remark in read.json()["unchecked"]]
    assert [answer.json()["costs"][0]["value"] for answer in (judged, read)] == ["12", "20"]


def test_an_unknown_game_is_answered_with_the_known_ones(token: str) -> None:
    problem = send(token, "POST", SETS, DOCUMENT.replace("fenland", "fenlend")).json()
    assert (problem["code"], problem["suggestions"]) == ("unknown-game", ["fenland"])


def test_the_text_of_a_list_says_by_whose_rules_it_is_legal(token: str, address: str) -> None:
    key = send(token, "POST", f"{address}versions/").json()["key"]
    document = {"list": 1, "game": "fenland", "faction": "marsh", "homebrew": key, "name": "Low water"}
    document |= {"detachments": [{"detachment": "column", "units": ["warden"]}]}
    link_id = send(token, "POST", "/api/v1/rosters/", json.dumps(document), media="application/json").json()["id"]
    text = send(token, "GET", f"/api/v1/rosters/{link_id}/text/").json()["text"]
    assert "Legal by Sluice club rules" in text.splitlines()
