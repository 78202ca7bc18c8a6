from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue.definitions.numbers import Number
from catalogue.views.responses import BAD_FORM, REFUSED
from roster import wording
from roster.engine.plan import Answer, GamePlan, Join, Ride
from roster.models.ownership import Visibility
from roster.pdf.sheet_job import MOST_SHEETS
from roster.services.limits import MAX_ID, parse_amount
from roster.services.outcomes import Refused
from roster.views.requests import LARGEST, parse_date

MOST_TICKED = 100
MOST_TEXTS = 20
TAMPERED = frozenset({"bad-change", "bad-plan", "bad-number"})
"""Refusals of input that our pages never send."""
NUMBER = "number-"


class ChangeForm(forms.Form):
    """Refuses, with one sentence, input that our pages never send."""

    status = BAD_FORM

    @property
    def complaint(self) -> str:
        """The message for the user, or ""."""
        sentences = [str(sentence) for sentence in self.non_field_errors()]
        if not sentences and self.errors:
            sentences = [wording.explain_refusal(Refused(code="bad-change"))]
        return " ".join(sentences)

    def refuse(self, refused: Refused) -> str:
        """Add a service's refusal. Returns "", the message of a refused form."""
        self.add_error(None, wording.explain_refusal(refused))
        self.status = BAD_FORM if refused.code in TAMPERED else REFUSED
        return ""


class NumberField(forms.IntegerField):
    """A whole number from 0, such as a revision, step or key."""

    def __init__(self, *, required: bool = True) -> None:
        super().__init__(min_value=0, max_value=LARGEST, required=required)


class ValuesField(forms.MultipleChoiceField):
    """Values with a number of colon-separated parts in `parts`, without blanks."""

    def __init__(self, *parts: int) -> None:
        super().__init__(required=False)
        self.parts = parts

    def to_python(self, value: Any) -> list[str]:
        return [text for text in super().to_python(value) if text]

    def validate(self, value: list[str]) -> None:
        for text in value:
            if len(text) > MAX_ID or (self.parts and text.count(":") + 1 not in self.parts):
                # The message is blank, because the form has one sentence for all invalid input.
                raise ValidationError("")


class TypedField(forms.Field):
    """Text as typed, cut to `longest` characters. A service cleans and checks it."""

    def __init__(self, longest: int | None = None) -> None:
        super().__init__(required=False)
        self.longest = longest

    def to_python(self, value: Any) -> str:
        return str(value or "")[: self.longest]


class TypedForm(forms.Form):
    """A form that accepts any input; a service checks it."""

    def read_fields(self) -> dict[str, Any]:
        self.full_clean()
        return self.cleaned_data


def make_choices(*values: str) -> list[tuple[str, str]]:
    return [(value, value) for value in values]


class BulkForm(ChangeForm):
    """`back` is the state of My lists."""

    do = forms.ChoiceField(
        choices=make_choices("print", "compare", "text", "move", "tag", "untag", "bin", "restore", "delete", "empty")
    )
    list = ValuesField()
    folder = forms.CharField(required=False)
    new_folder = forms.CharField(required=False)
    tag_name = forms.CharField(required=False)
    sure = forms.BooleanField(required=False)
    back = forms.CharField(required=False)

    def clean(self) -> dict[str, Any]:
        do, ticked = self.cleaned_data.get("do"), len(self.cleaned_data.get("list", ()))
        if do == "print" and ticked > MOST_SHEETS:
            message = _("You can print at most %(most)d lists at once; %(n)d are selected. Deselect some.")
            raise ValidationError(message % {"most": MOST_SHEETS, "n": ticked})
        if do and do != "empty" and not ticked:
            self.refuse(Refused(code="nothing-chosen"))
        most = MOST_TEXTS if do == "text" else MOST_TICKED
        if ticked > most:
            self.refuse(Refused(code="too-many", allowed=most))
        return self.cleaned_data


class LabelForm(ChangeForm):
    kind = forms.ChoiceField(choices=make_choices("folder", "tag"))
    do = forms.ChoiceField(choices=make_choices("new", "rename", "delete"))
    id = NumberField(required=False)
    name = forms.CharField(required=False)


class PlayerNameForm(TypedForm):
    player_name = TypedField()


