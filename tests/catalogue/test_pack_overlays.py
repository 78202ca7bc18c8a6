"""The rules of Maelstrom of War over data with its own names, costs and detachments."""

from functools import cache
from pathlib import Path

import msgspec
import pytest

from catalogue.definitions.apply_overlay import find_overlay, overlay_data
from catalogue.definitions.catalogues import Catalogue, DataSet
from catalogue.definitions.overlays import LeaderCorrection, Overlay
from catalogue.formats.battlescribe.reader import read_bytes
from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.evaluate import evaluate
from roster.engine.plan import GamePlan
from roster.engine.report import Report, Verdict
from roster.engine.tree import Force, Limit, RosterTree, Selection
from tests.catalogue.overlaid_game import toy_wars
from tests.catalogue.pack_files import PACK, pond
from tests.shipped_packs import read_shipped

CORE = ("size", "cost", "captain!", "mob", "mob", "mob")
"""A legal detachment; `!` marks the warlord, a number the chosen battle size."""


@cache
def book() -> Catalogue:
    data = read_shipped(SHIPPED / "wh40k" / "ninth").data
    assert data is not None
    return data.game_system


@cache
def plain() -> DataSet:
    data = read_bytes("toy.zip", toy_wars()).data
    assert data is not None
    return data


def overlay() -> Overlay:
    found = find_overlay(plain().game_system, book())
    assert found is not None
    return found


@cache
def rules() -> Ruleset:
    return compile_ruleset(overlay_data(plain(), book(), overlay()))


def army(*picks: str, points: int = 1000, force: str = "battalion", more: tuple[Force, ...] = ()) -> RosterTree:
    units = tuple(_unit(number, pick) for number, pick in enumerate(picks, 1))
    main = Force(id="f", entry_id=force, catalogue_id="pond", selections=units)
    return RosterTree(id="r", limits=(Limit(type_id="pts", value=points),), forces=(main, *more))


def _unit(number: int, pick: str) -> Selection:
    own, _, size = pick.rstrip("!").partition("=")
    lead = Selection(id=f"{number}-lead", entry_id=f"lead-{own}")
    chosen = Selection(id=f"{number}-size", entry_id=f"l{size}::s{size}")
    inside = (lead,) if pick.endswith("!") else (chosen,) if size else ()
    return Selection(id=str(number), entry_id=own, selections=inside)


def judged(roster: RosterTree, game: GamePlan | None = None, ruleset: Ruleset | None = None) -> Report:
    return evaluate(ruleset or rules(), roster, game)


def broken(roster: RosterTree, game: GamePlan | None = None) -> set[str]:
    return {violation.rule for violation in judged(roster, game).errors}


def test_a_lawful_army() -> None:
    report = judged(army(*CORE))
    assert (report.verdict, report.violations) == (Verdict.LEGAL, ())


def test_the_data_alone_knows_nothing_of_it() -> None:
    alone = compile_ruleset(plain())
    assert judged(army("guard", "guard", "guard", points=1500), ruleset=alone).verdict is Verdict.LEGAL


@pytest.mark.parametrize("size", [1000, 2000, 3000])
def test_the_three_sizes(size: int) -> None:
    assert broken(army(*CORE, points=size)) == set()


def test_another_size() -> None:
    assert broken(army(*CORE, points=1500)) == {"mow-battle-size"}


@pytest.mark.parametrize(("points", "chosen"), [(1000, 2000), (2000, 1000), (3000, 2000), (1000, 3000)])
def test_the_size_chosen_among_the_options_is_that_of_the_limit(points: int, chosen: int) -> None:
    assert broken(army(f"size={points}", *CORE[1:], points=points)) == set()
    assert broken(army(f"size={chosen}", *CORE[1:], points=points)) == {"mow-battle-size"}


def test_points() -> None:
    roster = army(*CORE, *["mob"] * 16)
    assert broken(roster) == {"mow-points-limit"}


def test_command_points_are_a_balance() -> None:
    assert broken(army(*CORE, "cost")) == set()
    assert broken(army(*CORE, "cost", "cost")) == {"mow-command-points-overspent"}


def test_one_warlord() -> None:
    assert broken(army("captain", "mob")) == {"mow-warlord"}
    assert broken(army(*CORE, "captain!")) == {"mow-warlord"}


@pytest.mark.parametrize(
    ("size", "unit", "times", "is_legal"),
    [
        (1000, "guard", 2, True),
        (1000, "guard", 3, False),
        (2000, "guard", 3, True),
        (2000, "guard", 4, False),
        (3000, "elder", 4, False),
        (1000, "mob", 9, True),
        (1000, "cart", 5, True),
    ],
)
def test_equal_datasheets(size: int, unit: str, times: int, is_legal: bool) -> None:
    found = broken(army(*CORE, *[unit] * times, points=size))
    assert found == (set() if is_legal else {"mow-datasheet-limit"})


def test_names_that_count_as_one() -> None:
    assert broken(army(*CORE, "prince", "pox")) == set()
    assert broken(army(*CORE, "prince", "prince", "pox")) == {"mow-datasheet-alias-daemon-prince"}
    assert broken(army(*CORE, "prince", "prince", "prince")) == {"mow-datasheet-limit"}
    assert broken(army(*CORE, "tank", "tank", "cult-tank")) == {"mow-datasheet-alias-genestealer"}


