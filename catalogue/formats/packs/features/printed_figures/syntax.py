"""Read `column:`, `abilities:`, `plus:` and `at least:` of costs."""

from catalogue.definitions.numbers import Number
from catalogue.documents.node import MappingReader
from catalogue.documents.section import NUMBER, TEXT, Section, group, key, list_keys, read_keys
from catalogue.formats.packs.syntax.base import NAMES, Reference
from catalogue.formats.packs.syntax.context import ParseContext


class DerivedCostSyntax(Section):
    """The place of a figure: a `column` of the profile, or the parameter of `abilities`.

    The result is at least `least`, after adding `plus`.
    """

    column: str = key("column", TEXT, "for a figure that units print and rules sum: the column of the profile")
    abilities: tuple[Reference, ...] = key(
        "abilities", NAMES, "for such a figure: the abilities that have it in brackets"
    )
    plus: Number = key("plus", NUMBER, "for such a figure: what is added")
    least: Number | None = key("at least", NUMBER, "for such a figure: its minimum", None)


def _read_derived(mapping: MappingReader, context: ParseContext) -> DerivedCostSyntax | None:
    derived = read_keys(DerivedCostSyntax, mapping, context)
    return derived if derived.column or derived.abilities else None


class PrintedFigureSyntax(Section):
    page = "printed_figures"

    derived: DerivedCostSyntax | None = group(_read_derived, lambda: list_keys(DerivedCostSyntax), None)
