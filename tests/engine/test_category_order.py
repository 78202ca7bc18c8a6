"""Categories that depend on each other settle in the order of the list and independently of queries.

A second reading counts anew for each guard; the engine, which adjusts tables, must agree.
"""

from operator import eq, ge, lt
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.graph.ruleset import Ruleset
from roster.engine.categories import MOST_ROUNDS
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.tree import Force, RosterTree, Selection
from tests.engine.spec_reader import ruleset_of

COLOURS = ("red", "blue", "green")
COMPARISONS = {"atLeast": ge, "lessThan": lt, "equalTo": eq}

moves = st.fixed_dictionaries(
    {
        "change": st.sampled_from(("add", "remove")),
        "value": st.sampled_from(COLOURS),
        "operator": st.sampled_from(tuple(COMPARISONS)),
        "counted": st.sampled_from(COLOURS),
        "number": st.integers(0, 2),
        "deep": st.booleans(),
    }
)
kinds = st.lists(
    st.fixed_dictionaries(
        {"declared": st.sets(st.sampled_from(COLOURS), max_size=2), "moves": st.lists(moves, max_size=2)}
    ),
    min_size=1,
    max_size=4,
)
units = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(1, 2), st.lists(st.tuples(st.integers(0, 3), st.integers(1, 2)), max_size=2)
    ),
    max_size=5,
)


def build_entry(place: int, kind: dict[str, Any], inner: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": f"k{place}",
        "name": f"Kind {place}",
        "categories": [{"id": f"k{place}-{colour}", "target_id": colour} for colour in sorted(kind["declared"])],
        "entries": inner,
        "modifiers": [
            {
                "change": move["change"],
                "field": "category",
                "value": move["value"],
                "guard": {
                    "conditions": [
                        {
                            "operator": move["operator"],
                            "value": move["number"],
                            "query": {"scope": "force", "child_id": move["counted"], "deep": move["deep"]},
                        }
                    ]
                },
            }
            for move in kind["moves"]
        ],
    }


def build_ruleset(kinds: list[dict[str, Any]]) -> Ruleset:
    inner = [build_entry(place, kind, []) | {"id": f"i{place}"} for place, kind in enumerate(kinds)]
    return ruleset_of(
        {
            "game": {
                "categories": [{"id": colour, "name": colour} for colour in COLOURS],
                "forces": [{"id": "patrol", "name": "Patrol"}],
            },
            "army": {"entries": [build_entry(place, kind, inner) for place, kind in enumerate(kinds)]},
        }
    )


def build_force(name: str, chosen: list[Any], kinds: int) -> Force:
    selections = tuple(
        Selection(
            id=f"{name}-{place}",
            entry_id=f"k{kind % kinds}",
            number=number,
            selections=tuple(
                Selection(id=f"{name}-{place}-{deeper}", entry_id=f"i{part % kinds}", number=amount)
                for deeper, (part, amount) in enumerate(inside)
            ),
        )
        for place, (kind, number, inside) in enumerate(chosen)
    )
    return Force(id=name, entry_id="patrol", catalogue_id="army", selections=selections)


def read_categories(evaluation: Evaluation) -> dict[str, tuple[str, ...]]:
    nodes = evaluation.roster.selections
    return {node.document.id: evaluation.categories.get_membership(node).ids for node in nodes if node.document}


def settle_plainly(evaluation: Evaluation, kinds: list[dict[str, Any]]) -> tuple[dict[str, tuple[str, ...]], bool]:
    """Settle all categories by counting anew each time; return them, and whether that ended."""
    nodes = [node for node in evaluation.roster.selections if node.document]
    kind_of = {node: kinds[int(node.target_id[1:])] for node in nodes}
    known = {node: tuple(sorted(kind_of[node]["declared"])) for node in nodes}

    def count(asker: SelectionNode, colour: str, deep: bool) -> int:
        return sum(
            node.total
            for node in nodes
            if node.force is asker.force and colour in known[node] and (deep or node.parent is node.force)
        )

    first: dict[SelectionNode, tuple[str, ...]] = {}
    for _ in range(MOST_ROUNDS):
        before = dict(known)
        for node in nodes:
            known[node] = tuple(sorted(kind_of[node]["declared"]))
            for move in kind_of[node]["moves"]:
                if COMPARISONS[move["operator"]](count(node, move["counted"], move["deep"]), move["number"]):
                    others = tuple(colour for colour in known[node] if colour != move["value"])
                    is_known = move["value"] in known[node]
                    added = known[node] if is_known else (*known[node], move["value"])
                    known[node] = added if move["change"] == "add" else others
        first = first or dict(known)
        if known == before:
            return {node.document.id: known[node] for node in nodes if node.document}, True
    return {node.document.id: first[node] for node in nodes if node.document}, False


