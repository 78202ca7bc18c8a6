from typing import Any

from django.core.management.base import BaseCommand, CommandError

from roster.models import VerdictTest
from roster.models.verdict_reports import ReportKind
from roster.services.verdict_reports import run_tests
from roster.wording import explain_unreadable


class Command(BaseCommand):
    help = (
        "Check the lists, datasheets and lines of text that staff made tests of reports, with the current data of each "
        "game. The command fails if a verdict changed, if a list breaks the reported rule again or no more, or if a "
        "datasheet or line reads differently."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        failed = 0
        for failure in run_tests():
            failed += 1
            test, rerun = failure.test, failure.rerun
            if rerun.trouble:
                reason = str(explain_unreadable(rerun.trouble))
            elif test.kind != ReportKind.VERDICT:
                reason = "reads differently" if rerun.lines else "is gone"
            elif rerun.verdict != test.verdict:
                reason = f"{test.verdict} -> {rerun.verdict}"
            else:
                reason = "breaks the rule again" if rerun.is_broken else "does not break the rule any more"
            self.stdout.write(f"{test.pk}. {test.name} ({test.game}): {reason}")
        number = VerdictTest.objects.count()
        if failed:
            raise CommandError(f"{failed} of {number} tests fail.")
        self.stdout.write(f"{number} tests hold.")
