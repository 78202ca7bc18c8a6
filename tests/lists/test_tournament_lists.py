"""Lists of real tournaments, pasted as text, are legal at their stated totals with the data of their time."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from roster.engine.tree import list_selections
from roster.services.pasted_lists import read_pasted_text
from tests.extent import sample
from tests.lists.mangling import WORST, flatten
from tests.read_archives import import_archive

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", ""))
LISTS = SHARED / "lists" / "aos4"
needs_shared = pytest.mark.skipif(
    not (os.environ.get("ARMYBUILDER_SHARED") and LISTS.is_dir()),
    reason="ARMYBUILDER_SHARED has no lists of Age of Sigmar",
)
ARCHIVES = {"8d46d886": LISTS / "data-8d46d886.zip", "6c4bfee3": SHARED / "bsdata" / "age-of-sigmar-4th.zip"}
"""The data by the beginning of its commit, which the manifest names for each list."""


@needs_shared
@pytest.mark.parametrize("commit", sample(ARCHIVES, 1))
def test_lists_of_age_of_sigmar_are_legal_at_their_totals(commit: str) -> None:
    """Each is read to the last line, in the right handbook, with its regiments and its total.

    The same applies if the text lost bullets, indents, capitals, blank lines or all line breaks.
    """
    assert import_archive(ARCHIVES[commit]).games
    manifest = json.loads((LISTS / "manifest.json").read_text(encoding="utf-8"))
    of_its_time = [expected for expected in manifest if expected["commit"].startswith(commit)]
    assert of_its_time
    wrong = {}
    for expected in of_its_time:
        text = (LISTS / expected["file"]).read_text(encoding="utf-8")
        for mangle in (str, *sample(WORST, 1)):
            read = read_pasted_text(mangle(text), has_account=True)
            assert isinstance(read, list)
            (one,) = read
            assert one.checked is not None, expected["file"]
            judged = one.checked.evaluated_list
            total = judged.points.value if judged.points else 0
            if (one.verdict, total) != (expected["expected"], expected["total"]):
                broken = [violation.name or violation.code for violation in judged.report.errors]
                wrong[expected["file"], mangle.__name__] = (one.verdict, total, broken, dict(one.open_lines))
    assert wrong == {}


RENOWN = """Rot and ruin 560/2000 pts
-----
Grand Alliance Chaos | Maggotkin of Nurgle | Tallyband of Nurgle
General's Handbook 2025-26
-----
General's Regiment
Lord of Afflictions (170)
• General
-----
Regiment 1
Horticulous Slimux (140)
-----
Regiments of Renown
Godmarked Ascendant (260)
Daemon Prince
• Wings
• Corpulent Avalanches
-----
Created with Warhammer Age of Sigmar: The App
"""


@needs_shared
@pytest.mark.parametrize("mangle", sample([str, flatten], 1))
def test_units_of_regiments_of_renown_have_what_is_below_them(mangle: Callable[[str], str]) -> None:
    """One wrong letter in a long name is not a guess, but an unknown name stays unread."""
    assert import_archive(ARCHIVES["8d46d886"]).games
    read = read_pasted_text(mangle(RENOWN), has_account=True)
    assert isinstance(read, list)
    (one,) = read
    assert one.checked is not None
    names = [selection.name for selection in list_selections(one.checked.evaluated_list.tree)]
    taken = [name for name in names if name in ("Godmarked Ascendant", "Daemon Prince", "Wings", "Corpulent Avalanche")]
    assert sorted(taken) == ["Corpulent Avalanche", "Daemon Prince", "Daemon Prince", "Wings"]
    assert not one.open_names


UNSAID = {
    "a twin of the unit that the army demands": (
        "legal",
        680,
        """Raven night 680/2000 pts

Stormcast Eternals | Ruination Brotherhood
General's Handbook 2025-26
Prayer Lore - Ruination Brotherhood Prayer Lore

Battle Tactic Cards: Restless Energy, Scouting Force

General's Regiment
Scourge of Ghyran Iridan the Witness (320)
• General
Liberators (90)
Regiment 1
Lord-Veritant (110)
• Hallowed Scrolls
Vigilors (140)
Faction Terrain
Stormreach Portal (20 Points)
Created with Warhammer Age of Sigmar: The App
""",
    ),
    "two of the models carry different things": (
        "legal",
        630,
        """Roots 630/2000 pts
-----
Grand Alliance Order | Sylvaneth | Wargrove of the Burgeoning
General's Handbook 2025-26
Spell Lore - Lore of the Deepwood
Manifestation Lore - Aetherwrought Machineries
Battle Tactics Cards: Restless Energy and Scouting Force
-----
General's Regiment
Spirit of Durthu (320)
• General
The Twistweald (100)
1x Warden's Blade
1x Warden's Bow
The Twistweald (100)
1x Warden's Blade
1x Warden's Bow
---
Regiment 1
Branchwych (110)
-----
Created with Warhammer Age of Sigmar: The App
""",
    ),
    "a warmaster is the general though none is named": (
        "legal",
        1040,
        """Rats 1040/2000 pts
