"""An invented game as BattleScribe files, with the game system that the pack of Maelstrom of War overlays."""

from tests.catalogue.battlescribe_files import packed

SYSTEM = "28ec-711c-d87f-3aeb"
TYPES = {
    "config": "Configuration",
    "hq": "HQ",
    "troops": "Troops",
    "elites": "Elites",
    "relic": "Relic Elites",
    "wall": "Fortification",
    "transport": "Dedicated Transport",
}
WORDS = {
    "ducks": "Faction: Ducks",
    "geese": "Faction: Geese",
    "imperium": "Faction: Imperium",
    "cults": "Faction: Genestealer Cults",
    "guards": "Faction: Astra Militarum",
    "warlord": "Warlord",
}


SIZES = "".join(
    f'<selectionEntry id="{own}" name="{name} " type="upgrade"/>'
    for own, name in (
        ("s1000", "2. Incursion (51-100 Total PL / 501-1000 Points)"),
        ("s2000", "3. Strike Force (101-200 Total PL / 1001-2000 Points)"),
        ("s3000", "4. Onslaught (201-300 Total PL / 2001-3000 Points)"),
    )
)
CATEGORIES = "".join(
    f'<categoryEntry id="{own}" name="{name}" hidden="false"/>' for own, name in (TYPES | WORDS).items()
)


def _links(ids: list[str]) -> str:
    marks = (f'<categoryLink id="l-{own}" targetId="{own}" primary="false"/>' for own in ids)
    return f"<categoryLinks>{''.join(marks)}</categoryLinks>"


def _force(own: str, name: str) -> str:
    return f'<forceEntry id="{own}" name="{name}" hidden="false">{_links([*TYPES])}</forceEntry>'


GAME = f"""<gameSystem id="{SYSTEM}" name="Toy Wars" revision="1" battleScribeVersion="2.03"
 xmlns="http://www.battlescribe.net/schema/gameSystemSchema">
<costTypes>
 <costType id="pts" name="pts" defaultCostLimit="0.0" hidden="false"/>
 <costType id="cp" name="CP" defaultCostLimit="-1.0" hidden="false"/>
</costTypes>
<categoryEntries>{CATEGORIES}</categoryEntries>
<forceEntries>
{_force("battalion", "Battalion Detachment -3CP")}
{_force("walls", "Fortification Network -1CP")}
</forceEntries>
<sharedSelectionEntries>{SIZES}</sharedSelectionEntries>
</gameSystem>"""

WARLORD = (
    '<selectionEntries><selectionEntry id="lead-{id}" name="Warlord" type="upgrade"><categoryLinks>'
    '<categoryLink id="w-{id}" targetId="warlord" primary="true"/></categoryLinks></selectionEntry></selectionEntries>'
)


CHOICE = "".join(
    (
        "<entryLinks>",
        *(f'<entryLink id="l{n}" targetId="s{n}" type="selectionEntry"/>' for n in (1000, 2000, 3000)),
        "</entryLinks>",
    )
)


def _costs(points: int, command: int = 0) -> str:
    named = (("pts", "pts", points), ("CP", "cp", command))
    costs = (f'<cost name="{name}" typeId="{own}" value="{value}"/>' for name, own, value in named)
    return f"<costs>{''.join(costs)}</costs>"


def _entry(own: str, name: str, kind: str, words: str, points: int, *, command: int = 0, inside: str = "") -> str:
    others = "".join(f'<categoryLink id="{own}-{word}" targetId="{word}" primary="false"/>' for word in words.split())
    return (
        f'<selectionEntry id="{own}" name="{name}" type="unit">{inside}<categoryLinks>'
        f'<categoryLink id="{own}-p" targetId="{kind}" primary="true"/>{others}</categoryLinks>'
        f"{_costs(points, command)}</selectionEntry>"
    )


UNITS = "".join(
    (
        _entry("size", "Battle Size", "config", "", 0, command=6, inside=CHOICE),
        _entry("cost", "Detachment Command Cost", "config", "", 0, command=-3),
        _entry("captain", "Captain", "hq", "ducks imperium", 80, inside=WARLORD.format(id="captain")),
        _entry("mob", "Mob", "troops", "ducks imperium", 50),
        _entry("guard", "Guard", "elites", "ducks imperium", 60),
        _entry("elder", "Elder Guard", "relic", "ducks imperium", 60),
        _entry("gander", "Gander", "elites", "geese imperium", 60),
        _entry("stray", "Stray", "elites", "", 60),
        _entry("cart", "Cart", "transport", "ducks imperium", 40),
        _entry("wall", "Wall", "wall", "geese imperium", 70),
        _entry("keep", "Keep", "wall", "ducks imperium", 70),
        _entry("prince", "Daemon Prince", "hq", "ducks", 90),
        _entry("pox", "Daemon Prince of Nurgle", "hq", "ducks", 90),
        _entry("tank", "Battle Tank", "elites", "ducks guards", 100),
        _entry("cult-tank", "Cult Battle Tank", "elites", "ducks cults", 100),
    )
)

POND = f"""<catalogue id="pond" name="The Pond" revision="1" battleScribeVersion="2.03" library="false"
 gameSystemId="{SYSTEM}" gameSystemRevision="1" xmlns="http://www.battlescribe.net/schema/catalogueSchema">
<selectionEntries>{UNITS}</selectionEntries>
</catalogue>"""


def toy_wars() -> bytes:
    return packed({"toy.gst": GAME, "pond.cat": POND})
