"""Plans that further picks can still put right, and plans that none can, on both sides of the border."""

import pytest

from catalogue.formats.packs.load import SHIPPED
from roster.engine.evaluate import evaluate
from roster.engine.report import Verdict
from roster.formats.list_document import BuiltList, Media, build_list, read_list
from roster.models import Roster
from roster.services.owners import Visitor
from roster.services.plan_board import build_plan_board
from roster.services.plans import keep_plan
from roster.services.rosters import find_roster, store_roster
from roster.wording import format_violation
from tests.extent import sample
from tests.shipped_packs import install_shipped, read_ruleset

WAR = SHIPPED / "wh40k" / "ninth"
NECRONS = """list: 1
game: maelstrom-of-war-9e
faction: necrons
limits: {{points: 1000, command points: 6}}
detachments:
- detachment: battalion
  units:
  - {{unit: overlord, options: [warlord, staff-of-light, resurrection-orb], ref: lord}}
  - {{unit: technomancer, ref: technomancer}}
  - {{unit: necron-warriors, options: [{{option: necron-warrior-gauss-flayer, count: 20}}], ref: first}}
  - {{unit: necron-warriors, options: [{{option: necron-warrior-gauss-flayer, count: {warriors}}}], ref: second}}
  - {{unit: immortals, ref: third}}
  - {{unit: immortals, ref: fourth}}
plan: {{reserves: [{reserves}], numbers: {{battlefield width: 44, battlefield depth: 30}}}}
"""
EVERYTHING = "lord, technomancer, first, second, third, fourth"
HALF_POINTS, HALF_UNITS = "mow-reserves-half-points", "mow-reserves-half-units"


def read_necrons(warriors: int, reserves: str) -> BuiltList:
    document = read_list(NECRONS.format(warriors=warriors, reserves=reserves).encode(), Media.YAML)
    built = build_list(read_ruleset(WAR), document, "necrons")
    assert isinstance(built, BuiltList), built
    return built


@pytest.mark.parametrize(
    ("warriors", "reserves", "verdict", "dead_ends"),
    [
        # 440 of 785 points wait, and 215 are left.
        (20, "first, second", Verdict.INCOMPLETE, []),
        # 499 wait: with 225 points more the army costs 999.
        (19, "technomancer, first, second", Verdict.INCOMPLETE, []),
        *sample(
            [
                # 500 wait, and no army of 1,000 costs more than twice as much.
                (15, "lord, first, second", Verdict.ILLEGAL, ["Points in reserve, Points limit"]),
                (10, EVERYTHING, Verdict.ILLEGAL, ["Points in reserve, Points limit"]),
            ],
            1,
        ),
    ],
)
def test_reserves_that_units_on_the_table_may_outweigh(
    warriors: int, reserves: str, verdict: Verdict, dead_ends: list[str]
) -> None:
    report = evaluate(read_ruleset(WAR), *read_necrons(warriors, reserves), tree=False, look_ahead=True)
    assert report.verdict is verdict
    assert {error.rule for error in report.errors} <= {HALF_POINTS, HALF_UNITS, ""}
    assert [error.counted for error in report.errors if not error.mendable] == dead_ends


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("warriors", "reserves", "verdict"), [(10, EVERYTHING, "illegal"), (20, "first, second", "incomplete")]
)
def test_the_plan_page_says_the_same(warriors: int, reserves: str, verdict: str) -> None:
    built = read_necrons(warriors, reserves)
    stored = store_roster(Visitor(key="owner"), install_shipped(WAR), "necrons", built.roster)
    assert isinstance(stored, Roster)
    assert built.game
    keep_plan(stored, 0, built.game)
    board = build_plan_board(find_roster(stored.public_id))
    assert (board.verdict, board.roster.verdict) == (verdict, "legal")
    hints = {format_violation(violation, {}).hint for violation in board.violations}
    assert hints == {"Change the game plan, or what is in the list."}
