"""The Edge: Dawnfall: a trial about squads, and one about decks and the cards next to them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product

from tests.cases.translator import Node
from tests.counting.trial import Trial

SQUADS: dict[str, Node] = {
    "queen": {"name": "Queen", "faction": "hive", "models": 1},
    "drones-a": {"name": "Drones", "faction": "hive", "models": 3},
    "drones-b": {"name": "Drones", "faction": "hive", "models": 3},
    "wasps": {"name": "Wasps", "faction": "hive", "models": 2, "cards": 2},
    "moths": {"name": "Moths", "faction": "hive", "models": 2},
    "ants": {"name": "Ants", "faction": "hive", "models": 4, "cards": 3},
    "beetle": {"name": "Beetle", "faction": "hive", "models": 1},
    "bears": {"name": "Bears", "faction": "wood", "models": 1},
}
CARDS: dict[str, Node] = {
    "hum": {"faction": "hive", "lower": "generic", "copies": 30},
    "buzz": {"faction": "hive", "lower": "generic", "copies": 9},
    "toil": {"faction": "hive", "lower": "Drones", "copies": 4},
    "sting": {"faction": "hive", "lower": "Wasps", "copies": 3, "enhancement": True},
    "rule": {"faction": "hive", "lower": "Queen", "copies": 2},
    "flit": {"faction": "hive", "lower": "Moths", "copies": 1},
    "growl": {"faction": "wood", "lower": "generic", "copies": 9},
    "maul": {"faction": "wood", "lower": "Bears", "copies": 2},
}
FIXTURES: Node = {"squads": SQUADS, "cards": CARDS}
WAYS: dict[str, tuple[Node, int, int]] = {
    "two players": ({"mode": "two-player"}, 5, 25),
    "two players, shorter": ({"mode": "two-player", "optional": ["deck-20"]}, 5, 20),
    "each for themselves": ({"mode": "ffa-3"}, 4, 15),
    "teams": ({"mode": "team", "optional": ["deck-20"]}, 4, 15),
}
"""The ways to play a match, with the most squads and the number of cards."""
MOST_SQUADS = 6


def written(way: str, squads: Iterable[str | Node], deck: Node, **more: object) -> Node:
    context, _, _ = WAYS[way]
    return {"context": context, "way": way, "list": {"faction": "hive", "squads": list(squads), "deck": deck, **more}}


def broken_by_squads(case: Node) -> Iterator[str]:
    _, most, _ = WAYS[case["way"]]
    listed = case["list"]["squads"]
    names = [squad["squad"] if isinstance(squad, dict) else squad for squad in listed]
    if not names:
        yield "a squad"
    if len(names) > most:
        yield "so many squads"
    for name, times in Counter(names).items():
        if times > SQUADS[name].get("cards", 1):
            yield "as often as there are cards of it"
        if SQUADS[name]["faction"] != "hive":
            yield "one faction"
    for squad in listed:
        if isinstance(squad, dict) and squad["models"] != SQUADS[squad["squad"]]["models"]:
            yield "full strength"


def broken_by_deck(case: Node) -> Iterator[str]:
    _, _, size = WAYS[case["way"]]
    deck = case["list"]["deck"]
    there = {SQUADS[squad["squad"] if isinstance(squad, dict) else squad]["name"] for squad in case["list"]["squads"]}
    if sum(deck.values()) != size:
        yield "so many cards"
    for name, number in deck.items():
        card = CARDS[name]
        if number and card["faction"] != "hive":
            yield "cards of the faction"
        if number > card["copies"]:
            yield "copies of a card"
        if number and card["lower"] not in ("generic", *there):
            yield "squad of a lower action"
    if case["list"].get("banner", "hive") != "hive":
        yield "the faction's banner"
    if case["list"].get("shrines", 1) != 1:
        yield "one shrine"


def broken(case: Node) -> set[str]:
    return {*broken_by_squads(case), *broken_by_deck(case)}


# ---- squads: every choice of up to six, in every way to play -----------------------------------------------------


def squad_cases() -> Iterator[Node]:
    for way, (_, _, size) in WAYS.items():
        for number in range(MOST_SQUADS + 1 if way == "two players" else 5):
            for squads in combinations_with_replacement(SQUADS, number):
                yield written(way, squads, {"hum": size})
    for name, about in SQUADS.items():
        for models in range(1, 6):
            deck = {"hum": 25}
            yield written("two players", [{"squad": name, "models": models}], deck)
            yield written("two players", ["queen", {"squad": name, "models": about["models"]}], deck)


# ---- decks: every one near the right size ------------------------------------------------------------------------

CHOICES = {"buzz": (0, 9, 10), "toil": (0, 4, 5), "sting": (0, 3, 4), "rule": (0, 2), "growl": (0, 1), "maul": (0, 1)}
SIDES = ((), ("queen",), ("drones-b",), ("wasps", "queen"), ("drones-a", "wasps", "queen"))


def deck_cases() -> Iterator[Node]:
    for squads, numbers in product(SIDES, product(*CHOICES.values())):
        deck = dict(zip(CHOICES, numbers, strict=True))
        for size in (14, 15, 16):
            hums = size - sum(numbers)
            if hums >= 0:
                yield written("each for themselves", squads, {"hum": hums, **deck})
    for way, size in product(WAYS, (0, 15, 20, 25, 30)):
        for banner, shrines in product(("hive", "wood"), (0, 1, 2)):
            yield written(way, ["queen"], {"hum": size, "flit": 0}, banner=banner, shrines=shrines)
            yield written(way, ["moths"], {"hum": size - 1 if size else 0, "flit": 1}, banner=banner, shrines=shrines)


TRIALS = {
    "squads": Trial(
        system="edge-dawnfall",
        fixtures=FIXTURES,
        cases=squad_cases,
        broken=broken,
        rules=frozenset(
            {"a squad", "so many squads", "as often as there are cards of it", "one faction", "full strength"}
        ),
    ),
    "decks": Trial(
        system="edge-dawnfall",
        fixtures=FIXTURES,
        cases=deck_cases,
        broken=broken,
        rules=frozenset(
            {
                "a squad",
                "so many cards",
                "cards of the faction",
                "copies of a card",
                "squad of a lower action",
                "the faction's banner",
                "one shrine",
            }
        ),
    ),
}
