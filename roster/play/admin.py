from django.contrib import admin

from roster.admin import ModeratedAdmin
from roster.play.models import Game, MissionDeck


@admin.register(MissionDeck)
class MissionDeckAdmin(ModeratedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "visibility", "taken_down", "updated")
    list_filter = ("visibility", "taken_down")
    search_fields = ("name", "public_id", "link_id")
    actions = ("hide", "show_again")
    date_hierarchy = "updated"
    fields = ("public_id", "visibility", "taken_down", "name", "created", "updated")
    readonly_fields = fields


@admin.register(Game)
class GameAdmin(ModeratedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "mission_name", "taken_down", "played", "ended")
    list_filter = ("taken_down",)
    search_fields = ("name", "public_id", "link_id")
    actions = ("hide", "show_again")
    date_hierarchy = "played"
    fields = ("public_id", "taken_down", "name", "mission_name", "created", "updated", "ended")
    readonly_fields = fields
