from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    name = "catalogue"

    def ready(self) -> None:
        """Make the kinds of background work known."""
        from catalogue.services.community_import import IMPORT_JOB, do_import_step
        from catalogue.services.jobs import register_job

        register_job(IMPORT_JOB, do_import_step)
