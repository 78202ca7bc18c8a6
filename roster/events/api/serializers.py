import json
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.api.serializers import NamedChoiceField
from roster.events.models import SubmissionStatus


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

    round = serializers.IntegerField()
    table = serializers.CharField()
    player = serializers.CharField()
    name = serializers.CharField()
    opponent = serializers.CharField()
    opponent_name = serializers.CharField()
    points = serializers.DecimalField(max_digits=8, decimal_places=2, allow_null=True)
    opponent_points = serializers.DecimalField(max_digits=8, decimal_places=2, allow_null=True)
    published = serializers.DateTimeField(allow_null=True)


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
