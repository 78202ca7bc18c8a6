"""A second reading of the beta rules for Maelstrom of War, Warhammer 40,000 9th edition.

Docstrings cite sections of the book. Figures that the book takes from the core book (charts, prices of detachments,
warlords) are the community data's.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from tests.second_reading import maelstrom_of_war_printed as printed
from tests.second_reading.maelstrom_of_war_along import is_not_as_the_datasheets_have_it
from tests.second_reading.maelstrom_of_war_army import (
    BROAD,
    COMMAND_POINTS,
    FACTION_KEYWORDS,
    INCURSION,
    ONSLAUGHT,
    STRIKE_FORCE,
    Army,
    Unit,
)
from tests.second_reading.maelstrom_of_war_categories import (
    has_a_category_twice,
    has_an_unknown_category,
    has_categories_where_none_are_selected,
    has_letters_without_one_category_each,
    has_not_three_categories,
    notes_the_wrong_category,
)
from tests.second_reading.maelstrom_of_war_changes import changes_of_maelstrom
from tests.second_reading.maelstrom_of_war_datasheets import slug
from tests.second_reading.maelstrom_of_war_reserves import (
    holds_back_too_many_points,
    holds_back_too_many_units,
    is_declared_wrongly,
)
from tests.second_reading.reading import Document, Figures, Reading, every_part

OF_ONE_DATASHEET = {INCURSION: 2, STRIKE_FORCE: 3, ONSLAUGHT: 3}
EXEMPT = frozenset({"troops", "dedicated transport"})
"""Roles without a limit."""

ROLES = ("hq", "troops", "elites", "fast attack", "heavy support", "flyer")
CHARTS: dict[str, tuple[str, ...]] = {
    "patrol": ("1-2", "1-3", "0-2", "0-2", "0-2", "0-2"),
    "battalion": ("2-3", "3-6", "0-6", "0-3", "0-3", "0-2"),
    "brigade": ("3-5", "6-12", "3-8", "3-5", "3-5", "0-2"),
    "vanguard": ("1-2", "0-3", "3-6", "0-2", "0-2", "0-2"),
    "spearhead": ("1-2", "0-3", "0-2", "0-2", "3-6", "0-2"),
    "outrider": ("1-2", "0-3", "0-2", "3-6", "0-2", "0-2"),
}
"""How many units of each of `ROLES`. Dedicated transports and units without a slot are unlimited."""
SPECIAL_CHARTS = {
    "supreme-command": ("supreme commander", "1-1"),
    "super-heavy": ("lord of war", "3-5"),
    "super-heavy-auxiliary": ("lord of war", "1-1"),
    "fortification-network": ("fortification", "1-3"),
}
AUXILIARY = frozenset({"troops", "elites", "fast attack", "heavy support", "flyer", "dedicated transport"})
PRICES = {
    "patrol": 2,
    "battalion": 3,
    "brigade": 4,
    "vanguard": 3,
    "spearhead": 3,
    "outrider": 3,
    "super-heavy": 3,
    "super-heavy-auxiliary": 3,
    "auxiliary-support": 2,
    "fortification-network": 1,
}
GIVEN_BACK = ("patrol", "battalion", "brigade")
"""Detachments that are free while they contain the warlord."""


def broken_rules(document: Document, figures: Figures) -> set[str]:
    army = Army(document, figures)
    broken = {rule for rule, breaks in OF_THE_LIST.items() if breaks(army)}
    if "plan" in document:
        broken |= {rule for rule, breaks in OF_THE_PLAN.items() if breaks(army)}
    return broken


# ---- 1. Select battle size; 2. Muster armies -----------------------------------------------------------------------


def is_of_no_size(army: Army) -> bool:
    """The agreed points belong to a battle size (1. Select battle size)."""
    return army.size not in COMMAND_POINTS


def costs_too_much(army: Army) -> bool:
    """The army keeps to its points limit (2. Muster armies, table)."""
    return isinstance(army.size, int | float) and army.points > army.size


def begins_with_other_command_points(army: Army) -> bool:
    """The command points belong to the battle size (2. Muster armies, table)."""
    if army.size in COMMAND_POINTS:
        return army.command_points != COMMAND_POINTS[army.size]
    return not isinstance(army.command_points, int | float)


def spends_too_many_command_points(army: Army) -> bool:
    """Detachments and upgrades cost at most the command points, noted in one place."""
    if army.kinds.count("other-spending") > 1:
        return True
    return isinstance(army.command_points, int | float) and _spent(army) > army.command_points


def _spent(army: Army) -> int:
    spent = sum(
        0 if kind in GIVEN_BACK and army.has_warlord(number) else PRICES.get(kind, 0)
        for number, kind in enumerate(army.kinds)
    )
    for number, kind in enumerate(army.kinds):
        if kind == "supreme-command" and army.has_warlord(number):
            spent -= max((PRICES[other] for other in GIVEN_BACK if other in army.kinds), default=0)
    spent -= sum(3 * unit.marks for unit in army.units if unit.sheet.title == "The Silent King")
    return spent + sum(army.points_noted(number) for number in range(len(army.kinds)))


def is_not_battle_forged(army: Army) -> bool:
    """Each unit is in a detachment, and each detachment is filled as in its chart."""
    if army.kinds.count("supreme-command") > 1:
        return True
    return any(
        _is_out_of_its_chart(kind, _roles(army, number)) or _fills_places_with_rippers(kind, army.of(number))
        for number, kind in enumerate(army.kinds)
    )


def _fills_places_with_rippers(kind: str, units: list[Unit]) -> bool:
    """Return whether fewer than three compulsory fast attack slots are filled; Ripper Swarms fill none."""
    fast = sum(unit.sheet.role == "fast attack" and unit.sheet.title != "Ripper Swarms" for unit in units)
    return kind in ("brigade", "outrider") and fast < 3


def _roles(army: Army, number: int) -> Counter[str]:
    roles = Counter(unit.sheet.role for unit in army.of(number))
    roles["spending"] += army.notes(number)
    return +roles


def _is_out_of_its_chart(kind: str, roles: Counter[str]) -> bool:
    if kind in CHARTS:
        chart = dict(zip(ROLES, CHARTS[kind], strict=True))
        beside = {"dedicated transport", "no slot"}
    else:
        chart = dict([SPECIAL_CHARTS[kind]] if kind in SPECIAL_CHARTS else [])
        beside = _beside(kind, roles)
    if kind == "auxiliary-support" and roles.total() != 1:
        return True
    return bool(roles.keys() - chart.keys() - beside) or any(
        not int(least) <= roles[role] <= int(most)
        for role, (least, _, most) in ((role, figures.partition("-")) for role, figures in chart.items())
    )


def _beside(kind: str, roles: Counter[str]) -> set[str]:
    """Return the roles without limit in a detachment with no chart or a small one."""
    if kind == "other":
        return roles.keys() - {"spending"}
    return {"auxiliary-support": set(AUXILIARY), "other-spending": {"spending"}}.get(kind, set())


def has_the_wrong_warlord(army: Army) -> bool:
    """There is exactly one warlord, and no unit that would have to be the warlord instead."""
    if sum(unit.marks for unit in army.units) != 1:
        return True
    return any(
        unit.sheet.title == "The Silent King"
        or (unit.kind == "supreme-command" and unit.sheet.role == "supreme commander")
        for unit in army.units
        if not unit.marks
    )


def has_an_understrength_unit(army: Army) -> bool:
    """Units have at least the models of their datasheet (2. Muster armies)."""
    return any(printed.is_understrength(unit.sheet, unit.written) for unit in army.units)


def shares_no_keyword(army: Army) -> bool:
    """All units of a detachment share a faction keyword (2. Muster armies).

    Units of another faction than the detachment's share none, and neither do misplaced notes.
    """
    return any(
        not shared or army.notes(number) or any(unit.sheet.faction != army.faction(number) for unit in army.of(number))
        for number, shared in _shared_keywords(army)
    )


def shares_a_broad_keyword_only(army: Army) -> bool:
    """Detachments, except fortification networks, share more than broad keywords (2. Muster armies)."""
    return any(
        shared and shared <= BROAD
        for number, shared in _shared_keywords(army)
        if army.kinds[number] != "fortification-network"
    )


def _shared_keywords(army: Army) -> Iterator[tuple[int, frozenset[str]]]:
    for number, kind in enumerate(army.kinds):
        units = army.of(number)
        if (units or army.notes(number)) and kind not in ("none", "other-spending"):
            yield number, FACTION_KEYWORDS.intersection(*(unit.sheet.keywords for unit in units))


def upgrades_are_unwritten(army: Army) -> bool:
    """Lists from other programs have to show the upgrades of units (2. Muster armies)."""
    return "upgrades" in army.document.get("unshown", [])


# ---- the box next to 4. Determine deployment map -------------------------------------------------------------------


def has_a_datasheet_too_often(army: Army) -> bool:
    """Datasheets, except troops and dedicated transports, are limited by the battle size."""
    times = Counter(title for unit in army.units if unit.sheet.role not in EXEMPT for title in _datasheets_of(unit))
    # The core book rounds up to the next battle size.
    sizes = [size for size in OF_ONE_DATASHEET if isinstance(army.size, int | float) and army.size <= size]
    most = OF_ONE_DATASHEET[sizes[0] if sizes else ONSLAUGHT]
    return any(number > most for number in times.values())


def _datasheets_of(unit: Unit) -> Iterator[str]:
    """Yield the title of a unit's datasheet.

    Entries for each weapon, "Hearthguard with plasma guns", are one datasheet; an advisor has its Cryptek's.
    """
    if unit.sheet.id != "dynastic-advisor":
        yield slug(unit.sheet.title.split(" with ")[0])
        return
    for part, number in every_part(unit.written):
        line = unit.sheet.lines.get(part)
        if line and line.is_model:
            yield from [line.name] * number


# ---- all rules -----------------------------------------------------------------------------------------------------

OF_THE_LIST: dict[str, Callable[[Army], bool]] = {
    "mow-battle-size": is_of_no_size,
    "mow-points-limit": costs_too_much,
    "mow-command-points-size": begins_with_other_command_points,
    "mow-command-points-overspent": spends_too_many_command_points,
    "mow-battle-forged": is_not_battle_forged,
    "mow-warlord": has_the_wrong_warlord,
    "mow-no-understrength": has_an_understrength_unit,
    "mow-unit-size-max": is_not_as_the_datasheets_have_it,
    "mow-detachment-faction-keyword": shares_no_keyword,
    "mow-detachment-broad-keyword": shares_a_broad_keyword_only,
    "mow-datasheet-limit": has_a_datasheet_too_often,
    "mow-roster-upgrades": upgrades_are_unwritten,
}
OF_THE_PLAN: dict[str, Callable[[Army], bool]] = {
    "mow-categories-count": has_not_three_categories,
    "mow-categories-distinct": has_a_category_twice,
    "mow-categories-known": has_an_unknown_category,
    "mow-categories-letters": has_letters_without_one_category_each,
    "mow-categories-none-chaotic": has_categories_where_none_are_selected,
    "mow-overriding-orders": notes_the_wrong_category,
    "mow-reserves-half-units": holds_back_too_many_units,
    "mow-reserves-half-points": holds_back_too_many_points,
    "mow-reserves-declared": is_declared_wrongly,
}

READING = Reading(
    pack="maelstrom-of-war-9e",
    covers=frozenset(OF_THE_LIST | OF_THE_PLAN),
    broken_rules=broken_rules,
    changes=changes_of_maelstrom,
    left_out={
        "mow-army-faction": "Advice: it warns and breaks nothing.",
        "mow-battlefield-size": "Advice: it warns and breaks nothing.",
        "mow-datasheet-alias-daemon-prince": "No printed unit of the pack is a Daemon Prince; invented ones show it.",
        "mow-datasheet-alias-genestealer": "No printed unit of the pack is of those books; invented ones show it.",
    },
)
