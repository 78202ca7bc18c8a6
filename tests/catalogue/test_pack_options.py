"""What options of a pack mean in a list."""

from pathlib import Path

import pytest

from tests.catalogue.pack_files import PACK, broken, judged, points, pond

FROG = """\
- unit: Frog
  type: boss
  points: 10
  cite: p. 5
  profile: [4, 2]
  carries: [Reed x2]
  abilities: [Croak]
  options:
"""

NEWTS = """\
- unit: Newts
  type: crew
  points: 6
  cite: p. 5
  models:
  - {model: Newt, count: 3-6, points: 2, profile: [4, 2], carries: [Reed]}
  options:
"""


def case(folder: Path, options: str, chosen: str, unit: str = FROG) -> tuple[object, list[str]]:
    """Return the points and violations of the unit with these options, some of them chosen."""
    reading = pond(folder, unit + options)
    name = unit.splitlines()[0].removeprefix("- unit: ").lower()
    listed = f"[{{unit: {name}, options: [{chosen}]}}]"
    return points(reading, listed), broken(reading, listed)


@pytest.mark.parametrize(
    ("options", "chosen", "expected"),
    [
        ("  - Stone: +2\n", "stone", (12, [])),
        ("  - Stone: -3\n", "stone", (7, [])),
        ("  - Stone: free\n", "stone", (10, [])),
        ("  - Stone: +2\n", "{option: stone, count: 2}", (14, ["p-once"])),
        ("  - {option: Stone, points: 2, up to: 2}\n", "{option: stone, count: 2}", (14, [])),
        ("  - {option: Stone, points: 2, up to: 2}\n", "{option: stone, count: 3}", (16, ["p-limit"])),
        ("  - {option: Stone, points: 1, prices: [{points: 5, when: leaf}]}\n  - Leaf\n", "stone, leaf", (15, [])),
        ("  - {option: Stone, only when: leaf}\n  - Leaf\n", "stone", (10, ["p-when"])),
        ("  - {option: Stone, only when: leaf}\n  - Leaf\n", "stone, leaf", (10, [])),
        ("  - {option: Stone, only when: no leaf}\n  - Leaf\n", "stone, leaf", (10, ["p-when"])),
        ("  - {option: Stone, not with: Leaf}\n  - Leaf\n", "stone, leaf", (10, ["p-not"])),
        ("  - {option: Stone, needs: Leaf}\n  - Leaf\n", "stone", (10, ["p-needs"])),
        ("  - {option: Stone, needs: Toad}\n", "stone", (10, ["p-needs"])),
    ],
)
def test_single_options(tmp_path: Path, options: str, chosen: str, expected: tuple[int, list[str]]) -> None:
    assert case(tmp_path, options, chosen) == expected


@pytest.mark.parametrize(
    ("choose", "chosen", "expected"),
    [
        ("choose: up to one", "", []),
        ("choose: up to one", "stone, leaf", ["p-one"]),
        ("choose: one", "", ["p-least"]),
        ("choose: one, default: Leaf", "", []),
        ("choose: one, default: Leaf", "stone", []),
        ("choose: up to 2", "stone, leaf", []),
        ("choose: up to 2", "{option: stone, count: 2}, leaf", ["p-several"]),
        ("choose: 1-2", "", ["p-least"]),
        ("choose: any", "stone, leaf", []),
        ("choose: any", "{option: stone, count: 2}", ["p-once"]),
        ("choose: up to 2", "{option: stone, count: 2}", []),
        ("choose: up to 2, limits: [{at most: 1, when: thorn}]", "stone, leaf", []),
        ("choose: up to 2, limits: [{at most: 1, when: thorn}]", "stone, leaf, thorn", ["p-footnote"]),
        ("choose: up to 2, limits: [{at most: 1, when: at least 3 weapons}]", "leaf, leaf", []),
        ("choose: up to 2, limits: [{at most: 1, when: at least 4 weapons}]", "stone, leaf, thorn", ["p-footnote"]),
    ],
)
def test_choices(tmp_path: Path, choose: str, chosen: str, expected: list[str]) -> None:
    options = f"  - {{{choose}, from: [Stone, Leaf]}}\n  - Thorn\n"
    assert case(tmp_path, options, chosen)[1] == expected


