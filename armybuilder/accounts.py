"""What is ours about signing in: who may sign up, and that a guest's lists come along."""

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser, User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from roster import wording
from roster.services.claiming import claim

LONGEST_EMAIL = EmailAddress._meta.get_field("email").max_length


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth says nothing of its types
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGN_UP_OPEN)

    def clean_email(self, email: str) -> str:
        if len(email) > LONGEST_EMAIL:
            raise ValidationError(_("This address is longer than can be kept."))
        return str(super().clean_email(email))

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        super().login(request, user)
        claimed = claim(request.session, user.pk)
        if claimed:
            messages.success(request, wording.claimed(claimed))


def shown_name(user: User) -> str:
    """What somebody is called on their own pages; others see no name at all."""
    return user.email or user.get_username()
