from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import pre_save
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from catalogue.models import Job, PackVersion


class RosterConfig(AppConfig):
    name = "roster"

    def ready(self) -> None:
        """Make the kinds of background work known, and have users found by their addresses."""
        from catalogue.services.jobs import register_job
        from catalogue.services.releases import register_judge

        register_job("impact", "roster.services.impacts.do_impact_step", _("Impact of new data"))
        register_job("print", "roster.pdf.batch_steps.do_print_step", _("Printing"))
        register_judge(_start_impact)
        pre_save.connect(_lower_email, sender=settings.AUTH_USER_MODEL)


def _lower_email(instance: "User", **about: Any) -> None:
    """Write an address in small letters, as sign-up does; people from the command line or the admin sign in by it."""
    instance.email = instance.email.lower()


def _start_impact(version: "PackVersion", job: "Job | None") -> bool:
    # Only a look-up of sources needs it: every command would wait for its imports.
    from roster.services.impacts import start_impact

    return start_impact(version, job)
