"""The content and the users of a fuzzed site: one of each kind, so that most addresses exist."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http.cookie import SimpleCookie
from django.test import Client
from django.urls import reverse

from catalogue.models import GameSystem, Source
from roster.events.services.handouts import Handout
from roster.models import Folder, Roster, Tag
from roster.models.ownership import Visibility
from roster.play.models import MissionDeck
from roster.services.exchange import RosterFormat, export_list
from tests.catalogue.battlescribe_files import game_files, packed, unit
from tests.events.cast import LIST, RULES, TWO_CUTTERS, opened
from tests.extent import draw_cases
from tests.play.games import EDGE, NINTH, begin, join, load_army
from tests.roster.accounts_cast import account
from tests.roster.addresses import WAYS, Way, filled
from tests.roster.test_every_form import Sent, forms_of
from tests.roster.test_views_plan import planner
from tests.roster.views_cast import started

SAMPLES = Path(__file__).parents[1] / "lists" / "samples"
COSTLY = re.compile(r"pdf|png|print|cards|paper|picture|pack/")
"""Paper takes a hundred times as long as a page."""
DRAWN_PAGES = 25
"""In a small world only this many pages of each user are searched for forms: all take half a minute."""
PAIRINGS = "table;player1;player2;player1points;player2points\n1;ann;bob;10;5\n"


@dataclass(frozen=True)
class World:
    """Cookies of all users; values for addresses; forms of pages; files and texts to send."""

    cookies: dict[str, SimpleCookie]
    values: dict[str, list[str]]
    fitting: dict[str, dict[str, str]]
    forms: dict[str, list[Sent]]
    files: list[tuple[str, bytes]]
    ids: list[str]


def build_world(*, large: bool = True) -> World:
    """Fill the database and return its content.

    A large world has shipped games, a running game, and the forms of all pages.
    """
    bench = opened("ann", "bob")
    bench.submit("ann")
    bench.submit("bob", TWO_CUTTERS)
    ann, ora = bench.client("ann"), bench.client("ora")
    event = reverse("events:event", args=[bench.event.public_id])
    ora.post(f"{event}pairings/new/", {"text": PAIRINGS})

    owner = started(ann)
    owner.unit("warden")
    owner.unit("cutters")
    roster = owner.roster
    roster.folder = Folder.objects.create(owner=bench.people["ann"], name="Autumn")
    roster.visibility = Visibility.PUBLIC
    roster.save()
    roster.tags.add(Tag.objects.create(owner=bench.people["ann"], name="club"))
    deck = MissionDeck.objects.create(owner=bench.people["ann"], name="Evening")
    planned = planner().public_id
    Roster.objects.filter(public_id=planned).update(owner=bench.people["ann"], owner_key="")
    guest = started(Client(), name="A guest's")
    shared: list[Any] = [roster, guest.roster, deck]
    if large:
        army = load_army(NINTH, "necrons-incursion")
        game = begin(ann, army)
        join(game, guest.client, inviter=ann)
        shared += [army, load_army(EDGE, "army-hazard-pay"), game]

    importer, admin = Client(), Client()
    bringing = account("importer@example.org")
    bringing.is_staff = True
    bringing.save()
    bringing.user_permissions.add(*Permission.objects.filter(codename__in=("add_packversion", "add_release")))
    importer.force_login(bringing)
    admin.force_login(account("admin@example.org", staff=True))
    importer.post("/games/import/", {"file": SimpleUploadedFile("ducks.zip", packed(game_files(unit())))})
    Source.objects.create(location="/tmp/armybuilder-none", kind="folder")

    clients = {"nobody": Client(), "guest": guest.client, "ann": ann, "ora": ora, "importer": importer, "admin": admin}
    values = {
        "public_id": [planned, bench.event.public_id, *(row.public_id for row in shared)],
        "link_id": [row.link_id for row in shared],
        "player": [bench.entry("ann").public_id, bench.entry("bob").public_id],
        "token": [bench.event.token],
        "game": [row.slug for row in GameSystem.objects.all()],
        "faction": ["marsh", "marsh-folk", "weir-folk", "necrons", "epirian-foundation", "pond"],
        "unit": ["warden", "cutters", "duck", "necron-warriors"],
        "mission": ["territorial-control", "raid"],
        "short_hash": [row.shown_version.short_hash for row in GameSystem.objects.all()],
        "ending": [*RosterFormat, "pdf", "csv"],
        "kind": [*Handout],
        "app_label": ["roster", "catalogue", "events", "auth"],
        "object_id": ["1", "2", str(roster.pk)],
    }
    values["slug"] = values["game"]
    files = [(f"list.{ending}", export_list(roster, ending)) for ending in RosterFormat]
    files += [(path.name, path.read_bytes()) for path in sorted(SAMPLES.glob("*.txt"))]
    files += [("ducks.zip", packed(game_files(unit()))), ("rules.yaml", RULES.encode()), ("list.yaml", LIST.encode())]
    files += [("pairings.csv", PAIRINGS.encode()), ("lists.csv", f'Player,List\nann,"{LIST}"\n'.encode())]
    files.append(("backup.gz", b"".join(ann.get(reverse("roster:backup")).streaming_content)))
    ids = [text for row in shared if isinstance(row, Roster) for text in list_ids(row)]
    fitting = {
        "events": {"public_id": bench.event.public_id},
        "rosters": {"public_id": owner.public_id},
        "decks": {"public_id": deck.public_id},
        "r": {"link_id": roster.link_id},
        "d": {"link_id": deck.link_id},
        "games": {"game": "fenland", "faction": "marsh-folk", "unit": "warden"},
    }
    if large:
        fitting |= {"play": {"public_id": game.public_id, "link_id": army.link_id}, "g": {"link_id": game.link_id}}
    staffs = ("games/", "data/", "account/", "rosters/new/")
    forms = {}
    for who in ("guest", "ann", "ora", "importer", "admin"):
        below = staffs if who in ("importer", "admin") else ("",)
        # Paper and the API have no forms; the admin is the slowest, and other users cannot enter it.
        ways = [
            way
            for way in WAYS
            if way.route.startswith(below)
            and not way.route.startswith(("api/", "admin/"))
            and not COSTLY.search(way.route)
        ]
        forms[who] = collect_forms(clients[who], fitting, values, ways if large else draw_cases(ways, DRAWN_PAGES))
    # A visitor may send forms that others are shown.
    forms["nobody"] = [*forms["guest"], *forms["ann"]]
    cookies = {who: SimpleCookie(client.cookies.output(header="", sep=";")) for who, client in clients.items()}
    return World(cookies, values, fitting, forms, files, [*ids, "points", "standard", "column"])


def list_ids(roster: Roster) -> list[str]:
    nodes: list[Any] = list(roster.tree.forces)
    for node in nodes:
        nodes.extend(getattr(node, "selections", ()))
    return [text for node in nodes[:40] for text in (node.id, node.entry_id)]


def collect_forms(
    client: Client, fitting: dict[str, dict[str, str]], values: dict[str, list[str]], ways: list[Way]
) -> list[Sent]:
    """Return the distinct forms of the pages at some addresses that a user sees."""
    forms: dict[tuple[str, ...], Sent] = {}
    for way in ways:
        address = filled(way, choose_fitting(way, fitting, values))
        with transaction.atomic():
            answer = client.get(address)
            transaction.set_rollback(True)
        if answer.streaming:
            # The client closes what it has read to the end.
            b"".join(answer.streaming_content)
        elif answer.status_code == 200 and "html" in answer.get("Content-Type", ""):
            page = answer.content.decode()
            if "<form" in page:
                forms |= {form.likeness: form for form in forms_of(page, address)}
    return list(forms.values())


def choose_fitting(way: Way, fitting: dict[str, dict[str, str]], values: dict[str, list[str]]) -> dict[str, str]:
    """Return values that exist for an address: the id of a game below /play/, of an event below /events/."""
    first = {name: known[0] for name, known in values.items()}
    return first | fitting.get(way.route.partition("/")[0], {})
