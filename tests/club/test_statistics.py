"""Statistics of a game: which lists count, from both sides of each border, and the pages, files and feed."""

import csv
import io
import json
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.models import GameSystem, PackVersion, UnitEntry
from catalogue.models.base import new_public_id
from roster.club.models import FactionStatistics, GameStatistics, SliceStatistics
from roster.club.services.statistics import count_game
from roster.club.tallies import FEWEST_GAMES, FEWEST_PLAYERS, REPORT_FORM
from roster.engine.tree import Force, Limit, RosterTree, Selection
from roster.events.models import Event, EventStatus, Pairing, Participant, Submission
from roster.models import Roster, RosterRevision
from roster.models.ownership import Visibility
from roster.play.models import Game, GameSide
from roster.services.evaluation import encode_tree, hash_document
from tests.events.cast import opened
from tests.markup import markup
from tests.roster.small_game import installed
from tests.roster.views_cast import SCRIPT, started_with_account

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
MARSH, WEIR = {"warden": (), "cutters": ("Nets",)}, {"weir-reeve": (), "weir-hands": ()}


def encode_list(units: dict[str, tuple[str, ...]], limit: int = 100, mark: str = "") -> str:
    """Return a document of a list; `mark` sets it apart from others with the same units."""
    selections = tuple(
        Selection(
            id=f"u{number}",
            entry_id=entry,
            name=SCRIPT,
            selections=tuple(Selection(id=f"o{number}{name}", entry_id=name, name=name) for name in options),
        )
        for number, (entry, options) in enumerate(units.items())
    )
    force = Force(id="f", entry_id="column", catalogue_id="marsh", name="Column", selections=selections)
    limits = (Limit(type_id="points", value=limit),)
    return encode_tree(RosterTree(id="r", notes=mark, limits=limits, forces=(force,)))


def publish(
    player: User, units: dict[str, tuple[str, ...]] = MARSH, faction: str = "marsh", limit: int = 100, **fields: object
) -> Roster:
    address = new_public_id()
    columns = {
        "version": installed(),
        "visibility": Visibility.PUBLIC,
        "verdict": "legal",
        "points": str(limit - 3),
        "limit": str(limit),
        "document": encode_list(units, limit),
    }
    return Roster.objects.create(
        owner=player, public_id=address, link_id=address, faction_id=faction, name="Low water", **columns | fields
    )


def play(number: int, start: int = 0) -> list[User]:
    """Return some accounts."""
    names = [f"player-{key}" for key in range(start, start + number)]
    User.objects.bulk_create([User(username=name, password="!") for name in names], ignore_conflicts=True)
    return list(User.objects.filter(username__in=names).order_by("pk"))


@pytest.fixture
def version() -> PackVersion:
    return installed()


@pytest.fixture
def five(version: PackVersion) -> list[Roster]:
    """One public list of each of five players: the fewest that are shown."""
    return [publish(player) for player in play(FEWEST_PLAYERS)]


def count() -> GameStatistics:
    return count_game(GameSystem.objects.get())


def whole(source: str = "public") -> SliceStatistics | None:
    count()
    return SliceStatistics.objects.filter(kind="all", source=source).first()


def units(faction: str = "marsh", **part: str) -> dict[str, int]:
    row = FactionStatistics.objects.get(faction_id=faction, **{"slice__kind": "all"} | part)
    return {line.name: line.players for line in row.read_report().units}


def file_address(ending: str) -> str:
    return reverse("club:statistics-file", args=["fenland", ending])


def page(**query: str) -> str:
    return markup(Client().get(reverse("club:statistics", args=["fenland"]), query))


# ---- which lists count -----------------------------------------------------------------------------------------------


def test_units_options_detachments_and_points_are_counted(five: list[Roster]) -> None:
    publish(play(1, 9)[0], MARSH | {"cutters": ()}, limit=200)
    assert whole().players == 6
    report = FactionStatistics.objects.get(slice__kind="all").read_report()
    assert {line.name: (line.players, line.options) for line in report.units} == {
        "Wärden": (6, ()),
        "Cutters": (6, (("Nets", 5),)),
    }
    assert report.choices == (("", "Column", 6),)
    assert sum(number for _low, _high, number in report.points) == 6


