"""Maelstrom's Edge: units of both packs, their costs, option limits and commanders."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.entries import Entry
from catalogue.definitions.infos import Info
from catalogue.formats.packs.load import SHIPPED
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.engine.report import Report
from roster.engine.tree import RosterTree
from roster.formats.list_document import BuiltList, build_list, format_json, read_list
from tests.catalogue.maelstroms_edge_facts import FACTIONS, Fact, Variant, facts, optional_items, variants
from tests.shipped_packs import read_ruleset

FIRST, SECOND = "first", "second"

TYPES = ("command", "core", "hammer", "vanguard", "anvil")
COUNTS = {
    "artarian-remnant": (4, 1, 1, 2, 1),
    "broken": (2, 1, 2, 1, 3),
    "epirian-foundation": (4, 5, 3, 3, 3),
    "karist-enclave": (3, 2, 4, 1, 2),
}

BASE = {
    "artarian-remnant": {
        "militus-skyrunner-prime": 28,
        "militus-warrior-prime": 23,
        "nimbus-longshot-prime": 20,
        "nimbus-pathfinder-prime": 16,
        "militus-warrior": 18,
        "nimbus-longshot": 15,
        "militus-skyrunner": 23,
        "nimbus-pathfinder": 16,
        "militus-dominator": 26,
    },
    "broken": {
        "forsaken-chieftain": 8,
        "revolutionary-captain": 9,
        "broken-rabble": 5,
        "rabble-assault": 5,
        "broken-snipers": 7,
        "sig-jammers": 6,
        "rabble-fire-support": 5,
        "gnolti": 10,
        "paku-artillery": 12,
    },
    "epirian-foundation": {
        "journeyman-bot-handler": 12,
        "master-bot-handler": 18,
        "command-scarecrow": 14,
        "secdef-lieutenant": 8,
        "contractor-engineers": 7,
        "contractor-medics": 7,
        "spider-drones": 11,
        "contractor-defenders": 6,
        "secdef-tactical-team-core": 10,
        "scarecrow-snipers": 7,
        "contractor-suppression-team": 7,
        "secdef-tactical-team": 10,
        "firefly-recon-drones": 12,
        "contractor-scouts": 7,
        "secdef-rapid-intervention-team": 10,
        "hunter-class-warmech": 13,
        "heavy-defenders": 10,
        "secdef-annihilator-team": 14,
    },
    "karist-enclave": {
        "kaddar-nova": 15,
        "angel-keeper": 9,
        "kaddar-alessi-novitiate": 8,
        "karist-troopers": 10,
        "angel-minnow-pack": 6,
        "tempest-elites": 11,
        "karist-trooper-assault-squad": 10,
        "karist-praetorians": 9,
        "angel-hellblasters": 8,
        "shadow-walkers": 12,
        "mature-angel": 23,
        "karist-heavy-squad": 10,
    },
}
"""Points of all 48 units as they are taken, before any choice."""

RENAMED = {"contractor-defenders": "contractors", "hunter-class-warmech": "hunter-warmech"}
"""Units of the 1st edition with another name in the 2nd."""


def data(edition: str) -> DataSet:
    return rules(edition).data


def rules(edition: str) -> Ruleset:
    return read_ruleset(SHIPPED / "maelstroms_edge" / edition)


def units(edition: str) -> Iterator[tuple[str, Entry]]:
    """Return each unit with its faction, except the two of the preview."""
    for catalogue in data(edition).catalogues:
        for entry in catalogue.entries if catalogue.id in FACTIONS else ():
            if type_of(entry) != "preview":
                yield catalogue.id, entry


def unit(edition: str, own: str) -> Entry:
    return next(entry for _, entry in units(edition) if entry.id == own)


def type_of(entry: Entry) -> str:
    return next(link.target_id for link in entry.categories if link.primary)


def every(entry: Entry) -> Iterator[Entry]:
    yield entry
    for child in entry.entries:
        yield from every(child)


def taken(edition: str, faction: str, own: str) -> RosterTree:
    empty = edits.create_roster(rules(edition), limits={"points": -1}).roster
    with_force = edits.add_force(rules(edition), empty, "standard", faction)
    assert isinstance(with_force, EditedRoster), with_force
    with_unit = edits.select(rules(edition), with_force.roster, with_force.roster.forces[0].id, own)
    assert isinstance(with_unit, EditedRoster), with_unit
    return with_unit.roster


def report_on(edition: str, faction: str, *listed: object) -> Report:
    """Return the report on a list of one detachment with these units, in the form of list documents."""
    document = read_list(
        format_json(
            {
                "list": 1,
                "game": f"maelstroms-edge-{'1e' if edition == FIRST else '2e'}",
                "faction": faction,
                "limits": {"points": "none"},
                "detachments": [{"detachment": "standard", "units": list(listed)}],
            }
        )
    )
    built = build_list(rules(edition), document, faction)
    assert isinstance(built, BuiltList), built
    return evaluate(rules(edition), *built)


def cost(report: Report, type_id: str = "points") -> int:
    return next((int(total.value) for total in report.costs if total.type_id == type_id), 0)


def inner_rules(report: Report) -> set[str]:
    ids = {violation.rule.removeprefix("me1-force-").removeprefix("me2-") for violation in report.errors}
    return {own for own in ids if own.startswith(("option-", "unit-size", "multi-unit"))}


# ---- which units there are ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", [FIRST, SECOND])
@pytest.mark.parametrize("faction", FACTIONS)
def test_the_units_of_each_type(edition: str, faction: str) -> None:
    counted = Counter(type_of(entry) for of, entry in units(edition) if of == faction)
    assert tuple(counted[kind] for kind in TYPES) == COUNTS[faction]


@pytest.mark.parametrize("edition", [FIRST, SECOND])
def test_every_unit_has_its_points(edition: str) -> None:
    found: dict[str, dict[str, int]] = {faction: {} for faction in FACTIONS}
    for faction, entry in units(edition):
        found[faction][entry.id] = cost(evaluate(rules(edition), taken(edition, faction, entry.id)))
    expected = {faction: dict(points) for faction, points in BASE.items()}
    if edition == SECOND:
        expected["artarian-remnant"]["militus-warrior-prime"] = 18
        for old, new in RENAMED.items():
            expected["epirian-foundation"][new] = expected["epirian-foundation"].pop(old)
    assert found == expected


def test_the_preview_stands_apart_and_has_no_points() -> None:
    everything = [entry for catalogue in data(FIRST).catalogues for entry in catalogue.entries]
    preview = [entry for entry in everything if type_of(entry) == "preview"]
    assert [entry.id for entry in preview] == ["contractor-engineers-2015", "karist-troopers-2015"]
    assert len(everything) - len(preview) == 48
    assert all(cost.type_id != "points" for entry in preview for part in every(entry) for cost in part.costs)


def test_all_units_of_the_second_edition_but_the_militus_are_provisional() -> None:
    notes = [note for catalogue in data(SECOND).catalogues for note in catalogue.unchecked]
    said = {note.subject_id for note in notes if note.code == "provisional"}
    assert {entry.id for _, entry in units(SECOND)} - said == {"militus-warrior-prime"}


def test_what_the_second_edition_does_not_tell_is_blank() -> None:
    keeper = unit(SECOND, "angel-keeper")
    rows = {info.type_id: info for info in keeper.infos if info.type_id}
    assert {c.value for c in rows["models"].characteristics} == {""}
    assert [c.value for c in rows["first-edition-models"].characteristics][:2] == ["7", "3"]
    troopers = unit(SECOND, "karist-troopers")
    trooper = next(part for part in every(troopers) if part.name == "Karist Trooper")
    known = {c.name: c.value for info in trooper.infos for c in info.characteristics if c.value}
    assert known == {"EVS": "4", "AV": "3", "FOR": "1"}


@pytest.mark.parametrize("edition", [FIRST, SECOND])
def test_no_reminder_is_missing(edition: str) -> None:
    def texts(info: Info) -> Iterator[str]:
        if info.kind == "rule":
            yield info.description
        for inner in info.infos:
            yield from texts(inner)

    assert all(text for info in data(edition).game_system.shared_infos for text in texts(info))


# ---- as the facts have them --------------------------------------------------------------------------------------


@pytest.fixture(params=[own for units in BASE.values() for own in units])
def fact(request: pytest.FixtureRequest, shared: Path) -> Fact:
    return facts(shared)[request.param]


def test_the_facts_know_the_same_units(shared: Path) -> None:
    assert {(f.faction, f.id, f.type) for f in facts(shared).values()} == {
        (faction, entry.id, type_of(entry)) for faction, entry in units(FIRST)
    }


def test_base_points_and_smallest_size(fact: Fact) -> None:
    report = evaluate(rules(FIRST), taken(FIRST, fact.faction, fact.id))
    assert (cost(report), cost(report, "models")) == (fact.points, fact.fewest)
    assert inner_rules(report) == set()


def test_largest_size(fact: Fact) -> None:
    """No order of adding models exceeds the size in the facts, and that size is reached."""
    models = [part.id for part in every(unit(FIRST, fact.id)) if part.type == "model"]
    largest = max((filled(fact, order) for order in (models, models[::-1])), default=1)
    assert largest == fact.most


def filled(fact: Fact, order: list[str]) -> int:
    """Return how many models a unit has when no more fit, adding the first kinds first."""
    roster = taken(FIRST, fact.faction, fact.id)
    for own in order:
        while True:
            holder = roster.forces[0].selections[0]
            more = edits.select(rules(FIRST), roster, holder.id, own)
            if not isinstance(more, EditedRoster):
                break
            if "unit-size-max" in inner_rules(evaluate(rules(FIRST), more.roster)):
                break
            roster = more.roster
    return cost(evaluate(rules(FIRST), roster), "models")


def prices(entry: Entry, kind: str) -> dict[str, set[int]]:
    """Return the price of each option (`upgrade`) or model by name; a price for each model counts as written."""
    found: dict[str, set[int]] = {}
    for part in every(entry):
        if part.type != kind or part is entry:
            continue
        own = next((int(c.value) for c in part.costs if c.type_id == "points"), 0)
        per = [int(m.value) for m in part.modifiers if m.field == "points" and m.change == "increment"]
        found.setdefault(make_id(part.name), set()).update(per or [own])
    return found


def carried(entry: Entry) -> set[str]:
    return {make_id(info.name) for part in every(entry) for info in part.infos}


def test_the_facts_name_options_and_variants(shared: Path) -> None:
    """The next three tests compare these; a unit may have neither."""
    of_all = facts(shared).values()
    assert sum(bool(list(optional_items(fact))) for fact in of_all) == 34
    assert sum(bool(variants(fact)) for fact in of_all) == 23
    assert sum(bool(prices(unit(FIRST, fact.id), "upgrade")) for fact in of_all) == 37


def test_each_option_has_its_price(fact: Fact) -> None:
    ours = prices(unit(FIRST, fact.id), "upgrade")
    models = prices(unit(FIRST, fact.id), "model")
    at_hand = carried(unit(FIRST, fact.id))
    wrong = []
    for name, points in optional_items(fact):
        known = ours.get(name, set()) | models.get(name, set())
        if points not in known and not (points == 0 and name in at_hand):
            wrong.append((name, points, known))
    assert wrong == []


def test_each_model_has_its_price(fact: Fact) -> None:
    """If the facts have each combination of weapons, its price is that of the plain model and its options."""
    ours, models = prices(unit(FIRST, fact.id), "upgrade"), prices(unit(FIRST, fact.id), "model")
    at_hand = carried_by_default(unit(FIRST, fact.id))
    wrong = []
    for kind in variants(fact):
        plain = min((v for v in kind if set(v.items) <= at_hand), key=lambda v: v.points, default=kind[0])
        for variant in kind:
            called = make_id(variant.name.replace(" w/ ", " with "))
            has_own_price = variant.points in models.get(called, set())
            if not has_own_price and variant.points - plain.points not in sums(variant, plain, ours):
                wrong.append((variant, plain, ours))
    assert wrong == []


def carried_by_default(entry: Entry) -> set[str]:
    return {make_id(info.name) for part in every(entry) if part.type != "upgrade" for info in part.infos}


def sums(variant: Variant, plain: Variant, ours: Mapping[str, set[int]]) -> set[int]:
    """Return all possible sums of the items that the plain model lacks."""
    added = [(name, number) for name, number in (variant.items - plain.items).items()]
    known = [{number * price for price in ours.get(name, set())} for name, number in added]
    return {sum(chosen) for chosen in product(*known)}


def test_no_price_is_made_up(fact: Fact) -> None:
    backed = dict[str, set[int]]()
    for name, points in optional_items(fact):
        backed.setdefault(name, set()).add(points)
    for kind in variants(fact):
        for first, second in product(kind, kind):
            for name in first.items - second.items:
                backed.setdefault(name, set()).add(first.points - second.points)
    known = prices(unit(FIRST, fact.id), "upgrade")
    made_up = {name: points - backed.get(name, set()) - {0} for name, points in known.items()}
    assert {name: points for name, points in made_up.items() if points} == {}


# ---- what limits options -----------------------------------------------------------------------------------------


def option(name: str, count: int = 1, *inside: object, group: str = "") -> dict[str, object]:
    made: dict[str, object] = {"option": name, "count": count}
    return made | ({"options": list(inside)} if inside else {}) | ({"group": group} if group else {})


TROOPERS = option("karist-trooper", 4)
LIMITS: list[tuple[str, str, list[object], int, set[str]]] = [
    # faction, unit, options, points, rules broken inside the unit
    ("karist-enclave", "karist-troopers", [TROOPERS, "radwave-emitter", "cybel-lance"], 18, set()),
    (
        "karist-enclave",
        "karist-troopers",
        [
            option("karist-trooper-quintarch", 1, "pulse-carbine-mk2", "cybel-blade"),
            TROOPERS,
            "ripper-energy-grenade-launcher",
            "ripper-heavy-grenade-launcher",
        ],
        21,
        set(),
    ),
    (
        "karist-enclave",
        "karist-troopers",
        ["radwave-emitter", "ripper-energy-grenade-launcher"],
        12,
        {"option-choose-one"},
    ),
    ("karist-enclave", "karist-troopers", [option("cybel-lance", 2)], 14, {"option-choose-one"}),
    ("karist-enclave", "karist-troopers", [option("karist-trooper", 5)], 19, {"unit-size-max"}),
    ("karist-enclave", "karist-troopers", [option("karist-trooper", 1)], 7, {"unit-size-min"}),
    ("karist-enclave", "angel-minnow-pack", [option("angel-minnow", 6)], 12, set()),
    ("karist-enclave", "angel-minnow-pack", [option("angel-minnow", 7)], 14, {"unit-size-max"}),
    ("karist-enclave", "tempest-elites", [option("tempest-elite", 3), "coriolis-energy-launcher"], 23, set()),
    ("karist-enclave", "tempest-elites", ["coriolis-energy-launcher"], 13, {"option-listed-only"}),
    ("karist-enclave", "tempest-elites", [option("tempest-elite", 3), "hellstorm-energy-mortar"], 33, set()),
    (
        "karist-enclave",
        "tempest-elites",
        [option("tempest-elite", 3), "hellstorm-energy-mortar", "coriolis-energy-launcher"],
        35,
        {"option-listed-only"},
    ),
    (
        "karist-enclave",
        "karist-trooper-assault-squad",
        [TROOPERS, option("ripper-energy-grenade-launcher", 2), option("cybel-blade", 4, group="Trooper pistols")],
        20,
        set(),
    ),
    (
        "karist-enclave",
        "karist-trooper-assault-squad",
        [TROOPERS, option("ripper-energy-grenade-launcher", 3)],
        22,
        {"option-up-to-n"},
    ),
    (
        "karist-enclave",
        "karist-trooper-assault-squad",
        [
            TROOPERS,
            option("cybel-blade", 3, group="Trooper pistols"),
            option("cybel-blade", 2, group="Trooper carbines"),
        ],
        16,
        {"option-listed-only"},
    ),
    (
        "karist-enclave",
        "karist-trooper-assault-squad",
        [
            option(
                "karist-trooper-quintarch",
                1,
                option("cybel-blade", group="Carbine"),
                option("cybel-blade", group="Pistol"),
            )
        ],
        10,
        {"option-listed-only"},
    ),
    (
        "karist-enclave",
        "karist-praetorians",
        [
            option("praetorian-tetrarch", 1, option("cybel-glaive", group="Carbine")),
            option("praetorian", 4),
            option("cybel-glaive", group="Praetorian carbines"),
        ],
        27,
        set(),
    ),
    (
        "karist-enclave",
        "karist-praetorians",
        [
            option("praetorian-tetrarch", 1, option("cybel-glaive", group="Carbine")),
            option("praetorian", 4),
            option("cybel-glaive", 2, group="Praetorian carbines"),
        ],
        30,
        {"option-up-to-n"},
    ),
    ("karist-enclave", "angel-hellblasters", [option("angel-hellblaster", 5)], 20, {"unit-size-max"}),
    (
        "karist-enclave",
        "shadow-walkers",
        [option("shadow-walkers/unit", 1, "cybel-mines"), option("shadow-walkers/unit", 1)],
        25,
        set(),
    ),
    (
        "karist-enclave",
        "shadow-walkers",
        [option("shadow-walkers/unit", 1, option("cybel-mines", 2))],
        14,
        {"option-one-each-line"},
    ),
    ("karist-enclave", "karist-heavy-squad", [TROOPERS, option("cybel-lance", 2)], 22, set()),
    ("karist-enclave", "karist-heavy-squad", [TROOPERS, option("cybel-lance", 3)], 25, {"option-up-to-n"}),
    ("karist-enclave", "angel-keeper", ["ripper-rounds"], 10, set()),
    ("karist-enclave", "angel-keeper", [option("ripper-rounds", 2)], 11, {"option-one-each-line"}),
    (
        "artarian-remnant",
        "militus-skyrunner-prime",
        [option("combat-gauntlet", 2), option("vent-system", 2), "defensive-countermeasures"],
        30,
        set(),
    ),
    ("artarian-remnant", "militus-skyrunner-prime", [option("vent-system", 3)], 37, {"option-up-to-n"}),
    ("artarian-remnant", "militus-skyrunner-prime", [option("arc-splitter", 3)], 28, {"option-replace"}),
    (
        "artarian-remnant",
        "militus-warrior-prime",
        [option("conflagration-launcher", 2, group="Arms"), "lorican-field-generator", "prime-array", "vent-system"],
        39,
        set(),
    ),
    (
        "artarian-remnant",
        "militus-warrior-prime",
        [option("conflagration-launcher", group="Shoulder"), "prime-array", "vent-system"],
        36,
        {"option-footnote-cap"},
    ),
    ("artarian-remnant", "militus-warrior-prime", [option("prime-array", 2)], 31, {"option-max-per-model"}),
    ("artarian-remnant", "militus-warrior", ["enhanced-targeter", "target-tracker"], 22, set()),
    (
        "artarian-remnant",
        "militus-warrior",
        [option("arc-splitter", group="Shoulder"), "lorican-field-generator"],
        27,
        {"option-choose-one"},
    ),
    ("artarian-remnant", "nimbus-longshot-prime", ["lorican-boostpack", option("vent-system", 2)], 31, set()),
    ("artarian-remnant", "nimbus-longshot-prime", ["lorican-boostpack", "prime-array"], 29, {"option-listed-only"}),
    ("artarian-remnant", "nimbus-longshot", ["cloak-generator", "lorican-boostpack"], 24, {"option-choose-one"}),
    (
        "artarian-remnant",
        "nimbus-pathfinder",
        ["thermal-tracker", "pathfinder-array", "vent-system"],
        23,
        {"option-up-to-n"},
    ),
    ("artarian-remnant", "militus-dominator", [option("conflagration-launcher", 2, group="Shoulders")], 30, set()),
    ("artarian-remnant", "militus-dominator", [option("arc-splitter", 3, group="Shoulders")], 30, {"option-up-to-n"}),
    ("artarian-remnant", "militus-dominator", [option("arc-splitter", group="Shoulders")], 22, {"option-listed-only"}),
    ("broken", "forsaken-chieftain", [option("poisoned-blade", 2)], 6, set()),
    ("broken", "forsaken-chieftain", ["slug-pistol"], 8, {"option-footnote-cap"}),
    ("broken", "forsaken-chieftain", ["slug-rifle", "slug-pistol"], 8, {"option-footnote-cap"}),
    ("broken", "forsaken-chieftain", [option("beam-pistol", 3)], 8, {"option-up-to-n", "option-max-per-model"}),
    ("broken", "revolutionary-captain", ["beam-blastgun", "slug-pistol"], 13, {"option-choose-one"}),
    ("broken", "broken-rabble", [option("broken-rabble", 5), "auto-slugger", "glue-carbine"], 8, set()),
    ("broken", "broken-rabble", [option("auto-slugger", 2)], 7, {"option-max-per-model"}),
    ("broken", "broken-rabble", ["auto-slugger", "glue-carbine", "glue-rifle"], 7, {"option-up-to-n"}),
    ("broken", "broken-rabble", [option("broken-rabble", 5), "marsayan-hypnotist"], 8, {"unit-size-max"}),
    ("broken", "broken-rabble", [option("rabble-boss", 1, "slug-rifle", "slug-pistol")], 5, {"option-footnote-cap"}),
    ("broken", "rabble-fire-support", [option("broken-rabble", 5), option("longbeam-rifle", 3)], 13, set()),
    (
        "broken",
        "rabble-fire-support",
        [option("broken-rabble", 5), option("longbeam-rifle", 4)],
        15,
        {"option-up-to-n"},
    ),
    (
        "broken",
        "rabble-assault",
        [option("hakoyu-grand-master", 2), option("broken-rabble-with-massive-torch", 3), option("broken-rabble", 0)],
        19,
        set(),
    ),
    ("broken", "rabble-assault", [option("hakoyu-grand-master", 2), "marsayan-hypnotist"], 15, {"unit-size-max"}),
    ("broken", "rabble-assault", [option("broken-rabble-with-torch", 4)], 10, {"unit-size-max"}),
    ("broken", "gnolti", [option("gnolti/unit", 3)], 30, {"multi-unit-max"}),
    (
        "epirian-foundation",
        "journeyman-bot-handler",
        [option("maglock-dominator-pistol", 2), "spotter-micro-drone"],
        16,
        set(),
    ),
    ("epirian-foundation", "journeyman-bot-handler", [option("aux-grenade-launcher", 2)], 14, {"option-max-per-model"}),
    (
        "epirian-foundation",
        "master-bot-handler",
        [option("firefly-defender-drone", 4), "spotter-micro-drone"],
        30,
        set(),
    ),
    ("epirian-foundation", "master-bot-handler", [option("firefly-defender-drone", 5)], 33, {"unit-size-max"}),
    ("epirian-foundation", "master-bot-handler", ["cutter-light-machine-gun"], 19, {"option-listed-only"}),
    ("epirian-foundation", "command-scarecrow", ["overdrive-instead-of-rapid-fire"], 12, set()),
    ("epirian-foundation", "contractor-engineers", [option("contractor-engineer", 5)], 13, {"unit-size-max"}),
    (
        "epirian-foundation",
        "contractor-engineers",
        [
            option("contractor-team-leader", 1, "maglock-assault-rifle-with-aux-grenade-launcher", "shock-maul"),
            option("contractor-engineer", 4),
            option("maglock-assault-rifle-with-aux-grenade-launcher", group="Contractor rifles"),
        ],
        16,
        set(),
    ),
    (
        "epirian-foundation",
        "contractor-engineers",
        [
            option("contractor-team-leader", 1, "maglock-assault-rifle-with-aux-grenade-launcher"),
            option("maglock-assault-rifle-with-aux-grenade-launcher", 2, group="Contractor rifles"),
        ],
        13,
        {"option-up-to-n"},
    ),
    (
        "epirian-foundation",
        "spider-drones",
        [option("spider-drone", 5), option("apprentice-bot-handler", 0)],
        15,
        set(),
    ),
    (
        "epirian-foundation",
        "spider-drones",
        [option("spider-drone", 5), "apprentice-bot-handler"],
        20,
        {"unit-size-max"},
    ),
    ("epirian-foundation", "spider-drones", [option("spider-drone", 4), option("flakk-gun", 4)], 8, set()),
    ("epirian-foundation", "contractor-defenders", [option("contractor", 2), option("contractor-drone", 2)], 14, set()),
    (
        "epirian-foundation",
        "contractor-defenders",
        [option("contractor", 2), option("contractor-drone", 3)],
        18,
        {"unit-size-max"},
    ),
    (
        "epirian-foundation",
        "secdef-tactical-team",
        [option("secdef-infantry", 4), "araldyne-cg100-chaingun", "araldyne-lm14-machine-gun"],
        21,
        set(),
    ),
    (
        "epirian-foundation",
        "secdef-tactical-team",
        [option("araldyne-cg100-chaingun", 2)],
        14,
        {"option-max-per-model"},
    ),
    ("epirian-foundation", "secdef-tactical-team", [option("secdef-infantry", 2), "secdef-medic"], 14, set()),
    ("epirian-foundation", "secdef-tactical-team", [option("secdef-infantry", 1), "secdef-medic"], 14, set()),
    (
        "epirian-foundation",
        "scarecrow-snipers",
        [
            option(
                "scarecrow-snipers/unit", 1, "maglock-railrifle", "chemtek-sprayer", "overdrive-instead-of-rapid-fire"
            )
        ],
        7,
        set(),
    ),
    (
        "epirian-foundation",
        "scarecrow-snipers",
        [option("scarecrow-snipers/unit", 1, option("maglock-railrifle", 2))],
        11,
        {"option-max-per-model"},
    ),
    (
        "epirian-foundation",
        "contractor-suppression-team",
        [
            option("contractor", 3),
            option("subjugator", 1, option("clingfire-sprayer"), "chemtek-sprayer"),
            option("maglock-assault-rifle-with-aux-grenade-launcher", 2, group="Contractor rifles"),
            option("shock-maul", 3, group="Contractor pistols"),
        ],
        21,
        set(),
    ),
    (
        "epirian-foundation",
        "contractor-suppression-team",
        [option("shock-baton", 2, group="Contractor pistols"), option("shock-baton", group="Melee weapon")],
        7,
        {"option-listed-only"},
    ),
    (
        "epirian-foundation",
        "contractor-suppression-team",
        [option("contractor", 3), option("subjugator", 2)],
        19,
        {"unit-size-max"},
    ),
    ("epirian-foundation", "firefly-recon-drones", [option("firefly-drone", 6)], 24, {"unit-size-max"}),
    ("epirian-foundation", "contractor-scouts", [option("contractor-drone", 1, "resupply-package")], 8, set()),
    (
        "epirian-foundation",
        "secdef-rapid-intervention-team",
        [option("secdef-boostpack-infantry", 4), option("linked-araldyne-fg19-flakk-guns", 3)],
        27,
        {"option-up-to-n"},
    ),
    (
        "epirian-foundation",
        "hunter-class-warmech",
        [option("strike-missile-pod", 2), option("flakk-cannon", group="Arm 1"), option("flakk-cannon", group="Arm 2")],
        16,
        set(),
    ),
    (
        "epirian-foundation",
        "hunter-class-warmech",
        [option("cluster-missile-pod", 2), "strike-missile-pod"],
        20,
        {"option-up-to-n"},
    ),
    (
        "epirian-foundation",
        "hunter-class-warmech",
        [option("suppressor-dual-machine-gun", 2, group="Arm 1")],
        9,
        {"option-replace"},
    ),
    ("epirian-foundation", "heavy-defenders", [option("contractor", 2), option("maglock-chaingun", 2)], 16, set()),
    ("epirian-foundation", "heavy-defenders", [option("maglock-chaingun", 3)], 13, {"option-replace"}),
    ("epirian-foundation", "secdef-annihilator-team", [option("secdef-infantry", 2)], 22, set()),
    ("epirian-foundation", "secdef-annihilator-team", [option("secdef-infantry", 3)], 26, {"unit-size-max"}),
]


@pytest.mark.parametrize(("faction", "own", "options", "points", "broken"), LIMITS)
def test_options_cost_and_are_limited(
    faction: str, own: str, options: list[object], points: int, broken: set[str]
) -> None:
    report = report_on(FIRST, faction, {"unit": own, "options": options})
    assert (cost(report), inner_rules(report)) == (points, broken)


# ---- whom commanders admit ---------------------------------------------------------------------------------------

ROBOTS = {"spider-drones", "scarecrow-snipers", "firefly-recon-drones", "hunter-class-warmech"}
CONTRACTORS = {
    "contractor-engineers",
    "contractor-medics",
    "contractor-defenders",
    "contractor-suppression-team",
    "contractor-scouts",
    "heavy-defenders",
}
BARRED = {
    "angel-keeper": {
        "karist-troopers",
        "tempest-elites",
        "karist-trooper-assault-squad",
        "karist-praetorians",
        "shadow-walkers",
        "karist-heavy-squad",
    },
    "secdef-lieutenant": ROBOTS | CONTRACTORS,
    "command-scarecrow": CONTRACTORS
    | {"secdef-annihilator-team", "secdef-rapid-intervention-team", "secdef-tactical-team-core"},
    "journeyman-bot-handler": {"secdef-tactical-team-core"},
    "master-bot-handler": {"secdef-tactical-team-core"},
}


@pytest.mark.parametrize(
    ("faction", "commander"), [(faction, entry.id) for faction, entry in units(FIRST) if type_of(entry) == "command"]
)
def test_whom_a_commander_admits(faction: str, commander: str) -> None:
    others = [entry for of, entry in units(FIRST) if of == faction and type_of(entry) != "command"]
    unwanted = {
        entry.id
        for entry in others
        if "me1-force-additional-source"
        in {violation.rule for violation in report_on(FIRST, faction, commander, entry.id).errors}
    }
    assert unwanted == BARRED.get(commander, set())


# ---- the Militus Warrior Prime of the 2nd edition ----------------------------------------------------------------

RIFLES = (
    "arc-splitter",
    "aruval-phase-blade",
    "combat-gauntlet",
    "combat-gauntlet-w-reflex-shield",
    "conflagration-launcher",
    "incursion-blaster",
)
THIRD = ("arc-splitter", "conflagration-launcher", "incursion-blaster", "incursion-rifle", "loricran-field-generator")
UPGRADES = ("prime-array", "target-tracker", "vent-system")


def up_to_two(items: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for number in range(3):
        yield from combinations_with_replacement(items, number)


def swaps() -> Iterator[list[object]]:
    for names in up_to_two(RIFLES):
        yield [option(name, number, group="Rifles") for name, number in Counter(names).items()]


def additions() -> Iterator[list[object]]:
    for third, countermeasures, upgrades in product(("", *THIRD), (False, True), up_to_two(UPGRADES)):
        options: list[object] = [option(third, group="Third weapon or field")] if third else []
        options += ["defensive-countermeasures"] if countermeasures else []
        yield [*options, *(option(name, number) for name, number in Counter(upgrades).items())]


def militus(options: list[object]) -> Report:
    return report_on(SECOND, "artarian-remnant", {"unit": "militus-warrior-prime", "options": options})


def test_the_militus_costs_12_to_36_points() -> None:
    """The cheapest and the dearest legal swaps, with the cheapest and the dearest legal additions."""

    def by_cost(options: list[object]) -> int:
        return cost(militus(options))

    swapped = sorted((o for o in swaps() if not inner_rules(militus(o))), key=by_cost)
    added = sorted((o for o in additions() if not inner_rules(militus(o))), key=by_cost)
    assert (len(swapped), len(added)) == (28, 6 * 2 * 10 - 4 * 2 * 6 - 2 * 2 * 2)
    for place, points in ((0, 12), (-1, 36)):
        report = militus([*swapped[place], *added[place]])
        assert (cost(report), inner_rules(report)) == (points, set())


def test_the_command_value_grows_with_a_prime_array() -> None:
    with_array = report_on(SECOND, "artarian-remnant", {"unit": "militus-warrior-prime", "options": ["prime-array"]})
    assert cost(with_array, "command-value") == 2
    assert cost(report_on(SECOND, "artarian-remnant", "militus-warrior-prime"), "command-value") == 1
