"""The largest accepted list, from its bytes to the verdict: 2,000 parts, filled and judged."""

import json
from collections.abc import Iterator

from catalogue.formats.packs.load import SHIPPED, read_pack
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.tree import RosterTree, count_nodes
from roster.formats.list_document import BuiltList, ListDocument, Media, build_list, read_list
from roster.formats.list_text import MAX_PARTS
from roster.services.evaluation import evaluate_with
from tests.bench.benchmark import Figure, benchmark, measure, or_least

LISTS = (
    ("warzone/resurrection", "brotherhood", "skirmish", "blessed-vestal-laura"),
    ("reeds_and_rust/first", "marsh-compact", "standard", "lock-warden"),
    ("maelstroms_edge/second", "karist-enclave", "standard", "kaddar-nova"),
)
"""Packs with faction, detachment and the unit that is slowest to fill and judge."""

AT_MOST = 500
ROUNDS = 10


@benchmark("largest")
def largest() -> Iterator[Figure]:
    for pack, *names in LISTS:
        data = read_pack(SHIPPED / pack).data
        assert data is not None
        yield _figure(compile_ruleset(data), *names)


def _figure(ruleset: Ruleset, faction: str, detachment: str, unit: str) -> Figure:
    def built(units: int) -> RosterTree:
        listed = {"detachment": detachment, "units": [unit] * units}
        written = {"list": 1, "game": "any", "faction": faction, "detachments": [listed]}
        document = read_list(json.dumps(written).encode(), Media.JSON)
        assert isinstance(document, ListDocument)
        answer = build_list(ruleset, document, faction)
        assert isinstance(answer, BuiltList)
        return answer.roster

    bare = count_nodes(built(0))
    units = (or_least(MAX_PARTS, 40) - bare) // (count_nodes(built(1)) - bare)
    rounds = measure(lambda: evaluate_with(ruleset, built(units), tree=False), times=ROUNDS, warm_up=1)
    return Figure(f"a list of {units} times {unit}, filled in and judged", rounds, AT_MOST)
