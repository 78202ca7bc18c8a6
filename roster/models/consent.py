from django.conf import settings
from django.db import models


class PublicDomainConsent(models.Model):
    """An account whose public lists are in the public domain (CC0) and in the dump of lists."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="public_domain_consent", primary_key=True
    )
    given = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.given:%Y-%m-%d}"
