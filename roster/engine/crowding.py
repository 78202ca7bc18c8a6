"""Whether there is room for what is missing: where each pick that would count breaks a rule, something has to go."""

from collections.abc import Collection, Iterable, Iterator

from roster.engine.blocking import Blocking, fresh_plan
from roster.engine.case import Case
from roster.engine.prices import Prices
from roster.engine.report import PlaceKind, Violation
from roster.engine.state import ForceNode
from roster.engine.templates import Option
from roster.engine.tree import changed

ROOTED = (PlaceKind.FORCE, PlaceKind.CATEGORY)


def told_room(case: Case, violations: Iterable[Violation]) -> Iterator[Violation]:
    """The violations; those that picks could mend in a detachment which has no room for them are said to be crowded."""
    rooms: dict[str, _Room] = {}
    for violation in violations:
        if violation.mendable and violation.mended_by and violation.on.kind in ROOTED:
            room = rooms.setdefault(violation.on.id, _Room(case, violation.on.id))
            yield changed(violation, crowded=not room.has_place_for(violation.mended_by))
        else:
            yield violation


class _Room:
    """What a force could still take; asked lazily, since most lists that miss something have room for it."""

    def __init__(self, case: Case, force_id: str) -> None:
        self._case = case
        self._force = case.container(force_id)
        self._blocking: Blocking | None = None

    def has_place_for(self, ids: Collection[str]) -> bool:
        """Whether some pick that counts as one of these may be made; also where no pick of the force's own would."""
        force = self._force
        if not isinstance(force, ForceNode) or force.layout is None:
            return True
        counting = [option for option in force.layout.options if self._counts(force, option, ids)]
        return not counting or any(self._is_free(force, option) for option in counting)

    def _counts(self, force: ForceNode, option: Option, ids: Collection[str]) -> bool:
        node = self._case.prospect(force, option)
        known = {*node.keys, *self._case.categories.of(node).ids}
        return not known.isdisjoint(ids) and self._case.is_open(force, option)

    def _is_free(self, force: ForceNode, option: Option) -> bool:
        if self._blocking is None:
            self._blocking = Blocking(self._case, force)
        plan = fresh_plan(self._case, force, option)
        blocked = self._blocking.violation(plan, Prices(self._case, force).of(plan))
        return blocked is None or blocked.mendable
