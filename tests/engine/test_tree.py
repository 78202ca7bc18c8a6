"""The effective tree: content and order after modifiers."""

from typing import Any

import msgspec

from roster.engine.evaluate import evaluate
from roster.engine.report import EffectiveForce, EffectiveSelection, Report
from tests.engine.spec_reader import roster_of, ruleset_of
from tests.plain_yaml import load_yaml


def judged(text: str) -> Report:
    node: dict[str, Any] = load_yaml(text)
    case = {"it": "is shown", "list": node.pop("list")}
    return evaluate(ruleset_of(node), roster_of(case))


def shown(text: str) -> EffectiveForce:
    (force,) = judged(text).forces
    return force


def names(selections: tuple[EffectiveSelection, ...]) -> list[str]:
    return [selection.name for selection in selections]


def test_selections_stand_by_category_then_place_then_name() -> None:
    force = shown(
        """
        game:
          categories: [{id: hq, name: HQ}, {id: core, name: Core}]
          forces: [{id: patrol, name: Patrol, categories: [{id: s1, target_id: hq}, {id: s2, target_id: core}]}]
        army:
          entries:
            - {id: u10, name: Unit 10, categories: [{id: c1, target_id: core, primary: true}]}
            - {id: u2, name: Unit 2, categories: [{id: c2, target_id: core, primary: true}]}
            - {id: first, name: Zulu, sort_index: 1, categories: [{id: c3, target_id: core, primary: true}]}
            - {id: boss, name: Boss, categories: [{id: c4, target_id: hq, primary: true}]}
            - {id: loose, name: Xenon}
        list: [{force: patrol, take: [u10, u2, first, boss, loose]}]
        """
    )
    assert names(force.selections) == ["Xenon", "Boss", "Zulu", "Unit 2", "Unit 10"]
    assert [category.name for category in force.categories] == ["Uncategorised", "HQ", "Core"]


def test_names_change_and_carry_annotations() -> None:
    force = shown(
        """
        game: {forces: [{id: patrol, name: Patrol, modifiers: [{change: append, field: name, value: Alpha}]}]}
        army:
          entries:
            - id: squad
              name: Squad
              modifiers:
                - {change: prepend, field: name, value: Old, join: "-"}
                - {change: replace, field: name, arg: qu, value: k}
                - {change: set, field: annotation, value: tired}
              entries:
                - id: arms
                  kind: group
                  name: Arms
                  modifiers: [{change: set, field: name, value: Weapons}]
                  entries: [{id: sword, name: Sword}]
        list: [{force: patrol, take: [{entry: squad, take: [{entry: sword, group: arms}]}]}]
        """
    )
    assert force.name == "Patrol Alpha"
    assert names(force.selections) == ["Old-Skad (tired)"]
    assert force.selections[0].selections[0].group_name == "Weapons"


def test_numbers_and_costs_multiply_and_add_up() -> None:
    report = judged(
        """
        game: {cost_types: [{id: pts, name: points}], forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: squad
              name: Squad
              costs: [{type_id: pts, value: 5}, {type_id: gold, value: 1}]
              entries:
                - id: model
                  name: Model
                  entries: [{id: gun, name: Gun, costs: [{type_id: pts, value: 0.5}]}]
        list:
          - {force: patrol, take: [{entry: squad, take: [{entry: model, number: 3, take: [{entry: gun, number: 2}]}]}]}
        """
    )
    squad = report.forces[0].selections[0]
    gun = squad.selections[0].selections[0]
    assert gun.number == 6
    assert [(cost.type_id, cost.value) for cost in gun.costs] == [("pts", 3)]
    assert [cost.value for cost in squad.costs] == [5]
    assert [cost.value for cost in squad.totals] == [8]
    assert [(cost.name, cost.value) for cost in report.costs] == [("points", 8)]


