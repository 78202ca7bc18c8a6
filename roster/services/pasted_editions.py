"""Find the installed game and faction of a pasted list, and alternatives."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from string import capwords

from django.db.models import QuerySet

from catalogue.definitions.entries import EntryType
from catalogue.definitions.groups import group_by
from catalogue.models import Faction, GameSystem, UnitEntry
from roster.formats.list_text import simplify_name
from roster.formats.text.force_fit import find_named_force
from roster.formats.text.names import NameLookup
from roster.formats.text.parse import list_names
from roster.formats.text.pasted import PastedList
from roster.formats.text.shapes import MAX_LINE
from roster.services.pasted_allies import load_faction_book

MAX_ROWS = 10_000
MAX_EDITIONS = 6
MAX_SIBLINGS = 3
"""How many other factions of the likeliest game are offered."""
MAX_LOADED = 3
"""How many editions have their names of detachments and settings loaded."""
SPELLED = 4
"""The score of a unit that a faction has under this name; equal points add 1."""
NAMED, SIGNED, CLAIMED = 2.0, 2.0, 1.25
"""Factors for a faction, a game and most names at the start of the list."""
LEAST_WORD = 4
"""Shorter words of faction names are not compared with unit names."""
CLEAR = 1.1
"""For a sure choice, a game must be this much likelier than the next."""
_HEAD, _FOOT = 15, 10
"""Lines at each end of a list that may tell its game."""
_ORDINAL = re.compile(r"\b(\d{1,2}) ?(?:st|nd|rd|th|e)\b(?: ?ed(?:ition|n)?\b)?")
_IN_GAME = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|e)\b")
_SIGNS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(written), re.compile(game))
    for written, game in (
        (r"\bage of sigmar\b|\bgrand alliance\b|\bgenerals handbook\b|^drops \d", r"\bsigmar\b"),
        (r"\bgenerals handbook 202[4-9]\b|\bbattle formation\b|\bmanifestation lore\b", r"\bsigmar 4\b"),
        (
            r"\bgrand strategy\b|\bpitched battles? (?:ghb )?202[1-3]\b|\bgenerals handbook 202[1-3]\b",
            r"\bsigmar(?! 4)\b",
        ),
        (r"\bold world builder\b|\bthe old world\b", r"\bold world\b"),
        # The app for the 11th edition is version 2; the one for the 10th was version 1.
        (r"\bexported with app version v?2\b|\bforce dispositions?\b|\bdetachment points?\b", r"\b40 ?000\b.*\b11"),
        (r"\bexported with app version v?1\b", r"\b40 ?000\b.*\b10"),
    )
)
"""Patterns at either end of a list, each with a pattern of game names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A faction that a pasted list may belong to.

    It has `matches` of the list's `names` units, `equal` of them at the stated points. `score` includes `signs`, a
    factor from the list's start and end.
    """

    faction: Faction
    names: int
    matches: int
    equal: int
    score: float
    signs: float

    @property
    def value(self) -> str:
        """The slugs of game and faction, for forms."""
        return f"{self.faction.version.game.slug}/{self.faction.slug}"


@dataclass(frozen=True, slots=True)
class Editions:
    """`offered` has the likeliest first. `is_settled` means that the user chose it."""

    offered: tuple[Edition, ...] = ()
    chosen: Edition | None = None
    is_sure: bool = True
    is_settled: bool = False


def find_editions(pasted: PastedList, *, game: str = "", faction: str = "", answer: str = "") -> Editions:
    """Find a list's possible games within the slugs `game` and `faction`; `answer` is the chosen `value`."""
    factions = Faction.objects.filter(version__current_of__isnull=False)
    if game:
        factions = factions.filter(version__game__slug=game)
    counts = _UnitCounts(pasted, factions, is_of_game=bool(game))
    if faction:
        keys = list(factions.filter(slug=faction).values_list("pk", flat=True))
        offered = _build_editions(counts, keys, pasted)
        return Editions(offered, offered[0] if offered else None, is_settled=True)

    chosen_slug, _, faction_slug = answer.partition("/")
    answered = factions.filter(version__game__slug=chosen_slug, slug=faction_slug).values_list("pk", flat=True)
    keys = [*answered, *counts.list_likely()]
    offered = _build_editions(counts, list(dict.fromkeys(keys)), pasted)
    if settled := next((edition for edition in offered if answer and edition.value == answer), None):
        return Editions(offered, settled, is_settled=True)
    if not offered or not counts.is_believable(offered[0]):
        return Editions(offered)
    is_sure = len(offered) == 1 or offered[0].score >= CLEAR * offered[1].score
    return Editions(offered, offered[0], is_sure)


