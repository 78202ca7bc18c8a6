from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CatalogueConfig(AppConfig):
    name = "catalogue"

    def ready(self) -> None:
        """Register the kinds of background work, and what public pages show."""
        from catalogue.models import GameSystem
        from catalogue.services.edge import CATALOGUE, Shown, register_shown
        from catalogue.services.jobs import IMPORTS, register_job

        register_job("import", "catalogue.services.community_import.do_import_step", _("Import"), IMPORTS)
        register_job("look-up", "catalogue.services.sources.do_look_up_step", _("Checking sources"), IMPORTS)
        register_job(
            "import-own", "catalogue.services.own_import.do_own_import_step", _("Importing a private game"), IMPORTS
        )
        register_job("install", "catalogue.services.gallery.do_install_step", _("Installing a game"), IMPORTS)
        register_job("read-galleries", "catalogue.services.gallery.do_read_step", _("Reading the gallery"), IMPORTS)
        # Whatever publishes data saves the game.
        register_shown(Shown(GameSystem, CATALOGUE))
