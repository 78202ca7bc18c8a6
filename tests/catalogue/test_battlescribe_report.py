"""The import report: unknown, ambiguous and dangling things with their place, and their effect on verdicts."""

import pytest

from catalogue.definitions.diagnostics import Level
from catalogue.definitions.entries import Entry
from catalogue.formats.battlescribe.reader import read_bytes
from tests.catalogue.battlescribe_files import POND, codes, game_files, packed, read_game, unit

LINK = '<entryLinks><entryLink id="%s" name="" targetId="%s" type="selectionEntry"/></entryLinks>'
CONDITION = (
    '<modifiers><modifier type="set" field="hidden" value="true"><conditions>'
    '<condition type="atLeast" value="1" field="%s" scope="%s" childId="%s"/></conditions></modifier></modifiers>'
)
DUCKLING = '<sharedSelectionEntries><selectionEntry id="duckling" name="" type="model"/></sharedSelectionEntries>'


ODD = {
    "unknown-element": "<feathers><feather/></feathers>",
    "unknown-element-in-constraint": (
        '<constraints><constraint id="c" type="max" value="1"><comment/><moods/></constraint></constraints>'
    ),
    "unknown-attribute": '<constraints><constraint id="c" type="max" value="1" mood="good"/></constraints>',
    "unknown-value": '<constraints><constraint id="c" type="about" value="1"/></constraints>',
    "unknown-modifier": '<modifiers><modifier type="shuffle" field="name" value="1"/></modifiers>',
    "dangling-link": LINK % ("l", "nowhere"),
    "dangling-category": '<categoryLinks><categoryLink id="c" targetId="nowhere" name=""/></categoryLinks>',
    "dangling-scope": CONDITION % ("selections", "nowhere", "any"),
    "dangling-child": CONDITION % ("selections", "force", "nowhere"),
    "dangling-field": '<modifiers><modifier type="set" field="nowhere" value="1"/></modifiers>',
    "dangling-cost": '<costs><cost name="grains" typeId="nowhere" value="1"/></costs>',
    "association": '<associations><association id="a" name="Mother" min="1" max="1"/></associations>',
}
SHOWN = {
    "display-only-alias": '<rules><rule id="r" name="R"><alias>Rule</alias></rule></rules>',
    "dangling-info": '<infoLinks><infoLink id="i" name="" targetId="nowhere" type="rule"/></infoLinks>',
    "dangling-publication": '<rules><rule id="r" name="R" publicationId="nowhere"/></rules>',
    "dangling-profile-type": '<profiles><profile id="p" name="P" typeId="nowhere"/></profiles>',
    "display-only": '<entryLinks><entryLink id="l" targetId="duckling" noindex="true"/></entryLinks>',
    "convenience": '<modifiers><modifier type="set" field="name" value="1" automatic="true"/></modifiers>',
    "dangling-default": (
        '<selectionEntryGroups><selectionEntryGroup id="g" name="" defaultSelectionEntryId="x"/></selectionEntryGroups>'
    ),
    "empty-conditions": (
        '<modifiers><modifier type="set" field="name" value="1"><conditionGroups><conditionGroup type="or"/>'
        "</conditionGroups></modifier></modifiers>"
    ),
    "duplicate-id": '<rules><rule id="r" name="One"/><rule id="r" name="Two"/></rules>',
}


@pytest.mark.parametrize(("code", "inside"), ODD.items(), ids=ODD)
def test_what_could_change_a_verdict_follows_into_it(code: str, inside: str) -> None:
    result = read_game(unit(inside))
    code = code.removesuffix("-in-constraint")
    assert codes(result) == [code]
    assert result.data is not None
    (unchecked,) = result.data.catalogues[1].unchecked
    assert (unchecked.code, unchecked.subject_id) == (code, "l" if code == "dangling-link" else "duck")


@pytest.mark.parametrize(("code", "inside"), SHOWN.items(), ids=SHOWN)
def test_what_only_shows_is_reported_and_no_more(code: str, inside: str) -> None:
    result = read_game(unit(inside) + DUCKLING)
    assert codes(result) == [code.removesuffix("-alias")]
    assert result.data is not None
    assert result.data.catalogues[1].unchecked == ()


def test_notes_for_readers_and_costs_of_nothing_say_nothing() -> None:
    condition = (CONDITION % ("selections", "force", "any")).replace("childId", 'childName="Anything" childId')
    assert codes(read_game(unit(condition))) == []
    cost = '<costs><cost name="grains" typeId="nowhere" value="%s"/></costs>'
    assert codes(read_game(unit(cost % "0.0"))) == []
    assert codes(read_game(unit(cost % "0.5"))) == ["dangling-cost"]


def test_what_may_be_attached_is_no_finding_and_what_must_be_is_one() -> None:
    association = '<associations><association id="a" name="Leader" min="%s" max="1"/></associations>'
    assert codes(read_game(unit(association % 0))) == []
    assert codes(read_game(unit(association % 1))) == ["association"]


