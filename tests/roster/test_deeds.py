"""Deeds mend their violation, break nothing else, and have a description."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalogue.definitions.numbers import Number
from catalogue.formats.packs.load import SHIPPED, find_pack
from catalogue.graph.ids import compose_id
from roster import wording
from roster.engine.nodes import SelectionNode
from roster.engine.report import Verdict
from roster.engine.tree import Limit, copy_with
from roster.formats.list_document import BuiltList, Media, Unreadable, build_list, read_list
from roster.services import changes
from roster.services.apply import AppliedChange, apply_change
from roster.services.deeds import MOST_OFFERED, Deed, DeedKind, propose_deeds
from roster.services.evaluation import EvaluatedList, evaluate_with
from tests.engine.spec_reader import roster_of, ruleset_of
from tests.extent import sample
from tests.roster.test_judged_lists import LISTS as JUDGED
from tests.roster.test_judged_lists import build_yaml
from tests.shipped_packs import read_ruleset

LISTS = sorted(path.relative_to(SHIPPED) for path in SHIPPED.glob("*/*/lists/*.yaml"))
WRITTEN = [written for written in JUDGED if written["expect"] != "legal" and "plan" not in written]
BROKEN = [path for path in LISTS if "expect: legal" not in (SHIPPED / path).read_text(encoding="utf-8")]
# Maelstrom of War has fixed sizes, so that a limit of one point less is itself wrong; previews have none.
UNLIMITED = re.compile("edge_dawnfall|wh40k|preview")
WITH_POINTS = [path for path in LISTS if path not in BROKEN and not UNLIMITED.search(str(path))]


def judge(path: Path) -> EvaluatedList:
    return judge_text(path.parent.parent, (SHIPPED / path).read_bytes())


def judge_text(pack: Path, text: bytes) -> EvaluatedList:
    ruleset = read_ruleset(SHIPPED / pack)
    document = read_list(text, Media.YAML)
    assert not isinstance(document, Unreadable)
    built = build_list(ruleset, document, document.faction.value)
    assert isinstance(built, BuiltList)
    return evaluate_with(ruleset, copy_with(built.roster, faction=document.faction.value))


def carry_out(judged: EvaluatedList, deed: Deed) -> EvaluatedList:
    change = changes.read_change(deed.fields)
    assert change == deed.change
    applied = apply_change(judged.ruleset, judged.tree, change, judged.tree.faction)
    assert isinstance(applied, AppliedChange)
    return evaluate_with(judged.ruleset, applied.tree)


def measure_breaches(judged: EvaluatedList) -> dict[tuple[str, ...], Number]:
    """Return how far a list is from keeping each broken rule; a violation without figures counts one."""
    amounts: dict[tuple[str, ...], Number] = {}
    for violation in judged.report.errors:
        key = violation.key
        amounts[key] = amounts.get(key, 0) + max(1, abs(violation.measured - violation.allowed))
    return amounts


def label(judged: EvaluatedList) -> list[str]:
    return [
        " ".join(filter(None, (wording.format_deed(deed), wording.format_deed_cost(deed))))
        for deeds in propose_deeds(judged).values()
        for deed in deeds
    ]


@pytest.mark.parametrize("path", sample(BROKEN, 25), ids=str)
def test_a_deed_mends_and_breaks_nothing(path: Path) -> None:
    check_deeds(judge(path))


@pytest.mark.parametrize("written", sample(WRITTEN, 8), ids=lambda written: f"{written['game']}-{written['name']}")
def test_a_deed_for_a_list_from_the_book_breaks_nothing(written: dict[str, Any]) -> None:
    pack = find_pack(written["game"], SHIPPED)
    assert pack
    check_deeds(judge_text(pack, build_yaml(written)))


def check_deeds(judged: EvaluatedList) -> None:
    before, offered = measure_breaches(judged), propose_deeds(judged)
    assert offered.keys() <= before.keys()
    for key, deeds in offered.items():
        assert 0 < len(deeds) <= MOST_OFFERED
        for deed in deeds:
            mended = carry_out(judged, deed)
            after = measure_breaches(mended)
            assert len(mended.report.errors) == deed.left
            assert after.get(key, 0) < before[key]
            # No deed makes another violation worse; new violations ask for more of what was added.
            assert all(after.get(other, 0) <= before[other] for other in before)
            fresh = [violation for violation in mended.report.errors if violation.key not in before]
            assert all(violation.mendable for violation in fresh)
            if deed.kind is DeedKind.ADD:
                # Something is missing, and nothing is too much or not allowed.
                assert all(violation.measured < violation.allowed for violation in fresh)
                assert bool(fresh) == deed.asks


@pytest.mark.parametrize(
    ("path", "labels"),
    [
        ("wh40k/ninth/lists/no-warlord.yaml", ["Make Overlord the warlord"]),
        ("wh40k/ninth/lists/odd-size.yaml", ["1000", "2000", "3000"]),
        ("wh40k/ninth/lists/no-size.yaml", ["1000", "2000", "3000"]),
        (
            "wh40k/ninth/lists/one-point-over.yaml",
            ["Remove Canoptek Doomstalker −130", "Remove Doom Scythe −165", "Make it 2000"],
        ),
        ("wh40k/ninth/lists/short-battalion.yaml", ["Add Immortals +80", "Add Necron Warriors +110"]),
        ("wh40k/ninth/lists/three-lychguard.yaml", ["Remove Lychguard −125"]),
        ("wh40k/ninth/lists/four-lychguard.yaml", ["Add 1 model +25"]),
        ("wh40k/ninth/lists/eleven-lychguard.yaml", ["Remove 1 model −25"]),
        ("reeds_and_rust/first/lists/two-flood-columns.yaml", ["Remove Flood column −37"]),
        ("reeds_and_rust/first/lists/nobody-there.yaml", ["Add Standard detachment", "Add Flood column"]),
        (
            "reeds_and_rust/first/lists/one-point-over.yaml",
            ["Remove Punt Crew −9", "Remove Reed Cutters −12", "Make it 90"],
        ),
        (
            "maelstroms_edge/first/lists/one-point-over.yaml",
            [
                "Remove Pulse Carbine Mk2 from Karist Troopers −1",
                "Remove Ripper Energy Grenade Launcher from Karist Troopers −2",
                "Remove Karist Trooper from Karist Troopers −3",
            ],
        ),
    ],
)
def test_deeds_are_said_as_players_would(path: str, labels: list[str]) -> None:
    assert label(judge(Path(path))) == labels


def test_guests_whom_nobody_invited_are_no_mend() -> None:
    """Heretics are the cheapest troops of Capitol, but need a leader that this list does not have."""
    text = b"""
