"""A second reading of Warzone Resurrection, 2.x, from its rulebook and the entries of its squads."""

from collections import Counter
from collections.abc import Iterator

from tests.second_reading.printed_line import Part, own_id, slug
from tests.second_reading.reading import Document, Figures, Reading, count_of, detachments_of, parts_of
from tests.second_reading.warzone_changes import changes
from tests.second_reading.warzone_entries import Squad
from tests.second_reading.warzone_force import DECK, NOWHERE, Force

PAIR = "doomtrooper-pair"
LEGION = {"dark-legion-algeroth", "dark-legion-ilian", "dark-legion-semai"}
IMPERIAL = {"imperial-ministries-of-war", "imperial-wolfbanes"}

FEWEST_CARDS = 30
MOST_COPIES = 3
CARDS = {f"{DECK}/{card}" for card in ("strategy-card", "tactical-card", "gear-card", "card-that-only-others-can-use")}
"""Advanced rules: the types of cards; the last one is of any type."""

CHARTS: dict[str, dict[str, tuple[int, int]]] = {
    "skirmish": {
        "characters": (1, 2),
        "troops": (2, 4),
        "support": (0, 1),
        "light-vehicle": (0, 0),
        "heavy-vehicle": (0, 0),
        "transport-vehicle": (0, 0),
    },
    "standard": {
        "characters": (1, 5),
        "troops": (2, 4),
        "support": (0, 3),
        "light-vehicle": (0, 1),
        "heavy-vehicle": (0, 0),
    },
    "heavy": {"characters": (1, 5), "troops": (2, 4), "support": (0, 3)},
    "mega": {
        "characters": (1, 7),
        "troops": (4, 8),
        "support": (0, 6),
        "light-vehicle": (0, 2),
        "heavy-vehicle": (0, 0),
    },
    "gargantuan": {"characters": (1, 7), "troops": (4, 8), "support": (0, 6)},
}
"""The Offensive Organisation Charts; vehicles of the two that swap are in `_swapped`."""

SWAPPING = {"heavy": (2, 1), "gargantuan": (4, 2)}
"""Slots for light and heavy vehicles that may be swapped for each other."""

TRANSPORTS = {"skirmish": 0, "standard": 1, "heavy": 2, "mega": 2, "gargantuan": 3}
"""The slot for transports that the community's data adds to each chart."""

SPECIAL_WAYS = ("infiltrate", "stalk", "preemptive-strike", "rapid-deployment", "flank-deployment")
MISSIONS = {
    "mission-1": {"infiltrate", "stalk", "preemptive-strike", "rapid-deployment"},
    "mission-2": {"infiltrate", "stalk", "preemptive-strike", "rapid-deployment"},
    "mission-3": {"infiltrate", "stalk"},
    "mission-4": {"infiltrate", "stalk", "preemptive-strike", "rapid-deployment"},
}
"""Missions: the deployment options of each; none has flank deployment."""

GIVERS = {
    "infiltrate": {"Marshals' Infiltration", "Master of the Hounds", "The Enemy Within", "Faceless Protectors"},
    "stalk": {"Commando Legend", "Mirrorman Uplink", "Skulltakers", "Stealthy Company"},
    "preemptive-strike": {"Down and Dirty", "Improved Valkyries"},
    "flank-deployment": {
        "Flexible Deployment",
        "Ganymedes Shield",
        "Lord Maru's Will",
        "Shark Division",
        "Valkyrie Deployment",
    },
}
"""Abilities whose cards may give others a way to deploy, which a list does not show."""


# ---- points --------------------------------------------------------------------------------------------------------


def _points(force: Force) -> Iterator[str]:
    """Build your army: both agree on a level of points."""
    limit = force.document.get("limits", {}).get("points")
    if isinstance(limit, int | float) and sum(map(force.army.price, force.squads)) > limit:
        yield "wz-points-limit"


# ---- charts --------------------------------------------------------------------------------------------------------


