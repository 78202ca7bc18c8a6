import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from roster.events.models import Event
from roster.events.models.event import TEXT_LENGTH
from roster.events.services.pairing_tables import LONGEST_TABLE, read_points
from roster.events.services.zones import list_zones
from roster.formats.column_headings import PAIRINGS
from roster.formats.list_text import NAME_LENGTH, decode_text
from roster.views.forms import TypedField, TypedForm
from roster.views.requests import parse_whole_number

LOCAL = "%Y-%m-%dT%H:%M"
PENALTY_COLUMNS = ("offence", "severity", "points", "per", "rule")
"""The fields of the penalty table are called `penalty-<name>`."""
WINDOW_COLUMNS = ("key", "from", "until")
"""The fields of the correction windows are called `window-<name>`."""
COLUMN, WHO = "column-", "who-"
"""Prefixes of the fields for columns of pairings and for names."""
_POINTS = re.compile(r"points-(\d{1,12})-([01])")


class LocalMomentField(forms.DateTimeField):
    def __init__(self, label: Any, help_text: Any = "") -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local", "class": "in"}, format=LOCAL)
        super().__init__(
            label=label, help_text=help_text, required=False, widget=widget, input_formats=[LOCAL, "%Y-%m-%dT%H:%M:%S"]
        )


class OpenMomentField(LocalMomentField):
    """A day and a time; None for any other text."""

    def __init__(self) -> None:
        super().__init__("")

    def clean(self, value: Any) -> datetime | None:
        try:
            moment: datetime | None = super().clean(value)
        except forms.ValidationError:
            return None
        return moment


class KeyField(TypedField):
    def clean(self, value: Any) -> int | None:
        return parse_whole_number(self.to_python(value))


class TypedListField(TypedField):
    widget = forms.SelectMultiple

    def clean(self, value: Any) -> list[str]:
        return [text for text in value or () if text]


class ColumnField(TypedListField):
    """The cells of a table column, including blank ones."""

    def clean(self, value: Any) -> list[str]:
        return list(value or ())


class KeysField(TypedField):
    widget = forms.SelectMultiple

    def clean(self, value: Any) -> list[int]:
        return [key for key in map(parse_whole_number, value or ()) if key is not None]


class PointsField(TypedField):
    def clean(self, value: Any) -> Decimal | None:
        return read_points(self.to_python(value))


class SentFileField(forms.FileField):
    def __init__(self) -> None:
        super().__init__(required=False, allow_empty_file=True)


def mark_input(widget: type[forms.Widget], **attrs: Any) -> forms.Widget:
    return widget(attrs={"class": "in", **attrs})


class EventForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for type checkers only
    """An event's settings. The form's own `zone` applies to its times."""

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
            "shares_numbers",
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
            "accepts_late": _("Accept late lists, marked as late"),
            "shares_numbers": _("Publish this event’s numbers in the statistics, without names"),
            "seats": _("Seats (0 for no limit)"),
            "is_team": _("Teams compete"),
            "team_size": _("Players in a team"),
            "reminder_hours": _("Remind players without a list this many hours before the deadline"),
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
        # The zone comes first, because the other fields depend on it.
        event: Event = options["instance"]
        named = str(data.get("zone", "")) if data is not None else event.zone
        self.zone_name = named if named in list_zones() else event.zone
        super().__init__(data, **options)

    def full_clean(self) -> None:
        with timezone.override(ZoneInfo(self.zone_name)):
            super().full_clean()

    def _post_clean(self) -> None:
        """Leave the event unchanged, because a service changes it and returns refusals."""

    def list_groups(self) -> dict[str, list[forms.BoundField]]:
        groups = {
            "about": ("name", "place", "text", "seats", "is_team", "team_size"),
            "times": ("zone", "starts", "deadline", "accepts_late", "reminder_hours"),
            "reveals": ("reveal_faction", "reveal_roster", "reveal_deck", "reveal_reserves", "shares_numbers"),
        }
        return {group: [self[name] for name in names] for group, names in groups.items()}


class ZonedForm(TypedForm):
    def __init__(self, data: QueryDict, zone: Any) -> None:
        super().__init__(data)
        self.zone = zone

    def full_clean(self) -> None:
        with timezone.override(self.zone):
            super().full_clean()


class SettingsActForm(TypedForm):
    do = TypedField()
    named = TypedField()
    kind = TypedField()
    role = KeyField()
    change = TypedField()


@dataclass(frozen=True, slots=True)
class WindowRow:
    """A typed row of correction windows. `key` is "" for a new window."""

    key: str = ""
    starts: str = ""
    ends: str = ""
    is_removed: bool = False


