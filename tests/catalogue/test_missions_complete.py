"""The packs have every mission, objective, rule, map and token of the inventory of rulebooks, with the same figures.

Only figures are compared: every number in the inventory's text must be in ours.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from catalogue.definitions.missions import Brief, Markers, MissionDefinition, ObjectiveDefinition
from catalogue.formats.packs.load import SHIPPED
from catalogue.services.play import Play
from tests.plain_yaml import load_yaml_file
from tests.shipped_packs import read_shipped

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = {"twice": 2, "fourth": 4}
SHARES = {"half": 50, "three quarters": 75}
NUMBER = re.compile(r"\d+")
WHEN = {"each-end-phase": "End phase", "final-turn": "Final turn", "conditional": "While true"}
DOUBLED = {"final_turn_double": "in the final turn", "final_two_turns_double": "in the last two turns"}
SIZES = {"inc": "incursion", "sf": "strike-force", "ons": "onslaught"}


def book(shared: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = load_yaml_file(shared / "rules" / "missions" / f"{name}.yaml")
    return found


def play(pack: str) -> Play:
    data = read_shipped(SHIPPED / pack).data
    assert data is not None
    return Play(data.game_system)


def leaves(thing: object) -> Iterator[str]:
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield str(key)
            yield from leaves(value)
    elif isinstance(thing, list | tuple | set):
        for value in thing:
            yield from leaves(value)
    elif thing is not None and not isinstance(thing, bool):
        yield str(thing)


def text_of(thing: object) -> str:
    return " ".join(leaves(msgspec.to_builtins(thing)))


def figures(*texts: object) -> set[int]:
    """Return the numbers in texts, also in words. A single thing is often written without its number, so 1 is
    ignored.
    """
    joined = " ".join(map(str, texts)).lower()
    found = {int(number) for number in NUMBER.findall(joined)}
    words = set(re.findall(r"[a-z]+", joined))
    found |= {number for number, word in enumerate(WORDS) if word in words}
    found |= {number for word, number in ORDINALS.items() if word in words}
    found |= {percent for share, percent in SHARES.items() if share in joined}
    return found - {0, 1}


def lacks(theirs: object, ours: object) -> set[int]:
    """Return the figures of the inventory's thing that ours lacks."""
    return figures(*leaves(theirs)) - figures(text_of(ours) if not isinstance(ours, str) else ours)


def plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", name.lower()).strip()


def has_all(names: list[str], ours: str) -> list[str]:
    text = f" {plain(ours)} "
    return [name for name in names if f" {plain(name)} " not in text]


# ---- Maelstrom's Edge, second edition ----


@pytest.fixture(scope="module")
def edge() -> Play:
    return play("maelstroms_edge/second")


@pytest.fixture(scope="module")
def edge_book(shared: Path) -> dict[str, Any]:
    return book(shared, "maelstroms-edge-2e")


def check_brief(theirs: dict[str, Any], ours: Brief, played: Play) -> None:
    aims = {aim.label: aim for aim in ours.aims}
    for label in ("primary", "secondary"):
        aim, theirs_aim = aims[label.title()], theirs[label]
        assert (aim.objective_id, aim.points) == (theirs_aim["objective"], str(theirs_aim["x"]))
        if "zone" in theirs_aim:
            assert aim.zone
            assert not lacks(theirs_aim["zone"], aim.zone)
    assert len(aims) == 2
    assert [(m.token_id, m.count, m.per_player) for m in ours.markers] == [
        (m["kind"], m["count"], m["per_player"]) for m in theirs["markers"]
    ]
    assert (ours.total, ours.turns) == (theirs["victory_total"], theirs.get("turns"))
    assert list(ours.specials) == theirs["specials"]
    assert list(ours.maps) == ([] if theirs["deployment"] == "random" else [theirs["deployment"]])
    assert {marker.token_id for marker in ours.markers} <= played.tokens.keys()


