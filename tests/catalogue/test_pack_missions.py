"""Missions, objectives, maps and tokens of packs. Mistakes are found with file and line."""

from pathlib import Path

import pytest

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.missions import MapTable
from catalogue.formats.packs.load import SHIPPED, find_packs
from tests.catalogue.pack_files import pond
from tests.shipped_packs import read_shipped

MISSION = "cite: book, p. 1\nmissions:\n- mission: Ford\n"
MAP = "cite: book, p. 1\nmaps:\n- map: Banks\n  tables:\n  - table: 48 x 48\n    zones:\n    - zone: Near\n      "
OBJECTIVE = "cite: book, p. 1\nobjectives:\n- objective: Hold\n  scores:\n  - {points: X}\n"


def system(text: str, folder: Path) -> Catalogue:
    reading = pond(folder, "", **{"play.yaml": f"{text}"})
    assert [str(found) for found in reading.diagnostics] == []
    assert reading.data is not None
    return reading.data.game_system


def table(shape: str, folder: Path) -> MapTable:
    return system(f"{MAP}{shape}\n", folder).play.maps[0].tables[0]


def test_scoring_is_made_of_objectives(tmp_path: Path) -> None:
    aims = "  objectives: {Primary: Hold (3), Secondary: {objective: Hold, zone: here}}\n  total: 9\n"
    found = system(MISSION + aims + OBJECTIVE.removeprefix("cite: book, p. 1\n"), tmp_path).missions[0]
    assert found.scoring == "Hold (3), Hold; 9 to win."
    assert [(aim.label, aim.points, aim.zone) for aim in found.aims] == [
        ("Primary", "3", ""),
        ("Secondary", "", "here"),
    ]


def test_sides_have_all_that_a_mission_has(tmp_path: Path) -> None:
    found = system(MISSION + "  sides: {A: {total: 5, turns: 4, says: {Win (2 points): x}}, B: []}\n", tmp_path)
    first, second = found.missions[0].sides
    assert (first.total, first.turns, first.paragraphs[0].points) == (5, 4, "2 points")
    assert (second.id, second.total) == ("b", None)


def test_a_mission_says_what_its_score_sheet_holds(tmp_path: Path) -> None:
    sheet = "  score: {turns: 0, columns: [Crystals], at most: 9, boxes: {Tokens: 3}, rows: {Faction: ours}}\n"
    found = system(MISSION + "  players: 4\n" + sheet, tmp_path).missions[0]
    assert found.players == 4
    assert found.score is not None
    assert (found.score.turns, found.score.columns, found.score.most) == (0, ("Crystals",), 9)
    assert [(row.name, row.boxes, row.text) for row in found.score.rows] == [("Tokens", 3, ""), ("Faction", 0, "ours")]


def test_a_mission_says_which_factions_it_is_for(tmp_path: Path) -> None:
    text = MISSION + "  factions: Frogs\n- {mission: Bridge}\n"
    ford, bridge = system(text, tmp_path).missions
    assert (ford.factions, bridge.factions) == (("frogs",), ())
    assert [ford.suits(faction) for faction in ("frogs", "toads", "")] == [True, False, True]
    assert bridge.suits("toads")


@pytest.mark.parametrize(
    ("shape", "boxes"),
    [
        ("edge: south\n      depth: 6", [(0, 42, 48, 48)]),
        ("edge: north\n      depth: 6", [(0, 0, 48, 6)]),
        ("edge: east\n      depth: 6", [(42, 0, 48, 48)]),
        ("edge: all\n      depth: 5", [(0, 0, 48, 5), (0, 43, 48, 48), (0, 5, 5, 43), (43, 5, 48, 43)]),
        ("corner: southwest\n      size: 18", [(0, 30, 18, 48)]),
        ("corner: northeast\n      size: 18", [(30, 0, 48, 18)]),
    ],
)
def test_zones_lie_where_they_are_said_to(
    shape: str, boxes: list[tuple[float, float, float, float]], tmp_path: Path
) -> None:
    polygons = table(shape, tmp_path).zones[0].polygons
    found = [(min(x for x, _ in p), min(y for _, y in p), max(x for x, _ in p), max(y for _, y in p)) for p in polygons]
    assert found == boxes


