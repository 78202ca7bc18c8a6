"""Reports by players about current community data, as its maintainers settled them."""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.evaluation import Evaluation
from roster.engine.offers import OfferedGroup, OfferedOption, list_offers
from roster.engine.report import Report, Verdict
from roster.engine.tree import RosterTree, copy_with
from tests.extent import sample
from tests.read_archives import read_rules

SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", "absent"), "bsdata")
AGE_OF_SIGMAR, HORUS_HERESY = "age-of-sigmar-4th", "horus-heresy-3rd-2025-11"
TENTH_EDITION, ELEVENTH_EDITION = "wh40k-10e-v10.6.0", "wh40k-11e-json"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SHARED.is_dir(), reason="ARMYBUILDER_SHARED has no community data"),
]


@cache
def read_ruleset(archive: str) -> Ruleset:
    return read_rules(SHARED / f"{archive}.zip")


class Muster:
    """A list of one faction that grows by edits of the builder."""

    def __init__(self, archive: str, faction: str, limit: int = -1) -> None:
        self.ruleset = read_ruleset(archive)
        catalogue_id = next(one.id for one in self.ruleset.data.catalogues if one.name.strip() == faction)
        compiled = self.ruleset.find_catalogue(catalogue_id)
        assert compiled is not None
        self.catalogue: CompiledCatalogue = compiled
        points = self.ruleset.points_type
        assert points is not None
        self.roster: RosterTree = edits.create_roster(self.ruleset, "Muster", limits={points.id: limit}).roster

    def take(self, outcome: object) -> str:
        assert isinstance(outcome, EditedRoster), outcome
        self.roster = outcome.roster
        return outcome.created[0]

    def add_force(self, name: str, parent_id: str = "") -> str:
        force = Evaluation(self.ruleset, self.roster).find_container(parent_id) if parent_id else None
        entries = getattr(force, "inner_entries", None) or self.catalogue.force_entries
        entry = next(entry for entry in entries if entry.name == name)
        return self.take(
            edits.add_force(self.ruleset, self.roster, entry.id, self.catalogue.catalogue.id, parent_id=parent_id)
        )

    def add_units(self, force_id: str, names: Iterable[str]) -> list[str]:
        roots = {option.entry.name: option for option in reversed(self.catalogue.distinct_roots)}
        return [self.take(edits.select(self.ruleset, self.roster, force_id, roots[name].local_id)) for name in names]

    def judge(self) -> Report:
        return evaluate(self.ruleset, self.roster)

    def list_sections(self, force_id: str) -> set[str]:
        offers = list_offers(Evaluation(self.ruleset, self.roster), force_id)
        return {option.category_name for option in offers.options if not option.hidden}


def begin_regiment(
    faction: str, units: Iterable[str], handbook: str = "✦ General's Handbook 2026-27"
) -> tuple[Muster, str]:
    muster = Muster(AGE_OF_SIGMAR, faction, 2000)
    regiment_id = muster.add_force("Regiment", muster.add_force(handbook))
    muster.add_units(regiment_id, units)
    return muster, regiment_id


@pytest.mark.parametrize(
    ("faction", "heroes"),
    [
        ("Skaven", ("Grey Seer on Screaming Bell", "Clawlord")),
        ("Ossiarch Bonereapers", ("Vokmortian, Master of the Bone-tithe (Scourge of Aqshy)", "Liege-Mortek")),
        ("Cities of Sigmar", ("Freeguild Cavalier-Marshal", "Freeguild Marshal and Relic Envoy")),
    ],
)
def test_a_regiment_may_have_a_second_hero_if_its_leader_says_so(faction: str, heroes: tuple[str, str]) -> None:
    muster, regiment_id = begin_regiment(faction, heroes[:1])
    assert "HERO" in muster.list_sections(regiment_id)
    muster.add_units(regiment_id, heroes[1:])
    assert [v.code for v in muster.judge().violations if v.on.name in heroes or v.on.id == regiment_id] == []


def test_a_hero_whom_the_leader_does_not_call_is_not_available() -> None:
    muster, regiment_id = begin_regiment("Skaven", ("Clawlord", "Grey Seer"))
    assert [(v.code, v.on.name) for v in muster.judge().errors if not v.mendable] == [("hidden", "Grey Seer")]
    assert "HERO" not in muster.list_sections(regiment_id)


