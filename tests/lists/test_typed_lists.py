"""Typed lists: names with bare points or none, with a faction above them or without."""

import pytest

from catalogue.formats.packs.load import SHIPPED
from roster.formats.text.arithmetic import SumKind, check_sums
from roster.formats.text.names import NameLookup
from roster.formats.text.parse import parse_text, read_with_names
from roster.formats.text.pasted import PastedLayout, PastedList, Reading
from roster.services.pasted_lists import ReadPaste, read_pasted_text
from roster.wording.pasted import explain_missing_game
from tests.lists import armed_game
from tests.roster.small_game import installed
from tests.shipped_packs import install_shipped


def read_one(text: str) -> PastedList:
    (pasted,) = parse_text(text).lists
    assert pasted.layout is PastedLayout.PLAIN
    return pasted


def list_units(pasted: PastedList) -> list[tuple[str, int | None, object]]:
    return [(unit.name, unit.count, unit.points) for unit in pasted.units]


GUARD = [("Overlord", None, 90), ("Reed Guard", 10, 110), ("Barge", None, 145)]
TYPED = {
    "size above": "Polder 1000\n\nOverlord 90\n10 Reed Guard 110\nBarge 145\n",
    "bullets": "- Overlord 90\n- Reed Guard x10 110\n- Barge 145\n",
    "dashes": "Army: Polder\nOverlord - 90\n10x Reed Guard - 110\nBarge - 145",
    "brackets": "My list\nPolder\n\nOverlord (90 points)\n10 Reed Guard (110 points)\nBarge (145 points)\n",
    "total above": "Polder 345\nOverlord 90\n10 Reed Guard 110\nBarge 145\n",
}


DRAWN = """Necrons 1000
HQ
Overlord 115 - warlord, res orb
Technomancer 70
Troops
10 Necron Warriors 110
Immortals 80
imortals w/ tesla 80
Elites
Lychguard 125
3 Skorpekh Destroyers 90
wraiths x3 105
225 spare, scarabs or a doom scythe?
dont forget the orb
table 4, saturday, bring dice
"""


@pytest.mark.django_db
def test_a_list_with_notes_and_slips_is_read_as_a_player_means_it():
    install_shipped(SHIPPED / "wh40k" / "ninth")
    read = read_pasted_text(DRAWN, has_account=True)
    assert isinstance(read, list)
    (one,) = read
    assert [(unit.name, unit.points) for unit in one.pasted.units][:2] == [("Overlord", 115), ("Technomancer", 70)]
    guesses = {name.written: name.resolved for name in one.open_names if name.reading is Reading.GUESSED}
    assert guesses == {
        "res orb": "Resurrection Orb",
        "imortals": "Immortals",
        "tesla": "Tesla Carbine",
        "wraiths": "Canoptek Wraiths",
    }
    assert [line.number for line in one.lines if line.reading is Reading.UNREAD] == [13, 14, 15]
    # The orb excludes the Overlord's default weapon.
    assert one.verdict == "as-read"


@pytest.mark.parametrize("way", TYPED)
def test_bare_numbers_are_points(way):
    assert list_units(read_one(TYPED[way])) == GUARD


def test_a_number_above_is_a_size_unless_all_units_come_to_it():
    assert (read_one(TYPED["size above"]).claims.limit, read_one(TYPED["size above"]).claims.total) == (1000, None)
    assert (read_one(TYPED["total above"]).claims.limit, read_one(TYPED["total above"]).claims.total) == (None, 345)


@pytest.mark.parametrize("text", ["Army: Polder\nOverlord (85 points)\nImmortals (70 points)\n", TYPED["brackets"]])
def test_a_first_unit_is_no_title(text):
    assert read_one(text).units[0].name == "Overlord"


LONE = [
    "Giants (21 points)\nTotal 21\n",
    "Giants (21 points)\n\nTotal: 21 points\n",
    "Giants 21\nTotal 21\n",
    "Giants: 21\nTotal: 21\n",
    "Giants - 21 pts\n21 pts\n",
    "Giants [21 pts]\nTotal: 21/100\n",
    "Marsh Folk\n\nGiants (21 points)\n\nTotal: 21\n",
    "Marsh Folk 21\nGiants 21\nTotal 21\n",
    "Faction: Marsh Folk\nTotal: 21\n\nGiants (21 points)\n",
    "Total: 21\nGiants (21 points)\n",
    "Marsh Folk (21 points)\n\nHAMMER\n\nGiants (21 points)\n",
    "Title (21 points)\nTotal 21\nGiants (21 points)\n",
    "Total: 21\n• Giants (21 points)\n",
]


@pytest.mark.parametrize("text", LONE)
def test_a_unit_that_costs_as_much_as_the_total_is_no_title(text):
    assert list_units(read_one(text)) == [("Giants", None, 21)]


