"""The weapons of units in a text are distributed among models and options; points confirm the result."""

from collections import Counter

import pytest

from roster.engine.tree import Selection
from roster.formats.list_document import BuiltList, build_list
from roster.formats.text.parse import parse_text
from roster.formats.text.pasted import Reading
from roster.formats.text.resolve import ListResolver, ResolvedForce, build_resolved_document
from tests.lists.armed_game import COLUMN, compiled

HEAD = "+ FACTION KEYWORD: North - Polder\n+ DETACHMENT: Low Water\n+ TOTAL ARMY POINTS: 240pts\n+++\n\n"


def arm(text: str) -> list[str]:
    """Return everything that is taken, with numbers, as nested text."""
    rules = compiled()
    book = rules.find_catalogue("polder")
    assert book is not None
    pasted = parse_text(text).lists[0]
    units = ListResolver(book).resolve_list(pasted)
    unsure = [name for unit in units for name in unit.names if name.reading is not Reading.UNDERSTOOD]
    assert unsure == []
    force = ResolvedForce(COLUMN, "polder", units)
    document = build_resolved_document(pasted, [force], game="levees", version="", points_id="points")
    built = build_list(rules, document, "polder")
    assert isinstance(built, BuiltList), built
    return [write(selection) for selection in built.roster.forces[0].selections]


def write(selection: Selection) -> str:
    """Write a selection; equal inner ones with their number."""
    alike: Counter[str] = Counter()
    for inner in selection.selections:
        number, _, name = write(inner).partition(" ")
        alike[name] += int(number)
    inside = sorted(f"{number} {name}" for name, number in alike.items())
    return f"{selection.number} {selection.name}" + (f" [{', '.join(inside)}]" if inside else "")


CAPTAIN = "1 Dyke Captain [1 Knife, 1 Pistol]"
MIXED = f"1 Dyke Guard [{CAPTAIN}, 1 Dyke Guard w/ gun [1 Gun, 1 Knife], 1 Horn, 3 Dyke Guard [1 Bow, 1 Knife]]"
WAYS = {
    "all together": """Mine (145 points)

Polder
Flood (500 points)

LINE

Dyke Guard (145 points)
  • 1x Dyke Captain
    • 1x Knife
      1x Pistol
  • 4x Dyke Guard
    • 3x Bow
      4x Knife
      1x Gun
      1x Horn
""",
    "some with": HEAD
    + """5x Dyke Guard (145 pts)
• 1x Dyke Captain: Knife, Pistol
• 4x Dyke Guard
    3 with Bow, Knife
    1 with Gun, Knife, Horn
""",
    "each": """North - Polder - Mine - [145 pts]

# ++ Army Roster ++ [145 pts]
## Line [145 pts]
Dyke Guard [145 pts]: Horn
• 1x Dyke Captain: Knife, Pistol
• 1x Dyke Guard w/ gun: Gun, Knife
• 3x Dyke Guard: Bow, Knife
""",
    "sentences": """Mine [145 points]
Polder
Battle Size: Flood (500 point limit)

  Dyke Guard [145 points]
    • 1 Dyke Captain with knife and pistol
    • 3 Dyke Guards with bow and knife
    • 1 Dyke Guards with gun, knife and horn

Created with WarOrgan
""",
    "dots": """++ Column (Polder) [145pts] ++
+ Line +
Dyke Guard [145pts]: Horn
. Dyke Captain: Pistol
. Dyke Guard w/ gun
. 3x Dyke Guard: 3x Bow, 3x Knife
++ Total: [145pts] ++
""",
}


@pytest.mark.parametrize("way", WAYS)
def test_models_are_told_by_what_they_carry(way):
    assert MIXED in arm(WAYS[way])


def test_a_number_of_models_alone_makes_the_unit_so_large():
    guard = "1 Dyke Guard [1 Dyke Captain [1 Bow, 1 Knife], 6 Dyke Guard [1 Bow, 1 Knife]]"
    assert arm("7x Dyke Guard (140pts)\n8x Waders (70pts)\n")[1:] == [guard, "1 Waders [1 8 poles [8 Wader [1 Pole]]]"]


def test_the_number_of_a_unit_counts_the_models_that_it_does_not_name():
    """An item cheaper than a model is a model with a rank; a dearer one is separate."""
    text = "15x River Spears (165pts)\n• Reeve (champion)\n• Drummer (musician)\n"
    assert arm(text)[1:] == ["1 River Spears [1 Drummer, 1 Reeve, 15 River Spear [1 Spear]]"]
    text = "10x River Spears (110pts)\n• Reeve\n• 1x Mud Ogre\n"
    assert arm(text)[1:] == ["1 River Spears [1 Mud Ogre, 1 Reeve, 9 River Spear [1 Spear]]"]