def test_missions_of_maelstroms_edge(edge: Play, edge_book: dict[str, Any]) -> None:
    assert list(edge.missions) == [theirs["id"] for theirs in edge_book["missions"]]
    for theirs in edge_book["missions"]:
        ours = edge.missions[theirs["id"]]
        dice = theirs["dice"]
        assert (ours.name, ours.pack, ours.low, ours.high) == (theirs["name"], theirs["pack"], dice["from"], dice["to"])
        assert ours.icon
        versions = theirs.get("versions")
        if not versions:
            check_brief(theirs, ours, edge)
            assert ours.tagline
            continue
        assert ours.story
        sides = {side.id: side for side in ours.sides}
        assert list(sides) == list(versions)
        for side, version in versions.items():
            check_brief(version, sides[side], edge)
            assert sides[side].tagline


def test_objectives_of_maelstroms_edge(edge: Play, edge_book: dict[str, Any]) -> None:
    assert set(edge.objectives) == {theirs["id"] for theirs in edge_book["objectives"]}
    for theirs in edge_book["objectives"]:
        ours = edge.objectives[theirs["id"]]
        assert (ours.name, ours.group) == (theirs["name"], theirs["class"])
        assert [(s.when, s.points.removesuffix(" more"), s.doubled) for s in ours.scores] == [
            (WHEN[s["when"]], points_of(s["vp"]), doubled(s)) for s in theirs["scoring"]
        ]
        markers = ours.markers or Markers(token_id="", count=0)
        assert (markers.count, markers.per_player) == (theirs["markers"], theirs.get("per_player", False))
        assert markers.token_id == theirs.get("marker_kind", "")
        assert bool(ours.zone) is ("default_zone" in theirs)
        told = {k: theirs.get(k) for k in ("setup", "special", "default_zone")}
        condition = [s["condition"] for s in theirs["scoring"]]
        assert not lacks([*told.values(), condition], ours) - {3}, ours.name
        # Notes that are rules are printed with the rules; notes on the edition are only on the page.
        is_noted = "notes" in theirs or "used_by_printed_missions" in theirs
        assert is_noted if ours.note else not is_noted or ours.special, ours.name


def points_of(vp: object) -> str:
    text = str(vp).removesuffix(" (on top)")
    return "all it still holds" if text.startswith("all") else text


def doubled(score: dict[str, Any]) -> str:
    return next((word for key, word in DOUBLED.items() if score.get(key)), "")


def test_special_rules_of_maelstroms_edge(edge: Play, edge_book: dict[str, Any]) -> None:
    assert list(edge.specials) == [theirs["id"] for theirs in edge_book["specials"]]
    for theirs in edge_book["specials"]:
        ours = edge.specials[theirs["id"]]
        assert ours.name == theirs["name"]
        assert not lacks(theirs["text"], ours), ours.name


def test_tables_of_maelstroms_edge(edge: Play, edge_book: dict[str, Any]) -> None:
    assert [(m.roll, m.id, m.name) for m in edge.maps.values()] == [
        (m["roll"], m["id"], m["name"]) for m in edge_book["deployment_types"]
    ]
    assert [size.points for size in edge.sizes.values()] == [
        preset["points"] for preset in edge_book["game"]["point_presets"]
    ]
    names = [name.split(" 1-")[0] for name in edge_book["tokens"]["sheet"]]
    also = [name for name in edge_book["tokens"]["also_needed"] if "(" not in name]
    tokens = " ".join(f"{token.name} {' '.join(token.faces)}." for token in edge.tokens.values())
    short = [name.removesuffix(" - 1").removesuffix(" - 2").removesuffix(" - 3") for name in names]
    assert has_all([*short, *(name.split(" 1-")[0] for name in also)], tokens) == []
    assert edge.tokens["suppression"].faces == ("1", "2", "3", "4", "5", "6")
    assert edge.tokens["command-points"].faces == ("1", "2", "3")
    kinds = {o["marker_kind"] for o in edge_book["objectives"] if "marker_kind" in o}
    assert kinds <= edge.tokens.keys()
    base = edge_book["marker_placement"]["base_max_mm"]
    assert {edge.tokens[kind].diameter for kind in kinds} == {base}


