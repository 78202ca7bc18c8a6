"""Finding units."""

import pytest

from catalogue.models import Faction, PackVersion
from catalogue.services.search import count_types, explain_matches, find_units, search_units

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def found(text: str, **more: str) -> list[str]:
    return [unit.slug for unit in find_units(Faction.objects.all(), text, **more)]


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("hay", ["hay-hands", "hay-wagon"]),
        ("HÄY  wagon", ["hay-wagon"]),
        ("long fork", ["hay-hands"]),
        ("steady", ["reeve"]),
        ("wheeled", ["hay-wagon"]),
        ("ladder hay", ["hay-hands"]),
        ("nothing like it", []),
        ("%", []),
        ("_", []),
    ],
)
def test_by_name_weapon_ability_keyword_and_option(tin_meadow: PackVersion, text: str, slugs: list[str]) -> None:
    assert found(text) == slugs


def test_without_words_everything_is_there_in_the_order_of_the_book(tin_meadow: PackVersion) -> None:
    whole = ["reeve", "hay-hands", "hay-wagon", "hired-cart", "mole-king", "diggers", "almanac"]
    assert found("") == whole


def test_by_type(tin_meadow: PackVersion) -> None:
    assert found("", category_id="heavy") == ["hay-wagon", "hired-cart"]


@pytest.mark.parametrize(
    ("sort", "first"), [("name", "hay-hands"), ("points", "hired-cart"), ("-points", "reeve"), ("?", "reeve")]
)
def test_sorted(tin_meadow: PackVersion, sort: str, first: str) -> None:
    assert found("", sort=sort)[0] == first


def test_the_types_of_a_faction(tin_meadow: PackVersion) -> None:
    mowers = Faction.objects.get(slug="the-mowers")
    assert [(kind.id, kind.units) for kind in count_types(mowers)] == [("head", 1), ("core", 1), ("heavy", 2)]


def test_a_find_says_why(tin_meadow: PackVersion) -> None:
    [(unit, why)] = explain_matches(find_units(Faction.objects.all(), "hay fork"), "hay fork")
    assert unit.slug == "hay-hands"
    assert why == [("weapon", "Long fork"), ("option", "Forks")]


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("wagon", ["hay-wagon"]),
        ("ha", ["hay-hands", "hay-wagon"]),
        ("hands", ["hay-hands"]),
        ("", ["reeve", "hay-hands", "hay-wagon", "hired-cart", "mole-king", "diggers"]),
    ],
)
def test_everywhere_names_come_first(tin_meadow: PackVersion, text: str, slugs: list[str]) -> None:
    assert [unit.slug for unit in search_units(Faction.objects.all(), text)][: len(slugs)] == slugs


def test_what_many_factions_offer_is_found_once(tin_meadow: PackVersion) -> None:
    mowers, moles = Faction.objects.order_by("position")
    king = moles.units.get(slug="mole-king")
    king.pk, king.faction, king.position, king.slug = None, mowers, 99, "ally"
    king.save()
    assert [(unit.faction, unit.slug) for unit in search_units([mowers, moles], "king")] == [(moles, "mole-king")]
