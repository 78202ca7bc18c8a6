"""Search lists without evaluating them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.functional import cached_property

from catalogue.definitions.numbers import format_number
from catalogue.models import Faction, PackVersion
from catalogue.services.search import correct_words, split_words
from catalogue.services.texts import fold_text
from roster.engine.report import Verdict
from roster.models import Folder, Roster, Tag
from roster.models.ownership import PlayerName
from roster.services.owners import Visitor, filter_owned
from roster.services.sharing import filter_public

NO_FOLDER = "none"
HOUSE_RULES = "house-rules"
"""The verdict to search for if lists are legal only by players' house rules."""
VERDICTS_SOUGHT = (Verdict.LEGAL.value, HOUSE_RULES, Verdict.INCOMPLETE.value, Verdict.ILLEGAL.value)
ORDERS = {"": ("-updated", "-id"), "name": ("search_text", "-id"), "copied": ("-times_copied", "-updated", "-id")}
OWN_ORDERS = ("", "name")
PUBLIC_ORDERS = ("", "copied")
AT_ONCE = 30
"""Lists, or decks, on a page."""
MOST_READ = 2_000
"""How many recently changed lists supply words for corrections."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilter:
    """Search criteria; blank matches anything.

    `size` is a value of `Roster.limit`, `verdict` one of `VERDICTS_SOUGHT`, `folder` and `tag` are primary keys. `unit`
    are words of a unit's or list's name.
    """

    q: str = ""
    game: str = ""
    faction: str = ""
    size: str = ""
    verdict: str = ""
    unit: str = ""
    since: datetime | None = None
    folder: str = ""
    tag: str = ""
    order: str = ""

    @property
    def has_all(self) -> bool:
        return replace(self, order="") == ListFilter()


@dataclass(frozen=True, slots=True)
class FilterOptions:
    versions: Sequence[PackVersion]
    factions: Sequence[Faction]

    @property
    def games(self) -> list[tuple[str, str]]:
        names = {version.game.slug: str(version.game) for version in self.versions}
        return sorted(names.items(), key=lambda item: item[1])

    @property
    def distinct_factions(self) -> list[Faction]:
        by_id = {faction.faction_id: faction for faction in self.factions}
        return sorted(by_id.values(), key=lambda faction: faction.heading)

    @property
    def sizes(self) -> list[str]:
        """The games' usual sizes, because lists' limits are not indexed."""
        limits = {
            preset.limits[version.points_id]
            for version in self.versions
            for preset in version.read_presets()
            if version.points_id in preset.limits
        }
        return [format_number(limit) for limit in sorted(limits)]

    def list_factions(self, game: str) -> list[tuple[str, str]]:
        slugs = {version.pk: version.game.slug for version in self.versions}
        names = {
            faction.faction_id: faction.heading
            for faction in self.factions
            if not game or slugs[faction.version_id] == game
        }
        return sorted(names.items(), key=lambda item: item[1])

    def list_version_keys(self, game: str) -> list[int]:
        return [version.pk for version in self.versions if version.game.slug == game]


NO_OPTIONS = FilterOptions((), ())
"""For a search without a game or words, which needs no options."""


def select_own_lists(owner: Visitor) -> QuerySet[Roster]:
    return filter_owned(owner, Roster.objects.filter(binned=None))


def select_public_lists() -> QuerySet[Roster]:
    return filter_public(Roster.objects.filter(binned=None))


def find_filter_options(lists: QuerySet[Roster]) -> FilterOptions:
    """Find the games and factions of lists, with one index lookup each."""
    lists = lists.order_by()
    versions = PackVersion.objects.filter(Exists(lists.filter(version=OuterRef("pk")))).select_related("game")
    keys = list(versions)
    factions = Faction.objects.filter(version__in=keys).filter(
        Exists(lists.filter(version=OuterRef("version_id"), faction_id=OuterRef("faction_id")))
    )
    return FilterOptions(keys, list(factions) if keys else [])


def look_up_options(kinds: Collection[tuple[int, str]]) -> FilterOptions:
    version_keys, faction_ids = {version for version, _faction in kinds}, {faction for _version, faction in kinds}
    # Unsorted: the models' default order joins two more tables.
    versions = PackVersion.objects.filter(pk__in=version_keys).select_related("game").order_by("pk")
    factions = Faction.objects.filter(version__in=version_keys, faction_id__in=faction_ids).order_by("pk")
    return FilterOptions(
        list(versions), [faction for faction in factions if (faction.version_id, faction.faction_id) in kinds]
    )


def search_lists(
    lists: QuerySet[Roster],
    query: ListFilter,
    options: FilterOptions,
    tags: Sequence[Tag] = (),
    *,
    by_others: bool = False,
) -> QuerySet[Roster]:
    """Search by indexed columns only. For a search `by_others`, units of secret lists do not match."""
    verdict = Verdict.LEGAL.value if query.verdict == HOUSE_RULES else query.verdict
    columns = {"faction_id": query.faction, "limit": query.size, "verdict": verdict}
    matched: dict[str, Any] = {column: value for column, value in columns.items() if value}
    if query.game:
        matched["version__in"] = options.list_version_keys(query.game)
    if query.folder:
        matched["folder"] = None if query.folder == NO_FOLDER else int(query.folder)
    lists = lists.filter(**matched)
    if verdict == Verdict.LEGAL.value:
        # A subquery has an index of its own, because the indexes of overviews have no house rules.
        is_by_rules = Q(pk__in=Roster.objects.filter(homebrew__gt="").order_by().values("pk"))
        lists = lists.filter(is_by_rules if query.verdict == HOUSE_RULES else ~is_by_rules)
    if query.tag:
        lists = lists.filter(_match_tags([int(query.tag)]))
    if query.since:
        lists = lists.filter(updated__gte=query.since)
    if query.unit and by_others:
        lists = lists.filter(is_secret=False)
    for word in split_words(query.unit):
        lists = lists.filter(search_text__contains=word)
    # Every word must match, in any field.
    for word in split_words(query.q):
        lists = lists.filter(_match_word(word, options, tags, by_others=by_others))
    return lists.order_by(*ORDERS.get(query.order, ORDERS[""]))


class ListPages(Paginator[int]):
    """Pages of keys from an index. A single page or a known `total` needs no count."""

    def __init__(self, lists: QuerySet[Roster], total: int | None = None) -> None:
        super().__init__(lists.values_list("pk", flat=True), AT_ONCE)
        self._total = total

    @cached_property
    def first_keys(self) -> list[int]:
        return list(self.object_list[: self.per_page + 1])

    @cached_property
    def count(self) -> int:
        if self._total is not None:
            return self._total
        number = len(self.first_keys)
        return number if number <= self.per_page else super().count

    def page(self, number: int | str) -> Page[int]:
        number = self.validate_number(number)
        return Page(self.first_keys[: self.per_page], number, self) if number == 1 else super().page(number)


@dataclass(frozen=True, slots=True)
class FoundLists:
    """`corrected` is the query that replaced one without a match, "" if the typed one matched."""

    pages: ListPages
    corrected: str = ""


def find_lists(
    lists: QuerySet[Roster],
    query: ListFilter,
    options: FilterOptions,
    tags: Sequence[Tag] = (),
    *,
    by_others: bool = False,
    total: int | None = None,
) -> FoundLists:
    """Find lists that match the query or else its corrected spelling."""
    matching = ListPages(
        search_lists(lists, query, options, tags, by_others=by_others), total if query.has_all else None
    )
    if not query.q or matching.first_keys:
        return FoundLists(matching)
    # Suggestions must not reveal the words of secret lists.
    readable = lists.filter(is_secret=False) if by_others else lists
    corrected = _correct_typed(readable, query.q, options, tags)
    likely = ListPages(search_lists(lists, replace(query, q=corrected), options, tags, by_others=by_others))
    return FoundLists(likely, corrected) if likely.first_keys else FoundLists(matching)


def _correct_typed(lists: QuerySet[Roster], text: str, options: FilterOptions, tags: Sequence[Tag]) -> str:
    texts = list(lists.order_by("-updated").values_list("search_text", flat=True)[:MOST_READ])
    names = [
        *(str(version.game) for version in options.versions),
        *(faction.name for faction in options.factions),
        *(tag.name for tag in tags),
    ]
    texts += map(fold_text, names)
    return correct_words(text, {word for line in texts for word in line.split()})


def fetch_rows(
    keys: Sequence[int], options: FilterOptions, folders: Iterable[Folder] = (), *, public: bool = False
) -> list[Roster]:
    """Return these lists in order, with games and folders but without documents."""
    rows = Roster.objects.filter(pk__in=keys).defer("document", "outlook", "search_text")
    if public:
        rows = rows.select_related("owner__player_name")
    by_key = {roster.pk: roster for roster in rows}
    versions = {version.pk: version for version in options.versions}
    by_folder = {folder.pk: folder for folder in folders}
    for roster in by_key.values():
        if roster.version_id in versions:
            roster.version = versions[roster.version_id]
        if roster.folder_id in by_folder:
            roster.folder = by_folder[roster.folder_id]
    # A list may have been deleted since its key was read.
    return [by_key[key] for key in keys if key in by_key]


def fetch_tag_names(keys: Sequence[int]) -> dict[int, list[str]]:
    given = Roster.tags.through._default_manager.filter(roster__in=keys).order_by("tag__name", "tag")
    names: dict[int, list[str]] = {}
    for roster_id, name in given.values_list("roster_id", "tag__name"):
        names.setdefault(roster_id, []).append(name)
    return names


def _match_word(word: str, options: FilterOptions, tags: Sequence[Tag], *, by_others: bool) -> Q:
    if by_others:
        matched = Q(search_text__contains=word, is_secret=False) | Q(name__icontains=word, is_secret=True)
        # A subquery uses another index: that of public lists has no owners.
        players = PlayerName.objects.filter(name__icontains=word)
        matched |= Q(pk__in=Roster.objects.filter(owner__in=players.values("pk")).values("pk"))
    else:
        matched = Q(search_text__contains=word)

    # Matching the few games, factions and tags here saves the query joins.
    versions = [version.pk for version in options.versions if word in fold_text(str(version.game))]
    if versions:
        matched |= Q(version__in=versions)
    factions = {faction.faction_id for faction in options.factions if word in fold_text(faction.name)}
    if factions:
        matched |= Q(faction_id__in=factions)
    labels = [tag.pk for tag in tags if word in fold_text(tag.name)]
    return matched | _match_tags(labels) if labels else matched


def _match_tags(keys: Sequence[int]) -> Q:
    return Q(pk__in=Roster.tags.through._default_manager.filter(tag_id__in=keys).values("roster_id"))
