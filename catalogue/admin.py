"""Browse and search the catalogue in the admin. Packs are edited in their files."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalogue import models
from catalogue.services.own_games import delete_own_game

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Any]
    Inline = admin.TabularInline[Any, Any]
else:  # Django's own classes take no parameters at run time
    Admin = admin.ModelAdmin
    Inline = admin.TabularInline


class ReadOnly(Admin):
    """Rows that can only be viewed, because documents never change."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(models.GameSystem)
class GameSystemAdmin(ReadOnly):
    list_display = ("name", "edition", "publisher", "current", "owner", "unofficial", "example")
    list_filter = ("unofficial", "example", ("owner", admin.EmptyFieldListFilter))
    list_select_related = ("current__game", "owner")
    search_fields = ("name", "slug", "publisher")
    actions = ("delete_private_games",)

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("catalogue.delete_gamesystem")

    @admin.action(permissions=["remove"], description=_("Delete private games with their lists"))
    def delete_private_games(self, request: HttpRequest, games: QuerySet[models.GameSystem]) -> None:
        for game in games.filter(owner__isnull=False):
            delete_own_game(game)
            self.message_user(request, _("%(game)s was deleted.") % {"game": game})


@admin.register(models.PackVersion)
class PackVersionAdmin(ReadOnly):
    list_display = ("game", "label", "source", "is_current", "short_hash", "created")
    list_filter = ("source", "game")
    list_select_related = ("game",)
    search_fields = ("game__name", "label", "content_hash")
    date_hierarchy = "created"

    @admin.display(boolean=True, description="current")
    def is_current(self, version: models.PackVersion) -> bool:
        return version.is_current

    @admin.display(description="content hash")
    def short_hash(self, version: models.PackVersion) -> str:
        return version.short_hash


@admin.register(models.Release)
class ReleaseAdmin(ReadOnly):
    list_display = ("game", "version", "since")
    list_filter = ("game",)
    list_select_related = ("game", "version__game")
    search_fields = ("game__name", "version__label", "version__content_hash")
    date_hierarchy = "since"


@admin.register(models.CatalogueDocument)
class CatalogueDocumentAdmin(ReadOnly):
    list_display = ("name", "kind", "version", "revision", "catalogue_id")
    list_filter = ("kind", "version__game")
    list_select_related = ("version__game",)
    search_fields = ("name", "catalogue_id", "content_hash")