list: 1
game: warzone-resurrection
faction: capitol
limits: {points: 1000}
detachments:
- detachment: standard
  units: [{unit: colonel-mitch-hunter, leads: yes}, heavy-infantry]
"""
    judged = judge_text(Path("warzone/resurrection"), text)
    assert label(judged) == ["Add Heavy Infantry +125"]


def test_what_is_over_a_wrong_limit_waits_for_the_limit() -> None:
    judged = judge(Path("wh40k/ninth/lists/odd-size.yaml"))
    points = next(limit for limit in judged.tree.limits if limit.type_id == "points")
    small = copy_with(judged.tree, limits=(copy_with(points, value=20),))
    over = evaluate_with(judged.ruleset, small)
    assert {violation.code for violation in over.report.errors} == {"exactly", "cost-limit"}
    kinds = [deed.kind for deeds in propose_deeds(over).values() for deed in deeds]
    assert kinds == ["choose-limit"] * 3


@pytest.mark.parametrize("path", sample(WITH_POINTS, 6), ids=str)
def test_a_list_one_point_over_drops_something_before_its_limit_changes(path: Path) -> None:
    judged = exceed_by_one(judge(path))
    deeds = [deed for one in judged.report.errors for deed in propose_deeds(judged).get(one.key, ())]
    savings = [deed for deed in deeds if deed.kind is not DeedKind.RAISE_LIMIT]
    assert deeds[: len(savings)] == savings
    # Nobody is told to change the limit alone: the ways know whether anything else helps.
    assert bool(savings) == bool(deeds)
    assert all(carry_out(judged, deed).verdict is Verdict.LEGAL for deed in deeds)
    assert bool(savings) == any(is_mended_by(judged, change) for change in list_small_changes(judged))


def exceed_by_one(judged: EvaluatedList) -> EvaluatedList:
    (total,) = (one.value for one in judged.report.costs if one.type_id == judged.points_id)
    others = [limit for limit in judged.tree.limits if limit.type_id != judged.points_id]
    limits = (*others, Limit(type_id=judged.points_id, value=total - 1))
    over = evaluate_with(judged.ruleset, copy_with(judged.tree, limits=limits))
    assert [violation.code for violation in over.report.errors] == ["cost-limit"]
    return over


def list_small_changes(judged: EvaluatedList) -> Iterator[changes.Change]:
    """Yield every removal of one part or some of it, and every other choice in a group."""
    for node in judged.evaluation.roster.selections:
        assert node.document
        yield changes.Remove(node=node.document.id)
        for number in range(1, node.number):
            yield changes.SetNumber(node=node.document.id, number=number)
        group, container = node.option.group if node.option else None, node.container
        if group and isinstance(container, SelectionNode) and container.document:
            for option in group.options:
                yield changes.Choose(
                    node=container.document.id,
                    group=compose_id(container.start, group),
                    entry=compose_id(container.start, option),
                )


def is_mended_by(judged: EvaluatedList, change: changes.Change) -> bool:
    applied = apply_change(judged.ruleset, judged.tree, change, judged.tree.faction)
    return isinstance(applied, AppliedChange) and evaluate_with(judged.ruleset, applied.tree).verdict is Verdict.LEGAL


def test_a_legal_list_has_no_deeds() -> None:
    legal = [judge(path) for path in LISTS if path not in BROKEN][:3]
    assert legal
    assert all(propose_deeds(judged) == {} for judged in legal)


@pytest.mark.parametrize("kind_id", ["van", "link::van"])
def test_a_kind_of_force_that_is_asked_for_is_offered_where_it_belongs(kind_id: str) -> None:
    one = {"id": "one", "bound": "min", "value": 1, "query": {"field": "forces", "scope": "parent"}}
    kinds = [{"id": kind_id, "name": "Van", "constraints": [one]}, {"id": "wing", "name": "Wing"}]
    ruleset = ruleset_of({"game": {"forces": [{"id": "host", "name": "Host", "forces": kinds}]}})
    judged = evaluate_with(ruleset, copy_with(roster_of({"list": [{"force": "host"}]}), faction="army"))
    ((deed,),) = propose_deeds(judged).values()
    assert deed.change == changes.AddDetachment(entry=kind_id, catalogue="army", node="n1")
    assert carry_out(judged, deed).report.errors == ()


def test_a_surplus_of_many_units_is_removed_at_once_with_a_choice_of_which() -> None:
    units = [text for _ in range(31) for text in ("{unit: eel-broker}", "{unit: reed-cutters}")]
    header = "list: 1\ngame: reeds-and-rust\nfaction: marsh-compact\nlimits: {points: 3000}\ndetachments:\n"
    source = header + "- detachment: standard\n  units:\n" + "".join(f"  - {unit}\n" for unit in units)
    document = read_list(source.encode(), Media.YAML)
    assert not isinstance(document, Unreadable)
    ruleset = read_ruleset(SHIPPED / "reeds_and_rust/first")
    built = build_list(ruleset, document, document.faction.value)
    assert isinstance(built, BuiltList)
    judged = evaluate_with(ruleset, copy_with(built.roster, faction=document.faction.value))
    (crowd,) = (one for one in judged.report.errors if (one.measured, one.allowed) == (62, 8))
    deeds = propose_deeds(judged)[crowd.key]
    assert [wording.format_deed(deed) for deed in deeds] == ["Remove the last 54", "Remove the first 54"]
    before = [unit.id for unit in judged.tree.forces[0].selections]
    for deed, left in zip(deeds, (before[:8], before[54:]), strict=True):
        after = carry_out(judged, deed)
        assert [unit.id for unit in after.tree.forces[0].selections] == left
        assert crowd.key not in {one.key for one in after.report.errors}
