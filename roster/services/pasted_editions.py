"""Which installed game and faction a pasted list is of, and which others it could be of."""

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
"""How many games and factions are offered for one list."""
MAX_SIBLINGS = 3
"""How many other factions of the likeliest game are offered."""
MAX_LOADED = 3
"""For how many of them the names of detachments and settings are looked up."""
SPELLED = 4
"""What a unit counts for that a faction has by that name; equal points count one more."""
NAMED, SIGNED, CLAIMED = 2.0, 2.0, 1.25
"""How much likelier a faction is that the head names; a game with a sign; a game that knows most names of the head."""
CLEAR = 1.1
"""How much likelier than the next one a game must be for its choice to be sure."""
_HEAD, _FOOT = 15, 10
"""In how many lines at each end of a list signs of its game are looked for."""
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
"""What lines at the head or foot of a list show, and what the games are called that such lists are of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A faction of a game that a list may be of.

    Of the `names` of the list's units the faction knows `known`, `equal` of them for the points in the text. `signs` is
    how much likelier head and foot make it, below 1 if they speak against it. `score` weighs all of that.
    """

    faction: Faction
    names: int
    known: int
    equal: int
    score: float
    signs: float

    @property
    def value(self) -> str:
        """What it is chosen by: the addresses of game and faction."""
        return f"{self.faction.version.game.slug}/{self.faction.slug}"


@dataclass(frozen=True, slots=True)
class Editions:
    """The games and factions that a list may be of, the likeliest first, and which one is believed, if any.

    The choice `is_sure` unless the next one is about as likely; `is_settled` if the user made it.
    """

    offered: tuple[Edition, ...] = ()
    chosen: Edition | None = None
    is_sure: bool = True
    is_settled: bool = False


def find_editions(pasted: PastedList, *, game: str = "", faction: str = "", answer: str = "") -> Editions:
    """Find the games that a list may be of. `game` and `faction` are addresses that limit what is looked at.

    `answer` is the `value` of the edition that the user chose; one that is not installed is passed over.
    """
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
    """Which of a list's units each faction has by name, and which of them for the points of the text."""

    def __init__(self, pasted: PastedList, factions: QuerySet[Faction], *, is_of_game: bool) -> None:
        rows = list(factions.order_by("pk").values_list("pk", "name", "version__game_id"))
        self._costs = list_names(pasted)
        self.names = set(self._costs)
        self._is_of_game = is_of_game
        self._games = {pk: game for pk, _name, game in rows}

        # Some heads put a part of the faction's name on a line of its own.
        bare = (value for key, value in pasted.claims.other.items() if key.startswith("line "))
        # Somebody who types a list has its faction for a title.
        names = (pasted.claims.faction, pasted.claims.title, *bare)
        parts = chain.from_iterable(name.split("|") for name in names)
        claimed = {simplify_name(name) for name in parts} - {""}
        self.named = {pk for pk, name, _game in rows if _is_called(name, claimed)}
        self.known: dict[int, set[str]] = defaultdict(set)
        self.equal: dict[int, set[str]] = defaultdict(set)
        self._count_spelled(factions)
        if not self.known:
            # If nothing is spelled so, accents and signs are left aside. That reads every name of a faction, so it is
            # done for few of them only.
            self._count_folded(list(self._games) if is_of_game else sorted(self.named))

    def _count_spelled(self, factions: QuerySet[Faction]) -> None:
        spelled = {form: name for name in self.names for form in (capwords(name), name.replace("'", "’"))}
        spelled |= {name: name for name in self.names}
        rows = UnitEntry.objects.filter(faction__in=factions, name__in=spelled, hidden=False)
        for faction_id, name, points in rows.values_list("faction_id", "name", "points"):
            written = spelled[name]
            self.known[faction_id].add(written)
            # Of games that know the same units, points tell which it is.
            if points is not None and points == self._costs[written]:
                self.equal[faction_id].add(written)

    def _count_folded(self, faction_ids: Sequence[int]) -> None:
        names = {simplify_name(name) for name in self.names}
        rows = UnitEntry.objects.filter(faction__in=faction_ids, hidden=False).values_list("faction_id", "name")
        for faction_id, name in rows[:MAX_ROWS]:
            if (folded := simplify_name(name)) in names:
                self.known[faction_id].add(folded)

    def score(self, pk: int) -> float:
        """Weigh the units that a faction knows, and whether the head names it."""
        hits = SPELLED * len(self.known.get(pk, ())) + len(self.equal.get(pk, ()))
        return hits * (NAMED if pk in self.named else 1)

    def list_likely(self) -> list[int]:
        """List the likeliest faction of each game, and others of the likeliest game that know as much."""
        candidates = [pk for pk in self._games if self.known.get(pk) or (self._is_of_game and pk in self.named)]
        by_game = group_by(candidates, self._games.__getitem__)
        best = sorted((max(keys, key=self.score) for keys in by_game.values()), key=self.score, reverse=True)
        if not best:
            return []
        level = self.score(best[0]) / CLEAR
        siblings = [pk for pk in by_game[self._games[best[0]]] if pk != best[0] and self.score(pk) > level]
        return [*best, *siblings[:MAX_SIBLINGS]][:MAX_EDITIONS]

    def is_believable(self, edition: Edition) -> bool:
        """Return whether a faction knows enough: if nobody said the game, a name or two may be of any game."""
        # A list of a game that is not installed may have some names in common with another one.
        if edition.signs < 1 and edition.known * 2 <= edition.names:
            return self._is_of_game
        if edition.faction.pk in self.named and (self._is_of_game or edition.known):
            return True
        needed = 1 if self._is_of_game else max(1, len(self.names) // 3)
        return edition.known >= needed


def _is_called(name: str, claimed: set[str]) -> bool:
    """Return whether a faction is one that the head names; community data puts an alliance in front of the name."""
    return bool(claimed & {simplify_name(name), simplify_name(name.rsplit(" - ", 1)[-1])})


def _build_editions(counts: _UnitCounts, keys: Sequence[int], pasted: PastedList) -> tuple[Edition, ...]:
    """Build the editions of some factions, the likeliest first."""
    rows = Faction.objects.select_related("version__game").in_bulk(keys)
    factions = [rows[pk] for pk in keys]
    signs = _weigh_signs(pasted, [faction.version.game for faction in factions])
    scores = {faction.pk: counts.score(faction.pk) * signs[faction.version.game_id] for faction in factions}
    # Names of the head only decide between games that are about as likely.
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
            known=len(counts.known.get(faction.pk, ())),
            equal=len(counts.equal.get(faction.pk, ())),
            score=scores[faction.pk],
            signs=signs[faction.version.game_id],
        )
        for faction in factions
    ]
    # Of editions that are as likely the latest comes first.
    return tuple(sorted(editions, key=lambda one: (-one.score, -_find_number(one.faction.version.game))))


