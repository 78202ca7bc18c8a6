"""Pasted lists are read to the last line: of other users, invented ones of each layout, and mangled ones."""

import json
import os
import random
from itertools import product
from pathlib import Path

import pytest

from roster.formats.text.arithmetic import check_sums
from roster.formats.text.parse import MAX_TEXT, parse_text
from roster.formats.text.pasted import ItemRole, LineKind, PastedLayout, PastedText, Reading
from tests.extent import sample
from tests.lists.__main__ import find_problems, main
from tests.lists.mangling import drop_bullets, drop_indents, use_windows_lines

SAMPLES = Path(__file__).parent / "samples"
SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", "")) / "lists"
needs_shared = pytest.mark.skipif(
    not (os.environ.get("ARMYBUILDER_SHARED") and SHARED.is_dir()), reason="ARMYBUILDER_SHARED has no lists"
)
MANIFEST = json.loads((SAMPLES / "manifest.json").read_text(encoding="utf-8"))
FILES = [expected["file"] for expected in MANIFEST]


def read_sample(name: str) -> str:
    return (SAMPLES / name).read_text(encoding="utf-8")


def list_figures(pasted: PastedText) -> list[tuple[int, object]]:
    return [(len(one.units), one.sum_points()) for one in pasted.lists]


@pytest.mark.parametrize("expected", MANIFEST, ids=FILES)
def test_every_line_of_a_sample_is_understood(expected):
    assert find_problems(parse_text(read_sample(expected["file"])), expected) == []


