"""Read `also in:` and `home:` of units, `home:` of sets, and `anywhere:` of packs."""

from catalogue.documents.section import Section, key
from catalogue.formats.packs.syntax.base import NAMES, Reference


class UnitGuestsSyntax(Section):
    """`home` has the factions to which the unit belongs."""

    page = "guests"

    also_in: tuple[Reference, ...] = key(
        "also in", NAMES, "further factions that may take it, in addition to its file's; each counts it as its own"
    )
    home: tuple[Reference, ...] = key("home", NAMES, "the factions that count it as their own, if not its file's")


class SetHomeSyntax(Section):
    page = "guests"

    home: tuple[Reference, ...] = key("home", NAMES, "units whose `home` is one of these factions")


class AnywhereSyntax(Section):
    page = "guests"

    anywhere: tuple[Reference, ...] = key("anywhere", NAMES, "types or keywords whose units every faction may take")
