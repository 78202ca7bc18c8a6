"""Measure the full validation of fifteen units from their stored document, and of a list document."""

from collections.abc import Iterator

from catalogue.formats.packs.load import SHIPPED, read_pack
from catalogue.graph.ruleset import compile_ruleset
from roster.engine.evaluate import evaluate
from roster.formats.list_document import BuiltList, ListDocument, Media, build_list, read_list
from roster.services.evaluation import decode_tree, encode_tree, evaluate_with
from tests.bench.benchmark import Figure, benchmark, measure
from tests.bench.fifteen_units import DOCUMENT, FACTION


@benchmark("validation")
def validation() -> Iterator[Figure]:
    data = read_pack(SHIPPED / "reeds_and_rust" / "first").data
    assert data is not None
    ruleset = compile_ruleset(data)
    listed = read_list(DOCUMENT.encode(), Media.YAML)
    assert isinstance(listed, ListDocument)
    listed_as = build_list(ruleset, listed, FACTION)
    assert isinstance(listed_as, BuiltList)
    roster = listed_as.roster
    stored = encode_tree(roster)
    yield Figure(
        "full validation of 15 units from their document",
        measure(lambda: evaluate_with(ruleset, decode_tree(stored), tree=False), times=200),
        at_most=4,
    )
    yield Figure(
        "the same with everything a page shows of each unit", measure(lambda: evaluate(ruleset, roster), times=200)
    )

    def from_text() -> None:
        again = read_list(DOCUMENT.encode(), Media.YAML)
        assert isinstance(again, ListDocument)
        built = build_list(ruleset, again, FACTION)
        assert isinstance(built, BuiltList)
        evaluate(ruleset, *built, tree=False)

    yield Figure("reading, building and judging it as people write it", measure(from_text, times=100))
