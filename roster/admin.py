"""Lists and abuse reports in the admin. Staff can read and hide them but not edit them: they belong to their owners."""

from typing import Any, cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from oauth2_provider.models import AccessToken as AccessGrant
from oauth2_provider.models import Application, Grant, IDToken, RefreshToken

from roster.models import AbuseReport, AccessToken, HomebrewSet, Photo, Roster, RosterRevision, VerdictTest
from roster.models.ownership import Moderated
from roster.models.photos import StoredPhoto
from roster.services.homebrew_lists import set_hidden
from roster.services.photos import hide_photo
from roster.services.sharing import put_back, settle_reports, take_down
from roster.services.tokens import revoke_token


class ReadOnlyAdmin:
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("roster.change_abusereport")


class ModeratedAdmin(ReadOnlyAdmin):
    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Remove bulk deletion: rows belong to their owners, who have a bin for them."""
        actions: dict[str, Any] = super().get_actions(request)  # type: ignore[misc]  # of the admin mixed in
        return {name: action for name, action in actions.items() if name != "delete_selected"}

    @admin.action(description=_("Hide from everyone but the owner"), permissions=["moderate"])
    def hide(self, request: HttpRequest, things: QuerySet[Any]) -> None:
        for thing in things:
            take_down(thing)
        messages.success(request, _format_hidden(len(things)))

    @admin.action(description=_("Show again"), permissions=["moderate"])
    def show_again(self, request: HttpRequest, things: QuerySet[Any]) -> None:
        for thing in things:
            put_back(thing)
        messages.success(request, _format_shown_again(len(things)))


def _format_hidden(number: int) -> str:
    return ngettext("%d was hidden. Its owner was told.", "%d were hidden. Their owners were told.", number) % number


def _format_shown_again(number: int) -> str:
    return ngettext("%d is shown again.", "%d are shown again.", number) % number


class RevisionInline(ReadOnlyAdmin, admin.TabularInline):  # type: ignore[type-arg]  # generic for type checkers only
    model = RosterRevision
    fields = ("number", "parent", "act", "subject", "content_hash", "created")
    readonly_fields = fields
    can_delete = False
    show_change_link = False


@admin.register(Roster)
class RosterAdmin(ModeratedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("name", "version", "faction_id", "points", "verdict", "visibility", "taken_down", "updated")
    list_filter = ("visibility", "taken_down", "verdict", "version__game")
    list_select_related = ("version__game",)
    search_fields = ("name", "public_id", "link_id", "faction_id")
    actions = ("hide", "show_again")
    date_hierarchy = "updated"
    inlines = (RevisionInline,)
    fields = (
        "public_id",
        "visibility",
        "taken_down",
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


class StoredPhotoAdmin(ReadOnlyAdmin):
    """Staff can hide single photos. They see the photos of things that they may read."""

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Remove bulk deletion: photos belong to their owners."""
        actions: dict[str, Any] = super().get_actions(request)  # type: ignore[misc]  # of the admin mixed in
        return {name: action for name, action in actions.items() if name != "delete_selected"}

    @admin.display(description=_("photo"))
    def link_photo(self, photo: StoredPhoto) -> SafeString:
        return format_html('<a href="{0}"><img src="{0}" alt="{1}" height="80"></a>', photo.get_address("small"), photo)

    @admin.action(description=_("Hide from everyone but the owner"), permissions=["moderate"])
    def hide(self, request: HttpRequest, photos: QuerySet[Any]) -> None:
        for photo in photos:
            hide_photo(photo, hidden=True)
        messages.success(request, ngettext("%d photo was hidden.", "%d photos were hidden.", len(photos)) % len(photos))

    @admin.action(description=_("Show again"), permissions=["moderate"])
    def show_again(self, request: HttpRequest, photos: QuerySet[Any]) -> None:
        for photo in photos:
            hide_photo(photo, hidden=False)
        messages.success(request, _format_shown_again(len(photos)))


