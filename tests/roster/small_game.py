"""Fenland: a small invented game with one of everything that a list can hold."""

from decimal import Decimal
from typing import Any

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet, Unchecked
from catalogue.definitions.citations import Citation, Publication
from catalogue.definitions.constraints import Constraint, Severity
from catalogue.definitions.entries import (
    Category,
    CategoryLink,
    Cost,
    CostType,
    Entry,
    EntryKind,
    EntryType,
    ForceEntry,
)
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ANY, Bound, Field, Query, Scope, Term
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.models import PackVersion
from catalogue.services.game_info import GameInfo
from tests.installed_once import install_once

BOOK = "fen-book"


def cite(page: int, section: str = "") -> Citation:
    return Citation(publication_id=BOOK, section=section, page=str(page))


def bound(key: str, kind: Bound, value: Number, *, scope: str = Scope.PARENT, **more: Any) -> Constraint:
    query = {name: more.pop(name) for name in ("field", "child_id", "deep") if name in more}
    return Constraint(id=key, bound=kind, value=value, query=Query(scope=scope, **query), citation=cite(4), **more)


def limits(key: str, least: int, most: int) -> tuple[Constraint, ...]:
    found = (bound(f"{key}-min", Bound.MIN, least), bound(f"{key}-max", Bound.MAX, most))
    return found if least else found[1:]


def option(key: str, name: str, cost: Number = 0, *inside: Entry, **more: Any) -> Entry:
    costs = (Cost(type_id="points", value=cost),) if cost else ()
    return Entry(id=key, name=name, costs=costs, entries=inside, **more)


def unit(key: str, name: str, category: str, cost: Number, *inside: Entry, **more: Any) -> Entry:
    return option(
        key,
        name,
        cost,
        *inside,
        type=EntryType.UNIT,
        categories=(CategoryLink(id=f"{key}-type", target_id=category, primary=True),),
        citation=cite(20),
        **more,
    )


def group(key: str, name: str, *inside: Entry, least: int = 0, most: int = 1, default: str = "") -> Entry:
    return Entry(
        id=key,
        kind=EntryKind.GROUP,
        name=name,
        default_id=default,
        constraints=limits(key, least, most),
        entries=inside,
    )


ESCORT = ForceEntry(id="escort", name="Escort", categories=(CategoryLink(id="escort-core", target_id="core"),))
COLUMN = ForceEntry(
    id="column",
    name="Column",
    forces=(ESCORT,),
    citation=cite(8, "Columns"),
    constraints=(
        bound("four", Bound.MAX, 4, scope=Scope.FORCE, child_id=ANY, rule="fen-four", name="Four choices"),
        bound("one-column", Bound.MIN, 1, scope=Scope.ROSTER, field=Field.FORCES),
    ),
    categories=(
        CategoryLink(
            id="column-command", target_id="command", constraints=(bound("leader", Bound.MIN, 1, scope=Scope.FORCE),)
        ),
        CategoryLink(id="column-core", target_id="core"),
        CategoryLink(
            id="column-hammer",
            target_id="hammer",
            constraints=(
                bound(
                    "hammer-core",
                    Bound.MAX,
                    0,
                    scope=Scope.FORCE,
                    terms=(Term(query=Query(scope=Scope.FORCE, child_id="core")),),
                    rule="fen-columns",
                    name="Columns",
                    text="No more hammer units than core ones.",
                ),
            ),
        ),
    ),
)

SYSTEM = Catalogue(
    id="fenland",
    name="Fenland",
    kind=CatalogueKind.GAME_SYSTEM,
    publications=(Publication(id=BOOK, name="Fen Book"),),
    cost_types=(
        CostType(id="points", name="points", default_limit=100),
        CostType(id="rations", name="rations"),
        CostType(id="room", name="room", hidden=True),
    ),
    categories=(
        Category(id="command", name="Command"),
        Category(id="core", name="Core"),
        Category(id="hammer", name="Hammer"),
    ),
    forces=(COLUMN,),
    constraints=(
        bound(
            "two-lamps",
            Bound.MAX,
            2,
            scope=Scope.ROSTER,
            child_id="lamp",
            deep=True,
            severity=Severity.WARNING,
            name="Lamps",
        ),
    ),
    unchecked=(Unchecked(code="weather", text="The weather.", citation=cite(50)),),
)

WARDEN = unit(
    "warden",
    "Wärden",
    "command",
    20,
    option("lamp", "Lamp", Decimal("2.5"), constraints=limits("lamp", 0, 1)),
    group("arms", "Arms", option("sabre", "Sabre"), option("pistol", "Pistol", 3), least=1, default="sabre"),
    option("old-relic", "Old relic", 1, hidden=True),
)
CUTTERS = unit(
    "cutters",
    "Cutters",
    "core",
    0,
    Entry(
        id="cutter",
        name="Cutter",
        type=EntryType.MODEL,
        collective=True,
        costs=(Cost(type_id="points", value=2),),
        constraints=limits("cutter", 5, 8),
    ),
    group("tools", "Tools", option("nets", "Nets", 1), option("sickles", "Sickles")),
)
CREW = unit(
    "crew",
    "Crew",
    "core",
    4,
    Entry(
        id="sailor",
        name="Sailor",
        type=EntryType.MODEL,
        constraints=limits("sailor", 2, 4),
        entries=(option("hook", "Hook", 1, constraints=limits("hook", 0, 1)),),
    ),
)
GIANTS = unit("giants", "Giants", "hammer", 21)

MARSH = Catalogue(id="marsh", name="Marsh Folk", kind=CatalogueKind.FACTION, entries=(WARDEN, CUTTERS, CREW, GIANTS))
WEIR = Catalogue(
    id="weir",
    name="Weir Folk",
    kind=CatalogueKind.FACTION,
    entries=(unit("weir-reeve", "Reeve", "command", 10), unit("weir-hands", "Hands", "core", 5)),
)

FENLAND = DataSet(catalogues=(SYSTEM, MARSH, WEIR))
FLAT_COLUMN = msgspec.structs.replace(COLUMN, forces=())
FLAT = DataSet(catalogues=(msgspec.structs.replace(SYSTEM, forces=(FLAT_COLUMN,)), MARSH, WEIR))
"""Without nested detachments, about which look-ahead proves nothing."""
ABOUT = GameInfo(slug="fenland", name="Fenland", label="1.0")


def installed() -> PackVersion:
    return install_once(ABOUT, FENLAND)


def compiled() -> Ruleset:
    return compile_ruleset(FENLAND)
