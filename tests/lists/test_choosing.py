"""The game and kind of force of a pasted list: from the text, from what is possible, from the user's choice."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.core.management import call_command
from msgspec import structs

from catalogue.definitions.catalogues import CatalogueKind, DataSet
from catalogue.definitions.entries import CategoryLink, Cost, ForceEntry
from catalogue.definitions.queries import Bound, Scope
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from roster.formats.text.line_answers import make_line_key
from roster.formats.text.pasted import Reading
from roster.services.pasted_lists import ReadPaste, read_pasted_text
from tests.roster.small_game import COLUMN, FENLAND, bound, installed

pytestmark = pytest.mark.django_db
READ = "/api/v1/read"
CORE = CategoryLink(id="raid-core", target_id="core")
COMMAND = CategoryLink(id="raid-command", target_id="command")
RAID = ForceEntry(id="raid", name="Raid", categories=(COMMAND, CORE))
FORAY = ForceEntry(id="foray", name="Foray", categories=(COMMAND, CORE))
HOST = ForceEntry(
    id="host",
    name="Host",
    categories=(
        COMMAND,
        structs.replace(CORE, id="host-core", constraints=(bound("host", Bound.MIN, 3, scope=Scope.FORCE),)),
    ),
)
HIRED = ForceEntry(
    id="hired", name="Hired swords", costs=(Cost(type_id="points", value=50),), categories=(COMMAND, CORE)
)
OLD, NEW = (structs.replace(FORAY, id=f"book-{year}", name=f"Field book {year}-26") for year in (2024, 2025))
LIST = "Mine (30 points)\n\nMarsh Folk\n\nCORE\n\nCutters (10 pts)\nWärden (20 pts)\n"


def install_forces(forces: Sequence[ForceEntry], slug: str = "fenland", name: str = "Fenland") -> None:
    catalogues = [
        structs.replace(one, forces=tuple(forces)) if one.kind is CatalogueKind.GAME_SYSTEM else one
        for one in FENLAND.catalogues
    ]
    install_version(GameInfo(slug=slug, name=name, label="1.0"), DataSet(catalogues=tuple(catalogues)))


def read_one(text: str = LIST, **known: Any) -> ReadPaste:
    read = read_pasted_text(text, **known)
    assert isinstance(read, list)
    return read[0]


def list_offered(one: ReadPaste) -> list[str]:
    return [fit.entry.id for fit in one.forces.offered]


# ---- kinds of force --------------------------------------------------------------------------------------------------


def test_the_kind_of_force_that_the_text_names_is_sure():
    install_forces([RAID, FORAY])
    one = read_one(LIST.replace("\nCORE", "Foray\n\nCORE"))
    assert (list_offered(one)[0], one.forces.is_sure) == ("foray", True)
    assert one.other_forces == []


def test_equal_kinds_of_force_are_asked():
    install_forces([RAID, FORAY, HOST])
    one = read_one()
    assert (list_offered(one), one.forces.is_sure) == (["raid", "foray", "host"], False)
    assert [fit.entry.id for fit in one.other_forces] == ["foray"]


def test_a_kind_whose_slots_are_filled_goes_before_others():
    install_forces([HOST, RAID])
    one = read_one()
    assert (list_offered(one), one.forces.is_sure) == (["raid", "host"], True)
    (slot,) = one.forces.offered[1].short
    assert (slot.name, slot.bound, slot.count) == ("Core", 3, 1)


def test_a_kind_that_costs_points_is_chosen_by_its_name_alone():
    install_forces([HIRED, structs.replace(HOST, categories=(COMMAND,))])
    assert list_offered(read_one()) == ["host", "hired"]
    assert list_offered(read_one(LIST.replace("\nCORE", "Hired Swords\n\nCORE")))[0] == "hired"


def test_of_two_years_the_latest_is_taken():
    install_forces([OLD, NEW])
    assert list_offered(read_one()) == ["book-2025", "book-2024"]
    assert list_offered(read_one(LIST.replace("\nCORE", "Field book 2024-26\n\nCORE")))[0] == "book-2024"


def test_units_of_forces_inside_a_kind_are_placed_in_it():
    install_forces([structs.replace(RAID, categories=(COMMAND,)), structs.replace(COLUMN, categories=(COMMAND,))])
    assert [(fit.entry.id, fit.placed, fit.units) for fit in read_one().forces.offered] == [
        ("column", 2, 2),
        ("raid", 1, 2),
    ]


NESTED = {
    "battlescribe": """++ Column (Marsh Folk) [30pts] ++

++ > Escort (Marsh Folk) [10pts] ++

+ Core +

Cutters [10pts]

++ > Escort (Marsh Folk) [20pts] ++

+ Command +

Wärden [20pts]
. Lamp
""",
    "new recruit": """Marsh Folk - Mine - [30 pts]

# ++ Column ++ [30 pts]

