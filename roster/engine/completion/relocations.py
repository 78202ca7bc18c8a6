"""Copy units outside detachments into detachments, so that the solver can choose where to move them."""

from collections.abc import Iterator, Sequence

from catalogue.graph.ruleset import Ruleset
from roster.engine.completion.prospects import list_addable_forces
from roster.engine.edits import find_option
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import IdSource, copy_selection
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.tree import Force, RosterTree, Selection, change_selections, copy_with, find_path, replace_node


class Relocations:
    """A list with a copy of each homeless unit in every detachment that offers it. A solution keeps at most one.

    Homeless units are outside detachments or in an unknown one. With `new_forces`, `roster` has one more detachment of
    each kind, `begun`.
    """

    def __init__(self, ruleset: Ruleset, roster: RosterTree, ids: IdSource, *, new_forces: bool) -> None:
        self.roster = roster
        self.originals: dict[str, str] = {}
        self.begun: set[str] = set()
        present = Evaluation(ruleset, roster)
        homeless = [node.written for force in present.roster.all_forces if is_no_home(force) for node in force.members]
        if not homeless:
            return
        if new_forces:
            added = [
                Force(id=ids(), entry_id=entry.id, catalogue_id=catalogue.id, name=entry.name)
                for entry, catalogue in list_addable_forces(present, may_give_way=True)
            ]
            self.begun.update(force.id for force in added)
            self.roster = copy_with(roster, forces=(*roster.forces, *added))
        # An evaluation takes its nodes apart when it is freed.
        begun = Evaluation(ruleset, self.roster)
        for force in begun.roster.all_forces:
            if not is_no_home(force):
                self._copy_into(force, homeless, ids)

    def _copy_into(self, force: ForceNode, units: Sequence[Selection], ids: IdSource) -> None:
        path = find_path(self.roster, force.document.id)
        selections = list(force.document.selections)
        for unit in units:
            if find_option(force, unit.entry_id):
                copy = copy_selection(unit, ids)
                self.originals |= dict(zip(_list_ids(copy), _list_ids(unit), strict=True))
                selections.append(copy)
        self.roster = replace_node(path, copy_with(path[-1], selections=tuple(selections)))

    def find_original_id(self, node: SelectionNode) -> str:
        return self.originals.get(node.written.id, node.written.id)

    def is_moved(self, node: SelectionNode) -> bool:
        return isinstance(node.container, ForceNode) and node.written.id in self.originals

    def settle(self, roster: RosterTree) -> RosterTree:
        named = change_selections(roster, lambda one: copy_with(one, id=self.originals.get(one.id, one.id)))
        return copy_with(named, forces=tuple(force for force in named.forces if force.entry_id or force.selections))


def is_no_home(force: ForceNode) -> bool:
    return force.is_outside or force.contents is None


def _list_ids(selection: Selection) -> Iterator[str]:
    yield selection.id
    for inner in selection.selections:
        yield from _list_ids(inner)
