"""A list as it is stored: its owner, what it is sorted by, what it holds now and held before, how it is to be played.

Nothing of what a list was is ever changed, nor taken out while the list lives, but for the oldest steps of a guest's
list that has grown too long.
"""

from collections.abc import Collection
from typing import Any, ClassVar, NamedTuple, NoReturn

import msgspec
import zstandard
from django.core.validators import MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from catalogue.definitions.numbers import Number, parse_number
from roster.engine import tree
from roster.engine.plan import GamePlan
from roster.engine.report import Verdict
from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import Owned, Shared, Visibility

LABEL_LENGTH = 60

FIRST_REVISION = 1
WHOLE_EVERY = 100
"""After so many differences a document is stored whole again, so that none is far from what it needs to be read."""
SHORTEST_DIFFERENCE = 2_000
DIFFERENCE_SHARE = 50
"""A difference longer than both so many bytes and this part of the document is not worth it."""
SEARCH_LENGTH = 4 * NAME_LENGTH
"""So much of what a list is found by fits its indexes."""
SHOWN_UNITS = 24
"""So many units of a list are beside its name where lists are looked through."""
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
# Built once: a decoder compiles its type.
_tree_decoder = msgspec.json.Decoder(tree.RosterTree)
_plan_decoder = msgspec.json.Decoder(GamePlan)


class Label(Owned):
    """A name to sort lists by."""

    name = models.CharField(max_length=LABEL_LENGTH)

    class Meta(Owned.Meta):
        abstract = True
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name


class Folder(Label):
    """A list is in one folder or in none."""


class Tag(Label):
    """A list has any number of tags."""


class Roster(Shared):
    """One list of one owner.

    `document` is the current tree as JSON text, not a JSON column: it is read straight into the engine's values and
    its bytes are what the hash of a revision is made of. `head` is the number of the revision shown, `last` that of
    the newest one; they differ after an undo. `aside` is the number of a revision that another device made of a
    state that the list had left, until the owner chooses between the two; 0 for none. `written` is how many bytes the
    documents of all its revisions take together. `times_copied` is how often others copied it. `is_secret` keeps points
    and options from everybody but the owner. `binned` is when the list went to the bin: from then on nobody finds it
    but its owner, there. `search_text` is the name and the words of the units in the form that searches compare.
    `limit` is what it may cost, blank without a limit; a game without costs sizes its lists by `cards` of decks, of
    which rules ask for `cards_needed`, else None; `units` are the names of its first units, each with its number of
    models and its emblem. `outlook` is what looking ahead found of the list as it is, blank for nothing: verdict and
    violations follow it.
    """

    counted = ngettext_lazy("%d list", "%d lists")
    _whole: tuple[int, str] = 0, ""
    _followed = 0

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
    is_secret = models.BooleanField(default=False)
    binned = models.DateTimeField(null=True, blank=True)
    folder = models.ForeignKey(Folder, on_delete=models.SET_NULL, null=True, blank=True, related_name="rosters")
    tags = models.ManyToManyField(Tag, blank=True, related_name="rosters")
    search_text = models.CharField(max_length=SEARCH_LENGTH, blank=True)

    class Meta(Shared.Meta):
        ordering = ("-updated", "-pk")
        # A page of somebody's lists, or of public ones, is found, filtered and counted within these alone: the rows
        # hold whole documents.
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
            models.Index(fields=("owner", "binned", "version", "faction_id"), name="roster_games_of_account"),
            models.Index(fields=("owner_key", "binned", "version", "faction_id"), name="roster_games_of_guest"),
        )

    def __str__(self) -> str:
        return self.name or self.public_id

    def get_absolute_url(self) -> str:
        """Return the read-only page, for everyone who has the address."""
        return reverse("roster:link", args=[self.link_id])

    @property
    def tree(self) -> tree.RosterTree:
        """The current list as the engine reads it."""
        return tree.copy_with(_tree_decoder.decode(self.document), faction=self.faction_id)

    @property
    def total(self) -> Number:
        """`points` as an exact number."""
        return parse_number(self.points)

    def read_whole_document(self, number: int) -> str:
        """Return the document of a revision that others are stored as differences from; the last one is remembered."""
        if self._whole[0] != number:
            self._whole = number, self.revisions.get(number=number).document
        return self._whole[1]

    def remember_whole(self, number: int, document: str) -> None:
        """Remember such a document that is at hand."""
        self._whole = number, document

    def remember_followed(self, number: int) -> None:
        """Remember that a revision is known to have another one made on it."""
        self._followed = number

    @property
    def can_undo(self) -> bool:
        """Whether anything was done before what is shown: only the first revision has nothing before it."""
        return self.head != FIRST_REVISION

    @property
    def can_redo(self) -> bool:
        """Whether something that was undone last can be done again.

        Asks the database only where the list is not what was made of it last, and was not undone just now.
        """
        if self.head == self.last:
            return False
        return self.head == self._followed or self.revisions.filter(parent=self.head).exists()


