"""Levees: an invented game whose models differ by their weapons, as in large community data."""

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.entries import Category, CategoryLink, CostType, Entry, EntryType, ForceEntry
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.models import PackVersion
from catalogue.services.game_info import GameInfo
from tests.installed_once import install_once
from tests.roster.small_game import group, limits, option, unit


def fixed(key: str, name: str, number: int = 1, *inside: Entry) -> Entry:
    return option(key, name, 0, *inside, constraints=limits(key, number, number))


def model(key: str, name: str, least: int, most: int, *inside: Entry, cost: int = 0) -> Entry:
    return option(key, name, cost, *inside, type=EntryType.MODEL, constraints=limits(key, least, most))


def together(key: str, name: str, *models: Entry) -> Entry:
    return option(key, name, 0, *models)


GUARD = unit(
    "guard",
    "Dyke Guard",
    "line",
    80,
    model(
        "guard-captain",
        "Dyke Captain",
        1,
        1,
        group("sidearm", "Sidearm", option("c-bow", "Bow"), option("c-pistol", "Pistol"), least=1, default="c-bow"),
        fixed("c-knife", "Knife"),
    ),
    group(
        "guards",
        "4-9 Guards",
        model("g-bow", "Dyke Guard", 0, 9, fixed("g-bow-bow", "Bow"), fixed("g-bow-knife", "Knife"), cost=10),
        model("g-pike", "Dyke Guard w/ pike", 0, 2, fixed("g-pike-pike", "Pike"), fixed("gpk", "Knife"), cost=12),
        model("g-gun", "Dyke Guard w/ gun", 0, 2, fixed("g-gun-gun", "Gun"), fixed("ggk", "Knife"), cost=15),
        least=4,
        most=9,
        default="g-bow",
    ),
    option("horn", "Horn", 5, constraints=limits("horn", 0, 1)),
)
WADERS = unit(
    "waders",
    "Waders",
    "line",
    60,
    group(
        "wading",
        "Waders",
        together("w-4", "4 poles", model("w4", "Wader", 4, 4, fixed("w4-pole", "Pole"))),
        together(
            "w-31",
            "1 net, 3 poles",
            model("w3", "Wader", 3, 3, fixed("w3-pole", "Pole")),
            model("w1", "Wader w/ net", 1, 1, fixed("w1-net", "Net")),
        ),
        together("w-8", "8 poles", model("w8", "Wader", 8, 8, fixed("w8-pole", "Pole"), cost=10)),
        least=1,
        default="w-4",
    ),
)
SPEARS = unit(
    "spears",
    "River Spears",
    "line",
    0,
    model("spear", "River Spear", 5, 30, fixed("s-spear", "Spear"), cost=8),
    group("command", "Command", model("s-reeve", "Reeve", 0, 1, cost=5), model("s-drum", "Drummer", 0, 1, cost=5)),
    model("s-ogre", "Mud Ogre", 0, 1, cost=30),
)
BARGE = option(
    "barge",
    "Barge",
    70,
    fixed("hull", "Hull"),
    fixed("swivel-1", "Swivel gun"),
    option("swivel-2", "Swivel gun", 5, constraints=limits("swivel-2", 0, 1)),
    group("ram", "Ram", together("rams", "2 hooks", fixed("one-hook", "Hook", 2)), option("nets", "Drag nets")),
    group("crew", "Crew", option("blade", "Blade and buckler"), option("crossbow", "Crossbow", 4), default="blade"),
    option("kite", "Kite", 10, fixed("kite-gun", "Kite gun"), constraints=limits("kite", 0, 2)),
    option("seal", "Dawn Seal", 15),
    option("small-sail", "Sail", 4, constraints=limits("small-sail", 0, 1)),
    group("rigging", "Rigging", option("large-sail", "Sail", 9, constraints=limits("large-sail", 0, 1))),
    type=EntryType.MODEL,
    categories=(CategoryLink(id="barge-type", target_id="line", primary=True),),
)
SIZES = option(
    "size",
    "Battle Size",
    0,
    group("sizes", "Battle Size", option("small", "1. Skirmish (250 points)"), option("big", "2. Flood (500 points)")),
    type=EntryType.UPGRADE,
)
WATERS = option("waters", "Water", 0, group("w", "Water", option("low", "Low Water"), option("high", "High Water")))
COLUMN = ForceEntry(id="column", name="Column", categories=(CategoryLink(id="c-line", target_id="line"),))
SYSTEM = Catalogue(
    id="levees",
    name="Levees",
    kind=CatalogueKind.GAME_SYSTEM,
    cost_types=(CostType(id="points", name="pts"),),
    categories=(Category(id="line", name="Line"),),
    forces=(COLUMN,),
)
POLDER = Catalogue(
    id="polder",
    name="North - Polder",
    kind=CatalogueKind.FACTION,
    entries=(GUARD, WADERS, SPEARS, BARGE, SIZES, WATERS),
)
LEVEES = DataSet(catalogues=(SYSTEM, POLDER))


def installed() -> PackVersion:
    return install_once(GameInfo(slug="levees", name="Levees", label="1"), LEVEES)


def compiled() -> Ruleset:
    return compile_ruleset(LEVEES)
