"""Whether there is room for what is missing: where each pick that would count breaks a rule, something has to go."""

from collections.abc import Collection, Iterable, Iterator

from catalogue.graph.compiled_entry import CompiledOption
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode
from roster.engine.pick_costs import PickCosts
from roster.engine.pick_preview import PickPreview, pick_option
from roster.engine.report import PlaceKind, Violation
from roster.engine.tree import copy_with

ROOTED = (PlaceKind.FORCE, PlaceKind.CATEGORY)


def mark_crowded(evaluation: Evaluation, violations: Iterable[Violation]) -> Iterator[Violation]:
    """The violations; those that picks could mend in a detachment which has no room for them are said to be crowded."""
    rooms: dict[str, _ForceRoom] = {}
    for violation in violations:
        if violation.mendable and violation.mended_by and violation.on.kind in ROOTED:
            room = rooms.setdefault(violation.on.id, _ForceRoom(evaluation, violation.on.id))
            yield copy_with(violation, crowded=not room.has_place_for(violation.mended_by))
        else:
            yield violation


class _ForceRoom:
    """What a force could still take; asked lazily, since most lists that miss something have room for it."""

    def __init__(self, evaluation: Evaluation, force_id: str) -> None:
        self._evaluation = evaluation
        self._force = evaluation.find_container(force_id)
        self._blocking: PickPreview | None = None

    def has_place_for(self, ids: Collection[str]) -> bool:
        """Whether some pick that counts as one of these may be made; also where no pick of the force's own would."""
        force = self._force
        if not isinstance(force, ForceNode) or force.layout is None:
            return True
        counting = [option for option in force.layout.options if self._is_counted(force, option, ids)]
        return not counting or any(self._is_free(force, option) for option in counting)

    def _is_counted(self, force: ForceNode, option: CompiledOption, ids: Collection[str]) -> bool:
        node = self._evaluation.preview_selection(force, option)
        known = {*node.keys, *self._evaluation.categories.of(node).ids}
        return not known.isdisjoint(ids) and self._evaluation.is_open(force, option)

    def _is_free(self, force: ForceNode, option: CompiledOption) -> bool:
        if self._blocking is None:
            self._blocking = PickPreview(self._evaluation, force)
        plan = pick_option(self._evaluation, force, option)
        blocked = self._blocking.find_violation(plan, PickCosts(self._evaluation, force).compute_costs(plan))
        return blocked is None or blocked.mendable
