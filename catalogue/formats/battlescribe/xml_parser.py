"""Parse untrusted XML: no entities, no network, no huge trees."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, cast

from lxml import etree

from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import ReadLimits
from catalogue.formats.battlescribe.old_versions import upgrade_tree

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']""")
_CONTROLS = re.compile(
    rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]"
    rb"|&#(?:0*(?:[0-8]|1[124-9]|2[0-9]|3[01])|x0*(?:[0-8bBcCeEfF]|1[0-9a-fA-F]|[fF]{3}[eEfF]));"
)
_VALUE = re.compile(rb"""=\s*["']""")
_SHORTEST = len('a=""')
_UTF8 = ("utf-8", "utf8", "us-ascii", "ascii")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_OLDER = ("utf-16", "iso-8859-1", "iso-8859-15", "windows-1252")
"""Encodings of older editors, which declare them."""
_BEFORE_ROOT = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
"""The possible content before a DOCTYPE."""
_FIRST_LINE = re.compile(r"^\s*<\?xml[^>]*\?>")
_BOM = b"\xef\xbb\xbf"


class Element(Protocol):
    """The part of an lxml element that the readers use."""

    @property
    def tag(self) -> str: ...
    @property
    def text(self) -> str | None: ...
    @property
    def sourceline(self) -> int: ...
    def get(self, key: str, default: str, /) -> str: ...
    def set(self, key: str, value: str, /) -> None: ...
    def items(self) -> Iterable[tuple[str, str]]: ...
    def getparent(self) -> "Element | None": ...
    def __iter__(self) -> "Iterator[Element]": ...
    def __len__(self) -> int: ...


def parse_xml(
    name: str,
    data: bytes,
    limits: ReadLimits,
    note_control: Callable[[int], None] | None = None,
    marks: int | None = None,
) -> Element:
    """Return the root element, upgraded to version 2.03.

    Forbidden characters are removed; `note_control` gets the line of the first. `marks` is `count_marks(data)` if
    known. Raises ReadError for a file that is empty, too large, too old, not UTF-8, not XML, or has a DOCTYPE.
    """
    if not data or data.isspace():
        raise ReadError("empty-file", "The file is empty.", mend="Download it again.", file=name)
    data = _decode_older(name, data).removeprefix(_BOM).lstrip()
    # Entities that expand or fetch files need a DOCTYPE, which data files never have.
    before = _BEFORE_ROOT.match(data)
    if before and data.startswith(b"<!DOCTYPE", before.end()):
        raise ReadError(
            "doctype",
            "The file has a DOCTYPE, which data files never have and which is not safe to read.",
            mend="Remove the DOCTYPE.",
            file=name,
            line=before[0].count(b"\n") + 1,
        )
    # Before parsing: a tree of small elements takes many times the memory of its text.
    if (count_marks(data) if marks is None else marks) > limits.marks:
        raise ReadError("too-large", "The file has too many elements.", file=name)
    _check_attributes(name, data, limits.attributes)
    try:
        root = etree.fromstring(data, _make_parser())
    except etree.XMLSyntaxError as error:
        # Few files have any, and searching every file takes a twentieth of an import.
        control = _CONTROLS.search(data)
        if control is None:
            raise _refuse_syntax(name, data, error) from error
        if note_control:
            note_control(data.count(b"\n", 0, control.start()) + 1)
        # Some editors leave invisible control characters in texts.
        return parse_xml(name, _CONTROLS.sub(b"", data), limits)
    upgrade_tree(root, name)
    return cast("Element", root)


def count_marks(data: bytes) -> int:
    """Return an upper bound for elements and attributes."""
    return data.count(b"<") + data.count(b"=")


def _make_parser() -> etree.XMLParser:
    return etree.XMLParser(
        # Fetch nothing, and refuse a damaged file instead of guessing.
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
        # Indentation takes half of the time and memory.
        remove_blank_text=True,
        # No element is looked up by id, so libxml2 need not index them.
        collect_ids=False,
        # Checks and parser must read the same encoding.
        encoding="utf-8",
    )


def _decode_older(name: str, data: bytes) -> bytes:
    """Convert to UTF-8. Raises ReadError for an unknown encoding."""
    declared = _DECLARED.match(data[:200].removeprefix(_BOM))
    encoding = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    if data.startswith(_UTF16):
        encoding = "utf-16"
    if encoding in _UTF8:
        return data
    if encoding not in _OLDER:
        raise _refuse_encoding(name, 1)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _refuse_encoding(name, 1) from error
    return _FIRST_LINE.sub("", text, count=1).encode()


def _refuse_encoding(name: str, line: int) -> ReadError:
    return ReadError(
        "wrong-encoding", "The file is not written in UTF-8.", mend="Save it as UTF-8.", file=name, line=line
    )


def _check_attributes(name: str, data: bytes, most: int) -> None:
    reach = most * _SHORTEST
    start = data.find(b"<")
    while start >= 0:
        # Skip elements within `reach` bytes: they are too short to have `most` attributes.
        following = data.rfind(b"<", start + 1, start + reach)
        if following < 0:
            following = data.find(b"<", start + 1)
            long = data[start : following if following >= 0 else len(data)]
            if long.count(b"=") > most and len(_VALUE.findall(long)) > most:
                line = data.count(b"\n", 0, start) + 1
                raise ReadError("too-large", "An element has too many attributes.", file=name, line=line)
        start = following


def _refuse_syntax(name: str, data: bytes, error: etree.XMLSyntaxError) -> ReadError:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        return _refuse_encoding(name, data.count(b"\n", 0, wrong.start) + 1)
    line = error.lineno or 0
    text = str(error.msg)
    if "depth" in text.lower():
        return refuse_depth(name, line)
    return ReadError(
        "malformed-xml",
        f"The file is not well-formed XML: {text}.",
        mend="Download it again, or open it in the program that wrote it.",
        file=name,
        line=line,
    )


def refuse_depth(name: str, line: int) -> ReadError:
    return ReadError("too-deep", "Elements are nested too deeply.", file=name, line=line)
