"""The turn sheet: each ability in its phase, on one page if possible."""

import time
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from itertools import product
from pathlib import Path

import pytest

from catalogue.formats.packs.load import SHIPPED, find_packs
from roster.engine.report import Verdict
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.render import write_pdf
from roster.pdf.shapes import Ability, Datasheet, Imprint, ListSheet, Rule
from roster.pdf.sheet_job import lay_out_sheet
from roster.pdf.sheet_options import PaperSize, SheetOptions, Style
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.pdf.turns import TurnStage, build_stages
from roster.pdf.weasyprint_hooks import limit_time
from tests.extent import sample
from tests.full_lists import full_sheet
from tests.roster.test_pdf_every_pack import check_pages
from tests.roster.test_pdf_imported import ARCHIVES, build_imported_sheet, evaluate_imported

pytestmark = pytest.mark.slow

TURNS = SheetOptions(style=Style.TURNS)
SECONDS = 240


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    with limit_time(time.monotonic() + SECONDS):
        yield


def sheet_of(*units: Datasheet, common: tuple[Ability, ...] = (), **more: object) -> ListSheet:
    return ListSheet(
        title="Low water",
        imprint=Imprint(game="Fenland"),
        verdict=Verdict.LEGAL,
        datasheets=units,
        common=common,
        **more,
    )


def unit(name: str, *abilities: Ability, common: tuple[Ability, ...] = ()) -> Datasheet:
    return Datasheet(name=name, models=1, abilities=abilities, common=common)


def places(stages: list[TurnStage]) -> dict[str, list[str]]:
    return {stage.title: [entry.name for entry in stage.entries] for stage in stages}


@pytest.mark.parametrize(
    ("ability", "title", "tags"),
    [
        (Ability("Salvo", "In your Shooting phase, roll a D6. In the Fight phase, nothing."), "Shooting phase", ()),
        (Ability("Wail", "Effect.", timing="Your Hero Phase · casting value 6"), "Hero phase", ("your turn",)),
        (Ability("Wall", "Effect.", timing="Any Combat Phase"), "Combat phase", ("either turn",)),
        (
            Ability("Trap", "Effect.", timing="Once Per Turn, Enemy Move Phase"),
            "Move phase",
            ("enemy turn", "once a turn"),
        ),
        (Ability("Dread", "Effect.", timing="End of Any Turn"), "End of the turn", ("either turn",)),
        (Ability("Blast", "When this model is destroyed, roll a D6."), "When destroyed", ()),
        (Ability("Scout", 'Before the battle, move 6".'), "Deployment", ()),
        (Ability("Hard", "Until the end of the phase, wounds are ignored."), "Any time", ()),
        (Ability("Steady", "Always.", colour="Blue"), "Shooting phase", ()),
        (Ability("Known", "In the Fight phase, but the data says more.", "movement"), "Movement phase", ()),
    ],
)
def test_an_ability_is_in_the_first_phase_that_it_names(ability: Ability, title: str, tags: tuple[str, ...]) -> None:
    (stage,) = build_stages(sheet_of(unit("Guns", ability)))
    assert (stage.title, stage.entries[0].tags) == (title, tags)


def test_a_reaction_says_to_what() -> None:
    ability = Ability("Overseer", "**Effect:** Fight.", timing="Reaction: You declared a Fight ability")
    (stage,) = build_stages(sheet_of(unit("Guns", ability)))
    assert stage.entries[0].text == "You declared a Fight ability. Fight."
    assert stage.entries[0].tags == ("reaction",)


def test_whom_a_leader_joins_is_no_matter_of_the_turn() -> None:
    leader = Ability("Leader", "This model can be attached to the following unit: Pikes.")
    assert build_stages(sheet_of(unit("Captain", leader))) == []


def test_units_with_an_ability_are_named_or_else_those_without() -> None:
    march, fire = Ability("March", "Move."), Ability("Fire", "Shoot.")
    sheet = sheet_of(unit("Pikes", march, fire), unit("Guns", march, fire), unit("Carts", march))
    (stage,) = build_stages(sheet)
    assert {entry.name: entry.who for entry in stage.entries} == {"March": "All units", "Fire": "All but Carts"}
    alone = build_stages(sheet_of(unit("Pikes", fire), unit("Guns"), unit("Carts")))
    assert alone[0].entries[0].who == "Pikes"


