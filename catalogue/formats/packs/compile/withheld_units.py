"""Units that are not on offer while something is so: hidden, with the rule that they break then."""

from collections.abc import Iterator

from catalogue.definitions.constraints import RuleWords
from catalogue.definitions.queries import Modifier
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.compile.builtin_rule_words import build_rule_words
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.derived_unit_fields import is_of_kind
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard
from catalogue.formats.packs.compile.shared_infos import hide_while
from catalogue.formats.packs.syntax.units import UnitSyntax


def hide_withheld_unit(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Modifier]:
    """Yield what hides a unit."""
    for form in context.forms.withheld:
        if is_of_kind(unit, form.of):
            yield from hide_while(build_guard(form.when, origin))


def build_withheld_rule_words(context: CompileContext) -> Iterator[RuleWords]:
    """Yield the rules broken by units that are hidden, by their type or keyword."""
    for form in context.forms.withheld:
        targets = [context.index.find_target(name, None, ("type", "keyword")) for name in form.of]
        yield from (build_rule_words(RuleCode.HIDDEN, form.text, target.id) for target in targets if target)
