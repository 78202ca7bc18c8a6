"""A list judged on from another evaluation gets the same result as one judged anew."""

import gc
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from weakref import ref

import pytest
from hypothesis import given, settings

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.formats.packs.load import find_packs
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.attachments import list_associations, list_eligible
from roster.engine.edits import EditedRoster, IdSource, Refused
from roster.engine.evaluate import build_report, evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Container, SelectionNode
from roster.engine.offers import find_barred_forces, list_offered_forces, list_offers
from roster.engine.report import Report
from roster.engine.tree import Origin, RosterTree, Selection, copy_with
from roster.services.board.detachment_rows import count_slots
from tests.engine.games import WORKSHOP, counting_ids, done, game, started
from tests.engine.spec_reader import read_spec, ruleset_of, spec_names
from tests.engine.test_hidden_widely import make_game
from tests.engine.test_properties import rosters
from tests.extent import COMPLETE, sample
from tests.read_archives import read_rules
from tests.shipped_packs import read_ruleset

pytestmark = pytest.mark.slow

STEPS = 25
SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", ""), "bsdata")
IMPORTED = ("grimdark-future", "wh40k-killteam-v1.4.16")
"""Archives of the shared folder."""
LARGE = (
    "wh40k-9e",
    "wh40k-10e-v10.6.0",
    "horus-heresy-3rd-2025-11",
    "the-9th-age",
    "the-old-world",
    "age-of-sigmar-4th",
)
"""Archives that take long to compile."""


@dataclass
class Judged:
    """A list and its evaluation."""

    evaluation: Evaluation
    report: Report

    @property
    def roster(self) -> RosterTree:
        return self.evaluation.roster.document


