import re
from typing import Any
from uuid import NAMESPACE_URL, uuid4, uuid5

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from msgspec.structs import replace

from roster.play.game_state import GONE, SCORE, HandNote, Kind, Operation, write_hand_note
from roster.play.services.game_taps import is_uid
from roster.play.services.games import DICE, SEATS, GameSetup, Opponent
from roster.play.services.objective_hands import ACTS
from roster.views.forms import ChangeForm, NumberField, TypedField, TypedForm, ValuesField, make_choices
from roster.views.requests import parse_whole_number

COPIES = "copies:"
"""The prefix of fields for copies of a mission, before `<version>:<mission>`."""
HAND_FIELDS = ("group", "secret", "keep", "extra", "old", "new")
"""Fields with a prefix such as `h1-` for the side at place 1."""
OPPONENTS = ("opponent", "opponent_2", "opponent_3")
"""Fields for other players' names and, with `_link`, for the links to their lists."""
_HAND_FIELD = re.compile(rf"h[0-9]-({'|'.join(HAND_FIELDS)})")
CHOICE_LENGTH, ANCHOR_LENGTH = 300, 40
_BUTTON = re.compile(r"(?P<kind>[^ ]*) (?P<side>[0-3-]) (?P<key>[^ ]*)(?: (?P<rest>.*))?", re.DOTALL)
_FALL = re.compile(r"fall - (?P<capture>\S+) (?P<round>\d{1,4})")
_FALLEN = re.compile(r"(?P<side>[0-3]) (?P<amount>\d{1,3})\b")
_AMOUNT = re.compile(r"-?[0-9]{1,9}")


class WordsField(TypedField):
    widget = forms.SelectMultiple

    def to_python(self, value: Any) -> str:
        return " ".join(value or ())


class VersionedIdField(TypedField):
    def clean(self, value: Any) -> tuple[int, str]:
        return split_versioned_id(self.to_python(value))


def split_versioned_id(text: str) -> tuple[int, str]:
    """Return the version's key (0 if it is not a number) and the id of `<version>:<id>`.

    >>> split_versioned_id("12:high-water"), split_versioned_id("high-water")
    ((12, 'high-water'), (0, ''))
    """
    version, _sep, wanted_id = text.partition(":")
    return parse_whole_number(version) or 0, wanted_id


class CopiesField(TypedField):
    def clean(self, value: Any) -> int | None:
        text = self.to_python(value)
        copies = parse_whole_number(text)
        if copies is None and text.strip():
            raise ValidationError("")
        return copies


class SetupForm(TypedForm):
    """A new game's setup. A mission of `roll:<pack>` rolls a mission pack's die."""

    mission = TypedField(CHOICE_LENGTH)
    pack = TypedField(CHOICE_LENGTH)
    map = TypedField(CHOICE_LENGTH)
    size = TypedField(CHOICE_LENGTH)
    first = TypedField(CHOICE_LENGTH)
    mission_side = TypedField(CHOICE_LENGTH)
    table = TypedField(CHOICE_LENGTH)
    mission_name = TypedField(CHOICE_LENGTH)
    players = TypedField(CHOICE_LENGTH)
    player = TypedField(CHOICE_LENGTH)
    opponent = TypedField(CHOICE_LENGTH)
    opponent_link = TypedField(CHOICE_LENGTH)
    opponent_2 = TypedField(CHOICE_LENGTH)
    opponent_2_link = TypedField(CHOICE_LENGTH)
    opponent_3 = TypedField(CHOICE_LENGTH)
    opponent_3_link = TypedField(CHOICE_LENGTH)

    def clean(self) -> dict[str, Any]:
        mission, colon, pack = self.cleaned_data["mission"].partition(":")
        if mission == DICE and colon:
            self.cleaned_data |= {"mission": mission, "pack": pack}
        return self.cleaned_data

    def read_setup(self) -> GameSetup:
        """Return the setup. Without a number of players, the mission decides."""
        fields = self.read_fields()
        opponents = [Opponent(fields.pop(name), fields.pop(f"{name}_link")) for name in OPPONENTS]
        players, teams = SEATS.get(fields.pop("players"), (0, 0))
        return GameSetup(**fields, players=players, teams=teams, opponents=tuple(opponents))


