"""Every worked list of a pack gets its stated verdict, broken rules and total."""

from pathlib import Path

import pytest

from catalogue.definitions.rule_codes import RuleCode
from catalogue.definitions.rulebook import list_rules
from catalogue.formats.packs.load import PROOFS, REAL, SHIPPED, UNITS
from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluate import evaluate
from roster.formats.list_document import (
    BuiltList,
    ListDocument,
    Media,
    build_document,
    build_list,
    format_json,
    read_list,
)
from tests.extent import sample
from tests.shipped_packs import read_ruleset

pytestmark = pytest.mark.slow

LISTS = sorted(
    [*SHIPPED.glob("**/lists/*.yaml"), *SHIPPED.glob("**/proofs/*.yaml"), *SHIPPED.glob("**/proofs/real/*.yaml")]
)


def ruleset_of(folder: Path) -> Ruleset:
    """Return the ruleset for the lists in a folder: the pack's, for proofs with the units next to them."""
    pack = folder.parents[1] if folder.name == REAL else folder.parent
    return read_ruleset(pack, folder / UNITS if folder.name == PROOFS else None)


@pytest.mark.parametrize(
    "path", sample(LISTS, 120), ids=lambda path: "/".join(path.relative_to(SHIPPED).with_suffix("").parts)
)
def test_a_worked_list_is_what_it_says(path: Path) -> None:
    ruleset = ruleset_of(path.parent)
    document = read_list(path.read_bytes(), Media.YAML)
    assert isinstance(document, ListDocument), document
    built = build_list(ruleset, document, document.faction.value)
    assert isinstance(built, BuiltList), built
    report = evaluate(ruleset, *built, look_ahead=True)
    expected = document.expected
    found = sorted({v.rule for v in report.errors if v.rule or v.code != RuleCode.NO_COMPLETION})
    assert (report.verdict.value, found) == (expected.verdict, [*list_rules(expected.breaks)])
    if expected.total is not None:
        assert [cost.value for cost in report.costs if not cost.hidden][:1] == [expected.total]
    written = format_json(build_document(ruleset, *built, game="x", faction_id=document.faction.value))
    again = read_list(written, Media.JSON)
    assert isinstance(again, ListDocument)
    rebuilt = build_list(ruleset, again, document.faction.value)
    assert isinstance(rebuilt, BuiltList)
    found_again = evaluate(ruleset, *rebuilt, tree=False, look_ahead=True)
    assert found_again.costs == report.costs
    assert [v.rule for v in found_again.violations] == [v.rule for v in report.violations]
