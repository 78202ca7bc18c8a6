from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.contrib.auth import get_user_model
from django.db.models import Model
from django.db.models.signals import pre_delete

if TYPE_CHECKING:
    from catalogue.models import Job
    from catalogue.services.jobs import Step


class EventsConfig(AppConfig):
    """The organiser's bench: a nested app, so that neither lists nor games know of it."""

    name = "roster.events"
    label = "events"

    def ready(self) -> None:
        """Register the jobs that check many lists, and hand events over before an account goes."""
        from catalogue.services.jobs import register_job
        from roster.events.services import bulk_checks  # noqa: F401 - registers its kinds of jobs
        from roster.events.services.events import leave_events
        from roster.events.services.held import list_held
        from roster.events.services.papers import hold_against_events
        from roster.services.accounts import register_held
        from roster.services.revisions import register_holder

        def hand_over(sender: type[Model], instance: Any, **more: object) -> None:
            leave_events(instance)

        register_held(list_held)
        register_holder(hold_against_events)
        register_job("event-booklet", _do_booklet_step)
        pre_delete.connect(hand_over, sender=get_user_model(), weak=False, dispatch_uid="hand-over-events")


def _do_booklet_step(job: "Job", seconds: float) -> "Step":
    # WeasyPrint takes half a second to import, which commands that print nothing should not wait for.
    from roster.events.pdf.booklet_steps import do_booklet_step

    return do_booklet_step(job, seconds)
