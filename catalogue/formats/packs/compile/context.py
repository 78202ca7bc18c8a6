"""Hold what all compiler steps share."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from catalogue.definitions.citations import Citation
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Cost
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, Bound, Change, Guard, Modifier, Query, Repeat, Term
from catalogue.documents.problems import Problems, SourceLine
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard, build_query, build_sum
from catalogue.formats.packs.compile.name_index import NameIndex
from catalogue.formats.packs.compile.shared_infos import SharedInfos
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT, BoundSyntax, PriceSyntax, Reference, RuleText
from catalogue.formats.packs.syntax.expressions import CountExpression
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import CountRange
from catalogue.formats.packs.syntax.units import PartSyntax

OWNER_QUERY = Query()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileContext:
    """`pack` has its units and sets completed. Rules ask about the categories `counted_abilities` and the units in
    `commanders`. `derived_sets` maps sets made from names to sets of units.
    """

    pack: PackSyntax
    index: NameIndex
    infos: SharedInfos
    problems: Problems
    counts_weapons: bool = False
    counted_abilities: frozenset[str] = frozenset()
    commanders: frozenset[str] = frozenset()
    derived_sets: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)

    def get_rule_text(self, name: str) -> RuleText:
        return self.pack.texts.get(name, NO_RULE_TEXT)

    def report_doubled(self, ids: Iterable[str], what: str, where: SourceLine, place: str = "") -> None:
        for thing_id, count in Counter(ids).items():
            if count > 1:
                message = f"There are {count} things {what} with the id “{thing_id}”{place}."
                self.problems.add(where, "duplicate-id", message, "Give one of them an `id:` of its own.")

    def build_constraint(
        self,
        constraint_id: str,
        bound: Bound,
        value: Number,
        text: RuleText,
        citation: Citation,
        query: Query = OWNER_QUERY,
        when: Guard = ALWAYS,
        terms: tuple[Term, ...] = (),
    ) -> Constraint:
        """Use a rule's wording, but the given `citation` if it has one."""
        return Constraint(
            id=constraint_id,
            bound=bound,
            value=value,
            query=query,
            terms=terms,
            when=when,
            mendable=text.mendable,
            # `mendable while` is always about the list.
            room=build_guard(text.room, QueryOrigin(self.index, scope="roster", owner="roster")),
            severity=text.severity,
            rule=text.rule,
            name=text.name,
            text=text.text,
            citation=citation or text.cite,
        )

    def build_range_constraints(
        self,
        prefix: str,
        limits: CountRange,
        text: RuleText,
        citation: Citation,
        query: Query = OWNER_QUERY,
        when: Guard = ALWAYS,
    ) -> Iterator[Constraint]:
        if limits.low:
            yield self.build_constraint(f"{prefix}min", Bound.MIN, limits.low, text, citation, query, when)
        if limits.high is not None:
            yield self.build_constraint(f"{prefix}max", Bound.MAX, limits.high, text, citation, query, when)

    def build_part_limits(self, part: PartSyntax, minimum_rule: str, maximum_rule: str) -> list[Constraint]:
        low, high = part.range
        limits = []
        if low:
            text = self.get_rule_text(minimum_rule)
            limits.append(self.build_constraint(f"{part.id}#min", Bound.MIN, low, text, part.cite))
        if high is not None:
            text = self.get_rule_text(maximum_rule)
            limits.append(self.build_constraint(f"{part.id}#max", Bound.MAX, high, text, part.cite))
        return limits

    def build_bounded_constraint(
        self,
        constraint_id: str,
        bound: BoundSyntax,
        query: Query,
        text: RuleText,
        origin: QueryOrigin,
        when: Guard = ALWAYS,
        citation: Citation | None = None,
    ) -> Constraint:
        value, terms = build_sum(bound.sum, origin)
        if value < 0 and not terms:
            # The unit itself exceeds the bound. A plain negative number would mean no limit.
            terms = (Term(query=query, coefficient=0),)
        return self.build_constraint(constraint_id, bound.bound, value, text, citation or text.cite, query, when, terms)

    def build_costs(self, prices: tuple[PriceSyntax, ...], origin: QueryOrigin) -> tuple[list[Cost], list[Modifier]]:
        costs: dict[str, Number] = {}
        modifiers = []
        for syntax in prices:
            if syntax.is_plain:
                costs[syntax.cost] = syntax.price.value
            elif syntax.price.per:
                costs.setdefault(syntax.cost, 0)
                counted = CountExpression(syntax.price.per, "", syntax.where)
                modifier = self.build_repeated_modifier(syntax.cost, syntax.price.value, counted, 1, origin)
                # The unknown noun was reported. The price never grows.
                modifier = modifier or Modifier(change=Change.INCREMENT, field=syntax.cost, value="0")
                modifiers.append(msgspec.structs.replace(modifier, guard=build_guard(syntax.when, origin)))
            else:
                # Books print it as a replacement: “12, or 10 beside a ...”.
                guard = build_guard(syntax.when, origin)
                value = str(syntax.price.value)
                modifiers.append(Modifier(change=Change.SET, field=syntax.cost, value=value, guard=guard))
        return [Cost(type_id=cost_id, value=value) for cost_id, value in costs.items()], modifiers

    def build_repeated_modifier(
        self, field_id: str, value: Number, ask: CountExpression, every: Number, origin: QueryOrigin
    ) -> Modifier | None:
        """Add `value` for every `every` counted. Return None for an unknown noun."""
        query = build_query(ask, origin)
        if query is None:
            return None
        repeat = Repeat(query=query, value=every)
        return Modifier(change=Change.INCREMENT, field=field_id, value=str(value), repeats=((repeat,),))
