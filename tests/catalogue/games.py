"""Tin Meadow: an invented game with one of everything that a page shows."""

from decimal import Decimal

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, CatalogueLink, DataSet, Unchecked
from catalogue.definitions.citations import Citation, Publication
from catalogue.definitions.constraints import Constraint, CopyLimit, RuleWords
from catalogue.definitions.entries import (
    CARDS,
    Category,
    CategoryLink,
    Cost,
    CostType,
    Deck,
    DeckCard,
    Entry,
    EntryKind,
    EntryType,
    ForceEntry,
)
from catalogue.definitions.infos import Characteristic, CharacteristicType, Info, InfoKind, ProfileType
from catalogue.definitions.missions import (
    DeploymentMapDefinition,
    MissionDefinition,
    MissionPackDefinition,
    ObjectiveDefinition,
    PlayBook,
)
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Bound, Field, Query, Scope, Term
from catalogue.models import PackVersion
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version

BOOK = "field-book"


def page(number: int, section: str = "") -> Citation:
    return Citation(publication_id=BOOK, page=str(number), section=section)


def limit(key: str, bound: Bound, value: Number, scope: str = Scope.PARENT, **more: object) -> Constraint:
    return Constraint(id=key, bound=bound, value=value, query=Query(scope=scope), **more)


def points(value: Number) -> tuple[Cost, ...]:
    return (Cost(type_id="points", value=value),)


def option(key: str, name: str, cost: Number, **more: object) -> Entry:
    return Entry(id=key, name=name, costs=points(cost), **more)


def unit(key: str, name: str, category: str, cost: Number, *inside: Entry, **more: object) -> Entry:
    return Entry(
        id=key,
        name=name,
        type=EntryType.UNIT,
        costs=points(cost),
        categories=(CategoryLink(id=f"{key}-type", target_id=category, primary=True), *more.pop("keywords", ())),
        entries=inside,
        citation=page(20),
        **more,
    )


def weapon(key: str, name: str, reach: str) -> Info:
    return Info(
        id=key,
        kind=InfoKind.PROFILE,
        name=name,
        type_id="weapon",
        type_name="Weapon",
        characteristics=(Characteristic(type_id="reach", name="Reach", value=reach),),
    )


def model(key: str, name: str, move: str) -> Info:
    return Info(
        id=key,
        kind=InfoKind.PROFILE,
        name=name,
        type_id="model",
        type_name="Model",
        characteristics=(
            Characteristic(type_id="move", name="Move", value=move),
            Characteristic(type_id="nerve", name="Nerve", value="4"),
        ),
    )


MUSTER = ForceEntry(
    id="muster",
    name="Muster",
    citation=page(8, "Musters"),
    constraints=(
        Constraint(id="musters", bound=Bound.MIN, value=1, query=Query(field=Field.FORCES, scope=Scope.ROSTER)),
    ),
    categories=(
        CategoryLink(
            id="muster-head",
            target_id="head",
            constraints=(limit("one-head", Bound.EXACTLY, 1, Scope.FORCE),),
            citation=page(8),
        ),
        CategoryLink(
            id="muster-core",
            target_id="core",
            constraints=(limit("core-min", Bound.MIN, 1, Scope.FORCE), limit("core-max", Bound.MAX, 4, Scope.FORCE)),
        ),
        CategoryLink(
            id="muster-heavy",
            target_id="heavy",
            constraints=(
                Constraint(
                    id="heavy-core",
                    bound=Bound.MAX,
                    value=0,
                    query=Query(scope=Scope.FORCE),
                    terms=(Term(query=Query(scope=Scope.FORCE, child_id="core")),),
                    name="Heavy needs core",
                    text="No more heavy units than core ones.",
                    citation=page(9),
                ),
            ),
        ),
    ),
)

SYSTEM = Catalogue(
    id="tin-meadow",
    name="Tin Meadow",
    kind=CatalogueKind.GAME_SYSTEM,
    publications=(Publication(id=BOOK, name="Field Book"),),
    cost_types=(
        CostType(id="points", name="points", default_limit=50, presets=(50, 100)),
        CostType(id="scout-room", name="Scouts allowed", hidden=True),
    ),
    profile_types=(
        ProfileType(
            id="model",
            name="Model",
            characteristic_types=(
                CharacteristicType(id="move", name="Move"),
                CharacteristicType(id="nerve", name="Nerve"),
            ),
        ),
        ProfileType(id="weapon", name="Weapon", characteristic_types=(CharacteristicType(id="reach", name="Reach"),)),
    ),
    categories=(
        Category(id="head", name="Head"),
        Category(id="core", name="Core"),
        Category(id="heavy", name="Heavy"),
        Category(id="wheeled", name="Wheeled"),
        Category(id="counted", name="Counted in secret", hidden=True),
    ),
    forces=(MUSTER,),
    shared_infos=(
        Info(
            id="steady", kind=InfoKind.RULE, name="Steady", description="Ignores the first retreat.", citation=page(31)
        ),
    ),
    play=PlayBook(
        packs=(MissionPackDefinition(id="harvest", name="Harvest", citation=page(30)),),
        objectives=(ObjectiveDefinition(id="hay", name="Bring the hay in", citation=page(30)),),
        maps=(DeploymentMapDefinition(id="ditch", name="Both sides of the ditch", citation=page(31)),),
    ),
    missions=(
        MissionDefinition(
            id="hold", name="Hold the Mill", pack="Harvest", scoring="3 for the mill.", citation=page(40)
        ),
        MissionDefinition(id="cross", name="Cross the Beck", pack="Harvest", citation=page(41)),
    ),
)

