from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from catalogue.services.edge import EVERYTHING, send_purge


class Command(BaseCommand):
    help = "Purge all public pages from the caches in EDGE_PURGE_URLS, as after an upgrade."

    def handle(self, *args: Any, **options: Any) -> None:
        accepted = [send_purge(address, [EVERYTHING]) for address in settings.EDGE_PURGE_URLS]
        if not all(accepted):
            raise CommandError(
                f"{accepted.count(False)} of {len(accepted)} caches did not accept the purge; the log says why. "
                "Their pages may be ten minutes old."
            )
