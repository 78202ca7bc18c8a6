"""What every builder needs, and the constraints that the loader makes for them."""

from dataclasses import dataclass, field

from catalogue.definitions.citations import Citation
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Cost
from catalogue.definitions.numbers import Number
from catalogue.definitions.overlays import Overlay
from catalogue.definitions.queries import ALWAYS, Bound, Change, Guard, Modifier, Query, Repeat, Term
from catalogue.formats.packs.asked import Ask
from catalogue.formats.packs.compile.expressions import QueryOrigin, guard_of, query_of, sum_of
from catalogue.formats.packs.compile.name_index import Index
from catalogue.formats.packs.compile.shared_infos import Infos
from catalogue.formats.packs.forms.base import SILENT, BoundForm, Named, PriceForm, RuleText
from catalogue.formats.packs.forms.game import Forms
from catalogue.formats.packs.problems import Problems

OWN = Query()


@dataclass(slots=True)
class CompileContext:
    """The forms, the names, the shared infos, and what was asked for while building."""

    forms: Forms
    index: Index
    infos: Infos
    problems: Problems
    counts_weapons: bool = False
    counted_abilities: set[str] = field(default_factory=set)
    commanders: set[str] = field(default_factory=set)
    allowances: dict[str, str] = field(default_factory=dict)
    families: dict[str, tuple[Named, ...]] = field(default_factory=dict)
    overlays: tuple[Overlay, ...] = ()

    def words(self, name: str) -> RuleText:
        """The pack's words for a rule that the loader makes itself."""
        return self.forms.texts.get(name, SILENT)

    def made(
        self,
        own: str,
        bound: Bound,
        value: Number,
        text: RuleText,
        cite: Citation,
        query: Query = OWN,
        when: Guard = ALWAYS,
        terms: tuple[Term, ...] = (),
    ) -> Constraint:
        """A constraint with the words of a rule. It cites where the number stands, else where the rule does."""
        return Constraint(
            id=own,
            bound=bound,
            value=value,
            query=query,
            terms=terms,
            when=when,
            mendable=text.mendable,
            room=guard_of(text.room, QueryOrigin(self.index, scope="roster", owner="roster")),
            severity=text.severity,
            rule=text.rule,
            name=text.name,
            text=text.text,
            citation=cite or text.cite,
        )

    def bounded(
        self,
        own: str,
        form: BoundForm,
        query: Query,
        text: RuleText,
        origin: QueryOrigin,
        when: Guard = ALWAYS,
        cite: Citation | None = None,
    ) -> Constraint:
        """A constraint from a bound that a pack writes."""
        value, terms = sum_of(form.sum, origin)
        if value < 0 and not terms:
            # What the unit itself brings is more than the bound already; a plain number below zero is no limit.
            terms = (Term(query=query, coefficient=0),)
        return self.made(own, form.bound, value, text, cite or text.cite, query, when, terms)

    def priced(self, prices: tuple[PriceForm, ...], origin: QueryOrigin) -> tuple[list[Cost], list[Modifier]]:
        """Costs, and the modifiers of those that depend on something."""
        costs: dict[str, Number] = {}
        modifiers = []
        for form in prices:
            if form.price.per:
                costs.setdefault(form.cost, 0)
                modifiers.append(self._per(form, origin))
            elif form.when:
                guard = guard_of(form.when, origin)
                value = str(form.price.value)
                modifiers.append(Modifier(change=Change.SET, field=form.cost, value=value, guard=guard))
            else:
                costs[form.cost] = form.price.value
        return [Cost(type_id=own, value=value) for own, value in costs.items()], modifiers

    def growing(
        self, field_id: str, value: Number, ask: Ask, every: Number, origin: QueryOrigin
    ) -> Modifier | None:
        """A modifier that adds `value` to a field for every so many of what is asked for."""
        query = query_of(ask, origin)
        if query is None:
            return None
        repeat = Repeat(query=query, value=every)
        return Modifier(change=Change.INCREMENT, field=field_id, value=str(value), repeats=((repeat,),))

    def _per(self, form: PriceForm, origin: QueryOrigin) -> Modifier:
        ask = Ask(form.price.per, "", form.where)
        modifier = self.growing(form.cost, form.price.value, ask, 1, origin)
        guard = guard_of(form.when, origin)
        made = modifier or Modifier(change=Change.INCREMENT, field=form.cost, value="0")
        return Modifier(
            change=made.change, field=made.field, value=made.value, repeats=made.repeats, guard=guard
        )
