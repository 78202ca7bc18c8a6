"""A second reading of Maelstrom's Edge, 1st edition: the rules preview of 2015, and forces by the list building of the
2nd edition.

The preview has two units and almost no rules for lists. Later units form forces by "1) Select your force" of the 2nd
edition, whose headings are cited here, and by the community's data.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from tests.second_reading.maelstroms_edge_1e_rosters import (
    FORCE,
    OUTSIDE,
    PREVIEW,
    PREVIEWED,
    Detachment,
    Roster,
    Selection,
    more_changes,
)
from tests.second_reading.maelstroms_edge_entries import Unit
from tests.second_reading.maelstroms_edge_options import faults, price
from tests.second_reading.printed_line import Entry, amounts, slug
from tests.second_reading.reading import Document, Figures, Reading, count_of, id_of, parts_of

PREFIX = "me1-force-"
SELECTIONS = 8
NOT_BEYOND_CORE = ("command", "hammer", "vanguard", "anvil")
TYPES = (*NOT_BEYOND_CORE, "core")
LEADERS = 1
OTHERS = range(2, 5)
"""Unit spotlight, unit size: the digit is unreadable; readings of it are 2, 3 and 4."""
EACH_DETACHMENT = EACH_FORCE = 1

OBJECTIVES = {
    "first-contact": "karist-enclave",
    "secret-cache": "karist-enclave",
    "automated-uplink-relay": "epirian-foundation",
    "master-of-machines": "epirian-foundation",
    "now-you-see-me": "broken",
    "moral-high-ground": "broken",
    "favor-of-the-crowd": "artarian-remnant",
    "epic-hero": "artarian-remnant",
    "the-great-hunt": "artarian-remnant",
}
"""The faction objectives of the community's data, with their factions."""


# ---- the preview ---------------------------------------------------------------------------------------------------


def mixes_preview_and_force(roster: Roster) -> bool:
    """Unit spotlight: units without points and detachments never share a list with a force."""
    return {FORCE, PREVIEW} <= roster.kinds or any(
        detachment.kind == (FORCE if each.type == PREVIEWED else PREVIEW)
        for detachment in roster.detachments
        for selection in detachment.selections
        for each in selection.every
    )


def has_another_edition(roster: Roster) -> bool:
    """Model characteristics: entries of another edition have another profile."""
    return any(detachment.unknown for detachment in roster.detachments)


def faults_of_previewed(selection: Selection) -> set[str]:
    """Unit spotlight, unit size and equipment: one leader, the others, and only listed equipment."""
    numbers = Counter[str]()
    for part in parts_of(selection.part):
        numbers[id_of(part)] += count_of(part)
    leader, other = (f"{selection.id}/{slug(model['model'])}" for model in selection.entry["models"])
    broken = set()
    if numbers[leader] != LEADERS or numbers[other] not in OTHERS:
        broken.add("me1-unit-composition")
    if numbers.keys() - {leader, other} or any(parts_of(part) for part in parts_of(selection.part)):
        broken.add("me1-no-options")
    return broken


# ---- select your force ---------------------------------------------------------------------------------------------


def costs_too_much(roster: Roster) -> bool:
    """Points & point limits: not a single point over; units taken as one are each paid for."""
    points = sum(price(unit) for unit in roster.units if unit.entry["type"] != PREVIEWED)
    return roster.limit != "none" and points > roster.limit


def has_two_factions(roster: Roster) -> bool:
    """Factions: all units of a force are of its faction, in any detachment.

    Sample turn: this also applies to the preview. Units outside all detachments belong to the faction they are listed
    under.
    """
    factions = {detachment.faction for detachment in roster.detachments}
    factions |= {selection.entry["faction"] for selection in roster.selections}
    if FORCE in roster.kinds:
        return factions != {roster.faction}
    return any(
        selection.entry["faction"] != detachment.faction
        for detachment in roster.detachments
        if detachment.kind == OUTSIDE
        for selection in detachment.selections
    )


def is_no_force(roster: Roster) -> bool:
    """Detachments: a force has at least one."""
    return not roster.kinds - {OUTSIDE}


def has_units_outside(roster: Roster) -> bool:
    """Detachments: units are in a force only as part of one."""
    return any(detachment.selections for detachment in roster.detachments if detachment.kind == OUTSIDE)


def has_two_relics(roster: Roster) -> bool:
    """Community data, Trophy Melee Weapon: one relic."""
    return marks(roster.units, "Relic") > EACH_FORCE


def has_more_than_eight(detachment: Detachment) -> bool:
    """Detachments: eight units at most; multi-unit selections count once."""
    return len(detachment.selections) > SELECTIONS


