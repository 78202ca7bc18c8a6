"""The score sheet of each game: turns, players, what scores, and what counts once."""

import re
from collections.abc import Iterator
from itertools import product

import pytest

from catalogue.definitions.groups import group_by
from catalogue.definitions.score_lines import ScoreLine
from catalogue.formats.packs.load import SHIPPED, find_packs
from catalogue.services.play import Play
from roster.pdf.pages import PageLook
from roster.pdf.score_content import build_scores
from roster.pdf.score_sheet import Scores, ScoreSide, Seat, set_score_page
from roster.play.game_state import FoldRules
from roster.play.services.game_rules import build_score_rules
from tests.shipped_packs import read_ruleset, read_shipped

pytestmark = pytest.mark.slow

ANN, BEN = Seat(player="Ann", list_name="Herons"), Seat(list_name="Otters")


def scores(pack: str, mission: str, *seats: Seat, size_id: str = "") -> Scores:
    data = read_shipped(SHIPPED / pack).data
    assert data is not None
    play = Play(data.game_system)
    return build_scores(play, play.missions[mission], seats, size_id)


@pytest.mark.parametrize(
    ("pack", "mission", "turns", "sides"),
    [
        ("warzone/resurrection", "mission-2", 8, ["Player 1", "Player 2"]),
        ("warzone/resurrection", "mission-4", 8, ["Attacker", "Defender"]),
        ("maelstroms_edge/second", "bloodbath", 5, ["Player 1", "Player 2"]),
        ("maelstroms_edge/second", "escalation", 6, ["Attacker", "Defender"]),
        ("wh40k/ninth", "never-surrender", 5, ["Player 1", "Player 2"]),
        ("edge_dawnfall/dawnfall", "two-players", 0, ["Player 1", "Player 2"]),
        ("edge_dawnfall/dawnfall", "ffa-3", 0, ["Player 1", "Player 2", "Player 3"]),
        ("edge_dawnfall/dawnfall", "ffa-4", 0, ["Player 1", "Player 2", "Player 3", "Player 4"]),
        ("edge_dawnfall/dawnfall", "team", 0, ["Player 1", "Player 2", "Player 3", "Player 4"]),
        ("reeds_and_rust/first", "the-toll", 4, ["Player 1", "Player 2"]),
    ],
)
def test_a_game_has_its_own_turns_and_players(pack: str, mission: str, turns: int, sides: list[str]) -> None:
    made = scores(pack, mission)
    assert made.turns == tuple(range(1, turns + 1))
    assert [side.name for side in made.sides] == sides


def cells_of(made: Scores, name: str, side: int = 0) -> tuple[str | None, ...]:
    return next(column.cells for column in made.sides[side].columns if name in column.name)


def test_maelstrom_of_war_has_a_column_of_points_for_each_objective_its_caps_and_boxes() -> None:
    made = scores("wh40k/ninth", "territorial-control")
    columns = made.sides[0].columns
    assert [column.is_drawn for column in columns] == [True] * 4
    # The fourth objective comes from round two on.
    assert [column.cells[0] for column in columns] == ["", "", "", None]
    assert [column.cells[1] for column in columns] == [""] * 4
    assert made.turn == "Round"
    assert [(one.name, one.text) for one in made.sums] == [
        ("Objectives", "at most 90"),
        ("Battle ready", "10 points"),
        ("Final score", "at most 100"),
    ]
    assert len(made.categories) == 6
    assert made.letters == "write A, B, G"


def test_a_battle_size_gives_boxes_for_its_command_points() -> None:
    sizes = ("", "incursion", "strike-force")
    boxes = [scores("wh40k/ninth", "never-surrender", size_id=size).lines for size in sizes]
    assert [lines[0].text.count("☐") for lines in boxes] == [0, 6, 12]
    assert [lines[1].text.count("☐") for lines in boxes] == [5, 5, 5]
    assert [line.name for line in boxes[0] if "once per battle" in line.text] == ["New Intel"]


def test_a_mission_without_chosen_categories_has_none_to_mark() -> None:
    assert scores("wh40k/ninth", "chaotic-engagement").categories == ()
    secret = [line.name for line in scores("wh40k/ninth", "complex-front").lines]
    assert any("Secret category: 5 more points each" in name for name in secret)
    assert "worth double" in scores("wh40k/ninth", "ambitious-surge").notes[0]


def test_a_cell_says_what_its_turn_is_worth_and_is_closed_if_nothing_scores() -> None:
    bloodbath = scores("maelstroms_edge/second", "bloodbath")
    assert cells_of(bloodbath, "King of the Hill") == ("5 · 5",) * 4 + ("10 · 10",)
    assert cells_of(bloodbath, "Meat Grinder") == ("3 · 3",) * 4 + ("3 · 6",)
    assert cells_of(bloodbath, "Command points")[2] == "3 + Command total"
    zones = next(column.notes for column in bloodbath.sides[0].columns if "King" in column.name)
    assert zones == ("12″ around the centre of the table",)
    corners = scores("warzone/resurrection", "mission-2")
    assert cells_of(corners, "Major victory") == (None,) * 4 + ("10",) * 4
    assert cells_of(corners, "Partial victory") == (None,) * 7 + ("5",)


