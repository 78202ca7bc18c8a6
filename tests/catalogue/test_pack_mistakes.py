"""Every kind of mistake in a pack is found with file, line and a way to mend it."""

from pathlib import Path

import pytest

from catalogue.definitions.diagnostics import Diagnostic
from tests.catalogue.pack_files import GEAR, PACK, UNITS, pond, read_files

AFTER = UNITS.count("\n")
"""The line before the first line of a unit that a test adds."""


def found(folder: Path, diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str, int]]:
    """Return code, file and line of each finding; each must say what is wrong and what to do."""
    assert all(d.message and d.mend for d in diagnostics), [str(d) for d in diagnostics]
    return [(d.code, str(Path(d.file).relative_to(folder)), d.line) for d in diagnostics]


FROG = "- unit: Frog\n  type: crew\n  points: 3\n  cite: p. 5\n"


@pytest.mark.parametrize(
    ("lines", "code", "line", "hint"),
    [
        ("  pints: 3\n", "unknown-key", 5, "points"),
        ("  weapons: [Reed]\n", "unknown-key", 5, "carries"),
        ("  limit: 2\n", "wrong-type", 5, "limit: {roster: 2}"),
        ("  points: 4\n", "duplicate-key", 5, ""),
        ("  about:\n", "empty-value", 5, ""),
        ("  options: [{option: Stone, only when: if 8 models}]\n", "unknown-name", 5, "models"),
        ("  options: [{option: Stone, only when: at least 2 modles}]\n", "unknown-name", 5, "models"),
        ("  keywords: [Wett]\n", "unknown-name", 5, "wet"),
        ("  carries: [Reeed]\n", "unknown-item", 5, "Reed"),
        ("  abilities: [Crok]\n", "unknown-ability", 5, "Croak"),
        ("  profile: [1]\n", "wrong-columns", 5, "MV, AV"),
        ("  profile: {MV: 1, EV: 2}\n", "unknown-column", 5, "MV"),
        ("  tables: {damage: {1 left: [x]}}\n", "unknown-table", 5, ""),
        ("  unique: maybe\n", "wrong-type", 5, ""),
        ("  models: [{model: Froglet, count: many}]\n", "bad-range", 5, ""),
        ("  models: [{model: Froglet, count: 8-5}]\n", "min-over-max", 5, "5-8"),
        ("  models: [{model: Froglet, count: [1, 2]}]\n", "wrong-type", 5, ""),
        ("  options: [{Stone: two}]\n", "bad-number", 5, ""),
        ("  options: [{Stone: +1, Reed: +2}]\n", "wrong-form", 5, "option"),
        ("  options: [Stone, Stone]\n", "duplicate-id", 5, ""),
        ("  options: [Stoone]\n", "no-effect", 5, "Stone"),
        ("  options: [{option: Stone, only when: at least many crew}]\n", "bad-number", 5, ""),
        ("  options: [{option: Stone, only when: at least 2 cru}]\n", "unknown-name", 5, "crew"),
        ("  options: [{option: Stone, only when: 2 crew in pond life}]\n", "unknown-name", 5, ""),
        ("  options: [{option: Stone, only when: crew in detachmant}]\n", "unknown-scope", 5, "detachment"),
        ("  options: [{option: Stone, needs: Leef}]\n", "unknown-name", 5, ""),
        ("  options: [{option: Stone, limits: [{when: crew}]}]\n", "missing-key", 5, "at most"),
        ("  options: [{option: Stone, limits: [{at least: 2, at most: 1}]}]\n", "min-over-max", 5, ""),
        ("  options: [{option: Stone, removes: [Croak]}]\n", "unknown-name", 5, ""),
        ("  profile: [1, 2]\n  options: [{option: Stone, changes: {AW: +1}}]\n", "unknown-column", 6, "AV"),
        ("  options: [{choose: one}]\n", "missing-key", 5, "from"),
        (
            "  options: [{choose: 3, from: [{option: Stone, up to: 1}, {option: Leaf, up to: 1}]}]\n",
            "min-over-max",
            5,
            "",
        ),
        ("  options: [{choose: one, default: Thorn, from: [Stone, Leaf]}]\n", "unknown-name", 5, ""),
        ("  options: [{choose: one, default: [Stone, Leaf], from: [Stone, Leaf]}]\n", "two-defaults", 5, ""),
        ("  options: [{choose: up to one, default: Stone, from: [Stone, Leaf]}]\n", "idle-default", 5, ""),
        ("  options: [{swap: Reed, for: [Stone]}]\n", "unknown-name", 5, "carries"),
        ("  options: [{list: Bag}]\n", "unknown-list", 5, "lists"),
        ("  allows: {crow: 1-2}\n", "unknown-name", 5, "crew"),
        ("  allows: {crew: 1+}\n", "bad-range", 5, ""),
        ("  bars: [Tode]\n", "unknown-name", 5, "toad"),
        ("  limit: {army: 1}\n", "unknown-scope", 5, "roster"),
        ("  only joined: yes\n", "no-effect", 1, "joins"),
        ("  rules: [{rule: r, count: crew, at most: 1}]\n", "missing-key", 5, "name"),
        ("  prices: [{points: 2}]\n", "missing-key", 5, "when"),
        ("  id: Not An Id\n", "bad-id", 5, "not-an-id"),
        ("- {unit: Toad, type: crew, points: 1, cite: p. 5}\n", "duplicate-id", 5, ""),
        ("- {unit: Eft, type: cru, points: 1, cite: p. 5}\n", "unknown-name", 5, "crew"),
        ("- {unit: Eft, points: 1, cite: p. 5}\n", "missing-key", 5, "type"),
        ("- {unit: Eft, type: crew, points: 1}\n", "missing-citation", 5, "cite"),
        ('- {unit: Eft, type: crew, points: 1, cite: "book, Here, There, p. 5"}\n', "wrong-form", 5, "cite"),
        ("- {unit: Eft, type: crew, points: 1, cite: {book: bok, page: 5}}\n", "unknown-book", 5, "book"),
        ("- {unit: Eft, type: help, points: 1, cite: p. 5}\n", "missing-key", 5, "joins"),
        ("- {unit: Eft, type: help, points: 1, cite: p. 5, joins: [Tode]}\n", "unknown-name", 5, "toad"),
        ('- {unit: "!!", type: crew, points: 1, cite: p. 5}\n', "bad-id", 5, "id"),
    ],
)
def test_in_a_unit(tmp_path: Path, lines: str, code: str, line: int, hint: str) -> None:
    diagnostics = pond(tmp_path, FROG + lines).diagnostics
    assert (code, "units.yaml", AFTER + line) in found(tmp_path, diagnostics)
    assert any(d.code == code and hint in d.mend for d in diagnostics), [str(d) for d in diagnostics]


