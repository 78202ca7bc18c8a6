"""The exchange format: its schema against every document that the project writes, programs' data, lists as links."""

import json
import re
import zlib
from base64 import b32encode
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import LISTS, SHIPPED, find_packs
from catalogue.graph.ruleset import compile_ruleset
from roster.formats.list_document import (
    QR_LENGTH,
    BuiltList,
    ListDocument,
    Media,
    Unreadable,
    build_document,
    build_list,
    format_json,
    format_yaml,
    read_list,
    write_list_link,
)
from roster.formats.list_document.document import write_exchange_schema
from roster.formats.list_document.link import unpack_list_link
from roster.models import Roster
from roster.models.tokens import TokenScope
from tests.roster.accounts_cast import account
from tests.roster.small_game import compiled, installed
from tests.roster.test_api_lists import LIST, create, send
from tests.roster.test_tokens import ask, make
from tests.shipped_packs import read_shipped

SCHEMA = write_exchange_schema("https://lists.example/api/v1/schemas/list-1.json")
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
VENDOR = {
    "club-bot": {"channel": 12, "ratio": -0.5, "open": True, "none": None, "yes": "yes", "seen": ["1", 1, {}, []]},
    "other": "ß <b>\x00 \u202e",
}


def find_mistakes(document: Any) -> list[str]:
    # As in JSON, which has no Decimal.
    return [mistake.message for mistake in VALIDATOR.iter_errors(json.loads(json.dumps(document, default=float)))]


def read_back(data: bytes, media: Media = Media.AUTO) -> dict[str, Any]:
    document = read_list(data, media)
    assert isinstance(document, ListDocument), document
    built = build_list(compiled(), document, "marsh")
    assert isinstance(built, BuiltList), built
    return build_document(compiled(), built.roster, built.game, game="fenland", faction_id="marsh")


# ---- the schema --------------------------------------------------------------------------------------------------


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", find_packs(), ids=lambda path: "-".join(path.parts[-2:]))
def test_every_document_that_is_written_keeps_to_the_schema_and_fits_on_a_card(path: Path) -> None:
    data = read_shipped(path).data
    assert data is not None
    ruleset = compile_ruleset(data)
    files = sorted((path / LISTS).glob("*.yaml"))
    assert files
    for file in files:
        read = read_list(file.read_bytes(), Media.YAML)
        assert isinstance(read, ListDocument), read
        built = build_list(ruleset, read, read.faction.value)
        assert isinstance(built, BuiltList), built
        document = build_document(
            ruleset, built.roster, built.game, game=read.game.value, faction_id=read.faction.value, version="1a2b3c4d"
        )
        assert (file.name, find_mistakes(document)) == (file.name, [])
        link = write_list_link(document)
        assert len(link) <= QR_LENGTH
        packed = json.loads(unpack_list_link(link.encode()))
        assert {**packed, "version": "1a2b3c4d"} == json.loads(format_json(document))


@pytest.mark.parametrize("wrong", [{"list": 2}, {"expect": "legal"}, {"why": "It wins."}, {"vendor": ["a"]}])
def test_the_schema_refuses_another_form_and_claims(wrong: dict[str, Any]) -> None:
    assert find_mistakes(LIST) == []
    assert find_mistakes(LIST | wrong)


def add_keys(part: Any) -> Any:
    """Add an unknown key to each mapping, as a newer program might."""
    if isinstance(part, dict):
        return {key: add_keys(value) for key, value in part.items()} | {"newer": {"colour": "green"}}
    return [add_keys(one) for one in part] if isinstance(part, list) else part


def test_unknown_keys_are_ignored_if_a_program_wrote_them() -> None:
    inner = {"unit": "warden", "options": []}
    document = LIST | {"exact": True, "detachments": [{"detachment": "column", "units": [inner]}]}
    newer = add_keys(document)
    assert find_mistakes(newer) == []
    for data in (format_json(newer), format_yaml(newer), write_list_link(newer).encode()):
        assert read_back(data) == read_back(format_json(document))
    typed = {key: value for key, value in newer.items() if key != "exact"}
    assert read_back(write_list_link(typed).encode())["name"] == "Low water"


