"""Check units against their datasheets, alone and with the rest of the army."""

from collections import Counter

from tests.second_reading import maelstrom_of_war_printed as printed
from tests.second_reading.maelstrom_of_war_army import Army, Unit
from tests.second_reading.reading import every_part

ONE_IN_A_DETACHMENT = ("kahl/high-kahl", "grimnyr/lord-grimnyr", "brokhyr-iron-master/brokhyr-forge-master")
HOSTS: dict[str, tuple[str, ...]] = {
    "hexmark-destroyer-no-slot": ("lokhust-lord", "skorpekh-lord"),
    "cryptothralls-no-slot": ("cryptek",),
    "canoptek-plasmacyte-no-slot": ("destroyer-cult",),
    "tyrant-guard-no-slot": ("hive-tyrant",),
}
"""Units that take no slot, one for each of the listed units in the detachment."""
ONE_WITH: dict[str, tuple[str, ...]] = {
    "tyranid-prime-no-slot": ("tyranid-warriors",),
    "zoanthropes-no-slot": ("neurothrope",),
    "broodlord-no-slot": ("genestealers",),
    "vargard-obyron-no-slot": ("nemesor-zahndrekh",),
}
"""Units that take no slot, a single one in a detachment with one of the listed units."""


def is_not_as_the_datasheets_have_it(army: Army) -> bool:
    """Units keep to the sizes, options and numbers of their datasheets."""
    return (
        army.has_odd_notes
        or any(printed.is_not_as_printed(unit.sheet, unit.written) for unit in army.units)
        or _somebody_is_there_twice(army)
        or any(_takes_too_much_along(army.of(number)) for number in range(len(army.detachments)))
        or _something_is_taken_again(army)
    )


def _somebody_is_there_twice(army: Army) -> bool:
    times = Counter(unit.sheet.title for unit in army.units if unit.sheet.unit.written.get("unique"))
    times["Toholk"] = times["Toholk the Blinded [Legends]"] + sum(
        printed.number_of(unit.written, "toholk") for unit in army.units
    )
    return any(number > 1 for number in times.values())


def _takes_too_much_along(units: list[Unit]) -> bool:
    """Return whether more of a detachment's units take no slot than others allow."""
    for guest, hosts in HOSTS.items():
        if _number(units, guest) > sum(any(unit.called(host) for host in hosts) for unit in units):
            return True
    for guest, hosts in ONE_WITH.items():
        if _number(units, guest) > any(unit.called(host) for unit in units for host in hosts):
            return True
    crypteks = sum("cryptek" in unit.keywords for unit in units)
    advisors = _number(units, "dynastic-advisor")
    nobody_asks = not any("noble" in unit.keywords for unit in units)
    return (
        any(
            sum(number for unit in units for part, number in every_part(unit.written) if part == title) > 1
            for title in ONE_IN_A_DETACHMENT
        )
        or crypteks < 2 * advisors
        or (advisors > 0 and nobody_asks)
    )


def _number(units: list[Unit], entry: str) -> int:
    return sum(unit.sheet.id == entry for unit in units)


def _something_is_taken_again(army: Army) -> bool:
    """Return whether a physiology is taken twice, or a power of the C'tan before all six are."""
    taken: Counter[str] = Counter()
    for unit in army.units:
        for part, number in every_part(unit.written):
            taken[part] += number
    powers = [number for part, number in taken.items() if part.startswith("powers-of-the-ctan/")]
    least = min(powers) if len(powers) == 6 else 0
    if any(number > least + 1 for number in powers):
        return True
    return any(number > 1 for part, number in taken.items() if part.startswith("adaptive-physiologies/"))
