"""Read `common keyword:` of detachments, packs and overlays."""

from catalogue.documents.section import Section, key, need
from catalogue.formats.packs.syntax.base import NAMES, RULE, NamedSyntax, Reference, RuleText
from catalogue.formats.packs.syntax.declarations import DECLARED_NAMES


class CommonKeywordSyntax(Section):
    """A faction keyword that all units share, except `barred` keywords."""

    title = "The common keyword"

    unshared: RuleText = need("none shared", RULE, "broken where they share nothing")
    barred: tuple[Reference, ...] = key("barred", NAMES, "keywords too broad to count")
    barred_only: RuleText | None = key("barred shared", RULE, "broken where they share only those", None)


class FactionKeywordsSyntax(Section):
    page = "common_keyword"

    faction_keywords: tuple[NamedSyntax, ...] = key(
        "faction keywords", DECLARED_NAMES, "those that say to which factions a unit belongs; any file may add some"
    )