@dataclass
class Walk:
    """Makes random edits of a list, each judged on from any earlier list."""

    ruleset: Ruleset
    dice: Random
    forces: int = 1
    ids: IdSource = field(default_factory=counting_ids)
    taken: int = 0
    settled: int = 0
    offered: int = 0
    force_offers: int = 0

    def begin(self) -> None:
        roster = edits.create_roster(self.ruleset, "List", ids=self.ids).roster
        self.past = [self.judge_on(roster, None)]
        for _ in range(self.forces):
            self.change(self.add_force)
        for _ in range(4):
            self.change(self.select_root)

    @property
    def now(self) -> Judged:
        return self.past[-1]

    def step(self) -> None:
        """Change the list or restore an earlier one, then judge it, usually on from the step before."""
        acts: tuple[tuple[int, Callable[[], object]], ...] = (
            (8, self.select_root),
            (14, self.select),
            (5, self.set_number),
            (2, self.remove),
            (2, self.duplicate),
            (2, self.move),
            (2, self.write),
            (2, self.attach),
            (1, self.move_to_other_force),
            (1, self.add_force),
            (1, self.duplicate_force),
            (1, self.remove_force),
            (1, self.change_force),
            (1, self.nest_force),
            (1, self.change_origin),
            (1, self.set_limit),
            (2, self.go_back),
        )
        weights = [weight for weight, _ in acts]
        (act,) = self.dice.choices([act for _, act in acts], weights)
        self.change(act)

    def change(self, act: Callable[[], object]) -> None:
        changed = act()
        roster = changed.roster if isinstance(changed, EditedRoster) else changed
        if not isinstance(roster, RosterTree):
            return
        before = self.now if self.dice.random() < 0.8 else self.dice.choice(self.past)
        judged = self.judge_on(roster, before)
        self.taken += sum(len(force.members) for force in judged.evaluation.roster.all_forces) - len(self.rebuilt)
        self.settled += sum(map(is_clean, judged.evaluation.roster.selections))
        fresh = Evaluation(self.ruleset, roster)
        assert judged.report == build_report(fresh)
        # The figures of slots are copied with the row of a force.
        slots = count_slots(judged.evaluation, judged.report.violations)
        assert slots == count_slots(fresh, judged.report.violations)
        # Offers make the evaluation compute more, before or after others are judged on from it.
        if self.dice.random() < 0.6:
            for force in judged.evaluation.roster.all_forces:
                offered = list_offers(judged.evaluation, force.document.id)
                assert offered == list_offers(fresh, force.document.id)
                earlier = judged.evaluation.earlier_offers.get(force, {})
                now = judged.evaluation.offers.get(force, {})
                self.offered += sum(
                    now[option].footprint is earlier[option].footprint for option in now.keys() & earlier
                )
        if self.dice.random() < 0.6:
            self.compare_force_offers(judged.evaluation, fresh)
        containers = self.list_containers(judged)
        if containers and self.dice.random() < 0.3:
            inside = self.dice.choice(containers)
            assert list_offers(judged.evaluation, inside.document.id) == list_offers(
                Evaluation(self.ruleset, roster), inside.document.id
            )
        self.past.append(judged)

    def compare_force_offers(self, evaluation: Evaluation, fresh: Evaluation) -> None:
        """Compare which kinds of force may be added, and what bars them, at the top and inside each force."""
        books = filter(None, (self.ruleset.find_catalogue(c.id) for c in self.ruleset.data.catalogues))
        places = [("", book.catalogue.id, book.force_entries) for book in list(books)[:3]]
        for force in fresh.roster.all_forces:
            places.append((force.document.id, force.document.catalogue_id, tuple(force.inner_entries)))
        for place_id, catalogue_id, entries in places:
            offered = list_offered_forces(evaluation, entries, catalogue_id, place_id)
            parent = fresh.find_container(place_id) if place_id else fresh.roster
            shown = [
                entry
                for entry in entries
                if not fresh.values.is_force_hidden(fresh.preview_force(parent, entry.id, catalogue_id))
            ]
            # If none is shown at the top, kinds that are always hidden are offered.
            if shown or place_id:
                assert sorted(entry.id for entry in offered) == sorted(entry.id for entry in shown)
            ids = [entry.id for entry in entries]
            barred = find_barred_forces(evaluation, ids, catalogue_id, place_id)
            assert barred == find_barred_forces(fresh, ids, catalogue_id, place_id)
            earlier = evaluation.earlier_force_offers.get(evaluation.find_container(place_id) or evaluation.roster, {})
            now = evaluation.force_offers.get(evaluation.find_container(place_id) or evaluation.roster, {})
            self.force_offers += sum(now[key] is earlier[key] for key in now.keys() & earlier)

    def judge_on(self, roster: RosterTree, before: Judged | None) -> Judged:
        evaluation = Evaluation(self.ruleset, roster)
        report = build_report(evaluation, before=before.evaluation if before else None)
        rows = {id(row) for force in before.report.walk_forces() for row in force.selections} if before else set()
        self.rebuilt = [row for force in report.walk_forces() for row in force.selections if id(row) not in rows]
        return Judged(evaluation, report)

    def list_containers(self, judged: Judged) -> list[Container]:
        root = judged.evaluation.roster
        return [node for node in (*root.all_forces, *root.selections) if node.contents and node.contents.options]

    def choose_selection(self) -> SelectionNode | None:
        selections = self.now.evaluation.roster.selections
        return self.dice.choice(selections) if selections else None

    def add_force(self) -> EditedRoster | Refused:
        catalogues = self.ruleset.data.catalogues
        books = [self.ruleset.find_catalogue(c.id) for c in catalogues if c.kind is CatalogueKind.FACTION]
        playable = [book for book in books if book and book.force_entries]
        same = [book for book in playable if self.now.roster.of == book.catalogue.id]
        book = self.dice.choice(same if same and self.dice.random() < 0.7 else playable)
        outer = [force for force in self.now.evaluation.roster.all_forces if force.inner_entries]
        parent = self.dice.choice(outer) if outer and self.dice.random() < 0.5 else None
        entry = self.dice.choice(parent.inner_entries if parent else book.force_entries)
        catalogue_id = parent.document.catalogue_id if parent else book.catalogue.id
        parent_id = parent.document.id if parent else ""
        return edits.add_force(self.ruleset, self.now.roster, entry.id, catalogue_id, parent_id, ids=self.ids)

    def select_in(self, containers: list[Container]) -> EditedRoster | Refused | None:
        if not containers:
            return None
        container = self.dice.choice(containers)
        option = self.dice.choice(container.contents.options)
        return edits.select(self.ruleset, self.now.roster, container.document.id, option.local_id, ids=self.ids)

    def select_root(self) -> EditedRoster | Refused | None:
        forces = list(self.now.evaluation.roster.all_forces)
        return self.select_in([force for force in forces if force.contents and force.contents.options])

    def select(self) -> EditedRoster | Refused | None:
        return self.select_in(self.list_containers(self.now))

    def set_number(self) -> EditedRoster | Refused | None:
        node = self.choose_selection()
        return node and edits.set_number(self.ruleset, self.now.roster, node.document.id, self.dice.randint(1, 5))

    def remove(self) -> EditedRoster | Refused | None:
        node = self.choose_selection()
        return node and edits.remove_one(self.now.roster, node.document.id)

    def duplicate(self) -> EditedRoster | Refused | None:
        node = self.choose_selection()
        return node and edits.duplicate_selection(self.ruleset, self.now.roster, node.document.id, ids=self.ids)

    def move(self) -> EditedRoster | Refused | None:
        node = self.choose_selection()
        return node and edits.move(self.now.roster, node.document.id, self.dice.randint(0, 3))

    def write(self) -> EditedRoster | Refused | None:
        node = self.choose_selection()
        name = self.dice.choice(("", "Anna", "Bruno"))
        return node and edits.set_texts(self.now.roster, node.document.id, custom_name=name, notes=name)

    def attach(self) -> EditedRoster | Refused | None:
        evaluation = self.now.evaluation
        bonds = [
            (node, association, other)
            for node in evaluation.roster.selections
            for association in list_associations(self.ruleset, node)
            for other in list_eligible(evaluation, node, association)
        ]
        if not bonds:
            return None
        node, association, other = self.dice.choice(bonds)
        return edits.attach(self.ruleset, self.now.roster, node.document.id, association.id, other.document.id)

    def move_to_other_force(self) -> RosterTree | None:
        """Move a unit to another force, as an imported file may."""
        forces = list(self.now.roster.forces)
        if len(forces) < 2 or not forces[0].selections:
            return None
        moved = forces[0].selections[0]
        forces[0] = copy_with(forces[0], selections=forces[0].selections[1:])
        forces[1] = copy_with(forces[1], selections=(*forces[1].selections, moved))
        return copy_with(self.now.roster, forces=tuple(forces))

    def duplicate_force(self) -> EditedRoster | Refused | None:
        forces = self.now.roster.forces
        if not 1 <= len(forces) <= 4:
            return None
        return edits.duplicate_force(self.ruleset, self.now.roster, self.dice.choice(forces).id, ids=self.ids)

    def remove_force(self) -> EditedRoster | Refused | None:
        forces = self.now.roster.forces
        return edits.remove_force(self.now.roster, self.dice.choice(forces).id) if len(forces) > 1 else None

    def change_force(self) -> EditedRoster | Refused | None:
        forces = self.now.roster.forces
        books = [self.ruleset.find_catalogue(force.catalogue_id) for force in forces]
        kinds = [(f, entry) for f, book in zip(forces, books, strict=True) if book for entry in book.force_entries]
        if not kinds:
            return None
        force, entry = self.dice.choice(kinds)
        return edits.change_force(self.ruleset, self.now.roster, force.id, entry.id)

    def nest_force(self) -> RosterTree | None:
        """Put the last force into the one before it, or take out what is inside the last."""
        *others, last = self.now.roster.forces or (None,)
        if last is None:
            return None
        if last.forces:
            return copy_with(self.now.roster, forces=(*others, copy_with(last, forces=()), *last.forces))
        if not others:
            return None
        outer = copy_with(others[-1], forces=(*others[-1].forces, last))
        return copy_with(self.now.roster, forces=(*others[:-1], outer))

    def change_origin(self) -> RosterTree:
        return copy_with(self.now.roster, origin=self.dice.choice(list(Origin)))

    def set_limit(self) -> EditedRoster | Refused | None:
        types = list(self.ruleset.binding.cost_types)
        if not types:
            return None
        limit = self.dice.choice((None, 100, 500, 2000))
        return edits.set_limit(self.ruleset, self.now.roster, self.dice.choice(types), limit)

    def go_back(self) -> RosterTree:
        return self.dice.choice(self.past).roster


