"""Store the lists that the packs come with, for the front page."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from roster.formats.list_document import Unreadable
from roster.models import Roster
from roster.services.rosters import find_example_files, forget_examples, load_example
from roster.wording import explain_refusal, explain_unreadable


class Command(BaseCommand):
    help = "Store the example lists of all packs; those that are stored already and have not changed are left alone."

    def handle(self, *args: Any, **options: Any) -> None:
        packs = Path(settings.ARMYBUILDER["PACKS_DIR"])
        failures = 0
        forget_examples(packs)
        for path in find_example_files(packs):
            outcome = load_example(path, packs)
            if outcome is None or (isinstance(outcome, Unreadable) and outcome.code == "unknown-game"):
                continue  # a list of mistakes, or of a pack that is not installed here
            if isinstance(outcome, Roster):
                if options["verbosity"] > 1:
                    self.stdout.write(f"{path.relative_to(packs)}: {outcome.public_id}")
                continue
            failures += 1
            if isinstance(outcome, Unreadable):
                complaint = explain_unreadable(outcome)
                self.stderr.write(f"{path}:{complaint.line}: {complaint}")
            else:
                self.stderr.write(f"{path}: {explain_refusal(outcome)}")
        if failures:
            raise CommandError(_("%(number)d example lists could not be read.") % {"number": failures})
