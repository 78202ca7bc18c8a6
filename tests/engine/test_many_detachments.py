"""The cost of judging a list grows linearly with its detachments, from document to API answer."""

import json
import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

import pytest

from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.ruleset import Ruleset
from roster.formats.list_document import BuiltList, ListDocument, Media, build_list, read_list
from roster.services.evaluation import evaluate_with
from roster.wording.api_payload import serialize_list
from tests.shipped_packs import read_ruleset

FEW, MANY = 10, 40
PACKS = sorted(path.parent.relative_to(SHIPPED).as_posix() for path in SHIPPED.glob("*/*/pack.yaml"))
OWN = ("/roster/", "/catalogue/")


class LineProbe:
    """Counts the executed lines of our code, which do not depend on the load of the machine."""

    def __init__(self) -> None:
        self.lines = 0

    def __enter__(self) -> "LineProbe":
        self._before = sys.gettrace()
        sys.settrace(self._enter_frame)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        sys.settrace(self._before)

    def _enter_frame(self, frame: FrameType, event: str, value: Any) -> Callable[..., Any] | None:
        return self._count_line if any(folder in frame.f_code.co_filename for folder in OWN) else None

    def _count_line(self, frame: FrameType, event: str, value: Any) -> Callable[..., Any]:
        self.lines += event == "line"
        return self._count_line


def judge_empty_detachments(ruleset: Ruleset, faction: str, detachment: str, number: int) -> None:
    written = {"list": 1, "game": "any", "faction": faction, "detachments": [{"detachment": detachment}] * number}
    document = read_list(json.dumps(written).encode(), Media.JSON)
    assert isinstance(document, ListDocument)
    built = build_list(ruleset, document, faction)
    assert isinstance(built, BuiltList)
    judged = evaluate_with(ruleset, built.roster)
    assert len(judged.report.forces) == number
    serialize_list(judged)


@pytest.mark.parametrize("pack", PACKS)
def test_cost_grows_with_the_number_of_detachments(pack: str) -> None:
    ruleset = read_ruleset(SHIPPED / pack)
    books = (ruleset.find_catalogue(catalogue.id) for catalogue in ruleset.data.catalogues)
    book = next(book for book in books if book and book.force_entries)
    faction, detachment = book.catalogue.id, book.force_entries[0].id
    # The first caller computes what the data alone determines.
    judge_empty_detachments(ruleset, faction, detachment, FEW)
    with LineProbe() as few:
        judge_empty_detachments(ruleset, faction, detachment, FEW)
    with LineProbe() as many:
        judge_empty_detachments(ruleset, faction, detachment, MANY)
    assert many.lines <= 1.1 * few.lines * MANY / FEW
