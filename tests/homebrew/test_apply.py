"""House rules over data: every line is applied or refused with its reason, and nothing else changes."""

from dataclasses import replace
from decimal import Decimal
from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, CatalogueLink, DataSet
from catalogue.definitions.constraints import Constraint
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
from catalogue.definitions.infos import Characteristic, Info, InfoKind
from catalogue.definitions.link_index import walk_entries
from catalogue.definitions.queries import Bound, Change, Condition, Guard, Modifier, Operator, Query, Repeat, Scope
from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.ruleset import compile_ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.evaluate import evaluate
from roster.formats.homebrew.apply import apply_homebrew, read_price
from roster.formats.homebrew.document import (
    MOST_LINES,
    ChangedField,
    ChangedValue,
    CopiedUnit,
    Homebrew,
    read_homebrew,
    write_homebrew,
)
from roster.formats.list_document import Unreadable
from roster.services.homebrew import merge_lines
from roster.services.homebrew_values import ChangeableValue, find_line, read_values
from tests.shipped_packs import read_shipped

MARSH, SCOUTS = "marsh-compact", "heron-scouts"
UNIT, MODEL = f"{SCOUTS}/unit", f"{SCOUTS}/unit/scout"


@cache
def reeds() -> DataSet:
    data = read_shipped(SHIPPED / "reeds_and_rust" / "first").data
    assert data is not None
    return data


def change(field: ChangedField, was: str, to: str, *, entry: str = UNIT, **more: str) -> ChangedValue:
    return ChangedValue(catalogue=MARSH, entry=entry, name="Heron Scouts", field=field.value, was=was, to=to, **more)


def rules(*changes: ChangedValue, units: tuple[CopiedUnit, ...] = ()) -> Homebrew:
    return Homebrew(name="Sluice club rules", game="reeds-and-rust", units=units, changes=changes)


OTTERS = CopiedUnit(catalogue=MARSH, unit="otter-runners", of=SCOUTS, name="Otter Runners", cited_page="2")
POINTS = change(ChangedField.COST, "8", "9", id="points")


def find(data: DataSet, entry_id: str) -> Entry:
    return next(
        entry
        for catalogue in data.catalogues
        for entry in walk_entries((*catalogue.entries, *catalogue.shared_entries))
        if entry.id == entry_id
    )


def list_refusals(homebrew: Homebrew, data: DataSet | None = None) -> list[tuple[str, str]]:
    return [(one.code, one.given) for one in apply_homebrew(data or reeds(), homebrew).refused]


def test_a_price_is_changed_and_nothing_else() -> None:
    applied = apply_homebrew(reeds(), rules(POINTS))
    assert applied.refused == ()
    assert [cost.value for cost in find(applied.data, UNIT).costs] == [9]
    assert applied.data.game_system.homebrew == "Sluice club rules"
    assert applied.data.game_system.overlay_name == "Sluice club rules"

    before = {entry.id: entry for catalogue in reeds().catalogues for entry in walk_entries(catalogue.entries)}
    after = {entry.id: entry for catalogue in applied.data.catalogues for entry in walk_entries(catalogue.entries)}
    assert {key for key in before if before[key] != after[key]} == {SCOUTS, UNIT}
    assert before.keys() == after.keys()