class _UnitCounts:
    def __init__(self, pasted: PastedList, factions: QuerySet[Faction], *, is_of_game: bool) -> None:
        rows = list(factions.order_by("pk").values_list("pk", "name", "version__game_id"))
        self._costs = list_names(pasted)
        self.names = set(self._costs)
        self._is_of_game = is_of_game
        self._games = {pk: game for pk, _name, game in rows}
        self._factions = {pk: name for pk, name, _game in rows}
        self._words = [frozenset(simplify_name(name).split()) for name in self.names]

        # Some lists start with part of the faction's name on a separate line.
        bare = (value for key, value in pasted.claims.other.items() if key.startswith("line "))
        # A typed list often has its faction as the title.
        names = (pasted.claims.faction, pasted.claims.title, *bare)
        parts = chain.from_iterable(name.split("|") for name in names)
        self._claimed = {simplify_name(name).removeprefix("the ") for name in parts} - {""}
        self.named = {pk for pk, name, _game in rows if _is_called(name, self._claimed)}
        self.matches: dict[int, set[str]] = defaultdict(set)
        self.equal: dict[int, set[str]] = defaultdict(set)
        self._count_spelled(factions)
        if not self.matches:
            # Comparing without accents and punctuation reads every name, so do it for few factions only.
            self._count_folded(list(self._games) if is_of_game else sorted(self.named))

    def _count_spelled(self, factions: QuerySet[Faction]) -> None:
        spelled = {form: name for name in self.names for form in (capwords(name), name.replace("'", "’"))}
        spelled |= {name: name for name in self.names}
        rows = UnitEntry.objects.filter(faction__in=factions, name__in=spelled, hidden=False)
        for faction_id, name, points in rows.values_list("faction_id", "name", "points"):
            written = spelled[name]
            self.matches[faction_id].add(written)
            # Points distinguish games that have the same units.
            if points is not None and points == self._costs[written]:
                self.equal[faction_id].add(written)

    def _count_folded(self, faction_ids: Sequence[int]) -> None:
        names = {simplify_name(name) for name in self.names}
        rows = UnitEntry.objects.filter(faction__in=faction_ids, hidden=False).values_list("faction_id", "name")
        for faction_id, name in rows[:MAX_ROWS]:
            if (folded := simplify_name(name)) in names:
                self.matches[faction_id].add(folded)

    def score(self, pk: int) -> float:
        hits = SPELLED * len(self.matches.get(pk, ())) + len(self.equal.get(pk, ()))
        return hits * (NAMED if pk in self.named else 1)

    def _rank(self, pk: int) -> tuple[float, int, int, int]:
        """Rank by score, then names at the list's start, then words shared with units.

        `Empire Archers` fit the Empire better than its allies.
        """
        parts = {simplify_name(part).removeprefix("the ") for part in self._factions[pk].split(" - ")}
        words = {word for word in simplify_name(self._factions[pk]).split() if len(word) >= LEAST_WORD}
        return (
            self.score(pk),
            len(parts & self._claimed),
            sum(not words.isdisjoint(named) for named in self._words),
            -len(words),
        )

    def list_likely(self) -> list[int]:
        """List each game's likeliest faction, and equally likely ones of the likeliest game."""
        candidates = [pk for pk in self._games if self.matches.get(pk) or (self._is_of_game and pk in self.named)]
        # A faction named at the start is enough to offer its game.
        candidates = candidates or sorted(self.named)
        by_game = group_by(candidates, self._games.__getitem__)
        best = sorted((max(keys, key=self._rank) for keys in by_game.values()), key=self.score, reverse=True)
        if not best:
            return []
        level = self.score(best[0]) / CLEAR
        siblings = [pk for pk in by_game[self._games[best[0]]] if pk != best[0] and self.score(pk) > level]
        return [*best, *siblings[:MAX_SIBLINGS]][:MAX_EDITIONS]

    def is_believable(self, edition: Edition) -> bool:
        # A list of a game that is not installed may share some names with another one.
        if edition.signs < 1 and edition.matches * 2 <= edition.names:
            return self._is_of_game
        if edition.faction.pk in self.named and (self._is_of_game or edition.matches):
            return True
        needed = 1 if self._is_of_game else max(1, len(self.names) // 3)
        return edition.matches >= needed


def _is_called(name: str, claimed: set[str]) -> bool:
    forms = {simplify_name(form) for form in (name, name.rsplit(" - ", 1)[-1])}
    return bool(claimed & {plain.removeprefix("the ") for plain in forms})


def _build_editions(counts: _UnitCounts, keys: Sequence[int], pasted: PastedList) -> tuple[Edition, ...]:
    rows = Faction.objects.select_related("version__game").in_bulk(keys)
    factions = [rows[pk] for pk in keys]
    signs = _weigh_signs(pasted, [faction.version.game for faction in factions])
    scores = {faction.pk: counts.score(faction.pk) * signs[faction.version.game_id] for faction in factions}
    # Names at the start of the list only decide between games that are about equally likely.
    if len({faction.version_id for faction in factions}) > 1:
        level = max(scores.values()) / 2
        likely = sorted((one for one in factions if scores[one.pk] >= level), key=lambda one: -scores[one.pk])
        claims = {faction.pk: _count_known_claims(faction, pasted) for faction in likely[:MAX_LOADED]}
        most = max(claims.values(), default=0)
        for pk, number in claims.items():
            if number == most > 0:
                scores[pk] *= CLAIMED

    editions = [
        Edition(
            faction=faction,
            names=len(counts.names),
            matches=len(counts.matches.get(faction.pk, ())),
            equal=len(counts.equal.get(faction.pk, ())),
            score=scores[faction.pk],
            signs=signs[faction.version.game_id],
        )
        for faction in factions
    ]
    # Of equally likely editions, the latest comes first.
    return tuple(sorted(editions, key=lambda one: (-one.score, -_find_number(one.faction.version.game))))


def _write_game(game: GameSystem) -> str:
    return simplify_name(f"{game.slug} {game.name} {game.edition}")


def _find_number(game: GameSystem) -> int:
    return max(map(int, _IN_GAME.findall(_write_game(game))), default=0)


def _weigh_signs(pasted: PastedList, games: Iterable[GameSystem]) -> Mapping[int, float]:
    lines = [line.text for line in pasted.lines if line.text.strip() and len(line.text) <= MAX_LINE]
    written = [simplify_name(text) for text in (*lines[:_HEAD], *lines[-_FOOT:])]
    patterns = [game for sign, game in _SIGNS if any(map(sign.search, written))]
    editions = {number for text in written for number in _ORDINAL.findall(text)}
    weights: dict[int, float] = {}
    for game in games:
        name = _write_game(game)
        agree = any(pattern.search(name) for pattern in patterns)
        differ = any(not pattern.search(name) for pattern in patterns)
        if not patterns and editions and (numbers := set(_IN_GAME.findall(name))):
            agree, differ = bool(numbers & editions), not numbers & editions
        weight = 1.0
        if agree:
            weight *= SIGNED
        if differ:
            weight /= SIGNED
        weights[game.pk] = weight
    return weights


def _count_known_claims(faction: Faction, pasted: PastedList) -> int:
    book = load_faction_book(faction)
    names = {*pasted.claims.detachments, *pasted.claims.other.values()} - {""}
    if book is None or not names:
        return 0
    settings = [root for root in book.distinct_roots if root.entry.target.type is EntryType.UPGRADE]
    options = chain.from_iterable(root.entry.contents.options for root in settings)
    lookup = NameLookup((option.name, option) for option in (*settings, *options))
    return sum(lookup.find(name).certain is not None for name in names) + (find_named_force(book, pasted) is not None)