@settings(max_examples=300, deadline=None)
@given(kinds=kinds, here=units, there=units, seed=st.integers(0, 1000))
def test_categories_settle_as_a_plain_reading_settles_them(
    kinds: list[dict[str, Any]], here: list[Any], there: list[Any], seed: int
) -> None:
    ruleset = build_ruleset(kinds)
    forces = (build_force("here", here, len(kinds)), build_force("there", there, len(kinds)))
    roster = RosterTree(id="r", name="R", forces=forces)
    evaluation = Evaluation(ruleset, roster)
    categories = read_categories(evaluation)
    assert (categories, not evaluation.categories.undecided) == settle_plainly(evaluation, kinds)

    # The answers do not depend on the first question.
    again = Evaluation(ruleset, roster)
    nodes = list(again.roster.selections)
    Random(seed).shuffle(nodes)
    for node in nodes:
        again.categories.get_membership(node)
    assert read_categories(again) == categories


@settings(max_examples=100, deadline=None)
@given(kinds=kinds, here=units, there=units, seed=st.integers(0, 1000))
def test_the_order_of_another_force_changes_nothing_here(
    kinds: list[dict[str, Any]], here: list[Any], there: list[Any], seed: int
) -> None:
    ruleset = build_ruleset(kinds)
    shuffled = list(there)
    Random(seed).shuffle(shuffled)
    readings = []
    for chosen in (there, shuffled):
        forces = (build_force("there", chosen, len(kinds)), build_force("here", here, len(kinds)))
        evaluation = Evaluation(ruleset, RosterTree(id="r", name="R", forces=forces))
        if evaluation.categories.undecided:
            return  # if there is a circle, the order decides everywhere
        readings.append({key: ids for key, ids in read_categories(evaluation).items() if key.startswith("here")})
    assert readings[0] == readings[1]


@settings(max_examples=50, deadline=None)
@given(kinds=kinds, here=units)
def test_judged_twice_it_is_judged_alike(kinds: list[dict[str, Any]], here: list[Any]) -> None:
    ruleset = build_ruleset(kinds)
    roster = RosterTree(id="r", name="R", forces=(build_force("here", here, len(kinds)),))
    assert evaluate(ruleset, roster) == evaluate(ruleset, roster)


def test_hundreds_of_units_may_become_something_by_what_others_are() -> None:
    """Whether a unit is keen depends on a drummer, so counting the keen asks each unit."""
    hears = {"operator": "atLeast", "value": 1, "query": {"scope": "force", "child_id": "drum", "deep": True}}
    joins = {"field": "category", "change": "add", "value": "keen", "guard": {"conditions": [hears]}}
    few = {"id": "few", "bound": "max", "value": 3, "query": {"scope": "self", "child_id": "keen", "deep": True}}
    ruleset = ruleset_of(
        {
            "game": {
                "categories": [{"id": "drum", "name": "Drum"}, {"id": "keen", "name": "Keen"}],
                "forces": [{"id": "host", "name": "Host", "constraints": [few]}],
            },
            "army": {
                "entries": [
                    {"id": "drummer", "name": "Drummer", "categories": [{"id": "link", "target_id": "drum"}]},
                    {"id": "man", "name": "Man", "modifiers": [joins]},
                ]
            },
        }
    )
    men = tuple(Selection(id=f"m{number}", entry_id="man") for number in range(400))
    for units, keen in (((Selection(id="d", entry_id="drummer"), *men), [400]), (men, [])):
        force = Force(id="f", entry_id="host", catalogue_id="army", selections=units)
        report = evaluate(ruleset, RosterTree(id="r", forces=(force,)))
        assert [violation.measured for violation in report.errors] == keen
