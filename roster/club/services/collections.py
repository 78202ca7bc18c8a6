from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import IO
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet

from catalogue.definitions.identity import find_slot_emblem
from catalogue.models import Faction, GameSystem, UnitEntry
from catalogue.services.published_games import select_readable_games
from catalogue.services.texts import fold_text
from roster.club.models import Collection, KindPhoto, ModelState, OwnedKind, StateChange
from roster.club.models.collections import KIND_NOTES_LENGTH, LOCATION_LENGTH
from roster.club.services import captioned_photos
from roster.club.services.captioned_photos import select_shown_photos
from roster.models import Roster
from roster.services.limits import check_name, check_room, check_text
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, filter_owned, find_own, find_readable

MOST_KINDS = 500
MOST_MODELS = 9_999
"""The most models of a kind in one state, and of one step."""
MOST_LISTS = 12
"""The most lists that a collection is measured against."""
MOST_GAMES = 12
"""The most further games that a collection counts for."""
MOST_PHOTOS = 6
"""The most photos of a kind."""
MOST_CHANGES = 2_000
"""Older steps of a collection are forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedKind:
    """A unit of the data that a kind of model can be."""

    entry_id: str
    name: str
    category: str
    emblem: str


@dataclass(frozen=True, slots=True)
class OfferedKinds:
    by_id: dict[str, OfferedKind]
    by_name: dict[str, OfferedKind]

    def find(self, name: str, entry_id: str = "") -> OfferedKind | None:
        return self.by_id.get(entry_id) or self.by_name.get(fold_text(name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A ticked row of a list: `number` models of a kind that had `seen` owned or painted models on the page."""

    name: str
    seen: int
    number: int


NO_KINDS = OfferedKinds({}, {})


def list_collections(visitor: Visitor) -> QuerySet[Collection]:
    return filter_owned(visitor, Collection.objects.select_related("game"))


def select_counting(collections: QuerySet[Collection], game_id: int) -> QuerySet[Collection]:
    """Select the collections whose models count for lists of a game."""
    chosen = Collection.more_games.through.objects.filter(gamesystem=game_id)
    return collections.filter(Q(game=game_id) | Q(pk__in=chosen.values("collection")))


def find_own_collection(public_id: str, visitor: Visitor) -> Collection:
    """Return the visitor's collection. Raises Collection.DoesNotExist."""
    return find_own(visitor, Collection.objects.select_related("game"), public_id)


def find_readable_collection(link_id: str, visitor: Visitor) -> Collection:
    """Return a link's collection. Raises Collection.DoesNotExist."""
    return find_readable(visitor, Collection.objects.select_related("game"), link_id)


def start_collection(visitor: Visitor, game: GameSystem, faction_id: str) -> Collection | Refused:
    """Return the visitor's collection of a faction, new if there is none. Refuses `unknown-faction`."""
    existing = list_collections(visitor).filter(game=game, faction_id=faction_id).first()
    if existing:
        return existing
    faction = Faction.objects.filter(version=_find_data(game), faction_id=faction_id).first()
    if faction is None:
        return Refused(code="unknown-faction", subject_id=faction_id)
    if full := check_room(visitor, Collection):
        return full
    return Collection.objects.create(
        game=game, game_name=str(game), faction_id=faction_id, name=faction.heading, **visitor.fields
    )


def list_offered_kinds(collection: Collection) -> OfferedKinds:
    """Return the units of the collection's faction in current data; none if the game is gone."""
    version_id = _find_data(collection.game)
    return NO_KINDS if version_id is None else _load_kinds(version_id, collection.faction_id)


def find_face(collection: Collection) -> Faction | None:
    """Return the faction in current data, for its colours; None if the game is gone."""
    version_id = _find_data(collection.game)
    return Faction.objects.filter(version=version_id, faction_id=collection.faction_id).first() if version_id else None


def list_startable_factions(visitor: Visitor) -> QuerySet[Faction]:
    """List the factions of published games and of the visitor's own private games."""
    readable = Q(version__current_of__isnull=False)
    if visitor.user_id is not None:
        readable |= Q(version__private_of__owner=visitor.user_id)
    factions = Faction.objects.filter(readable).select_related("version__game")
    return factions.order_by("version__game__name", "version__game__edition", "name")


def _find_data(game: GameSystem | None) -> int | None:
    """Return the key of a game's data for new lists. Works for private games, too."""
    return (game.current_id or game.private_version_id) if game else None


