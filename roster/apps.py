from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from catalogue.models import Job
    from catalogue.services.jobs import Step


class RosterConfig(AppConfig):
    name = "roster"

    def ready(self) -> None:
        """Make the kinds of background work known."""
        from catalogue.services.jobs import register_job
        from catalogue.services.sources import register_judge
        from roster.services.impacts import IMPACT_JOB, do_impact_step, start_impact

        register_job(IMPACT_JOB, do_impact_step)
        register_judge(start_impact)
        register_job("print", _do_print_step)


def _do_print_step(job: "Job", seconds: float) -> "Step":
    # WeasyPrint takes half a second to import, which commands that print nothing should not wait for.
    from roster.pdf.batch_steps import do_print_step

    return do_print_step(job, seconds)