@pytest.mark.parametrize(
    "fields",
    [
        {"visibility": Visibility.LINK},
        {"visibility": Visibility.PRIVATE},
        {"taken_down": True},
        {"binned": timezone.now()},
        {"is_secret": True},
        {"is_uncounted": True},
        {"verdict": "illegal"},
        {"verdict": "incomplete"},
        {"owner": None},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_a_list_that_does_not_count_leaves_four_players_who_are_not_shown(
    five: list[Roster], fields: dict[str, object]
) -> None:
    assert whole().players == FEWEST_PLAYERS
    Roster.objects.filter(pk=five[0].pk).update(**fields)
    assert whole() is None
    assert not FactionStatistics.objects.exists()


def test_lists_of_private_games_do_not_count(five: list[Roster]) -> None:
    GameSystem.objects.update(owner=five[0].owner, current=None)
    assert whole() is None
    GameStatistics.objects.filter(game__slug="fenland").update(public_lists=9)
    call_command("count_statistics", verbosity=0)
    assert not GameStatistics.objects.exists()


def test_a_deleted_list_and_a_deleted_account_vanish_at_the_next_count(five: list[Roster]) -> None:
    assert whole() is not None
    five[0].owner.delete()
    assert whole() is None


def test_many_lists_of_one_player_count_once_with_the_newest(five: list[Roster]) -> None:
    for _number in range(20):
        publish(five[0].owner, {"giants": ()})
    newest = publish(five[0].owner, {"crew": (), "warden": ()})
    Roster.objects.filter(pk=newest.pk).update(updated=timezone.now() + timedelta(hours=1))
    part = whole()
    assert (part.players, part.lists, part.statistics.public_lists) == (5, 5, 26)
    # Four of five have cutters now, so that number is not shown.
    assert units() == {"Wärden": 5}


def test_one_player_alone_makes_no_statistics(version: PackVersion) -> None:
    (player,) = play(1)
    for _number in range(30):
        publish(player)
    assert whole() is None
    assert "Wärden" not in page()


def test_a_faction_of_four_players_is_folded_with_another(five: list[Roster]) -> None:
    for player in play(FEWEST_PLAYERS - 1, 20):
        publish(player, WEIR, "weir")
    part = whole()
    # The four could be found by subtraction, so both are folded.
    assert (part.players, part.folded, part.others) == (9, 2, 9)
    assert not part.factions.exists()
    publish(play(1, 24)[0], WEIR, "weir")
    part = whole()
    assert (part.folded, sorted(part.factions.values_list("faction_id", flat=True))) == (0, ["marsh", "weir"])


def test_sizes_are_shown_from_five_players_on(five: list[Roster]) -> None:
    for player in play(FEWEST_PLAYERS - 1, 20):
        publish(player, limit=200)
    count()
    assert not SliceStatistics.objects.filter(kind="size").exists()
    publish(play(1, 24)[0], limit=200)
    count()
    sizes = SliceStatistics.objects.filter(kind="size")
    assert sorted(sizes.values_list("value", "players")) == [("100", 5), ("200", 5)]


def test_months_and_versions_are_counted(five: list[Roster]) -> None:
    older = [publish(player) for player in play(FEWEST_PLAYERS, 20)]
    moment = timezone.now().replace(year=2024, month=3, day=15)
    Roster.objects.filter(pk__in=[roster.pk for roster in older]).update(updated=moment)
    count()
    months = SliceStatistics.objects.filter(kind="month")
    assert list(months.values_list("value", "players")) == [("2024-03", 5), (f"{timezone.localtime():%Y-%m}", 5)]
    assert SliceStatistics.objects.get(kind="version").players == 10


def test_counting_again_changes_nothing(five: list[Roster]) -> None:
    def stored() -> list[object]:
        rows = FactionStatistics.objects.order_by("slice__source", "slice__place", "place")
        return list(rows.values_list("slice__kind", "slice__value", "slice__label", "faction_id", "report"))

    count()
    before = stored()
    count()
    assert stored() == before
    assert GameStatistics.objects.count() == 1


def test_names_come_from_the_data_and_are_never_markup(five: list[Roster]) -> None:
    count()
    assert "alert" not in page()
    assert "Wärden" in page()


def test_upgrades_that_cost_points_are_units(five: list[Roster]) -> None:
    UnitEntry.objects.update(type="upgrade", models_min=None)
    UnitEntry.objects.filter(name="Cutters").update(points=0)
    count()
    report = FactionStatistics.objects.get(slice__kind="all").read_report()
    assert [line.name for line in report.units] == ["Wärden"]
    assert ("Cutters", "Nets", 5) in report.choices


# ---- events ----------------------------------------------------------------------------------------------------------


def start_event(players: int = 6, *, shares: bool = True, accounts: bool = True) -> Event:
    """A closed event: half of its players have marsh lists, the others weir lists."""
    bench = opened()
    event = bench.event
    past = timezone.now() - timedelta(days=1)
    Event.objects.filter(pk=event.pk).update(status=EventStatus.CLOSED, starts=past, shares_numbers=shares)
    people = play(2 * players, 100) if accounts else [None] * (2 * players)
    for number, person in enumerate(people):
        add_player(event, person, "marsh" if number % 2 else "weir", f"Entrant {number}")
    event.refresh_from_db()
    return event


def add_player(event: Event, person: User | None, faction: str, name: str, **fields: object) -> Participant:
    document = encode_list(MARSH if faction == "marsh" else WEIR, mark=name)
    player = Participant.objects.create(
        event=event, user=person, name=name, verdict="legal", points="90", faction=faction, **fields
    )
    player.current = Submission.objects.create(
        participant=player,
        number=1,
        source="builder",
        document=document,
        content_hash=hash_document(document),
        faction_id=faction,
        version=event.version,
        verdict="legal",
        received_hash="0" * 64,
    )
    player.save()
    return player


def pair(event: Event, rounds: int, points: tuple[int, int] = (12, 8)) -> None:
    """Pair each marsh player with a weir player, in several rounds."""
    marsh = list(event.participants.filter(faction="marsh"))
    weir = list(event.participants.filter(faction="weir"))
    for number in range(rounds):
        for table, (first, second) in enumerate(zip(marsh, weir, strict=True)):
            Pairing.objects.create(
                event=event,
                round=number + 1,
                table=str(table),
                first=first,
                second=second,
                first_points=points[0],
                second_points=points[1],
                published=timezone.now(),
            )


def test_an_event_counts_once_its_organiser_says_so(version: PackVersion) -> None:
    event = start_event(shares=False)
    assert whole("events") is None
    Event.objects.filter(pk=event.pk).update(shares_numbers=True)
    part = whole("events")
    assert (part.players, part.lists) == (12, 12)
    assert SliceStatistics.objects.get(kind="event").label == "Autumn Muster"
    assert whole("public") is None
    text = page(source="events")
    assert "Entrant" not in text
    assert "Wärden" in text


@pytest.mark.parametrize(
    "fields",
    [{"status": EventStatus.OPEN}, {"status": EventStatus.DRAFT}, {"starts": timezone.now() + timedelta(days=9)}],
    ids=["open", "draft", "not begun"],
)
def test_an_event_does_not_count_before_it_has_begun(version: PackVersion, fields: dict[str, object]) -> None:
    event = start_event()
    assert whole("events") is not None
    Event.objects.filter(pk=event.pk).update(**fields)
    assert whole("events") is None


def test_an_event_of_four_players_is_not_shown_by_itself(version: PackVersion) -> None:
    event = start_event(2)
    assert whole("events") is None
    add_player(event, play(1, 300)[0], "marsh", "Late")
    assert whole("events").players == 5
    assert SliceStatistics.objects.filter(kind="event").count() == 1


def test_reserves_unreadable_and_illegal_lists_of_events_do_not_count(version: PackVersion) -> None:
    event = start_event(5)
    add_player(event, None, "marsh", "Reserve", is_reserve=True)
    unread = add_player(event, None, "marsh", "Unread")
    Participant.objects.filter(pk=unread.pk).update(verdict="unreadable")
    illegal = add_player(event, None, "marsh", "Illegal")
    Participant.objects.filter(pk=illegal.pk).update(verdict="illegal")
    assert whole("events").players == 10


def test_a_withdrawn_list_does_not_count_in_events_either(version: PackVersion) -> None:
    owner = started_with_account()
    event = start_event()
    player = add_player(event, owner.roster.owner, "marsh", "Ann")
    Submission.objects.filter(pk=player.current_id).update(content_hash=hash_document(owner.roster.document))
    assert whole("events").players == 13
    Roster.objects.filter(pk=owner.roster.pk).update(is_uncounted=True)
    assert whole("events").players == 12


def test_shares_won_count_games_between_two_lists_of_events(version: PackVersion) -> None:
    event = start_event()
    pair(event, 5)
    part = whole("events")
    assert part.games == FEWEST_GAMES
    won = {row.faction_id: row.read_won() for row in part.factions.all()}
    assert (won["marsh"].wins, won["weir"].losses, won["weir"].share) == (30, 30, 0.0)
    assert not won["marsh"].is_few
    text = page(source="events")
    assert "100 %" in text
    assert "too few to say" not in text
    Pairing.objects.filter(round=5).update(second_points=None)
    count()
    assert "too few to say" in page(source="events")
    Pairing.objects.update(published=None)
    assert whole("events").games == 0


def test_games_of_a_player_without_a_counted_list_do_not_count(version: PackVersion) -> None:
    event = start_event()
    pair(event, 1)
    first = event.participants.filter(faction="marsh").first()
    Participant.objects.filter(pk=first.pk).update(verdict="illegal")
    assert whole("events").games == 5


def test_public_lists_have_no_share_won(five: list[Roster], version: PackVersion) -> None:
    event = start_event()
    pair(event, 6)
    count()
    public = FactionStatistics.objects.get(slice__kind="all", slice__source="public")
    assert public.read_won() is None
    assert public.slice.games == 0


def test_players_without_accounts_are_players_of_their_event(version: PackVersion) -> None:
    start_event(3, accounts=False)
    assert whole("events").players == 6


# ---- recorded games --------------------------------------------------------------------------------------------------


def record(first: User, second: User, faction: str = "marsh", **fields: object) -> GameSide:
    """Store a finished game between two players' lists that are read by link. `fields` change the first list."""
    game = Game.objects.create(owner=first, version=installed(), ended=timezone.now(), state="{}")
    sides = []
    for place, (player, of) in enumerate(((first, faction), (second, "weir"))):
        units = MARSH if of == "marsh" else WEIR
        changed = fields if place == 0 else {}
        roster = publish(player, units, of, **{"visibility": Visibility.LINK} | changed)
        RosterRevision.objects.create(
            roster=roster, number=1, parent=0, act="new", version=roster.version, points=roster.points, verdict="legal"
        )
        sides.append(
            GameSide.objects.create(
                game=game,
                place=place,
                roster=roster,
                revision=1,
                version=roster.version,
                faction_id=of,
                document=roster.document,
                list_name=SCRIPT,
            )
        )
    return sides[0]


def record_several(number: int = FEWEST_PLAYERS) -> list[GameSide]:
    """Store games of different players, all against one opponent's lists."""
    (opponent,) = play(1, 500)
    return [record(player, opponent) for player in play(number, 300)]


def test_lists_of_recorded_games_count_by_themselves_without_results(five: list[Roster]) -> None:
    record_several()
    part = whole("games")
    # The opponent's weir lists count once, and are folded with the only other faction.
    assert (part.players, part.lists, part.games) == (6, 6, 0)
    assert whole("public").players == 5
    assert GameStatistics.objects.get().game_lists == 10
    record_several(2)
    assert whole("games").players == 6
    for player in play(FEWEST_PLAYERS, 400):
        record(player, play(1, 600)[0], "weir")
    count()
    text = page(source="games", faction="marsh")
    assert "with a list on each side" in text
    assert "Wärden" in text
    assert "Players by source:" in text
    assert SCRIPT not in text
    content = json.loads(Client().get(file_address("json"), {"source": "games"}).content)
    assert [(one["source"], one["players"], one["games"]) for one in content["sources"]] == [
        ("public", 5, 0),
        ("games", 12, 0),
    ]
    marsh = next(faction for faction in content["factions"] if faction["id"] == "marsh")
    assert ({unit["name"]: unit["players"] for unit in marsh["units"]}, marsh["won"]) == (
        {"Wärden": 5, "Cutters": 5},
        None,
    )
    rows = list(csv.DictReader(io.StringIO(Client().get(file_address("csv"), {"source": "games"}).content.decode())))
    assert ("unit", "Wärden", "5", "5") in {(row["what"], row["name"], row["players"], row["of"]) for row in rows}
    assert "Recorded games" in Client().get(reverse("club:statistics-feed", args=["fenland"])).content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"visibility": Visibility.PRIVATE},
        {"taken_down": True},
        {"binned": timezone.now()},
        {"is_secret": True},
        {"is_uncounted": True},
        {"homebrew": "Club rules"},
        {"owner": None},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_a_played_list_that_does_not_count_leaves_too_few_players(
    version: PackVersion, fields: dict[str, object]
) -> None:
    side = record_several(FEWEST_PLAYERS - 1)[0]
    assert whole("games").players == FEWEST_PLAYERS
    Roster.objects.filter(pk=side.roster_id).update(**fields)
    assert whole("games") is None
    assert "Nothing has been counted yet." in page()


@pytest.mark.parametrize(
    "fields",
    [{"ended": None}, {"state": ""}, {"visibility": Visibility.PRIVATE}, {"taken_down": True}, {"document": ""}],
    ids=["running", "by hand", "private", "taken down", "one list"],
)
def test_a_game_that_does_not_count(version: PackVersion, fields: dict[str, object]) -> None:
    side = record_several(FEWEST_PLAYERS - 1)[0]
    assert whole("games").players == FEWEST_PLAYERS
    if "document" in fields:
        GameSide.objects.filter(game=side.game_id, place=1).update(**fields)
    else:
        Game.objects.filter(pk=side.game_id).update(**fields)
    assert whole("games") is None


def test_a_list_that_was_illegal_when_it_was_played_does_not_count(version: PackVersion) -> None:
    side = record_several(FEWEST_PLAYERS - 1)[0]
    GameSide.objects.filter(pk=side.pk).update(revision=2)
    assert whole("games") is None


# ---- switches --------------------------------------------------------------------------------------------------------


def test_an_owner_withdraws_a_list_on_the_sharing_page(version: PackVersion) -> None:
    owner = started_with_account()
    assert "uncounted" in markup(owner.client.get(owner.url("sharing")))
    fields = {"do": "share", "visibility": "public"}
    assert owner.client.post(owner.url("sharing"), fields | {"uncounted": "on"}).status_code == 303
    assert owner.roster.is_uncounted
    assert owner.client.post(owner.url("sharing"), fields).status_code == 303
    assert not owner.roster.is_uncounted


def test_organisers_publish_numbers_in_the_settings(version: PackVersion) -> None:
    bench = opened("ann")
    address = reverse("events:settings", args=[bench.event.public_id])
    assert 'name="shares_numbers"' in markup(bench.client("ora").get(address))
    fields = {"name": "Muster", "zone": "UTC", "seats": "0", "team_size": "0", "reminder_hours": "24"}
    assert bench.client("ora").post(address, fields | {"shares_numbers": "on"}).status_code == 303
    assert bench.fresh().shares_numbers
    assert bench.client("ora").post(address, fields).status_code == 303
    assert not bench.fresh().shares_numbers
    assert bench.client("ann").post(address, fields | {"shares_numbers": "on"}).status_code in (403, 404)
    assert not bench.fresh().shares_numbers


# ---- pages, files, feed ----------------------------------------------------------------------------------------------


def test_pages_say_that_nothing_is_counted_yet(version: PackVersion) -> None:
    assert Client().get(reverse("club:statistics", args=["fenland"])).status_code == 200
    assert Client().get(reverse("club:all-statistics")).status_code == 200
    for name in ("csv", "json"):
        assert Client().get(reverse("club:statistics-file", args=["fenland", name])).status_code == 404
    assert Client().get(reverse("club:statistics-feed", args=["fenland"])).status_code == 404


@pytest.mark.parametrize("game", ["nowhere", "fenland"])
def test_unknown_and_private_games_are_not_found(five: list[Roster], game: str) -> None:
    count()
    GameSystem.objects.update(owner=five[0].owner, current=None)
    for name, args in (("statistics", []), ("statistics-feed", []), ("statistics-file", ["csv"])):
        assert Client().get(reverse(f"club:{name}", args=[game, *args])).status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        {"slice": "size:9999"},
        {"slice": "month:x-y"},
        {"slice": "event:" + "a" * 400},
        {"source": "events"},
        {"source": SCRIPT, "slice": SCRIPT, "faction": SCRIPT},
        {"slice": "\0"},
    ],
    ids=("size", "month", "event", "source", "script", "zero"),
)
def test_an_unknown_part_shows_everything_and_says_so(five: list[Roster], query: dict[str, str]) -> None:
    count()
    text = page(**query)
    assert 'role="alert"' in text
    assert "Wärden" in text
    assert SCRIPT not in text


