"""Measure the printed sheet: WeasyPrint against warm Chromium on the same HTML, and a finished sheet over HTTP."""

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Thread
from typing import Any

from playwright.sync_api import sync_playwright

from catalogue.formats.packs.load import SHIPPED
from roster.pdf.game_pack import GamePackJob
from roster.pdf.imposition.card_format import CardSize, get_format
from roster.pdf.imposition.layout import CARD_STYLES, format_page, render_sides
from roster.pdf.imposition.list_cards import build_unit_cards
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.imposition.set_face import CardLook, set_faces
from roster.pdf.pages import PAGE_STYLES, PageLook, compose_document, format_paper
from roster.pdf.render import compose_css, lay_out, write_pdf
from roster.pdf.render_lock import SOONEST
from roster.pdf.shapes import ListSheet
from roster.pdf.sheet_options import SheetOptions
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.pdf.type.measure import count_lines_once
from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.serving import Visitor, serve_app
from tests.full_lists import IDENTITY, full_pack, full_sheet
from tests.roster.paper_fixture import long_list, sheet, two_page_list

# Measuring takes longer than gunicorn keeps an idle connection, and the bare view's visitor has only one.
os.environ.setdefault("GUNICORN_CMD_ARGS", "--keep-alive 300")

CHROMIUM = "/usr/bin/chromium"
ROUNDS = 6
NECRONS = SHIPPED / "wh40k" / "ninth"
CARDS = ((CardSize.POKER, 54), (CardSize.MINI, 54), (CardSize.A6, 17))
SHEET = re.compile(rb'href="(/r/[\w-]{22}/)"')


@contextmanager
def warm_chromium() -> Iterator[Any]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


@benchmark("paper")
def paper() -> Iterator[Figure]:
    with warm_chromium() as page:
        sheets = (
            ("a roster of 15 units on two pages, laid out and written", sheet(two_page_list())),
            ("15 units, no two alike, on three pages", sheet(long_list(15))),
            ("20 units of Necrons, no two alike", full_sheet(NECRONS, 20)),
        )
        for name, made in or_least(sheets, sheets[:1]):
            yield beside_chromium(name, partial(compose_sheet, made), make_look(made, SheetOptions()), page, at_most=4)
        pack = full_pack(NECRONS)
        assert len(pack.build_pages()) <= 8
        yield beside_chromium("a game pack of 40,000", partial(compose_pack, pack), pack.look, page, at_most=8)


@benchmark("paper-cards")
def paper_cards() -> Iterator[Figure]:
    with warm_chromium() as page:
        for size, number in or_least(CARDS, CARDS[-1:]):
            yield cards_beside_chromium(size, number, page)


def compose_sheet(made: ListSheet) -> str:
    options = SheetOptions()
    return compose_document(build_sheet_pages(made, options, make_look(made, options)), made.title)


def compose_pack(job: GamePackJob) -> str:
    return compose_document(job.build_pages(), job.title)


def beside_chromium(name: str, compose: Callable[[], str], look: PageLook, page, at_most: float) -> Figure:
    """Measure ours from the fitter to the PDF bytes."""
    css = compose_css(["fonts", *PAGE_STYLES], format_paper(look))

    def ours() -> None:
        document = lay_out(compose(), PAGE_STYLES, format_paper(look))
        write_pdf(document, document.pages)

    return in_turns(name, ours, with_styles(compose(), css), page, at_most)


def cards_beside_chromium(size: CardSize, number: int, page) -> Figure:
    """Measure cards of units; Chromium prints the same sides, but does not impose them."""
    cards = list(build_unit_cards(full_sheet(NECRONS, number)))
    options = CardOptions(card_format=get_format(size))
    look = CardLook(card_format=options.card_format, emblem=IDENTITY.emblem, fills_sheet=size is CardSize.A6)
    sides = [side for sides in set_faces([card.front for card in cards], look).values() for side in sides]
    html = with_styles(render_sides(sides, "Cards"), compose_css(["fonts", *CARD_STYLES], format_page(look)))

    def ours() -> None:
        print_cards(cards, options, title="Cards", identity=IDENTITY)

    return in_turns(f"{number} cards of units, {size.value}", ours, html, page, at_most=5)


def with_styles(html: str, css: str) -> str:
    return html.replace("</head>", f"<style>{css}</style></head>")


