"""The card of a unit of a pack."""

import pytest

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.formats.packs.load import SHIPPED
from catalogue.models import PackVersion, UnitEntry
from catalogue.services.install_version import install_version
from catalogue.services.published_games import select_units
from catalogue.services.unit_card import UnitCard
from catalogue.services.unit_card_builder import build_unit_card, list_options
from catalogue.services.unit_rows import MOST_OPTIONS
from tests.catalogue.games import ABOUT, SYSTEM, option, unit
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db


@pytest.fixture
def reeds(db: None) -> PackVersion:
    return install_shipped(SHIPPED / "reeds_and_rust" / "first")


def row(slug: str) -> UnitEntry:
    return select_units("reeds-and-rust", "marsh-compact").get(slug=slug)


def card(slug: str) -> UnitCard:
    found = build_unit_card(row(slug))
    assert found is not None
    return found


def test_what_a_unit_lets_its_detachment_take(reeds: PackVersion) -> None:
    allowed = {one.name: (one.min, one.max) for one in card("lock-warden").allowances}
    assert allowed == {"Core": (1, 4), "Hammer": (0, 3), "Vanguard": (0, 2), "Anvil": (0, 2)}
    assert ("Pike Bailiffs", 0, 1) in [(a.name, a.min, a.max) for a in card("eel-broker").allowances]


def test_what_introduces_a_unit_is_no_ability(reeds: PackVersion) -> None:
    warden = card("lock-warden")
    assert "drowns" in warden.about
    assert [ability.name for ability in warden.abilities] == ["Command"]
    assert [ability.parameter for ability in warden.abilities] == ["2"]


def test_tables_without_a_figure_come_last(db: None) -> None:
    install_shipped(SHIPPED / "maelstroms_edge" / "second")
    elites = build_unit_card(select_units("maelstroms-edge-2e", "karist-enclave").get(slug="tempest-elites"))
    assert elites is not None
    filled = [any("".join(line.values) for line in table.rows) for table in elites.tables]
    assert filled == [True, True, False, False]


def test_equal_profiles_stand_once_with_all_who_bring_them(reeds: PackVersion) -> None:
    weapons = {line.name: line for table in card("pike-bailiffs").tables for line in table.rows}
    assert weapons["Pike"].source == "Serjeant, Bailiff"


def test_several_units_as_one_choice_have_the_keywords_of_the_unit(reeds: PackVersion) -> None:
    assert row("heron-scouts").keywords == ["Human", "Signal"]


@pytest.mark.parametrize(
    ("slug", "points", "models"),
    [
        ("lock-warden", 16, (1, 1)),
        ("reed-cutters", 12, (5, 8)),
        ("punt-crew", 9, (3, 3)),
        ("pike-bailiffs", 16, (4, 6)),
        ("heron-scouts", 8, (3, 6)),
    ],
)
def test_printed_points_and_sizes(reeds: PackVersion, slug: str, points: int, models: tuple[int, int]) -> None:
    found = row(slug)
    assert (found.points, (found.models_min, found.models_max)) == (points, models)


def test_plain_limits_are_shown_as_numbers_and_not_told_again(reeds: PackVersion) -> None:
    cutters = card("reed-cutters")
    assert not any("printed." in one.text for one in cutters.restrictions)
    assert (cutters.choices[0].limits.min, cutters.choices[0].limits.max) == (5, 8)


def test_a_slot_shows_what_the_detachment_asks_of_its_type(reeds: PackVersion) -> None:
    slots = {slot.name: slot for slot in reeds.charts.get().detachments.get(force_id="standard").slots.all()}
    assert slots["Command"].min == 1


def test_thousands_of_options_are_counted_and_the_first_have_rows(db: None) -> None:
    options = (option(f"o{n}", f"Option {n}", 1) for n in range(MOST_OPTIONS + 30))
    faction = Catalogue(id="f", name="F", kind=CatalogueKind.FACTION, entries=(unit("u", "U", "core", 1, *options),))
    install_version(ABOUT, DataSet(catalogues=(SYSTEM, faction)))
    found = UnitEntry.objects.select_related("faction__version").get()
    assert (found.option_count, found.options.count()) == (MOST_OPTIONS + 30, MOST_OPTIONS)
    whole = build_unit_card(found)
    assert whole is not None
    assert len(whole.choices) == MOST_OPTIONS + 30
    listed = list_options(found)
    assert [o.entry_id for o in listed] == [f"o{n}" for n in range(MOST_OPTIONS + 30)]
    rows = found.options.values("entry_id", "name", "points", "position")
    assert [{**row} for row in rows] == [
        {"entry_id": o.entry_id, "name": o.name, "points": o.points, "position": o.position}
        for o in listed[:MOST_OPTIONS]
    ]


def test_what_options_bring_stands_apart(reeds: PackVersion) -> None:
    for entry in UnitEntry.objects.filter(faction__slug="marsh-compact"):
        found = card(entry.slug)
        assert sorted(a.name for a in (*found.own_abilities, *found.brought_abilities)) == sorted(
            ability.name for ability in found.abilities
        )
        assert not any(ability.source for ability in found.own_abilities)
    assert card("lock-warden").own_abilities
