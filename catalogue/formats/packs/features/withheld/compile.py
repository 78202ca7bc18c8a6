"""Compile what hides withheld units, and their rules."""

from collections.abc import Iterator

from catalogue.definitions.constraints import RuleWords
from catalogue.definitions.queries import Modifier
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard
from catalogue.formats.packs.compile.name_index import is_of_kind
from catalogue.formats.packs.compile.rules import build_rule_words
from catalogue.formats.packs.compile.shared_infos import hide_while
from catalogue.formats.packs.syntax.units import UnitSyntax


def hide_withheld_unit(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Modifier]:
    for syntax in context.pack.withheld:
        if is_of_kind(unit, syntax.of):
            yield from hide_while(build_guard(syntax.when, origin))


def build_withheld_rule_words(context: CompileContext) -> Iterator[RuleWords]:
    for syntax in context.pack.withheld:
        for category_id in context.index.find_ids(syntax.of, "type", "keyword"):
            yield build_rule_words(RuleCode.HIDDEN, syntax.text, category_id)
