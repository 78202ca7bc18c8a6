"""What somebody told the staff about a thing that others can see."""

from django.contrib.contenttypes.fields import GenericForeignKey
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.utils.translation import gettext_lazy as _

TEXT_LENGTH = 1_000


class Reason(models.TextChoices):
    OFFENSIVE = "offensive", _("It is offensive")
    PERSON = "person", _("It says something private about a person")
    ADVERT = "advert", _("It is an advertisement")
    RIGHTS = "rights", _("It copies what somebody else has the rights to")
    OTHER = "other", _("Something else")


class AbuseReport(models.Model):
    """A report on anything that is `Shared`, kept without who made it. `settled` says when staff dealt with it."""

    content_type = models.ForeignKey(ContentType, on_delete=models.CASCADE)
    object_id = models.PositiveBigIntegerField()
    thing = GenericForeignKey("content_type", "object_id")
    reason = models.CharField(max_length=10, choices=Reason.choices)
    text = models.TextField(blank=True, max_length=TEXT_LENGTH)
    created = models.DateTimeField(auto_now_add=True)
    settled = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("settled", "-created")
        indexes = (models.Index(fields=("content_type", "object_id"), name="abuse_report_thing"),)

    def __str__(self) -> str:
        return f"{self.get_reason_display()}: {self.thing}"