def wander(ruleset: Ruleset, seed: int, steps: int = STEPS, forces: int = 1) -> Walk:
    walk = Walk(ruleset, Random(seed), forces)
    walk.begin()
    for _ in range(steps):
        walk.step()
    return walk


def is_clean(node: SelectionNode) -> bool:
    return node.footprint is not None and node.footprint.is_clean


PACKS = {path.as_posix().split("/packs/")[-1]: path for path in find_packs()}


@pytest.mark.parametrize("name", PACKS)
def test_lists_of_packs(name: str) -> None:
    ruleset = read_ruleset(PACKS[name])
    walks = [wander(ruleset, seed) for seed in sample(range(12), 1)]
    # If a game has commanders, all units are checked for that, and nothing is copied.
    assert all(walk.taken for walk in walks) is (ruleset.command_id is None)


@pytest.mark.parametrize("name", [*IMPORTED, *(LARGE if COMPLETE else ())])
def test_lists_of_imported_games(name: str) -> None:
    archive = SHARED / f"{name}.zip"
    if not archive.is_file():
        pytest.skip(f"there is no {archive}; set ARMYBUILDER_SHARED")
    ruleset = read_rules(archive)
    walks = [wander(ruleset, seed) for seed in sample(range(12), 2, complete=6)]
    assert sum(walk.taken for walk in walks)


