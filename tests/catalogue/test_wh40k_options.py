"""Warhammer 40,000, 9th edition: conditions of units and options on datasheets."""

import pytest

from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluate import evaluate
from roster.formats.list_document import BuiltList, ListDocument, Media, build_list, read_list
from tests.shipped_packs import read_ruleset

DATASHEET, STRENGTH = "mow-unit-size-max", "mow-no-understrength"
HEAD = """\
list: 1
game: maelstrom-of-war-9e
faction: {faction}
limits: {{points: 3000, command points: 18}}
detachments:
- detachment: other
  units: [{units}]
"""
NECRONS, VOTANN, TYRANIDS = "necrons", "leagues-of-votann", "tyranids"

WARRIORS = "{{unit: tyranid-warriors, options: [{{option: tyranid-warrior, count: {plain}}}, {special}]}}"
STRANGLER = "{option: tyranid-warrior, count: 1, options: [barbed-strangler]}"


def warriors(plain: int, stranglers: int) -> str:
    return WARRIORS.format(plain=plain, special=", ".join([STRANGLER] * stranglers))


def stealers(models: int, maws: int) -> str:
    taken = f"{{option: genestealer, count: {models}}}, {{option: acid-maw, count: {maws}}}"
    return f"{{unit: genestealers, options: [{taken}]}}"


def shrike(*options: str) -> str:
    three = f"{{option: tyranid-shrike, count: 3, options: [{', '.join(options)}]}}"
    return f"{{unit: tyranid-shrikes, options: [{three}]}}"


def pioneers(plain: int, *heavy: str) -> str:
    return f"{{unit: hernkyn-pioneers, options: [{{option: pioneer, count: {plain}}}, {', '.join(heavy)}]}}"


HYLAS, BEAMER = "pioneer-with-hylas-rotary-cannon", "pioneer-with-ion-beamer"
CTAN = "ctan-shard-of-the-"
FIRST = "tyranid-shrikes/shrikes/tyranid-shrike/melee-weapons"
MORE = "{option: boneswords, group: ranged-weapon-or-more-melee-weapons}"


def rules() -> Ruleset:
    return read_ruleset(SHIPPED / "wh40k" / "ninth")


def broken(faction: str, units: str) -> set[str]:
    """Return the violations of a list of these units, except that it has no warlord."""
    document = read_list(HEAD.format(faction=faction, units=units).encode(), Media.YAML)
    assert isinstance(document, ListDocument), document
    built = build_list(rules(), document, faction)
    assert isinstance(built, BuiltList), built
    return {violation.rule for violation in evaluate(rules(), *built, tree=False).errors} - {"mow-warlord"}


@pytest.mark.parametrize(
    ("faction", "units"),
    [
        (TYRANIDS, warriors(2, 1)),
        (TYRANIDS, warriors(4, 2)),
        (TYRANIDS, stealers(8, 2)),
        (TYRANIDS, shrike(f"{FIRST}/scything-talons", MORE)),
        (TYRANIDS, "genestealers, broodlord-no-slot"),
        (TYRANIDS, "neurothrope, zoanthropes-no-slot"),
        (TYRANIDS, "{unit: mawloc, options: [hardened-biology]}, {unit: trygon, options: [dermic-symbiosis]}"),
        (NECRONS, "lokhust-lord, hexmark-destroyer-no-slot"),
        (NECRONS, "technomancer, cryptothralls-no-slot"),
        (NECRONS, "overlord, technomancer, dynastic-advisor"),
        (NECRONS, "nemesor-zahndrekh, vargard-obyron-no-slot"),
        (NECRONS, "ophydian-destroyers, canoptek-plasmacyte-no-slot"),
        (NECRONS, "{unit: overlord, options: [staff-of-light, resurrection-orb]}"),
        (NECRONS, f"{{unit: {CTAN}deceiver, options: [cosmic-fire]}}"),
        (VOTANN, "{unit: kahl, options: [high-kahl]}, kahl"),
        (VOTANN, pioneers(2, HYLAS)),
        (VOTANN, pioneers(4, HYLAS, BEAMER)),
    ],
)
def test_what_datasheets_allow(faction: str, units: str) -> None:
    assert broken(faction, units) == set()


@pytest.mark.parametrize(
    ("faction", "units"),
    [
        (TYRANIDS, warriors(1, 2)),
        (TYRANIDS, stealers(7, 2)),
        (TYRANIDS, shrike(f"{FIRST}/boneswords", MORE)),
        (TYRANIDS, "broodlord-no-slot"),
        (TYRANIDS, "genestealers, broodlord-no-slot, broodlord-no-slot"),
        (TYRANIDS, "zoanthropes-no-slot"),
        (TYRANIDS, "{unit: mawloc, options: [hardened-biology]}, {unit: trygon, options: [hardened-biology]}"),
        (TYRANIDS, "deathleaper, deathleaper"),
        (NECRONS, "hexmark-destroyer-no-slot"),
        (NECRONS, "lokhust-lord, hexmark-destroyer-no-slot, hexmark-destroyer-no-slot"),
        (NECRONS, "cryptothralls-no-slot"),
        (NECRONS, "technomancer, cryptothralls-no-slot, cryptothralls-no-slot"),
        (NECRONS, "technomancer, dynastic-advisor"),
        (NECRONS, "overlord, technomancer, dynastic-advisor, dynastic-advisor"),
        (NECRONS, "vargard-obyron-no-slot"),
        (NECRONS, "canoptek-plasmacyte-no-slot"),
        (NECRONS, "{unit: overlord, options: [tachyon-arrow-and-hyperphase-glaive, resurrection-orb]}"),
        (NECRONS, f"{{unit: {CTAN}deceiver, options: [cosmic-fire, seismic-assault]}}"),
        (
            NECRONS,
            f"{{unit: {CTAN}deceiver, options: [cosmic-fire]}}, {{unit: {CTAN}void-dragon, options: [cosmic-fire]}}",
        ),
        (VOTANN, "{unit: kahl, options: [high-kahl]}, {unit: kahl, options: [high-kahl]}"),
        (VOTANN, pioneers(3, HYLAS, BEAMER)),
        (VOTANN, pioneers(3, HYLAS, HYLAS, BEAMER)),
        (VOTANN, "uthar-the-destined, uthar-the-destined"),
    ],
)
def test_what_datasheets_do_not(faction: str, units: str) -> None:
    assert broken(faction, units) == {DATASHEET}


@pytest.mark.parametrize(
    ("faction", "units"),
    [
        (NECRONS, "{unit: necron-warriors, options: [{option: necron-warrior-gauss-flayer, count: 9}]}"),
        (VOTANN, "{unit: hernkyn-pioneers, options: [{option: pioneer, count: 2}]}"),
        (TYRANIDS, "{unit: hormagaunts, options: [{option: hormagaunt, count: 9}]}"),
    ],
)
def test_understrength(faction: str, units: str) -> None:
    assert broken(faction, units) == {STRENGTH}
