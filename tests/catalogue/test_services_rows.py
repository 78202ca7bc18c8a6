"""Rows of units, options and detachments."""

from decimal import Decimal

import pytest

from catalogue.models import Detachment, Mission, Option, PackVersion, UnitEntry

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def names(faction: str) -> list[str]:
    return list(UnitEntry.objects.filter(faction__slug=faction).values_list("name", flat=True))


def test_a_faction_offers_its_own_units_and_those_it_imports(tin_meadow: PackVersion) -> None:
    assert names("the-mowers") == ["Reeve", "Hay Hands", "Hay Wagon", "Hired Cart"]
    assert names("the-moles") == ["Mole King", "Diggers", "Almanac"]
    assert [faction.unit_count for faction in tin_meadow.factions.all()] == [4, 3]


def test_points_are_those_of_the_smallest_selection(tin_meadow: PackVersion) -> None:
    points = dict(UnitEntry.objects.values_list("entry_id", "points"))
    assert points["hay-hands"] == 11  # five hands at 2, and the default arms at 1
    assert points["hay-wagon"] == Decimal("12.5")
    assert UnitEntry.objects.get(entry_id="hay-wagon").costs == {"points": "12.5"}


def test_models_are_counted_from_least_to_most(tin_meadow: PackVersion) -> None:
    hands = UnitEntry.objects.get(entry_id="hay-hands")
    assert (hands.models_min, hands.models_max) == (5, 8)
    assert UnitEntry.objects.get(entry_id="hay-wagon").models_max is None


def test_types_keywords_and_what_is_open(tin_meadow: PackVersion) -> None:
    wagon = UnitEntry.objects.get(entry_id="hay-wagon")
    assert (wagon.category, wagon.keywords, wagon.provisional) == ("Heavy", ["Wheeled"], True)
    assert UnitEntry.objects.get(entry_id="hay-hands").keywords == []  # its category is a hidden one
    assert (wagon.book, wagon.page) == ("Field Book", "20")


def terms_of(entry_id: str) -> list[list[str]]:
    texts = UnitEntry.objects.get(entry_id=entry_id).texts
    assert texts is not None
    return texts.terms


def test_terms_tell_what_a_unit_carries(tin_meadow: PackVersion) -> None:
    terms = {tuple(term) for term in terms_of("hay-hands")}
    assert {("weapon", "Long fork"), ("weapon", "Ladder swing"), ("option", "Sickles")} <= terms
    assert ["ability", "Steady"] in terms_of("reeve")


def test_options_stand_in_order_with_path_group_and_limits(tin_meadow: PackVersion) -> None:
    options = Option.objects.filter(unit__entry_id="hay-hands")
    assert [(o.entry_id, o.group, o.points, o.min, o.max) for o in options] == [
        ("hands", "", 2, 5, 8),
        ("sickles", "Arms", 0, None, None),
        ("forks", "Arms", 1, None, None),
        ("ladder-link::ladder", "", 3, None, 1),
    ]
    assert options.get(name="Ladder").note == "One per unit."


def test_detachments_have_slots_and_rules(tin_meadow: PackVersion) -> None:
    muster = Detachment.objects.get()
    assert (muster.name, muster.min, muster.max, muster.section) == ("Muster", 1, None, "Musters")
    assert [(s.name, s.min, s.max, s.conditional) for s in muster.slots.all()] == [
        ("Head", 1, 1, False),
        ("Core", 1, 4, False),
        ("Heavy", None, None, True),
    ]
    assert [rule["text"] for rule in muster.rules] == ["No more heavy units than core ones."]
    assert muster.rules[0]["citation"] == {"book": "Field Book", "section": "", "page": "9"}


def test_missions(tin_meadow: PackVersion) -> None:
    assert list(Mission.objects.values_list("name", "page")) == [("Hold the Mill", "40"), ("Cross the Beck", "41")]
