"""Store the lists that the packs come with, for the front page."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import ngettext

from roster.formats.list_document import Unreadable
from roster.models import Roster
from roster.services.outcomes import Refused
from roster.services.rosters import find_example_files, forget_examples, load_example
from roster.wording import explain_refusal, explain_unreadable


class Command(BaseCommand):
    help = "Store the example lists of all packs; those that are stored already and have not changed are left alone."

    def handle(self, *args: Any, **options: Any) -> None:
        packs = Path(settings.ARMYBUILDER["PACKS_DIR"])
        forget_examples(packs)
        outcomes = [self._load_file(path, packs, options["verbosity"]) for path in find_example_files(packs)]
        failures = outcomes.count(False)
        if failures:
            message = ngettext(
                "%(number)d example list could not be read.", "%(number)d example lists could not be read.", failures
            )
            raise CommandError(message % {"number": failures})

    def _load_file(self, path: Path, packs: Path, verbosity: int) -> bool:
        """Store the list of one file; return whether it can be read, if this server has its game."""
        outcome = load_example(path, packs)
        if isinstance(outcome, Roster):
            if verbosity > 1:
                self.stdout.write(f"{path.relative_to(packs)}: {outcome.public_id}")
        # A file without an outcome is a list of mistakes.
        elif outcome is not None and outcome.code != "unknown-game":
            self.stderr.write(_describe_failure(path, outcome))
            return False
        return True


def _describe_failure(path: Path, outcome: Unreadable | Refused) -> str:
    if isinstance(outcome, Refused):
        return f"{path}: {explain_refusal(outcome)}"
    complaint = explain_unreadable(outcome)
    return f"{path}:{complaint.line}: {complaint}"
