"""Everything a rule asks of a roster: count or sum what matches a filter, inside a scope."""

from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.numbers import Number


class Scope(StrEnum):
    """The named scopes. A query's scope may also be the id of an entry, a force or a category.

    The last eight are places of the game plan, and there only where there is one: the unit that a character joins, the
    characters that join a unit, what a unit rides in, those that ride in it with the characters that join them, those
    that ride in it without them, the selections held in reserve, those on the table, the commander.
    """

    SELF = "self"
    PARENT = "parent"
    FORCE = "force"
    ROSTER = "roster"
    ANCESTOR = "ancestor"
    PRIMARY_CATALOGUE = "primary-catalogue"
    PRIMARY_CATEGORY = "primary-category"
    ROOT_ENTRY = "root-entry"
    UNIT = "unit"
    MODEL = "model"
    UPGRADE = "upgrade"
    MODEL_OR_UNIT = "model-or-unit"
    HOST = "host"
    GUESTS = "guests"
    TRANSPORT = "transport"
    PASSENGERS = "passengers"
    RIDERS = "riders"
    RESERVE = "reserve"
    TABLE = "table"
    DEPLOYED = "deployed"
    COMMANDER = "commander"


class Field(StrEnum):
    """What is counted. A query's field may also be the id of a cost type, whose values are summed.

    Words with `::` and an id ask for what is known beforehand: `limit` the roster's limit of a cost type (-1 without
    one, but a constraint on it does not bind then), `agreed` whether it has one, `army` whether it is of a faction, the
    others something of the game plan. `special` is 1 while that special rule of the mission binds the player, `mission`
    and `side` while those are played; `planned` is a number of the plan; `opponents`, `allies` and `players` count the
    other side, this one and everybody, those of one faction or (blank id) all. `chosen` counts the answers to a
    question, or those that are one option of it (`chosen::question/option`): in the roster all, in any other scope
    those given for the units there. `associations` counts the selections that are attached to the one asking, by the
    association of that id or label. `aboard-itself` counts the units that ride in themselves, perhaps by way of others;
    `held-alone` those that are held back although what they ride in is not.
    """

    SELECTIONS = "selections"
    FORCES = "forces"
    ASSOCIATIONS = "associations"


KNOWN = "::"
"""What is in the field of a query that asks for something known beforehand, between a word and an id."""

LIMIT, AGREED, ARMY = "limit", "agreed", "army"
SPECIAL, PLANNED, CHOSEN = "special", "planned", "chosen"
MISSION, SIDE, OPPONENTS, ALLIES, PLAYERS = "mission", "side", "opponents", "allies", "players"
ABOARD_ITSELF, HELD_ALONE = "aboard-itself", "held-alone"
"""The words that a query asks for something known beforehand with."""

ANY = "any"
"""The filter that every selection matches."""

NOTHING = "/nothing"
"""The filter that no selection matches: what asks for one of these is broken as long as it binds."""


class Query(Definition):
    """A count of selections or forces, or a sum of one cost type, over what matches `child_id` in `scope`.

    `child_id` is the id of an entry, link, group, category, force entry or catalogue, a type name (`unit`, `model`,
    `upgrade`, `mount`, `crew`), or `any`; None means "the definition that owns this query" for a constraint,
    and nothing else.
    `deep` counts all descendants, else direct children only; a sum takes what matches with all that is in it, and what
    is inside of a match not once more. `shared` counts a linked entry over all its links.
    `percent` measures against the total of `any` in the same scope; a constraint on the field `limit::<cost type>`
    measures what its owner's members cost against that share of the roster's limit. With `where`, only selections count
    for which that guard holds as seen from themselves.
    """

    field: str = Field.SELECTIONS
    scope: str = Scope.PARENT
    child_id: str | None = None
    shared: bool = True
    deep: bool = False
    include_child_forces: bool = False
    percent: bool = False
    where: "Guard | None" = None


class Term(Definition):
    """A coefficient times a query: one summand of a bound."""

    query: Query
    coefficient: Number = 1


class Operator(StrEnum):
    """How a condition compares. The last four ask what something is or where it comes, not how many there are.

    `before` and `after` hold, inside the `where` of a query, for a selection that comes before or after the one that
    asks, in the order of the roster.
    """

    LESS_THAN = "lessThan"
    GREATER_THAN = "greaterThan"
    EQUAL_TO = "equalTo"
    NOT_EQUAL_TO = "notEqualTo"
    AT_LEAST = "atLeast"
    AT_MOST = "atMost"
    INSTANCE_OF = "instanceOf"
    NOT_INSTANCE_OF = "notInstanceOf"
    BEFORE = "before"
    AFTER = "after"


class Condition(Definition):
    """`query operator value`."""

    operator: Operator
    query: Query
    value: Number = 0


class Guard(Definition):
    """Conditions joined by `and` (the default) or `or`; `negated`: holds where they do not. An empty guard holds.

    With `least`, it holds where at least so many of its parts do.
    """

    any_of: bool = False
    negated: bool = False
    least: int = 0
    conditions: tuple[Condition, ...] = ()
    guards: tuple["Guard", ...] = ()

    def __bool__(self) -> bool:
        return bool(self.conditions or self.guards)


ALWAYS = Guard()

