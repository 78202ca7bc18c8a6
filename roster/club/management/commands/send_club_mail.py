"""Pair club nights, and send league reminders and news of comments. Run it from a timer every few minutes."""

from typing import Any

from django.core.management.base import BaseCommand

from roster.club.services.comment_news import send_comment_mail
from roster.club.services.nights import close_due_nights
from roster.club.services.reminders import send_due_reminders


class Command(BaseCommand):
    help = (
        "Pair club nights that have closed, remind players of meetings that are due within two days, and mail owners "
        "of lists about new comments, if they asked for it."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        closed = close_due_nights()
        sent = send_due_reminders() + send_comment_mail()
        if options["verbosity"]:
            self.stdout.write(f"{closed} paired, {sent} sent")