@pytest.mark.parametrize("seed", sample(range(100), 12))
def test_lists_of_games_in_which_much_is_hidden(seed: int) -> None:
    walk = wander(make_game(Random(seed)), seed)
    assert walk.taken


@pytest.mark.parametrize("seed", sample(range(100), 12))
def test_lists_of_games_in_which_much_has_effects_on_others(seed: int) -> None:
    walk = wander(make_game_with_effects(Random(seed)), seed)
    assert walk.taken


@pytest.mark.parametrize("seed", sample(range(100), 12))
def test_lists_of_games_in_which_forces_depend_on_the_list(seed: int) -> None:
    walk = wander(make_game_of_forces(Random(seed)), seed, forces=3)
    assert walk.force_offers


WING_WITH_A_CAPTAIN = """
game:
  categories: [{id: core, name: Core}]
  forces:
    - id: patrol
      name: Patrol
      categories: [{id: slot, target_id: core}]
      forces:
        - id: wing
          name: Wing
          constraints: [{id: least, bound: min, value: 0, query: {scope: parent, field: forces}}]
          modifiers:
            - change: set
              field: least
              value: "1"
              guard: {conditions: [{operator: atLeast, value: 1, query: {scope: roster, child_id: captain}}]}
army:
  entries:
    - {id: captain, name: Captain, categories: [{id: c, target_id: core, primary: true}]}
    - {id: squad, name: Squad, categories: [{id: s, target_id: core, primary: true}]}
"""


def test_an_unchanged_force_demands_what_the_rest_of_the_list_makes_it_demand() -> None:
    ruleset, ids = game(WING_WITH_A_CAPTAIN), counting_ids()
    roster, first = started(ruleset, ids)
    roster = done(edits.add_force(ruleset, roster, "patrol", "army", ids=ids)).roster
    second = roster.forces[1].id
    earlier = Evaluation(ruleset, roster)
    assert build_report(earlier).violations == ()
    roster = done(edits.select(ruleset, roster, second, "captain", ids=ids)).roster
    for _ in range(2):
        evaluation = Evaluation(ruleset, roster)
        report = build_report(evaluation, before=earlier)
        assert {violation.on.id for violation in report.violations} == {first, second}
        roster = done(edits.select(ruleset, roster, second, "squad", ids=ids)).roster
        earlier = evaluation


