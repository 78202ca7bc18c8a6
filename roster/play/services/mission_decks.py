"""Mission decks: create, fill, draw at random or as the book rolls, with a history of what was drawn."""

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _

from catalogue.definitions.missions import DeploymentMapDefinition, MissionDefinition, MissionPackDefinition
from catalogue.models import PackVersion
from catalogue.services.play import Play, load_play
from catalogue.services.releases import filter_published
from roster.play.models import MOST_COPIES, DeckMission, MissionDeck, MissionDraw
from roster.services.limits import check_name, check_room
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, filter_owned, find_own, find_readable, is_owner
from roster.services.sharing import filter_public

MOST_MISSIONS = 200
HISTORY = 50
MOST_ROLLS = 8
"""How many rolls of one draw are told."""
_dice = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class MissionInDeck:
    """A mission of a deck: how many copies, how many of them are not drawn yet."""

    version: PackVersion
    mission: MissionDefinition
    copies: int
    left: int


@dataclass(frozen=True, slots=True)
class ShownDraw:
    """A mission that was drawn, as pages show it."""

    draw: MissionDraw
    version: PackVersion
    mission: MissionDefinition | None
    map: DeploymentMapDefinition | None


def list_decks(visitor: Visitor) -> QuerySet[MissionDeck]:
    return filter_owned(visitor, MissionDeck.objects.all())


def find_own_deck(public_id: str, visitor: Visitor) -> MissionDeck:
    """Return the visitor's deck; raises MissionDeck.DoesNotExist for everybody else's."""
    return find_own(visitor, MissionDeck.objects.all(), public_id)


def find_readable_deck(link_id: str, visitor: Visitor) -> MissionDeck:
    """Return the deck at a link; raises MissionDeck.DoesNotExist."""
    return find_readable(visitor, MissionDeck.objects.all(), link_id)


def list_public_decks() -> QuerySet[MissionDeck]:
    """Return the decks that everybody may find, each with how many `cards` it holds."""
    return filter_public(MissionDeck.objects.all()).annotate(cards=Sum("missions__copies", default=0))


def start_deck(visitor: Visitor, name: str) -> MissionDeck | Refused:
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    if full := check_room(visitor, MissionDeck):
        return full
    return MissionDeck.objects.create(name=cleaned, **visitor.fields)


def add_mission(visitor: Visitor, version_id: int, mission_id: str) -> MissionDeck | Refused:
    """Put a mission into the visitor's deck that was touched last, or into a first one; a copy more if it is there."""
    # The id comes from a form: data that is held back is in nobody's deck.
    version = filter_published().select_related("game").filter(pk=version_id).first()
    if version is None or mission_id not in load_play(version).missions:
        return Refused(code="unknown-mission", subject_id=mission_id)
    deck = list_decks(visitor).order_by("-updated").first() or start_deck(visitor, _("Mission deck"))
    return deck if isinstance(deck, Refused) else _add_copy(deck, version, mission_id)


def _add_copy(deck: MissionDeck, version: PackVersion, mission_id: str) -> MissionDeck | Refused:
    copies = Counter({(line.version, line.mission.id): line.copies for line in list_missions(deck)})
    copies[version, mission_id] += 1
    return fill_deck(deck, deck.name, copies) or deck


def get_pack(version: PackVersion, mission_id: str) -> str:
    """Return the name of the pack that a mission is in; blank for none."""
    mission = load_play(version).missions.get(mission_id)
    return mission.pack if mission else ""


def copy_deck(deck: MissionDeck, visitor: Visitor) -> MissionDeck | Refused:
    """Return a deck of the visitor's own with the same missions and a history of its own.

    A copy of one's own that the staff have hidden is hidden, too.
    """
    if full := check_room(visitor, MissionDeck):
        return full
    # Else whoever was reported would copy the deck to have it public again.
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
    """Delete a deck with its history. Whoever draws from it at this moment is waited for."""
    for held in MissionDeck.objects.select_for_update().filter(pk=deck.pk):
        held.delete()


