"""`at the table:` declares how a game is played; every shipped whole game has it, with citations."""

from collections import Counter
from pathlib import Path

import pytest

from catalogue.definitions.citations import NOWHERE
from catalogue.definitions.infos import Phase
from catalogue.definitions.table_rules import MarkEnd, TableRules, TieBreak
from catalogue.formats.packs.load import SHIPPED
from tests.catalogue.pack_files import pond
from tests.shipped_packs import read_shipped

EXAMPLE = (SHIPPED / "reeds_and_rust" / "first" / "pack.yaml").read_text(encoding="utf-8")
GAMES = [
    "wh40k/ninth",
    "maelstroms_edge/first",
    "maelstroms_edge/second",
    "warzone/resurrection",
    "edge_dawnfall/dawnfall",
]


def table_of(folder: str) -> TableRules:
    data = read_shipped(SHIPPED / folder).data
    assert data is not None
    return next(catalogue for catalogue in data.catalogues if catalogue.play.table.phases).play.table


def test_the_example_is_read_whole() -> None:
    table = table_of("reeds_and_rust/first")
    assert (table.rounds, table.round, table.turns, table.most) == (4, "Tide", True, 40)
    assert table.phases[0].marks == (Phase.COMMAND, Phase.MOVEMENT)
    bells = table.resources[0]
    assert (bells.sign, bells.start, bells.most, bells.refreshed) == ("bells", 2, 6, True)
    assert [(change.text, change.amount) for change in (*bells.earns, *bells.spends)] == [
        ("Each tide", 1),
        ("A boat moves again", 2),
    ]
    boats, locks = table.items
    assert (boats.points, boats.most, boats.when) == ((3,), 3, "End of the game")
    assert (locks.points, locks.most_round, locks.missions) == ((1, 2), 4, ())


def test_the_example_has_marks_tracks_gains_and_a_set_up() -> None:
    table = table_of("reeds_and_rust/first")
    assert [(mark.id, mark.until, mark.in_turn, mark.takes_cards) for mark in table.marks] == [
        ("rowed", MarkEnd.TURN, True, False),
        ("steersman-lost", MarkEnd.GAME, False, True),
    ]
    assert [(track.id, track.boxes, track.column) for track in table.tracks] == [("mud", 3, "")]
    assert [(gain.resource, gain.amount, gain.by_round) for gain in table.phases[0].gains] == [("bells", 1, False)]
    assert table.steps == ("Pour the water.",)


@pytest.mark.parametrize("folder", GAMES)
def test_every_figure_of_a_game_says_where_it_is_printed(folder: str) -> None:
    table = table_of(folder)
    assert table.citation != NOWHERE
    assert table.phases
    for thing in (*table.resources, *table.items):
        assert thing.citation != NOWHERE, thing.name


def test_what_scores_in_some_missions_names_them() -> None:
    captured = table_of("edge_dawnfall/dawnfall").capture
    assert (captured.tokens, captured.missions) == (10, ("ffa-3", "ffa-4", "team"))
    assert captured.lost_in == ("ffa-3", "ffa-4")


def test_a_maelstrom_of_war_scores_90_by_objectives_and_10_painted() -> None:
    table = table_of("wh40k/ninth")
    assert (table.rounds, table.most, [item.most for item in table.items]) == (5, 100, [10])


def test_warzone_breaks_ties_and_rolls_for_initiative() -> None:
    table = table_of("warzone/resurrection")
    assert table.victory is not None
    assert (table.victory.level, table.victory.level_points) == ((TieBreak.BODY_COUNT, TieBreak.COMMANDER), 1)
    assert table.victory.annihilation
    assert table.initiative is not None
    assert (table.initiative.die, table.initiative.first, table.initiative.ability) == (20, 2, "Initiative")
    assert (table.vital, table.resources[0].commander_takes) == ("HULL", 4)
    assert [mark.id for mark in table.marks if mark.takes_cards] == ["leader-lost"]


def test_objectives_of_a_hand_say_when_they_score() -> None:
    data = read_shipped(SHIPPED / "wh40k" / "ninth").data
    assert data is not None
    dues = Counter(scoring.due for one in data.game_system.play.objectives for scoring in one.scores)
    assert dues == {"round": 17, "turn": 10, "phase": 7, "morale": 1, "your psychic": 1}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("rounds: 4", "rounds: four", "bad-number"),
        ("marks: [shooting, fight]", "marks: [dinner]", "wrong-form"),
        ("{phase: Ebb,", "{phase: Flood,", "duplicate-id"),
        ("at most a round: 4", "missions: [no such]", "unknown-name"),
        ("points: [1, 2]", "points: [1, x]", "bad-number"),
        ("gain: Bells", "gain: Whistles", "unknown-name"),
        ("until: turn", "until: tomorrow", "wrong-form"),
        ("boxes: 3", "boxes: many", "bad-number"),
        ("turns: yes\n  at most: 40", "turns: yes\n  most: 40", "unknown-key"),
        ("{die: D6, from turn: 2", "{die: coin, from turn: 2", "bad-number"),
        ("level: [body count, commander]", "level: [beauty]", "wrong-form"),
        ("takes cards: yes", "takes cards: perhaps", "wrong-type"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert old in EXAMPLE
    found = [diagnostic.code for diagnostic in pond(tmp_path, "", EXAMPLE.replace(old, new)).diagnostics]
    assert code in found