def test_infos_follow_links_and_modifiers() -> None:
    force = shown(
        """
        game:
          forces: [{id: patrol, name: Patrol, infos: [{id: r0, kind: rule, name: March}]}]
          infos: [{id: r1, kind: rule, name: Everywhere}]
        army:
          infos: [{id: r2, kind: rule, name: Ours}]
          shared_infos:
            - id: stats
              kind: profile
              name: Stats
              type_name: Models
              characteristics: [{type_id: m, name: M, value: "6"}, {type_id: d, name: D, value: D6+1}]
              citation: {page: "7"}
            - id: pair
              kind: group
              infos: [{id: r3, kind: rule, name: Brave}, {id: r4, kind: rule, name: Shy, hidden: true}]
          entries:
            - id: squad
              name: Squad
              infos:
                - id: i1
                  kind: link
                  target_id: stats
                  citation: {page: "99"}
                  modifiers:
                    - {change: increment, field: m, value: "2"}
                    - {change: increment, field: d, value: "1", position: -1}
                - {id: i2, kind: link, target_id: pair}
        list: [{force: patrol, take: [squad]}]
        """
    )
    assert [rule.name for rule in force.rules] == ["March", "Ours", "Everywhere"]
    squad = force.selections[0]
    assert [rule.name for rule in squad.rules] == ["Brave"]
    assert [c.value for c in squad.profiles[0].characteristics] == ["8", "D6+2"]
    assert squad.profiles[0].citation.page == "7"


def test_around_a_text_is_its_owner() -> None:
    force = shown(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: tank
              name: Tank
              entries: [{id: drone, name: Drone}]
              infos:
                - id: attached
                  kind: rule
                  name: Attached drones
                  modifiers:
                    - change: set
                      field: hidden
                      value: "true"
                      guard: {conditions: [{operator: equalTo, query: {scope: parent, child_id: drone}}]}
                - id: own
                  kind: rule
                  name: Tank
                  modifiers:
                    - change: set
                      field: name
                      value: A tank
                      guard: {conditions: [{operator: instanceOf, query: {scope: ancestor, child_id: tank}}]}
        list: [{force: patrol, take: [{entry: tank, take: [drone]}, tank]}]
        """
    )
    assert [[rule.name for rule in tank.rules] for tank in force.selections] == [
        ["Attached drones", "A tank"],
        ["A tank"],
    ]


def test_the_path_of_a_text_is_the_links_that_led_to_it() -> None:
    force = shown(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          shared_infos: [{id: brave, kind: rule, name: Brave}]
          shared_entries:
            - id: squad
              name: Squad
              infos: [{id: own, kind: rule, name: Own}, {id: i1, kind: link, target_id: brave}]
          entries:
            - {id: l1, kind: entry-link, target_id: squad, infos: [{id: extra, kind: rule, name: Extra}]}
        list: [{force: patrol, take: ["l1::squad"]}]
        """
    )
    assert [(rule.path, rule.id) for rule in force.selections[0].rules] == [
        ("l1::", "own"),
        ("l1::i1::", "brave"),
        ("", "extra"),
    ]


def test_rules_of_an_imported_catalogue_come_along() -> None:
    force = shown(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army: {links: [{target_id: allies, import_root_entries: true}, {target_id: armoury}]}
        more:
          - {id: allies, name: Allies, kind: faction, infos: [{id: r1, kind: rule, name: Friends}]}
          - {id: armoury, name: Armoury, kind: library, infos: [{id: r2, kind: rule, name: Arms}]}
        list: [{force: patrol}]
        """
    )
    assert [rule.name for rule in force.rules] == ["Friends"]


def test_an_upgrade_changes_profiles_elsewhere() -> None:
    force = shown(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army:
          entries:
            - id: knight
              name: Knight
              type: model
              infos: &stats
                - id: p
                  kind: profile
                  name: Stats
                  type_name: Models
                  characteristics: [{type_id: w, name: W, value: "3"}]
              entries:
                - id: horse
                  name: Horse
                  infos: *stats
                - id: amulet
                  name: Amulet
                  effects:
                    - scope: model
                      profile_type: Models
                      own: true
                      modifier: {change: increment, field: w, value: "1"}
        list:
          - force: patrol
            take:
              - {entry: knight, take: [horse, amulet]}
              - {entry: knight, take: [horse]}
        """
    )
    blessed, plain = force.selections
    horse = next(selection for selection in blessed.selections if selection.entry_id == "horse")
    wounds = [s.profiles[0].characteristics[0].value for s in (blessed, plain, horse)]
    assert wounds == ["4", "3", "3"]


