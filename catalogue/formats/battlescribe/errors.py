"""Errors that make a file unreadable."""

from catalogue.definitions.diagnostics import Diagnostic, Level

_ATTACKS = frozenset(("doctype", "zip-bomb", "climbing-path", "symlink", "too-deep", "too-large", "too-many-files"))


class ReadError(Exception):
    """An unreadable file or archive, and how to fix it.

    `file` may be inside an archive, `archive.zip/folder/file.cat`. `line` 0 means unknown.
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
        """Return whether the file looks malicious, so that its whole upload is refused."""
        return self.code in _ATTACKS

    @property
    def diagnostic(self) -> Diagnostic:
        return Diagnostic(code=self.code, message=self.message, mend=self.mend, file=self.file, line=self.line)

    @property
    def omission(self) -> Diagnostic:
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
