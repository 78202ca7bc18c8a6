"""What the runner reads, refuses and reports as a difference."""

from pathlib import Path

import pytest

from tests.conformance.spec_runner import run

SETUP = """
id: ducks
category: own
setup:
  gameSystem:
    id: sys
    categoryEntries: [{id: loud, name: Loud}, {id: wet, name: Wet}]
    forceEntries: [{id: pond, name: Pond}]
  catalogues:
    - id: birds
      selectionEntries:
        - id: duck
          name: Duck
          type: unit
          categoryLinks: [{id: c1, targetId: loud}, {id: c2, targetId: wet}]
          entryLinks: [{id: l-egg, targetId: egg, type: selectionEntry, constraints: [{id: one, type: max, value: 1}]}]
      sharedSelectionEntries:
        - {id: egg, name: Egg, constraints: [{id: few, type: max, value: 9}]}
steps:
  - {action: addForce, id: add, forceEntryId: pond}
  - {action: selectEntry, id: take, forceId: "${{ steps.add.forceId }}", entryId: duck}
"""
EGGS = """
  - {action: selectChildEntry, id: egg, selectionId: "${{ steps.take.selectionId }}", entryId: egg}
  - {action: setSelectionCount, selectionId: "${{ steps.egg.selectionId }}", count: 2}
"""
LOADED = """
  - action: loadRoster
    content: |
      <roster id="r" name="Read" xmlns="http://www.battlescribe.net/schema/rosterSchema"><forces>
      <force id="f" entryId="pond" catalogueId="birds"><customNotes>deep</customNotes><selections>
      <selection id="s" entryId="duck" number="1" customName="Bob"><customNotes>wet</customNotes></selection>
      </selections></force></forces></roster>
"""


def found(tmp_path: Path, steps: str) -> str:
    path = tmp_path / "ducks.yaml"
    path.write_text(SETUP + steps)
    return run(path).found


PASSING = {
    "nothing more": "",
    "merged mappings": """
  - expectedState: &all
      forceCount: 1
  - expectedState: {<<: *all, forces: [{selections: [{name: Duck}]}]}
""",
    "items with and without a key": """
  - expectedState: {forces: [{selections: [{name: Duck, categories: [{primary: false}, {entryId: loud}]}]}]}
""",
    "a link's error on its target": f"""{EGGS}
  - expectedState: {{errors: [{{on: selection duck, from: egg/few}}]}}
""",
    "an error on what a step brought": f"""{EGGS}
  - expectedState: {{errors: [{{on: "selection ${{{{ steps.take.selectionId }}}}", from: egg/few}}]}}
""",
    "a loaded roster": f"""{LOADED}
  - expectedState: {{name: Read, forces: [{{customNotes: deep, selections: [{{customName: Bob, customNotes: wet}}]}}]}}
""",
}


@pytest.mark.parametrize("steps", PASSING.values(), ids=PASSING)
def test_passing(tmp_path: Path, steps: str) -> None:
    assert found(tmp_path, steps) == ""


FAILING = {
    "an unknown step": ("\n  - {expectedWeather: fine}\n", "step 3: nothing known to do: expectedWeather"),
    "an unknown action": ("\n  - {action: quack}\n", "crashed"),
    "an unknown field": ("\n  - expectedState: {weather: fine}\n", "step 3: weather: nothing is shown"),
    "a reference to nowhere": ("\n  - {action: removeForce, forceId: '${{ steps.no.forceId }}'}\n", "steps.no"),
    "an error not expected": (EGGS + "\n  - expectedState: {forceCount: 1}\n", "errors: not expected"),
    "something selected beside": ("\n  - expectedState: {forces: [{selections: []}]}\n", "expected 0 of them"),
}


@pytest.mark.parametrize(("steps", "told"), FAILING.values(), ids=FAILING)
def test_failing(tmp_path: Path, steps: str, told: str) -> None:
    assert told in found(tmp_path, steps)