@admin.register(Photo)
class PhotoAdmin(StoredPhotoAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("link_photo", "roster", "width", "height", "size", "taken_down", "created")
    list_filter = ("taken_down", "roster__visibility")
    list_select_related = ("roster",)
    search_fields = ("roster__name", "roster__public_id", "roster__link_id", "content_hash")
    date_hierarchy = "created"
    actions = ("hide", "show_again")
    fields = ("link_photo", "roster", "unit", "content_hash", "width", "height", "size", "taken_down", "created")
    readonly_fields = fields


@admin.register(HomebrewSet)
class HomebrewAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    """Staff can hide house rules. Their link then stops working, and lists are judged without them."""

    list_display = ("name", "game", "taken_down", "updated")
    list_filter = ("taken_down", "game")
    list_select_related = ("game",)
    search_fields = ("name", "public_id", "link_id")
    actions = ("hide", "show_again")
    fields = ("public_id", "link_id", "name", "game", "taken_down", "working", "created", "updated")
    readonly_fields = fields

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Remove bulk deletion: house rules belong to their owners."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    @admin.action(description=_("Hide from everyone but the owner"), permissions=["moderate"])
    def hide(self, request: HttpRequest, sets: QuerySet[HomebrewSet]) -> None:
        for homebrew_set in sets:
            set_hidden(homebrew_set, hidden=True)
        messages.success(request, ngettext("%d item was hidden.", "%d items were hidden.", len(sets)) % len(sets))

    @admin.action(description=_("Show again"), permissions=["moderate"])
    def show_again(self, request: HttpRequest, sets: QuerySet[HomebrewSet]) -> None:
        for homebrew_set in sets:
            set_hidden(homebrew_set, hidden=False)
        messages.success(request, _format_shown_again(len(sets)))


@admin.register(VerdictTest)
class VerdictTestAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    """Tests that staff made from reports, and may delete once they are no longer needed."""

    list_display = ("name", "game", "verdict", "is_broken", "created")
    list_filter = ("game",)
    fields = ("name", "game", "verdict", "rule", "is_broken", "document", "created")
    readonly_fields = fields


@admin.register(AbuseReport)
class AbuseReportAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("created", "reason", "link_thing", "text", "settled")
    list_filter = (("settled", admin.EmptyFieldListFilter), "reason")
    date_hierarchy = "created"
    actions = ("hide", "leave", "show_again")
    fields = ("link_thing", "reason", "text", "created", "settled")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[AbuseReport]:
        return super().get_queryset(request).prefetch_related("thing")

    @admin.display(description=_("where"))
    def link_thing(self, report: AbuseReport) -> SafeString:
        return format_html('<a href="{}">{}</a>', _get_thing(report).get_absolute_url(), report.thing)

    @admin.action(description=_("Hide the reported items"), permissions=["moderate"])
    def hide(self, request: HttpRequest, reports: QuerySet[AbuseReport]) -> None:
        things = _list_things(reports)
        for thing in things:
            take_down(thing)
        messages.success(request, _format_hidden(len(things)))

    @admin.action(description=_("Leave it as it is"), permissions=["moderate"])
    def leave(self, request: HttpRequest, reports: QuerySet[AbuseReport]) -> None:
        for thing in _list_things(reports):
            settle_reports(thing)

    @admin.action(description=_("Show the hidden items again"), permissions=["moderate"])
    def show_again(self, request: HttpRequest, reports: QuerySet[AbuseReport]) -> None:
        things = _list_things(reports)
        for thing in things:
            put_back(thing)
        messages.success(request, _format_shown_again(len(things)))


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    """Staff see and revoke tokens, for example after a leak. Nobody can read a secret."""

    list_display = ("name", "user", "scopes", "created", "expires", "last_used", "revoked")
    list_filter = (("revoked", admin.EmptyFieldListFilter),)
    list_select_related = ("user",)
    search_fields = ("name", "user__email")
    date_hierarchy = "created"
    actions = ("revoke",)
    fields = list_display
    readonly_fields = fields

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("roster.change_accesstoken")

    @admin.action(description=_("Revoke"), permissions=["moderate"])
    def revoke(self, request: HttpRequest, tokens: QuerySet[AccessToken]) -> None:
        for token in tokens.select_related("user"):
            revoke_token(token.user, token.pk)
        text = ngettext("%d token was revoked.", "%d tokens were revoked.", len(tokens)) % len(tokens)
        messages.success(request, text)


# Staff need no page for single tokens, and programs are registered on the page for it, which checks addresses.
admin.site.unregister([Application, AccessGrant, Grant, IDToken, RefreshToken])


@admin.register(Application)
class ProgramAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    """Staff can see the programs that sign people in here, and delete malicious ones."""

    list_display = ("name", "user", "redirect_uris", "client_type", "created")
    list_select_related = ("user",)
    search_fields = ("name", "user__email", "redirect_uris")
    fields = (*list_display, "client_id")
    readonly_fields = fields


def _list_things(reports: QuerySet[AbuseReport]) -> list[Moderated]:
    return list(dict.fromkeys(_get_thing(report) for report in reports.prefetch_related("thing")))


def _get_thing(report: AbuseReport) -> Moderated:
    """Return the reported row. It always exists, because deleting it deletes its reports."""
    return cast("Moderated", report.thing)
