"""`compare_points` compares official points with the data, reports each difference, and refuses unusable files."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.catalogue.battlescribe_files import game_files, packed
from tests.catalogue.import_bytes import import_bytes

pytestmark = pytest.mark.django_db

FORCES = '<forceEntries><forceEntry id="flock" name="Flock" hidden="false"/></forceEntries>'
LEADER = (
    '<profiles><profile id="leads" name="Leader" typeId="abilities" typeName="Abilities"><characteristics>'
    '<characteristic name="Description" typeId="text">This model can be attached to the following units: Ducks, Stones'
    "</characteristic></characteristics></profile></profiles>"
)
BIRDS = f"""<selectionEntries>
 <selectionEntry id="duck" name="Ducks" type="unit">
  <costs><cost name="pts" typeId="pts" value="20"/></costs>
  <modifiers>
   <modifier type="set" field="pts" value="45"><conditions>
    <condition type="atLeast" value="4" field="selections" scope="self" childId="model" shared="true"
     includeChildSelections="true"/></conditions></modifier>
   <modifier type="increment" field="pts" value="10"><conditions>
    <condition type="atLeast" value="2" field="selections" scope="roster" childId="duck" shared="true"
     includeChildSelections="true"/></conditions></modifier>
  </modifiers>
  <selectionEntries><selectionEntry id="bird" name="Bird" type="model"><constraints>
   <constraint id="bird-min" type="min" value="2" field="selections" scope="parent" shared="true"/>
   <constraint id="bird-max" type="max" value="4" field="selections" scope="parent" shared="true"/>
  </constraints></selectionEntry></selectionEntries>
 </selectionEntry>
 <selectionEntry id="stone" name="Stones" type="unit"/>
 <selectionEntry id="drake" name="Drâke" type="model">{LEADER}
  <costs><cost name="pts" typeId="pts" value="50"/></costs>
  <selectionEntries><selectionEntry id="crown" name="Crown of Reeds" type="upgrade">
   <costs><cost name="pts" typeId="pts" value="15"/></costs></selectionEntry></selectionEntries>
 </selectionEntry>
</selectionEntries>"""
SAME = """
name: The Pond
units:
  - name: DUCKS
    pricing:
      - range: "[1,1]"
        costs: [{models: 2, points: 20}, {models: 4, points: 45}]
      - range: "[2,)"
        costs: [{models: 2, points: 30}]
  - {name: Stones, pricing: []}
  - name: Drake
    pricing: [{costs: [{models: 1, points: 50}]}]
    attachTo: [Ducks, Stones]
detachments:
  - name: Reeds
    enhancements: [{name: Crown of Reeds, points: 15}]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    import_bytes("ducks.zip", packed(game_files(BIRDS, FORCES)))
    return tmp_path / "pond.yaml"


def compare(path: Path, *extra: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("compare_points", str(path), "ducks-and-drakes@current", *extra, stdout=out)
    except CommandError as error:
        return error.returncode, f"{out.getvalue()}{error}"
    return 0, out.getvalue()


def test_nothing_differs(file: Path) -> None:
    file.write_text(SAME, encoding="utf-8")
    code, text = compare(file)
    assert (code, text.splitlines()[-1].partition(": ")[2]) == (
        0,
        "3 units, 5 prices and 1 leaders compared, 0 differences",
    )


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("models: 4, points: 45", "models: 4, points: 50", "DUCKS, 4 models: official 50, data 45"),
        ("points: 30", "points: 20", "DUCKS, 2 models, from unit 2 on: official 20, data 30"),
        ("models: 4", "models: 9", "DUCKS, 9 models: official 45, data has none of that size"),
        ("[Ducks, Stones]", "[Ducks]", "Drake, may lead Stones: official no, data yes"),
        ("[Ducks, Stones]", "[Ducks, Stones, Swans]", "Drake, may lead Swans: official yes, not in the data"),
        ("Reeds, points: 15", "Reeds, points: 10", "Crown of Reeds (Reeds), enhancement: official 10, data 15"),
        ("Crown of Reeds, points: 15", "Crown of Reeds (Upgrade), points: 10", "Crown of Reeds (Upgrade) (Reeds)"),
        ("{name: Stones,", "{name: Swans,", "Swans: only official"),
        ("{name: Stones,", "{name: Swans,", "Stones: only in the data"),
    ],
)
def test_each_difference_is_named_with_both_figures(file: Path, before: str, after: str, line: str) -> None:
    file.write_text(SAME.replace(before, after, 1), encoding="utf-8")
    code, text = compare(file)
    assert code == 1
    assert f"  {line}" in text