@lru_cache(maxsize=64)
def _load_kinds(version_id: int, faction_id: str) -> OfferedKinds:
    """Load a faction's units once per process, because versions never change."""
    rows = UnitEntry.objects.filter(faction__version=version_id, faction__faction_id=faction_id)
    kinds = [
        OfferedKind(entry_id=entry_id, name=name, category=category, emblem=emblem or find_slot_emblem(category))
        for entry_id, name, category, emblem in rows.values_list("entry_id", "name", "category", "emblem")
    ]
    return OfferedKinds({kind.entry_id: kind for kind in kinds}, {fold_text(kind.name): kind for kind in kinds})


@transaction.atomic
def add_models(collection: Collection, name: str, number: int, state: str) -> OwnedKind | Refused:
    """Add bought models of a kind, by its name. Refuses `no-name`, `bad-number`, `bad-change`, `too-many`."""
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-name")
    if state not in ModelState.values:
        return Refused(code="bad-change")
    kind = _find_or_create(collection, cleaned)
    return kind if isinstance(kind, Refused) else _record(kind, "", state, number) or kind


def _find_or_create(collection: Collection, name: str) -> OwnedKind | Refused:
    _lock(collection)
    kinds_by_name = {fold_text(kind.name): kind for kind in collection.kinds.all()}
    if kind := kinds_by_name.get(fold_text(name)):
        return kind
    if len(kinds_by_name) >= MOST_KINDS:
        return Refused(code="too-many", allowed=MOST_KINDS, measured=len(kinds_by_name) + 1)
    unit = list_offered_kinds(collection).find(name)
    if unit is None:
        return OwnedKind.objects.create(collection=collection, name=name)
    return OwnedKind.objects.create(collection=collection, name=unit.name, entry_id=unit.entry_id, emblem=unit.emblem)


def move_models(collection: Collection, kind_id: int, source: str, target: str, number: int) -> OwnedKind | Refused:
    """Move models of a kind from one state to another. Sold models have no `target`.

    Refuses `bad-change` for unknown states and kinds, `bad-number`, and `too-few` if `source` has fewer models.
    """
    if source not in ModelState.values or target not in ("", *ModelState.values) or source == target:
        return Refused(code="bad-change")
    with transaction.atomic():
        _lock(collection)
        kind = collection.kinds.filter(pk=kind_id).first()
        if kind is None:
            return Refused(code="bad-change")
        if kind.count(source) < number:
            return Refused(code="too-few", subject_id=kind.name, measured=kind.count(source), allowed=number)
        return _record(kind, source, target, number) or kind


@transaction.atomic
def set_models(
    collection: Collection, name: str, numbers: Mapping[str, int], notes: str, location: str
) -> Refused | None:
    """Set a kind's models in the given states, and its notes and location if not blank.

    Refuses `no-name`, `bad-number`, `too-many`, `too-long`.
    """
    cleaned, cleaned_notes = check_name(name), check_text(notes, KIND_NOTES_LENGTH, subject="notes")
    if isinstance(cleaned, Refused):
        return cleaned
    if isinstance(cleaned_notes, Refused):
        return cleaned_notes
    cleaned_location = check_text(location, LOCATION_LENGTH, subject="location")
    if isinstance(cleaned_location, Refused):
        return cleaned_location
    if not cleaned:
        return Refused(code="no-name")
    kind = _find_or_create(collection, cleaned)
    if isinstance(kind, Refused):
        return kind
    for state, number in numbers.items():
        more = number - kind.count(state)
        ends = ("", state) if more > 0 else (state, "")
        if more and (refused := _record(kind, *ends, abs(more))):
            return refused
    texts = {"notes": cleaned_notes, "location": cleaned_location}
    if given := {field: text for field, text in texts.items() if text}:
        OwnedKind.objects.filter(pk=kind.pk).update(**given)
    return None


def note_kind(collection: Collection, kind_id: int, notes: str, location: str) -> Refused | None:
    """Set a kind's notes and location. Refuses `bad-change` and `too-long`."""
    cleaned = check_text(notes, KIND_NOTES_LENGTH, subject="notes")
    if isinstance(cleaned, Refused):
        return cleaned
    cleaned_location = check_text(location, LOCATION_LENGTH, subject="location")
    if isinstance(cleaned_location, Refused):
        return cleaned_location
    if not collection.kinds.filter(pk=kind_id).update(notes=cleaned, location=cleaned_location):
        return Refused(code="bad-change")
    return None