@needs_shared
def test_lists_of_other_people_are_read(capsys):
    assert main([str(SHARED)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(" passed, 0 failed")


def test_the_proof_counts(tmp_path, capsys):
    (tmp_path / "list.txt").write_text(read_sample("app-40k-old.txt"), encoding="utf-8")
    expected = {"file": "list.txt", "layout": "D6", "units": 3, "total": 265}
    (tmp_path / "manifest.json").write_text(json.dumps([expected]), encoding="utf-8")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 0 failed"


@pytest.mark.parametrize(
    "change",
    [
        {"text": "the dog ate this line"},
        {"text": "  • 1x Bow\n\nzzz qqq"},
        {"units": 4},
        {"total": 270},
        {"cost": "(81 points)"},
    ],
    ids=["unread", "unread-at-the-end", "units", "total", "sum"],
)
def test_the_proof_fails(tmp_path, capsys, change):
    text = read_sample("app-40k-old.txt").replace("(80 points)", change.get("cost", "(80 points)"))
    (tmp_path / "list.txt").write_text(text + "\n" + change.get("text", ""), encoding="utf-8")
    expected = {"file": "list.txt", "layout": "D6", "units": 3, "total": 265}
    expected |= {key: change[key] for key in ("units", "total") if key in change}
    (tmp_path / "manifest.json").write_text(json.dumps([expected]), encoding="utf-8")
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "0 passed, 1 failed"


@pytest.mark.parametrize("name", FILES)
def test_a_strange_line_inside_is_never_dropped(name):
    """A line of nonsense below the first unit is unread or guessed, wherever it is."""
    lines = read_sample(name).splitlines()
    first = parse_text("\n".join(lines)).lists[0].units[0].line
    place = random.Random(name).randrange(first, len(lines))
    strange = "zzz the dog & the heron?"
    pasted = parse_text("\n".join([*lines[:place], strange, *lines[place:]]))
    assert next(line.reading for line in pasted.lines if line.text == strange) is not Reading.UNDERSTOOD


# ---- mangled ---------------------------------------------------------------------------------------------------------


def use_smart_signs(text: str) -> str:
    return text.replace("'", "’").replace(" points)", "\u00a0points)").replace("\u2022 ", "\u2022\u00a0")


def add_direction_marks(text: str) -> str:
    return "\n".join(f"\u200f{line}\u200e" if line else line for line in text.split("\n"))


def quote(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.split("\n"))


def fence(text: str) -> str:
    return f"```\n{text}\n```"


def star_bullets(text: str) -> str:
    return text.replace("• ", "* ").replace("◦ ", "* ")


def space_out(text: str) -> str:
    return text.replace("\n", "\n\n")


UNDECIDABLE = ("sums-and-cards.txt", "sums-below-units.txt", "team-numbered.txt")
"""Without bullets, an option with points looks like a unit, and a unit above a bare line like a game size."""
GENTLE = [use_windows_lines, use_smart_signs, add_direction_marks, quote, fence, star_bullets]


@pytest.mark.parametrize(
    ("expected", "mangle"),
    sample(product(MANIFEST, GENTLE), 120),
    ids=lambda value: value["file"] if isinstance(value, dict) else value.__name__,
)
def test_what_chats_do_to_a_text_changes_nothing(expected, mangle):
    assert find_problems(parse_text(mangle(read_sample(expected["file"]))), expected) == []


@pytest.mark.parametrize("mangle", [drop_indents, drop_bullets], ids=lambda mangle: mangle.__name__)
@pytest.mark.parametrize("name", FILES)
def test_units_and_points_survive_worse(name, mangle):
    """Without indentation or bullets some lines can only be guessed, but all units and points are found."""
    if mangle is drop_bullets and name in UNDECIDABLE:
        pytest.skip("the text alone does not tell any more")
    # Without its bullet, anything with points would look like a unit.
    text = read_sample(name).replace("Captain [5 pts]", "Captain").replace("Scales (20)", "Scales")
    pasted = parse_text(mangle(text))
    assert list_figures(pasted) == list_figures(parse_text(text))


@pytest.mark.parametrize("name", ["app-40k-old.txt", "war-organ.txt", "list-forge.txt", "new-recruit-gw.txt"])
def test_two_lists_in_one_paste_are_two(name):
    text = read_sample(name)
    other = read_sample("wtc-compact.txt")
    for both in (text + "\n\n" + other, other + "\n\n" + text, text + "\n\n" + text.replace("Reedfolk", "Rustfolk")):
        pasted = parse_text(both)
        assert len(pasted.lists) == 2, [one.claims for one in pasted.lists]
        assert [line for line in pasted.lines if line.reading is not Reading.UNDERSTOOD] == []
        assert all(one.claims.total == one.sum_points() for one in pasted.lists)


def test_a_team_is_a_list_each():
    pasted = parse_text(read_sample("team-page.txt"))
    assert [one.claims.player for one in pasted.lists] == ["Anna Reed", "Boris Rust"]
    assert [one.claims.faction for one in pasted.lists] == ["Reedfolk", "Rustfolk"]


@pytest.mark.parametrize("name", ["team-of-players.txt", "team-numbered.txt"])
def test_players_without_heads_of_programs_have_a_list_each(name):
    lists = parse_text(read_sample(name)).lists
    assert [one.sum_points() for one in lists] == [175, 175]
    assert [line.text.split(": ")[-1] for one in lists for line in one.lines[:1]] == ["Anna Reed", "Boris Rust"]


def test_a_unit_that_costs_as_much_as_two_others_opens_no_list():
    text = "Reedfolk (350 pts)\nBarge (175 pts)\nSun Marshal (95 pts)\nReed Guard (80 pts)"
    assert list_figures(parse_text(text)) == [(3, 350)]


@pytest.mark.parametrize(
    ("points", "title", "total"), [(200, "Reedfolk", 200), (150, "Reedfolk", 150), (149, "", None)]
)
def test_points_above_the_units_are_a_total_from_three_quarters_of_their_sum_on(points, title, total):
    """A list need not be full, and some costs may be unread; a much smaller number is a limit or a size."""
    text = f"Reedfolk ({points} pts)\n\nUnits\nSun Marshal (100 pts)\n- Glass lance\nReed Guard (100 pts)\n- 5x Bow\n"
    (pasted,) = parse_text(text).lists
    assert (pasted.layout, len(pasted.units)) == (PastedLayout.PLAIN, 2)
    assert (pasted.claims.title, pasted.claims.total) == (title, total)


# ---- what is in a list -----------------------------------------------------------------------------------------------


def test_the_head_says_what_it_claims():
    claims = parse_text(read_sample("wtc-compact.txt")).lists[0].claims
    assert (claims.faction, claims.detachments, claims.total, claims.units) == ("Reedfolk", ["Low Water"], 325, 4)


def test_layouts_are_told_apart():
    layouts = {name: parse_text(read_sample(name)).lists[0].layout for name in FILES}
    assert layouts["wtc-full.txt"] is PastedLayout.WTC
    assert layouts["new-recruit-markdown.txt"] is PastedLayout.NEW_RECRUIT
    assert layouts["new-recruit-short.txt"] is PastedLayout.NEW_RECRUIT_SHORT
    assert layouts["battlescribe-bare.txt"] is PastedLayout.BATTLESCRIBE
    assert layouts["app-40k-polish.txt"] is PastedLayout.APP_40K
    assert layouts["list-forge.txt"] is PastedLayout.LIST_FORGE
    assert layouts["war-organ.txt"] is PastedLayout.WAR_ORGAN
    assert layouts["old-world-builder-secret.txt"] is PastedLayout.OLD_WORLD_BUILDER
    assert layouts["aos-app.txt"] is PastedLayout.APP_AOS
    assert layouts["army-forge.txt"] is PastedLayout.ARMY_FORGE
    assert layouts["forum-french.txt"] is PastedLayout.PLAIN


def test_models_hold_their_weapons():
    guard = parse_text(read_sample("wtc-compact.txt")).lists[0].units[2]
    models, captain = guard.items
    assert (models.name, models.count, captain.name) == ("Guard", 4, "Captain")
    assert [(part.role, part.count, [item.name for item in part.items]) for part in models.items] == [
        (ItemRole.PART, 3, ["Bow", "Knife"]),
        (ItemRole.PART, 1, ["Banner", "Knife"]),
    ]
    assert guard.count_models() == 5


def test_the_line_that_says_who_is_led_holds_nothing():
    marshal = parse_text(read_sample("app-40k-german.txt")).lists[0].units[0]
    assert [(item.name, item.role) for item in marshal.items] == [
        ("Angeschlossen als: Anführer (Charaktermodell)", ItemRole.NOTE),
        ("Kriegsherr", ItemRole.WARLORD),
        ("Glaslanze", ItemRole.OPTION),
        ("Siegel der Dämmerung", ItemRole.ENHANCEMENT),
    ]


def test_units_of_one_kind_are_units_each():
    units = parse_text(read_sample("sums-behind-units.txt")).lists[0].units
    assert [(unit.name, unit.points) for unit in units[1:5]] == [
        ("Reed Guard", 68),
        ("Reed Guard", 68),
        ("Bowmen", 50),
        ("Bowmen", 50),
    ]
    assert units[1].items is not units[2].items


def test_army_forge_gives_the_points_of_one_unit_and_the_limit():
    pasted = parse_text(read_sample("army-forge-groups.txt")).lists[0]
    assert [(unit.count, unit.points) for unit in pasted.units] == [(1, 95), (5, 80), (5, 80), (1, 90)]
    assert (pasted.claims.total, pasted.claims.limit) == (None, 500)


def test_a_unit_that_ends_in_its_sum_holds_what_stands_above():
    units = parse_text(read_sample("unit-totals.txt")).lists[0].units
    assert [(unit.name, unit.points, len(unit.items)) for unit in units] == [
        ("Sun Marshal", 71, 2),
        ("Lock Warden", 44, 0),
    ]


def test_a_number_after_a_colon_is_no_unit_where_sums_do_not_need_it():
    text = "Reedfolk (175 pts)\n\nSun Marshal (95 pts)\nReed Guard (80 pts)\nGames won: 12"
    pasted = parse_text(text)
    assert list_figures(pasted) == [(2, 175)]
    assert pasted.lines[-1].reading is not Reading.UNDERSTOOD


def test_sections_keep_their_sums():
    sections = parse_text(read_sample("new-recruit-markdown.txt")).lists[0].sections
    assert [(section.name, section.points) for section in sections][1:] == [
        ("Character", 95),
        ("Infantry", 80),
        ("Vehicle", 90),
    ]


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n\n",
        "\x00\x01\x02",
        "\u202e" * 500,
        "(" * 5_000,
        "1x " * 3_000,
        "((((1 pts" * 900,
        "• " * 2_000,
        ":" * 999,
        "a" * 90_000,
        "[1,1,1,1,1" * 400,
        "10x 10x 10x (10 pts) (10 pts): " * 30,
        "+ A: " * 300,
        "<br>" * 9_000,
        "3x A (1) = 1 (2) = " * 40,
        "Unit total: 1\n" * 900,
        "A: 1\n" * 2_000,
        "9999x A [5] Q4+ D4+ | 1 pts | x\n" * 1_000,
    ],
)
def test_noise_is_answered(text):
    pasted = parse_text(text)
    assert "".join(line.text for line in pasted.lines) is not None
    assert all(line.kind is not LineKind.UNIT for line in pasted.lines) or "10 pts" in text or "1 pts" in text