def test_a_folder_is_compared_and_a_faction_chosen(file: Path) -> None:
    file.write_text(SAME, encoding="utf-8")
    (file.parent / "sea.yaml").write_text("name: Sea\nunits: []\n", encoding="utf-8")
    (file.parent / "meta.yaml").write_text("version: 1\n", encoding="utf-8")
    code, text = compare(file.parent)
    assert code == 0
    assert "Sea: not in the data" in text
    assert "Sea" not in compare(file.parent, "--faction", "the pond")[1]
    code, text = compare(file.parent, "--faction", "Moor")
    assert code == 2
    assert "The Pond, Sea" in text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"name: [", "line 1"),
        (b"", "line 1"),
        (b"- one", "form"),
        (b"units: []", "name"),
        (b"name: Pond\nunits: [{name: Duck, pricing: [{costs: [{models: many, points: 5}]}]}]", "$.units[0]"),
        (b"name: P\xffnd", "cannot be read"),
    ],
)
def test_bad_files_are_refused_by_name_and_place(file: Path, text: bytes, words: str) -> None:
    file.write_bytes(text)
    code, output = compare(file)
    assert code == 2
    assert words in output
    assert "pond.yaml" in output


def test_what_is_not_there_is_refused(file: Path) -> None:
    assert compare(file)[0] == 2
    assert compare(file.parent) == (2, f"{file.parent} has no .yaml file with units.")


SPARROWS = """<?xml version="1.0"?>
<catalogue id="heath" name="The Heath" revision="1" battleScribeVersion="2.03" gameSystemId="sys" gameSystemRevision="1"
 xmlns="http://www.battlescribe.net/schema/catalogueSchema"><selectionEntries>
 <selectionEntry id="sparrow" name="Sparrows" type="unit"><costs><cost name="pts" typeId="pts" value="5"/></costs>
 </selectionEntry></selectionEntries></catalogue>"""


def test_a_printed_faction_may_have_other_names_in_the_data(tmp_path: Path) -> None:
    files = game_files(BIRDS, FORCES) | {"heath.cat": SPARROWS}
    import_bytes("ducks.zip", packed(files))
    path = tmp_path / "waters.yaml"
    sparrows = "  - {name: Sparrows, pricing: [{costs: [{models: 1, points: 6}]}]}"
    printed = SAME.replace("The Pond", "Waters").replace("detachments:", f"{sparrows}\ndetachments:")
    path.write_text(printed, encoding="utf-8")
    code, text = compare(path)
    # Most of its units are in one faction, the others in a second.
    assert code == 1
    assert [line for line in text.splitlines() if line.startswith("  ")] == ["  Sparrows, 1 models: official 6, data 5"]
    assert "4 units, 6 prices" in text

    swans = "".join(f"  - {{name: Swan {number}}}\n" for number in range(2))
    path.write_text(printed.replace("detachments:", f"{swans}detachments:"), encoding="utf-8")
    code, text = compare(path)
    assert "  Swan 1: only official" in text

    geese = "".join(f"  - {{name: Goose {number}}}\n" for number in range(9))
    path.write_text(printed.replace("detachments:", f"{geese}detachments:"), encoding="utf-8")
    code, text = compare(path)
    assert (code, "Waters: not in the data, not compared" in text) == (0, True)
