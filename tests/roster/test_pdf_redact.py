"""The sheet of a secret list."""

import pytest

from roster.pdf.redact import redact_sheet
from roster.pdf.shapes import UnitLine
from tests.roster import paper_fixture
from tests.roster.paper_fixture import sheet
from tests.roster.paper_tools import text_of

pytestmark = pytest.mark.slow


def test_units_and_verdict_alone_are_left() -> None:
    whole = sheet(paper_fixture.short_list())
    secret = redact_sheet(whole)
    assert (secret.title, secret.verdict, secret.imprint, secret.units) == (
        whole.title,
        whole.verdict,
        whole.imprint,
        whole.units,
    )
    for gone in ("amounts", "problems", "remarks", "unchecked", "cost_names", "cards", "rules", "sources", "plan"):
        assert not getattr(secret, gone)
    assert not secret.notes
    assert [block.name for block in secret.blocks] == [block.name for block in whole.blocks]
    for block in secret.blocks:
        assert (block.costs, block.notes, block.problems) == ((), "", ())
        for line in block.lines:
            bare = UnitLine(
                type=line.type, name=line.name, host=line.host, count=line.count, placeholder=line.placeholder
            )
            assert line == bare


def test_that_units_differ_in_options_is_not_told() -> None:
    whole = sheet(paper_fixture.short_list())
    assert whole.blocks
    for block, bare in zip(whole.blocks, redact_sheet(whole).blocks, strict=True):
        names = [(line.type, line.name, line.host) for line in bare.lines]
        assert len(names) == len(set(names))
        assert sum(line.count for line in bare.lines) == sum(line.count for line in block.lines)


def test_nothing_else_is_printed() -> None:
    whole, secret = text_of("short_list", style="opponent"), text_of("short_list", style="veiled")
    line = next(line for block in sheet(paper_fixture.short_list()).blocks for line in block.lines if line.options)
    assert line.name in secret
    assert line.options[0].split()[0] in whole
    assert line.options[0].split()[0] not in secret
    assert "points" not in secret