@pytest.mark.parametrize("often", ["{option: Stone, count: any}", "{option: Stone, up to: 9}"])
def test_any_of_several_are_taken_more_than_once_where_they_say_so(tmp_path: Path, often: str) -> None:
    options = f"  - {{choose: any, from: [{often}, Leaf]}}\n  - Thorn\n"
    assert case(tmp_path, options, "{option: stone, count: 9}, leaf")[1] == []


@pytest.mark.parametrize(
    ("unit", "options", "chosen", "expected"),
    [
        (FROG, "  - {swap: Reed, for: [{Stone: +1}, {Thorn: -2}]}\n", "stone, thorn", (9, [])),
        (FROG, "  - {swap: Reed, for: [{Stone: +1}]}\n", "{option: stone, count: 3}", (13, ["p-swap"])),
        (FROG, "  - {swap: Reed, at most: 1, for: [{Stone: +1}]}\n", "{option: stone, count: 2}", (12, ["p-swap"])),
        (NEWTS, "  - {swap: Reed, for: [{Stone: +1}]}\n", "{option: stone, count: 3}", (9, [])),
        (NEWTS, "  - {swap: Reed, for: [{Stone: +1}]}\n", "{option: stone, count: 4}", (10, ["p-swap"])),
        (
            NEWTS,
            "  - {swap: Reed, for: [{Stone: +1}]}\n",
            "{option: stone, count: 4}, {option: newt, count: 4}",
            (12, []),
        ),
        (
            NEWTS,
            "  - {swap: Reed, name: One, for: [Stone]}\n  - {swap: Reed, name: Two, for: [Thorn]}\n",
            "{option: stone, count: 2}, {option: thorn, count: 2}",
            (6, ["p-swap"]),
        ),
        (
            NEWTS,
            "  - {swap: Reed, whole unit: yes, for: [{Stone: +1 per model}]}\n",
            "stone, {option: newt, count: 5}",
            (15, []),
        ),
        (NEWTS, "  - {option: Leaf, one per: 2 models}\n", "{option: leaf, count: 2}", (6, ["p-limit"])),
        (
            NEWTS,
            "  - {option: Leaf, one per: 2 models}\n",
            "{option: leaf, count: 2}, {option: newt, count: 4}",
            (8, []),
        ),
    ],
)
def test_swaps_and_options_by_the_model(
    tmp_path: Path, unit: str, options: str, chosen: str, expected: tuple[int, list[str]]
) -> None:
    assert case(tmp_path, options, chosen, unit) == expected


def test_each_model_chooses_for_itself(tmp_path: Path) -> None:
    reading = pond(
        tmp_path,
        """\
- unit: Guard
  type: crew
  points: 9
  cite: p. 5
  models:
  - model: Sergeant
    carries: [Reed]
    options:
    - {swap: Reed, for: [{Stone: +2}]}
  - {model: Guard, count: 2, carries: [Reed]}
""",
    )
    listed = "[{unit: guard, options: [{option: sergeant, options: [%s]}]}]"
    assert points(reading, listed % "stone") == 11
    assert broken(reading, listed % "{option: stone, count: 2}") == ["p-swap"]


def test_a_shared_list_is_one_list(tmp_path: Path) -> None:
    shared = "cite: book\nlists:\n- {list: Bag, choose: up to 2, from: [{Stone: +1}, {Leaf: +2}]}\n"
    reading = pond(tmp_path, FROG + "  - {list: Bag, choose: up to one}\n", **{"lists.yaml": shared})
    assert points(reading, "[{unit: frog, options: [leaf]}]") == 12
    assert broken(reading, "[{unit: frog, options: [leaf, stone]}]") == ["p-one"]


def test_a_list_beside_another_is_meant_though_a_keyword_has_its_name(tmp_path: Path) -> None:
    shared = (
        "cite: book\nlists:\n- {list: Wet, choose: any, from: [Stone, Thorn]}\n"
        "- {list: Bag, choose: any, from: [Leaf]}\n"
        "- {list: All, choose: any, from: [{list: Wet}, {list: Bag, not with: [Wet]}]}\n"
    )
    reading = pond(tmp_path, FROG + "  - {list: All}\n", **{"lists.yaml": shared})
    assert broken(reading, "[{unit: frog, options: [stone, thorn]}]") == []
    assert broken(reading, "[{unit: frog, options: [stone, leaf]}]") == ["p-not"]
    assert broken(reading, "[{unit: frog, options: [stone]}, {unit: frog, options: [leaf]}]") == []


