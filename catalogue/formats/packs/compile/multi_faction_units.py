"""Units that several factions may take: written once, linked from each of them."""

from catalogue.definitions.entries import CategoryLink, Entry, EntryKind
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.name_index import faction_category
from catalogue.formats.packs.forms.units import UnitForm
from catalogue.formats.packs.words import slug


def homes(unit: UnitForm) -> tuple[str, ...]:
    """The ids of the factions that may take a unit: that of its file, then those it names itself."""
    return (unit.faction, *(slug(name.text) for name in unit.also_in))


def are_strangers(unit: UnitForm, other: UnitForm) -> bool:
    """Whether no faction may take both; a unit of no faction is anybody's."""
    anybodys = not unit.also_in and not other.also_in and not (unit.faction and other.faction)
    return not anybodys and not set(homes(unit)) & set(homes(other))


def guest_links(faction: str, context: CompileContext) -> list[Entry]:
    """What a faction offers of the units that stand in several; there each counts as one of its own."""
    return [
        Entry(
            id=f"{faction}/{unit.id}",
            kind=EntryKind.ENTRY_LINK,
            name=unit.name,
            target_id=unit.id,
            categories=(_membership(faction, unit),),
            citation=unit.cite,
        )
        for unit in context.forms.units
        if faction and unit.also_in and faction in homes(unit) and not unit.only_joined
    ]


def check_guests(context: CompileContext) -> None:
    """Report factions that do not exist."""
    for unit in context.forms.units:
        for name in unit.also_in:
            context.index.target(name, None, ("faction",))


def _membership(faction: str, unit: UnitForm) -> CategoryLink:
    own = faction_category(faction)
    return CategoryLink(id=f"{faction}/{unit.id}@{own}", target_id=own, hidden=True)
