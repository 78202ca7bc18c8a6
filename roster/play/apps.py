from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Play at the table, as an app of its own so that lists do not depend on it."""

    name = "roster.play"
    label = "play"
