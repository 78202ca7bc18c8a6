"""Join finished PDF files, keeping their tags, with bookmarks, links and continuous page numbers.

Files are copied as text, one after the other, so that memory holds one file and the result: see ADR 0073. They must be
WeasyPrint's PDF 1.7, with object streams and a cross-reference stream.
"""

import io
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from roster.pdf.type.signs import FONTS

POINT = 72 / 25.4
NUMBER_SIZE = 8
EDGE, DOWN = 10 * POINT, 7 * POINT
"""Distance of page numbers from the right and upper edge."""
LINK = "paper:"
"""The front pages link to a printout by this prefix and its number."""
_NUMBER_FONT = FONTS / "fira-sans-extra-condensed-latin-600-normal.woff2"
DIGITS = "0123456789"

_TEXT_OR_REFERENCE = re.compile(rb"\((?:[^()\\]|\\.)*\)|(\d+) 0 R\b", re.DOTALL)
"""References, and the texts in which the same characters are not a reference."""
_KEY_OR_REFERENCE = re.compile(rb"(\d+) 0 R\b|(\d+)")
_PARENT_KEY = re.compile(rb"(/StructParents? )(\d+)")
_CELL_ID = re.compile(rb"\((\d+)(-\d+-\d+)\)")
_CELLS = (b"<</Type /StructElem/S /TH", b"<</Type /StructElem/S /TD")
_MARKED_OBJECTS = (b"<</Type /Page/", b"<</Type /Annot")
_OUTLINES = (b"<</Title ", b"<</Count ", b"<</Producer ")
_LINK_TARGET = re.compile(rb"/Contents \(paper:\d+\)/A <<[^<>]*/URI \(paper:(\d+)\)>>")
_CONTENTS, _PAPER = rb"/Contents (\d+ 0 R)", rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]"
_STREAM_START = b"stream\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedPaper:
    title: str
    file: bytes


def bind_booklet(papers: Iterable[JoinedPaper], build_front: Callable[[Sequence[int | None]], bytes]) -> bytes:
    """Join printouts to one file with tags, bookmarks and page numbers. Each starts on a front side.

    `build_front` gets the number of pages before each printout, None for a missing one, and returns the front pages,
    which supply title, language and metadata; links to `LINK` lead to printouts. Raises ValueError for a file from
    another program.
    """
    binder = _Binder()
    before: list[int | None] = []
    pages: list[int] = []
    marks: dict[int, tuple[str, int]] = {}
    for place, paper in enumerate(papers):
        before.append(len(pages) if paper.file else None)
        if paper.file:
            added = binder.add_file(paper.file)
            marks[place] = (paper.title, added[0])
            pages += added
    front = build_front(before)
    pages = [*binder.add_file(front, marks), *pages]
    return binder.finish(pages, list(marks.values()), front)


