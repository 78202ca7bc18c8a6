"""Maps are drawn to scale from data: ten units to the inch."""

from xml.etree import ElementTree

import pytest

from catalogue.definitions.missions import MapTable, Whose, Zone
from catalogue.formats.packs.load import SHIPPED
from catalogue.services.map_svg import BLANK, UNIT, draw_map
from tests.shipped_packs import read_shipped

SVG = "{http://www.w3.org/2000/svg}"


def shapes(drawing: str, name: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(drawing).findall(f"{SVG}{name}")


@pytest.mark.parametrize(
    ("name", "place", "boxes"),
    [
        ("quarters", 0, [(0, 300, 180, 480), (300, 0, 480, 180)]),
        ("quarters", 1, [(0, 240, 240, 480), (480, 0, 720, 240)]),
        ("battle-line", 0, [(0, 420, 480, 480), (0, 0, 480, 60)]),
        ("ambush", 0, [(0, 0, 480, 50), (0, 430, 480, 480), (0, 50, 50, 430), (430, 50, 480, 430)]),
        ("convergence", 0, []),
    ],
)
def test_warzone_zones_are_to_scale(name: str, place: int, boxes: list[tuple[float, ...]]) -> None:
    data = read_shipped(SHIPPED / "warzone" / "resurrection").data
    assert data is not None
    found = next(each for each in data.game_system.play.maps if each.id == name)
    drawing = draw_map(found.tables[place], found.name)
    drawn = []
    for polygon in shapes(drawing, "polygon"):
        points = [tuple(map(float, point.split(","))) for point in polygon.attrib["points"].split()]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        drawn.append((min(xs), min(ys), max(xs), max(ys)))
    assert drawn == boxes
    for circle in shapes(drawing, "circle"):
        assert float(circle.attrib["r"]) == 6 * UNIT
        assert float(circle.attrib["cx"]) == found.tables[place].width * UNIT / 2


def test_zones_differ_by_more_than_colour() -> None:
    square = (((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)),)
    zones = tuple(Zone(name=whose.value, whose=whose, polygons=square) for whose in Whose)
    looks = [
        polygon.attrib.get("stroke-dasharray")
        for polygon in shapes(draw_map(MapTable(width=48, depth=48, zones=zones), "x"), "polygon")
    ]
    assert len(set(looks)) == len(looks)


def test_words_of_data_are_no_markup() -> None:
    zone = Zone(name="<b>&", polygons=(((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)),))
    drawing = draw_map(MapTable(width=48, depth=48, zones=(zone,)), '"><script>')
    assert "<script>" not in drawing
    assert shapes(drawing, "text")[0].text == "<b>&"


def test_a_schematic_map_has_no_distances() -> None:
    drawing = draw_map(BLANK, "x", schematic=True)
    assert not shapes(drawing, "text")
    assert not shapes(drawing, "polygon")


@pytest.mark.parametrize("place", [0, 1])
def test_words_of_the_middle_stay_out_of_the_corners(place: int) -> None:
    data = read_shipped(SHIPPED / "warzone" / "resurrection").data
    assert data is not None
    found = next(each for each in data.game_system.play.maps if each.id == "quarters")
    table = found.tables[place]
    *_, corner = (zone for zone in table.zones if zone.polygons)
    edge = min(x for x, _y in corner.polygons[0]) * UNIT
    middle = table.width * UNIT / 2
    said = [word for word in shapes(draw_map(table, "x"), "text") if word.text in ("Convergence", "6″")]
    assert len(said) == 2
    for word in said:
        wide = len(word.text or "") * 0.52 * float(word.attrib["font-size"])
        assert float(word.attrib["x"]) == middle
        assert middle + wide / 2 < edge
