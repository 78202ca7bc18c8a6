"""The printed sheet: WeasyPrint beside warm Chromium on the same HTML, and a finished sheet over HTTP."""

import os
import re
from collections.abc import Iterator

from playwright.sync_api import sync_playwright

from roster.engine.report import Report
from roster.pdf.pages import PAGE_STYLES, compose_document, format_paper
from roster.pdf.render import compose_css, lay_out, write_pdf
from roster.pdf.sheet_options import SheetOptions
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.serving import Visitor, serve_app
from tests.roster.paper_fixture import long_list, sheet, two_page_list

# Measuring paper takes longer than gunicorn keeps an idle connection, and the yardstick's visitor has only one.
os.environ.setdefault("GUNICORN_CMD_ARGS", "--keep-alive 300")

CHROMIUM = "/usr/bin/chromium"
ROUNDS = 12
SHEET = re.compile(rb'href="(/r/[\w-]{22}/)"')


@benchmark("paper")
def paper() -> Iterator[Figure]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        yield beside_chromium("a roster of 15 units on two pages, laid out and written", two_page_list(), page)
        yield beside_chromium("15 units, no two alike, on three pages", long_list(15), page)
        browser.close()


def beside_chromium(name: str, judged: Report, page) -> Figure:
    """Both in turns, so that a busy moment hits both: to the bytes of a PDF; ours begins with the fitter."""
    made, options = sheet(judged), SheetOptions()
    look = make_look(made, options)

    def compose() -> str:
        return compose_document(build_sheet_pages(made, options, look), made.title)

    css = compose_css(["fonts", *PAGE_STYLES], format_paper(look))
    with_styles = compose().replace("</head>", f"<style>{css}</style></head>")

    def ours() -> None:
        document = lay_out(compose(), PAGE_STYLES, format_paper(look))
        write_pdf(document, document.pages)

    def theirs() -> None:
        page.set_content(with_styles)
        page.pdf(prefer_css_page_size=True, print_background=True, tagged=True, outline=True)

    own, other = [], []
    for _ in range(or_least(3, 0)):
        ours()
        theirs()
    for _ in range(or_least(ROUNDS, 1)):
        own.append(measure(ours, times=1, warm_up=0).p50)
        other.append(measure(theirs, times=1, warm_up=0).p50)
    chromium = Yardstick("times warm Chromium", Times(tuple(sorted(other))).p50)
    return Figure(name, Times(tuple(sorted(own))), at_most=4, beside=chromium)


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

        yield Figure("a sheet that was made before, over HTTP", measure(look, times=200), at_most=20)
