"""Small packs for single tests."""

from collections.abc import Mapping
from pathlib import Path

from catalogue.definitions.entries import Entry
from catalogue.formats.packs.load import read_pack
from catalogue.formats.packs.pack import LoadedPack
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.evaluate import evaluate
from roster.engine.report import Report
from roster.formats.list_document import Unreadable, build_list, read_list

PACK = """\
pack: pond
name: Pond
version: "1"
books: {book: The Pond Book}
cite: book, Start, p. 1
factions: [Frogs]
types: {boss: Boss, crew: Crew, help: {name: Help, inside: yes}}
keywords: [Wet, Loud]
costs: [points]
profiles:
  models: {for: models, columns: [MV, AV]}
  weapons: {for: weapons, columns: [RNG, DAM]}
built-in rules:
  size min: p-size-min
  size max: p-size-max
  option once: p-once
  option limit: p-limit
  choose one: p-one
  choose several: p-several
  choose at least: p-least
  swap: p-swap
  footnote: p-footnote
  only when: p-when
  not with: p-not
  needs: p-needs
  unique: p-unique
  limit per roster: p-rare
  limit per detachment: p-scarce
  units in selection: p-units
  add-on quantity: p-help-number
  add-on one kind: p-help-kind
  add-on size: p-help-size
detachments:
- {detachment: Pond, cite: p. 2, slots: [boss, crew]}
"""

GEAR = """\
cite: book
weapons:
- {weapon: Reed, profile: [3, 1], cite: p. 3}
- {weapon: Stone, profile: [6, 2], cite: p. 3}
- {weapon: Thorn, profile: [1, 2], cite: p. 3}
gear:
- {gear: Leaf, text: Keeps the rain off., cite: p. 3}
abilities:
- {ability: Leap, text: "Moves {} further.", cite: p. 3}
- {ability: Croak, text: Is heard., cite: p. 3}
"""

UNITS = """\
faction: frogs
cite: book
units:
- unit: Toad
  type: crew
  points: 5
  cite: p. 4
"""


def read_files(folder: Path, files: Mapping[str, str]) -> LoadedPack:
    """Return the pack of the usual files and `files`; a file with a blank text is left out."""
    usual = {"NOTICE": "Invented.", "pack.yaml": PACK, "gear.yaml": GEAR, "units.yaml": UNITS}
    for name, text in (usual | dict(files)).items():
        if text:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return read_pack(folder)


def pond(folder: Path, unit: str, pack: str = PACK, **more: str) -> LoadedPack:
    """Return the pack with `unit` added: YAML lines of an entry, beginning with `- unit:`."""
    return read_files(folder, {"units.yaml": UNITS + unit, "pack.yaml": pack, **more})


def ruleset_of(reading: LoadedPack) -> Ruleset:
    """Return the compiled pack, which must have no findings."""
    assert [str(found) for found in reading.diagnostics] == []
    assert reading.data is not None
    ruleset = compile_ruleset(reading.data)
    assert ruleset.diagnostics == ()
    return ruleset


def judged(reading: LoadedPack, units: str, detachment: str = "pond", faction: str = "frogs") -> Report:
    """Return the report on a list of one detachment; `units` is YAML, as in a list document."""
    ruleset = ruleset_of(reading)
    text = f"list: 1\ngame: pond\nfaction: {faction}\ndetachments:\n- detachment: {detachment}\n  units: {units}\n"
    document = read_list(text.encode())
    assert not isinstance(document, Unreadable), document
    built = build_list(ruleset, document, faction)
    assert not isinstance(built, Unreadable), built
    return evaluate(ruleset, *built)


def broken(reading: LoadedPack, units: str, detachment: str = "pond") -> list[str]:
    """Return the sorted ids of the violations of a list, with repetitions."""
    return sorted(violation.rule for violation in judged(reading, units, detachment).violations)


def points(reading: LoadedPack, units: str) -> object:
    return next(cost.value for cost in judged(reading, units).costs if cost.type_id == "points")


def entry_of(reading: LoadedPack, own: str) -> Entry:
    assert reading.data is not None, [str(found) for found in reading.diagnostics]
    left = [entry for c in reading.data.catalogues for entry in (*c.entries, *c.shared_entries)]
    while left:
        entry = left.pop()
        if entry.id == own:
            return entry
        left += entry.entries
    raise AssertionError(own)