def test_the_first_hero_leads_wherever_the_infantry_stands() -> None:
    for units in (("Clanrats", "Clawlord"), ("Clawlord", "Clanrats")):
        muster, regiment_id = begin_regiment("Skaven", units)
        assert not [v for v in muster.judge().errors if v.on.id == regiment_id or v.on.name in units], units


def test_tactic_cards_of_the_latest_handbook_are_offered_and_asked_for() -> None:
    muster, _ = begin_regiment("Skaven", ("Clawlord",))
    lacking = next(v for v in muster.judge().errors if v.on.name == "Battle Tactic Cards")
    assert (lacking.code, lacking.measured, lacking.allowed) == ("minimum", 0, 2)
    offers = list_offers(Evaluation(muster.ruleset, muster.roster), lacking.on.id)
    shown = [group for group in offers.items if isinstance(group, OfferedGroup) and not group.hidden]
    assert [group.max for group in shown] == [2]
    for option in shown[0].items[:2]:
        assert isinstance(option, OfferedOption)
        muster.take(edits.select(muster.ruleset, muster.roster, lacking.on.id, option.entry_id))
    assert muster.judge().verdict is Verdict.LEGAL


def begin_crusade(limit: int) -> tuple[Muster, str, str]:
    muster = Muster(HORUS_HERESY, "XVI - Sons of Horus", limit)
    outer_id = muster.add_force("Crusade Force Organization Chart")
    return muster, outer_id, muster.add_force("Crusade Primary Detachment", outer_id)


def test_a_detachment_has_only_its_own_slots() -> None:
    muster, _, primary_id = begin_crusade(3000)
    assert muster.list_sections(primary_id) == {"High Command", "Command", "Troops", "Transport"}
    muster.add_units(primary_id, ("Justaerin Terminator Squad", "Sabre", "Praetor"))
    lacking = [v for v in muster.judge().errors if v.code == "hidden" and v.on.id == primary_id]
    assert sorted((v.counted, v.measured, v.allowed) for v in lacking) == [("Elites", 1, 0), ("Recon", 1, 0)]
    assert muster.judge().verdict is Verdict.ILLEGAL


def test_no_limit_has_no_quarter() -> None:
    muster = Muster(HORUS_HERESY, "XVI - Sons of Horus")
    muster.add_units(muster.add_force("Lord of War Detachment"), ("Typhon Heavy Siege Tank",))
    assert [v for v in muster.judge().errors if not v.mendable] == []


@pytest.mark.parametrize(("limit", "units", "codes"), [(2000, 1, []), (2000, 2, ["maximum"]), (1000, 1, ["maximum"])])
def test_lords_of_war_cost_a_quarter_of_the_limit(limit: int, units: int, codes: list[str]) -> None:
    muster = Muster(HORUS_HERESY, "XVI - Sons of Horus", limit)
    muster.add_units(muster.add_force("Lord of War Detachment"), units * ("Typhon Heavy Siege Tank",))
    assert [v.code for v in muster.judge().errors if not v.mendable] == codes


SONS = "XVI - Sons of Horus"


@pytest.mark.parametrize(
    ("archive", "faction", "outer", "demanded"),
    [
        (HORUS_HERESY, SONS, "Crusade Force Organization Chart", "Crusade Primary Detachment"),
        (HORUS_HERESY, SONS, "Allied Detachment and its Auxiliary", "Allied Detachment "),
        (HORUS_HERESY, SONS, "Lord of War Detachment", ""),
        (HORUS_HERESY, "Questoris Familia", "Knight Households Crusade", "Knight Households Primary Detachment"),
        (HORUS_HERESY, "Questoris Familia", "Knight Lord of War", "Lord of War Detachment"),
        (AGE_OF_SIGMAR, "Skaven", "✦ General's Handbook 2026-27", "Regiment"),
    ],
)
def test_a_kind_of_force_asks_for_its_number_where_it_belongs(
    archive: str, faction: str, outer: str, demanded: str
) -> None:
    muster = Muster(archive, faction, 2000)
    outer_id = muster.add_force(outer)
    assert list_demanded_forces(muster) == ({demanded} if demanded else set())
    if demanded:
        muster.add_force(demanded, outer_id)
        assert list_demanded_forces(muster) == set()


