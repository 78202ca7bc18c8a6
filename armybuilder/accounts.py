"""What is ours about signing in: who may sign up, and that a guest's lists come along."""

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser, User
from django.http import HttpRequest

from roster import wording
from roster.services.claiming import claim


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth says nothing of its types
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGN_UP_OPEN)

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        super().login(request, user)
        claimed = claim(request.session, user.pk)
        if claimed:
            messages.success(request, wording.claimed(claimed))


def shown_name(user: User) -> str:
    """What somebody is called on their own pages; others see no name at all."""
    return user.email or user.get_username()
