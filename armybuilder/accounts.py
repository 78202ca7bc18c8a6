from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import LoginForm
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser, User
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.guessing import Attempt, remember_device
from armybuilder.rate_limits import count_request
from roster import wording
from roster.services.owners import claim_guest_data, get_chosen_language
from roster.views.appearance import keep_choice

LONGEST_EMAIL = EmailAddress._meta.get_field("email").max_length


RESET_MAILS = frozenset({"account/email/password_reset_key", "account/email/unknown_account"})
"""Mails that strangers can trigger by asking for a new password."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth says nothing of its types
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGN_UP_OPEN)

    def clean_email(self, email: str) -> str:
        if len(email) > LONGEST_EMAIL:
            raise ValidationError(_("This email address is too long."))
        return str(super().clean_email(email))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Limit password mails to an address per hour, silently: links in earlier mails remain valid."""
        if template_prefix in RESET_MAILS and count_request(f"mail-{email.lower()}", "reset-mail"):
            return
        super().send_mail(template_prefix, email, context)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        attempt = Attempt(request, credentials.get("email") or credentials.get("username") or "")
        attempt.admit()
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user is None:
            attempt.count_failure()
        else:
            attempt.end_wait()
        return user

    def pre_login(self, request: HttpRequest, user: AbstractBaseUser, **how: Any) -> HttpResponseBase | None:
        """Confirm the address of a superuser from the command line, who has no `EmailAddress` row."""
        answer: HttpResponseBase | None = super().pre_login(request, user, **how)
        if isinstance(user, User) and user.is_superuser and user.email:
            theirs_or_anothers = Q(user=user) | Q(email__iexact=user.email)
            if not EmailAddress.objects.filter(theirs_or_anothers).exists():
                EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return answer

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        super().login(request, user)
        claimed = claim_guest_data(request.session, user.pk)
        if claimed:
            messages.success(request, wording.format_claimed(claimed))

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **how: Any) -> HttpResponseBase:
        answer: HttpResponseBase = super().post_login(request, user, **how)
        remember_device(request, answer, user.pk)
        if language := get_chosen_language(user):
            keep_choice(answer, settings.LANGUAGE_COOKIE_NAME, language)
        return answer


class SignInForm(LoginForm):  # type: ignore[misc]  # as above
    """Asks for an email address if a name is typed, whether or not that account exists."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].error_messages["invalid"] = _("Sign in with your email address, not with a name.")


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # as above
    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:  # noqa: A002 - allauth's word
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return _("Passkey") if number == 1 else _("Passkey %(number)s") % {"number": number}


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]  # as above
    passwordless = forms.BooleanField(
        label=gettext_lazy("Works without the password"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "It asks for a fingerprint, a face or a PIN. Untick this for a key that you use after the password."
        ),
    )


def get_display_name(user: User) -> str:
    return user.email or user.get_username()