def test_the_page_shows_the_chosen_part_and_faction(five: list[Roster]) -> None:
    for player in play(FEWEST_PLAYERS, 20):
        publish(player, WEIR, "weir", limit=200)
    count()
    assert "Reeve" not in page(faction="marsh")
    assert "Reeve" in page(faction="weir")
    assert "Reeve" in page(slice="size:200")
    assert 'role="alert"' not in page(slice="size:200")


def test_a_unit_leads_to_the_public_lists_that_contain_it(five: list[Roster]) -> None:
    Roster.objects.update(search_text="low water\nwarden cutters")
    publish(play(1, 9)[0], {"warden": ()}, search_text="high water\nwarden")
    count()
    query = "game=fenland&faction=marsh&q=Cutters"
    assert f"{reverse('roster:public')}?{query.replace('&', '&amp;')}" in page()
    lists = markup(Client().get(f"{reverse('roster:public')}?{query}"))
    assert lists.count('class="prow') == 5


def test_the_list_of_games_has_counted_ones(five: list[Roster]) -> None:
    count()
    assert reverse("club:statistics", args=["fenland"]) in markup(Client().get(reverse("club:all-statistics")))
    assert reverse("club:all-statistics") in markup(Client().get(reverse("roster:public")))
    game = markup(Client().get(reverse("catalogue:game", args=["fenland"])))
    assert reverse("club:statistics", args=["fenland"]) in game