class SettingsForm(TypedForm):
    """The event's settings that are not in `EventForm`.

    `cleaned_data["windows"]` and `cleaned_data["penalties"]` have the rows of the two tables.
    """

    rules = TypedField()
    homebrew = TypedField()
    link = TypedField()
    version = TypedField()
    status = TypedField()

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields |= {f"penalty-{name}": ColumnField() for name in PENALTY_COLUMNS}
        self.fields |= {f"window-{name}": ColumnField() for name in WINDOW_COLUMNS}
        self.fields["window-remove"] = TypedListField()

    def clean(self) -> dict[str, Any]:
        cells = self.cleaned_data
        penalties = zip(*(cells[f"penalty-{name}"] for name in PENALTY_COLUMNS), strict=False)
        rows = (dict(zip(PENALTY_COLUMNS, row, strict=True)) for row in penalties)
        windows = zip(*(cells[f"window-{name}"] for name in WINDOW_COLUMNS), strict=False)
        return cells | {
            "penalties": [row for row in rows if any(row[name].strip() for name in ("severity", "points", "rule"))],
            "windows": [
                WindowRow(key, starts, ends, key in cells["window-remove"])
                for key, starts, ends in windows
                if key or starts or ends
            ],
        }


class ListActForm(ZonedForm):
    """An action on a player's list, named by `do`. `next` and `query` say what the bench shows next."""

    do = TypedField()
    next = TypedField()
    query = TypedField()
    number = KeyField()
    cover = TypedListField()
    reason = TypedField()
    audience = TypedField()
    text = TypedField()
    expires = OpenMomentField()
    penalty = KeyField()
    offence = TypedField()
    points = TypedField()
    severity = TypedField()
    rule = TypedField()
    remark = TypedField()


class ManyListsForm(ZonedForm):
    """An action on many lists, named by `do`. `query` says what the bench shows next."""

    do = TypedField()
    query = TypedField()
    list = TypedListField()
    reason = TypedField()
    seen = KeyField()
    checker = KeysField()
    checking_team = KeysField()
    to = TypedField()
    due = OpenMomentField()


class NewEventForm(TypedForm):
    game = TypedField()
    name = TypedField()
    zone = TypedField()


class JoinForm(TypedForm):
    name = TypedField()
    zone = TypedField()


class SubmissionForm(TypedForm):
    """A list to submit: `held` since its verdict was shown, stored here, a file or a text."""

    do = TypedField()
    held = TypedField()
    roster = TypedField()
    file = SentFileField()
    text = TypedField()


class ListsUploadForm(TypedForm):
    file = SentFileField()
    table = TypedField()


class OpenListForm(TypedForm):
    line = KeyField()
    player = TypedField()


class TeamForm(TypedForm):
    do = TypedField()
    team = TypedField()
    name = TypedField()
    reserve = forms.BooleanField(required=False)
    member = TypedField()
    player = TypedField()
    named = TypedField()


class MailForm(TypedForm):
    wanted = forms.BooleanField(required=False)
    zone = TypedField()


class RoundForm(TypedForm):
    """A change of a round, named by `do`.

    `points-<pairing>-<0 or 1>` is a player's score. `cleaned_data["results"]` has both scores by pairing.
    """

    do = TypedField()
    round = KeyField()
    ink = forms.BooleanField(required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields |= {name: PointsField() for name in filter(_POINTS.fullmatch, data)}

    def clean(self) -> dict[str, Any]:
        results: dict[int, list[Decimal | None]] = {}
        for name, points in self.cleaned_data.items():
            if match := _POINTS.fullmatch(name):
                results.setdefault(int(match[1]), [None, None])[int(match[2])] = points
        return self.cleaned_data | {"results": results}


class PairingsForm(TypedForm):
    """A table of pairings, with the known meanings of its columns and names.

    `cleaned_data["table"]` is the file's text or the pasted text, blank if unusable. `columns` and `answers` collect
    `column-<meaning>` and `who-<name>`.
    """

    round = KeyField()
    file = SentFileField()
    text = TypedField()

    def __init__(self, data: QueryDict | None = None, files: Any = None) -> None:
        super().__init__(data, files)
        names = {f"{COLUMN}{meaning}" for meaning in PAIRINGS}
        self.fields |= {name: TypedField() for name in data or () if name in names or name.startswith(WHO)}

    def clean(self) -> dict[str, Any]:
        sent = self.cleaned_data["file"]
        text = decode_text(sent.read(LONGEST_TABLE + 1)) if sent else self.cleaned_data["text"]
        return self.cleaned_data | {
            "table": text if text and len(text) <= LONGEST_TABLE and "\x00" not in text else "",
            "columns": self._collect_fields(COLUMN),
            "answers": self._collect_fields(WHO),
        }

    def _collect_fields(self, start: str) -> dict[str, str]:
        names = (name for name in self.cleaned_data if name.startswith(start))
        return {name.removeprefix(start): self.cleaned_data[name] for name in names}
