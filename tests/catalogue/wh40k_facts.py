"""Facts about three factions of Warhammer 40,000, 9th edition, from the shared folder, under the names of the pack."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from catalogue.formats.packs.syntax.scalars import make_id
from tests.plain_yaml import load_yaml_file
from tests.stored_readings import read_stored

Node = dict[str, Any]

FACTIONS = ("necrons", "leagues-of-votann", "tyranids")

SLOTS = {"Primarch | Daemon Primarch | Supreme Commander": "supreme-commander", "No Force Org Slot": "no-slot"}

SIZES = {
    "harpy": (1, "what shows the rules of its mines is counted as a model there"),
    "sporocyst": (1, "what shows the rules of its spores is counted as a model there"),
    "biovores": (3, "what shows the rules of their mines is counted as a model there"),
    "skorpekh-destroyers": (6, "the second reap-blade, which a unit of six has, is left out of its largest size"),
    "genestealers": (10, "the row of those with an extended carapace is counted as a model there"),
}
"""Largest sizes that differ in the facts."""

PREFIXES = ("Power: ", "Adaptive Physiology: ", "Power of the C'tan: ", "Fractured Personality: ")


@dataclass(frozen=True)
class Fact:
    """A datasheet in one slot of the chart, by the facts."""

    name: str
    faction: str
    type: str
    points: int
    fewest: int
    most: int
    node: Node

    def __str__(self) -> str:
        return f"{self.faction}: {self.name} ({self.type})"


@cache
def facts(shared: Path) -> tuple[Fact, ...]:
    return tuple(fact for faction in FACTIONS for fact in _of_faction(shared, faction))


def _of_faction(shared: Path, faction: str) -> Iterator[Fact]:
    file = shared / "facts" / "wh40k-9e" / f"{faction}.yaml"
    for unit in read_stored(f"facts-wh40k-{faction}", [file], partial(load_yaml_file, file))["units"]:
        name = called(unit["name"])
        yield Fact(
            name=name,
            faction=faction,
            type=SLOTS.get(unit["slot"], make_id(unit["slot"])),
            points=unit["points_base"],
            fewest=unit["size"]["min"],
            most=SIZES.get(name, (unit["size"]["max"],))[0],
            node=unit,
        )


def called(name: str) -> str:
    for prefix in PREFIXES:
        name = name.removeprefix(prefix)
    return make_id(name.replace("Beserk", "Berserk").replace(" w/ ", " with "))


def priced_options(fact: Fact) -> Iterator[tuple[str, int, bool]]:
    """Yield the optional parts with a cost: name, price, whether the price is for each model."""
    for node in _inside(fact.node):
        if node["kind"] != "upgrade" or _is_compulsory(node) or node.get("hidden"):
            continue
        price = _price(node)
        each = next((_per_model(rule) for rule in node.get("rules", ()) if _per_model(rule)), 0)
        if price or each:
            yield called(node["name"]), price or each, not price


def _inside(node: Node) -> Iterator[Node]:
    for child in node.get("options", ()):
        yield child
        yield from _inside(child)


def _is_compulsory(node: Node) -> bool:
    return bool(node.get("min"))


def _price(node: Node) -> int:
    upgrades = (child for child in node.get("options", ()) if child["kind"] == "upgrade")
    return int(node.get("points") or 0) + sum(child.get("min", 0) * _price(child) for child in upgrades)


def _per_model(rule: Node) -> int:
    per = rule.get("per")
    grows = rule["op"] == "add" and rule.get("field") == "points" and isinstance(per, dict)
    return int(rule["value"]) if grows and per["of"] == "model" else 0
