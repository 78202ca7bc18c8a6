"""Problems of documents with lines and hints, and limits."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple

from catalogue.definitions.diagnostics import Diagnostic, Level


class DocumentLimits(NamedTuple):
    """Maximum size and depth. `strict` forbids tags, anchors, second documents and repeated keys."""

    values: int
    depth: int
    strict: bool = False


class DocumentError(Exception):
    """`code` is the broken limit or rule."""

    def __init__(self, code: str, line: int = 0, column: int = 0, given: str = "", detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.line = line
        self.column = column
        self.given = given
        self.detail = detail


class SourceLine(NamedTuple):
    """A line of a file, 0 for the whole file."""

    file: str
    line: int = 0


NO_SOURCE_LINE = SourceLine("")


class MalformedValueError(ValueError):
    """A malformed text, and how to write it instead."""

    def __init__(self, message: str, mend: str = "", code: str = "wrong-form") -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend
        self.code = code


READ_MORE = "docs/packs.md explains the form."


class Problems:
    """All problems, without duplicates. `unread` means an unreadable file."""

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}
        self.unread = False

    def add(self, where: SourceLine, code: str, message: str, mend: str = "", level: Level = Level.ERROR) -> None:
        diagnostic = Diagnostic(
            code=code, message=message, mend=mend or READ_MORE, file=where.file, line=where.line, level=level
        )
        self._found.setdefault(diagnostic)

    def add_unknown(
        self,
        where: SourceLine,
        word: str,
        names: Iterable[str],
        message: str,
        otherwise: str = "",
        code: str = "unknown-name",
    ) -> None:
        """Suggest the nearest known name or else `otherwise`."""
        self.add(where, code, message, suggest_names(word, names) or otherwise)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All problems by file and line."""
        return tuple(sorted(self._found, key=lambda d: (d.file, d.line, d.code, d.message)))

    @property
    def has_errors(self) -> bool:
        return any(finding.level is Level.ERROR for finding in self._found)


def suggest_names(word: str, names: Iterable[str]) -> str:
    """Suggest the nearest names, or all if there are few.

    >>> suggest_names("coer", ["core", "anvil"])
    'Did you mean “core”?'
    """
    choices = sorted(set(names))
    by_folded = {choice.casefold(): choice for choice in choices}
    near = [by_folded[folded] for folded in get_close_matches(word.casefold(), by_folded, n=2, cutoff=0.6)]
    if near:
        return "Did you mean " + " or ".join(f"“{choice}”" for choice in near) + "?"
    if choices and len(choices) <= 12:
        return "Known here: " + ", ".join(choices) + "."
    return ""
