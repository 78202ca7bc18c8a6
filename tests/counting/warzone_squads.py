"""Warzone Resurrection: a trial about the content of squads, and about decks."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

from tests.cases.translator import Node
from tests.counting.trial import Trial
from tests.counting.warzone import Squad, fixtures, listed

HOSTS = {"healer": ["line"], "scribe": ["line", "guard"]}
INSIDE = {
    "captain": Squad(slot="character", ld=15),
    "line": Squad(slot="troop", more=(("size", [5, 6]),)),
    "guard": Squad(slot="troop"),
    "mortars": Squad(slot="support"),
    "strider": Squad(slot="monster_light_vehicle"),
    "healer": Squad(slot="character", ld=9, more=(("advisor", True), ("hosts", HOSTS["healer"]))),
    "scribe": Squad(slot="character", ld=8, more=(("advisor", True), ("hosts", HOSTS["scribe"]))),
    "crusher": Squad(slot="heavy_vehicle"),
}


def inside_cases() -> Iterator[Node]:
    """Yield squads of each size with weapons, sergeants, upgrades; advisors anywhere; decks."""
    flags = product((False, True), repeat=3)
    for models, special, (commanders, whole, sergeant) in product((4, 5, 6, 7), range(8), flags):
        if special <= models:
            squad = {"squad": "line", "models": models, "special_weapons": special, "squad_upgrade": whole}
            squad |= {"replaced_commander": sergeant, "replaced_commander_options": int(commanders)}
            yield listed([{"squad": "captain"}, squad, {"squad": "guard"}], chart="standard")
    base = ("captain", "line", "guard", "mortars", "strider")
    for without, healer, scribe in product((False, True), (None, *range(1, 7)), (None, *range(1, 7))):
        squads: list[Node] = [{"squad": name} for name in base]
        squads[0] = {"squad": "mortars"} if without else squads[0]
        squads += [{"squad": "healer", "joined": healer}] if healer else []
        squads += [{"squad": "scribe", "joined": scribe}] if scribe else []
        yield listed(squads, chart="standard")
    for names, copies, odd in product((9, 10, 11), (2, 3, 4), (0, 1)):
        deck = {f"{'stg'[n % 3]}{n}": copies for n in range(names)} | ({"x": odd} if odd else {})
        case = listed([{"squad": "captain"}, {"squad": "line"}, {"squad": "guard"}], chart="standard", megadeck=True)
        yield {**case, "list": {**case["list"], "deck": deck}}


def broken_by_inside(case: Node) -> set[str]:
    army = case["list"]
    broken = {rule for squad in army["squads"] for rule in broken_by_squad(squad)}
    broken |= set(broken_by_advisors(army["squads"]))
    cards = army.get("deck", {})
    if case["context"].get("megadeck"):
        broken |= {"copies"} if any(number > 3 for number in cards.values()) else set()
        broken |= {"types"} if any(card[0] not in "stg" for card in cards) else set()
        broken |= {"30 cards"} if sum(number for card, number in cards.items() if card[0] in "stg") < 30 else set()
    return broken


def broken_by_squad(squad: Node) -> Iterator[str]:
    models, special = squad.get("models", 5), squad.get("special_weapons", 0)
    sergeant, taken = squad.get("replaced_commander"), squad.get("replaced_commander_options", 0)
    if not 5 <= models <= 6:
        yield "size"
    if sergeant and (taken or special >= models):
        yield "sergeants"
    if not sergeant and not squad.get("squad_upgrade") and (taken or special >= models):
        yield "a standard commander"


def broken_by_advisors(squads: list[Node]) -> Iterator[str]:
    advisors = [squad for squad in squads if "joined" in squad]
    hosts = Counter(squad["joined"] for squad in advisors)
    in_slots = [squad["squad"] for squad in squads if "joined" not in squad]
    for squad in advisors:
        place = squad["joined"]
        host = squads[place - 1]["squad"] if place <= len(squads) and "joined" not in squads[place - 1] else ""
        if host not in HOSTS[squad["squad"]]:
            yield "hosts"
    if any(number > 1 for number in hosts.values()):
        yield "one advisor"
    if "captain" not in in_slots:
        yield "a character in a slot"


TRIALS = {
    "squads": Trial(
        system="warzone-resurrection",
        fixtures=fixtures(INSIDE),
        cases=inside_cases,
        broken=broken_by_inside,
        rules=frozenset(
            {
                "size",
                "sergeants",
                "a standard commander",
                "hosts",
                "one advisor",
                "a character in a slot",
                "copies",
                "types",
                "30 cards",
            }
        ),
    )
}
