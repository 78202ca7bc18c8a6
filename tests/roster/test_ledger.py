"""The rule ledger: derived from worked lists, shown on pages and by the API."""

import re
import shutil
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models import QuerySet
from django.test import Client
from pytest_django import Settings

from catalogue.definitions.rulebook import RuleKind, RuleStage
from catalogue.formats.packs.load import SHIPPED, read_pack
from catalogue.models import GameSystem
from catalogue.services.install_packs import install_pack
from roster.models import PackProofs
from roster.services import proofs
from roster.services.ledger import JUDGED, Gap, Ledger, State, read_ledger, read_outlook_shares
from roster.services.proofs import store_proofs
from tests.extent import sample
from tests.plain_yaml import load_yaml_file
from tests.roster.small_game import installed
from tests.shipped_packs import read_shipped

pytestmark = pytest.mark.django_db

REEDS = SHIPPED / "reeds_and_rust"
INVENTORIES = {
    "maelstroms-edge-2e": "maelstroms_edge/second",
    "maelstroms-edge-1e": "maelstroms_edge/first",
    "edge-dawnfall": "edge_dawnfall/dawnfall",
    "maelstrom-of-war-9e": "wh40k/ninth",
    "warzone-resurrection": "warzone/resurrection",
}
STRICTER = {
    "ed-match-modes": "the book names how many squads and cards each way to play has, so a list is made for one",
    "wz-convergence-two-models": "the book forbids it outright: the defender may not infiltrate",
    "wz-megadeck-optional": "both players agree on decks or neither has one",
}
"""Rules that the inventory calls advice or information, but the book makes binding."""


@pytest.fixture
def packs(tmp_path: Path, settings: Settings) -> Path:
    shutil.copytree(REEDS, tmp_path / "reeds_and_rust")
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PACKS_DIR": tmp_path}
    return tmp_path / "reeds_and_rust" / "first"


def load(packs: Path) -> Ledger:
    call_command("load_packs", verbosity=0, stdout=StringIO())
    return read_ledger(GameSystem.objects.get(slug="reeds-and-rust").shown_version)


def state_of(ledger: Ledger, rule: str) -> tuple[State, Gap]:
    judged = next(each for each in ledger.rules if each.entry.id == rule)
    return judged.state, next((clause.gap for clause in judged.clauses if clause.gap), Gap.NONE)


def test_the_example_shows_all_its_rules(packs: Path) -> None:
    ledger = load(packs)
    assert not ledger.failing
    assert {rule.entry.id for rule in ledger.rules if rule.state is State.OPEN} == set()
    assert ledger.tally[State.IMPLEMENTED] > 30


def test_a_rule_that_admits_a_gap_or_that_a_unit_leaves_open_counts_as_partly(packs: Path) -> None:
    assert state_of(load(packs), "rr-choose-one") == (State.IMPLEMENTED, Gap.NONE)
    units = packs / "units" / "iron-weir.yaml"
    text, note = units.read_text(), "{code: at-table, text: It needs a stretch of river on the table.}"
    assert note in text
    units.write_text(text.replace(note, "{rule: rr-choose-one, text: That its pots are of one kind.}"))
    ledger = load(packs)
    assert state_of(ledger, "rr-choose-one") == (State.PARTLY, Gap.NONE)
    [caveat] = [rule.entry.caveat for rule in ledger.rules if rule.entry.id == "rr-choose-one"]
    assert caveat == "Siege Barge: That its pots are of one kind."


def test_a_rule_that_nothing_breaks_any_more_does_not_count(packs: Path) -> None:
    for path in (packs / "lists").glob("*.yaml"):
        if "rr-one-flood-column" in path.read_text() and "expect: legal" not in path.read_text():
            path.unlink()
    assert state_of(load(packs), "rr-one-flood-column") == (State.OPEN, Gap.UNBROKEN)


def test_a_rule_that_nothing_is_shown_to_keep_does_not_count(packs: Path) -> None:
    for path in (packs / "lists").glob("*.yaml"):
        path.write_text("\n".join(line for line in path.read_text().splitlines() if not line.startswith("keeps:")))
    assert state_of(load(packs), "rr-points") == (State.OPEN, Gap.UNKEPT)


def test_a_list_that_is_judged_otherwise_than_it_says_shows_nothing(packs: Path) -> None:
    path = packs / "lists" / "low-water-column.yaml"
    path.write_text(path.read_text().replace("limits: {points: 120}", "limits: {points: 20}"))
    ledger = load(packs)
    assert [proof.file for proof in ledger.failing] == ["low-water-column.yaml"]
    assert state_of(ledger, "rr-points")[1] is Gap.UNKEPT


