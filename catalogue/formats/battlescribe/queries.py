"""Read conditions, repeats and constraints."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

import msgspec

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import NO_LIMIT, EntryType
from catalogue.definitions.queries import (
    ALWAYS,
    ANY,
    Bound,
    Condition,
    Field,
    Guard,
    Operator,
    Query,
    Repeat,
    Scope,
    Term,
)
from catalogue.formats.battlescribe.attributes import (
    MOST_DIGITS,
    KnownAttributes,
    read_attributes,
    read_flag,
    read_number,
)
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.newrecruit import name_holder
from catalogue.formats.battlescribe.source_file import Attributes, ReferenceKind, SourceFile, check_leaf, local_name
from catalogue.formats.battlescribe.xml_parser import Element

_QUERY = "field scope value percentValue shared includeChildSelections includeChildForces childId childName id"
"""`childName` only repeats the name of `childId` for readers."""
_CONDITION = KnownAttributes(f"{_QUERY} type")
_REPEAT = KnownAttributes(f"{_QUERY} repeats roundUp")
_CONSTRAINT = KnownAttributes(f"{_QUERY} type negative message automatic")
_GROUP = KnownAttributes("type min id")
_LOCAL = KnownAttributes(f"{_QUERY} type repeats roundUp")

# Enum lookups take ten times as long, and there are tens of thousands of queries.
_SELF, _PARENT = Scope.SELF, Scope.PARENT
_TO_SCOPE, _TO_CHILD, _TO_COST = ReferenceKind.SCOPE, ReferenceKind.CHILD, ReferenceKind.COST

_SCOPES = frozenset(Scope)
_CHILDREN = frozenset(EntryType) | {ANY, "roster", "force"}
_FIELDS = frozenset(Field)
_OPERATORS = {operator.value: operator for operator in Operator}
_BOUNDS = {bound.value: bound for bound in Bound}
_ANYTHING = Query(scope=Scope.ROSTER, child_id=ANY)
_ALWAYS = "always"
_SETTLED = {
    _ALWAYS: Condition(operator=Operator.AT_LEAST, query=_ANYTHING, value=0),
    "never": Condition(operator=Operator.LESS_THAN, query=_ANYTHING, value=0),
}
"""New Recruit's conditions that always or never hold."""
LIMIT = "limit::"
"""The prefix of a field for a roster's limit of a cost instead of the sum."""


class UnknownMeaningError(Exception):
    """A condition of unknown meaning. Everything under it must be left out."""


Filtered = TypeVar("Filtered", Condition, Repeat)


def read_condition(element: Element, file: SourceFile, owner: str) -> Condition:
    """Raise UnknownMeaningError for an unknown condition."""
    # Authors hide hints for BattleScribe with conditions on the program, which only the comment names.
    for child in element if len(element) else ():
        if local_name(child.tag) == "comment" and _PROGRAM in (child.text or "").casefold():
            return _SETTLED[_ALWAYS]
    return _read_once(element, "condition", _build_condition, file, owner)


_PROGRAM = "app: newrecruit"


def read_repeat(element: Element, file: SourceFile, owner: str) -> Repeat:
    """Raise UnknownMeaningError for an unknown repeat."""
    return _read_once(element, "repeat", _build_repeat, file, owner)


def _read_once(element: Element, tag: str, build: Callable[..., Filtered], file: SourceFile, owner: str) -> Filtered:
    key = (tag, *element.items())
    value: Filtered | None = file.memo.get(key)
    if value is None:
        _expect_tag(element, tag)
        value = build(element, file, owner)
        file.memo[key] = value
    # Equal conditions share a value, but each place has its own references.
    _register_references(value.query, element, file, owner)
    if len(element):
        check_leaf(element, file, owner)
    return value