def test_categories_of_a_selection_are_effective() -> None:
    force = shown(
        """
        game:
          categories: [{id: hq, name: HQ}, {id: core, name: Core}, {id: fast, name: Fast, hidden: true}]
          forces: [{id: patrol, name: Patrol}]
        army:
          entries:
            - id: rider
              name: Rider
              categories: [{id: c1, target_id: hq, primary: true}, {id: c2, target_id: core}]
              modifiers:
                - {change: remove, field: category, value: core}
                - {change: set-primary, field: category, value: fast}
        list: [{force: patrol, take: [rider]}]
        """
    )
    categories = force.selections[0].categories
    assert [(c.id, c.primary, c.hidden) for c in categories] == [("hq", False, False), ("fast", True, True)]


def test_placeholders_keep_what_they_were_called() -> None:
    force = shown(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        list: [{force: patrol, take: [{entry: "a::gone", number: 2, take: [inner]}]}]
        """
    )
    gone = force.selections[0]
    assert (gone.placeholder, gone.name, gone.number) == (True, "gone", 2)
    assert gone.selections[0].placeholder


def test_a_force_without_data_is_shown() -> None:
    force = shown("list: [{force: horde, catalogue: aliens, take: [bug]}]")
    assert (force.entry_id, force.catalogue_name, names(force.selections)) == ("horde", "", ["bug"])


def test_unchecked_follows_the_data_in_use() -> None:
    text = """
        game:
          forces: [{id: patrol, name: Patrol}]
          unchecked: [{code: terrain, text: Terrain is not judged.}]
        army:
          unchecked: [{code: flying, text: Flight is not judged., subject_id: bird}]
          entries: [{id: bird, name: Bird}]
        more: [{id: other, name: Other, kind: faction, unchecked: [{code: far, text: Far away.}]}]
    """
    assert [u.code for u in judged(text + "    list: [{force: patrol}]").unchecked] == ["terrain"]
    with_bird = judged(text + "    list: [{force: patrol, take: [bird]}]")
    assert [u.code for u in with_bird.unchecked] == ["terrain", "flying"]


def test_a_limited_cost_type_is_listed_before_anything_costs() -> None:
    ruleset = ruleset_of({"game": {"cost_types": [{"id": "pts", "name": "points"}, {"id": "cp", "name": "cp"}]}})
    report = evaluate(ruleset, roster_of({"list": [], "limits": {"pts": 10}}))
    assert [(cost.type_id, cost.value, cost.limit) for cost in report.costs] == [("pts", 0, 10)]


def test_a_report_is_json() -> None:
    report = judged(
        """
        game: {forces: [{id: patrol, name: Patrol}]}
        army: {entries: [{id: a, name: A, hidden: true}]}
        list: [{force: patrol, take: [a]}]
        """
    )
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report


def test_pages_change() -> None:
    force = shown(
        """
        game:
          forces:
            - id: patrol
              name: Patrol
              citation: {page: "9"}
              modifiers: [{change: increment, field: page, value: "3"}]
        army:
          entries:
            - id: squad
              name: Squad
              citation: {page: "4"}
              modifiers: [{change: append, field: page, value: b}]
        list: [{force: patrol, take: [squad]}]
        """
    )
    assert (force.citation.page, force.selections[0].citation.page) == ("12", "4 b")
