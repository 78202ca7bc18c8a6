"""docs/packs.md explains every key that the reader knows, and its examples are read."""

import re
import shutil
from pathlib import Path

import pytest

from catalogue.documents.node import MappingReader
from catalogue.formats.packs.load import SHIPPED, read_pack
from catalogue.formats.packs.syntax.builtin_rules import BUILTIN_RULES
from tests.catalogue.pack_files import pond

DOCS = (Path(__file__).parents[2] / "docs" / "packs.md").read_text(encoding="utf-8")
EXAMPLE = SHIPPED / "reeds_and_rust" / "first"
SAMPLE = re.compile(r"```yaml\n(.*?)```", re.DOTALL)


def test_every_key_is_explained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: set[str] = set()
    get = MappingReader.get

    def noting(self: MappingReader, *keys: str) -> object:
        asked.update(keys)
        return get(self, *keys)

    monkeypatch.setattr(MappingReader, "get", noting)
    read_pack(Path(shutil.copytree(EXAMPLE, tmp_path / "first")))
    words = " ".join(DOCS.lower().replace("-", " ").split())
    assert {key for key in asked if not re.search(rf"[`{{ ,]{key}[`:,}}]", words)} == set()


def test_every_built_in_rule_is_named() -> None:
    assert [name for name in BUILTIN_RULES if f"`{name}`" not in " ".join(DOCS.split())] == []


def test_the_tutorial_unit_is_read(tmp_path: Path) -> None:
    unit, options = SAMPLE.findall(DOCS)[:2]
    pack = (EXAMPLE / "pack.yaml").read_text()
    gear = (EXAMPLE / "gear.yaml").read_text()
    entry = (unit + options).replace("Reed Cutters", "New Cutters")
    head = "faction: marsh-compact\ncite: rules\nunits:\n"
    reading = pond(tmp_path, "", pack, **{"units.yaml": head + entry, "gear.yaml": gear})
    assert [str(found) for found in reading.diagnostics] == []
