"""Entries, groups, links, costs, categories and forces."""

from decimal import Decimal

import pytest

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.definitions.citations import Citation
from catalogue.definitions.entries import Cost, EntryKind, EntryType
from catalogue.formats.battlescribe.reader import read_bytes
from tests.catalogue.battlescribe_files import POND, codes, game_files, packed, read_entry, read_game, read_pond, unit


def test_files_become_catalogues_of_their_kind() -> None:
    files = game_files()
    files["shed.cat"] = POND.replace('id="pond"', 'id="shed"').replace('library="false"', 'library="true"') % ""
    data = read_bytes("ducks.zip", packed(files)).data
    assert data is not None
    kinds = {c.id: (c.kind, c.revision) for c in data.catalogues}
    assert kinds == {
        "sys": (CatalogueKind.GAME_SYSTEM, "3"),
        "pond": (CatalogueKind.FACTION, "7"),
        "shed": (CatalogueKind.LIBRARY, "7"),
    }


def test_defaults_of_absent_attributes() -> None:
    entry = read_entry("")
    assert (entry.hidden, entry.collective, entry.exported) == (False, False, True)
    assert entry.type is EntryType.UNIT


def test_attributes_of_an_entry() -> None:
    entry = read_entry("", 'hidden="true" collective="true" import="false" page="4" sortIndex="2" defaultAmount="3"')
    assert (entry.hidden, entry.collective, entry.exported) == (True, True, False)
    assert (entry.sort_index, entry.default_amount) == (2, 3)
    assert entry.citation == Citation(page="4")


def test_spaces_that_sort_catalogues_are_no_part_of_their_names() -> None:
    files = game_files()
    pond = str(files["pond.cat"])
    files["pond.cat"] = pond.replace('name="The Pond"', 'name="   The Pond"')
    assert files["pond.cat"] != pond
    result = read_bytes("ducks.zip", packed(files))
    assert result.data is not None
    assert "The Pond" in [catalogue.name for catalogue in result.data.catalogues]


@pytest.mark.parametrize(
    ("text", "amount", "stacks"),
    [
        ("2", 2, ()),
        ("1,1,3", 0, (1, 1, 3)),
        ("1,", 0, ()),
        ("1,x", 0, ()),
        ("1;2", 0, ()),
        ("-1,2", 0, ()),
        (",".join("1" * 200), 0, ()),
        ("9" * 10, 0, ()),
    ],
)
def test_default_amounts(text: str, amount: int, stacks: tuple[int, ...]) -> None:
    result = read_bytes("ducks.zip", packed(game_files(unit("", f'defaultAmount="{text}"'))))
    assert result.data is not None
    (entry,) = [entry for catalogue in result.data.catalogues for entry in catalogue.entries]
    assert (entry.default_amount, entry.default_stacks) == (amount, stacks)
    assert any("defaultAmount" in str(diagnostic) for diagnostic in result.diagnostics) is not bool(amount or stacks)


@pytest.mark.parametrize("text", ["1,1", "9" * 10, "9" * 5_000, "²", ""])
def test_a_position_that_is_no_whole_number_is_none(text: str) -> None:
    result = read_bytes("ducks.zip", packed(game_files(unit("", f'sortIndex="{text}"'))))
    assert result.data is not None
    assert [entry.sort_index for catalogue in result.data.catalogues for entry in catalogue.entries] == [0]


def test_costs_are_exact() -> None:
    entry = read_entry('<costs><cost name="crumbs" typeId="pts" value="0.1"/></costs>')
    assert entry.costs == (Cost(type_id="pts", name="crumbs", value=Decimal("0.1")),)


def test_large_numbers_as_java_writes_them() -> None:
    assert read_entry('<costs><cost name="crumbs" typeId="pts" value="1.0E7"/></costs>').costs[0].value == 10_000_000


def test_children_keep_the_order_of_the_file() -> None:
    entry = read_entry(
        """<entryLinks><entryLink id="l" name="" targetId="egg" type="selectionEntry"/></entryLinks>
        <selectionEntryGroups>
          <selectionEntryGroup id="g" name="Nests" defaultSelectionEntryId="egg"><selectionEntries>
            <selectionEntry id="egg" name="Egg" type="upgrade"/></selectionEntries></selectionEntryGroup>
        </selectionEntryGroups>
        <selectionEntries><selectionEntry id="beak" name="Beak" type="model"/></selectionEntries>"""
    )
    assert [(child.id, child.kind) for child in entry.entries] == [
        ("l", EntryKind.ENTRY_LINK),
        ("g", EntryKind.GROUP),
        ("beak", EntryKind.ENTRY),
    ]
    assert entry.entries[0].target_id == "egg"
    assert entry.entries[1].default_id == "egg"