@pytest.mark.parametrize("wrong", [{"detachmnts": []}, {"version": "1a2b3c", "exact": False, "detachmnts": []}])
def test_misspelt_keys_of_typed_lists_are_refused_with_the_likely_one(wrong: dict[str, Any]) -> None:
    read = read_list(json.dumps(LIST | wrong).encode())
    assert isinstance(read, Unreadable)
    assert (read.code, read.given, read.suggestions) == ("unknown-key", "detachmnts", ("detachments",))


def test_an_exact_document_still_needs_its_keys() -> None:
    read = read_list(b'{"list": 1, "exact": true, "gme": "fenland"}')
    assert isinstance(read, Unreadable)
    assert (read.code, read.given) == ("missing-key", "game")


def test_a_claim_in_a_list_does_not_change_its_verdict(db: None) -> None:
    installed()
    answer = Client().post(
        "/api/v1/check", json.dumps(LIST | {"detachments": [], "expect": "legal"}), content_type="application/json"
    )
    assert (answer.status_code, answer.json()["verdict"]) == (200, "incomplete")


def test_unknown_entries_are_kept_and_judged(db: None) -> None:
    installed()
    sent = LIST | {"exact": True, "detachments": [{"detachment": "column", "units": ["warden", "sea-serpent"]}]}
    assert find_mistakes(sent) == []
    made = create(make(account(), TokenScope.READ, TokenScope.WRITE), sent)
    assert made["list"]["detachments"][0]["units"][-1] == "sea-serpent"
    assert made["verdict"] == "illegal"


def test_the_schema_has_an_address_of_its_own(db: None) -> None:
    cache.clear()
    answer = Client().get("/api/v1/schemas/list-1.json")
    assert answer["Content-Type"] == "application/schema+json"
    assert answer.json() == SCHEMA | {"$id": "http://testserver/api/v1/schemas/list-1.json"}
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert Client().get("/api/v1/schemas/list-1.json", headers={"If-None-Match": answer["ETag"]}).status_code == 304


# ---- what programs keep with a list ------------------------------------------------------------------------------


@pytest.mark.parametrize("media", [Media.JSON, Media.YAML])
@pytest.mark.parametrize("exact", [True, False])
def test_what_programs_keep_with_a_list_stays_as_it_is(media: Media, exact: bool) -> None:
    document = LIST | {"exact": exact, "vendor": VENDOR}
    assert find_mistakes(document) == []
    data = format_json(document) if media is Media.JSON else format_yaml(document)
    again = read_back(data, media)
    assert again["vendor"] == VENDOR
    assert read_back(write_list_link(again).encode())["vendor"] == VENDOR


def test_it_stays_through_edits_and_a_new_value_is_a_step_of_the_history(db: None) -> None:
    installed()
    token = make(account(), TokenScope.READ, TokenScope.WRITE)
    made = create(token, LIST | {"vendor": {"club-bot": 1}})
    address = f"/api/v1/rosters/{made['id']}/"
    edited = send(token, "POST", f"{address}edits/", {"edits": [{"do": "rename", "text": "High water"}]}, '"1"')
    assert edited.json()["list"]["vendor"] == {"club-bot": 1}
    replaced = send(token, "PUT", address, edited.json()["list"] | {"vendor": {"club-bot": 2}}, '"2"')
    assert (replaced.json()["revision"], replaced.json()["list"]["vendor"]) == (3, {"club-bot": 2})


@pytest.mark.parametrize(
    ("vendor", "code"), [("text", "not-fields"), ([1], "not-fields"), ({"a": "x" * 10_001}, "text-too-long")]
)
def test_a_wrong_bag_is_refused_with_its_place(vendor: object, code: str) -> None:
    read = read_list(json.dumps(LIST | {"vendor": vendor}, indent=1).encode())
    assert isinstance(read, Unreadable)
    assert (read.code, read.line > 1) == (code, True)


