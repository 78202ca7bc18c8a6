"""Players' house rules: a working copy, checked at every change, and published versions."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256

from django.apps import apps
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from catalogue.definitions.catalogues import Catalogue, DataSet
from catalogue.graph.ids import split_id
from catalogue.models import GameSystem, PackVersion
from catalogue.services.documents import load_data_set
from catalogue.services.published_games import select_readable_games
from roster.engine.edits import Refused
from roster.engine.tree import RosterTree, list_selections
from roster.formats.homebrew.apply import AppliedHomebrew, RefusedLine, apply_homebrew
from roster.formats.homebrew.document import (
    MOST_BYTES,
    MOST_LINES,
    ChangedValue,
    CopiedUnit,
    Homebrew,
    HomebrewLine,
    read_homebrew,
    write_homebrew,
)
from roster.formats.list_document import Unreadable
from roster.models import HomebrewSet, HomebrewVersion, Roster
from roster.models.homebrew import VERSION_MARK, CopiedHomebrew
from roster.services.evaluation import EvaluatedList, decode_tree
from roster.services.limits import check_name
from roster.services.outcomes import Conflict
from roster.services.owners import Visitor
from roster.services.rulesets import HOMEBREW_MARK, find_homebrew, find_homebrew_for

MOST_SETS = 20
MOST_VERSIONS = 100


def list_sets(user: User) -> QuerySet[HomebrewSet]:
    return HomebrewSet.objects.filter(owner=user).select_related("game", "owner__player_name")


def find_own_set(user: User, public_id: str) -> HomebrewSet:
    """Find a user's set. Raises DoesNotExist, even for other users' sets."""
    return list_sets(user).get(public_id=public_id)


def find_linked_version(reader: Visitor, link_id: str, number: int | None = None) -> HomebrewVersion:
    """Find a version, by default the newest, by the readers' link. Raises DoesNotExist."""
    versions = HomebrewVersion.objects.select_related("homebrew_set__owner__player_name", "homebrew_set__game")
    versions = versions.filter(homebrew_set__link_id=link_id)
    version = (versions if number is None else versions.filter(number=number)).first()
    if version is None or not may_read_set(reader, version.homebrew_set):
        raise HomebrewVersion.DoesNotExist
    return version


def may_read_set(reader: Visitor, homebrew_set: HomebrewSet) -> bool:
    if homebrew_set.owner_id == reader.user_id:
        return True
    # Lines say values of the data, which a private game shows to its owner only.
    return not homebrew_set.taken_down and homebrew_set.game.owner_id in (None, reader.user_id)


def read_working(homebrew_set: HomebrewSet) -> Homebrew:
    return _read_stored(homebrew_set.working)


def read_version(version: HomebrewVersion) -> Homebrew:
    return _read_stored(version.document)


def name_homebrew(game_id: int, key: str) -> str:
    """Name the house rules of a list by their `id@number`: "" without, and in general words if they do not count."""
    published = find_homebrew_for(game_id, key) if key else None
    return read_version(published).name if published else _("house rules") if key else ""


def _read_stored(document: str) -> Homebrew:
    homebrew = read_homebrew(document.encode())
    assert isinstance(homebrew, Homebrew), homebrew  # noqa: S101 - only documents that were read are stored
    return homebrew


def find_newest(homebrew_set: HomebrewSet) -> HomebrewVersion | None:
    newest = homebrew_set.versions.first()
    if newest:
        newest.homebrew_set = homebrew_set
    return newest


def is_published(homebrew_set: HomebrewSet, newest: HomebrewVersion | None) -> bool:
    """Return whether the newest version equals the working copy."""
    return newest is not None and newest.content_hash == hash_homebrew(homebrew_set.working)