class InvitationForm(TypedForm):
    do = TypedField()


class SeatForm(TypedForm):
    link = TypedField(CHOICE_LENGTH)
    player = TypedField(CHOICE_LENGTH)


class EndForm(TypedForm):
    do = TypedField()
    notes = TypedField()
    private_notes = TypedField()


class ResultForm(TypedForm):
    game = TypedField()
    mission = TypedField()
    list_name = TypedField()
    faction = TypedField()
    opponent = TypedField()
    their_faction = TypedField()
    points = TypedField()
    their_points = TypedField()
    notes = TypedField()
    played = TypedField()


class TapForm(ChangeForm):
    """A game's button, with the choices next to it.

    `op` is a text such as `tick 0 w:u1:0.0 1 2` or `set 0 at:u1 dead=2`, `at` the position on the page.
    `cleaned_data["operation"]` is the tap.
    """

    op = TypedField()
    form_id = TypedField()
    at = TypedField(ANCHOR_LENGTH)
    killer = TypedField()
    fallen = TypedField()

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        # A missing field is different from a blank one.
        self.fields |= {name: WordsField() for name in data if _HAND_FIELD.fullmatch(name)}

    def clean(self) -> dict[str, Any]:
        operation = self._read_operation()
        if operation is None:
            self.add_error("op", "")
        return self.cleaned_data | {"operation": operation}

    def _read_operation(self) -> Operation | None:
        match = _BUTTON.fullmatch(self._find_button())
        if match is None or match["kind"] not in set(Kind):
            return None
        kind, side, key, rest = match["kind"], match["side"], match["key"], match["rest"] or ""
        # The same button on the same page gets the same id, so that it counts once.
        page = self.cleaned_data["form_id"]
        is_page = is_uid(page)
        uid = str(uuid5(NAMESPACE_URL, f"{page} {kind} {side} {key} {rest}")) if is_page else str(uuid4())
        operation = Operation(uid=uid, kind=kind, side=None if side == "-" else int(side), key=key)

        if kind == Kind.HAND:
            # `score 2` names a place in the hand; `replace 2 area-denial` also the selected objective.
            act, place, objective = [*rest.split(" "), "", ""][:3]
            fields = {"place": place, "objective": objective}
            named = {name: value for name, value in fields.items() if value}
            names = {name: f"h{side}-{name}" for name in HAND_FIELDS}
            sent = {name: self.cleaned_data[field] for name, field in names.items() if field in self.fields}
            return replace(operation, text=write_hand_note(HandNote(act=act, fields=sent | named)))
        # A shuffle has the number of cards, or names the cards.
        if kind in (Kind.COUNT, Kind.DRAW) or (kind == Kind.SHUFFLE and rest.isdecimal()):
            # If a counter counts only once, its key follows the amount.
            amount, _, once = rest.partition(" ")
            return replace(operation, amount=int(amount), text=once) if _AMOUNT.fullmatch(amount) else None
        return replace(operation, text=rest)

    def _find_button(self) -> str:
        """Return the button's text; for a fallen model, build it from the choices.

        `fall - captured-tokens 3` names the tokens and the round. `killer` is the side that takes the tokens, or `-`.
        `fallen` is the side that loses them, and how many.
        """
        button, fallen = str(self.cleaned_data["op"]), _FALLEN.match(self.cleaned_data["fallen"])
        fall = _FALL.fullmatch(button)
        if fall is None:
            return button
        killer = self.cleaned_data["killer"]
        if fallen is None:
            return ""
        if killer == "-":
            return f"count {fallen['side']} {GONE}{fall['capture']} {fallen['amount']}"
        return f"count {killer} {SCORE}{fall['capture']}.{fallen['side']}:{fall['round']} {fallen['amount']}"


class NewHandForm(TypedForm):
    game = TypedField()
    mission = TypedField()
    size = TypedField()


class HandForm(ChangeForm):
    """An action on a hand. Only `delete` needs no revision."""

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
    mission = VersionedIdField()
    name = TypedField()


class DeckForm(ChangeForm):
    """An action on a mission deck.

    `cleaned_data["copies"]` has the copies by version key and mission id, from `copies:<version>:<mission>` fields.
    `more` and `less` name missions or packs to add or remove one copy of.
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