def make_game_of_forces(dice: Random) -> Ruleset:
    """Return kinds of force that units and other forces show, hide, limit and demand."""
    units = [f"unit-{n}" for n in range(4)]
    inner = [f"wing-{n}" for n in range(5)]

    def make_guard() -> dict[str, Any]:
        counted = dice.choice((*units, *units, *inner, "core", "patrol", "army", "other"))
        condition: dict[str, Any] = {
            "operator": dice.choice(("atLeast", "lessThan", "instanceOf", "notInstanceOf")),
            "value": dice.randint(1, 2),
            "query": {
                "scope": dice.choice(
                    ("roster", "roster", "force", "parent", "ancestor", "primary-catalogue", "patrol")
                ),
                "field": "forces" if counted in (*inner, "patrol") else dice.choice(("selections", "pts")),
                "child_id": counted,
                "deep": dice.random() < 0.5,
                "include_child_forces": dice.random() < 0.5,
            },
        }
        return {"conditions": [condition], "negated": dice.random() < 0.2}

    def make_modifiers(kind_id: str) -> list[dict[str, Any]]:
        changes = (("set", "hidden", ("true", "false")), ("set", f"most-{kind_id}", ("1", "2")))
        changes += (("increment", f"least-{kind_id}", ("1", "-1")),)
        modifiers = []
        for _ in range(dice.randint(0, 3)):
            change, field, values = dice.choice(changes)
            modifiers.append({"change": change, "field": field, "value": dice.choice(values), "guard": make_guard()})
        return modifiers

    def make_kind(kind_id: str, inside: list[dict[str, Any]]) -> dict[str, Any]:
        scope = dice.choice(("roster", "parent"))
        counted = dice.choice((None, *inner))
        return {
            "id": kind_id,
            "name": kind_id,
            "hidden": dice.random() < 0.3,
            "categories": [{"id": f"slot-{kind_id}", "target_id": "core"}],
            "constraints": [
                {
                    "id": f"most-{kind_id}",
                    "bound": "max",
                    "value": dice.choice((-1, 1, 2)),
                    "query": {"field": "forces", "scope": scope, "child_id": counted, "include_child_forces": True},
                },
                {
                    "id": f"least-{kind_id}",
                    "bound": "min",
                    "value": dice.randint(0, 1),
                    "query": {"field": "forces", "scope": "parent"},
                },
            ],
            "modifiers": make_modifiers(kind_id),
            "forces": inside,
        }

    def make_unit(unit_id: str) -> dict[str, Any]:
        effect = {
            "scope": dice.choice(("force", "roster", "parent")),
            "own": dice.random() < 0.5,
            "children": True,
            "deep": True,
            "forces": True,
            "entry_id": dice.choice((*inner, "raid", "raid")),
            "modifier": {"change": "set", "field": "hidden", "value": dice.choice(("true", "false"))},
        }
        return {
            "id": unit_id,
            "name": unit_id,
            "type": "unit",
            "costs": [{"type_id": "pts", "value": 10}],
            "categories": [{"id": f"in-{unit_id}", "target_id": "core", "primary": True}],
            "effects": [effect] if dice.random() < 0.3 else [],
        }

    general = {
        "cost_types": [{"id": "pts", "name": "points"}],
        "categories": [{"id": "core", "name": "Core"}],
        "forces": [
            make_kind("patrol", [make_kind(kind_id, []) for kind_id in inner]) | {"hidden": False},
            make_kind("raid", []),
        ],
    }
    army = {"entries": list(map(make_unit, units))}
    return ruleset_of({"game": general, "army": army, "other": {"entries": list(map(make_unit, ("unit-8", "unit-9")))}})