def _write_game(game: GameSystem) -> str:
    return simplify_name(f"{game.slug} {game.name} {game.edition}")


def _find_number(game: GameSystem) -> int:
    """Return the number of the edition that a game is, 0 if its name has none."""
    return max(map(int, _IN_GAME.findall(_write_game(game))), default=0)


def _weigh_signs(pasted: PastedList, games: Iterable[GameSystem]) -> Mapping[int, float]:
    """Weigh how head and foot of a list agree with the name of each game, by key."""
    lines = [line.text for line in pasted.lines if line.text.strip() and len(line.text) <= MAX_LINE]
    written = [simplify_name(text) for text in (*lines[:_HEAD], *lines[-_FOOT:])]
    shown = [game for sign, game in _SIGNS if any(map(sign.search, written))]
    editions = {number for text in written for number in _ORDINAL.findall(text)}
    weights: dict[int, float] = {}
    for game in games:
        name = _write_game(game)
        agree = any(pattern.search(name) for pattern in shown)
        differ = any(not pattern.search(name) for pattern in shown)
        if not shown and editions and (numbers := set(_IN_GAME.findall(name))):
            agree, differ = bool(numbers & editions), not numbers & editions
        weight = 1.0
        if agree:
            weight *= SIGNED
        if differ:
            weight /= SIGNED
        weights[game.pk] = weight
    return weights


def _count_known_claims(faction: Faction, pasted: PastedList) -> int:
    """Count what the head of a list names that a faction has as a kind of force or a choice for the whole list."""
    book = load_faction_book(faction)
    names = {*pasted.claims.detachments, *pasted.claims.other.values()} - {""}
    if book is None or not names:
        return 0
    settings = [root for root in book.distinct_roots if root.entry.target.type is EntryType.UPGRADE]
    options = chain.from_iterable(root.entry.contents.options for root in settings)
    known = NameLookup((option.name, option) for option in (*settings, *options))
    return sum(known.find(name).certain is not None for name in names) + (find_named_force(book, pasted) is not None)
