"""docs/lists.md and the editor schema match the reader, and their examples can be read."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from catalogue.documents.problems import Problems
from catalogue.documents.reference import list_tables
from catalogue.documents.section import list_keys
from catalogue.formats.packs.load import LISTS, SHIPPED, PackFolder, find_packs, make_plain
from catalogue.graph.ruleset import compile_ruleset
from roster.formats.list_document import BuiltList, ListDocument, Unreadable, build_list, read_list
from roster.formats.list_document.document import ExpectedOutcome, list_document_sections, write_list_schema
from tests.shipped_packs import read_shipped

DOCS = (Path(__file__).parents[2] / "docs" / "lists.md").read_text(encoding="utf-8")
VALIDATOR = jsonschema.Draft7Validator(write_list_schema())
LIST, PLAN = re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL)


def test_the_example_is_built() -> None:
    data = read_shipped(SHIPPED / "reeds_and_rust" / "first").data
    assert data is not None
    document = read_list(LIST.encode())
    assert isinstance(document, ListDocument), document
    assert isinstance(build_list(compile_ruleset(data), document, "marsh-compact"), BuiltList)


def test_the_plan_is_read() -> None:
    document = read_list(f"list: 1\ngame: x\n{PLAN}".encode())
    assert isinstance(document, ListDocument), document
    assert document.plan is not None
    assert document.plan.joins[0][1].value == "first squad"


def test_every_section_has_its_table_and_every_claim_its_word() -> None:
    assert sorted(list_tables(DOCS)) == sorted(list_document_sections())
    assert [spec.key for spec in list_keys(ExpectedOutcome) if f"`{spec.key}`" not in DOCS] == []


@pytest.mark.parametrize("path", find_packs(), ids=lambda path: "-".join(path.parts[-2:]))
def test_worked_lists_keep_to_the_schema(path: Path) -> None:
    folder = PackFolder(path, Problems())
    files = [file for file in folder.list_files() if LISTS in file.relative_to(path).parts]
    assert files
    for file in files:
        tree = folder.read_tree(file)
        assert tree is not None
        errors = [error.message for error in VALIDATOR.iter_errors(make_plain(tree))]
        assert (file.name, errors) == (file.name, [])


@pytest.mark.parametrize(
    "text",
    [
        {"game": "x"},
        {"list": 1, "game": "x", "detachmnts": []},
        {"list": 1, "game": "x", "detachments": [{"units": ["a"]}]},
        {"list": 1, "game": "x", "detachments": [{"detachment": "a", "units": [{"unit": "b", "option": "c"}]}]},
        {"list": 1, "game": "x", "plan": {"joins": ["a"]}},
    ],
)
def test_an_editor_marks_what_the_reader_refuses(text: dict[str, Any]) -> None:
    assert isinstance(read_list(json.dumps(text).encode()), Unreadable)
    assert list(VALIDATOR.iter_errors(text))