def test_a_swap_may_have_words_for_its_own_number(tmp_path: Path) -> None:
    swap = "  - {swap: Reed, at most: 1, for: [{Stone: +1}]}\n"
    pack = PACK.replace("  swap: p-swap\n", "  swap: p-swap\n  swap at most: p-most\n")
    reading = pond(tmp_path, NEWTS + swap, pack)
    assert broken(reading, "[{unit: newts, options: [{option: stone, count: 2}]}]") == ["p-most"]


def test_what_was_swapped_changed_or_lost_is_not_shown(tmp_path: Path) -> None:
    reading = pond(
        tmp_path,
        FROG
        + """\
  - {swap: Reed, for: [Stone]}
  - {option: Leaf, changes: {MV: -1, AV: 5+}, removes: [Croak]}
""",
    )

    def shown(chosen: str) -> tuple[set[str], set[str], list[str]]:
        frog = judged(reading, f"[{{unit: frog, options: [{chosen}]}}]").forces[0].selections[0]
        row = next(p for p in frog.profiles if p.name == "Frog")
        return ({p.name for p in frog.profiles}, {r.name for r in frog.rules}, [c.value for c in row.characteristics])

    assert shown("") == ({"Frog", "Reed"}, {"Croak"}, ["4", "2"])
    assert shown("stone") == ({"Frog", "Reed"}, {"Croak"}, ["4", "2"])
    assert shown("{option: stone, count: 2}") == ({"Frog"}, {"Croak"}, ["4", "2"])
    assert shown("leaf") == ({"Frog", "Reed"}, set(), ["3", "5+"])


def test_an_option_may_be_limited_in_the_whole_list(tmp_path: Path) -> None:
    option = "  - {option: Leaf, limits: [{at most: 1, in: %s}]}\n"
    reading = pond(tmp_path, FROG + option % "roster")
    assert broken(reading, "[{unit: frog, options: [leaf]}, frog]") == []
    assert broken(reading, "[{unit: frog, options: [leaf]}, {unit: frog, options: [leaf]}]") == ["p-footnote"]
    wrong = pond(tmp_path, FROG + option % "pond")
    assert [found.code for found in wrong.diagnostics] == ["unknown-scope"]


def test_of_two_figures_the_first_is_changed(tmp_path: Path) -> None:
    frog = FROG.replace("[4, 2]", "[14/2, 23 (10)]")
    assert frog != FROG
    reading = pond(tmp_path, frog + "  - {option: Leaf, changes: {MV: +2, AV: -1}}\n")
    row = judged(reading, "[{unit: frog, options: [leaf]}]").forces[0].selections[0].profiles[0]
    assert [c.value for c in row.characteristics] == ["16/2", "22 (10)"]


def test_abilities_may_share_a_text(tmp_path: Path) -> None:
    more = "cite: book, p. 3\nabilities:\n- {abilities: [Slime, Gulp], text: See the card.}\n"
    reading = pond(tmp_path, FROG + "  - {option: Leaf, abilities: [Slime, Gulp (2)]}\n", **{"more.yaml": more})
    frog = judged(reading, "[{unit: frog, options: [leaf]}]").forces[0].selections[0]
    told = {(rule.name, rule.description) for each in frog.selections for rule in each.rules}
    assert {("Slime", "See the card."), ("Gulp", "See the card.")} <= told


def test_options_stand_in_the_order_of_the_book(tmp_path: Path) -> None:
    reading = pond(tmp_path, FROG + "  - Thorn\n  - {choose: any, from: [Stone, Leaf]}\n  - Reed\n")
    frog = judged(reading, "[{unit: frog, options: [leaf, reed, stone, thorn]}]").forces[0].selections[0]
    assert [selection.name for selection in frog.selections] == ["Thorn", "Stone", "Leaf", "Reed"]


def test_what_bars_an_option_is_named(tmp_path: Path) -> None:
    reading = pond(tmp_path, FROG + "  - {option: Stone, not with: [leaf]}\n  - Leaf\n")
    report = judged(reading, "[{unit: frog, options: [stone, leaf]}]")
    assert [violation.name for violation in report.violations] == ["Not with Leaf"]
