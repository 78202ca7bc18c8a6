"""Lists of imported data that a pack's overlay judges: start, store, export, import."""

import json
from functools import cache
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from catalogue.formats.packs.load import SHIPPED
from catalogue.formats.packs.pack import LoadedPack
from catalogue.models import GameSystem, PackVersion
from catalogue.services.documents import forget_documents
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from catalogue.services.rulesets import forget_rulesets
from roster.formats.list_document import Media
from roster.models import Roster
from roster.services.board import build_board
from roster.services.evaluation import evaluate_roster
from roster.services.exchange import RosterFormat, export_list
from roster.services.list_check import CheckedDocument, check_document
from roster.services.owners import Visitor
from roster.services.rosters import copy_roster, start_roster
from roster.services.rulesets import check_overlay, list_overlay_choices, list_overlays
from tests.catalogue.import_bytes import import_bytes
from tests.catalogue.overlaid_game import toy_wars
from tests.markup import markup
from tests.roster.views_cast import HTMX, have, parts_of, swapped
from tests.shipped_packs import read_shipped

pytestmark = pytest.mark.django_db

PACK = "maelstrom-of-war-9e"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    forget_documents()
    forget_rulesets()


@cache
def pack(game: str, edition: str) -> LoadedPack:
    return read_shipped(SHIPPED / game / edition)


def shelved(game: str, edition: str) -> PackVersion:
    reading = pack(game, edition)
    assert reading.pack
    assert reading.data
    return install_version(GameInfo.from_pack(reading.pack), reading.data)


@pytest.fixture
def toys(db: None) -> PackVersion:
    shelved("wh40k", "ninth")
    shelved("reeds_and_rust", "first")
    version = import_bytes("toy.zip", toy_wars()).version
    assert version is not None
    return version


@pytest.fixture
def name(toys: PackVersion) -> str:
    return list_overlays(toys)[0].name


def document(**more: object) -> bytes:
    units = [{"unit": "captain", "options": ["Warlord"]}, "mob", "mob", "guard", "guard", "guard"]
    written = {
        "list": 1,
        "game": "toy-wars",
        "limits": {"pts": 1000},
        "detachments": [{"detachment": "battalion", "units": units}],
    }
    return json.dumps(written | more).encode()


def rules_broken(data: bytes) -> set[str]:
    checked = check_document(data, Media.JSON)
    assert isinstance(checked, CheckedDocument), checked
    return {violation.rule for violation in checked.evaluated_list.report.errors}


def test_what_is_offered(toys: PackVersion) -> None:
    offered = list_overlays(toys)
    assert [(each.title, each.game) for each in offered] == [("Maelstrom of War", PACK)]
    assert [(preset.name, preset.limits) for preset in offered[0].presets] == [
        ("Incursion", {"pts": 1000}),
        ("Strike Force", {"pts": 2000}),
        ("Onslaught", {"pts": 3000}),
    ]


def test_packs_are_offered_no_other_rules(toys: PackVersion) -> None:
    assert list_overlays(GameSystem.objects.get(slug=PACK).shown_version) == []


def test_a_document_asks_for_it(toys: PackVersion) -> None:
    assert rules_broken(document()) == set()
    assert rules_broken(document(rules=PACK)) == {"mow-datasheet-limit"}
    assert rules_broken(document(rules="Maelstrom of War")) == {"mow-datasheet-limit"}


def test_a_document_asks_for_a_certain_version(name: str) -> None:
    assert rules_broken(document(rules=name)) == {"mow-datasheet-limit"}