-----
Grand Alliance Chaos | Skaven | Virulent Procession
General's Handbook 2025-26
Spell Lore - Lore of Ruin
Manifestation Lore - Aetherwrought Machineries
Battle Tactics Cards: Intercept and Recover and Master The Paths
-----
Regiment 1
Deathmaster (130)
---
Regiment 2
Lord Skreech Verminking (380)
Plague Monks (140)
---
Regiment 3
Verminlord Deceiver (390)
-----
Created with Warhammer Age of Sigmar: The App
""",
    ),
    "units of a book of legends": (
        "legal",
        600,
        """Bones 600/2000 pts
-----
Orruk Warclans | Bonesplitterz | Kop Rukk
General's Handbook 2025-26
Drops: 3
Spell Lore - Lore of the Savage Beast
Manifestation Lore - Forbidden Power
Battle Tactics Cards: Restless Energy and Scouting Force
-----
General's Regiment
Wurrgog Prophet (160)
• General
Savage Boarboys (280)
• Reinforced
Savage Boarboys (140)
-----
Created with Warhammer Age of Sigmar: The App
""",
    ),
}


@needs_shared
@pytest.mark.parametrize("case", sample(UNSAID, 2))
def test_what_a_list_leaves_unsaid_is_as_the_data_has_it(case: str) -> None:
    assert import_archive(ARCHIVES["8d46d886"]).games
    verdict, total, text = UNSAID[case]
    read = read_pasted_text(text, has_account=True)
    assert isinstance(read, list)
    (one,) = read
    assert one.checked is not None
    points = one.checked.evaluated_list.points
    assert (one.verdict, points and points.value) == (verdict, total)


@needs_shared
def test_a_handbook_is_known_if_its_line_was_joined_to_another() -> None:
    assert import_archive(ARCHIVES["6c4bfee3"]).games
    text = UNSAID["a warmaster is the general though none is named"][2]
    read = read_pasted_text(text.replace("Procession\nGeneral", "Procession General"), has_account=True)
    assert isinstance(read, list)
    forces = read[0].forces
    assert forces.chosen is not None
    assert (forces.chosen.entry.name, forces.is_sure) == ("General's Handbook 2025-26", True)


FORGE = """++ Blessed - Battle Sisters [GF 815pts] ++

APC [1] Q4+ D2+ | 165pts | Devout, Impact(3), Strider, Tough(6)
24" Storm Rifle (A3, AP(1))

Assault Sisters [5] Q4+ D4+ | 215pts | Devout
5x Energy Swords (A10, AP(1), Rending), 5x 12" Pistols (A1)

Assault Walker [1] Q4+ D2+ | 225pts | Devout, Fear(2), Fearless, Regeneration, Tough(9)
Stomp (A3, AP(1)), 2x Walker Fists (A4, AP(4)), 12" 2x Heavy Flamethrowers (A6)

Battle Sisters [5] Q4+ D4+ | 95pts | Devout
5x CCWs (A5), 5x 24" Assault Rifles (A5)

Battle Sisters [5] Q4+ D4+ | 115pts | Devout, Sacred Banner(Fear(2))
5x CCWs (A5), 5x 24" Assault Rifles (A5)
"""
GRIMDARK = SHARED / "bsdata" / "grimdark-future.zip"


@pytest.mark.skipif(not GRIMDARK.is_file(), reason="ARMYBUILDER_SHARED has no data of Grimdark Future")
def test_weapons_with_figures_and_rules_of_units_are_no_options() -> None:
    """A list of Army Forge costs what it says; a doubled unit size is a choice of the unit."""
    assert import_archive(GRIMDARK).games
    combined = """
Battle Sisters [10] Q4+ D4+ | 190pts | Devout
9x CCWs (A1), 9x 24" Assault Rifles (A1), 12" Flamethrower (A3), CCW (A1)
"""
    for text, total in ((FORGE, 815), (FORGE.replace("815", "1005") + combined, 1005)):
        read = read_pasted_text(text, has_account=True)
        assert isinstance(read, list)
        (one,) = read
        assert one.checked is not None
        points = one.checked.evaluated_list.points
        assert (one.verdict, points and points.value, one.differing_points) == ("legal", total, [])


OLD_WORLD = SHARED / "bsdata" / "the-old-world.zip"
ARCHERS = "== Core ==\n\n20 Empire Archers [160 pts]\n\n10 State Missile Troops [70 pts]\n"


@pytest.mark.skipif(not OLD_WORLD.is_file(), reason="ARMYBUILDER_SHARED has no data of The Old World")
def test_units_go_to_the_faction_of_their_name() -> None:
    """Allies of the Empire have its archers too, and its own units have everything it has."""
    assert import_archive(OLD_WORLD).games
    for head in ("", "Empire of Man\n\n", "My list\nThe Empire of Man\n\n"):
        read = read_pasted_text(head + ARCHERS, has_account=True)
        assert isinstance(read, list)
        assert read[0].faction is not None
        assert read[0].faction.name == "The Empire of Man"
