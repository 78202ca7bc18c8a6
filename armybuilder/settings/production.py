"""On a server behind TLS.

The environment must name SECRET_KEY and ALLOWED_HOSTS, and mostly names DATABASE_URL and ARMYBUILDER_VAR.
"""

import os

from .base import *  # noqa: F403 - settings build on one another

DEBUG = False
SECRET_KEY = os.environ["SECRET_KEY"]
ALLOWED_HOSTS = os.environ["ALLOWED_HOSTS"].split(",")
CSRF_TRUSTED_ORIGINS = [f"https://{host.removeprefix('.')}" for host in ALLOWED_HOSTS if host != "*"]

SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = int(os.environ.get("HSTS_SECONDS", 365 * 24 * 60 * 60))
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
if os.environ.get("BEHIND_PROXY"):
    # Only where a proxy in front sets this header itself; without one, anybody could.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Attempts to sign in are counted by the address that the proxy saw.
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
