"""Tables and pairings of seasons, by examples counted by hand and by properties."""

from collections import Counter
from datetime import UTC, date, datetime
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from roster.club.calendar_file import LONGEST_LINE, CalendarDay, write_calendar
from roster.club.ladder import DRAWN, LOST, START_RATING, WON, PairResult, PointsRule, count_points, rate_players
from roster.club.rounds import pair_by_table, pair_each_with_each, pair_night

PLAYERS = 6
RULE = PointsRule(win=3, draw=2, loss=1)


def game(first: int, second: int, first_score: int, second_score: int) -> PairResult:
    result = (first_score > second_score) - (first_score < second_score)
    return PairResult(first=first, second=second, result=result, first_score=first_score, second_score=second_score)


@st.composite
def games(draw: st.DrawFn) -> list[PairResult]:
    pairs = list(combinations(range(PLAYERS), 2))
    drawn = draw(st.lists(st.tuples(st.sampled_from(pairs), st.integers(0, 20), st.integers(0, 20)), max_size=20))
    return [game(first, second, mine, theirs) for (first, second), mine, theirs in drawn]


def test_a_table_counted_by_hand() -> None:
    """The drawing's league after two rounds: Ada 1, Ben 2, Cleo 3, Dan 4, Eve 5, Finn 6."""
    played = [
        *(game(1, 2, 18, 11), game(3, 5, 15, 9), game(4, 6, 12, 12)),
        *(game(1, 6, 21, 14), game(3, 4, 13, 13), game(2, 5, 17, 10)),
    ]
    lines = count_points(range(1, 7), played, [], RULE)
    # Opponents' points: Ben 6 + 2, Dan 3 + 5. The scores are equal, too, so both share the place.
    assert [(line.player, line.points, line.strength, line.difference) for line in lines] == [
        (1, 6, 7, 14),
        (3, 5, 6, 6),
        (2, 4, 8, 0),
        (4, 4, 8, 0),
        (6, 3, 10, -7),
        (5, 2, 9, -13),
    ]
    assert [line.place for line in lines] == [1, 2, 3, 3, 5, 6]
    assert lines[0].results == [WON, WON]
    assert lines[-1].results == [LOST, LOST]


def test_a_bye_is_worth_a_win_and_no_game() -> None:
    (first, second) = count_points([1, 2], [], [2], PointsRule())
    assert (first.player, first.points, first.results) == (2, 3, [])
    assert second.points == 0


def test_elo_counted_by_hand() -> None:
    """K = 40: equal players move 20. Then 1520 expects 0.5573 against 1480, so a draw costs 2.29."""
    won, drawn = PairResult(first=1, second=2, result=WON), PairResult(first=1, second=2, result=DRAWN)
    first, second = rate_players([1, 2], [won], 40)
    assert (first.player, first.rating, second.rating) == (1, 1520, 1480)
    first, second = rate_players([1, 2], [won, drawn], 40)
    assert round(first.rating, 2) == 1517.71
    assert round(second.rating, 2) == 1482.29


def test_elo_depends_on_the_order_of_games() -> None:
    first, second = PairResult(first=1, second=2, result=WON), PairResult(first=2, second=3, result=WON)
    forwards = {line.player: line.rating for line in rate_players([1, 2, 3], [first, second], 32)}
    backwards = {line.player: line.rating for line in rate_players([1, 2, 3], [second, first], 32)}
    assert forwards[2] != backwards[2]


@given(games(), st.integers(1, 200))
def test_ratings_only_change_hands(played: list[PairResult], factor: int) -> None:
    lines = rate_players(range(PLAYERS), played, factor)
    assert abs(sum(line.rating for line in lines) - PLAYERS * START_RATING) < 1e-6
    assert [line.rounded_rating for line in lines] == sorted((line.rounded_rating for line in lines), reverse=True)
    idle = set(range(PLAYERS)) - {player for one in played for player in (one.first, one.second)}
    assert all(line.rating == START_RATING for line in lines if line.player in idle)


@given(games(), st.randoms())
def test_points_do_not_depend_on_the_order_of_games(played: list[PairResult], chance: object) -> None:
    lines = count_points(range(PLAYERS), played, [], RULE)
    shuffled = list(played)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # a Random
    again = count_points(range(PLAYERS), shuffled, [], RULE)
    assert [(line.player, line.place, line.points) for line in lines] == [
        (line.player, line.place, line.points) for line in again
    ]
    assert sum(line.points for line in lines) == sum(
        RULE.draw * 2 if one.result == DRAWN else RULE.win + RULE.loss for one in played
    )
    assert sum(line.difference for line in lines) == 0


