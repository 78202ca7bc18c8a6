"""Lists for Tabletop Simulator: what the importer looks up is there, and no text leaves its place in a script."""

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from catalogue.formats.packs.load import SHIPPED
from roster.models import Roster
from roster.models.tokens import TokenScope
from roster.pdf.tabletop_army import build_tabletop_army
from roster.services.changes import Rename
from roster.services.edits import edit_roster
from roster.services.evaluation import evaluate_roster
from roster.services.outcomes import SavedEdit
from roster.services.rosters import load_example
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.test_api_lists import MORE, create
from tests.roster.test_pdf_imported import evaluate_imported
from tests.roster.test_tokens import ask, make
from tests.shipped_packs import install_shipped

LISTS = "/api/v1/rosters/"
NASTY = '"}; destroyAll() --[[ ]]]=] \\" <b onclick=x> & ${w}\n%s'
HEADS = {"10e": {"m", "t", "sv", "w", "ld", "oc"}, "9e": {"m", "ws", "bs", "s", "t", "w", "a", "ld", "sv"}}
WEAPON = {"name", "range", "type", "a", "bsws", "s", "ap", "d", "abilities", "shortAbilities"}


def list_texts(part: Any) -> list[str]:
    if isinstance(part, dict):
        return [text for key, inner in part.items() for text in (key, *list_texts(inner))]
    if isinstance(part, list):
        return [text for inner in part for text in list_texts(inner)]
    return [part] if isinstance(part, str) else []


def find_faults(army: Any) -> list[object]:
    """Return what would break the importer: it looks these up, and writes them into scripts and tags."""
    faults: list[object] = [text for text in list_texts(army) if re.search(r'["\\<>&\[\]{}\x00-\x09\x0b-\x1f]', text)]
    if army["order"] != list(army["armyData"]) or not army["order"]:
        faults.append(army["order"])
    for uuid, unit in army["armyData"].items():
        models = unit["models"]["models"].values()
        faults += [uuid] if uuid != unit["uuid"] or not re.fullmatch("[0-9a-f]{8}", uuid) else []
        faults += (
            [unit["name"]] if sum(one["number"] for one in models) != unit["models"]["totalNumberOfModels"] else []
        )
        for model in models:
            faults += [one for one in model["weapons"] if one["name"] not in unit["weapons"] or one["number"] < 1]
            faults += [name for name in model["abilities"] if name not in unit["abilities"]]
            # A model without a profile gets one by its name.
            named = model.get("profileID")
            faults += [named] if named and named not in unit["modelProfiles"] else []
        for profile in unit["modelProfiles"].values():
            faults += [head for head in profile if not re.fullmatch("[a-z][a-z0-9]*", head)]
            faults += [profile] if not all(profile.values()) or HEADS[army["edition"]] - set(profile) else []
        for key, weapon in unit["weapons"].items():
            faults += [weapon] if key != weapon["name"] or set(weapon) != WEAPON or not all(weapon.values()) else []
    return faults


def find_unit(army: Any, name: str) -> Any:
    return next(unit for unit in army["armyData"].values() if unit["name"] == name)


# ---- games -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_squad_of_the_tenth_edition_has_its_models_weapons_and_keywords(shared: Path) -> None:
    report = evaluate_imported(shared / "bsdata" / "wh40k-10e-v10.6.0.zip", 20, "World Eaters")
    army = build_tabletop_army(report)
    assert (army["edition"], find_faults(army)) == ("10e", [])
    assert build_tabletop_army(report) == army
    squad = find_unit(army, "Jakhals")
    assert squad["factionKeywords"] == ["World Eaters"]
    assert {"Infantry", "Chaos"} <= set(squad["keywords"])
    assert (squad["models"]["totalNumberOfModels"], squad["isSingleModel"]) == (10, False)
    models = {model["name"]: model for model in squad["models"]["models"].values()}
    assert models["Jakhal"]["number"] == 8
    assert models["Jakhal"]["weapons"] == [
        {"name": "Autopistol", "number": 1},
        {"name": "Jakhal chainblades", "number": 1},
    ]
    profile = squad["modelProfiles"][models["Jakhal"]["profileID"]]
    assert profile == {"name": "Jakhal", "m": "6''", "t": "3", "sv": "6+", "w": "1", "ld": "7+", "oc": "1"}
    pistol = squad["weapons"]["Autopistol"]
    assert (pistol["range"], pistol["a"], pistol["bsws"], pistol["abilities"]) == ("12''", "1", "4+", "Pistol")
    assert "Pistol" not in squad["abilities"], "the weapon says it"
    angron = find_unit(army, "Angron")
    assert angron["isSingleModel"]
    # The importer finds damage steps by this name.
    assert any(re.match(r"Damaged: \d+-\d+", name) for name in angron["abilities"])


