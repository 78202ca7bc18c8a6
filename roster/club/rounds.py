"""Pair players in a round robin, by the table, or of those who come to a club night."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

Pair = tuple[int, int | None]
"""Two players by their keys, or a player with a bye."""
MOST_TRIES = 20_000
"""After so many tries, a Swiss round allows one more meeting of the same players."""
MOST_IDLE = 8
"""How many players a club night tries to do without."""


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
    finds no other pairing, and then the ones who met least.

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
    return [*_pair_nearest(waiting, Counter(met)), *pairs]


def pair_night(
    players: Sequence[int], met: Mapping[frozenset[int], int], rests: Iterable[int], tables: int | None = None
) -> list[Pair]:
    """Pair the players who come to a club night, in the order of the table, each with the nearest whom they met least.

    `met` is how often two players met, or -1 if they have a game to play. `rests` names a player for each night on
    which they found no opponent. With an odd number of players or too few tables, those rest who did so least; among
    equals, the last in the table, or one without whom nobody has to meet again.

    >>> pair_night([1, 2, 3, 4, 5], {frozenset({1, 5}): -1}, rests=[5])
    [(1, 5), (2, 3), (4, None)]
    """
    games = len(players) // 2 if tables is None else min(len(players) // 2, tables)
    rested = Counter(rests)
    from_last = [*reversed(players)]
    from_last.sort(key=rested.__getitem__)
    idle = from_last[: len(players) - 2 * games]
    if len(idle) == 1:
        # Of those who rested equally often, rather one without whom nobody meets again.
        for player in from_last[:MOST_IDLE]:
            others = [other for other in players if other != player]
            if rested[player] == rested[idle[0]] and _TableSearch(met, 0).pair_rest(others) is not None:
                idle = [player]
                break
    pairs = _pair_nearest([player for player in players if player not in idle], met)
    return [*pairs, *((player, None) for player in idle)]


def _pair_nearest(waiting: Sequence[int], games: Mapping[frozenset[int], int]) -> list[Pair]:
    """Pair an even number of players, each with the nearest one whom they met least."""
    level = 0
    while (pairs := _TableSearch(games, level).pair_rest(waiting)) is None:
        level += 1
    return pairs


class _TableSearch:
    """Searches for pairs that met at most `level` times, and gives up after `MOST_TRIES`."""

    def __init__(self, games: Mapping[frozenset[int], int], level: int) -> None:
        self.games = games
        self.counts = [count for count in sorted({0, *games.values()}) if count <= level]
        self.tries = 0

    def pair_rest(self, waiting: Sequence[int]) -> list[Pair] | None:
        if not waiting:
            return []
        first = waiting[0]
        for count in self.counts:
            for place in range(1, len(waiting)):
                if self.games.get(frozenset((first, waiting[place])), 0) != count:
                    continue
                self.tries += 1
                if self.tries > MOST_TRIES:
                    return None
                rest = self.pair_rest([*waiting[1:place], *waiting[place + 1 :]])
                if rest is not None:
                    return [(first, waiting[place]), *rest]
        return None
