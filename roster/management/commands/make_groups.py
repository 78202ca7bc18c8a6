from typing import Any

from django.contrib.auth.models import Group, Permission
from django.core.management.base import BaseCommand

GROUPS = {
    "Importers": ("catalogue.add_packversion", "catalogue.add_mapmeasures"),
    "Publishers": ("catalogue.add_release",),
    "Moderators": (
        "roster.view_abusereport",
        "roster.change_abusereport",
        "roster.view_photo",
        "roster.view_roster",
        "play.view_missiondeck",
    ),
}
"""Importers load data, publishers publish it, and moderators hide reported things."""


class Command(BaseCommand):
    help = "Create the groups Importers, Publishers and Moderators. Members and permissions added by hand stay."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, rights in GROUPS.items():
            group, _ = Group.objects.get_or_create(name=name)
            for right in rights:
                app, code = right.split(".")
                group.permissions.add(Permission.objects.get(content_type__app_label=app, codename=code))
            if options["verbosity"]:
                self.stdout.write(f"{name}: {', '.join(rights)}")