def drop_kind(collection: Collection, kind_id: int) -> None:
    """Delete a kind with its steps."""
    collection.kinds.filter(pk=kind_id).delete()


def add_photo(kind: OwnedKind, file: IO[bytes], caption: str) -> KindPhoto | Refused:
    """Add a photo behind a kind's others. Refuses as `captioned_photos.add_photo` does."""
    photos, user_id = kind.photos.all(), kind.collection.owner_id
    photo = KindPhoto(kind=kind, place=(photos.aggregate(last=Max("place"))["last"] or 0) + 1)
    return captioned_photos.add_photo(photo, kind, photos, file, caption, user_id=user_id, most=MOST_PHOTOS)


def put_photo_first(kind: OwnedKind, photo_id: int) -> Refused | None:
    """Show a photo before a kind's others. Refuses `bad-change`."""
    with transaction.atomic():
        _lock(kind.collection)
        photos = sorted(kind.photos.all(), key=lambda photo: photo.pk != photo_id)
        if not photos or photos[0].pk != photo_id:
            return Refused(code="bad-change")
        for place, photo in enumerate(photos):
            photo.place = place
        KindPhoto.objects.bulk_update(photos, ["place"])
    return None


def list_kind_photos(collection: Collection, reader: Visitor) -> dict[int, list[KindPhoto]]:
    """List the photos that a reader may see, by key of the kind."""
    photos = KindPhoto.objects.filter(kind__collection=collection).select_related("kind__collection")
    by_kind: dict[int, list[KindPhoto]] = {}
    for photo in select_shown_photos(photos, collection, reader):
        by_kind.setdefault(photo.kind_id, []).append(photo)
    return by_kind


def find_kind_photo(collection: Collection, photo_id: int, reader: Visitor) -> KindPhoto:
    """Find a photo of a readable collection. Raises KindPhoto.DoesNotExist."""
    photos = KindPhoto.objects.filter(kind__collection=collection)
    return select_shown_photos(photos, collection, reader).get(pk=photo_id)


def tick_models(collection: Collection, ticks: Sequence[Tick], *, are_painted: bool) -> int | Refused:
    """Mark ticked models as painted, or add them as bought, as one step; return the number of models.

    Ticks that were carried out since their page was shown are left out, so a form sent twice counts once. Refuses
    `nothing-ticked`, `changed-since`, `too-few-unpainted`, and as `add_models` does.
    """
    if not ticks:
        return Refused(code="nothing-ticked")
    ticked, total = uuid4(), 0
    with transaction.atomic():
        _lock(collection)
        for tick in ticks:
            outcome = _paint(collection, tick, ticked) if are_painted else _buy(collection, tick, ticked)
            if isinstance(outcome, Refused):
                transaction.set_rollback(True)
                return outcome
            total += outcome
    return total


def _buy(collection: Collection, tick: Tick, ticked: UUID) -> int | Refused:
    name = check_name(tick.name)
    kind = _find_or_create(collection, name) if isinstance(name, str) else name
    if isinstance(kind, Refused):
        return kind
    if kind.owned == tick.seen:
        return _record(kind, "", ModelState.SPRUE, tick.number, ticked) or tick.number
    return 0 if kind.owned == tick.seen + tick.number else Refused(code="changed-since", subject_id=kind.name)


def _paint(collection: Collection, tick: Tick, ticked: UUID) -> int | Refused:
    kind = collection.kinds.filter(name=tick.name).first()
    if kind is None:
        return Refused(code="changed-since", subject_id=tick.name)
    if kind.ready != tick.seen:
        done = kind.ready == tick.seen + tick.number
        return 0 if done else Refused(code="changed-since", subject_id=kind.name)
    if tick.number < 1:
        return Refused(code="bad-number")
    if kind.unpainted < tick.number:
        return Refused(code="too-few-unpainted", subject_id=kind.name, measured=kind.unpainted)
    left = tick.number
    for state in (ModelState.PRIMED, ModelState.BUILT, ModelState.SPRUE):
        number = min(left, kind.count(state))
        if number and (refused := _record(kind, state, ModelState.PAINTED, number, ticked)):
            return refused
        left -= number
    return tick.number


def list_newest_step(collection: Collection) -> list[StateChange]:
    """List the changes that `undo_change` would undo, newest first."""
    changes = StateChange.objects.filter(kind__collection=collection).select_related("kind")
    newest = changes.first()
    if newest is None or newest.ticked is None:
        return [newest] if newest else []
    return list(changes.filter(ticked=newest.ticked))


