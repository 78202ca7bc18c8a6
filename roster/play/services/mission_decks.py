import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _

from catalogue.definitions.missions import DeploymentMapDefinition, MissionDefinition, MissionPackDefinition
from catalogue.models import PackVersion
from catalogue.services.play import load_play
from catalogue.services.releases import filter_published
from roster.play.models import MOST_COPIES, DeckMission, MissionDeck, MissionDraw
from roster.services.limits import check_name, check_room
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, filter_owned, find_own, find_readable, is_owner
from roster.services.sharing import filter_public

MOST_MISSIONS = 200
HISTORY = 50
MOST_ROLLS = 8
_dice = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class MissionInDeck:
    """`left` copies are not drawn yet."""

    version: PackVersion
    mission: MissionDefinition
    copies: int
    left: int


@dataclass(frozen=True, slots=True)
class ShownDraw:
    """Parts that the data has lost are None."""

    draw: MissionDraw
    version: PackVersion
    mission: MissionDefinition | None
    map: DeploymentMapDefinition | None


def list_decks(visitor: Visitor) -> QuerySet[MissionDeck]:
    return filter_owned(visitor, MissionDeck.objects.all())


def find_own_deck(public_id: str, visitor: Visitor) -> MissionDeck:
    """Return the visitor's deck. Raises MissionDeck.DoesNotExist."""
    return find_own(visitor, MissionDeck.objects.all(), public_id)


def find_readable_deck(link_id: str, visitor: Visitor) -> MissionDeck:
    """Return a link's deck. Raises MissionDeck.DoesNotExist."""
    return find_readable(visitor, MissionDeck.objects.all(), link_id)


def list_public_decks() -> QuerySet[MissionDeck]:
    """List the public decks, each with its number of `cards`."""
    return filter_public(MissionDeck.objects.all()).annotate(cards=Sum("missions__copies", default=0))


def start_deck(visitor: Visitor, name: str) -> MissionDeck | Refused:
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    if full := check_room(visitor, MissionDeck):
        return full
    return MissionDeck.objects.create(name=cleaned, **visitor.fields)


@transaction.atomic
def create_deck(
    visitor: Visitor, name: str, copies_by_key: Mapping[tuple[PackVersion, str], int]
) -> MissionDeck | Refused:
    """Start a deck that has missions. A refusal creates nothing."""
    deck = start_deck(visitor, name)
    refused = deck if isinstance(deck, Refused) else fill_deck(deck, name, copies_by_key)
    if refused:
        transaction.set_rollback(True)
    return refused or deck


def add_mission(visitor: Visitor, version_id: int, mission_id: str) -> MissionDeck | Refused:
    """Add a copy of a mission to the visitor's latest deck, or to a new one."""
    # The id comes from a form, so the data may be unpublished.
    version = filter_published().select_related("game").filter(pk=version_id).first()
    if version is None or mission_id not in load_play(version).missions:
        return Refused(code="unknown-mission", subject_id=mission_id)
    deck = list_decks(visitor).order_by("-updated").first() or start_deck(visitor, _("Mission deck"))
    if isinstance(deck, Refused):
        return deck
    copies = Counter({(line.version, line.mission.id): line.copies for line in list_missions(deck)})
    copies[version, mission_id] += 1
    return fill_deck(deck, deck.name, copies) or deck


def get_pack(version: PackVersion, mission_id: str) -> str:
    mission = load_play(version).missions.get(mission_id)
    return mission.pack if mission else ""


def copy_deck(deck: MissionDeck, visitor: Visitor) -> MissionDeck | Refused:
    """Copy a deck's missions to a new deck of the visitor.

    A copy of the visitor's own hidden deck is hidden too, so that it cannot become public again.
    """
    if full := check_room(visitor, MissionDeck):
        return full
    hidden = deck.taken_down and is_owner(visitor, deck)
    with transaction.atomic():
        copy = MissionDeck.objects.create(name=deck.name, taken_down=hidden, **visitor.fields)
        DeckMission.objects.bulk_create(
            DeckMission(deck=copy, version_id=m.version_id, mission_id=m.mission_id, copies=m.copies)
            for m in deck.missions.all()
        )
    return copy


@transaction.atomic
def delete_deck(deck: MissionDeck) -> None:
    """Delete a deck after any draw in progress."""
    for held in MissionDeck.objects.select_for_update().filter(pk=deck.pk):
        held.delete()


def fill_deck(deck: MissionDeck, name: str, copies_by_key: Mapping[tuple[PackVersion, str], int]) -> Refused | None:
    """Set a deck's name and missions; `copies_by_key` are copies by version and mission id."""
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    copies_by_mission = {key: copies for key, copies in copies_by_key.items() if copies}
    if len(copies_by_mission) > MOST_MISSIONS:
        return Refused(code="too-many", allowed=MOST_MISSIONS, measured=len(copies_by_mission))
    for (version, mission_id), copies in copies_by_mission.items():
        if mission_id not in load_play(version).missions:
            return Refused(code="unknown-mission", subject_id=mission_id)
        if not 0 < copies <= MOST_COPIES:
            return Refused(code="bad-copies", subject_id=mission_id, measured=copies, allowed=MOST_COPIES)

    with transaction.atomic():
        _lock_deck(deck)
        deck.name = cleaned
        deck.save(update_fields=["name", "updated"])
        # Rewriting all rows is simpler than comparing them.
        deck.missions.all().delete()
        DeckMission.objects.bulk_create(
            DeckMission(deck=deck, version=version, mission_id=mission_id, copies=copies)
            for (version, mission_id), copies in copies_by_mission.items()
        )
    return None


