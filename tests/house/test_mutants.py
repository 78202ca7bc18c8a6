"""Every mutated module has tests that are run for it."""

from pathlib import Path

import pytest

from tests.mutants.narrow_tests import (
    AREAS,
    FEW_FILES,
    MOST_FILES,
    ROOT,
    choose_test_files,
    count_mentions,
    list_modules,
)


@pytest.mark.parametrize("area", AREAS)
def test_every_module_of_an_area_has_tests(area: str) -> None:
    modules = list_modules([area])
    assert modules
    chosen = {module: choose_test_files(module) for module in modules}
    assert {module for module, files in chosen.items() if not FEW_FILES <= len(files) <= MOST_FILES} == set()
    assert {file for files in chosen.values() for file in files if not (ROOT / file).is_file()} == set()


def test_the_file_that_is_named_like_the_module_comes_first() -> None:
    assert choose_test_files(Path("roster/services/rosters.py"))[0] == "tests/roster/test_services_rosters.py"


def test_mentions_are_counted_for_the_module_and_for_its_package() -> None:
    source = "from roster.services import edits, plans\nedits.undo(edits.apply())"
    assert count_mentions(source) == {"roster.services": 2, "roster.services.edits": 2}
