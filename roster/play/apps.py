from django.apps import AppConfig


class PlayConfig(AppConfig):
    """What is played with at the table; nested, so that lists do not know of it."""

    name = "roster.play"
    label = "play"
