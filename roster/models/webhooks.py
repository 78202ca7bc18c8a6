from django.conf import settings
from django.db import models

from catalogue.models.base import PUBLIC_ID_LENGTH, new_public_id

ADDRESS_LENGTH = 500
PAUSED = "paused"
"""The `trouble` of a message that was given up because its webhook was paused or its account closed."""


class Topic(models.TextChoices):
    SUBMITTED = "list-submitted"
    DECIDED = "list-decided"
    PUBLISHED = "round-published"
    DATA = "data-published"
    LEAGUE = "league-news"
    TEST = "test"


class Webhook(models.Model):
    """`failures` counts failed tries since the last success."""

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=ADDRESS_LENGTH)
    topics = models.JSONField(default=list)
    failures = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.address


class WebhookDelivery(models.Model):
    """`status` is the last answer's, or 0; `trouble` is the code of why there is none.

    `next_try` is None if the message was delivered or given up.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    topic = models.CharField(max_length=30, choices=Topic.choices)
    body = models.TextField()
    tries = models.PositiveSmallIntegerField(default=0)
    status = models.PositiveSmallIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    next_try = models.DateTimeField(null=True, blank=True)
    delivered = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.topic}: {self.status}"
