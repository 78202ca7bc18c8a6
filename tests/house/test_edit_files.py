"""How many files of the product one edit enters: what a reader who follows one click has to open."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.house.measure import FOLDERS, ROOT
from tests.roster.views_cast import started

MOST_FILES = 60
"""Of the 18 rule kinds, a file each, this list is asked about the four that any list may break; two more
files are middleware, 11 are views, tags and wording, 19 services and models, 20 the engine, 4 the graph and the
definitions."""


def trace_files(act: Callable[[], object]) -> set[str]:
    """Call something and return the files of ours in which a function was called."""
    codes: set[CodeType] = set()

    def note_call(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note_call)
    try:
        act()
    finally:
        sys.setprofile(before)
    paths = {Path(code.co_filename) for code in codes}
    ours = {str(path.relative_to(ROOT)) for path in paths if path.is_relative_to(ROOT)}
    return {name for name in ours if name.split("/")[0] in FOLDERS}


@pytest.mark.django_db
def test_one_edit_enters_few_files() -> None:
    owner = started(Client())
    column = owner.roster.tree.forces[0].id

    def add_unit() -> HttpResponse:
        return owner.edit(do="add-unit", node=column, entry="cutters", headers={"HX-Request": "true"})

    # What is loaded once in a process, templates above all, is loaded by the first edit.
    assert add_unit().status_code == 200
    files = trace_files(add_unit)
    assert {"roster/services/apply.py", "roster/engine/evaluate.py"} <= files
    assert len(files) <= MOST_FILES, "\n".join(sorted(files))
