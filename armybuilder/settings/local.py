"""Settings for your own machine: `make run` and `manage.py`. Needs no configuration; DEBUG=1 shows tracebacks."""

import os

from .base import *  # noqa: F403 - settings build on one another
from .base import ARMYBUILDER, STATIC_ROOT, STORAGES, VAR_DIR
from .environment import environment, own_secret

DEBUG = os.environ.get("DEBUG", "") not in {"", "0"}
SECRET_KEY = os.environ.get("SECRET_KEY") or own_secret(VAR_DIR / "secret.key")
SITE_ADDRESS = environment.read_address("SITE_ADDRESS", ("https", "http"), "http://localhost:8000").rstrip("/")
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", *environment.read_names("ALLOWED_HOSTS")]

ARMYBUILDER = {
    **ARMYBUILDER,
    "SOURCE_FOLDERS": ARMYBUILDER["SOURCE_FOLDERS"] or [VAR_DIR.resolve() / "sources"],
    # The machine's one user installs games without an account.
    "INSTALLING": environment.read_choice("INSTALLING", ("staff", "accounts", "everybody"), "everybody"),
}

# Browsers allow passkeys on http://localhost.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True

# Before the first `collectstatic`, static files are served from the source tree.
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "armybuilder.static.OnceCollectedStorage"}}
if not (STATIC_ROOT / "staticfiles.json").exists():
    WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
if DEBUG:
    STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    # Changes must show with the next click.
    ARMYBUILDER = {**ARMYBUILDER, "OFFLINE": False}

environment.raise_mistakes()
