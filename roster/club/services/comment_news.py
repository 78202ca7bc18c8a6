"""Tell the owners of public lists of new comments: a mark on their pages, and mail if they asked for it."""

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from roster.club.models import BlockedPlayer, CommentMail, ListComment
from roster.club.services.letters import open_connection, send_letter
from roster.club.services.talk import EDIT_MINUTES
from roster.events.services.mail import MOST_AT_ONCE, build_address
from roster.services.list_search import select_public_lists

WAIT = timedelta(minutes=2 * EDIT_MINUTES)
"""How long a comment waits for its mail: its author may still change or delete it, and others may follow."""
BETWEEN_MAILS = timedelta(days=1)


def select_unseen_comments() -> QuerySet[ListComment]:
    """Select the comments on public lists that their owners have not seen, of anybody else.

    Hidden comments do not count, nor do those of accounts that the owner blocked or that were deactivated.
    """
    comments = ListComment.objects.filter(is_unread=True, taken_down=False, owner__is_active=True)
    comments = comments.filter(roster__in=select_public_lists()).exclude(owner=F("roster__owner"))
    blocked = BlockedPlayer.objects.filter(owner=OuterRef("roster__owner"), player=OuterRef("owner"))
    return comments.exclude(Exists(blocked))


def select_new_comments(user: User) -> QuerySet[ListComment]:
    return select_unseen_comments().filter(roster__owner=user)


def count_new_comments(user: User) -> int:
    return select_new_comments(user).count()


def see_comments(comments: Iterable[ListComment]) -> None:
    """Note that the owner of the lists was shown these comments."""
    unread = [comment.pk for comment in comments if comment.is_unread]
    if unread:
        ListComment.objects.filter(pk__in=unread).update(is_unread=False)


# ---- mail ------------------------------------------------------------------------------------------------------------


def wants_comment_mail(user: User) -> bool:
    return CommentMail.objects.filter(user=user).exists()


def switch_comment_mail(user: User, *, wanted: bool) -> None:
    """Start or stop mail about comments. Comments from before are not mailed."""
    if wanted:
        CommentMail.objects.get_or_create(user=user)
    else:
        CommentMail.objects.filter(user=user).delete()


def send_comment_mail() -> int:
    """Mail each account that wants it about its new comments, at most once a day. Returns the number of mails.

    A mail is noted first: a crash loses it rather than sending it twice.
    """
    now = timezone.now()
    recent = select_unseen_comments().filter(
        roster__owner=OuterRef("user"), created__gt=OuterRef("since"), created__lte=now - WAIT
    )
    reachable = CommentMail.objects.filter(user__is_active=True).exclude(user__email="")
    due = reachable.annotate(since=Coalesce("mailed", "created")).filter(
        Q(mailed=None) | Q(mailed__lte=now - BETWEEN_MAILS), Exists(recent)
    )
    rows = list(due.select_related("user__chosen_language").order_by("since")[:MOST_AT_ONCE])
    if not rows:
        return 0
    sent = 0
    with open_connection() as connection:
        if connection is None:
            return 0
        for row in rows:
            user = row.user
            comments = select_new_comments(user).filter(created__gt=row.mailed or row.created, created__lte=now)
            rosters = Counter(comment.roster for comment in comments.select_related("roster").order_by("pk"))
            # Two runs at once send a mail once.
            if not rosters or not CommentMail.objects.filter(pk=row.pk, mailed=row.mailed).update(mailed=now):
                continue
            context = {
                "number": rosters.total(),
                "rosters": [(roster.name, number) for roster, number in rosters.items()],
                "link": build_address(reverse("club:players")) + "#received",
            }
            sent += send_letter(user, "club/mail/comments.txt", context, connection, stop_page="club:comment-mail")
    return sent
