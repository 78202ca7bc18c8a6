"""How the worked lists of a pack came out, kept with the version of the data they were judged by."""

from django.db import models

HASH_LENGTH = 64


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
