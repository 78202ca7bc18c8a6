"""Every feature of the pack language has its parts in one folder, and its README links to the others and back."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs import features
from tests.engine.spec_reader import read_spec, spec_names

FOLDER = Path(features.__path__[0])
FEATURES = sorted(path.name for path in FOLDER.iterdir() if (path / "__init__.py").exists())
LINK = re.compile(r"\[[^\]]+\]\(([^)]+)\)")
RULE_KIND = re.compile(r"roster/engine/rules/(\w+)\.py")
PARTS = ["* Docs:", "* Syntax:", "* Compile step:", "* Rule kind:", "* Tests:"]

every_feature = pytest.mark.parametrize("name", FEATURES)


def read_readme(name: str) -> str:
    return (FOLDER / name / "README.md").read_text(encoding="utf-8")


def list_rule_kinds(name: str) -> list[RuleCode]:
    return [RuleCode[module.upper()] for module in RULE_KIND.findall(read_readme(name))]


@every_feature
def test_readme_names_every_part_in_order(name: str) -> None:
    places = [read_readme(name).find(part) for part in PARTS]
    assert -1 not in places
    assert places == sorted(places)


@every_feature
def test_readme_links_to_all_files_and_to_nothing_else(name: str) -> None:
    targets = [(FOLDER / name / target).resolve() for target in LINK.findall(read_readme(name))]
    assert [target for target in targets if not target.is_file()] == []
    own = {path.resolve() for path in (FOLDER / name).glob("*.py") if path.stem != "__init__"}
    assert own
    assert own - set(targets) == set()
    assert FOLDER.parents[3] / "docs" / "features" / f"{name}.md" in targets
    assert Path(__file__).with_name(f"test_pack_{name}.py") in targets


@every_feature
def test_rule_kinds_name_their_feature_and_have_a_spec(name: str) -> None:
    text = read_readme(name)
    assert list_rule_kinds(name) or "* Rule kind: none;" in text
    for code in list_rule_kinds(name):
        module = import_module(f"roster.engine.rules.{code.name.lower()}")
        assert f"**Feature:** {name}." in (module.__doc__ or "")
        specs = [spec for spec in spec_names() if read_spec(spec).rule == code.kind]
        assert any(f"tests/engine/specs/{spec}" in text for spec in specs)


def test_every_rule_kind_of_a_feature_is_in_its_readme() -> None:
    claimed = {code for name in FEATURES for code in list_rule_kinds(name)}
    assert claimed
    for code in set(RuleCode) - claimed:
        module = import_module(f"roster.engine.rules.{code.name.lower()}")
        assert "**Feature:**" not in (module.__doc__ or ""), code.kind