def has_more_than_core(detachment: Detachment) -> bool:
    """Detachments: no type exceeds core."""
    return max(map(detachment.has, NOT_BEYOND_CORE)) > detachment.has("core")


def has_no_first(detachment: Detachment) -> bool:
    """Detachments: a command unit is selected first; only one unit can be declared as the leader."""
    declared = [selection for selection in detachment.selections if selection.declared]
    return not firsts(detachment) or len(declared) > 1


def has_two_initiates(detachment: Detachment) -> bool:
    """Community data, Mark of the Initiate: one in a detachment."""
    return marks(detachment.units, "Initiate") > EACH_DETACHMENT


def marks(units: Iterable[Unit], keyword: str) -> int:
    return sum(number for unit in units for option, number in unit.options if keyword in option.get("keywords", ()))


# ---- additional units ----------------------------------------------------------------------------------------------


def firsts(detachment: Detachment) -> list[int]:
    """Return the possible first selections: command units, or units declared to lead."""
    declared = [selection.declared for selection in detachment.selections]
    return [
        index
        for index, selection in enumerate(detachment.selections)
        if selection.type == "command" and (declared[index] or not any(declared))
    ]


def admits(giver: Entry, wanted: str, candidate: Entry) -> bool:
    """Return whether an additional units line admits an entry.

    For commanders who take only some units of a type, the community's data lists the units. None is of another faction.
    """
    if wanted not in TYPES:
        return candidate["unit"] == wanted
    barred = giver.get("bars", ())
    particular = bool(barred) and candidate["faction"] != giver["faction"]
    by_type = candidate["type"] == wanted and not candidate.get("by name only")
    return by_type and not particular and candidate["unit"] not in barred


def lines_of(detachment: Detachment) -> Iterator[tuple[int, int, int, set[int]]]:
    """Yield each additional units line: owner, least, most, and the selections that fit."""
    for giver, selection in enumerate(detachment.selections):
        for wanted, written in selection.entry.get("allows", {}).items():
            fitting = {
                index
                for index, other in enumerate(detachment.selections)
                if index != giver and admits(selection.entry, wanted, other.entry)
            }
            yield giver, *amounts(written), fitting


def faults_of_additional(detachment: Detachment) -> set[str]:
    """Additional units: each selection but the first fills a place of another, and demands are met. With several
    possible first selections, the one with the fewest faults counts.
    """
    lines = list(lines_of(detachment))
    demands = [fitting for _, least, _, fitting in lines for _ in range(least)]
    short = {"me1-force-additional-min"} if filled(demands) < len(demands) else set()
    return short | min(
        (faults_behind(first, detachment, lines) for first in firsts(detachment)), key=len, default=set()
    )


def faults_behind(first: int, detachment: Detachment, lines: list[tuple[int, int, int, set[int]]]) -> set[str]:
    """Additional units: starting at the first unit, only allowed units may allow others."""
    there = {first}
    while more := {index for giver, _, _, fitting in lines if giver in there for index in fitting} - there:
        there |= more
    places = [fitting - {first} for giver, _, most, fitting in lines if giver in there for _ in range(most)]
    broken = set()
    if not there >= {index for index, selection in enumerate(detachment.selections) if selection.type in TYPES}:
        broken.add("me1-force-additional-source")
    if filled(places) < len(there) - 1:
        broken.add("me1-force-additional-max")
    return broken


def filled(places: list[set[int]]) -> int:
    holder: dict[int, int] = {}

    def fill(place: int, asked: set[int]) -> bool:
        for guest in places[place] - asked:
            asked.add(guest)
            if guest not in holder or fill(holder[guest], asked):
                holder[guest] = place
                return True
        return False

    return sum(fill(place, set()) for place in range(len(places)))


# ---- unit options and multi-unit selections ------------------------------------------------------------------------


def faults_of_selection(selection: Selection) -> set[str]:
    """Multi-unit selections: the entry's number of units, all of that entry. Unit options: as printed."""
    broken = set[str]().union(*map(faults_of_selection, selection.guests))
    if any(guest.id != selection.id for guest in selection.guests):
        broken.add("me1-force-multi-unit-same-entry")
    if not 1 <= len(selection.own_units) + len(selection.guests) <= selection.most_as_one:
        broken.add("me1-force-multi-unit-max")
    if selection.type == PREVIEWED:
        return broken | faults_of_previewed(selection)
    if "units" in selection.entry and any(id_of(part) != f"{selection.id}/unit" for part in parts_of(selection.part)):
        broken.add("me1-force-option-listed-only")
    return broken.union(*(faults(unit, PREFIX) for unit in selection.own_units))


