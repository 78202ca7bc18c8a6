"""Handmade lists for the tests of printed sheets: reports with their effective tree, and print settings."""

import itertools

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Severity
from catalogue.definitions.identity import Identity
from catalogue.definitions.infos import Characteristic
from roster.engine.report import (
    CostTotal,
    EffectiveCategory,
    EffectiveForce,
    EffectiveProfile,
    EffectiveRule,
    EffectiveSelection,
    Location,
    PlaceKind,
    Report,
    Violation,
)
from roster.engine.tree import copy_with
from roster.pdf.shapes import Imprint, ListSheet
from roster.pdf.sheet_model import build_sheet_model
from roster.wording import Sentence

POINTS = "pts"
STATS = ("MV", "EVS", "SKL", "AV", "CQA", "FOR", "WP")
GUN = ("RNG", "SHO", "PEN", "DAM", "SUP", "Type")
HASH = "3f9c21ab" + "0" * 56
IDENTITY = Identity(emblem="reed", dark="#3c5625", light="#a9cb80")
IMPRINT = Imprint(
    game="Reeds and Rust",
    version="1.2",
    revision=7,
    content_hash=HASH,
    link="https://lists.example/r/abcdefghijklmnopqrstuv/?revision=7",
    notice="An invented game.",
    identity=IDENTITY,
)
_ids = itertools.count(1)


def new_id() -> str:
    return f"i{next(_ids)}"


def page(number: int | str) -> Citation:
    return Citation(publication_id="rr", page=str(number))


def cite(citation: Citation) -> str:
    if not citation:
        return ""
    return f"Reeds and Rust, p. {citation.page}" if citation.page else f"Reeds and Rust, {citation.section}"


def points(value: int, limit: int | None = None) -> tuple[CostTotal, ...]:
    return (CostTotal(type_id=POINTS, name="points", value=value, limit=limit),)


def profile(name: str, values: str, columns: tuple[str, ...] = STATS, type_name: str = "Unit") -> EffectiveProfile:
    """Return a profile from values separated by `|`."""
    pairs = zip(columns, values.split("|"), strict=True)
    return EffectiveProfile(
        id=new_id(),
        name=name,
        type_id=type_name.lower(),
        type_name=type_name,
        characteristics=tuple(Characteristic(type_id=c, name=c, value=v.strip()) for c, v in pairs),
        citation=page(9),
    )


def gun(name: str, values: str) -> EffectiveProfile:
    return profile(name, values, GUN, "Weapon")


def rule(name: str, text: str = "", parameter: str = "", citation: Citation = NOWHERE) -> EffectiveRule:
    return EffectiveRule(id=name, name=name, description=text, parameter=parameter, citation=citation)


def category(name: str, *, primary: bool = False) -> EffectiveCategory:
    return EffectiveCategory(id=name.lower(), name=name, primary=primary)


def node(
    name: str,
    kind: str = "upgrade",
    *inside: EffectiveSelection,
    cost: int = 0,
    number: int = 1,
    slot: str = "",
    keywords: tuple[str, ...] = (),
    **fields: object,
) -> EffectiveSelection:
    primary = (category(slot, primary=True),) if slot else ()
    total = cost + sum(int(child.totals[0].value) for child in inside if child.totals)
    return EffectiveSelection(
        id=new_id(),
        entry_id=name.lower().replace(" ", "-"),
        name=name,
        type=kind,
        number=number,
        costs=points(cost),
        totals=points(total),
        categories=(*primary, *(category(word) for word in keywords)),
        selections=inside,
        **fields,
    )


