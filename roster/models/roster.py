"""A stored list with labels, history and game plan.

History is append-only, but a guest's list beyond its quota loses its oldest revisions. Documents of old revisions may
move from the database to a file (docs/adr/0112).
"""

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, NoReturn

import msgspec
import zstandard
from django.core.files.storage import default_storage
from django.core.validators import MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from catalogue.definitions.numbers import Number, parse_number
from catalogue.models.base import AnnouncingQuerySet
from roster.engine import tree
from roster.engine.plan import GamePlan
from roster.engine.report import Verdict
from roster.formats.archived_history import DamagedArchiveError, decode_archive
from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import Owned, Shared, SharingWords, Visibility

LABEL_LENGTH = 60

FIRST_REVISION = 1
WHOLE_EVERY = 100
"""A document is stored whole again after this many revisions."""
SHORTEST_DIFFERENCE = 2_000
DIFFERENCE_SHARE = 50
"""Store a document whole if the difference exceeds both `SHORTEST_DIFFERENCE` bytes and this fraction of it."""
SEARCH_LENGTH = 4 * NAME_LENGTH
"""The longest text that the indexes can hold."""
SHOWN_UNITS = 24
"""The number of units that overviews show of a list."""
MOVED_AT_ONCE = 1_000
"""Rows to change in one statement."""
HISTORIES = "histories"
"""The folder of archived documents in the default storage."""
VERDICTS = (
    (Verdict.LEGAL.value, _("legal")),
    (Verdict.INCOMPLETE.value, _("incomplete")),
    (Verdict.ILLEGAL.value, _("illegal")),
)
_PUBLIC = models.Q(visibility=Visibility.PUBLIC, taken_down=False, binned=None)
_PUBLIC_COLUMNS = (
    *("version", "faction_id", "limit", "verdict"),
    *("is_secret", "name", "search_text", "binned", "taken_down", "visibility"),
)
_LOOKED_THROUGH = ("binned", "-updated", "id", "version", "faction_id", "verdict", "folder", "search_text")
_tree_decoder = msgspec.json.Decoder(tree.RosterTree)
_plan_decoder = msgspec.json.Decoder(GamePlan)


