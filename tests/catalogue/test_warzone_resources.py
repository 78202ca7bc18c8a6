"""Warzone Resurrection: the resource cards of an army, by its squads' cards."""

import pytest

from catalogue.formats.packs.load import SHIPPED
from roster.engine.evaluate import evaluate
from roster.formats.list_document import Unreadable, build_list, read_list
from tests.shipped_packs import read_ruleset

PACK = SHIPPED / "warzone" / "resurrection"


def count_resources(faction: str, units: str) -> object:
    text = f"list: 1\ngame: warzone-resurrection\nfaction: {faction}\n"
    text += f"detachments:\n- detachment: standard\n  units: [{units}]\n"
    ruleset = read_ruleset(PACK)
    document = read_list(text.encode())
    assert not isinstance(document, Unreadable), document
    roster = build_list(ruleset, document, faction)
    assert not isinstance(roster, Unreadable), roster
    [resources] = [figure.value for figure in evaluate(ruleset, *roster).figures if figure.id == "resources"]
    return resources


@pytest.mark.parametrize(
    ("faction", "units", "expected"),
    [
        ("dark-legion-algeroth", "nepharite-of-algeroth, undead-legionnaires, undead-legionnaires", 8),
        (
            "dark-legion-algeroth",
            "nepharite-of-algeroth, {unit: undead-legionnaires, options: [necromutant]}, undead-legionnaires",
            9,
        ),
        ("dark-legion-algeroth", "nepharite-of-algeroth, necromutants", 9),
        ("dark-legion-algeroth", "nepharite-of-algeroth, {unit: praetorian-behemoth, options: [as-troops]}", 10),
        ("dark-legion-algeroth", "nepharite-of-algeroth, praetorian-behemoth", 8),
        ("mishima", "saigo, ashigaru", 8),
        ("mishima", "saigo, {unit: ashigaru, options: [ronin-samurai]}", 9),
        ("dark-legion-ilian", "nepharite-of-ilian, children-of-ilian", 8),
        ("dark-legion-ilian", "nepharite-of-ilian, {unit: children-of-ilian, options: [scion-of-ilian]}", 9),
        (
            "dark-legion-ilian",
            "nepharite-of-ilian, {unit: children-of-ilian, options: [{option: children-of-ilian, count: 4}]}",
            9,
        ),
        ("dark-legion-semai", "madexa-the-puppeteer, aft-205-kraken-in-semai", 9),
        ("dark-legion-semai", "madexa-the-puppeteer, t-32-wolfclaw-jbt", 8),
        ("dark-legion-semai", "nepharite-of-semai", 9),
        ("bauhaus", "colonel-herbert-b-marbach", 9),
        ("cybertronic", "dick-howkins", 9),
        ("cybertronic", "{unit: dick-howkins, options: [artificial-intelligence-implant]}", 10),
    ],
)
def test_resources_follow_the_cards_of_the_squads(faction: str, units: str, expected: int) -> None:
    assert count_resources(faction, units) == expected