def test_a_price_is_looked_for_among_the_costs_of_the_pack(tmp_path: Path) -> None:
    pack = PACK.replace("costs: [points]", "costs: [gold]")
    units = UNITS.replace("points:", "gold:") + FROG.replace("points:", "price:")
    diagnostics = read_files(tmp_path, {"pack.yaml": pack, "units.yaml": units}).diagnostics
    mends = [d.mend for d in diagnostics if d.code == "unknown-key"]
    assert mends
    assert not any("points" in mend for mend in mends)


def test_what_most_of_a_type_have_was_likely_forgotten(tmp_path: Path) -> None:
    whole = "".join(f"- {{unit: Frog {n}, type: crew, points: 3, cite: p. 5, profile: [1, 2]}}\n" for n in range(3))
    bare = "- unit: Newt\n  type: crew\n  cite: p. 5\n  models: [{model: Young, carries: [Reed]}]\n"
    boss = "- {unit: Boss toad, type: boss, cite: p. 6}\n"
    reading = pond(tmp_path, whole + bare + boss)
    assert not reading.errors
    assert found(tmp_path, reading.diagnostics) == [
        ("no-profile", "units.yaml", 4),
        ("no-price", "units.yaml", AFTER + 4),
        ("no-profile", "units.yaml", AFTER + 7),
    ]