def fill_deck(deck: MissionDeck, name: str, wanted: Mapping[tuple[PackVersion, str], int]) -> Refused | None:
    """Make the deck hold so many copies of these missions, by version and id, and no others."""
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    copies_by_mission = {key: copies for key, copies in wanted.items() if copies}
    refused = _check_copies(copies_by_mission)
    if refused:
        return refused
    _store_missions(deck, cleaned, copies_by_mission)
    return None


@transaction.atomic
def _store_missions(deck: MissionDeck, name: str, copies_by_mission: Mapping[tuple[PackVersion, str], int]) -> None:
    _lock_deck(deck)
    deck.name = name
    deck.save(update_fields=["name", "updated"])
    # Written anew as a whole: telling what changed would be longer than the rows.
    deck.missions.all().delete()
    DeckMission.objects.bulk_create(
        DeckMission(deck=deck, version=version, mission_id=mission_id, copies=copies)
        for (version, mission_id), copies in copies_by_mission.items()
    )


def _check_copies(copies_by_mission: Mapping[tuple[PackVersion, str], int]) -> Refused | None:
    """Return why a deck cannot hold these, None if it can."""
    if len(copies_by_mission) > MOST_MISSIONS:
        return Refused(code="too-many", allowed=MOST_MISSIONS, measured=len(copies_by_mission))
    for (version, mission_id), copies in copies_by_mission.items():
        if mission_id not in load_play(version).missions:
            return Refused(code="unknown-mission", subject_id=mission_id)
        if not 0 < copies <= MOST_COPIES:
            return Refused(code="bad-copies", measured=copies, allowed=MOST_COPIES)
    return None


def list_missions(deck: MissionDeck) -> list[MissionInDeck]:
    """Return what the deck holds, in the order of the books. A mission that its version does not have is left out."""
    missions = sorted(deck.missions.select_related("version__game"), key=_order_by_book)
    # What was rolled for by the book took no card out of the deck.
    drawn = list(deck.draws.filter(number__gt=deck.shuffled, rolled="").values_list("version_id", "mission_id"))
    lines = []
    for mission_in_deck in missions:
        mission = load_play(mission_in_deck.version).missions.get(mission_in_deck.mission_id)
        if mission is not None:
            gone = drawn.count((mission_in_deck.version_id, mission_in_deck.mission_id))
            lines.append(
                MissionInDeck(
                    mission_in_deck.version, mission, mission_in_deck.copies, max(0, mission_in_deck.copies - gone)
                )
            )
    return lines


def _order_by_book(deck_mission: DeckMission) -> tuple[int, int]:
    """Where the mission of a deck stands among all."""
    places = {mission_id: place for place, mission_id in enumerate(load_play(deck_mission.version).missions)}
    return deck_mission.version_id, places.get(deck_mission.mission_id, len(places))


def list_draws(deck: MissionDeck) -> list[ShownDraw]:
    """Return the last draws, the newest first."""
    draws = deck.draws.select_related("version__game")[:HISTORY]
    return [_show_draw(draw, load_play(draw.version)) for draw in draws]


@transaction.atomic
def draw_at_random(deck: MissionDeck) -> MissionDraw | Refused:
    """Draw one of the cards that are left; `empty-deck`, or `all-drawn` where it has to be shuffled first."""
    _lock_deck(deck)
    lines = list_missions(deck)
    if not lines:
        return Refused(code="empty-deck")
    cards = [line for line in lines for _copy in range(line.left)]
    if not cards:
        return Refused(code="all-drawn")
    line = _dice.choice(cards)
    return _record_draw(deck, line.version, line.mission, "")


def _index_results(lines: Sequence[MissionInDeck], die: int) -> dict[int, MissionInDeck]:
    """Return the missions by the results of the die that lead to them; of two for one result the first counts."""
    results = {}
    # Reversed, so that the first of two for one result is written last and stays.
    for line in reversed(lines):
        low, high = line.mission.low or 1, line.mission.high or 0
        for result in range(max(low, 1), min(high, die) + 1):
            results[result] = line
    return results


