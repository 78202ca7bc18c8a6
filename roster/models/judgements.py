"""Precomputed verdicts: of lists under an unpublished version, and of a pack's worked lists."""

from django.db import models

from roster.models.roster import VERDICTS, Roster

HASH_LENGTH = 64


class Impact(models.Model):
    """A version's impact on one list, valid only for `revision`.

    `broken` has a pair for each newly broken rule: ("", its name), or (code, what was counted) if it has no name.
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
    """A version's worked lists with results, as JSON of `roster.services.proofs.Proof`.

    The hashes are SHA-256 of the pack's files and of the code that evaluated them.
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
