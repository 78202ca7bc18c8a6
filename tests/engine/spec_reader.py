"""Reading a spec: a tiny game in the definitions' own words, lists, and what each must be found guilty of.

A spec has `behaviour` (one sentence), `rule` (the rule kind it is mostly about), `game` (the game system's fields),
`army` (the catalogue's), perhaps `more` (further catalogues), and `cases`. A case has `it` (what is so about the
list), `list` (forces), perhaps `limits`, and what is expected: `wrong`, exactly these violations as "code on place from
owner/constraint", with codes as they are published (absent: none), perhaps `verdict` and `costs`; perhaps `unshown`,
what the list's written form leaves out, `plan`, a game plan, and `origin`, the program that the list comes from.
Beyond the verdict a case may say `texts`, what the data's authors say of the violations; `unchecked`, the codes of
exactly the remarks about what was not judged; `show`, by the id of a selection or force some of what is derived for
it; `shown_costs`, the cost types that are told of; `offers`, by the id of a force or selection and that of an entry
there `free`, or the code of what stands in the way; and `forces`, by the id of a force, or blank for the list, the
kinds of force that are offered in it.

`steps` are taken by the player before the list is judged: `{force: id}` adds a detachment, `{entry: id, in: n1}` takes
a unit, and what comes along comes along. `holds` says by the id of a force what stands in it then.

A force is `{force: id}` with `take`, a list of selections: an entry's id, or a mapping with `entry`, perhaps
`number`, `group`, `attached` (by association the id of what it is attached to) and `take`. Selections and forces are
n1, n2, ... in the order in which they stand there; with `leader: n3` the player declared that one to lead the force.
`{force: ""}` is outside every detachment.
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
    """One list of a spec and what is expected of it."""

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
    """One behaviour."""

    name: str
    behaviour: str
    rule: str
    ruleset: Any
    cases: list[Case]
    look_ahead: bool = False

    def judge(self, case: Case) -> Report:
        """How a list of it is judged."""
        return evaluate(self.ruleset, case.roster, case.plan, look_ahead=self.look_ahead)


def spec_names() -> list[str]:
    """The names of all specs."""
    return sorted(path.stem for path in SPECS.glob("*.yaml"))


@cache
def read_spec(name: str) -> Spec:
    """The spec of that name."""
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
    """The compiled game of a spec."""
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
    """The roster after what its player did."""
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
    """The roster of a case."""
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
    """What is on offer there and not hidden, each with `free` or the code of what stands in the way."""
    options = list_offers(evaluation, container_id).options
    return {option.entry_id: option.blocked.code if option.blocked else "free" for option in options}


def told_forces(evaluation: Evaluation, force_id: str) -> list[str]:
    """The kinds of force that are offered in a force, or in the list."""
    around = evaluation.find_container(force_id) if force_id else None
    if isinstance(around, ForceNode) and around.compiled_force and around.document:
        entries, catalogue_id = around.compiled_force.entry.forces, around.document.catalogue_id
    else:
        book = evaluation.ruleset.find_catalogue("army")
        entries, catalogue_id = book.force_entries if book else (), "army"
    return [entry.id for entry in list_offered_forces(evaluation, entries, catalogue_id, force_id)]


def shown(report: Report) -> dict[str, Node]:
    """Everything derived for each selection and force, as plain JSON by its id."""
    nodes: dict[str, Any] = {}
    for force in report.walk_forces():
        nodes[force.id] = force
        nodes |= {s.id: s for root in force.selections for s in root.walk()}
    plain: dict[str, Node] = msgspec.json.decode(msgspec.json.encode(nodes))
    return plain


def told(report: Report) -> list[str]:
    """What is wrong, as specs write it, in a fixed order."""
    return sorted(_told(violation) for violation in report.violations)


def _told(violation: Violation) -> str:
    place = violation.on
    on = place.kind.value if place.kind is PlaceKind.ROSTER else f"{place.kind.value} {place.entry_id}"
    return f"{violation.code} on {on} from {violation.owner_id}/{violation.constraint_id}"
