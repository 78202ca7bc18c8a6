"""The packs that come with Armybuilder: nothing is wrong with them, and their worked lists are judged as they say."""

from functools import cache
from pathlib import Path

import pytest
import yaml
from _pytest.mark import ParameterSet

from catalogue.formats.packs.load import find_packs, read_pack
from catalogue.formats.packs.pack import Reading, WorkedList
from roster.engine.compile import Ruleset, compile_ruleset
from roster.engine.evaluate import evaluate
from roster.formats.lists import Unreadable, build_list, read_list

PACKS = find_packs()
reading = cache(read_pack)


@cache
def ruleset(path: Path) -> Ruleset:
    data = reading(path).data
    assert data is not None
    return compile_ruleset(data)


def name_of(value: Path | WorkedList) -> str:
    return f"{value.parent.name}-{value.name}" if isinstance(value, Path) else value.file


def worked_lists() -> list[ParameterSet]:
    packs = [(path, reading(path).pack) for path in PACKS]
    return [pytest.param(path, worked) for path, pack in packs if pack for worked in pack.lists]


@pytest.mark.parametrize("path", PACKS, ids=name_of)
def test_nothing_is_wrong_with_it(path: Path) -> None:
    assert [str(found) for found in reading(path).diagnostics] == []
    assert ruleset(path).diagnostics == ()


@pytest.mark.parametrize("path", PACKS, ids=name_of)
def test_it_says_what_it_is(path: Path) -> None:
    pack = reading(path).pack
    assert pack is not None
    assert (path / "CHANGELOG.md").is_file()
    assert pack.example or "unofficial" in pack.notice.lower()
    assert all(
        (pack.game, pack.version, pack.about, pack.publisher, pack.accent, pack.accent_dark, pack.books)
    )


@pytest.mark.parametrize(("path", "worked"), worked_lists(), ids=name_of)
def test_a_worked_list_is_judged_as_it_says(path: Path, worked: WorkedList) -> None:
    document = read_list(yaml.safe_dump(worked.document, sort_keys=False, allow_unicode=True).encode())
    assert not isinstance(document, Unreadable), document
    built = build_list(ruleset(path), document, document.faction.value)
    assert not isinstance(built, Unreadable), built
    report = evaluate(ruleset(path), *built)
    assert sorted({violation.rule for violation in report.errors}) == sorted(worked.rules)
    assert report.verdict == worked.expect
    if worked.points is not None:
        assert next(cost.value for cost in report.costs if cost.type_id == "points") == worked.points


def rules_of(read: Reading) -> set[str]:
    """The ids of all rules that decide a verdict."""
    assert read.data is not None
    found = {cost.rule for cost in read.data.game_system.cost_types}
    left = [*read.data.catalogues]
    while left:
        each = left.pop()
        found |= {c.rule for c in getattr(each, "constraints", ()) if c.severity == "error"}
        for inside in ("forces", "categories", "entries", "shared_entries"):
            left += getattr(each, inside, ())
    return found - {""}


def test_a_worked_list_of_the_example_breaks_each_of_its_rules() -> None:
    path = next(path for path in PACKS if path.parent.name == "reeds_and_rust")
    pack = reading(path).pack
    assert pack is not None
    assert rules_of(reading(path)) == {rule for worked in pack.lists for rule in worked.rules}
