"""Forms of objective hands and mission decks: which values each field accepts."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from roster.play.services.objective_hands import ACTS
from roster.views.forms import ChangeForm, NumberField, TypedField, TypedForm, ValuesField, make_choices
from roster.views.parsing import parse_whole_number

COPIES = "copies:"
"""How the fields for copies of a mission begin; `<version>:<mission>` follows."""


class WordsField(TypedField):
    """Any number of words, as one text with spaces between."""

    widget = forms.SelectMultiple

    def to_python(self, value: Any) -> str:
        return " ".join(value or ())


class VersionedIdField(TypedField):
    """An id in a version of data, as `split_versioned_id` returns it."""

    def clean(self, value: Any) -> tuple[int, str]:
        return split_versioned_id(self.to_python(value))


def split_versioned_id(text: str) -> tuple[int, str]:
    """Split `<version>:<id>` into the key of the version, 0 for what is none, and the id.

    >>> split_versioned_id("12:high-water"), split_versioned_id("high-water")
    ((12, 'high-water'), (0, ''))
    """
    version, _sep, wanted_id = text.partition(":")
    return parse_whole_number(version) or 0, wanted_id


class CopiesField(TypedField):
    """How many copies of a mission a deck is to hold; None for a blank field."""

    def clean(self, value: Any) -> int | None:
        text = self.to_python(value)
        copies = parse_whole_number(text)
        if copies is None and text.strip():
            raise ValidationError("")
        return copies


class NewHandForm(TypedForm):
    """The mission and the battle size that objectives are drawn for."""

    game = TypedField()
    mission = TypedField()
    size = TypedField()


class HandForm(ChangeForm):
    """An act on a hand, with what it needs, as texts: so a game keeps its acts. Only `delete` asks for no revision."""

    do = forms.ChoiceField(choices=make_choices("delete", *ACTS))
    revision = NumberField(required=False)
    group = WordsField()
    secret = TypedField()
    extra = TypedField()
    keep = WordsField()
    place = TypedField()
    objective = TypedField()
    old = TypedField()
    new = TypedField()

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("do") != "delete" and self.cleaned_data.get("revision") is None:
            self.add_error("revision", "")
        return self.cleaned_data


class NewDeckForm(TypedForm):
    """A mission to put into a deck, or the name of an empty deck."""

    mission = VersionedIdField()
    name = TypedField()


class DeckForm(ChangeForm):
    """What to do with a mission deck.

    `copies:<version>:<mission>` fields say how many copies of each mission it is to hold: `cleaned_data["copies"]`, by
    the key of the version and the mission's id. `more` and `less` name missions, or packs, of which it is one more or
    less.
    """

    do = forms.ChoiceField(choices=make_choices("fill", "draw", "book", "shuffle"))
    name = TypedField()
    pack = VersionedIdField()
    more = ValuesField()
    less = ValuesField()

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        for name in data or ():
            if name.startswith(COPIES):
                self.fields[name] = CopiesField()

    def clean(self) -> dict[str, Any]:
        self.cleaned_data["copies"] = {
            split_versioned_id(name.removeprefix(COPIES)): copies
            for name, copies in self.cleaned_data.items()
            if name.startswith(COPIES) and copies is not None
        }
        return self.cleaned_data
