"""Small parts of the sheet: citations and the code."""

from xml.etree import ElementTree

import pytest

from catalogue.definitions.citations import NOWHERE, Citation, Publication
from roster.pdf.qr import draw_qr_code
from roster.pdf.sheet_content import Bibliography

pytestmark = pytest.mark.slow


# ---- citations and the code --------------------------------------------------------------------------------------


def test_a_book_with_a_long_name_is_cited_by_number() -> None:
    long = Publication(id="long", name="A community's data, revision 10")
    sources = Bibliography({"rr": Publication(id="rr", name="Reeds and Rust"), "long": long})
    assert sources.format_citation(Citation(publication_id="rr", page="9")) == "Reeds and Rust, p. 9"
    assert sources.format_citation(Citation(publication_id="long", page="4")) == "[1], p. 4"
    assert sources.format_citation(Citation(publication_id="long", section="Fords")) == "[1], “Fords”"
    assert sources.format_citation(Citation(publication_id="lost", page="4")) == "p. 4"
    assert sources.format_citation(NOWHERE) == ""
    assert sources.lines == ("[1] A community's data, revision 10",)


def test_the_code_is_an_image_with_a_title() -> None:
    code = ElementTree.fromstring(draw_qr_code("https://lists.example/r/x/?revision=7", "Low <water> & \x22tide\x22"))
    space = "{http://www.w3.org/2000/svg}"
    assert code.tag == f"{space}svg"
    assert code.findtext(f"{space}title") == 'Low <water> & "tide"'
    assert {child.tag for child in code} == {f"{space}title", f"{space}path"}


def test_no_address_no_code() -> None:
    assert draw_qr_code("", "Low water") == ""


def test_the_code_of_a_link_is_drawn_once() -> None:
    link = "https://lists.example/r/y/"
    assert draw_qr_code(link, "Low water") is draw_qr_code(link, "Low water")
    assert draw_qr_code(link, "High water") != draw_qr_code(link, "Low water")
