"""Mail about events: which letter was sent to whom, and who wants none."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from roster.events.models.event import Participant


class Letter(models.TextChoices):
    RECEIPT = "receipt", _("Receipt")
    RETURNED = "returned", _("Returned")
    DEADLINE = "deadline", _("Deadline")
    REVEAL = "reveal", _("Reveal")


class EventMail(models.Model):
    """One letter to one player of an event, kept so that it is never sent twice.

    `occasion` tells letters of one kind apart: the number of the submission, the decision, the moment that is told.
    `sent` is set before the letter is handed to the mail server. If the process dies in between, the letter is lost,
    and nobody gets it twice; while the server cannot be reached, it waits. `by_address`: it goes to the address that
    organisers entered the player with, not to an account.
    """

    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=10, choices=Letter.choices)
    occasion = models.CharField(max_length=40)
    by_address = models.BooleanField(db_default=False, default=False)
    sent = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("participant", "kind", "occasion", "by_address"), name="one_mail_a_way_and_occasion"
            ),
        )
        indexes = (models.Index(fields=("created",), condition=models.Q(sent=None), name="mails_to_be_sent"),)

    def __str__(self) -> str:
        return f"{self.participant_id}: {self.kind}"


class MailChoice(models.Model):
    """Whether somebody wants mail about events, and the time zone that it tells times in besides that of the event."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="event_mail", primary_key=True
    )
    is_wanted = models.BooleanField(default=True)
    zone = models.CharField(max_length=60, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.is_wanted}"


class MailRefusal(models.Model):
    """An address without an account that wants no mail about events; in small letters."""

    email = models.EmailField(unique=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.email