def test_reference_of_maelstroms_edge(edge: Play, edge_book: dict[str, Any]) -> None:
    ours = {part.name: {row.name: row.value for row in part.rows} for part in edge.reference.values()}
    target = edge_book["destructible_objective"]
    assert ours["Destructible objective"] == {
        key.upper(): str(target[key]) for key in ("mv", "evs", "skl", "av", "cqa", "for", "wp")
    }
    placing = edge_book["marker_placement"]
    assert not lacks(placing, text_of(edge.reference["objective-markers"]))
    everything = text_of(list(edge.reference.values()))
    reference = edge_book["reference"]
    for theirs in reference["actions"]:
        assert theirs["name"] in ours["Actions"]
        assert not lacks(theirs["text"], ours["Actions"][theirs["name"]])
    for theirs in reference["weapon_types"]:
        assert theirs["name"] in ours["Weapon types"]
        assert not lacks(theirs["rule"], ours["Weapon types"][theirs["name"]])
    for theirs in reference["model_types"]:
        assert not lacks(theirs["rule"], ours["Terrain and models"][theirs["name"]]) - {2}
    keys = ("turn_sequence", "ranges", "suppression", "dice_flips", "cover_values", "unarmed", "designators")
    for key in keys:
        assert not lacks(reference[key], everything), key
    named = ["characteristics", "weapon_characteristics"]
    assert has_all([name for key in named for name in reference[key] if name != "TYPE"], everything) == []
    assert not lacks(edge_book["victory"], everything)
    assert not lacks(edge_book["deployment_procedure"], everything)
    assert not lacks(edge_book["game"]["table"], everything)


# ---- Maelstrom of War ----


@pytest.fixture(scope="module")
def war() -> Play:
    return play("wh40k/ninth")


@pytest.fixture(scope="module")
def war_book(shared: Path) -> dict[str, Any]:
    return book(shared, "maelstrom-of-war-9e")


def test_missions_of_maelstrom_of_war(war: Play, war_book: dict[str, Any]) -> None:
    groups = {group.name: group.id for group in war.groups.values()}
    assert list(war.missions) == [theirs["id"] for theirs in war_book["missions"]]
    for theirs in war_book["missions"]:
        ours = war.missions[theirs["id"]]
        assert (ours.name, ours.low, ours.high) == (theirs["name"], theirs["number"], theirs["number"])
        assert ours.citation.page == str(theirs["page"]) or str(theirs["page"]) in text_of(ours.citation)
        draw, generation = ours.draw, theirs["generation"]
        assert draw is not None
        assert (draw.number, draw.choose) == (generation["number"], theirs["categories"]["count"])
        assert draw.die == int((generation["die"] or "D0")[1:])
        assert list(draw.letters) == (theirs["categories"]["letters"] or [])
        table = generation["table"]
        assert draw.one_from_each is isinstance(table, str)
        if isinstance(table, dict) and not draw.letters:
            assert list(draw.table) == [groups[table[n]] for n in sorted(table)]
        rule = theirs["rule"]
        said = {line.label: line.text for line in ours.paragraphs}
        assert rule["name"] in said
        assert not lacks(rule["text"], said[rule["name"]])
    by_rule = {ours.id: ours.draw for ours in war.missions.values() if ours.draw}
    assert by_rule["territorial-control"].extra == "more-markers"
    assert by_rule["never-surrender"].extra == "fewer-points"
    assert by_rule["ambitious-surge"].named == "double"
    assert by_rule["subterfuge-and-interference"].named == "barred"
    assert by_rule["complex-front"].secret == 5
    assert by_rule["chaotic-engagement"].free == ("fixed-determination",)


def test_tactical_objectives(war: Play, war_book: dict[str, Any]) -> None:
    assert set(war.groups) == {category["id"] for category in war_book["categories"]}
    for category in war_book["categories"]:
        assert war.groups[category["id"]].name == category["name"]
        ours = war.list_objectives(category["id"])
        assert [(o.roll, o.name) for o in ours] == [(o["roll"], o["name"]) for o in category["objectives"]]
        for objective, theirs in zip(ours, category["objectives"], strict=True):
            check_tactical(objective, theirs)


def check_tactical(ours: ObjectiveDefinition, theirs: dict[str, Any]) -> None:
    assert len(ours.scores) == 1
    score = ours.scores[0]
    assert (score.points, plain(score.when)) == (str(theirs["vp"]), plain(theirs["when"]))
    assert bool(ours.replace) is ("replace_if" in theirs)
    if "all" in theirs:
        assert score.text
        assert not lacks(theirs["all"], score.text)
        return
    assert set(score.by_size) == set(SIZES.values())
    for short, size in SIZES.items():
        assert not lacks(theirs["by_size"][short], score.by_size[size]), (ours.name, size)
        threshold = theirs.get("threshold", {}).get(short, 1)
        assert threshold == 1 or threshold in figures(score.by_size[size]), (ours.name, size)