@pytest.mark.django_db
def test_a_lone_unit_with_a_total_is_judged_if_its_faction_is_known():
    armed_game.installed()
    one = read_known("Polder\n\nBarge (70 points)\n\nTotal: 70\n")
    assert one.checked is not None
    assert one.checked.evaluated_list.tree.forces[0].selections[-1].name == "Barge"


@pytest.mark.parametrize(
    "text",
    [
        "Marsh Folk 1000\n",
        "Marsh Folk\nStrike Force 1000\nTotal 1000\n",
        "Marsh Folk\nLimit: 1000\nTotal: 1000\n",
        "Marsh Folk 1000\nLimit: 1000\n",
    ],
)
def test_a_head_without_units_stays_without_units(text):
    assert read_one(text).units == []


def test_years_are_no_points():
    pasted = read_one("My marsh\nSeason 2025-26\nMatched play 2025-2026\n\nOverlord - 90\nBarge - 145\nReed Guard-30\n")
    assert list_units(pasted) == [("Overlord", None, 90), ("Barge", None, 145), ("Reed Guard", None, 30)]


def test_a_text_without_units_says_that_nothing_was_read():
    pasted = read_one("hello I want a list for saturday please\n")
    assert [line.reading for line in pasted.lines if line.text] == [Reading.UNREAD]


def test_what_is_no_list_stays_no_list():
    assert read_one("Dear all\n\nwe meet at the mill at noon\nbring 2 dice\nand your lists\n").units == []


@pytest.mark.django_db
def test_a_text_without_units_says_how_to_write_them():
    one = read_known("hello I want a list for saturday please\n")
    assert (one.checked, one.counts) == (None, {Reading.UNREAD: 1})
    assert "Lock Warden 16" in explain_missing_game(one)


# ---- with a game -----------------------------------------------------------------------------------------------------


def read_known(text: str, **asked: str) -> ReadPaste:
    read = read_pasted_text(text, **asked)
    assert isinstance(read, list)
    return read[0]


NAMES = {
    "names": "Dyke Guard\nWaders\nBarge\n",
    "small letters": "polder 500\n\ndyke guard 120\nwaders 60\nbarge 70\n",
    "a faction": "Polder\n- Dyke Guard\n- Waders\n- Barge\n",
    "a title": "Saturday\n\nDyke Guard\nWaders x4\nBarge with crossbow\n",
    "misspelled": "Dyke Guard\nWadrs\nBarge\n",
}


@pytest.mark.django_db
@pytest.mark.parametrize("way", NAMES)
def test_names_are_units_of_a_game_that_is_chosen(way):
    armed_game.installed()
    one = read_known(NAMES[way], game="levees")
    assert one.checked is not None
    assert [name.resolved for name in one.names or () if name.resolved in ("Dyke Guard", "Waders", "Barge")] == [
        "Dyke Guard",
        "Waders",
        "Barge",
    ]
    assert dict(one.open_lines) == ({Reading.GUESSED: 1} if way == "misspelled" else {})


@pytest.mark.django_db
def test_the_faction_finds_the_game():
    install_shipped(SHIPPED / "reeds_and_rust" / "first")
    one = read_known("Marsh Compact 250\nLock Warden 16\nReed Cutters 20\nHeron Scouts 14\n")
    assert one.faction is not None
    assert (one.faction.name, one.pasted.claims.limit) == ("Marsh Compact", 250)
    assert not one.open_lines


@pytest.mark.django_db
def test_a_name_without_points_among_units_with_points_is_a_unit():
    install_shipped(SHIPPED / "reeds_and_rust" / "first")
    one = read_known("Marsh Compact 250\nLock Warden 16\nReed Cutters\nHeron Scouts 14\n")
    assert [unit.name for unit in one.pasted.units] == ["Lock Warden", "Reed Cutters", "Heron Scouts"]
    assert not one.open_lines


@pytest.mark.django_db
def test_a_unit_that_is_named_again_below_itself_is_one_unit():
    install_shipped(SHIPPED / "reeds_and_rust" / "first")
    one = read_known("Marsh Compact 250\nLock Warden 16\nReed Cutters 20\nReed Cutters\nHeron Scouts 14\n")
    assert [unit.name for unit in one.pasted.units] == ["Lock Warden", "Reed Cutters", "Heron Scouts"]


