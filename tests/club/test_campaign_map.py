"""Maps of campaigns: mistakes with their lines, neighbours, and holders by examples and by properties."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roster.club.campaign_map import (
    EXAMPLE_MAP,
    MOST_TERRITORIES,
    CampaignMap,
    Fight,
    find_obstacle,
    fold_holds,
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


def moment(day: int) -> datetime:
    return datetime(2027, 3, 1, tzinfo=UTC) + timedelta(days=day)


def name_fights(*results: tuple[str, int | None]) -> list[Fight]:
    """Return fights on the days 0, 1, 2 …"""
    return [
        Fight(territory=name, number=day, played=moment(day), winner=winner)
        for day, (name, winner) in enumerate(results)
    ]


def describe_holds(
    starts: dict[str, int | None], fights: Sequence[Fight], name: str, gone: dict[int, datetime] | None = None
) -> list[tuple[int | None, int | None]]:
    """Return the holders of a territory, each with the number of the game that gave it."""
    return [
        (hold.holder, hold.fight.number if hold.fight else None)
        for hold in fold_holds(starts, fights, gone or {})[name]
    ]


def test_winners_take_and_draws_leave() -> None:
    fights = name_fights(
        ("Mill", ADA), ("Mill", None), ("Island", None), ("Harbour", CLEO), ("Mill", BEN), ("Mill", BEN)
    )
    starts: dict[str, int | None] = {"Harbour": ADA, "Mill": BEN, "Island": None}
    assert describe_holds(starts, fights, "Mill") == [(BEN, None), (ADA, 0), (BEN, 4)]
    assert describe_holds(starts, fights, "Harbour") == [(ADA, None), (CLEO, 3)]
    assert describe_holds(starts, fights, "Island") == [(None, None)]
    assert fold_holds(starts, fights, {})["Mill"][1].since == moment(0)
    # In another order, another player holds the mill. A place that the map lost has no holds.
    assert describe_holds(starts, fights[::-1], "Mill")[-1] == (ADA, 0)
    assert "Mill" not in fold_holds({"Harbour": ADA}, fights, {})


def test_places_are_free_from_when_their_holders_leave() -> None:
    starts: dict[str, int | None] = {"Mill": ADA, "Ford": BEN, "Quay": CLEO}
    fights = name_fights(("Ford", ADA), ("Mill", None), ("Ford", BEN), ("Mill", CLEO))
    # Ada leaves after the draw for the mill, and lost the ford later: the ford was free before.
    left = {ADA: moment(1) + timedelta(hours=1)}
    assert describe_holds(starts, fights, "Mill", left) == [(ADA, None), (None, None), (CLEO, 3)]
    assert describe_holds(starts, fights, "Ford", left) == [(BEN, None), (ADA, 0), (None, None), (BEN, 2)]
    assert [hold.since for hold in fold_holds(starts, fights, left)["Mill"]] == [None, left[ADA], moment(3)]
    # Who leaves at last frees what they hold at last, and nothing else.
    assert describe_holds(starts, fights, "Mill", {ADA: moment(9)}) == [(ADA, None), (CLEO, 3)]
    assert describe_holds(starts, fights, "Quay", {CLEO: moment(9)}) == [(CLEO, None), (None, None)]
    # A result of after the winner left frees the place at once.
    assert [hold.since for hold in fold_holds(starts, fights, {CLEO: moment(0)})["Mill"]] == [
        None,
        moment(3),
        moment(3),
    ]


PLAYERS = st.sampled_from((ADA, BEN, CLEO))
FIGHTS = st.lists(st.tuples(st.sampled_from(NAMES), st.one_of(st.none(), PLAYERS)), max_size=30)
STARTS = st.dictionaries(st.sampled_from(NAMES), PLAYERS)


@given(STARTS, FIGHTS)
def test_the_last_winner_holds_a_place(starts: dict[str, int], results: list[tuple[str, int | None]]) -> None:
    named = {name: starts.get(name) for name in NAMES}
    holds = fold_holds(named, name_fights(*results), {})
    for name in NAMES:
        last = next((winner for territory, winner in reversed(results) if territory == name and winner), None)
        assert holds[name][-1].holder == (last or starts.get(name))
        holders = [hold.holder for hold in holds[name]]
        assert all(holder != other for holder, other in pairwise(holders))


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
