"""Names that only another faction has are read and stored, and break the game's rule."""

from pathlib import Path

import pytest
from django.conf import settings

from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluate import evaluate
from roster.engine.report import Report, Verdict
from roster.formats.list_document import BuiltList, Media, Unreadable, build_list, read_list
from tests.shipped_packs import read_ruleset

FORMS = pytest.mark.parametrize("exact", [False, True], ids=["short", "exact"])
PACKS = Path(settings.BASE_DIR, "catalogue", "packs")


def rules_of(pack: str) -> Ruleset:
    return read_ruleset(PACKS / pack)


def built(pack: str, faction: str, detachment: str, units: str, *, exact: bool) -> BuiltList | Unreadable:
    text = f"list: 1\ngame: x\nexact: {'yes' if exact else 'no'}\n"
    text += f"detachments: [{{detachment: {detachment}, units: [{units}]}}]\n"
    document = read_list(text.encode(), Media.YAML)
    assert not isinstance(document, Unreadable)
    return build_list(rules_of(pack), document, faction)


def judged(pack: str, faction: str, detachment: str, units: str, *, exact: bool) -> Report:
    made = built(pack, faction, detachment, units, exact=exact)
    assert isinstance(made, BuiltList), made
    return evaluate(rules_of(pack), *made)


def foreign(report: Report) -> list[tuple[str, str, str]]:
    return [(v.on.name, v.counted, v.rule) for v in report.violations if v.code == RuleCode.FOREIGN_ENTRY]


@FORMS
@pytest.mark.parametrize(
    ("pack", "faction", "detachment", "unit", "expected"),
    [
        (
            "maelstroms_edge/second",
            "epirian-foundation",
            "standard",
            "broken-rabble",
            ("Broken Rabble", "Broken", "me2-single-faction"),
        ),
        (
            "maelstroms_edge/first",
            "epirian-foundation",
            "standard",
            "Broken Rabble",
            ("Broken Rabble", "Broken", "me1-force-single-faction"),
        ),
        ("edge_dawnfall/dawnfall", "chapter", "two-player", "Gorehound", ("Gorehound", "Demons", "ed-single-faction")),
        (
            "edge_dawnfall/dawnfall",
            "chapter",
            "two-player",
            "demons-deck",
            ("Demons action deck", "Demons", "ed-deck-faction"),
        ),
        (
            "edge_dawnfall/dawnfall",
            "chapter",
            "two-player",
            "{unit: chapter-deck, options: [Combat / Horde]}",
            ("Combat / Horde", "Demons", "ed-deck-faction"),
        ),
        (
            "warzone/resurrection",
            "bauhaus",
            "standard",
            "sergeant-carter",
            ("Sergeant Carter", "Capitol", "wz-single-faction"),
        ),
        ("wh40k/ninth", "necrons", "vanguard", "lictor", ("Lictor", "Tyranids", "mow-detachment-faction-keyword")),
    ],
)
def test_a_thing_of_another_faction_is_named_with_its_rule(
    pack: str, faction: str, detachment: str, unit: str, expected: tuple[str, str, str], exact: bool
) -> None:
    report = judged(pack, faction, detachment, unit, exact=exact)
    assert foreign(report) == [expected]
    assert report.verdict is Verdict.ILLEGAL
    assert [v for v in report.violations if v.code == RuleCode.UNKNOWN_ENTRY] == []


@FORMS
def test_an_option_of_another_faction_is_kept_with_what_is_inside(exact: bool) -> None:
    units = "{unit: overlord, options: [{option: lash-whip-and-monstrous-bonesword, count: 2, options: [a, b]}]}"
    pack = "wh40k/ninth"
    report = judged(pack, "necrons", "vanguard", units, exact=exact)
    ((name, faction, _),) = foreign(report)
    assert (name, faction) == ("Lash Whip and Monstrous Bonesword", "Tyranids")
    ((overlord,),) = [force.selections for force in report.forces]
    placeholder = next(inner for inner in overlord.selections if inner.placeholder)
    assert (placeholder.number, [inner.name for inner in placeholder.selections]) == (2, ["a", "b"])


@FORMS
def test_a_unit_of_another_faction_is_said_once_and_keeps_its_price(exact: bool) -> None:
    pack = "reeds_and_rust/first"
    report = judged(pack, "marsh-compact", "standard", "lock-warden, stokers", exact=exact)
    assert [v.on.name for v in report.violations if v.rule == "rr-one-faction"] == ["Stokers"]
    alone = judged(pack, "marsh-compact", "standard", "lock-warden", exact=exact)
    assert report.costs[0].value > alone.costs[0].value


def test_a_unit_of_another_faction_comes_as_it_would_at_home() -> None:
    pack = "maelstroms_edge/second"
    away = built(pack, "epirian-foundation", "standard", "broken-rabble", exact=False)
    home = built(pack, "broken", "standard", "broken-rabble", exact=False)
    assert isinstance(away, BuiltList)
    assert isinstance(home, BuiltList)
    assert away.roster.forces[0].selections == home.roster.forces[0].selections


def test_what_nobody_has_stays_unreadable() -> None:
    pack = "maelstroms_edge/second"
    refused = built(pack, "epirian-foundation", "standard", "broken-rubble", exact=False)
    assert isinstance(refused, Unreadable)
    assert refused.code == "unknown-unit"


def test_what_the_faction_has_elsewhere_is_not_foreign() -> None:
    pack = "maelstroms_edge/second"
    report = judged(pack, "broken", "standard", "{unit: broken-rabble, options: [gnolti]}", exact=False)
    assert foreign(report) == []
    assert "Gnolti" in [violation.on.name for violation in report.errors]


@FORMS
@pytest.mark.parametrize(
    ("faction", "name", "entry_id"),
    [
        ("tyranids", "Broodlord", "broodlord"),
        ("tyranids", "Tyranid Prime", "tyranid-prime"),
        ("necrons", "Canoptek Plasmacyte", "canoptek-plasmacyte"),
        ("necrons", "Hexmark Destroyer", "hexmark-destroyer"),
        ("necrons", "Vargard Obyron", "vargard-obyron"),
    ],
)
def test_of_twins_for_several_slots_the_plain_one_is_meant(faction: str, name: str, entry_id: str, exact: bool) -> None:
    """Twins without a slot are for armies in which another unit makes room."""
    report = judged("wh40k/ninth", faction, "battalion", name, exact=exact)
    ((unit,),) = [force.selections for force in report.forces]
    assert (unit.entry_id.rpartition("/")[2], unit.placeholder) == (entry_id, False)


@FORMS
@pytest.mark.parametrize(
    ("faction", "squad", "advisor"),
    [
        ("bauhaus", "Sturmblitzers", "Varg Rider Advisor"),
        ("mishima", "Ronin Samurai", "Yojimbo"),
        ("imperial-wolfbanes", "Headhunters", "Chieftain Dunnagh McKenzie"),
    ],
)
def test_an_advisor_in_a_squad_that_cannot_have_him_breaks_the_rule_of_advisors(
    faction: str, squad: str, advisor: str, exact: bool
) -> None:
    units = f"{{unit: {squad}, options: [{advisor}]}}"
    report = judged("warzone/resurrection", faction, "standard", units, exact=exact)
    broken = [(violation.rule, violation.on.name) for violation in report.errors]
    assert ("wz-advisor-host", advisor) in broken
