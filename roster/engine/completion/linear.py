"""Integer models as values: variables, linear expressions, and rows that hold while literals do. Solves nothing."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from catalogue.definitions.numbers import Number

Exact = int | Fraction

MOST = 9999
"""The largest number of anything that a model considers: no edit makes more of one selection."""


def to_exact(number: Number | Fraction) -> Exact:
    """Return a number that loses nothing when it is divided.

    >>> to_exact(7), to_exact(Fraction(1, 2))
    (7, Fraction(1, 2))
    """
    return number if isinstance(number, int) else Fraction(number)


class Literal(NamedTuple):
    """A variable between 0 and 1 read as a statement, or its opposite."""

    variable: int
    negated: bool = False

    def negate(self) -> "Literal":
        return Literal(self.variable, not self.negated)


Truth = bool | Literal | None
"""Whether something holds: for certain, as a literal says, or (None) nobody knows."""


def negate(truth: Truth) -> Truth:
    """Return the opposite; of what nobody knows, nobody knows it."""
    if isinstance(truth, Literal):
        return truth.negate()
    return None if truth is None else not truth


class Linear:
    """A constant plus coefficients times variables. Immutable."""

    __slots__ = ("constant", "terms")

    def __init__(self, constant: Exact = 0, terms: dict[int, Exact] | None = None) -> None:
        self.constant = constant
        self.terms = terms or {}

    @property
    def is_constant(self) -> bool:
        return not self.terms

    @property
    def is_nothing(self) -> bool:
        """Whether it is zero whatever the variables are."""
        return self.is_constant and not self.constant

    def __add__(self, other: "Linear | Exact") -> "Linear":
        if not isinstance(other, Linear):
            return Linear(self.constant + other, self.terms)
        if not other.terms:
            return Linear(self.constant + other.constant, self.terms)
        return add_all((self, other))

    def __sub__(self, other: "Linear | Exact") -> "Linear":
        return self + (other * -1 if isinstance(other, Linear) else -other)

    def __mul__(self, factor: Exact) -> "Linear":
        if not factor:
            return ZERO
        if factor == 1:
            return self
        return Linear(self.constant * factor, {v: c * factor for v, c in self.terms.items()})

    def __repr__(self) -> str:
        return " + ".join([str(self.constant), *(f"{c}*x{v}" for v, c in self.terms.items())])


ZERO = Linear()


def add_all(parts: Iterable[Linear]) -> Linear:
    """Return the sum of many expressions, at the price of one."""
    constant: Exact = 0
    terms: dict[int, Exact] = {}
    is_twofold = False
    for part in parts:
        constant += part.constant
        for variable, coefficient in part.terms.items():
            if variable in terms:
                is_twofold = True
                terms[variable] += coefficient
            else:
                terms[variable] = coefficient
    # Only what is added to something can come to nothing.
    return Linear(constant, {v: c for v, c in terms.items() if c} if is_twofold else terms)


def add_known(parts: Sequence[Linear | None]) -> Linear | None:
    """Return the sum of expressions; None where nobody knows one of them."""
    known = collect_known(parts)
    return None if known is None else add_all(known)


def collect_known(parts: Sequence[Linear | None]) -> list[Linear] | None:
    """Return all of several expressions; None where nobody knows one of them."""
    known = [part for part in parts if part is not None]
    return known if len(known) == len(parts) else None


def find_known(parts: Iterable[Linear | None]) -> Linear | None:
    """Return the first of several expressions that somebody knows."""
    return next((part for part in parts if part is not None), None)


class Row(NamedTuple):
    """`lower <= sum of terms <= upper` in whole numbers, where all literals hold; a missing side is None.

    `label` says which rule it stands for; rows without one describe what a list is.
    """

    terms: tuple[tuple[int, int], ...]
    lower: int | None
    upper: int | None
    literals: tuple[Literal, ...] = ()
    label: Hashable = None


def _is_within(span: tuple[Exact, Exact], lower: Exact | None, upper: Exact | None) -> bool:
    """Return whether all from the least to the most is between two bounds; None is no bound."""
    least, most = span
    return (lower is None or least >= lower) and (upper is None or most <= upper)


class Model:
    """Variables with their bounds, and the rows that hold of them."""

    def __init__(self) -> None:
        self.bounds: list[tuple[int, int]] = []
        self.rows: list[Row] = []
        # Many units ask the same of a list: each statement is one variable.
        self._statements: dict[Hashable, Literal] = {}

    @property
    def size(self) -> int:
        """The number of variables and rows."""
        return len(self.bounds) + len(self.rows)

    def branch(self) -> "Model":
        """Return a copy to add statements to, which leaves this model to other questions as it is."""
        branch = Model()
        branch.bounds, branch.rows = list(self.bounds), list(self.rows)
        branch._statements = dict(self._statements)
        return branch

    def add_variable(self, lower: int = 0, upper: int = MOST) -> Linear:
        """Add a whole number between two bounds."""
        self.bounds.append((lower, upper))
        return Linear(0, {len(self.bounds) - 1: 1})

    def add_literal(self) -> Literal:
        """Add a statement that may hold or not."""
        self.bounds.append((0, 1))
        return Literal(len(self.bounds) - 1)

    def as_number(self, truth: Literal) -> Linear:
        """Return 1 where a statement holds, else 0."""
        return Linear(1, {truth.variable: -1}) if truth.negated else Linear(0, {truth.variable: 1})

    # ---- rows ----------------------------------------------------------------------------------------------------

    def require(
        self,
        expression: Linear,
        lower: Exact | None = None,
        upper: Exact | None = None,
        *,
        where: Iterable[Truth] = (),
        label: Hashable = None,
    ) -> None:
        """Demand that an expression lies between two bounds, where all of `where` holds.

        What nobody knows whether it holds demands nothing.
        """
        truths = list(where)
        if None in truths or False in truths or _is_within(self.find_range(expression), lower, upper):
            return
        # A row is in whole numbers, and its constant is part of its bounds.
        scale = find_scale(expression, lower, upper)
        terms = tuple((variable, int(c * scale)) for variable, c in expression.terms.items())
        offset = int(expression.constant * scale)
        least = None if lower is None else int(lower * scale) - offset
        most = None if upper is None else int(upper * scale) - offset
        self.rows.append(Row(terms, least, most, tuple(_list_literals(truths)), label))

    def find_range(self, expression: Linear) -> tuple[Exact, Exact]:
        """Return between which values an expression lies, by the bounds of its variables alone."""
        least, most = self._find_range_of(expression.terms.items())
        return least + expression.constant, most + expression.constant

    def is_single(self, expression: Linear) -> bool:
        """Return whether an expression is one at most, by the bounds of its variables alone."""
        return self.find_range(expression)[1] <= 1

    def _find_range_of(self, terms: Iterable[tuple[int, Exact]]) -> tuple[Exact, Exact]:
        least: Exact = 0
        most: Exact = 0
        for variable, coefficient in terms:
            lower, upper = self.bounds[variable]
            least += coefficient * (lower if coefficient > 0 else upper)
            most += coefficient * (upper if coefficient > 0 else lower)
        return least, most

    def deny(self, truth: Truth) -> None:
        """Demand that a statement does not hold."""
        if truth is True:
            # Nothing fulfils this row: what is nothing has to be one.
            (never,) = self.add_variable(0, 0).terms
            self.rows.append(Row(((never, 1),), 1, None))
        elif isinstance(truth, Literal):
            self.require(self.as_number(truth), upper=0)

    # ---- what makes no difference --------------------------------------------------------------------------------

    def trim(self, wanted: Iterable[int] = ()) -> "Model":
        """Return the model in which whatever helps nothing is as small as it can be, with the rows that are left.

        It has a solution where this one has: no row is kept because such a variable is larger. `wanted` are those
        that somebody asks for.
        """
        trimmed = Model()
        # Variables keep their numbers, so that a solution is read as one of this model.
        trimmed.bounds = list(self.bounds)
        trimmed.rows = self.rows
        asked = set(wanted)
        while True:
            # With less to move, more rows hold in any case, and more variables help nothing.
            trimmed.rows = [row for row in trimmed.rows if not trimmed._always_holds(row)]
            helping = asked.union(*map(_list_helping, trimmed.rows))
            idle = [v for v, (lower, upper) in enumerate(trimmed.bounds) if lower < upper and v not in helping]
            if not idle:
                return trimmed
            for variable in idle:
                lower, _ = trimmed.bounds[variable]
                trimmed.bounds[variable] = (lower, lower)

    def _always_holds(self, row: Row) -> bool:
        """Return whether a row holds whatever its variables are, or is never asked for."""
        for literal in row.literals:
            if self.bounds[literal.variable] == ((1, 1) if literal.negated else (0, 0)):
                return True
        return _is_within(self._find_range_of(row.terms), row.lower, row.upper)

    # ---- statements ----------------------------------------------------------------------------------------------

    def state_at_least(self, expression: Linear, bound: Exact) -> Truth:
        """Return the statement that an expression, which is always whole, is at least so much."""
        least, most = self.find_range(expression)
        if least >= bound:
            return True
        if most < bound:
            return False
        if len(expression.terms) == 1:
            # A variable between 0 and 1 is the statement that it is 1.
            ((variable, coefficient),) = expression.terms.items()
            if self.bounds[variable] == (0, 1) and coefficient > 0:
                return Literal(variable)
        # The same constant on both sides asks nothing else.
        key = (bound - expression.constant, *expression.terms.items())
        if key in self._statements:
            return self._statements[key]
        scale = find_scale(expression, bound)
        truth = self._statements[key] = self.add_literal()
        scaled, limit = expression * scale, int(bound * scale)
        self.require(scaled, lower=limit, where=(truth,))
        self.require(scaled, upper=limit - 1, where=(truth.negate(),))
        return truth

    def state_equal(self, expression: Linear, value: Exact) -> Truth:
        """Return the statement that an expression is just so much."""
        scale = find_scale(expression, value)
        scaled = expression * scale
        return self.state_all(
            (self.state_at_least(scaled, value * scale), negate(self.state_at_least(scaled, value * scale + 1)))
        )

    def state_all(self, truths: Iterable[Truth]) -> Truth:
        """Return the statement that all of them hold."""
        known = list(truths)
        # One that fails decides, whatever nobody knows of the others.
        if False in known:
            return False
        if None in known:
            return None
        literals = _list_literals(dict.fromkeys(known))
        if len(literals) < 2:
            return literals[0] if literals else True
        key = frozenset(literals)
        if key in self._statements:
            return self._statements[key]
        both = self._statements[key] = self.add_literal()
        number = add_all(map(self.as_number, literals))
        self.require(number, lower=len(literals), where=(both,))
        self.require(number, upper=len(literals) - 1, where=(both.negate(),))
        return both

    def state_any(self, truths: Iterable[Truth]) -> Truth:
        """Return the statement that one of them holds at least."""
        return negate(self.state_all(negate(truth) for truth in truths))

    def multiply(self, truth: Truth, expression: Linear) -> Linear | None:
        """Return the expression where a statement holds, else nothing; None where nobody knows."""
        if truth is None:
            return None
        if isinstance(truth, bool):
            return expression if truth else ZERO
        if expression.is_constant:
            return self.as_number(truth) * expression.constant
        return self.choose(truth, expression, ZERO)

    def choose(self, truth: Literal, one: Linear, other: Linear) -> Linear:
        """Return `one` where a statement holds, else `other`."""
        if one.is_constant and other.is_constant:
            return self.as_number(truth) * (one.constant - other.constant) + other
        scale = lcm(find_scale(one), find_scale(other))
        choice = self._add_alternative(one * scale, other * scale)
        self.require(choice - one * scale, lower=0, upper=0, where=(truth,))
        self.require(choice - other * scale, lower=0, upper=0, where=(truth.negate(),))
        return choice * Fraction(1, scale)

    def add_between(self, one: Linear, other: Linear) -> Linear:
        """Return something between two expressions, whichever is the larger; nobody knows where."""
        scale = lcm(find_scale(one), find_scale(other))
        value = self._add_alternative(one * scale, other * scale)
        # Where either may be the larger, no more is known than the bounds of the number.
        difference_range = self.find_range(one - other)
        if difference_range[1] <= 0:
            self.require(value - one * scale, lower=0)
            self.require(value - other * scale, upper=0)
        elif difference_range[0] >= 0:
            self.require(value - other * scale, lower=0)
            self.require(value - one * scale, upper=0)
        return value * Fraction(1, scale)

    def _add_alternative(self, one: Linear, other: Linear) -> Linear:
        """Add a number that can be whatever either of two whole expressions can be."""
        ranges = (*self.find_range(one), *self.find_range(other))
        return self.add_variable(int(min(ranges)), int(max(ranges)))


def _list_literals(truths: Iterable[Truth]) -> list[Literal]:
    return [truth for truth in truths if isinstance(truth, Literal)]


def _list_helping(row: Row) -> Iterator[int]:
    """List the variables that may have to be larger so that a row holds."""
    for literal in row.literals:
        if literal.negated:
            yield literal.variable
    for variable, coefficient in row.terms:
        # More of it brings the row nearer to one of its bounds.
        if (row.lower is not None and coefficient > 0) or (row.upper is not None and coefficient < 0):
            yield variable


def find_scale(expression: Linear, *numbers: Exact | None) -> int:
    """Return what to multiply an expression and numbers by so that all of it is whole."""
    parts = (expression.constant, *expression.terms.values(), *numbers)
    # Almost all numbers are whole.
    return lcm(*(part.denominator for part in parts if part is not None and not isinstance(part, int)))
