from django.core.management.base import OutputWrapper

BAR = 30
CLEAR = "\r\x1b[K"


class ProgressBar:
    """Writes to `stream` if it is a terminal."""

    def __init__(self, stream: OutputWrapper) -> None:
        self.stream = stream

    @property
    def watched(self) -> bool:
        return self.stream.isatty()

    def show(self, name: str, done: int, total: int, doing: str = "") -> None:
        """Show a complete bar if `total` is 0."""
        filled = BAR * done // total if total else BAR
        self._write_line(f"{name}: [{'#' * filled}{' ' * (BAR - filled)}] {doing}".rstrip())

    def clear(self) -> None:
        self._write_line("")

    def _write_line(self, text: str) -> None:
        if self.watched:
            self.stream.write(f"{CLEAR}{text}", str, ending="")
            self.stream.flush()
