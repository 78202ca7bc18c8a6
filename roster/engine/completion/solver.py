"""Ask OR-Tools' CP-SAT, which is loaded on first use; without it, every answer is “unknown”."""

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
"""How many steps one unit of the solver's deterministic time counts: it takes as long as these."""
STEPS_OF_A_CALL, ROWS_OF_A_STEP = 20, 8
"""What no deterministic time tells: how many steps each call counts, and one more for how many rows."""
QUICK_STEPS = 4_000
"""With how many steps a question may be tried to be answered without simplifying the model first."""
WAITING = 8
"""How many times its processor time the solver may run by the clock of the wall, the only one that it reads."""


class Possibility(StrEnum):
    """Whether a model has a solution.

    UNKNOWN: no step that was allowed, or no rule that a model can say, tells. UNFINISHED: the clock that protects the
    server ended the search; going on would tell.
    """

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    UNFINISHED = "unfinished"


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
        """Look for the solution in which an expression is least."""
        scale = find_scale(expression)
        self._model.minimize(self._sum_terms([(variable, int(c * scale)) for variable, c in expression.terms.items()]))

    def solve(self, budget: Budget, *, gap: float = 0.0) -> Solution:
        """Solve the model; with a `gap` a solution is good enough that may be missing such a share of the best.

        Raises UnfinishedError, as all questions do, if the clock ends it before the solver has spent its budget.
        """
        self._model.clear_assumptions()
        solver = self._create_solver()
        solver.parameters.relative_gap_limit = gap
        return self._read_solution(solver, self._run(solver, budget))

    def reach(self, literals: Collection[int], budget: Budget) -> Solution:
        """Find a solution in which one of these is 1, and as many of the others as come along.

        Each call may only ask for some of those of the call before.
        """
        variables = [self._variables[literal] for literal in literals]
        self._model.add_bool_or(variables)
        self._model.clear_hints()
        for variable in variables:
            self._model.add_hint(variable, 1)
        # With these hints the first way that is tried is mostly good: to simplify the model first takes far longer.
        quick = self._create_solver()
        quick.parameters.cp_model_presolve = False
        quick.parameters.linearization_level = 0
        solution = self._read_solution(quick, self._run(quick, budget, QUICK_STEPS))
        if solution.answer is not Possibility.UNKNOWN:
            return solution
        patient = self._create_solver()
        return self._read_solution(patient, self._run(patient, budget))

    def _run(self, solver: Any, budget: Budget, most: float = inf) -> Any:
        """Have a solver answer with at most so many steps, and return its status."""
        work, parameters = budget.work, solver.parameters
        parameters.max_deterministic_time = min(budget.left, most) / STEPS
        parameters.max_time_in_seconds = max(0.0, work.seconds) * WAITING
        status = solver.solve(self._model)
        spent = solver.response_proto.deterministic_time
        # An answer that was found counts, even if it took the last of the steps or of the time.
        work.steps += STEPS_OF_A_CALL + len(self._rows) // ROWS_OF_A_STEP + ceil(spent * STEPS)
        is_open = status in (self._sat.UNKNOWN, self._sat.FEASIBLE)
        has_steps_left = spent < parameters.max_deterministic_time
        # It ends a little before the time it was given.
        if is_open and has_steps_left and solver.wall_time > parameters.max_time_in_seconds * 0.8:
            raise UnfinishedError
        return status

    def _read_solution(self, solver: Any, status: Any) -> Solution:
        if status in (self._sat.OPTIMAL, self._sat.FEASIBLE):
            values = tuple(solver.response_proto.solution)
            return Solution(Possibility.YES, values, status == self._sat.OPTIMAL)
        return Solution(Possibility.NO if status == self._sat.INFEASIBLE else Possibility.UNKNOWN)

    def find_collision(self, budget: Budget) -> tuple[Hashable, ...]:
        """Return a smallest set of labels whose rows cannot hold together; none where the budget does not tell.

        Load it `switched` for this.
        """
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
        """Return some of these labels whose rows cannot hold together; None where they can, or nobody knows."""
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
        # One worker and one seed, so that the same model has the same solution everywhere.
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        # The models are small and asked many times: what these find out costs more than it saves.
        solver.parameters.cp_model_probing_level = 0
        solver.parameters.symmetry_level = 0
        return solver
