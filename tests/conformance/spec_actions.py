"""Play a spec: actions become edits, and references between steps are resolved."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

import msgspec

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.definitions.numbers import parse_number
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster, Refused
from roster.engine.new_selections import register_cost_types
from roster.engine.tree import Force, Origin, RosterTree, Selection, copy_with, find_path
from roster.formats.ros.read import read_ros

REFERENCE = re.compile(r"\$\{\{\s*steps\.(.+?)\s*\}\}")


class ActionFailedError(Exception):
    """The engine refused an action, so the spec cannot go on."""


class Play:
    """A spec being played on a ruleset: the current roster and the results of the steps."""

    def __init__(self, ruleset: Ruleset, spec_id: str) -> None:
        numbers = count(1)
        self.ids: edits.IdSource = lambda: f"node-{next(numbers)}"
        self.ruleset = ruleset
        # If programs differ, the suite describes BattleScribe.
        created = edits.create_roster(ruleset, spec_id, ids=self.ids).roster
        self.roster: RosterTree = copy_with(created, origin=Origin.BATTLESCRIBE)
        self.brought: dict[str, dict[str, Any]] = {}

    def act(self, step: Mapping[str, Any]) -> None:
        action: Callable[[Mapping[str, Any]], EditedRoster | Refused] = getattr(self, f"_{step['action']}")
        edited = action({key: self.resolved(value) for key, value in step.items() if key != "expectedState"})
        if isinstance(edited, Refused):
            raise ActionFailedError(f"{step['action']} was refused: {edited.code} {edited.subject_id}")
        self.roster = edited.roster
        if "id" in step and edited.created:
            self.brought[step["id"]] = self._outcome(edited.created[0])

    def _outcome(self, node_id: str) -> dict[str, Any]:
        path = find_path(self.roster, node_id)
        node = path[-1] if path else None
        kind = "forceId" if isinstance(node, Force) else "selectionId"
        inside = node.selections if isinstance(node, Force | Selection) else ()
        selections: dict[str, str] = {}
        for selection in _nested(inside):
            selections.setdefault(selection.entry_id, selection.id)
        return {kind: node_id, "selections": selections}

    def resolved(self, value: Any) -> Any:
        return REFERENCE.sub(lambda match: self._look_up(match[1]), value) if isinstance(value, str) else value

    def _look_up(self, reference: str) -> str:
        known = sorted((s for s in self.brought if reference.startswith(s + ".")), key=len, reverse=True)
        if not known:
            raise ActionFailedError(f"nothing is known of steps.{reference}")
        what = reference.removeprefix(known[0] + ".")
        outcome = self.brought[known[0]]
        if what.startswith("selections."):
            return str(outcome["selections"][what.removeprefix("selections.")])
        return str(outcome[what])

    # ---- actions -------------------------------------------------------------------------------------------------

    def _addForce(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        catalogue_id = step.get("catalogueId") or self._only_catalogue()
        return edits.add_force(self.ruleset, self.roster, step["forceEntryId"], catalogue_id, ids=self.ids)

    def _addChildForce(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        parent = find_path(self.roster, step["forceId"])[-1]
        catalogue_id = step.get("catalogueId") or getattr(parent, "catalogue_id", "")
        return edits.add_force(
            self.ruleset, self.roster, step["forceEntryId"], catalogue_id, step["forceId"], ids=self.ids
        )

    def _only_catalogue(self) -> str:
        factions = [c.id for c in self.ruleset.data.catalogues if c.kind is CatalogueKind.FACTION]
        return factions[0] if factions else ""

    def _removeForce(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        return edits.remove_force(self.roster, step["forceId"])

    def _duplicateForce(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        return edits.duplicate_force(self.ruleset, self.roster, step["forceId"], ids=self.ids)

    def _selectEntry(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        return edits.select(self.ruleset, self.roster, step["forceId"], step["entryId"], ids=self.ids)

    def _selectChildEntry(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        return edits.select(self.ruleset, self.roster, step["selectionId"], step["entryId"], ids=self.ids)

    def _deselectSelection(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        return edits.remove_one(self.roster, step["selectionId"])

    def _setSelectionCount(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        return edits.set_number(self.ruleset, self.roster, step["selectionId"], int(step["count"]))

    def _duplicateSelection(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        return edits.duplicate_selection(self.ruleset, self.roster, step["selectionId"], ids=self.ids)

    def _setCostLimit(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        return edits.set_limit(self.ruleset, self.roster, step["costTypeId"], parse_number(step["value"]))

    def _setCustomization(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        return edits.set_texts(
            self.roster,
            step.get("selectionId") or step.get("forceId", ""),
            custom_name=step.get("customName"),
            notes=step.get("customNotes"),
            category_id=step.get("categoryEntryId", ""),
        )

    def _loadRoster(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        read = read_ros("roster.ros", step["content"].strip().encode())
        return EditedRoster(roster=register_cost_types(self.ruleset, read.roster))

    def _reload(self, step: Mapping[str, Any]) -> EditedRoster | Refused:
        return EditedRoster(roster=msgspec.json.decode(msgspec.json.encode(self.roster), type=RosterTree))


def _nested(selections: tuple[Selection, ...]) -> Iterator[Selection]:
    for selection in selections:
        yield selection
        yield from _nested(selection.selections)