def test_a_unit_has_no_more_models_than_its_line_counts():
    assert arm(f"{HEAD}1x River Spears (5 pts)\n• 1x Reeve\n")[-1] == "1 River Spears [1 Reeve]"


@pytest.mark.parametrize(
    "rows",
    [
        "• 4x Wader\n    3 with Pole\n    1 with Net",
        "• 3x Wader: 3 with Pole\n• 1x Wader: Net",
        "• 1 net, 3 poles\n  • 3x Wader\n    • 3x Pole\n  • 1x Wader w/ net\n    • 1x Net",
        "• 4x Wader\n  • 3x Pole\n  • 1x Net",
    ],
)
def test_models_that_come_together_are_found_by_their_sum(rows):
    assert arm(f"{HEAD}4x Waders (60 pts)\n{rows}\n")[-1].startswith("1 Waders [1 1 net, 3 poles [")


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        # Of the two, one is automatic and one is added.
        ("Hull, 2x Swivel gun", "1 Hull, 2 Swivel gun"),
        ("Swivel gun", "1 Hull, 1 Swivel gun"),
        # A thing inside another counts for both; a name may be two things in the text.
        ("2x Hook", "1 2 hooks [2 Hook], 1 Hull, 1 Swivel gun"),
        ("2 hooks", "1 2 hooks [2 Hook], 1 Hull, 1 Swivel gun"),
        ("Blade, Buckler", "1 Blade and buckler, 1 Hull, 1 Swivel gun"),
        ("2x Kite gun", "1 Hull, 1 Swivel gun, 2 Kite [1 Kite gun]"),
        ("2x Kite (Kite gun)", "1 Hull, 1 Swivel gun, 2 Kite [1 Kite gun]"),
        # Repeated equipment is not additional.
        ("Kite, Kite gun, Hull, Hull", "1 Hull, 1 Kite [1 Kite gun], 1 Swivel gun"),
    ],
)
def test_options_are_found_however_they_are_named(written, taken):
    assert arm(f"{HEAD}1x Barge (70 pts): {written}\n")[-1] == f"1 Barge [{taken}]"


def test_the_head_settles_what_holds_for_the_whole_list():
    assert arm(f"{HEAD}1x Barge (70 pts): Hull\n")[:2] == [
        "1 Battle Size [1 1. Skirmish (250 points)]",
        "1 Water [1 Low Water]",
    ]


def test_the_size_that_is_named_goes_before_the_points():
    assert arm(WAYS["sentences"])[0] == "1 Battle Size [1 2. Flood (500 points)]"


FLAT = {
    "models above what they carry": """• 1x Dyke Captain
1x Knife
1x Pistol
4x Dyke Guard
3x Bow
4x Knife
1x Gun
1x Horn
""",
    "nothing but what they carry": "• 3x Bow\n1x Gun\n1x Pistol\n5x Knife\n1x Horn\n",
}


HALF_FLAT = {
    "inner bullets": """1x Dyke Captain
• 1x Knife
1x Pistol
4x Dyke Guard
• 3x Bow
4x Knife
1x Gun
1x Horn
""",
    "indents of some": """• 1x Dyke Captain
1x Knife
      1x Pistol
• 4x Dyke Guard
    • 3x Bow
4x Knife
      1x Gun
  1x Horn
""",
    "a bullet below another row": """• 1x Dyke Captain
• 1x Knife
1x Pistol
• 4x Dyke Guard
• 3x Bow
4x Knife
1x Gun
1x Horn
""",
    "tabs": "• 1x Dyke Captain\n\t• 1x Knife\n1x Pistol\n• 4x Dyke Guard\n3x Bow\n\t\t4x Knife\n1x Gun\n1x Horn\n",
    "parts at the margin": """• 1x Dyke Captain: Knife, Pistol
• 4x Dyke Guard
3 with Bow, Knife
    1 with Gun, Knife, Horn
""",
}


@pytest.mark.parametrize("way", HALF_FLAT)
def test_where_only_some_lines_lost_their_indents_models_are_armed_the_same(way: str) -> None:
    head = "Mine (145 points)\n\nPolder\nFlood (500 points)\n\nLINE\n\nDyke Guard (145 points)\n"
    assert MIXED in arm(head + HALF_FLAT[way])


def test_rows_below_models_that_come_together_need_no_indents() -> None:
    rows = "• 1 net, 3 poles\n• 3x Wader\n• 3x Pole\n• 1x Wader w/ net\n• 1x Net"
    assert arm(f"{HEAD}4x Waders (60 pts)\n{rows}\n")[-1].startswith("1 Waders [1 1 net, 3 poles [1 Wader w/ net")