# ---- faction objective and force commander -------------------------------------------------------------------------


def commander_of(roster: Roster, plan: Document) -> Unit | None:
    """Return the unit named as force commander; it may be one of several taken as one."""
    named = plan.get("commander")
    for selection in roster.selections:
        for unit in (Unit(selection.entry, selection.part, selection.id), *selection.own_units):
            if named is not None and isinstance(unit.part, dict) and unit.part.get("ref") == named:
                return unit
    return None


def may_command(unit: Unit) -> bool:
    """Force commander: a model with Command in a command unit. The preview has no such rule."""
    return unit.entry["type"] == PREVIEWED or (unit.entry["type"] == "command" and unit.has("abilities", "Command"))


WANTED = {
    "first-contact": lambda unit: unit.entry["unit"] == "Angel Keeper",
    "master-of-machines": lambda unit: unit.entry["unit"] == "Master Bot Handler",
    "now-you-see-me": lambda unit: unit.has("keywords", "Forsaken"),
}
"""Community data: the force commander that some faction objectives require."""


def faults_of_plan(roster: Roster, plan: Document) -> set[str]:
    """Declare faction objective & force commander: an objective of the faction, and a valid commander."""
    broken = set()
    mission = plan.get("mission", "")
    commander = commander_of(roster, plan)
    if commander is not None and not may_command(commander):
        broken.add("me1-force-commander-eligible")
    if OBJECTIVES.get(mission, roster.faction) != roster.faction:
        broken.add("me1-force-objective-faction")
    if mission in WANTED:
        is_wanted = WANTED[mission]
        there = any(map(is_wanted, roster.units))
        if not there or (commander is not None and not is_wanted(commander)):
            broken.add("me1-force-objective-commander")
    return broken


# ---- all together --------------------------------------------------------------------------------------------------

OF_THE_LIST = {
    "me1-edition-separate": has_another_edition,
    "me1-preview-apart": mixes_preview_and_force,
    "me1-force-points-limit": costs_too_much,
    "me1-force-single-faction": has_two_factions,
    "me1-force-force-not-empty": is_no_force,
    "me1-force-detachment-required": has_units_outside,
    "me1-force-relic": has_two_relics,
}
OF_EACH_DETACHMENT = {
    "me1-force-detachment-max-eight": has_more_than_eight,
    "me1-force-detachment-type-cap": has_more_than_core,
    "me1-force-detachment-first-command": has_no_first,
    "me1-force-initiate": has_two_initiates,
}
OF_UNITS = {
    "me1-unit-composition",
    "me1-no-options",
    "me1-force-multi-unit-max",
    "me1-force-multi-unit-same-entry",
    "me1-force-unit-size-min",
    "me1-force-unit-size-max",
    "me1-force-option-listed-only",
    "me1-force-option-replace",
    "me1-force-option-choose-one",
    "me1-force-option-up-to-n",
    "me1-force-option-footnote-cap",
    "me1-force-option-max-per-model",
    "me1-force-option-one-each-line",
    "me1-force-additional-source",
    "me1-force-additional-min",
    "me1-force-additional-max",
}
OF_THE_PLAN = {"me1-force-commander-eligible", "me1-force-objective-faction", "me1-force-objective-commander"}


def broken_rules(document: Document, figures: Figures) -> set[str]:
    roster = Roster(document, figures)
    broken = {rule for rule, is_broken in OF_THE_LIST.items() if is_broken(roster)}
    for detachment in roster.detachments:
        if detachment.kind == FORCE:
            broken |= {rule for rule, is_broken in OF_EACH_DETACHMENT.items() if is_broken(detachment)}
            broken |= faults_of_additional(detachment)
    broken = broken.union(*map(faults_of_selection, roster.selections))
    return broken | (faults_of_plan(roster, roster.plan) if roster.plan is not None else set())


ADVICE = "Advice: warns, breaks nothing."
READING = Reading(
    pack="maelstroms-edge-1e",
    covers=frozenset({*OF_THE_LIST, *OF_EACH_DETACHMENT, *OF_UNITS, *OF_THE_PLAN}),
    broken_rules=broken_rules,
    changes=more_changes,
    left_out=dict.fromkeys(
        (
            "me1-single-faction",
            "me1-force-commander-available",
            "me1-force-forsaken",
            "me1-force-objective-sara",
            "me1-force-points-suggested",
            "me1-force-points-unspent",
        ),
        ADVICE,
    ),
)
