"""Lists written from the rulebooks get the verdict that was written down before they were judged."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.load import SHIPPED, find_pack
from roster.engine.evaluate import evaluate
from roster.formats.list_document import BuiltList, ListDocument, Media, build_list, read_list
from tests.extent import sample
from tests.plain_yaml import load_yaml_file
from tests.shipped_packs import read_ruleset

JUDGED = sorted(Path(__file__).with_name("judged").glob("*.yaml"))


def read_lists(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the lists of a file, each with the game, faction and kind of detachment that the file has for all."""
    tree = load_yaml_file(file)
    for written in tree.pop("lists"):
        yield tree | written


def build_yaml(judged: dict[str, Any]) -> bytes:
    """Return a list as players write it."""
    limits = {"points": judged["points"]} if "points" in judged else {}
    limits |= {"command points": judged["command"]} if "command" in judged else {}
    written = {
        "list": 1,
        **{key: judged[key] for key in ("game", "faction", "name", "plan") if key in judged},
        **({"limits": limits} if limits else {}),
        "detachments": [{"detachment": judged["detachment"], "units": judged["units"]}],
    }
    return yaml.safe_dump(written, allow_unicode=True).encode()


LISTS = [judged for file in JUDGED for judged in read_lists(file)]


def test_there_are_lists_of_each_rulebook() -> None:
    assert len(LISTS) == len({(judged["game"], judged["name"]) for judged in LISTS})
    assert {judged["game"] for judged in LISTS} == {file.stem for file in JUDGED}
    assert {judged["expect"] for judged in LISTS} == {"legal", "incomplete", "illegal"}


@pytest.mark.parametrize("judged", sample(LISTS, 24), ids=lambda judged: f"{judged['game']}-{judged['name']}")
def test_a_list_has_the_verdict_of_the_book(judged: dict[str, Any]) -> None:
    pack = find_pack(judged["game"], SHIPPED)
    assert pack
    ruleset = read_ruleset(pack)
    document = read_list(build_yaml(judged), Media.YAML)
    assert isinstance(document, ListDocument), document
    built = build_list(ruleset, document, document.faction.value)
    assert isinstance(built, BuiltList), built
    report = evaluate(ruleset, *built, look_ahead=True)
    assert report.verdict.value == judged["expect"], report.violations
    assert {violation.rule for violation in report.errors} >= set(judged.get("breaks", ()))
    dead_ends = [violation.rule for violation in report.errors if violation.code == RuleCode.NO_COMPLETION]
    assert judged.get("dead end") in (None, *dead_ends)
    if "total" in judged:
        assert [cost.value for cost in report.costs if not cost.hidden][:1] == [judged["total"]]
