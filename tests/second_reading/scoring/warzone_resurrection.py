"""How Warzone Resurrection scores and ends, by "Missions", "Resources" and "Vehicle hit locations".

Both players have the list below with the printed figures: models, points of one (PTS), wounds (W), and for vehicles the
wounds of each hit location.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

LAST_TURN = 8
COMMANDER_CARDS, CARDS_WITH_COMMANDER, CARDS_WITH_TROOPS = 8, 4, 1
MAJOR, PARTIAL, ANNIHILATION = "major", "partial", "annihilation"


@dataclass(frozen=True, slots=True)
class Card:
    """A squad as its card prints it. `locations` are the wounds of each vehicle's hit locations, hull first."""

    name: str
    models: int
    points: Fraction
    wounds: int = 1
    is_troops: bool = False
    is_commander: bool = False
    locations: tuple[int, ...] = ()


WINTER_WOLVES = (
    Card("Chieftain Dunnagh McKenzie", 1, Fraction(50), 3),
    # The highest LD of the list, 16 against 14.
    Card("High Chieftain Morten Oakenfist", 1, Fraction(120), 4, is_commander=True),
    Card("Mourning Wolves", 8, Fraction(11), is_troops=True),
    Card("Mourning Wolves", 9, Fraction(11), is_troops=True),
    Card("Wolfbairns", 8, Fraction(12), is_troops=True),
    Card("Strathgordon Varg Riders", 2, Fraction(50), 3),
    # Nine at 17 points, and 5 points for a power of the squad.
    Card("Valkyries", 9, 17 + Fraction(5, 9)),
    Card("Hedgehog Necromower ATV", 3, Fraction(65), locations=(3, 3, 3, 3)),
)
LOCATIONS = ("HULL", "WPNS", "MOV", "ENG")
FIRST_MAJOR = {"mission-1": 4, "mission-2": 5, "mission-3": 3}
"""From the end of which turn the mission can be achieved; partial victories count after the last turn."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An event: `wound` of a model or hit location, a `leader` lost, cards `spent`, `land`, a `claim`."""

    kind: str
    player: int
    squad: int = 0
    model: int = 0
    location: int = 0
    number: int = 0
    claim: str = ""


@dataclass(slots=True)
class Army:
    left: list[list[list[int]]]
    reserve: set[int] = field(default_factory=set)
    leaders_lost: set[int] = field(default_factory=set)
    cards: int = 0
    unused: int = 0
    claims: set[str] = field(default_factory=set)
    commander_fell: int | None = None

    def is_gone(self, squad: int) -> bool:
        """Return whether a squad has no models left: a vehicle is destroyed with its first hit location."""
        return all(model[0] <= 0 for model in self.left[squad])


