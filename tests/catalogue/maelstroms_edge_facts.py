"""Facts about Maelstrom's Edge, 1st edition, from the shared folder, under the names of the pack."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from catalogue.formats.packs.syntax.scalars import make_id
from tests.plain_yaml import load_yaml_file

Node = dict[str, Any]

FACTIONS = ("artarian-remnant", "broken", "epirian-foundation", "karist-enclave")

UNIT_NAMES = {
    "Shadow Walker(s) (Multi-unit selection)": "Shadow Walkers",
    "Scarecrow Sniper(s) (Multi-unit selection)": "Scarecrow Snipers",
    "Gnolti (Multi-unit selection)": "Gnolti",
    "Sig Jammer (Multi-unit selection)": "Sig Jammers",
    "Pa'ku Artillery (Multi-unit selection)": "Pa'ku Artillery",
    "Broken Sniper (Multi-unit selection)": "Broken Snipers",
}
ITEM_NAMES = {
    "changed Rapid Fire to Overdrive": "Overdrive instead of Rapid Fire",
    "changed Lock-on to Overdrive": "Overdrive instead of Lock-on",
    "2 linked Flakk guns": "Linked Flakk Guns",
    "2 linked Cluster Missile Pods": "Linked Cluster Missile Pods",
    "2 linked Strike Missile Pods": "Linked Strike Missile Pods",
    "2 Linked Araldyne CB22 Assault Carbines": "Linked Araldyne CB22 Assault Carbines",
    "2 Linked Araldyne CF13 Clingfire Sprayers": "Linked Araldyne CF13 Clingfire Sprayers",
    "2 Linked Araldyne FG19 Flakk Guns": "Linked Araldyne FG19 Flakk Guns",
}

RULED = {"Prime Array": 4, "Target Tracker": 3, "Enhanced Targeter": 1}
"""Prices that the facts give as 0 on some units; those of the Nimbus units apply everywhere."""

POINTS = {
    "tempest-elites": (11, "the facts count two Elites beside the compulsory Tetrarch, who is one of the two"),
    "contractor-suppression-team": (7, "three models at 3, 2 and 2; a weapon that costs more is nobody's default"),
}
SIZES = {
    "broken-rabble": (6, "a Hypnotist takes the place of one of the Rabble"),
    "rabble-assault": (6, "whoever is not of the Rabble takes the place of one"),
    "rabble-fire-support": (6, "a Hypnotist takes the place of one of the Rabble"),
}


@dataclass(frozen=True)
class Fact:
    """A unit in the facts."""

    id: str
    faction: str
    type: str
    points: int
    fewest: int
    most: int
    node: Node


@cache
def facts(shared: Path) -> dict[str, Fact]:
    found = {}
    for faction in FACTIONS:
        file = shared / "facts" / "maelstroms-edge-1e" / f"{faction}.yaml"
        for unit in load_yaml_file(file)["units"]:
            own = make_id(UNIT_NAMES.get(unit["name"], unit["name"]))
            size = unit["size"]
            found[own] = Fact(
                id=own,
                faction=faction,
                type=unit["type"].lower(),
                points=POINTS[own][0] if own in POINTS else unit["points_base"],
                fewest=size["min"],
                most=SIZES[own][0] if own in SIZES else size["max"],
                node=unit,
            )
    return found


def inside(node: Node) -> list[Node]:
    return list(node.get("options", ()))


def walk(node: Node) -> Iterator[Node]:
    yield node
    for child in inside(node):
        yield from walk(child)


def is_compulsory(node: Node) -> bool:
    return bool(node.get("min")) and node.get("min") == node.get("max")


def item_name(node: Node) -> str:
    name = node["name"].removesuffix(" (Choke & EMP Rounds)")
    return make_id(ITEM_NAMES.get(name, name))


def price(node: Node, unit: str) -> int:
    for rule in node.get("rules", ()):
        who = rule.get("when", {}).get("count", "")
        if rule["op"] == "set" and rule["field"] == "points" and who.startswith(f"{unit} ["):
            return int(rule["value"])
    return RULED.get(node["name"], int(node.get("points", 0)))


def optional_items(fact: Fact) -> Iterator[tuple[str, int]]:
    for node in walk(fact.node):
        if node["kind"] == "upgrade" and node is not fact.node and not is_compulsory(node):
            yield item_name(node), price(node, fact.node["name"])


@dataclass(frozen=True)
class Variant:
    """A model with everything it must carry: the facts have each combination of weapons as a model."""

    name: str
    points: int
    items: Counter[str]


def variants(fact: Fact) -> list[list[Variant]]:
    """Return the models of a unit with variable numbers, grouped by kind."""
    kinds: dict[str, list[Variant]] = {}
    for node in walk(fact.node):
        if node["kind"] != "model" or is_compulsory(node):
            continue
        carried = [child for child in inside(node) if is_compulsory(child) and child["kind"] == "upgrade"]
        items = Counter({item_name(child): child["min"] for child in carried})
        points = node.get("points", 0) + sum(child.get("points", 0) * child["min"] for child in carried)
        kind = node["name"].split(" w/ ")[0]
        kinds.setdefault(kind, []).append(Variant(node["name"], points, items))
    return list(kinds.values())
