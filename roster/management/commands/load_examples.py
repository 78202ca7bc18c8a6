"""Store the lists that the packs come with, for the front page."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from roster.formats.list_document import Unreadable
from roster.models import Roster
from roster.services.examples import find_example_files, forget_examples, load_example
from roster.wording import explain_refusal, explain_unreadable


class Command(BaseCommand):
    help = "Store the example lists of all packs; those that are stored already and have not changed are left alone."

    def handle(self, *args: Any, **options: Any) -> None:
        packs = Path(settings.ARMYBUILDER["PACKS_DIR"])
        failures = 0
        forget_examples(packs)
        for path in find_example_files(packs):
            made = load_example(path, packs)
            if made is None or (isinstance(made, Unreadable) and made.code == "unknown-game"):
                continue  # a list of mistakes, or of a pack that is not installed here
            if isinstance(made, Roster):
                if options["verbosity"] > 1:
                    self.stdout.write(f"{path.relative_to(packs)}: {made.public_id}")
                continue
            failures += 1
            if isinstance(made, Unreadable):
                said = explain_unreadable(made)
                self.stderr.write(f"{path}:{said.line}: {said}")
            else:
                self.stderr.write(f"{path}: {explain_refusal(made)}")
        if failures:
            raise CommandError(_("%(number)d example lists could not be read.") % {"number": failures})