def test_a_rule_is_shown_by_the_rules_it_is_part_of(packs: Path) -> None:
    (packs / "rules.yaml").write_text("inventory:\n" + "".join(_lines()))
    ledger = load(packs)
    assert state_of(ledger, "rr-whole") == (State.IMPLEMENTED, Gap.NONE)
    assert state_of(ledger, "rr-known") == (State.SHOWN, Gap.NONE)
    assert state_of(ledger, "rr-idle") == (State.OPEN, Gap.BOTH)


@pytest.mark.parametrize(
    "change", [lambda stored: stored.delete(), lambda stored: stored.update(code_hash="of other code")]
)
def test_rules_are_unproven_while_their_lists_are_not_judged_by_the_running_code(
    client: Client, packs: Path, change: Callable[[QuerySet[PackProofs]], object]
) -> None:
    load(packs)
    change(PackProofs.objects.all())
    ledger = read_ledger(GameSystem.objects.get(slug="reeds-and-rust").shown_version)
    assert state_of(ledger, "rr-points") == (State.UNPROVEN, Gap.UNJUDGED)
    assert {*ledger.tally} == {State.UNPROVEN}
    assert "manage.py load_packs" in client.get("/rules/reeds-and-rust/").content.decode()
    assert "not judged" in client.get("/rules/").content.decode()
    states = {rule["state"] for rule in client.get("/api/games/reeds-and-rust/rules/").json()}
    assert states == {"unproven"}
    call_command("load_packs", verbosity=0, stdout=StringIO())
    ledger = read_ledger(GameSystem.objects.get(slug="reeds-and-rust").shown_version)
    assert state_of(ledger, "rr-points") == (State.IMPLEMENTED, Gap.NONE)