def _charts(force: Force) -> Iterator[str]:
    """Offensive Organisation Charts: one, and every squad has a slot in it."""
    if len(force.charts) != 1 or force.decks_outside:
        yield "wz-ooc-choice"
    for squad in force.squads:
        if squad.chart == NOWHERE:
            yield "wz-advisor-host" if squad.is_a("Advisor") else "wz-ooc-choice"
    if sum(squad.type == "army-choice" for squad in force.squads) > 1:
        yield "wz-data-army-choice"
    for number, chart in force.charts.items():
        yield from _slots(chart, [squad for squad in force.squads if squad.chart == number], force)


def _agreement(force: Force) -> Iterator[str]:
    """The game turn, 1: both agreed on one of the five charts."""
    agreed = force.answers("agreed-chart")
    charts = set(force.charts.values())
    if agreed and (len(agreed) > 1 or agreed[0] not in CHARTS or charts - set(agreed)):
        yield "wz-ooc-choice"


def _slots(chart: str, squads: list[Squad], force: Force) -> Iterator[str]:
    commander = force.commander
    taken = Counter(squad.type for squad in squads)
    # Doomtrooper: a commander is none, so it does not use the slot of a pair.
    taken["characters"] += sum(
        commander in squad.guests and commander.is_a("Doomtrooper") for squad in squads if commander
    )
    rule = f"wz-ooc-{chart}"
    for slot, (least, most) in CHARTS[chart].items():
        if slot == "troops":
            least, most = _troops(least, most, force)
        if not least <= taken[slot] <= most:
            yield rule
    # Community data: two Chasseur Heavy Weapon Squads as heavy vehicles take one slot.
    paired = sum(squad.id == "chasseur-heavy-weapon-squad" and squad.type == "heavy-vehicle" for squad in squads)
    light, heavy = taken["light-vehicle"], taken["heavy-vehicle"] - paired // 2
    if heavy and chart not in SWAPPING:
        yield "wz-ooc-no-swap"
    if chart in SWAPPING and (light, heavy) not in _swapped(chart):
        yield rule
        if light > SWAPPING[chart][0] or heavy > SWAPPING[chart][1]:
            yield f"{rule}-swap"
    if taken["transport-vehicle"] > TRANSPORTS[chart]:
        yield "wz-data-transports"
    if taken["characters"] < 1 and any(guest.is_a("Advisor") for squad in squads for guest in squad.guests):
        yield "wz-advisor-not-minimum"


def _troops(least: int, most: int, force: Force) -> tuple[int, int]:
    """Community data: a Behemoth as Troops is alone; a Centurion makes room for one more with Undead Legionnaires."""
    if any(squad.id == "praetorian-behemoth" and squad.type == "troops" for squad in force.all):
        least = most = 1
    ids = {squad.id for squad in force.all}
    return least, most + ({"centurion", "undead-legionnaires"} <= ids)


def _swapped(chart: str) -> set[tuple[int, int]]:
    """The Heavy and the Gargantuan OOC: light and heavy vehicles within slots or swaps."""
    if chart == "heavy":
        return {(light, heavy) for light in range(5) for heavy in range(3) if light + 2 * heavy <= 4}
    return {(light, heavy) for light in range(9) for heavy in range(1, 5) if light + 2 * heavy <= 8}


# ---- squads --------------------------------------------------------------------------------------------------------


def _squads(force: Force) -> Iterator[str]:
    """Squad entries: sizes and options; unique squads; squad commanders."""
    for squad in force.all:
        alone = _needs_partner(force, squad) and squad.host is None
        if not alone or not force.army.unmet(squad):  # nothing in the army is of its faction to meet it
            yield from force.army.faults(squad)
        yield from _commander_of(squad)
        if squad.entry.get("unique") and sum(other.id == squad.id for other in force.all) > 1:
            yield "wz-unique"
    yield from _named_twice(force)


