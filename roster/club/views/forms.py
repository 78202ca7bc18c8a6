from collections.abc import Iterator

from django import forms
from django.http import QueryDict

from roster.club.models import ModelState
from roster.club.services.battles import ReportDraft
from roster.club.services.collections import Tick
from roster.formats.list_text import decode_text
from roster.views.forms import NUMBER, ChangeForm, NumberField, TypedField, TypedForm, ValuesField, make_choices
from roster.views.requests import parse_whole_number

LONGEST_NAME = 200


class StartCollectionForm(TypedForm):
    """`faction` is `<slug of the game>:<id of the faction>`."""

    faction = TypedField(LONGEST_NAME * 2)


class CountField(TypedField):
    """A whole number; 0, which services refuse, for any other text."""

    def clean(self, value: object) -> int:
        return parse_whole_number(self.to_python(value)) or 0


class CollectionForm(ChangeForm):
    """One step, named by `do`; for buttons, `move` is `<state> <state>`.

    `tick` is `<place> <number when the page was shown> <name>`, and `number-<place>` the number of ticked models.
    """

    do = forms.ChoiceField(
        choices=make_choices("add", "move", "notes", "drop", "undo", "lists", "games", "own", "buy", "paint"),
        required=False,
    )
    kind = NumberField(required=False)
    name = TypedField()
    number = CountField()
    source = TypedField(LONGEST_NAME)
    target = TypedField(LONGEST_NAME)
    move = TypedField(LONGEST_NAME)
    notes = TypedField()
    location = TypedField()
    list = ValuesField()
    game = ValuesField()
    together = forms.BooleanField(required=False)
    tick = ValuesField()

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        for name in self.data:
            if name.startswith(NUMBER):
                self.fields[name] = CountField()

    def read_ticks(self) -> Iterator[Tick]:
        for text in self.cleaned_data["tick"]:
            place, seen, name = text.split(" ", 2)
            number = self.cleaned_data.get(f"{NUMBER}{place}", 0)
            yield Tick(name=name, seen=parse_whole_number(seen) or 0, number=number)

    @property
    def ticked(self) -> dict[str, str]:
        """The numbers of ticked rows as typed, by `<do> <name>`."""
        ticks = self.data.getlist("tick") if isinstance(self.data, QueryDict) else []
        parts = [text.split(" ", 2) for text in ticks if text.count(" ") >= 2]
        do = self.data.get("do")
        return {f"{do} {name}": self.data.get(f"{NUMBER}{place}", "") for place, _seen, name in parts}

    def clean(self) -> dict[str, object]:
        fields = self.cleaned_data
        if any(text.count(" ") < 2 for text in fields.get("tick", ())):
            self.add_error("tick", "")
        if fields.get("move"):
            source, _space, target = fields["move"].partition(" ")
            fields |= {"do": "move", "source": source, "target": target}
        if not fields.get("do"):
            self.add_error("do", "")
        return fields


class RowsFileForm(TypedForm):
    """Rows of CSV, or JSON, pasted or as a file."""

    text = TypedField()
    file = forms.FileField(required=False, allow_empty_file=True)

    def read_text(self) -> str:
        """Return the file's text, "" if it has none, or the pasted text without a file."""
        fields = self.read_fields()
        return (decode_text(fields["file"].read()) or "") if fields.get("file") else str(fields["text"])


STATE_NAMES = {state.value: state.label for state in ModelState}


class ClubForm(TypedForm):
    """A club's settings, and one action, named by `do`. `member` is a key."""

    do = TypedField(20)
    name = TypedField()
    text = TypedField()
    is_open = forms.BooleanField(required=False)
    address = TypedField(1_000)
    member = CountField()
    role = TypedField(20)


class SeasonForm(TypedForm):
    name = TypedField()
    text = TypedField()
    game = TypedField(LONGEST_NAME)
    format = TypedField(20)
    ladder = TypedField(20)
    win = TypedField(10)
    draw = TypedField(10)
    loss = TypedField(10)
    factor = TypedField(10)
    days = TypedField(10)


class SeasonActForm(TypedForm):
    """One action in a season or a meeting, named by `do`.

    Players and members are keys, `game` is an address, `stake` the name of a territory.
    """

    do = TypedField(20)
    member = ValuesField()
    player = CountField()
    round = CountField()
    day = TypedField(20)
    first = TypedField(20)
    second = TypedField(20)
    outcome = TypedField(40)
    game = TypedField(40)
    stake = TypedField(LONGEST_NAME)
    list = TypedField(40)


class SeasonSettingsForm(TypedForm):
    """A season's rules, or one action on its events, named by `do`.

    `link` is an address of house rules or an event, `own_event` the id of one of the user's, `event` a key.
    """

    do = TypedField(20)
    homebrew = TypedField(LONGEST_NAME)
    link = TypedField(1_000)
    own_event = TypedField(40)
    limit = TypedField(20)
    reveal = TypedField(20)
    event = CountField()


class NightForm(TypedForm):
    """A club night. `starts` and `closes` are days with times in the time zone `zone`."""

    starts = TypedField(40)
    closes = TypedField(40)
    zone = TypedField()
    place = TypedField()
    tables = TypedField(10)


class NightActForm(TypedForm):
    """One action at a club night, named by `do`. `member` and `gone` are keys of members, `first` and `second` of
    players. `back` is the page to show afterwards.
    """

    do = TypedField(20)
    member = ValuesField()
    gone = CountField()
    first = CountField()
    second = CountField()
    back = TypedField(20)


class MapForm(TypedForm):
    """`seen` is the hash of the map that was shown."""

    text = TypedField()
    seen = TypedField(40)


class PlayerPageForm(TypedForm):
    """An account's own page, and one action, named by `do`. `follower` and `block` are keys."""

    do = TypedField(20)
    name = TypedField()
    text = TypedField()
    visibility = TypedField(20)
    shows_lists = forms.BooleanField(required=False)
    shows_clubs = forms.BooleanField(required=False)
    shows_games = forms.BooleanField(required=False)
    shows_reports = forms.BooleanField(required=False)
    follower = CountField()
    block = CountField()


class TalkForm(TypedForm):
    """One action at a list or a player, named by `do`. `comment` and `followed` are keys."""

    do = TypedField(20)
    comment = CountField()
    followed = CountField()
    text = TypedField()


class BattleForm(TypedForm):
    """A battle report. `moment` are ids of lines of the log."""

    name = TypedField()
    text = TypedField()
    moment = ValuesField()

    def read_draft(self) -> ReportDraft:
        fields = self.read_fields()
        return ReportDraft(name=fields["name"], text=fields["text"], moments=fields.get("moment", ()))


class PhotosForm(TypedForm):
    """One action on the photos of a thing, named by `do`. `photo` is a key."""

    do = TypedField(20)
    photo = CountField()
    caption = TypedField()
    file = forms.FileField(required=False, allow_empty_file=True)
