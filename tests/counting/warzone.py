"""Warzone Resurrection: trials about charts, and about commanders and Doomtroopers."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tests.cases.translator import Node
from tests.counting.trial import Trial, handfuls

LIMIT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Squad:
    """An invented squad; `more` are other keys of its fixture."""

    slot: str
    points: int = 1
    ld: int = 10
    faction: str = "capitol"
    more: tuple[tuple[str, object], ...] = ()

    def fixture(self, name: str) -> Node:
        about = {"name": name.title(), "faction": self.faction, "slot": self.slot, "points": self.points}
        return about | {"size": [1, 1], "ld": self.ld, "sz": 0} | dict(self.more)


def fixtures(squads: dict[str, Squad]) -> Node:
    return {"squads": {name: squad.fixture(name) for name, squad in squads.items()}}


def listed(squads: list[Node], *, faction: str = "capitol", commander: str = "", **context: object) -> Node:
    written: Node = {"faction": faction, "squads": squads, **({"commander": commander} if commander else {})}
    return {"context": {"points_limit": LIMIT, **context}, "list": written}


# ---- the charts --------------------------------------------------------------------------------------------------

CHARTS = {
    "skirmish": ((1, 2), (2, 4), 1),
    "standard": ((1, 5), (2, 4), 3),
    "heavy": ((1, 5), (2, 4), 3),
    "mega": ((1, 7), (4, 8), 6),
    "gargantuan": ((1, 7), (4, 8), 6),
}
"""Characters, troops and support; `fits` has the vehicles."""
SLOTS = {
    "captain": Squad(slot="character", ld=15),
    "line": Squad(slot="troop"),
    "archers": Squad(slot="troop", points=2),
    "mortars": Squad(slot="support"),
    "rockets": Squad(slot="support", points=3),
    "strider": Squad(slot="monster_light_vehicle"),
    "beast": Squad(slot="monster_light_vehicle", points=2),
    "crusher": Squad(slot="heavy_vehicle", points=4),
}


def chart_cases() -> Iterator[Node]:
    """Yield numbers of characters, troops and support near the bounds, and all numbers of vehicles."""
    for chart, (_, (few, _), _) in CHARTS.items():
        heavy = int(chart == "gargantuan")
        for numbers in product(range(9), (1, 2, 3, 4, 5, 8, 9), (0, 1, 2, 3, 4, 6, 7)):
            yield filled(chart, *numbers, 0, heavy)
        for light, heavy in product(range(10), range(6)):
            yield filled(chart, 1, few, 0, light, heavy)


def filled(chart: str, characters: int, troops: int, support: int, light: int, heavy: int) -> Node:
    kinds = (("captain",), ("line", "archers"), ("mortars", "rockets"), ("strider", "beast"), ("crusher",))
    numbers = zip(kinds, (characters, troops, support, light, heavy), strict=True)
    squads = [{"squad": names[n % len(names)]} for names, number in numbers for n in range(number)]
    return listed(squads, chart=chart)


def broken_by_chart(case: Node) -> set[str]:
    chart = case["context"]["chart"]
    count = Counter(SLOTS[squad["squad"]].slot for squad in case["list"]["squads"])
    (low, high), (few, many), support = CHARTS[chart]
    broken = {f"{chart} vehicles"} if not fits(chart, count["monster_light_vehicle"], count["heavy_vehicle"]) else set()
    if not low <= count["character"] <= high:
        broken.add(f"{chart} characters")
    if not few <= count["troop"] <= many:
        broken.add(f"{chart} troops")
    if count["support"] > support:
        broken.add(f"{chart} support")
    if not count["character"]:
        broken.add("somebody commands")
    return broken


def fits(chart: str, light: int, heavy: int) -> bool:
    room = {"skirmish": (0, 0), "standard": (1, 0), "heavy": (2, 1), "mega": (2, 0), "gargantuan": (4, 2)}[chart]
    rooms = {room}
    if chart in ("heavy", "gargantuan"):
        swaps = 1 if chart == "heavy" else 2
        rooms |= {(room[0] - 2 * n, room[1] + n) for n in range(1, swaps + 1)} | {(room[0] + 2, room[1] - 1)}
    compulsory = int(chart == "gargantuan")
    return heavy >= compulsory and any(light <= most and heavy <= heaviest for most, heaviest in rooms)


# ---- who serves, who commands ------------------------------------------------------------------------------------

PEOPLE = {
    "captain": Squad(slot="character", points=3, ld=15),
    "marshal": Squad(slot="character", points=4, ld=17, more=(("leader", {"max": 1, "squad": "rockets"}),)),
    "broker": Squad(slot="character", points=2, ld=19, faction="cartel", more=(("agent", True),)),
    "own-oath": Squad(slot="character", points=3, ld=17, more=(("doomtrooper", True),)),
    "steel-oath": Squad(slot="character", points=3, ld=19, faction="bauhaus", more=(("doomtrooper", True),)),
    "line": Squad(slot="troop", points=2),
    "guests": Squad(slot="troop", points=2, faction="bauhaus"),
    "rockets": Squad(slot="support", points=5),
    "saints": Squad(slot="support", points=4, more=(("unique", True),)),
    "ghouls": Squad(slot="troop", points=2, faction="dark-legion"),
    "lich": Squad(slot="character", points=4, ld=14, faction="dark-legion"),
}
PAIRS = {"mixed pair": ("own-oath", "steel-oath"), "steel pair": ("steel-oath", "steel-oath")}
PURSE = 17
"""The cost of the largest lists; the limit is one less, so some are beyond it."""


def people_cases() -> Iterator[Node]:
    """Yield every list with at most two troop squads up to 17 points, and every possible commander."""
    prices = [(name, squad.points) for name, squad in PEOPLE.items() if squad.faction != "dark-legion"]
    prices += [(pair, sum(PEOPLE[name].points for name in names)) for pair, names in PAIRS.items()]
    prices.append(("rockets as troops", PEOPLE["rockets"].points))
    for picks in handfuls(prices, PURSE):
        if len(picks) >= 3 and sum(name in ("line", "rockets as troops") for name in picks) >= 2:
            for commander in ("", *sorted(set(everybody(picks)) & COMMANDERS)):
                yield people(picks, commander)
    for picks in handfuls([("lich", 4), ("ghouls", 2), ("broker", 2), ("steel pair", 6)], 14):
        yield people(picks, "", "dark-legion")


COMMANDERS = {"captain", "marshal", "broker", "own-oath"}


def everybody(picks: tuple[str, ...]) -> list[str]:
    return [name for pick in picks for name in PAIRS.get(pick, (pick.removesuffix(" as troops"),))]


def people(picks: tuple[str, ...], commander: str, faction: str = "capitol") -> Node:
    squads: list[Node] = []
    for pick in picks:
        moved = pick.endswith(" as troops")
        single = {"squad": pick.removesuffix(" as troops"), **({"as": "troop"} if moved else {})}
        squads.append({"pair": list(PAIRS[pick])} if pick in PAIRS else single)
    case = listed(squads, faction=faction, commander=commander, chart="standard")
    case["context"]["points_limit"] = PURSE - 1
    return case


def broken_by_people(case: Node) -> set[str]:
    squads, faction = case["list"]["squads"], case["list"]["faction"]
    names = [name for squad in squads for name in squad.get("pair", [squad.get("squad")])]
    singles = [squad["squad"] for squad in squads if "squad" in squad]
    moved = sum("as" in squad for squad in squads)
    commander, broken = commanding(case["list"], names)
    partners = [list(squad["pair"]) for squad in squads if "pair" in squad]
    if commander == "own-oath" and "own-oath" not in singles:
        leave = next(pair for pair in partners if "own-oath" in pair)
        leave.remove("own-oath")
        singles.append("own-oath")
    if any(len(pair) < 2 for pair in partners) or "steel-oath" in singles:
        broken.add("in pairs")
    slots = Counter(PEOPLE[name].slot for name in singles) + Counter({"character": len(partners)})
    if not (1 <= slots["character"] <= 5 and 2 <= slots["troop"] + moved <= 4 and slots["support"] - moved <= 3):
        broken.add("the chart")
    if moved and commander != "marshal":
        broken.add("leave")
    if moved > 1 and commander == "marshal":
        broken.add("so much leave")
    if singles.count("saints") > 1:
        broken.add("unique")
    if faction == "dark-legion" and "broker" in singles:
        broken.add("no agents in the legion")
    if any(PEOPLE[name].faction not in (faction, "cartel") and not name.endswith("-oath") for name in singles):
        broken.add("one faction")
    if sum(PEOPLE[name].points for name in names) > case["context"]["points_limit"]:
        broken.add("points")
    return broken


def commanding(army: Node, names: list[str]) -> tuple[str, set[str]]:
    """Return the commander, "" if open, and what is wrong about it."""
    able = [name for name in names if PEOPLE[name].slot == "character" and PEOPLE[name].faction == army["faction"]]
    if not able:
        return "", {"somebody commands"}
    highest = [name for name in able if PEOPLE[name].ld == max(PEOPLE[each].ld for each in able)]
    declared = army.get("commander", "")
    wrong = {"the highest commands"} if declared and declared not in highest else set()
    if len(highest) == 1:
        return highest[0], wrong
    return (declared if declared in highest else ""), wrong


TRIALS = {
    "charts": Trial(
        system="warzone-resurrection",
        fixtures=fixtures(SLOTS),
        cases=chart_cases,
        broken=broken_by_chart,
        rules=frozenset(
            {f"{chart} {what}" for chart in CHARTS for what in ("characters", "troops", "support", "vehicles")}
            | {"somebody commands"}
        ),
    ),
    "people": Trial(
        system="warzone-resurrection",
        fixtures=fixtures(PEOPLE),
        cases=people_cases,
        broken=broken_by_people,
        rules=frozenset(
            {
                "somebody commands",
                "the highest commands",
                "in pairs",
                "the chart",
                "leave",
                "so much leave",
                "unique",
                "no agents in the legion",
                "one faction",
                "points",
            }
        ),
    ),
}
