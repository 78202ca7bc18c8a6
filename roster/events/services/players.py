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

    def add_player(self, player: Participant) -> None:
        self.named[simplify_name(player.name)].append(player)


def index_players(event: Event) -> PlayerIndex:
    """Index the players of an event by name and by the aliases that the event remembers."""
    index = PlayerIndex(event)
    for player in event.participants.select_related("event", "current"):
        player.event = event
        index.add_player(player)
    for alias in event.aliases.select_related("participant"):
        index.told[alias.alias] = alias.participant
    return index


def remember_alias(event: Event, name: str, player: Participant) -> None:
    """Remember which player a name means in this event."""
    PlayerAlias.objects.update_or_create(event=event, alias=simplify_name(name), defaults={"participant": player})