def _named_twice(force: Force) -> Iterator[str]:
    """Unique squads: Afton and Chung may both be there, but each only once."""
    for keyword in ("Afton", "Chung"):
        there = sum(
            number for squad in force.all for model, number in squad.models if keyword in model.get("keywords", ())
        )
        if there > 1:
            yield "wz-unique"


def _commander_of(squad: Squad) -> Iterator[str]:
    """Squad commanders: one model without special weapons, unless the whole squad is upgraded."""
    if "models" not in squad.entry:
        return
    own = squad.marked("Own Commander") > 0
    rule = "wz-squad-commander-replaced" if own else "wz-squad-commander-standard"
    if squad.size > 1 and squad.marked("Special") >= squad.size:
        yield rule


# ---- who may be in an army -----------------------------------------------------------------------------------------


def _factions(force: Force) -> Iterator[str]:
    """Cartel agent, Doomtrooper: the exceptions from one faction."""
    for chart in detachments_of(force.document):
        if chart.get("catalogue", force.faction) != force.faction:
            yield "wz-single-faction"
    for squad in force.all:
        if squad.id == PAIR:
            continue
        if squad.host is not None and _is_stranger(force, squad, squad.host):
            yield "wz-data-options"
        if _is_foreign(force, squad) and not squad.entry.get("only joined"):
            yield "wz-single-faction"
        if squad.is_a("Cartel Agents") and not squad.is_a("Legion Operative") and force.faction in LEGION:
            yield "wz-cartel-agent"


def _is_foreign(force: Force, squad: Squad) -> bool:
    anywhere = squad.is_a("Cartel Agents") or squad.is_a("Doomtrooper") or squad.id == PAIR
    return not anywhere and force.faction not in squad.factions()


def _doomtroopers(force: Force) -> Iterator[str]:
    """Doomtrooper: pairs."""
    for squad in force.all:
        if squad.id == PAIR:
            serving = [guest for guest in squad.guests if force.serves_as_doomtrooper(guest)]
            foreign = any(not force.is_own(guest) for guest in serving)
            left = force.commander in squad.guests and not foreign
            if len(serving) > 2 or (len(serving) < 2 and not left):
                yield "wz-doomtrooper-pair"
        elif _needs_partner(force, squad) and squad.host is None:
            yield "wz-doomtrooper-pair"


def _needs_partner(force: Force, squad: Squad) -> bool:
    """Doomtrooper: abroad in pairs only. Cartel agent: in any faction; one model of a pair may be both."""
    return squad.is_a("Doomtrooper") and not squad.is_a("Cartel Agents") and not force.is_own(squad)


def _opponents(force: Force) -> Iterator[str]:
    """Doomtrooper: not against their parent megacorporation, except in tournaments."""
    if force.plan is None or "tournament" in force.answers("occasion"):
        return
    opponents = set(force.plan.get("opponents", []))
    for squad in filter(force.serves_as_doomtrooper, force.all):
        parents = squad.homes() | (IMPERIAL if squad.homes() & IMPERIAL else set())
        if parents & opponents:
            yield "wz-doomtrooper-parent"


def _advisors(force: Force) -> Iterator[str]:
    """Advisors: in a slot, or in a squad of troops or support that may have them."""
    for squad in force.all:
        if squad.host is None and squad.entry.get("only joined") and squad.chart != NOWHERE:
            yield "wz-advisor-host"
        in_pair = squad.host is not None and squad.host.id == PAIR and squad.is_a("Doomtrooper")
        if squad.host is not None and not in_pair and not _may_advise(force, squad, squad.host):
            yield "wz-advisor-host" if squad.is_a("Advisor") else "wz-doomtrooper-no-join"
        if sum(guest.is_a("Advisor") for guest in squad.guests) > 1 and squad.id != PAIR:
            yield "wz-advisor-fills-attachment"


