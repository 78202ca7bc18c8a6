"""A value in a pack file together with the place it stands at, and the list of everything found wrong.

Readers never raise over a mistake: they report it with file, line and mend, and go on with what is left.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

import yaml

from catalogue.definitions.diagnostics import Level
from catalogue.definitions.numbers import Number, parse_number
from catalogue.documents.problems import MalformedValueError, Problems, SourceLine, suggest_names

Read = TypeVar("Read")
YES = ("yes", "true", "on")
NO = ("no", "false", "off")


def key_of(text: str) -> str:
    """Keys may be written with spaces, hyphens or underscores, small or capital."""
    return " ".join(text.strip().lower().replace("_", " ").replace("-", " ").split())


def read_number(text: str) -> Number:
    """Read a number, its sign allowed: `+2`, `-3`, `1.5`."""
    try:
        return parse_number(text.replace("−", "-"))
    except ValueError:
        raise MalformedValueError(
            f"“{text}” is not a number.", "Write a number, as 12 or -3.", "bad-number"
        ) from None


class DocumentNode:
    """One YAML value and its place. Values stay text: what `yes`, `4+` and `012` mean is the reader's business."""

    __slots__ = ("node", "problems", "where")

    def __init__(self, node: yaml.Node, file: str, problems: Problems) -> None:
        self.node = node
        self.where = SourceLine(file, node.start_mark.line + 1)
        self.problems = problems

    def wrong(self, code: str, message: str, mend: str = "", level: Level = Level.ERROR) -> None:
        self.problems.add(self.where, code, message, mend, level)

    @property
    def is_text(self) -> bool:
        return isinstance(self.node, yaml.ScalarNode)

    @property
    def is_list(self) -> bool:
        return isinstance(self.node, yaml.SequenceNode)

    @property
    def is_map(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written: `key:` and no value."""
        return isinstance(self.node, yaml.ScalarNode) and not self.node.value and not self.node.style

    def text(self) -> str:
        """Return the text, on one line; blank and reported where the value is a list or a mapping."""
        if not self.is_text:
            self.wrong(
                "wrong-type", f"Here stands {self._kind()} where one text is meant.", "Write one text."
            )
            return ""
        return " ".join(str(self.node.value).split())

    def read(self, reader: Callable[[str], Read], otherwise: Read) -> Read:
        """Return the text in a form of its own; `otherwise`, and a finding, where it is not in that form."""
        if not self.is_text:
            self.text()
            return otherwise
        try:
            return reader(self.text())
        except MalformedValueError as error:
            self.wrong(error.code, error.message, error.mend)
            return otherwise

    def flag(self) -> bool:
        """`yes` or `no`."""
        return self.read(_flag, False)

    def number(self, otherwise: Number = 0) -> Number:
        return self.read(read_number, otherwise)

    def each(self) -> list["DocumentNode"]:
        """Return the items of a list; one lone value counts as a list of one, nothing as an empty list."""
        if self.is_empty:
            return []
        if self.is_list:
            return [DocumentNode(node, self.where.file, self.problems) for node in self.node.value]
        return [self]

    def texts(self) -> list["DocumentNode"]:
        """Return a list of texts, written as a list or on one line with commas."""
        node = self.node
        if isinstance(node, yaml.ScalarNode) and "," in node.value and not node.style:
            parts = [part.strip() for part in self.node.value.split(",")]
            return [self.replaced(part) for part in parts if part]
        return [item for item in self.each() if item.is_text or item.text()]

    def replaced(self, text: str) -> "DocumentNode":
        """Return the same place with another text."""
        start, end = self.node.start_mark, self.node.end_mark
        return DocumentNode(
            yaml.ScalarNode("tag:yaml.org,2002:str", text, start, end), self.where.file, self.problems
        )

    def pairs(self) -> Iterator[tuple["DocumentNode", "DocumentNode"]]:
        """Names and values of a mapping, in order; a name written twice is reported and its second value left out."""
        if self.is_empty:
            return
        if not self.is_map:
            self.wrong("wrong-type", f"Here stands {self._kind()} where `name: value` lines are meant.")
            return
        seen: set[str] = set()
        for key_node, value_node in self.node.value:
            key = DocumentNode(key_node, self.where.file, self.problems)
            name = key_of(key.text())
            if name in seen:
                key.wrong("duplicate-key", f"“{key.text()}” stands here twice.", "Keep one of them.")
            elif name:
                seen.add(name)
                yield key, DocumentNode(value_node, self.where.file, self.problems)

    def fields(self, what: str) -> "MappingReader":
        return MappingReader(self, what)

    def _kind(self) -> str:
        if self.is_empty:
            return "nothing"
        return "a list" if self.is_list else "a mapping" if self.is_map else "a plain text"


class MappingReader:
    """The keys of one mapping. What is asked for is what is known: `close` reports every other key."""

    def __init__(self, item: DocumentNode, what: str) -> None:
        self.item = item
        self.what = what
        self._given = {key_of(key.text()): (key, value) for key, value in item.pairs()}
        self._asked: dict[str, None] = {}
        self._missed: set[str] = set()

    @property
    def where(self) -> SourceLine:
        return self.item.where

    def __contains__(self, key: str) -> bool:
        return key in self._given

    def get(self, *keys: str) -> DocumentNode | None:
        """Return the value of the first of `keys` that is there."""
        for key in keys:
            self._asked.setdefault(key)
        return next((self._given[key][1] for key in keys if key in self._given), None)

    def need(self, key: str, mend: str = "") -> DocumentNode | None:
        """Return the value of `key`; a missing or empty one is reported."""
        item = self.get(key)
        if item is not None and not item.is_empty:
            return item
        self._missed.add(key)
        place = item or self.item
        place.wrong("missing-key", f"{self.what} has no `{key}`.", mend or f"Add `{key}: ...`.")
        return None

    def text(self, key: str, otherwise: str = "") -> str:
        item = self.get(key)
        return item.text() if item is not None else otherwise

    def flag(self, key: str, otherwise: bool = False) -> bool:
        item = self.get(key)
        return item.flag() if item is not None else otherwise

    def each(self, key: str) -> list[DocumentNode]:
        item = self.get(key)
        return item.each() if item is not None else []

    def texts(self, key: str) -> list[DocumentNode]:
        item = self.get(key)
        return item.texts() if item is not None else []

    def read(self, key: str, reader: Callable[[str], Read], otherwise: Read) -> Read:
        item = self.get(key)
        return otherwise if item is None else item.read(reader, otherwise)

    def close(self) -> None:
        """Report the keys that nobody asked for, and those with nothing behind them."""
        for name, (key, value) in self._given.items():
            if name in self._asked:
                if value.is_empty and name not in self._missed:
                    key.wrong(
                        "empty-value",
                        f"Nothing stands behind “{key.text()}:”.",
                        "Fill it or remove the line.",
                    )
            else:
                mend = suggest_names(name, self._asked) or "Remove it; docs/packs.md lists the keys."
                key.wrong("unknown-key", f"{self.what} has no key “{key.text()}”.", mend)


def _flag(text: str) -> bool:
    if text.lower() in YES:
        return True
    if text.lower() in NO:
        return False
    raise MalformedValueError(f"“{text}” is neither yes nor no.", "Write yes or no.", "wrong-type")
