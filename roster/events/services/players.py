"""Find the player behind a name in a table or an archive. Unclear names are asked once, never guessed."""

from collections import defaultdict
from dataclasses import dataclass, field

from roster.events.models import Event, Participant, PlayerAlias
from roster.formats.list_text import simplify_name


@dataclass(slots=True)
class PlayerIndex:
    """An event's players by name. `settled` are names that a user assigned to a player."""

    event: Event
    named: dict[str, list[Participant]] = field(default_factory=lambda: defaultdict(list))
    settled: dict[str, Participant] = field(default_factory=dict)

    def find_players(self, name: str) -> list[Participant]:
        key = simplify_name(name)
        if key in self.settled:
            return [self.settled[key]]
        return list(self.named.get(key, ()))

    def find_uploaded(self, name: str, team: str = "", email: str = "") -> list[Participant]:
        """Return an uploaded line's possible players. Mail address and team distinguish namesakes."""
        called = self.find_players(name)
        if simplify_name(name) in self.settled:
            return called
        # If all namesakes have dropped out, the line means one of them.
        likely = [player for player in called if not player.dropped] or called
        line = UploadedLine.read(team if self.event.is_team else "", email)
        possible = [player for player in likely if not line.rules_out(player)]
        for proved in (list(filter(line.has_mail_of, likely)), list(filter(line.has_team_of, possible))):
            if len(proved) == 1:
                return proved
        # A single player who is not ruled out proves nothing: the line may mean a player who is not entered yet.
        return likely if len(possible) == 1 else possible

    def add_player(self, player: Participant) -> None:
        self.named[simplify_name(player.name)].append(player)


@dataclass(frozen=True, slots=True)
class UploadedLine:
    team_key: str
    email: str

    @classmethod
    def read(cls, team: str, email: str) -> "UploadedLine":
        return cls(team_key=simplify_name(team), email=email.strip().casefold())

    def has_mail_of(self, player: Participant) -> bool:
        addresses = (player.email, player.user.email if player.user else "")
        return self.email in {address.casefold() for address in addresses if address}

    def has_team_of(self, player: Participant) -> bool:
        return bool(self.team_key) and simplify_name(player.team_name) == self.team_key

    def rules_out(self, player: Participant) -> bool:
        # An account's own address rules nothing out: organisers may not know it.
        if self.email and player.email and not self.has_mail_of(player):
            return True
        return bool(self.team_key and player.team) and not self.has_team_of(player)


def index_players(event: Event) -> PlayerIndex:
    index = PlayerIndex(event)
    for player in event.participants.select_related("event", "current", "team", "user"):
        player.event = event
        index.add_player(player)
    for alias in event.aliases.select_related("participant"):
        index.settled[alias.alias] = alias.participant
    return index


def remember_alias(event: Event, name: str, player: Participant) -> None:
    PlayerAlias.objects.update_or_create(event=event, alias=simplify_name(name), defaults={"participant": player})
