"""Findings about data files. A bad pack gives diagnostics instead of crashing an evaluation."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition

PLACES_NAMED = 3


class Level(StrEnum):
    """An error makes data unusable. A flaw must be fixed, but the data works."""

    ERROR = "error"
    FLAW = "flaw"
    WARNING = "warning"


class Diagnostic(Definition):
    """A finding about a data file. `mend` says what to do; `line` counts from 1, 0 if unknown."""

    code: str
    message: str
    mend: str = ""
    file: str = ""
    line: int = 0
    level: Level = Level.ERROR

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if self.place else self.message
        return f"{text} {self.mend}".rstrip()


class DiagnosticGroup(Definition):
    """Equal findings at several places."""

    first: Diagnostic
    places: tuple[str, ...]

    @property
    def named(self) -> tuple[str, ...]:
        return self.places[:PLACES_NAMED]

    @property
    def more(self) -> int:
        return len(self.places) - len(self.named)

    def __str__(self) -> str:
        if len(self.places) == 1:
            return str(self.first)
        text = f"{self.first.message} {self.first.mend}".rstrip()
        rest = f" and {self.more} more" if self.more else ""
        return f"{text} ({len(self.places)} times: {', '.join(self.named)}{rest})"


def group_diagnostics(diagnostics: Iterable[Diagnostic]) -> list[DiagnosticGroup]:
    """Group findings that differ only by place, in order of first occurrence.

    >>> group = group_diagnostics(Diagnostic(code="x", message="Gone.", file=name) for name in "abcd")[0]
    >>> print(group)
    Gone. (4 times: a, b, c and 1 more)
    """
    groups: dict[Diagnostic, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        groups.setdefault(msgspec.structs.replace(diagnostic, file="", line=0), []).append(diagnostic)
    return [DiagnosticGroup(first=same[0], places=tuple(one.place for one in same)) for same in groups.values()]
