"""Lists in the admin: to look at. They belong to their owners, so nothing is edited here."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from roster.models import Roster, RosterRevision


class _ReadOnly:
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class RevisionInline(_ReadOnly, admin.TabularInline):  # type: ignore[type-arg]  # generic for type checkers only
    model = RosterRevision
    fields = ("number", "parent", "act", "subject", "content_hash", "created")
    readonly_fields = fields
    can_delete = False
    show_change_link = False


@admin.register(Roster)
class RosterAdmin(_ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "version", "faction_id", "points", "verdict", "violations", "head", "updated")
    list_filter = ("verdict", "version__game")
    list_select_related = ("version__game",)
    search_fields = ("name", "public_id", "faction_id")
    date_hierarchy = "updated"
    inlines = (RevisionInline,)
    fields = (
        "public_id",
        "name",
        "version",
        "faction_id",
        "points",
        "verdict",
        "violations",
        "head",
        "last",
        "created",
        "updated",
    )
    readonly_fields = fields