def hash_homebrew(document: str) -> str:
    return sha256(document.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingRules:
    """A list's house rules; `lines` affect its contents."""

    version: HomebrewVersion
    homebrew: Homebrew
    lines: tuple[HomebrewLine, ...]


def find_counting_rules(evaluated_list: EvaluatedList) -> CountingRules | None:
    version = find_homebrew(evaluated_list.tree.homebrew) if evaluated_list.homebrew else None
    if version is None:
        return None
    homebrew = read_version(version)
    taken = collect_taken_ids(evaluated_list.tree)
    return CountingRules(
        version=version, homebrew=homebrew, lines=tuple(line for line in homebrew.lines if is_about(line, taken))
    )


def collect_taken_ids(roster: RosterTree) -> set[str]:
    """Collect the ids of a list's entries and of their links."""
    return {part for one in list_selections(roster) for part in split_id(one.entry_id)}


def is_about(line: HomebrewLine, taken: Container[str]) -> bool:
    """Return whether a line changes one of these entries."""
    if isinstance(line, CopiedUnit):
        return line.unit in taken
    # A shared profile may belong to anything.
    return not line.entry or line.entry in taken


# ---- checking --------------------------------------------------------------------------------------------------------


def load_data_of(version: PackVersion, catalogue_ids: Iterable[str]) -> DataSet:
    """Return these factions' data; a pack's data is always whole."""
    if not version.is_community:
        return load_data_set(version)
    document_ids = set(version.documents.values_list("catalogue_id", flat=True))
    catalogues: dict[str, Catalogue] = {}
    for catalogue_id in sorted(document_ids.intersection(catalogue_ids)) or [""]:
        catalogues |= {one.id: one for one in load_data_set(version, catalogue_id).catalogues}
    return DataSet(catalogues=tuple(catalogues.values()))


def apply_to_version(homebrew: Homebrew, version: PackVersion, catalogue_ids: Iterable[str] = ()) -> AppliedHomebrew:
    """Apply every line; return the refused ones too."""
    all_ids = {line.catalogue for line in homebrew.lines} | set(catalogue_ids)
    return apply_homebrew(load_data_of(version, all_ids), homebrew)


def list_refused(homebrew: Homebrew, version: PackVersion) -> tuple[RefusedLine, ...]:
    return apply_to_version(homebrew, version).refused


# ---- changing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RefusedLines:
    """Lines of `homebrew` that do not fit the data. Nothing was stored."""

    homebrew: Homebrew
    lines: tuple[RefusedLine, ...]


def create_set(user: User, game: GameSystem, name: str) -> HomebrewSet | Refused:
    """Create an empty set. Refuses `no-rules-name`, `too-long` and `too-many-rules`."""
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-rules-name")
    return _store_set(user, game, Homebrew(name=cleaned, game=game.slug))


def _store_set(user: User, game: GameSystem, homebrew: Homebrew) -> HomebrewSet | Refused:
    written = _write_working(homebrew)
    if isinstance(written, Refused):
        return written
    with transaction.atomic():
        # Two forms at once must not pass the limit.
        User.objects.select_for_update().get(pk=user.pk)
        if list_sets(user).count() >= MOST_SETS:
            return Refused(code="too-many-rules", allowed=MOST_SETS)
        return HomebrewSet.objects.create(owner=user, game=game, name=homebrew.name, working=written)


def _write_working(homebrew: Homebrew) -> str | Refused:
    """Write a working copy that can be read again. Refuses `too-many-lines` and `too-long`."""
    if len(homebrew.lines) > MOST_LINES:
        return Refused(code="too-many-lines", allowed=MOST_LINES)
    written = write_homebrew(homebrew)
    # YAML can take more room than the JSON that was sent.
    if (length := len(written.encode())) > MOST_BYTES:
        return Refused(code="too-long", measured=length, allowed=MOST_BYTES)
    return written


def import_set(user: User, data: bytes) -> HomebrewSet | Refused | Unreadable:
    """Store a document as a user's set. Keep lines that do not fit the data; the set's page says why.

    Refuses `too-many-rules` and `too-long`.
    """
    homebrew = read_homebrew(data)
    if isinstance(homebrew, Unreadable):
        return homebrew
    games = select_readable_games(user.pk)
    game = games.filter(slug=homebrew.game).first()
    if game is None:
        names = tuple(games.values_list("slug", flat=True))
        return Unreadable("unknown-game", given=homebrew.game, suggestions=names)
    return _store_set(user, game, homebrew)


def replace_set(
    homebrew_set: HomebrewSet, on_revision: int, data: bytes
) -> HomebrewSet | Refused | Conflict | Unreadable:
    """Replace the working copy at `on_revision` by a document, as `import_set` stores one.

    Refuses `rules-of-other-game` and `too-long`. Raises DoesNotExist if the set was deleted.
    """
    homebrew = read_homebrew(data)
    if isinstance(homebrew, Unreadable):
        return homebrew
    if homebrew.game != homebrew_set.game.slug:
        return Refused(code="rules-of-other-game")
    with _lock_set(homebrew_set, on_revision) as conflict:
        return conflict or _store_working(homebrew_set, homebrew) or homebrew_set


def delete_set(homebrew_set: HomebrewSet, on_revision: int | None = None) -> Conflict | None:
    """Delete a set with its versions, if it is at `on_revision`. Raises DoesNotExist if it was deleted before.

    Lists then count the values of the data, and say so. Events keep their copy.
    """
    with _lock_set(homebrew_set, on_revision) as conflict:
        if conflict is None:
            homebrew_set.delete()
    return conflict


def describe_set(
    homebrew_set: HomebrewSet, name: str, source: str, on_revision: int | None = None
) -> Refused | Conflict | None:
    """Set the name and the source of the lines of a set at `on_revision`. Refuses `no-rules-name` and `too-long`."""
    with _lock_set(homebrew_set, on_revision) as conflict:
        if conflict:
            return conflict
        cleaned, book = check_name(name), check_name(source)
        if isinstance(cleaned, Refused):
            return cleaned
        if isinstance(book, Refused):
            return book
        if not cleaned:
            return Refused(code="no-rules-name")
        return _store_working(homebrew_set, replace(read_working(homebrew_set), name=cleaned, source=book))


def change_lines(
    homebrew_set: HomebrewSet,
    add: Iterable[HomebrewLine] = (),
    remove: Iterable[HomebrewLine] = (),
    on_revision: int | None = None,
) -> RefusedLines | Refused | Conflict | None:
    """Change lines of the working copy at `on_revision`, all or none; return new lines that do not fit the current
    data.

    An added line replaces an earlier one for the same value. Refuses `too-many-lines` and `too-long`.
    """
    added, removed = tuple(add), tuple(remove)
    with _lock_set(homebrew_set, on_revision) as conflict:
        if conflict:
            return conflict
        changed = merge_lines(read_working(homebrew_set), added, removed)
        refused = list_refused(changed, homebrew_set.game.shown_version)
        wrong = tuple(one for one in refused if any(one.line is line for line in added))
        if wrong:
            return RefusedLines(changed, wrong)
        return _store_working(homebrew_set, changed)


def merge_lines(homebrew: Homebrew, add: Collection[HomebrewLine], remove: Container[HomebrewLine] = ()) -> Homebrew:
    """Return house rules with changed lines. An added line replaces an earlier one for the same value."""
    subjects = {line.subject for line in add if isinstance(line, ChangedValue)}
    units = [unit for unit in homebrew.units if unit not in remove]
    units += [line for line in add if isinstance(line, CopiedUnit)]
    changes = [line for line in homebrew.changes if line not in remove and line.subject not in subjects]
    changes += [line for line in add if isinstance(line, ChangedValue)]
    return replace(homebrew, units=tuple(units), changes=tuple(changes))


def list_unit_lines(homebrew: Homebrew, unit: CopiedUnit) -> list[HomebrewLine]:
    """Return a copied unit and all changes of it."""
    return [unit, *(line for line in homebrew.changes if is_inside(line, unit.unit))]


def is_inside(line: ChangedValue, unit_id: str) -> bool:
    return line.entry == unit_id or line.entry.startswith(f"{unit_id}/") or line.id.startswith(f"{unit_id}/")


@contextmanager
def _lock_set(homebrew_set: HomebrewSet, on_revision: int | None = None) -> Iterator[Conflict | None]:
    """Lock a set in a transaction, with its current working copy. Yields a conflict unless it is at `on_revision`.

    Raises DoesNotExist if it was deleted.
    """
    with transaction.atomic():
        current = HomebrewSet.objects.select_for_update()
        homebrew_set.refresh_from_db(fields=["name", "working", "revision", "updated"], from_queryset=current)
        head = homebrew_set.revision
        yield None if on_revision in (None, head) else Conflict(made_on=on_revision, head=head)


def _store_working(homebrew_set: HomebrewSet, homebrew: Homebrew) -> Refused | None:
    """Store the working copy of a locked set. An equal one makes no revision."""
    written = _write_working(homebrew)
    if isinstance(written, Refused):
        return written
    if written != homebrew_set.working:
        homebrew_set.name, homebrew_set.working = homebrew.name, written
        homebrew_set.revision += 1
        homebrew_set.save(update_fields=["name", "working", "revision", "updated"])
    return None


def publish_set(
    homebrew_set: HomebrewSet, on_revision: int | None = None
) -> HomebrewVersion | RefusedLines | Refused | Conflict:
    """Publish the working copy at `on_revision`. Refuses `nothing-new` and `too-many-versions`.

    Lines that do not fit the current data must be removed first. Beyond the limit, the oldest version that no list,
    event or season uses is deleted.
    """
    with _lock_set(homebrew_set, on_revision) as conflict:
        if conflict:
            return conflict
        homebrew, newest = read_working(homebrew_set), find_newest(homebrew_set)
        if not homebrew.lines or is_published(homebrew_set, newest):
            return Refused(code="nothing-new")
        refused = list_refused(homebrew, homebrew_set.game.shown_version)
        if refused:
            return RefusedLines(homebrew, refused)
        if newest and homebrew_set.versions.count() >= MOST_VERSIONS:
            spare = _find_unused_version(homebrew_set)
            if spare is None:
                return Refused(code="too-many-versions", allowed=MOST_VERSIONS)
            spare.delete()
        return HomebrewVersion.objects.create(
            homebrew_set=homebrew_set,
            number=newest.number + 1 if newest else 1,
            document=homebrew_set.working,
            content_hash=hash_homebrew(homebrew_set.working),
        )


def _find_unused_version(homebrew_set: HomebrewSet) -> HomebrewVersion | None:
    """Find the oldest version that no list, event or season uses."""
    lists = select_lists(homebrew_set.public_id, homebrew_set.game_id)
    used = {decode_tree(document).homebrew for document in lists.values_list("document", flat=True).iterator()}
    spare = HomebrewVersion.objects.filter(homebrew_set=homebrew_set)
    for model in apps.get_models():
        if issubclass(model, CopiedHomebrew):
            spare = spare.filter(~Exists(model._default_manager.filter(origin=OuterRef("pk"))))
    spare = spare.select_related("homebrew_set").defer("document", "homebrew_set__working").order_by("number")
    return next((version for version in spare if version.key not in used), None)


def select_lists(public_id: str, game_id: int) -> QuerySet[Roster]:
    """Select the lists that name a version of house rules, even in the bin."""
    return Roster.objects.filter(
        version__game=game_id, document__contains=f'{HOMEBREW_MARK}"{public_id}{VERSION_MARK}'
    ).order_by("pk")


def list_choices(user: User | None, game: GameSystem) -> Iterator[HomebrewVersion]:
    """Yield the newest version of each of an account's published sets for a game."""
    if user is None:
        return
    versions = HomebrewVersion.objects.filter(homebrew_set__owner=user, homebrew_set__game=game)
    versions = versions.select_related("homebrew_set").defer("document", "homebrew_set__working")
    newest: dict[int, HomebrewVersion] = {}
    for version in versions.order_by("-number"):
        newest.setdefault(version.homebrew_set_id, version)
    yield from sorted(newest.values(), key=lambda version: version.homebrew_set.name)


# ---- in events -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EventChoice:
    """The event that a version was chosen for, and why it could not be, as a sentence, or ""."""

    event: str
    wrong: str = ""


ChooseForEvent = Callable[[User, str, HomebrewVersion], EventChoice | None]
_CHOOSERS: list[ChooseForEvent] = []


def register_chooser(choose: ChooseForEvent) -> None:
    _CHOOSERS.append(choose)


def choose_for_event(user: User, event_id: str, version: HomebrewVersion) -> EventChoice | None:
    """Make an event judge lists by a version. Returns None unless the user organises this event and it is open."""
    choices = (choose(user, event_id, version) for choose in _CHOOSERS)
    return next((choice for choice in choices if choice), None)
