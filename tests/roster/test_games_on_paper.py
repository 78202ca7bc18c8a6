"""What sheets of the shipped games show apart from units: commander, plan, decks, other selections."""

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from roster.formats.list_document import Media
from roster.models import Roster
from roster.pdf.reference import build_reference
from roster.pdf.shapes import ListSheet
from roster.pdf.sheet_job import create_unstored_sheet_job
from roster.services.evaluation import encode_tree, evaluate_list
from roster.services.list_check import CheckedDocument, check_document
from roster.services.owners import NOBODY
from roster.services.plan_shapes import list_units, name_units
from roster.services.rosters import store_roster
from tests.roster.deck_owner import DAWNFALL
from tests.roster.paper_fixture import node, rule
from tests.roster.paper_tools import words_in
from tests.shipped_packs import install_shipped

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DEVILS = """list: 1
game: warzone-resurrection
faction: mishima
name: Devils
limits: {points: 1000}
detachments:
- detachment: standard
  units:
  - {unit: daimyo, ref: daimyo, options: [enhanced-demonfang-rocketgun]}
  - {unit: ashigaru, ref: spears}
  - {unit: ronin-samurai, ref: ronin}
  - {unit: crimson-devils, ref: devils, options: [screaming-devil]}
  - {unit: ctl-422-mule-armoured-carrier, ref: mule}
  - unit: megadeck
    options: [{option: tactical-card, count: 3, name: Rally}, {option: gear-card, count: 2, name: Rope}]
plan:
  opponents: [bauhaus]
  joins: {daimyo: ronin}
  aboard: {spears: mule}
  units: {devils: {deployment: infiltrate}}
"""
LEGION = """list: 1
game: maelstrom-of-war-9e
faction: necrons
limits: {points: 1000, command points: 6}
detachments:
- detachment: battalion
  units:
  - {unit: overlord, options: [WARLORD staff-of-light, resurrection-orb]}
  - technomancer
  - {unit: necron-warriors, ref: warriors}
  - immortals
  - immortals
  - {unit: lychguard, ref: guard}
  - {unit: ghost-ark, ref: ark}
plan:
  mission: complex-front
  reserves: guard
  aboard: {warriors: ark}
  choices: {categories: [raid, eradication, heroic deeds], overriding: raid}
"""
FACELESS = DAWNFALL / "lists" / "faceless-three-players.yaml"


def checked(text: str, pack: str) -> CheckedDocument:
    install_shipped(SHIPPED / pack)
    found = check_document(text.encode(), Media.YAML)
    assert isinstance(found, CheckedDocument), found
    return found


def sheet_of(found: CheckedDocument) -> ListSheet:
    return create_unstored_sheet_job(found.version, found.faction.faction_id, found.evaluated_list).build_sheet()


def printed(text: str, pack: str) -> ListSheet:
    return sheet_of(checked(text, pack))


def plan(sheet: ListSheet) -> dict[str, tuple[str, ...]]:
    return {line.label: line.values for line in sheet.plan if not line.sign}


def test_who_commands_and_why_what_joined_and_the_plan() -> None:
    sheet = printed(DEVILS, "warzone/resurrection")
    name, value, why = sheet.facts[0]
    assert (name, value) == ("Army commander", "Daimyo")
    assert "17" in why
    lines = {line.name: line for line in sheet.blocks[0].lines}
    assert {name for name, line in lines.items() if line.commands} == {"Daimyo"}
    assert lines["Screaming Devil"].host == "Crimson Devils"
    assert sheet.units == 5, "who joined a squad is part of it"
    said = plan(sheet)
    assert said["Attached characters"] == ("Daimyo → Ronin Samurai",)
    assert said["Transports"] == ("Ashigaru → CTL-422 Mule Armoured Carrier",)
    assert said["Deployment"] == ("Crimson Devils: Infiltrate",), "a squad with an advisor is a squad"


def test_cards_of_a_megadeck_say_their_kind_once() -> None:
    (deck,) = printed(DEVILS, "warzone/resurrection").decks
    assert [(line.name, line.kind, line.keywords) for line in deck.lines] == [
        ("Rally", "Tactical card", ()),
        ("Rope", "Gear card", ()),
    ]


def test_rules_that_say_the_same_are_gathered() -> None:
    same = [rule(name, "Fights first.") for name in ("Swift", "Keen", "Ready", "Awake")]
    squad = node("Squad", "unit", rules=(*same, rule("Slow", "Fights last.")))
    slow, gathered = build_reference((), [squad], str)
    assert (slow.name, slow.text) == ("Slow", ("Fights last.",))
    assert gathered.name == "Fights first"
    assert gathered.text == ("Awake, Keen, Ready, Swift.",)


