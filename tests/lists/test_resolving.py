"""Names of pasted lists in the data of a game."""

from decimal import Decimal

import pytest
from msgspec import structs

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.entries import Cost
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from roster.formats.text.csv_table import protect_cell
from roster.formats.text.names import NameLookup
from roster.formats.text.parse import parse_text
from roster.formats.text.pasted import Reading
from roster.formats.text.resolve import ListResolver
from roster.formats.text.unit_filler import ResolvedName
from roster.models import Roster
from roster.services.pasted_lists import ReadPaste, read_pasted_text
from tests.lists import armed_game
from tests.roster.small_game import FENLAND, MARSH, compiled, installed


def resolve(text: str, **choices: str):
    book = compiled().find_catalogue("marsh")
    assert book is not None
    return ListResolver(book, choices).resolve_list(parse_text(text).lists[0])


def list_names(text: str) -> list[tuple[str, str, str]]:
    return [(n.written, n.resolved, n.reading.value) for one in resolve(text) for n in one.names]


@pytest.mark.parametrize(
    ("written", "meant", "reading"),
    [
        ("Wärden", "Wärden", "understood"),
        ("warden", "Wärden", "understood"),
        ("WARDENS", "Wärden", "understood"),
        ("Wardne", "Wärden", "guessed"),
        ("Marsh Wärden", "Wärden", "guessed"),
        ("Dragon of the Deep", "", "unread"),
    ],
)
def test_names_are_blind_to_accents_and_case_and_guess_the_rest(written, meant, reading):
    assert list_names(f"{written} (5 pts)\n- Lamp\nCrew (5 pts)")[0] == (written, meant, reading)


def test_options_are_looked_up_in_their_unit():
    assert list_names("Warden (5 pts)\n- Pistol\n- Sickles\nCrew (5 pts)\n- 3x Sailor\n  - Hook") == [
        ("Warden", "Wärden", "understood"),
        ("Pistol", "Pistol", "understood"),
        ("Sickles", "Sickles", "understood"),
        ("Crew", "Crew", "understood"),
        ("3x Sailor", "Sailor", "understood"),
        ("Hook", "Hook", "understood"),
    ]


def test_choices_settle_a_name():
    (unit_read, *_) = resolve("Wardne (5 pts)\nCrew (5 pts)", **{"unit:marsh:wardne": "crew"})
    assert unit_read.names[0].resolved == "Crew"
    assert unit_read.names[0].reading is Reading.UNDERSTOOD


def test_a_name_that_matches_twice_says_so():
    match = NameLookup([("Lamp", 1), ("Lámp", 2), ("Lantern", 3)]).find("lamp")
    assert (match.value, match.others) == (1, (2,))


@pytest.mark.parametrize("written", ["Club and Eel Projector", "eel projector & club", "Eel Projector and the Club"])
def test_the_order_of_what_a_name_joins_does_not_matter(written):
    lookup = NameLookup([("Eel Projector and Club", 1), ("Club", 2), ("Eel Projector", 3)])
    assert lookup.find(written).certain == 1


def test_words_that_are_cut_short_are_a_guess_if_only_one_name_has_them():
    lookup = NameLookup([("Resurrection Orb", 1), ("Resilient Oar", 2), ("Lamp", 3), ("Residual Oar", 4)])
    assert (lookup.find("res orb").value, lookup.find("res orb").reading) == (1, Reading.GUESSED)
    assert lookup.find("res oar").value is None


def test_cells_that_begin_with_blanks_are_no_formulas_either():
    assert protect_cell("  =1") == "'  =1"


def resolve_sails(sails: str, **choices: str) -> tuple[ResolvedName, list[str]]:
    book = armed_game.compiled().find_catalogue("polder")
    assert book is not None
    (*_, barge) = ListResolver(book, choices).resolve_list(parse_text(f"Barge (90 pts)\n- {sails}").lists[0])
    assert barge.item is not None
    taken = [item.entry.value for item in barge.item.options or () if "sail" in item.entry.value]
    return next(name for name in barge.names if "Sail" in name.written), taken