def test_stratagems_sizes_and_maps_of_maelstrom_of_war(war: Play, war_book: dict[str, Any]) -> None:
    limits = {"once per battle": "battle", "once per battle round": "round"}
    assert [(s.id, s.name, s.cost, s.limit) for s in war.stratagems.values()] == [
        (s["id"], s["name"], s["cp"], limits.get(s["limit"], "")) for s in war_book["stratagems"]
    ]
    for theirs in war_book["battle_sizes"]:
        ours = war.sizes[theirs["id"]]
        assert (ours.name, ours.points, [ours.width, ours.depth]) == (
            theirs["name"],
            theirs["points"],
            theirs["battlefield_min_inches"],
        )
        facts = {fact.name: fact.value for fact in ours.facts}
        assert facts["Command points"] == str(theirs["command_points"])
        assert facts["Markers each"] == str(theirs["objectives_per_player"])
        assert facts["Of one datasheet"] == str(theirs["datasheet_limit"])
        assert str(theirs["hours_max"]) in facts["Hours"]
    assert [(m.roll, m.id, m.name) for m in war.maps.values()] == [
        (m["roll"], m["id"], m["name"]) for m in war_book["deployment_maps"]
    ]
    everything = text_of(list(war.reference.values()))
    for key in ("objective_marker_rules", "scoring"):
        assert not lacks(war_book[key], everything), key
    assert not lacks(war_book["reserves"]["earliest_round"], everything)
    assert not lacks(war_book["reserves"]["destroyed_if_not_arrived_by_end_of_round"], everything)
    assert war.tokens["objective-marker"].faces == ("1", "2", "3")
    assert has_all(["Command points", "Victory points", "Battle round"], text_of(list(war.tokens.values()))) == []


# ---- Warzone Resurrection ----


@pytest.fixture(scope="module")
def warzone() -> Play:
    return play("warzone/resurrection")


@pytest.fixture(scope="module")
def warzone_book(shared: Path) -> dict[str, Any]:
    return book(shared, "warzone-resurrection")


def maps_of(mission: MissionDefinition) -> set[str]:
    return {own for brief in (mission, *mission.sides) for own in brief.maps}


def test_missions_of_warzone(warzone: Play, warzone_book: dict[str, Any]) -> None:
    assert list(warzone.missions) == [theirs["id"] for theirs in warzone_book["missions"]]
    for theirs in warzone_book["missions"]:
        ours = warzone.missions[theirs["id"]]
        where = theirs["deployment"]
        assert maps_of(ours) == set(where if isinstance(where, list) else [where])
        assert [marker.count for marker in ours.markers] == [theirs["markers"]["count"]]
        told = {key: theirs.get(key) for key in ("major", "partial", "attacker", "defender", "zone_control")}
        assert not lacks([value for value in told.values() if value], ours), ours.name


def test_deployment_of_warzone(warzone: Play, warzone_book: dict[str, Any]) -> None:
    assert list(warzone.maps) == [theirs["id"] for theirs in warzone_book["deployments"]]
    for theirs in warzone_book["deployments"]:
        ours = warzone.maps[theirs["id"]]
        assert ours.name == theirs["name"]
        assert not lacks([theirs["text"], theirs.get("arrival_table")], ours), ours.name
        assert [(table.width, table.depth) for table in ours.tables] == [(48, 48), (72, 48)], "to scale"
    everything = text_of(list(warzone.reference.values()))
    for key in ("deployment_options", "deployment_general", "mishap_rapid", "objective_rules", "victory"):
        assert not lacks(warzone_book[key], everything), key


