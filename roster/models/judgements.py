"""Verdicts in advance: of lists by a version not yet published, and of the worked lists of a pack."""

from django.db import models

from roster.models.roster import VERDICTS, Roster

HASH_LENGTH = 64


class Impact(models.Model):
    """One list by one version. It counts for `revision` alone: a list that has moved on since is judged anew.

    `missing` names what the version does not have. `broken` holds a pair for each rule that the list would break newly:
    a blank and the rule's own name, or where it has none the code of its kind and what was counted. Staff see sums of
    these, never whose list it is.
    """

    version = models.ForeignKey("catalogue.PackVersion", on_delete=models.CASCADE, related_name="impacts")
    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="impacts")
    revision = models.PositiveIntegerField()
    before = models.CharField(max_length=10, choices=VERDICTS)
    after = models.CharField(max_length=10, choices=VERDICTS)
    repriced = models.BooleanField(default=False)
    missing = models.JSONField(default=list)
    broken = models.JSONField(default=list)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("version", "roster"), name="one_impact_per_list"),)

    def __str__(self) -> str:
        return f"{self.version_id}: {self.before} → {self.after}"


class PackProofs(models.Model):
    """The outcome of every worked list of one version, as JSON of `roster.services.proofs.Proof`.

    `source_hash` is the fingerprint of the pack's files, `code_hash` that of the code which judged them, both SHA-256
    in hexadecimal. Outcomes of other code prove nothing of the code that runs.
    """

    version = models.OneToOneField(
        "catalogue.PackVersion", on_delete=models.CASCADE, related_name="proofs", primary_key=True
    )
    source_hash = models.CharField(max_length=HASH_LENGTH)
    code_hash = models.CharField(max_length=HASH_LENGTH)
    outcomes = models.JSONField(default=list)
    judged = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.version_id}: {len(self.outcomes)}"
