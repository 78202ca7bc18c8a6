"""Games, versions of their data, releases and import reports."""

import zlib
from collections import Counter
from typing import ClassVar

import msgspec
import zstandard
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from catalogue.definitions.catalogues import Catalogue, CatalogueOutline
from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.formats.packs.pack import Preset
from catalogue.models.base import (
    HASH_LENGTH,
    ID_LENGTH,
    NAME_LENGTH,
    AnnouncingQuerySet,
    Identified,
    Immutable,
    ImmutableQuerySet,
)

SHORT_HASH = 10

_decoder = msgspec.json.Decoder(Catalogue)
_outline_decoder = msgspec.json.Decoder(CatalogueOutline)
_LEVEL = 1
"""Higher compression levels take up to four times as long and save a twentieth."""


class GameSystem(Identified):
    """An edition of a game.

    `slug` is its pack's id, in addresses and lists. Editions share a `family`. `title` is for display if `name` is not
    enough. New lists and pages use `current`. `source_hash` tells whether its files must be read again.

    A private game has an `owner` and a `private_version`. It never has a `current` version, so queries of published
    data cannot find it.
    """

    slug = models.SlugField(_("id"), max_length=ID_LENGTH, unique=True)
    family = models.SlugField(_("game id"), max_length=ID_LENGTH, blank=True)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    title = models.CharField(_("title"), max_length=NAME_LENGTH, blank=True)
    edition = models.CharField(_("edition"), max_length=NAME_LENGTH, blank=True)
    publisher = models.CharField(_("publisher"), max_length=NAME_LENGTH, blank=True)
    summary = models.TextField(_("summary"), blank=True)
    notice = models.TextField(_("notice"), blank=True)
    unofficial = models.BooleanField(_("unofficial"), default=True)
    example = models.BooleanField(_("example"), default=False)
    source_hash = models.CharField(_("hash of the files"), max_length=HASH_LENGTH, blank=True, editable=False)
    current = models.OneToOneField(
        "catalogue.PackVersion", models.RESTRICT, null=True, editable=False, related_name="current_of"
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        editable=False,
        related_name="own_games",
        verbose_name=_("owner"),
    )
    private_version = models.OneToOneField(
        "catalogue.PackVersion", models.RESTRICT, null=True, editable=False, related_name="private_of"
    )

    objects: ClassVar[models.Manager["GameSystem"]] = AnnouncingQuerySet["GameSystem"].as_manager()

    class Meta:
        ordering = ("name", "edition", "slug")
        constraints = (
            models.CheckConstraint(
                condition=Q(owner__isnull=True, private_version__isnull=True)
                | Q(owner__isnull=False, current__isnull=True),
                name="private_games_are_never_published",
            ),
        )
        verbose_name = _("game system")
        verbose_name_plural = _("game systems")

    def __str__(self) -> str:
        return ", ".join(part for part in (self.heading, self.edition) if part)

    def get_absolute_url(self) -> str:
        return reverse("catalogue:game", args=[self.slug])

    @property
    def heading(self) -> str:
        return self.title or self.name

    @property
    def shown_version(self) -> "PackVersion":
        version = self.current or self.private_version
        assert version is not None  # noqa: S101 - see above
        return version

    @property
    def is_private(self) -> bool:
        return self.owner_id is not None


class VersionQuerySet(ImmutableQuerySet["PackVersion"]):
    def filter_current(self) -> "VersionQuerySet":
        return self.filter(current_of__isnull=False)


class DocumentQuerySet(ImmutableQuerySet["CatalogueDocument"]):
    pass


class PackVersion(Immutable):
    """Equal data has the same `content_hash`, a SHA-256 in hexadecimal, and is one version. `points_id` is the cost
    type that limits lists, `points_name` its label, both "" without one. `presets` and `rulesets` are JSON.
    """

    class Source(models.TextChoices):
        PACK = "pack", _("pack")
        BATTLESCRIBE = "battlescribe", _("BattleScribe data")

    game = models.ForeignKey(GameSystem, models.CASCADE, related_name="versions", verbose_name=_("game"))
    edition = models.CharField(_("edition"), max_length=NAME_LENGTH, blank=True)
    label = models.CharField(_("version"), max_length=NAME_LENGTH, blank=True)
    source = models.CharField(_("source"), max_length=20, choices=Source.choices, default=Source.PACK)
    content_hash = models.CharField(_("content hash"), max_length=HASH_LENGTH, unique=True)
    points_id = models.CharField(_("points id"), max_length=ID_LENGTH, blank=True)
    points_name = models.CharField(_("points name"), max_length=NAME_LENGTH, blank=True)
    presets = models.JSONField(_("presets"), default=list)
    rulesets = models.JSONField(_("rulesets"), default=list)
    created = models.DateTimeField(_("installed"), auto_now_add=True)

    objects = VersionQuerySet.as_manager()

    class Meta:
        ordering = ("game", "-created", "-pk")
        base_manager_name = "objects"
        verbose_name = _("pack version")
        verbose_name_plural = _("pack versions")

    def __str__(self) -> str:
        return f"{self.game} {self.label or self.short_hash}"

    def read_presets(self) -> tuple[Preset, ...]:
        return msgspec.convert(self.presets, tuple[Preset, ...])

    @property
    def is_community(self) -> bool:
        return self.source == self.Source.BATTLESCRIBE

    @property
    def short_hash(self) -> str:
        return self.content_hash[:SHORT_HASH]

    @property
    def full_name(self) -> str:
        """Game, version and short hash, which commands accept as its name."""
        return f"{self} ({self.short_hash})" if self.label else str(self)

    @property
    def has_twin(self) -> bool:
        twins = PackVersion.objects.filter(game_id=self.game_id, edition=self.edition, label=self.label)
        return bool(self.label) and twins.exclude(pk=self.pk).exists()

    @property
    def is_current(self) -> bool:
        return self.pk in (self.game.current_id, self.game.private_version_id)


