"""docs/lists.md explains every key that the reader knows, and its examples are read."""

import re
from pathlib import Path

import pytest

from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.ruleset import compile_ruleset
from roster.formats.list_document import Built, ListDocument, build_list, plan, read, read_list
from roster.formats.list_document.nodes import Fields
from tests.shipped_packs import read_shipped

DOCS = (Path(__file__).parents[2] / "docs" / "lists.md").read_text(encoding="utf-8")
LIST, PLAN = re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL)


def test_the_example_is_built() -> None:
    data = read_shipped(SHIPPED / "reeds_and_rust" / "first").data
    assert data is not None
    document = read_list(LIST.encode())
    assert isinstance(document, ListDocument), document
    assert isinstance(build_list(compile_ruleset(data), document, "marsh-compact"), Built)


def test_the_plan_is_read() -> None:
    document = read_list(f"list: 1\ngame: x\n{PLAN}".encode())
    assert isinstance(document, ListDocument), document
    assert document.plan is not None
    assert document.plan.joins[0][1].value == "first squad"


def test_every_key_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    known: set[str] = set()

    def noting(node: Fields, *keys: str) -> Fields:
        known.update(keys)
        return node

    for module in (read, plan):
        monkeypatch.setattr(module, "check_fields", noting)
    everything = {"categories": [{"category": "a"}], "units": [{"unit": "a", "options": [{"option": "b"}]}]}
    text = {"list": 1, "game": "x", "plan": {}, "detachments": [{"detachment": "a", **everything}]}
    assert isinstance(read_list(str(text).replace("'", '"').encode()), ListDocument)
    assert len(known) > 30
    assert {key for key in known if not re.search(rf"[`{{ ,]{key}[`:,}}]", DOCS)} == set()
