"""Settings that `local`, `production` and `test` share. Each of them calls `raise_mistakes` at its end."""

import os
from pathlib import Path
from typing import Any
from wsgiref.headers import Headers

import dj_database_url
from whitenoise.compress import Compressor

from .accounts import *  # noqa: F403 - settings build on one another
from .accounts import ACCOUNT_APPS, SOCIAL_ORIGINS
from .environment import environment
from .mail import *  # noqa: F403 - settings build on one another
from .programs import *  # noqa: F403 - settings build on one another

BASE_DIR = Path(__file__).resolve().parents[2]
# An installed wheel has templates, static files and docs inside the package, and writes into the user's data folder.
INSTALLED = not (BASE_DIR / "manage.py").exists()
FILES_DIR = BASE_DIR / "armybuilder" / "site" if INSTALLED else BASE_DIR
DATA_HOME = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
VAR_DIR = Path(
    environment.read_text("ARMYBUILDER_VAR", str(DATA_HOME / "armybuilder" if INSTALLED else BASE_DIR / "var"))
)
DRAINED = VAR_DIR / "drained"
"""While this file exists, `/healthz` tells proxies to send requests to other nodes."""
MEGABYTE = 1024 * 1024
DAY = 24 * 60 * 60

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "armybuilder.apps.StaticFilesConfig",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "django_tasks",
    "template_partials",
    "csp",
    *ACCOUNT_APPS,
    "oauth2_provider",
    "catalogue",
    "roster",
    "roster.play",
    "roster.events",
    "roster.club",
    # Commands of earlier apps win, so our worker serves all queues.
    "django_tasks_db",
]

MIDDLEWARE = [
    "armybuilder.middleware.HeadMiddleware",
    "armybuilder.middleware.HealthMiddleware",
    "armybuilder.middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "armybuilder.middleware.CrossOriginMiddleware",
    "armybuilder.middleware.CompressionMiddleware",
    "armybuilder.middleware.BodyLimitMiddleware",
    "armybuilder.middleware.PrivateMiddleware",
    "armybuilder.replicas.ReplicaMiddleware",
    "armybuilder.public_answers.PublicAnswerMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "armybuilder.middleware.LanguageMiddleware",
    "armybuilder.middleware.SlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "armybuilder.middleware.NulMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "armybuilder.middleware.OfflineMiddleware",
    "armybuilder.middleware.FragmentMiddleware",
    "armybuilder.middleware.ArchiveMiddleware",
    "armybuilder.middleware.RateLimitMiddleware",
]

ROOT_URLCONF = "armybuilder.urls"
WSGI_APPLICATION = "armybuilder.wsgi.application"
ASGI_APPLICATION = "armybuilder.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            ["armybuilder.template_loader.Loader", "django.template.loaders.app_directories.Loader"],
                        )
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# ---- storage: SQLite (WAL) unless DATABASE_URL names another database --------------------------------------------

DATABASES: dict[str, Any] = {
    "default": dj_database_url.parse(
        environment.read_address("DATABASE_URL", ("postgres", "postgresql", "sqlite"))
        or f"sqlite:///{VAR_DIR / 'armybuilder.sqlite3'}",
        conn_max_age=600,
        conn_health_checks=True,
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    DATABASES["default"].setdefault("OPTIONS", {}).update(
        {
            # Concurrent writers wait instead of failing half way.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-4000;",
        }
    )
elif environment.read_switch("DATABASE_POOLED"):
    # pgbouncer may give each transaction another connection, and a server-side cursor belongs to one connection.
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True

# How long a migration waits for a table that is in use. All later queries on the table wait as long.
MIGRATION_LOCK_SECONDS = environment.read_number("MIGRATION_LOCK_SECONDS", 3, least=1, most=600)

# Replicas of PostgreSQL. Public pages, search, statistics and exports read from them: `armybuilder.replicas`.
REPLICA_LAG_SECONDS = environment.read_number("REPLICA_LAG_SECONDS", 5, least=1, most=30)
for _number, _address in enumerate(environment.read_addresses("REPLICA_URLS", ("postgres", "postgresql")), 1):
    DATABASES[f"replica{_number}"] = {
        **dj_database_url.parse(_address, conn_max_age=600, conn_health_checks=True),
        "DISABLE_SERVER_SIDE_CURSORS": DATABASES["default"].get("DISABLE_SERVER_SIDE_CURSORS", False),
        "TEST": {"MIRROR": "default"},
    }
    # A replica that is gone must not hold up its readers.
    DATABASES[f"replica{_number}"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 2)
# A machine that vanishes closes no connection, and requests would wait for it for minutes. So libpq tests silent
# connections (in seconds) and gives up those whose data nobody receives (in milliseconds).
_NOTICED = {"keepalives_idle": 3, "keepalives_interval": 1, "keepalives_count": 2, "tcp_user_timeout": 5_000}
for _database in DATABASES.values():
    if _database["ENGINE"] == "django.db.backends.postgresql":
        _database["OPTIONS"] = {**_NOTICED, **_database.get("OPTIONS", {})}
if len(DATABASES) > 1:
    DATABASE_ROUTERS = ["armybuilder.replicas.ReplicaRouter"]
    if DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql":
        environment.add_mistake("REPLICA_URLS: only PostgreSQL has replicas; DATABASE_URL names another database.")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# `manage.py db_worker` does the background work of all queues, or of the queues that it is given.
TASKS = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        "QUEUES": ["default", "letters", "imports", "prints", "judging"],
    }
}