def test_no_default_by_name() -> None:
    group = '<selectionEntryGroup id="g" name="" defaultSelectionEntryId="none"/>'
    assert read_entry(f"<selectionEntryGroups>{group}</selectionEntryGroups>").entries[0].default_id == ""


def test_links_to_groups_and_what_they_add() -> None:
    catalogue = read_pond(
        """<sharedSelectionEntryGroups><selectionEntryGroup id="nests" name="Nests"/></sharedSelectionEntryGroups>
        <entryLinks><entryLink id="l" name="Nests" targetId="nests" type="selectionEntryGroup" hidden="true">
          <costs><cost name="crumbs" typeId="pts" value="2.0"/></costs>
          <categoryLinks><categoryLink id="c" name="Bird" targetId="bird" primary="true"/></categoryLinks>
        </entryLink></entryLinks>"""
    )
    (link,) = catalogue.entries
    assert (link.kind, link.target_id, link.hidden) == (EntryKind.GROUP_LINK, "nests", True)
    assert link.costs[0].value == 2
    assert link.categories[0].primary
    assert [entry.id for entry in catalogue.shared_entries] == ["nests"]


def test_forces_hold_slots_and_forces() -> None:
    data = read_game(
        game="""<forceEntries><forceEntry id="flock" name="Flock">
          <constraints><constraint id="m" type="max" value="1" field="forces" scope="roster"/></constraints>
          <costs><cost name="crumbs" typeId="pts" value="1"/></costs>
          <forceEntries><forceEntry id="wing" name="Wing"/></forceEntries>
          <categoryLinks><categoryLink id="s" name="Bird" targetId="bird"><constraints>
            <constraint id="n" type="min" value="1" field="selections" scope="parent"/></constraints></categoryLink>
          </categoryLinks>
          <rules><rule id="r" name="Quack"><description>Be loud.</description></rule></rules>
        </forceEntry></forceEntries>"""
    ).data
    assert data is not None
    (force,) = data.game_system.forces
    assert [inner.id for inner in force.forces] == ["wing"]
    assert [c.id for c in force.constraints] == ["m"]
    assert [c.id for c in force.categories[0].constraints] == ["n"]
    assert force.infos[0].description == "Be loud."


def test_catalogue_links() -> None:
    link = '<catalogueLink id="k" name="" targetId="%s" type="catalogue" %s/>'
    files = game_files(f"<catalogueLinks>{link % ('shed', '')}</catalogueLinks>")
    back = link % ("pond", 'importRootEntries="true"')
    files["shed.cat"] = POND.replace('id="pond"', 'id="shed"') % f"<catalogueLinks>{back}</catalogueLinks>"
    data = read_bytes("ducks.zip", packed(files)).data
    assert data is not None
    links = {c.id: c.links for c in data.catalogues}
    assert not links["pond"][0].import_root_entries
    assert links["shed"][0].import_root_entries


def test_shared_and_root_entries_stay_apart() -> None:
    catalogue = read_pond(
        unit() + '<sharedSelectionEntries><selectionEntry id="egg" name="Egg" type="upgrade"/></sharedSelectionEntries>'
    )
    assert [e.id for e in catalogue.entries] == ["duck"]
    assert [e.id for e in catalogue.shared_entries] == ["egg"]


def test_cost_types() -> None:
    data = read_game().data
    assert data is not None
    (pts,) = data.game_system.cost_types
    assert (pts.name, pts.default_limit, pts.hidden) == ("crumbs", -1, False)


def test_types_that_only_new_recruit_knows() -> None:
    inside = "".join(
        f'<selectionEntry id="{kind}" name="" type="{kind}"/>' for kind in ("model", "mount", "crew", "ghost")
    )
    result = read_game(unit(f"<selectionEntries>{inside}</selectionEntries>"))
    assert codes(result) == ["unknown-value"]
    assert result.data
    types = [entry.type for entry in result.data.catalogues[1].entries[0].entries]
    assert types == [EntryType.MODEL, EntryType.MOUNT, EntryType.CREW, EntryType.UPGRADE]
