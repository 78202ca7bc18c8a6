import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from django.db.models import Case, Count, F, Min, Q, QuerySet, When, Window
from django.db.models.functions import RowNumber
from rapidfuzz import fuzz, process

from catalogue.models import Card, Faction, PackVersion, UnitEntry, UnitText
from catalogue.services.texts import fold_text

MOST_WORDS = 8
LONGEST_TEXT = 100
ALIKE = 72
"""The least similarity of a correction in percent: "necrn" and "necrons" have 83."""
SHORTEST_MISTAKE = 4
"""Shorter words are similar to too many others."""
MOST_NAMES = 20_000

MOST_HOLDERS = 500
"""How many units that contain a name are searched for its spelling."""
EQUIPMENT = ("option", "weapon")

Reason = tuple[str, str]

SORTS: dict[str, tuple[str, ...]] = {
    "book": ("position",),
    "name": ("name", "position"),
    "points": ("points", "name", "position"),
    "-points": ("-points", "name", "position"),
    "type": ("category", "name", "position"),
}
"""The default is the book's order."""

_GAME = "faction__version__game"
_PLACE = (f"{_GAME}__name", f"{_GAME}__edition", f"{_GAME}__slug", "faction__position")


class DeckCount(NamedTuple):
    id: str
    name: str
    cards: int


class TypeCount(NamedTuple):
    """The id "" is for units without a type."""

    id: str
    name: str
    units: int


def split_words(text: str) -> list[str]:
    """Return a search's folded words.

    >>> split_words("  Long   Förk ")
    ['long', 'fork']
    """
    return fold_text(text[:LONGEST_TEXT]).split()[:MOST_WORDS]


def rank_name(name: str, words: Sequence[str]) -> int:
    """Rank a name against folded search words, from 0 (equal) to 4 (no match).

    >>> [rank_name(name, ["lord"]) for name in ("Lord", "Lords of War", "Dread Lord", "Overlord", "Royal Warden")]
    [0, 1, 2, 3, 4]
    """
    text, name = " ".join(words), fold_text(name)
    if name == text:
        return 0
    if name.startswith(text):
        return 1
    if all(any(part.startswith(word) for part in re.split(r"[^\w']+", name)) for word in words):
        return 2
    return 3 if all(word in name for word in words) else 4


def find_option_name(version: PackVersion, name: str) -> str:
    """Return the data's spelling of any unit's option or weapon, or ""."""
    folded = fold_text(name)
    if not folded:
        return ""
    holders = UnitText.objects.filter(version=version, search_text__contains=folded)
    for terms in holders.values_list("terms", flat=True)[:MOST_HOLDERS]:
        matching = (written for kind, written in terms if kind in EQUIPMENT and fold_text(written) == folded)
        if written := next(matching, ""):
            return written
    return ""


def correct_words(text: str, vocabulary: Collection[str]) -> str:
    """Replace each unknown word by the most similar known word, if any.

    >>> correct_words("necrn warior", {"necron", "warriors", "wraiths"})
    'necron warriors'
    """
    corrected = []
    for word in split_words(text):
        if len(word) >= SHORTEST_MISTAKE and not any(word in other for other in vocabulary):
            # Sorted, so that ties always give the same word.
            likest = process.extract(word, sorted(vocabulary), scorer=fuzz.ratio, score_cutoff=ALIKE, limit=1)
            word = likest[0][0] if likest else word
        corrected.append(word)
    return " ".join(corrected)


def correct_search(factions: QuerySet[Faction], text: str) -> str:
    """Correct a search by names of units and cards. Slow, so only for searches without results."""
    units = UnitEntry.objects.filter(faction__in=factions, hidden=False).values_list("name", flat=True)
    cards = Card.objects.filter(faction__in=factions).values_list("name", flat=True)
    names = {*units.distinct()[:MOST_NAMES], *cards.distinct()[:MOST_NAMES]}
    return correct_words(text, {word for name in names for word in fold_text(name).split()})


def find_units(
    factions: Iterable[Faction], text: str = "", category_id: str | None = None, sort: str = "book"
) -> QuerySet[UnitEntry]:
    """Find visible units that have every word of `text` in name, type, equipment or abilities.

    An unknown `sort` means the book's order.
    """
    units = _filter_matching(factions, text)
    if category_id is not None:
        units = units.filter(category_id=category_id)
    order = SORTS.get(sort, SORTS["book"])
    return units.select_related("texts").defer("texts__search_text").order_by(*_PLACE, *order)


