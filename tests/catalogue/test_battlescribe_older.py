"""Files of older programs keep their meaning."""

from catalogue.definitions.catalogues import Catalogue, DataSet
from catalogue.definitions.link_index import Binding
from catalogue.definitions.queries import Scope
from catalogue.formats.battlescribe.reader import ReadResult, read_bytes
from tests.catalogue.battlescribe_files import GAME, POND, codes, packed, unit

LINK = '<catalogueLinks><catalogueLink id="l" name="Reeds" targetId="reeds" type="catalogue" %s/></catalogueLinks>'
REEDS = """<catalogue id="reeds" name="The Reeds" revision="1" battleScribeVersion="%s" library="true"
  xmlns="http://www.battlescribe.net/schema/catalogueSchema">
  <selectionEntries><selectionEntry id="heron" name="Heron" type="unit"/></selectionEntries>
</catalogue>"""
GAME_2_00 = """<gameSystem id="sys" name="Ducks and Drakes" revision="3" battleScribeVersion="2.00"
            xmlns="http://www.battlescribe.net/schema/gameSystemSchema">
  <costTypes><costType id="pts" name="crumbs" defaultCostLimit="-1.0"/></costTypes>
  <forceEntries><forceEntry id="flock" name="Flock">
    <categoryEntries>
      <categoryEntry id="bird" name="Bird" hidden="false">
        <constraints><constraint id="most" field="selections" scope="parent" value="3" type="max"/></constraints>
      </categoryEntry>
    </categoryEntries>
  </forceEntry></forceEntries>
</gameSystem>"""


def read_version(version: str, pond: str, game: str = GAME % "") -> ReadResult:
    files = {"ducks.gst": game, "pond.cat": (POND % pond).replace("2.03", version), "reeds.cat": REEDS % version}
    return read_bytes("ducks.zip", packed({**files}))


def data_of(result: ReadResult) -> DataSet:
    assert codes(result) == []
    assert result.data
    return result.data


def pond_of(data: DataSet) -> Catalogue:
    return next(catalogue for catalogue in data.catalogues if catalogue.id == "pond")


def roots(version: str, attributes: str = "") -> list[str]:
    data = data_of(read_version(version, LINK % attributes))
    return [found.entry.id for found in Binding(data).list_root_entries(pond_of(data))]


def test_before_2_03_every_link_offers_the_roots() -> None:
    assert roots("2.02") == roots("2.01") == roots("2.03", 'importRootEntries="true"') == ["heron"]
    assert roots("2.03") == roots("2.02", 'importRootEntries="false"') == []


def test_before_2_01_an_entry_names_its_category_in_an_attribute() -> None:
    data = data_of(read_version("2.00", unit(attributes='categoryEntryId="bird"')))
    (link,) = pond_of(data).entries[0].categories
    assert (link.target_id, link.primary) == ("bird", True)
    without = data_of(read_version("2.00", unit(attributes='categoryEntryId="(No Category)"')))
    assert pond_of(without).entries[0].categories == ()


def test_before_2_01_categories_stand_inside_forces() -> None:
    data = data_of(read_version("2.00", unit(), GAME_2_00))
    system = data.game_system
    assert [(category.id, category.name, category.constraints) for category in system.categories] == [
        ("bird", "Bird", ())
    ]
    (slot,) = system.forces[0].categories
    assert (slot.target_id, slot.name, [c.id for c in slot.constraints]) == ("bird", "Bird", ["most"])


def test_before_2_01_a_scope_has_another_name() -> None:
    inside = """<constraints>
      <constraint id="most" field="selections" scope="category" value="1" type="max"/>
    </constraints>"""
    (constraint,) = pond_of(data_of(read_version("2.00", unit(inside)))).entries[0].constraints
    assert constraint.query.scope == Scope.PRIMARY_CATEGORY


def test_before_2_02_figures_stand_in_attributes_and_books_by_name() -> None:
    inside = """<profiles><profile id="p" name="Duck" profileTypeId="" profileTypeName="Bird" book="Ponds" page="4">
      <characteristics><characteristic name="M" characteristicTypeId="m" value="5"/></characteristics>
    </profile></profiles>
    <costs><cost name="crumbs" costTypeId="pts" value="3.0"/></costs>"""
    entry = pond_of(read_version("2.01", unit(inside)).data or DataSet(catalogues=())).entries[0]
    (profile,) = entry.infos
    assert (profile.type_name, profile.citation.publication_id, profile.citation.page) == ("Bird", "Ponds", "4")
    assert [(c.type_id, c.value) for c in profile.characteristics] == [("m", "5")]
    assert [(c.type_id, c.value) for c in entry.costs] == [("pts", 3)]


def test_what_is_older_still_is_left_out_by_name() -> None:
    result = read_version("1.15b", unit())
    assert result.data is not None
    assert [catalogue.id for catalogue in result.data.catalogues] == ["sys"]
    (first, *_) = result.diagnostics
    assert (first.code, first.level, first.file, first.line) == ("old-format", "flaw", "ducks.zip/pond.cat", 1)
