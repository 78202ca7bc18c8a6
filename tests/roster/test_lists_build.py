"""List documents build the same lists as a user of the builder."""

import pytest

from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluate import evaluate
from roster.engine.tree import Force, RosterTree, Selection, count_forces
from roster.formats.list_document import Media, Unreadable, build_list, fill, read_list
from roster.formats.list_document.nodes import UnreadableError
from roster.formats.list_document.values import Candidate, Text, resolve_name
from roster.formats.list_text import MAX_DETACHMENTS, MAX_PARTS
from tests.roster.small_game import compiled


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return compiled()


def built(ruleset: Ruleset, text: str) -> RosterTree | Unreadable:
    document = read_list(text.encode(), Media.YAML)
    if isinstance(document, Unreadable):
        return document
    found = build_list(ruleset, document, "marsh")
    return found if isinstance(found, Unreadable) else found.roster


def units(ruleset: Ruleset, text: str) -> tuple[Selection, ...]:
    head = "list: 1\ngame: fenland\nfaction: marsh\ndetachments:\n- detachment: column\n  units:\n"
    roster = built(ruleset, head + text)
    assert isinstance(roster, RosterTree), roster
    return roster.forces[0].selections


def shape(node: Selection | Force) -> dict[str, object]:
    """Return the content of a selection: name to number, or to number and content."""
    return {
        s.entry_id: (s.number, shape(s)) if s.selections else s.number
        for s in sorted(node.selections, key=lambda s: s.entry_id)
    }


def test_a_unit_without_options_has_its_minimums_and_defaults(ruleset: Ruleset) -> None:
    warden, cutters = units(ruleset, "  - warden\n  - unit: cutters\n")
    assert shape(warden) == {"sabre": 1}
    assert shape(cutters) == {"cutter": 5}


def test_naming_another_member_of_a_group_replaces_its_default(ruleset: Ruleset) -> None:
    (warden,) = units(ruleset, "  - {unit: warden, options: [pistol, lamp]}\n")
    assert shape(warden) == {"lamp": 1, "pistol": 1}


def test_an_option_keeps_its_automatic_number_unless_counted(ruleset: Ruleset) -> None:
    first, second = units(
        ruleset,
        "  - {unit: cutters, options: [cutter, nets]}\n  - {unit: cutters, options: [{option: cutter, count: 7}]}\n",
    )
    assert shape(first) == {"cutter": 5, "nets": 1}
    assert shape(second) == {"cutter": 7}


def test_count_zero_drops(ruleset: Ruleset) -> None:
    (warden,) = units(ruleset, "  - {unit: warden, options: [{option: sabre, count: 0}]}\n")
    assert shape(warden) == {}


def test_models_with_choices_of_their_own_are_told_apart(ruleset: Ruleset) -> None:
    (crew,) = units(
        ruleset,
        "  - {unit: crew, options: [{option: sailor, count: 1, options: [hook]}, {option: sailor, count: 2}]}\n",
    )
    inside = [(s.entry_id, s.number, shape(s)) for s in crew.selections]
    assert inside == [("sailor", 1, {"hook": 1}), ("sailor", 2, {})]


def test_options_of_all_alike(ruleset: Ruleset) -> None:
    (crew,) = units(ruleset, "  - {unit: crew, options: [{option: sailor, options: [hook]}]}\n")
    assert [(s.number, shape(s)) for s in crew.selections] == [(1, {"hook": 1}), (1, {"hook": 1})]


def test_names_will_do_whatever_their_case_and_accents(ruleset: Ruleset) -> None:
    (warden,) = units(ruleset, "  - {unit: WARDEN, options: [old  Relic], name: Anna, notes: Brave}\n")
    assert warden.entry_id == "warden"
    assert (warden.custom_name, warden.notes) == ("Anna", "Brave")
    assert shape(warden) == {"old-relic": 1, "sabre": 1}


def test_nested_detachments_names_limits_and_notes(ruleset: Ruleset) -> None:
    roster = built(
        ruleset,
        """
list: 1
game: fenland
name: Low water
notes: |
  Two
  lines
limits: {points: 90, rations: 4.5}
detachments:
- detachment: Column
  name: First
  categories: [{category: Core, notes: wet feet}]
  units: [warden]
  detachments: [{detachment: escort, catalogue: weir, units: [Hands]}]
""",
    )
    assert isinstance(roster, RosterTree)
    assert roster.name == "Low water"
    assert roster.notes == "Two\nlines"
    assert {limit.type_id: str(limit.value) for limit in roster.limits} == {"points": "90", "rations": "4.5"}
    column = roster.forces[0]
    assert column.custom_name == "First"
    assert column.category_notes[0].notes == "wet feet"
    assert [f.entry_id for f in column.forces] == ["escort"]
    assert column.forces[0].selections[0].entry_id == "weir-hands"


def test_limits_of_the_game_hold_unless_lifted(ruleset: Ruleset) -> None:
    plain = built(ruleset, "list: 1\ngame: fenland\n")
    lifted = built(ruleset, "list: 1\ngame: fenland\nlimits: {points: none}\n")
    assert isinstance(plain, RosterTree)
    assert isinstance(lifted, RosterTree)
    assert [limit.value for limit in plain.limits] == [100]
    assert not [limit for limit in lifted.limits if limit.value >= 0]


def test_what_is_built_can_be_judged(ruleset: Ruleset) -> None:
    roster = built(ruleset, "list: 1\ngame: fenland\ndetachments: [{detachment: column, units: [warden, giants]}]\n")
    assert isinstance(roster, RosterTree)
    assert {(v.code, v.rule) for v in evaluate(ruleset, roster).violations} == {("maximum", "fen-columns")}


