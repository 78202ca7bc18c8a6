"""Likes and comments of public lists, and similar lists."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from catalogue.models import PackVersion
from roster.club.models import ClosedTalk, LikedList, ListComment, PlayerPage
from roster.club.models.players import COMMENT_LENGTH
from roster.club.services.players import block_player, find_public_pages, is_blocked
from roster.models import Roster
from roster.services.accounts import get_player_name
from roster.services.limits import check_text
from roster.services.list_search import select_public_lists
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, find_thing

EDIT_MINUTES = 15
MOST_AN_HOUR = 30
"""The most comments that an account writes in an hour."""
MOST_COMPARED = 300
"""The newest public lists of the game and faction that a list is compared with."""
MOST_SIMILAR = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownComment:
    """A comment as a reader sees it. `page` is its author's public page."""

    comment: ListComment
    page: PlayerPage | None
    is_mine: bool
    may_edit: bool
    may_delete: bool


def find_talk_roster(link_id: str) -> Roster:
    """Find a public list without its document. Raises Roster.DoesNotExist."""
    public = select_public_lists().select_related("version__game", "owner__player_name")
    return find_thing(public.defer("document", "outlook"), link_id=link_id)


def count_likes(roster: Roster) -> int:
    return LikedList.objects.filter(roster=roster).count()


def is_liked(user: User, roster: Roster) -> bool:
    return LikedList.objects.filter(owner=user, roster=roster).exists()


def like_list(user: User, roster: Roster) -> Refused | None:
    """Like a list, once. Refuses `own-list` and `blocked-player`."""
    if roster.owner_id == user.pk:
        return Refused(code="own-list")
    if is_blocked(user, roster.owner_id):
        return Refused(code="blocked-player")
    LikedList.objects.get_or_create(owner=user, roster=roster)
    return None


def unlike_list(user: User, roster: Roster) -> None:
    LikedList.objects.filter(owner=user, roster=roster).delete()


def is_talk_closed(roster: Roster) -> bool:
    return ClosedTalk.objects.filter(roster=roster).exists()


def switch_comments(user: User, roster: Roster, *, closed: bool) -> Refused | None:
    """Let the owner switch comments off, or on again. Refuses `bad-change`."""
    if roster.owner_id != user.pk:
        return Refused(code="bad-change")
    if closed:
        ClosedTalk.objects.get_or_create(roster=roster)
    else:
        ClosedTalk.objects.filter(roster=roster).delete()
    return None


def select_comments(roster: Roster, reader: Visitor) -> QuerySet[ListComment]:
    """Select the comments that a reader may see, newest first.

    Authors also see their own hidden comments. If comments are off, only the list's owner and the authors see them.
    """
    comments = ListComment.objects.filter(roster=roster).select_related("owner__player_name")
    by_reader = Q(owner=reader.user_id) if reader.user_id is not None else Q(pk__in=())
    if not reader.is_staff:
        comments = comments.filter(Q(taken_down=False) | by_reader)
        if reader.user_id is None or roster.owner_id != reader.user_id:
            comments = comments.filter(Q(roster__closed_talk=None) | by_reader)
    return comments.order_by("-pk")


def find_comment(comment_id: int, reader: Visitor) -> ListComment:
    """Find a comment of a public list that a reader may see. Raises ListComment.DoesNotExist."""
    comment = ListComment.objects.select_related("roster").get(pk=comment_id)
    if not select_public_lists().filter(pk=comment.roster_id).exists():
        raise ListComment.DoesNotExist
    return select_comments(comment.roster, reader).select_related("roster").get(pk=comment_id)


def show_comments(comments: Iterable[ListComment], roster: Roster, reader: Visitor) -> list[ShownComment]:
    rows = list(comments)
    pages = find_public_pages(comment.owner_id for comment in rows)
    return [
        ShownComment(
            comment=comment,
            page=pages.get(comment.owner_id),
            is_mine=comment.owner_id == reader.user_id,
            may_edit=comment.owner_id == reader.user_id and is_editable(comment),
            may_delete=reader.user_id is not None and reader.user_id in (comment.owner_id, roster.owner_id),
        )
        for comment in rows
    ]


def is_editable(comment: ListComment) -> bool:
    return not comment.taken_down and timezone.now() - comment.created <= timedelta(minutes=EDIT_MINUTES)