def test_warzone_ticks_its_zones_and_says_how_a_tie_is_decided() -> None:
    zones, base = scores("warzone/resurrection", "mission-2"), scores("warzone/resurrection", "mission-1")
    ticked = [column.name for column in zones.sides[0].columns if column.cells == ("☐",) * 8]
    assert ticked == ["NW", "NE", "SW", "SE", "Conv."]
    assert not any("☐" in (column.cells or ()) for column in base.sides[0].columns)
    assert [note.partition(":")[0] for note in base.notes] == ["Level", "Still level"]
    assert "scores 1 more" in base.notes[0]
    assert scores("edge_dawnfall/dawnfall", "team").notes == ()


def list_missions() -> list[tuple[str, str]]:
    return [
        (str(pack.relative_to(SHIPPED)), mission.id)
        for pack in find_packs()
        for mission in read_ruleset(pack).data.game_system.missions
    ]


@pytest.mark.parametrize(("pack", "mission_id"), list_missions())
def test_paper_and_table_agree_on_every_turn_of_every_mission(pack: str, mission_id: str) -> None:
    play = Play(read_ruleset(SHIPPED / pack).data.game_system)
    mission = play.missions[mission_id]
    rules = build_score_rules(play, play.table, mission, FoldRules())
    made = build_scores(play, mission)
    ids = {side.name: side.id for side in mission.sides}
    own = mission_id if play.table.own_missions else ""
    assert [
        difference
        for side in made.sides
        for difference in list_differences(made, side, rules.list_lines(ids.get(side.name, own), [own]))
    ] == []


def list_differences(made: Scores, side: ScoreSide, lines: list[ScoreLine]) -> Iterator[object]:
    """Yield lines without a place on paper, and cells that say another worth than a game counts."""
    columns = {column.name: column.cells for column in side.columns}
    by_name = group_by(lines if made.turns else [], lambda line: line.objective or line.name)
    yield from by_name.keys() - columns.keys() - {one.name for one in made.sums}
    for name, number in product(by_name.keys() & columns.keys(), made.turns):
        scored = [line for line in by_name[name] if line.is_open(number)]
        cell = columns[name][number - 1]
        worth = {line.count_worth(number) for line in scored if len(line.points) == 1 and not line.is_free}
        if (cell is None) is bool(scored) or set(map(int, re.findall(r"\d+", cell or ""))) != worth:
            yield name, number, cell


@pytest.mark.parametrize(
    ("mission", "players", "row", "cells"), [("ffa-3", 3, 4, 6), ("ffa-4", 4, 4, 12), ("team", 4, 0, 8)]
)
def test_captured_tokens_are_ticked_by_opponent(mission: str, players: int, row: int, cells: int) -> None:
    made = scores("edge_dawnfall/dawnfall", mission)
    capture = made.capture
    assert capture is not None
    assert (capture.tokens, capture.row, len(made.sides)) == (10, row, players)
    pairs = product(range(players), repeat=2)
    assert sum(capture.can_capture(player, other) for player, other in pairs) == cells
    assert capture.ties == ("If level: your own tokens kept", "Then: models and boxes left")
    page = set_score_page(made, PageLook(), "", 250.0)
    assert page.count("Signature of") == players
    assert page.count('class="x"') == players * players - cells
    # Each cell has ten boxes, and so has each player.
    assert page.count("☐") == 10 * (cells + players)


def test_sides_with_totals_of_their_own_say_them() -> None:
    made = scores("maelstroms_edge/second", "the-last-stand")
    assert [side.goal for side in made.sides] == ["28 points to win", "30 points to win"]


def test_two_players_of_dawnfall_capture_nothing() -> None:
    assert scores("edge_dawnfall/dawnfall", "two-players").capture is None


def test_a_mission_that_names_nothing_scores_by_the_items_of_the_table() -> None:
    toll = scores("reeds_and_rust/first", "the-toll")
    assert [column.name for column in toll.sides[0].columns] == ["Crossing", "Locks held"]
    assert toll.sides[0].columns[1].notes == ("at most 4 a turn",)
    assert [one.name for one in toll.sums] == ["Clean boats", "Final score"]


def test_players_sit_in_order_where_both_sides_are_alike() -> None:
    made = scores("wh40k/ninth", "never-surrender", ANN, BEN)
    assert [side.seat for side in made.sides] == [ANN, BEN]
    assert [side.seat for side in scores("edge_dawnfall/dawnfall", "ffa-3", ANN).sides][1:] == [Seat(), Seat()]


def test_players_sit_where_their_plan_says_and_nobody_where_none_does() -> None:
    defends = Seat(player="Ann", list_name="Herons", side="defender")
    made = scores("warzone/resurrection", "mission-4", defends, BEN)
    assert [side.seat for side in made.sides] == [BEN, defends]
    assert [side.seat for side in scores("warzone/resurrection", "mission-4", ANN, BEN).sides] == [Seat(), Seat()]