def _build_condition(element: Element, file: SourceFile, owner: str) -> Condition:
    attrs = read_attributes(element, _CONDITION, file, owner)
    operator = attrs.get("type", "")
    if operator in _SETTLED:
        return _SETTLED[operator]
    if operator not in _OPERATORS:
        raise UnknownMeaningError(f"condition type={operator!r}")
    return Condition(
        operator=_OPERATORS[operator],
        query=_build_query(attrs, element, file, _SELF),
        value=read_number(attrs, "value", 0, element, file),
    )


def _build_repeat(element: Element, file: SourceFile, owner: str) -> Repeat:
    attrs = read_attributes(element, _REPEAT, file, owner)
    return Repeat(
        query=_build_query(attrs, element, file, _SELF),
        value=read_number(attrs, "value", 1, element, file),
        times=int(read_number(attrs, "repeats", 1, element, file)),
        round_up=read_flag(attrs, "roundUp", False, element, file),
    )


def read_constraint(element: Element, file: SourceFile, owner: str) -> Constraint | None:
    """Return None for an unknown type, which is reported."""
    attrs = read_attributes(element, _CONSTRAINT, file, owner)
    if len(element):
        check_leaf(element, file, owner)
    ident = attrs.get("id", "")
    file.other_ids.add(ident)
    bound = attrs.get("type", "")
    if bound not in _BOUNDS:
        file.report_oddity(FindingKind.UNKNOWN_VALUE, f"constraint type={bound!r}", element, owner)
        return None
    query = _build_query(attrs, element, file, _PARENT)
    _register_references(query, element, file, owner)
    # Without a value it binds only once a modifier sets one.
    value = read_number(attrs, "value", NO_LIMIT, element, file)
    terms: tuple[Term, ...] = ()
    if read_flag(attrs, "negative", False, element, file):
        terms = (Term(query=query, coefficient=0),)  # a bound with terms applies even below zero
    return Constraint(
        id=ident,
        bound=_BOUNDS[bound],
        value=value,
        query=query,
        terms=terms,
        automatic=read_flag(attrs, "automatic", False, element, file),
        text=name_holder(attrs.get("message", ""), element),
    )


def _build_query(attrs: Attributes, element: Element, file: SourceFile, scope: Scope) -> Query:
    key = (scope, *map(attrs.get, _QUERY_PARTS))
    query: Query | None = file.memo.get(key)
    if query is None:
        is_roster_wide = attrs.get("scope") == Scope.ROSTER
        query = Query(
            field=attrs.get("field") or Field.SELECTIONS,
            scope=attrs.get("scope") or scope,
            child_id=attrs.get("childId") or None,
            shared=read_flag(attrs, "shared", True, element, file),
            deep=read_flag(attrs, "includeChildSelections", False, element, file),
            # New Recruit omits this flag and then counts in all forces of a roster.
            include_child_forces=read_flag(attrs, "includeChildForces", is_roster_wide, element, file),
            percent=read_flag(attrs, "percentValue", False, element, file),
        )
        file.memo[key] = query
    return query


_QUERY_PARTS = ("field", "scope", "childId", "shared", "includeChildSelections", "includeChildForces", "percentValue")


def _register_references(query: Query, element: Element, file: SourceFile, owner: str) -> None:
    if query.scope not in _SCOPES:
        file.register_reference(_TO_SCOPE, query.scope, element, owner)
    if query.child_id is not None and query.child_id not in _CHILDREN:
        file.register_reference(_TO_CHILD, query.child_id, element, owner)
    if query.field not in _FIELDS:
        file.register_reference(_TO_COST, query.field.removeprefix(LIMIT), element, owner)


class Joining(NamedTuple):
    """Joins all, any or at least `least` conditions, perhaps negated."""

    any_of: bool = False
    negated: bool = False
    least: int = 0


_JOINED = {"and": Joining(), "or": Joining(any_of=True), "not": Joining(negated=True)}
_COUNTED = "count"


