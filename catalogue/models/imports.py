"""What an import of community data found odd, kept beside the version that came of it."""

from collections import Counter

import msgspec
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogue.definitions.diagnostics import Diagnostic
from catalogue.models.base import NAME_LENGTH
from catalogue.models.games import PackVersion


class ImportReport(models.Model):
    """The report of the import that made a version. `source` names the file, `findings` are JSON of `Diagnostic`."""

    version = models.OneToOneField(
        PackVersion, models.CASCADE, related_name="import_report", verbose_name=_("version")
    )
    source = models.CharField(_("file"), max_length=NAME_LENGTH)
    findings = models.JSONField(_("findings"), default=list)
    created = models.DateTimeField(_("imported"), auto_now_add=True)

    class Meta:
        ordering = ("-created", "-pk")
        verbose_name = _("import report")
        verbose_name_plural = _("import reports")

    def __str__(self) -> str:
        return f"{self.version_id}: {self.source}"

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings as values, in the order of the files."""
        return msgspec.convert(self.findings, tuple[Diagnostic, ...])

    @property
    def by_code(self) -> dict[str, int]:
        """How many findings there are of each kind, the most frequent first."""
        return dict(Counter(finding["code"] for finding in self.findings).most_common())