def test_files_have_the_numbers_of_the_page(five: list[Roster]) -> None:
    event = start_event()
    pair(event, 5)
    count()
    answer = Client().get(reverse("club:statistics-file", args=["fenland", "json"]), {"source": "events"})
    content = json.loads(answer.content)
    assert (content["game"], content["players"], content["games"]) == ("fenland", 12, 30)
    marsh = next(faction for faction in content["factions"] if faction["id"] == "marsh")
    assert {unit["name"]: unit["players"] for unit in marsh["units"]} == {"Wärden": 6, "Cutters": 6}
    assert (marsh["won"]["won"], marsh["won"]["share"]) == (30, 1.0)
    answer = Client().get(reverse("club:statistics-file", args=["fenland", "csv"]), {"source": "public"})
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert {(row["what"], row["name"], row["players"], row["of"]) for row in rows} >= {
        ("faction", "Marsh Folk", "5", "5"),
        ("unit", "Wärden", "5", "5"),
        ("choice", "Column", "5", "5"),
    }
    assert Client().get(reverse("club:statistics-file", args=["fenland", "xml"])).status_code == 404


def test_files_of_few_games_have_no_share(version: PackVersion) -> None:
    pair(start_event(), 4)
    count()
    answer = Client().get(reverse("club:statistics-file", args=["fenland", "json"]))
    results = [faction["won"] for faction in json.loads(answer.content)["factions"]]
    assert [won.get("few") for won in results] == [True, True]
    assert not any("share" in won for won in results)