def test_a_text_beyond_all_lists_is_refused():
    with pytest.raises(ValueError, match="too long"):
        parse_text("a" * (MAX_TEXT + 1))


APP_HEADS = {
    "German": ("Sturmangriff", "Streitmachtdisposition: Aufklärung", "Punkte", "LINIE"),
    "French": ("Force de Frappe", "Dispositions de la Force : Reconnaissance", "points", "LIGNE"),
    "Spanish": ("Fuerza de Ataque", "Disposición de fuerza: Reconocimiento", "puntos", "LÍNEA"),
    "Italian": ("Forza d’Attacco", "Disposizione della forza: Ricognizione", "punti", "LINEA"),
    "Polish": ("Siły Uderzeniowe", "Dyspozycja sił: Zwiad", "pkt.", "LINIA"),
    "Ukrainian": ("Ударні сили", "Диспозиція сил: Розвідка", "очок", "ЛІНІЯ"),
    "unknown": ("Zzz Qqq", "Xxx Yyy", "points", "CHARACTERS"),
}
UNITS = "Sun Marshal (95 {0})\n  • 1x Glass lance\n\nReed Guard (80 {0})\n  • 4x Guard\n    • 4x Bow\n"


@pytest.mark.parametrize("language", APP_HEADS)
@pytest.mark.parametrize("first", ["size", "disposition"])
def test_sizes_and_dispositions_of_any_language_are_no_units(language, first):
    """Nor is a word of an unknown language: the size names more points than the whole list."""
    size, disposition, points, section = APP_HEADS[language]
    head = [f"{size} (2000 {points})", disposition]
    if first == "disposition":
        head.reverse()
    text = f"Low tide (175 {points})\n\nReedfolk\n" + "\n".join(head) + f"\n\n{section}\n\n" + UNITS.format(points)
    (one,) = parse_text(text).lists
    assert [line.text for line in one.lines if line.reading is not Reading.UNDERSTOOD] == []
    assert [unit.name for unit in one.units] == ["Sun Marshal", "Reed Guard"]
    assert (one.claims.faction, one.claims.size.split(" (")[0], one.claims.limit) == (
        "Reedfolk",
        size.replace("’", "'"),
        2000,
    )