def test_each_kind_of_value_can_be_changed() -> None:
    changed = rules(
        change(ChangedField.STAT, "7", "8", entry=MODEL, id=f"{MODEL}~profile", column="models/mv"),
        change(ChangedField.LIMIT, "3", "4", entry=MODEL, id=f"{MODEL}#max"),
        change(ChangedField.MOST, "", "1", entry=SCOUTS),
        change(ChangedField.NEEDS, "", "2", entry=SCOUTS, id="punt-crew", column="detachment"),
        change(ChangedField.NAME, "Heron Scouts", "Otter Scouts", entry=SCOUTS),
        change(ChangedField.SLOT, "Vanguard", "Core", entry=SCOUTS),
        change(ChangedField.KEYWORD, "Signal", ""),
        change(ChangedField.KEYWORD, "", "River"),
        change(ChangedField.KEYWORD, "", "Otter kin"),
        change(ChangedField.ABILITY, "Hard to hit", ""),
        change(ChangedField.ABILITY, "", "Marsh born", text="Water is open ground for this unit."),
        change(ChangedField.OPTION, "", "Net throwers", points="1"),
        change(ChangedField.OPTION, "On foot", "", id=f"{UNIT}/on-foot"),
    )
    applied = apply_homebrew(reeds(), changed)
    assert applied.refused == ()
    root, unit, model = (find(applied.data, key) for key in (SCOUTS, UNIT, MODEL))
    assert root.name == "Otter Scouts"
    assert next(link.target_id for link in root.categories if link.primary) == "core"
    assert {link.target_id for link in unit.categories} == {"keyword/human", "keyword/river", "homebrew/otter kin"}
    assert [info.name for info in unit.infos] == ["Scout", "Marsh born"]
    assert [(inner.name, [cost.value for cost in inner.costs]) for inner in unit.entries][1:] == [("Net throwers", [1])]
    assert model.infos[0].characteristics[0].value == "8"
    assert [one.value for one in model.constraints] == [3, 4]
    assert any(one.id == "homebrew/heron-scouts#most" and one.value == 1 for one in root.constraints)
    need = next(one for one in root.constraints if one.id == "homebrew/heron-scouts#needs/detachment/punt-crew")
    assert (need.bound, need.value, need.query.scope, need.query.child_id) == (Bound.MIN, 2, Scope.FORCE, "punt-crew")
    assert compile_ruleset(applied.data).diagnostics == compile_ruleset(reeds()).diagnostics


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        (change(ChangedField.COST, "7", "9", id="points"), ("value-differs", "8")),
        (change(ChangedField.COST, "7", "8", id="points"), ("value-already", "8")),
        (change(ChangedField.COST, "8", "8", id="points"), ("no-change", "")),
        (change(ChangedField.COST, "8", "nine", id="points"), ("not-a-value", "nine")),
        (change(ChangedField.COST, "8", "1e99", id="points"), ("not-a-value", "1e99")),
        (change(ChangedField.COST, "8", "9", id="gold"), ("value-gone", "")),
        (change(ChangedField.COST, "8", "9", entry="heron", id="points"), ("entry-gone", "heron")),
        (replace(POINTS, catalogue="the-sea"), ("catalogue-gone", "")),
        (change(ChangedField.STAT, "7", "8", id="no~profile", column="models/mv"), ("entry-gone", "no~profile")),
        (change(ChangedField.STAT, "7", "8", id=f"{MODEL}~profile", column="models/iq"), ("value-gone", "")),
        (change(ChangedField.LIMIT, "3", "2", entry=MODEL, id=f"{MODEL}#max"), ("below-other", "3")),
        (change(ChangedField.LIMIT, "3", "4", entry=MODEL, id=f"{MODEL}#min"), ("above-other", "3")),
        (change(ChangedField.LIMIT, "3", "-4", entry=MODEL, id=f"{MODEL}#min"), ("not-a-value", "-4")),
        (change(ChangedField.KEYWORD, "Sea", ""), ("value-gone", "")),
        (change(ChangedField.KEYWORD, "", "human"), ("value-already", "human")),
        (change(ChangedField.SLOT, "Vanguard", "Boats", entry=SCOUTS), ("unknown-slot", "Boats")),
        (change(ChangedField.ABILITY, "", "Sings"), ("needs-text", "Sings")),
        (change(ChangedField.OPTION, "Boat", ""), ("value-gone", "")),
        (change(ChangedField.NAME, "Heron Scouts", "", entry=SCOUTS), ("not-a-value", "")),
        (change(ChangedField.NEEDS, "", "1", entry=SCOUTS, id="dragon", column="list"), ("entry-gone", "dragon")),
        (change(ChangedField.NEEDS, "", "0", entry=SCOUTS, id="punt-crew", column="list"), ("not-a-value", "0")),
        (change(ChangedField.NEEDS, "", "1", entry=SCOUTS, id="punt-crew", column="sea"), ("value-gone", "")),
        (change(ChangedField.NEEDS, "1", "2", entry=SCOUTS, id="punt-crew", column="list"), ("value-gone", "")),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(line: ChangedValue, refusal: tuple[str, str]) -> None:
    applied = apply_homebrew(reeds(), rules(line))
    assert [(one.code, one.given) for one in applied.refused] == [refusal]
    assert applied.refused[0].line is line
    # The rest of the rules still applies, and the list says that a line does not.
    assert [note.code for note in applied.data.game_system.unchecked][-1:] == ["homebrew-refused"]
    assert find(applied.data, MODEL) == find(reeds(), MODEL)


