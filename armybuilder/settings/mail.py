"""Mail is written to the console, or sent by SMTP if the environment sets EMAIL_HOST."""

from .environment import environment

EMAIL_HOST = environment.read_text("EMAIL_HOST")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
_SECURITY = environment.read_choice("EMAIL_SECURITY", ("tls", "ssl", "none"), "tls")
EMAIL_USE_SSL = _SECURITY == "ssl"
EMAIL_USE_TLS = _SECURITY == "tls"
EMAIL_PORT = environment.read_number("EMAIL_PORT", 465 if EMAIL_USE_SSL else 587, least=1, most=65535)
EMAIL_HOST_USER = environment.read_text("EMAIL_USER")
EMAIL_HOST_PASSWORD = environment.read_text("EMAIL_PASSWORD")
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = environment.read_text("EMAIL_FROM", "Armybuilder <armybuilder@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
ADMINS = [(email, email) for email in environment.read_emails("ERROR_MAIL")]
EMAIL_SUBJECT_PREFIX = "[Armybuilder] "
