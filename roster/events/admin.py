from typing import Any

from django.contrib import admin
from django.forms import BaseModelFormSet, ModelForm
from django.http import HttpRequest

from roster.admin import ReadOnlyAdmin
from roster.events.models import Event, EventMail, EventRole, Pairing
from roster.events.services.audit import name_person, record_act


class RoleInline(admin.TabularInline):  # type: ignore[type-arg]  # generic for type checkers only
    model = EventRole
    fields = ("user", "kind", "is_blind")
    raw_id_fields = ("user",)
    extra = 0


@admin.register(Event)
class EventAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    """Only an event's helpers can be changed. The event's log records it."""

    list_display = ("name", "version", "status", "starts", "deadline", "updated")
    list_filter = ("status", "version__game")
    list_select_related = ("version__game",)
    search_fields = ("name", "public_id")
    date_hierarchy = "created"
    inlines = (RoleInline,)
    fields = ("public_id", "name", "version", "status", "starts", "deadline", "created", "updated")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_formset(
        self, request: HttpRequest, form: ModelForm[Event], formset: BaseModelFormSet[Any, Any], change: bool
    ) -> None:
        super().save_formset(request, form, formset, change)
        actor = request.user if request.user.is_authenticated else None
        for role in formset.new_objects + [changed for changed, _fields in formset.changed_objects]:
            record_act(form.instance, actor, f"add-{role.kind}", detail=name_person(role.user))
        for role in formset.deleted_objects:
            record_act(form.instance, actor, "remove-role", detail=name_person(role.user))


@admin.register(EventMail)
class EventMailAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("created", "participant", "kind", "occasion", "by_address", "sent")
    list_filter = ("kind", ("sent", admin.EmptyFieldListFilter))
    list_select_related = ("participant",)
    search_fields = ("participant__name", "participant__event__name")
    date_hierarchy = "created"
    fields = ("participant", "kind", "occasion", "by_address", "created", "sent")
    readonly_fields = fields


@admin.register(Pairing)
class PairingAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # generic for type checkers only
    list_display = ("event", "round", "table", "first", "second", "published")
    list_filter = ("round", ("published", admin.EmptyFieldListFilter))
    list_select_related = ("event", "first", "second")
    search_fields = ("event__name", "first__name", "second__name")
    date_hierarchy = "created"
    fields = ("event", "round", "table", "first", "second", "first_points", "second_points", "published", "created")
    readonly_fields = fields
