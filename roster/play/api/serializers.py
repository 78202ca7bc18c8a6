from typing import Any

from rest_framework import serializers


class PlayedGameSerializer(serializers.Serializer[Any]):
    """A game at the table in which you play."""

    id = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField(help_text="The id of the game system.")
    mission = serializers.CharField(help_text="Its name; blank for none.")
    place = serializers.IntegerField(help_text="The side that you play, from 0.")
    sides = serializers.ListField(child=serializers.CharField(), help_text="The names of the sides, by place.")
    ended = serializers.BooleanField()
    last = serializers.IntegerField(help_text="The number of the last tap.")


class PlayedStateSerializer(PlayedGameSerializer):
    """A game at the table as your side sees it."""

    state = serializers.DictField(help_text="Round, scores, units and hands, as the page of the game has them.")


class TapSerializer(serializers.Serializer[Any]):
    """What a player did."""

    id = serializers.UUIDField(help_text="Chosen by the program. A tap that is sent twice counts once.")
    kind = serializers.CharField()
    key = serializers.CharField(required=False)
    amount = serializers.IntegerField(required=False)
    text = serializers.CharField(required=False)
    side = serializers.IntegerField(required=False, allow_null=True)
    at = serializers.FloatField(required=False, help_text="Milliseconds since 1970 by the clock of the device.")


class SentTapsSerializer(serializers.Serializer[Any]):
    taps = TapSerializer(many=True)


class TapReceiptSerializer(serializers.Serializer[Any]):
    """Which taps are stored, and the game after them."""

    numbers = serializers.DictField(child=serializers.IntegerField(), help_text="The number of each stored tap, by id.")
    refused = serializers.DictField(child=serializers.CharField(), help_text="Why a tap was refused, by id.")
    state = serializers.DictField(help_text="The game as your side sees it.")


class SentOpponentSerializer(serializers.Serializer[Any]):
    """Another player of a new game."""

    name = serializers.CharField(required=False)
    list = serializers.CharField(required=False, help_text="The id of their list.")


class SentSetupSerializer(serializers.Serializer[Any]):
    """How a game begins. The dice choose each value that is `roll`."""

    list = serializers.CharField(help_text="The id of your list.")
    mission = serializers.CharField(required=False, help_text="The id of a mission, or `roll` for one of `pack`.")
    pack = serializers.CharField(required=False, help_text="The mission pack to roll in.")
    map = serializers.CharField(required=False, help_text="The id of a deployment map, or `roll`.")
    size = serializers.CharField(required=False, help_text="The id of a size of battle.")
    first = serializers.CharField(required=False, help_text="The place of the side that begins, or `roll`.")
    mission_side = serializers.CharField(required=False, help_text="The id of your side of the mission.")
    table = serializers.CharField(required=False, help_text="The key of a ready table setup.")
    mission_name = serializers.CharField(required=False, help_text="For data without missions.")
    players = serializers.IntegerField(required=False, help_text="2 to 4. Without it the mission decides.")
    teams = serializers.IntegerField(required=False, help_text="2 for four players in two teams.")
    opponents = SentOpponentSerializer(many=True, required=False)


class SentInvitationSerializer(serializers.Serializer[Any]):
    """The side to invite a player to."""

    side = serializers.IntegerField(help_text="Its place, from 0; your own for another device of yours.")


class InvitationSerializer(serializers.Serializer[Any]):
    """An open code."""

    side = serializers.IntegerField()
    code = serializers.CharField()
    address = serializers.CharField(help_text="The page on which a player joins.")


class SentSeatSerializer(serializers.Serializer[Any]):
    """A player who takes a side."""

    code = serializers.CharField()
    list = serializers.CharField(required=False, help_text="The id of your list, if the side has none yet.")
    name = serializers.CharField(required=False, help_text="Your name, if the side has none yet.")


class SentEndSerializer(serializers.Serializer[Any]):
    """The end of a game."""

    notes = serializers.CharField(required=False)
    conceded = serializers.IntegerField(required=False, allow_null=True, help_text="The place of a side that gave up.")


class EndedGameSerializer(PlayedGameSerializer):
    """The result of a game at the table."""

    scores = serializers.ListField(child=serializers.IntegerField(allow_null=True), help_text="By place.")
    ranks = serializers.ListField(child=serializers.IntegerField(), help_text="By place, from 1; empty if unknown.")
    outcome = serializers.CharField(help_text="Who has won, for people.")
    notes = serializers.CharField()
    confirmed = serializers.ListField(child=serializers.IntegerField(), help_text="The places that confirmed it.")


class LogLineSerializer(serializers.Serializer[Any]):
    """A line of the log."""

    id = serializers.CharField(help_text="The id of its tap.")
    number = serializers.IntegerField()
    at = serializers.DateTimeField()
    round = serializers.IntegerField()
    who = serializers.CharField()
    text = serializers.CharField()
    undone = serializers.BooleanField()
    undo = serializers.BooleanField(help_text="Whether it undoes another one.")
    can_undo = serializers.BooleanField(help_text="Whether you may undo it: a tap of kind `undo` with its id as key.")