@pytest.mark.parametrize("place", ["list", "detachment"])
def test_a_unit_needs_another_one_of_the_data_or_of_the_same_rules(place: str) -> None:
    for needed, units in (("punt-crew", ()), ("otter-runners", (OTTERS,))):
        line = change(ChangedField.NEEDS, "", "1", entry=SCOUTS, id=needed, column=place)
        applied = apply_homebrew(reeds(), rules(line, units=units))
        assert applied.refused == ()
        ruleset = compile_ruleset(applied.data)
        force = edits.add_force(ruleset, edits.create_roster(ruleset).roster, "standard", MARSH)
        assert isinstance(force, EditedRoster)
        shown: list[bool] = []
        tree = force.roster
        # Without the unit nothing is needed; with it, the other one is, until it is taken.
        for entry_id in ("", SCOUTS, needed):
            taken = edits.select(ruleset, tree, force.created[0], entry_id) if entry_id else force
            assert isinstance(taken, EditedRoster)
            tree = taken.roster
            shown.append(any(one.name == line.name for one in evaluate(ruleset, tree).violations))
        assert shown == [False, True, False], needed


CUTTER, BROKER, FOOT = "reed-cutters/cutter", "eel-broker", f"{UNIT}/on-foot"
MODEL_STAT = {"id": f"{MODEL}~profile", "column": "models/mv"}


def most(entry: str, to: str, **more: str) -> ChangedValue:
    return change(ChangedField.MOST, "", to, entry=entry, **more)


def need(of: str, to: str, place: str = "list") -> ChangedValue:
    return change(ChangedField.NEEDS, "", to, entry=SCOUTS, id=of, column=place)


def limit(bound: str, was: str, to: str) -> ChangedValue:
    return change(ChangedField.LIMIT, was, to, entry=CUTTER, id=f"{CUTTER}#{bound}")


def option(was: str, to: str, **more: str) -> ChangedValue:
    return change(ChangedField.OPTION, was, to, **more)


def keyword(was: str, to: str) -> ChangedValue:
    return change(ChangedField.KEYWORD, was, to)


