import json
from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import extend_schema_field
from msgspec import Meta
from rest_framework import serializers

from catalogue.api.problems import ProblemSerializer
from catalogue.api.serializers import NamedChoiceField
from roster.events.models import SubmissionStatus
from roster.events.models.pairing import TABLE_LENGTH
from roster.events.services.pairing_tables import MOST_ROWS
from roster.events.services.pairings import MOST_ROUNDS
from roster.play.api.mission_decks import GameId, Hash

PlayerName = Annotated[str, Meta(min_length=1, max_length=200)]
Points = Annotated[float, Meta(ge=-99_999, le=99_999)]


class SentEvent(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    game: Annotated[GameId, Meta(description="The id of the game system.")]
    version: Annotated[Hash, Meta(description="The hash of a published version; blank for the current one.")] = ""
    zone: Annotated[str, Meta(max_length=60, description="A time zone, such as `Europe/Berlin`; blank for yours.")] = ""


class SentPairing(msgspec.Struct, forbid_unknown_fields=True):
    first: PlayerName
    second: PlayerName | None
    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    table: Annotated[str, Meta(max_length=TABLE_LENGTH)] = ""
    first_points: Points | None = None
    second_points: Points | None = None


class SentPairings(msgspec.Struct, forbid_unknown_fields=True):
    pairings: Annotated[list[SentPairing], Meta(min_length=1, max_length=MOST_ROWS)]


class SentRound(msgspec.Struct, forbid_unknown_fields=True):
    is_shown: Annotated[bool, Meta(description="Whether everyone who may see the event sees the round.")]


class SentScores(msgspec.Struct, forbid_unknown_fields=True):
    first: Annotated[Points | None, Meta(description="The points of the first player; null if unknown.")]
    second: Annotated[
        Points | None, Meta(description="The points of the second player; null if unknown, or for a bye.")
    ]


class EventSerializer(serializers.Serializer[Any]):
    """An event with its times, its time zone and its house rules."""

    id = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    version = serializers.CharField()
    status = serializers.CharField(help_text="draft, open or closed.")
    zone = serializers.CharField()
    starts = serializers.DateTimeField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    rules = serializers.CharField(help_text="The house rules as YAML; blank for none.")
    rules_hash = serializers.CharField(help_text="The hash of the house rules and of the changed values.")
    homebrew = serializers.CharField(
        help_text="The published house rules whose values count, as `id@number`; blank for none."
    )
    homebrew_name = serializers.CharField(help_text="Their name; blank for none.")
    role = serializers.CharField(help_text="organiser, judge, player, or blank for anyone else.")
    player = serializers.CharField(help_text="Your id among the players; blank if you do not play.")


class EntrySerializer(serializers.Serializer[Any]):
    """A player of an event with the verdict on their list."""

    id = serializers.CharField()
    name = serializers.CharField()
    team = serializers.CharField()
    reserve = serializers.BooleanField()
    status = serializers.CharField(help_text="missing, new, accepted or returned; blank if it is hidden.")
    verdict = serializers.CharField(
        help_text="unreadable, illegal, incomplete, as-read, by-rules, legal; blank if it is hidden."
    )
    doubled = serializers.CharField(help_text="The army that the team has too often; blank for none, or not shown.")
    faction = serializers.CharField()
    points = serializers.CharField()
    claimed = serializers.CharField()
    late_seconds = serializers.IntegerField()
    received = serializers.DateTimeField(allow_null=True)


class SubmittedListSerializer(EntrySerializer):
    """A player's list in full: the verdict in sentences and the frozen list."""

    number = serializers.IntegerField()
    hash = serializers.CharField(help_text="SHA-256 of what was received.")
    report = serializers.DictField()
    document = serializers.DictField(
        help_text="The tree of the list, without decks until they are shown; empty for one that could not be read."
    )
    text = serializers.CharField(help_text="The text that was received, if it was text; blank until decks are shown.")


@extend_schema_field({"oneOf": [{"type": "string", "maxLength": 400_000}, {"type": "object"}]})
class SentListField(serializers.CharField):
    """A text, or a JSON object that becomes one."""

    def to_internal_value(self, data: Any) -> str:
        return str(super().to_internal_value(json.dumps(data, ensure_ascii=False) if isinstance(data, dict) else data))


class SubmissionRequestSerializer(serializers.Serializer[Any]):
    """A list to evaluate under an event's rules or to submit."""

    list = SentListField(
        trim_whitespace=False,
        max_length=400_000,
        help_text="A list document, or a text in any format that the site reads: YAML, JSON, pasted text.",
    )
    submit = serializers.BooleanField(default=False, help_text="By default the list is only evaluated.")


class ReceiptSerializer(serializers.Serializer[Any]):
    """The verdict on a list and, if it was submitted, the receipt."""

    submitted = serializers.BooleanField()
    verdict = serializers.CharField(
        help_text="unreadable, illegal, incomplete, as-read, legal, or by-rules: legal by the house rules of players."
    )
    doubled = serializers.CharField(help_text="The army that the team has too often with this list; blank for none.")
    doubled_rule = serializers.DictField(
        allow_null=True, help_text="The sentence of the rule that this breaks (`text`) and where to find it (`source`)."
    )
    points = serializers.CharField()
    report = serializers.DictField()
    number = serializers.IntegerField(allow_null=True)
    hash = serializers.CharField()


class DecisionRequestSerializer(serializers.Serializer[Any]):
    """A judge's decision about a list."""

    status = NamedChoiceField(
        [SubmissionStatus.ACCEPTED.value, SubmissionStatus.RETURNED.value, SubmissionStatus.NEW.value],
        help_text="`new` withdraws a decision.",
    )
    reason = serializers.CharField(default="", allow_blank=True, max_length=4_000)
    covers = serializers.ListField(child=serializers.CharField(max_length=200), default=list, max_length=200)
    number = serializers.IntegerField(default=0, min_value=0, help_text="The submission that was looked at; 0 for any.")


class PairingSerializer(serializers.Serializer[Any]):
    """The players at a table of a round, and the points of both. A blank opponent is a bye."""

    number = serializers.IntegerField(help_text="Its number in addresses.")
    round = serializers.IntegerField()
    table = serializers.CharField()
    player = serializers.CharField()
    name = serializers.CharField()
    opponent = serializers.CharField()
    opponent_name = serializers.CharField()
    points = serializers.DecimalField(max_digits=8, decimal_places=2, allow_null=True)
    opponent_points = serializers.DecimalField(max_digits=8, decimal_places=2, allow_null=True)
    published = serializers.DateTimeField(allow_null=True)


class SentPairingSerializer(serializers.Serializer[Any]):
    """Two players at a table."""

    first = serializers.CharField(min_length=1, max_length=200, help_text="The id of a player, or the name.")
    second = serializers.CharField(
        min_length=1, max_length=200, allow_null=True, help_text="The id of a player, or the name; null for a bye."
    )
    round = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_ROUNDS, help_text="By default the next round."
    )
    table = serializers.CharField(
        required=False, allow_blank=True, max_length=TABLE_LENGTH, help_text="By default the next free number."
    )
    first_points = serializers.FloatField(required=False, allow_null=True, min_value=-99_999, max_value=99_999)
    second_points = serializers.FloatField(required=False, allow_null=True, min_value=-99_999, max_value=99_999)


