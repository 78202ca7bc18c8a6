from django.apps import AppConfig


class ClubConfig(AppConfig):
    """What players own and play, a separate app because lists must not depend on it."""

    name = "roster.club"
    label = "club"