def test_numbers_that_no_program_could_hold_stay_text() -> None:
    sent = b'{"list": 1, "game": "fenland", "vendor": {"a": ' + b"9" * 5_000 + b', "b": 1e999}}'
    assert read_back(sent)["vendor"] == {"a": "9" * 5_000, "b": "1e999"}


def test_deep_bags_are_refused() -> None:
    read = read_list(json.dumps(LIST).encode()[:-1] + b', "vendor": {"a": ' + b"[" * 5_000 + b"]" * 5_000 + b"}}")
    assert isinstance(read, Unreadable)
    assert read.code == "too-deep"


# ---- links -------------------------------------------------------------------------------------------------------


def test_a_link_is_read_in_small_letters_and_wrapped() -> None:
    link = write_list_link(LIST)
    assert set(link) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:"), "only signs that QR codes hold in little space"
    wrapped = "\n ".join(link[place : place + 20] for place in range(0, len(link), 20)).lower()
    assert read_back(f"  armylist:1:\n{wrapped.removeprefix('armylist:1:')}\n".encode()) == read_back(link.encode())


def pack(plain: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"armylist:1:" + b32encode(packer.compress(plain) + packer.flush()).rstrip(b"=")


@pytest.mark.parametrize(
    ("link", "code"),
    [
        (b"armylist:", "bad-link"),
        (b"armylist:1:", "bad-link"),
        (b"armylist:1:AAAA", "bad-link"),
        (b"armylist:1:A", "bad-link"),
        (b"armylist:1:!", "bad-link"),
        (write_list_link(LIST)[:-8].encode(), "bad-link"),
        (b"armylist:2:AAAA", "unknown-form"),
        (pack(b" " * 5_000_000), "too-big"),
        (pack(b"{"), "bad-json"),
        (pack(b"\xff"), "not-utf-8"),
        (pack(b'{"list": 1}'), "missing-key"),
        (pack(pack(b"{}")), "bad-json"),
    ],
)
def test_a_damaged_link_is_refused(link: bytes, code: str) -> None:
    read = read_list(link)
    assert isinstance(read, Unreadable)
    assert read.code == code


def test_a_list_gives_its_link_and_others_make_a_list_of_it(db: None) -> None:
    cache.clear()
    installed()
    token = make(account(), TokenScope.READ, TokenScope.WRITE)
    made = create(token)
    answer = ask(token, f"/api/v1/rosters/{made['id']}/link/").json()
    assert answer["qr"].startswith("<svg")
    page = Client().post(reverse("roster:import"), {"text": answer["link"]})
    assert page.status_code == 303
    assert list(Roster.objects.values_list("name", flat=True)) == ["Low water"] * 2
    again = send(token, "POST", "/api/v1/rosters/", answer["link"].encode())
    assert {**again.json()["list"]} == made["list"]


def test_a_link_that_is_too_long_for_a_card_has_no_code(db: None) -> None:
    installed()
    token = make(account(), TokenScope.READ, TokenScope.WRITE)
    noise = b32encode(bytes(number * number % 251 for number in range(3_000))).decode()
    made = create(token, LIST | {"vendor": {"a": zlib.adler32(noise.encode()), "b": SHIPPED.as_posix(), "c": noise}})
    answer = ask(token, f"/api/v1/rosters/{made['id']}/link/").json()
    assert (len(answer["link"]) > QR_LENGTH, answer["qr"]) == (True, "")


def test_the_examples_of_the_page_are_lists() -> None:
    page = (Path(__file__).parents[2] / "docs" / "exchange.md").read_text(encoding="utf-8")
    examples = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    (link,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    assert [find_mistakes(example) for example in examples] == [[], []]
    assert write_list_link(examples[0]) == link.strip()
