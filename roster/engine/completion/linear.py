"""Integer models as values."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from catalogue.definitions.numbers import Number

Exact = int | Fraction

MOST = 9999
"""The largest number of one selection."""


def to_exact(number: Number | Fraction) -> Exact:
    """Return a number that divides without rounding.

    >>> to_exact(7), to_exact(Fraction(1, 2))
    (7, Fraction(1, 2))
    """
    return number if isinstance(number, int) else Fraction(number)


class Literal(NamedTuple):
    """A 0-1 variable read as a statement, or its negation."""

    variable: int
    negated: bool = False

    def negate(self) -> "Literal":
        return Literal(self.variable, not self.negated)


Truth = bool | Literal | None
"""A statement: certain, a literal, or None if unknown."""


def negate(truth: Truth) -> Truth:
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
    # Terms can only cancel if a variable occurs twice.
    return Linear(constant, {v: c for v, c in terms.items() if c} if is_twofold else terms)


def add_known(parts: Sequence[Linear | None]) -> Linear | None:
    """Return None if a part is unknown."""
    numbers = collect_known(parts)
    return None if numbers is None else add_all(numbers)


def collect_known(parts: Sequence[Linear | None]) -> list[Linear] | None:
    numbers = [part for part in parts if part is not None]
    return numbers if len(numbers) == len(parts) else None


def find_known(parts: Iterable[Linear | None]) -> Linear | None:
    return next((part for part in parts if part is not None), None)


class Row(NamedTuple):
    """`lower <= sum of terms <= upper` if all literals hold. `label` is the rule behind the row, if any."""

    terms: tuple[tuple[int, int], ...]
    lower: int | None
    upper: int | None
    literals: tuple[Literal, ...] = ()
    label: Hashable = None


def _is_within(span: tuple[Exact, Exact], lower: Exact | None, upper: Exact | None) -> bool:
    least, most = span
    return (lower is None or least >= lower) and (upper is None or most <= upper)


class Model:
    def __init__(self) -> None:
        self.bounds: list[tuple[int, int]] = []
        self.rows: list[Row] = []
        self._statements: dict[Hashable, Literal] = {}

    @property
    def size(self) -> int:
        return len(self.bounds) + len(self.rows)

    def branch(self) -> "Model":
        branch = Model()
        branch.bounds, branch.rows = list(self.bounds), list(self.rows)
        branch._statements = dict(self._statements)
        return branch

    def add_variable(self, lower: int = 0, upper: int = MOST) -> Linear:
        self.bounds.append((lower, upper))
        return Linear(0, {len(self.bounds) - 1: 1})

    def add_literal(self) -> Literal:
        self.bounds.append((0, 1))
        return Literal(len(self.bounds) - 1)

    def as_number(self, truth: Literal) -> Linear:
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
        """Require bounds if all of `where` hold; nothing if one is unknown."""
        truths = list(where)
        if None in truths or False in truths or _is_within(self.find_range(expression), lower, upper):
            return
        scale = find_scale(expression, lower, upper)
        terms = tuple((variable, int(c * scale)) for variable, c in expression.terms.items())
        offset = int(expression.constant * scale)
        least = None if lower is None else int(lower * scale) - offset
        most = None if upper is None else int(upper * scale) - offset
        self.rows.append(Row(terms, least, most, tuple(_list_literals(truths)), label))

    def find_range(self, expression: Linear) -> tuple[Exact, Exact]:
        least, most = self._find_range_of(expression.terms.items())
        return least + expression.constant, most + expression.constant

    def is_single(self, expression: Linear) -> bool:
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
        if truth is True:
            (never,) = self.add_variable(0, 0).terms
            self.rows.append(Row(((never, 1),), 1, None))
        elif isinstance(truth, Literal):
            self.require(self.as_number(truth), upper=0)

    # ---- what makes no difference --------------------------------------------------------------------------------

    def trim(self, variables: Iterable[int] = ()) -> "Model":
        """Return an equivalent model without redundant rows.

        Variables that help no row are fixed at their minimum, unless they are in `variables`.
        """
        trimmed = Model()
        trimmed.bounds = list(self.bounds)
        trimmed.rows = self.rows
        targets = set(variables)
        while True:
            # Fewer free variables make more rows redundant, and vice versa.
            trimmed.rows = [row for row in trimmed.rows if not trimmed._always_holds(row)]
            helping = targets.union(*map(_list_helping, trimmed.rows))
            idle = [v for v, (lower, upper) in enumerate(trimmed.bounds) if lower < upper and v not in helping]
            if not idle:
                return trimmed
            for variable in idle:
                lower, _ = trimmed.bounds[variable]
                trimmed.bounds[variable] = (lower, lower)

    def _always_holds(self, row: Row) -> bool:
        for literal in row.literals:
            if self.bounds[literal.variable] == ((1, 1) if literal.negated else (0, 0)):
                return True
        return _is_within(self._find_range_of(row.terms), row.lower, row.upper)

    # ---- statements ----------------------------------------------------------------------------------------------

    def state_at_least(self, expression: Linear, bound: Exact) -> Truth:
        least, most = self.find_range(expression)
        if least >= bound:
            return True
        if most < bound:
            return False
        if len(expression.terms) == 1:
            ((variable, coefficient),) = expression.terms.items()
            if self.bounds[variable] == (0, 1) and coefficient > 0:
                return Literal(variable)
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
        scale = find_scale(expression, value)
        scaled = expression * scale
        return self.state_all(
            (self.state_at_least(scaled, value * scale), negate(self.state_at_least(scaled, value * scale + 1)))
        )

    def state_all(self, truths: Iterable[Truth]) -> Truth:
        statements = list(truths)
        if False in statements:
            return False
        if None in statements:
            return None
        literals = _list_literals(dict.fromkeys(statements))
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
        return negate(self.state_all(negate(truth) for truth in truths))

    def multiply(self, truth: Truth, expression: Linear) -> Linear | None:
        """Return the expression if a statement holds, else 0; None if unknown."""
        if truth is None:
            return None
        if isinstance(truth, bool):
            return expression if truth else ZERO
        if expression.is_constant:
            return self.as_number(truth) * expression.constant
        return self.choose(truth, expression, ZERO)

    def choose(self, truth: Literal, one: Linear, other: Linear) -> Linear:
        if one.is_constant and other.is_constant:
            return self.as_number(truth) * (one.constant - other.constant) + other
        scale = lcm(find_scale(one), find_scale(other))
        choice = self._add_alternative(one * scale, other * scale)
        self.require(choice - one * scale, lower=0, upper=0, where=(truth,))
        self.require(choice - other * scale, lower=0, upper=0, where=(truth.negate(),))
        return choice * Fraction(1, scale)

    def add_between(self, one: Linear, other: Linear) -> Linear:
        scale = lcm(find_scale(one), find_scale(other))
        value = self._add_alternative(one * scale, other * scale)
        difference_range = self.find_range(one - other)
        if difference_range[1] <= 0:
            self.require(value - one * scale, lower=0)
            self.require(value - other * scale, upper=0)
        elif difference_range[0] >= 0:
            self.require(value - other * scale, lower=0)
            self.require(value - one * scale, upper=0)
        return value * Fraction(1, scale)

    def _add_alternative(self, one: Linear, other: Linear) -> Linear:
        ranges = (*self.find_range(one), *self.find_range(other))
        return self.add_variable(int(min(ranges)), int(max(ranges)))


def _list_literals(truths: Iterable[Truth]) -> list[Literal]:
    return [truth for truth in truths if isinstance(truth, Literal)]


def _list_helping(row: Row) -> Iterator[int]:
    for literal in row.literals:
        if literal.negated:
            yield literal.variable
    for variable, coefficient in row.terms:
        if (row.lower is not None and coefficient > 0) or (row.upper is not None and coefficient < 0):
            yield variable


def find_scale(expression: Linear, *numbers: Exact | None) -> int:
    """Return a factor that makes all numbers whole."""

    parts = (expression.constant, *expression.terms.values(), *numbers)
    return lcm(*(part.denominator for part in parts if part is not None and not isinstance(part, int)))