def test_reference_and_tokens_of_warzone(warzone: Play, warzone_book: dict[str, Any]) -> None:
    everything = text_of(list(warzone.reference.values()))
    reference = warzone_book["reference"]
    for key in ("actions", "vehicle_actions", "abilities", "hit_locations", "saves", "morale"):
        names = [thing["name"] if isinstance(thing, dict) else thing for thing in reference[key] if "part" not in thing]
        bare = [re.sub(r" \(.*\)$", "", name) for name in names]
        assert has_all(bare, everything) == [], key
        assert not lacks(reference[key], everything), key
    for key in ("ranged_modifiers", "close_combat_modifiers", "action_points"):
        assert not lacks(reference[key], everything), key
    short = {"PTS"}  # the price of a unit is not a figure on the table
    letters = {part for name in (*reference["attributes"], *reference["weapon_attributes"]) for part in name.split("/")}
    assert has_all(sorted(letters - short), everything) == []
    assert not lacks(reference["bases_mm"], everything)
    names = [theirs["name"] for theirs in (*reference["templates"], *reference["psychic_types"])]
    assert has_all([*names, *reference["squad_types"]], everything) == []
    abilities = [thing["name"] for thing in reference["weapon_abilities"]]
    assert has_all([re.sub(r" \(.*\)$", "", name) for name in abilities], everything) == []
    tokens = [re.split(r" [\dx(A]", name)[0] for name in warzone_book["tokens"]["sheet"]]
    ours = " ".join(token.name for token in warzone.tokens.values())
    short = [name.removesuffix(" token").removesuffix(" cards").strip() for name in tokens]
    assert has_all([name for name in short if name], ours) == []
    assert warzone.tokens["stalk"].diameter == 30
    assert not lacks(warzone_book["resources"], everything) - {3}


# ---- The Edge: Dawnfall, and the preview of Maelstrom's Edge ----


def test_setup_of_dawnfall(shared: Path) -> None:
    theirs, ours = book(shared, "edge-dawnfall"), play("edge_dawnfall/dawnfall")
    ids = {"two-player": "two-players"}
    assert set(ours.missions) == {ids.get(mode["id"], mode["id"]) for mode in theirs["match_modes"]}
    shown = (
        "squads_max",
        "deck_size",
        "boards",
        "neutral_crystals",
        "neutral_charges",
        "starting_crystals",
        "crystals_left_after_setup",
        "harvest_per_source",
    )
    for mode in theirs["match_modes"]:
        mission = ours.missions[ids.get(mode["id"], mode["id"])]
        assert not lacks([mode[key] for key in shown], mission), mission.name
        victory = {"two-player": "two-player", "team": "team"}.get(mode["id"], "free-for-all")
        assert not lacks(theirs["victory"][victory], mission), mission.name
    steps = next(part for part in ours.reference.values() if part.name == "Setup")
    assert len(steps.steps) == len(theirs["setup_steps"])
    agreed = next(part for part in ours.reference.values() if part.name == "By agreement")
    assert len(agreed.rows) == len(theirs["optional_modes"])
    for row, mode in zip(agreed.rows, theirs["optional_modes"], strict=True):
        assert not lacks(mode["text"], row.name + row.value) - {25}, row.name
    everything = text_of([list(ours.reference.values()), list(ours.tokens.values())])
    assert not lacks(theirs["common"], everything)
    assert not lacks(theirs["reference"]["dice"], everything)
    assert has_all(["INI", "ATT", "DEF", "MOV", "Endurance", "through obstacles"], everything) == []
    names = [re.split(r" x\d| \(", name)[0] for name in theirs["tokens"]["shared"]]
    own = [
        re.split(r" x\d| \(", name.removesuffix(" token"))[0]
        for name in theirs["tokens"]["per_faction"]
        if "specific" not in name
    ]
    assert has_all([*names, *own, *theirs["tokens"]["status_tokens_mentioned"]], everything) == []


def test_preview_of_maelstroms_edge(shared: Path) -> None:
    theirs, ours = book(shared, "maelstroms-edge-1e"), play("maelstroms_edge/first")
    everything = text_of(list(ours.reference.values()))
    names = ["Suppression", "Objective marker", "Pinned", "On the move"]
    assert len(theirs["tokens"]["named"]) == len(names)
    assert has_all(names, text_of(list(ours.tokens.values()))) == []
    actions = theirs["reference"]["voluntary_actions"] + theirs["reference"]["compulsory_actions"]
    assert has_all([action["name"] for action in actions], everything) == []
    for key in ("turn_sequence", "versus_roll", "suppression_sources", "short_range_inches", "wild_fire", "cover"):
        assert not lacks(theirs["reference"][key], everything), key
