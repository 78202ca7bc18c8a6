"""`called:`, `also in:` and `alike:` of sets, and `mixed:` of rules about such sets."""

from catalogue.documents.section import FLAG, TEXTS, Section, expect_section, key, need
from catalogue.formats.packs.syntax.base import NAME, NAMES, Reference


class AlikeSyntax(Section):
    """Units of the keyword `of` count as those of the keyword `to` with the same title, `strike` left out of it."""

    title = "What is alike"

    of: Reference = need("of", NAME, "the keyword of units that count as others")
    to: Reference = need("to", NAME, "the keyword of the others")
    strike: tuple[str, ...] = key("strike", TEXTS, "words that are left out of the titles")


class SetByNameSyntax(Section):
    """The keys of a set that is made from names.

    `also_in` are units that stand for one of several others: their models `called` so are of the set, and they
    themselves are nothing that is counted as the `same unit`. With `alike` it is one set for each title that units of
    two keywords share. Once names are resolved, `units` and `models` are the ids of all that is in the set.
    """

    page = "sets_by_name"

    called: tuple[Reference, ...] = key(
        "called", NAMES, "units of these names, whichever there are, and their like among the models of `also in`"
    )
    also_in: tuple[Reference, ...] = key(
        "also in", NAMES, "units that stand for one of several, which are then no `same unit` themselves"
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
    """The key of a rule about a set whose units are not all of one entry."""

    page = "sets_by_name"

    mixed: bool = key("mixed", FLAG, "holds only while units of two entries of the set in `for each` are taken")