@pytest.mark.parametrize(
    ("lines", "refusals"),
    [
        # The same value twice, whatever the lines say in keys that their field ignores.
        ((POINTS, change(ChangedField.COST, "8", "10", id="points")), [(1, "contradicts", "9")]),
        ((POINTS, change(ChangedField.COST, "8", "10", id="points", column="x")), [(1, "contradicts", "9")]),
        ((most(SCOUTS, "1", id="1"), most(SCOUTS, "2", id="5")), [(1, "contradicts", "1")]),
        ((most(SCOUTS, "1"), most(BROKER, "2")), []),
        ((need("punt-crew", "1"), need("punt-crew", "1", "detachment"), need(BROKER, "1")), []),
        ((need("punt-crew", "1"), need("punt-crew", "2")), [(1, "contradicts", "1")]),
        # A profile is found by its id alone, but an entry must be its own.
        ((change(ChangedField.STAT, "7", "8", entry="nonsense", **MODEL_STAT),), [(0, "entry-gone", "nonsense")]),
        ((change(ChangedField.STAT, "7", "8", entry="punt-crew", **MODEL_STAT),), [(0, "value-gone", "")]),
        (
            (
                change(ChangedField.STAT, "7", "8", entry=MODEL, **MODEL_STAT),
                change(ChangedField.STAT, "8", "9", entry="", **MODEL_STAT),
            ),
            [(1, "contradicts", "8")],
        ),
        # Names are values, too.
        ((keyword("", "River"), keyword("", "Sea")), []),
        ((keyword("", "River"), keyword("", "river!")), [(1, "contradicts", "River")]),
        ((keyword("Signal", ""), keyword("signal", "Sea")), [(1, "removed", "Signal")]),
        ((keyword("Signal", "Sea"), keyword("Sea", "")), [(1, "value-gone", "")]),
        ((option("On foot", "", id=FOOT),), []),
        ((option("On foot", ""),), []),
        ((option("On stilts", "", id=FOOT),), [(0, "value-differs", "On foot")]),
        ((option("On stilts", ""),), [(0, "value-gone", "")]),
        (
            (option("On stilts", "", id=FOOT), option("On foot", "", id=FOOT)),
            [(0, "value-differs", "On foot"), (1, "removed", "On stilts")],
        ),
        ((option("Charm Seller", "", entry="punt-crew", id="punt-crew/charm-seller"),), []),
        ((option("", "on foot"),), [(0, "value-already", "on foot")]),
        ((option("On foot", "", id=FOOT), option("", "On foot", points="2")), []),
        # The heading of a group is not an option.
        ((option("", "Weapons", entry="reed-cutters"),), []),
        # Lines only take out what the data has, whichever line comes first.
        ((option("On foot", "Net", id=FOOT), option("Net", "")), [(1, "value-gone", "")]),
        ((option("Net", ""), option("On foot", "Net", id=FOOT)), [(0, "value-gone", "")]),
        ((option("", "Net"), option("", "Net!")), [(1, "contradicts", "Net")]),
        ((option("", "Net"), option("", "Spear")), []),
        # What a line takes out has no values, whichever line comes first.
        (
            (option("On foot", "", id=FOOT), change(ChangedField.COST, "-3", "2", entry=FOOT, id="points")),
            [(1, "removed", "On foot")],
        ),
        ((most(FOOT, "1"), option("On foot", "", id=FOOT)), [(0, "removed", "On foot")]),
        # A limit leaves room for the data's other limits and for those of other lines.
        ((most(CUTTER, "4"),), [(0, "below-other", "5")]),
        ((most(CUTTER, "5"),), []),
        ((most(CUTTER, "4"), limit("min", "5", "4")), []),
        ((most(CUTTER, "4"), limit("min", "5", "9")), [(0, "below-other", "5"), (1, "above-other", "4")]),
        ((limit("min", "5", "9"),), [(0, "above-other", "8")]),
        ((limit("min", "5", "9"), limit("max", "8", "9")), []),
        ((need(BROKER, "3"), most(BROKER, "2")), [(1, "below-other", "3")]),
        ((most(BROKER, "2"), need(BROKER, "3")), [(1, "above-other", "2")]),
        ((most(BROKER, "3"), need(BROKER, "3")), []),
        ((need("night-ferry", "2", "detachment"),), [(0, "above-other", "1")]),
        ((need("night-ferry", "2"), need("night-ferry", "1", "detachment")), []),
        ((need("dredger", "2"),), [(0, "above-other", "1")]),
        ((need("dredger", "1"),), []),
    ],
)
def test_lines_against_each_other_and_the_data(
    lines: tuple[ChangedValue, ...], refusals: list[tuple[int, str, str]]
) -> None:
    applied = apply_homebrew(reeds(), rules(*lines))
    places = {id(line): place for place, line in enumerate(lines)}
    assert [(places[id(one.line)], one.code, one.given) for one in applied.refused] == refusals
    # A refused line leaves nothing behind.
    kept = [line for place, line in enumerate(lines) if place not in [place for place, _code, _given in refusals]]
    alone = apply_homebrew(reeds(), rules(*kept))
    assert alone.refused == ()
    for catalogue, other in zip(applied.data.catalogues, alone.data.catalogues, strict=True):
        assert (catalogue.entries, catalogue.shared_entries) == (other.entries, other.shared_entries)


def test_the_id_of_a_new_option_must_be_free() -> None:
    taken = replace(OTTERS, unit=f"{UNIT}/homebrew/net")
    assert list_refusals(rules(option("", "Net"), units=(taken,))) == [("id-taken", taken.unit)]
    assert list_refusals(rules(option("", "Net"), units=(replace(taken, unit=f"{UNIT}/net"),))) == []


def test_data_without_a_faction_ignores_its_lines() -> None:
    part = DataSet(catalogues=tuple(one for one in reeds().catalogues if one.id != MARSH))
    assert apply_homebrew(part, rules(POINTS), is_partial=True).refused == ()
    assert list_refusals(rules(POINTS), part) == [("catalogue-gone", "")]


def test_new_data_refuses_what_it_changed_itself() -> None:
    raised = apply_homebrew(reeds(), rules(change(ChangedField.COST, "8", "10", id="points"))).data
    assert list_refusals(rules(POINTS), raised) == [("value-differs", "10")]
    settled = apply_homebrew(reeds(), rules(POINTS)).data
    assert list_refusals(rules(POINTS), settled) == [("value-already", "9")]


