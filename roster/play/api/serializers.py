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
