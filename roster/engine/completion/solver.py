"""OR-Tools' CP-SAT, loaded on first use. Without it, every answer is "unknown"."""

from collections.abc import Collection, Hashable
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import ceil, inf
from typing import Any, NamedTuple

from roster.engine.completion.effort import Budget, UnfinishedError
from roster.engine.completion.linear import Linear, Model, find_scale

PACKAGE = "ortools"
SOLVER = f"{PACKAGE}.sat.python.cp_model"

STEPS = 50_000
"""Steps per unit of the solver's deterministic time."""
STEPS_OF_A_CALL, ROWS_OF_A_STEP = 20, 8
"""Steps per call, and rows per further step, in addition to deterministic time."""
QUICK_STEPS = 4_000
"""Steps for a first try without presolving."""
WAITING = 8
"""The solver's wall-clock limit as a multiple of its CPU time, which the solver does not measure."""


class Possibility(StrEnum):
    """Whether a model has a solution. UNKNOWN means too few steps or inexpressible rules, UNFINISHED that the time was
    up.
    """

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    UNFINISHED = "unfinished"


class Solution(NamedTuple):
    """The variables' values. `is_best` means that no solution has a smaller minimized value."""

    answer: Possibility
    values: tuple[int, ...] = ()
    is_best: bool = False


@cache
def is_solver_installed() -> bool:
    """Check without loading the solver, which takes 200 MB."""
    return find_spec(PACKAGE) is not None


@cache
def load_solver() -> Any:
    try:
        return import_module(SOLVER)
    except ImportError:
        return None


class Solver:
    def __init__(self, model: Model) -> None:
        self._sat: Any = load_solver()
        self._model = self._sat.CpModel()
        self._variables = [self._model.new_int_var(lower, upper, "") for lower, upper in model.bounds]
        self._switches: dict[Hashable, Any] = {}
        self._rows = model.rows

    def load(self, *, switched: bool = False) -> "Solver":
        """If `switched`, labelled rows can be switched off."""
        for row in self._rows:
            lower = self._sat.INT_MIN if row.lower is None else row.lower
            upper = self._sat.INT_MAX if row.upper is None else row.upper
            constraint = self._model.add_linear_constraint(self._sum_terms(row.terms), lower, upper)
            literals = []
            for literal in row.literals:
                variable = self._variables[literal.variable]
                literals.append(variable.negated() if literal.negated else variable)
            if switched and row.label is not None:
                if row.label not in self._switches:
                    self._switches[row.label] = self._model.new_bool_var("")
                literals.append(self._switches[row.label])
            if literals:
                constraint.only_enforce_if(literals)
        return self

    def _sum_terms(self, terms: Collection[tuple[int, int]]) -> Any:
        variables = [self._variables[variable] for variable, _ in terms]
        return self._sat.LinearExpr.weighted_sum(variables, [coefficient for _, coefficient in terms])

    # ---- questions -----------------------------------------------------------------------------------------------

    def minimize(self, expression: Linear) -> None:
        scale = find_scale(expression)
        self._model.minimize(self._sum_terms([(variable, int(c * scale)) for variable, c in expression.terms.items()]))

    def solve(self, budget: Budget, *, gap: float = 0.0) -> Solution:
        """Solve the model within a relative `gap`. Raises UnfinishedError, as all questions do, if the time is up."""
        self._model.clear_assumptions()
        solver = self._create_solver()
        solver.parameters.relative_gap_limit = gap
        return self._read_solution(solver, self._run(solver, budget))

    def reach(self, literals: Collection[int], budget: Budget) -> Solution:
        """Find a solution in which one of these literals is 1, preferably more.

        Each call must ask for a subset of the previous call's literals.
        """
        variables = [self._variables[literal] for literal in literals]
        self._model.add_bool_or(variables)
        self._model.clear_hints()
        for variable in variables:
            self._model.add_hint(variable, 1)
        # With hints the first try usually succeeds. Presolving takes much longer.
        quick = self._create_solver()
        quick.parameters.cp_model_presolve = False
        quick.parameters.linearization_level = 0
        solution = self._read_solution(quick, self._run(quick, budget, QUICK_STEPS))
        if solution.answer is not Possibility.UNKNOWN:
            return solution
        patient = self._create_solver()
        return self._read_solution(patient, self._run(patient, budget))

    def _run(self, solver: Any, budget: Budget, most: float = inf) -> Any:
        work, parameters = budget.work, solver.parameters
        parameters.max_deterministic_time = min(budget.left, most) / STEPS
        parameters.max_time_in_seconds = max(0.0, work.seconds) * WAITING
        status = solver.solve(self._model)
        spent = solver.response_proto.deterministic_time
        work.steps += STEPS_OF_A_CALL + len(self._rows) // ROWS_OF_A_STEP + ceil(spent * STEPS)
        is_open = status in (self._sat.UNKNOWN, self._sat.FEASIBLE)
        has_steps_left = spent < parameters.max_deterministic_time
        # The solver stops slightly early.
        if is_open and has_steps_left and solver.wall_time > parameters.max_time_in_seconds * 0.8:
            raise UnfinishedError
        return status

    def _read_solution(self, solver: Any, status: Any) -> Solution:
        if status in (self._sat.OPTIMAL, self._sat.FEASIBLE):
            values = tuple(solver.response_proto.solution)
            return Solution(Possibility.YES, values, status == self._sat.OPTIMAL)
        return Solution(Possibility.NO if status == self._sat.INFEASIBLE else Possibility.UNKNOWN)

    def find_collision(self, budget: Budget) -> tuple[Hashable, ...]:
        """Return a minimal set of labels whose rows contradict each other, if known. Load the model as `switched`."""
        labels = list(self._switches)
        core = self._shrink(labels, budget)
        if core is None:
            return ()
        for label in list(core):
            if not budget.left:
                break
            rest = self._shrink([other for other in core if other is not label], budget)
            if rest is not None:
                core = rest
        return tuple(core)

    def _shrink(self, labels: Collection[Hashable], budget: Budget) -> list[Hashable] | None:
        self._model.clear_assumptions()
        switches = [self._switches[label] for label in labels]
        self._model.add_assumptions(switches)
        solver = self._create_solver()
        if self._run(solver, budget) != self._sat.INFEASIBLE:
            return None
        needed = set(solver.sufficient_assumptions_for_infeasibility())
        return [label for label in labels if self._switches[label].index in needed]

    def _create_solver(self) -> Any:
        solver = self._sat.CpSolver()
        # The same model must have the same solution everywhere.
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        # For small models these cost more than they save.
        solver.parameters.cp_model_probing_level = 0
        solver.parameters.symmetry_level = 0
        return solver