@pytest.mark.parametrize(
    ("old", "new", "code", "hint"),
    [
        ("pack: pond", "pack: Pond Life", "bad-id", "pond-life"),
        ("pack: pond\n", "", "missing-key", "pack"),
        ("books: {book: The Pond Book}", "books: {bock: The Pond Book}", "unknown-book", "bock"),
        ("types: {boss", "tips: {boss", "unknown-key", "types"),
        ("keywords: [Wet, Loud]", "keywords: [Wet, Wet]", "duplicate-id", ""),
        ("for: models", "for: mdels", "wrong-form", "models"),
        ("slots: [boss, crew]", "slots: [boss, crow]", "unknown-name", "crew"),
        ("cite: p. 2, slots", "slots", "", ""),
        ("size min: p-size-min", "size mini: p-size-min", "unknown-key", "size min"),
        ("factions: [Frogs]", "factions: [Frogs]\ncolours: [green, red]", "bad-colour", "#"),
        (
            "factions: [Frogs]",
            "factions: [Frogs]\npresets: [{preset: A, limits: {pints: 3}}]",
            "unknown-cost",
            "points",
        ),
        (
            "factions: [Frogs]",
            "factions: [Frogs]\npresets: [{preset: A, detachments: [pund]}]",
            "unknown-detachment",
            "pond",
        ),
        (
            "costs: [points]",
            "costs: [points]\nrules: [{rule: r, name: N, text: T, cite: p. 1, count: crew}]",
            "missing-key",
            "at most",
        ),
        (
            "costs: [points]",
            "costs: [points]\nrules: [{rule: r, name: N, text: T, cite: p. 1, count: 3, at most: 3}]",
            "wrong-form",
            "count",
        ),
        (
            "costs: [points]",
            "costs: [points]\nrules: [{rule: r, name: N, text: T, cite: p. 1, count: crew, at most: 3, in: house}]",
            "unknown-scope",
            "roster",
        ),
        (
            "costs: [points]",
            "costs: [points]\nrules: [{rule: r, name: N, text: T, cite: p. 1, count: crew, at most: 3, severity: bad}]",
            "wrong-form",
            "error",
        ),
        (
            "costs: [points]",
            "costs: [points]\nrules: [{rule: r, name: N, text: T, count: crew, at most: 3, for each: boss}]",
            "no-effect",
            "each",
        ),
        (
            "costs: [points]",
            "costs: [points]\nrules: [{rule: r, name: N, text: T, cite: p. 1, count: 2 x crew, at most: 3}]",
            "wrong-form",
            "",
        ),
        (
            "cite: book, Start, p. 1",
            "cite: book\nrules: [{rule: r, name: N, text: T, count: crew, at most: 3}]",
            "missing-citation",
            "cite",
        ),
        ("slots: [boss, crew]", "slots: [boss, crew], factions: [Frigs]", "unknown-name", "frogs"),
    ],
)
def test_in_the_pack_file(tmp_path: Path, old: str, new: str, code: str, hint: str) -> None:
    assert old in PACK
    text = PACK.replace(old, new, 1)
    diagnostics = read_files(tmp_path, {"pack.yaml": text}).diagnostics
    here = [d for d in diagnostics if d.code == code and Path(d.file).name == "pack.yaml" and hint in d.mend]
    assert bool(here) == bool(code), [str(d) for d in diagnostics]
    assert all(d.line for d in here)