class _Output:
    """A PDF file being written. Objects other than streams are packed into object streams."""

    def __init__(self) -> None:
        self.file = io.BytesIO()
        self.file.write(b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n")
        self.entries: list[tuple[int, int, int]] = [(0, 0, 0xFFFF)]
        """The cross-reference entry of each object: in the file (1) or in an object stream (2), and where."""

    def reserve(self, count: int = 1) -> int:
        """Return the first of `count` new object numbers."""
        first = len(self.entries)
        self.entries += [(0, 0, 0xFFFF)] * count
        return first

    def write_object(self, number: int, body: bytes) -> None:
        self.entries[number] = (1, self.file.tell(), 0)
        self.file.write(b"%d 0 obj\n%b\nendobj\n" % (number, body))

    def write_stream(self, number: int, content: bytes, more: bytes = b"") -> None:
        packed = zlib.compress(content, 6)
        head = b"<<%b/Filter /FlateDecode/Length %d>>\nstream\n" % (more, len(packed))
        self.write_object(number, head + packed + b"\nendstream")

    def write_packed(self, objects: Mapping[int, bytes]) -> None:
        stream, places, at = self.reserve(), [], 0
        for index, (number, body) in enumerate(objects.items()):
            self.entries[number] = (2, stream, index)
            places.append(b"%d %d" % (number, at))
            at += len(body) + 1
        head = b" ".join(places) + b"\n"
        more = b"/Type /ObjStm/N %d/First %d" % (len(objects), len(head))
        self.write_stream(stream, head + b"\n".join(objects.values()), more)

    def finish(self, root: int, info: bytes) -> bytes:
        number, start = self.reserve(), self.file.tell()
        self.entries[number] = (1, start, 0)
        lines = [
            kind.to_bytes(1, "big") + at.to_bytes(4, "big") + index.to_bytes(3, "big")
            for kind, at, index in self.entries
        ]
        more = b"/Type /XRef/W [1 4 3]/Size %d/Root %d 0 R%b" % (len(lines), root, info)
        self.write_stream(number, b"".join(lines), more)
        self.file.write(b"startxref\n%d\n%%%%EOF\n" % start)
        return self.file.getvalue()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A file's objects by number: `streams` with their dictionary, all others as they are in the file."""

    objects: dict[int, bytes]
    streams: dict[int, bytes]
    size: int
    trailer: bytes

    @property
    def catalog(self) -> bytes:
        return self.objects[_find(self.trailer, b"Root")]


def _read_file(file: bytes) -> _Source:
    start = int(file[file.rindex(b"startxref") + 9 :].split(maxsplit=1)[0])
    trailer, table = _unpack_stream(file[start:])
    widths = re.search(rb"/W \[(\d) (\d) (\d)\]", trailer)
    if widths is None:
        raise ValueError("This PDF has no cross-reference stream.")
    first, second, third = map(int, widths.groups())
    step = first + second + third
    places: dict[int, int] = {}
    packed: dict[int, int] = {}
    for number in range(len(table) // step):
        line = table[number * step : (number + 1) * step]
        where = packed if line[:first] == b"\2" else places if line[:first] == b"\1" else None
        if where is not None:
            where[number] = int.from_bytes(line[first : first + second], "big")

    # An object ends where the next one begins.
    starts = sorted(places.values())
    ends = dict(zip(starts, [*starts[1:], len(file)], strict=True))
    bodies = {
        number: file[at : ends[at]].partition(b" obj\n")[2].rpartition(b"\nendobj")[0] for number, at in places.items()
    }
    objects: dict[int, bytes] = {}
    for stream in sorted(set(packed.values())):
        head, content = _unpack_stream(bodies.pop(stream))
        begin = int(re.search(rb"/First (\d+)", head)[1])  # type: ignore[index]  # every object stream has it
        figures = list(map(int, content[:begin].split()))
        offsets = [*figures[1::2], len(content) - begin]
        for index, number in enumerate(figures[::2]):
            objects[number] = content[begin + offsets[index] : begin + offsets[index + 1]].rstrip(b"\n")
    streams = {number: body for number, body in bodies.items() if places[number] != start}
    return _Source(objects=objects, streams=streams, size=len(table) // step, trailer=trailer)


def _unpack_stream(body: bytes) -> tuple[bytes, bytes]:
    head, _, rest = body.partition(_STREAM_START)
    if b"/FlateDecode" not in head:
        raise ValueError("This PDF was not written by WeasyPrint.")
    return head, zlib.decompressobj().decompress(rest)


class _Binder:
    """Copies files into one. Each structure tree becomes a part of one document."""

    def __init__(self) -> None:
        self.output = _Output()
        self.catalog = self.output.reserve(6)
        self.page_root, self.tree_root, self.document, self.saving, self.font = range(
            self.catalog + 1, self.catalog + 6
        )
        self.output.write_stream(self.saving, b"q\n")
        self.numbers: dict[int, tuple[int, float, float]] = {}
        """The stream for the number of each page object, and the size of its paper."""
        self.parts: list[int] = []
        """The number of each file's part in the structure tree."""
        self.parents: list[int] = []
        """The number of each file's part of the parent tree."""
        self.key = 0
        """The next free key of the parent tree."""

    def add_file(self, file: bytes, links: Mapping[int, tuple[str, int]] | None = None) -> list[int]:
        """Copy a file, filled up to whole sheets, and return its page objects.

        `links` has the title and first page object of each printout that the file links to.
        """
        source, output = _read_file(file), self.output
        shift = output.reserve(source.size)
        catalog = _find(source.trailer, b"Root")
        page_root, tree_root = _find(source.catalog, b"Pages"), _find(source.catalog, b"StructTreeRoot")
        parents = _find(source.objects[tree_root], b"ParentTree")
        part = _find(source.objects[tree_root], b"K")
        moved = {page_root: self.page_root, tree_root: self.document}

        def move(match: re.Match[bytes]) -> bytes:
            number = match[1]
            return b"%d 0 R" % moved.get(int(number), int(number) + shift) if number else match[0]

        for number, body in source.streams.items():
            # A compressed stream may contain anything, so only its dictionary is changed.
            head, start, content = body.partition(_STREAM_START)
            output.write_object(number + shift, _TEXT_OR_REFERENCE.sub(move, head) + start + content)

        objects: dict[int, bytes] = {}
        for number, body in source.objects.items():
            # The file's own bookmarks and metadata are not copied.
            if number in (catalog, page_root, tree_root, parents) or body.startswith(_OUTLINES):
                continue
            copied = _TEXT_OR_REFERENCE.sub(move, body)
            if copied.startswith(_MARKED_OBJECTS):
                copied = _PARENT_KEY.sub(lambda match: match[1] + b"%d" % (int(match[2]) + self.key), copied)
            elif copied.startswith(_CELLS):
                copied = _CELL_ID.sub(lambda match: b"(%d%b)" % (int(match[1]) + shift, match[2]), copied)
            objects[number + shift] = copied
        objects[part + shift] = objects[part + shift].replace(b"/S /Document", b"/S /Part", 1)
        objects[parents + shift] = self._copy_parents(source.objects[parents], shift)
        self.parts.append(part + shift)
        self.parents.append(parents + shift)

        pages = [int(number) + shift for number in re.findall(rb"(\d+) 0 R", source.objects[page_root])]
        self._number_pages(objects, pages)
        if len(pages) % 2:
            blank = output.reserve()
            box = re.search(rb"/MediaBox \[[^\]]*\]", objects[pages[-1]])
            size = box[0] if box else b""
            objects[blank] = b"<</Type /Page/Parent %d 0 R%b/Resources <<>> >>" % (self.page_root, size)
            pages.append(blank)
        for number, body in objects.items():
            if links and body.startswith(b"<</Type /Annot"):
                objects[number] = _LINK_TARGET.sub(lambda match: _write_link(*links[int(match[1])]), body)
        output.write_packed(objects)
        return pages

    def _copy_parents(self, body: bytes, shift: int) -> bytes:
        keys = []

        def move(match: re.Match[bytes]) -> bytes:
            if match[1]:
                return b"%d 0 R" % (int(match[1]) + shift)
            keys.append(int(match[2]) + self.key)
            return b"%d" % keys[-1]

        tree = _KEY_OR_REFERENCE.sub(move, body)
        limits = b"<</Limits [%d %d]" % (keys[0], keys[-1]) if keys else b"<<"
        self.key = keys[-1] + 1 if keys else self.key
        return tree.replace(b"<<", limits, 1)

    def _number_pages(self, objects: dict[int, bytes], pages: Iterable[int]) -> None:
        for page in pages:
            contents, box = (re.search(pattern, objects[page]) for pattern in (_CONTENTS, _PAPER))
            fonts = re.search(rb"/Font (\d+) 0 R", objects[_find(objects[page], b"Resources")])
            if contents is None or box is None or fonts is None:
                continue
            self.numbers[page] = (self.output.reserve(), float(box[1]), float(box[2]))
            streams = b"/Contents [%d 0 R %b %d 0 R]" % (self.saving, contents[1], self.numbers[page][0])
            objects[page] = objects[page].replace(contents[0], streams)
            entry = b"/BookletNumber %d 0 R>>" % self.font
            if not objects[int(fonts[1])].endswith(entry):
                objects[int(fonts[1])] = objects[int(fonts[1])].removesuffix(b">>") + entry

    def finish(self, pages: Sequence[int], bookmarks: Sequence[tuple[str, int]], front: bytes) -> bytes:
        """Write what all files share, and return the whole file. `front` supplies its metadata."""
        output, source = self.output, _read_file(front)
        for place, page in enumerate(pages, 1):
            if page in self.numbers:
                number, width, height = self.numbers[page]
                left, up = width - EDGE - _load_digits().measure(str(place)), height - DOWN
                drawn = f"/BookletNumber {NUMBER_SIZE} Tf {left:.2f} {up:.2f} Td ({place}) Tj"
                output.write_stream(number, f"Q /Artifact <</Type /Pagination>> BDC BT {drawn} ET EMC\n".encode())
        objects = self._write_font()

        metadata, info = output.reserve(), output.reserve()
        output.write_object(metadata, source.streams[_find(source.catalog, b"Metadata")])
        objects[info] = source.objects[_find(source.trailer, b"Info")]
        root = output.reserve(1 + len(bookmarks))
        for index, (title, page) in enumerate(bookmarks, 1):
            previous = b"/Prev %d 0 R" % (root + index - 1) if index > 1 else b""
            following = b"/Next %d 0 R" % (root + index + 1) if index < len(bookmarks) else b""
            entry = b"<</Title %b/Dest [%d 0 R /Fit]/Parent %d 0 R%b%b>>"
            objects[root + index] = entry % (_write_text(title), page, root, previous, following)
        objects[root] = b"<</Type /Outlines>>"
        if bookmarks:
            last = len(bookmarks)
            objects[root] = b"<</Type /Outlines/Count %d/First %d 0 R/Last %d 0 R>>" % (last, root + 1, root + last)

        parents = output.reserve()
        objects[parents] = b"<</Kids [%b]>>" % _list_references(self.parents)
        objects[self.document] = b"<</Type /StructElem/S /Document/P %d 0 R/K [%b]>>" % (
            self.tree_root,
            # The front was copied last, but is read first.
            _list_references([*self.parts[-1:], *self.parts[:-1]]),
        )
        tree = b"<</Type /StructTreeRoot/ParentTree %d 0 R/ParentTreeNextKey %d/K [%d 0 R]>>"
        objects[self.tree_root] = tree % (parents, self.key, self.document)
        objects[self.page_root] = b"<</Type /Pages/Count %d/Kids [%b]>>" % (len(pages), _list_references(pages))
        language = re.search(rb"/Lang (\([^)]*\))", source.catalog)
        entries = (
            b"/Pages %d 0 R/StructTreeRoot %d 0 R/Outlines %d 0 R/Metadata %d 0 R"
            % (self.page_root, self.tree_root, root, metadata),
            b"/Lang %b" % (language[1] if language else b"(en)"),
            b"/MarkInfo <</Marked true>>/PageLabels <</Nums [0 <</S /D>>]>>",
            b"/ViewerPreferences <</DisplayDocTitle true/PrintScaling /None/PickTrayByPDFSize true",
            b"/Duplex /DuplexFlipLongEdge>>",
        )
        objects[self.catalog] = b"<</Type /Catalog%b>>" % b"".join(entries)
        output.write_packed(objects)
        return output.finish(self.catalog, b"/Info %d 0 R" % info)

    def _write_font(self) -> dict[int, bytes]:
        digits, output = _load_digits(), self.output
        file, descriptor = output.reserve(), output.reserve()
        output.write_stream(file, digits.file, b"/Length1 %d" % len(digits.file))
        name = b"/AAAAAA+ArmybuilderDigits"
        figures = b"/Flags 32/FontBBox [0 -265 1000 935]/ItalicAngle 0/Ascent 935/Descent -265/CapHeight 700/StemV 80"
        description = b"<</Type /FontDescriptor/FontName %b%b/FontFile2 %d 0 R>>" % (name, figures, file)
        widths = b" ".join(b"%d" % width for width in digits.widths)
        font = b"<</Type /Font/Subtype /TrueType/BaseFont %b/Encoding /WinAnsiEncoding" % name
        font += b"/FirstChar %d/LastChar %d/Widths [%b]" % (ord(DIGITS[0]), ord(DIGITS[-1]), widths)
        return {descriptor: description, self.font: font + b"/FontDescriptor %d 0 R>>" % descriptor}


def _find(body: bytes, name: bytes) -> int:
    match = re.search(rb"/%b \[?(\d+) 0 R" % name, body)
    if match is None:
        raise ValueError(f"There is no {name.decode()} in this PDF.")
    return int(match[1])


def _list_references(numbers: Iterable[int]) -> bytes:
    return b" ".join(b"%d 0 R" % number for number in numbers)


def _write_text(text: str) -> bytes:
    return b"<%b>" % ("\ufeff" + text).encode("utf-16-be").hex().encode()


def _write_link(title: str, page: int) -> bytes:
    return b"/Contents %b/Dest [%d 0 R /Fit]" % (_write_text(title), page)


@dataclass(frozen=True, slots=True)
class _Digits:
    """A TrueType font of digits. `widths` are thousandths of the font size."""

    file: bytes
    widths: tuple[int, ...]

    def measure(self, number: str) -> float:
        """Return a width in points."""
        return sum(self.widths[int(digit)] for digit in number) * NUMBER_SIZE / 1000


@cache
def _load_digits() -> _Digits:
    font = TTFont(_NUMBER_FONT, recalcTimestamp=False)
    subsetter = Subsetter(Options(layout_features=[], notdef_outline=True))
    subsetter.populate(text=DIGITS)
    subsetter.subset(font)
    font.flavor = None
    file = io.BytesIO()
    font.save(file)
    letters, scale = font.getBestCmap(), 1000 / font["head"].unitsPerEm
    return _Digits(file.getvalue(), tuple(round(font["hmtx"][letters[ord(digit)]][0] * scale) for digit in DIGITS))