def test_a_circle_stands_around_the_centre(tmp_path: Path) -> None:
    zone = table("circle: 6", tmp_path).zones[0]
    assert (zone.centre, zone.radius, zone.measure) == ((24, 24), 6, "6″")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (MISSION + "  specials: [Fog]\n", "unknown-name", 4),
        (MISSION + "  objectives: {Primary: Hold}\n", "unknown-name", 4),
        (MISSION + "  deployment: [banks]\n", "unknown-name", 4),
        (MISSION + "  markers: [stone x3]\n", "unknown-name", 4),
        (MISSION + "  total: many\n", "bad-number", 4),
        (MISSION + "  roll: D6\n", "bad-number", 4),
        (MISSION + "  draw: {number: 3, die: six}\n", "bad-number", 4),
        (MISSION + "  draw: {number: 3, opponent names: halved}\n", "wrong-form", 4),
        (MISSION + "  draw: {number: 3, table: [raids]}\n", "unknown-name", 4),
        (MISSION + "  ssides: [A]\n", "unknown-key", 4),
        (MISSION + "  factions: [Toads]\n", "unknown-name", 4),
        (MISSION + "  players: 9\n", "bad-number", 4),
        (MISSION + "  score: {turns: some}\n", "bad-number", 4),
        (MISSION + "  score: {boxes: {Tokens: ten}}\n", "bad-number", 4),
        (MISSION + "  score: {colums: [Crystals]}\n", "unknown-key", 4),
        (MISSION + "- mission: Ford\n", "duplicate-id", 0),
        ("missions:\n- mission: Ford\n", "missing-citation", 2),
        ("cite: book, p. 1\nobjectives:\n- objective: Hold\n", "missing-key", 3),
        (
            "cite: book, p. 1\nobjectives:\n- objective: Hold\n  scores: [{points: 1, text: {Tiny: x}}]\n",
            "unknown-name",
            4,
        ),
        ("cite: book, p. 1\nmission packs: [{pack: Tides}]\nmissions: [{mission: F, pack: Tide}]\n", "unknown-name", 3),
        ("cite: book, p. 1\nmission packs: [{pack: Tides, die: 6}]\n", "bad-number", 2),
        ("cite: book, p. 1\nstratagems: [{stratagem: Ebb, act: fly}]\n", "wrong-form", 2),
        ("cite: book, p. 1\nstratagems: [{stratagem: Ebb, once per: year}]\n", "wrong-form", 2),
        ("cite: book, p. 1\nbattle sizes: [{size: Ford, table: wide}]\n", "bad-number", 2),
        ("cite: book, p. 1\ntokens: [{token: Lock, diameter: large}]\n", "bad-number", 2),
        (MAP + "edge: south\n      depth: 60\n", "off-the-table", 9),
        (MAP + "edge: south\n", "missing-key", 7),
        ("cite: book, p. 1\nmission packs:\n- {pack: Tides, die: D101}\n", "bad-number", 3),
        (MAP + "edge: up\n      depth: 6\n", "wrong-form", 8),
        (MAP + "circle: 30\n", "off-the-table", 8),
        (MAP + "polygon: [[0, 0], [60, 0]]\n", "off-the-table", 8),
        (MAP + "polygon: [[0]]\n", "wrong-form", 8),
        (MAP + "whose: mine\n      circle: 6\n", "wrong-form", 8),
        ("cite: book, p. 1\nmaps: [{map: Banks, tables: [{zones: []}]}]\n", "missing-key", 2),
    ],
)
def test_mistakes_are_found_where_they_stand(text: str, code: str, line: int, tmp_path: Path) -> None:
    reading = pond(tmp_path, "", **{"play.yaml": text})
    assert reading.data is None
    assert (code, line) in {(found.code, found.line) for found in reading.errors}
    assert all(found.mend for found in reading.errors)


