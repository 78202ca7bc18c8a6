"""Read New Recruit's JSON as the elements of the same data in XML.

`{"catalogue": {...}}` or `{"gameSystem": {...}}`: keys with a list are container elements, other keys attributes. Text
is under `$text`, `comment`, `description` and `readme`. Converters from XML may write a list of one member as the
member or as `{"costs": {"cost": ...}}`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import ReadLimits
from catalogue.formats.battlescribe.old_versions import check_version
from catalogue.formats.battlescribe.xml_parser import refuse_depth

ROOTS = ("catalogue", "gameSystem")
_TEXT = "$text"
_TEXT_ELEMENTS = frozenset(("comment", "description", "readme"))
_TEXTS = _TEXT_ELEMENTS | {_TEXT}
_SHARED = "shared"
_DEEPEST = 256
"""Equal to lxml's limit for elements."""
_CONTROL_ESCAPE = re.compile(rb"\\u00(?:0[0-8bBcCeEfF]|1[0-9a-fA-F])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_ESCAPE = re.compile(rb"\\.")
_NO_ATTRIBUTES: dict[str, str] = {}


class JsonElement:
    """An object or list of objects with an lxml element's interface.

    Decoding keeps no lines, so `sourceline` counts opening braces, which `ObjectLines` turns into lines.
    """

    __slots__ = ("_attributes", "_children", "_parent", "sourceline", "tag", "text")

    def __init__(
        self, tag: str, parent: "JsonElement | None", number: int, attributes: dict[str, str] = _NO_ATTRIBUTES
    ) -> None:
        self.tag = tag
        self.text: str | None = None
        self.sourceline = number
        self._parent = parent
        self._attributes = attributes
        # Most elements have no children, and an empty list takes as much memory as their attributes.
        self._children: list[JsonElement] | tuple[()] = ()
        if parent is None:
            return
        if isinstance(parent._children, list):
            parent._children.append(self)
        else:
            parent._children = [self]

    def get(self, key: str, default: str = "", /) -> str:
        return self._attributes.get(key, default)

    def set(self, key: str, value: str, /) -> None:
        self._attributes = {**self._attributes, key: value}

    def items(self) -> Iterable[tuple[str, str]]:
        return self._attributes.items()

    def getparent(self) -> "JsonElement | None":
        return self._parent

    def __iter__(self) -> Iterator["JsonElement"]:
        return iter(self._children)

    def __len__(self) -> int:
        return len(self._children)


def is_json(data: bytes) -> bool:
    return data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def parse_json(name: str, data: bytes, limits: ReadLimits) -> JsonElement:
    """Raise ReadError for a file that is too large, too deep, not JSON or not game data."""
    if not data.strip():
        raise ReadError("empty-file", "The file is empty.", mend="Download it again.", file=name)
    # Before decoding: many small values take many times the memory of their text.
    if data.count(b",") + data.count(b":") > limits.values:
        raise ReadError("too-large", "The file has too many values.", file=name)
    try:
        whole = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except RecursionError as error:
        raise refuse_depth(name, 0) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        place = re.search(r"byte (\d+)", str(error))
        raise ReadError(
            "malformed-json",
            f"The file is not well-formed JSON: {error}.",
            mend="Download it again, or open it in the program that wrote it.",
            file=name,
            line=data.count(b"\n", 0, int(place[1])) + 1 if place else 0,
        ) from error
    contents = {tag: whole[tag] for tag in ROOTS if isinstance(whole.get(tag), dict)} if isinstance(whole, dict) else {}
    if not contents:
        raise ReadError(
            "wrong-root",
            "The file is JSON, but not game data.",
            mend=f"It should hold an object with the key {' or '.join(ROOTS)}.",
            file=name,
            line=1,
        )
    tag, content = next(iter(contents.items()))
    builder = _ElementBuilder(name, has_controls=bool(_CONTROL_ESCAPE.search(data)))
    root = builder.build_element(tag, content)
    check_version(root.get("battleScribeVersion", ""), name)
    return root


class ObjectLines:
    """Find an object's line. The first call reads the file.

    >>> ObjectLines(lambda: b'{"catalogue": {"name": "{",\\n"rules": [\\n{"name": "R"}]}}').find_line(3)
    3
    """

    def __init__(self, load: Callable[[], bytes]) -> None:
        self._load = load
        self._lines: list[int] = []

    def find_line(self, number: int) -> int:
        if not self._lines:
            self._lines = list(_list_object_lines(self._load()))
        return self._lines[min(max(number, 1), len(self._lines)) - 1]


def _list_object_lines(data: bytes) -> Iterator[int]:
    """Yield the line of each opening brace outside a text: an even number of quotes precedes it."""
    line, quotes = 1, 0
    for before in data.split(b"{")[:-1]:
        ended = before.count(b"\n")
        if ended:
            # No text continues on the next line.
            line, quotes = line + ended, 0
            before = before[before.rfind(b"\n") :]
        if b"\\" in before:
            before = _ESCAPE.sub(b"", before)
        quotes += before.count(b'"')
        if quotes % 2 == 0:
            yield line


@lru_cache(maxsize=256)
def name_member(container: str) -> str:
    """Return the element name of a list's members.

    >>> name_member("categoryEntries"), name_member("costs"), name_member("sharedRules")
    ('categoryEntry', 'cost', 'rule')
    """
    if container.startswith(_SHARED):
        rest = container.removeprefix(_SHARED)
        return name_member(f"{rest[:1].lower()}{rest[1:]}")
    return f"{container[:-3]}y" if container.endswith("ies") else container.removesuffix("s")


class _ElementBuilder:
    def __init__(self, name: str, *, has_controls: bool) -> None:
        self._name = name
        self._has_controls = has_controls
        self._count = 1

    def build_element(
        self, tag: str, content: dict[str, Any], parent: JsonElement | None = None, depth: int = 1
    ) -> JsonElement:
        if depth > _DEEPEST:
            raise refuse_depth(self._name, 0)
        self._count += 1
        attributes: dict[str, str] = {}
        element = JsonElement(tag, parent, self._count, attributes)
        for key, value in content.items():
            if type(value) is list:
                self._build_list(key, value, element, depth)
            elif type(value) is dict:
                # Usually a list: this is a single member, or the list under its own name.
                member = name_member(key)
                if member == key:
                    self.build_element(key, value, element, depth + 1)
                    continue
                members: Any = value
                if value.keys() == {member}:
                    self._count += 1
                    members = value[member]
                self._build_list(key, members if type(members) is list else [members], element, depth)
            elif key in _TEXTS:
                holder = element if key == _TEXT else JsonElement(key, element, element.sourceline)
                holder.text = self._write_value(value)
            elif value is not None:
                attributes[key] = self._write_value(value)
        return element

    def _build_list(self, key: str, values: list[Any], parent: JsonElement, depth: int) -> None:
        container: JsonElement | None = None
        for value in values:
            if type(value) is dict:
                container = container or JsonElement(key, parent, parent.sourceline)
                self.build_element(name_member(key), value, container, depth + 1)
            elif type(value) is not list:
                # Each plain value, as in `alias`, becomes an element.
                JsonElement(key, parent, parent.sourceline).text = self._write_value(value)

    def _write_value(self, value: object) -> str:
        if type(value) is str:
            return _CONTROL.sub("", value) if self._has_controls else value
        if type(value) is bool:
            return "true" if value else "false"
        return "" if value is None else str(value)
