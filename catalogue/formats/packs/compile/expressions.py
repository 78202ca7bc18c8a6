"""Compile conditions and sums, and list a pack's nouns."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain
from typing import Any, Protocol, TypeVar

from catalogue.definitions.base import HasId
from catalogue.definitions.entries import CARDS
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import (
    ABOARD_ITSELF,
    AGREED,
    ALLIES,
    ALWAYS,
    ANY,
    ARMY,
    CHOSEN,
    HELD_ALONE,
    KNOWN,
    LIMIT,
    MISSION,
    OPPONENTS,
    PLANNED,
    PLAYERS,
    SIDE,
    SPECIAL,
    Condition,
    Field,
    Guard,
    Operator,
    Query,
    Scope,
    Term,
)
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.compile.name_index import (
    MODELS,
    POINTS_OF_RULE,
    WEAPONS,
    NameIndex,
    get_type_id,
    list_keyword_ids,
    list_names,
    make_ability_id,
    make_keyword_id,
)
from catalogue.formats.packs.features.allowances import ALLOWANCES
from catalogue.formats.packs.features.commander import COMMANDER, COMMANDS, make_commands_id
from catalogue.formats.packs.syntax.base import Reference
from catalogue.formats.packs.syntax.expressions import (
    PLACES,
    SCOPES,
    ConditionExpression,
    CountComparison,
    CountExpression,
    SumExpression,
)
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.rules import UNITS, RuleSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax

OPPOSITE = {
    Operator.AT_LEAST: Operator.LESS_THAN,
    Operator.AT_MOST: Operator.GREATER_THAN,
    Operator.LESS_THAN: Operator.AT_LEAST,
    Operator.GREATER_THAN: Operator.AT_MOST,
    Operator.EQUAL_TO: Operator.NOT_EQUAL_TO,
    Operator.NOT_EQUAL_TO: Operator.EQUAL_TO,
}
PLURALS = {"model": MODELS, "weapon": WEAPONS, "unit": UNITS, "card": CARDS}
POINTS_WORD = re.compile(rf"\b{POINTS_OF_RULE}\b")
SAME_UNIT = "same-unit"


ARMY_OF = "army of "


class HasName(HasId, Protocol):
    @property
    def name(self) -> str: ...


Named = TypeVar("Named", bound=HasName)


@dataclass(frozen=True, slots=True)
class QueryOrigin:
    """The unit from which a query counts, and the owner of the rule (unit, model, part, detachment or roster).

    `each_name` replaces “each” in a rule for several things. The unit carries `weapons` outside of its selections.
    """

    index: NameIndex
    scope: str
    owner: str
    unit: UnitSyntax | None = None
    each_name: str = ""
    weapons: int = 0

    def replace_owner(self, owner: str) -> "QueryOrigin":
        return replace(self, owner=owner)

    def replace_each(self, noun: str) -> str:
        return POINTS_WORD.sub(lambda _: self.each_name, noun) if self.each_name else noun


def build_query(ask: CountExpression, origin: QueryOrigin) -> Query | None:
    """Report an unknown noun."""
    scope, index = _resolve_scope(ask, origin), origin.index
    noun = origin.replace_each(ask.noun)
    query = _build_general_query(noun, scope, origin)
    if query is not None:
        return query

    if noun.startswith(ARMY_OF):
        faction_id = index.find_id(Reference(noun.removeprefix(ARMY_OF), ask.where), "faction")
        return query_army(faction_id) if faction_id else None
    if noun.endswith(f" {COMMANDS}"):
        unit_id = index.find_id(Reference(noun.removesuffix(f" {COMMANDS}"), ask.where), "unit")
        return Query(scope=Scope.ROSTER, child_id=make_commands_id(unit_id), deep=True) if unit_id else None
    word, _, rest = noun.partition(" ")
    if word in ALLOWANCES and rest:
        slot_id = index.find_id(Reference(rest, ask.where), "type", "unit")
        return Query(field=ALLOWANCES[word](slot_id), scope=scope, child_id=ANY, deep=True) if slot_id else None

    query_of_value = build_known_query(noun, scope, index.pack)
    return query_of_value or _query_name(Reference(noun, ask.where), scope, origin)


def _build_general_query(noun: str, scope: str, origin: QueryOrigin) -> Query | None:
    folded = PLURALS.get(make_id(noun), make_id(noun))
    queries = {
        MODELS: Query(field=MODELS, scope=scope, child_id=ANY, deep=True),
        WEAPONS: Query(field=WEAPONS, scope=scope, child_id=ANY, deep=True),
        UNITS: Query(scope=scope, child_id=UNITS, deep=_is_deep(scope)),
        "separate-units": Query(scope=scope, child_id="unit", deep=True),
        CARDS: Query(scope=scope, child_id=CARDS, deep=True),
        "copies": Query(),
        "detachments": Query(field=Field.FORCES, scope=Scope.ROSTER, child_id=ANY, deep=True),
    }
    if origin.unit:
        queries[SAME_UNIT] = Query(scope=scope, child_id=origin.unit.id, deep=True)
    return queries.get(folded)


def _is_deep(scope: str) -> bool:
    return scope not in (Scope.FORCE, Scope.ROSTER)


def _query_name(named: Reference, scope: str, origin: QueryOrigin) -> Query | None:
    target = origin.index.find_target(named, origin.unit)
    if target is None:
        return None
    match target.kind:
        case "cost":
            return Query(field=target.id, scope=scope, child_id=ANY, deep=True)
        case "detachment":
            return Query(field=Field.FORCES, scope=Scope.ROSTER, child_id=target.id, deep=True)
        case "type" if target.id not in origin.index.pack.addon_types:
            # Units of a type are on their own in a list, but add-ons and keywords may be inside selections.
            return Query(scope=scope, child_id=target.id, deep=_is_deep(scope))
    return Query(scope=scope, child_id=target.id, deep=True)


SCOPE_WORDS: Mapping[str, Scope] = {
    "unit": Scope.UNIT,
    "model": Scope.MODEL,
    "detachment": Scope.FORCE,
    **dict.fromkeys(("roster", "list", "force"), Scope.ROSTER),
    **{place: Scope(place) for place in PLACES},
}


def _resolve_scope(ask: CountExpression, origin: QueryOrigin) -> str:
    word = ask.scope or origin.scope
    if word == origin.owner and word in ("unit", "model"):
        return Scope.SELF
    if word not in SCOPE_WORDS:
        mend = suggest_names(word, SCOPES)
        origin.index.problems.add(ask.where, "unknown-scope", f"Nothing is counted in “{word}”.", mend)
    return SCOPE_WORDS.get(word, Scope.ROSTER)


def build_guard(when: ConditionExpression | None, origin: QueryOrigin, negated: bool = False) -> Guard:
    if when is None:
        return ALWAYS
    if isinstance(when, CountComparison):
        state_guard = build_state_guard(when, origin.unit, negated)
        query = None if state_guard else build_query(when.ask, origin)
        if query is None:
            return state_guard or ALWAYS
        operator = OPPOSITE[when.operator] if negated else when.operator
        value = when.value - count_unseen(query, origin)
        condition = Condition(operator=operator, query=query, value=value)
        if not query.field.startswith(LIMIT + KNOWN):
            return Guard(conditions=(condition,))
        # Without a limit any rule about it holds. The engine would compare with -1.
        field = AGREED + KNOWN + query.field.removeprefix(LIMIT + KNOWN)
        agreed = Query(field=field, scope=query.scope, child_id=query.child_id)
        is_agreed = Condition(operator=Operator.AT_LEAST, query=agreed, value=1)
        return Guard(conditions=(is_agreed, condition))

    inside = negated != when.negated
    conditions: list[Condition] = []
    guards: list[Guard] = []
    for part in filter(None, (build_guard(part, origin, inside) for part in when.parts)):
        if len(part.conditions) == 1 and not part.guards:
            conditions += part.conditions
        else:
            guards.append(part)
    # Negation turns “all” into “any” of the opposites. A single part is always “all”, so that equal guards are equal
    # values.
    is_choice = when.any_of != inside and len(conditions) + len(guards) > 1
    return Guard(any_of=is_choice, conditions=tuple(conditions), guards=tuple(guards))


def count_unseen(query: Query, origin: QueryOrigin) -> int:
    """Return what the unit itself adds to a count of its contents."""
    unit = origin.unit
    if query.scope not in (Scope.SELF, Scope.UNIT) or unit is None:
        return 0
    if query.field == WEAPONS:
        return origin.weapons
    cost = origin.index.pack.costs.get(query.field)
    if cost is not None:
        # A figure printed on the unit itself. Prices are counted elsewhere.
        if not cost.derived or origin.owner != "unit":
            return 0
        return int(sum(price.price.value for price in unit.prices if price.cost == query.field))

    # The engine counts selections inside a scope, never its owner. A guest's unit is its host, so it counts itself only
    # as a model.
    is_guest = get_type_id(unit) in origin.index.pack.addon_types
    is_about_itself = origin.owner == ("model" if is_guest else "unit")
    is_about_unit = is_about_itself if query.scope == Scope.SELF else not is_guest
    return int(is_about_unit and query.child_id in list_own_categories(unit))


def list_own_categories(syntax: UnitSyntax | PartSyntax) -> set[str]:
    keywords = {make_keyword_id(keyword) for keyword in list_keyword_ids(syntax)}
    return keywords | {make_ability_id(make_id(use.name.text)) for use in syntax.abilities}


def build_sum(expression: SumExpression, origin: QueryOrigin) -> tuple[Number, tuple[Term, ...]]:
    constant, terms = expression.constant, []
    for summand in expression.summands:
        query = build_query(summand.ask, origin)
        if query is not None:
            constant += summand.coefficient * count_unseen(query, origin)
            terms.append(Term(query=query, coefficient=summand.coefficient))
    return constant, tuple(terms)


def require_entry(entry_id: str, scope: Scope, count: int = 1) -> Guard:
    query = Query(scope=scope, child_id=entry_id, deep=True)
    return Guard(conditions=(Condition(operator=Operator.AT_LEAST, query=query, value=count),))


# ---- what is known beforehand: limits, and all that the game plan says ----------------------------------------------


def build_known_query(noun: str, scope: str, pack: PackSyntax) -> Query | None:
    """Query a limit or plan value; None for other nouns."""
    field = _find_field(noun, pack)
    if field is None:
        return None
    # Only answers can differ between units.
    place = scope if field.startswith(CHOSEN + KNOWN) else Scope.ROSTER
    return Query(field=field, scope=place, child_id=ANY)


def _find_field(noun: str, pack: PackSyntax) -> str | None:
    if make_id(noun) in (ABOARD_ITSELF, HELD_ALONE):
        return f"{make_id(noun)}{KNOWN}"

    cost_id = make_id(noun.removesuffix(" limit"))
    if noun.endswith(" limit") and cost_id in pack.costs:
        return f"{LIMIT}{KNOWN}{cost_id}"
    first, _, rest = noun.partition(" ")
    agreed_id = make_id(rest.removesuffix(" limit"))
    if first == AGREED and agreed_id in pack.costs:
        return f"{AGREED}{KNOWN}{agreed_id}"

    if first == "planned":
        return f"{PLANNED}{KNOWN}{make_id(rest)}" if rest else None
    if first == "chosen":
        return _find_answer_field(rest, pack)
    if first in (OPPONENTS, ALLIES, PLAYERS):
        return _find_players_field(first, rest, pack)
    ids: Mapping[str, str] = {}
    if first == SPECIAL:
        ids = {special.id: special.id for special in pack.specials}
    elif first == MISSION:
        ids = collect_by_name(pack.missions)
    elif first == SIDE:
        ids = collect_by_name(chain.from_iterable(mission.sides for mission in pack.missions))
    thing_id = ids.get(make_id(rest))
    return f"{first}{KNOWN}{thing_id}" if thing_id else None


def collect_by_name(constructs: Iterable[Named]) -> dict[str, str]:
    constructs = list(constructs)
    by_name = {make_id(construct.name): construct.id for construct in constructs}
    return by_name | {construct.id: construct.id for construct in constructs}


def _find_answer_field(words: str, pack: PackSyntax) -> str | None:
    """Read `chosen aims` (how many answers) or `chosen raid as aims` (how many of one)."""
    answer_name, _, question_name = words.rpartition(" as ")
    question = _find_called(question_name, pack.plan.questions)
    if question is None:
        return None
    if not answer_name:
        return f"{CHOSEN}{KNOWN}{question.id}"
    answer = _find_called(answer_name, question.answers)
    return f"{CHOSEN}{KNOWN}{question.id}/{answer.id}" if answer else None


def _find_called(name: str, constructs: Iterable[Named]) -> Named | None:
    wanted_id = make_id(name)
    for construct in constructs:
        if wanted_id in (construct.id, make_id(construct.name)):
            return construct
    return None


def _find_players_field(first: str, rest: str, pack: PackSyntax) -> str | None:
    """Read `players`, `players of a faction`, and the same for `opponents` and `allies`."""
    if not rest:
        return f"{first}{KNOWN}"
    name = make_id(rest.removeprefix("of "))
    for faction in pack.factions.values():
        if name in list_names(faction):
            return f"{first}{KNOWN}{faction.id}"
    return None


# ---- what no count says of a unit -----------------------------------------------------------------------------------


COMMANDING, OWN_ARMY, JOINED = "commanding", "own-army", "joined"
LESS = (Operator.AT_MOST, Operator.LESS_THAN)


def build_state_guard(test: CountComparison, unit: UnitSyntax | None, negated: bool) -> Guard | None:
    """Return None for other nouns."""
    noun = make_id(test.ask.noun)
    negated = negated != (test.operator in LESS)
    if noun == COMMANDING:
        return build_commanding_guard(negated)
    if noun == JOINED:
        return build_joined_guard(negated)
    return build_own_army_guard(unit, negated) if noun == OWN_ARMY and unit else None


def build_commanding_guard(negated: bool = False) -> Guard:
    """Check whether a unit commands, even from inside the unit."""
    operator = Operator.NOT_INSTANCE_OF if negated else Operator.INSTANCE_OF
    query = Query(scope=Scope.UNIT, child_id=COMMANDER)
    return Guard(conditions=(Condition(operator=operator, query=query),))


def build_joined_guard(negated: bool = False) -> Guard:
    operator = Operator.LESS_THAN if negated else Operator.AT_LEAST
    around = Query(scope=Scope.ANCESTOR, child_id="unit")
    return Guard(conditions=(Condition(operator=operator, query=around, value=1),))


def build_own_army_guard(unit: UnitSyntax, negated: bool = False) -> Guard:
    """Check whether the list's faction is a home of the unit."""
    homes = [make_id(name.text) for name in unit.home] or [""]
    operator = Operator.LESS_THAN if negated else Operator.AT_LEAST
    return Guard(
        any_of=not negated,
        conditions=tuple(Condition(operator=operator, query=query_army(faction), value=1) for faction in homes),
    )


