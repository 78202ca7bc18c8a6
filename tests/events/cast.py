"""The cast of event tests: an organiser, a judge, two players, a stranger; an event of Fenland."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from roster.events.models import Event, EventStatus, Pairing, Participant, Submission
from roster.events.services.events import add_role, change_event, create_event, join_event, set_house_rules, set_status
from roster.events.services.reading import ReceivedList, read_upload
from roster.events.services.submissions import judge_received, submit_list
from tests.copied_rows import begin_once
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed

RULES = """
house-rules: 1
name: Autumn Muster
source: Event pack
limits: {points: 100}
caps:
  - cap: Cutters
    at most: 1
    text: Take one unit of cutters.
"""
LIST = """
list: 1
game: fenland
faction: marsh
name: Low water
detachments:
  - detachment: column
    units: [warden, cutters]
"""
TWO_CUTTERS = LIST.replace("[warden, cutters]", "[warden, cutters, cutters]")


def person(name: str) -> User:
    return account(f"{name}@example.org")


@dataclass
class Bench:
    """An event in which players submit lists."""

    event: Event
    people: dict[str, User]
    clients: dict[str, Client] = field(default_factory=dict)

    def client(self, name: str = "") -> Client:
        """Return a browser in which a user is signed in, or none without a name."""
        if name not in self.clients:
            self.clients[name] = Client()
            if name:
                self.clients[name].force_login(self.people[name])
        return self.clients[name]

    def entry(self, name: str) -> Participant:
        return self.event.participants.get(user=self.people[name])

    def fresh(self) -> Event:
        return Event.objects.select_related("version__game").get(pk=self.event.pk)

    def submit(self, name: str, text: str = LIST) -> Submission:
        submission = submit_text(self.entry(name), text, self.people[name])
        assert isinstance(submission, Submission), submission
        return submission

    def pass_deadline(self, hours: float = 1) -> None:
        """Move the deadline into the past by some hours."""
        Event.objects.filter(pk=self.event.pk).update(deadline=timezone.now() - timedelta(hours=hours))
        self.event.refresh_from_db()


def submit_text(participant: Participant, text: str, sender: User) -> object:
    return submit_list(participant, judge_received(participant.event, read(text)), sender)


def read(text: str) -> ReceivedList:
    return read_upload(text.encode(), game="fenland")


def opened(*players: str, rules: str = RULES) -> Bench:
    """An open event with an organiser (ora), a judge (jud), and players; sue is a stranger."""
    version = installed()
    names = tuple(dict.fromkeys(("ora", "jud", "sue", *players)))

    def begin() -> tuple[int, list[int]]:
        people = {name: person(name) for name in names}
        event = create_event(people["ora"], version, "Autumn Muster")
        assert isinstance(event, Event)
        assert isinstance(set_house_rules(event, people["ora"], rules), Event)
        now = timezone.now()
        changes = {"deadline": now + timedelta(days=7), "starts": now + timedelta(days=14), "zone": "Europe/Berlin"}
        change_event(event, people["ora"], changes)
        set_status(event, people["ora"], EventStatus.OPEN)
        add_role(event, people["ora"], "jud@example.org", "judge")
        for name in players:
            assert isinstance(join_event(event, people[name]), Participant)
        return event.pk, [person.pk for person in people.values()]

    event_key, keys = begin_once(version, ("event", players, rules), begin)
    people = User.objects.in_bulk(keys)
    event = Event.objects.select_related("version__game").get(pk=event_key)
    return Bench(event, {name: people[key] for name, key in zip(names, keys, strict=True)})


def pair(event: Event, number: int, **seats: Any) -> None:
    """Make a pairing with this number, also where a database counts on from the numbers that it gave itself."""
    pairing = Pairing.objects.create(event=event, round=number, table="1", **seats)
    Pairing.objects.filter(pk=pairing.pk).update(id=number)
