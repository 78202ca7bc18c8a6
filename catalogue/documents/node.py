"""Nodes with their places, and a reader of mappings. Mistakes are reported with line and hint, never raised."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar, cast

from catalogue.definitions.diagnostics import Level
from catalogue.definitions.numbers import Number, parse_number
from catalogue.documents.problems import MalformedValueError, Problems, SourceLine, suggest_names

Read = TypeVar("Read")
YES = ("yes", "true", "on")
NO = ("no", "false", "off")
NO_MISNOMERS: Mapping[str, Sequence[str]] = {}


def normalize_key(text: str) -> str:
    """Return a key in lower case with spaces instead of hyphens and underscores."""
    return " ".join(text.strip().lower().replace("_", " ").replace("-", " ").split())


def read_number(text: str) -> Number:
    """Parse `+2`, `-3` or `1.5`."""
    try:
        return parse_number(text.replace("−", "-"))
    except ValueError:
        raise MalformedValueError(f"“{text}” is not a number.", "Write a number, as 12 or -3.", "bad-number") from None


class DocumentSource(NamedTuple):
    file: str
    problems: Problems


class DocumentNode:
    """A value and its place. Readers decide what `yes`, `4+` and `012` mean.

    `content` is a text, a list of nodes, or a list of pairs, in which keys may repeat. `quoted` tells "12" from 12.
    Line and column count from 1.
    """

    __slots__ = ("column", "content", "is_map", "line", "quoted", "source")

    def __init__(
        self,
        content: "str | list[DocumentNode] | list[tuple[DocumentNode, DocumentNode]]",
        source: DocumentSource,
        line: int,
        column: int = 1,
        quoted: bool = False,
        is_map: bool = False,
    ) -> None:
        self.content = content
        self.source = source
        self.line = line
        self.column = column
        self.quoted = quoted
        self.is_map = is_map

    @property
    def where(self) -> SourceLine:
        return SourceLine(self.source.file, self.line)

    @property
    def is_text(self) -> bool:
        return isinstance(self.content, str)

    @property
    def is_list(self) -> bool:
        return not self.is_map and not isinstance(self.content, str)

    @property
    def is_empty(self) -> bool:
        return self.content == "" and not self.quoted

    @property
    def items(self) -> "list[DocumentNode]":
        return cast("list[DocumentNode]", self.content) if self.is_list else []

    @property
    def members(self) -> "list[tuple[DocumentNode, DocumentNode]]":
        return cast("list[tuple[DocumentNode, DocumentNode]]", self.content) if self.is_map else []

    def report(self, code: str, message: str, hint: str = "", level: Level = Level.ERROR) -> None:
        self.source.problems.add(self.where, code, message, hint, level)

    def read_text(self) -> str:
        """Return the text on one line, or report the value and return ""."""
        if isinstance(self.content, str):
            return " ".join(self.content.split())
        self.report("wrong-type", f"Expected one text, not {self._describe_kind()}.", "Write one text.")
        return ""

    def read(self, reader: Callable[[str], Read], otherwise: Read) -> Read:
        """Return the parsed text, or report it and return `otherwise`."""
        text = self.read_text()
        if not self.is_text:
            return otherwise
        try:
            return reader(text)
        except MalformedValueError as error:
            self.report(error.code, error.message, error.mend)
            return otherwise

    def read_flag(self) -> bool:
        """Return whether the value is `yes`. Report anything but yes and no."""
        return self.read(_read_flag, False)

    def read_number(self, otherwise: Number = 0) -> Number:
        return self.read(read_number, otherwise)

    def read_each(self) -> "list[DocumentNode]":
        """Return the items of a list, or a single value as a list of one."""
        if self.is_empty:
            return []
        return self.items if self.is_list else [self]

    def read_texts(self) -> "list[DocumentNode]":
        """Return a list of texts, written as a list or on one line with commas."""
        # Quotes keep a name with a comma in one piece.
        if isinstance(self.content, str) and "," in self.content and not self.quoted:
            return [self.replace_text(part) for part in map(str.strip, self.content.split(",")) if part]
        # Reading a value that is not text reports it.
        return [item for item in self.read_each() if item.is_text or item.read_text()]

    def replace_text(self, text: str) -> "DocumentNode":
        return DocumentNode(text, self.source, self.line, self.column)

    def read_pairs(
        self, expected: str = "`name: value` lines", hint: str = ""
    ) -> "Iterator[tuple[DocumentNode, DocumentNode]]":
        """Yield the pairs of a mapping, and report repeated names. Reports of anything else say `expected` and
        `hint`.
        """
        if self.is_empty:
            return
        if not self.is_map:
            self.report("wrong-type", f"Expected {expected}, not {self._describe_kind()}.", hint)
            return
        seen: set[str] = set()
        for key, value in self.members:
            name = normalize_key(key.read_text())
            if name in seen:
                key.report("duplicate-key", f"“{key.read_text()}” is written twice here.", "Keep one of them.")
            elif name:
                seen.add(name)
                yield key, value

    def _describe_kind(self) -> str:
        if self.is_empty:
            return "nothing"
        return "a list" if self.is_list else "a mapping" if self.is_map else "a plain text"


class MappingReader:
    """Reads the keys of a mapping. `close` reports keys that were never read.

    `title` begins messages. `lone_key` makes a single value mean that key alone. `misnomers` maps wrong keys to likely
    ones.
    """

    def __init__(
        self, node: DocumentNode, title: str, lone_key: str = "", misnomers: Mapping[str, Sequence[str]] = NO_MISNOMERS
    ) -> None:
        self.node = node
        self.misnomers = misnomers
        self.where = node.where
        self.title = title
        self.is_lone = bool(lone_key)
        if lone_key:
            self._given = {lone_key: (node, node)}
        else:
            self._given = {normalize_key(name.read_text()): (name, value) for name, value in node.read_pairs()}
        self._read_keys: dict[str, None] = {}
        self._missing: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._given

    def get(self, *keys: str) -> DocumentNode | None:
        for key in keys:
            self._read_keys.setdefault(key)
        return next((self._given[key][1] for key in keys if key in self._given), None)

    def need(self, key: str, hint: str = "") -> DocumentNode | None:
        """Return the value of `key`, or report that it is missing."""
        node = self.get(key)
        if node is not None and not node.is_empty:
            return node
        if not self.is_lone:
            self._missing.add(key)
            (node or self.node).report("missing-key", f"{self.title} has no `{key}`.", hint or f"Add `{key}: ...`.")
        return None

    def read_text(self, key: str, otherwise: str = "") -> str:
        node = self.get(key)
        return node.read_text() if node is not None else otherwise

    def forget(self, key: str) -> None:
        """Treat a key as unread, because the key it belongs to is missing."""
        self._read_keys.pop(key, None)

    def close(self) -> None:
        """Report unread keys and empty values."""
        if self.is_lone:
            return
        for name, (key, value) in self._given.items():
            if name not in self._read_keys:
                likely = [other for other in self.misnomers.get(name, ()) if other in self._read_keys]
                hint = suggest_names(name, likely or self._read_keys) or "Remove it; docs/packs.md lists the keys."
                key.report("unknown-key", f"{self.title} has no key “{key.read_text()}”.", hint)
            elif value.is_empty and name not in self._missing:
                key.report("empty-value", f"“{key.read_text()}:” has no value.", "Fill it or remove the line.")


def _read_flag(text: str) -> bool:
    if text.lower() in YES:
        return True
    if text.lower() in NO:
        return False
    raise MalformedValueError(f"“{text}” is neither yes nor no.", "Write yes or no.", "wrong-type")
