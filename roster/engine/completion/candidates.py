"""List units that may be added, best first."""

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from catalogue.definitions.numbers import Number
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.effort import Effort
from roster.engine.completion.look_ahead import USUAL, LookAhead, UnitAnswers
from roster.engine.completion.solver import Possibility
from roster.engine.edits import find_option
from roster.engine.evaluate import find_violations
from roster.engine.evaluation import Evaluation
from roster.engine.offers import OfferedOption, list_offers
from roster.engine.report import Violation
from roster.engine.tree import Limit, RosterTree


class FittingUnit(NamedTuple):
    """A unit that may be added to a force. `needed` means that the list lacks it. `answer` is whether the list can then
    be completed.
    """

    force_id: str
    entry_id: str
    name: str
    needed: bool
    answer: Possibility
    offer: OfferedOption


def list_candidates(ruleset: Ruleset, roster: RosterTree, *, effort: Effort = USUAL) -> tuple[FittingUnit, ...]:
    """List fitting units: needed first, dead ends last."""
    evaluation = Evaluation(ruleset, roster)
    missing = find_missing(find_violations(evaluation))
    look_ahead = LookAhead(ruleset, roster, effort.start())
    candidates = []
    for force in evaluation.roster.all_forces:
        force_id = force.document.id
        offers: list[tuple[OfferedOption, CompiledOption]] = []
        for offer in list_offers(evaluation, force_id).options:
            option = find_option(force, offer.entry_id)
            is_barred = offer.hidden or (offer.blocked is not None and not offer.blocked.mendable)
            if option and not is_barred:
                offers.append((offer, option))
        answers = look_ahead.judge_units(force_id, {option.local_id for _, option in offers})
        for offer, option in offers:
            answer = answers.find(option.local_id)
            needed = is_needed(option, offer.category_ids, missing)
            candidates.append(FittingUnit(force_id, offer.entry_id, offer.name, needed, answer, offer))
    return tuple(sorted(candidates, key=lambda one: (one.answer is Possibility.NO, not one.needed)))


def find_missing(violations: Iterable[Violation]) -> frozenset[str]:
    """Return ids of entries and categories that would fix violations."""
    return frozenset(mending_id for violation in violations for mending_id in violation.mended_by)


def is_needed(option: CompiledOption, category_ids: Iterable[str], missing: Set[str]) -> bool:
    return not missing.isdisjoint((*category_ids, *option.keys))


def judge_units(
    ruleset: Ruleset, catalogue_id: str, limits: Mapping[str, Number], *, effort: Effort = USUAL
) -> UnitAnswers:
    """Return for each unit of a faction whether a legal list within `limits` can contain it."""
    roster = RosterTree(
        id="",
        faction=catalogue_id,
        limits=tuple(Limit(type_id=type_id, value=value) for type_id, value in limits.items()),
    )
    return LookAhead(ruleset, roster, effort.start()).judge_units()