def test_options_of_one_name_and_other_costs_are_a_guess_until_it_is_settled():
    name, taken = resolve_sails("Sail")
    assert (name.resolved, name.reading, taken) == ("Sail", Reading.GUESSED, ["small-sail"])
    assert name.choices == (("small-sail", "Sail (4)"), ("large-sail", "Sail (Rigging, 9)"))
    name, taken = resolve_sails("Sail", **{name.key: "large-sail"})
    assert (name.reading, name.settled, taken) == (Reading.UNDERSTOOD, True, ["large-sail"])
    # If all options of that name are taken, there is no question.
    name, taken = resolve_sails("2x Sail")
    assert (name.reading, sorted(taken)) == (Reading.UNDERSTOOD, ["large-sail", "small-sail"])


@pytest.mark.django_db
def test_the_list_is_built_and_judged():
    installed()
    read = read_pasted_text(
        "Mine (42 points)\n\nMarsh Folk\n\nUnits:\nCutters (22 pts)\n- 6x Cutter\n- Nets\nCrew (20 pts)\n"
    )
    assert isinstance(read, list)
    (one,) = read
    assert one.checked is not None
    assert one.faction is not None
    assert one.faction.name == "Marsh Folk"
    assert [unit.name for unit in one.points or ()] == ["Cutters", "Crew"]
    assert not Roster.objects.exists()


def test_names_of_earlier_versions_are_known():
    book = compiled().find_catalogue("marsh")
    assert book is not None
    resolver = ListResolver(book, {}, {"crew": ["Boatmen", "Ferrymen"], "gone": ["Dodo"]})
    units = resolver.resolve_list(parse_text("Mine\n\nBoatmen (5 pts)\n- Sailor\nDodo (5 pts)").lists[0])
    assert [one.option.name if one.option else "" for one in units] == ["Crew", ""]


@pytest.mark.django_db
def test_a_unit_is_found_by_what_an_older_version_called_it():
    """An older installed version has the former names of units."""
    earlier = replace_entry("crew", "Ferrymen", Decimal(9))
    install_version(GameInfo(slug="fenland", name="Fenland", label="0.9"), earlier)
    installed()
    (one,) = read_all("Mine (42 points)\n\nMarsh Folk\n\nUnits:\nCutters (22 pts)\n- 6x Cutter\nFerrymen (20 pts)\n")
    assert [(name.resolved, name.reading) for name in one.names or () if name.written == "Ferrymen"] == [
        ("Crew", Reading.UNDERSTOOD)
    ]
    assert one.faction is not None
    assert one.faction.version.label == "1.0"


def replace_entry(key: str, name: str, cost: Decimal) -> DataSet:
    renamed = tuple(
        structs.replace(entry, name=name, costs=(Cost(type_id="points", value=cost),)) if entry.id == key else entry
        for entry in MARSH.entries
    )
    marsh = structs.replace(MARSH, entries=renamed)
    return DataSet(catalogues=tuple(marsh if one is MARSH else one for one in FENLAND.catalogues))


def read_all(text: str) -> list[ReadPaste]:
    read = read_pasted_text(text)
    assert isinstance(read, list)
    return read


@pytest.mark.django_db
def test_what_another_faction_has_is_taken_in_a_detachment_of_its_own():
    installed()
    (one,) = read_all(
        "Mine (57 points)\n\nMarsh Folk\n\nUnits:\nCutters (22 pts)\n- 6x Cutter\nCrew (20 pts)\n"
        "Hands (5 pts)\nReeve (10 pts)\n"
    )
    assert [name for name in one.names or () if name.reading is not Reading.UNDERSTOOD] == []
    assert one.checked is not None
    forces = one.checked.evaluated_list.tree.forces
    assert [(force.catalogue_id, len(force.selections)) for force in forces] == [("marsh", 2), ("weir", 2)]
    assert [unit.claimed == unit.computed for unit in one.points or ()][-2:] == [True, True]


@pytest.mark.django_db
def test_of_units_of_one_name_the_one_that_knows_more_is_meant():
    book = compiled().find_catalogue("marsh")
    assert book is not None
    twin = next(option for option in book.distinct_roots if option.name == "Crew")
    resolver = ListResolver(book, {}, {twin.local_id: ["Cutters"], "cutters": ["Cutters"]})
    (unit_read, *_) = resolver.resolve_list(parse_text("Cutters (5 pts)\n- 6x Cutter\nCrew (5 pts)").lists[0])
    assert unit_read.option is not None
    assert unit_read.option.local_id == "cutters"
