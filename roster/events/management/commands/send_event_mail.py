"""Send waiting mail. Run it from a timer every few minutes."""

from typing import Any

from django.core.management.base import BaseCommand

from roster.events.services.mail import plan_due_mail, send_waiting_mail


class Command(BaseCommand):
    help = "Send due reminders and reveal notices, and waiting mail. Each mail is sent at most once."

    def handle(self, *args: Any, **options: Any) -> None:
        planned = plan_due_mail()
        sent = send_waiting_mail()
        if options["verbosity"]:
            self.stdout.write(f"{planned} due, {sent} sent")
