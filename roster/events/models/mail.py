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
    """A mail to a player of an event, stored so that it is sent only once.

    `occasion` distinguishes mails of one kind: the submission's number, the decision, or the moment. `sent` is set
    before sending: a crash loses the mail rather than sending it twice. `by_address` mails go to the address that
    organisers entered, not to an account.
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
    """A user's choice of mail about events, and a second time zone for its times."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="event_mail", primary_key=True
    )
    is_wanted = models.BooleanField(default=True)
    zone = models.CharField(max_length=60, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.is_wanted}"


class MailRefusal(models.Model):
    """An address in lower case, without an account, that refused mail about events."""

    email = models.EmailField(unique=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.email
