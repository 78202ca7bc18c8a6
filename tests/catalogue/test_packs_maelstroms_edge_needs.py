"""Features for Maelstrom's Edge: swaps by some models, the agreed limit, further tables, places by faction."""

from pathlib import Path

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.diagnostics import Diagnostic
from catalogue.formats.packs.load import read_pack
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.evaluate import evaluate
from roster.engine.report import Report
from roster.formats.list_document import BuiltList, Unreadable, build_list, read_list

HEAD = """
pack: small-pack
name: Small
version: "1"
books: {rules: {name: Rules}}
cite: rules, Everything
factions: [North, South]
types: [command, core]
costs:
- cost: points
  limit rule: {rule: points, name: Points, text: No more than agreed.}
profiles:
  models: {for: models, columns: [MV, AV]}
  weapons: {for: weapons, columns: [RNG, PEN]}
  old weapons: {columns: [RNG, DAM]}
rules:
- {rule: left, name: Left, text: Points are left., severity: remark, in: roster, count: points, at least: points limit}
detachments:
- detachment: Standard
  slots: [command, core]
  allowances:
    leader: command
    too few: {rule: few, name: Few, text: Too few.}
    too many: {rule: many, name: Many, text: Too many.}
    nobody allows: {rule: nobody, name: Nobody, text: Nobody allows it.}
built-in rules:
  swap: {rule: swap, name: Swaps, text: Only what is carried.}
  choose one: {rule: one, name: One, text: Only one.}
weapons:
- {weapon: Gun, profile: [18, 3]}
- {weapon: Saw, profile: {RNG: CQ}, tables: {old weapons: {Saw: [CQ, 2]}}}
- {weapon: Torch, profile: [6, 2]}
"""

NORTH = """
faction: north
cite: rules, p. 2
units:
- {unit: Duke, type: command, points: 9, profile: [5, 4], allows: {core: 1-2}, bars: [Hermit]}
- {unit: Hermit, type: core, points: 3, profile: [4, 1]}
- unit: Squad
  type: core
  points: 10
  models:
  - {model: Leader, profile: [6, 3], carries: [Gun]}
  - {model: Trooper, count: 2-4, points: 3, profile: [6, 3], carries: [Gun]}
  options:
  - swap: Gun
    by: Trooper
    name: Arms
    for:
    - Saw: +1
    - choose: up to one
      name: Heavy
      from:
      - Torch: +2
"""

DRONES = """
- unit: Drones
  type: core
  points: 11
  models:
  - choose: 3-5
    default: Handler
    from:
    - {model: Drone, count: 2-5, points: 3, profile: [6, 3]}
    - {model: Handler, up to: 1, points: 5, profile: [6, 3]}
"""

SOUTH = """
faction: south
cite: rules, p. 3
units:
- {unit: Abbess, type: command, points: 8, profile: [5, 2], allows: {core: 0-1}}
- {unit: Novices, type: core, points: 6, profile: [5, 1]}
"""