def make_game_with_effects(dice: Random) -> Ruleset:
    """Return units and parts that affect others anywhere, while something else is in the list."""
    units, parts = [f"unit-{n}" for n in range(4)], [f"part-{n}" for n in range(4)]
    values = {
        "category": ("core", "high"),
        "hidden": ("true", "false"),
        "name": ("Old", "New"),
        "annotation": ("led",),
        "pts": ("1", "-2"),
        **{f"most-{n}": ("1", "2") for n in range(4)},
    }
    changes = {
        "category": ("add", "set-primary", "remove"),
        "hidden": ("set",),
        "name": ("append",),
        "annotation": ("set",),
    }

    def make_effects() -> list[dict[str, Any]]:
        effects: list[dict[str, Any]] = []
        for _ in range(dice.choice((0, 0, 1, 2))):
            field = dice.choice(list(values))
            guard = {
                "operator": dice.choice(("atLeast", "lessThan")),
                "value": dice.randint(1, 2),
                "query": {
                    "scope": dice.choice(("self", "force", "roster")),
                    "child_id": dice.choice((*units, *parts, "core", "high")),
                    "deep": dice.random() < 0.5,
                },
            }
            effect: dict[str, Any] = {
                "scope": dice.choice(("self", "parent", "force", "force", "roster", "unit")),
                "own": dice.random() < 0.3,
                "children": dice.random() < 0.5,
                "deep": dice.random() < 0.7,
                "forces": dice.random() < 0.5,
                "entry_id": dice.choice(("", *units, *parts, "core", "high", "unit")),
                "modifier": {
                    "change": dice.choice(changes.get(field, ("increment",))),
                    "field": field,
                    "value": dice.choice(values[field]),
                    "guard": {"conditions": [guard] if dice.random() < 0.6 else []},
                },
            }
            if dice.random() < 0.2:
                effect["profile_type"] = "Model"
                effect["modifier"] |= {"change": "append", "field": "name", "value": "Strong"}
            effects.append(effect)
        return effects

    def make_part(part_id: str) -> dict[str, Any]:
        return {
            "id": part_id,
            "name": part_id,
            "hidden": dice.random() < 0.2,
            "costs": [{"type_id": "pts", "value": 2}],
            "constraints": [
                {"id": part_id.replace("part", "most"), "bound": "max", "value": 1, "query": {"scope": "parent"}},
                {"id": f"least-{part_id}", "bound": "min", "value": dice.randint(0, 1), "query": {"scope": "parent"}},
            ],
            "effects": make_effects(),
        }

    def make_unit(unit_id: str) -> dict[str, Any]:
        category_id = dice.choice(("core", "high"))
        return {
            "id": unit_id,
            "name": unit_id,
            "type": "unit",
            "costs": [{"type_id": "pts", "value": 10}],
            "categories": [{"id": f"in-{unit_id}", "target_id": category_id, "primary": True}],
            "infos": [
                {"id": f"p-{unit_id}", "kind": "profile", "name": "Line", "type_id": "model", "type_name": "Model"}
            ],
            "effects": make_effects(),
            "entries": [
                {"id": f"{part}-of-{unit_id}", "kind": "entry-link", "target_id": part}
                for part in dice.sample(parts, 2)
            ],
        }

    slots = [{"id": f"slot-{name}", "target_id": name} for name in ("core", "high")]
    wing = {"id": "wing", "name": "Wing", "categories": slots}
    general = {
        "cost_types": [{"id": "pts", "name": "points"}],
        "profile_types": [{"id": "model", "name": "Model"}],
        "categories": [{"id": "core", "name": "Core"}, {"id": "high", "name": "High"}],
        "forces": [
            {"id": "patrol", "name": "Patrol", "categories": slots, "forces": [wing], "effects": make_effects()}
        ],
    }
    army = {"shared_entries": list(map(make_part, parts)), "entries": list(map(make_unit, units))}
    return ruleset_of({"game": general, "army": army})


@pytest.mark.parametrize("name", sample(spec_names(), 20))
def test_lists_of_specs(name: str) -> None:
    spec = read_spec(name)
    if not any(book and book.force_entries for book in map(spec.ruleset.find_catalogue, _list_factions(spec.ruleset))):
        return
    for seed in sample(range(8), 2):
        wander(spec.ruleset, seed)


@pytest.mark.parametrize("name", spec_names())
def test_cases_of_specs(name: str) -> None:
    """Each list of a spec is judged on from the previous one: they differ in what matters."""
    spec = read_spec(name)
    before, wrong = None, []
    assert spec.cases
    for case in spec.cases:
        for plan in {id(other.plan): other.plan for other in spec.cases}.values():
            evaluation = Evaluation(spec.ruleset, case.roster, plan)
            if build_report(evaluation, before=before) != evaluate(spec.ruleset, case.roster, plan):
                wrong.append(case.it)
            before = evaluation
    assert wrong == []


@settings(deadline=None)
@given(rosters, rosters)
def test_any_document_is_judged_on_from_any(earlier: RosterTree, later: RosterTree) -> None:
    for before, now in ((earlier, later), (earlier, earlier)):
        judged, _ = judge(before)
        assert judge(now, judged)[1] == evaluate(RULESET, now)


def _list_factions(ruleset: Ruleset) -> list[str]:
    return [catalogue.id for catalogue in ruleset.data.catalogues if catalogue.kind is CatalogueKind.FACTION]


# ---- what is taken over ------------------------------------------------------------------------------------------


RULESET = game(WORKSHOP)


