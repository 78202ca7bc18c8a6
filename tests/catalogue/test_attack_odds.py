"""The odds of attacks, against every throw of the dice; and the calculator on the page of a unit."""

from fractions import Fraction
from itertools import product

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from catalogue.services.attack_odds import Target, find_wounds, list_attack_odds, mean_amount, read_strength
from catalogue.services.unit_card import CardProfileRow, CardProfileTable
from tests.markup import markup
from tests.shipped_packs import install_shipped

DICE = range(1, 7)


def row(name: str, *values: str) -> CardProfileRow:
    return CardProfileRow(name, "", values, "", {})


def table(columns: str, values: str, name: str = "Gun") -> CardProfileTable:
    return CardProfileTable("Weapons", tuple(columns.split()), [row(name, *values.split())])


def passes(die: int, least: int) -> bool:
    return die == 6 or (die != 1 and die >= least)


def throw_all(hit: int, wound: int, save: int, pierce: int) -> tuple[Fraction, Fraction, Fraction]:
    """Count every throw of three dice."""
    hits = wounds = unsaved = 0
    for first, second, third in product(DICE, repeat=3):
        is_hit = passes(first, hit)
        is_wound = is_hit and passes(second, wound)
        hits, wounds = hits + is_hit, wounds + is_wound
        unsaved += is_wound and not (third != 1 and third - pierce >= save)
    return Fraction(hits, 216), Fraction(wounds, 216), Fraction(unsaved, 216)


@pytest.mark.parametrize("hit", range(2, 7))
@pytest.mark.parametrize("save", range(2, 8))
@pytest.mark.parametrize("pierce", [0, 1, 3, 6])
def test_odds_are_those_of_all_throws(hit: int, save: int, pierce: int) -> None:
    for wound in range(2, 7):
        (odds,) = list_attack_odds(
            [table("Rng Atk Hit Wnd Rnd Dmg", f'12" 2 {hit}+ {wound}+ {pierce} D3')], Target(toughness=4, save=save)
        )
        assert (odds.hit, odds.wound, odds.unsaved) == throw_all(hit, wound, save, pierce)
        assert odds.damage == odds.unsaved * 2 * 2


@pytest.mark.parametrize(
    ("strength", "toughness", "least"),
    [(8, 4, 2), (9, 4, 2), (5, 4, 3), (7, 4, 3), (4, 4, 4), (3, 4, 5), (5, 9, 5), (2, 4, 6), (1, 4, 6), (3, 5, 5)],
)
def test_strength_against_toughness(strength: int, toughness: int, least: int) -> None:
    guns = table("Range A BS S AP D", f'24" D6+1 3+ {strength} -1 1')
    (odds,) = list_attack_odds([guns], Target(toughness=toughness, save=3))
    assert (odds.hit, odds.wound, odds.unsaved) == throw_all(3, least, 3, 1)
    assert odds.damage == odds.unsaved * Fraction(9, 2)


def test_a_torrent_hits_always() -> None:
    (odds,) = list_attack_odds([table("Range A BS S AP D", '12" D6 N/A 4 0 1')], Target(toughness=4, save=7))
    assert (odds.hit, odds.wound, odds.unsaved) == (1, Fraction(1, 2), Fraction(1, 2))


def test_weapons_of_the_ninth_edition_use_the_model() -> None:
    model = table("M WS BS S T W A Ld Save", '5" 3+ 4+ 4 4 2 3 10 3+')
    columns = ("Range", "Type", "S", "AP", "D")
    weapons = CardProfileTable(
        "Weapons",
        columns,
        [
            row("Flayer", '24"', "Rapid Fire 2", "4", "-1", "1"),
            row("Blade", "Melee", "Melee", "x2", "-3", "2"),
            row("Relic", "Melee", "Melee", "*", "-3", "2"),
        ],
    )
    gun, blade = list_attack_odds([model, weapons], Target(toughness=4, save=3))
    assert (gun.hit, gun.wound, gun.unsaved) == throw_all(4, 4, 3, 1)
    assert gun.damage == gun.unsaved * 2
    assert (blade.hit, blade.wound, blade.unsaved) == throw_all(3, 2, 3, 3)
    assert blade.damage == blade.unsaved * 3 * 2
    assert find_wounds([model, weapons]) == 2


def test_a_game_without_such_columns_has_no_odds() -> None:
    assert list_attack_odds([table("RNG SHO PEN DAM", '18" 2 1 1')], Target(toughness=4, save=3)) == ()


@pytest.mark.parametrize(
    ("text", "mean"),
    [("2", 2), ("D6", Fraction(7, 2)), ("2D3+1", 5), ("d6 + 2", Fraction(11, 2)), ("*", None), ("", None)],
)
def test_amounts(text: str, mean: Fraction | None) -> None:
    assert mean_amount(text) == mean


@pytest.mark.parametrize(
    ("text", "own", "strength"),
    [("5", "", 5), ("User", "4", 4), ("+1", "4", 5), ("x2", "4", 8), ("User", "", None), ("-", "4", None)],
)
def test_strength_of_a_weapon(text: str, own: str, strength: int | None) -> None:
    assert read_strength(text, own) == strength


@pytest.mark.django_db
def test_the_page_of_a_unit_computes_by_a_plain_form() -> None:
    install_shipped(SHIPPED / "wh40k" / "ninth")
    address = reverse("catalogue:unit", args=["maelstrom-of-war-9e", "necrons", "immortals"])
    client = Client()
    page = markup(client.get(address))
    assert 'name="toughness"' in page
    assert "points per wound" in page
    tough = markup(client.get(address, {"toughness": "8", "save": "2"}))
    assert 'name="toughness" min="1" max="30" value="8"' in " ".join(tough.split())
    assert tough.partition('id="odds"')[2] != page.partition('id="odds"')[2]
    assert 'role="alert"' not in tough


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query",
    [
        {"toughness": "0", "save": "3"},
        {"toughness": "x" * 5000, "save": "3"},
        {"save": "9", "toughness": "4"},
        {"save": "3"},
    ],
)
def test_a_target_that_there_is_not_is_told_gently(query: dict[str, str]) -> None:
    install_shipped(SHIPPED / "wh40k" / "ninth")
    answer = Client().get(reverse("catalogue:unit", args=["maelstrom-of-war-9e", "necrons", "immortals"]), query)
    assert answer.status_code == 200
    assert "Type a toughness from 1 to 30 and a save from 2 to 7." in markup(answer)
