"""Each objective that is drawn, and each mission that draws, has an example that scores and one that scores nothing."""

import pytest
from django.test import Client

from roster.models import Roster
from tests.extent import sample
from tests.play.games import NINTH, load_army
from tests.play.hand_ledger import HandExample, play_hand_example, read_hand_examples
from tests.shipped_packs import read_shipped

pytestmark = pytest.mark.django_db

EXAMPLES = read_hand_examples(NINTH)


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(NINTH, "necrons-incursion")


def name(example: HandExample) -> str:
    return f"{example.objective or example.mission}-{example.says[:40]}"


def find_gaps(examples: list[HandExample], known: set[str], of: str) -> list[str]:
    """Return what lacks an example that scores or one that does not, and examples of what nobody knows."""
    gaps = [f"{one}: unknown" for one in {getattr(example, of) for example in examples} - known]
    for one in known:
        points = [example.points for example in examples if getattr(example, of) == one]
        if not any(points) or all(points):
            gaps.append(one)
    return sorted(gaps)


def test_every_objective_and_mission_has_both_examples() -> None:
    data = read_shipped(NINTH).data
    assert data is not None
    objectives = [example for example in EXAMPLES if example.objective]
    missions = [example for example in EXAMPLES if not example.objective]
    assert find_gaps(objectives, {one.id for one in data.game_system.play.objectives}, "objective") == []
    drawn = {mission.id for mission in data.game_system.missions if mission.draw}
    assert find_gaps(missions, drawn, "mission") == []
    # Without its examples a line is named.
    first = objectives[0].objective
    others = [example for example in objectives if example.objective != first]
    assert find_gaps(others, {example.objective for example in objectives}, "objective") == [first]


def test_sizes_with_words_of_their_own_have_examples() -> None:
    data = read_shipped(NINTH).data
    assert data is not None
    lacking = []
    for objective in data.game_system.play.objectives:
        sizes = {example.size for example in EXAMPLES if example.objective == objective.id and example.points}
        for scoring in objective.scores:
            texts = {scoring.by_size[size] for size in sizes if size in scoring.by_size}
            if texts != set(scoring.by_size.values()):
                lacking.append(objective.id)
    assert lacking == []


@pytest.mark.parametrize("example", sample(EXAMPLES, 4), ids=name)
def test_an_example_comes_out_as_it_says(client: Client, army: Roster, example: HandExample) -> None:
    assert play_hand_example(client, army, example) == example.points, example.says