class SentPairingsSerializer(serializers.Serializer[Any]):
    """All pairings of one round or of several."""

    pairings = serializers.ListField(child=SentPairingSerializer(), min_length=1, max_length=MOST_ROWS)


class RoundSerializer(serializers.Serializer[Any]):
    """A round of an event."""

    number = serializers.IntegerField()
    tables = serializers.IntegerField(help_text="How many tables it has.")
    is_shown = serializers.BooleanField(help_text="Whether everyone who may see the event sees it.")


class RefusedPairingsSerializer(ProblemSerializer):
    """Why pairings were not stored."""

    row = serializers.IntegerField(help_text="The row that it is about, from 1; 0 for none.")


class StandingSerializer(serializers.Serializer[Any]):
    """A player's place: points of all games, points of confirmed penalties, and the total."""

    place = serializers.IntegerField()
    player = serializers.CharField()
    name = serializers.CharField()
    team = serializers.CharField()
    played = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    points = serializers.DecimalField(max_digits=10, decimal_places=2)
    penalty = serializers.DecimalField(max_digits=10, decimal_places=2)
    total = serializers.DecimalField(max_digits=10, decimal_places=2)


class EventExportSerializer(serializers.Serializer[Any]):
    """All data of an event: its settings, and its tables as lists of rows."""

    event = serializers.DictField()
    players = serializers.ListField(child=serializers.DictField())
    teams = serializers.ListField(child=serializers.DictField())
    roles = serializers.ListField(child=serializers.DictField())
    aliases = serializers.ListField(child=serializers.DictField())
    submissions = serializers.ListField(child=serializers.DictField())
    rechecks = serializers.ListField(child=serializers.DictField())
    decisions = serializers.ListField(child=serializers.DictField())
    penalties = serializers.ListField(child=serializers.DictField())
    pairings = serializers.ListField(child=serializers.DictField())
    standings = serializers.ListField(child=serializers.DictField())
    comments = serializers.ListField(child=serializers.DictField())
    checks = serializers.ListField(child=serializers.DictField())
    log = serializers.ListField(child=serializers.DictField())
