"""Carry out the steps of a written list with the services of pages and API."""

import re
from collections.abc import Iterable, Iterator

from catalogue.definitions.numbers import Number
from catalogue.models import PackVersion
from roster.engine.attachments import list_attachment_offers
from roster.engine.offers import OfferedGroup, OfferedOption, list_offers
from roster.engine.tree import DocumentNode, Force, RosterTree, Selection, find_node, get_children
from roster.models import Roster
from roster.services import changes
from roster.services.board import build_board
from roster.services.board.allies import list_allied_factions
from roster.services.edits import edit_roster
from roster.services.evaluation import EvaluatedList, evaluate_roster
from roster.services.outcomes import SavedEdit
from roster.services.owners import Visitor
from roster.services.rosters import find_roster, start_roster
from roster.services.rulesets import load_allied_ruleset, load_ruleset
from tests.current.written import Step, WrittenList

BETWEEN = " > "
NUMBERED = re.compile(r"(.+?)(?: #(\d+))?")
OWNER = Visitor(key="current")


class CannotBuildError(Exception):
    """A step cannot be made; the message says why."""


def begin_list(version: PackVersion, written: WrittenList) -> "ListBuilder":
    faction = next((row for row in version.factions.all() if row.name.strip() == written.faction), None)
    if faction is None:
        raise CannotBuildError(f"there is no faction {written.faction}")
    if isinstance(written.limit, dict):
        kinds = {kind.name: kind.id for kind in load_ruleset(version, faction.faction_id).binding.cost_types.values()}
        limits = {kinds[name]: _whole(value) for name, value in written.limit.items()}
    else:
        limits = {version.points_id: _whole(written.limit)}
    started = start_roster(OWNER, version, faction.faction_id, written.name, limits)
    if not isinstance(started, Roster):
        raise CannotBuildError(f"the list cannot be started: {started}")
    return ListBuilder(started)


def _whole(number: float) -> Number:
    return int(number) if float(number).is_integer() else number


