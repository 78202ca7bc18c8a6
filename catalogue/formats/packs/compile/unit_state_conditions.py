"""Compile what no count says of a unit: whether it commands, whether the list is of its own faction."""

from catalogue.definitions.queries import ANY, ARMY, KNOWN, Condition, Guard, Operator, Query, Scope
from catalogue.formats.packs.features.commander import COMMANDER
from catalogue.formats.packs.syntax.expressions import CountComparison
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax

COMMANDING, OWN_ARMY, JOINED = "commanding", "own-army", "joined"
LESS = (Operator.AT_MOST, Operator.LESS_THAN)


def build_state_guard(test: CountComparison, unit: UnitSyntax | None, negated: bool) -> Guard | None:
    """Return the guard for a condition about the state of a unit; None for any other."""
    noun = make_id(test.ask.noun)
    # `no commanding` is read as a count of less than one.
    negated = negated != (test.operator in LESS)
    if noun == COMMANDING:
        return build_commanding_guard(negated)
    if noun == JOINED:
        return build_joined_guard(negated)
    return build_own_army_guard(unit, negated) if noun == OWN_ARMY and unit else None


def build_commanding_guard(negated: bool = False) -> Guard:
    """Return that a unit is the commander, as seen from it or from what is inside it."""
    operator = Operator.NOT_INSTANCE_OF if negated else Operator.INSTANCE_OF
    query = Query(scope=Scope.UNIT, child_id=COMMANDER)
    return Guard(conditions=(Condition(operator=operator, query=query),))


def build_joined_guard(negated: bool = False) -> Guard:
    """Return that a unit is inside another."""
    operator = Operator.LESS_THAN if negated else Operator.AT_LEAST
    around = Query(scope=Scope.ANCESTOR, child_id="unit")
    return Guard(conditions=(Condition(operator=operator, query=around, value=1),))


def build_own_army_guard(unit: UnitSyntax, negated: bool = False) -> Guard:
    """Return that the list is of a home faction of the unit; a unit without a home has no such list."""
    homes = [make_id(name.text) for name in unit.home] or [""]
    operator = Operator.LESS_THAN if negated else Operator.AT_LEAST
    return Guard(
        any_of=not negated,
        conditions=tuple(
            Condition(operator=operator, query=query_army(faction), value=1) for faction in homes
        ),
    )


def query_army(faction: str) -> Query:
    """Return whether a list is of a faction, whatever its detachments are of."""
    return Query(field=f"{ARMY}{KNOWN}{faction}", scope=Scope.ROSTER, child_id=ANY)
