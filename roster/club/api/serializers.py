from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers


class SeasonSerializer(serializers.Serializer[Any]):
    """A season of a club, with the rules that its lists are judged by."""

    id = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField(help_text="The game's slug, or its name if it is no longer here.")
    format = serializers.CharField(help_text="round-robin, swiss or challenge.")
    ladder = serializers.CharField(help_text="points, elo or supply.")
    started = serializers.DateTimeField(allow_null=True)
    ended = serializers.DateTimeField(allow_null=True)
    limit = serializers.IntegerField(help_text="The most points of a list; 0 for no limit. A map can have its own.")
    homebrew = serializers.CharField(
        help_text="The published house rules whose values count, as `id@number`; blank for none."
    )
    homebrew_name = serializers.CharField(help_text="Their name; blank for none.")


class ClubSerializer(serializers.Serializer[Any]):
    """A club with its seasons."""

    id = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField()
    is_open = serializers.BooleanField(help_text="Whether everyone with the address can read it.")
    role = serializers.CharField(help_text="organiser, member, or blank for anyone else.")
    seasons = SeasonSerializer(many=True)


class TableLineSerializer(serializers.Serializer[Any]):
    """A player's line in the table of a season."""

    place = serializers.IntegerField()
    player = serializers.CharField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    difference = serializers.FloatField(help_text="The scores minus the opponents' scores.")
    supply = serializers.IntegerField()
    points = serializers.IntegerField(allow_null=True, help_text="Null in a season by Elo rating.")
    rating = serializers.IntegerField(allow_null=True, help_text="The Elo rating; null in other seasons.")
    left = serializers.BooleanField()


class MeetingSerializer(serializers.Serializer[Any]):
    """Two players who are to play or have played, in the season itself or at an event that counts in it."""

    number = serializers.IntegerField(
        allow_null=True, help_text="Its number in addresses; null for a game at an event."
    )
    event = serializers.CharField(help_text="The name of the event; blank for a game of the season itself.")
    round = serializers.IntegerField(help_text="0 for challenges.")
    first = serializers.CharField()
    second = serializers.CharField(help_text="Blank for a bye.")
    first_score = serializers.FloatField(allow_null=True)
    second_score = serializers.FloatField(allow_null=True)
    result = serializers.IntegerField(
        allow_null=True, help_text="1 if the first player won, 0 for a draw, -1 if the second won; null if unknown."
    )
    played = serializers.DateField(allow_null=True)
    until = serializers.DateField(allow_null=True, help_text="The last day.")
    place = serializers.CharField(help_text="The place that the winner takes or keeps; blank for none.")
    counts = serializers.BooleanField(help_text="Whether the table has it.")
    outcome = serializers.CharField(
        help_text="The result and the scores, to be confirmed; blank without a result, and for a game at an event."
    )
    waits_for = serializers.ListField(
        child=serializers.CharField(), help_text="first and second, if they have not confirmed the result yet."
    )


class SentResultSerializer(serializers.Serializer[Any]):
    """The result of a meeting: both scores, or a finished game at the table that you played in it."""

    first = serializers.IntegerField(required=False, help_text="The score of the first player.")
    second = serializers.IntegerField(required=False, help_text="The score of the second player.")
    game = serializers.CharField(required=False, help_text="The id of the game at the table.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "game" not in attrs and not {"first", "second"} <= attrs.keys():
            raise serializers.ValidationError(_("Send both scores, or a game."))
        return attrs


class SentOutcomeSerializer(serializers.Serializer[Any]):
    """The outcome that you confirm."""

    outcome = serializers.CharField(
        help_text="As the meeting has it, so that a result that has changed is not confirmed."
    )


class HoldSerializer(serializers.Serializer[Any]):
    """A time in which a place of a season's map has one holder, or none."""

    place = serializers.CharField()
    player = serializers.CharField(help_text="Blank while nobody holds it.")
    since = serializers.DateField(allow_null=True, help_text="Null from the start.")
    until = serializers.DateField(allow_null=True, help_text="Null until now.")
    how = serializers.CharField(
        help_text="map: before the first game. won: by a game. left: free, because the holder left."
    )
    round = serializers.IntegerField(allow_null=True, help_text="The round of the game, 0 for challenges.")
    opponent = serializers.CharField(help_text="Who lost the game; blank without a game.")
    score = serializers.FloatField(allow_null=True)
    opponent_score = serializers.FloatField(allow_null=True)
