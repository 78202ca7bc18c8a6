"""Compile units' homes, and links from their factions."""

from collections.abc import Iterator
from dataclasses import replace

from catalogue.definitions.entries import CategoryLink, Entry, EntryKind
from catalogue.formats.packs.compile.name_index import NameIndex, is_of_kind, make_faction_category
from catalogue.formats.packs.syntax.base import Reference
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax


def settle_home(unit: UnitSyntax, pack: PackSyntax) -> UnitSyntax:
    """Default to the faction of the unit's file. Units of all factions have no faction."""
    home = unit.home or ((Reference(unit.faction, unit.where),) if unit.faction else ())
    if is_of_kind(unit, pack.anywhere):
        return replace(unit, home=home, faction="", also_in=())
    return replace(unit, home=home)


def list_home_factions(unit: UnitSyntax) -> tuple[str, ...]:
    return (unit.faction, *(make_id(name.text) for name in unit.also_in))


def are_strangers(unit: UnitSyntax, other: UnitSyntax) -> bool:
    # Without a faction a unit belongs to all, unless one of the two names its factions.
    if not (unit.also_in or other.also_in) and not (unit.faction and other.faction):
        return False
    return set(list_home_factions(unit)).isdisjoint(list_home_factions(other))


def check_guests(pack: PackSyntax, index: NameIndex) -> None:
    for unit in pack.units:
        index.find_ids(unit.also_in, "faction")


def build_guest_links(faction: str, pack: PackSyntax) -> Iterator[Entry]:
    """Link to units of several factions, which count as the faction's own."""
    category_id = make_faction_category(faction)
    for unit in pack.units if faction else ():
        # A unit that only joins others is offered inside its hosts.
        if unit.also_in and not unit.only_joined and faction in list_home_factions(unit):
            link_id = f"{faction}/{unit.id}"
            category = CategoryLink(id=f"{link_id}@{category_id}", target_id=category_id, hidden=True)
            yield Entry(
                id=link_id,
                kind=EntryKind.ENTRY_LINK,
                name=unit.name,
                target_id=unit.id,
                categories=(category,),
                citation=unit.cite,
            )