def test_a_copied_unit_can_be_taken_and_its_changes_do_not_reach_the_original() -> None:
    copied_model = f"otter-runners/{MODEL}"
    homebrew = rules(
        change(ChangedField.COST, "8", "11", entry=f"otter-runners/{UNIT}", id="points"),
        change(
            ChangedField.STAT, "7", "8", entry=copied_model, id=f"otter-runners/{MODEL}~profile", column="models/mv"
        ),
        units=(OTTERS,),
    )
    applied = apply_homebrew(reeds(), homebrew)
    assert applied.refused == ()
    assert find(applied.data, SCOUTS) == find(reeds(), SCOUTS)

    ruleset = compile_ruleset(applied.data)
    catalogue = ruleset.find_catalogue(MARSH)
    assert catalogue
    root = catalogue.root_options.find_at("otter-runners", "")
    assert root
    assert root.entry.name == "Otter Runners"
    assert ruleset.smallest.sum_costs(root.entry)["points"] == 11
    roster = edits.create_roster(ruleset).roster
    force = edits.add_force(ruleset, roster, "standard", MARSH)
    assert isinstance(force, EditedRoster)
    taken = edits.select(ruleset, force.roster, force.created[0], "otter-runners")
    assert isinstance(taken, EditedRoster)
    report = evaluate(ruleset, taken.roster)
    assert [cost.value for cost in report.costs if cost.type_id == "points"] == [11]
    assert not [violation for violation in report.violations if violation.code == "unknown-entry"]


@pytest.mark.parametrize(
    ("unit", "refusal"),
    [
        (replace(OTTERS, unit=SCOUTS), ("id-taken", SCOUTS)),
        (replace(OTTERS, of="heron"), ("entry-gone", "heron")),
        (replace(OTTERS, catalogue="the-sea"), ("catalogue-gone", "")),
    ],
)
def test_units_that_cannot_be_copied(unit: CopiedUnit, refusal: tuple[str, str]) -> None:
    assert list_refusals(rules(units=(unit,))) == [refusal]


def test_every_unit_of_every_pack_can_be_copied() -> None:
    copied = 0
    for folder in sorted(SHIPPED.glob("*/*/pack.yaml")):
        data = read_shipped(folder.parent).data
        assert data
        units = tuple(
            CopiedUnit(catalogue=catalogue.id, unit=f"copy-{number}", of=entry.id, name="A copy")
            for catalogue in data.catalogues
            for number, entry in enumerate(catalogue.entries[:4])
        )
        applied = apply_homebrew(data, rules(units=units))
        assert applied.refused == ()
        assert compile_ruleset(applied.data).diagnostics == compile_ruleset(data).diagnostics
        copied += len(units)
    assert copied > 50


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=20)
LINES = st.builds(
    ChangedValue,
    catalogue=st.sampled_from([MARSH, "iron-weir", "elsewhere"]),
    name=TEXTS,
    entry=st.sampled_from([SCOUTS, UNIT, MODEL, f"{UNIT}/on-foot", "otter", ""]),
    field=st.sampled_from([field.value for field in ChangedField]),
    id=st.sampled_from(["points", f"{MODEL}#max", f"{MODEL}#min", f"{MODEL}~profile", f"{UNIT}/on-foot", SCOUTS, ""]),
    column=st.sampled_from(["models/mv", "list", "detachment", ""]),
    was=st.sampled_from(["8", "7", "3", "Heron Scouts", "Signal", "Vanguard", "On foot", ""]),
    to=st.one_of(st.sampled_from(["9", "2", "Core", ""]), TEXTS),
    points=st.sampled_from(["", "1", "x"]),
    text=TEXTS,
    why=TEXTS,
    source=TEXTS,
    cited_page=TEXTS,
)


