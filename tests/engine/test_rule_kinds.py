"""Every rule kind has a file with its five parts, a registry line, a spec kept and broken, a section and words."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings

from roster.engine.codes import Code
from roster.engine.evaluate import RULE_KINDS, evaluate
from roster.wording.violation_text import KINDS, words_for
from tests.engine.playing import read_spec, spec_names

RULES = Path(import_module("roster.engine.rules").__path__[0])
CODES = [kind.code for kind in RULE_KINDS]
PARTS = ["**Demands**", "**Why:**", "**Measured**", "**Broken by**"]


def test_each_code_has_one_kind() -> None:
    assert sorted(CODES) == sorted(Code)


def test_each_file_has_one_registry_line() -> None:
    files = {path.stem for path in RULES.glob("*.py")} - {"__init__"}
    assert files == {code.replace("-", "_") for code in CODES}


@pytest.mark.parametrize("code", CODES)
def test_kind_says_what_it_is(code: str) -> None:
    module = import_module(f"roster.engine.rules.{code.replace('-', '_')}")
    text = module.__doc__ or ""
    places = [text.find(part) for part in PARTS]
    assert -1 not in places, f"{code} lacks {PARTS[places.index(-1)]}"
    assert places == sorted(places)


@pytest.mark.parametrize("code", CODES)
def test_kind_has_a_section(code: str) -> None:
    page = Path(settings.BASE_DIR, "docs", "rules.md").read_text(encoding="utf-8")
    assert re.search(rf"^### {code}$", page, re.MULTILINE)


@pytest.mark.parametrize("code", CODES)
def test_kind_has_specs_that_keep_and_break_it(code: str) -> None:
    specs = [spec for name in spec_names() if (spec := read_spec(name)).rule == code]
    broken = [
        any(violation.code == code for violation in evaluate(spec.ruleset, case.roster, case.plan).violations)
        for spec in specs
        for case in spec.cases
    ]
    assert True in broken, f"no spec breaks {code}"
    assert False in broken, f"no spec keeps {code}"


@pytest.mark.parametrize("code", CODES)
def test_kind_has_words(code: str) -> None:
    assert code in KINDS
    cases = [
        (spec.ruleset, case) for name in spec_names() for spec in [read_spec(name)] for case in spec.cases
    ]
    found = [
        v
        for ruleset, case in cases
        for v in evaluate(ruleset, case.roster, case.plan).violations
        if v.code == code
    ]
    words = words_for(found[0])
    assert words.headline
    assert found[0].counted in words.headline or found[0].on.name in words.headline