GROUP = """\
cite: book, p. 1
objective groups:
- group: Raid
  objectives:
  - {{objective: One, roll: 1, scores: [{{text: x, points: 1}}]}}
  - {{objective: Two, {two}scores: [{{text: x, points: 1}}]}}
"""
TABLE = """\
cite: book, p. 1
mission packs: [{{pack: Tides, die: D3}}]
missions:
- {{mission: Ebb, pack: Tides, roll: 1-2}}
- {{mission: Flood, pack: Tides, roll: {flood}}}
"""
DRAWN = """\
cite: book, p. 1
objective groups:
- group: Raid
  objectives: [{{objective: One, {roll}scores: [{{text: x, points: 1}}]}}]
missions:
- {{mission: Ebb, draw: {{number: 1, {draw}}}}}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GROUP.format(two="roll: 2, "), []),
        (GROUP.format(two=""), [("missing-roll", 3), ("no-roll", 6)]),
        (GROUP.format(two="roll: 1, "), [("missing-roll", 3), ("double-roll", 6)]),
        (GROUP.format(two="roll: 3, "), [("missing-roll", 3), ("roll-beyond-die", 6)]),
        (GROUP.format(two="").replace(" roll: 1,", ""), []),
        (TABLE.format(flood="3"), []),
        (TABLE.format(flood="2-3"), [("double-roll", 5)]),
        (TABLE.format(flood="3-4"), [("roll-beyond-die", 5)]),
        (TABLE.format(flood="9"), [("missing-roll", 2), ("roll-beyond-die", 5)]),
        (DRAWN.format(roll="roll: 1, ", draw="die: D1, table: [Raid]"), []),
        (DRAWN.format(roll="", draw="die: D1, choose: 1"), [("missing-roll", 3), ("no-roll", 4)]),
        (DRAWN.format(roll="roll: 1, ", draw="die: D6, table: [Raid]"), [("die-beside-table", 6)]),
        (DRAWN.format(roll="roll: 1, ", draw="choose: 1, one from each: yes"), []),
    ],
)
def test_every_result_of_a_die_leads_to_one_thing(text: str, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    reading = pond(tmp_path, "", **{"play.yaml": text})
    assert reading.data is not None, "a flaw keeps no pack from being used"
    assert [(found.code, found.line) for found in reading.errors] == expected


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        ("players: 4, teams: 2", []),
        ("players: 4", []),
        ("teams: 2", [("uneven-teams", 3)]),
        ("players: 3, teams: 2", [("uneven-teams", 3)]),
        ("players: 4, teams: 4", [("uneven-teams", 3)]),
        ("players: 4, teams: 1", [("uneven-teams", 3)]),
    ],
)
def test_teams_share_out_the_players_of_a_mission(seats: str, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    text = f"cite: book, p. 1\nmissions:\n- {{mission: Flood, {seats}}}\n"
    reading = pond(tmp_path, "", **{"play.yaml": text})
    assert [(one.code, one.line) for one in reading.errors] == expected
    assert {one.file.rpartition("/")[2] for one in reading.errors} == ({"play.yaml"} if expected else set())
    assert (reading.data is None) == bool(expected)


@pytest.mark.parametrize("path", find_packs(), ids=lambda path: path.parent.name + "/" + path.name)
def test_shipped_missions_are_whole(path: Path) -> None:
    """Each result of a roll occurs once; missions of a declared pack cover the results of its die."""
    data = read_shipped(path).data
    assert data is not None
    play, missions = data.game_system.play, data.game_system.missions
    for group in play.groups:
        rolls = [o.roll for o in play.objectives if o.group == group.id and o.roll is not None]
        assert rolls in ([], list(range(1, len(rolls) + 1)))
    for pack in play.packs:
        rolled = [m for m in missions if m.pack == pack.name and m.low is not None and m.high is not None]
        results = [n for m in rolled for n in range(m.low or 0, (m.high or 0) + 1)]
        assert results in ([], list(range(1, pack.die + 1)))


def test_what_the_issue_of_missions_asks_for_is_there() -> None:
    def counts(pack: str) -> tuple[int, ...]:
        data = read_shipped(SHIPPED / pack).data
        assert data is not None
        play = data.game_system.play
        return (
            len(data.game_system.missions),
            len(play.objectives),
            len(play.maps),
            len(play.stratagems),
            len(play.sizes),
        )

    assert counts("maelstroms_edge/second") == (15, 18, 6, 0, 2)
    assert counts("wh40k/ninth") == (6, 36, 3, 4, 3)
    assert counts("edge_dawnfall/dawnfall")[0] == 4
