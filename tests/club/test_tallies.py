"""Counting, and what of it may be shown, compared with counting by brute force."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as some

from roster.club.tallies import (
    EVERYTHING,
    FEWEST_GAMES,
    FEWEST_PLAYERS,
    DatedList,
    FewPlayers,
    GameSeatList,
    ListPicks,
    Slice,
    Tally,
    WonShare,
    choose_newest,
    find_interval,
    find_small,
    group_points,
    order_by_share,
    report_slice,
    select_slices,
)

UNITS = ("guard", "cutters", "crew")
SIZES = ("500", "1000")


@some.composite
def drawn_lists(draw: some.DrawFn) -> list[tuple[DatedList, ListPicks]]:
    """Lists of few players, sorted by player, newest first, as the service reads them."""
    number = draw(some.integers(0, 40))
    lists = []
    for key in range(number):
        player = draw(some.integers(1, 9))
        size = draw(some.sampled_from(SIZES))
        units = draw(some.dictionaries(some.sampled_from(UNITS), some.frozensets(some.sampled_from("ab")), max_size=3))
        dated = DatedList(
            key=key,
            player=player,
            faction=draw(some.sampled_from(("marsh", "hill", "dike"))),
            version=1,
            points=draw(some.integers(0, 2000)),
            slices=(EVERYTHING, Slice("size", size)),
        )
        lists.append((dated, ListPicks(units=units)))
    return sorted(lists, key=lambda pair: (pair[0].player, pair[0].key))


def count(lists: list[tuple[DatedList, ListPicks]]) -> Tally:
    tally = Tally()
    picks = {dated.key: picks for dated, picks in lists}
    for player, group in groupby((dated for dated, _picks in lists), key=lambda dated: dated.player):
        chosen = list(choose_newest(group))
        tally.count_player({key for _dated, slices in chosen for key in slices}, player)
        for dated, slices in chosen:
            tally.count_list(dated, slices, picks[dated.key])
    return tally


def newest(lists: list[tuple[DatedList, ListPicks]], key: Slice) -> dict[tuple[str, object], ListPicks]:
    """Return the newest list of each player and faction in a slice, found one by one."""
    found: dict[tuple[str, object], ListPicks] = {}
    for dated, picks in reversed(lists):
        if key in dated.slices:
            found[dated.faction, dated.player] = picks
    return found


@given(drawn_lists())
def test_counts_equal_those_by_brute_force(lists: list[tuple[DatedList, ListPicks]]) -> None:
    tally = count(lists)
    for key in (EVERYTHING, Slice("size", "500"), Slice("size", "1000")):
        chosen = newest(lists, key)
        part = tally.slices.get(key)
        assert (part.players if part else 0) == len({player for _faction, player in chosen})
        counted = {faction: one.units for faction, one in part.factions.items()} if part else {}
        by_hand: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for (faction, _player), picks in chosen.items():
            for unit in picks.units:
                by_hand[faction][unit] += 1
        assert {faction: dict(units) for faction, units in counted.items() if units} == by_hand


@given(drawn_lists())
def test_nothing_shown_is_about_few_players(lists: list[tuple[DatedList, ListPicks]]) -> None:
    tally = count(lists)
    shown = select_slices(tally)
    assert bool(shown) == (len({dated.player for dated, _picks in lists}) >= FEWEST_PLAYERS)
    for key in shown:
        report = report_slice(tally.slices[key])
        chosen = newest(lists, key)
        assert report.players >= FEWEST_PLAYERS
        assert report.lists == len(chosen)
        folded = {player for faction, player in chosen if faction not in report.factions}
        assert not folded or len(folded) >= FEWEST_PLAYERS
        for faction_id, faction in report.factions.items():
            players = [picks for (of, _player), picks in chosen.items() if of == faction_id]
            assert faction.players == len(players) >= FEWEST_PLAYERS
            assert not faction.points or sum(number for _low, _high, number in faction.points) == faction.players
            assert all(number >= FEWEST_PLAYERS for _low, _high, number in faction.points)
            for unit in faction.units:
                assert unit.players == sum(unit.name in picks.units for picks in players) >= FEWEST_PLAYERS
                for name, number in unit.options:
                    assert number == sum(name in picks.units.get(unit.name, ()) for picks in players)
                    assert FEWEST_PLAYERS <= number < unit.players


@given(drawn_lists())
def test_the_rest_of_the_slices_is_not_about_few_players(lists: list[tuple[DatedList, ListPicks]]) -> None:
    tally = count(lists)
    shown = select_slices(tally)
    hidden = {key for dated, _picks in lists for key in dated.slices} - set(shown)
    players = {dated.player for dated, _picks in lists if hidden & set(dated.slices)}
    assert not (shown and hidden) or len(players) >= FEWEST_PLAYERS


def few(*players: int) -> FewPlayers:
    return FewPlayers(set(players))


@pytest.mark.parametrize(
    ("groups", "small"),
    [
        ({"a": few(1, 2, 3, 4, 5)}, set()),
        ({"a": few(1, 2, 3, 4)}, {"a"}),
        # Alone, the four of "b" could be found by subtraction.
        ({"a": few(1, 2, 3, 4, 5), "b": few(6, 7, 8, 9)}, {"a", "b"}),
        ({"a": few(1, 2, 3, 4, 5), "b": few(6, 7, 8, 9), "c": few(10)}, {"b", "c"}),
        ({"a": few(1, 2, 3, 4, 5), "b": few(6, 7, 8, 9), "c": few(6)}, {"a", "b", "c"}),
        ({}, set()),
    ],
)
def test_small_groups_are_folded_with_company(groups: dict[str, FewPlayers], small: set[str]) -> None:
    assert find_small(groups, {key: len(few.players) for key, few in groups.items()}) == small


def test_games_count_for_both_sides_and_draws_are_halves() -> None:
    tally = Tally()
    slices = (EVERYTHING, Slice("event", "a"))
    for number in range(40):
        first = GameSeatList(player=number % 6, faction="marsh", units=("guard",), slices=slices)
        second = GameSeatList(player=10 + number % 6, faction="hill", units=("crew",), slices=(EVERYTHING,))
        tally.count_game(first, second, (number % 4 > 0) - (number % 4 == 2) * 2)
    marsh = tally.slices[EVERYTHING].factions["marsh"]
    hill = tally.slices[EVERYTHING].factions["hill"]
    assert (marsh.score.wins, marsh.score.draws, marsh.score.losses) == (20, 10, 10)
    assert (hill.score.wins, hill.score.draws, hill.score.losses) == (10, 10, 20)
    assert marsh.unit_scores["guard"].wins == 20
    assert set(tally.slices) == {EVERYTHING}
    assert WonShare(20, 10, 10).share == 0.625


def test_a_faction_against_itself_says_nothing() -> None:
    tally = Tally()
    seat = GameSeatList(player=1, faction="marsh", units=(), slices=(EVERYTHING,))
    tally.count_game(seat, GameSeatList(player=2, faction="marsh", units=(), slices=(EVERYTHING,)), 1)
    assert not tally.slices


def start_marsh() -> Tally:
    """Count lists of six players."""
    tally = Tally()
    for player in range(6):
        dated = DatedList(key=player, player=player, faction="marsh", version=1, points=None, slices=(EVERYTHING,))
        tally.count_player((EVERYTHING,), player)
        tally.count_list(dated, (EVERYTHING,), ListPicks(units={"guard": frozenset()}))
    return tally


def play(tally: Tally, players: Iterable[int], opponents: Iterable[int]) -> None:
    """Count a won game of each player against each opponent."""
    for player, other in product(players, opponents):
        first = GameSeatList(player=player, faction="marsh", units=("guard",), slices=(EVERYTHING,))
        tally.count_game(first, GameSeatList(player=other, faction="hill", units=(), slices=(EVERYTHING,)), 1)


def test_results_of_few_players_are_not_reported() -> None:
    tally = start_marsh()
    play(tally, range(4), range(10, 16))
    report = report_slice(tally.slices[EVERYTHING])
    assert report.factions["marsh"].won is None
    assert report.factions["marsh"].units[0].won is None
    play(tally, [4], [10])
    report = report_slice(tally.slices[EVERYTHING])
    assert report.factions["marsh"].won == report.factions["marsh"].units[0].won == WonShare(25, 0, 0)


def test_results_against_few_players_are_not_reported() -> None:
    tally = start_marsh()
    play(tally, range(6), range(10, 14))
    # The losses of the four would be the wins of the six.
    assert report_slice(tally.slices[EVERYTHING]).factions["marsh"].won is None
    play(tally, [0], [14])
    assert report_slice(tally.slices[EVERYTHING]).factions["marsh"].won == WonShare(25, 0, 0)


@pytest.mark.parametrize("games", [FEWEST_GAMES - 1, FEWEST_GAMES])
def test_shares_of_few_games_are_unranked(games: int) -> None:
    assert WonShare(games, 0, 0).is_few == (games < FEWEST_GAMES)
    ranked = order_by_share([("few", WonShare(games, 0, 0)), ("many", WonShare(20, 0, 20))])
    assert [name for name, _won in ranked] == (["many", "few"] if games < FEWEST_GAMES else ["few", "many"])


@given(some.integers(1, 5000), some.floats(0, 1))
def test_intervals_hold_their_share_and_shrink_with_games(games: int, share: float) -> None:
    low, high = find_interval(share, games)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    wider = find_interval(share, max(1, games // 2))
    assert high - low <= wider[1] - wider[0] + 1e-12


def test_wilson_agrees_with_published_figures() -> None:
    """Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    intervals = [find_interval(wins / games, games) for wins, games in ((81, 263), (15, 148), (0, 20), (1, 29))]
    rounded = [(round(low, 4), round(high, 4)) for low, high in intervals]
    assert rounded == [(0.2553, 0.3662), (0.0624, 0.1605), (0.0, 0.1611), (0.0061, 0.1718)]


@given(some.dictionaries(some.integers(0, 3000), some.integers(1, 9), max_size=12))
def test_steps_of_points_hold_all_and_never_few(points: dict[int, int]) -> None:
    steps = group_points(points)
    total = sum(points.values())
    assert sum(number for _low, _high, number in steps) == (total if total >= FEWEST_PLAYERS else 0)
    assert all(number >= FEWEST_PLAYERS for _low, _high, number in steps)
    assert all(before[1] <= after[0] for before, after in pairwise(steps))
