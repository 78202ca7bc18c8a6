"""Game and second reading agree on every total, on the winner and on the record."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from django.test import Client

from tests.extent import COMPLETE, SEED
from tests.play.games import load_army
from tests.second_reading.scoring import edge_dawnfall, maelstroms_edge_1e, maelstroms_edge_2e
from tests.second_reading.scoring.maelstroms_edge_2e import Sentence, Table
from tests.second_reading.scoring.reading import RandomGame, ScoreReading
from tests.second_reading.scoring.referee import referee

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

READINGS = (edge_dawnfall.READING, maelstroms_edge_1e.READING, maelstroms_edge_2e.READING)
GAMES = 150 if COMPLETE else 6
SHOWN = 2_000
"""This many games of a reading alone show that its games can end in every way."""


def list_seeds(number: int) -> list[str]:
    return [f"{SEED} {place}" for place in range(number)]


def name(value: ScoreReading) -> str:
    return "-".join(value.pack.parts[-2:])


@pytest.mark.parametrize("reading", READINGS, ids=name)
def test_both_count_alike(client: Client, reading: ScoreReading) -> None:
    tally = referee(client, reading, load_army(reading.pack, reading.army), list_seeds(GAMES))
    assert tally.disputed[:5] == []
    assert tally.games == GAMES


@pytest.mark.parametrize("reading", READINGS, ids=name)
def test_games_end_in_every_way(reading: ScoreReading) -> None:
    endings = {reading.play(Random(seed)).ending for seed in list_seeds(SHOWN)}
    assert endings == reading.endings


def test_a_reading_that_counts_otherwise_is_found_out(client: Client) -> None:
    def rule_half(table: Table, player: int, x: int, final: bool) -> Iterator[Sentence]:
        for true in maelstroms_edge_2e.domination(table, player, x, final):
            yield replace(true, points=true.points // 2)

    def play(dice: Random) -> RandomGame:
        return maelstroms_edge_2e.play(dice, {**maelstroms_edge_2e.OBJECTIVES, "domination": rule_half})

    reading = replace(maelstroms_edge_2e.READING, play=play)
    seeds = [seed for seed in list_seeds(SHOWN) if play(Random(seed)).mission == "domination-vips"][:1]
    assert referee(client, reading, load_army(reading.pack, reading.army), seeds).disputed