def list_demanded_forces(muster: Muster) -> set[str]:
    kinds = muster.ruleset.force_entry_ids
    return {v.counted for v in muster.judge().errors if v.code == "minimum" and v.counted_id in kinds}


def test_a_regiment_that_another_program_names_by_its_kind_is_no_hidden_one() -> None:
    muster, _ = begin_regiment("Skaven", ("Clawlord",))
    (handbook,) = muster.roster.forces
    (regiment,) = handbook.forces
    assert "::" in regiment.entry_id
    plain = copy_with(regiment, entry_id=regiment.entry_id.rpartition("::")[2])
    roster = copy_with(muster.roster, forces=(copy_with(handbook, forces=(plain,)),))
    errors = evaluate(muster.ruleset, roster).errors
    assert [v for v in errors if not v.mendable or v.counted == "Regiment"] == []


@pytest.mark.parametrize("name", ["Heroic Traits", "Artefacts of Power"])
def test_enhancements_are_counted_in_all_regiments(name: str) -> None:
    """BSData/age-of-sigmar-4th#1337: "Roster has 2 selections too many of Heroic Traits (max 1)"."""
    muster, _ = begin_regiment("Skaven", ("Grey Seer on Screaming Bell", "Clawlord"))
    (regiment,) = muster.roster.forces[0].forces
    for number, hero_id in enumerate([hero.id for hero in regiment.selections]):
        offers = list_offers(Evaluation(muster.ruleset, muster.roster), hero_id)
        (group,) = (item for item in offers.items if isinstance(item, OfferedGroup) and item.name == name)
        choices = [item for inner in group.items if isinstance(inner, OfferedGroup) for item in inner.items]
        option = [item for item in choices if isinstance(item, OfferedOption) and not item.hidden][number]
        muster.take(edits.select(muster.ruleset, muster.roster, hero_id, option.entry_id))
    lacking = [v for v in muster.judge().errors if v.code == "maximum"]
    assert [(v.counted, v.measured, v.allowed) for v in lacking] == [(name, 2, 1)]


def test_a_named_hero_is_unique_in_all_regiments() -> None:
    """BSData/age-of-sigmar-4th#1108: two heroes in two regiments, "max in roster is 1"."""
    muster, _ = begin_regiment("Skaven", ("Thanquol on Boneripper",))
    handbook_id = muster.roster.forces[0].id
    muster.add_units(muster.add_force("Regiment", handbook_id), ("Thanquol on Boneripper",))
    lacking = [v for v in muster.judge().errors if v.code == "maximum"]
    assert [(v.counted, v.measured, v.allowed) for v in lacking] == [("Thanquol on Boneripper", 2, 1)]


def test_manifestations_come_with_the_lore_that_summons_them() -> None:
    muster, _ = begin_regiment("Skaven", ("Clawlord",))
    lore = next(one for one in muster.roster.forces[0].selections if one.name == "Manifestation Lore")
    offers = list_offers(Evaluation(muster.ruleset, muster.roster), lore.id)
    groups = [item for item in offers.items if isinstance(item, OfferedGroup)]
    option = next(item for group in groups for item in group.items if item.name == "Primal Energy")
    assert isinstance(option, OfferedOption)
    muster.take(edits.select(muster.ruleset, muster.roster, lore.id, option.entry_id))
    assert [v for v in muster.judge().errors if v.on.name == "Primal Energy"] == []


@pytest.mark.parametrize("edition", sample([TENTH_EDITION, ELEVENTH_EDITION], 1))
def test_an_army_has_one_warlord_though_no_force_has_a_slot_for_it(edition: str) -> None:
    muster = Muster(edition, "Xenos - Necrons", 2000)
    units = muster.add_units(muster.add_force("Army Roster"), ("Royal Warden", "Overlord"))
    for times in range(3):
        said = [(v.code, v.measured, v.allowed) for v in muster.judge().errors if v.counted == "Warlord"]
        assert said == {0: [("minimum", 0, 1)], 1: [], 2: [("maximum", 2, 1)]}[times]
        if times < 2:
            offers = list_offers(Evaluation(muster.ruleset, muster.roster), units[times])
            warlord = next(option for option in offers.options if option.name == "Warlord")
            muster.take(edits.select(muster.ruleset, muster.roster, units[times], warlord.entry_id))
