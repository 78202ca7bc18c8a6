"""Read `called:`, `also in:` and `alike:` of sets, and `mixed:` of rules."""

from catalogue.documents.section import FLAG, TEXTS, Section, expect_section, key, need
from catalogue.formats.packs.syntax.base import NAME, NAMES, Reference


class AlikeSyntax(Section):
    """Units `of` a keyword that count as units of `to` with the same title, apart from `strike`."""

    title = "What is alike"

    of: Reference = need("of", NAME, "the keyword of units that count as other units")
    to: Reference = need("to", NAME, "the keyword of these other units")
    strike: tuple[str, ...] = key("strike", TEXTS, "words to leave out of the titles")


class SetByNameSyntax(Section):
    """The keys of a set made from names.

    Units in `also_in` represent others: their models in `called` belong to the set, and they are not a `same unit`.
    `alike` makes a set for each shared title. `units` and `models` are the resolved ids.
    """

    page = "sets_by_name"

    called: tuple[Reference, ...] = key(
        "called", NAMES, "units with these names, if any, and units with the same names among the models of `also in`"
    )
    also_in: tuple[Reference, ...] = key(
        "also in", NAMES, "units that each represent one of several, and are not `same unit` themselves"
    )
    alike: AlikeSyntax | None = key(
        "alike",
        expect_section(AlikeSyntax, "mapping"),
        "`{of: cults, to: guard, strike: [Cult]}`: a set for each title that units of two keywords share",
        None,
    )
    units: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


class MixedRuleSyntax(Section):
    page = "sets_by_name"

    mixed: bool = key("mixed", FLAG, "applies only while the list has units of two entries of the set in `for each`")
