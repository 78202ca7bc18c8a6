"""Read a spec: a tiny game, lists, and the expected violations.

A spec has the keys `behaviour` (one sentence), `rule` (its main rule kind), `game` (fields of the game system), `army`
(fields of the catalogue), optionally `more` (further catalogues), and `cases`. The keys of a case:

* `it`: what is special about the list.
* `list`: forces; optionally `limits`.
* `wrong`: exactly these violations, as "code on place from owner/constraint" with published codes; none if absent.
* `verdict` and `costs`, optional.
* `unshown`: what the list's written form leaves out; `plan`: a game plan; `origin`: the program of the list.
* `texts`: the texts of the violations by the data's authors.
* `unchecked`: exactly the codes of the notes about what was not judged.
* `show`: derived values by the id of a selection or force.
* `shown_costs`: the cost types that are shown.
* `offers`: by the id of a force or selection and of an entry, `free` or the code of what prevents it.
* `forces`: by the id of a force, "" for the list, the kinds of force that are offered in it.
* `steps`: edits before the list is judged, with automatic selections: `{force: id}` adds a detachment, `{entry: id, in:
  n1}` takes a unit. `holds` has the expected content by the id of a force.

A force is `{force: id}` with `take`, a list of selections: an entry's id, or a mapping with `entry` and optionally
`number`, `group`, `attached` (the id of the host by association) and `take`. Selections and forces are n1, n2, ... in
order. `leader: n3` declares the leader of a force. `{force: ""}` is outside every detachment.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from catalogue.definitions.catalogues import Catalogue, DataSet
from catalogue.definitions.numbers import Number
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine import edits
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode
from roster.engine.offers import list_offered_forces, list_offers
from roster.engine.plan import GamePlan
from roster.engine.report import PlaceKind, Report, Violation
from roster.engine.tree import Attachment, Force, Limit, Origin, RosterTree, Selection, count_nodes
from tests.plain_yaml import load_yaml_file

SPECS = Path(__file__).parent / "specs"
FIELDS = {"behaviour", "rule", "game", "army", "more", "cases", "look_ahead"}
CASE_FIELDS = {
    "it",
    "list",
    "limits",
    "wrong",
    "verdict",
    "costs",
    "unshown",
    "plan",
    "origin",
    "unchecked",
    "show",
    "offers",
    "forces",
    "shown_costs",
    "steps",
    "holds",
    "texts",
}

Node = dict[str, Any]


class Case(msgspec.Struct):
    """A list of a spec and the expectations."""

    it: str
    roster: RosterTree
    wrong: list[str]
    verdict: str = ""
    costs: dict[str, str] = {}
    plan: GamePlan | None = None
    unchecked: list[str] | None = None
    show: dict[str, Node] = {}
    offers: dict[str, dict[str, str]] = {}
    forces: dict[str, list[str]] = {}
    shown_costs: list[str] | None = None
    holds: dict[str, list[str]] = {}
    texts: list[str] | None = None


class Spec(msgspec.Struct):
    name: str
    behaviour: str
    rule: str
    ruleset: Any
    cases: list[Case]
    look_ahead: bool = False

    def judge(self, case: Case) -> Report:
        return evaluate(self.ruleset, case.roster, case.plan, look_ahead=self.look_ahead)


def spec_names() -> list[str]:
    return sorted(path.stem for path in SPECS.glob("*.yaml"))


@cache
def read_spec(name: str) -> Spec:
    node: Node = load_yaml_file(SPECS / f"{name}.yaml")
    unknown = node.keys() - FIELDS
    assert not unknown, f"{name} has fields that mean nothing: {sorted(unknown)}"
    ruleset = ruleset_of(node)
    return Spec(
        name=name,
        behaviour=node["behaviour"],
        rule=node["rule"],
        ruleset=ruleset,
        cases=[_case(case, ruleset) for case in node["cases"]],
        look_ahead=node.get("look_ahead", False),
    )


def ruleset_of(node: Node) -> Ruleset:
    game = {"id": "game", "name": "Game", "kind": "game-system", **(node.get("game") or {})}
    army = {"id": "army", "name": "Army", "kind": "faction", **(node.get("army") or {})}
    files = [game, army, *(node.get("more") or ())]
    return compile_ruleset(DataSet(catalogues=tuple(msgspec.convert(f, Catalogue, strict=False) for f in files)))


def _case(node: Node, ruleset: Ruleset) -> Case:
    unknown = node.keys() - CASE_FIELDS
    assert not unknown, f"{node['it']} has fields that mean nothing: {sorted(unknown)}"
    return Case(
        it=node["it"],
        roster=_take_steps(ruleset, roster_of(node), node.get("steps") or ()),
        wrong=node.get("wrong") or [],
        verdict=node.get("verdict", ""),
        costs={key: str(value) for key, value in (node.get("costs") or {}).items()},
        plan=msgspec.convert(node["plan"], GamePlan, strict=False) if "plan" in node else None,
        unchecked=node.get("unchecked"),
        show=node.get("show") or {},
        offers=node.get("offers") or {},
        forces=node.get("forces") or {},
        shown_costs=node.get("shown_costs"),
        holds=node.get("holds") or {},
        texts=node.get("texts"),
    )


def _take_steps(ruleset: Ruleset, roster: RosterTree, steps: Iterable[Node]) -> RosterTree:
    ids = (f"n{number}" for number in count(count_nodes(roster) + 1))
    for step in steps:
        place = step.get("in", "")
        taken = (
            edits.add_force(ruleset, roster, step["force"], step.get("catalogue", "army"), place, ids=lambda: next(ids))
            if "force" in step
            else edits.select(ruleset, roster, place, step["entry"], ids=lambda: next(ids))
        )
        assert isinstance(taken, edits.EditedRoster), taken
        roster = taken.roster
    return roster


def roster_of(node: Node) -> RosterTree:
    ids = (f"n{number}" for number in count(1))
    return RosterTree(
        id="roster",
        limits=tuple(Limit(type_id=t, value=_number(v)) for t, v in (node.get("limits") or {}).items()),
        unshown=tuple(node.get("unshown") or ()),
        origin=Origin(node.get("origin", "")),
        forces=tuple(_force(force, ids) for force in node.get("list") or ()),
    )


def _number(value: Any) -> Number:
    return msgspec.convert(value, Number, strict=False)


def _force(node: Node, ids: Iterator[str]) -> Force:
    return Force(
        id=next(ids),
        entry_id=node["force"],
        catalogue_id=node.get("catalogue", "army"),
        leader_id=node.get("leader", ""),
        also_leading=tuple(node.get("also_leading", ())),
        selections=tuple(_selection(s, ids) for s in node.get("take") or ()),
        forces=tuple(_force(f, ids) for f in node.get("forces") or ()),
    )


def _selection(node: Node | str, ids: Iterator[str]) -> Selection:
    if isinstance(node, str):
        return Selection(id=next(ids), entry_id=node)
    return Selection(
        id=next(ids),
        entry_id=node["entry"],
        group_id=node.get("group", ""),
        number=node.get("number", 1),
        custom_name=node.get("name", ""),
        attachments=tuple(
            Attachment(association_id=association_id, to_id=to_id)
            for association_id, to_id in (node.get("attached") or {}).items()
        ),
        selections=tuple(_selection(s, ids) for s in node.get("take") or ()),
    )


def told_offers(evaluation: Evaluation, container_id: str) -> dict[str, str]:
    """Return the visible offers at a place, each with `free` or the code of what prevents it."""
    options = list_offers(evaluation, container_id).options
    return {option.entry_id: option.blocked.code if option.blocked else "free" for option in options}


def told_forces(evaluation: Evaluation, force_id: str) -> list[str]:
    around = evaluation.find_container(force_id) if force_id else None
    if isinstance(around, ForceNode) and around.compiled_force and around.document:
        entries, catalogue_id = around.compiled_force.entry.forces, around.document.catalogue_id
    else:
        book = evaluation.ruleset.find_catalogue("army")
        entries, catalogue_id = book.force_entries if book else (), "army"
    return [entry.id for entry in list_offered_forces(evaluation, entries, catalogue_id, force_id)]


def shown(report: Report) -> dict[str, Node]:
    """Return everything derived for each selection and force, as plain JSON by id."""
    nodes: dict[str, Any] = {}
    for force in report.walk_forces():
        nodes[force.id] = force
        nodes |= {s.id: s for root in force.selections for s in root.walk()}
    plain: dict[str, Node] = msgspec.json.decode(msgspec.json.encode(nodes))
    return plain


def told(report: Report) -> list[str]:
    """Return the violations in the notation of specs, in a fixed order."""
    return sorted(_told(violation) for violation in report.violations)


def _told(violation: Violation) -> str:
    place = violation.on
    on = place.kind.value if place.kind is PlaceKind.ROSTER else f"{place.kind.value} {place.entry_id}"
    return f"{violation.code} on {on} from {violation.owner_id}/{violation.constraint_id}"