@admin.register(models.DocumentBody)
class DocumentBodyAdmin(ReadOnly):
    list_display = ("content_hash",)
    search_fields = ("content_hash",)
    exclude = ("body",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("body")


@admin.register(models.UnitText)
class UnitTextAdmin(ReadOnly):
    list_display = ("__str__", "version")
    list_select_related = ("version__game",)
    search_fields = ("search_text",)


@admin.register(models.Faction)
class FactionAdmin(ReadOnly):
    list_display = ("name", "version", "unit_count", "faction_id")
    list_filter = ("version__game",)
    list_select_related = ("version__game",)
    search_fields = ("name", "faction_id")


class OptionInline(Inline):
    model = models.Option
    fields = ("name", "group", "points", "min", "max", "note")
    extra = 0


@admin.register(models.UnitEntry)
class UnitEntryAdmin(ReadOnly):
    list_display = ("name", "faction", "category", "points", "provisional", "hidden")
    list_filter = ("provisional", "hidden", "type", "faction__version__game")
    list_select_related = ("faction",)
    search_fields = ("name", "texts__search_text", "entry_id")
    exclude = ("texts",)
    inlines = (OptionInline,)


@admin.register(models.Option)
class OptionAdmin(ReadOnly):
    list_display = ("name", "unit", "group", "points", "min", "max")
    list_filter = ("unit__faction__version__game",)
    list_select_related = ("unit",)
    search_fields = ("name", "unit__name", "entry_id")


@admin.register(models.Card)
class CardAdmin(ReadOnly):
    list_display = ("name", "faction", "deck", "copies", "written")
    list_filter = ("written", "faction__version__game")
    list_select_related = ("faction",)
    search_fields = ("name", "search_text", "entry_id")
    exclude = ("search_text",)


@admin.register(models.DeckRule)
class DeckRuleAdmin(ReadOnly):
    list_display = ("name", "faction", "deck", "detachment", "min", "max")
    list_filter = ("faction__version__game",)
    list_select_related = ("faction",)
    search_fields = ("name", "text", "rule")


@admin.register(models.OrganisationChart)
class OrganisationChartAdmin(ReadOnly):
    list_display = ("name", "version", "faction")
    list_filter = ("version__game",)
    list_select_related = ("version__game", "faction")
    search_fields = ("name", "chart_id")


class SlotInline(Inline):
    model = models.Slot
    fields = ("name", "min", "max", "conditional")
    extra = 0


@admin.register(models.Detachment)
class DetachmentAdmin(ReadOnly):
    list_display = ("name", "chart", "parent", "min", "max")
    list_filter = ("chart__version__game",)
    list_select_related = ("chart", "parent")
    search_fields = ("name", "force_id")
    inlines = (SlotInline,)


@admin.register(models.Slot)
class SlotAdmin(ReadOnly):
    list_display = ("name", "detachment", "min", "max", "conditional")
    list_filter = ("conditional", "detachment__chart__version__game")
    list_select_related = ("detachment",)
    search_fields = ("name", "detachment__name", "category_id")


@admin.register(models.MissionPack)
class MissionPackAdmin(ReadOnly):
    list_display = ("name", "die", "version")
    list_filter = ("version__game",)
    list_select_related = ("version__game",)
    search_fields = ("name",)


@admin.register(models.Mission)
class MissionAdmin(ReadOnly):
    list_display = ("name", "pack", "low", "high", "version")
    list_filter = ("version__game", "pack")
    list_select_related = ("version__game",)
    search_fields = ("name", "pack", "search_text")
    exclude = ("search_text",)


@admin.register(models.Objective)
class ObjectiveAdmin(ReadOnly):
    list_display = ("name", "group", "roll", "version")
    list_filter = ("version__game", "group")
    list_select_related = ("version__game",)
    search_fields = ("name", "search_text")
    exclude = ("search_text",)


@admin.register(models.DeploymentMap)
class DeploymentMapAdmin(ReadOnly):
    list_display = ("name", "roll", "schematic", "version")
    list_filter = ("schematic", "version__game")
    list_select_related = ("version__game",)
    search_fields = ("name",)


@admin.register(models.MapMeasures)
class MapMeasuresAdmin(Admin):
    list_display = ("map_id", "game", "size_id", "width", "depth", "updated")
    list_filter = ("game",)
    list_select_related = ("game",)


@admin.register(models.Job)
class JobAdmin(ReadOnly):
    list_display = ("name", "kind", "state", "done", "total", "has_worker", "created")
    list_filter = ("kind", "state")
    search_fields = ("name", "public_id")


@admin.register(models.ImportReport)
class ImportReportAdmin(ReadOnly):
    list_display = ("source", "version", "created")
    list_filter = ("version__game",)
    list_select_related = ("version__game",)
    search_fields = ("source", "version__game__name")


@admin.register(models.Source)
class SourceAdmin(ReadOnly):
    list_display = ("location", "kind", "publishes", "looked_up", "changed", "trouble")
    list_filter = ("kind", "publishes")
    search_fields = ("location",)


@admin.register(models.GalleryGame)
class GalleryGameAdmin(ReadOnly):
    list_display = ("title", "name", "version", "changed", "installed", "trouble")
    list_filter = ("is_archived",)
    search_fields = ("title", "name")


@admin.register(models.GalleryRead)
class GalleryReadAdmin(ReadOnly):
    list_display = ("index", "read", "trouble")
    search_fields = ("index",)


@admin.register(models.GalleryAsk)
class GalleryAskAdmin(ReadOnly):
    list_display = ("game", "created")
    list_select_related = ("game",)
    search_fields = ("game__title",)