def pack(tmp_path: Path, north: str = NORTH) -> tuple[DataSet | None, tuple[Diagnostic, ...]]:
    for name, text in (("pack.yaml", HEAD), ("north.yaml", north), ("south.yaml", SOUTH), ("NOTICE", "Ours.")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    reading = read_pack(tmp_path)
    return reading.data, reading.diagnostics


def rules(tmp_path: Path) -> Ruleset:
    data, found = pack(tmp_path)
    assert data is not None, found
    return compile_ruleset(data)


def judged(ruleset: Ruleset, units: str, points: str = "none") -> Report:
    text = (
        f"list: 1\ngame: small-pack\nfaction: north\nlimits: {{points: {points}}}\ndetachments:\n"
        f"- {{detachment: standard, units: {units}}}\n"
    )
    document = read_list(text.encode())
    assert not isinstance(document, Unreadable), document
    built = build_list(ruleset, document, "north")
    assert isinstance(built, BuiltList), built
    return evaluate(ruleset, *built)


def broken(report: Report) -> set[str]:
    return {violation.rule for violation in report.violations}


def squad(options: str, troopers: int = 2) -> str:
    return f"[duke, {{unit: squad, options: [{{option: trooper, count: {troopers}}}, {options}]}}]"


class TestSwapBy:
    def test_as_many_as_those_models_carry(self, tmp_path: Path) -> None:
        ruleset = rules(tmp_path)
        assert broken(judged(ruleset, squad("{option: saw, count: 2}"))) == set()
        assert broken(judged(ruleset, squad("{option: saw, count: 3}"))) == {"swap"}

    def test_what_a_choice_in_a_swap_takes_counts_too(self, tmp_path: Path) -> None:
        ruleset = rules(tmp_path)
        assert broken(judged(ruleset, squad("saw, torch"))) == set()
        assert broken(judged(ruleset, squad("{option: saw, count: 2}, torch"))) == {"swap"}
        assert broken(judged(ruleset, squad("{option: torch, count: 2}"))) == {"one"}

    def test_a_model_that_is_not_there_is_reported(self, tmp_path: Path) -> None:
        _, found = pack(tmp_path, NORTH.replace("by: Trooper", "by: Troper"))
        assert "Did you mean “Trooper”?" in {d.mend for d in found if d.code == "unknown-name"}


class TestLimitAsANoun:
    def test_points_left_are_remarked_on(self, tmp_path: Path) -> None:
        report = judged(rules(tmp_path), squad(""), points="25")
        assert [(v.rule, v.measured, v.allowed) for v in report.violations] == [("left", 19, 25)]
        assert report.verdict == "legal"

    def test_without_a_limit_or_without_points_left_nothing_is_said(self, tmp_path: Path) -> None:
        ruleset = rules(tmp_path)
        assert broken(judged(ruleset, squad(""), points="19")) == set()
        assert broken(judged(ruleset, squad(""))) == set()


def test_a_weapon_may_have_rows_in_further_tables(tmp_path: Path) -> None:
    data, _ = pack(tmp_path)
    assert data is not None
    saw = next(info for info in data.catalogues[0].shared_infos if info.name == "Saw")
    rows = [(row.type_name, [c.value for c in row.characteristics]) for row in saw.infos]
    assert rows == [("weapons", ["CQ", ""]), ("old weapons", ["CQ", "2"])]


def test_what_a_unit_bars_tells_only_its_own_faction_apart(tmp_path: Path) -> None:
    data, _ = pack(tmp_path)
    assert data is not None
    marks = {category.id for category in data.catalogues[0].categories if category.id.startswith("open-to/")}
    assert marks == {"open-to/core/core", "open-to/core/core+core-for-duke"}


def test_a_book_whose_id_begins_with_a_p_is_no_page(tmp_path: Path) -> None:
    head = HEAD.replace("books: {rules: {name: Rules}}", "books: {rules: {name: Rules}, preview: {name: Preview}}")
    (tmp_path / "pack.yaml").write_text(head, encoding="utf-8")
    (tmp_path / "north.yaml").write_text(NORTH.replace("rules, p. 2", "preview, p. 2"), encoding="utf-8")
    (tmp_path / "NOTICE").write_text("Ours.", encoding="utf-8")
    data = read_pack(tmp_path).data
    assert data is not None
    duke = next(entry for entry in data.catalogues[1].entries if entry.id == "duke")
    assert (duke.citation.publication_id, duke.citation.page) == ("preview", "2")


def test_the_printed_price_covers_all_that_a_pool_of_models_needs(tmp_path: Path) -> None:
    data, found = pack(tmp_path, NORTH + DRONES)
    assert data is not None, found
    ruleset = compile_ruleset(data)
    report = judged(ruleset, "[duke, drones]")
    assert [cost.value for cost in report.costs if cost.type_id == "points"] == [9 + 11]
    report = judged(
        ruleset, "[duke, {unit: drones, options: [{option: drone, count: 3}, {option: handler, count: 0}]}]"
    )
    assert [cost.value for cost in report.costs if cost.type_id == "points"] == [9 + 9]


def test_a_file_may_say_that_all_its_units_are_provisional(tmp_path: Path) -> None:
    data, found = pack(tmp_path, "provisional: Figures from elsewhere." + NORTH)
    assert data is not None, found
    said = {note.subject_id: note.text for note in data.catalogues[1].unchecked if note.code == "provisional"}
    assert said == dict.fromkeys(("duke", "hermit", "squad"), "Figures from elsewhere.")
    assert not data.catalogues[2].unchecked


def test_one_faction_may_be_asked_of_some_lists_only(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(
        HEAD + "one faction: {rule: one-faction, name: One, text: One faction., when: standard}\n", encoding="utf-8"
    )
    (tmp_path / "NOTICE").write_text("Ours.", encoding="utf-8")
    data = read_pack(tmp_path).data
    assert data is not None
    rule = next(c for c in data.game_system.constraints if c.rule == "one-faction")
    counted = [condition.query.child_id for guard in rule.when.guards for condition in guard.conditions]
    assert (counted, len(rule.when.conditions)) == (["standard"], 1)
