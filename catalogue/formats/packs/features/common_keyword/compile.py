"""Compile common keywords for packs and overlays."""

from catalogue.definitions.constraints import CommonCategory, RuleWords
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.name_index import make_keyword_id
from catalogue.formats.packs.compile.rules import build_rule_words
from catalogue.formats.packs.features.common_keyword.syntax import CommonKeywordSyntax
from catalogue.formats.packs.syntax.rules import UNITS


def build_common_keyword(common_keyword: CommonKeywordSyntax | None, context: CompileContext) -> CommonCategory | None:
    if common_keyword is None:
        return None
    return CommonCategory(
        of=tuple(make_keyword_id(keyword) for keyword in context.pack.faction_keywords),
        unshared=build_rule_words(RuleCode.NO_COMMON_CATEGORY, common_keyword.unshared),
        barred=tuple(context.index.find_ids(common_keyword.barred, "keyword")),
        barred_only=_build_barred_words(common_keyword),
    )


def build_named_common_keyword(common_keyword: CommonKeywordSyntax, context: CompileContext) -> CommonCategory:
    names = {make_keyword_id(keyword_id): keyword.name for keyword_id, keyword in context.pack.faction_keywords.items()}
    return CommonCategory(
        of=(),
        unshared=build_rule_words(RuleCode.NO_COMMON_CATEGORY, common_keyword.unshared),
        among=UNITS,
        barred=tuple(
            names[keyword] for keyword in context.index.find_ids(common_keyword.barred, "keyword") if keyword in names
        ),
        barred_only=_build_barred_words(common_keyword),
    )


def _build_barred_words(common_keyword: CommonKeywordSyntax) -> RuleWords | None:
    words = common_keyword.barred_only
    return build_rule_words(RuleCode.NO_COMMON_CATEGORY, words) if words else None
