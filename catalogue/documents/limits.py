"""How large and deep a document may be, and why one cannot be read."""

from typing import NamedTuple


class DocumentLimits(NamedTuple):
    """How large and deep a document may be. A `strict` one has no tags, anchors, second documents or twin keys."""

    values: int
    depth: int
    strict: bool = False


class DocumentError(Exception):
    """Why a text is no document that can be read; `code` says which limit or rule it breaks."""

    def __init__(self, code: str, line: int = 0, column: int = 0, given: str = "", detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.line = line
        self.column = column
        self.given = given
        self.detail = detail