@pytest.mark.parametrize("rules", ["reeds-and-rust", "nothing", f"{PACK}@0000000000", f"{PACK}@", "@", "x" * 90])
def test_rules_that_are_not_there(rules: str, toys: PackVersion) -> None:
    found = check_document(document(rules=rules), Media.JSON)
    assert getattr(found, "code", "") == "unknown-rules"
    answer = Client().post("/api/check", document(rules=rules), content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown-rules")
    assert answer.json()["reason"]


def test_a_pack_has_no_rules_laid_over_it(toys: PackVersion) -> None:
    written = {"list": 1, "game": "reeds-and-rust", "faction": "marsh-compact", "rules": PACK}
    assert getattr(check_document(json.dumps(written).encode(), Media.JSON), "code", "") == "unknown-rules"


def test_the_api_says_by_what(toys: PackVersion) -> None:
    client = Client()
    plain = client.post("/api/check", document(), content_type="application/json").json()
    laid = client.post("/api/check", document(rules=PACK), content_type="application/json").json()
    assert (plain["verdict"], plain["rules"]) == ("legal", "")
    assert (laid["verdict"], laid["rules"]) == ("illegal", "Maelstrom of War")
    assert {violation["rule"] for violation in laid["violations"]} == {"mow-datasheet-limit"}


def test_the_command_says_by_what(toys: PackVersion, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "list.json"
    file.write_bytes(document(rules=PACK))
    with pytest.raises(SystemExit):
        call_command("check_list", str(file))
    said = capsys.readouterr().out
    assert "Toy Wars · Maelstrom of War · The Pond" in said
    assert "Datasheet limit" in said


def started(client: Client, way: str) -> Roster:
    form = {"game": "toy-wars", "faction": "pond", "way": way, "name": "Mill pond"}
    answer = client.post(reverse("roster:new"), form)
    assert answer.status_code == 303
    return Roster.objects.get()


def test_a_list_is_started_under_it(name: str) -> None:
    client = Client()
    page = markup(client.get(reverse("roster:new"), {"game": "toy-wars"}))
    assert "· Community data</span>" in page
    assert f'value="{name}/incursion"' in page
    roster = started(client, f"{name}/incursion")
    assert (roster.tree.overlay, [limit.value for limit in roster.tree.limits]) == (name, [1000])
    builder = markup(client.get(reverse("roster:builder", args=[roster.public_id])))
    assert "Toy Wars, Maelstrom of War" in builder
    shown = markup(client.get(roster.get_absolute_url()))
    assert "Toy Wars, Maelstrom of War" in shown


def test_a_list_is_started_without(name: str) -> None:
    roster = started(Client(), "")
    assert (roster.tree.overlay, evaluate_roster(roster).overlay_name) == ("", "")


def test_edits_copies_and_files_keep_it(name: str, toys: PackVersion) -> None:
    client = Client()
    roster = started(client, f"{name}/incursion")
    edits = reverse("roster:edits", args=[roster.public_id])
    client.post(edits, {"do": "add-detachment", "entry": "battalion", "revision": roster.head})
    roster.refresh_from_db()
    assert (roster.head, roster.tree.overlay) == (2, name)
    assert {v.rule for v in evaluate_roster(roster).report.errors} == {"mow-warlord"}
    copied = copy_roster(roster, Visitor(key="somebody"))
    assert isinstance(copied, Roster)
    assert copied.tree.overlay == name
    for form in (RosterFormat.YAML, RosterFormat.JSON):
        again = check_document(export_list(roster, form))
        assert isinstance(again, CheckedDocument)
        assert (again.evaluated_list.tree.overlay, again.evaluated_list.overlay_name) == (name, "Maelstrom of War")


def test_rules_are_chosen_and_dropped_in_the_builder(name: str) -> None:
    client = Client()
    roster = started(client, "")
    builder = reverse("roster:builder", args=[roster.public_id])
    assert f'<option value="{name}">Maelstrom of War</option>' in markup(client.get(builder))
    edits = reverse("roster:edits", args=[roster.public_id])
    for number, (rules, broken) in enumerate(((name, {"mow-battle-size", "mow-warlord"}), ("", set())), 1):
        client.post(edits, {"do": "set-rules", "rules": rules, "revision": number})
        roster = Roster.objects.get()
        assert (roster.tree.overlay, {v.rule for v in evaluate_roster(roster).report.errors} - {""}) == (rules, broken)
    assert client.post(reverse("roster:edits", args=[roster.public_id]), {"do": "undo", "revision": 3})
    assert Roster.objects.get().tree.overlay == name


def test_edits_do_not_ask_which_rules_there_are(name: str) -> None:
    client = Client()
    roster = started(client, "")
    page = client.get(reverse("roster:builder", args=[roster.public_id]))
    fields = {"do": "add-detachment", "entry": build_board(roster).forces[0].entry_id, "revision": roster.head}
    edits = reverse("roster:edits", args=[roster.public_id])
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(edits, {**fields, "have": have(parts_of(page))}, headers=HTMX)
    assert "settingsbody" not in swapped(answer)
    assert not [query["sql"] for query in queries if "'pack'" in query["sql"]]
    # An edit of the settings sends the choices, too.
    fields = {"do": "set-rules", "rules": name, "revision": Roster.objects.get().head}
    answer = client.post(edits, {**fields, "have": have(parts_of(page))}, headers=HTMX)
    assert "settingsbody" in swapped(answer)
    assert f'<option value="{name}"' in markup(answer)


@pytest.mark.parametrize("rules", ["nothing", f"{PACK}@0000000000", PACK, "@", "reeds-and-rust@"])
def test_rules_that_are_not_there_are_not_set(rules: str, toys: PackVersion) -> None:
    client = Client()
    roster = started(client, "")
    edits = reverse("roster:edits", args=[roster.public_id])
    answer = client.post(edits, {"do": "set-rules", "rules": rules, "revision": 1}, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert Roster.objects.get().head == 1


def test_an_older_pack_stays_among_the_choices(name: str, toys: PackVersion) -> None:
    older = list_overlay_choices(toys, f"{PACK}@1234567890", "Maelstrom of War")
    assert [each.name for each in older] == [name, f"{PACK}@1234567890"]
    assert [each.name for each in list_overlay_choices(toys, name, "")] == [name]


def test_rules_that_are_gone_are_said_to_be(toys: PackVersion) -> None:
    made = start_roster(Visitor(key="k"), toys, "pond", limits={"pts": 1500}, overlay=f"{PACK}@ffffffffff")
    assert isinstance(made, Roster)
    report = evaluate_roster(made).report
    assert [remark.code for remark in report.unchecked] == ["rules-gone"]
    assert "mow-battle-size" not in {violation.rule for violation in report.errors}


def test_a_newer_pack_leaves_lists_as_they_are(name: str, toys: PackVersion) -> None:
    pack = GameSystem.objects.get(slug=PACK)
    other = GameSystem.objects.get(slug="reeds-and-rust").shown_version
    assert check_overlay(name, toys) == name
    GameSystem.objects.filter(pk=other.game_id).update(current=None)
    GameSystem.objects.filter(pk=pack.pk).update(current=None)
    assert check_overlay(name, toys) == name
    assert list_overlays(toys) == []


def test_judging_under_known_rules_asks_the_database_nothing(
    name: str, toys: PackVersion, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = start_roster(Visitor(key="k"), toys, "pond", overlay=name)
    assert isinstance(made, Roster)
    evaluate_roster(made)
    with django_assert_num_queries(0):
        evaluate_roster(made)
