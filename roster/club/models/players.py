from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import PUBLIC_ID_LENGTH, new_public_id
from roster.models.ownership import Moderated, Owned, ReportWords, Visibility, require_one_owner

ABOUT_LENGTH = 1_000
COMMENT_LENGTH = 2_000


class PlayerPage(Moderated):
    """What an account shows of itself, under its player name. `link_id` is the address, which the owner can replace."""

    sharing_words = ReportWords(report=_("What is wrong with this player page?"), reasons=_("Reports are anonymous."))

    link_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PRIVATE)
    text = models.TextField(blank=True, max_length=ABOUT_LENGTH)
    shows_lists = models.BooleanField(default=False)
    shows_clubs = models.BooleanField(default=False)
    shows_games = models.BooleanField(default=False)
    shows_reports = models.BooleanField(default=False, db_default=False)

    class Meta(Moderated.Meta):
        ordering = ("pk",)
        constraints: ClassVar = (
            require_one_owner("club_playerpage_one_owner"),
            models.UniqueConstraint(fields=("owner",), name="one_page_per_player"),
        )

    def __str__(self) -> str:
        return self.name or self.link_id

    def get_absolute_url(self) -> str:
        return reverse("club:player", args=[self.link_id])

    @property
    def name(self) -> str:
        return self.player_name

    @property
    def is_shown(self) -> bool:
        return self.visibility != Visibility.PRIVATE


class FollowedPlayer(Owned):
    """A page that an account follows."""

    page = models.ForeignKey(PlayerPage, on_delete=models.CASCADE, related_name="followers")

    class Meta(Owned.Meta):
        ordering = ("-pk",)
        constraints: ClassVar = (
            require_one_owner("club_followedplayer_one_owner"),
            models.UniqueConstraint(fields=("owner", "page"), name="followed_once"),
        )

    def __str__(self) -> str:
        return str(self.page)


class BlockedPlayer(Owned):
    """An account that may neither follow the owner nor like or comment on the owner's lists."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta(Owned.Meta):
        ordering = ("-pk",)
        constraints: ClassVar = (
            require_one_owner("club_blockedplayer_one_owner"),
            models.UniqueConstraint(fields=("owner", "player"), name="blocked_once"),
        )

    def __str__(self) -> str:
        return str(self.player_id)


class LikedList(Owned):
    """An account's like of a public list. Others only see the number."""

    roster = models.ForeignKey("roster.Roster", on_delete=models.CASCADE, related_name="likes")

    class Meta(Owned.Meta):
        ordering = ("-pk",)
        constraints: ClassVar = (
            require_one_owner("club_likedlist_one_owner"),
            models.UniqueConstraint(fields=("owner", "roster"), name="liked_once"),
        )

    def __str__(self) -> str:
        return str(self.roster_id)


class ListComment(Moderated):
    """An account's comment on a public list, as plain text with line breaks.

    `is_unread` until the list's owner opens it.
    """

    sharing_words = ReportWords(report=_("What is wrong with this comment?"), reasons=_("Reports are anonymous."))
    # Whether the list's owner has read it is not for its author's export.
    secret_columns = ("is_unread",)

    roster = models.ForeignKey("roster.Roster", on_delete=models.CASCADE, related_name="comments")
    text = models.TextField(max_length=COMMENT_LENGTH)
    edited = models.DateTimeField(null=True, blank=True)
    # Comments from before this column count as read.
    is_unread = models.BooleanField(default=True, db_default=False)

    class Meta(Moderated.Meta):
        ordering = ("-pk",)
        constraints: ClassVar = (require_one_owner("club_listcomment_one_owner"),)
        indexes: ClassVar = (models.Index(fields=("owner", "created"), name="comments_of_account"),)

    def __str__(self) -> str:
        return Truncator(self.text).chars(60)

    def get_absolute_url(self) -> str:
        return reverse("club:talk", args=[self.roster.link_id]) + f"#comment-{self.pk}"

    @property
    def name(self) -> str:
        """The name of its list, for links that lead back to it."""
        return self.roster.name

    @property
    def is_shown(self) -> bool:
        return self.roster.visibility == Visibility.PUBLIC


class ClosedTalk(models.Model):
    """A list whose owner switched comments off."""

    roster = models.OneToOneField(
        "roster.Roster", on_delete=models.CASCADE, primary_key=True, related_name="closed_talk"
    )
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.roster_id)


class CommentMail(models.Model):
    """An account that wants mail about new comments on its lists, since `created`. `mailed` is when it last got one."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="comment_mail", primary_key=True
    )
    mailed = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.user_id)
