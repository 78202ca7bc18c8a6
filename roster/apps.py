from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import pre_save

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from catalogue.models import Job
    from catalogue.services.jobs import Step


class RosterConfig(AppConfig):
    name = "roster"

    def ready(self) -> None:
        """Make the kinds of background work known, and have users found by their addresses."""
        from catalogue.services.jobs import register_job
        from catalogue.services.sources import register_judge
        from roster.services.impacts import IMPACT_JOB, do_impact_step, start_impact

        register_job(IMPACT_JOB, do_impact_step)
        register_judge(start_impact)
        register_job("print", _do_print_step)
        pre_save.connect(_lower_email, sender=settings.AUTH_USER_MODEL)


def _lower_email(instance: "User", **about: Any) -> None:
    """Write an address in small letters, as sign-up does; people from the command line or the admin sign in by it."""
    instance.email = instance.email.lower()


def _do_print_step(job: "Job", seconds: float) -> "Step":
    # WeasyPrint takes half a second to import, which commands that print nothing should not wait for.
    from roster.pdf.batch_steps import do_print_step

    return do_print_step(job, seconds)
