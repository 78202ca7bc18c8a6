"""Copy the database, to change from SQLite to PostgreSQL or back."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.management.progress import ProgressBar
from roster.services.site_copy import CopyError, copy_database


class Command(BaseCommand):
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django declares it as a plain list
    help = "Copy everything from the database of DATABASE_URL to the empty database at ADDRESS. Stop the site first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", metavar="ADDRESS", help="postgres://user:password@host/name or sqlite:////file")
        parser.add_argument("--replace", action="store_true", help="delete the target's current content")

    def handle(self, *args: Any, address: str, replace: bool, **options: Any) -> None:
        bar = ProgressBar(self.stderr)
        try:
            tables = copy_database(
                address, replace=replace, report=lambda table, done, total: bar.show("Rows", done, total, table)
            )
        except CopyError as error:
            raise CommandError(f"Nothing was copied. {error}") from error
        finally:
            bar.clear()
        if options["verbosity"]:
            for table in tables:
                if table.rows:
                    self.stdout.write(f"{table.rows:>9} {table.name} {table.digest[:16]}")
            self.stdout.write(
                f"{sum(table.rows for table in tables):>9} rows in {len(tables)} tables, read back and equal"
            )