def test_abilities_say_what_they_do_and_refer_to_no_other_card() -> None:
    rules = printed(DEVILS, "warzone/resurrection").rules
    (oath,) = [found for found in rules if found.name == "Oath of Shame"]
    assert "Bodyguard" in oath.text[0]
    assert len({found.name for found in rules}) == len(rules)
    assert not any("see the unit card" in " ".join(found.text).casefold() for found in rules)


@pytest.mark.parametrize(("warlord", "columns"), [("warlord,", ["points"]), ("", ["points", "command points"])])
def test_command_points_have_a_column_where_any_are_spent(warlord: str, columns: list[str]) -> None:
    sheet = printed(LEGION.replace("WARLORD", warlord), "wh40k/ninth")
    assert [cost.name for cost in sheet.blocks[0].costs] == columns
    assert [(amount.name, amount.limit) for amount in sheet.amounts] == [("points", "1000"), ("command points", "6")]


def test_reserves_passengers_and_categories_of_objectives() -> None:
    said = plan(printed(LEGION.replace("WARLORD", "warlord,"), "wh40k/ninth"))
    assert said["Strategic reserves"] == ("Lychguard",)
    assert said["Embarked"] == ("Necron Warriors → Ghost Ark",)
    assert set(said["Categories"]) == {"Raid", "Eradication", "Heroic Deeds"}
    assert said["Overriding"] == ("Raid",)


def test_banners_and_shrines_are_there_and_no_units() -> None:
    sheet = printed(FACELESS.read_text(encoding="utf-8"), "edge_dawnfall/dawnfall")
    assert sheet.units == 4
    assert {"Banner", "Shrine"} <= {line.type for line in sheet.blocks[0].lines}
    assert sheet.decks[0].count == 15
    assert plan(sheet)["Opponents"] == ("Chapter", "Demons")


def test_a_unit_with_guests_is_one_of_the_plan_and_a_pair_is_two() -> None:
    pair = "  - {unit: doomtrooper-pair, options: [max-steiner, sean-gallagher]}\nplan:"
    found = checked(DEVILS.replace("plan:", pair), "warzone/resurrection")
    judged = evaluate_list(found.version, found.faction.faction_id, encode_tree(found.evaluated_list.tree))
    names = set(name_units(list(list_units(judged.report.forces))).values())
    assert {"Crimson Devils", "Max Steiner", "Sean Gallagher"} <= names
    assert not {"Screaming Devil", "Doomtrooper Pair"} & names


@pytest.mark.parametrize(
    ("edition", "rules"),
    [
        ("first", {"Digits that are lost"}),
        ("second", {"On the model", "In the list", "Conversions", "Squad leaders", "Size of markers"}),
    ],
)
def test_advice_for_models_and_paper_stands_beside_every_list(edition: str, rules: set[str]) -> None:
    (path, *_) = sorted((SHIPPED / "maelstroms_edge" / edition / "lists").glob("*.yaml"))
    found = checked(path.read_text(encoding="utf-8"), f"maelstroms_edge/{edition}")
    sheet = sheet_of(found)
    assert {rule.name for rule in sheet.reminders} == rules
    assert all(rule.text[0] and rule.citation for rule in sheet.reminders)
    roster = store_roster(NOBODY, found.version, found.faction.faction_id, found.evaluated_list.tree)
    assert isinstance(roster, Roster)
    page = Client().get(reverse("roster:link", args=[roster.link_id])).content.decode()
    assert all(f"<b>{name}.</b>" in page for name in rules)


def test_the_turn_sheet_is_printed_from_the_page_of_a_list() -> None:
    found = checked(LEGION.replace("WARLORD", "warlord,"), "wh40k/ninth")
    roster = store_roster(NOBODY, found.version, found.faction.faction_id, found.evaluated_list.tree)
    assert isinstance(roster, Roster)
    answer = Client().get(reverse("roster:sheet", args=[roster.link_id]), {"style": "turns", "paper": "letter"})
    assert answer.status_code == 200
    assert "-turns.pdf" in answer["Content-Disposition"]
    text = " ".join(words[4] for words in words_in(answer.content)[0])
    assert all(word in text for word in ("Turn sheet", "Command Protocols", "Quick Thinking", "Living Metal"))


def test_a_game_without_such_advice_has_none_of_it() -> None:
    assert printed(FACELESS.read_text(encoding="utf-8"), "edge_dawnfall/dawnfall").reminders == ()
