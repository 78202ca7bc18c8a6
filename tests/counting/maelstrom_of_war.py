"""Maelstrom of War: armies of invented datasheets in detachments without a chart."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tests.cases.translator import Node
from tests.counting.trial import Trial, handfuls

SIZES = {"incursion": (1000, 6, 2), "strike-force": (2000, 12, 3), "onslaught": (3000, 18, 3)}
"""Points, command points, and the limit of a datasheet, by battle size."""
BROAD = {"CHAOS", "IMPERIUM", "AELDARI", "YNNARI", "TYRANIDS"}
PRINCES = {"Daemon Prince", "Daemon Prince of Chaos", "Daemon Prince of Nurgle", "Daemon Prince of Tzeentch"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    title: str
    role: str
    points: int
    keywords: frozenset[str]
    models: tuple[int, int] = (1, 1)

    def fixture(self) -> Node:
        return {
            "title": self.title,
            "role": self.role,
            "points": self.points,
            "models": list(self.models),
            "keywords": sorted(self.keywords),
        }


def _words(*words: str) -> frozenset[str]:
    return frozenset(words)


SHEETS = {
    "captain": Sheet(title="Captain", role="HQ", points=250, keywords=_words("IMPERIUM", "DUCKS")),
    "mob": Sheet(title="Mob", role="Troops", points=250, keywords=_words("IMPERIUM", "DUCKS"), models=(5, 10)),
    "cart": Sheet(title="Cart", role="Dedicated Transport", points=250, keywords=_words("IMPERIUM", "DUCKS")),
    "guard": Sheet(title="Guard", role="Elites", points=250, keywords=_words("IMPERIUM", "DUCKS")),
    "gander": Sheet(title="Gander", role="Elites", points=250, keywords=_words("IMPERIUM", "GEESE")),
    "newt": Sheet(title="Newt", role="Elites", points=250, keywords=_words("NEWTS")),
    "prince": Sheet(title="Daemon Prince", role="HQ", points=250, keywords=_words("CHAOS", "NEWTS")),
    "pox": Sheet(title="Daemon Prince of Nurgle", role="HQ", points=250, keywords=_words("CHAOS", "NEWTS")),
    "tank": Sheet(title="Tank", role="Heavy Support", points=250, keywords=_words("IMPERIUM", "ASTRA MILITARUM")),
    "cult-tank": Sheet(
        title="Cult Tank", role="Heavy Support", points=250, keywords=_words("TYRANIDS", "GENESTEALER CULTS")
    ),
}
EXEMPT = {"Troops", "Dedicated Transport"}
MOST = 5
"""Units in the largest army of the trial: one more than an Incursion can pay for."""


# ---- armies ------------------------------------------------------------------------------------------------------


def army_cases() -> Iterator[Node]:
    """Yield every single detachment of up to five units, pairs of small ones; sizes, strength, command points,
    warlords.
    """
    prices = [(name, 1) for name in SHEETS]
    for picks in handfuls(prices, MOST):
        yield army("incursion", picks)
    few = [(name, 1) for name in ("captain", "guard", "gander", "tank", "cult-tank", "prince", "pox")]
    small = [picks for picks in handfuls(few, 2) if picks]
    for size, first, second in product(("incursion", "strike-force"), small, small):
        yield army(size, first, second)
        yield army(size, (*first, *first), (*second, *second))
    for models, cp, warlord, loose, size in product(
        (4, 5, 10, 11), (0, 6, 7, 12, 13), (None, 1), ((), ("mob",)), (*SIZES, "combat-patrol")
    ):
        yield army(size, ("captain", "mob"), models=models, cp=cp, warlord=warlord, loose=loose)


def army(
    size: str,
    *detachments: tuple[str, ...],
    models: int = 5,
    cp: int = 0,
    warlord: int | None = 1,
    loose: tuple[str, ...] = (),
) -> Node:
    def unit(name: str) -> Node:
        return {"ds": name, "models": models} if name == "mob" else {"ds": name}

    listed = [{"name": "AB"[n], "units": [unit(name) for name in picks]} for n, picks in enumerate(detachments)]
    return {
        "context": {"size": size},
        "list": {
            "warlord": warlord,
            "cp_spent": cp,
            "detachments": listed,
            "loose_units": [unit(name) for name in loose],
        },
    }


def broken_by_army(case: Node) -> set[str]:
    given, size = case["list"], SIZES.get(case["context"]["size"])
    detachments = [[SHEETS[unit["ds"]] for unit in detachment["units"]] for detachment in given["detachments"]]
    units = [unit for detachment in given["detachments"] for unit in detachment["units"]]
    everyone = [*units, *given["loose_units"]]
    broken = {rule for detachment in detachments for rule in _broken_by_detachment(detachment)}
    broken |= {rule for unit in everyone for rule in _broken_by_unit(unit)}
    if given["warlord"] is None or not units:
        broken.add("a warlord")
    if given["loose_units"]:
        broken.add("in a detachment")
    if size is None:
        broken.add("battle size")
    else:
        broken |= set(_broken_by_size([SHEETS[unit["ds"]] for unit in everyone], given["cp_spent"], *size))
    return broken


def _broken_by_size(sheets: list[Sheet], spent: int, points: int, command: int, most: int) -> Iterator[str]:
    if sum(sheet.points for sheet in sheets) > points:
        yield "points limit"
    if spent > command:
        yield "command points"
    limited = [sheet.title for sheet in sheets if sheet.role not in EXEMPT]
    if max(Counter(limited).values(), default=0) > most:
        yield "equal datasheets"
    if sum(title in PRINCES for title in limited) > most and len(PRINCES & set(limited)) > 1:
        yield "daemon princes"
    if limited.count("Tank") + limited.count("Cult Tank") > most and {"Tank", "Cult Tank"} <= set(limited):
        yield "cult and guard"


def _broken_by_detachment(sheets: list[Sheet]) -> Iterator[str]:
    if not sheets:
        return
    shared = frozenset.intersection(*(sheet.keywords for sheet in sheets))
    if not shared:
        yield "one faction keyword"
    elif not shared - BROAD:
        yield "a narrow keyword"


def _broken_by_unit(unit: Node) -> Iterator[str]:
    low, high = SHEETS[unit["ds"]].models
    models = unit.get("models", low)
    if models < low:
        yield "full strength"
    if models > high:
        yield "printed size"


TRIALS = {
    "armies": Trial(
        system="maelstrom-of-war-9e",
        fixtures={"datasheets": {name: sheet.fixture() for name, sheet in SHEETS.items()}},
        cases=army_cases,
        broken=broken_by_army,
        rules=frozenset(
            {
                "battle size",
                "points limit",
                "command points",
                "a warlord",
                "in a detachment",
                "full strength",
                "printed size",
                "one faction keyword",
                "a narrow keyword",
                "equal datasheets",
                "daemon princes",
                "cult and guard",
            }
        ),
    )
}