def collect_search_words(faction: Faction) -> dict[str, str]:
    units = UnitEntry.objects.filter(faction=faction, texts__isnull=False)
    return dict(units.values_list("slug", "texts__search_text"))


def search_units(factions: Iterable[Faction], text: str) -> QuerySet[UnitEntry]:
    """Find units in the order of `rank_name`; of equal ones, the first faction's."""
    alike = [F("faction__version"), F("name"), F("category_id"), F("points")]
    # In the database: a word may match thousands of units, of which a page shows a few.
    once = Window(RowNumber(), partition_by=alike, order_by=["position", "pk"])
    first = _filter_matching(factions, text).annotate(nth=once).filter(nth=1).values("pk")
    words = split_words(text)
    named = begun = Q(pk__isnull=False)
    for word in words:
        named &= Q(name__icontains=word)
        begun &= Q(name__istartswith=word) | Q(name__icontains=f" {word}") | Q(name__icontains=f"-{word}")
    rank = Case(
        When(name__iexact=" ".join(words), then=0),
        When(texts__search_text__startswith=" ".join(words), then=1),
        When(begun, then=2),
        When(named, then=3),
        default=4,
    )
    ranked = UnitEntry.objects.filter(pk__in=first).alias(rank=rank)
    return ranked.select_related("texts").defer("texts__search_text").order_by("rank", *_PLACE, "position")


def group_like_units(units: Sequence[UnitEntry]) -> dict[UnitEntry, list[UnitEntry]]:
    same = UnitEntry.objects.filter(
        faction__version__in={unit.faction.version_id for unit in units},
        name__in={unit.name for unit in units},
        hidden=False,
    )
    alike: dict[tuple[object, ...], list[UnitEntry]] = {}
    for unit in same.select_related("faction").order_by("faction__position"):
        alike.setdefault(_get_likeness(unit), []).append(unit)
    return {unit: [u for u in alike[_get_likeness(unit)] if u.faction_id != unit.faction_id] for unit in units}


def _get_likeness(unit: UnitEntry) -> tuple[object, ...]:
    return unit.faction.version_id, unit.name, unit.category_id, unit.points


def find_cards(factions: Iterable[Faction], text: str = "", deck_id: str = "") -> QuerySet[Card]:
    cards = Card.objects.filter(faction__in=factions)
    for word in split_words(text):
        cards = cards.filter(search_text__contains=word)
    if deck_id:
        cards = cards.filter(deck_id=deck_id)
    return cards.defer("search_text").order_by(*_PLACE, "position")


def count_decks(faction: Faction) -> list[DeckCount]:
    rows = (
        faction.cards.values_list("deck_id", "deck")
        .annotate(cards=Count("pk"), first=Min("position"))
        .order_by("first")
    )
    return [DeckCount(deck_id, name, cards) for deck_id, name, cards, _ in rows]


def has_cards(version: PackVersion) -> bool:
    return Card.objects.filter(faction__version=version).exists()


def _filter_matching(factions: Iterable[Faction], text: str) -> QuerySet[UnitEntry]:
    units = UnitEntry.objects.filter(faction__in=factions, hidden=False)
    for word in split_words(text):
        units = units.filter(texts__search_text__contains=word)
    return units


def count_types(faction: Faction) -> list[TypeCount]:
    rows = (
        faction.units.filter(hidden=False)
        .values_list("category_id", "category")
        .annotate(units=Count("pk"), first=Min("position"))
        .order_by("first")
    )
    return [TypeCount(category_id, name, units) for category_id, name, units, _ in rows]


def explain_matches(units: Iterable[UnitEntry], text: str) -> list[tuple[UnitEntry, list[Reason]]]:
    words = split_words(text)
    return [(unit, list_match_reasons(unit, words)) for unit in units]


def list_match_reasons(unit: UnitEntry, words: Sequence[str], most: int = 3) -> list[Reason]:
    """List kinds and names that match words missing from the unit's name."""
    missing = [word for word in words if word not in fold_text(unit.name)]
    terms = unit.texts.terms if unit.texts else []
    return [(kind, name) for kind, name in terms if any(word in fold_text(name) for word in missing)][:most]
