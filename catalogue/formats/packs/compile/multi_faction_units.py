"""Link units that several factions may take: they are written once, and each faction has a link."""

from catalogue.definitions.entries import CategoryLink, Entry, EntryKind
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.name_index import make_faction_category
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax


def list_home_factions(unit: UnitSyntax) -> tuple[str, ...]:
    """Return the ids of the factions that may take a unit: that of its file, then those it names itself."""
    return (unit.faction, *(make_id(name.text) for name in unit.also_in))


def are_strangers(unit: UnitSyntax, other: UnitSyntax) -> bool:
    """Return whether no faction may take both; a unit of no faction belongs to all of them."""
    anybodys = not unit.also_in and not other.also_in and not (unit.faction and other.faction)
    return not anybodys and not set(list_home_factions(unit)) & set(list_home_factions(other))


def build_guest_links(faction: str, context: CompileContext) -> list[Entry]:
    """Return what a faction offers of the units that belong to several; there each counts as one of its own."""
    return [
        Entry(
            id=f"{faction}/{unit.id}",
            kind=EntryKind.ENTRY_LINK,
            name=unit.name,
            target_id=unit.id,
            categories=(_build_faction_link(faction, unit),),
            citation=unit.cite,
        )
        for unit in context.pack.units
        if faction and unit.also_in and faction in list_home_factions(unit) and not unit.only_joined
    ]


def check_guests(context: CompileContext) -> None:
    """Report factions that do not exist."""
    for unit in context.pack.units:
        for name in unit.also_in:
            context.index.find_target(name, None, ("faction",))


def _build_faction_link(faction: str, unit: UnitSyntax) -> CategoryLink:
    category_id = make_faction_category(faction)
    return CategoryLink(id=f"{faction}/{unit.id}@{category_id}", target_id=category_id, hidden=True)
