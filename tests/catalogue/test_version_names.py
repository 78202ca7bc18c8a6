"""Commands accept a version by hash, name, commit or game; errors list what exists."""

import pytest
from django.core.management import CommandError

from catalogue.definitions.catalogues import DataSet
from catalogue.management.versions import find_version
from catalogue.models import PackVersion
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from roster.engine.tree import copy_with
from tests.roster.small_game import MARSH, SYSTEM, WEIR

pytestmark = pytest.mark.django_db

COMMIT = "70444dde90"


def install(label: str, slug: str = "fenland", *, hold: bool = False) -> PackVersion:
    data = DataSet(catalogues=(copy_with(SYSTEM, name=f"System {label}"), MARSH, WEIR))
    return install_version(GameInfo(slug=slug, name=slug.capitalize(), label=label), data, hold=hold)


@pytest.fixture
def versions() -> dict[str, PackVersion]:
    """The current version, one of a held commit, and another game with a version of the same name."""
    return {"1.0": install("1.0"), COMMIT: install(COMMIT, hold=True), "other": install("1.0", "weirland")}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (COMMIT, COMMIT),
        (COMMIT[:7], COMMIT),
        (COMMIT + "0" * 30, COMMIT),
        ("fenland@1.0", "1.0"),
        ("Fenland@1.0", "1.0"),
        ("fenland@current", "1.0"),
        ("fenland@newest", COMMIT),
        (f"FENLAND@{COMMIT}", COMMIT),
        (f"  {COMMIT}\n", COMMIT),
    ],
)
def test_a_version_is_found(versions: dict[str, PackVersion], text: str, label: str) -> None:
    assert find_version(text) == versions[label]


def test_every_beginning_of_a_hash_that_one_version_has(versions: dict[str, PackVersion]) -> None:
    assert len(versions) > 1
    for version in versions.values():
        for length in (8, 10, 64):
            assert find_version(version.content_hash[:length]) == version
        assert find_version(f"{version.game.slug}@{version.short_hash}") == version


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("1.0", {"1.0", "other"}),
        ("fenland", {"1.0", COMMIT}),
        ("fenland@2.0", {"1.0", COMMIT}),
        ("fenland@", {"1.0", COMMIT}),
        ("nothing", {"1.0", COMMIT, "other"}),
        ("nowhere@current", {"1.0", COMMIT, "other"}),
        ("", {"1.0", COMMIT, "other"}),
    ],
)
def test_the_rest_is_refused_with_what_may_be_meant(
    versions: dict[str, PackVersion], text: str, named: set[str]
) -> None:
    with pytest.raises(CommandError) as refused:
        find_version(text)
    said = str(refused.value)
    assert {label for label, version in versions.items() if version.short_hash in said} == named


def test_without_any_data() -> None:
    with pytest.raises(CommandError):
        find_version("1.0")
