"""Accounts: email and password, a second factor, and other sites to sign in with. `base` imports it.

The environment may set SIGN_UP (`closed` stops new accounts) and SOCIAL_LOGIN, the sites to sign in with:
`SOCIAL_LOGIN="github openid_connect"`. Each site needs `<SITE>_CLIENT_ID` and `<SITE>_CLIENT_SECRET`. OpenID Connect
also needs OPENID_CONNECT_SERVER; OPENID_CONNECT_NAME is optional.
"""

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from .environment import environment

SITES = {
    "discord": "https://discord.com",
    "github": "https://github.com",
    "google": "https://accounts.google.com",
    "openid_connect": "",
}
"""The sites and their origins."""


def configure_sites(environment: Mapping[str, str]) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return allauth's settings and the origins of the sites. Raises ImproperlyConfigured."""
    providers: dict[str, dict[str, Any]] = {}
    origins: list[str] = []
    for site in environment.get("SOCIAL_LOGIN", "").split():
        if site not in SITES:
            raise ImproperlyConfigured(f"SOCIAL_LOGIN: {site} is none of {', '.join(SITES)}")
        prefix, origin = site.upper(), SITES[site]
        needed = [f"{prefix}_CLIENT_ID", f"{prefix}_CLIENT_SECRET"]
        if not origin:
            needed.append(f"{prefix}_SERVER")
        missing = [name for name in needed if not environment.get(name)]
        if missing:
            raise ImproperlyConfigured(f"SOCIAL_LOGIN names {site}, which needs {' and '.join(missing)}")

        app: dict[str, Any] = {"client_id": environment[needed[0]], "secret": environment[needed[1]]}
        if not origin:
            server = environment[f"{prefix}_SERVER"]
            parts = urlsplit(server)
            origin = f"{parts.scheme}://{parts.netloc}"
            app["provider_id"] = "openid"
            app["name"] = environment.get(f"{prefix}_NAME") or "OpenID Connect"
            app["settings"] = {"server_url": server}
        providers[site] = {"APPS": [app]}
        origins.append(origin)
    return providers, origins


SOCIALACCOUNT_PROVIDERS, SOCIAL_ORIGINS = configure_sites(os.environ)

ACCOUNT_APPS = [
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    *(f"allauth.socialaccount.providers.{site}" for site in SOCIALACCOUNT_PROVIDERS),
    "django.contrib.humanize",
]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "roster:rosters"
LOGOUT_REDIRECT_URL = "roster:front"

SIGN_UP_OPEN = environment.read_choice("SIGN_UP", ("open", "closed"), "open") == "open"
ACCOUNT_ADAPTER = "armybuilder.accounts.AccountAdapter"
ACCOUNT_FORMS = {"login": "armybuilder.accounts.SignInForm"}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# A code keeps the sign-up in the browser that has the guest's lists.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
# Mail gets lost. Changing the address here is only offered for new addresses, which would reveal accounts.
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Armybuilder: "
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
# A link from the mail signs in, so guessing cannot lock out the owner.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# Limits per account would let strangers lock out its owner, so addresses are limited first. `armybuilder.guessing`
# limits wrong passwords.
ACCOUNT_RATE_LIMITS = {"login_failed": None, "reset_password": "20/m/ip", "confirm_email": "6/m/ip,60/m/key"}
ACCOUNT_USER_DISPLAY = "armybuilder.accounts.get_display_name"

MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ADAPTER = "armybuilder.accounts.MFAAdapter"
MFA_FORMS = {"add_webauthn": "armybuilder.accounts.AddPasskeyForm"}
MFA_TOTP_ISSUER = "Armybuilder"
