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
        from roster.events.services.events import leave_events
        from roster.events.services.held import list_held
        from roster.services.accounts import register_held

        def hand_over(sender: type[Model], instance: Any, **more: object) -> None:
            leave_events(instance)

        register_held(list_held)
        pre_delete.connect(hand_over, sender=get_user_model(), weak=False, dispatch_uid="hand-over-events")
