"""Each line of each mission of a pack has a played example that scores, and one that scores nothing."""

from pathlib import Path

import pytest
from django.test import Client

from catalogue.formats.packs.load import SHIPPED
from roster.play.services.game_rules import load_rules
from tests.extent import sample
from tests.play.games import DAWNFALL, EDGE, FIRST_EDGE, NINTH, REEDS, WARZONE, begin, load_army
from tests.play.score_ledger import find_faults, list_line_ids, play_example, read_scores
from tests.shipped_packs import read_shipped

pytestmark = pytest.mark.django_db

PLAYED = {
    REEDS: "army-steam-at-the-sluice",
    EDGE: "army-hazard-pay",
    FIRST_EDGE: "secdef-platoon",
    DAWNFALL: "army-the-forest-walks",
    WARZONE: "army-winter-wolves",
    NINTH: "necrons-incursion",
}
"""The packs with a ledger of scores, each with the list that its examples are played with."""


def list_missions(pack: Path) -> list[str]:
    data = read_shipped(pack).data
    assert data is not None
    return [mission.id for mission in data.game_system.missions]


MISSIONS = [(pack, mission) for pack in PLAYED for mission in list_missions(pack)]


def name(value: object) -> str:
    return "-".join(value.relative_to(SHIPPED).parts) if isinstance(value, Path) else str(value)


@pytest.mark.parametrize(("pack", "mission"), MISSIONS, ids=name)
def test_every_line_has_an_example_that_scores_and_one_that_does_not(client: Client, pack: Path, mission: str) -> None:
    game = begin(client, load_army(pack, PLAYED[pack]), mission=mission)
    lines = list_line_ids(game)
    shared = {line.id for line in load_rules(game).score.lines if not line.objective}
    examples = read_scores(pack)
    own = [each for each in examples if each.mission == mission]
    general = [each for each in examples if not each.mission and each.line in shared]
    assert find_faults([*own, *general], lines) == []


PLAYABLE = [
    (pack, mission)
    for pack, mission in MISSIONS
    # Lines of all missions are played in the first one.
    if mission == list_missions(pack)[0] or any(each.mission == mission for each in read_scores(pack))
]


@pytest.mark.parametrize(("pack", "mission"), sample(PLAYABLE, 4), ids=name)
def test_the_examples_come_out_as_they_say(client: Client, pack: Path, mission: str) -> None:
    army = load_army(pack, PLAYED[pack])
    names = {mission, ""} if mission == list_missions(pack)[0] else {mission}
    examples = [each for each in read_scores(pack) if each.mission in names]
    played = [(each, play_example(client, army, mission, each)) for each in examples]
    wrong = [f"{each.line}: {each.says} {points}" for each, points in played if points != (each.points, each.theirs)]
    assert examples
    assert wrong == []