@given(st.integers(2, 24))
def test_each_meets_each_once(number: int) -> None:
    rounds = pair_each_with_each(range(number))
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs if pair[1] is not None)
    assert met == Counter(map(frozenset, combinations(range(number), 2)))
    assert all(
        sorted(player for pair in pairs for player in pair if player is not None) == list(range(number))
        for pairs in rounds
    )
    begun = Counter(pair[0] for pairs in rounds for pair in pairs if pair[1] is not None)
    assert max(begun.values()) - min(begun[player] for player in range(number)) <= 2


@settings(max_examples=40)
@given(st.integers(2, 20), st.integers(1, 8), st.randoms(use_true_random=False))
def test_swiss_rounds_pair_everybody_and_nobody_twice(number: int, rounds: int, chance: object) -> None:
    met: list[frozenset[int]] = []
    byes: list[int] = []
    players = list(range(number))
    for _round in range(min(rounds, (number - 1) // 2 or 1)):
        chance.shuffle(players)  # type: ignore[attr-defined]  # a Random
        pairs = pair_by_table(players, met, byes)
        assert sorted(player for pair in pairs for player in pair if player is not None) == list(range(number))
        met += [frozenset((first, second)) for first, second in pairs if second is not None]
        byes += [first for first, second in pairs if second is None]
    assert len(byes) == len(set(byes))
    assert len(met) == len(set(met)) > 0


def test_players_meet_again_only_if_they_must() -> None:
    assert pair_by_table([1, 2], [frozenset({1, 2})], []) == [(1, 2)]
    assert pair_by_table([1, 2, 3, 4], [frozenset({1, 2}), frozenset({1, 3})], []) == [(1, 4), (2, 3)]
    # The last place has had its bye, so the next one has it.
    assert pair_by_table([1, 2, 3], [frozenset({1, 2})], [3]) == [(1, 3), (2, None)]


@settings(max_examples=40)
@given(st.integers(2, 15), st.integers(1, 8), st.integers(1, 8))
def test_at_club_nights_all_rest_equally_often(number: int, nights: int, tables: int) -> None:
    met: Counter[frozenset[int]] = Counter()
    rests: list[int] = []
    for _night in range(nights):
        pairs = pair_night(range(number), met, rests, tables)
        assert sorted(player for pair in pairs for player in pair if player is not None) == list(range(number))
        assert sum(second is not None for _first, second in pairs) == min(number // 2, tables)
        met.update(frozenset((first, second)) for first, second in pairs if second is not None)
        rests += [first for first, second in pairs if second is None]
    rested = Counter(rests)
    assert max(rested[player] for player in range(number)) - min(rested[player] for player in range(number)) <= 1


def test_at_club_nights_due_games_come_before_new_ones_and_rematches_last() -> None:
    met = {frozenset({1, 2}): 1, frozenset({3, 4}): 2, frozenset({1, 4}): -1}
    assert pair_night([1, 2, 3, 4], met, []) == [(1, 4), (2, 3)]
    met |= {frozenset({1, 4}): 1, frozenset({2, 3}): 1, frozenset({1, 3}): 1, frozenset({2, 4}): 3}
    # Two of these three have met, so the third is not the one who rests.
    assert pair_night([1, 2, 3], {frozenset({1, 2}): 1}, []) == [(1, 3), (2, None)]
    # All have met: these pairs met least.
    assert pair_night([1, 2, 3, 4], met, []) == [(1, 4), (2, 3)]


def test_a_calendar_follows_the_rfc() -> None:
    day = CalendarDay(
        uid="meeting-1@example.org",
        day=date(2026, 12, 31),
        title="Ada, Ben; and “Cleo”\nagain \\ " + "ü" * 60,
        address="https://example.org/",
        changed=datetime(2026, 12, 1, 9, 30, tzinfo=UTC),
    )
    written = write_calendar("Low tide", [day])
    lines = written.split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert "\n" not in written.replace("\r\n", "")
    assert max(len(line.encode()) for line in lines) <= LONGEST_LINE
    unfolded = written.replace("\r\n ", "").split("\r\n")
    assert "DTSTART;VALUE=DATE:20261231" in unfolded
    assert "DTEND;VALUE=DATE:20270101" in unfolded
    assert "DTSTAMP:20261201T093000Z" in unfolded
    assert "SUMMARY:Ada\\, Ben\\; and “Cleo”\\nagain \\\\ " + "ü" * 60 in unfolded