@pytest.mark.django_db
def test_something_counted_that_only_holds_what_is_not_read_is_not_read():
    install_shipped(SHIPPED / "reeds_and_rust" / "first")
    one = read_known("Marsh Compact 250\nLock Warden 16\n2x Levers\n- Blorp\nHeron Scouts 14\n")
    assert one.open_lines[Reading.UNREAD] == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "units", "points"), [("2x Reed Cutters 24", 2, 24), ("2x Reed Cutters", 2, 24), ("Reed Cutters", 1, 12)]
)
def test_a_number_below_the_smallest_unit_is_one_of_units(line: str, units: int, points: int) -> None:
    install_shipped(SHIPPED / "reeds_and_rust" / "first")
    one = read_known(f"Marsh Compact 250\nLock Warden 16\n{line}\nHeron Scouts 14\n")
    assert one.checked is not None
    assert [name.resolved for name in one.names or ()].count("Reed Cutters") == units
    assert one.checked.evaluated_list.points is not None
    assert one.checked.evaluated_list.points.value == 24 + points


def know_polder(name: str) -> Reading:
    return Reading.UNDERSTOOD if name in ("Overlord", "Barge") else Reading.UNREAD


@pytest.mark.parametrize(("last", "checks"), [("Barge", []), ("Barge 20", [(SumKind.LIMIT, True)])])
def test_a_limit_is_not_said_to_be_kept_while_units_have_no_points(
    last: str, checks: list[tuple[SumKind, bool]]
) -> None:
    pasted = read_with_names(read_one(f"Polder 200\nOverlord 90\n10 Reed Guard 10\n{last}\n"), know_polder)
    assert pasted.claims.limit == 200
    assert [unit.name for unit in pasted.units][-1] == "Barge"
    assert [(check.kind, check.holds) for check in check_sums(pasted)] == checks


def test_numbers_behind_names_are_models_and_points(db: None) -> None:
    """Each line is written otherwise, and the game knows the names."""
    installed()
    (one,) = read_pasted_text(
        "Marsh Folk 100\nWärden 20\ncutters 6 12\nCutters - 5 models - 10 pts\n"
        "Cutters (7 models) 14\nCutters, 8 models: 16\n"
    )
    assert [(unit.name.casefold(), unit.count, unit.points) for unit in one.pasted.units] == [
        ("wärden", None, 20),
        ("cutters", 6, 12),
        ("cutters", 5, 10),
        ("cutters", 7, 14),
        ("cutters", 8, 16),
    ]
    assert not one.open_lines
    assert one.differing_points == []


def test_a_line_with_a_bare_number_among_others_with_points_is_a_unit(db: None) -> None:
    installed()
    (one,) = read_pasted_text("Army: Marsh Folk - 100 pts\n- Wärden 20\n- 5 Cutters 10pts\n- Giants 21\n")
    assert [(unit.name, unit.count, unit.points) for unit in one.pasted.units] == [
        ("Wärden", None, 20),
        ("Cutters", 5, 10),
        ("Giants", None, 21),
    ]
    assert (one.pasted.claims.faction, one.pasted.claims.limit, one.faction and one.faction.name) == (
        "Marsh Folk",
        100,
        "Marsh Folk",
    )


def test_a_small_number_behind_a_name_is_models_if_no_line_has_points(db: None) -> None:
    installed()
    (one,) = read_pasted_text("Marsh Folk\nWärden\nCutters 7\n")
    assert [(unit.name, unit.count, unit.points) for unit in one.pasted.units] == [
        ("Wärden", None, None),
        ("Cutters", 7, None),
    ]


def test_a_faction_alone_is_enough_to_ask_for_its_game(db: None) -> None:
    installed()
    (one,) = read_pasted_text("Armée : Marsh Folk - 100 pts\nQG1 : Capitaine (80) [80 pts]\n")
    assert [edition.faction.name for edition in one.other_editions] == ["Marsh Folk"]
    assert one.editions.chosen is None
    (answered,) = read_pasted_text(
        "Armée : Marsh Folk - 100 pts\nQG1 : Capitaine (80) [80 pts]\n",
        choices={one.edition_key: one.other_editions[0].value},
    )
    assert answered.faction is not None


def test_numbered_lists_in_one_text_are_several() -> None:
    units = "Wärden (20 points)\nCutters (10 points)\n"
    first, second = parse_text(
        f"List 1\n{units}Total: 30\n\nList 2 - second choice\nCrew (8 points)\n{units}Total 38\n"
    ).lists
    assert [(one.sum_points(), one.claims.total) for one in (first, second)] == [(30, 30), (38, 38)]
    # One heading alone is a title.
    (alone,) = parse_text("List 1\nWärden (20 points)\nCutters (10 points)\n").lists
    assert alone.claims.title == "List 1"


def test_a_guess_is_rather_the_name_that_begins_so() -> None:
    names = ("Librarian in Terminator Armour", "Terminator Assault Squad", "Captain in Terminator Armour")
    lookup = NameLookup(
        (name, name) for name in (*names, "Terminator Squad", *(f"Terminator {n} Lord" for n in "abcdef"))
    )
    match = lookup.find("Terminators")
    assert (match.value, match.reading) == ("Terminator Squad", Reading.GUESSED)
