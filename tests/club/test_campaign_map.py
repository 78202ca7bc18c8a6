"""Maps of campaigns: mistakes with their lines, neighbours, and holders by examples and by properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roster.club.campaign_map import (
    EXAMPLE_MAP,
    MOST_TERRITORIES,
    CampaignMap,
    Fight,
    find_obstacle,
    fold_holders,
    read_map,
    sum_supply,
)
from roster.club.ladder import DRAWN, WON, PairResult, PointsRule, count_points
from roster.formats.list_document import Unreadable
from roster.wording import explain_unreadable

DELTA = """\
map: 1
limit: 500
per supply: 25
places:
- {name: Delta, supply: 3}
- {name: Harbour, supply: 2, within: Delta, held by: Ada, text: Ships land here.}
- {name: Mill, within: Delta, next to: Harbour, held by: Ben}
- {name: Old quay, within: Harbour, supply: 0}
- Island
"""
NAMES = ("Delta", "Harbour", "Mill", "Old quay", "Island")
ADA, BEN, CLEO = 1, 2, 3


def read_whole(text: str) -> CampaignMap:
    campaign_map = read_map(text)
    assert isinstance(campaign_map, CampaignMap), campaign_map
    return campaign_map


def test_a_map_is_read() -> None:
    delta = read_whole(DELTA)
    assert tuple(territory.name for territory in delta.territories) == NAMES
    assert [territory.supply for territory in delta.territories] == [3, 2, 1, 0, 1]
    assert (delta.limit, delta.step) == (500, 25)
    assert delta.list_neighbours() == {
        "Delta": {"Harbour", "Mill"},
        "Harbour": {"Delta", "Mill", "Old quay"},
        "Mill": {"Delta", "Harbour"},
        "Old quay": {"Harbour"},
        "Island": set(),
    }
    quay = delta.find_territory("Old quay")
    assert quay is not None
    assert delta.find_root(quay).name == "Delta"
    assert delta.find_territory("Quay") is None


def test_the_example_is_connected() -> None:
    neighbours = read_whole(EXAMPLE_MAP).list_neighbours()
    reached, waiting = {"Harbour"}, ["Harbour"]
    while waiting:
        near = neighbours[waiting.pop()] - reached
        reached |= near
        waiting += near
    assert reached == set(neighbours)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("places: [Mill]", "missing-key", 1),
        ("map: 2\nplaces: [Mill]", "unknown-campaign-form", 1),
        ("map: 1\nplace: [Mill]", "unknown-key", 2),
        ("map: 1\nplaces:\n- {supply: 2}", "missing-key", 3),
        ("map: 1\nplaces:\n- {name: Mill, supply: much}", "not-a-number", 3),
        ("map: 1\nplaces:\n- {name: Mill, supply: 1001}", "count-too-high", 3),
        ("map: 1\nplaces:\n- " + "x" * 101, "text-too-long", 3),
        ("map: 1\nplaces:\n- Mill\n- mill", "duplicate-key", 4),
        ("map: 1\nplaces:\n- Mill\n- {name: Ford, was: Mill}", "duplicate-key", 4),
        ("map: 1\nplaces:\n- Mill\n- {name: Ford, next to: [Mill, Mil]}", "unknown-place", 4),
        ("map: 1\nplaces:\n- {name: Ford, within: Nowhere}\n- Mill", "unknown-place", 3),
        ("map: 1\nplaces:\n- Mill\n- {name: Ford, next to: Ford}", "place-in-itself", 4),
        ("map: 1\nplaces:\n- {name: Ford, within: Ford}", "place-in-itself", 3),
        (
            "map: 1\nplaces:\n- {name: A, within: B}\n- {name: B, within: C}\n- {name: C, within: A}",
            "place-in-itself",
            3,
        ),
        ("map: 1\nplaces: [" + ", ".join(f"P{n}" for n in range(MOST_TERRITORIES + 1)) + "]", "too-big", 1),
        ("map: 1\nplaces: [", "bad-yaml", 2),
        ("# nothing", "empty", 0),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, code: str, line: int) -> None:
    outcome = read_map(text)
    assert isinstance(outcome, Unreadable)
    assert outcome.code == code
    assert outcome.line in (line, line + 1) if code == "bad-yaml" else outcome.line == line
    assert explain_unreadable(outcome).reason


def test_winners_take_and_draws_leave() -> None:
    fights = [
        Fight(territory="Mill", winner=ADA),
        Fight(territory="Mill", winner=None),
        Fight(territory="Island", winner=None),
        Fight(territory="Harbour", winner=CLEO),
        Fight(territory="Mill", winner=BEN),
    ]
    starts = {"Harbour": ADA, "Mill": BEN}
    assert fold_holders(starts, fights[:3]) == {"Harbour": ADA, "Mill": ADA}
    assert fold_holders(starts, fights) == {"Harbour": CLEO, "Mill": BEN}
    assert starts == {"Harbour": ADA, "Mill": BEN}
    # In another order, another player holds the mill.
    assert fold_holders(starts, fights[::-1])["Mill"] == ADA


PLAYERS = st.sampled_from((ADA, BEN, CLEO))
FIGHTS = st.lists(st.builds(Fight, territory=st.sampled_from(NAMES), winner=st.one_of(st.none(), PLAYERS)), max_size=30)
STARTS = st.dictionaries(st.sampled_from(NAMES), PLAYERS)


@given(STARTS, FIGHTS, st.integers(0, 30))
def test_holders_can_be_folded_in_parts(starts: dict[str, int], fights: list[Fight], cut: int) -> None:
    whole = fold_holders(starts, fights)
    assert fold_holders(fold_holders(starts, fights[:cut]), fights[cut:]) == whole
    for name in NAMES:
        last = next((one.winner for one in reversed(fights) if one.territory == name and one.winner), None)
        assert whole.get(name) == (last or starts.get(name))


@given(STARTS)
def test_supply_is_shared_out_whole(holders: dict[str, int]) -> None:
    delta = read_whole(DELTA)
    supply = sum_supply(delta, holders)
    assert sum(supply.values()) == sum(one.supply for one in delta.territories if one.name in holders)
    assert supply.keys() == set(holders.values())


@given(STARTS, st.sets(st.sampled_from(NAMES)), PLAYERS)
def test_only_free_neighbours_of_ones_own_can_be_attacked(
    holders: dict[str, int], contested: set[str], player: int
) -> None:
    delta = read_whole(DELTA)
    held = {name for name, holder in holders.items() if holder == player}
    near = delta.list_neighbours()
    for name in NAMES:
        is_reached = not held or not near[name] or bool(near[name] & held)
        is_open = name not in held and name not in contested
        assert (find_obstacle(near, holders, contested, player, name) == "") == (is_reached and is_open)
    assert find_obstacle(near, holders, contested, player, "Quay") == "unknown-place"


def test_supply_comes_before_points() -> None:
    game, drawn = PairResult(first=ADA, second=BEN, result=WON), PairResult(first=BEN, second=CLEO, result=DRAWN)
    assert (game.winner, drawn.winner) == (ADA, None)
    lines = count_points([ADA, BEN, CLEO], [game, drawn], [], PointsRule(), {CLEO: 4, BEN: 0})
    assert [(line.player, line.supply, line.place) for line in lines] == [(CLEO, 4, 1), (ADA, 0, 2), (BEN, 0, 3)]
    assert next(line.player for line in count_points([ADA, BEN, CLEO], [game, drawn], [], PointsRule())) == ADA