COMMAND = rule("Command", 'Two orders a turn to units within 18".', "2", page(9))
MARSH_BORN = rule("Marsh born", "Water is open ground for this unit.", citation=page(11))
STEADY = rule("Steady", "The first suppression marker of each turn is not placed.", citation=page(12))
PROFILES = {
    "Lock Warden": profile("Warden", "5|4|4|3|3|3|2+"),
    "Cutter": profile("Cutter", "6|4|2|2|1|1|4+"),
    "Net thrower": gun("Net thrower", '9"|1|2|1|3+|Short ranged'),
    "Long sickle": gun("Long sickle", "CQ|+1|3|1|-|Melee"),
    "Bell staff": gun("Bell staff", "CQ|+1|4|2|-|Melee"),
    "Storm lantern": gun("Storm lantern", '12"|2|3|1|4+|Pistol'),
    "Punter": profile("Punter", "8|4|2|2|1|1|4+"),
    "Sluice Giant": profile("Sluice Giant", "5|3|3|5|5|4|3+"),
    "Heron Scout": profile("Heron Scout", "7|5|3|2|1|1|4+"),
    "Eel Broker": profile("Eel Broker", "5|4|4|2|3|3|3+"),
    "Pot Carrier": profile("Pot Carrier", "5|4|2|2|1|2|4+"),
    "Tar pot": gun("Tar pot", '6"|1|4|2|2+|AoE, thrown'),
}


def weapon(name: str, number: int = 1, cost: int = 0) -> EffectiveSelection:
    return node(name, number=number, cost=cost, profiles=(PROFILES[name],))


def warden() -> EffectiveSelection:
    return node(
        "Lock Warden",
        "model",
        weapon("Storm lantern", cost=2),
        weapon("Bell staff"),
        node("Force commander"),
        cost=18,
        slot="Command",
        keywords=("Marsh folk", "Character"),
        profiles=(PROFILES["Lock Warden"],),
        rules=(COMMAND, STEADY),
        citation=page(9),
    )


def cutters(models: int = 6, choice: str = "Net thrower", *inside: EffectiveSelection) -> EffectiveSelection:
    crew = node("Cutter", "model", weapon(choice, models), number=models)
    return node(
        "Reed Cutters",
        "unit",
        crew,
        *inside,
        cost=models * 2 + 3,
        slot="Core",
        keywords=("Marsh folk", "Infantry"),
        profiles=(PROFILES["Cutter"],),
        rules=(MARSH_BORN,),
        citation=page(11),
    )


def pot_carrier() -> EffectiveSelection:
    return node(
        "Pot Carrier",
        "unit",
        node("Pot Carrier", "model", weapon("Tar pot"), number=1),
        cost=5,
        slot="Add-on",
        profiles=(PROFILES["Pot Carrier"],),
        rules=(STEADY,),
    )


def punts() -> EffectiveSelection:
    crew = node("Punter", "model", weapon("Long sickle", 3), number=3)
    return node("Punt Crew", "unit", crew, cost=9, slot="Core", profiles=(PROFILES["Punter"],), rules=(MARSH_BORN,))


def giants() -> EffectiveSelection:
    crew = node("Sluice Giant", "model", number=2)
    return node(
        "Sluice Giants",
        "unit",
        crew,
        node("Gate shields", cost=1),
        cost=20,
        slot="Hammer",
        profiles=(PROFILES["Sluice Giant"],),
        rules=(STEADY,),
    )


def scout_unit() -> EffectiveSelection:
    crew = node("Heron Scout", "model", weapon("Net thrower", 4), number=4)
    return node("Heron Scouts", "unit", crew, cost=6, profiles=(PROFILES["Heron Scout"],), rules=(MARSH_BORN,))


def scouts() -> EffectiveSelection:
    return node("Heron Scouts", "unit", scout_unit(), scout_unit(), cost=1, slot="Vanguard")


def broker() -> EffectiveSelection:
    return node(
        "Eel Broker",
        "model",
        weapon("Storm lantern"),
        cost=14,
        slot="Command",
        profiles=(PROFILES["Eel Broker"],),
        rules=(copy_with(COMMAND, parameter="1"),),
    )


def force(name: str, *units: EffectiveSelection, **fields: object) -> EffectiveForce:
    slots = ("Command", "Core", "Hammer", "Vanguard", "Anvil")
    return EffectiveForce(
        id=new_id(),
        entry_id="detachment",
        catalogue_id="marsh",
        catalogue_name="Marsh Compact",
        name=name,
        totals=points(sum(int(unit.totals[0].value) for unit in units)),
        categories=tuple(category(slot) for slot in slots),
        selections=units,
        **fields,
    )