CACHES: dict[str, Any] = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# ---- our own settings --------------------------------------------------------------------------------------------

RATES = {
    "print": (400, 60),
    "export": (60, 60),
    "keep": (600, 60),
    "reset-mail": (5, 3600),
    "install": (10, DAY),
    "token": (20, DAY),
    "photo": (60, 3600),
    "exchange": (600, 60),
}
"""How often an account, or an address without one, may ask for costly things: number and seconds.

A club behind one address can print all its lists in a few minutes. `keep` covers new lists, decks, hands, games,
events and comments; `reset-mail` the password mails to one address; `install` games from the gallery; `token` new
tokens, each of which counts by itself; `photo` uploaded photos; `exchange` tokens that a program's server gets for the
people who sign in. Judging is limited below.
"""

BSDATA_GALLERY = "https://github.com/BSData/gallery/releases/latest/download/bsdata.catpkg-gallery.json"

ARMYBUILDER: dict[str, Any] = {
    "BIN_DAYS": environment.read_number("BIN_DAYS", 30),  # how long a list stays in the bin
    # Move old steps of lists that were unchanged for this many days to the default storage. 0: never. Versions before
    # this setting cannot read them.
    "ARCHIVE_HISTORIES_AFTER": environment.read_number("ARCHIVE_HISTORIES_AFTER", 0, most=10_000),
    # Store new versions unpublished until staff have seen their effect on lists.
    "HOLD_NEW_DATA": environment.read_switch("HOLD_NEW_DATA"),
    # Allow fetching data from private addresses, and git over plain http.
    "ALLOW_PRIVATE_SOURCES": environment.read_switch("ALLOW_PRIVATE_SOURCES"),
    # Indexes of community data that the gallery shows, and who may install games from it besides staff, up to this many
    # bytes of the database.
    "GALLERIES": environment.read_names("GALLERIES") or [BSDATA_GALLERY],
    "INSTALLING": environment.read_choice("INSTALLING", ("staff", "accounts", "everybody"), "staff"),
    "GALLERY_BYTES": environment.read_number("GALLERY_MEGABYTES", 500) * MEGABYTE,
    # Data of private games that each account may store. 0 allows none.
    "OWN_GAME_BYTES": environment.read_number("OWN_GAME_MEGABYTES", 50) * MEGABYTE,
    # Photos of models that each account may store. 0 allows none.
    "PHOTO_BYTES": environment.read_number("PHOTO_MEGABYTES", 50) * MEGABYTE,
    # Folders from which pages may add and update sources. Commands read any folder.
    "SOURCE_FOLDERS": environment.read_folders("SOURCE_FOLDERS"),
    # Let programs ask accounts for access. If it is off, programs that were allowed earlier stop working, too.
    "OAUTH": environment.read_choice("OAUTH", ("on", "off"), "on") == "on",
    # Let browsers keep some pages. Off removes the service worker.
    "OFFLINE": environment.read_choice("OFFLINE", ("on", "off"), "on") == "on",
    "PACKS_DIR": BASE_DIR / "catalogue" / "packs",
    "PDF_CACHE_DIR": VAR_DIR / "pdf",
    "DUMP_DIR": VAR_DIR / "dumps",
    "PDF_CACHE_MAX_BYTES": 512 * MEGABYTE,
    "PDF_LAYOUTS_AT_ONCE": 2,
    # Machines share one queue of prints, so that a browser keeps its place when another machine answers it.
    "PRINT_LINE_IN_DATABASE": False,
    "PDF_SECONDS": 120,  # a slower layout is aborted; after ten seconds the browser waits for it
    # Processor time. Slower evaluations are aborted.
    "JUDGING_SECONDS": {"guest": 2, "account": 10},
    # Requests per process that evaluate lists at once, that wait, and seconds to wait. Fewer than the threads, to keep
    # one free for pages. 0 at once means no limit.
    "JUDGING_AT_ONCE": 3,
    "JUDGING_WAITING": 36,
    "TURN_SECONDS": 10,
    # Phones per process that receive the other player's taps by stream, each holding an otherwise idle thread. Other
    # phones poll each second.
    "STREAMS_AT_ONCE": 20,
    "STREAM_SECONDS": 10,
    # Per minute, for an account or an address without one, excluding prints. 0 means no limit.
    "PROCESSOR_SECONDS": 30,
    # Lists, mission decks and hands per owner, each; bytes of all lists with history, and of one history. A revision of
    # the largest list is 400 KB.
    "QUOTAS": {
        "guest": {"things": 100, "bytes": 20 * MEGABYTE, "history": 2 * MEGABYTE},
        "account": {"things": 5_000, "bytes": 250 * MEGABYTE, "history": 30 * MEGABYTE},
    },
    "RATES": RATES,
    # In compressed bytes per process, for readers without a session.
    "KEEP_PUBLIC_ANSWERS": True,
    "PUBLIC_ANSWERS_BYTES": 16 * MEGABYTE,
    "MAX_BODY_BYTES": 2 * MEGABYTE,  # larger bodies get a 413 and are never read
    "GUEST_DAYS": environment.read_number(
        "GUEST_DAYS", 365, least=1, most=10_000
    ),  # a guest's data is deleted if unused for this many days
    # By view: the largest file, plus a megabyte for the form.
    "MAX_BODY_BYTES_AT": {
        "catalogue:import": 65 * MEGABYTE,  # data of whole games, from staff
        "catalogue:own-games": 65 * MEGABYTE,  # data of whole games, from accounts
        "events:upload": 65 * MEGABYTE,  # all lists of an event, from organisers
        "roster:photos": 25 * MEGABYTE,  # photos as phones take them
        "club:battle-photos": 25 * MEGABYTE,
        "club:kind-photos": 25 * MEGABYTE,
        "roster:restore": 33 * MEGABYTE,  # all lists of an account, packed
    },
}
# How long the site's own proxy may show a public page without asking for its state. 0: it asks each time.
EDGE_SECONDS = environment.read_number("EDGE_SECONDS", 0, most=60)
# Where to send purges of public pages, as POST with `Surrogate-Key`: each cache in front of the site, or a CDN. Blank:
# pages have no such keys. The header, "Name: value", is for a CDN's token.
EDGE_PURGE_URLS = environment.read_addresses("EDGE_PURGE_URLS", ("https", "http"))
EDGE_PURGE_HEADER = environment.read_text("EDGE_PURGE_HEADER")
if EDGE_PURGE_HEADER and ":" not in EDGE_PURGE_HEADER:
    environment.add_mistake("EDGE_PURGE_HEADER: write a name, a colon and a value.")
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * MEGABYTE
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * MEGABYTE