def list_missions(deck: MissionDeck) -> list[MissionInDeck]:
    """List the deck's missions in book order, without missions that their version has lost."""
    rows = deck.missions.select_related("version__game")
    # Rolling by the book leaves the cards in the deck.
    drawn = list(deck.draws.filter(number__gt=deck.shuffled, rolled="").values_list("version_id", "mission_id"))
    lines = []
    for row in rows:
        mission = load_play(row.version).missions.get(row.mission_id)
        if mission is not None:
            left = max(0, row.copies - drawn.count((row.version_id, row.mission_id)))
            lines.append(MissionInDeck(row.version, mission, row.copies, left))

    def find_place(line: MissionInDeck) -> tuple[int, int]:
        return line.version.pk, list(load_play(line.version).missions).index(line.mission.id)

    return sorted(lines, key=find_place)


def list_draws(deck: MissionDeck) -> list[ShownDraw]:
    """List the deck's latest draws, newest first."""
    return look_up_draws(select_draws(deck)[:HISTORY])


def select_draws(deck: MissionDeck) -> QuerySet[MissionDraw]:
    return deck.draws.select_related("version__game")


def look_up_draws(draws: Iterable[MissionDraw]) -> list[ShownDraw]:
    draw_rows = []
    for draw in draws:
        play = load_play(draw.version)
        draw_rows.append(ShownDraw(draw, draw.version, play.missions.get(draw.mission_id), play.maps.get(draw.map_id)))
    return draw_rows


@transaction.atomic
def draw_at_random(deck: MissionDeck) -> MissionDraw | Refused:
    """Draw a card. Refuses `empty-deck`, or `all-drawn` if the deck must be shuffled first."""
    _lock_deck(deck)
    lines = list_missions(deck)
    if not lines:
        return Refused(code="empty-deck")
    cards = [line for line in lines for _copy in range(line.left)]
    if not cards:
        return Refused(code="all-drawn")
    line = _dice.choice(cards)
    return _record_draw(deck, line.version, line.mission, "")


@transaction.atomic
def draw_by_the_book(deck: MissionDeck, version_id: int, pack_id: str) -> MissionDraw | Refused:
    """Roll a mission pack's die, again for missions that are not in the deck."""
    _lock_deck(deck)
    lines = [line for line in list_missions(deck) if line.version.pk == version_id]
    pack = load_play(lines[0].version).packs.get(pack_id) if lines else None
    if pack is None:
        return Refused(code="unknown-pack", subject_id=pack_id)
    results: dict[int, MissionInDeck] = {}
    for line in lines:
        if not _is_rolled_for(line.mission, pack):
            continue
        low, high = line.mission.low or 1, line.mission.high or 0
        for result in range(max(low, 1), min(high, pack.die) + 1):
            # If two missions share a result, the first counts.
            results.setdefault(result, line)
    if not results:
        return Refused(code="empty-deck")

    # The last roll picks a valid result with equal odds, as endless rerolls would.
    die_results = sorted(results)
    rolls: list[int] = []
    while not rolls or rolls[-1] not in results:
        is_last = len(rolls) == MOST_ROLLS - 1
        rolls.append(_dice.choice(die_results) if is_last else _dice.randint(1, pack.die))
    line = results[rolls[-1]]
    return _record_draw(deck, line.version, line.mission, f"D{pack.die}: {', '.join(map(str, rolls))}")


def _is_rolled_for(mission: MissionDefinition, pack: MissionPackDefinition) -> bool:
    return mission.pack == pack.name and mission.is_rolled


def find_rollable_packs(lines: Iterable[MissionInDeck]) -> list[tuple[PackVersion, MissionPackDefinition]]:
    """Return the packs whose dice choose between missions in the deck."""
    packs: dict[tuple[int, str], tuple[PackVersion, MissionPackDefinition]] = {}
    for line in lines:
        for pack in load_play(line.version).packs.values():
            if _is_rolled_for(line.mission, pack):
                packs[line.version.pk, pack.id] = (line.version, pack)
    return list(packs.values())


@transaction.atomic
def shuffle_deck(deck: MissionDeck) -> None:
    """Put all drawn cards back. The history of draws stays."""
    _lock_deck(deck)
    deck.shuffled = _get_last_number(deck)
    deck.save(update_fields=["shuffled", "updated"])


def _get_last_number(deck: MissionDeck) -> int:
    return deck.draws.order_by("-number").values_list("number", flat=True).first() or 0


def _record_draw(deck: MissionDeck, version: PackVersion, mission: MissionDefinition, rolled: str) -> MissionDraw:
    deck.save(update_fields=["updated"])
    # If a mission names no deployment, roll on the book's table of deployments.
    play = load_play(version)
    is_named = any(page.maps for page in play.list_briefs(mission))
    map_id = "" if is_named or not play.rollable_maps else _dice.choice(play.rollable_maps).id
    number = _get_last_number(deck) + 1
    return MissionDraw.objects.create(
        deck=deck, number=number, version=version, mission_id=mission.id, map_id=map_id, rolled=rolled
    )


def _lock_deck(deck: MissionDeck) -> None:
    locked = MissionDeck.objects.select_for_update().only("shuffled").get(pk=deck.pk)
    # The deck may have been shuffled since it was read.
    deck.shuffled = locked.shuffled
