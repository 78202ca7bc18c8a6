"""The page of a faction: the table of its units."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.infos import Characteristic, Info, InfoKind
from catalogue.formats.packs.load import SHIPPED
from catalogue.models import Faction, PackVersion, UnitEntry
from catalogue.services.install_version import install_version
from catalogue.services.stat_tables import MOST_COLUMNS, build_stat_tables
from tests.catalogue.games import ABOUT, SYSTEM, unit, with_units
from tests.markup import markup
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db

FACTION = "/games/tin-meadow/the-mowers/"
PART = {"HX-Request": "true", "HX-Request-Type": "partial"}


def test_works(client: Client, tin_meadow: PackVersion) -> None:
    page = client.get(FACTION)
    text = page.content.decode()
    assert page.status_code == 200
    for expected in ("Hay Hands", "5–8", "12.5", "Wheeled", "provisional", "Heavy (2)"):
        assert expected in text


def test_wrong_method(client: Client, tin_meadow: PackVersion) -> None:
    assert client.post(FACTION).status_code == 405


@pytest.mark.parametrize("address", ["/games/tin-meadow/nobody/", "/games/nothing/the-mowers/"])
def test_bad_id(client: Client, tin_meadow: PackVersion, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.usefixtures("fresh_answers")
@pytest.mark.parametrize("rows", [1, 3])
def test_query_count(client: Client, rows: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    install_version(ABOUT, with_units(rows))
    client.get("/games/tin-meadow/rows/")  # compiles the data, once in a process
    with django_assert_num_queries(7):
        assert client.get("/games/tin-meadow/rows/").status_code == 200


def test_whole_page_and_part_of_it(client: Client, tin_meadow: PackVersion) -> None:
    whole, part = client.get(FACTION), client.get(FACTION, headers=PART)
    assert b"<html" in whole.content
    assert b"<html" not in part.content
    assert b"Hay Hands" in part.content
    assert "HX-Request" in whole["Vary"]
    assert "HX-Request" in part["Vary"]


@pytest.mark.parametrize("more", [{"HX-History-Restore-Request": "true"}, {"HX-Request-Type": "full"}])
def test_going_back_brings_the_whole_page(client: Client, tin_meadow: PackVersion, more: dict[str, str]) -> None:
    assert b"<html" in client.get(FACTION, headers=PART | more).content


@pytest.mark.parametrize(
    ("query", "here", "gone"),
    [
        ("q=fork", "Hay Hands", "Hay Wagon"),
        ("q=steady", "Reeve", "Hay Hands"),
        ("q=wheeled", "Hay Wagon", "Reeve"),
        ("type=heavy", "Hired Cart", "Reeve"),
        ("type=heavy&q=hay", "Hay Wagon", "Hired Cart"),
    ],
)
def test_search_and_filter(client: Client, tin_meadow: PackVersion, query: str, here: str, gone: str) -> None:
    text = client.get(f"{FACTION}?{query}", headers=PART).content.decode()
    assert f">{here}</a>" in text
    assert f">{gone}</a>" not in text


def test_a_find_says_what_was_found(client: Client, tin_meadow: PackVersion) -> None:
    assert "<mark>Long fork</mark>" in markup(client.get(f"{FACTION}?q=fork"))


def test_sort(client: Client, tin_meadow: PackVersion) -> None:
    text = client.get(f"{FACTION}?sort=points", headers=PART).content.decode()
    assert text.index("Hired Cart") < text.index("Hay Hands") < text.index("Hay Wagon") < text.index("Reeve")


@pytest.mark.parametrize(
    "query", ["q=zzz", "q=%00", "type=%00", "type=nothing", "sort=nothing", "page=99", "page=x", "unknown=1"]
)
def test_odd_questions_are_answered(client: Client, tin_meadow: PackVersion, query: str) -> None:
    assert client.get(f"{FACTION}?{query}").status_code == 200


def test_nothing_found_shows_the_way_back(client: Client, tin_meadow: PackVersion) -> None:
    assert f'href="{FACTION}"' in client.get(f"{FACTION}?q=zzz", headers=PART).content.decode()


def test_script_in_the_search_text_stays_text(client: Client, tin_meadow: PackVersion) -> None:
    text = client.get(FACTION, {"q": '"><script>alert(1)</script>'}).content.decode()
    assert "<script>alert" not in text
    assert "&quot;&gt;&lt;script&gt;" in text


def test_a_long_text_is_cut(client: Client, tin_meadow: PackVersion) -> None:
    assert client.get(FACTION, {"q": "x" * 5000}).status_code == 200


def test_pages(client: Client) -> None:
    install_version(ABOUT, with_units(60))
    first = client.get("/games/tin-meadow/rows/", {"q": "row"}).content.decode()
    second = client.get("/games/tin-meadow/rows/", {"q": "row", "page": 2}).content.decode()
    assert ">Row 50</a>" in first
    assert ">Row 51</a>" not in first
    assert ">Row 51</a>" in second
    assert "?q=row&amp;page=2" in first


def test_units_have_the_figures_of_their_profile_as_columns(client: Client) -> None:
    install_shipped(SHIPPED / "reeds_and_rust" / "first")
    page = markup(client.get("/games/reeds-and-rust/marsh-compact/"))
    assert 'scope="col">MV</th>' in page
    assert '<td class="opt num brief">6</td>' in page


def test_the_figures_that_sum_a_unit_up_are_told_from_others(client: Client) -> None:
    install_shipped(SHIPPED / "reeds_and_rust" / "first")
    page = markup(client.get("/games/reeds-and-rust/marsh-compact/"))
    brief = re.findall(r'<th class="opt brief" scope="col">\s*([^<]*?)\s*</th>', page)
    assert set(brief) == {"MV", "SKL", "AV"}


@pytest.mark.parametrize(("figures", "columns"), [(MOST_COLUMNS, MOST_COLUMNS), (MOST_COLUMNS + 1, 0)])
def test_a_table_with_too_many_columns_has_none(figures: int, columns: int) -> None:
    characteristics = tuple(Characteristic(type_id=f"f-{n}", name=f"F{n}", value="1") for n in range(figures))
    profile = Info(
        id="wide", kind=InfoKind.PROFILE, name="W", type_id="model", type_name="Model", characteristics=characteristics
    )
    rows = Catalogue(
        id="rows", name="Rows", kind=CatalogueKind.FACTION, entries=(unit("row", "Row", "core", 1, infos=(profile,)),)
    )
    version = install_version(ABOUT, DataSet(catalogues=(SYSTEM, rows)))
    units = [(row, ()) for row in UnitEntry.objects.filter(faction__version=version)]
    (table,) = build_stat_tables(Faction.objects.get(version=version), units)
    assert len(table.columns) == columns
