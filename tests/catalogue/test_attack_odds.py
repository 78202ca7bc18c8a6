"""The odds of attacks, against every throw of the dice; and the calculator on the page of a unit and in the builder."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.declared import DeclaredLimits
from catalogue.models import UnitEntry
from catalogue.services.attack_odds import AttackOdds, UnitOdds, build_odds
from catalogue.services.attack_rolls import read_amount, read_by_user
from catalogue.services.unit_card import CardProfileRow, CardProfileTable, UnitCard, UnitLeading
from tests.markup import markup
from tests.shipped_packs import install_shipped

TENTH = "Range A BS S AP D"
TENTH_MODEL = "M T SV W LD OC"
NINTH = "Range Type S AP D"
NINTH_MODEL = "M WS BS S T W A Ld Save"
OLD_WORLD = "R S AP"
OLD_WORLD_MODEL = "M WS BS S T W I A Ld"
HERESY = "R FP RS AP D"
HERESY_MODEL = "M WS BS S T W I A LD CL WP IN SAV INV"
EDGE_FIRST = "RNG SHO PEN DAM Special"
EDGE_FIRST_MODEL = "MV EVS SKL AV MAS FOR WP"
EDGE_SECOND = "RNG SHO PEN DAM SUP"
EDGE_SECOND_MODEL = "MV EVS SKL AV CQA FOR WP"
WARZONE = "R ST ROA TYPE"
WARZONE_MODEL = "SP CC RS ST CON WP LD W A SZ"

WOUND_CHART_OF_HERESY = """
4566------
34566-----
234566----
2234566---
22234566--
222234566-
2222234566
2222223456
2222222345
2222222234
"""
WOUND_CHART_OF_OLD_WORLD = """
456666----
3456666---
23456666--
223456666-
2223456666
2222345666
2222234566
2222223456
2222222345
2222222234
"""


def table(columns: str, *rows: str) -> CardProfileTable:
    """Each row is a name and its values, with "_" for a space inside a value."""
    cells = [[cell.replace("_", " ") for cell in row.split()] for row in rows]
    return CardProfileTable(
        "Table", tuple(columns.split()), [CardProfileRow(name, "", tuple(values), "", {}) for name, *values in cells]
    )


def read_odds(*tables: CardProfileTable, points: int = 100, models: int = 5, **asked: object) -> UnitOdds | None:
    card = UnitCard(
        unit=UnitEntry(points=Decimal(points), models_min=models),
        limits=DeclaredLimits(),
        about="",
        prices=[],
        allowances=[],
        tables=list(tables),
        abilities=[],
        choices=(),
        restrictions=[],
        leading=UnitLeading([], [], (), ()),
        open_points=[],
    )
    return build_odds(card, {name: str(value) for name, value in asked.items()})


def read_weapon(*tables: CardProfileTable, **asked: object) -> AttackOdds:
    odds = read_odds(*tables, **asked)
    assert odds
    (weapon,) = odds.weapons
    return weapon


def passes(die: int, least: int) -> bool:
    return die == 6 or (die != 1 and die >= least)


def throw_three(hit: int, wound: int, saves: Callable[[int], bool]) -> tuple[Fraction, Fraction, Fraction]:
    """Count every throw of three dice."""
    hits = wounds = unsaved = 0
    for first, second, third in product(range(1, 7), repeat=3):
        is_hit = passes(first, hit)
        is_wound = is_hit and wound < 7 and passes(second, wound)
        hits, wounds = hits + is_hit, wounds + is_wound
        unsaved += is_wound and not saves(third)
    return Fraction(hits, 216), Fraction(wounds, 216), Fraction(unsaved, 216)


def list_chances(weapon: AttackOdds) -> tuple[Fraction, Fraction | None, Fraction]:
    return weapon.roll.hit, weapon.roll.wound, weapon.roll.unsaved


@pytest.mark.parametrize("hit", range(2, 7))
@pytest.mark.parametrize("save", range(2, 8))
@pytest.mark.parametrize("pierce", [0, 1, 3, 6])
def test_odds_are_those_of_all_throws(hit: int, save: int, pierce: int) -> None:
    for wound in range(2, 7):
        weapon = read_weapon(table("Rng Atk Hit Wnd Rnd Dmg", f'Axe 12" 2 {hit}+ {wound}+ {pierce} D3'), save=save)
        assert list_chances(weapon) == throw_three(hit, wound, lambda die: die != 1 and die - pierce >= save)
        assert weapon.damage == weapon.roll.unsaved * 2 * 2


@pytest.mark.parametrize("invulnerable", range(2, 8))
@pytest.mark.parametrize("pierce", [0, 2, 5])
def test_the_better_save_is_rolled(invulnerable: int, pierce: int) -> None:
    guns = table(TENTH, f'Gun 24" 1 3+ 4 -{pierce} 1')
    weapon = read_weapon(guns, toughness=4, save=3, invulnerable=invulnerable)
    expected = throw_three(3, 4, lambda die: die != 1 and (die - pierce >= 3 or die >= invulnerable))
    assert list_chances(weapon) == expected


@pytest.mark.parametrize(
    ("strength", "toughness", "least"),
    [(8, 4, 2), (9, 4, 2), (5, 4, 3), (7, 4, 3), (4, 4, 4), (3, 4, 5), (5, 9, 5), (2, 4, 6), (1, 4, 6), (3, 5, 5)],
)
def test_strength_against_toughness(strength: int, toughness: int, least: int) -> None:
    weapon = read_weapon(table(TENTH, f'Gun 24" D6+1 3+ {strength} -1 1'), toughness=toughness, save=3)
    assert list_chances(weapon) == throw_three(3, least, lambda die: die != 1 and die - 1 >= 3)
    assert weapon.damage == weapon.roll.unsaved * Fraction(9, 2)


def test_a_torrent_hits_always() -> None:
    weapon = read_weapon(table(TENTH, 'Flamer 12" D6 N/A 4 0 1'), toughness=4, save=7)
    assert list_chances(weapon) == (1, Fraction(1, 2), Fraction(1, 2))


def test_weapons_of_the_ninth_edition_use_the_model() -> None:
    model = table(NINTH_MODEL, 'Trooper 5" 3+ 4+ 4 4 2 3 10 3+')
    weapons = table(NINTH, 'Flayer 24" Rapid_Fire_2 4 -1 1', "Blade Melee Melee x2 -3 2", "Relic Melee Melee * -3 2")
    odds = read_odds(model, weapons, toughness=4, save=3)
    assert odds
    gun, blade = odds.weapons
    assert list_chances(gun) == throw_three(4, 4, lambda die: die != 1 and die - 1 >= 3)
    assert gun.damage == gun.roll.unsaved * 2
    assert list_chances(blade) == throw_three(3, 2, lambda die: die - 3 >= 3)
    assert blade.damage == blade.roll.unsaved * 3 * 2
    assert odds.points_per_wound == 10


def test_models_that_differ_are_named() -> None:
    models = table(NINTH_MODEL, 'Boy 5" 3+ 5+ 4 4 1 2 6 6+', 'Nob 5" 3+ 5+ 5 4 2 3 7 6+')
    odds = read_odds(models, table(NINTH, "Slugga 12 Pistol_1 4 0 1", "Choppa Melee Melee User -1 1"))
    assert odds
    named = [(weapon.name, weapon.users) for weapon in odds.weapons]
    assert named == [("Slugga", ""), ("Choppa", "Boy"), ("Choppa", "Nob")]
    # Their wounds differ, too.
    assert odds.points_per_wound is None


@pytest.mark.parametrize("strength", range(1, 11))
def test_shooting_in_the_old_world(strength: int) -> None:
    row = WOUND_CHART_OF_OLD_WORLD.split()[strength - 1]
    for skill, toughness in product(range(1, 8), range(1, 11)):
        model = table(OLD_WORLD_MODEL, f"Archer 4 3 {skill} 3 3 1 3 1 7")
        weapon = read_weapon(model, table(OLD_WORLD, f'Bow 24" {strength} -1'), toughness=toughness, save=5)
        wound = int(row[toughness - 1].replace("-", "7"))
        assert list_chances(weapon) == throw_three(max(7 - skill, 2), wound, lambda die: die != 1 and die - 1 >= 5)
        assert weapon.damage is None


@pytest.mark.parametrize(
    ("skill", "skill_of_target", "least"),
    [(4, 4, 4), (5, 4, 3), (3, 4, 4), (2, 4, 4), (2, 5, 5), (8, 4, 3), (9, 4, 2), (3, 1, 2), (1, 2, 4), (1, 3, 5)],
)
def test_combat_in_the_old_world(skill: int, skill_of_target: int, least: int) -> None:
    model = table(OLD_WORLD_MODEL, f"Knight 4 {skill} 3 3 3 1 3 2 7")
    weapon = read_weapon(model, table(OLD_WORLD, "Axe Combat S+1 -"), weapon_skill=skill_of_target, toughness=4, save=5)
    assert list_chances(weapon) == throw_three(least, 4, lambda die: die >= 5)
    assert weapon.damage == weapon.roll.unsaved * 2


@pytest.mark.parametrize("strength", range(1, 11))
def test_shooting_in_the_horus_heresy(strength: int) -> None:
    row = WOUND_CHART_OF_HERESY.split()[strength - 1]
    for skill, toughness, pierce, invulnerable in product(range(1, 10), range(1, 11), ("-", 2, 3, 4), (5, 7)):
        model = table(HERESY_MODEL, f"Legionary 7 4 {skill} 4 4 1 4 1 7 7 7 7 3+ -")
        weapon = read_weapon(
            model,
            table(HERESY, f"Bolter 24 2 {strength} {pierce} 1"),
            toughness=toughness,
            save=3,
            invulnerable=invulnerable,
        )
        wound = int(row[toughness - 1].replace("-", "7"))
        best = min(3 if pierce in ("-", 4) else 7, invulnerable)
        assert list_chances(weapon) == throw_three(max(7 - skill, 2), wound, partial(int.__le__, best))
        assert weapon.damage == weapon.roll.unsaved * 2


def test_combat_of_the_horus_heresy_is_not_guessed() -> None:
    model = table(HERESY_MODEL, "Legionary 7 4 4 4 4 1 4 1 7 7 7 7 3+ -")
    assert read_odds(model, table("IM AM SM AP D", "Sword I A S 3 1")) is None


@pytest.mark.parametrize(
    ("attacker", "defender", "least"),
    [(4, 4, 4), (3, 4, 4), (5, 4, 3), (7, 4, 3), (8, 4, 2), (2, 4, 5), (1, 4, 5), (3, 5, 4)],
)
def test_versus_rolls(attacker: int, defender: int, least: int) -> None:
    model = table(EDGE_FIRST_MODEL, f"Trooper 6 3 {attacker} 3 2 1 3")
    weapons = table(EDGE_FIRST, f'Rifle 24" 3 {attacker} 2 -', "Blade CQ - +2 1 Melee")
    weapon = read_weapon(model, weapons, evasion=defender, armour_value=defender)
    passed = sum(die >= least for die in range(1, 7))
    assert list_chances(weapon) == (Fraction(passed, 6), None, Fraction(passed, 6) ** 2)
    assert weapon.damage == weapon.roll.unsaved * 6


@pytest.mark.parametrize("evasion", range(2, 7))
@pytest.mark.parametrize("pierce", range(2, 8))
def test_perfect_strikes_are_blocked_by_a_six_only(evasion: int, pierce: int) -> None:
    model = table(EDGE_SECOND_MODEL, "Drone 6 4 2 3 2 1 3")
    weapon = read_weapon(model, table(EDGE_SECOND, f"Blade CQ +1 {pierce} 1 4+"), evasion=evasion)
    hits = unsaved = 0
    for hit, armour in product(range(1, 7), repeat=2):
        is_hit = hit >= evasion
        hits += is_hit
        unsaved += is_hit and not (armour >= pierce and (hit != 6 or armour == 6))
    assert list_chances(weapon) == (Fraction(hits, 36), None, Fraction(unsaved, 36))
    assert weapon.damage == weapon.roll.unsaved * 3


@pytest.mark.parametrize("skill", [1, 10, 14, 19, 22])
@pytest.mark.parametrize(("armour", "impenetrable"), [(22, 0), (22, 12), (12, 0), (35, 0)])
def test_twenty_sides(skill: int, armour: int, impenetrable: int) -> None:
    model = table(WARZONE_MODEL, f"Trooper 5 {skill}/3 {skill} 9 10 14 13 1 21 0")
    weapons = table(WARZONE, "Rifle 24 12 2 A", "Knife B2B +3 1 CC", "Flamer FT 14 1 F", "Grenade ST/SE 10 1 GR")
    target = {"armour": armour, "impenetrable": impenetrable, "size": 1, "defence": 4}
    odds = read_odds(model, weapons, **target)
    assert odds
    assert [weapon.name for weapon in odds.weapons] == ["Rifle", "Knife"]
    for weapon, modified in zip(odds.weapons, (skill + 1, skill + 1 - 4), strict=True):
        hits = unsaved = 0
        for hit, save in product(range(1, 21), repeat=2):
            is_hit = hit == 1 or (hit != 20 and hit <= modified)
            is_saved = save == 1 or (save != 20 and (save <= armour - 12 or save <= impenetrable))
            hits, unsaved = hits + is_hit, unsaved + (is_hit and (hit == 1 or not is_saved))
        assert list_chances(weapon) == (Fraction(hits, 400), None, Fraction(unsaved, 400))


def test_a_game_without_known_dice_has_no_odds() -> None:
    models = table("MV EVS SKL AV FOR WP", "Cutter 5 3 3 2 1 3")
    assert read_odds(models, table("RNG SHO PEN DAM Type", 'Punt_gun 18" 2 1 1 -')) is None


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("+1", None),
        ("2", 2),
        ("D6", Fraction(7, 2)),
        ("2D3+1", 5),
        ("d6 + 2", Fraction(11, 2)),
        ("*", None),
        ("", None),
    ],
)
def test_amounts(text: str, mean: Fraction | None) -> None:
    assert read_amount(text) == mean


@pytest.mark.parametrize(
    ("text", "users", "value"),
    [
        ("5", "", 5),
        ("User", "4", 4),
        ("S", "4", 4),
        ("+1", "4", 5),
        ("S+2", "4", 6),
        ("-1", "4", 3),
        ("x2", "4", 8),
        ("User", "", None),
        ("-", "4", None),
        ("", "4", None),
    ],
)
def test_values_by_the_user(text: str, users: str, value: int | None) -> None:
    assert read_by_user(text, users) == value


@pytest.fixture
def ninth(db: None) -> None:
    install_shipped(SHIPPED / "wh40k" / "ninth")


IMMORTALS = ("maelstrom-of-war-9e", "necrons", "immortals")


def test_the_page_of_a_unit_computes_by_a_plain_form(ninth: None) -> None:
    address = reverse("catalogue:unit", args=IMMORTALS)
    client = Client()
    page = markup(client.get(address))
    assert 'name="toughness"' in page
    assert "points per wound" in page
    tough = markup(client.get(address, {"toughness": "8", "save": "2"}))
    assert 'name="toughness" min="1" max="30" value="8"' in " ".join(tough.split())
    assert tough.partition('id="odds"')[2] != page.partition('id="odds"')[2]
    assert 'role="alert"' not in tough


@pytest.mark.parametrize("typed", ["0", "31", "x" * 5000, "-4", "4.5", "٤٤٤"])
def test_a_value_that_there_is_not_is_told_gently(ninth: None, typed: str) -> None:
    answer = Client().get(reverse("catalogue:unit", args=IMMORTALS), {"toughness": typed, "save": "2"})
    assert answer.status_code == 200
    page = " ".join(markup(answer).split())
    assert "Toughness: type a number from 1 to 30." in page
    # What was typed beside it stays.
    assert 'name="save" min="2" max="7" value="2"' in page


def test_the_datasheet_in_the_builder_has_the_odds_in_a_fold(ninth: None) -> None:
    client = Client()
    fields = {"game": "maelstrom-of-war-9e", "faction": "necrons", "limit": "1000"}
    address = client.post(reverse("roster:new"), fields)["Location"]
    assert "Mean damage" not in markup(client.get(address))
    sheet = markup(client.get(f"{address}units/immortals/"))
    odds = sheet.partition('<details class="fold"')[2].partition("</details>")[0]
    assert "Mean damage" in odds
    assert f'href="{reverse("catalogue:unit", args=IMMORTALS)}#odds"' in odds
