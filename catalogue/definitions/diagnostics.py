"""What is wrong with data, where, and how to mend it. A bad pack is a diagnostic, never a crash at evaluation."""

from enum import StrEnum

from catalogue.definitions.base import Definition


class Level(StrEnum):
    """An error makes data unusable. A flaw must be fixed as well, but data with flaws can be used."""

    ERROR = "error"
    FLAW = "flaw"
    WARNING = "warning"


class Diagnostic(Definition):
    """One finding about a data file.

    `code` is stable; `message` says what is wrong and `mend` what to do; `line` counts from 1, 0 where unknown.
    """

    code: str
    message: str
    mend: str = ""
    file: str = ""
    line: int = 0
    level: Level = Level.ERROR

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        text = f"{place}: {self.message}" if place else self.message
        return f"{text} {self.mend}".rstrip()
