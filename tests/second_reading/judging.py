"""Judge changed lists with both judges and count where they differ."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path

from catalogue.formats.packs.load import LISTS, PROOFS, REAL, SHIPPED, UNITS, find_pack
from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluate import evaluate
from roster.engine.report import Verdict
from roster.formats.list_document import BuiltList, ListDocument, Media, build_document, build_list, read_list
from tests.second_reading.mutations import changes_of, sample
from tests.second_reading.reading import Document, Figures, Reading, detachments_of, units_of
from tests.shipped_packs import read_ruleset

OF_INVENTED = 10
"""Lists of invented units are many and small, so only this fraction of their changes is judged."""
ALL = slice(None)


@dataclass(slots=True)
class Tally:
    judged: int = 0
    refused: int = 0
    """Changes that a list document cannot express."""
    legal: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    """How often each rule was broken, by the reading."""
    disputed: list[str] = field(default_factory=list)
    excused: Counter[str] = field(default_factory=Counter)


@cache
def ruleset_of(pack: str, *, invented: bool = False) -> tuple[Path, Ruleset]:
    """Return a pack's folder and rules, with its own units or its proofs' invented units."""
    folder = find_pack(pack, SHIPPED)
    assert folder is not None
    return folder, read_ruleset(folder, folder / PROOFS / UNITS if invented else None)


@cache
def legal_lists(pack: str, *, invented: bool = False) -> dict[str, Document]:
    """Return a pack's worked legal lists in exact form by file name, with its own or invented units."""
    folder, ruleset = ruleset_of(pack, invented=invented)
    places = (folder / PROOFS,) if invented else (folder / LISTS, folder / PROOFS / REAL)
    lists: dict[str, Document] = {}
    for path in sorted(path for place in places for path in place.glob("*.yaml")):
        document = read_list(path.read_bytes(), Media.YAML)
        assert isinstance(document, ListDocument), path
        if document.expected.verdict == Verdict.LEGAL.value:
            built = build_list(ruleset, document, document.faction.value)
            assert isinstance(built, BuiltList), path
            lists[path.name] = exact(ruleset, built, document)
    return lists


def exact(ruleset: Ruleset, built: BuiltList, document: ListDocument) -> Document:
    written = build_document(ruleset, *built, game=document.game.value, faction_id=document.faction.value)
    return json.loads(json.dumps(written, default=float))


def hold(reading: Reading, per_list: int, share: slice = ALL) -> Tally:
    """Judge twice up to `per_list` single changes of each worked legal list, or of a share of these lists."""
    return [Tally(), *hold_one_by_one(reading, per_list, share)][-1]


def hold_one_by_one(reading: Reading, per_list: int, share: slice = ALL) -> Iterator[Tally]:
    """Judge as `hold` does, and yield the tally after each list."""
    tally = Tally()
    yield from _hold_all(reading, per_list, share, tally)
    if reading.invented:
        yield from _hold_all(reading, max(1, per_list // OF_INVENTED), share, tally, invented=True)


def _hold_all(
    reading: Reading, per_list: int, share: slice, tally: Tally, *, invented: bool = False
) -> Iterator[Tally]:
    folder, ruleset = ruleset_of(reading.pack, invented=invented)
    figures = Figures(folder, ruleset.data, invented=invented)
    lists = legal_lists(reading.pack, invented=invented)
    for name, document in list(lists.items())[share]:
        changes = chain(
            changes_of(document, figures, list(lists.values())),
            reading.changes(document, figures) if reading.changes else (),
        )
        for label, changed in sample(changes, per_list, f"{reading.pack} {name}"):
            for form, written in _forms(changed):
                _judge_twice(reading, figures, ruleset, f"{name}, {label} ({form})", written, tally)
        yield tally


def _forms(document: Document) -> Iterator[tuple[str, Document]]:
    """Yield a document in exact form, and with its units in the shortest form."""
    yield "exact", document
    if any(isinstance(unit, str) for detachment in detachments_of(document) for unit in units_of(detachment)):
        yield "short", {key: value for key, value in document.items() if key != "exact"}


def _judge_twice(
    reading: Reading, figures: Figures, ruleset: Ruleset, label: str, written: Document, tally: Tally
) -> None:
    document = read_list(json.dumps(written).encode(), Media.JSON)
    built = build_list(ruleset, document, document.faction.value) if isinstance(document, ListDocument) else None
    if not isinstance(document, ListDocument) or not isinstance(built, BuiltList):
        tally.refused += 1
        return
    report = evaluate(ruleset, *built, tree=False)
    by_engine = {violation.rule or violation.code for violation in report.errors}
    by_reading = reading.broken_rules(exact(ruleset, built, document), figures)
    assert by_reading <= reading.covers, by_reading - reading.covers
    tally.judged += 1
    tally.legal += report.verdict is Verdict.LEGAL
    tally.broken.update(by_reading)
    differing = (by_engine & reading.covers) ^ by_reading
    # A different verdict is never excused. Rules that the reading does not cover are ignored.
    wrongly_legal = report.verdict is Verdict.LEGAL and by_reading
    wrongly_broken = bool(by_engine & reading.covers) and not by_reading
    excuses = {rule for rule in differing if any(clause.split("/")[0] == rule for clause in reading.differences)}
    if wrongly_legal or wrongly_broken or differing - excuses:
        tally.disputed.append(f"{label}: engine {sorted(by_engine)}, reading {sorted(by_reading)}")
    else:
        tally.excused.update(excuses)
