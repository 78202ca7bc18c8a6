"""Facts of the ten factions of Warzone Resurrection that lie beside the project, in the words of the pack."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from catalogue.formats.packs.words import slug

Node = dict[str, Any]

FACTIONS = (
    "bauhaus",
    "brotherhood",
    "capitol",
    "cybertronic",
    "dark-legion-algeroth",
    "dark-legion-ilian",
    "dark-legion-semai",
    "imperial-ministries-of-war",
    "imperial-wolfbanes",
    "mishima",
)

SLOTS = {
    "Monster/ Light Vehicle": "light-vehicle",
    "Heavy Vehicle": "heavy-vehicle",
    "Transport Vehicle": "transport-vehicle",
}

MISSPELT = {
    "ofNathaniel": "of Nathaniel",
    "Hedgegog": "Hedgehog",
    "Mounring": "Mourning",
    "Geurilla": "Guerrilla",
    "Accelleration": "Acceleration",
    "Agressor": "Aggressor",
    "GehennaPuker": "Gehenna Puker",
    "MissileLauncher": "Missile Launcher",
    "Simmetry": "Symmetry",
    "Turbocannnon": "Turbocannon",
    "PSY- Corps": "PSY-Corps",
    "(upgrade one Light Infantry)": "",
    "(upgrade one Heavy Infantry)": "",
    "(upgrade one Heretic)": "",
    "[K]": "",
}
"""What the data spell otherwise, or add to a name for themselves."""


@dataclass(frozen=True)
class Fact:
    """A squad or character at one place of the chart, as the facts have it."""

    name: str
    faction: str
    type: str
    points: int
    fewest: int
    node: Node

    def __str__(self) -> str:
        return f"{self.faction}: {self.name} ({self.type})"


@cache
def facts(shared: Path) -> tuple[Fact, ...]:
    return tuple(fact for faction in FACTIONS for fact in _of_faction(shared, faction))


def _of_faction(shared: Path, faction: str) -> Iterator[Fact]:
    file = shared / "facts" / "warzone-resurrection-2.2" / f"{faction}.yaml"
    for unit in yaml.load(file.read_text(), Loader=yaml.CSafeLoader)["units"]:
        yield Fact(
            name=called(unit["name"]),
            faction=faction,
            type=SLOTS.get(unit["slot"], slug(unit["slot"])),
            points=unit["points_base"],
            fewest=unit["size"]["min"],
            node=unit,
        )


def called(name: str) -> str:
    """A name as the pack writes it, as an id."""
    for wrong, right in MISSPELT.items():
        name = name.replace(wrong, right)
    return slug(name.translate(str.maketrans("’´‘", "'''")).replace("(", " ("))


def most_models(node: Node) -> int | None:
    """How many models a squad has at most, advisors left out; None where nothing limits it."""
    counts = [_most(child) for child in node.get("options", ()) if child["kind"] == "model"]
    counts = [count for count, child in zip(counts, _models(node), strict=True) if not is_advisor(child)]
    own = 1 if node["kind"] == "model" or not counts else 0
    return None if None in counts else own + sum(count for count in counts if count is not None)


def _models(node: Node) -> list[Node]:
    return [child for child in node.get("options", ()) if child["kind"] == "model"]


def _most(node: Node) -> int | None:
    raised = [
        rule["value"]
        for rule in node.get("rules", ())
        if rule["field"] == "max" and rule["op"] == "set" and isinstance(rule["value"], int)
    ]
    own = node.get("max")
    return None if own is None else max(own, *raised) if raised else own


def is_advisor(node: Node) -> bool:
    """Whether a part of a squad is a character of its own that joins it."""
    return node["name"].endswith("Advisor") or any(
        child["name"] == "Advisor" for child in node.get("options", ())
    )


def priced_options(fact: Fact) -> Iterator[tuple[str, int, bool]]:
    """Whatever may be left and costs something: its name, its price, whether that is for each model of the unit."""
    for node in _inside(fact.node):
        if node["kind"] != "upgrade" or _is_compulsory(node):
            continue
        price = _price(node)
        each = next((_per_model(rule) for rule in node.get("rules", ()) if _per_model(rule)), 0)
        if price or each:
            yield called(node["name"]), each or price, bool(each)


def _inside(node: Node) -> Iterator[Node]:
    for child in node.get("options", ()):
        if not is_advisor(child) and not re.fullmatch("Advisors?", child["name"]):
            yield child
            yield from _inside(child)


def _is_compulsory(node: Node) -> bool:
    return bool(node.get("min"))


def _price(node: Node) -> int:
    """The points of a node with what comes with it in any case."""
    upgrades = (child for child in node.get("options", ()) if child["kind"] == "upgrade")
    return int(node.get("points") or 0) + sum(child.get("min", 0) * _price(child) for child in upgrades)


def _per_model(rule: Node) -> int:
    per = rule.get("per")
    grows = rule["op"] == "add" and rule.get("field") == "points" and isinstance(per, dict) and not rule.get("when")
    return int(rule["value"]) if grows else 0
