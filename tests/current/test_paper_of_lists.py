"""Current lists of 2,000 points on paper: at most three pages, at most thirty card faces, at most two for a unit."""

from pathlib import Path

import pytest

from catalogue.models import PackVersion
from roster.pdf.imposition.card_face import PrintCard
from roster.pdf.imposition.card_format import POKER, CardFormat
from roster.pdf.imposition.list_cards import build_unit_cards
from roster.pdf.imposition.reference_cards import enlarge_rules_card, move_long_rules
from roster.pdf.imposition.set_face import CardLook, set_faces
from roster.pdf.shapes import ListSheet
from roster.pdf.sheet_job import create_sheet_job, lay_out_sheet
from roster.pdf.sheet_options import SheetOptions
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.pdf.turns import build_stages
from roster.pdf.type.installed_fonts import find_unprintable_letters
from tests.current.building import begin_list
from tests.current.test_current_lists import games, identify
from tests.current.written import list_files, read_list
from tests.extent import sample
from tests.roster.paper_promises import print_sheet

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MOST_PAGES, MOST_FACES, MOST_SIDES = 3, 30, 2
PRINTED = ("age-of-sigmar-4", "horus-heresy-3", "wh40k-10e")
ALL = [path for name in PRINTED for path in list_files()[name]]
LOOK = CardLook(card_format=POKER)

__all__ = ["games"]


def count_faces(card: PrintCard, look: CardLook) -> int:
    card_format: CardFormat = card.card_format or look.card_format
    sized = CardLook(card_format=card_format, fills_sheet=card.card_format is not None)
    return len(set_faces([card.front], sized)[card.front])


def build_printed(path: Path, version: PackVersion) -> ListSheet:
    written = read_list(path)
    builder = begin_list(version, written)
    for step in written.steps:
        builder.carry_out(step)
    return create_sheet_job(builder.roster).build_sheet()


@pytest.mark.parametrize(
    ("games", "path"),
    [(read_list(path).archive, path) for path in sample(ALL, 1)],
    indirect=["games"],
    ids=map(identify, sample(ALL, 1)),
)
def test_a_list_of_the_usual_size_keeps_to_three_pages_and_thirty_faces(
    path: Path, games: dict[str, PackVersion]
) -> None:
    sheet = build_printed(path, games[read_list(path).system])
    assert len(lay_out_sheet(sheet, SheetOptions()).pages) <= MOST_PAGES
    cards = [enlarge_rules_card(card, LOOK) for card in move_long_rules(list(build_unit_cards(sheet)), LOOK)]
    faces = {card.front: count_faces(card, LOOK) for card in cards}
    assert [face.title for face, sides in faces.items() if face.datasheet and sides > MOST_SIDES] == []
    assert sum(faces.values()) <= MOST_FACES
    # Each rule that a unit only names has its text on the card of rules.
    texts = " ".join(block.label for card in cards for block in card.front.blocks)
    named = {ability.name for unit in sheet.datasheets for ability in unit.common}
    assert [name for name in named if name not in texts] == []


@pytest.mark.parametrize("games", ["wh40k-killteam-three-systems.zip"], indirect=True)
def test_kill_team_is_printed_as_its_players_know_it(games: dict[str, PackVersion]) -> None:
    path = next(path for path in list_files()["kill-team"] if path.stem == "pathfinders")
    sheet = build_printed(path, games[read_list(path).system])
    units = {unit.name: unit for unit in sheet.datasheets}
    marksman = units["Marksman Pathfinder"]
    assert marksman.profile
    assert marksman.profile.heads == ("APL", "Move", "Save", "Wounds")
    (weapons,) = marksman.weapons
    assert weapons.heads == ("ATK", "HIT", "DMG")
    assert weapons.rows[0].beside == "Piercing 1, Silent"
    # Shooting comes before fighting, and what a row says is not said again.
    assert [row.name[0] for row in weapons.rows] == ["\N{POSITION INDICATOR}"] * 2 + ["\N{CROSSED SWORDS}"]
    assert marksman.options == ()
    assert "Core" not in dict(marksman.lines)
    assert {track.life for unit in units.values() for track in unit.tracks} == {"Wounds"}
    assert [track.groups for track in marksman.tracks] == [(7,)]
    signal = next(ability for ability in units["Comms Specialist Pathfinder"].abilities if ability.text)
    assert signal.action == ("Signal", "1 AP")
    costs = {entry.name: entry.cost for stage in build_stages(sheet) for entry in stage.entries}
    assert costs["Signal"] == "1 AP"
    _pdf, faults = print_sheet(sheet, SheetOptions())
    assert faults == []
    assert find_unprintable_letters([repr(sheet)]) == ""


@pytest.mark.parametrize("games", ["wh40k-10e-v10.6.0.zip"], indirect=True)
def test_leaders_share_a_frame_with_the_unit_that_they_joined(games: dict[str, PackVersion]) -> None:
    path = next(path for path in list_files()["wh40k-10e"] if path.stem == "necrons")
    sheet = build_printed(path, games[read_list(path).system])
    names = [unit.name for unit in sheet.datasheets]
    seams = {unit.name: unit.seam for unit in sheet.datasheets if unit.seam}
    # Two leaders of a unit follow each other; the last has the points of all three.
    place = names.index("Immortals")
    assert names[place - 2 : place] == ["Chronomancer", "Royal Warden"]
    assert seams["Chronomancer"] == "Leads Immortals"
    assert seams["Royal Warden"] == "Leads Immortals · 285 pts together · attacks use Toughness 5"
    assert seams["Overlord"] == "Leads Lychguard · 270 pts together · attacks use Toughness 5"

    options = SheetOptions()
    content = "".join(page.content for page in build_sheet_pages(sheet, options, make_look(sheet, options)))
    frames = content.split('class="pair"')[1:]
    assert len(frames) == len([seam for seam in seams.values() if "together" in seam])
    # The seam says who leads, so the blocks do not; in the table, the unit has an arrow.
    assert content.count("Led by Overlord") == 1
    assert "→ Lychguard" in content
    lines = [line.name for block in sheet.blocks for line in block.lines]
    assert lines.index("Lychguard") == lines.index("Overlord") + 1
    _pdf, faults = print_sheet(sheet, options)
    assert faults == []
