"""Read `also in:` and `home:` of units, `home:` of sets, and `anywhere:` of packs."""

from catalogue.documents.section import Section, key
from catalogue.formats.packs.syntax.base import NAMES, Reference


class UnitGuestsSyntax(Section):
    """`home` are the factions whose own the unit is."""

    page = "guests"

    also_in: tuple[Reference, ...] = key(
        "also in",
        NAMES,
        "further factions that may take it, beside that of its file; each then counts it as one of its own",
    )
    home: tuple[Reference, ...] = key("home", NAMES, "the factions whose own it is, where it is not that of its file")


class SetHomeSyntax(Section):
    page = "guests"

    home: tuple[Reference, ...] = key("home", NAMES, "units at home in these factions")


class AnywhereSyntax(Section):
    page = "guests"

    anywhere: tuple[Reference, ...] = key("anywhere", NAMES, "types or keywords whose units every faction may take")
