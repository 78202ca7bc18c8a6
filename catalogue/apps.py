from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    name = "catalogue"

    def ready(self) -> None:
        """Make the kinds of background work known."""
        from catalogue.services.jobs import register_job

        register_job("import", "catalogue.services.community_import.do_import_step")
        register_job("look-up", "catalogue.services.sources.do_look_up_step")
