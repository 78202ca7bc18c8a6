"""New Recruit's JSON gives the same data, findings and lines as XML, packed or mixed with XML."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from catalogue.formats.battlescribe.json_parser import ObjectLines, name_member
from catalogue.formats.battlescribe.reader import ReadResult, read_bytes, read_path
from tests.catalogue.battlescribe_files import GAME, game_files, packed, unit

INSIDE = unit(
    """<constraints><constraint id="c" type="max" value="2" field="selections" scope="parent"/></constraints>
    <profiles><profile id="p" name="Duck" typeId="" typeName="Bird"><characteristics>
      <characteristic name="M" typeId="m">5"</characteristic></characteristics></profile></profiles>
    <rules><rule id="r" name="Quack"><description>It is {loud}.</description></rule></rules>
    <modifiers><modifier type="set" field="hidden" value="true"><conditionGroups><conditionGroup type="or"><conditions>
      <condition type="atLeast" value="1" field="selections" scope="force" childId="any" shared="true"/>
    </conditions></conditionGroup></conditionGroups></modifier></modifiers>
    <costs><cost name="crumbs" typeId="pts" value="3"/></costs>
    <selectionEntryGroups><selectionEntryGroup id="g" name="Bills" defaultSelectionEntryId="e"><selectionEntries>
      <selectionEntry id="e" name="Bill" type="upgrade"/></selectionEntries></selectionEntryGroup>
    </selectionEntryGroups>
    <entryLinks><entryLink id="l" name="Nowhere" targetId="nowhere" type="selectionEntry"/></entryLinks>"""
)
FLAGS = {"true": True, "false": False}


def to_json(xml: str | bytes) -> str:
    root = etree.fromstring(xml.encode() if isinstance(xml, str) else xml)
    return json.dumps({etree.QName(root).localname: _convert(root)}, indent=2)


def _convert(element: Any) -> dict[str, Any]:
    value: dict[str, Any] = {key: FLAGS.get(text, text) for key, text in element.items()}
    for child in element:
        name = etree.QName(child).localname
        if name == "description":
            value[name] = child.text
        else:
            members = [_convert(member) for member in child]
            assert all(etree.QName(member).localname == name_member(name) for member in child)
            value.setdefault(name, []).extend(members)
    if element.text and element.text.strip() and not len(element):
        value["$text"] = element.text
    return value


def as_json(files: dict[str, str | bytes]) -> dict[str, str | bytes]:
    return {f"{name.rpartition('.')[0]}.json": to_json(text) for name, text in files.items()}


def found(result: ReadResult) -> list[tuple[str, str]]:
    return [(finding.code, finding.message) for finding in result.diagnostics]


def unlist(files: dict[str, str | bytes], *, named: bool) -> dict[str, str | bytes]:
    """Replace lists of a single member by the member; if `named`, wrap lists in the name of their members."""

    def convert(value: Any) -> Any:
        if isinstance(value, list):
            return [convert(member) for member in value]
        if not isinstance(value, dict):
            return value
        return {key: convert_member(key, convert(member)) for key, member in value.items()}

    def convert_member(key: str, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        single = value[0] if len(value) == 1 else value
        return {name_member(key): single} if named else single

    return {name: json.dumps(convert(json.loads(text)), indent=2) for name, text in files.items()}


SHARED = """<sharedSelectionEntries><selectionEntry id="egg" name="Egg" type="upgrade"/></sharedSelectionEntries>
<sharedRules><rule id="hatch" name="Hatch"/></sharedRules>"""
FILES = game_files(INSIDE + SHARED)
JSON_FILES = as_json(FILES)
FORMS = {
    "json": JSON_FILES,
    "mixed": {"ducks.gst": FILES["ducks.gst"], "pond.json": JSON_FILES["pond.json"]},
    "by-another-name": {"ducks.gst": JSON_FILES["ducks.json"], "pond.cat": JSON_FILES["pond.json"]},
    "packed": {f"{name}z": packed({name: text}) for name, text in JSON_FILES.items()},
    "gzipped": {f"{name}.gz": gzip.compress(str(text).encode()) for name, text in JSON_FILES.items()},
    "members-alone": unlist(JSON_FILES, named=False),
    "members-by-name": unlist(JSON_FILES, named=True),
    "beside-other-json": JSON_FILES | {"package.json": '{"name": "ducks"}', "list.json": "[1, 2]"},
}


@pytest.mark.parametrize("files", FORMS.values(), ids=FORMS)
def test_the_same_data_and_findings_as_in_xml(files: dict[str, str | bytes]) -> None:
    expected = read_bytes("ducks.zip", packed(FILES))
    result = read_bytes("ducks.zip", packed(files))
    assert result.data == expected.data
    assert found(result) == found(expected)
    assert ("dangling-link", "Link to nowhere, which does not exist.") in found(result)


def test_braces_in_texts_begin_no_object() -> None:
    text = '{"a": "x\\\\", "b": {},\n "c\\"{": {"t{{": "{", "k": {}}}'
    lines = ObjectLines(text.encode)
    assert [lines.find_line(number) for number in range(1, 5)] == [1, 1, 2, 2]


@pytest.mark.parametrize("form", ["json", "members-alone", "members-by-name"])
def test_findings_name_the_line(form: str) -> None:
    text = str(FORMS[form]["pond.json"])
    result = read_bytes("ducks.zip", packed(FORMS[form]))
    (link,) = [finding for finding in result.diagnostics if finding.code == "dangling-link"]
    lines = text.splitlines()
    assert link.file == "ducks.zip/pond.json"
    assert lines[link.line - 1].strip().endswith("{")
    assert any("nowhere" in line for line in lines[link.line - 1 : link.line + 5])


def test_single_files_and_folders(tmp_path: Path) -> None:
    for name, text in JSON_FILES.items():
        (tmp_path / name).write_text(str(text))
    (tmp_path / "package.json").write_text("{}")
    assert read_path(tmp_path).data == read_bytes("ducks.zip", packed(FILES)).data
    system = str(JSON_FILES["ducks.json"]).encode()
    for name, data in (
        ("d.json", system),
        ("d.json.gz", gzip.compress(system)),
        ("d.json", packed({"d.json": system})),
    ):
        result = read_bytes(name, data)
        assert result.data is not None
        assert result.data.game_system.id == "sys"


def test_characters_that_no_text_may_have_are_left_out() -> None:
    text = str(JSON_FILES["pond.json"]).replace('"Duck"', '"Du\\u0000ck\\u001a"', 1)
    data = read_bytes("ducks.zip", packed({**JSON_FILES, "pond.json": text})).data
    assert data is not None
    assert data.catalogues[1].entries[0].name == "Duck"


def test_duplicates_are_kept_apart() -> None:
    twice = as_json(game_files(unit() + unit()))
    result = read_bytes("ducks.zip", packed(twice))
    assert [code for code, _ in found(result)] == ["duplicate-definition"]
    assert result.data is not None
    assert [entry.id for entry in result.data.catalogues[1].entries] == ["duck", "duck~2"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"catalogue": ' + '{"a": ' * 100_000, "too-deep"),
        (
            '{"catalogue": {"id": "a", "modifiers": ' + '[{"modifierGroups": ' * 300 + "[]" + "}]" * 300 + "}}",
            "too-deep",
        ),
        ('{"catalogue": {"id": "a", "rules": [' + "{}," * 1_100_000 + "{}]}}", "too-large"),
    ],
    ids=["endless", "deep", "wide"],
)
def test_what_means_harm_is_refused(text: str, code: str) -> None:
    result = read_bytes("ducks.zip", packed({"ducks.gst": GAME % "", "pond.json": text}, compression=0))
    assert result.data is None
    assert result.diagnostics[-1].code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"catalogue": {"id": "a",\n"name": }}', "malformed-json"),
        ('{"catalogue": {"name": "\\ud800"}}', "malformed-json"),
        ('{"catalogue": {"name": "\xff"}}'.encode("latin-1"), "malformed-json"),
        ('{"catalogue": {"battleScribeVersion": 1.15}}', "old-format"),
    ],
    ids=["cut", "half-a-character", "latin-1", "old"],
)
def test_what_cannot_be_read_is_left_out(text: str | bytes, code: str) -> None:
    result = read_bytes("ducks.zip", packed({"ducks.gst": GAME % "", "pond.json": text}))
    assert [finding.code for finding in result.diagnostics] == [code]
    assert result.data is not None
    assert [catalogue.id for catalogue in result.data.catalogues] == ["sys"]


def test_odd_shapes_change_nothing() -> None:
    pond = json.loads(str(JSON_FILES["pond.json"]))
    pond["catalogue"] |= {"extra": None, "selectionEntries": [*pond["catalogue"]["selectionEntries"], [1], "x", None]}
    result = read_bytes("ducks.zip", packed({**JSON_FILES, "pond.json": json.dumps(pond)}))
    assert result.data is not None
    assert result.data.catalogues[1].entries[0].name == "Duck"
