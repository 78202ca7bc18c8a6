"""The figures of a violation can be checked by counting, and hints to add appear only if there is room."""

from typing import Any

import pytest

from roster.engine.evaluate import evaluate
from roster.engine.report import Lacking, Violation
from tests.engine.spec_reader import roster_of, ruleset_of
from tests.engine.test_tree import judged
from tests.plain_yaml import load_yaml

PATROL = """
    game:
      categories: [{id: light, name: Light}, {id: heavy, name: Heavy}, {id: trucks, name: Light}]
      forces:
        - id: patrol
          name: Patrol
          constraints:
            - id: room
              bound: %(bound)s
              value: 4
              query: {scope: self, child_id: light}
              terms: [{coefficient: %(weight)s, query: {scope: self, child_id: %(other)s}}]
    army:
      entries:
        - {id: jeep, name: Jeep, categories: [{id: c1, target_id: light}]}
        - {id: tank, name: Tank, categories: [{id: c2, target_id: heavy}]}
        - {id: truck, name: Truck, categories: [{id: c3, target_id: trucks}]}
    list: [{force: patrol, take: [%(take)s]}]
    """


def find_violation(**words: Any) -> Violation | None:
    given = {"bound": "max", "weight": -2, "other": "heavy"} | words
    given["take"] = ", ".join(f"{{entry: {name}, number: {number}}}" for name, number in given["take"].items())
    return next(iter(judged(PATROL % given).violations), None)


@pytest.mark.parametrize(
    ("take", "expected"),
    [
        ({"jeep": 5}, ("light", 5, 4)),
        ({"jeep": 1, "tank": 2}, ("light", 1, 0)),
        ({"tank": 3}, ("heavy", 3, 2)),
        ({"jeep": 1, "tank": 3}, ("heavy", 3, 1.5)),
    ],
)
def test_where_the_others_alone_are_too_many_they_are_named(
    take: dict[str, int], expected: tuple[str, int, float]
) -> None:
    violation = find_violation(take=take)
    assert violation is not None
    assert (violation.counted_id, violation.measured, violation.allowed) == expected


def test_what_just_fits_is_no_violation() -> None:
    assert find_violation(take={"jeep": 2, "tank": 1}) is None


@pytest.mark.parametrize(("bound", "take", "figures"), [("max", 3, (6, 4)), ("min", 1, (2, 4))])
def test_counts_of_one_name_are_one_count(bound: str, take: int, figures: tuple[int, int]) -> None:
    both = {"jeep": take, "truck": take}
    violation = find_violation(bound=bound, weight=-1, other="trucks", take=both)
    assert violation is not None
    assert (violation.counted, violation.measured, violation.allowed) == ("Light", *figures)
    assert {place.name for place in violation.cause} == {"Jeep", "Truck"}


@pytest.mark.parametrize("weight", [1, 3])
def test_what_is_lacking_is_named_with_its_number(weight: int) -> None:
    violation = find_violation(weight=weight, take={"jeep": 6})
    assert violation is not None
    assert violation.lacking == Lacking(name="Heavy", number=2 if weight == 1 else 1)
    short = find_violation(bound="min", weight=weight, take={"jeep": 3})
    assert short is not None
    assert short.lacking is None


def test_either_of_two_that_are_summed_up_mends_a_sum() -> None:
    violation = find_violation(bound="min", weight=-1, other="trucks", take={"jeep": 1})
    assert violation is not None
    assert violation.mended_by == ("light", "trucks")


SUM = """
    game:
      cost_types: [{id: pts, name: points}]
      categories: [{id: core, name: Core}, {id: guard, name: Core}]
      forces:
        - id: patrol
          name: Patrol
          constraints:
            - id: cores
              bound: min
              value: 1
              query: {scope: self, child_id: core}
              terms: [{coefficient: -1, query: {scope: self, child_id: guard}}]
    army:
      entries:
        - {id: squad, name: Squad, categories: [{id: c1, target_id: core}], costs: [{type_id: pts, value: 9}]}
        - {id: guard-post, name: Post, categories: [{id: c2, target_id: guard}], costs: [{type_id: pts, value: 5}]}
    list: [{force: patrol, take: []}]
    """


@pytest.mark.parametrize(("limit", "crowded"), [(9, False), (8, False), (5, False), (4, True)])
def test_there_is_room_if_the_cheaper_of_two_that_are_summed_up_fits(limit: int, crowded: bool) -> None:
    node = load_yaml(SUM)
    case = {"it": "is judged", "list": node.pop("list"), "limits": {"pts": limit}}
    [violation] = evaluate(ruleset_of(node), roster_of(case)).violations
    assert violation.crowded is crowded


CROWD = """
    game:
      cost_types: [{id: pts, name: points}]
      categories: [{id: core, name: Core}, {id: guns, name: Guns}]
      forces:
        - id: patrol
          name: Patrol
          constraints:
            - {id: most, bound: max, value: %(most)s, query: {scope: self, child_id: any}}
            - {id: cores, bound: min, value: 1, query: {scope: self, child_id: core}}
            - id: guns
              bound: max
              value: 0
              query: {scope: self, child_id: guns}
              terms: [{query: {scope: self, child_id: core}}]
    army:
      entries:
        - {id: squad, name: Squad, categories: [{id: c1, target_id: core}], costs: [{type_id: pts, value: 5}]}
        - {id: gun, name: Gun, categories: [{id: c2, target_id: guns}], costs: [{type_id: pts, value: 5}]}
    list: [{force: patrol, take: [gun]}]
    """


@pytest.mark.parametrize(("most", "limit", "crowded"), [(2, 100, False), (1, 100, True), (2, 10, False), (2, 9, True)])
def test_what_no_pick_may_mend_is_crowded(most: int, limit: int, crowded: bool) -> None:
    node = load_yaml(CROWD % {"most": most})
    case = {"it": "is judged", "list": node.pop("list"), "limits": {"pts": limit}}
    violations = evaluate(ruleset_of(node), roster_of(case)).violations
    assert {v.constraint_id: v.crowded for v in violations} == {"guns": crowded, "cores": crowded}
    assert all(v.mendable for v in violations)


SIZES = """
    game:
      cost_types: [{id: pts, name: points}]
      forces: [{id: patrol, name: Patrol}]
      constraints:
        - id: size
          bound: exactly
          value: 2000
          query: {field: "limit::pts", scope: roster, child_id: any}
          when:
            negated: true
            any_of: true
            conditions:
              - {operator: equalTo, value: 3000, query: {field: "limit::pts", scope: roster, child_id: any}}
              - {operator: equalTo, value: 1000, query: {field: "limit::pts", scope: roster, child_id: any}}
    army: {}
    list: [{force: patrol}]
    """


@pytest.mark.parametrize(("limit", "choices"), [(500, [(1000, 2000, 3000)]), (1000, []), (2000, [])])
def test_a_limit_that_is_one_of_several_says_which(limit: int, choices: list[tuple[int, ...]]) -> None:
    node = load_yaml(SIZES)
    case = {"it": "is judged", "list": node.pop("list"), "limits": {"pts": limit}}
    violations = evaluate(ruleset_of(node), roster_of(case)).violations
    assert [violation.choices for violation in violations] == choices