@pytest.mark.parametrize(
    ("file", "text", "code", "line"),
    [
        ("gear.yaml", GEAR + "- {ability: Dive, cite: p. 3}\n", "missing-key", 11),
        ("gear.yaml", GEAR + "- {ability: Croak, text: Again., cite: p. 3}\n", "duplicate-id", 11),
        ("gear.yaml", GEAR.replace("profile: [3, 1], ", ""), "missing-key", 3),
        ("gear.yaml", GEAR.replace("cite: book\n", ""), "missing-citation", 2),
        ("units.yaml", UNITS.replace("faction: frogs", "faction: frags"), "unknown-faction", 1),
        ("units.yaml", UNITS.replace("units:", "unit:"), "unknown-key", 3),
        (
            "more.yaml",
            "cite: book\nlists:\n- {list: A, from: [{list: B}]}\n- {list: B, from: [{list: A}]}\n",
            "cyclic-reference",
            3,
        ),
        ("more.yaml", "cite: book\ncards:\n- {card: A, text: T, cite: p. 1}\n", "unknown-name", 3),
        ("more.yaml", "cite: book\ndecks:\n- {deck: A, type: crew, cards: 3, cite: p. 1}\n", "empty-deck", 3),
        (
            "more.yaml",
            'cite: "book, p. 1"\ndecks:\n- {deck: A, type: crew, cards: 3, copies: 1}\ncards: [{card: C}]\n',
            "min-over-max",
            3,
        ),
        ("more.yaml", "- a\n- b\n", "wrong-type", 1),
        ("lists/a.yaml", "list: 1\nexpect: fine\n", "wrong-form", 2),
        ("lists/a.yaml", "list: 1\n", "missing-key", 1),
        ("lists/a.yaml", "list: 1\nexpect: legal\nbreaks: [r]\n", "odd-verdict", 2),
    ],
)
def test_in_other_files(tmp_path: Path, file: str, text: str, code: str, line: int) -> None:
    assert (code, file, line) in found(tmp_path, read_files(tmp_path, {file: text}).diagnostics)


def test_all_mistakes_are_found_at_once(tmp_path: Path) -> None:
    reading = pond(
        tmp_path,
        FROG + "  pints: 3\n  keywords: [Wett]\n  options: [{Stone: two}]\n",
        PACK.replace("slots: [boss, crew]", "slots: [boss, crow]"),
        **{"lists/a.yaml": "list: 1\n"},
    )
    assert sorted(code for code, _, _ in found(tmp_path, reading.diagnostics)) == [
        "bad-number",
        "missing-key",
        "unknown-key",
        "unknown-name",
        "unknown-name",
    ]


def test_a_pack_with_a_mistake_is_not_used(tmp_path: Path) -> None:
    reading = pond(tmp_path, FROG + "  pints: 3\n")
    assert (reading.pack, reading.data) == (None, None)


@pytest.mark.parametrize(
    ("asked", "is_known"),
    [
        ("at least 2 models in unit", False),
        ("at least 5 points in roster", False),
        ("no weapons in unit", False),
        ("at least 1 units in host", False),
        ("chosen raid as orders", False),
        ("wet", True),
        ("at least 2 crew in roster", True),
        ("croak ability in unit", True),
        ("army of frogs", True),
        ("joined", True),
    ],
)
def test_a_set_depends_only_on_what_is_known_before_it(tmp_path: Path, asked: str, is_known: bool) -> None:
    plan = "plan: {questions: [{question: Orders, answers: [Raid, Hold], cite: p. 9}]}\n"
    reading = read_files(tmp_path, {"pack.yaml": f"{PACK}{plan}sets: [{{set: Pair, of: crew, when: {asked}}}]\n"})
    assert [d.code for d in reading.diagnostics] == ([] if is_known else ["unanswerable"])


@pytest.mark.parametrize("use", ["Leap (0)", "Leap (+0)"])
def test_a_reminder_for_numbers_above_zero_is_warned_of(tmp_path: Path, use: str) -> None:
    reading = pond(tmp_path, FROG + f"  abilities: [{use}]\n")
    assert [d.code for d in reading.diagnostics] == ["zero-in-text"]
    assert "text at zero" in reading.diagnostics[0].mend
    assert reading.data is not None


def test_a_warning_does_not_keep_a_pack_from_being_used(tmp_path: Path) -> None:
    reading = pond(tmp_path, FROG + "  options: [Stoone]\n")
    assert [d.code for d in reading.diagnostics] == ["no-effect"]
    assert reading.errors == ()
    assert reading.data is not None
