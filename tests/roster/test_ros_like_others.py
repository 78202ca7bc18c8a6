"""Exports equal the rosters of other programs, compared with files in the shared folder."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluate import evaluate
from roster.formats.ros import read_ros, write_ros
from tests.read_archives import read_rules

pytestmark = pytest.mark.slow

GAME = "wh40k-9e-v9.2.13.zip"
"""The data that the rosters were made with."""


@pytest.fixture(scope="module")
def rules(shared: Path) -> Ruleset:
    return read_rules(shared / "bsdata" / GAME)


def rosters(shared: Path) -> dict[str, bytes]:
    manifest = json.loads((shared / "rosters" / "manifest.json").read_text("utf-8"))
    files = [shared / "rosters" / entry["file"] for entry in manifest if entry["data"].endswith(GAME)]
    return {file.name: file.read_bytes() for file in files}


def root_of(data: bytes) -> etree._Element:
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = archive.read(archive.namelist()[0])
    return etree.fromstring(data)


def told(element: etree._Element) -> dict[str, str]:
    """Return the attributes of `element` that are not blank, because some programs write blank ones."""
    return {str(name): str(value) for name, value in element.items() if value}


def inside(element: etree._Element, container: str) -> list[etree._Element]:
    return element.findall(f"{{*}}{container}/*")


def printed(element: etree._Element) -> dict[str, Any]:
    """Return the printed content of a force or selection in any order."""
    texts = [*inside(element, "profiles"), *inside(element, "rules")]
    figures = {
        (text.get("id"), text.get("name"), text.get("typeId"), text.get("publicationId"), text.get("page") or None): [
            (part.get("typeId"), part.text) for part in text.iter() if part.text and part.text.strip()
        ]
        for text in texts
    }
    return {
        **told(element),
        "costs": sorted((c.get("typeId"), c.get("name"), c.get("value")) for c in inside(element, "costs")),
        "categories": {(c.get("entryId"), c.get("name"), c.get("primary")) for c in inside(element, "categories")},
        "publications": {(p.get("id"), p.get("name")) for p in inside(element, "publications")},
        "texts": figures,
    }


def test_every_force_and_selection_is_written_alike(shared: Path, rules: Ruleset) -> None:
    found = rosters(shared)
    assert found
    for name, data in found.items():
        roster = read_ros(name, data).roster
        theirs, ours = root_of(data), root_of(write_ros(roster, evaluate(rules, roster), rules.data))
        assert dict(theirs.items()) == dict(ours.items())
        for tag in ("{*}force", "{*}selection"):
            assert [printed(node) for node in ours.iter(tag)] == [printed(node) for node in theirs.iter(tag)]
