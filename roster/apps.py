from django.apps import AppConfig


class RosterConfig(AppConfig):
    name = "roster"

    def ready(self) -> None:
        """Make the kinds of background work known."""
        from catalogue.services.jobs import register_job
        from roster.services.impacts import IMPACT_JOB, do_impact_step

        register_job(IMPACT_JOB, do_impact_step)
