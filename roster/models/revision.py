"""What a list was after each change. Nothing here is ever changed, nor taken out while its list lives, but for the
oldest steps of a guest's list that has grown too long."""

from collections.abc import Collection
from typing import Any, ClassVar, NamedTuple, NoReturn

import msgspec
import zstandard
from django.core.validators import MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

from roster.engine import tree
from roster.formats.list_text import NAME_LENGTH
from roster.models.roster import VERDICTS, Roster

WHOLE_EVERY = 100
"""After so many differences a document is stored whole again, so that none is far from what it needs to be read."""
SHORTEST_DIFFERENCE = 2_000
DIFFERENCE_SHARE = 50
"""A difference longer than both so many bytes and this part of the document is not worth it."""


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