def query_army(faction: str) -> Query:
    """Check the list's faction, whatever its detachments' factions."""
    return Query(field=f"{ARMY}{KNOWN}{faction}", scope=Scope.ROSTER, child_id=ANY)


# ---- what a pack asks about at all ----------------------------------------------------------------------------------


def is_asking_plan(construct: Any, origin: QueryOrigin) -> bool:
    for ask in walk_questions(construct):
        if ask.scope in PLACES:
            return True
        query = build_known_query(origin.replace_each(ask.noun), "", origin.index.pack)
        if query is not None and not query.field.startswith((LIMIT, AGREED)):
            return True
    return False


def walk_nouns(construct: Any) -> Iterator[str]:
    if isinstance(construct, RuleSyntax) and construct.for_each:
        inside = list(walk_nouns(replace(construct, for_each=())))
        for name in construct.for_each:
            for noun in inside:
                yield POINTS_WORD.sub(make_id(name.text), noun)
    elif isinstance(construct, CountExpression):
        yield PLURALS.get(make_id(construct.noun), make_id(construct.noun))
    else:
        for value in list_values(construct):
            yield from walk_nouns(value)


def walk_questions(construct: Any) -> Iterator[CountExpression]:
    if isinstance(construct, CountExpression):
        yield construct
    else:
        for value in list_values(construct):
            yield from walk_questions(value)


def list_values(construct: Any) -> Iterable[Any]:
    if is_dataclass(construct):
        return [getattr(construct, field.name) for field in fields(construct)]
    if isinstance(construct, dict):
        return construct.values()
    return construct if isinstance(construct, (list, tuple)) else ()
