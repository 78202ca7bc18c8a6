"""Errors that stop a file from being read at all."""

from catalogue.definitions.diagnostics import Diagnostic, Level

_ATTACKS = frozenset(("doctype", "zip-bomb", "climbing-path", "symlink", "too-deep", "too-large", "too-many-files"))


class ReadError(Exception):
    """A file or archive that cannot be read, and what to do about it.

    `code` is stable; `file` names the file (`archive.zip/folder/file.cat` inside an archive) and `line` counts from 1,
    0 where unknown.
    """

    def __init__(self, code: str, message: str, *, mend: str = "", file: str = "", line: int = 0) -> None:
        super().__init__(code, message, mend, file, line)
        self.code = code
        self.message = message
        self.mend = mend
        self.file = file
        self.line = line

    @property
    def is_attack(self) -> bool:
        """Whether its author means harm, so that nothing that came with it is read either."""
        return self.code in _ATTACKS

    @property
    def diagnostic(self) -> Diagnostic:
        """Return the same as a value for the import report."""
        return Diagnostic(code=self.code, message=self.message, mend=self.mend, file=self.file, line=self.line)

    @property
    def omission(self) -> Diagnostic:
        """Return the same for a file that is left out, while those beside it are read."""
        return Diagnostic(
            code=self.code,
            message=f"Left out: {self.message[:1].lower()}{self.message[1:]}",
            mend=self.mend,
            file=self.file,
            line=self.line,
            level=Level.FLAW,
        )

    def __str__(self) -> str:
        return str(self.diagnostic)