def judge(
    roster: RosterTree, before: Evaluation | None = None, ruleset: Ruleset = RULESET
) -> tuple[Evaluation, Report]:
    evaluation = Evaluation(ruleset, roster)
    return evaluation, build_report(evaluation, before=before)


def make_squads(number: int = 3) -> tuple[RosterTree, str]:
    ids = counting_ids()
    roster, force = started(RULESET, ids)
    for _ in range(number):
        roster = done(edits.select(RULESET, roster, force, "squad", ids=ids)).roster
    return roster, force


def list_rows(report: Report) -> list[object]:
    return [row for force in report.walk_forces() for row in force.selections]


def test_units_that_nothing_changes_for_are_not_judged_again() -> None:
    roster, _ = make_squads()
    before, first = judge(roster)
    squad = roster.forces[0].selections[1]
    renamed = done(edits.set_texts(roster, squad.id, custom_name="Anna")).roster
    evaluation, second = judge(renamed, before)
    same = [old is new for old, new in zip(list_rows(first), list_rows(second), strict=True)]
    assert sorted(same) == [False, True, True]
    clean = {node.document.id for node in evaluation.roster.selections if is_clean(node)}
    assert {other.id for other in roster.forces[0].selections} - clean == {squad.id}


def test_another_limit_another_game_and_another_reading_begin_from_nothing() -> None:
    roster, _ = make_squads()
    before, _ = judge(roster)
    limited = done(edits.set_limit(RULESET, roster, "pts", 50)).roster
    evaluation, _ = judge(limited, before)
    assert not any(map(is_clean, evaluation.roster.selections))
    elsewhere, report = judge(roster, before, game(WORKSHOP))
    assert not any(map(is_clean, elsewhere.roster.selections))
    assert report == evaluate(RULESET, roster)


def test_two_units_of_one_id_are_told_apart() -> None:
    roster, force_id = make_squads(1)
    (force,) = roster.forces
    twin = Selection(id=force.selections[0].id, entry_id="captain")
    doubled = copy_with(roster, forces=(copy_with(force, selections=(*force.selections, twin)),))
    before, _ = judge(doubled)
    assert judge(doubled, before)[1] == evaluate(RULESET, doubled)
    assert force_id == force.id


def test_nothing_of_the_evaluation_before_is_held() -> None:
    roster, _ = make_squads()
    before, _ = judge(roster)
    gone = ref(before)
    gc.disable()
    try:
        evaluation, _ = judge(roster, before)
        del before
        assert gone() is None
        assert evaluation.unit_rows
    finally:
        gc.enable()


# ---- what units ask about the rest of the list -------------------------------------------------------------------


ASKING = game("""
game:
  categories: [{id: core, name: Core}, {id: high, name: High}]
  forces: [{id: patrol, name: Patrol, categories: [{id: s1, target_id: core}, {id: s2, target_id: high}]}]
army:
  shared_entries:
    - id: relics
      kind: group
      name: Relics
      modifiers:
        - change: set
          field: hidden
          value: "true"
          guard: {conditions: [{operator: atLeast, value: 1, query: {scope: roster, child_id: captain}}]}
      entries: [{id: horn, name: Horn}]
  entries:
    - {id: to-relics, kind: group-link, target_id: relics}
    - id: captain
      name: Captain
      categories: [{id: c1, target_id: core, primary: true}]
    - id: of-here-and-elsewhere
      name: Squad
      categories: [{id: c2, target_id: high, primary: true}]
      entries: [{id: banner, name: Banner}]
      modifiers:
        - change: set
          field: name
          value: Led squad
          guard:
            conditions:
              - {operator: lessThan, value: 1, query: {scope: self, child_id: banner}}
              - {operator: atLeast, value: 1, query: {scope: roster, child_id: captain}}
    - id: of-a-share
      name: Guard
      categories: [{id: c3, target_id: core, primary: true}]
      modifiers:
        - change: set
          field: name
          value: Only guard
          guard:
            conditions: [{operator: greaterThan, value: 60, query: {scope: core, child_id: of-a-share, percent: true}}]
    - id: of-a-number
      name: Crew
      categories: [{id: c4, target_id: high, primary: true}]
      modifiers:
        - change: append
          field: name
          value: more
          repeats: [[{query: {scope: core, child_id: captain}}]]
""")