def _may_advise(force: Force, squad: Squad, host: Squad) -> bool:
    """Return whether a squad may have an advisor; advisors of other factions are never options."""
    by_entry = host.is_a("Advised in Any Slot")
    if squad.is_a("Advisor") and _is_stranger(force, squad, host):
        return by_entry or host.id == PAIR or host.entry["type"] in ("troops", "support", "army-choice")
    return _is_named(squad, host) and (by_entry or host.type in ("troops", "support"))


def _is_stranger(force: Force, squad: Squad, host: Squad) -> bool:
    return not _is_named(squad, host) and (_is_foreign(force, squad) or _is_foreign(force, host))


def _is_named(squad: Squad, host: Squad) -> bool:
    return host.id in {slug(name) for name in squad.entry.get("joins", {}).get("units", ())}


def _command(force: Force) -> Iterator[str]:
    """The army commander: one of the army's own with the highest LD."""
    if not force.candidates:
        yield "wz-commander-required"
    declared = [squad for squad in force.all if squad.leads]
    others = any(isinstance(deck, dict) and deck.get("leads") for deck in force.decks)
    if force.candidates and (others or any(squad not in force.best for squad in declared) or len(declared) > 1):
        yield "wz-commander-highest-ld"


def _leave(force: Force) -> Iterator[str]:
    """Leader (X/Y): if this model is the commander, X of squad Y may be taken as troops."""
    moved: Counter[str] = Counter()
    said: Counter[str] = Counter()
    for squad in force.squads:
        moved[squad.id] += squad.by_leave
        said.update(squad.leaves)
    allowed: Counter[str] = Counter()
    if force.commander is not None:
        # A model's printed Leader counts once for the entry, however many of the model a list has.
        models = force.commander.entry.get("models", ())
        of_models = (ability for model in models for ability in model.get("abilities", ()))
        for ability in {*force.army.abilities(force.commander), *(each for each in of_models if isinstance(each, str))}:
            if ability.startswith("Leader ("):
                number, _, named = ability.removeprefix("Leader (").removesuffix(")").partition("/")
                allowed[slug(named)] += int(number)
    if any(number and not allowed[squad] for squad, number in moved.items()):
        yield "wz-leader-ability"
    if any(allowed[squad] and number > allowed[squad] for squad, number in said.items()):
        yield "wz-leader-limit"
    # Community data: with a squad of the other Praetorians, of which an army has one, a single Stalker squad is
    # allowed.
    others = any(squad.id in OTHER_PRAETORIANS for squad in force.all)
    if others and said["praetorian-stalkers"] > 1:
        yield "wz-data-options"


OTHER_PRAETORIANS = ("praetorian-enforcers", "praetorian-executioners", "praetorian-guardians", "praetorian-hunters")


# ---- the plan ------------------------------------------------------------------------------------------------------


def _attachments(force: Force) -> Iterator[str]:
    """Characters: one is attached to a squad; a pair of Doomtroopers neither joins nor is left."""
    joins = force.pairs("joins")
    for one, other in joins:
        if one.type != "characters" or other is one or force_joins(joins, other):
            yield "wz-character-attach-one"
        inside = any(force.serves_as_doomtrooper(guest) for guest in one.guests)
        if inside or (one.host is not None and force.serves_as_doomtrooper(one)):
            yield "wz-doomtrooper-no-join"
        if one.type == "characters" and one is not other and _has_advisor(other):
            yield "wz-advisor-fills-attachment"
    hosts = Counter(id(other) for _, other in joins)
    if any(number > 1 for number in hosts.values()):
        yield "wz-character-attach-one"


def _has_advisor(squad: Squad) -> bool:
    return squad.id != PAIR and any(guest.is_a("Advisor") for guest in squad.guests)


def force_joins(joins: list[tuple[Squad, Squad]], squad: Squad) -> bool:
    return any(one is squad for one, _ in joins)


