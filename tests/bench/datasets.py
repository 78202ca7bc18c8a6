"""Full validation of large lists by every pack and every data set in `$ARMYBUILDER_SHARED/bsdata`.

The lists are generated ones, and the longest worked list of each pack.
"""

import os
from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from catalogue.definitions.catalogues import CatalogueKind, DataSet
from catalogue.formats.battlescribe.reader import read_path
from catalogue.formats.packs.load import SHIPPED, find_packs, read_pack
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset, compile_ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.tree import RosterTree
from roster.formats.list_document import BuiltList, ListDocument, Media, build_list, read_list
from roster.services.evaluation import EvaluatedList, decode_tree, encode_tree, evaluate_with
from tests.bench.benchmark import Figure, benchmark, measure, or_least

SIZES = ((15, 4), (60, 15))
"""Units in a list, and the aim in bare views."""


@benchmark("datasets")
def datasets() -> Iterator[Figure]:
    for name, data in _all():
        ruleset = compile_ruleset(data)
        book = _heaviest(ruleset)
        for units, at_most in or_least(SIZES, SIZES[:1]):
            stored = encode_tree(_list_of(ruleset, book, units))
            act = partial(_evaluate_stored, ruleset, stored)
            yield Figure(f"{units} units of {name}", measure(act, times=40), at_most)
    for path in _packs():
        pack = read_pack(path).data
        assert pack is not None
        ruleset = compile_ruleset(pack)
        worked, name = _longest(ruleset, path), "/".join(path.parts[-2:])
        act = partial(_evaluate_stored, ruleset, encode_tree(worked))
        parts = len(list(_ids(worked)))
        yield Figure(f"a worked list of {parts} parts of {name}", measure(act, times=40), SIZES[0][1])


def _evaluate_stored(ruleset: Ruleset, stored: str) -> EvaluatedList:
    return evaluate_with(ruleset, decode_tree(stored), tree=False)


def _longest(ruleset: Ruleset, pack: Path) -> RosterTree:
    found = []
    for path in sorted((pack / "lists").glob("*.yaml")):
        document = read_list(path.read_bytes(), Media.YAML)
        assert isinstance(document, ListDocument)
        built = build_list(ruleset, document, document.faction.value)
        if document.expected.verdict == "legal" and isinstance(built, BuiltList):
            found.append(built.roster)
    return max(found, key=lambda roster: len(list(_ids(roster))))


def _ids(roster: RosterTree) -> Iterator[str]:
    pending = [selection for force in roster.forces for selection in force.selections]
    for selection in pending:
        yield selection.id
        pending.extend(selection.selections)


def _packs() -> list[Path]:
    return or_least(find_packs(SHIPPED), [SHIPPED / "reeds_and_rust" / "first"])


def _all() -> Iterator[tuple[str, DataSet]]:
    for path in _packs():
        data = read_pack(path).data
        if data:
            yield data.game_system.name + " " + path.name, data
    shared = Path(os.environ.get("ARMYBUILDER_SHARED", ""), "bsdata")
    for path in sorted(shared.glob(or_least("*.zip", "edge-dawnfall.zip"))):
        data = read_path(path).data
        if data:
            yield path.stem, data


def _heaviest(ruleset: Ruleset) -> CompiledCatalogue:
    factions = [c for c in ruleset.data.catalogues if c.kind is not CatalogueKind.LIBRARY]
    books = [book for c in factions if (book := ruleset.find_catalogue(c.id))]
    return max(books, key=lambda book: len(book.root_options.options))


def _list_of(ruleset: Ruleset, book: CompiledCatalogue, units: int) -> RosterTree:
    """Return a detachment with a number of units, one of each in turn, with automatic options."""
    roster = edits.create_roster(ruleset, "Large").roster
    entry = max(book.force_entries, key=lambda force: len(force.categories))
    made = edits.add_force(ruleset, roster, entry.id, book.catalogue.id)
    assert isinstance(made, EditedRoster)
    force_id, roster = made.created[0], made.roster
    kinds = [option.local_id for option in book.root_options.options]
    for own in islice(cycle(kinds), units):
        added = edits.select(ruleset, roster, force_id, own)
        roster = added.roster if isinstance(added, EditedRoster) else roster
    return roster
