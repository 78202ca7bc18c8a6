"""A second reading of Maelstrom's Edge, 2nd edition (beta)."""

from collections.abc import Iterator

from tests.second_reading.maelstroms_edge_2e.changes import changes
from tests.second_reading.maelstroms_edge_2e.detachments import OF_EACH_DETACHMENT, faults_of_additional
from tests.second_reading.maelstroms_edge_2e.force import Force, Selection, marks
from tests.second_reading.maelstroms_edge_2e.plans import OF_THE_PLAN, Plan
from tests.second_reading.maelstroms_edge_entries import Unit
from tests.second_reading.maelstroms_edge_options import faults, misplaced_add_ons, price, strange
from tests.second_reading.reading import Document, Figures, Reading, id_of, parts_of

PREFIX = "me2-"

# ---- select your force ---------------------------------------------------------------------------------------------


def points(force: Force) -> int:
    """Force rosters: all units with their options and add-ons."""
    bought = [*force.selections, *(add_on for detachment in force.detachments for add_on in detachment.add_ons)]
    of_units = sum(price(unit) for selection in bought for unit in selection.units)
    return of_units + sum(selection.stray_points for selection in bought)


def goes_over_the_limit(force: Force) -> bool:
    """Points & point limits: not a single point over."""
    limit = force.document.get("limits", {}).get("points", "none")
    return limit != "none" and points(force) > limit


def mixes_factions(force: Force) -> bool:
    """Factions: all units of a force are of one faction."""
    entries = [*(unit.entry for unit in force.units), *(selection.entry for selection in force.selections)]
    return any(entry["faction"] != force.faction for entry in entries) or any(
        detachment.faction != force.faction for detachment in force.detachments
    )


def is_empty(force: Force) -> bool:
    """Detachments: a force has at least one."""
    return not any(detachment.is_one for detachment in force.detachments)


def has_units_outside(force: Force) -> bool:
    """Detachments: units are in a force only as part of one."""
    return any(detachment.selections for detachment in force.detachments if not detachment.is_one)


def lone_add_ons(force: Force) -> Iterator[bool]:
    """Yield for each add-on outside units whether several units of the force could take it."""
    for detachment in force.detachments:
        for add_on in detachment.add_ons:
            yield sum(unit.entry["unit"] in add_on.entry["joins"]["units"] for unit in force.units) > 1


def has_lone_add_ons(force: Force) -> bool:
    """Add-on models: only in a unit."""
    return not all(lone_add_ons(force))


def leaves_hosts_open(force: Force) -> bool:
    """Add-on models: the roster shows which unit an add-on is part of."""
    return any(lone_add_ons(force)) or "add-on-hosts" in force.document.get("unshown", ())


# ---- multi-unit selections and options -----------------------------------------------------------------------------


def faults_of_selection(selection: Selection) -> set[str]:
    """Multi-unit selections, Unit size, Unit options."""
    broken = set().union(*(faults(unit, PREFIX) for unit in selection.units))
    if "units" in selection.entry:
        least, most = selection.several
        if not least <= len(selection.units) <= most:
            broken.add("me2-multi-unit-max")
        several = Unit(selection.entry, selection.part, selection.id, selection.entries)
        for inner in parts_of(selection.part):
            if id_of(inner) != f"{selection.id}/unit":
                broken |= {PREFIX + rule for rule in strange(several, inner)}
        broken |= {PREFIX + rule for rule in misplaced_add_ons(several)}
    return broken


def has_two_relics(force: Force) -> bool:
    """Trophy Melee Weapon (community data): one relic in a force."""
    return marks(force.units, "Relic") > 1


# ---- all together --------------------------------------------------------------------------------------------------

OF_THE_FORCE = {
    "me2-points-limit": goes_over_the_limit,
    "me2-single-faction": mixes_factions,
    "me2-force-not-empty": is_empty,
    "me2-detachment-required": has_units_outside,
    "me2-addon-needs-host": has_lone_add_ons,
    "me2-addon-roster": leaves_hosts_open,
    "me2-relic": has_two_relics,
}
UNSHOWN = {
    "options": "me2-roster-units",
    "unit-points": "me2-roster-units",
    "option-points": "me2-roster-option-points",
    "detachments": "me2-roster-detachments",
}
"""Force rosters, Unit options, Detachments: what a written roster has to show."""
OF_SELECTIONS = {
    "me2-additional-source",
    "me2-additional-min",
    "me2-additional-max",
    "me2-multi-unit-max",
    "me2-multi-unit-same-entry",
    *("me2-unit-size-min", "me2-unit-size-max"),
    *("me2-option-listed-only", "me2-option-replace", "me2-option-choose-one", "me2-option-up-to-n"),
    *("me2-addon-one-type", "me2-addon-quantity", "me2-addon-normal-max"),
    *("me2-option-footnote-cap", "me2-option-max-per-model", "me2-option-one-each-line"),
}


def broken_rules(document: Document, figures: Figures) -> set[str]:
    force = Force(document, figures)
    broken = {rule for rule, is_broken in OF_THE_FORCE.items() if is_broken(force)}
    broken |= {UNSHOWN[word] for word in document.get("unshown", ()) if word in UNSHOWN}
    for detachment in force.detachments:
        if detachment.is_one:
            broken |= {rule for rule, is_broken in OF_EACH_DETACHMENT.items() if is_broken(detachment)}
            broken |= faults_of_additional(detachment)
    broken = broken.union(*map(faults_of_selection, force.selections))
    if force.plan is not None:
        plan = Plan(force)
        broken |= {rule for rule, is_broken in OF_THE_PLAN.items() if is_broken(plan)}
    return broken


READING = Reading(
    pack="maelstroms-edge-2e",
    covers=frozenset({*OF_THE_FORCE, *OF_EACH_DETACHMENT, *OF_THE_PLAN, *UNSHOWN.values(), *OF_SELECTIONS}),
    broken_rules=broken_rules,
    invented=True,
    differences={
        "me2-option-footnote-cap/weapons": "The engine counts the weapons of a unit that stands inside this one as its "
        "own; such a unit breaks me2-multi-unit-max in any case.",
        "me2-addon-normal-max/most": "The same with the models of such a unit.",
    },
    changes=changes,
    left_out={
        "me2-additional-lookahead": "Asks what an unfinished list has room for; in a finished one a demand is unmet.",
        "me2-additional-chain": "As with the look-ahead.",
        **dict.fromkeys(
            (
                "me2-points-suggested",
                "me2-points-unspent",
                "me2-commander-available",
                "me2-two-players",
                "me2-table-size",
                "me2-objective-marker-counts",
                "me2-forsaken",
            ),
            "Advice: warns, breaks nothing.",
        ),
    },
)
