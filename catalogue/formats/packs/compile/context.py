"""What every builder needs, and the constraints that the loader makes for them."""

from dataclasses import dataclass, field

from catalogue.definitions.citations import Citation
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Cost
from catalogue.definitions.numbers import Number
from catalogue.definitions.overlays import Overlay
from catalogue.definitions.queries import ALWAYS, Bound, Change, Guard, Modifier, Query, Repeat, Term
from catalogue.documents.problems import Problems
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard, build_query, build_sum
from catalogue.formats.packs.compile.name_index import NameIndex
from catalogue.formats.packs.compile.shared_infos import SharedInfos
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT, BoundSyntax, PriceSyntax, Reference, RuleText
from catalogue.formats.packs.syntax.expressions import CountExpression
from catalogue.formats.packs.syntax.game import PackSyntax

OWNER_QUERY = Query()


@dataclass(slots=True)
class CompileContext:
    """The forms, the names, the shared infos, and what was asked for while building."""

    forms: PackSyntax
    index: NameIndex
    infos: SharedInfos
    problems: Problems
    counts_weapons: bool = False
    counted_abilities: set[str] = field(default_factory=set)
    commanders: set[str] = field(default_factory=set)
    allowances: dict[str, str] = field(default_factory=dict)
    families: dict[str, tuple[Reference, ...]] = field(default_factory=dict)
    overlays: tuple[Overlay, ...] = ()

    def get_rule_text(self, name: str) -> RuleText:
        """The pack's words for a rule that the loader makes itself."""
        return self.forms.texts.get(name, NO_RULE_TEXT)

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
        """A constraint with the words of a rule. It cites where the number stands, else where the rule does."""
        return Constraint(
            id=constraint_id,
            bound=bound,
            value=value,
            query=query,
            terms=terms,
            when=when,
            mendable=text.mendable,
            room=build_guard(text.room, QueryOrigin(self.index, scope="roster", owner="roster")),
            severity=text.severity,
            rule=text.rule,
            name=text.name,
            text=text.text,
            citation=citation or text.cite,
        )

    def build_bounded_constraint(
        self,
        constraint_id: str,
        form: BoundSyntax,
        query: Query,
        text: RuleText,
        origin: QueryOrigin,
        when: Guard = ALWAYS,
        citation: Citation | None = None,
    ) -> Constraint:
        """A constraint from a bound that a pack writes."""
        value, terms = build_sum(form.sum, origin)
        if value < 0 and not terms:
            # What the unit itself brings is more than the bound already; a plain number below zero is no limit.
            terms = (Term(query=query, coefficient=0),)
        return self.build_constraint(
            constraint_id, form.bound, value, text, citation or text.cite, query, when, terms
        )

    def build_costs(
        self, prices: tuple[PriceSyntax, ...], origin: QueryOrigin
    ) -> tuple[list[Cost], list[Modifier]]:
        """Costs, and the modifiers of those that depend on something."""
        costs: dict[str, Number] = {}
        modifiers = []
        for form in prices:
            if form.price.per:
                costs.setdefault(form.cost, 0)
                modifiers.append(self._build_price_per_count(form, origin))
            elif form.when:
                guard = build_guard(form.when, origin)
                value = str(form.price.value)
                modifiers.append(Modifier(change=Change.SET, field=form.cost, value=value, guard=guard))
            else:
                costs[form.cost] = form.price.value
        return [Cost(type_id=cost_id, value=value) for cost_id, value in costs.items()], modifiers

    def build_repeated_modifier(
        self, field_id: str, value: Number, ask: CountExpression, every: Number, origin: QueryOrigin
    ) -> Modifier | None:
        """A modifier that adds `value` to a field for every so many of what is asked for."""
        query = build_query(ask, origin)
        if query is None:
            return None
        repeat = Repeat(query=query, value=every)
        return Modifier(change=Change.INCREMENT, field=field_id, value=str(value), repeats=((repeat,),))

    def _build_price_per_count(self, form: PriceSyntax, origin: QueryOrigin) -> Modifier:
        ask = CountExpression(form.price.per, "", form.where)
        modifier = self.build_repeated_modifier(form.cost, form.price.value, ask, 1, origin)
        guard = build_guard(form.when, origin)
        modifier = modifier or Modifier(change=Change.INCREMENT, field=form.cost, value="0")
        return Modifier(
            change=modifier.change,
            field=modifier.field,
            value=modifier.value,
            repeats=modifier.repeats,
            guard=guard,
        )