# ---- files -------------------------------------------------------------------------------------------------------

MEDIA_ROOT = VAR_DIR / "media"  # photos and archived histories; views serve them to everyone who may see their list
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [FILES_DIR / "static", ("docs", FILES_DIR / "docs" / "pictures")]
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Photos, archived histories, finished PDFs and the dump of lists in object storage, for sites of several machines.
S3_BUCKET = environment.read_text("S3_BUCKET")
S3_ENDPOINT = environment.read_address("S3_ENDPOINT", ("https", "http"))
if S3_BUCKET:
    _BUCKET = {
        "bucket_name": S3_BUCKET,
        "endpoint_url": S3_ENDPOINT or None,
        "region_name": environment.read_text("S3_REGION") or None,
        "access_key": environment.read_text("S3_ACCESS_KEY") or None,
        "secret_key": environment.read_text("S3_SECRET_KEY") or None,
        # Other makers' servers have no host name for each bucket.
        "addressing_style": "path" if S3_ENDPOINT else None,
    }
    _MEDIA = {**_BUCKET, "location": "media", "file_overwrite": False}
    STORAGES["default"] = {"BACKEND": "armybuilder.object_storage.ObjectStorage", "OPTIONS": _MEDIA}
    # The same files, for backups.
    STORAGES["patient"] = {"BACKEND": "armybuilder.object_storage.PatientObjectStorage", "OPTIONS": _MEDIA}
    STORAGES["shared"] = {
        "BACKEND": "armybuilder.object_storage.ObjectStorage",
        "OPTIONS": {**_BUCKET, "location": "shared"},
    }

