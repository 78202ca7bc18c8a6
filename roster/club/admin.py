from django.contrib import admin

from roster.admin import ModeratedAdmin, StoredPhotoAdmin
from roster.club.models import (
    BattleReport,
    CampaignForce,
    Club,
    Collection,
    KindPhoto,
    ListComment,
    PlayerPage,
    ReportPhoto,
)


@admin.register(Collection)
class CollectionAdmin(ModeratedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "game_name", "visibility", "taken_down", "updated")
    list_filter = ("visibility", "taken_down")
    search_fields = ("name", "public_id", "link_id")
    actions = ("hide", "show_again")
    date_hierarchy = "updated"
    fields = ("public_id", "visibility", "taken_down", "name", "game_name", "created", "updated")
    readonly_fields = fields


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "is_open", "created")
    list_filter = ("is_open",)
    search_fields = ("name", "public_id")
    date_hierarchy = "created"
    fields = ("public_id", "name", "text", "is_open", "created")
    readonly_fields = ("public_id", "created")


@admin.register(CampaignForce)
class ForceAdmin(ModeratedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "game_name", "visibility", "taken_down", "updated")
    list_filter = ("visibility", "taken_down")
    search_fields = ("name", "public_id", "link_id")
    actions = ("hide", "show_again")
    date_hierarchy = "updated"
    fields = ("public_id", "visibility", "taken_down", "name", "game_name", "created", "updated")
    readonly_fields = fields


@admin.register(PlayerPage)
class PlayerPageAdmin(ModeratedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "visibility", "taken_down", "updated")
    list_filter = ("visibility", "taken_down")
    list_select_related = ("owner__player_name",)
    search_fields = ("owner__player_name__name", "link_id", "text")
    actions = ("hide", "show_again")
    date_hierarchy = "updated"
    fields = ("link_id", "name", "text", "visibility", "taken_down", "created", "updated")
    readonly_fields = fields


@admin.register(ListComment)
class CommentAdmin(ModeratedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("__str__", "player_name", "roster", "taken_down", "created")
    list_filter = ("taken_down",)
    list_select_related = ("owner__player_name", "roster")
    search_fields = ("text", "owner__player_name__name", "roster__link_id")
    actions = ("hide", "show_again")
    date_hierarchy = "created"
    fields = ("roster", "player_name", "text", "taken_down", "created", "edited")
    readonly_fields = fields


@admin.register(BattleReport)
class BattleAdmin(ModeratedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "player_name", "game_name", "visibility", "taken_down", "updated")
    list_filter = ("visibility", "taken_down")
    list_select_related = ("owner__player_name",)
    search_fields = ("name", "text", "public_id", "link_id", "owner__player_name__name")
    actions = ("hide", "show_again")
    date_hierarchy = "updated"
    fields = ("public_id", "visibility", "taken_down", "player_name", "name", "text", "game_name", "created", "updated")
    readonly_fields = fields


@admin.register(ReportPhoto)
class ReportPhotoAdmin(StoredPhotoAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("link_photo", "report", "caption", "size", "taken_down", "created")
    list_filter = ("taken_down", "report__visibility")
    list_select_related = ("report",)
    search_fields = ("caption", "report__name", "report__public_id", "report__link_id", "content_hash")
    date_hierarchy = "created"
    actions = ("hide", "show_again")
    fields = ("link_photo", "report", "caption", "content_hash", "width", "height", "size", "taken_down", "created")
    readonly_fields = fields


@admin.register(KindPhoto)
class KindPhotoAdmin(StoredPhotoAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("link_photo", "kind", "caption", "size", "taken_down", "created")
    list_filter = ("taken_down", "kind__collection__visibility")
    list_select_related = ("kind__collection",)
    search_fields = (
        "caption",
        "kind__name",
        "kind__collection__public_id",
        "kind__collection__link_id",
        "content_hash",
    )
    date_hierarchy = "created"
    actions = ("hide", "show_again")
    fields = ("link_photo", "kind", "caption", "content_hash", "width", "height", "size", "taken_down", "created")
    readonly_fields = fields
