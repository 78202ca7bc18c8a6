"""A club for tests of every address: a running season with a game, its two lists, a club night and an event."""

import json
from datetime import timedelta

from django.utils import timezone

from catalogue.models import Faction
from roster.club.models import (
    ChosenList,
    Club,
    ClubMember,
    ClubNight,
    Meeting,
    NightPlayer,
    Season,
    SeasonEvent,
    SeasonHomebrew,
    SeasonPlayer,
)
from roster.events.models import Event, Pairing, Participant
from roster.formats.homebrew.document import Homebrew, write_homebrew
from tests.roster.accounts_cast import account
from tests.roster.views_cast import Owner


def make_season(made: Owner, text: str, number: int) -> SeasonPlayer:
    """Make a club and a season at the list's address. Return the owner's player.

    The text stands wherever users write. Meeting and night have the number.
    """
    roster = made.roster
    club = Club.objects.create(name=text, public_id=made.public_id, token=made.public_id[::-1])
    season = Season.objects.create(
        club=club,
        name=text,
        text=text,
        public_id=made.public_id,
        game=roster.version.game,
        game_name=text,
        format="challenge",
        started=roster.created,
        limit=500,
        map=f"map: 1\nplaces: [{json.dumps(text)}]",
    )
    document = write_homebrew(Homebrew(name=text, game=roster.version.game.slug))
    season.homebrew = SeasonHomebrew.objects.create(
        season=season, key=f"{made.public_id}@1", name=text, number=1, document=document, content_hash="0" * 64
    )
    season.save()
    mine, _theirs = (
        SeasonPlayer.objects.create(
            season=season, member=ClubMember.objects.create(club=club, user_id=user_id, name=name, role=role)
        )
        for user_id, name, role in (
            (roster.owner_id, text, "organiser"),
            (account("dan@example.org").pk, "Dan", "member"),
        )
    )
    add_to_season(season, made, number)
    return mine


def add_to_season(season: Season, made: Owner, number: int) -> None:
    """Add a meeting with both lists, a club night, and an event with a result of the two players."""
    text, roster = season.name, made.roster
    players = list(season.players.select_related("member"))
    night = ClubNight.objects.create(pk=number, season=season, starts=roster.created + timedelta(days=9), place=text)
    NightPlayer.objects.create(night=night, player=players[0])
    meeting = Meeting.objects.create(pk=number, season=season, first=players[0], second=players[1], stake=text)
    faction = Faction.objects.get(version=roster.version, faction_id=roster.faction_id)
    event = Event.objects.create(name=text, version=roster.version, status="open")
    SeasonEvent.objects.create(season=season, event=event, agreed=timezone.now())
    seats = []
    for player in players:
        user_id = player.member.user_id
        ChosenList.objects.create(
            meeting=meeting,
            player=player,
            owner_id=user_id,
            name=text,
            document=roster.document,
            faction_id=faction.faction_id,
            faction=faction.heading,
            units=[[text, 1, ""]],
            version=roster.version,
            homebrew=season.homebrew,
            limit=500,
            verdict="legal",
            points="20",
        )
        seats.append(Participant.objects.create(event=event, name=text, user_id=user_id, status="new", verdict="legal"))
    Pairing.objects.create(
        event=event,
        round=1,
        table="1",
        first=seats[0],
        second=seats[1],
        first_points=1,
        second_points=0,
        published=timezone.now(),
    )
