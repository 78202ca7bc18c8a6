"""House rules of players: a working copy and immutable published versions."""

from typing import ClassVar

from django.db import models
from django.urls import reverse

from catalogue.models.base import PUBLIC_ID_LENGTH, AnnouncingQuerySet, new_public_id
from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import Owned

VERSION_MARK = "@"
HASH_LENGTH = 64


class HomebrewSet(Owned):
    """An account's house rules for one game. The owner edits the YAML document `working`.

    `revision` counts its states, so that programs do not overwrite a change that they have not seen.
    `public_id` names the set in lists and is its owner's address, `link_id` the readers' address. `taken_down` is set
    by staff: then only the owner reads the set, and lists are judged without it.
    """

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    link_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    game = models.ForeignKey("catalogue.GameSystem", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=NAME_LENGTH)
    working = models.TextField()
    revision = models.PositiveIntegerField(default=1, db_default=1)
    taken_down = models.BooleanField(default=False)

    objects: ClassVar[models.Manager["HomebrewSet"]] = AnnouncingQuerySet["HomebrewSet"].as_manager()

    class Meta(Owned.Meta):
        ordering = ("-updated", "-pk")

    def __str__(self) -> str:
        return self.name

    @property
    def author(self) -> str:
        """The owner's name for other users, or ""."""
        named = getattr(self.owner, "player_name", None)
        return str(named.name) if named else ""


class HomebrewVersion(models.Model):
    """An immutable published state of house rules. Lists name it as `public_id@number`."""

    homebrew_set = models.ForeignKey(HomebrewSet, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    document = models.TextField()
    content_hash = models.CharField(max_length=HASH_LENGTH)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(fields=("homebrew_set", "number"), name="one_homebrew_per_number"),)

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        return f"{self.homebrew_set.public_id}{VERSION_MARK}{self.number}"


class CopiedHomebrew(models.Model):
    """A published version that an event or a season has chosen for its lists.

    The copy of the document counts if its author deletes the house rules: then `origin` is None. It does not count
    while staff hide them. `key` names the version in lists.
    """

    origin = models.ForeignKey(HomebrewVersion, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    key = models.CharField(max_length=NAME_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    number = models.PositiveIntegerField()
    document = models.TextField()
    content_hash = models.CharField(max_length=HASH_LENGTH)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True

    @property
    def is_hidden(self) -> bool:
        return self.origin is not None and self.origin.homebrew_set.taken_down

    @property
    def author(self) -> str:
        """The author's name for other users, or ""."""
        return self.origin.homebrew_set.author if self.origin else ""

    @property
    def address(self) -> str:
        """The address of the version's page, or "" if it has none."""
        if self.origin is None or self.is_hidden:
            return ""
        return reverse("roster:homebrew-version", args=[self.origin.homebrew_set.link_id, self.number])
