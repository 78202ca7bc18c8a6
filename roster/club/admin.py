"""Admin pages to view and hide collections and forces."""

from django.contrib import admin

from roster.admin import ModeratedAdmin
from roster.club.models import CampaignForce, Collection


@admin.register(Collection)
class CollectionAdmin(ModeratedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "game_name", "visibility", "taken_down", "updated")
    list_filter = ("visibility", "taken_down")
    search_fields = ("name", "public_id", "link_id")
    actions = ("hide", "show_again")
    date_hierarchy = "updated"
    fields = ("public_id", "visibility", "taken_down", "name", "game_name", "created", "updated")
    readonly_fields = fields


@admin.register(CampaignForce)
class ForceAdmin(ModeratedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "game_name", "visibility", "taken_down", "updated")
    list_filter = ("visibility", "taken_down")
    search_fields = ("name", "public_id", "link_id")
    actions = ("hide", "show_again")
    date_hierarchy = "updated"
    fields = ("public_id", "visibility", "taken_down", "name", "game_name", "created", "updated")
    readonly_fields = fields