LIBRARY = Catalogue(
    id="tools",
    name="Shared tools",
    kind=CatalogueKind.LIBRARY,
    shared_entries=(option("ladder", "Ladder", 2, infos=(weapon("ladder-profile", "Ladder swing", "1"),)),),
    entries=(unit("hired-cart", "Hired Cart", "heavy", 9), unit("own-cart", "Own Cart", "heavy", 9, exported=False)),
)

HANDS = Entry(
    id="hands",
    name="Field hands",
    type=EntryType.MODEL,
    collective=True,
    costs=points(2),
    constraints=(limit("hands-min", Bound.MIN, 5), limit("hands-max", Bound.MAX, 8)),
    infos=(model("hands-profile", "Field hand", "6"),),
)

ARMS = Entry(
    id="arms",
    kind=EntryKind.GROUP,
    name="Arms",
    default_id="forks",
    constraints=(limit("arms-min", Bound.MIN, 1), limit("arms-max", Bound.MAX, 1)),
    entries=(
        option("sickles", "Sickles", 0, infos=(weapon("sickles-profile", "Sickle", "1"),)),
        option("forks", "Forks", 1, infos=(weapon("forks-profile", "Long fork", "2"),)),
    ),
)

MOWERS = Catalogue(
    id="mowers",
    name="The Mowers",
    kind=CatalogueKind.FACTION,
    links=(CatalogueLink(target_id="tin-meadow"), CatalogueLink(target_id="tools", import_root_entries=True)),
    citation=page(18),
    entries=(
        unit(
            "reeve",
            "Reeve",
            "head",
            15,
            infos=(
                model("reeve-profile", "Reeve", "5"),
                Info(id="reeve-steady", kind=InfoKind.LINK, target_id="steady", parameter="2", citation=page(21)),
            ),
        ),
        unit(
            "hay-hands",
            "Hay Hands",
            "core",
            0,
            HANDS,
            ARMS,
            Entry(
                id="ladder-link",
                kind=EntryKind.ENTRY_LINK,
                target_id="ladder",
                note="One per unit.",
                costs=points(3),
                constraints=(limit("ladder-max", Bound.MAX, 1),),
            ),
            keywords=(CategoryLink(id="hay-counted", target_id="counted"),),
        ),
        unit(
            "hay-wagon",
            "Hay Wagon",
            "heavy",
            Decimal("12.5"),
            keywords=(CategoryLink(id="wagon-wheeled", target_id="wheeled"),),
            infos=(model("wagon-profile", "Wagon", "8"),),
        ),
    ),
    unchecked=(Unchecked(code="provisional-points", text="Points from a draft.", subject_id="hay-wagon"),),
)

ALMANAC = Entry(
    id="almanac",
    name="Almanac",
    citation=page(60),
    constraints=(
        Constraint(
            id="almanac#cards",
            bound=Bound.MAX,
            value=12,
            query=Query(scope=Scope.SELF, child_id=CARDS, deep=True),
            rule="tm-almanac",
            name="Almanac",
            text="An almanac has twelve pages at most.",
            citation=page(60),
        ),
    ),
    entries=(
        Entry(
            id="almanac/new-moon",
            name="New Moon",
            collective=True,
            citation=page(61),
            constraints=(limit("almanac/new-moon#copies", Bound.MAX, 3),),
            categories=(CategoryLink(id="nm@cards", target_id=CARDS, hidden=True),),
            infos=(Info(id="nm~text", kind=InfoKind.RULE, name="New Moon", description="Hay dries by itself."),),
        ),
        Entry(
            id="almanac/saying",
            name="Saying",
            collective=True,
            citation=page(61),
            copies=CopyLimit(
                most=2, words=RuleWords(code="too-many-alike", rule="tm-twice", name="Twice", text="Twice.")
            ),
            categories=(CategoryLink(id="s@cards", target_id=CARDS, hidden=True),),
        ),
    ),
)
ALMANAC_DECK = Deck(
    entry_id="almanac",
    cards=(
        DeckCard(entry_id="almanac/new-moon", needs=("diggers",)),
        DeckCard(entry_id="almanac/saying", written=True),
    ),
)

MOLES = Catalogue(
    id="moles",
    name="The Moles",
    kind=CatalogueKind.FACTION,
    links=(CatalogueLink(target_id="tin-meadow"),),
    entries=(unit("mole-king", "Mole King", "head", 11), unit("diggers", "Diggers", "core", 7), ALMANAC),
    decks=(ALMANAC_DECK,),
)

TIN_MEADOW = DataSet(catalogues=(SYSTEM, LIBRARY, MOWERS, MOLES))

ABOUT = GameInfo(
    slug="tin-meadow",
    name="Tin Meadow",
    edition="1st edition",
    label="1.0",
    publisher="Nobody at all",
    notice="Invented for the tests.",
)


def with_units(count: int) -> DataSet:
    units = tuple(unit(f"row-{n}", f"Row {n}", "core", n) for n in range(1, count + 1))
    rows = Catalogue(id="rows", name="Rows", kind=CatalogueKind.FACTION, entries=units)
    return DataSet(catalogues=(SYSTEM, rows))


def installed() -> PackVersion:
    return install_version(ABOUT, TIN_MEADOW)