@transaction.atomic
def draw_by_the_book(deck: MissionDeck, version_id: int, pack_id: str) -> MissionDraw | Refused:
    """Roll the die of a mission pack; a result whose mission is not in the deck is rolled again."""
    _lock_deck(deck)
    lines = [line for line in list_missions(deck) if line.version.pk == version_id]
    pack = load_play(lines[0].version).packs.get(pack_id) if lines else None
    if pack is None:
        return Refused(code="unknown-pack", subject_id=pack_id)
    results = _index_results([line for line in lines if _is_rolled_for(line.mission, pack)], pack.die)
    if not results:
        return Refused(code="empty-deck")
    rolls = _roll_until(pack.die, sorted(results))
    line = results[rolls[-1]]
    return _record_draw(deck, line.version, line.mission, f"D{pack.die}: {', '.join(map(str, rolls))}")


def _is_rolled_for(mission: MissionDefinition, pack: MissionPackDefinition) -> bool:
    """Whether the die of a pack leads to a mission; those without a result are chosen."""
    return mission.pack == pack.name and mission.is_rolled


def _roll_until(die: int, wanted: Sequence[int]) -> list[int]:
    """Return rolls of a die, of which the last is one of those `wanted`: as many as there is room to tell of.

    The last of them is chosen among those wanted, each as likely as any other, as if the die had gone on being rolled.
    """
    rolls: list[int] = []
    while len(rolls) < MOST_ROLLS - 1:
        rolls.append(_dice.randint(1, die))
        if rolls[-1] in wanted:
            return rolls
    return [*rolls, _dice.choice(wanted)]


def find_rollable_packs(lines: Iterable[MissionInDeck]) -> list[tuple[PackVersion, MissionPackDefinition]]:
    """Return the mission packs that have missions in the deck which can be rolled for."""
    packs: dict[tuple[int, str], tuple[PackVersion, MissionPackDefinition]] = {}
    for line in lines:
        for pack in load_play(line.version).packs.values():
            if _is_rolled_for(line.mission, pack):
                packs[line.version.pk, pack.id] = (line.version, pack)
    return list(packs.values())


def shuffle_deck(deck: MissionDeck) -> None:
    """Put all cards that were drawn back. The history stays."""
    deck.shuffled = _get_last_number(deck)
    deck.save(update_fields=["shuffled", "updated"])


def _get_last_number(deck: MissionDeck) -> int:
    """Return the number of the last draw, 0 before the first."""
    return deck.draws.order_by("-number").values_list("number", flat=True).first() or 0


def _record_draw(deck: MissionDeck, version: PackVersion, mission: MissionDefinition, rolled: str) -> MissionDraw:
    """Note a draw, with the deployment rolled where the mission names none."""
    deck.save(update_fields=["updated"])
    return MissionDraw.objects.create(
        deck=deck,
        number=_get_last_number(deck) + 1,
        version=version,
        mission_id=mission.id,
        map_id=_roll_map(load_play(version), mission),
        rolled=rolled,
    )


def _roll_map(play: Play, mission: MissionDefinition) -> str:
    """Return the id of a deployment by the dice; blank where the mission names its own, or none is rolled for."""
    # Books that print a table of deployments leave it to the dice wherever the mission itself names none.
    is_named = any(page.maps for page in play.list_briefs(mission))
    if is_named or not play.rollable_maps:
        return ""
    return _dice.choice(play.rollable_maps).id


def _lock_deck(deck: MissionDeck) -> None:
    """Let nobody else draw from a deck or fill it until the transaction ends: no card is drawn twice."""
    locked = MissionDeck.objects.select_for_update().only("shuffled").get(pk=deck.pk)
    # Somebody else may have shuffled since this deck was read.
    deck.shuffled = locked.shuffled


def _show_draw(draw: MissionDraw, play: Play) -> ShownDraw:
    return ShownDraw(draw, draw.version, play.missions.get(draw.mission_id), play.maps.get(draw.map_id))