WHITENOISE_KEEP_ONLY_HASHED_FILES = True
# Only debuggers use source maps, and compressing them takes most of the time.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map", "txt")

# Other sites may only load the preview picture of links.
WHITENOISE_ALLOW_ALL_ORIGINS = False


def allow_preview(headers: Headers, path: str, url: str) -> None:
    if "/icons/preview." in url:
        headers["Cross-Origin-Resource-Policy"] = "cross-origin"


WHITENOISE_ADD_HEADERS_FUNCTION = allow_preview

# ---- people, words and time --------------------------------------------------------------------------------------

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
# A guest's data belongs to the browser, so the session lives as long as the data.
SESSION_COOKIE_AGE = ARMYBUILDER["GUEST_DAYS"] * DAY
SESSION_COOKIE_SAMESITE = "Lax"

LANGUAGE_CODE = "en"
# Missing translations are shown in English. Incomplete languages are marked "in progress".
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("pl", "Polski"),
]
LANGUAGE_COOKIE_NAME = "language"
LOCALE_PATHS = [BASE_DIR / "armybuilder" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# ---- security ----------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        # Browsers also check where a sign-in form redirects to.
        "form-action": ["'self'", *SOCIAL_ORIGINS],
        "frame-ancestors": ["'none'"],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "armybuilder.errors.answer_csrf_failure"

# ---- API ---------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    # The first says how to sign in when a request gets a 401.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "roster.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["roster.api.authentication.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["armybuilder.api_parsers.JsonObjectParser"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "PAGE_SIZE": 100,
    "EXCEPTION_HANDLER": "armybuilder.errors.handle_api_error",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Armybuilder",
    "DESCRIPTION": "Games, factions and units to choose from; rosters; the judge that says whether a list is legal.",
    "VERSION": "1",
    "LICENSE": {"name": "MIT"},
    "PREPROCESSING_HOOKS": ["armybuilder.api_schema.select_versioned"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "armybuilder.api_schema.describe_limits",
        "armybuilder.api_schema.describe_refusals",
    ],
    "ENUM_NAME_OVERRIDES": {
        "VerdictEnum": "roster.api.serializers.VERDICTS",
        "PasteVerdictEnum": "roster.api.serializers.PASTE_VERDICTS",
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
}

# ---- what the administrator sees ---------------------------------------------------------------------------------

SECURITY_CONTACT = environment.read_address("SECURITY_CONTACT", ("mailto", "https"))  # in /.well-known/security.txt
METRICS_TOKEN = environment.read_text("METRICS_TOKEN")  # allows reading /metrics; blank: disabled
if METRICS_TOKEN:
    # Processes count into files there. The library reads this variable on import.
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(VAR_DIR / "metrics"))
    Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).mkdir(parents=True, exist_ok=True)

# ---- logging -----------------------------------------------------------------------------------------------------

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request": {"()": "armybuilder.monitoring.RequestIdFilter"},
        "seldom": {"()": "armybuilder.monitoring.SeldomFilter"},
    },
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "{asctime}{levelname}{name}{message}{request_id}",
            "style": "{",
            "timestamp": True,
        },
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["request"],
            "formatter": environment.read_choice("LOG_FORMAT", ("line", "json"), "line"),
        },
        "mail": {
            "class": "django.utils.log.AdminEmailHandler",
            "level": "ERROR",
            "filters": ["seldom"],
            "reporter_class": "armybuilder.monitoring.DiscreetReporter",
        },
    },
    "root": {"handlers": ["console", "mail"], "level": environment.read_choice("LOG_LEVEL", LEVELS, "WARNING")},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # Wrong addresses and broken forms are not worth logging.
        "django.request": {"level": "ERROR"},
        # Neither are unknown hosts, missing CSRF tokens and broken cookies.
        "django.security": {"level": "CRITICAL"},
        "armybuilder.requests": {"level": "INFO" if environment.read_switch("LOG_REQUESTS") else "WARNING"},
    },
}