class HistoryArchiveError(Exception):
    """An archived document cannot be read.

    `code` is `lost-step` if its file is missing or damaged, `unread-step` if the storage does not answer.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Label(Owned):
    name = models.CharField(max_length=LABEL_LENGTH)

    class Meta(Owned.Meta):
        abstract = True
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name


class Folder(Label):
    """A list is in at most one folder."""


class Tag(Label):
    """A list has any number of tags."""


class Roster(Shared):
    """One list of one owner.

    `document` is the current tree as JSON text, whose bytes are hashed. `head` is the current revision and `last` the
    newest; they differ after an undo. `aside` is the conflicting revision that awaits the owner's choice, or 0.
    `written` is the size of all revisions and of the archive in bytes. `is_secret` hides points and options from other
    readers. `is_uncounted` excludes the list from statistics. `search_text` is the folded name and words of the units.
    Games without costs measure lists by `cards`; rules require `cards_needed` of them. `units` are names, model counts
    and emblems of the first units. `outlook` has the dead ends, which verdict and violations include. `homebrew` names
    the house rules that affect it. `photo_changes` counts changes of photos: a list with 0 has none, and pages cached
    for all readers depend on it. `archive` names the file with the documents of archived revisions, whose numbers are
    at most `archived_to`.
    """

    counted = ngettext_lazy("%d list", "%d lists")
    sharing_words = SharingWords(
        by_link=_("Read only. Not in search."),
        everybody=_("Shown in Public lists; search engines may find it."),
        hidden=_("The staff have hidden this list: whatever you choose, only you and they can see it."),
        renew=_("Reset the link: the old one stops working, on paper and in messages, too."),
        renewed=_("The link was reset. The old one no longer works."),
        report=_("What is wrong with this list?"),
        reasons=_("Reports are anonymous. Don’t report illegal lists: the verdict already shows that."),
    )
    _whole: tuple[int, str] = 0, ""
    _followed = 0
    _archive_content: Mapping[int, bytes] = MappingProxyType({})

    version = models.ForeignKey("catalogue.PackVersion", on_delete=models.PROTECT, related_name="rosters")
    faction_id = models.CharField(max_length=200)
    name = models.CharField(max_length=NAME_LENGTH)
    document = models.TextField()
    head = models.PositiveIntegerField(default=FIRST_REVISION)
    last = models.PositiveIntegerField(default=FIRST_REVISION)
    aside = models.PositiveIntegerField(default=0)
    points = models.CharField(max_length=40, default="0")
    limit = models.CharField(max_length=40, blank=True)
    cards = models.PositiveIntegerField(null=True, blank=True, editable=False)
    cards_needed = models.PositiveIntegerField(null=True, blank=True, editable=False)
    units = models.JSONField(default=list, editable=False)
    verdict = models.CharField(max_length=10, choices=VERDICTS)
    written = models.PositiveBigIntegerField(default=0, editable=False)
    violations = models.PositiveIntegerField(default=0)
    outlook = models.TextField(blank=True, default="", db_default="", editable=False)
    times_copied = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    homebrew = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="", editable=False)
    photo_changes = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    archive = models.CharField(max_length=200, blank=True, default="", db_default="", editable=False)
    archived_to = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    is_secret = models.BooleanField(default=False)
    is_uncounted = models.BooleanField(default=False, db_default=False)
    binned = models.DateTimeField(null=True, blank=True)
    folder = models.ForeignKey(Folder, on_delete=models.SET_NULL, null=True, blank=True, related_name="rosters")
    tags = models.ManyToManyField(Tag, blank=True, related_name="rosters")
    search_text = models.CharField(max_length=SEARCH_LENGTH, blank=True)

    objects: ClassVar[models.Manager["Roster"]] = AnnouncingQuerySet["Roster"].as_manager()

    class Meta(Shared.Meta):
        ordering = ("-updated", "-pk")
        # Overviews only read these indexes, because the rows hold whole documents.
        indexes = (
            *Shared.Meta.indexes,
            models.Index(fields=("-updated", "-id", *_PUBLIC_COLUMNS), condition=_PUBLIC, name="roster_public_lists"),
            models.Index(
                fields=("-times_copied", "-updated", "-id", *_PUBLIC_COLUMNS),
                condition=_PUBLIC,
                name="roster_most_copied",
            ),
            models.Index(fields=("version", "faction_id"), condition=_PUBLIC, name="roster_games_of_public"),
            models.Index(fields=("owner", *_LOOKED_THROUGH), name="roster_of_account"),
            models.Index(fields=("owner_key", *_LOOKED_THROUGH), name="roster_of_guest"),
            models.Index(fields=("homebrew",), name="roster_by_house_rules"),
            models.Index(fields=("owner", "binned", "version", "faction_id"), name="roster_games_of_account"),
            models.Index(fields=("owner_key", "binned", "version", "faction_id"), name="roster_games_of_guest"),
        )

    def __str__(self) -> str:
        return self.name or self.public_id

    def get_absolute_url(self) -> str:
        return reverse("roster:link", args=[self.link_id])

    @property
    def tree(self) -> tree.RosterTree:
        """The current list, with its faction."""
        return tree.copy_with(_tree_decoder.decode(self.document), faction=self.faction_id)

    @property
    def total(self) -> Number:
        return parse_number(self.points)

    @property
    def is_of_private_game(self) -> bool:
        return self.version.game.is_private

    def read_whole_document(self, number: int) -> str:
        """Return the document of a base revision. The last one is cached."""
        if self._whole[0] != number:
            self._whole = number, self.revisions.get(number=number).document
        return self._whole[1]

    def read_archive(self) -> Mapping[int, bytes]:
        """Read the packed documents of archived revisions by number. Raises HistoryArchiveError."""
        # The list may have been archived again since this row was read.
        name = Roster.objects.filter(pk=self.pk).values_list("archive", flat=True).first()
        if not name:
            return {}
        try:
            with default_storage.open(name) as file:
                # The name is the hash, to which the storage may add letters to make it unique.
                return decode_archive(file.read(), PurePosixPath(name).name[:64], self.public_id)
        except (FileNotFoundError, DamagedArchiveError) as error:
            raise HistoryArchiveError("lost-step") from error
        except OSError as error:
            raise HistoryArchiveError("unread-step") from error

    def read_archived(self, number: int) -> bytes:
        """Return the packed document of an archived revision; the file is read once. Raises HistoryArchiveError."""
        if number not in self._archive_content:
            self._archive_content = self.read_archive()
        if number not in self._archive_content:
            raise HistoryArchiveError("lost-step")
        return self._archive_content[number]

    @property
    def has_archive_content(self) -> bool:
        """Whether the archive was read."""
        return bool(self._archive_content)

    def remember_whole(self, number: int, document: str) -> None:
        self._whole = number, document

    def remember_followed(self, number: int) -> None:
        """Record that a revision has a later one, so that `can_redo` needs no query."""
        self._followed = number

    @property
    def can_undo(self) -> bool:
        return self.head != FIRST_REVISION

    @property
    def can_redo(self) -> bool:
        if self.head == self.last:
            return False
        return self.head == self._followed or self.revisions.filter(parent=self.head).exists()


class RosterPlan(models.Model):
    """`document` is the engine's `GamePlan` as JSON text. `revision` counts its changes. The plan may name units that
    no longer exist; the engine reports them.
    """

    roster = models.OneToOneField(Roster, on_delete=models.CASCADE, related_name="plan")
    revision = models.PositiveIntegerField(default=1)
    document = models.TextField()
    updated = models.DateTimeField(auto_now=True)

    objects: ClassVar[models.Manager["RosterPlan"]] = AnnouncingQuerySet["RosterPlan"].as_manager()

    def __str__(self) -> str:
        return f"{self.roster_id}: plan {self.revision}"

    @property
    def game(self) -> GamePlan:
        return _plan_decoder.decode(self.document)


# ---- revisions -------------------------------------------------------------------------------------------------------


class WholeDocument(NamedTuple):
    """A document that revision `number` stores whole."""

    number: int
    document: str


class AppendOnlyError(TypeError):
    """Code tried to change a revision."""


class RevisionQuerySet(models.QuerySet["RosterRevision"]):
    def update(self, **fields: Any) -> NoReturn:
        raise AppendOnlyError("revisions are never changed")

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnlyError("revisions are never changed")

    def delete(self) -> NoReturn:
        raise AppendOnlyError("revisions go only with their roster")


class RosterRevision(models.Model):
    """The whole list after one change.

    `parent` is the changed revision, 0 for the first. `act` is the code of the change, `subject` the name of what
    changed. `content_hash` is the SHA-256 of `document` in hexadecimal, as printed on paper. The oldest verdicts are
    blank. `aside` marks a conflicting revision. `device_step` is a device's id of the change: sent again, it counts
    once.

    `packed` holds the document: whole if `base` is 0, otherwise as the difference from revision `base`. Revisions from
    before packing have it in `text`. Archived revisions have neither: the list's archive has what was in `packed`.
    """

    CONTENT = ("text", "packed")

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(validators=[MinValueValidator(1)])
    parent = models.PositiveIntegerField()
    # The old column name, for servers of the previous version.
    text = models.TextField(db_column="document", blank=True, db_default="")
    packed = models.BinaryField(null=True)
    base = models.PositiveIntegerField(default=0, db_default=0)
    act = models.CharField(max_length=40)
    subject = models.CharField(max_length=200, blank=True)
    content_hash = models.CharField(max_length=64, editable=False)
    version = models.ForeignKey("catalogue.PackVersion", on_delete=models.PROTECT, related_name="revisions")
    points = models.CharField(max_length=40, default="0")
    verdict = models.CharField(max_length=10, choices=VERDICTS, blank=True)
    violations = models.PositiveIntegerField(default=0)
    aside = models.BooleanField(default=False)
    device_step = models.CharField(max_length=36, blank=True, default="", db_default="", editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[models.Manager["RosterRevision"]] = RevisionQuerySet.as_manager()

    class Meta:
        ordering = ("roster", "-number")
        constraints = (models.UniqueConstraint(fields=("roster", "number"), name="one_revision_per_number"),)

    def __str__(self) -> str:
        return f"{self.roster_id}#{self.number}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError("revisions are never changed")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnlyError("revisions go only with their roster")

    @classmethod
    def forget(cls, keys: Collection[int]) -> None:
        """Delete revisions beyond the quota of a history, see `roster.services.limits`."""
        # Our own query set refuses to delete.
        models.QuerySet(cls).filter(pk__in=keys).delete()

    @classmethod
    def move_to_archive(cls, keys: Sequence[int]) -> None:
        """Remove documents that the list's archive has, see `roster.services.archive`. Nothing else changes."""
        for start in range(0, len(keys), MOVED_AT_ONCE):
            # Our own query set refuses to update.
            models.QuerySet(cls).filter(pk__in=keys[start : start + MOVED_AT_ONCE]).update(text="", packed=None)

    @classmethod
    def return_from_archive(cls, roster: Roster, packed: Mapping[int, bytes]) -> None:
        """Store documents that were archived, by number."""
        for number, content in packed.items():
            models.QuerySet(cls).filter(roster=roster, number=number, text="", packed=None).update(packed=content)

    @property
    def is_archived(self) -> bool:
        return self.packed is None and not self.text

    @cached_property
    def document(self) -> str:
        """Return the document as JSON text. Raises HistoryArchiveError."""
        if self.is_archived:
            return self._read_archived_document()
        if self.packed is None:
            return self.text
        base = self.roster.read_whole_document(self.base) if self.base else ""
        return unpack_text(bytes(self.packed), base)

    def _read_archived_document(self) -> str:
        # After an undo, the current revision may be an archived one.
        if self.number == self.roster.head:
            return self.roster.document
        packed = self.roster.read_archived(self.number)
        base = self.roster.read_whole_document(self.base) if self.base else ""
        try:
            document = unpack_text(packed, base)
        except (zstandard.ZstdError, UnicodeDecodeError) as error:
            raise HistoryArchiveError("lost-step") from error
        if sha256(document.encode()).hexdigest() != self.content_hash:
            raise HistoryArchiveError("lost-step")
        return document

    @property
    def stored(self) -> int:
        """The size of the document in the database in bytes, or in characters for old revisions."""
        return len(self.text) if self.packed is None else len(self.packed)

    def store_document(self, document: str, near: WholeDocument | None) -> None:
        """Store the difference from `near` if that is short, otherwise the whole document."""
        if near is not None and self.number - near.number < WHOLE_EVERY:
            difference = pack_text(document, near.document)
            if len(difference) <= max(SHORTEST_DIFFERENCE, len(document) // DIFFERENCE_SHARE):
                self.packed, self.base = difference, near.number
                return
        self.packed = pack_text(document)

    @property
    def tree(self) -> tree.RosterTree:
        """The list at this revision, with its faction."""
        return tree.copy_with(msgspec.json.decode(self.document, type=tree.RosterTree), faction=self.roster.faction_id)


class RevisionOutlook(models.Model):
    """The outlook of a revision, computed later by the rules of that time."""

    revision = models.OneToOneField(RosterRevision, on_delete=models.CASCADE, related_name="foreseen")
    outlook = models.TextField()
    verdict = models.CharField(max_length=10, choices=VERDICTS)
    violations = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.revision_id}: {self.verdict}"


