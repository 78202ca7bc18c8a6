"""`common keyword:` of a detachment, of the whole pack or of an overlay: what all units have to share."""

from catalogue.documents.section import Section, key, need
from catalogue.formats.packs.syntax.base import NAMES, RULE, NamedSyntax, Reference, RuleText
from catalogue.formats.packs.syntax.declarations import DECLARED_NAMES


class CommonKeywordSyntax(Section):
    """What all units have to share: a faction keyword, one that is not among those barred."""

    title = "The common keyword"

    unshared: RuleText = need("none shared", RULE, "broken where they share nothing")
    barred: tuple[Reference, ...] = key("barred", NAMES, "keywords too broad to count")
    barred_only: RuleText | None = key("barred shared", RULE, "broken where they share only those", None)


class FactionKeywordsSyntax(Section):
    """The key of any file that declares faction keywords."""

    page = "common_keyword"

    faction_keywords: tuple[NamedSyntax, ...] = key(
        "faction keywords", DECLARED_NAMES, "those that say to which factions a unit belongs; any file may add some"
    )
