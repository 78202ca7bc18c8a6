"""What people do to the lines of a unit: other bullets and signs, commas in names, tables, mixed languages."""

import pytest

from catalogue.definitions.queries import Bound, Scope
from roster.engine.tree import Selection
from roster.formats.text.parse import parse_text
from roster.formats.text.pasted import AS_READ, PastedLayout, Reading
from roster.services.pasted_lists import ReadPaste
from tests.lists import test_unsaid
from tests.lists.armed_game import fixed, model, together
from tests.roster.small_game import bound, group, limits, option, unit

RATS = unit(
    "rats",
    "Rats",
    "line",
    80,
    model("rat", "Rat", 10, 20, fixed("rat-knife", "Knife"), fixed("rat-coat", "Coat")),
    together("team", "Gun Team", model("crew", "Crew", 1, 1, fixed("crew-knife", "Knife"), fixed("crew-coat", "Coat"))),
    constraints=(bound("rats-min", Bound.MIN, 2, scope=Scope.ROSTER),),
)
OGRES = unit(
    "ogres",
    "Ogres",
    "line",
    140,
    model(
        "ogre",
        "Ogre",
        3,
        3,
        fixed("claws", "Claws, Blades and Fangs"),
        option("flame", "Flame Gun", constraints=limits("flame", 0, 1)),
    ),
)
TANKS = unit(
    "tanks",
    "Tanks",
    "line",
    35,
    group(
        "mob",
        "Mob",
        model("shot", "Tank (Shot)", 0, 6, fixed("shot-gun", "Big Shot")),
        model("flame-tank", "Tank (Flame)", 0, 6, fixed("flame-gun", "Flamer")),
        least=3,
        most=6,
        default="shot",
    ),
)
CHIEF = unit("chief", "Chief", "line", 60, option("warlord", "Warlord"), option("staff", "Staff"))


def count_taken(one: ReadPaste, name: str) -> int:
    def count(selections: tuple[Selection, ...], times: int) -> int:
        return sum(
            selection.number * times * (selection.name == name)
            + count(selection.selections, selection.number * (1 if selection.name == name else times))
            for selection in selections
        )

    assert one.checked is not None
    return sum(count(force.selections, 1) for force in one.checked.evaluated_list.tree.forces)


def get_points(one: ReadPaste) -> object:
    assert one.checked is not None
    assert one.checked.evaluated_list.points is not None
    return one.checked.evaluated_list.points.value


pytestmark = pytest.mark.django_db


def test_a_weapon_of_the_models_does_not_buy_a_team_that_has_it_too() -> None:
    one = test_unsaid.read("20 Rats (80 points)\n- Knife\n- Coat\n", RATS)
    assert (count_taken(one, "Rat"), count_taken(one, "Gun Team")) == (20, 0)


def test_a_list_has_as_many_units_as_it_names_however_many_are_demanded() -> None:
    one = test_unsaid.read("20 Rats (80 points)\n", RATS)
    assert one.checked is not None
    assert (count_taken(one, "Rats"), get_points(one)) == (1, 100)
    assert [(error.code, error.counted) for error in one.checked.evaluated_list.report.errors] == [("minimum", "Rats")]


@pytest.mark.parametrize(
    "rows",
    [
        "• Ogre\n  • Claws, Blades and Fangs\n  • Flame Gun\n• 2x Ogre\n  • 2x Claws, Blades and Fangs\n",
        "• Ogre: Claws, Blades and Fangs, Flame Gun\n• 2x Ogre: Claws, Blades and Fangs\n",
    ],
    ids=["nested", "in rows"],
)
def test_a_name_may_have_commas(rows: str) -> None:
    one = test_unsaid.read(f"Ogres (140 points)\n{rows}", OGRES)
    assert not one.open_lines
    assert (count_taken(one, "Ogre"), count_taken(one, "Flame Gun"), one.verdict) == (3, 1, "legal")


def test_brackets_may_belong_to_the_name_of_a_model() -> None:
    one = test_unsaid.read("Tanks (35 points)\n• 3x Tank (Shot)\n  • 3x Big Shot\n", TANKS)
    assert not one.open_lines
    assert (count_taken(one, "Tank (Shot)"), count_taken(one, "Tank (Flame)")) == (3, 0)


@pytest.mark.parametrize("word", ["Warlord", "Seigneur de guerre", "Kriegsherr", "Señor de la Guerra"])
def test_a_warlord_is_marked_in_whatever_language(word: str) -> None:
    one = test_unsaid.read(f"Chief (60 points)\n• {word}\n• Staff\n", CHIEF)
    assert (count_taken(one, "Warlord"), one.verdict) == (1, "legal")


