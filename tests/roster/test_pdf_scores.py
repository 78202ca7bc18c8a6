"""The score sheet of each game: turns, players, what scores, and what counts once."""

import pytest

from catalogue.formats.packs.load import SHIPPED
from catalogue.services.play import Play
from roster.pdf.game_pack import Scores, Seat
from roster.pdf.game_pack_content import build_scores
from tests.shipped_packs import read_shipped

pytestmark = pytest.mark.slow

ANN, BEN = Seat(player="Ann", list_name="Herons"), Seat(list_name="Otters")


def scores(pack: str, mission: str, *seats: Seat) -> Scores:
    data = read_shipped(SHIPPED / pack).data
    assert data is not None
    play = Play(data.game_system)
    return build_scores(play, play.missions[mission], seats)


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
        ("reeds_and_rust/first", "the-toll", 5, ["Player 1", "Player 2"]),
    ],
)
def test_a_game_has_its_own_turns_and_players(pack: str, mission: str, turns: int, sides: list[str]) -> None:
    made = scores(pack, mission)
    assert made.turns == tuple(range(1, turns + 1))
    assert [side.name for side in made.sides] == sides


def test_maelstrom_of_war_has_command_points_its_cap_and_what_paint_brings() -> None:
    made = scores("wh40k/ninth", "never-surrender")
    side = made.sides[0]
    assert (side.columns, len(side.aims)) == (("Command points",), 4)
    assert made.turn == "Round"
    assert "90" in made.total
    assert [(tally.name, tally.text) for tally in made.tallies] == [
        ("Battle ready", "10, or 0"),
        ("Victory points", "at most 100"),
    ]


def test_tokens_are_ticked_where_tokens_decide() -> None:
    boxes = [tally.text.count("☐") for tally in scores("edge_dawnfall/dawnfall", "ffa-3").tallies]
    assert boxes == [10, 10, 10, 0, 0]


def test_a_mission_that_names_nothing_scores_points() -> None:
    assert scores("reeds_and_rust/first", "the-toll").sides[0].aims == ("Points",)
    assert scores("warzone/resurrection", "mission-1").sides[0].aims == ()


def test_players_sit_in_order_where_both_sides_are_alike() -> None:
    made = scores("wh40k/ninth", "never-surrender", ANN, BEN)
    assert [side.seat for side in made.sides] == [ANN, BEN]
    assert [side.seat for side in scores("edge_dawnfall/dawnfall", "ffa-3", ANN).sides][1:] == [Seat(), Seat()]


def test_players_sit_where_their_plan_says_and_nobody_where_none_does() -> None:
    defends = Seat(player="Ann", list_name="Herons", side="defender")
    made = scores("warzone/resurrection", "mission-4", defends, BEN)
    assert [side.seat for side in made.sides] == [BEN, defends]
    assert [side.seat for side in scores("warzone/resurrection", "mission-4", ANN, BEN).sides] == [Seat(), Seat()]