class VersionForm(TypedForm):
    do = TypedField()


class StepForm(ChangeForm):
    do = forms.ChoiceField(choices=make_choices("name", "restore"))
    number = NumberField()
    revision = NumberField(required=False)
    name = forms.CharField(required=False)

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("do") == "restore" and self.cleaned_data.get("revision") is None:
            self.add_error("revision", "")
        return self.cleaned_data


class ConflictForm(ChangeForm):
    do = forms.ChoiceField(choices=make_choices("keep", "take"))
    revision = NumberField()
    number = NumberField()


class DataQuestionForm(ChangeForm):
    """Data of a day or a version; current by default."""

    on = forms.CharField(required=False)
    to = forms.CharField(required=False)

    def clean(self) -> dict[str, Any]:
        value = self.cleaned_data.get("on", "")
        day = parse_date(value) if value else None
        if value and day is None:
            raise ValidationError(_("Enter the date like 2026-03-21."))
        # Some time zones may already have tomorrow's date.
        if day and day > timezone.localdate() + timedelta(days=1):
            raise ValidationError(_("That date is in the future."))
        return self.cleaned_data | {"on": day}


class DataMoveForm(ChangeForm):
    """`mend` replaces unknown entries by namesakes."""

    revision = NumberField()
    to = forms.CharField()
    mend = forms.BooleanField(required=False)


class SharingForm(ChangeForm):
    """`renew` requests a new link."""

    do = forms.ChoiceField(choices=make_choices("share", "renew"), required=False)
    visibility = forms.ChoiceField(choices=Visibility.choices, required=False)
    secret = forms.BooleanField(required=False)
    uncounted = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("do") != "renew" and not self.cleaned_data.get("visibility"):
            self.add_error("visibility", "")
        return self.cleaned_data


class PlanForm(ChangeForm):
    """A whole game plan. `cleaned_data["game"]` is not yet checked against the list.

    `joins` and `rides` hold two ids, `answers` the ids of a question, an answer and possibly a unit.
    """

    revision = NumberField()
    do = forms.CharField(required=False)
    mission = forms.CharField(required=False, max_length=MAX_ID, strip=False)
    side = forms.CharField(required=False, max_length=MAX_ID, strip=False)
    opponents = ValuesField()
    allies = ValuesField()
    joins = ValuesField(2)
    rides = ValuesField(2)
    reserves = ValuesField()
    commander = forms.CharField(required=False, max_length=MAX_ID, strip=False)
    objective = forms.CharField(required=False, strip=False)
    answers = ValuesField(2, 3)
    notes = forms.CharField(required=False, strip=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        for name in data:
            # The game's data determines the numbers of a plan.
            if name.startswith(NUMBER):
                self.fields[name] = forms.CharField(required=False)

    def clean(self) -> dict[str, Any]:
        fields = self.cleaned_data
        numbers = self._read_numbers()
        if self.errors:
            return fields
        fields["game"] = GamePlan(
            mission=fields["mission"],
            side=fields["side"],
            opponents=tuple(fields["opponents"]),
            allies=tuple(fields["allies"]),
            joins=tuple(Join(*text.split(":")) for text in fields["joins"]),
            rides=tuple(Ride(*text.split(":")) for text in fields["rides"]),
            reserves=tuple(fields["reserves"]),
            commander_id=fields["commander"],
            objective=fields["objective"],
            answers=tuple(Answer(*text.split(":")) for text in fields["answers"]),
            numbers=numbers,
            notes=fields["notes"],
        )
        return fields

    def _read_numbers(self) -> dict[str, Number]:
        numbers: dict[str, Number] = {}
        for name, text in self.cleaned_data.items():
            amount = parse_amount(text) if name.startswith(NUMBER) else None
            if isinstance(amount, Refused):
                raise ValidationError(wording.explain_refusal(amount))
            if amount is not None:
                numbers[name.removeprefix(NUMBER)] = amount
        return numbers


class ShownRevisionForm(TypedForm):
    """A printed revision; blank for the current list."""

    revision = TypedField()
    hash = TypedField()


def read_requested_revision(given: QueryDict) -> tuple[str, str]:
    fields = ShownRevisionForm(given).read_fields()
    return fields["revision"], fields["hash"]
