"""Lists of real tournaments, pasted as text, are legal at their stated totals with the data of their time."""

import json
import os
from pathlib import Path

import pytest

from catalogue.services.community_import import import_path
from roster.services.pasted_lists import read_pasted_text

pytestmark = pytest.mark.django_db
SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", ""))
LISTS = SHARED / "lists" / "aos4"
needs_shared = pytest.mark.skipif(
    not (os.environ.get("ARMYBUILDER_SHARED") and LISTS.is_dir()),
    reason="ARMYBUILDER_SHARED has no lists of Age of Sigmar",
)
ARCHIVES = {"8d46d886": LISTS / "data-8d46d886.zip", "6c4bfee3": SHARED / "bsdata" / "age-of-sigmar-4th.zip"}
"""The data by the beginning of its commit, which the manifest names for each list."""


@needs_shared
@pytest.mark.parametrize("commit", ARCHIVES)
def test_lists_of_age_of_sigmar_are_legal_at_their_totals(commit: str) -> None:
    """Each is read to the last line, in the right handbook, with its regiments, and costs what it says."""
    assert import_path(ARCHIVES[commit]).games
    manifest = json.loads((LISTS / "manifest.json").read_text(encoding="utf-8"))
    of_its_time = [expected for expected in manifest if expected["commit"].startswith(commit)]
    assert of_its_time
    wrong = {}
    for expected in of_its_time:
        read = read_pasted_text((LISTS / expected["file"]).read_bytes(), has_account=True)
        assert isinstance(read, list)
        (one,) = read
        assert one.checked is not None, expected["file"]
        judged = one.checked.judged
        total = judged.points.value if judged.points else 0
        if (one.verdict, total) != (expected["expected"], expected["total"]):
            broken = [violation.name or violation.code for violation in judged.report.errors]
            wrong[expected["file"]] = (one.verdict, total, broken, dict(one.open_lines))
    assert wrong == {}
