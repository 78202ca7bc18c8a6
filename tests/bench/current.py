"""The largest list of each current game: adding a unit, the size of the answer, and the page of a new list.

Each list has the faction with the most choices, typical detachments and as many units as players take.
"""

import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from itertools import cycle
from typing import NamedTuple

from tests.bench.answers import LargeList
from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.builder_edit import ANY_OFFERED
from tests.bench.community import shared_data
from tests.bench.importing import FEW_UNITS, Shelves
from tests.bench.serving import Visitor, serve_app

KILOBYTES = 20.0
ADD_AT_MOST, PAGE_AT_MOST = 20, 40
INSIDE = re.compile(rb'name="node"\s+value="([^"]+)"\s*>((?:(?!</form>).)*?id="in-(?:(?!</form>).)*)', re.DOTALL)
KIND = re.compile(rb'name="entry"\s+value="([^"]+)"\s+id="in-[^"]+"\s*>(.*?)</button>', re.DOTALL)
POINTS = re.compile(rb'id="dock-why".*?<span class="big">(.*?)</span>', re.DOTALL)


class UsualList(NamedTuple):
    """A typical list of a game. `inside` are names or prefixes of inner detachments, `units` is the maximum."""

    name: str
    shelves: Shelves
    points: int
    units: int
    inside: tuple[str, ...] = ()


LISTS = (
    UsualList(
        "40k 11e",
        Shelves("wh40k-11e-json.zip", "warhammer-40000-11th-edition", "Chaos Space Marines", "Add: Army Roster"),
        2000,
        25,
    ),
    UsualList(
        "40k 10e",
        Shelves("wh40k-10e-v10.6.0.zip", "warhammer-40000-10th-edition", "Space Wolves", "Add: Army Roster"),
        2000,
        25,
    ),
    UsualList(
        "Age of Sigmar 4",
        Shelves("age-of-sigmar-4th.zip", "age-of-sigmar-40", "Stormcast Eternals", "General&#x27;s Handbook 2026"),
        2000,
        20,
        ("Regiment", "Regiment", "Regiment", "Auxillary Units"),
    ),
    UsualList(
        "Horus Heresy 3",
        Shelves("horus-heresy-3rd-2025-11.zip", "horus-heresy-3rd-edition", "Alpha Legion", "Crusade Force"),
        3000,
        25,
        ("Crusade Primary", "Warlord", "Armoured Fist", "Combat Retinue"),
    ),
    UsualList(
        "The Old World",
        Shelves("the-old-world.zip", "warhammer-the-old-world", "Orc and Goblin Tribes", "1. Open War"),
        2000,
        20,
    ),
    UsualList(
        "Kill Team",
        Shelves(
            "wh40k-killteam-three-systems.zip",
            "warhammer-40000-kill-team-2024",
            "Inquisitorial Agents",
            "Add: Kill Team",
        ),
        100,
        12,
    ),
    UsualList(
        "Middle-earth",
        Shelves("middle-earth.zip", "middle-earth-strategy-battle-game", "Mordor", "Strategy Battle Game"),
        800,
        30,
    ),
    UsualList(
        "Trench Crusade",
        Shelves("trench-crusade-b47df59.zip", "trench-crusade", "New Antioch", "Add: Warband"),
        900,
        15,
    ),
    UsualList(
        "Grimdark Future", Shelves("grimdark-future.zip", "grimdark-future", "Havoc Brothers", "Add: Army"), 3000, 25
    ),
)


class UsualListBuilder(LargeList):
    def __init__(self, visitor: Visitor, usual: UsualList) -> None:
        self.usual = usual
        super().__init__(visitor, usual.shelves, limit=str(usual.points))
        for name in usual.inside:
            self.add_named_inside(name)

    def add_named_inside(self, name: str) -> None:
        """Add the first inner detachment with a name that is not blocked; none if there is none."""
        for node, form in INSIDE.findall(self.builder.look()):
            for entry, markup in KIND.findall(form):
                words = " ".join(re.sub(rb"<[^>]*>", b" ", markup).decode().split())
                if words.startswith(name):
                    self.add_detachment(unescape(entry.decode()), node.decode())
                    return

    def list_targets(self) -> list[str]:
        page = self.builder.look()
        nodes = re.findall(rb'id="into-([\w-]+)"', page) or re.findall(rb'data-into="([\w-]+)"', page)
        return [node.decode() for node in nodes if ANY_OFFERED.search(self.builder.look(f"?into={node.decode()}"))]

    def grow(self) -> None:
        """Add units of all kinds to all detachments in turn until the points are spent."""
        targets = cycle(self.list_targets())
        for at in range(or_least(self.usual.units, 2)):
            node = next(targets)
            page = self.builder.look(f"?into={node}")
            points = POINTS.search(page)
            if points and float(re.sub(rb"[^\d.]", b"", points[1]) or 0) >= self.usual.points:
                break
            # Without barred entries, whose buttons are disabled.
            entries = [unescape(entry.decode()) for entry in ANY_OFFERED.findall(page)]
            if entries:
                entry = entries[at * len(entries) // self.usual.units]
                self.last_added = node, entry
                self.click(do="add-unit", node=node, entry=entry, into=node)


@benchmark("current")
def current() -> Iterator[Figure]:
    few = UsualList(FEW_UNITS.game, FEW_UNITS, 100, 2)
    for usual in or_least(LISTS, (few,)):
        data = shared_data(usual.shelves.file)
        if data is None:
            continue
        with serve_app(data) as address:
            listed = UsualListBuilder(Visitor(address), usual)
            builder = listed.builder
            yield Figure(f"{usual.name}: a new list's page", measure(builder.look, times=20, warm_up=2), PAGE_AT_MOST)
            listed.grow()
            node, entry = listed.last_added
            add = partial(listed.click, do="add-unit", node=node, entry=entry, into=node)
            take_back = partial(builder.edit, do="undo", into=node)
            units = len(listed.answers)
            listed.answers.clear()
            times = measure(add, times=20, warm_up=2, prepare=take_back)
            yield Figure(f"{usual.name}: adding a unit to {units}", times, ADD_AT_MOST)
            weight = Times((max(len(answer) for answer in listed.answers) / 1000,))
            yield Figure(
                f"{usual.name}: what that sends", weight, 1, Yardstick(f"of {KILOBYTES:g} kB", KILOBYTES), unit="kB"
            )
