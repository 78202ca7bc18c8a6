"""Read `common keyword:` of detachments, packs and overlays."""

from catalogue.documents.section import Section, key, need
from catalogue.formats.packs.syntax.base import NAMES, RULE, NamedSyntax, Reference, RuleText
from catalogue.formats.packs.syntax.declarations import DECLARED_NAMES


class CommonKeywordSyntax(Section):
    """A faction keyword that all units share, except `barred` keywords."""

    title = "The common keyword"

    unshared: RuleText = need("none shared", RULE, "broken if they share none")
    barred: tuple[Reference, ...] = key("barred", NAMES, "keywords too broad to count")
    barred_only: RuleText | None = key(
        "barred shared", RULE, "broken if they share only keywords that are too broad", None
    )


class FactionKeywordsSyntax(Section):
    page = "common_keyword"

    faction_keywords: tuple[NamedSyntax, ...] = key(
        "faction keywords", DECLARED_NAMES, "the keywords that name a unit's factions; any file may add more"
    )