@given(st.lists(LINES, max_size=6), st.booleans())
def test_any_rules_are_applied_or_refused_and_survive_writing(lines: list[ChangedValue], with_unit: bool) -> None:
    homebrew = rules(*lines, units=(OTTERS,) if with_unit else ())
    assert read_homebrew(write_homebrew(homebrew).encode()) == homebrew
    applied = apply_homebrew(reeds(), homebrew)
    refused = [one.line for one in applied.refused]
    assert all(any(line is one for one in homebrew.lines) for line in refused)
    assert len(refused) <= len(homebrew.lines)
    # The result is data like any other, and the same again.
    assert apply_homebrew(reeds(), homebrew) == applied
    assert msgspec.json.decode(msgspec.json.encode(applied.data), type=DataSet) == applied.data
    kept = [line for line in lines if not any(line is one for one in refused)]
    assert apply_homebrew(reeds(), replace(homebrew, changes=tuple(kept))).refused == ()


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "empty", 0),
        ("homebrew: 2\nname: A\ngame: b", "unknown-form", 1),
        ("homebrew: 1\ngame: b", "missing-key", 1),
        ("homebrew: 1\nname: ''\ngame: b", "missing-key", 2),
        ("homebrew: 1\nname: A\ngame: b\nchanges:\n- {in: a, name: ' ', field: most}", "missing-key", 5),
        ("homebrew: 1\nname: A\ngame: b\nchanges:\n- {in: a, name: b, field: colour}", "unknown-field", 5),
        ("homebrew: 1\nname: A\ngame: b\ncode: x", "unknown-key", 4),
        ("homebrew: 1\nname: !!python/object:os.system A\ngame: b", "tag", 2),
        (f"homebrew: 1\nname: {'A' * 101}\ngame: b", "text-too-long", 2),
        ("homebrew: 1\nname: A\ngame: b\nunits: [{in: a, name: b, unit: " + "u" * 201 + "}]", "text-too-long", 4),
        (f"homebrew: 1\nname: A\ngame: b\nsource: {'A' * 100_000}", "too-big", 0),
        (
            "homebrew: 1\nname: A\ngame: b\nchanges:\n" + "- {in: a, name: b, field: most, to: 1}\n" * (MOST_LINES + 1),
            "too-big",
            0,
        ),
    ],
)
def test_bad_documents_say_the_line(text: str, code: str, line: int) -> None:
    unreadable = read_homebrew(text.encode())
    assert isinstance(unreadable, Unreadable)
    assert (unreadable.code, unreadable.line) == (code, line)


# ---- data of the community, where units are links ------------------------------------------------------------------


def linked_game() -> DataSet:
    """A faction that offers a unit of a library by a link with another price."""
    system = Catalogue(
        id="sys",
        name="Toy wars",
        kind=CatalogueKind.GAME_SYSTEM,
        cost_types=(CostType(id="pts", name="pts"),),
        categories=(Category(id="hq", name="HQ"),),
        forces=(ForceEntry(id="patrol", name="Patrol"),),
    )
    profile = Info(
        id="stats",
        kind=InfoKind.PROFILE,
        name="Guard",
        type_id="model",
        characteristics=(Characteristic(type_id="m", name="M", value="6"),),
    )
    sword = Entry(id="sword", name="Sword", costs=(Cost(type_id="pts", value=Decimal("2.5")),))
    target = Entry(
        id="guard",
        name="Guard",
        type=EntryType.UNIT,
        costs=(Cost(type_id="pts", value=10),),
        categories=(CategoryLink(id="c", target_id="hq", primary=True),),
        infos=(Info(id="to-stats", kind=InfoKind.LINK, target_id="stats"),),
        entries=(sword,),
        constraints=(Constraint(id="swords", bound=Bound.MAX, value=1, query=Query(child_id="sword")),),
    )
    library = Catalogue(
        id="lib", name="Library", kind=CatalogueKind.LIBRARY, shared_entries=(target,), shared_infos=(profile,)
    )
    link = Entry(
        id="link", kind=EntryKind.ENTRY_LINK, target_id="guard", name="Guard", costs=(Cost(type_id="pts", value=12),)
    )
    faction = Catalogue(
        id="fac", name="Faction", kind=CatalogueKind.FACTION, entries=(link,), links=(CatalogueLink(target_id="lib"),)
    )
    return DataSet(catalogues=(system, faction, library))