class RosterPlan(models.Model):
    """The game plan of a list, if one was made.

    `document` is the engine's `GamePlan` as JSON text. `revision` counts its changes: a change names the one that it
    was made on. The plan is pinned to the list alone, not to a revision of it: what it refers to may be gone from the
    list since, and then the engine says so.
    """

    roster = models.OneToOneField(Roster, on_delete=models.CASCADE, related_name="plan")
    revision = models.PositiveIntegerField(default=1)
    document = models.TextField()
    updated = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.roster_id}: plan {self.revision}"

    @property
    def game(self) -> GamePlan:
        """The plan as the engine reads it."""
        return _plan_decoder.decode(self.document)


# ---- what it was before ----------------------------------------------------------------------------------------------


class WholeDocument(NamedTuple):
    """A document that is stored whole, as revision `number` of its list."""

    number: int
    document: str


class AppendOnlyError(TypeError):
    """An attempt to change the past."""


class RevisionQuerySet(models.QuerySet["RosterRevision"]):
    def update(self, **fields: Any) -> NoReturn:
        raise AppendOnlyError("revisions are never changed")

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnlyError("revisions are never changed")

    def delete(self) -> NoReturn:
        raise AppendOnlyError("revisions go only with their roster")


class RosterRevision(models.Model):
    """The whole list after one change.

    `parent` is the number of the revision the change was made on, 0 for the first. `act` is the code of what was done
    and `subject` the name of what it was done to; `roster.wording` makes a sentence of them. `content_hash` is the
    SHA-256 of `document` in hexadecimal: it is on paper, and two revisions with one hash are the same list.
    `version` is the data it was judged by then, and `points`, `verdict` and `violations` what came of it; the verdict
    of what was written before verdicts were kept is blank. `aside` marks a change made on a revision that the list had
    left already, so that the list did not become this.

    The document is stored as `packed`: whole where `base` is 0, else what differs from the document of that revision of
    the list, which is whole. Revisions from before documents were packed have it in `text`.
    """

    CONTENT = ("text", "packed")

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(validators=[MinValueValidator(1)])
    parent = models.PositiveIntegerField()
    # The column has the name of old, so that a server of the version before still finds it.
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
        """Take steps out of a history that is longer than it may be: see `roster.services.limits`."""
        # Django's own query set, because ours refuses to delete.
        models.QuerySet(cls).filter(pk__in=keys).delete()

    @cached_property
    def document(self) -> str:
        """Read the list as JSON text."""
        if self.packed is None:
            return self.text
        base = self.roster.read_whole_document(self.base) if self.base else ""
        return unpack_text(bytes(self.packed), base)

    @property
    def stored(self) -> int:
        """Count the bytes, in old revisions the letters, that the document takes."""
        return len(self.text) if self.packed is None else len(self.packed)

    def store_document(self, document: str, near: WholeDocument | None) -> None:
        """Set the document of a new revision: as its difference from a whole one if that is short, else whole."""
        if near is not None and self.number - near.number < WHOLE_EVERY:
            difference = pack_text(document, near.document)
            if len(difference) <= max(SHORTEST_DIFFERENCE, len(document) // DIFFERENCE_SHARE):
                self.packed, self.base = difference, near.number
                return
        self.packed = pack_text(document)

    @property
    def tree(self) -> tree.RosterTree:
        """The list as the engine reads it."""
        return tree.copy_with(msgspec.json.decode(self.document, type=tree.RosterTree), faction=self.roster.faction_id)


class RevisionOutlook(models.Model):
    """What looking ahead found of a revision, and what it comes to with that. It is beside the revision, because
    it is found out afterwards, and by the rules as they are read then."""

    revision = models.OneToOneField(RosterRevision, on_delete=models.CASCADE, related_name="foreseen")
    outlook = models.TextField()
    verdict = models.CharField(max_length=10, choices=VERDICTS)
    violations = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.revision_id}: {self.verdict}"


class RevisionName(models.Model):
    """What the owner calls a revision. It is beside it, because a name may change and the past does not."""

    revision = models.OneToOneField(RosterRevision, on_delete=models.CASCADE, related_name="named")
    name = models.CharField(max_length=NAME_LENGTH)

    def __str__(self) -> str:
        return self.name


WINDOW_LOG = 20
"""A difference is looked for in so many bits of the earlier text: a megabyte, more than a list may have."""
LONGEST = 16 * 2**20
"""No text is longer than this when it is read back, whatever its first bytes say."""
_PARAMETERS = zstandard.ZstdCompressionParameters.from_level(3, window_log=WINDOW_LOG)


def pack_text(text: str, base: str = "") -> bytes:
    """Compress a text, as its differences from `base` if that is given.

    >>> unpack_text(pack_text("Ten squads of reeds", "Ten squads"), "Ten squads")
    'Ten squads of reeds'
    """
    packer = zstandard.ZstdCompressor(compression_params=_PARAMETERS, dict_data=_build_dictionary(base))
    return packer.compress(text.encode())


def unpack_text(packed: bytes, base: str = "") -> str:
    """Return the text again; raises zstandard.ZstdError where it was packed with another base."""
    unpacker = zstandard.ZstdDecompressor(dict_data=_build_dictionary(base), max_window_size=2**WINDOW_LOG)
    return unpacker.decompress(packed, max_output_size=LONGEST).decode()


def _build_dictionary(base: str) -> zstandard.ZstdCompressionDict | None:
    if not base:
        return None
    return zstandard.ZstdCompressionDict(base.encode(), dict_type=zstandard.DICT_TYPE_RAWCONTENT)
