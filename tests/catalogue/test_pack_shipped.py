"""The shipped packs have no findings, and the example pack shows each of its rules."""

from pathlib import Path

import pytest

from catalogue.definitions.rulebook import list_rules
from catalogue.formats.packs.load import find_packs
from catalogue.formats.packs.pack import LoadedPack
from tests.shipped_packs import read_ruleset, read_shipped

PACKS = find_packs()


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.name}"


@pytest.mark.parametrize("path", PACKS, ids=name_of)
def test_a_shipped_pack_has_no_mistakes(path: Path) -> None:
    assert [str(found) for found in read_shipped(path).diagnostics] == []
    assert read_ruleset(path).diagnostics == ()


@pytest.mark.parametrize("path", PACKS, ids=name_of)
def test_a_pack_says_what_it_is(path: Path) -> None:
    pack = read_shipped(path).pack
    assert pack is not None
    assert (path / "CHANGELOG.md").is_file()
    assert pack.example or "unofficial" in pack.notice.lower()
    assert all(
        (pack.game, pack.version, pack.about, pack.publisher, pack.identity.emblem, pack.identity.light, pack.books)
    )


def deciding_rules(read: LoadedPack) -> set[str]:
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
    pack = read_shipped(path).pack
    assert pack is not None
    claimed = list_rules(claim for worked in pack.lists for claim in worked.rules)
    assert deciding_rules(read_shipped(path)) == set(claimed)