def test_a_finding_names_file_and_line_and_counts() -> None:
    result = read_game(unit("<feathers/>\n<feathers/>"))
    (found,) = result.diagnostics
    assert (found.file, found.line, found.level) == ("ducks.zip/pond.cat", 6, Level.WARNING)
    assert "<feathers> in <selectionEntry> (2 times)" in found.message


def test_findings_stand_in_the_order_of_the_file() -> None:
    """Equal files give equal data in each process: a scheduled look-up must not see a new version."""
    names = [f"odd{number}" for number in range(9)]
    read = read_game(unit(attributes=" ".join(f'{name}="yes"' for name in names)))
    assert [finding.message.split()[-1].rstrip(".") for finding in read.diagnostics] == names


def test_missing_catalogue() -> None:
    link = '<catalogueLink id="k" name="Shed" targetId="shed" type="catalogue"/>'
    result = read_game(f"<catalogueLinks>{link}</catalogueLinks>")
    assert codes(result) == ["dangling-catalogue"]


def test_of_two_definitions_the_linked_one_is_meant_and_a_tie_is_ambiguous() -> None:
    egg = '<sharedSelectionEntries><selectionEntry id="egg" name="Egg" type="upgrade"/></sharedSelectionEntries>'
    shed = POND.replace('id="pond"', 'id="%s"') % ("%s", egg.replace("%", "%%"))
    files = game_files(unit(LINK % ("l", "egg")))
    files |= {"a.cat": shed % "a", "b.cat": shed % "b"}
    assert codes(read_bytes("ducks.zip", packed(files))) == ["ambiguous-reference"]

    link = '<catalogueLinks><catalogueLink id="k" name="A" targetId="a" type="catalogue"/></catalogueLinks>'
    files["pond.cat"] = POND % (link + unit(LINK % ("l", "egg")))
    assert codes(read_bytes("ducks.zip", packed(files))) == []


def test_unknown_scope_words_of_newer_programs_are_named() -> None:
    result = read_game(unit(CONDITION % ("selections", "not-upgrade", "any")))
    assert "not-upgrade" in result.diagnostics[0].message


def test_what_older_files_leave_empty_says_nothing() -> None:
    inside = '<rules><rule id="r" name="R"><profiles/><rules/><infoLinks/><modifiers/></rule></rules>'
    assert codes(read_game(unit(inside))) == []


GUN = '<selectionEntries>%s<selectionEntry id="bill" name="%s" type="upgrade"/></selectionEntries>'


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(GUN % ("", "Bill"), GUN % ("\n  ", "Bill"), ["duplicate-id"], id="a copy in another unit"),
        pytest.param(GUN % ("", "Bill"), GUN % ("", "Beak"), ["duplicate-definition"], id="something else"),
        pytest.param(LINK % ("bill", "duck"), GUN % ("", "Bill"), ["duplicate-id"], id="a link called the same"),
        pytest.param(
            GUN % ("", "Bill"),
            f'<selectionEntryGroups><selectionEntryGroup id="g" name="">{GUN % ("", "Bill")}</selectionEntryGroup>'
            "</selectionEntryGroups>",
            ["duplicate-id"],
            id="a copy in a group",
        ),
    ],
)
def test_ids_that_mean_two_things_are_told_from_copies(first: str, second: str, expected: list[str]) -> None:
    result = read_game(unit(first, ident="drake") + unit(second))
    assert codes(result) == expected
    assert result.data is not None


def entries_of(pond: str) -> tuple[Entry, ...]:
    result = read_game(pond)
    assert codes(result) == ["duplicate-definition"]
    assert result.data is not None
    return result.data.catalogues[1].entries


def test_two_of_one_id_beside_each_other_are_kept_apart() -> None:
    duck, bill, copy = entries_of(unit(GUN % ("", "Bill")) + GUN % ("", "Bill") + GUN % ("", "Beak"))
    assert [duck.entries[0].id, bill.id, copy.id] == ["bill", "bill~2", "bill~3"]
    assert (bill.name, copy.name) == ("Bill", "Beak")


def test_a_link_means_the_nearest_of_two() -> None:
    shared = "<sharedSelectionEntries>%s</sharedSelectionEntries>"
    bill = '<selectionEntry id="bill" name="%s" type="upgrade"/>'
    near = unit(f"<selectionEntries>{bill % 'Beak'}</selectionEntries>{LINK % ('l', 'bill')}", ident="drake")
    far = unit(LINK % ("m", "bill"))
    drake, duck = entries_of(shared % (bill % "Bill") + near + far)
    assert [(entry.id, entry.target_id) for entry in drake.entries] == [("bill~2", ""), ("l", "bill~2")]
    assert [entry.target_id for entry in duck.entries] == ["bill"]