def test_no_page_judges_a_worked_list(
    client: Client, packs: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    load(packs)
    monkeypatch.setattr(proofs, "judge_pack", None)
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PACKS_DIR": packs / "nowhere"}
    assert "rr-points" in client.get("/rules/reeds-and-rust/").content.decode()


def test_lists_are_judged_again_where_a_file_of_the_pack_or_the_code_changed(
    packs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelved = install_pack(packs)
    assert store_proofs(shelved)
    assert not store_proofs(install_pack(packs))
    monkeypatch.setattr(proofs, "hash_judging_code", lambda: "newer")
    assert store_proofs(install_pack(packs))
    (packs / "lists" / "low-water-column.yaml").unlink()
    assert store_proofs(install_pack(packs))


CLAUSED = """\
inventory:
- rule: rr-points
  clauses:
    units: No more points than the limit.
    options: {options}
"""


@pytest.mark.parametrize(
    ("options", "claims", "state", "gap"),
    [
        ("What options cost counts.", "", State.OPEN, Gap.BOTH),
        ("What options cost counts.", "/units", State.PARTLY, Gap.BOTH),
        ("{text: What options cost counts., open: Not yet.}", "/units", State.PARTLY, Gap.DECLARED),
    ],
)
def test_a_rule_counts_only_as_far_as_its_clauses_are_shown(
    packs: Path, options: str, claims: str, state: State, gap: Gap
) -> None:
    write_clauses(packs, options)
    claim_instead(packs, "rr-points", f"rr-points{claims}")
    assert state_of(load(packs), "rr-points") == (state, gap)


def test_a_rule_is_implemented_once_every_clause_is_shown(packs: Path) -> None:
    write_clauses(packs, "What options cost counts.")
    claim_instead(packs, "rr-points", "rr-points/units, rr-points/options")
    assert state_of(load(packs), "rr-points") == (State.IMPLEMENTED, Gap.NONE)


def write_clauses(packs: Path, options: str) -> None:
    """Give the example an inventory in which one rule has two clauses."""
    others = "".join(line for line in _rule_lines() if "rr-points," not in line)
    (packs / "rules.yaml").write_text(CLAUSED.format(options=options) + others)


def claim_instead(packs: Path, rule: str, claims: str) -> None:
    for path in (packs / "lists").glob("*.yaml"):
        path.write_text(re.sub(rf"(?<=[\[ ]){rule}(?=[,\]])", claims, path.read_text()))


def _rule_lines() -> Iterator[str]:
    data = read_shipped(REEDS / "first").data
    assert data is not None
    for entry in data.game_system.rulebook:
        yield f"- {{rule: {entry.id}, kind: {entry.kind.value}}}\n"


def _lines() -> Iterator[str]:
    yield from _rule_lines()
    words = "name: N, text: T, cite: {book: rules, page: 1}"
    yield f"- {{rule: rr-whole, {words}, part of: [rr-points, rr-eight]}}\n"
    yield f"- {{rule: rr-known, {words}, kind: show, stage: play}}\n"
    yield f"- {{rule: rr-idle, {words}}}\n"


@pytest.mark.parametrize(
    ("inventory", "said"),
    [
        ("- {rule: rr-points, kind: firm}", "kind"),
        ("- {rule: rr-points, stage: dawn}", "stage"),
        ("- {rule: rr-new}", "no words"),
        ("- {rule: rr-points}\n- {rule: rr-points}", "twice"),
        ("- {rule: rr-points, part of: [rr-nothing]}", "rr-nothing"),
        ("- {rule: rr-points}", "does not list"),
        ("- {rule: rr-points, clauses: {Big One: Text.}}", "Big One"),
        ("- {rule: rr-points, clauses: {one: {open: Later.}}}", "text"),
        ("- {rule: rr-points, clauses: {one: {text: A., wen: B.}}}", "wen"),
        ("- {rule: rr-points, clauses: [one]}", "id: clause"),
    ],
)
def test_a_faulty_inventory_is_refused(packs: Path, inventory: str, said: str) -> None:
    (packs / "rules.yaml").write_text(f"inventory:\n{inventory}\n")
    reading = read_pack(packs)
    assert reading.data is None
    assert any(said in str(found) for found in reading.errors)


# ---- the shipped packs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", INVENTORIES)
def test_the_inventory_is_that_of_the_book(system: str, shared: Path) -> None:
    listed = load_yaml_file(shared / "rules" / f"{system}.yaml")["rules"]
    reading = read_shipped(SHIPPED / INVENTORIES[system])
    assert reading.data is not None
    ours = {entry.id: entry for entry in reading.data.game_system.rulebook}
    assert {rule["id"] for rule in listed} <= ours.keys()
    kinds = {"hard": RuleKind.HARD, "soft": RuleKind.SOFT, "info": RuleKind.SHOW}
    for rule in listed:
        entry = ours[rule["id"]]
        if rule["id"] in STRICTER:
            assert entry.kind is RuleKind.HARD
            assert kinds[rule["kind"]] is not RuleKind.HARD
        else:
            assert (entry.kind, entry.stage) == (kinds[rule["kind"]], RuleStage(rule["stage"])), rule["id"]
        assert entry.citation, rule["id"]
        assert " ".join(entry.text.split()) != " ".join(rule["statement"].split())


@pytest.mark.slow
@pytest.mark.parametrize("system", sample(INVENTORIES, 1))
def test_every_rule_that_can_be_judged_is(system: str) -> None:
    call_command("load_packs", SHIPPED / INVENTORIES[system], verbosity=0, stdout=StringIO())
    ledger = read_ledger(GameSystem.objects.get(slug=system).shown_version)
    assert not ledger.failing
    judged = [r for r in ledger.rules if r.entry.kind is not RuleKind.SHOW and r.entry.stage in JUDGED]
    still_open = {rule.entry.id: rule.state for rule in judged if rule.state is not State.IMPLEMENTED}
    assert still_open == {rule.entry.id: State.PARTLY for rule in judged if rule.entry.caveat}


# ---- pages and API -----------------------------------------------------------------------------------------------


def test_unknown_games_and_games_without_rules(client: Client) -> None:
    installed()
    assert client.get("/rules/nothing/").status_code == 404
    assert client.get("/api/games/nothing/rules/").status_code == 404
    assert "There are no rulebooks here" in client.get("/rules/").content.decode()
    assert client.get("/api/games/fenland/rules/").json() == []


def test_how_often_looking_ahead_has_no_answer_is_measured_and_told(client: Client) -> None:
    """At most one in twenty for packs, one in five for community data."""
    shares = {share.id: share for share in read_outlook_shares()}
    assert shares.keys() > {*INVENTORIES, "reeds-and-rust"}
    for share in shares.values():
        assert share.lists >= 200
        assert share.completed + share.lost + share.unknown == share.lists
        most = 20 if share.id in (*INVENTORIES, "reeds-and-rust") else 5
        assert share.unknown <= share.lists / most
    text = client.get("/rules/").content.decode()
    assert all(f">{share.lost}<" in text for share in shares.values())
