"""Forms of event pages: which values each field accepts."""

from datetime import datetime
from typing import Any, ClassVar
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from roster.events.models import Event
from roster.events.models.event import TEXT_LENGTH
from roster.formats.list_text import NAME_LENGTH

LOCAL = "%Y-%m-%dT%H:%M"


class LocalMomentField(forms.DateTimeField):
    """A day and a time as browsers send them, meant in the zone that is current."""

    def __init__(self, label: Any, help_text: Any = "") -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local", "class": "in"}, format=LOCAL)
        super().__init__(
            label=label, help_text=help_text, required=False, widget=widget, input_formats=[LOCAL, "%Y-%m-%dT%H:%M:%S"]
        )


def read_moment(text: str, zone: Any) -> datetime | None:
    """Read a day and a time of a zone; None for what is neither."""
    with timezone.override(zone):
        try:
            moment: datetime | None = LocalMomentField("").clean(text)
        except forms.ValidationError:
            return None
        return moment


def mark_input(widget: type[forms.Widget], **attrs: Any) -> forms.Widget:
    """Return a control in the look of the house."""
    return widget(attrs={"class": "in", **attrs})


class EventForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for type checkers only
    """The settings of an event. Times are those of the zone that the form itself names."""

    starts = LocalMomentField(_("Begins"))
    deadline = LocalMomentField(_("Lists are due"))
    reveal_faction = LocalMomentField(_("Factions"))
    reveal_roster = LocalMomentField(_("Lists"))
    reveal_deck = LocalMomentField(_("Decks"))
    reveal_reserves = LocalMomentField(_("Reserves"))
    zone = forms.CharField(label=_("Time zone"), max_length=60, widget=mark_input(forms.TextInput, list="zones"))

    class Meta:
        model = Event
        fields = (
            "name",
            "place",
            "text",
            "zone",
            "starts",
            "deadline",
            "accepts_late",
            "reveal_faction",
            "reveal_roster",
            "reveal_deck",
            "reveal_reserves",
            "seats",
            "is_team",
            "team_size",
            "reminder_hours",
        )
        labels: ClassVar = {
            "name": _("Name"),
            "place": _("Place"),
            "text": _("What players should know"),
            "accepts_late": _("Take late lists, marked as late"),
            "seats": _("Seats, 0 for any number"),
            "is_team": _("Teams compete"),
            "team_size": _("Players in a team"),
            "reminder_hours": _("Hours before the deadline at which players without a list are reminded"),
        }
        widgets: ClassVar = {
            "name": mark_input(forms.TextInput, maxlength=NAME_LENGTH),
            "place": mark_input(forms.TextInput, maxlength=NAME_LENGTH),
            "text": mark_input(forms.Textarea, rows=4, maxlength=TEXT_LENGTH),
            "seats": mark_input(forms.NumberInput, min=0),
            "team_size": mark_input(forms.NumberInput, min=0),
            "reminder_hours": mark_input(forms.NumberInput, min=0),
        }

    def __init__(self, data: Any = None, **options: Any) -> None:
        # The zone first: by it all times of the form are read and shown.
        event: Event = options["instance"]
        named = str(data.get("zone", "")) if data is not None else event.zone
        self.zone_name = named if named in available_timezones() else event.zone
        super().__init__(data, **options)

    def full_clean(self) -> None:
        with timezone.override(ZoneInfo(self.zone_name)):
            super().full_clean()

    def _post_clean(self) -> None:
        """Leave the event as it is: a service changes it, and says why not."""

    def list_groups(self) -> dict[str, list[forms.BoundField]]:
        """Return the fields in the groups that the page shows them in."""
        groups = {
            "about": ("name", "place", "text", "seats", "is_team", "team_size"),
            "times": ("zone", "starts", "deadline", "accepts_late", "reminder_hours"),
            "reveals": ("reveal_faction", "reveal_roster", "reveal_deck", "reveal_reserves"),
        }
        return {group: [self[name] for name in names] for group, names in groups.items()}
