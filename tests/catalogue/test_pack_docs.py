"""docs/packs.md names every built-in rule, and its examples can be read."""

import re
from pathlib import Path

from catalogue.formats.packs.load import SHIPPED
from catalogue.formats.packs.syntax.rules import BUILTIN_RULES
from tests.catalogue.pack_files import pond

DOCS = (Path(__file__).parents[2] / "docs" / "packs.md").read_text(encoding="utf-8")
EXAMPLE = SHIPPED / "reeds_and_rust" / "first"
SAMPLE = re.compile(r"```yaml\n(.*?)```", re.DOTALL)


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
