from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Play at the table, a separate app so that lists do not depend on it."""

    name = "roster.play"
    label = "play"