def test_the_feed_has_the_counted_months(five: list[Roster]) -> None:
    count()
    answer = Client().get(reverse("club:statistics-feed", args=["fenland"]))
    assert answer["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    (entry,) = feed.findall(f"{ATOM}entry")
    link = entry.find(f"{ATOM}link").attrib["href"]
    assert f"slice=month:{timezone.localtime():%Y-%m}" in link
    assert Client().get(link).status_code == 200


def test_earlier_code_reads_what_later_code_counted(five: list[Roster]) -> None:
    """While two versions serve one database: unknown sources and keys are left out, and other reports are renewed."""
    count()
    part = SliceStatistics.objects.get(kind="all")
    for kind, value in (("all", ""), ("month", "2031-04"), ("weather", "rain")):
        SliceStatistics.objects.create(
            statistics=part.statistics, source="dreams", kind=kind, value=value, place=0, players=9, lists=9
        )
    row = part.factions.get()
    assert row.report["form"] == REPORT_FORM
    units = row.report["units"]
    row.report |= {"moods": ["calm"], "units": [unit | {"rank": 1} for unit in units]}
    row.won = {"wins": 40, "draws": 0, "losses": 0, "walkovers": 2}
    row.save()
    GameStatistics.objects.update(counted=timezone.now())
    addresses = [reverse("club:all-statistics"), reverse("club:statistics-feed", args=["fenland"]), file_address("csv")]
    assert "Wärden" in page()
    assert "Wärden" in page(source="dreams", slice="month:2031-04")
    assert "dreams" not in page() + "".join(markup(Client().get(address)) for address in addresses)
    assert [one["source"] for one in json.loads(Client().get(file_address("json")).content)["sources"]] == ["public"]

    for report in ({"form": REPORT_FORM + 1, "players": 5}, {"players": 5, "units": {"Wärden": 5}}, {"form": "b"}, []):
        FactionStatistics.objects.filter(pk=row.pk).update(report=report, won={"wins": "many"})
        # Pages are kept until the next count.
        GameStatistics.objects.update(counted=timezone.now())
        shown = page()
        assert "These numbers are being renewed." in shown
        assert "No unit was picked" not in shown
        (faction,) = json.loads(Client().get(file_address("json")).content)["factions"]
        assert faction == {"id": "marsh", "name": row.name, "players": 5, "is_being_renewed": True}
        lines = list(csv.reader(io.StringIO(Client().get(file_address("csv")).content.decode())))
        assert [line[:4] for line in lines[1:]] == [[row.name, "faction", row.name, "5"]]
    # The next count of this code replaces them.
    count()
    assert "Wärden" in page()


def test_the_daily_command_counts(five: list[Roster]) -> None:
    call_command("count_statistics", verbosity=0)
    assert GameStatistics.objects.get().public_lists == 5


def test_pages_need_as_few_queries_for_more_factions(five: list[Roster], django_assert_max_num_queries: object) -> None:
    for player in play(FEWEST_PLAYERS, 20):
        publish(player, WEIR, "weir", limit=200)
    count()
    page()
    with django_assert_max_num_queries(9):
        page()