class DocumentBody(Immutable):
    """A catalogue's content, shared by versions.

    `body` is the JSON of a `Catalogue`, compressed with Zstandard, in old rows with zlib. `content_hash` is the SHA-256
    of the JSON.
    """

    content_hash = models.CharField(_("content hash"), max_length=HASH_LENGTH, primary_key=True)
    body = models.BinaryField(_("document"))

    class Meta:
        verbose_name = _("content of a catalogue")
        verbose_name_plural = _("contents of catalogues")

    def __str__(self) -> str:
        return self.content_hash[:SHORT_HASH]

    def decode(self) -> Catalogue:
        return _decoder.decode(self.read_json())

    def decode_outline(self) -> CatalogueOutline:
        return _outline_decoder.decode(self.read_json())

    def read_json(self) -> bytes:
        packed = bytes(self.body)
        by_zstandard = packed.startswith(zstandard.FRAME_HEADER)
        return zstandard.ZstdDecompressor().decompress(packed) if by_zstandard else zlib.decompress(packed)

    @staticmethod
    def pack(content: bytes) -> bytes:
        return zstandard.ZstdCompressor(level=_LEVEL).compress(content)


class CatalogueDocument(Immutable):
    """A catalogue of a version. The engine reads nothing else.

    `links` are ids of linked catalogues, to find a faction's closure without decoding. `joined` ones were added on
    their own and stay in new versions.
    """

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="documents", verbose_name=_("version"))
    catalogue_id = models.CharField(_("catalogue id"), max_length=ID_LENGTH)
    kind = models.CharField(_("kind"), max_length=20)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    revision = models.CharField(_("revision"), max_length=NAME_LENGTH, blank=True)
    position = models.PositiveIntegerField(_("position"))
    links = models.JSONField(_("builds on"), default=list)
    joined = models.BooleanField(_("added to the game separately"), default=False)
    content_hash = models.CharField(_("content hash"), max_length=HASH_LENGTH, db_index=True)
    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ("version", "position")
        base_manager_name = "objects"
        verbose_name = _("catalogue document")
        verbose_name_plural = _("catalogue documents")
        constraints = (models.UniqueConstraint(fields=("version", "catalogue_id"), name="one_document_per_catalogue"),)

    def __str__(self) -> str:
        return self.name

    def decode(self) -> Catalogue:
        """Decode the content: milliseconds per megabyte, so `catalogue.services.documents` caches the result."""
        return DocumentBody.objects.get(pk=self.content_hash).decode()


class Release(models.Model):
    """The moment a version became current, perhaps again."""

    game = models.ForeignKey(GameSystem, models.CASCADE, related_name="releases", verbose_name=_("game"))
    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="releases", verbose_name=_("version"))
    since = models.DateTimeField(_("since"), default=timezone.now)

    class Meta:
        ordering = ("game", "-since", "-pk")
        indexes = (models.Index(fields=("game", "-since"), name="catalogue_r_game_id_since"),)
        verbose_name = _("release")
        verbose_name_plural = _("releases")

    def __str__(self) -> str:
        return f"{self.version_id}: {self.since:%Y-%m-%d}"


class ImportReport(models.Model):
    """`findings` are JSON of `Diagnostic`."""

    version = models.OneToOneField(PackVersion, models.CASCADE, related_name="import_report", verbose_name=_("version"))
    source = models.CharField(_("file"), max_length=NAME_LENGTH)
    findings = models.JSONField(_("findings"), default=list)
    created = models.DateTimeField(_("imported"), auto_now_add=True)

    class Meta:
        ordering = ("-created", "-pk")
        verbose_name = _("import report")
        verbose_name_plural = _("import reports")

    def __str__(self) -> str:
        return f"{self.version_id}: {self.source}"

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return msgspec.convert(self.findings, tuple[Diagnostic, ...])

    @property
    def left_out(self) -> list[Diagnostic]:
        """Findings about data that was left out, which verdicts cannot consider."""
        return [finding for finding in self.diagnostics if finding.level is Level.FLAW]

    @property
    def by_code(self) -> dict[str, int]:
        """The number of findings of each kind, most frequent first."""
        return dict(Counter(finding["code"] for finding in self.findings).most_common())


class SourceKind(models.TextChoices):
    FOLDER = "folder", _("folder")
    ARCHIVE = "archive", _("archive")
    GIT = "git", _("git repository")
    FEED = "feed", _("release feed")


class Source(models.Model):
    """A source of community data, checked every `every` hours.

    New data becomes current if `publishes`, else staff must release it. `mark` is the last state read, such as a commit
    or hash. `trouble` is why the last check failed.
    """

    kind = models.CharField(_("kind"), max_length=10, choices=SourceKind.choices)
    location = models.CharField(_("path or address"), max_length=500, unique=True)
    publishes = models.BooleanField(_("publish automatically"), default=False)
    every = models.PositiveIntegerField(_("hours between checks"), default=24)
    mark = models.CharField(_("last state"), max_length=HASH_LENGTH, blank=True, editable=False)
    trouble = models.TextField(_("trouble"), blank=True, editable=False)
    looked_up = models.DateTimeField(_("looked up"), null=True, editable=False)
    changed = models.DateTimeField(_("changed"), null=True, editable=False)
    created = models.DateTimeField(_("added"), auto_now_add=True)

    class Meta:
        ordering = ("location",)
        verbose_name = _("source")
        verbose_name_plural = _("sources")

    def __str__(self) -> str:
        return self.location