@pytest.mark.slow
def test_the_ninth_edition_has_types_of_weapons_and_powers(shared: Path) -> None:
    army = build_tabletop_army(evaluate_imported(shared / "bsdata" / "wh40k-9e-v9.2.13.zip", 8, "Grey Knights"))
    assert (army["edition"], find_faults(army)) == ("9e", [])
    captain = find_unit(army, "Brother-Captain")
    assert captain["weapons"]["Frag grenades"]["type"] == "Grenade D6"
    assert (captain["powersKnown"][0]["name"], captain["powersKnown"][0]["warpCharge"]) == ("Smite", "5")
    assert captain["psykerProfiles"][0]["cast"] == "1"
    # The data lists the Justicar's sword on the unit as well.
    (justicar,) = find_unit(army, "Strike Squad")["models"]["models"].values()
    assert {weapon["number"] for weapon in justicar["weapons"]} == {1}


@pytest.mark.slow
@pytest.mark.parametrize("archive", ["wh40k-11e-json", "the-old-world", "age-of-sigmar-4th", "maelstroms-edge-1e"])
def test_any_game_comes_to_the_table(archive: str, shared: Path) -> None:
    army = build_tabletop_army(evaluate_imported(shared / "bsdata" / f"{archive}.zip", 12))
    assert find_faults(army) == []
    assert army["edition"] == ("10e" if archive == "wh40k-11e-json" else "9e")
    assert any(unit["weapons"] for unit in army["armyData"].values())


@pytest.mark.slow
def test_a_profile_with_wounds_comes_before_a_table_of_words(shared: Path) -> None:
    army = build_tabletop_army(evaluate_imported(shared / "bsdata" / "the-old-world.zip", 12, "Daemons of Chaos"))
    keeper = find_unit(army, "Keeper of Secrets")
    (model,) = keeper["models"]["models"].values()
    assert keeper["modelProfiles"][model["profileID"]]["w"] == "6"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "pack", ["reeds_and_rust/first", "warzone/resurrection", "maelstroms_edge/second", "wh40k/ninth"]
)
def test_lists_of_packs_come_to_the_table(pack: str) -> None:
    folder = SHIPPED / pack
    install_shipped(folder)
    loaded = (load_example(path, SHIPPED) for path in sorted((folder / "lists").glob("*.yaml")))
    rosters = list(islice((roster for roster in loaded if isinstance(roster, Roster)), 3))
    assert len(rosters) == 3
    assert [find_faults(build_tabletop_army(evaluate_roster(roster).report)) for roster in rosters] == [[], [], []]


# ---- the address -------------------------------------------------------------------------------------------------


@pytest.fixture
def ann(db: None) -> User:
    cache.clear()
    installed()
    return account()


@pytest.fixture
def token(ann: User) -> str:
    return make(ann, TokenScope.READ, TokenScope.WRITE)


def test_everybody_with_the_address_reads_it_and_it_does_not_change(token: str) -> None:
    address = f"{LISTS}{create(token, MORE)['id']}/tts/"
    answer = Client().get(address, headers={"Origin": "https://table.example"})
    army = answer.json()
    assert (answer.status_code, answer["Access-Control-Allow-Origin"], find_faults(army)) == (200, "*", [])
    assert [unit["name"] for unit in army["armyData"].values()] == ["Wärden", "Cutters"]
    assert Client().get(address).json() == army
    unchanged = Client().get(address, headers={"If-None-Match": answer["ETag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")


def test_names_of_players_stay_names(token: str) -> None:
    created = create(token, MORE)
    roster = Roster.objects.get()
    for unit in roster.tree.forces[0].selections:
        roster.refresh_from_db()
        assert isinstance(edit_roster(roster, roster.head, Rename(node=unit.id, text=NASTY[:60])), SavedEdit)
    army = Client().get(f"{LISTS}{created['id']}/tts/").json()
    assert find_faults(army) == []
    assert all("destroyAll()" in unit["decorativeName"] for unit in army["armyData"].values())


def test_an_empty_list_has_no_units(token: str) -> None:
    created = create(token, MORE | {"detachments": []})
    army = Client().get(f"{LISTS}{created['id']}/tts/").json()
    assert (army["order"], army["armyData"]) == ([], {})


def test_what_others_may_not_read_is_not_there(ann: User, token: str) -> None:
    private = f"{LISTS}{create(token, MORE, 'private')['id']}/tts/"
    assert ask(token, private).status_code == 200
    assert Client().get(private).status_code == 404
    Roster.objects.update(visibility="public", is_secret=True)
    cache.clear()
    answer = Client().get(private)
    assert (answer.status_code, json.loads(answer.content)["code"]) == (404, "not-found")
    assert Client().get(f"{LISTS}{'a' * 22}/tts/").status_code == 404