def report(
    *forces: EffectiveForce,
    limit: int = 120,
    violations: tuple[Violation, ...] = (),
    unchecked: tuple[Unchecked, ...] = (),
) -> Report:
    total = sum(int(one.totals[0].value) for one in forces)
    return Report(costs=points(total, limit), violations=violations, unchecked=unchecked, forces=forces)


HOUSE_RULES = Unchecked(code="house-rules", text="House rules of an event")


def short_list() -> Report:
    """Two detachments, an add-on, two units taken as one: the list of the drawing."""
    return report(
        force("First detachment", warden(), cutters(), punts(), giants(), scouts()),
        force("Second detachment", broker(), cutters(8, "Long sickle", pot_carrier())),
        unchecked=(HOUSE_RULES,),
    )


def build_violation(
    on: EffectiveSelection | EffectiveForce,
    *cause: EffectiveSelection,
    mendable: bool = False,
    severity: Severity = Severity.ERROR,
) -> Violation:
    kind = PlaceKind.FORCE if isinstance(on, EffectiveForce) else PlaceKind.SELECTION
    return Violation(
        code="at-most",
        on=Location(kind=kind, id=on.id, name=on.name),
        counted="Hammer",
        measured=3,
        allowed=2,
        cause=tuple(Location(kind=PlaceKind.SELECTION, id=one.id, name=one.name) for one in cause),
        name="No type above core",
        text="In a detachment no type may outnumber core.",
        citation=page(14),
        mendable=mendable,
        severity=severity,
    )


def illegal_list() -> Report:
    hammers = (giants(), giants(), giants())
    first = force("First detachment", warden(), cutters(), *hammers)
    remark = build_violation(first, severity=Severity.REMARK)
    return report(first, violations=(build_violation(first, *hammers), remark))


def incomplete_list() -> Report:
    first = force("First detachment", warden())
    return report(first, violations=(build_violation(first, mendable=True),))


NAMES = (
    "Lock Warden",
    "Reed Cutters",
    "Punt Crew",
    "Sluice Giants",
    "Heron Scouts",
    "Eel Broker",
    "Tar Throwers",
    "Pike Bailiffs",
    "Night Ferry",
    "Dredger",
    "Mud Larks",
    "Bell Ringers",
    "Gate Wardens",
    "Willow Guard",
    "Salt Runners",
)
ARMS = ("Net thrower", "Long sickle", "Bell staff", "Storm lantern", "Tar pot")
SLOTS = ("Command", "Core", "Core", "Hammer", "Vanguard")
ABILITIES = (
    COMMAND,
    MARSH_BORN,
    STEADY,
    rule("Tarred", "Fire at this unit is resolved with one die more.", citation=page(31)),
    rule("Bells", 'Units within 12" may take their resolve test again, once a turn.', citation=page(32)),
    rule("Ferry", "Carries eight models over water and lets them off on either bank.", "8", page(33)),
)


def any_unit(index: int, name: str = "") -> EffectiveSelection:
    name = name or f"{NAMES[index % len(NAMES)]} {index // len(NAMES) or ''}".strip()
    models = 1 + index * 7 % 9
    arms = [weapon(ARMS[(index + k) % len(ARMS)], models, k) for k in range(2 + index % 3)]
    crew = node(name.removesuffix("s"), "model", *arms, number=models)
    figures = "|".join(str(2 + (index * k) % 6) for k in range(1, 7)) + "|4+"
    return node(
        name,
        "unit",
        crew,
        node("Gate shields", cost=1 + index % 3),
        cost=6 + index * 5 % 17,
        slot=SLOTS[index % len(SLOTS)],
        keywords=("Marsh folk", "Infantry"),
        profiles=(profile(name, figures),),
        rules=(ABILITIES[index % 6], ABILITIES[(index + 2) % 6]),
        citation=page(20 + index),
    )


def long_list(units: int = 60, per_force: int = 8) -> Report:
    made = [any_unit(index) for index in range(units)]
    groups = [made[start : start + per_force] for start in range(0, units, per_force)]
    return report(
        *(force(f"Detachment {number}", *group) for number, group in enumerate(groups, 1)),
        limit=3000,
        unchecked=(HOUSE_RULES,),
    )


