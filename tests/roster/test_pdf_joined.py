"""Leaders and the unit that they joined: one frame on the sheet, together in the opponent's copy."""

from collections.abc import Sequence

import pytest

from roster.engine.report import EffectiveAttachment, EffectiveProfile, EffectiveSelection, Location, PlaceKind
from roster.engine.tree import copy_with
from roster.pdf.shapes import ListSheet
from roster.pdf.sheet_options import SheetOptions
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from tests.roster.paper_fixture import cutters, force, report, rule, scouts, sheet, warden
from tests.roster.paper_promises import print_sheet

BODYGUARD = "Attacks must use the Toughness characteristic of the Bodyguard models in that unit."


def lead(
    leaders: Sequence[EffectiveSelection], unit: EffectiveSelection, name: str = "Leads"
) -> tuple[EffectiveSelection, ...]:
    """Return the unit, then the leaders attached to it."""
    bonds = [
        EffectiveAttachment(
            association_id="leads", name=name, to=Location(kind=PlaceKind.SELECTION, id=one.id, name=one.name)
        )
        for one in (unit, *leaders)
    ]
    joined = copy_with(unit, joined_by=tuple(bonds[1:]))
    return joined, *(copy_with(one, attachments=(bonds[0],)) for one in leaders)


def print_content(printed: ListSheet) -> str:
    pages = build_sheet_pages(printed, SheetOptions(), make_look(printed, SheetOptions()))
    _pdf, faults = print_sheet(printed, SheetOptions())
    assert faults == []
    return "".join(page.content for page in pages)


def test_a_leader_and_its_unit_share_a_frame() -> None:
    leader = warden()
    printed = sheet(report(force("First detachment", *lead([leader], cutters()), scouts())))
    (seam,) = (unit.seam for unit in printed.datasheets if unit.seam)
    costs = {unit.name: int(unit.cost) for unit in printed.datasheets}
    assert seam == f"Leads Reed Cutters · {costs[leader.name] + costs['Reed Cutters']} points together"
    content = print_content(printed)
    assert content.count('class="pair"') == 1
    assert f"→ {seam}" in content
    # The opponent's copy has the unit below its leader, and says once who leads.
    (block,) = printed.blocks
    names = [line.name for line in block.lines]
    assert names.index("Reed Cutters") == names.index(leader.name) + 1
    assert content.count("Led by") == 1
    assert "→ Reed Cutters" in content


def test_two_leaders_of_a_unit_are_in_its_frame() -> None:
    first, second = warden(), copy_with(warden(), name="Bell Ringer")
    printed = sheet(report(force("First detachment", *lead([first, second], cutters()))))
    seams = [unit.seam for unit in printed.datasheets if unit.seam]
    assert len(seams) == 2
    assert "together" not in seams[0]
    assert "together" in seams[1]
    assert print_content(printed).count('class="pair"') == 1


@pytest.mark.parametrize("text", ["", BODYGUARD])
def test_the_seam_has_the_toughness_only_if_a_rule_says_so(text: str) -> None:
    leader, unit = copy_with(warden(), rules=(rule("Leader", text),)), cutters()
    unit = copy_with(unit, profiles=tuple(_with_toughness(one) for one in unit.profiles))
    printed = sheet(report(force("First detachment", *lead([leader], unit))))
    (seam,) = (unit.seam for unit in printed.datasheets if unit.seam)
    assert ("attacks use Toughness 5" in seam) == bool(text)


def _with_toughness(figures: EffectiveProfile) -> EffectiveProfile:
    first, *others = figures.characteristics
    return copy_with(figures, characteristics=(copy_with(first, name="T", value="5"), *others))


def test_equal_units_have_blocks_of_their_own() -> None:
    pairs = [lead([warden()], cutters()) for _ in "ab"]
    printed = sheet(report(force("First detachment", *pairs[0], *pairs[1])))
    assert not any(unit.seam for unit in printed.datasheets)
    content = print_content(printed)
    assert 'class="pair"' not in content
    assert "Leads Reed Cutters" in content