def undo_change(collection: Collection) -> list[StateChange] | Refused:
    """Undo the newest step, and return its changes. Refuses `nothing-to-undo`."""
    with transaction.atomic():
        _lock(collection)
        changes = list_newest_step(collection)
        if not changes:
            return Refused(code="nothing-to-undo")
        for change in changes:
            _shift(change.kind, change.target, change.source, change.number)
        StateChange.objects.filter(pk__in=[change.pk for change in changes]).delete()
    return changes


def choose_lists(collection: Collection, rosters: Iterable[Roster], together: bool) -> Refused | None:
    """Measure a collection against its owner's lists. Refuses `too-many`."""
    chosen = list(rosters)
    if len(chosen) > MOST_LISTS:
        return Refused(code="too-many", allowed=MOST_LISTS, measured=len(chosen))
    collection.lists.set(chosen)
    Collection.objects.filter(pk=collection.pk).update(together=together)
    collection.together = together
    return None


def list_offered_games(collection: Collection, chosen: Iterable[GameSystem], visitor: Visitor) -> list[GameSystem]:
    """List the games that a collection could count for besides the chosen ones, editions of its own game first."""
    family = collection.game.family if collection.game else ""
    # The versions and texts of 150 games are large.
    readable = select_readable_games(visitor.user_id).select_related(None)
    named = readable.only("slug", "family", "name", "title", "edition")
    counting = {collection.game_id, *(game.pk for game in chosen)}
    games = [game for game in named if game.pk not in counting]
    return sorted(games, key=lambda game: not family or game.family != family)


def choose_games(collection: Collection, visitor: Visitor, slugs: Iterable[str]) -> Refused | None:
    """Choose the further games whose lists a collection's models count for. Refuses `unknown-game`, `too-many`."""
    # A chosen game can stay, even if its data was withdrawn.
    before = list(collection.more_games.all())
    games_by_slug = {game.slug: game for game in (*before, *list_offered_games(collection, before, visitor))}
    chosen = set(slugs)
    if not chosen <= games_by_slug.keys():
        return Refused(code="unknown-game")
    if len(chosen) > MOST_GAMES:
        return Refused(code="too-many", allowed=MOST_GAMES, measured=len(chosen))
    collection.more_games.set(games_by_slug[slug] for slug in chosen)
    return None


def add_games(collection: Collection, visitor: Visitor, slugs: Iterable[str]) -> list[str]:
    """Let a collection's models also count for further games; return the slugs that are unknown or too many."""
    chosen = list(collection.more_games.all())
    offered = {game.slug: game for game in list_offered_games(collection, chosen, visitor)}
    known = {collection.game.slug if collection.game else "", *(game.slug for game in chosen)}
    new = [slug for slug in dict.fromkeys(slugs) if slug not in known]
    added = [slug for slug in new if slug in offered][: MOST_GAMES - len(chosen)]
    collection.more_games.add(*(offered[slug] for slug in added))
    return [slug for slug in new if slug not in added]


@transaction.atomic
def delete_collection(collection: Collection) -> None:
    Collection.objects.filter(pk=collection.pk).delete()


def _lock(collection: Collection) -> None:
    """Wait for a collection's other steps, and mark it as changed."""
    Collection.objects.select_for_update().get(pk=collection.pk).save(update_fields=["updated"])


def _record(kind: OwnedKind, source: str, target: str, number: int, ticked: UUID | None = None) -> Refused | None:
    if not 0 < number <= MOST_MODELS:
        return Refused(code="bad-number")
    if target and kind.count(target) + number > MOST_MODELS:
        return Refused(code="too-many", allowed=MOST_MODELS, measured=kind.count(target) + number)
    _shift(kind, source, target, number)
    StateChange.objects.create(kind=kind, source=source, target=target, number=number, ticked=ticked)
    old = StateChange.objects.filter(kind__collection=kind.collection_id).values_list("pk", flat=True)
    if oldest := list(old[MOST_CHANGES : MOST_CHANGES + 1]):
        StateChange.objects.filter(kind__collection=kind.collection_id, pk__lte=oldest[0]).delete()
    return None


def _shift(kind: OwnedKind, source: str, target: str, number: int) -> None:
    changes = {}
    if source:
        changes[source] = F(source) - number
    if target:
        changes[target] = F(target) + number
    OwnedKind.objects.filter(pk=kind.pk).update(**changes)
    kind.refresh_from_db()