def _transports(force: Force) -> Iterator[str]:
    """Vehicles: transports."""
    riders: dict[int, list[Squad]] = {}
    vehicles: dict[int, Squad] = {}
    aboard = force.pairs("aboard")
    for one, other in aboard:
        vehicles[id(other)] = other
        riders.setdefault(id(other), []).append(one)
    for key, vehicle in vehicles.items():
        inside = riders[key]
        alone = [squad for squad in inside if not any(h in inside for j, h in force.pairs("joins") if j is squad)]
        if any(squad.type not in ("troops", "support") for squad in alone):
            yield "wz-transport-passengers"
        if len(alone) > 1:
            yield "wz-transport-one-squad"
        # A unit written inside a vehicle rides in it as well.
        most = min(_capacity(force, each) for each in (vehicle, *vehicle.guests))
        if sum(_room(force, squad) for squad in alone) > most:
            yield "wz-transport-capacity"
        if any(way in SPECIAL_WAYS for way in force.ways(vehicle)):
            yield "wz-transport-deploy-embarked"


def _room(force: Force, squad: Squad) -> int:
    """Return a squad's room, with its advisors and attached characters."""
    attached = [each for one in force.joined_to(squad) for each in (one, *one.guests)]
    return sum(each.room for each in (squad, *squad.guests, *attached))


def _capacity(force: Force, vehicle: Squad) -> int:
    """Transport (X): each of a squad of transports has its own."""
    total = 0
    for ability in force.army.abilities(vehicle):
        name, _, number = ability.partition(" (")
        if name in ("Transport", "Open Transport"):
            total += int(number.removesuffix(")")) * vehicle.size
    return total


def _deployment(force: Force) -> Iterator[str]:
    """Deployment: one way that the squad has, shared with attached characters."""
    if any(way not in (*SPECIAL_WAYS, "regular") for ref in force.refs for way in force.ways_of(ref)):
        yield "wz-deployment-options-mission"
    for squad in force.all:
        ways = force.ways(squad)
        if len(ways) > 1:
            yield "wz-deployment-options-mission"
        for way in set(ways).intersection(SPECIAL_WAYS):
            # If an ability in the army may give this way to others, its card decides, which no list shows.
            if not _may_be_given(force, way):
                yield from _without_ability(force, squad, way)


def _without_ability(force: Force, squad: Squad, way: str) -> Iterator[str]:
    if not _can(force, squad, way):
        yield "wz-deployment-options-mission"
    if any(not force.army.has(guest, way) for guest in (*force.attached(squad), *squad.guests)):
        yield "wz-character-attach-deployment"


def _missions(force: Force) -> Iterator[str]:
    """Missions: each lists its deployment options; the defender of the Convergence neither infiltrates nor flanks."""
    plan = force.plan or {}
    used = {way for ref in force.refs for way in force.ways_of(ref) if way in SPECIAL_WAYS}
    mission = plan.get("mission", "")
    if mission and used - MISSIONS[mission]:
        yield "wz-deployment-options-mission"
    if mission == "mission-4" and plan.get("side", "") == "defender" and used & {"infiltrate", "flank-deployment"}:
        yield "wz-convergence-two-models"


def _can(force: Force, squad: Squad, way: str) -> bool:
    if squad.id == PAIR:
        return any(force.army.has(guest, way) for guest in squad.guests)
    return force.army.has(squad, way)


def _may_be_given(force: Force, way: str) -> bool:
    return any(force.army.has(squad, ability) for squad in force.all for ability in GIVERS.get(way, ()))


# ---- the Megadeck --------------------------------------------------------------------------------------------------