def test_points_far_from_those_of_the_units_are_legal_only_as_far_as_read() -> None:
    """No total is stated, but the points of the units are."""
    assert test_unsaid.read("Chief (60 points)\n", CHIEF).verdict == "legal"
    assert test_unsaid.read("Chief (45 points)\n", CHIEF).verdict == AS_READ


# ---- without a game --------------------------------------------------------------------------------------------------

UNITS = [("Overlord", None, 85), ("Immortals", 5, 70), ("Lychguard", 10, 170)]


def read_units(text: str) -> list[tuple[str, int | None, object]]:
    (pasted,) = parse_text(text).lists
    assert all(line.reading is not Reading.UNREAD for line in pasted.lines)
    return [(one.name, one.count, one.points) for one in pasted.units]


COSTS = {
    "=": """Marsh - Mine - Low Water (325 Points)

Character:
Overlord = 85
  – Staff

Battleline:
5x Immortals = 70

10x Lychguard = 170
""",
    "columns": "Unit\tModels\tPoints\nOverlord\t1\t85\nImmortals\t5\t70\nLychguard\t10\t170\nTotal\t\t325",
    "with": """My list

Overlord (85 points) with Staff
5 Immortals (70 points) w/ Carbine, Blade
10 Lychguard (170 points)
""",
    "colon": """++ Army Roster ++

Overlord 85 pts: Staff

5x Immortals 70 pts: Carbine

10x Lychguard 170 pts: Shield
""",
}


@pytest.mark.parametrize("text", COSTS.values(), ids=COSTS)
def test_costs_behind_other_signs_are_read(text: str) -> None:
    assert read_units(text) == UNITS


@pytest.mark.parametrize(
    "text",
    [
        "Necrons 325; Overlord 85; 5 Immortals 70; 10 Lychguard 170",
        "Necrons: Overlord 85, Immortals x5 70, 10x Lychguard 170",
        "Necrons, Overlord (85), 5 Immortals (70), 10 Lychguard (170)",
    ],
)
def test_a_typed_list_may_be_one_line(text: str) -> None:
    assert read_units(text) == UNITS


def test_the_equipment_of_a_lone_unit_makes_no_units() -> None:
    assert read_units("Overlord (85 pts): Staff, Orb, Cloak, Warlord") == [("Overlord", None, 85)]


def test_blank_lines_do_not_end_a_table() -> None:
    rows = "| Models | Unit | Pts |\n\n|---|---|---|\n\n| 1 | Overlord | 85 |\n\n| 5 | Immortals | 70 |\n\n"
    assert read_units(f"{rows}| 10 | Lychguard | 170 |\n") == UNITS


@pytest.mark.parametrize("sign", ["🔹", "▶️", "✔", "⚔️"])
def test_emoji_may_be_bullets(sign: str) -> None:
    rows = f"  {sign} 1x Staff\n  {sign} 1x Orb\n"
    head = "Mine (155 points)\n\nMarsh\nFlood (1000 points)\n\n"
    (pasted,) = parse_text(f"{head}Overlord (85 points)\n{rows}\nImmortals (70 points)\n{rows}").lists
    assert pasted.layout is PastedLayout.APP_40K
    assert [(one.name, [item.name for item in one.items]) for one in pasted.units] == [
        ("Overlord", ["Staff", "Orb"]),
        ("Immortals", ["Staff", "Orb"]),
    ]


def test_a_sign_in_front_of_headings_is_no_bullet() -> None:
    text = (
        "⚔️ Characters\nOverlord (85 points)\n⚔️ Battleline\nImmortals (70 points)\n⚔️ Infantry\nLychguard (85 points)\n"
    )
    assert [name for name, _count, _points in read_units(text)] == ["Overlord", "Immortals", "Lychguard"]


def test_a_row_below_a_unit_that_lost_its_bullet_is_no_claim_about_the_list() -> None:
    text = (
        "++ Host (Marsh) [155 pts] ++\n\n+ HQ +\n\nOverlord [85 pts]\nOverlord: Staff, Orb\n\nImmortals [70 pts]\n"
        "Immortal: Carbine\n\n++ Total: [155 pts] ++\n\nCreated with BattleScribe"
    )
    (pasted,) = parse_text(text).lists
    assert pasted.claims.other == {}
    assert [(one.name, [item.name for item in one.items]) for one in pasted.units] == [
        ("Overlord", ["Overlord"]),
        ("Immortals", ["Immortal"]),
    ]


def test_a_name_in_brackets_stays_in_front_of_points_in_square_ones() -> None:
    assert read_units("+ HQ +\n\nGrey Seer (Mist) [110 pts]\n\nOverlord [85 pts]\n") == [
        ("Grey Seer (Mist)", None, 110),
        ("Overlord", None, 85),
    ]