class ListBuilder:
    """A stored list that steps change. `labels` are the ids that steps created."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.labels: dict[str, str] = {}
        self.evaluated_list: EvaluatedList = evaluate_roster(roster)

    def carry_out(self, step: Step, *, freely: bool = False) -> None:
        """Carry out steps. `freely` allows edits that pages do not offer, but API and files do."""
        change = self._read_step(dict(step), freely)
        roster = find_roster(self.roster.public_id)
        head = roster.head
        outcome = edit_roster(roster, head, change)
        if not isinstance(outcome, SavedEdit):
            raise CannotBuildError(f"{step}: {outcome}")
        if outcome.roster.head == head:
            raise CannotBuildError(f"{step} changes nothing")
        self.roster, self.evaluated_list = outcome.roster, outcome.evaluated_list
        if "as" in step:
            self.labels[step["as"]] = outcome.created[0]

    def _read_step(self, step: Step, freely: bool) -> changes.Change:
        verb = next(iter(step))
        subject = step.pop(verb)
        step.pop("as", None)
        stack = step.pop("stack", False)
        change: changes.Change
        match verb:
            case "force":
                change = self._find_force(str(subject), step.pop("of", ""), step.pop("in", ""), freely)
            case "unit":
                force_id = self.find(step.pop("in", "")) if "in" in step else self.tree.forces[0].id
                entry = self._find_option(force_id, str(subject), step, freely)
                instead = self.find(step.pop("instead")) if "instead" in step else ""
                change = changes.AddUnit(node=force_id, entry=entry.entry_id, instead=instead)
            case "take":
                node = self.find(step.pop("at"))
                entry = self._find_option(node, str(subject), step, freely)
                number = step.pop("number", 1)
                change = changes.SetNumber(node=node, entry=entry.entry_id, number=number, stack=stack)
            case "choose":
                node = self.find(step.pop("at"))
                group = self._find_group(node, str(step["from"]))
                entry_id = self._find_option(node, str(subject), step, freely).entry_id if subject else ""
                step.pop("from", None)
                change = changes.Choose(node=node, group=group.group_id, entry=entry_id, stack=stack)
            case "number":
                change = changes.SetNumber(node=self.find(step.pop("at")), number=subject, stack=stack)
            case "remove":
                node = self.find(str(subject))
                is_force = isinstance(find_node(self.tree, node), Force)
                change = changes.RemoveDetachment(node=node) if is_force else changes.Remove(node=node, stack=stack)
            case "duplicate":
                change = changes.DuplicateUnit(node=self.find(str(subject)))
            case "split":
                change = changes.SplitOff(node=self.find(str(subject)))
            case "move":
                change = changes.Move(node=self.find(str(subject)), position=step.pop("position"))
            case "attach":
                change = self._attach(self.find(str(subject)), self.find(step.pop("to")), freely)
            case "detach":
                change = changes.Detach(node=self.find(str(subject)))
            case "limit":
                kinds = self.evaluated_list.ruleset.binding.cost_types.values()
                cost = step.pop("cost", "")
                type_id = (
                    next(kind.id for kind in kinds if kind.name == cost) if cost else self.evaluated_list.points_id
                )
                change = changes.SetLimit(type=type_id, value="" if subject is None else str(subject))
            case _:
                raise CannotBuildError(f"there is no step {verb}")
        if step:
            raise CannotBuildError(f"{verb}: there is no field {', '.join(step)}")
        return change

    # ---- what steps name ---------------------------------------------------------------------------------------------

    @property
    def tree(self) -> RosterTree:
        return self.evaluated_list.tree

    def find(self, path: str) -> str:
        first, *inner = str(path).split(BETWEEN)
        name, number = _split_number(first)
        if name in self.labels:
            node_id = self.labels[name]
            if find_node(self.tree, node_id) is None:
                raise CannotBuildError(f"{path}: {name} is gone")
        else:
            node_id = _pick(path, _walk_outer(self.tree), name, number)
        for part in inner:
            node = find_node(self.tree, node_id)
            assert node is not None
            name, number = _split_number(part)
            node_id = _pick(path, get_children(node), name, number)
        return node_id

    def _find_force(self, name: str, catalogue: str, place: str, freely: bool) -> changes.AddDetachment:
        parent_id = self.find(place) if place else ""
        roster = find_roster(self.roster.public_id)
        if catalogue:
            factions = [f for f in list_allied_factions(roster, parent_id) if f.full_name.strip() == catalogue]
            offered = [force for faction in factions for force in faction.forces]
        else:
            board = build_board(roster)
            inside = [force for row in board.detachments if row.id == parent_id for force in row.inside]
            offered = list(inside if parent_id else board.forces)
        offers = [force for force in offered if force.name == name]
        if offers:
            return changes.AddDetachment(entry=offers[0].entry_id, catalogue=offers[0].catalogue_id, node=parent_id)
        if not freely:
            raise CannotBuildError(f"the force {name} is not offered, but {[force.name for force in offered]}")
        ruleset = load_allied_ruleset(roster.version, roster.faction_id, roster.tree)
        parent = find_node(roster.tree, parent_id)
        catalogue_id = parent.catalogue_id if isinstance(parent, Force) else roster.faction_id
        if catalogue:
            catalogue_id = next(c.id for c in ruleset.data.catalogues if c.name.strip() == catalogue)
        compiled = ruleset.find_catalogue(catalogue_id)
        assert compiled is not None
        entries = list(compiled.force_entries)
        for entry in entries:
            if entry.name == name:
                return changes.AddDetachment(entry=entry.id, catalogue=catalogue_id, node=parent_id)
            entries.extend(entry.forces)
        raise CannotBuildError(f"there is no force {name}")

    def _find_option(self, container_id: str, name: str, step: Step, freely: bool) -> OfferedOption:
        group, part = step.pop("from", None), step.pop("id", "")
        offers = list_offers(self.evaluated_list.evaluation, container_id)
        options = []
        for option, groups, hidden in _walk_options(offers.items):
            is_meant = option.name == name and part in (*option.entry_id.split("::"), "")
            if is_meant and (group is None or group in groups):
                options.append((option, hidden or option.hidden))
        shown = [option for option, hidden in options if not hidden]
        if not shown and freely:
            shown = [option for option, _ in options]
        if len(shown) == 1 or (shown and len({option.entry_id for option in shown}) == 1):
            return shown[0]
        if shown:
            raise CannotBuildError(f"{name} is offered as {[option.entry_id for option in shown]}")
        names = sorted({option.name for option, _, hidden in _walk_options(offers.items) if not option.hidden})
        raise CannotBuildError(f"{name} is {'hidden' if options else 'unknown'} here; offered: {', '.join(names)}")

    def _find_group(self, container_id: str, name: str) -> OfferedGroup:
        groups = list(_walk_groups(list_offers(self.evaluated_list.evaluation, container_id).items))
        for group in groups:
            if name in (group.name, group.group_id):
                return group
        raise CannotBuildError(f"there is no group {name}, but {[group.name for group in groups]}")

    def _attach(self, node_id: str, to_id: str, freely: bool) -> changes.Attach:
        offers = list_attachment_offers(self.evaluated_list.evaluation, node_id)
        for offer in offers:
            if to_id in {choice.id for choice in offer.choices}:
                return changes.Attach(node=node_id, association=offer.association_id, to=to_id)
        if offers and freely:
            return changes.Attach(node=node_id, association=offers[0].association_id, to=to_id)
        names = [choice.name for offer in offers for choice in offer.choices]
        raise CannotBuildError(f"it can be attached to {names} only")


def _split_number(part: str) -> tuple[str, int]:
    matched = NUMBERED.fullmatch(part)
    assert matched
    return matched[1], int(matched[2] or 0)


def _pick(path: str, nodes: Iterable[Force | Selection], name: str, number: int) -> str:
    known = list(nodes)
    named = [node for node in known if name in (node.name, node.custom_name)]
    if len(named) == 1 and not number:
        return named[0].id
    if named and 0 < number <= len(named):
        return named[number - 1].id
    raise CannotBuildError(f"{path}: {len(named)} of {name} among {[node.name for node in known]}")


def _walk_outer(tree: RosterTree) -> Iterator[Force | Selection]:
    pending: list[DocumentNode] = list(tree.forces)
    for node in pending:
        if isinstance(node, Force):
            yield node
            pending.extend(node.forces)
            yield from node.selections


def _walk_options(
    items: Iterable[OfferedOption | OfferedGroup], groups: tuple[str, ...] = (), hidden: bool = False
) -> Iterator[tuple[OfferedOption, tuple[str, ...], bool]]:
    """Yield options with the names and ids of the groups around them, and whether one of these is hidden."""
    for item in items:
        if isinstance(item, OfferedOption):
            yield item, groups, hidden
        else:
            yield from _walk_options(item.items, (*groups, item.name, item.group_id), hidden or item.hidden)


def _walk_groups(items: Iterable[OfferedOption | OfferedGroup]) -> Iterator[OfferedGroup]:
    for item in items:
        if isinstance(item, OfferedGroup):
            yield item
            yield from _walk_groups(item.items)
