"""Looking through many lists: by words, game, faction, verdict, folder and tag. Nothing is judged for it: the verdict
stands with each list."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Q, QuerySet

from catalogue.models import Faction, PackVersion
from catalogue.services.search import split_words
from catalogue.services.texts import fold_text
from roster.models import Roster, Tag
from roster.services.owners import Visitor, filter_owned

NO_FOLDER = "none"
UNSHOWN = ("version__presets", "version__rulesets", "version__game__summary", "version__game__notice")
"""Long columns that no row of a page shows."""
ORDERS = {"": ("-updated", "-id"), "name": ("search_text", "-id")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilter:
    """What somebody looks for. `faction` is a faction's id, `folder` and `tag` are keys of rows; blank is anything."""

    q: str = ""
    game: str = ""
    faction: str = ""
    verdict: str = ""
    folder: str = ""
    tag: str = ""
    order: str = ""


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """The games and factions that somebody has lists of: what there is to choose from."""

    versions: Sequence[PackVersion]
    factions: Sequence[Faction]

    @property
    def games(self) -> list[tuple[str, str]]:
        """Slugs and names, each once."""
        names = {version.game.slug: str(version.game) for version in self.versions}
        return sorted(names.items(), key=lambda item: item[1])

    def list_factions(self, game: str) -> list[tuple[str, str]]:
        """Return ids and names of the factions of one game, or of all, each once."""
        slugs = {version.pk: version.game.slug for version in self.versions}
        names = {
            faction.faction_id: faction.name
            for faction in self.factions
            if not game or slugs[faction.version_id] == game
        }
        return sorted(names.items(), key=lambda item: item[1])


def find_filter_options(owner: Visitor) -> FilterOptions:
    """Return the games and factions somebody has lists of, with one look into an index for each."""
    mine = filter_owned(owner, Roster.objects.filter(binned=None))
    versions = PackVersion.objects.filter(Exists(mine.filter(version=OuterRef("pk")))).select_related("game")
    known = list(versions)
    factions = Faction.objects.filter(version__in=known).filter(
        Exists(mine.filter(version=OuterRef("version_id"), faction_id=OuterRef("faction_id")))
    )
    return FilterOptions(known, list(factions) if known else [])


def search_lists(
    owner: Visitor, wanted: ListFilter, known: FilterOptions, tags: Sequence[Tag]
) -> QuerySet[Roster]:
    """Return the owner's lists that match; only columns within the index are read."""
    lists = filter_owned(owner, Roster.objects.filter(binned=None))
    if wanted.game:
        lists = lists.filter(version__in=[v.pk for v in known.versions if v.game.slug == wanted.game])
    if wanted.faction:
        lists = lists.filter(faction_id=wanted.faction)
    if wanted.verdict:
        lists = lists.filter(verdict=wanted.verdict)
    if wanted.folder == NO_FOLDER:
        lists = lists.filter(folder=None)
    elif wanted.folder:
        lists = lists.filter(folder=int(wanted.folder))
    if wanted.tag:
        lists = lists.filter(_match_tags([int(wanted.tag)]))
    # Every word has to be somewhere; where it is does not matter.
    for word in split_words(wanted.q):
        lists = lists.filter(_match_word(word, known, tags))
    return lists.order_by(*ORDERS.get(wanted.order, ORDERS[""]))


def fetch_rows(lists: QuerySet[Roster], keys: Sequence[int]) -> list[Roster]:
    """Return the lists of these keys, in their order, with game, folder and tags, documents left in the database."""
    rows = (
        Roster.objects.filter(pk__in=keys)
        .select_related("version__game", "folder")
        .prefetch_related("tags")
        .defer("document", *UNSHOWN)
    )
    by_key = {roster.pk: roster for roster in rows}
    return [by_key[key] for key in keys if key in by_key]


def _match_word(word: str, known: FilterOptions, tags: Sequence[Tag]) -> Q:
    """Match lists with a word in their name or a unit's, or in that of their game, faction or a tag."""
    # Names of games and factions are few: they are matched here, so that the query needs no join.
    versions = [v.pk for v in known.versions if word in fold_text(str(v.game))]
    factions = {faction.faction_id for faction in known.factions if word in fold_text(faction.name)}
    labels = [tag.pk for tag in tags if word in fold_text(tag.name)]
    ways = [Q(search_text__contains=word)]
    ways += [Q(version__in=versions)] * bool(versions)
    ways += [Q(faction_id__in=factions)] * bool(factions)
    ways += [_match_tags(labels)] * bool(labels)
    return reduce(or_, ways)


def _match_tags(keys: Sequence[int]) -> Q:
    return Q(pk__in=Roster.tags.through._default_manager.filter(tag_id__in=keys).values("roster_id"))
