from typing import Any

from django.apps import AppConfig
from django.contrib.auth import get_user_model
from django.db.models import Model
from django.db.models.signals import pre_delete


class EventsConfig(AppConfig):
    """The organiser's bench; nested, so that neither lists nor what is played know of it."""

    name = "roster.events"
    label = "events"

    def ready(self) -> None:
        """Register the jobs that check many lists, and hand events over before an account goes."""
        from roster.events.services import bulk_checks  # noqa: F401 - registers its kinds of jobs
        from roster.events.services.events import hand_over_events

        def hand_over(sender: type[Model], instance: Any, **more: object) -> None:
            hand_over_events(instance)

        pre_delete.connect(hand_over, sender=get_user_model(), weak=False, dispatch_uid="hand-over-events")
