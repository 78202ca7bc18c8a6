"""Users with accounts, and what their mail says."""

import re

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

PASSWORD = "Yellow7boat"


def account(email: str = "ann@example.org", *, staff: bool = False, confirmed: bool = True) -> User:
    user = User.objects.create_user(email.split("@")[0], email, PASSWORD, is_staff=staff, is_superuser=staff)
    EmailAddress.objects.create(user=user, email=email, verified=confirmed, primary=True)
    return user


def sign_in(client: Client, email: str = "ann@example.org", password: str = PASSWORD) -> HttpResponse:
    return client.post(reverse("account_login"), {"login": email, "password": password})


def sign_up(client: Client, email: str = "ann@example.org", **fields: str) -> HttpResponse:
    form = {"email": email, "password1": PASSWORD, "password2": PASSWORD} | fields
    return client.post(reverse("account_signup"), form)


def confirm(client: Client, code: str) -> HttpResponse:
    return client.post(reverse("account_email_verification_sent"), {"code": code})


def say_who(client: Client, password: str = PASSWORD) -> HttpResponse:
    """Confirm a user's password, as irreversible acts require."""
    return client.post(reverse("account_reauthenticate"), {"password": password})


def code_in_mail() -> str:
    return re.findall(r"^\s*([A-Z0-9]{3,8}-?[A-Z0-9]{3,8})\s*$", mail.outbox[-1].body, re.MULTILINE)[-1]