def priced_game() -> DataSet:
    """The linked game, in which a second guard is dearer, a guard with a sword cheaper, and swords get dearer by the
    copy.
    """
    system, faction, library = linked_game().catalogues
    second = Query(scope=Scope.ROSTER, child_id="guard", deep=True)
    armed = Query(scope=Scope.SELF, child_id="sword")
    modifiers = (
        Modifier(change=Change.SET, field="pts", value="20", guard=ask(Condition(Operator.AT_LEAST, second, 2))),
        Modifier(change=Change.DECREMENT, field="pts", value="1.0", repeats=((Repeat(query=armed),),)),
    )
    guard = library.shared_entries[0]
    sword = msgspec.structs.replace(
        guard.entries[0], modifiers=(Modifier(change=Change.CUMULATIVE_ADD, field="pts", value="1"),)
    )
    priced = msgspec.structs.replace(guard, modifiers=modifiers, entries=(sword,))
    return DataSet(catalogues=(system, faction, msgspec.structs.replace(library, shared_entries=(priced,))))


def ask(*conditions: Condition) -> Guard:
    return Guard(guards=(Guard(conditions=conditions),))


def read_prices(data: DataSet, unit: str = "link::guard") -> tuple[list[ChangeableValue], list[str]]:
    values, fixed = read_values(compile_ruleset(data), "fac", unit)
    return [one for one in values if one.field == ChangedField.PRICE], fixed


def test_prices_under_conditions_are_changed_and_the_conditions_stay() -> None:
    data = priced_game()
    prices, fixed = read_prices(data)
    labels = [(one.label, one.value) for one in prices]
    assert labels == [("pts if Guard in a list ≥ 2", "20"), ("fewer pts × Sword", "1")]
    assert fixed == ["Sword"]
    applied = apply_homebrew(data, rules(prices[0].write_line("25"), prices[1].write_line("2")))
    assert applied.refused == ()
    before, after = (find(one, "guard") for one in (data, applied.data))
    assert [one.value for one in after.modifiers] == ["25", "2"]
    assert [(one.change, one.guard, one.repeats) for one in after.modifiers] == [
        (one.change, one.guard, one.repeats) for one in before.modifiers
    ]
    # The same lines fit the data that has them, or another price, only as far as they say.
    assert list_refusals(rules(prices[0].write_line("25")), applied.data) == [("value-already", "25")]
    assert list_refusals(rules(prices[0].write_line("30")), applied.data) == [("value-differs", "25")]
    assert list_refusals(rules(prices[0].write_line("many")), data) == [("not-a-value", "many")]
    assert list_refusals(rules(prices[0].write_line("25")), linked_game()) == [("value-gone", "")]

    # A copy has the conditions of its own.
    unit = CopiedUnit(catalogue="fac", unit="mine", of="link", name="My guard")
    copied = apply_homebrew(data, rules(units=(unit,)))
    own, _fixed = read_prices(copied.data, "mine")
    assert [one.value for one in own] == ["20", "1"]
    changed = apply_homebrew(data, rules(own[0].write_line("26"), units=(unit,)))
    assert changed.refused == ()
    assert [read_price(one) for one in find(changed.data, "mine").modifiers] == ["26", "1"]
    assert [read_price(one) for one in find(changed.data, "guard").modifiers] == ["20", "1"]


def test_a_linked_unit_is_copied_whole() -> None:
    data = linked_game()
    unit = CopiedUnit(catalogue="fac", unit="mine", of="link", name="My guard")
    more = {"catalogue": "fac", "name": "My guard"}
    lines = (
        ChangedValue(entry="mine", field="cost", id="pts", was="12", to="15", **more),
        ChangedValue(entry="mine/sword", field="cost", id="pts", was="2.5", to="3", **more),
        ChangedValue(entry="mine", field="stat", id="mine/to-stats", column="m", was="6", to="7", **more),
    )
    applied = apply_homebrew(data, rules(*lines, units=(unit,)))
    assert applied.refused == ()
    copied = find(applied.data, "mine")
    assert (copied.kind, copied.name) == (EntryKind.ENTRY, "My guard")
    assert [(cost.type_id, cost.value) for cost in copied.costs] == [("pts", 15)]
    assert copied.constraints[0].query.child_id == "mine/sword"
    assert copied.infos[0].characteristics[0].value == "7"
    assert find(applied.data, "guard") == find(data, "guard")
    assert applied.data.catalogues[2] == data.catalogues[2]
    assert compile_ruleset(applied.data).diagnostics == compile_ruleset(data).diagnostics


def test_a_shared_profile_is_changed_for_all() -> None:
    more = {"catalogue": "lib", "name": "Guard, M", "id": "stats", "column": "m"}
    line = ChangedValue(field="stat", was="6", to="5", **more)
    applied = apply_homebrew(linked_game(), rules(line))
    assert applied.refused == ()
    assert applied.data.catalogues[2].shared_infos[0].characteristics[0].value == "5"


