"""Units that are not on offer while something is so: hidden, with the rule that they break then."""

from collections.abc import Iterator

from catalogue.definitions.constraints import RuleWords
from catalogue.definitions.queries import Modifier
from catalogue.formats.packs.compile.builtin_rule_words import HIDDEN, ruling
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.derived_unit_fields import is_of
from catalogue.formats.packs.compile.expressions import QueryOrigin, guard_of
from catalogue.formats.packs.compile.shared_infos import hidden_while
from catalogue.formats.packs.forms.units import UnitForm


def withholding(unit: UnitForm, context: CompileContext, origin: QueryOrigin) -> Iterator[Modifier]:
    """What hides a unit."""
    for form in context.forms.withheld:
        if is_of(unit, form.of):
            yield from hidden_while(guard_of(form.when, origin))


def withheld_words(context: CompileContext) -> Iterator[RuleWords]:
    """The rules broken by units that are hidden, by their type or keyword."""
    for form in context.forms.withheld:
        targets = [context.index.target(name, None, ("type", "keyword")) for name in form.of]
        yield from (ruling(HIDDEN, form.text, target.id) for target in targets if target)
