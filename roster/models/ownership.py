"""Owners, visibility and abuse reports."""

from dataclasses import dataclass
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.contenttypes.fields import GenericForeignKey, GenericRelation
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import ENTRY_ID_LENGTH, PUBLIC_ID_LENGTH, new_public_id

REPORT_LENGTH = 1_000
PLAYER_NAME_LENGTH = 40


class Visibility(models.TextChoices):
    PRIVATE = "private", _("private")
    LINK = "link", _("by link")
    PUBLIC = "public", _("public")


def require_one_owner(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(owner__isnull=True) | Q(owner_key=""), name=name)


def index_public(name: str) -> models.Index:
    return models.Index(fields=("-updated",), condition=Q(visibility=Visibility.PUBLIC, taken_down=False), name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWords:
    """Lazily translated texts of the form that reports a thing."""

    report: Promise
    reasons: Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingWords(ReportWords):
    """Lazily translated texts of the forms that share and report a thing.

    Things without `everybody` have no public page.
    """

    by_link: Promise
    everybody: Promise | str
    hidden: Promise
    renew: Promise
    renewed: Promise


class Owned(models.Model):
    """A row of an account (`owner`), of a guest's browser (`owner_key`), or of neither.

    Services find all such models to claim, expire and delete their rows.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="%(class)ss"
    )
    owner_key = models.CharField(max_length=64, blank=True, db_index=True)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        constraints: ClassVar[tuple[models.BaseConstraint, ...]] = (
            require_one_owner("%(app_label)s_%(class)s_one_owner"),
        )


class Moderated(Owned):
    """A row that others may read and report. `taken_down` is set by staff and hides it from them."""

    sharing_words: ClassVar[ReportWords]

    taken_down = models.BooleanField(default=False)
    reports = GenericRelation("roster.AbuseReport")

    class Meta(Owned.Meta):
        abstract = True

    def get_absolute_url(self) -> str:
        raise NotImplementedError

    @property
    def is_shown(self) -> bool:
        """Whether its owner lets others read it."""
        raise NotImplementedError

    @property
    def player_name(self) -> str:
        """The owner's name for other users."""
        named: PlayerName | None = getattr(self.owner, "player_name", None)
        return named.name if named else ""


class Shared(Moderated):
    """A row that its owner may share; without an owner, an example for every visitor.

    `public_id` is the owner's permanent address. `link_id` is the readers' address, which the owner can replace.
    `taken_down` overrides `visibility`.
    """

    counted: ClassVar[Any]
    """A lazy plural with one `%d`, such as "%d lists"."""
    sharing_words: ClassVar[SharingWords]
    name: "models.CharField[str, str]"

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    link_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, editable=False)
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.LINK)

    class Meta(Moderated.Meta):
        abstract = True
        indexes: ClassVar[tuple[models.Index, ...]] = (index_public("%(app_label)s_%(class)s_public"),)

    def save(self, *args: object, **options: object) -> None:
        self.link_id = self.link_id or self.public_id
        super().save(*args, **options)  # type: ignore[arg-type]  # handed on as they came

    @property
    def is_shown(self) -> bool:
        return self.visibility != Visibility.PRIVATE

    @property
    def is_of_private_game(self) -> bool:
        """Whether it shows data of a game that only one account may use, so that it cannot be public."""
        return False


class Reason(models.TextChoices):
    OFFENSIVE = "offensive", _("It is offensive")
    PERSON = "person", _("It says something private about a person")
    ADVERT = "advert", _("It is an advertisement")
    RIGHTS = "rights", _("It copies someone else’s work")
    OTHER = "other", _("Something else")


class PlayerName(models.Model):
    """A player's name on shared lists. Players without one stay anonymous."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="player_name", primary_key=True
    )
    name = models.CharField(max_length=PLAYER_NAME_LENGTH)

    class Meta:
        constraints = (
            # Names must differ in more than case.
            models.UniqueConstraint(Lower("name"), name="one_player_per_name"),
        )

    def __str__(self) -> str:
        return self.name


class SettledNames(Owned):
    """An owner's choices of what names in pasted lists mean, by key."""

    names = models.JSONField(default=dict)

    class Meta(Owned.Meta):
        verbose_name_plural = "settled names"

    def __str__(self) -> str:
        return ", ".join(self.names)


class FavouriteUnit(Owned):
    """A unit that an owner starred for all lists of its game. Signing in can duplicate rows."""

    game = models.ForeignKey("catalogue.GameSystem", on_delete=models.CASCADE, related_name="+")
    entry_id = models.CharField(max_length=ENTRY_ID_LENGTH)

    def __str__(self) -> str:
        return self.entry_id


class ChosenLanguage(models.Model):
    """A user's language on all devices and in mails, instead of the browser's."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chosen_language", primary_key=True
    )
    code = models.CharField(max_length=10)

    def __str__(self) -> str:
        return self.code


class AbuseReport(models.Model):
    """An anonymous report on a `Moderated` row. `settled` is when staff dealt with it."""

    content_type = models.ForeignKey(ContentType, on_delete=models.CASCADE)
    object_id = models.PositiveBigIntegerField()
    thing = GenericForeignKey("content_type", "object_id")
    reason = models.CharField(max_length=10, choices=Reason.choices)
    text = models.TextField(blank=True, max_length=REPORT_LENGTH)
    created = models.DateTimeField(auto_now_add=True)
    settled = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("settled", "-created")
        indexes = (models.Index(fields=("content_type", "object_id"), name="abuse_report_thing"),)

    def __str__(self) -> str:
        return f"{self.get_reason_display()}: {self.thing}"