class RevisionName(models.Model):
    """The owner's name for a revision. It may change, so it is not in the revision."""

    revision = models.OneToOneField(RosterRevision, on_delete=models.CASCADE, related_name="named")
    name = models.CharField(max_length=NAME_LENGTH)

    def __str__(self) -> str:
        return self.name


WINDOW_LOG = 20
"""Log2 of the search window for differences: a megabyte, more than a list may have."""
LONGEST = 16 * 2**20
"""The most bytes to unpack, whatever the header claims."""
_PARAMETERS = zstandard.ZstdCompressionParameters.from_level(3, window_log=WINDOW_LOG)


def pack_text(text: str, base: str = "") -> bytes:
    """Compress a text, as its difference from `base` if given.

    >>> unpack_text(pack_text("Ten squads of reeds", "Ten squads"), "Ten squads")
    'Ten squads of reeds'
    """
    packer = zstandard.ZstdCompressor(compression_params=_PARAMETERS, dict_data=_build_dictionary(base))
    return packer.compress(text.encode())


def unpack_text(packed: bytes, base: str = "") -> str:
    """Unpack a text. Raises zstandard.ZstdError if it was packed with another base."""
    unpacker = zstandard.ZstdDecompressor(dict_data=_build_dictionary(base), max_window_size=2**WINDOW_LOG)
    return unpacker.decompress(packed, max_output_size=LONGEST).decode()


def _build_dictionary(base: str) -> zstandard.ZstdCompressionDict | None:
    if not base:
        return None
    return zstandard.ZstdCompressionDict(base.encode(), dict_type=zstandard.DICT_TYPE_RAWCONTENT)
