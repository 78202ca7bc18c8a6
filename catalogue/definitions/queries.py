"""Queries of rules: count or sum what matches a filter in a scope."""

from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.numbers import Number


class Scope(StrEnum):
    """The named scopes. A scope may also be the id of an entry, force or category.

    The scopes from HOST on need a game plan. For a unit they are the unit that a character joins, the characters that
    join it, its transport, its passengers with their characters, and its passengers alone. For the list they are the
    selections in reserve, the selections not in reserve, the latter without passengers, and the commander.
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
    """What is counted. A field may also be the id of a cost type, whose values are summed.

    A word, `::` and an id ask for facts known before evaluation:

    - `limit` is the roster's limit of a cost type (-1 without one, and then a constraint on it does not
      bind), `agreed` whether it has one.
    - `army` is whether the list is of a faction.
    - `special` is 1 if that special rule of the mission binds the player, `mission` and `side` if those are played.
    - `planned` is a number of the plan.
    - `opponents`, `allies` and `players` count a faction's players, or all (blank id), on the other side, this side, or
      both.
    - `chosen` counts answers to a question or of one option (`chosen::question/option`): all in the roster scope, else
      those for the units there.
    - `aboard-itself` counts units that ride in themselves, even through others.
    - `held-alone` counts units in reserve whose transport is not.

    `associations` counts selections attached to the asking one by the association of that id or label.
    """

    SELECTIONS = "selections"
    FORCES = "forces"
    ASSOCIATIONS = "associations"


KNOWN = "::"
"""Separates the word from the id in a field that asks for a known fact."""

LIMIT, AGREED, ARMY = "limit", "agreed", "army"
SPECIAL, PLANNED, CHOSEN = "special", "planned", "chosen"
MISSION, SIDE, OPPONENTS, ALLIES, PLAYERS = "mission", "side", "opponents", "allies", "players"
ABOARD_ITSELF, HELD_ALONE = "aboard-itself", "held-alone"

ANY = "any"

NOTHING = "/nothing"
"""Matches no selection. A constraint that requires it is broken whenever it binds."""


class Query(Definition):
    """A count of selections or forces, or a sum of one cost type, over what matches `child_id` in `scope`.

    `child_id` is the id of an entry, link, group, category, force entry or catalogue, an `EntryType`, or `any`. None
    means the query's owner in a constraint, and nothing elsewhere.

    `deep` counts all descendants, not only children. A sum includes everything inside a match, once. `shared` counts a
    linked entry over all its links. `percent` measures against the total of `any` in the same scope; a constraint on
    `limit::<cost type>` measures the cost of its owner's members against that share of the roster's limit. `where`
    limits the count to selections for which that guard holds.
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
    query: Query
    coefficient: Number = 1


class Operator(StrEnum):
    """The last four test what something is, or its position, instead of a number.

    `before` and `after` belong in a query's `where`, and compare roster positions with the asking selection.
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
    """Conditions joined by `and` (the default) or `or`. An empty guard holds.

    `negated` inverts it. With `least`, at least that many parts must hold.
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

ORDERING = frozenset((Operator.BEFORE, Operator.AFTER))


def asks_widely(condition: Condition) -> bool:
    """Return whether the result is the same everywhere in a force, possible picks included."""
    query = condition.query
    return query.scope in WIDE and query.field != Field.ASSOCIATIONS and not _asks_for_order(condition)


def _asks_for_order(condition: Condition) -> bool:
    where = condition.query.where
    return condition.operator in ORDERING or (where is not None and _has_order(where))


def _has_order(guard: Guard) -> bool:
    return any(map(_asks_for_order, guard.conditions)) or any(map(_has_order, guard.guards))


def holds_widely(guard: Guard) -> bool:
    """Return whether the result is the same everywhere in a force, possible picks included."""
    return all(map(asks_widely, guard.conditions)) and all(map(holds_widely, guard.guards))


def needs_contents(guard: Guard) -> bool:
    """Return whether a guard can hold only while its owner contains other selections."""
    if guard.negated or guard.least:
        return False
    parts = [*map(_asks_for_contents, guard.conditions), *map(needs_contents, guard.guards)]
    return bool(parts) and (all(parts) if guard.any_of else any(parts))


def _asks_for_contents(condition: Condition) -> bool:
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

    - `floor` raises and `ceil` lowers it to the value.
    - `replace` puts the value in place of `arg` in a text.
    - `power` raises the number to the value.
    - `exponent` multiplies it by the value to the power of the number of applications.
    - `triangular` adds the value once, then twice, and so on.
    - The cumulative changes are for options whose copies get dearer. All n copies cost the mean of separate costs, with
      the value added (`cumulative-add`) or multiplied (`cumulative-power`) for each copy.
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

    `field` is `name`, `annotation` (in brackets after the name), `hidden`, `category`, `description`, `page`, or the id
    of a cost type, constraint or characteristic. Readers flatten groups of modifiers: `guard` joins all groups' guards,
    and `repeats` has one inner tuple per level, whose sums are multiplied.

    In texts, `join` separates the old text from an addition, and `arg` is the text to replace. `position` is the index
    of the number to change in a text such as `D6+3` (-1 the last, None the whole text).
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
    """A modifier that changes a profile of the bearer or other entries instead of its owner.

    It reaches the scope itself (`reaches_itself`), its direct content (`children`) or everything below (`deep`), and
    with `forces` the forces inside, limited to `entry_id`: an entry, link, group, category or type. `scope` is found
    upwards from the owner. With a `profile_type` it changes only such profiles, which never matters to a verdict.
    Otherwise it changes categories, `hidden`, names, costs and constraints of selections and possible selections.
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
    MAX = "max"
    MIN = "min"
    EXACTLY = "exactly"


BOUNDS = tuple(Bound)
"""A tuple, because iterating over an enumeration is slow."""