def test_rules_of_the_game_have_only_names_if_that_saves_a_page() -> None:
    leader = Ability("Leader", "Long text. " * 40)
    sheet = sheet_of(unit("Pikes", common=(leader,)), common=(leader,))
    assert build_stages(sheet)[0].entries[0].text
    assert not build_stages(sheet, tells_common=False)[0].entries[0].text
    many = tuple(Ability(f"Rule {number}", f"Long text {number}. " * 60) for number in range(24))
    sheet = sheet_of(unit("Pikes", Ability("Own", "Text."), common=many), common=many)
    (page,) = build_sheet_pages(sheet, TURNS, make_look(sheet, TURNS))
    assert all(f"Rule {number}" in page.content for number in range(24))
    assert "Long text" not in page.content


def test_stratagems_and_steps_come_with_the_phases_of_the_game() -> None:
    sheet = full_sheet(SHIPPED / "wh40k" / "ninth", 9)
    stages = build_stages(replace(sheet, reminders=(Rule(name="Keep", text=("This.",)),)))
    first, *_, last = stages
    assert first.title == "Start of the battle round"
    assert {(entry.name, entry.cost) for entry in first.entries} >= {("Quick Thinking", "1 CP")}
    assert next(stage for stage in stages if stage.title == "Command").steps == ("+1 CP",)
    assert places(stages)["End of the battle round"] == ["New Intel"]
    assert places([last]) == {"Keep in mind": ["Keep"]}


@pytest.mark.parametrize("pack", find_packs(), ids=lambda pack: f"{pack.parent.name}/{pack.name}")
def test_every_ability_is_on_the_sheet_once(pack: Path) -> None:
    sheet = full_sheet(pack, 14)
    entries = [entry for stage in build_stages(sheet) for entry in stage.entries]
    named = {(ability.name, ability.text, ability.phase) for one in sheet.datasheets for ability in one.abilities}
    assert {name for name, *_ in named} <= {entry.name for entry in entries}
    texts = [(entry.name, entry.text, entry.phase) for entry in entries]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize(("pack", "units"), sample(product(find_packs(), (9, 14)), 2))
def test_the_army_of_a_pack_is_on_one_leaf(pack: Path, units: int) -> None:
    sheet = full_sheet(pack, units)
    assert len(build_sheet_pages(sheet, TURNS, make_look(sheet, TURNS))) <= 2


@pytest.mark.parametrize(("archive", "units", "paper"), sample(product(ARCHIVES, (15, 40), PaperSize), 3))
def test_archives_keep_to_their_pages_and_margins(archive: str, units: int, paper: PaperSize, shared: Path) -> None:
    path = shared / "bsdata" / f"{archive}.zip"
    sheet = build_imported_sheet(path, evaluate_imported(path, units))
    options = SheetOptions(style=Style.TURNS, paper=paper)
    if not any(stage.entries for stage in build_stages(sheet)):
        with pytest.raises(CannotPrintError):
            build_sheet_pages(sheet, options, make_look(sheet, options))
        return
    pages = build_sheet_pages(sheet, options, make_look(sheet, options))
    content = unescape("".join(page.content for page in pages))
    assert not any(mark in content for mark in ("**", "^^"))
    document = lay_out_sheet(sheet, options)
    assert len(document.pages) == len(pages), "a page runs over"
    # Community data may say what our own words do not.
    pdf = write_pdf(document, document.pages)
    assert check_pages(pdf, paper, repr(sheet), has_only_our_words=False) == len(pages)


def test_a_list_without_abilities_is_refused() -> None:
    sheet = sheet_of()
    with pytest.raises(CannotPrintError) as refused:
        build_sheet_pages(sheet, TURNS, make_look(sheet, TURNS))
    assert (refused.value.code, refused.value.figures) == ("no-abilities", {"given": "Low water"})