@pytest.mark.parametrize("entry_id", ["of-here-and-elsewhere", "of-a-share", "of-a-number"])
def test_a_unit_is_judged_again_if_what_it_asks_has_another_answer(entry_id: str) -> None:
    ids = counting_ids()
    roster, force = started(ASKING, ids)
    roster = done(edits.select(ASKING, roster, force, entry_id, ids=ids)).roster
    before, first = judge(roster, ruleset=ASKING)
    joined = done(edits.select(ASKING, roster, force, "captain", ids=ids)).roster
    after, second = judge(joined, before, ASKING)
    assert second == evaluate(ASKING, joined)
    names = [{row.name for row in report.forces[0].selections} for report in (first, second)]
    assert not names[0] & names[1]
    assert judge(roster, after, ASKING)[1] == first


PROMOTING = game("""
game:
  categories: [{id: core, name: Core}, {id: high, name: High}]
  forces: [{id: patrol, name: Patrol, categories: [{id: s1, target_id: core}, {id: s2, target_id: high}]}]
army:
  entries:
    - id: captain
      name: Captain
      categories: [{id: c1, target_id: core, primary: true}]
    - id: squad
      name: Squad
      type: unit
      categories: [{id: c2, target_id: core, primary: true}]
      effects:
        - scope: self
          own: true
          modifier:
            change: add
            field: category
            value: high
            guard: {conditions: [{operator: atLeast, value: 1, query: {scope: roster, child_id: captain}}]}
""")


def test_a_unit_that_promotes_itself_is_judged_again_when_it_does() -> None:
    ids = counting_ids()
    roster, force = started(PROMOTING, ids)
    roster = done(edits.select(PROMOTING, roster, force, "squad", ids=ids)).roster
    before, first = judge(roster, ruleset=PROMOTING)
    joined = done(edits.select(PROMOTING, roster, force, "captain", ids=ids)).roster
    second = judge(joined, before, PROMOTING)[1]
    assert second == evaluate(PROMOTING, joined)
    categories = [
        {category.id for row in report.forces[0].selections if row.entry_id == "squad" for category in row.categories}
        for report in (first, second)
    ]
    assert categories == [{"core"}, {"core", "high"}]


def test_what_is_in_a_group_of_a_force_is_hidden_with_it() -> None:
    ids = counting_ids()
    roster, force_id = started(ASKING, ids)
    (force,) = roster.forces
    horn = Selection(id="horn", entry_id="to-relics::horn", group_id="to-relics::relics")
    roster = copy_with(roster, forces=(copy_with(force, selections=(horn,)),))
    before, _ = judge(roster, ruleset=ASKING)
    joined = done(edits.select(ASKING, roster, force_id, "captain", ids=ids)).roster
    assert judge(joined, before, ASKING)[1] == evaluate(ASKING, joined)


def test_what_is_attached_is_called_as_it_is_called_now() -> None:
    spec = read_spec("attachments")
    roster = spec.cases[0].roster
    captain, squad, _ = roster.forces[0].selections
    lists = [roster]
    for node_id in (squad.id, captain.id):
        lists.append(done(edits.set_texts(lists[-1], node_id, custom_name="Anna")).roster)
    lists.append(done(edits.detach(lists[-1], captain.id)).roster)
    before = None
    for now in (*lists, *reversed(lists)):
        before, report = judge(now, before, spec.ruleset)
        assert report == evaluate(spec.ruleset, now)


def test_a_list_of_another_program_or_faction_is_judged_from_nothing() -> None:
    wrong, tried = [], 0
    for name in ("link-to-a-group-counted", "instance-of-catalogue"):
        spec = read_spec(name)
        for case in spec.cases:
            before, _ = judge(case.roster, ruleset=spec.ruleset)
            for changed in (
                copy_with(case.roster, origin=Origin.BATTLESCRIBE),
                copy_with(case.roster, origin=Origin.HERE),
                copy_with(case.roster, faction="another"),
            ):
                tried += 1
                if judge(changed, before, spec.ruleset)[1] != evaluate(spec.ruleset, changed):
                    wrong.append(case.it)
    assert (tried > 0, wrong) == (True, [])
