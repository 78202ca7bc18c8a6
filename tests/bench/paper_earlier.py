"""Measure processor time of prints, compared with the first layout code, for a list of 1,969 points: 20 units, 17
cards.

The first code is gone. Its times were measured relative to a table laid out by WeasyPrint, which is the unit here.
"""

import gc
import time
from collections.abc import Callable, Iterator
from functools import partial

from weasyprint import HTML

from catalogue.formats.packs.load import SHIPPED
from roster.engine.evaluate import evaluate
from roster.formats.list_document import BuiltList, ListDocument, Media, build_list, read_list
from roster.pdf.imposition.card_format import CardSize, get_format
from roster.pdf.imposition.list_cards import build_unit_cards
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.render import write_pdf
from roster.pdf.shapes import ListSheet
from roster.pdf.sheet_job import DEFAULT_OPTIONS, lay_out_sheet
from roster.pdf.sheet_model import build_sheet_model
from roster.pdf.type.measure import count_lines_once
from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, or_least
from tests.full_lists import IDENTITY, read_ruleset
from tests.roster.paper_fixture import IMPRINT

LIST = b"""
list: 1
game: maelstrom-of-war-9e
faction: necrons
name: The tomb world wakes
limits: {points: 2000, command points: 12}
detachments:
- detachment: battalion
  units:
  - unit: hexmark-destroyer
  - {unit: overlord, options: [warlord, tachyon-arrow-and-hyperphase-glaive]}
  - unit: technomancer
  - unit: immortals
  - unit: immortals
  - unit: immortals
  - {unit: necron-warriors, options: [{option: necron-warrior-gauss-flayer, count: 20}]}
  - {unit: necron-warriors, options: [{option: necron-warrior-gauss-flayer, count: 10}]}
  - unit: canoptek-reanimator
  - unit: flayed-ones
  - unit: lychguard
  - unit: lychguard
  - unit: skorpekh-destroyers
  - unit: triarch-stalker
  - {unit: canoptek-scarab-swarms, options: [{option: canoptek-scarab-swarm, count: 6}]}
  - unit: canoptek-wraiths
  - unit: tomb-blades
  - unit: canoptek-doomstalker
  - unit: doomsday-ark
  - unit: lokhust-heavy-destroyers
"""
TABLE = "<table>" + "".join(f"<tr>{'<td>Reed</td>' * 8}<td>{row}</td></tr>" for row in range(40)) + "</table>"
EARLIER = {"sheet": 5.9, CardSize.POKER: 5.6, CardSize.MINI: 11.5, CardSize.A6: 4.2}
"""The times of the first code, in tables."""
ROUNDS = 8


@benchmark("paper-earlier")
def paper_earlier() -> Iterator[Figure]:
    made = read_necrons()
    yield in_tables("a sheet of 20 units, processor", partial(print_sheet, made), EARLIER["sheet"])
    for size in or_least((CardSize.POKER, CardSize.MINI, CardSize.A6), (CardSize.A6,)):
        yield in_tables(f"17 cards, {size.value}, processor", partial(print_units, made, size), EARLIER[size])


def read_necrons() -> ListSheet:
    ruleset = read_ruleset(SHIPPED / "wh40k" / "ninth")
    document = read_list(LIST, Media.YAML)
    assert isinstance(document, ListDocument)
    built = build_list(ruleset, document, document.faction.value)
    assert isinstance(built, BuiltList)
    report = evaluate(ruleset, built.roster)
    return build_sheet_model(report, IMPRINT, title="The tomb world wakes", cite=lambda place: place.page)


def print_sheet(made: ListSheet) -> None:
    document = lay_out_sheet(made, DEFAULT_OPTIONS)
    assert len(document.pages) == 2
    write_pdf(document, document.pages)


def print_units(made: ListSheet, size: CardSize) -> None:
    cards = list(build_unit_cards(made))
    assert len(cards) == 17
    print_cards(cards, CardOptions(card_format=get_format(size)), title="Cards", identity=IDENTITY)


def in_tables(name: str, print_ours: Callable[[], None], at_most: float) -> Figure:
    """Measure both in turns, and return the quickest of each, which is the least disturbed."""
    own, tables = [], []
    for _ in range(or_least(ROUNDS, 1)):
        own.append(measure_processor(print_ours))
        tables.append(measure_processor(lambda: HTML(string=TABLE).write_pdf()))
    table = Yardstick("times a plain table", min(tables))
    return Figure(name, Times((min(own),)), at_most=at_most, beside=table)


def measure_processor(act: Callable[[], object]) -> float:
    """Return processor seconds. Cached layouts of one print do not help the next."""
    gc.collect()
    count_lines_once.cache_clear()
    begin = time.process_time()
    act()
    return time.process_time() - begin
