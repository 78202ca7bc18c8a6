"""Ask OR-Tools' CP-SAT, which is loaded on first use; without it, every answer is “unknown”."""

import time
from collections.abc import Collection, Hashable
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from roster.engine.completion.linear import Linear, Literal, Model, Row, find_scale

PACKAGE = "ortools"
SOLVER = f"{PACKAGE}.sat.python.cp_model"


QUICK_SECONDS = 0.2
"""How long a question may be tried to be answered without simplifying the model first."""


class Possibility(StrEnum):
    """Whether a model has a solution."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Solution(NamedTuple):
    """What a solver answers; the values of the variables where there is a solution.

    `is_best`: no solution of the model is better by what was to be minimised.
    """

    answer: Possibility
    values: tuple[int, ...] = ()
    is_best: bool = False


@cache
def is_solver_installed() -> bool:
    """Return whether there is a solver to ask, without loading it."""
    # Loaded it takes 200 MB, and pages ask only whether to show a button.
    return find_spec(PACKAGE) is not None


@cache
def load_solver() -> Any:
    """Load the solver when it is first asked; None where it is not installed."""
    try:
        return import_module(SOLVER)
    except ImportError:
        return None


class Solver:
    """A model given to the solver, to be asked again and again about parts of it."""

    def __init__(self, model: Model) -> None:
        self._sat: Any = load_solver()
        self._model = self._sat.CpModel()
        self._variables = [self._model.new_int_var(lower, upper, "") for lower, upper in model.bounds]
        self._switches: dict[Hashable, Any] = {}
        self._rows = model.rows

    def load(self, *, switched: bool = False) -> "Solver":
        """Give all rows to the solver; `switched`: those with a label can be switched off."""
        for row in self._rows:
            self._add_row(row, switched=switched)
        return self

    def _add_row(self, row: Row, *, switched: bool) -> None:
        lower = self._sat.INT_MIN if row.lower is None else row.lower
        upper = self._sat.INT_MAX if row.upper is None else row.upper
        constraint = self._model.add_linear_constraint(self._sum_terms(row.terms), lower, upper)
        literals = list(map(self._read, row.literals))
        if switched and row.label is not None:
            literals.append(self._get_switch(row.label))
        if literals:
            constraint.only_enforce_if(literals)

    def _sum_terms(self, terms: Collection[tuple[int, int]]) -> Any:
        variables = [self._variables[variable] for variable, _ in terms]
        return self._sat.LinearExpr.weighted_sum(variables, [coefficient for _, coefficient in terms])

    def _read(self, literal: Literal) -> Any:
        variable = self._variables[literal.variable]
        return variable.negated() if literal.negated else variable

    def _get_switch(self, label: Hashable) -> Any:
        if label not in self._switches:
            self._switches[label] = self._model.new_bool_var("")
        return self._switches[label]

    # ---- questions -----------------------------------------------------------------------------------------------

    def minimize(self, expression: Linear) -> None:
        """Look for the solution in which an expression is least."""
        scale = find_scale(expression)
        self._model.minimize(self._sum_terms([(variable, int(c * scale)) for variable, c in expression.terms.items()]))

    def solve(self, seconds: float, *, gap: float = 0.0) -> Solution:
        """Solve the model; with a `gap` a solution is good enough that may be missing such a share of the best."""
        self._model.clear_assumptions()
        solver = self._create_solver(seconds)
        solver.parameters.relative_gap_limit = gap
        return self._run(solver)

    def reach(self, literals: Collection[int], seconds: float) -> Solution:
        """Find a solution in which one of these is 1, and as many of the others as come along.

        Each call may only ask for some of those of the call before.
        """
        variables = [self._variables[literal] for literal in literals]
        self._model.add_bool_or(variables)
        self._model.clear_hints()
        for variable in variables:
            self._model.add_hint(variable, 1)
        # With these hints the first way that is tried is mostly good: to simplify the model first takes far longer.
        quick = self._create_solver(min(seconds, QUICK_SECONDS))
        quick.parameters.cp_model_presolve = False
        quick.parameters.linearization_level = 0
        solution = self._run(quick)
        return solution if solution.answer is not Possibility.UNKNOWN else self._run(self._create_solver(seconds))

    def _run(self, solver: Any) -> Solution:
        status = solver.solve(self._model)
        if status in (self._sat.OPTIMAL, self._sat.FEASIBLE):
            values = tuple(solver.response_proto.solution)
            return Solution(Possibility.YES, values, status == self._sat.OPTIMAL)
        return Solution(Possibility.NO if status == self._sat.INFEASIBLE else Possibility.UNKNOWN)

    def find_collision(self, seconds: float) -> tuple[Hashable, ...]:
        """Return a smallest set of labels whose rows cannot hold together; none where that is not known in time.

        Load it `switched` for this.
        """
        end = time.monotonic() + seconds
        labels = list(self._switches)
        core = self._shrink(labels, seconds)
        if core is None:
            return ()
        for label in list(core):
            rest = self._shrink([other for other in core if other is not label], end - time.monotonic())
            if rest is not None:
                core = rest
        return tuple(core)

    def _shrink(self, labels: Collection[Hashable], seconds: float) -> list[Hashable] | None:
        """Return some of these labels whose rows cannot hold together; None where they can, or nobody knows."""
        self._model.clear_assumptions()
        switches = [self._switches[label] for label in labels]
        self._model.add_assumptions(switches)
        solver = self._create_solver(max(0.0, seconds))
        if solver.solve(self._model) != self._sat.INFEASIBLE:
            return None
        needed = set(solver.sufficient_assumptions_for_infeasibility())
        return [label for label in labels if self._switches[label].index in needed]

    def _create_solver(self, seconds: float) -> Any:
        solver = self._sat.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.random_seed = 1
        # The models are small and asked many times: what these find out costs more than it saves.
        solver.parameters.cp_model_probing_level = 0
        solver.parameters.symmetry_level = 0
        return solver