def parse_joining(joined: str, least: str = "") -> Joining:
    """Raise UnknownMeaningError for an unknown type."""
    if joined == _COUNTED and least.isdecimal() and len(least) <= MOST_DIGITS:
        return Joining(least=int(least))
    if joined not in _JOINED:
        raise UnknownMeaningError(f"conditions joined by {joined!r}")
    return _JOINED[joined]


def read_guard(containers: Iterable[Element], joining: Joining, file: SourceFile, owner: str) -> Guard:
    """Join all conditions. Raises UnknownMeaningError for an unknown one."""
    conditions: list[Condition] = []
    guards: list[Guard] = []
    for container in containers:
        name = local_name(container.tag)
        if name == "conditions":
            conditions += [read_condition(child, file, owner) for child in container]
        elif name == "conditionGroups":
            guards += filter(None, [_read_condition_group(child, file, owner) for child in container])
        elif name == "localConditionGroups":
            local = [child for child in container if not is_local_repeat(child)]
            conditions += [_read_local_condition(child, file, owner) for child in local]

    if not conditions and not guards:
        return ALWAYS
    if not conditions and len(guards) == 1 and joining in (_JOINED["and"], _JOINED["or"]):
        return guards[0]
    return Guard(
        any_of=joining.any_of,
        negated=joining.negated,
        least=joining.least,
        conditions=tuple(conditions),
        guards=tuple(guards),
    )


def _read_condition_group(element: Element, file: SourceFile, owner: str) -> Guard:
    _expect_tag(element, "conditionGroup")
    attrs = read_attributes(element, _GROUP, file, owner)
    joined = attrs.get("type", "and")
    file.enter_element(element)
    guard = read_guard(element, parse_joining(joined, attrs.get("min", "")), file, owner)
    file.depth -= 1
    if not guard:
        file.report_oddity(FindingKind.EMPTY_CONDITIONS, joined, element, owner)
    return guard


def _read_local_condition(element: Element, file: SourceFile, owner: str) -> Condition:
    attrs = read_attributes(element, _LOCAL, file, owner)
    operator = attrs.get("type", "")
    if operator not in _OPERATORS:
        raise UnknownMeaningError(f"localConditionGroup type={operator!r}")
    return Condition(
        operator=_OPERATORS[operator],
        query=_read_local_query(attrs, element, file, owner),
        value=read_number(attrs, "value", 1, element, file),
    )


def is_local_repeat(element: Element) -> bool:
    return element.get("type", "") == _ALWAYS


def read_local_repeat(element: Element, file: SourceFile, owner: str) -> Repeat:
    """Negative `repeats` subtract."""
    attrs = read_attributes(element, _LOCAL, file, owner)
    return Repeat(
        query=_read_local_query(attrs, element, file, owner),
        value=read_number(attrs, "value", 1, element, file),
        times=int(read_number(attrs, "repeats", 1, element, file)),
        round_up=read_flag(attrs, "roundUp", False, element, file),
    )


def _read_local_query(attrs: Attributes, element: Element, file: SourceFile, owner: str) -> Query:
    _expect_tag(element, "localConditionGroup")
    query = _build_query({"childId": ANY} | attrs, element, file, _PARENT)
    _register_references(query, element, file, owner)
    file.enter_element(element)
    where = read_guard(element, _JOINED["and"], file, owner)
    file.depth -= 1
    return msgspec.structs.replace(query, where=where)


def _expect_tag(element: Element, tag: str) -> None:
    if local_name(element.tag) != tag:
        raise UnknownMeaningError(f"<{local_name(element.tag)}>")


def combine_guards(outer: Guard, inner: Guard) -> Guard:
    if not outer or not inner:
        return outer or inner
    conditions: list[Condition] = []
    inside: list[Guard] = []
    joined: list[Guard] = []
    for guard in (outer, inner):
        if guard.any_of or guard.negated or guard.least:
            joined.append(guard)
        else:
            conditions += guard.conditions
            inside += guard.guards
    return Guard(conditions=tuple(conditions), guards=(*inside, *joined))
