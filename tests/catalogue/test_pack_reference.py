"""The pack reference is generated from the reader's declarations: editor schema, tables of keys in the docs."""

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import CommandError, call_command

from catalogue.documents.problems import Problems
from catalogue.documents.reference import (
    COMMON,
    SchemaWriter,
    list_tables,
    update_tables,
    write_common_table,
    write_table,
)
from catalogue.formats.packs.features.allowances.syntax import UnitAllowancesSyntax
from catalogue.formats.packs.load import (
    LISTS,
    PROOFS,
    SCORES,
    UNITS,
    PackFolder,
    find_packs,
    make_plain,
    parse_document,
)
from catalogue.formats.packs.reference import list_pack_sections, write_pack_schema
from catalogue.formats.packs.syntax.decks import DeckSyntax
from catalogue.formats.packs.syntax.units import UnitSyntax

FOLDER = Path(__file__).parents[2] / "docs"
PAGES = [FOLDER / "packs.md", *sorted((FOLDER / "features").glob("*.md"))]
DOCS = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
SCHEMA = write_pack_schema()
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)


def errors_in(text: str) -> list[str]:
    tree = parse_document(text, "units.yaml", Problems())
    assert tree is not None
    return [error.message for error in VALIDATOR.iter_errors(make_plain(tree))]


def test_the_files_in_docs_are_as_the_command_writes_them(settings: Any, tmp_path: Path) -> None:
    call_command("write_reference", "--check")
    for folder in ("clients", "schema"):
        (tmp_path / "docs" / folder).mkdir(parents=True)
    for name, section in (("packs.md", "unit"), ("lists.md", "listed_plan")):
        (tmp_path / "docs" / name).write_text(f"<!-- keys: {section} -->\n<!-- end of keys -->\n")
    (tmp_path / "docs" / "rules.md").write_text("<!-- kinds -->\n<!-- end of kinds -->\n")
    settings.BASE_DIR = tmp_path
    with pytest.raises(CommandError, match=r"packs\.md"):
        call_command("write_reference", "--check")
    call_command("write_reference", stdout=StringIO())
    call_command("write_reference", "--check")
    assert "### wrong-place\n\nNothing in the wrong place." in (tmp_path / "docs/rules.md").read_text()
    assert json.loads((tmp_path / "docs/schema/pack.schema.json").read_text()) == SCHEMA


def test_no_table_stands_there_twice() -> None:
    tables = list_tables(DOCS)
    assert len(tables) == len(set(tables)) > 50
    assert set(tables) <= {COMMON, *list_pack_sections()}


def test_every_key_that_a_file_may_have_is_explained() -> None:
    words = " ".join(DOCS.lower().replace("-", " ").split())
    schemas = [variant for schema in SCHEMA["$defs"].values() for variant in schema.get("anyOf", [schema])]
    keys = {key for schema in schemas for key in schema.get("properties", ())}
    assert {"unit", "only when", "slots", "open"} <= keys
    assert {key for key in keys if not re.search(rf"[`{{ ,]{key}[`:,}}]", words)} == set()


@pytest.mark.parametrize("path", find_packs(), ids=lambda path: "-".join(path.parts[-2:]))
def test_what_ships_keeps_to_the_schema(path: Path) -> None:
    folder = PackFolder(path, Problems())
    files = [
        file
        for file in folder.list_files()
        if not {LISTS, PROOFS, SCORES} & set(parts := file.relative_to(path).parts) or parts[:2] == (PROOFS, UNITS)
    ]
    assert files
    for file in files:
        tree = folder.read_tree(file)
        assert tree is not None
        errors = [error.message for error in VALIDATOR.iter_errors(make_plain(tree))]
        assert (file.name, errors) == (file.name, [])


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        ("keywerds: [Wet]", "Wet"),
        ("joins: {unit: Toad}", "joins"),
        ("unique: maybe", "maybe"),
        ("keywords: {Wet: yes}", "Wet"),
        ("options: [{option: Stone, only wen: crew}]", "option"),
    ],
)
def test_an_editor_marks_a_mistake(lines: str, word: str) -> None:
    unit = "units:\n- unit: Toad\n  type: crew\n  points: 3\n"
    assert errors_in(unit) == []
    assert word in " ".join(errors_in(f"{unit}  {lines}\n"))


def test_keys_are_known_in_every_spelling() -> None:
    for key in ("only when", "only-when", "only_when"):
        assert errors_in(f"units: [{{unit: Toad, type: crew, {key}: at least 2 crew}}]") == []


def test_a_table_has_a_row_for_each_key() -> None:
    table = write_table(DeckSyntax)
    assert re.findall(r"^\| `([\w ]+)` \|", table, re.MULTILINE) == ["deck", "cards", "copies", "up to", "type"]
    assert table.endswith("\n\n[Common keys](packs.md#common-keys): `id`, `cite`.\n")
    page = "Before\n<!-- keys: deck -->\nold\n<!-- end of keys -->\nAfter\n"
    assert update_tables(page, {"deck": DeckSyntax}) == page.replace("old\n", write_table(DeckSyntax))


def test_common_keys_are_explained_once_and_named_below_each_table() -> None:
    common = write_common_table({"deck": DeckSyntax, "unit": UnitSyntax})
    assert re.findall(r"^\| `([\w ]+)` \|", common, re.MULTILINE) == ["id", "cite", "points", "prices"]
    assert "[Common keys](../packs.md#common-keys): `id`, `cite`, `points`" in write_table(UnitSyntax, "../")
    page = "<!-- keys: common -->\n<!-- end of keys -->\n"
    assert update_tables(page, {"unit": UnitSyntax}).count("| `id` |") == 1


def test_keys_with_a_page_of_their_own_are_named_below_the_table() -> None:
    table = write_table(UnitSyntax)
    assert "| `allows` |" not in table
    assert "`allows`, `bars`, `by name only` ([allowances](features/allowances.md))" in table
    assert "| `allows` |" in write_table(UnitAllowancesSyntax)
    links = re.findall(r"\]\((features/\w+\.md)\)", DOCS)
    assert len(links) > 20
    assert [link for link in links if not (FOLDER / link).is_file()] == []


def test_sections_that_hold_each_other_are_written_once() -> None:
    writer = SchemaWriter({"part": {}, "condition": {}, "citation": {}, "prices": {}, "ability_use": {}})
    assert writer.refer_to(UnitSyntax) == writer.refer_to(UnitSyntax) == {"$ref": "#/$defs/unit"}
    assert {"unit", "rule", "join"} <= set(writer.definitions)