@pytest.mark.parametrize(
    ("text", "code", "line", "given", "suggestion"),
    [
        ("detachments: [{detachment: colum}]", "unknown-detachment", 3, "colum", "column"),
        ("detachments:\n- detachment: column\n  units:\n  - wardn", "unknown-unit", 6, "wardn", "warden"),
        (
            "detachments:\n- detachment: column\n  units:\n  - unit: warden\n    options:\n    - pistl",
            "unknown-option",
            8,
            "pistl",
            "pistol",
        ),
        ("limits: {pints: 3}", "unknown-cost-type", 3, "pints", "points"),
        ("limits: {points: -3}", "not-a-number", 3, "-3", ""),
        ("limits: {points: .nan}", "not-a-number", 3, ".nan", ""),
        ("limits: {points: 99999999999}", "not-a-number", 3, "99999999999", ""),
        ("detachments: [{detachment: column, catalogue: wier}]", "unknown-faction", 3, "wier", "weir"),
        ("detachments: [{detachment: column, units: [{unit: warden, count: -1}]}]", "not-a-number", 3, "-1", ""),
        ("detachments: [{detachment: column, units: [{unit: warden, count: 9999}]}]", "count-too-high", 3, "9999", ""),
        ("detachments: [{detachment: column, units: [{unit: warden, group: x}]}]", "unknown-group", 3, "x", ""),
        ("detachments: [{detachment: column, unit: [warden]}]", "unknown-key", 3, "unit", "units"),
        ("points: 12", "unknown-key", 3, "points", "total"),
        ("units: [warden]", "unknown-key", 3, "units", "detachments"),
        ("detachments: [{units: []}]", "missing-key", 3, "detachment", ""),
        ("detachments: [column]", "not-fields", 3, "column", "detachment"),
        ("detachments: {a: 1}", "not-items", 3, "", ""),
        ("name: [x]", "not-text", 3, "", ""),
        ("exact: perhaps", "not-a-truth", 3, "perhaps", ""),
        (f"name: {'x' * 101}", "text-too-long", 3, "101", ""),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    ruleset: Ruleset, text: str, code: str, line: int, given: str, suggestion: str
) -> None:
    found = built(ruleset, f"list: 1\ngame: fenland\n{text}\n")
    assert isinstance(found, Unreadable)
    assert (found.code, found.line, found.given) == (code, line, given)
    assert suggestion in (*found.suggestions, "")


def test_the_form_and_the_game_are_needed(ruleset: Ruleset) -> None:
    for text, code in (("game: x", "missing-key"), ("list: 2\ngame: x", "unknown-form"), ("list: 1", "missing-key")):
        found = built(ruleset, text)
        assert isinstance(found, Unreadable)
        assert found.code == code


@pytest.mark.parametrize("exact", ["yes", "no"])
def test_more_than_a_list_holds_is_not_begun(ruleset: Ruleset, exact: str) -> None:
    units_of_it = ", ".join(["warden"] * MAX_PARTS)
    found = built(
        ruleset,
        f"list: 1\ngame: fenland\nexact: {exact}\ndetachments: [{{detachment: column, units: [{units_of_it}]}}]\n",
    )
    assert isinstance(found, Unreadable)
    assert (found.code, found.given, found.detail) == ("too-large", str(MAX_PARTS + 1), str(MAX_PARTS))


@pytest.mark.parametrize("exact", ["yes", "no"])
def test_one_detachment_more_than_a_list_holds_is_refused(ruleset: Ruleset, exact: str) -> None:
    def build(number: int) -> RosterTree | Unreadable:
        detachments = ", ".join(["{detachment: column}"] * number)
        return built(ruleset, f"list: 1\ngame: fenland\nexact: {exact}\ndetachments: [{detachments}]\n")

    most = build(MAX_DETACHMENTS)
    assert isinstance(most, RosterTree)
    assert count_forces(most) == MAX_DETACHMENTS
    found = build(MAX_DETACHMENTS + 1)
    assert isinstance(found, Unreadable)
    assert (found.code, found.given, found.detail) == ("too-many-detachments", "61", "60")


def test_reading_ends_where_what_comes_along_is_too_much(ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fill, "MAX_PARTS", 4)
    found = built(
        ruleset, "list: 1\ngame: fenland\ndetachments: [{detachment: column, units: [cutters, cutters, cutters]}]\n"
    )
    assert isinstance(found, Unreadable)
    assert (found.code, found.given) == (
        "too-large",
        "5",
    )  # a column, two units with their cutters: the third is not read


@pytest.mark.parametrize(
    ("given", "suggestion"),
    [("Daemon Prnce", "Daemon Prince"), ("marsh-gaurd", "marsh-guard"), ("Marsh Gard", "marsh-guard")],
)
def test_suggestions_are_words(given: str, suggestion: str) -> None:
    """Ids created by programs mean nothing to a reader, so names are suggested."""
    known = [
        Candidate("prince", ("c5a2-5d3b-99c9-7b99",), "Daemon Prince"),
        Candidate("guard", ("marsh-guard",), "Marsh Guard"),
    ]
    with pytest.raises(UnreadableError) as refused:
        resolve_name(Text(given), known, "unknown-unit")
    assert refused.value.unreadable.suggestions == (suggestion,)


def test_ids_are_known_in_any_case() -> None:
    known = [Candidate("guard", ("marsh/guard", "guard"), "Reed Guard"), Candidate("other", ("marsh/other",), "Other")]
    assert resolve_name(Text("Marsh/Guard"), known, "unknown-unit") == "guard"
