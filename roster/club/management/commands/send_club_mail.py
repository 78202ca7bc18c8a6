"""Send league reminders. Run it from a timer every few minutes."""

from typing import Any

from django.core.management.base import BaseCommand

from roster.club.services.reminders import send_due_reminders


class Command(BaseCommand):
    help = "Remind players of meetings that are due within two days. Each reminder is sent at most once."

    def handle(self, *args: Any, **options: Any) -> None:
        sent = send_due_reminders()
        if options["verbosity"]:
            self.stdout.write(f"{sent} sent")