def test_a_line_that_does_not_name_the_entry_of_a_profile_is_found_by_its_value() -> None:
    values, _fixed = read_values(compile_ruleset(reeds()), MARSH, SCOUTS)
    (value,) = (one for one in values if one.field == ChangedField.STAT and one.write_line("").column == "models/mv")
    line = value.write_line("9")
    for stored in (line, replace(line, entry="")):
        assert find_line([POINTS, stored], value) == stored
        assert list_refusals(rules(stored)) == []
    assert find_line([POINTS, replace(line, column="models/other")], value) is None


def test_profiles_of_one_id_are_changed_each_for_its_own_entry() -> None:
    system, faction, library = linked_game().catalogues
    guard = library.shared_entries[0]
    stats = msgspec.structs.replace(library.shared_infos[0], id="twin")
    units = [msgspec.structs.replace(guard, id=name, name=name, infos=(stats,), entries=()) for name in ("one", "two")]
    # Each has a profile of its own, as two elements of a file are.
    units[1] = msgspec.structs.replace(units[1], infos=(msgspec.structs.replace(stats, name="Other"),))
    data = DataSet(catalogues=(system, msgspec.structs.replace(faction, entries=tuple(units)), library))
    ruleset = compile_ruleset(data)
    lines = []
    for unit, to in (("one", "7"), ("two", "8")):
        (value,) = (one for one in read_values(ruleset, "fac", unit)[0] if one.field == ChangedField.STAT)
        lines.append(value.write_line(to))
    applied = apply_homebrew(data, rules(*lines))
    assert applied.refused == ()
    shown = [find(applied.data, unit).infos[0].characteristics[0].value for unit in ("one", "two")]
    assert shown == ["7", "8"]
    assert merge_lines(rules(lines[0]), lines[1:]) == rules(*lines)
    # A line without an entry is about the first.
    assert list_refusals(rules(*lines, replace(lines[0], entry="")), data) == [("contradicts", "7")]
    assert list_refusals(rules(lines[1], replace(lines[0], entry="")), data) == []


def test_a_limit_of_one_link_leaves_the_rest_to_the_others() -> None:
    def offer(most: Query) -> DataSet:
        """Offer the guard twice. A list needs three of them, and takes at most five by the first link."""
        system, faction, library = linked_game().catalogues
        link = faction.entries[0]
        limit = Constraint(id="most", bound=Bound.MAX, value=5, query=most)
        need = Constraint(id="least", bound=Bound.MIN, value=3, query=Query(scope=Scope.ROSTER, deep=True))
        guard = msgspec.structs.replace(library.shared_entries[0], constraints=(need,))
        links = (msgspec.structs.replace(link, constraints=(limit,)), msgspec.structs.replace(link, id="other"))
        catalogues = (
            system,
            msgspec.structs.replace(faction, entries=links),
            msgspec.structs.replace(library, shared_entries=(guard,)),
        )
        return DataSet(catalogues=catalogues)

    def judge(data: DataSet, *picks: str) -> list[object]:
        ruleset = compile_ruleset(data)
        made = edits.add_force(ruleset, edits.create_roster(ruleset).roster, "patrol", "fac")
        assert isinstance(made, EditedRoster)
        tree = made.roster
        for pick in picks:
            taken = edits.select(ruleset, tree, made.created[0], pick)
            assert isinstance(taken, EditedRoster)
            tree = taken.roster
        return [violation.code for violation in evaluate(ruleset, tree).violations]

    line = ChangedValue(catalogue="fac", entry="link", name="Guard", field="limit", id="most", was="5", to="2")
    for most in (
        Query(scope=Scope.ROSTER, deep=True, shared=False),
        Query(scope=Scope.ROSTER, deep=True, child_id="link"),
        Query(),
    ):
        applied = apply_homebrew(offer(most), rules(line))
        assert applied.refused == (), most
        assert judge(applied.data, "link::guard", "link::guard", "other::guard") == [], most
        assert judge(applied.data, *["link::guard"] * 3) != [], most
    # A limit of all links does leave no room.
    assert list_refusals(rules(line), offer(Query(scope=Scope.ROSTER, deep=True))) == [("below-other", "3")]