def test_contents_of_a_choice_below_it_are_not_another_choice() -> None:
    """`2 hooks` is an option with two hooks in it; without indents, both lines are in the same place."""
    for rows in ("• 2 hooks\n• 2x Hook\n", "2 hooks\n2x Hook\n", "• 2x Hook\n• 2 hooks\n"):
        assert arm(f"{HEAD}1x Barge (70 pts)\n{rows}")[-1] == "1 Barge [1 2 hooks [2 Hook], 1 Hull, 1 Swivel gun]"
    assert "2 2 hooks" in arm(f"{HEAD}1x Barge (70 pts)\n• 2 hooks\n• 2 hooks\n")[-1]


def test_a_model_without_a_number_has_the_rows_below_it() -> None:
    head = "Mine (145 points)\n\nPolder\nFlood (500 points)\n\nLINE\n\nDyke Guard (145 points)\n"
    rows = "Dyke Captain\nKnife\nPistol\nDyke Guard w/ gun\nGun\nKnife\n3x Dyke Guard\n3x Bow\n3x Knife\nHorn\n"
    for bullet in ("• ", ""):
        assert MIXED in arm(head + "".join(f"{bullet}{row}\n" for row in rows.splitlines()))


@pytest.mark.parametrize("lost", ["  ", "    • ", "    "])
def test_war_organ_needs_neither_indents_nor_bullets(lost: str) -> None:
    barge = "\n\n  Barge [74 points]\n    • Crossbow, Hull and 2 Swivel gun\n\nCreated"
    text = WAYS["sentences"].replace("\n\nCreated", barge).replace("Mine [145", "Mine [219")
    assert arm(text)[-1] == "1 Barge [1 Crossbow, 1 Hull, 2 Swivel gun]"
    lines = text.replace(lost, "").splitlines()
    for place in range(len(lines)):
        half = [*lines[:place], *text.splitlines()[place:]]
        assert arm("\n".join(half)) == arm(text)


@pytest.mark.parametrize("way", FLAT)
def test_without_indents_models_are_armed_the_same(way):
    head = "Mine (145 points)\n\nPolder\nFlood (500 points)\n\nLINE\n\nDyke Guard (145 points)\n"
    assert MIXED in arm(head + FLAT[way])


def test_what_each_model_carries_counts_the_models():
    """Eight bows and a pistol are nine models, whatever the unit starts with."""
    head = "Mine (160 points)\n\nPolder\nFlood (500 points)\n\nLINE\n\nDyke Guard (160 points)\n"
    guard = "1 Dyke Guard [1 Dyke Captain [1 Knife, 1 Pistol], 8 Dyke Guard [1 Bow, 1 Knife]]"
    assert guard in arm(head + "• 8x Bow\n9x Knife\n1x Pistol\n")


def test_what_is_below_some_of_the_models_belongs_to_them():
    rows = "• 1x Dyke Captain\n    1 with Pistol\n      • Knife\n• 4x Dyke Guard\n    4 with Bow\n      • Knife\n"
    guard = "1 Dyke Guard [1 Dyke Captain [1 Knife, 1 Pistol], 4 Dyke Guard [1 Bow, 1 Knife]]"
    assert guard in arm(f"{HEAD}5x Dyke Guard (120 pts)\n{rows}")


@pytest.mark.parametrize(
    "rows", ["1 with Crossbow, Swivel gun\n", "1 with CrossbowSwivel gun\n", "• CrossbowSwivel gun\n"]
)
def test_what_a_unit_of_one_model_carries_is_its_own(rows):
    """Names without the line break between them are two."""
    assert arm(f"{HEAD}1x Barge (74 pts)\n{rows}")[-1] == "1 Barge [1 Crossbow, 1 Hull, 1 Swivel gun]"


def test_a_number_that_equals_the_models_is_one_for_each():
    guard = "1 Dyke Guard [1 Dyke Captain [1 Bow, 1 Knife], 1 Horn, 4 Dyke Guard [1 Bow, 1 Knife]]"
    assert guard in arm(f"{HEAD}5x Dyke Guard (125 pts)\n• 5x Horn\n")


def test_a_bullet_without_indent_begins_another_row():
    rows = "• 1x Dyke Captain\n1 with Pistol, Knife\n• 4x Dyke Guard\n3 with Bow, Knife\n1 with Gun, Knife\n• Horn\n"
    assert MIXED in arm(f"{HEAD}5x Dyke Guard (145 pts)\n{rows}")