@dataclass(frozen=True, slots=True)
class Standing:
    points: tuple[int, int]
    bodies: tuple[Fraction, Fraction]
    unused: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Turn:
    number: int
    deeds: tuple[Deed, ...]
    standing: Standing


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle as this reading played it: reserves, turns, final points, winner."""

    mission: str
    reserves: tuple[tuple[int, ...], tuple[int, ...]]
    turns: tuple[Turn, ...]
    points: tuple[int, int]
    winner: int | None


def play(dice: Random) -> Battle:
    """Play a random battle, sometimes with equal losses, so that draws occur."""
    mission = dice.choice(tuple(FIRST_MAJOR))
    armies = [_muster(), _muster()]
    reserves = []
    for army in armies:
        squads = [place for place in range(len(WINTER_WOLVES)) if dice.random() < 0.08]
        army.reserve = set(squads)
        reserves.append(tuple(squads))
        # Squads that are not deployed provide no resources.
        army.cards = sum(map(_count_cards, (c for n, c in enumerate(WINTER_WOLVES) if n not in army.reserve)))
        army.unused = army.cards
    bloody, alike = dice.choice((2, 6, 40)), dice.random() < 0.5
    clock, turns = 0, []
    is_over = False
    for number in range(1, LAST_TURN + 1):
        deeds = []
        # All resource cards come back at the start of a turn.
        for army in armies:
            army.unused = army.cards
        for deed in _list_deeds(dice, bloody, alike=alike):
            clock += 1
            if _do(armies[deed.player], deed, clock):
                deeds.append(deed)
        for player in (0, 1):
            for claim in _list_claims(dice, mission, number, armies, player):
                armies[player].claims.add(claim)
                deeds.append(Deed("claim", player, claim=claim))
        turns.append(Turn(number, tuple(deeds), _sum_up(armies, over=False)))
        achieved = any(MAJOR in army.claims for army in armies)
        annihilated = any(all(army.is_gone(squad) for squad in range(len(WINTER_WOLVES))) for army in armies)
        is_over = achieved or annihilated
        if is_over:
            break
    points, winner = _decide(armies)
    return Battle(mission, (reserves[0], reserves[1]), tuple(turns), points, winner)


def _muster() -> Army:
    return Army([[list(card.locations) or [card.wounds] for _model in range(card.models)] for card in WINTER_WOLVES])


def _count_cards(card: Card) -> int:
    return COMMANDER_CARDS if card.is_commander else CARDS_WITH_TROOPS if card.is_troops else 0


def _list_deeds(dice: Random, bloody: int, *, alike: bool) -> Iterator[Deed]:
    for _deed in range(dice.randint(0, bloody)):
        squad = dice.randrange(len(WINTER_WOLVES))
        card = WINTER_WOLVES[squad]
        kind = dice.choice(("wound", "wound", "wound", "wound", "spend", "leader", "land"))
        location = dice.randrange(len(card.locations) or 1)
        model, number = dice.randrange(card.models), dice.randint(1, 4)
        for player in (0, 1) if alike else (dice.randint(0, 1),):
            yield Deed(kind, player, squad, model, location, number)


def _do(army: Army, deed: Deed, clock: int) -> bool:
    card, squad = WINTER_WOLVES[deed.squad], deed.squad
    match deed.kind:
        case "wound":
            boxes = army.left[squad][deed.model]
            if squad in army.reserve or boxes[0] <= 0 or boxes[deed.location] <= 0:
                return False
            boxes[deed.location] -= 1
            if army.is_gone(squad):
                if card.is_commander:
                    army.commander_fell = clock
                    _remove_cards(army, CARDS_WITH_COMMANDER)
                elif card.is_troops and squad not in army.leaders_lost:
                    _remove_cards(army, CARDS_WITH_TROOPS)
            return True
        case "leader":
            if not card.is_troops or squad in army.reserve | army.leaders_lost or army.is_gone(squad):
                return False
            army.leaders_lost.add(squad)
            _remove_cards(army, CARDS_WITH_TROOPS)
            return True
        case "spend":
            if army.unused < deed.number:
                return False
            army.unused -= deed.number
            return True
    if squad not in army.reserve:
        return False
    army.reserve.discard(squad)
    army.cards += _count_cards(card)
    army.unused += _count_cards(card)
    return True


def _remove_cards(army: Army, number: int) -> None:
    """Remove cards, used ones first, because their player chooses."""
    army.cards = max(0, army.cards - number)
    army.unused = min(army.unused, army.cards)


def _list_claims(dice: Random, mission: str, number: int, armies: list[Army], player: int) -> Iterator[str]:
    if number >= FIRST_MAJOR[mission] and dice.random() < 0.08:
        yield MAJOR
    elif number == LAST_TURN and dice.random() < 0.3:
        yield PARTIAL
    other = armies[1 - player]
    if all(other.is_gone(squad) for squad in range(len(WINTER_WOLVES))):
        yield ANNIHILATION


def _count_points(army: Army) -> int:
    """Return the mission points. A mission is achieved or partly achieved; annihilation is a partial victory."""
    if MAJOR in army.claims:
        return 10
    return 5 if army.claims & {PARTIAL, ANNIHILATION} else 0


def _count_bodies(army: Army, *, over: bool) -> Fraction:
    """Return the body count; undeployed squads count as destroyed at the end."""
    bodies = Fraction(0)
    for squad, card in enumerate(WINTER_WOLVES):
        lost = sum(model[0] <= 0 for model in army.left[squad])
        bodies += card.points * (card.models if over and squad in army.reserve else lost)
    return bodies


def _sum_up(armies: list[Army], *, over: bool) -> Standing:
    first, second = armies
    return Standing(
        points=(_count_points(first), _count_points(second)),
        bodies=(_count_bodies(first, over=over), _count_bodies(second, over=over)),
        unused=(first.unused, second.unused),
    )


def _decide(armies: list[Army]) -> tuple[tuple[int, int], int | None]:
    """Return the points, with one for the body count in a draw, and the winner."""
    standing = _sum_up(armies, over=True)
    first, second = standing.points
    if first != second:
        return (first, second), int(second > first)
    if standing.bodies[0] != standing.bodies[1]:
        winner = int(standing.bodies[1] < standing.bodies[0])
        return (first + (winner == 0), second + (winner == 1)), winner
    # The player who lost the commander first loses; commanders still in reserve are lost at the end, both at once.
    never = 10**9
    fell = []
    for army in armies:
        commander = next(squad for squad, card in enumerate(WINTER_WOLVES) if card.is_commander)
        waits = never - 1 if commander in army.reserve else never
        fell.append(waits if army.commander_fell is None else army.commander_fell)
    return (first, second), None if fell[0] == fell[1] else int(fell[1] > fell[0])
