"""Read New Recruit's data authors' messages, and effects on other definitions."""

from typing import NamedTuple

import msgspec

from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import (
    NOTHING,
    Bound,
    Condition,
    Effect,
    Field,
    Guard,
    Modifier,
    Operator,
    Query,
    Repeat,
    Scope,
    Term,
)
from catalogue.formats.battlescribe.source_file import Attributes
from catalogue.formats.battlescribe.xml_parser import Element

SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "info": Severity.REMARK}

_NOTHING = Query(scope=Scope.SELF, child_id=NOTHING)
_COUNTED = frozenset((Field.SELECTIONS, Field.FORCES))
_THIS = "{this}"
_PROFILES = "profiles."
_WAYS = frozenset(("self", "entries", "forces", "recursive"))


def build_message(
    element: Element, attrs: Attributes, guard: Guard, repeats: tuple[tuple[Repeat, ...], ...], owner: str
) -> Constraint:
    """Return an author's message as a constraint that is broken while `guard` holds.

    With repeats, it is broken unless they add up to zero: "as many of these as of those" subtracts the two. A guard
    that counts selections becomes the opposite bound on that count. Other messages become constraints that always fail
    and that no selection can mend.
    """
    ident = f"{owner}/message/{attrs.get('id') or element.sourceline}"
    severity, text = SEVERITIES[attrs["field"]], name_holder(attrs.get("value", ""), element)
    if len(repeats) == 1 and all(abs(repeat.times) == 1 == repeat.value for repeat in repeats[0]):
        first, *others = repeats[0]
        return Constraint(
            id=ident,
            bound=Bound.EXACTLY,
            value=0,
            query=first.query,
            terms=tuple(Term(query=other.query, coefficient=-first.times * other.times) for other in others),
            when=guard,
            severity=severity,
            text=text,
        )
    bound, value, query, when = _find_demand(guard)
    return Constraint(
        id=ident,
        bound=bound,
        value=value,
        query=query,
        when=when,
        mendable=False if query is _NOTHING else None,
        severity=severity,
        text=text,
    )


class Demand(NamedTuple):
    """The bound that avoids a message while `when` holds."""

    bound: Bound
    value: Number
    query: Query
    when: Guard


def _find_demand(guard: Guard) -> Demand:
    """Return a condition's opposite, a minimum if possible.

    Only counts of selections and forces have one, because they are whole and never negative.
    """
    demands: list[Demand] = []
    for condition in () if guard.any_of or guard.negated or guard.least else guard.conditions:
        query = condition.query
        limit = _turn_around(condition)
        if limit is None or query.field not in _COUNTED or query.percent or query.where or not query.child_id:
            continue
        others = tuple(other for other in guard.conditions if other is not condition)
        demands.append(Demand(*limit, query, msgspec.structs.replace(guard, conditions=others)))
    demands.sort(key=lambda demand: demand.bound is not Bound.MIN)
    return demands[0] if demands else Demand(Bound.MIN, 1, _NOTHING, guard)


def _turn_around(condition: Condition) -> tuple[Bound, Number] | None:
    """Return the opposite of a condition, or None if it is not a single bound."""
    value = condition.value
    if not isinstance(value, int):
        return None
    limits: dict[Operator, tuple[Bound, int]] = {
        Operator.LESS_THAN: (Bound.MIN, value),
        Operator.AT_MOST: (Bound.MIN, value + 1),
        Operator.GREATER_THAN: (Bound.MAX, value),
        Operator.AT_LEAST: (Bound.MAX, value - 1),
    }
    if condition.operator is Operator.EQUAL_TO and value == 0:
        return Bound.MIN, 1
    limit = limits.get(condition.operator)
    # A negative maximum or a minimum of zero bounds nothing.
    return limit if limit and limit[1] >= (1 if limit[0] is Bound.MIN else 0) else None


def name_holder(text: str, element: Element) -> str:
    """Replace `{this}` by the definition's name."""
    return text.replace(_THIS, find_holder(element).get("name", "")) if _THIS in text else text


def find_holder(element: Element) -> Element:
    """Return the definition around a modifier and its groups."""
    above = element.getparent()
    while above is not None and not above.get("name", ""):
        element, above = above, above.getparent()
    return element if above is None else above


def build_effect(modifier: Modifier, scope: str, affects: str) -> Effect | None:
    """Return `modifier` as an effect on the path `affects` from `scope`, or None for an unknown path.

    A path such as `self.entries.recursive.ID` consists of the steps `self`, `entries`, `forces` and `recursive`, and an
    id or type. `profiles` and the name of a type may end it.

    >>> path = "self.entries.recursive.profiles.Weapon"
    >>> effect = build_effect(Modifier(change="set", field="name", value="Sharp"), "unit", path)
    >>> effect.reaches_itself, effect.children, effect.deep, effect.profile_type
    (True, True, True, 'Weapon')
    >>> build_effect(Modifier(change="add", field="category"), "force", "self.entries.ab-1").entry_id
    'ab-1'
    """
    way, _, profile_type = f".{affects}".partition(f".{_PROFILES}")
    words = [word for word in way.split(".") if word]
    names = [word for word in words if word not in _WAYS]
    if names and names != words[-1:]:
        return None
    below = "entries" in words or "forces" in words
    return Effect(
        modifier=modifier,
        scope=scope,
        profile_type=profile_type,
        # `self.entries` includes the profiles of the bearer, but otherwise only its contents.
        reaches_itself=not below or ("self" in words and bool(profile_type)),
        children=below,
        deep="recursive" in words,
        forces="forces" in words,
        entry_id=names[0] if names else "",
    )
