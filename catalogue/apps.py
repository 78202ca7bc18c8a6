from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    name = "catalogue"

    def ready(self) -> None:
        """Make the kinds of background work known."""
        from catalogue.services.community_import import IMPORT_JOB, do_import_step
        from catalogue.services.jobs import register_job
        from catalogue.services.sources import LOOK_UP_JOB, do_look_up_step

        register_job(IMPORT_JOB, do_import_step)
        register_job(LOOK_UP_JOB, do_look_up_step)
