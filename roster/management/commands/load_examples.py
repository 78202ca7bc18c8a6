from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import ngettext

from roster.models import Roster
from roster.services.outcomes import Refused
from roster.services.rosters import find_example_files, forget_examples, load_example
from roster.wording import explain_refusal, explain_unreadable


class Command(BaseCommand):
    help = "Store the example lists of all packs. Lists that are already stored and unchanged are skipped."

    def handle(self, *args: Any, **options: Any) -> None:
        packs = Path(settings.ARMYBUILDER["PACKS_DIR"])
        forget_examples(packs)
        failures = 0
        for path in find_example_files(packs):
            outcome = load_example(path, packs)
            if isinstance(outcome, Roster):
                if options["verbosity"] > 1:
                    self.stdout.write(f"{path.relative_to(packs)}: {outcome.public_id}")
            # None means that the list shows mistakes. Lists of games that are not installed are skipped.
            elif outcome is not None and outcome.code != "unknown-game":
                failures += 1
                if isinstance(outcome, Refused):
                    self.stderr.write(f"{path}: {explain_refusal(outcome)}")
                else:
                    complaint = explain_unreadable(outcome)
                    self.stderr.write(f"{path}:{complaint.line}: {complaint}")
        if failures:
            message = ngettext(
                "%(number)d example list could not be read.", "%(number)d example lists could not be read.", failures
            )
            raise CommandError(message % {"number": failures})
