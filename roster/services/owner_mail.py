"""Letters to owners about what happened to what is theirs. One that cannot be sent keeps nothing from happening."""

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

from roster.models.abuse import Reason
from roster.models.ownership import Shared


def tell_hidden(thing: Shared) -> None:
    """Tell an owner that the staff have hidden a thing, with the reasons given in open reports."""
    if thing.owner is None:
        return
    given = thing.reports.filter(settled=None).values_list("reason", flat=True).order_by("reason").distinct()
    reasons = [str(Reason(reason).label) for reason in given]
    _send_mail("hidden", thing.owner.email, name=str(thing), reasons=reasons)


def tell_deleted(email: str) -> None:
    """Tell the owner that an account is deleted, in case somebody else did that."""
    _send_mail("deleted", email)


def _send_mail(letter: str, email: str, **context: object) -> None:
    """Send a mail from a template whose first line is the subject."""
    if not email:
        return
    subject, _, text = render_to_string(f"roster/mail/{letter}.txt", context).strip().partition("\n")
    subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + " ".join(subject.split())
    send_mail(subject, text.strip() + "\n", None, [email], fail_silently=True)
