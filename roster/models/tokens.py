"""Personal tokens, with which programs act for an account."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

TOKEN_NAME_LENGTH = 60


class TokenScope(models.TextChoices):
    READ = "read", _("your lists, house rules, games and mission decks")
    WRITE = "write", _("make and change them")
    EVENTS = "events", _("that you run or play in, and results of your clubs")
    DATA = "data", _("install and update games")


class AccessToken(models.Model):
    """Only the token's hash is stored, so reading rows gives no access."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=TOKEN_NAME_LENGTH)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=list)
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    last_used = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created", "-pk")

    def __str__(self) -> str:
        return self.name

    @property
    def ended(self) -> datetime | None:
        """When the token stopped working, or None."""
        ends = self.expires if self.revoked is None else min(self.revoked, self.expires)
        return ends if ends <= timezone.now() else None

    @property
    def is_live(self) -> bool:
        return self.ended is None

    @property
    def share(self) -> str:
        """The share of the server that it uses."""
        return f"token-{self.pk}"