def _decks(force: Force) -> Iterator[str]:
    """Advanced rules: each player has one Megadeck if both agreed on it, of 30 cards, at most three of each."""
    agreed = force.answers("agreed-megadeck")
    if ("with-it" in agreed and not force.decks) or ("without-it" in agreed and force.decks):
        yield "wz-megadeck-optional"
    if len(force.decks) > 1:
        yield "wz-megadeck-min"
    for deck in force.decks:
        cards = [part for part in parts_of(deck) if own_id(part) in CARDS]
        copies: Counter[str] = Counter()
        for card in cards:
            copies[str(card.get("name", "")).casefold() if isinstance(card, dict) else ""] += count_of(card)
        if sum(copies.values()) < FEWEST_CARDS:
            yield "wz-megadeck-min"
        if any(number > MOST_COPIES for name, number in copies.items() if name):
            yield "wz-megadeck-copies"
        for part in parts_of(deck):
            if part not in cards:
                yield from _no_card(force, part)


def _no_card(force: Force, part: Part) -> Iterator[str]:
    """Types of cards: a deck contains nothing else. Squads and foreign cards in it break their own rules."""
    unit = own_id(part).partition("/")[0]
    squad = Squad(force.shelf, {"unit": unit}, NOWHERE) if unit in force.shelf.units else None
    if squad is None or (unit != own_id(part) and not _is_foreign(force, squad)):
        yield "wz-megadeck-types"
    elif unit != own_id(part):
        yield "wz-data-options"
    elif _is_foreign(force, squad):
        yield from (
            ("wz-data-options",) if squad.entry.get("only joined") else ("wz-data-options", "wz-single-faction")
        )
    else:
        yield "wz-advisor-host" if squad.is_a("Advisor") else "wz-doomtrooper-no-join"
        if _needs_partner(force, squad):
            yield "wz-doomtrooper-pair"
        if squad.entry.get("unique") and any(other.id == squad.id for other in force.all):
            yield "wz-unique"


PARTS = (
    _points,
    _charts,
    _agreement,
    _squads,
    _factions,
    _doomtroopers,
    _opponents,
    _advisors,
    _command,
    _leave,
    _attachments,
    _transports,
    _deployment,
    _missions,
    _decks,
)


def broken_rules(document: Document, figures: Figures) -> set[str]:
    force = Force(document, figures)
    return {rule for part in PARTS for rule in part(force)}


READING = Reading(
    pack="warzone-resurrection",
    broken_rules=broken_rules,
    changes=changes,
    covers=frozenset(
        {
            "wz-points-limit",
            "wz-ooc-choice",
            "wz-ooc-skirmish",
            "wz-ooc-standard",
            "wz-ooc-heavy",
            "wz-ooc-heavy-swap",
            "wz-ooc-mega",
            "wz-ooc-gargantuan",
            "wz-ooc-gargantuan-swap",
            "wz-ooc-no-swap",
            "wz-data-transports",
            "wz-data-army-choice",
            "wz-leader-ability",
            "wz-leader-limit",
            "wz-unique",
            "wz-squad-size",
            "wz-data-options",
            "wz-single-faction",
            "wz-cartel-agent",
            "wz-doomtrooper-pair",
            "wz-doomtrooper-parent",
            "wz-doomtrooper-no-join",
            "wz-advisor-host",
            "wz-advisor-fills-attachment",
            "wz-advisor-not-minimum",
            "wz-commander-required",
            "wz-commander-highest-ld",
            "wz-squad-commander-standard",
            "wz-squad-commander-replaced",
            "wz-character-attach-one",
            "wz-character-attach-deployment",
            "wz-transport-capacity",
            "wz-transport-passengers",
            "wz-transport-one-squad",
            "wz-transport-deploy-embarked",
            "wz-deployment-options-mission",
            "wz-convergence-two-models",
            "wz-megadeck-optional",
            "wz-megadeck-min",
            "wz-megadeck-copies",
            "wz-megadeck-types",
        }
    ),
    left_out={
        "wz-points-suggested": "advice: warns, breaks nothing",
        "wz-doomtrooper-dark-legion": "advice: warns, breaks nothing",
        "wz-board": "advice: warns, breaks nothing",
        "wz-megadeck-each-type": "advice: warns, breaks nothing",
        "wz-megadeck-faction-symbol": "advice: warns, breaks nothing",
    },
)