def test_a_shared_keyword_and_a_narrow_one() -> None:
    assert broken(army(*CORE, "gander")) == {"mow-detachment-broad-keyword"}
    assert broken(army(*CORE, "stray")) == {"mow-detachment-faction-keyword"}


def test_walls_may_share_a_broad_one() -> None:
    units = (_unit(11, "wall"), _unit(12, "keep"))
    walls = Force(id="w", entry_id="walls", catalogue_id="pond", selections=units)
    assert broken(army(*CORE, more=(walls,))) == set()


def test_an_army_without_a_keyword_is_warned() -> None:
    geese = Force(id="g", entry_id="battalion", catalogue_id="pond", selections=(_unit(11, "stray"),))
    report = judged(army(*CORE, more=(geese,)))
    assert "mow-army-faction" not in {violation.rule for violation in report.errors}


def test_reserves() -> None:
    assert broken(army(*CORE), GamePlan(reserves=("4", "5"))) == set()
    too_dear = GamePlan(reserves=("3", "4"))
    assert broken(army(*CORE), too_dear) == {"mow-reserves-half-points"}
    assert broken(army(*CORE), GamePlan(reserves=("4", "5", "6"))) == {
        "mow-reserves-half-units",
        "mow-reserves-half-points",
    }


def test_what_stands_beside_the_units_is_no_unit() -> None:
    """Two of four units are half; counting battle size and command cost would make it a third."""
    assert broken(army("captain!", "mob", "mob", "size", "cost"), GamePlan(reserves=("2", "3"))) == {
        "mow-reserves-half-units",
        "mow-reserves-half-points",
    }


def test_categories_of_objectives_are_asked_by_the_missions() -> None:
    names = {mission.name for mission in judged_system().missions}
    assert "Complex Front" in names
    assert broken(army(*CORE), GamePlan(mission="complex-front")) == {"mow-categories-count"}


def judged_system() -> Catalogue:
    system = rules().binding.game_system
    assert system is not None
    return system


def test_it_says_what_it_is_and_what_it_leaves_open() -> None:
    system = judged_system()
    assert system.overlay_name == "Maelstrom of War"
    assert [remark.code for remark in judged(army(*CORE)).unchecked] == ["core-book"]


def test_every_broken_rule_has_words_and_a_place() -> None:
    found = judged(army(*CORE, *["guard"] * 4, "gander", "cost", "cost", points=1500)).errors
    assert {v.rule for v in found} >= {"mow-datasheet-limit", "mow-battle-size", "mow-detachment-broad-keyword"}
    assert all(v.name and v.text and v.citation.publication_id == "rules" for v in found)


def test_other_data_has_no_such_rules() -> None:
    other = read_shipped(SHIPPED / "reeds_and_rust" / "first").data
    assert other is not None
    assert find_overlay(other.game_system, book()) is None


def test_nothing_of_the_data_is_lost() -> None:
    laid = overlay_data(plain(), book(), overlay())
    for before, after in zip(plain().catalogues, laid.catalogues, strict=True):
        assert [entry.id for entry in after.entries] == [entry.id for entry in before.entries]
        assert [force.id for force in after.forces] == [force.id for force in before.forces]
        assert set(after.constraints) >= set(before.constraints)
    assert rules().diagnostics == ()


OVERLAY = """\
overlays:
- overlay: Big pond
  over: lake
  cite: p. 9
"""


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("  types: {nobody: Boss}", "unknown-name"),
        ("  costs: {pence: p}", "unknown-name"),
        ("  keywords: {dry: Dry}", "unknown-name"),
        ("  without: [p-nothing]", "unknown-name"),
        ("  colour: blue", "unknown-key"),
        ("  leaders: [{leads: [Ducks]}]", "missing-key"),
    ],
)
def test_mistakes_are_named(lines: str, code: str, tmp_path: Path) -> None:
    reading = pond(tmp_path, "", PACK + OVERLAY + lines + "\n")
    assert code in {found.code for found in reading.errors}


def test_an_overlay_says_over_what(tmp_path: Path) -> None:
    text = OVERLAY.replace("  over: lake\n", "")
    reading = pond(tmp_path, "", PACK + text)
    assert "missing-key" in {found.code for found in reading.errors}


def test_an_overlay_corrects_who_leads_whom(tmp_path: Path) -> None:
    lines = "  leaders: [{unit: Drake, leads: [Ducks, Grebes], beside: [Swan], support: yes}]\n"
    data = pond(tmp_path, "", PACK + OVERLAY + lines).data
    assert data is not None
    (read,) = data.game_system.overlays
    correction = LeaderCorrection(unit="Drake", leads=("Ducks", "Grebes"), beside=("Swan",), support=True)
    assert read.leaders == (correction,)
    laid = overlay_data(plain(), book(), msgspec.structs.replace(overlay(), leaders=read.leaders))
    assert laid.game_system.leaders == (correction,)