def test_operatives_have_their_weapons_and_no_points():
    (one,) = parse_text(read_sample("team-of-operatives.txt")).lists
    assert (one.claims.faction, one.claims.total) == ("Reed Stalkers", None)
    assert {unit.points for unit in one.units} == {None}
    assert [item.name for item in one.units[-1].items] == ["Reed rifle", "Knife", "Satchel"]
    assert one.claims.other == {"Equipment": "Ropes, Mines"}


def test_prose_with_colons_is_no_team():
    (one,) = parse_text("Dear all\n\nAgenda: lunch\nTime: noon, sharp\nPlace: the mill\nSee you\nthen\n").lists
    assert one.units == []


def test_a_table_with_tabulators_is_no_silent_list():
    pasted = parse_text("Captain\t95\nReed Guard\t120\nEel Riders\t85\n")
    assert [(unit.name, unit.points) for one in pasted.lists for unit in one.units] == [
        ("Captain", 95),
        ("Reed Guard", 120),
        ("Eel Riders", 85),
    ]


DAMAGED = sorted((Path(__file__).parent / "damaged").iterdir())
RUNS = ["1..2", "1.2.3", "..", ",", "1 234.567.890", "1.234 567,890", "9" * 700, "0.0000000001.0000000001"]
"""Runs of digits, dots and commas that are no number of points."""
PLACES = [
    "Army ({0} pts)\nGuard ({0} pts)\n",
    "Army (10 pts)\nGuard [5] Q4+ D5+ | {0}pts | Tough(3)\n",
    "Army (10 pts)\n3x Guard ({0}): horn ({0}) = {0}\n",
    "Army (10 pts)\nGuard - {0}\nMarshal - {0}\n",
    "Army (10 pts)\n\nGuard\nSword\nUnit total: {0}\n",
    "Army {0}/{0} pts\n+ TOTAL ARMY POINTS: {0}pts\nGuard: {0}\nMarshal: {0}\n{0}\n",
    "++ Army [{0}pts] ++\nGuard [5] Q4+ D5+ | 80pts | Tough(3)\n",
    "{0} points - Guard\nGuard\t{0}\nMarshal\t{0}\n",
    'Army\nMarsh, {0} / {0} points\nReeds\nLimits: "points" {0}\n\nStandard\n- Guard ({0})\n\nMade with Armybuilder\n',
]


@pytest.mark.parametrize("path", DAMAGED, ids=lambda path: path.stem)
def test_a_damaged_list_of_our_own_is_read_as_far_as_it_goes(path):
    assert parse_text(path.read_text(encoding="utf-8", errors="replace")).lists


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("run", RUNS)
def test_a_run_of_dots_and_commas_is_no_number(run, place):
    lists = parse_text(place.format(run)).lists
    assert lists
    for pasted in lists:
        check_sums(pasted)
        numbers = (pasted.claims.total, pasted.claims.limit, *(unit.points for unit in pasted.units))
        assert all(number is None or number < 10**20 for number in numbers)


NESTED = {
    "brackets": "- " + "a [" * 20_000,
    "colons": "- " + "a: " * 20_000,
    "options": "\n".join(" " * column + "- a" for column in range(400)),
    "detachments": "\n".join(f"\n## {'+ ' * depth}a\n- b" for depth in range(280)),
}


@pytest.mark.parametrize("body", NESTED.values(), ids=NESTED)
def test_our_own_layout_is_not_read_deeper_than_a_list_document(body):
    head, foot = "Army\nMarsh, 1 points\nReeds\n\nStandard\n", "\n\nMade with Armybuilder, data 9553466a27"
    (pasted,) = parse_text(head + body + foot).lists
    assert any(line.reading is Reading.UNREAD for line in pasted.lines)