WIDE = frozenset((Scope.FORCE, Scope.ROSTER, Scope.PRIMARY_CATALOGUE))
"""The scopes that are the same for all that is in one force."""

ORDERING = frozenset((Operator.BEFORE, Operator.AFTER))
"""The operators that compare with the place of whoever asks."""


def asks_widely(condition: Condition) -> bool:
    """Return whether a condition has one answer for all that is in a force, picks that could be made included."""
    query = condition.query
    return query.scope in WIDE and query.field != Field.ASSOCIATIONS and not _asks_for_order(condition)


def _asks_for_order(condition: Condition) -> bool:
    """Return whether a condition compares with the place of whoever asks, itself or in what is to be counted."""
    where = condition.query.where
    return condition.operator in ORDERING or (where is not None and _has_order(where))


def _has_order(guard: Guard) -> bool:
    return any(map(_asks_for_order, guard.conditions)) or any(map(_has_order, guard.guards))


def holds_widely(guard: Guard) -> bool:
    """Return whether a guard has one answer for all that is in a force."""
    return all(map(asks_widely, guard.conditions)) and all(map(holds_widely, guard.guards))


def needs_contents(guard: Guard) -> bool:
    """Return whether a guard of something can hold only while other selections are inside that."""
    if guard.negated or guard.least:
        return False
    parts = [*map(_asks_for_contents, guard.conditions), *map(needs_contents, guard.guards)]
    return bool(parts) and (all(parts) if guard.any_of else any(parts))


def _asks_for_contents(condition: Condition) -> bool:
    """Return whether a condition wants at least one selection inside what asks."""
    query = condition.query
    if query.scope != Scope.SELF or query.field != Field.SELECTIONS or query.percent:
        return False
    match condition.operator:
        case Operator.AT_LEAST:
            return condition.value > 0
        case Operator.GREATER_THAN:
            return condition.value >= 0
    return False


class Repeat(Definition):
    """How often a modifier applies: `query / value`, rounded, times `times`."""

    query: Query
    value: Number = 1
    times: int = 1
    round_up: bool = False


class Change(StrEnum):
    """What a modifier does to its field.

    `floor` and `ceil` raise or lower it to the value where it lies beyond; `replace` puts the value wherever `arg`
    is in a text. `power` raises the number to the value, `exponent` multiplies it by that power of the value that
    says how often the modifier applies, `triangular` adds the value once, then twice, and so on. The cumulative ones
    are for what is taken several times, each dearer than the one before: of n copies each costs the mean of what the
    first, second, ... would, with the value added (`cumulative-add`) or multiplied (`cumulative-power`) each time.
    """

    SET = "set"
    INCREMENT = "increment"
    DECREMENT = "decrement"
    APPEND = "append"
    PREPEND = "prepend"
    REPLACE = "replace"
    FLOOR = "floor"
    CEIL = "ceil"
    MULTIPLY = "multiply"
    DIVIDE = "divide"
    MODULO = "modulo"
    POWER = "power"
    EXPONENT = "exponent"
    TRIANGULAR = "triangular"
    CUMULATIVE_ADD = "cumulative-add"
    CUMULATIVE_POWER = "cumulative-power"
    ADD = "add"
    REMOVE = "remove"
    SET_PRIMARY = "set-primary"
    UNSET_PRIMARY = "unset-primary"


class Modifier(Definition):
    """A change of one field of its owner, made while `guard` holds, as often as `repeats` say.

    `field` is `name`, `annotation` (shown in brackets after the name), `hidden`, `category`, `description`, `page`,
    or the id of a cost type, constraint or characteristic. Groups of modifiers are flattened by the readers: `guard`
    joins the guards of all enclosing groups, and `repeats` has one inner tuple per level, whose sums are multiplied.

    Of texts: `join` is between the old text and what is appended or prepended; `position` names the number that
    arithmetic changes in a text such as `D6+3` (0 the first, -1 the last, None the whole text); `arg` is what is
    replaced.
    """

    change: Change
    field: str
    value: str = ""
    guard: Guard = ALWAYS
    repeats: tuple[tuple[Repeat, ...], ...] = ()
    join: str = " "
    position: int | None = None
    arg: str = ""


class Effect(Definition):
    """A modifier that changes something other than its owner: a profile of the bearer, or other entries.

    `scope` is found upwards from the owner, as in a query. From there it reaches the scope itself (`reaches_itself`),
    what is directly in it (`children`) or anywhere below (`deep`), and forces inside it where `forces` says so.
    `entry_id` limits it to what answers to that id: an entry, link, group, category or type. It changes the profiles of
    the type `profile_type`, which never matters to a verdict; where that is blank, it changes the selections and what
    could be selected there: categories, `hidden`, names, costs and constraints.
    """

    modifier: Modifier
    scope: str
    profile_type: str = ""
    reaches_itself: bool = msgspec.field(default=False, name="own")
    children: bool = False
    deep: bool = False
    forces: bool = False
    entry_id: str = ""


class Bound(StrEnum):
    """Which way a constraint binds."""

    MAX = "max"
    MIN = "min"
    EXACTLY = "exactly"


BOUNDS = tuple(Bound)
"""For loops that run for each unit: going over the members of an enumeration takes many calls."""
