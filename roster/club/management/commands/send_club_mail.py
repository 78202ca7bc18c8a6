"""Pair club nights, and send league reminders. Run it from a timer every few minutes."""

from typing import Any

from django.core.management.base import BaseCommand

from roster.club.services.nights import close_due_nights
from roster.club.services.reminders import send_due_reminders


class Command(BaseCommand):
    help = "Pair club nights that have closed, and remind players of meetings that are due within two days."

    def handle(self, *args: Any, **options: Any) -> None:
        closed = close_due_nights()
        sent = send_due_reminders()
        if options["verbosity"]:
            self.stdout.write(f"{closed} paired, {sent} sent")