# ++ > Escort ++ [10 pts]
## Core [10 pts]
Cutters [10 pts]:

# ++ > Escort ++ [20 pts]
## Command [20 pts]
Wärden [20 pts]: Lamp
""",
}


@pytest.mark.parametrize("layout", NESTED)
def test_headings_of_slots_belong_to_the_force_above_them(layout):
    install_forces([COLUMN])
    one = read_one(NESTED[layout])
    (column,) = one.checked.evaluated_list.tree.forces
    assert [[unit.name for unit in force.selections] for force in column.forces] == [["Cutters"], ["Wärden"]]
    assert column.selections == ()


@pytest.mark.parametrize("answer", ["foray", "Foray", "FORAY"])
def test_the_user_chooses_a_kind_of_force(answer):
    install_forces([RAID, FORAY])
    for known in ({"force": answer}, {"choices": {"force:1": answer}}):
        one = read_one(**known)
        assert one.forces.chosen is not None
        assert one.checked is not None
        assert (one.forces.chosen.entry.id, one.forces.is_settled) == ("foray", True)
        assert [force.entry_id for force in one.checked.evaluated_list.tree.forces] == ["foray"]


@pytest.mark.parametrize("answer", ["", "gone", "escort", "x" * 400])
def test_a_kind_of_force_that_is_not_there_is_passed_over(answer):
    install_forces([RAID, COLUMN])
    one = read_one(choices={"force:1": answer})
    assert not one.forces.is_settled
    assert one.checked is not None


def test_lists_of_one_text_have_answers_of_their_own():
    install_forces([RAID, FORAY])
    text = LIST + "\nMade with War Organ\n\n" + LIST.replace("Mine", "Yours")
    read = read_pasted_text(text, choices={"force:2": "foray"})
    assert isinstance(read, list)
    assert [one.forces.chosen and one.forces.chosen.entry.id for one in read] == ["raid", "foray"]


# ---- games -----------------------------------------------------------------------------------------------------------


def install_editions() -> None:
    install_forces([RAID], "fen-9", "Fenland 9th Edition")
    install_forces([FORAY], "fen-10", "Fenland 10th Edition")


def find_game(one: ReadPaste) -> str:
    return one.faction.version.game.slug if one.faction else ""


def test_games_that_know_the_same_are_asked():
    install_editions()
    one = read_one()
    assert [edition.value for edition in one.editions.offered] == ["fen-10/marsh-folk", "fen-9/marsh-folk"]
    assert (one.editions.is_sure, [edition.matches for edition in one.editions.offered]) == (False, [2, 2])
    assert [edition.value for edition in one.other_editions] == ["fen-9/marsh-folk"]


@pytest.mark.parametrize(
    ("text", "game"),
    [
        (LIST.replace("\nCORE", "Foray\n\nCORE"), "fen-10"),
        (LIST.replace("\nCORE", "Raid\n\nCORE"), "fen-9"),
        (LIST + "\nWritten for the 10th edition\n", "fen-10"),
        (LIST + "\nFenland 9e\n", "fen-9"),
    ],
    ids=["detachment", "other-detachment", "edition", "short"],
)
def test_head_and_foot_tell_the_edition(text, game):
    install_editions()
    one = read_one(text)
    assert (find_game(one), one.editions.is_sure) == (game, True)
    assert len(one.editions.offered) == 2


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("General's Handbook 2025-26", "sigmar-4"),
        ("Drops: 2", ""),
        ("Grand Strategy: Hold the Line", "sigmar-3"),
        ("Exported with App Version: v2.0.5 (128), Data Version: v886", ""),
    ],
)
def test_signs_of_the_publishers_apps_tell_the_edition(line, game):
    install_forces([RAID], "sigmar-3", "Age of Sigmar")
    install_forces([RAID], "sigmar-4", "Age of Sigmar 4.0")
    one = read_one(LIST.replace("\nCORE", f"{line}\n\nCORE"))
    assert (find_game(one) if one.editions.is_sure else "") == game


def test_a_list_of_a_game_that_is_not_installed_is_not_taken_for_one_that_has_a_name_in_common():
    installed()
    text = LIST.replace("Marsh Folk", "Rivermen").replace("Wärden (20", "Boyars (9 pts)\nSerfs (11")
    assert find_game(read_one(text)) == "fenland"
    one = read_one(text + '\nCreated with "Old World Builder"\n')
    assert (one.faction, [edition.matches for edition in one.editions.offered]) == (None, [1])
    assert find_game(read_one(text + '\nCreated with "Old World Builder"\n', game="fenland")) == "fenland"


def test_the_user_chooses_the_game():
    install_editions()
    one = read_one(choices={"edition:1": "fen-9/marsh-folk"})
    assert (find_game(one), one.editions.is_settled) == ("fen-9", True)
    assert one.checked is not None
    # Even a game without any of the units, for a text that names another.
    install_forces([RAID], "weirland", "Weirland")
    assert find_game(read_one(choices={"edition:1": "weirland/weir-folk"}, game="fen-9")) == "weirland"


@pytest.mark.parametrize("answer", ["", "/", "fen-9", "fen-9/", "gone/marsh-folk", "fen-9/gone"])
def test_a_game_that_is_not_there_is_passed_over(answer):
    install_editions()
    one = read_one(choices={"edition:1": answer})
    assert (find_game(one), one.editions.is_settled) == ("fen-10", False)


# ---- lines -----------------------------------------------------------------------------------------------------------

CHATTY = LIST + "\nthe rest is in my other pocket, see below\n"
UNREAD = "the rest is in my other pocket, see below"


def test_a_line_that_is_a_note_leaves_nothing_open():
    installed()
    one = read_one(CHATTY)
    assert (one.verdict, one.counts[Reading.UNREAD]) == ("as-read", 1)
    one = read_one(CHATTY, choices={make_line_key(UNREAD): "note"})
    assert (one.verdict, one.counts[Reading.UNREAD]) == ("legal", 0)


def test_a_line_is_made_a_unit():
    installed()
    text = LIST.replace("(30", "(50") + "\nthose boat people 20\n"
    one = read_one(text, choices={make_line_key("those boat people 20"): "Crew"})
    assert [unit.name for unit in one.pasted.units] == ["Cutters", "Wärden", "Crew"]
    assert [(unit.name, unit.claimed, unit.computed) for unit in one.points or ()][-1] == ("Crew", 20, 4)
    # A name without similar names is a question like any other.
    one = read_one(text, choices={make_line_key("those boat people 20"): "Grey Heron"})
    assert one.open_names[-1].written == "Grey Heron"


def test_a_unit_that_is_a_note_leaves_the_list_and_what_was_below_it_is_unread():
    installed()
    text = LIST.replace("Wärden (20 pts)\n", "Wärden (20 pts)\n• Lamp\n")
    one = read_one(text, choices={make_line_key("Wärden (20 pts)"): "note"})
    assert [unit.name for unit in one.pasted.units] == ["Cutters"]
    assert [line.text.strip() for line in one.lines if line.reading is Reading.UNREAD] == ["• Lamp"]


# ---- the API and the command -----------------------------------------------------------------------------------------


def test_the_api_says_what_was_possible_and_takes_a_choice(client):
    install_editions()
    (read,) = client.post(READ, {"text": LIST}, content_type="application/json").json()
    assert (read["edition"]["value"], read["edition"]["sure"]) == ("fen-10/marsh-folk", False)
    assert (read["force"]["value"], len(read["force"]["choices"])) == ("foray", 1)
    choices = {read["edition"]["key"]: read["edition"]["choices"][1]["value"]}
    (read,) = client.post(READ, {"text": LIST, "choices": choices}, content_type="application/json").json()
    assert (read["game"], read["edition"]["settled"], read["force"]["value"]) == ("fen-9", True, "raid")
    (read,) = client.post(f"{READ}?game=fen-10&force=Foray", LIST, content_type="text/plain").json()
    assert (read["game"], read["force"]["settled"]) == ("fen-10", True)


def test_the_api_gives_each_line_a_key(client):
    installed()
    (read,) = client.post(READ, {"text": CHATTY}, content_type="application/json").json()
    (line,) = [line for line in read["lines"] if line["reading"] == "unread"]
    sent = {"text": CHATTY, "choices": {line["key"]: "note"}}
    (read,) = client.post(READ, sent, content_type="application/json").json()
    assert (read["verdict"], read["lines"][-1]["kind"]) == ("legal", "note")


def test_the_command_says_what_was_possible_and_takes_a_choice(tmp_path, capsys):
    install_editions()
    install_forces([RAID, FORAY], "fen-9", "Fenland 9th Edition")
    file = tmp_path / "list.txt"
    file.write_text(LIST, encoding="utf-8")

    def run(*arguments: str) -> tuple[str, str]:
        with pytest.raises(SystemExit):
            call_command("check_list", str(file), *arguments)
        return capsys.readouterr()

    assert "Fenland 9th Edition" in run().err
    assert "Foray" in run("--game", "fen-9").err
    chosen = json.loads(run("--json", "--game", "fen-9", "--force", "foray").out)["lists"][0]
    assert (chosen["game"], chosen["force"]["value"], chosen["force"]["settled"]) == ("fen-9", "foray", True)
    assert "--force" not in run("--game", "fen-9", "--faction", "marsh-folk", "--force", "foray").err


def test_a_name_that_an_earlier_version_had_as_well_is_no_guess():
    install_forces([RAID])
    install_forces([RAID, FORAY])
    one = read_one(LIST.replace("Cutters", "Cuttres"))
    readings = {name.written: name.reading for name in one.names or ()}
    assert readings == {"Cuttres": Reading.GUESSED, "Wärden": Reading.UNDERSTOOD}
