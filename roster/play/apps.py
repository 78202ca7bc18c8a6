from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Play at the table. It is an app of its own so that lists do not depend on it."""

    name = "roster.play"
    label = "play"
