"""Resolve ids to definitions, and report mistakes in the data."""

from typing import Any

from catalogue.graph.ruleset import Ruleset
from tests.engine.spec_reader import ruleset_of
from tests.plain_yaml import load_yaml


def ruleset(text: str) -> Ruleset:
    node: dict[str, Any] = load_yaml(text)
    return ruleset_of(node)


def found(rules: Ruleset, catalogue_id: str, entry_id: str) -> str:
    binding = rules.binding
    hit = binding.find_entry(entry_id, binding.by_id[catalogue_id])
    return hit.entry.name if hit else ""


FILES = """
game: {shared_entries: [{id: x, name: game}, {id: y, name: game}, {id: only-game, name: game}]}
army:
  links: [{target_id: near}]
  entries:
    - {id: a, name: outer, entries: [{id: nested, name: nested}, {id: shared, name: nested}]}
  shared_entries: [{id: x, name: own}, {id: shared, name: shared}]
more:
  - {id: near, name: Near, kind: library, links: [{target_id: next}], shared_entries: [{id: y, name: near}]}
  - {id: next, name: Next, kind: library, shared_entries: [{id: z, name: next}]}
  - {id: far, name: Far, kind: faction, shared_entries: [{id: z, name: far}, {id: w, name: far}]}
"""


def test_own_file_then_linked_then_game_then_anywhere() -> None:
    rules = ruleset(FILES)
    expected = {"x": "own", "y": "near", "z": "next", "only-game": "game", "w": "far", "nowhere": ""}
    assert {i: found(rules, "army", i) for i in expected} == expected


def test_shared_before_nested() -> None:
    rules = ruleset(FILES)
    assert found(rules, "army", "nested") == "nested"
    assert found(rules, "army", "shared") == "shared"


def test_imports_are_handed_on() -> None:
    rules = ruleset(
        """
        army: {links: [{target_id: b, import_root_entries: true}, {target_id: c}], entries: [{id: a1, name: A1}]}
        game: {entries: [{id: g1, name: G1}]}
        more:
          - id: b
            name: B
            kind: faction
            links: [{target_id: d, import_root_entries: true}]
            entries: [{id: b1, name: B1}, {id: b2, name: B2, exported: false}, {id: b3, kind: group, name: B3}]
          - {id: c, name: C, kind: faction, entries: [{id: c1, name: C1}]}
          - {id: d, name: D, kind: library, entries: [{id: d1, name: D1}]}
        """
    )
    book = rules.find_catalogue("army")
    assert book
    assert [option.local_id for option in book.root_options.options] == ["a1", "b1", "d1", "g1"]


def test_force_entries_of_a_catalogue_are_its_own_and_the_games() -> None:
    rules = ruleset("{game: {forces: [{id: g, name: G}]}, army: {forces: [{id: a, name: A}]}}")
    book = rules.find_catalogue("army")
    assert book
    assert [force.id for force in book.force_entries] == ["a", "g"]


def test_diagnostics_say_what_is_wrong() -> None:
    rules = ruleset(
        """
        army:
          links: [{target_id: no-catalogue}]
          entries:
            - {id: twice, name: One}
            - {id: twice, name: Two}
            - {id: l1, kind: entry-link, target_id: nowhere}
            - {id: g1, kind: group, name: Group, default_id: nobody}
            - {id: e1, name: Entry, categories: [{id: c1, target_id: no-category}]}
            - {id: e2, name: Entry, infos: [{id: i1, kind: link, target_id: no-rule}]}
          shared_entries:
            - {id: loop, kind: group, name: Loop, entries: [{id: l2, kind: group-link, target_id: loop}]}
        """
    )
    assert sorted(diagnostic.code for diagnostic in rules.diagnostics) == [
        "cyclic-link",
        "dangling-default",
        "dangling-link",
        "dangling-link",
        "dangling-link",
        "duplicate-id",
        "unknown-category",
    ]
    assert all(diagnostic.mend and diagnostic.file == "Army" for diagnostic in rules.diagnostics)


def test_sound_data_has_none() -> None:
    assert ruleset(FILES.replace(", {id: shared, name: nested}", "")).diagnostics == ()


def test_a_group_inside_itself_is_cut() -> None:
    rules = ruleset(
        """
        army:
          shared_entries:
            - id: loop
              kind: group
              name: Loop
              entries: [{id: again, kind: group-link, target_id: loop}, {id: leaf, name: Leaf}]
          entries: [{id: tree, name: Tree, entries: [{id: in, kind: group-link, target_id: loop}]}]
        """
    )
    book = rules.find_catalogue("army")
    assert book
    tree = book.root_options.options[0].entry.contents
    assert [option.local_id for option in tree.options] == ["in::leaf"]


def test_a_set_without_game_system_is_tolerated() -> None:
    rules = ruleset("{game: {kind: library}, army: {entries: [{id: a, name: A}]}}")
    book = rules.find_catalogue("army")
    assert book
    assert [option.name for option in book.root_options.options] == ["A"]
