"""The API reads stored lists and judges sent ones by the same verbs as the pages, and never fails."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from roster.formats.list_document import MAX_BYTES
from roster.models import Roster
from roster.services.changes import AddDetachment, AddUnit
from roster.services.edits import edit_roster
from roster.services.outcomes import SavedEdit
from roster.services.owners import Visitor
from roster.services.rosters import start_roster
from tests.roster.small_game import installed

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CHECK = "/api/check"
LIST: dict[str, Any] = {
    "list": 1,
    "game": "fenland",
    "faction": "marsh",
    "name": "Low water",
    "detachments": [{"detachment": "column", "units": ["warden", "giants"]}],
}


@pytest.fixture(autouse=True)
def _game(db: None) -> None:
    installed()


def check(client: Client, body: object, content_type: str = "application/json") -> Any:
    data = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(CHECK, data, content_type=content_type)


def stored(*units: str) -> Roster:
    from catalogue.models import PackVersion

    roster = start_roster(Visitor(key="owner"), PackVersion.objects.get(), "marsh", "Low water")
    assert isinstance(roster, Roster)
    added = edit_roster(roster, 1, AddDetachment(entry="column"))
    assert isinstance(added, SavedEdit)
    for unit in units:
        assert isinstance(edit_roster(roster, roster.head, AddUnit(node=added.created[0], entry=unit)), SavedEdit)
    return roster


# ---- POST /api/check ---------------------------------------------------------------------------------------------


def test_check_works(client: Client) -> None:
    response = check(client, LIST)
    assert response.status_code == 200
    found = response.json()
    assert (found["verdict"], found["legal"], found["game"], found["version"], found["faction"], found["name"]) == (
        "incomplete",
        False,
        "fenland",
        "1.0",
        "marsh",
        "Low water",
    )
    assert found["costs"] == [{"type": "points", "name": "points", "value": "41", "limit": "100"}]
    (violation,) = found["violations"]
    assert (
        violation["code"],
        violation["rule"],
        violation["measured"],
        violation["allowed"],
        violation["mendable"],
    ) == ("maximum", "fen-columns", "1", "0", True)
    assert (violation["on"]["kind"], violation["on"]["entry"]) == ("category", "hammer")
    assert violation["counted"] == {"id": "hammer", "name": "Hammer"}
    assert violation["cause"][0]["name"] == "Giants"
    assert violation["citation"]["text"] == "Fen Book, p. 4"
    assert violation["sentence"]["headline"] == "Columns"
    assert all(violation["sentence"][part] for part in ("text", "detail", "hint"))
    assert [(note["code"], note["citation"]["page"]) for note in found["unchecked"]] == [("weather", "50")]


@pytest.mark.parametrize("media", ["application/yaml", "application/x-yaml", "text/yaml", "text/yaml; charset=utf-8"])
def test_check_reads_yaml(client: Client, media: str) -> None:
    response = check(client, "list: 1\ngame: fenland\nfaction: marsh\n", media)
    assert (response.status_code, response.json()["verdict"]) == (200, "incomplete")


def test_check_is_for_everybody_and_stores_nothing(client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert check(strict, LIST).status_code == 200
    assert not Roster.objects.exists()
    assert not client.session.keys()


@pytest.mark.parametrize(
    ("body", "code", "line"),
    [
        ('{"list": 1,\n "game": "fenland",\n "faction": "mrash"}', "unknown-faction", 3),
        ('{"list": 1,\n "game": "nowhere"}', "unknown-game", 2),
        ('{"list": 1,\n "game": "fenland",}', "bad-json", 2),
        ('{"list": NaN}', "not-a-number", 1),
        ("[]", "not-fields", 1),
        ('"list"', "not-fields", 1),
        ("", "empty", 0),
        ("{}", "missing-key", 1),
    ],
)
def test_a_bad_document_is_told_with_its_line(client: Client, body: str, code: str, line: int) -> None:
    response = check(client, body)
    found = response.json()
    assert response.status_code == 400
    assert (found["code"], found["line"]) == (code, line)
    assert found["reason"]


def test_what_it_may_have_been_is_suggested(client: Client) -> None:
    found = check(client, {**LIST, "faction": "mrash"}).json()
    assert found["suggestions"] == ["marsh"]
    assert "marsh" in found["mend"]


def test_an_oversized_document(client: Client) -> None:
    response = check(client, b'"' + b"x" * MAX_BYTES + b'"')
    assert response.status_code == 413
    assert response.json()["reason"]


def test_a_list_that_takes_too_long_is_given_up(client: Client, settings: Any) -> None:
    assert check(client, LIST).status_code == 200
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_SECONDS": {"guest": 0, "account": 0}}
    for given_up in (LIST, {**LIST, "exact": True}):
        response = check(client, given_up)
        assert (response.status_code, response.json()["code"]) == (413, "too-slow")
        assert response.json()["reason"]


def test_a_stranger_has_less_time_than_an_account_and_is_told_how_much(client: Client, settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_SECONDS": {"guest": 0, "account": 10}}
    refused = check(client, LIST).json()
    assert (refused["code"], "0 seconds" in refused["reason"]) == ("too-slow", True)
    form = {"text": json.dumps(LIST)}
    assert client.post("/rosters/import/", form).status_code == 400
    client.force_login(User.objects.create_user("member"))
    assert client.post("/rosters/import/", form).status_code == 303


def test_an_oversized_body(client: Client) -> None:
    response = check(client, b"x" * 3_000_000)
    assert response.status_code == 413
    assert response.json()["detail"]


@pytest.mark.parametrize("media", ["text/plain", "multipart/form-data; boundary=x", "image/png", "", "nonsense"])
def test_another_media_type(client: Client, media: str) -> None:
    response = client.generic("POST", CHECK, b"list: 1", content_type=media)
    assert response.status_code == 415
    assert response.json()["detail"]


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_check_answers_to_post_only(client: Client, method: str) -> None:
    response = getattr(client, method)(CHECK)
    assert (response.status_code, response["Allow"]) == (405, "POST, OPTIONS")


def test_check_asks_the_database_little(client: Client, django_assert_num_queries: Any) -> None:
    check(client, LIST)
    for units in (["warden"], ["warden", "crew", "crew"]):
        with django_assert_num_queries(2):  # games with their versions, factions
            check(client, {**LIST, "detachments": [{"detachment": "column", "units": units}]})


# ---- GET /api/rosters/{id}/ --------------------------------------------------------------------------------------


def test_roster_works(client: Client) -> None:
    roster = stored("warden", "giants")
    response = client.get(f"/api/rosters/{roster.public_id}/")
    found = response.json()
    assert response.status_code == 200
    assert (found["id"], found["revision"], found["verdict"]) == (roster.public_id, 4, "incomplete")
    assert [violation["rule"] for violation in found["violations"]] == ["fen-columns"]
    assert "owner" not in json.dumps(found)


def test_a_roster_says_what_would_mend_it(client: Client) -> None:
    address = f"/api/v1/rosters/{stored('warden', 'giants').public_id}/"
    assert all("deeds" not in violation for violation in client.get(address).json()["violations"])
    [violation] = client.get(address, {"deeds": "true"}).json()["violations"]
    assert violation["deeds"]
    for deed in violation["deeds"]:
        assert set(deed) == {"text", "points", "change"}
        assert deed["change"]["do"] in ("add-unit", "remove")


@pytest.mark.parametrize("asked", ["0", "", "yes please"])
def test_a_roster_says_no_more_than_was_asked(client: Client, asked: str) -> None:
    address = f"/api/v1/rosters/{stored('warden', 'giants').public_id}/"
    assert "deeds" not in client.get(address, {"deeds": asked}).json()["violations"][0]


def test_an_empty_list_is_never_legal(client: Client) -> None:
    answer = check(client, {**LIST, "detachments": []}).json()
    assert (answer["empty"], answer["verdict"], answer["legal"]) == (True, "incomplete", False)
    assert check(client, LIST).json()["empty"] is False


def test_the_list_of_a_roster_can_be_checked(client: Client) -> None:
    roster = stored("warden", "giants")
    found = client.get(f"/api/rosters/{roster.public_id}/").json()
    again = check(client, found["list"])
    assert again.status_code == 200
    assert again.json()["costs"] == found["costs"]
    assert [b["rule"] for b in again.json()["violations"]] == [b["rule"] for b in found["violations"]]


@pytest.mark.parametrize("public_id", ["x", "a" * 22, "%00" * 22, "..%2f..", "é" * 22])
def test_a_wrong_address(client: Client, public_id: str) -> None:
    response = client.get(f"/api/rosters/{public_id}/")
    assert response.status_code == 404
    assert response.json()["detail"]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_a_roster_is_only_read(client: Client, method: str) -> None:
    address = f"/api/rosters/{stored().public_id}/"
    assert getattr(client, method)(address).status_code in {401, 403, 405}
    assert Roster.objects.count() == 1


@pytest.mark.usefixtures("fresh_answers")
@pytest.mark.parametrize("units", [1, 3])
def test_a_roster_asks_the_same_at_one_and_three_units(
    client: Client, units: int, django_assert_num_queries: Any
) -> None:
    address = f"/api/rosters/{stored(*['crew'] * units).public_id}/"
    client.get(address)
    # The list and the state of the catalogue, for the key of the kept answer and for the tag of a new one; then the
    # list's data, which a tag does without.
    with django_assert_num_queries(5):
        assert client.get(address).status_code == 200


# ---- the schema, and unexpected requests -------------------------------------------------------------------------


def test_the_description_has_both(client: Client) -> None:
    paths = client.get(reverse("api-schema"), headers={"accept": "application/json"}).json()["paths"]
    assert {"get", "put", "delete"} == set(paths["/api/v1/rosters/{link_id}/"])
    assert {"post"} == set(paths["/api/v1/check"])
    assert set(paths["/api/v1/check"]["post"]["responses"]) >= {"200", "400", "413", "415"}


def test_the_description_says_what_is_limited(client: Client) -> None:
    paths = client.get("/api/schema/?format=json").json()["paths"]
    operations = [(path, one["responses"]) for path, methods in paths.items() for one in methods.values()]
    assert all("429" in responses for _path, responses in operations)
    busy = {path for path, responses in operations if "503" in responses}
    assert {"/api/v1/check", "/api/v1/repair", "/api/v1/rosters/{link_id}/repair/"} <= busy
    assert "/api/v1/games/" not in busy


def test_addresses_without_a_version_answer_the_same(client: Client) -> None:
    roster = stored()
    versioned = reverse("roster_api:roster", args=[roster.link_id])
    assert versioned == f"/api/v1/rosters/{roster.link_id}/"
    assert client.get(versioned).json() == client.get(f"/api/rosters/{roster.link_id}/").json()
    assert client.post("/api/v1/check", b"x", content_type="application/json").status_code == 400
    assert client.post(CHECK, b"x", content_type="application/json").status_code == 400


def test_the_description_has_one_version(client: Client) -> None:
    paths = client.get(reverse("api-schema"), headers={"accept": "application/json"}).json()["paths"]
    assert paths
    assert {path for path in paths if not path.startswith("/api/v1/")} == set()


KEYS = ["list", "game", "faction", "detachments", "detachment", "units", "unit", "options", "option", "count"]
IDS = ["fenland", "marsh", "column", "warden", "lamp", "limits", "points", "name", "exact", "catalogue", "weir"]
WORDS = st.sampled_from([*KEYS, *IDS])
VALUES = st.recursive(
    WORDS | st.text(max_size=5) | st.integers(-3, 3) | st.floats() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
FORCES = st.lists(
    st.fixed_dictionaries(
        {"detachment": st.just("column")},
        optional={"units": st.lists(WORDS | VALUES, max_size=3), "detachments": VALUES, "name": VALUES},
    ),
    max_size=2,
)


@hypothesis_settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(
        {"list": st.just(1), "game": st.just("fenland"), "faction": st.just("marsh")},
        optional={"detachments": FORCES | VALUES, "limits": VALUES, "exact": VALUES, "name": VALUES},
    )
)
def test_no_document_breaks_it(client: Client, document: dict[str, Any]) -> None:
    assert check(client, document).status_code in {200, 400}


@hypothesis_settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from(["application/json", "application/yaml", "text/html", "a/b; c"]))
def test_no_body_breaks_it(client: Client, body: bytes, media: str) -> None:
    assert check(client, body, media).status_code in {400, 415}


def test_the_root_leads_to_the_description(client: Client) -> None:
    answer = client.get("/api/")
    assert (answer.status_code, answer["Location"]) == (302, reverse("api-docs"))
