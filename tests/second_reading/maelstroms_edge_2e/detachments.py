"""Select your force: detachments, their types of units, and the printed additional units."""

from dataclasses import dataclass

from tests.second_reading.maelstroms_edge_2e.force import Detachment, Selection, marks
from tests.second_reading.printed_line import amounts

SELECTIONS = 8
"""Detachments: the most selections in one."""
CAPPED = ("command", "hammer", "vanguard", "anvil")


def has_a_ninth(detachment: Detachment) -> bool:
    """Detachments, first restriction; units taken as one count once."""
    return len(detachment.selections) > SELECTIONS


def has_too_little_core(detachment: Detachment) -> bool:
    """Detachments, second restriction: core is compared with each type."""
    return any(detachment.count(kind) > detachment.count("core") for kind in CAPPED)


def leaders(detachment: Detachment) -> list[Selection]:
    """Detachments, third restriction: the possible first units, or those declared."""
    declared = [selection for selection in detachment.selections if selection.leads]
    return [selection for selection in declared or detachment.selections if selection.type == "command"]


def lacks_a_first(detachment: Detachment) -> bool:
    """Detachments, third restriction: a command unit comes first; only one unit can be declared."""
    declared = [selection for selection in detachment.selections if selection.leads]
    return not leaders(detachment) or len(declared) > 1 or any(selection.type != "command" for selection in declared)


# ---- additional units ----------------------------------------------------------------------------------------------


@dataclass
class Place:
    """Additional units: a line of an entry, and its owner."""

    of: int
    least: int
    most: int
    open_to: frozenset[int]


def places_of(detachment: Detachment) -> list[Place]:
    selections = detachment.selections
    return [
        Place(number, *amounts(written), frozenset(fitting(selection, wanted, detachment) - {number}))
        for number, selection in enumerate(selections)
        for wanted, written in selection.entry.get("allows", {}).items()
    ]


def fitting(allowing: Selection, wanted: str, detachment: Detachment) -> set[int]:
    """Additional units: those of a type, or the unit that the entry names.

    An entry that restricts a type lists the units of its faction that it admits.
    """
    barred = set(allowing.entry.get("bars", ()))
    narrowed = any(entry["type"] == wanted and entry["unit"] in barred for entry in detachment.force.entries.values())
    return {
        number
        for number, other in enumerate(detachment.selections)
        if other.name == wanted
        or (
            other.type == wanted
            and not other.entry.get("by name only")
            and other.name not in barred
            and (not narrowed or other.entry["faction"] == allowing.entry["faction"])
        )
    }


def admitted(leader: int, places: list[Place]) -> set[int]:
    """Return the units that the leader allows, and the units that they allow in turn."""
    reached = {leader}
    while (
        more := {other for place in places if place.of in reached and place.most for other in place.open_to} - reached
    ):
        reached |= more
    return reached


def pairs(seats: list[frozenset[int]]) -> int:
    """Return how many places different units can fill at once."""
    taken: dict[int, int] = {}

    def seat(number: int, tried: set[int]) -> bool:
        for guest in seats[number]:
            if guest not in tried:
                tried.add(guest)
                if guest not in taken or seat(taken[guest], tried):
                    taken[guest] = number
                    return True
        return False

    return sum(seat(number, set()) for number in range(len(seats)))


def faults_of_additional(detachment: Detachment) -> set[str]:
    """Additional units: the first unit with the fewest faults counts; without a first unit, nothing is checked."""
    places = places_of(detachment)
    first = [detachment.selections.index(leader) for leader in leaders(detachment)]
    under = [faults_under(leader, detachment, places) | demands(places, {leader}) for leader in first]
    return min(under, key=len, default=demands(places, set()))


def demands(places: list[Place], leader: set[int]) -> set[str]:
    """Additional units: the lower figure is compulsory; one unit never meets two demands."""
    demanded = [place.open_to - leader for place in places for _ in range(place.least)]
    return {"me2-additional-min"} if pairs(demanded) < len(demanded) else set()


def faults_under(leader: int, detachment: Detachment, places: list[Place]) -> set[str]:
    """Additional units: all but the leader fill a place of the leader or of an allowed unit."""
    others = set(range(len(detachment.selections))) - {leader}
    reached = admitted(leader, places)
    seats = [place.open_to - {leader} for place in places if place.of in reached for _ in range(place.most)]
    broken = {"me2-additional-source"} if others - reached else set()
    return broken | ({"me2-additional-max"} if pairs(seats) < len(others & reached) else set())


def has_two_initiates(detachment: Detachment) -> bool:
    """Mark of the Initiate (community data): one in a detachment."""
    return marks((unit for selection in detachment.selections for unit in selection.units), "Initiate") > 1


OF_EACH_DETACHMENT = {
    "me2-detachment-max-eight": has_a_ninth,
    "me2-detachment-type-cap": has_too_little_core,
    "me2-detachment-first-command": lacks_a_first,
    "me2-initiate": has_two_initiates,
}
