"""Pair players in a round robin or by the table."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

Pair = tuple[int, int | None]
"""Two players by their keys, or a player with a bye."""
MOST_TRIES = 20_000
"""After so many tries, a Swiss round allows one more meeting of the same players."""


def pair_each_with_each(players: Sequence[int]) -> list[list[Pair]]:
    """List the rounds in which all players meet once. With an odd number, each player has one bye.

    >>> pair_each_with_each([1, 2, 3, 4])
    [[(1, 4), (2, 3)], [(4, 2), (3, 1)], [(3, 4), (1, 2)]]
    """
    seats: list[int | None] = [*players] if len(players) % 2 == 0 else [*players, None]
    half = len(seats) // 2
    rounds = []
    for number in range(len(seats) - 1):
        pairs: list[Pair] = []
        for place in range(half):
            players_here = [seat for seat in (seats[place], seats[-1 - place]) if seat is not None]
            # The last seat never moves, so its player begins every other game.
            if number % 2 and not place:
                players_here.reverse()
            pairs.append((players_here[0], players_here[1] if len(players_here) > 1 else None))
        rounds.append(pairs)
        seats = [*seats[1:-1], seats[0], seats[-1]]
    return rounds


def pair_by_table(players: Sequence[int], met: Iterable[frozenset[int]], byes: Iterable[int]) -> list[Pair]:
    """Pair players in the order of the table, each with the next player whom they have not met.

    With an odd number, the bye goes to the last player with the fewest byes. Players meet again only if the search
    finds no other pairing.

    >>> pair_by_table([1, 2, 3, 4, 5], [frozenset({1, 2})], byes=[5])
    [(1, 3), (2, 5), (4, None)]
    """
    waiting, pairs = list(players), []
    if len(waiting) % 2:
        free = Counter(byes)
        fewest = min(free[player] for player in waiting)
        last = next(player for player in reversed(waiting) if free[player] == fewest)
        waiting.remove(last)
        pairs.append((last, None))

    games, level = Counter(met), 0
    while True:
        search = _TableSearch(games, level)
        paired = search.pair_rest(waiting)
        if paired is not None:
            return [*paired, *pairs]
        level += 1


class _TableSearch:
    """Searches for pairs that met at most `level` times, and gives up after `MOST_TRIES`."""

    def __init__(self, games: Mapping[frozenset[int], int], level: int) -> None:
        self.games, self.level = games, level
        self.tries = 0

    def pair_rest(self, waiting: Sequence[int]) -> list[Pair] | None:
        if not waiting:
            return []
        first = waiting[0]
        for place in range(1, len(waiting)):
            if self.games.get(frozenset((first, waiting[place])), 0) > self.level:
                continue
            self.tries += 1
            if self.tries > MOST_TRIES:
                return None
            rest = self.pair_rest([*waiting[1:place], *waiting[place + 1 :]])
            if rest is not None:
                return [(first, waiting[place]), *rest]
        return None
