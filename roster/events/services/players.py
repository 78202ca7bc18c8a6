"""Which player a name in a table or an archive means: never guessed, asked where it is open, remembered once told."""

from collections import defaultdict
from dataclasses import dataclass, field

from roster.events.models import Event, Participant, PlayerAlias
from roster.formats.list_text import simplify_name


@dataclass(slots=True)
class PlayerIndex:
    """The players of an event by what they are called; `told` are names that somebody settled before."""

    event: Event
    named: dict[str, list[Participant]] = field(default_factory=lambda: defaultdict(list))
    told: dict[str, Participant] = field(default_factory=dict)

    def find_players(self, name: str) -> list[Participant]:
        """Return all players that a name may mean: one where it is plain, none where nobody is called so."""
        key = simplify_name(name)
        if key in self.told:
            return [self.told[key]]
        return list(self.named.get(key, ()))

    def find_uploaded(self, name: str, team: str = "", email: str = "") -> list[Participant]:
        """Return all players that a line of an upload may mean: mail address and team tell equal names apart."""
        if simplify_name(name) in self.told:
            return self.find_players(name)
        called = self.find_players(name)
        # Who was taken out counts only where nobody else is called so.
        meant = [player for player in called if not player.dropped] or called
        by_mail = [player for player in meant if email.strip() and _has_mail(player, email)]
        if len(by_mail) == 1:
            return by_mail
        team_key = simplify_name(team) if self.event.is_team else ""
        possible = [player for player in meant if not _is_other(player, team_key, email)]
        by_team = [player for player in possible if team_key and _name_team(player) == team_key]
        if len(by_team) == 1:
            return by_team
        # That somebody is the only one left is no proof: the line may be of one who is not entered yet.
        return meant if len(possible) == 1 else possible

    def add_player(self, player: Participant) -> None:
        self.named[simplify_name(player.name)].append(player)


def _has_mail(player: Participant, email: str) -> bool:
    known = (player.email, player.user.email if player.user else "")
    return email.strip().casefold() in {address.casefold() for address in known if address}


def _name_team(player: Participant) -> str:
    """Return the team of a player in the form that names are compared in; blank for none."""
    return simplify_name(player.team.name) if player.team else ""


def _is_other(player: Participant, team_key: str, email: str) -> bool:
    """Return whether a player is somebody else than a line is of: known by another address, or of another team.

    The address of an account tells nothing: organisers need not know it.
    """
    is_other_address = bool(email.strip() and player.email) and not _has_mail(player, email)
    return is_other_address or bool(team_key and player.team and _name_team(player) != team_key)


def index_players(event: Event) -> PlayerIndex:
    """Index the players of an event by name and by the aliases that the event remembers."""
    index = PlayerIndex(event)
    for player in event.participants.select_related("event", "current", "team", "user"):
        player.event = event
        index.add_player(player)
    for alias in event.aliases.select_related("participant"):
        index.told[alias.alias] = alias.participant
    return index


def remember_alias(event: Event, name: str, player: Participant) -> None:
    """Remember which player a name means in this event."""
    PlayerAlias.objects.update_or_create(event=event, alias=simplify_name(name), defaults={"participant": player})