def huge_table(rows: int = 90) -> Report:
    arms = tuple(gun(f"Gun of the row number {n}", f'{n}"|{n}|3|1|4+|Short ranged, turret') for n in range(rows))
    unit = node("Arsenal", "unit", node("Gunner", "model", number=3), cost=30, slot="Hammer", profiles=arms)
    return report(force("First detachment", warden(), unit, cutters()))


def empty_list() -> Report:
    return report(limit=120)


def problems_of(judged: Report) -> list[tuple[tuple[Violation, ...], Sentence]]:
    return [
        (
            (violation,),
            Sentence(
                headline=violation.name,
                detail=f"{violation.measured} {violation.counted}, {violation.allowed} allowed.",
                citation=cite(violation.citation),
                severity=violation.severity.value,
            ),
        )
        for violation in judged.violations
    ]


def sheet(judged: Report, title: str = "Low water column", imprint: Imprint = IMPRINT) -> ListSheet:
    return build_sheet_model(judged, imprint, title=title, problems=problems_of(judged), cite=cite)


WIDE = (
    "M",
    "WS",
    "BS",
    "S",
    "T",
    "W",
    "A",
    "Ld",
    "Save",
    "Inv",
    "Range",
    "Bracket",
    "Remaining wounds",
    "Notes of the mender",
)
PROSE = (
    "Each time this model would lose a wound, roll one die: on a five or more that wound is not lost. "
    "This does not work on wounds lost to drowning, and it works once in each phase."
)


def list_of_trouble() -> Report:
    """A list with everything that is hard for a layout."""
    hostile = "<script>alert(1)</script><img src=http://198.51.100.7/x.png> file:///etc/passwd &amp; \u202e"
    name = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
    wide = profile(
        "Great Sluice Engine of the Upper Weir", '10"|3+|3+|8|8|18|4|9|2+|5+|48"|1-5|9|mends itself', WIDE, "Engine"
    )
    shield = profile("Mist shield", PROSE, ("Description",), "Abilities")
    power = profile("Rising tide", f'6|18"|{PROSE}', ("Charge", "Range", "Details"), "Power")
    engine = node(
        "Great Sluice Engine",
        "unit",
        node("Engine", "model", weapon("Tar pot", 1), profiles=(wide, shield), number=1),
        cost=155,
        slot="Anvil",
        custom_name="Old Grumbler",
        notes="Painted blue. " + hostile,
        profiles=(power,),
        rules=(MARSH_BORN,),
    )
    long_named = node(
        name, "unit", node(name, "model", number=40), cost=40, slot="Core", profiles=(profile(name, "6|4|2|2|1|1|4+"),)
    )
    gone = node("Reed Choir", placeholder=True)
    inner = force("Reserve", cutters(), cutters(), cutters())
    outer = force("First detachment", warden(), engine, long_named, gone, notes=hostile, custom_name=hostile[:60])
    outer = copy_with(outer, forces=(inner,))
    costs = (
        *points(int(outer.totals[0].value) + int(inner.totals[0].value), 200),
        CostTotal(type_id="cp", name="command points", value=3, limit=6),
        CostTotal(type_id="pl", name="power level", value=11),
        CostTotal(type_id="secret", name="Allowed hammer", value=2, hidden=True),
    )
    notes = (
        HOUSE_RULES,
        Unchecked(code="provisional", text="Figures from the 1st edition", subject_id="great-sluice-engine"),
        Unchecked(code="links", text="Which models stand on a bridge", citation=page(40)),
    )
    return Report(costs=costs, violations=(build_violation(outer, engine),), unchecked=notes, forces=(outer,))


def two_page_list() -> Report:
    """Fifteen units in two detachments, some of them equal: a typical list."""
    first = [any_unit(k) for k in (0, 1, 1, 2, 3, 3, 4, 6)]
    second = [any_unit(k) for k in (5, 1, 2, 2, 7, 7, 7)]
    return report(force("First detachment", *first), force("Second detachment", *second), limit=300)
