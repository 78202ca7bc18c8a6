"""Settings for a server behind TLS.

The environment must set SECRET_KEY or SECRET_KEY_FILE, and ALLOWED_HOSTS. It usually sets DATABASE_URL and
ARMYBUILDER_VAR.
"""

from django.core.exceptions import ImproperlyConfigured

from .base import *  # noqa: F403 - settings build on one another
from .base import ARMYBUILDER, CACHES, DATABASES, S3_BUCKET
from .environment import environment

DEBUG = False
SECRET_KEY = environment.read_secret("SECRET_KEY")
# Earlier keys. Their sessions, mail links and backups remain valid.
SECRET_KEY_FALLBACKS = environment.read_names("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = environment.read_hosts("ALLOWED_HOSTS")
_HOST = next((host.removeprefix(".") for host in ALLOWED_HOSTS if host != "*"), "localhost")
SITE_ADDRESS = environment.read_address("SITE_ADDRESS", ("https", "http"), f"https://{_HOST}").rstrip("/")
CSRF_TRUSTED_ORIGINS = [f"https://{host.removeprefix('.')}" for host in ALLOWED_HOSTS if host != "*"]

# All processes share these counts, in a table made by `createcachetable` or in Redis.
REDIS_URL = environment.read_address("REDIS_URL", ("redis", "rediss", "unix"))
CACHES["default"] = {
    "BACKEND": "django.core.cache.backends.db.DatabaseCache",
    "LOCATION": "shared_cache",
    "OPTIONS": {"MAX_ENTRIES": 100_000},
}
if REDIS_URL:
    CACHES["default"] = {"BACKEND": "armybuilder.redis_cache.FallbackRedisCache", "LOCATION": REDIS_URL}

# Files that several machines share must not be on the disk of one machine.
if environment.read_choice("MACHINES", ("one", "several"), "one") == "several":
    ARMYBUILDER["PRINT_LINE_IN_DATABASE"] = True
    if DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql":
        environment.add_mistake("MACHINES: several machines need a DATABASE_URL of PostgreSQL.")
    if not S3_BUCKET:
        environment.add_mistake("MACHINES: several machines need an S3_BUCKET for photos.")

SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = environment.read_number("HSTS_SECONDS", 365 * 24 * 60 * 60)
SECURE_HSTS_INCLUDE_SUBDOMAINS = environment.read_choice("HSTS_SUBDOMAINS", ("on", "off"), "on") == "on"
# Adds the site to browsers' HSTS lists for every subdomain. Removal takes months.
SECURE_HSTS_PRELOAD = environment.read_switch("HSTS_PRELOAD")
# Left to the administrator.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
if environment.read_switch("BEHIND_PROXY"):
    # Only safe if a proxy sets this header itself; clients could forge it otherwise.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Limit sign-in attempts by the client address that the proxy passes on.
    ALLAUTH_TRUSTED_PROXY_COUNT = 1

SENTRY_DSN = environment.read_address("SENTRY_DSN", ("https", "http"))
environment.raise_mistakes()
if SENTRY_DSN:
    import sentry_sdk
    from sentry_sdk.utils import BadDsn

    # Report errors without user input or names.
    try:
        sentry_sdk.init(
            dsn=SENTRY_DSN,
            send_default_pii=False,
            include_local_variables=False,
            max_request_body_size="never",
            ignore_errors=["UnreadablePostError"],  # a client that hung up
        )
    except BadDsn as error:
        raise ImproperlyConfigured(f"SENTRY_DSN: {error}") from error
