"""Write mails to members of clubs."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from functools import partial
from smtplib import SMTPException
from typing import Any

from django.contrib.auth.models import User
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils.translation import override
from django_tasks import task

from catalogue.services.jobs import LETTER_PRIORITY, LETTERS
from roster.club.models import ClubNight, ClubRole, Season
from roster.events.services.mail import Recipient, build_address, describe_moment, get_mail_choice, write_letter

logger = logging.getLogger(__name__)


class NightNews(StrEnum):
    """What a mail about a club night says. An `IDLE` player found no opponent, and a `LEFT` one lost theirs."""

    PAIRED = "paired"
    IDLE = "idle"
    LEFT = "left"
    REOPENED = "reopened"
    CANCELLED = "cancelled"


@contextmanager
def open_connection() -> Iterator[BaseEmailBackend | None]:
    """Yield a connection to the mail server, or None if it cannot be reached."""
    connection = get_connection()
    try:
        connection.open()
    except (OSError, SMTPException):
        logger.exception("The mail server could not be reached")
        yield None
        return
    try:
        yield connection
    finally:
        connection.close()


def send_member_letter(
    user: User | None, template: str, context: Mapping[str, Any], connection: BaseEmailBackend
) -> bool:
    """Mail a member, and return whether that was possible. Members without an account or mail get none.

    Texts of `context` that depend on the language are functions.
    """
    if user is None or not user.email or not user.is_active or not get_mail_choice(user).is_wanted:
        return False
    return send_letter(user, template, context, connection)


def send_letter(
    user: User, template: str, context: Mapping[str, Any], connection: BaseEmailBackend, stop_page: str = ""
) -> bool:
    """Mail a user, with a link to their mail settings or to `stop_page`. Return whether that was possible."""
    recipient = Recipient(email=user.email, user=user)
    with override(recipient.language):
        message = write_letter(template, dict(context), recipient, stop_page)
    message.connection = connection
    try:
        message.send()
    except (OSError, SMTPException):
        logger.exception("A letter of %s could not be sent", template)
        return False
    return True


def describe_night(night: ClubNight, user: User | None = None) -> str:
    """Format when a club night starts, for a chat or for a user, whose time zone may differ."""
    return describe_moment(night.starts, night, get_mail_choice(user).zone if user else "")


def plan_night_letters(night: ClubNight, news: NightNews, names: Mapping[int, str]) -> None:
    """Mail users about a club night after the commit. `names` has the name that each one's mail is about, by user."""
    facts = {"starts": night.starts.isoformat(), "zone": night.zone, "place": night.place}
    address = night.season if news is NightNews.CANCELLED else night
    if names:
        send = partial(
            send_night_letters.enqueue,
            night.season_id,
            news.value,
            facts,
            address.get_absolute_url(),
            list(names.items()),
        )
        transaction.on_commit(send)


@task(queue_name=LETTERS, priority=LETTER_PRIORITY)
def send_night_letters(
    season_id: int, news: str, facts: dict[str, str], address: str, names: Sequence[tuple[int, str]]
) -> None:
    """Mail users about a club night, which may be deleted by now."""
    season = Season.objects.filter(pk=season_id).first()
    if season is None:
        return
    night = ClubNight(season=season, **(facts | {"starts": datetime.fromisoformat(facts["starts"])}))
    users = User.objects.select_related("event_mail", "chosen_language").in_bulk([user_id for user_id, _name in names])
    with open_connection() as connection:
        if connection is None:
            return
        for user_id, name in names:
            user = users.get(user_id)
            context = {
                "event": season,
                "news": news,
                "name": name,
                "moment": partial(describe_night, night, user),
                "place": night.place,
                "link": build_address(address),
            }
            send_member_letter(user, "club/mail/night.txt", context, connection)


def list_organisers(season: Season) -> list[int]:
    """Return the accounts of a season's organisers."""
    organisers = season.club.members.filter(role=ClubRole.ORGANISER, left=None).exclude(user=None)
    return list(organisers.values_list("user_id", flat=True))
