"""Find the player that a name in a table or an archive means: never guessed, asked if unclear, then remembered."""

from collections import defaultdict
from dataclasses import dataclass, field

from roster.events.models import Event, Participant, PlayerAlias
from roster.formats.list_text import simplify_name


@dataclass(slots=True)
class PlayerIndex:
    """The players of an event by what they are called; `settled` are names that somebody settled before."""

    event: Event
    named: dict[str, list[Participant]] = field(default_factory=lambda: defaultdict(list))
    settled: dict[str, Participant] = field(default_factory=dict)

    def find_players(self, name: str) -> list[Participant]:
        """Return all players that a name may mean: one where it is plain, none where nobody is called so."""
        key = simplify_name(name)
        if key in self.settled:
            return [self.settled[key]]
        return list(self.named.get(key, ()))

    def find_uploaded(self, name: str, team: str = "", email: str = "") -> list[Participant]:
        """Return all players that a line of an upload may mean: mail address and team tell equal names apart."""
        called = self.find_players(name)
        if simplify_name(name) in self.settled:
            return called
        line = UploadedLine.read(team if self.event.is_team else "", email)
        return _choose_likely(_leave_out_dropped(called), line)

    def add_player(self, player: Participant) -> None:
        self.named[simplify_name(player.name)].append(player)


def _leave_out_dropped(players: list[Participant]) -> list[Participant]:
    """Return the players who are in the event still; where all were taken out, they are who is meant."""
    return [player for player in players if not player.dropped] or players


@dataclass(frozen=True, slots=True)
class UploadedLine:
    """What a line of an upload says of its player beside the name, as it is compared; blank where it says nothing."""

    team_key: str
    email: str

    @classmethod
    def read(cls, team: str, email: str) -> "UploadedLine":
        return cls(team_key=simplify_name(team), email=email.strip().casefold())

    def has_mail_of(self, player: Participant) -> bool:
        known = (player.email, player.user.email if player.user else "")
        return self.email in {address.casefold() for address in known if address}

    def has_team_of(self, player: Participant) -> bool:
        return bool(self.team_key) and simplify_name(player.team_name) == self.team_key

    def rules_out(self, player: Participant) -> bool:
        """Return whether a player is somebody else than the line is of: of another address, or of another team."""
        return self._has_other_mail_than(player) or self._has_other_team_than(player)

    def _has_other_mail_than(self, player: Participant) -> bool:
        # The address of an account rules nobody out: organisers need not know it.
        return bool(self.email and player.email) and not self.has_mail_of(player)

    def _has_other_team_than(self, player: Participant) -> bool:
        return bool(self.team_key and player.team) and not self.has_team_of(player)


def _choose_likely(likely: list[Participant], line: UploadedLine) -> list[Participant]:
    """Return the player that a line proves to mean, else all whom it may mean."""
    possible = [player for player in likely if not line.rules_out(player)]
    for proved in (list(filter(line.has_mail_of, likely)), list(filter(line.has_team_of, possible))):
        if len(proved) == 1:
            return proved
    # That somebody is the only one left is no proof: the line may be of one who is not entered yet.
    return likely if len(possible) == 1 else possible


def index_players(event: Event) -> PlayerIndex:
    """Index the players of an event by name and by the aliases that the event remembers."""
    index = PlayerIndex(event)
    for player in event.participants.select_related("event", "current", "team", "user"):
        player.event = event
        index.add_player(player)
    for alias in event.aliases.select_related("participant"):
        index.settled[alias.alias] = alias.participant
    return index


def remember_alias(event: Event, name: str, player: Participant) -> None:
    """Remember which player a name means in this event."""
    PlayerAlias.objects.update_or_create(event=event, alias=simplify_name(name), defaults={"participant": player})