def write_comment(user: User, roster: Roster, text: str) -> ListComment | Refused:
    """Write a comment. The same text sent twice in a row counts once.

    Refuses `no-player-name`, `blocked-player`, `comments-off`, `nothing-said`, `too-long` and `too-many-comments`.
    """
    if not get_player_name(user):
        return Refused(code="no-player-name")
    if is_blocked(user, roster.owner_id):
        return Refused(code="blocked-player")
    if is_talk_closed(roster):
        return Refused(code="comments-off")
    cleaned = _clean_comment(text)
    if isinstance(cleaned, Refused):
        return cleaned
    last = ListComment.objects.filter(owner=user).order_by("-pk").first()
    if last and (last.roster_id, last.text) == (roster.pk, cleaned) and is_editable(last):
        return last
    since = timezone.now() - timedelta(hours=1)
    if ListComment.objects.filter(owner=user, created__gte=since).count() >= MOST_AN_HOUR:
        return Refused(code="too-many-comments", allowed=MOST_AN_HOUR)
    return ListComment.objects.create(owner=user, roster=roster, text=cleaned)


def edit_comment(user: User, comment_id: int, text: str) -> Refused | None:
    """Change one's own comment. Refuses `unknown-comment`, `edit-over`, `nothing-said` and `too-long`."""
    comment = ListComment.objects.filter(pk=comment_id, owner=user).first()
    if comment is None:
        return Refused(code="unknown-comment")
    if not is_editable(comment):
        return Refused(code="edit-over", allowed=EDIT_MINUTES)
    cleaned = _clean_comment(text)
    if isinstance(cleaned, Refused):
        return cleaned
    if cleaned != comment.text:
        comment.text, comment.edited = cleaned, timezone.now()
        comment.save(update_fields=["text", "edited", "updated"])
    return None


def _clean_comment(text: str) -> str | Refused:
    cleaned = check_text(text, COMMENT_LENGTH, lines=True)
    return Refused(code="nothing-said") if cleaned == "" else cleaned


def delete_comment(user: User, comment_id: int) -> Refused | None:
    """Delete a comment of one's own or on one's own list. Refuses `unknown-comment`."""
    mine = ListComment.objects.filter(Q(owner=user) | Q(roster__owner=user), pk=comment_id)
    deleted, _rows = mine.delete()
    return None if deleted else Refused(code="unknown-comment")


def block_author(user: User, comment_id: int) -> Refused | None:
    """Block the author of a comment on one's own list. Refuses `bad-change`."""
    comment = ListComment.objects.filter(pk=comment_id, roster__owner=user).first()
    return block_player(user, comment.owner_id if comment else None)


def list_own_comments(user: User) -> QuerySet[ListComment]:
    return ListComment.objects.filter(owner=user).select_related("roster").defer("roster__document", "roster__outlook")


def list_received_comments(user: User) -> QuerySet[ListComment]:
    """List other players' comments on the user's lists, newest first."""
    received = ListComment.objects.filter(roster__owner=user, taken_down=False).exclude(owner=user)
    return received.select_related("roster", "owner__player_name").defer("roster__document", "roster__outlook")


def list_similar(roster: Roster) -> list[Roster]:
    """Return other players' public lists of the game and faction with the most units in common.

    Compares with the newest `MOST_COMPARED` lists, and with the units that overviews show. Hidden lists are left out.
    """
    names = {unit[0] for unit in roster.units}
    if roster.is_secret or not names:
        return []
    versions = PackVersion.objects.filter(game=roster.version.game_id)
    others = select_public_lists().filter(version__in=versions.values("pk"), faction_id=roster.faction_id)
    others = others.filter(is_secret=False).exclude(pk=roster.pk)
    if roster.owner_id is not None:
        others = others.exclude(owner=roster.owner_id)
    # The first query reads an index; only the second reads rows.
    keys = list(others.values_list("pk", flat=True)[:MOST_COMPARED])
    units = dict(Roster.objects.filter(pk__in=keys).values_list("pk", "units"))
    shares = {key: len(names & {unit[0] for unit in units.get(key, ())}) for key in keys}
    # Sorting keeps the newest first among equals.
    nearest = sorted((key for key in keys if shares[key]), key=lambda key: -shares[key])[:MOST_SIMILAR]
    rows = Roster.objects.select_related("version__game", "owner__player_name")
    by_key = rows.defer("document", "outlook", "search_text").in_bulk(nearest)
    # A list may have been deleted since its key was read.
    return [by_key[key] for key in nearest if key in by_key]
