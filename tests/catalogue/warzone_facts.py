"""Facts about the ten factions of Warzone Resurrection from the shared folder, under the names of the pack."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from catalogue.formats.packs.syntax.scalars import make_id
from tests.plain_yaml import load_yaml_file
from tests.stored_readings import read_stored

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
    "RocketLauncher": "Rocket Launcher",
    "Simmetry": "Symmetry",
    "Turbocannnon": "Turbocannon",
    "PSY- Corps": "PSY-Corps",
    "Subsmission": "Submission",
    "(upgrade one Light Infantry)": "",
    "(upgrade one Heavy Infantry)": "",
    "(upgrade one Heretic)": "",
    "[K]": "",
}
"""Names that the data spell differently or extend."""


POINTS = {
    ("pieter-the-shield-diamond", 70): (50, "the rest is an option that his formation makes compulsory"),
    ("cuirassiers-atilla-mk-iii", 70): (80, "70 is the price in one formation"),
}
"""Prices of the smallest unit that the facts give for a formation."""

FEWEST = {
    "exterminateur-atilla-mk-i": (1, "as a character it is counted with a wrapper around it"),
    "triangled-templars": (3, "three, six or nine models are one entry each"),
}
MOST = {
    "simon-darius": (5, "his guards come with the Ministries of War alone"),
    "triangled-templars": (9, FEWEST["triangled-templars"][1]),
}

BEYOND = {
    ("mishima", "armored-chasseurs"): ("commando-unit-525", "anti-vehicle-grenades"),
    ("dark-legion-ilian", "triangled-templars"): (
        "3x-triangled-templars",
        "6x-triangled-templars",
        "9x-triangled-templars",
    ),
}
"""Options that only an army of Cybertronic can have, and sizes that are options."""


STRANGERS = {("mishima", "opresseur-mk-i"), ("mishima", "dr-diana-neoclone")}
"""Advisors that only a formation of Cybertronic lets join."""
ADVISORS = {"wolverine-advisor": "wolverine"}
"""Other names of advisors in squads."""

ACCENTS = re.compile("[\u2018\u2019\u00b4]")
"""Signs that the data use as an apostrophe."""


@dataclass(frozen=True)
class Fact:
    """A squad or character in one slot of the chart, by the facts."""

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
    for unit in read_stored(f"facts-warzone-{faction}", [file], partial(load_yaml_file, file))["units"]:
        name, points = called(unit["name"]), unit["points_base"]
        yield Fact(
            name=name,
            faction=faction,
            type=SLOTS.get(unit["slot"], make_id(unit["slot"])),
            points=POINTS.get((name, points), (points,))[0] - _unchosen(unit),
            fewest=FEWEST.get(name, (unit["size"]["min"],))[0],
            node=unit,
        )


def _unchosen(node: Node) -> int:
    """Return the lowest cost of compulsory choices without default, which a new unit has not made."""
    choices = [child for child in node.get("options", ()) if child["kind"] == "group"]
    made = [child["min"] * min(_prices(child)) for child in choices if child.get("min") and not child.get("default")]
    return sum(made) + sum(_unchosen(child) for child in choices if not child.get("min"))


def _prices(node: Node) -> Iterator[int]:
    for child in node.get("options", ()):
        if child["kind"] == "group":
            yield from () if child.get("hidden") else _prices(child)
        else:
            yield int(child.get("points") or 0)


def called(name: str) -> str:
    for wrong, right in MISSPELT.items():
        name = name.replace(wrong, right)
    return make_id(ACCENTS.sub("'", name).replace("(", " ("))


def most_models(fact: Fact, shared: Path) -> int:
    """Return the most models of a squad in any slot and by any leave, without advisors."""
    alike = (other for other in facts(shared) if (other.name, other.faction) == (fact.name, fact.faction))
    return MOST[fact.name][0] if fact.name in MOST else max(_most(other) for other in alike)


def _most(fact: Fact) -> int:
    parts = [child for child in fact.node.get("options", ()) if _is_model(child) and not is_advisor(child)]
    itself = fact.node["kind"] == "model" or not parts
    return itself + sum(_highest(part) for part in parts)


def _is_model(node: Node) -> bool:
    """Return whether a part of a squad is models, including models that the facts call upgrades."""
    figures = any(isinstance(row, str) and row.startswith("m:") for row in node.get("profiles", ()))
    return node["kind"] == "model" or bool(figures and node.get("min"))


def _highest(node: Node) -> int:
    raised = [rule["value"] for rule in node.get("rules", ()) if rule["field"] == "max" and rule["op"] == "set"]
    return int(max([node["max"], *raised]))


def is_advisor(node: Node) -> bool:
    """Return whether a part of a squad is a separate character that joins it."""
    return called(node["name"]).endswith("-advisor") or any(
        child["name"] == "Advisor" for child in node.get("options", ())
    )


def advisors(fact: Fact) -> Iterator[tuple[str, int]]:
    for node in _nested(fact.node):
        inside = [
            child for child in node.get("options", ()) if re.fullmatch("Advisors?|Wolverine Advisor", child["name"])
        ]
        price = sum(int(child.get("points") or 0) for child in inside if child["kind"] != "group")
        name = ADVISORS.get(called(node["name"]), called(node["name"]))
        if price and (fact.faction, name) not in STRANGERS:
            yield name, price


def _nested(node: Node) -> Iterator[Node]:
    for child in node.get("options", ()):
        yield child
        yield from _nested(child)


def priced_options(fact: Fact) -> Iterator[tuple[str, int, bool]]:
    """Yield the optional parts with a cost: name, price, whether the price is for each model."""
    for node in _inside(fact.node):
        if node["kind"] != "upgrade" or _is_compulsory(node):
            continue
        price = _price(node)
        each = next((_per_model(rule) for rule in node.get("rules", ()) if _per_model(rule)), 0)
        name = called(node["name"])
        if (price or each) and name not in BEYOND.get((fact.faction, fact.name), ()):
            yield name, each or price, bool(each)


def _inside(node: Node) -> Iterator[Node]:
    for child in node.get("options", ()):
        offered = not child.get("hidden") or child.get("rules")
        if offered and not is_advisor(child) and not re.fullmatch("Advisors?", child["name"]):
            yield child
            yield from _inside(child)


def _is_compulsory(node: Node) -> bool:
    return bool(node.get("min"))


def _price(node: Node) -> int:
    upgrades = (child for child in node.get("options", ()) if child["kind"] == "upgrade")
    return int(node.get("points") or 0) + sum(child.get("min", 0) * _price(child) for child in upgrades)


def _per_model(rule: Node) -> int:
    per = rule.get("per")
    grows = rule["op"] == "add" and rule.get("field") == "points" and isinstance(per, dict) and not rule.get("when")
    return int(rule["value"]) if grows else 0
