"""Every rule kind has a file with five parts, a code, kept and broken specs, a section and words."""

from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluate import RULE_KINDS
from roster.engine.report import Violation
from roster.wording.violation_text import KINDS, get_words
from tests.engine.spec_reader import read_spec, spec_names

RULES = Path(import_module("roster.engine.rules").__path__[0])
CODES = list(RuleCode)
PARTS = ["**Demands**", "**Why:**", "**Measured**", "**Broken by**"]

every_kind = pytest.mark.parametrize("code", CODES, ids=[code.kind for code in CODES])


def test_each_kind_has_one_file() -> None:
    files = sorted(path.stem for path in RULES.glob("*.py") if path.stem != "__init__")
    assert files == sorted(code.name.lower() for code in CODES)
    assert list(RULE_KINDS) == CODES


def test_each_kind_is_read_by_its_name_and_by_its_code() -> None:
    for code in CODES:
        assert RuleCode(code.kind) is RuleCode(code.value) is code
    names = {code.kind for code in CODES}
    former = {code.value for code in CODES} - names
    assert len(former) == 7, "a published code never changes, and a new kind is published under its name"


@every_kind
def test_kind_says_what_it_is(code: RuleCode) -> None:
    module = import_module(f"roster.engine.rules.{code.name.lower()}")
    text = module.__doc__ or ""
    places = [text.find(part) for part in PARTS]
    assert -1 not in places, f"{code.kind} lacks {PARTS[places.index(-1)]}"
    assert places == sorted(places)


@every_kind
def test_kind_has_a_section(code: RuleCode) -> None:
    page = Path(settings.BASE_DIR, "docs", "rules.md").read_text(encoding="utf-8")
    _, heading, rest = page.partition(f"\n### {code.kind}\n")
    assert heading
    if code.value != code.kind:
        assert f"Code: `{code.value}`." in rest.partition("\n### ")[0]


@every_kind
def test_kind_has_specs_that_keep_and_break_it(code: RuleCode) -> None:
    specs = [spec for name in spec_names() if (spec := read_spec(name)).rule == code.kind]
    broken = [
        any(violation.code == code for violation in spec.judge(case).violations)
        for spec in specs
        for case in spec.cases
    ]
    assert True in broken, f"no spec breaks {code.kind}"
    assert False in broken, f"no spec keeps {code.kind}"


@cache
def find_violations() -> dict[RuleCode, Violation]:
    """Return a violation of each kind: the first in a spec."""
    violations: dict[RuleCode, Violation] = {}
    for name in spec_names():
        spec = read_spec(name)
        for case in spec.cases:
            for violation in spec.judge(case).violations:
                violations.setdefault(violation.code, violation)
    return violations


@every_kind
def test_kind_has_words(code: RuleCode) -> None:
    assert code in KINDS
    violation = find_violations()[code]
    words = get_words(violation)
    assert words.headline
    assert violation.counted in words.headline or violation.on.name in words.headline