def in_turns(name: str, print_ours: Callable[[], None], html: str, page, at_most: float) -> Figure:
    """Measure both in turns, so that other load affects both. Cached layouts of one print do not help the next."""

    def ours() -> None:
        count_lines_once.cache_clear()
        print_ours()

    def theirs() -> None:
        page.set_content(html)
        page.pdf(prefer_css_page_size=True, print_background=True, tagged=True, outline=True)

    own, other = [], []
    for _ in range(or_least(2, 0)):
        ours()
        theirs()
    for _ in range(or_least(ROUNDS, 1)):
        own.append(measure(ours, times=1, warm_up=0).p50)
        other.append(measure(theirs, times=1, warm_up=0).p50)
    chromium = Yardstick("times warm Chromium", Times(tuple(sorted(other))).p50)
    return Figure(name, Times(tuple(sorted(own))), at_most=at_most, beside=chromium)


@benchmark("paper-kept")
def paper_kept() -> Iterator[Figure]:
    with serve_app() as address:
        visitor = Visitor(address)
        _, front = visitor.get("/")
        found = SHEET.search(front)
        assert found, "the front page shows no example list"
        url = found.group(1).decode() + "sheet.pdf"

        def look() -> None:
            status, pdf = visitor.get(url)
            assert status == 200
            assert pdf.startswith(b"%PDF")

        yield Figure("a sheet that was made before, over HTTP", measure(look, times=200), at_most=2)


@benchmark("paper-beside-pages")
def paper_beside_pages() -> Iterator[Figure]:
    """Measure the slowest page of other users during a layout of cards, as a share of the layout time."""
    with serve_app() as address:
        reader = Visitor(address)
        game = or_least("maelstrom-of-war-9e", "reeds-and-rust")
        slowest, durations = [], []
        for number in range(or_least(5, 1)):
            # Each size is a separate print, so none is cached.
            url = f"/missions/{game}/cards.pdf?what=objectives&what=missions&size={70 + number}x90"
            printing = Thread(target=print_once, args=(address, url, durations))
            printing.start()
            waits = []
            while printing.is_alive():
                begin = time.perf_counter()
                status, _ = reader.get("/games/")
                assert status == 200
                waits.append(time.perf_counter() - begin)
            slowest.append(max(waits))
        printed = Yardstick("times that print", Times(tuple(sorted(durations))).p50)
        times = Times(tuple(sorted(slowest)))
        yield Figure("the slowest page while cards are laid out", times, at_most=0.5, beside=printed)


AT_ONCE, SIDE_BY_SIDE = 10, 2
"""The prints that people ask for at once, and those that a machine makes side by side."""


@benchmark("paper-at-once")
def paper_at_once() -> Iterator[Figure]:
    """Ten people print at once: the last is served within the sum of the single times, and nobody is overtaken."""
    with serve_app() as address:
        game, number = or_least(("maelstrom-of-war-9e", AT_ONCE), ("reeds-and-rust", 3))
        # Each size is a separate print, so none is cached.
        url = f"/missions/{game}/cards.pdf?what=objectives&what=missions&size="
        single: list[float] = []
        for place in range(number):
            print_once(address, f"{url}{60 + place}x90", single)
        served = [0.0] * number
        begin = time.perf_counter()
        printing = [
            Thread(target=print_in_line, args=(address, f"{url}{60 + place}x91", served, place, begin))
            for place in range(number)
        ]
        for thread in printing:
            thread.start()
            time.sleep(0.1)
        for thread in printing:
            thread.join()
        alone = Yardstick("of the sum of the single times", sum(single))
        yield Figure(f"{number} prints at once: the last", Times((max(served),)), 1, alone)
        yield Figure(f"{number} prints at once: the first", Times((min(served),)), beside=alone)
        # Browsers that have to ask again see their file some seconds after it is done.
        overtaken = max(
            sum(later + SOONEST < mine for later in served[place + SIDE_BY_SIDE :]) for place, mine in enumerate(served)
        )
        name = f"{number} prints at once: served before an earlier one"
        yield Figure(name, Times((float(overtaken),)), 0, Yardstick("prints", 1), unit="")


def print_in_line(address: tuple[str, int], url: str, served: list[float], place: int, begin: float) -> None:
    print_once(address, url, [])
    served[place] = time.perf_counter() - begin


def print_once(address: tuple[str, int], url: str, durations: list[float]) -> None:
    begin = time.perf_counter()
    visitor = Visitor(address)
    status, pdf = visitor.get(url)
    while status == 503 and visitor.pause:
        # As a browser does while others are before it, or its own layout takes long.
        time.sleep(visitor.pause)
        status, pdf = visitor.get(url)
    assert status == 200
    assert pdf.startswith(b"%PDF")
    durations.append(time.perf_counter() - begin)
