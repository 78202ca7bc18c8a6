"""Test the runner: with a rule of the engine switched off, the specs of that rule fail."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from catalogue.definitions.queries import Change, Modifier, Query
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph import compiled_entry
from roster.engine import (
    categories,
    conditions,
    effective_tree,
    effective_values,
    evaluate,
    new_selections,
    queries,
    rule,
    scopes,
)
from roster.engine.nodes import SelectionNode
from roster.engine.tree import copy_with
from roster.engine.violation_location import locate_roster
from tests.conformance.spec_runner import run, specs_below

SUITE = "conformance/battlescribe/roster"

Switch = Callable[[pytest.MonkeyPatch], None]


class Ablation(NamedTuple):
    """What is switched off, how, and the specs that must then fail."""

    what: str
    switch: Switch
    proofs: tuple[str, ...]


def without_kind(code: RuleCode) -> Switch:
    def switch(patch: pytest.MonkeyPatch) -> None:
        patch.setitem(evaluate.RULE_KINDS, code, lambda evaluation: iter(()))

    return switch


def replacing(owner: Any, name: str, make: Callable[[Any], Any]) -> Switch:
    def switch(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(owner, name, make(getattr(owner, name)))

    return switch


def both(one: Switch, other: Switch) -> Switch:
    def switch(patch: pytest.MonkeyPatch) -> None:
        one(patch)
        other(patch)

    return switch


def constantly(value: Any) -> Callable[[Any], Any]:
    return lambda _: lambda *args, **named: value


def first_repeat_only(times: Any) -> Any:
    def fewer(self: Any, modifier: Modifier, node: Any) -> int:
        return int(times(self, copy_with(modifier, repeats=tuple(level[:1] for level in modifier.repeats)), node))

    return fewer


def asking(**fields: Any) -> Callable[[Any], Any]:
    def make(method: Any) -> Any:
        return lambda self, query, *rest, **named: method(self, copy_with(query, **fields), *rest, **named)

    return make


def with_any(amount: Any) -> Any:
    def ask(self: Any, query: Query, node: Any, own: Any = None) -> Any:
        return amount(self, query if query.child_id or own else copy_with(query, child_id="any"), node, own)

    return ask


def unjoined(change_text: Any) -> Any:
    return lambda modifier, current, times: change_text(copy_with(modifier, join=""), current, times)


def as_set(moved: Any) -> Any:
    return lambda membership, modifier: moved(membership, copy_with(modifier, change=Change.ADD))


def sets_first(text: Any) -> Any:
    def ordered(self: Any, modifiers: Iterable[Modifier], base: str, node: Any) -> str:
        return str(text(self, sorted(modifiers, key=lambda m: m.change is not Change.SET), base, node))

    return ordered


def own_number(_: Any) -> Any:
    return property(lambda node: node.number, lambda node, total: None)


ABLATIONS = [
    Ablation(
        "maximum", without_kind(RuleCode.MAXIMUM), ("constraint-max-violation", "collective-constraint-per-model")
    ),
    Ablation("minimum", without_kind(RuleCode.MINIMUM), ("constraint-min-on-force-linked", "constraint-forces-field")),
    Ablation("hidden", without_kind(RuleCode.HIDDEN), ("constraint-hidden-violation-linked", "modifier-field-hidden")),
    Ablation(
        "cost limits",
        without_kind(RuleCode.COST_LIMIT),
        ("cost-default-limit-positive", "cost-hidden-limit-validation"),
    ),
    Ablation("cost cycles", without_kind(RuleCode.COST_CYCLE), ("modifier-repeat-cost-self-reference",)),
    Ablation(
        "blame",
        replacing(rule, "locate_violation", lambda _: lambda evaluation, check: locate_roster(evaluation)),
        ("constraint-max-violation", "constraint-multiple-errors-linked"),
    ),
    Ablation(
        "once per scope",
        replacing(rule, "_identify_check", lambda _: lambda evaluation, check: object()),
        ("constraint-entry-link-shared-counting",),
    ),
    Ablation(
        "order of modifiers",
        replacing(effective_values.EffectiveValues, "adjust_text", sets_first),
        ("modifier-application-order",),
    ),
    Ablation(
        "a space before what is appended",
        replacing(effective_values, "change_text", unjoined),
        ("modifier-append-with-space", "modifier-group-with-repeat"),
    ),
    Ablation(
        "numbers in texts",
        replacing(effective_values, "_change_number_in_text", lambda _: lambda modifier, current, times: current),
        ("modifier-on-profile",),
    ),
    Ablation(
        "rounding up",
        replacing(conditions, "count_steps", lambda whole: lambda amount, step, up: whole(amount, step, up=False)),
        ("modifier-repeat-round-up",),
    ),
    Ablation(
        "sum of repeats",
        replacing(conditions.Conditions, "count_times", first_repeat_only),
        ("modifier-repeat-multiple-additive",),
    ),
    Ablation(
        "guards",
        replacing(conditions.Conditions, "is_satisfied", constantly(True)),
        ("condition-equal-to", "scope-force"),
    ),
    Ablation(
        "percent",
        replacing(queries.Queries, "compute_total", constantly(1000)),
        ("modifier-repeat-percent-value", "constraint-percent-value-at-limit"),
    ),
    Ablation(
        "not shared",
        replacing(queries, "list_path_keys", lambda _: lambda node: node.keys),
        ("modifier-repeat-shared-flag",),
    ),
    Ablation(
        "shared",
        replacing(queries.Queries, "_count_selections", asking(shared=False)),
        ("constraint-entry-link-shared-counting", "modifier-repeat-shared-flag"),
    ),
    Ablation(
        "inner forces",
        replacing(scopes.Scopes, "list_places_at", asking(include_child_forces=False)),
        ("constraint-include-child-forces",),
    ),
    Ablation(
        "deep",
        replacing(queries.Queries, "_count_selections", asking(deep=False)),
        ("modifier-repeat-include-child-selections",),
    ),
    Ablation(
        "no child, no answer",
        replacing(queries.Queries, "compute_amount", with_any),
        ("condition-null-childid", "condition-null-childid-parent-scope"),
    ),
    Ablation(
        "what is around",
        both(
            replacing(conditions, "list_enclosing", constantly(())),
            replacing(queries, "list_enclosing", constantly(())),
        ),
        ("condition-instance-of-ancestor", "scope-ancestor"),
    ),
    Ablation(
        "moving categories",
        replacing(categories, "_change_membership", as_set),
        ("modifier-category-remove", "modifier-category-set-primary"),
    ),
    Ablation(
        "required entries",
        both(
            replacing(compiled_entry, "_are_picks_fixed", constantly(False)),
            replacing(new_selections, "_count_missing", constantly(0)),
        ),
        ("auto-select-multiple-min", "selection-number-with-min"),
    ),
    Ablation(
        "defaults of groups",
        both(
            replacing(compiled_entry, "_are_picks_fixed", constantly(False)),
            replacing(new_selections, "_count_missing_in_group", constantly(0)),
        ),
        ("default-selection-via-deep-link", "collective-group-default-scaling"),
    ),
    Ablation(
        "one selection each",
        replacing(compiled_entry.CompiledEntry, "is_instanced", lambda _: False),
        ("collective-is-duplicate",),
    ),
    Ablation(
        "cost types seen",
        replacing(new_selections, "add_cost_types", lambda _: lambda roster, type_ids: roster),
        ("selection-deselect-then-reselect", "cost-aggregation"),
    ),
    Ablation(
        "natural order",
        replacing(effective_tree, "make_natural_key", lambda _: lambda name: name),
        ("ordering-selections-natural-sort",),
    ),
    Ablation(
        "numbers multiply",
        replacing(SelectionNode, "total", own_number),
        ("collective-number-propagation", "collective-child-inherits-number"),
    ),
]


def failing(names: Iterable[str], shared: Path) -> set[str]:
    paths = {path.stem: path for path in specs_below(shared / SUITE)}
    return {name for name in names if run(paths[name]).found}


@pytest.mark.parametrize("ablation", ABLATIONS, ids=lambda ablation: ablation.what)
def test_specs_prove_the_rule(ablation: Ablation, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert failing(ablation.proofs, shared) == set()
    ablation.switch(monkeypatch)
    assert failing(ablation.proofs, shared) == set(ablation.proofs)
