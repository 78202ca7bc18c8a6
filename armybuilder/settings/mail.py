"""Mail: written to the console of the server, or sent by SMTP where the environment names EMAIL_HOST."""

import os

EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_USE_SSL = os.environ.get("EMAIL_SECURITY") == "ssl"
EMAIL_USE_TLS = not EMAIL_USE_SSL and os.environ.get("EMAIL_SECURITY") != "none"
EMAIL_PORT = int(os.environ.get("EMAIL_PORT") or (465 if EMAIL_USE_SSL else 587))
EMAIL_HOST_USER = os.environ.get("EMAIL_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_PASSWORD", "")
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM", "Armybuilder <armybuilder@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
