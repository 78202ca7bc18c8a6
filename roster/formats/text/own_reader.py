"""Read our own text line by line into a list document."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from catalogue.definitions.numbers import Number
from roster.formats.list_document.document import (
    OUTSIDE_WORD,
    ListDocument,
    ListedCategory,
    ListedForce,
    ListedItem,
    ListedLimit,
)
from roster.formats.list_document.values import Text
from roster.formats.text.outline import read_plainly
from roster.formats.text.own import FOOTER, SHORTENED, WITH
from roster.formats.text.own_names import TEXT_KEYS
from roster.formats.text.pasted import (
    Doubt,
    DoubtKind,
    HeaderClaims,
    LineKind,
    PastedItem,
    PastedLayout,
    PastedLine,
    PastedList,
    PastedSection,
    PastedUnit,
    Reading,
)
from roster.formats.text.shapes import TextLine, clean_line, match_unit, parse_number

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_NAME = re.compile(
    rf"(?:(?P<count>\d{{1,6}})x )?(?:(?P<quoted>{_QUOTED})|(?P<plain>(?:[^,;:\[\]{{}}()\"][^,;:\[\]{{}}()]*?)?))"
    rf"(?= ?(?:$|[,\[\]{{(:])| (?:{TEXT_KEYS}) \")"
)
_MARK = re.compile(rf" ?\{{(?:(?P<quoted>{_QUOTED})|(?P<plain>[^{{}}]*))\}}")
_TEXTS = re.compile(rf" (?P<key>{TEXT_KEYS}) (?P<text>{_QUOTED})")
_FACTS = re.compile(r" \((?P<facts>[^()]*)\)")
OWN_POINTS = re.compile(r"(?P<faction>.*?)(?:, |^)(?P<used>-?[\d.]+)(?: / (?P<limit>-?[\d.]+))? points")
_KEY = re.compile(rf"(?P<key>Player|Event|Notes|Rules|House rules|Not shown): (?P<text>{_QUOTED})")
_LIMIT = re.compile(rf"(?:(?P<quoted>{_QUOTED})|(?P<plain>[^\",]+)) (?P<value>none|-?[\d.]+)(?:, |$)")
_HEADING = re.compile(r"(?P<signs>#{2,3}) ")
_INDENT = re.compile(r" *(?:[-•] )?")
POINTS_NAME = "points"
LEAST_LINES = 5
"""Title, faction with points, game, detachment and one unit."""
DEEPEST = 40
_FOOTER = re.compile(rf"(?:-# )?{FOOTER}(?:, data (?P<version>\w+))?(?P<short>{SHORTENED})?")


def is_own_footer(line: str) -> bool:
    return _FOOTER.fullmatch(clean_line(line).expandtabs(4).strip()) is not None


class OwnTextError(Exception):
    """The line is not part of our own text."""


@dataclass(slots=True)
class _Phrase:
    name: str
    count: int = 1
    marks: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)

    def find_points(self) -> Number | None:
        for fact in self.facts:
            if fact != "leads" and not fact.startswith(WITH):
                return _read_number(fact) if fact else None
        return None

    def choose_entry(self) -> str:
        return next((mark.removeprefix("#") for mark in self.marks if mark.startswith("#")), read_plainly(self.name))

    def choose_group(self) -> str:
        return next((mark for mark in self.marks if not mark.startswith("#")), "")


def _read_number(text: str) -> Number:
    number = parse_number(text)
    if number is None:
        raise OwnTextError
    return number


class _Scanner:
    def __init__(self, text: str, line: int) -> None:
        self._text = text
        self._line = line
        self._place = 0
        self._depth = 0

    def take(self, sign: str) -> bool:
        if not self._text.startswith(sign, self._place):
            return False
        self._place += len(sign)
        return True

    def read_phrase(self) -> _Phrase:
        match = _NAME.match(self._text, self._place)
        if match is None:
            raise OwnTextError
        self._place = match.end()
        name = json.loads(match["quoted"]) if match["quoted"] else match["plain"].strip()
        phrase = _Phrase(name, int(match["count"] or 1))

        while True:
            if behind := _MARK.match(self._text, self._place):
                phrase.marks.append(json.loads(behind["quoted"]) if behind["quoted"] else behind["plain"])
            elif behind := _TEXTS.match(self._text, self._place):
                phrase.texts[behind["key"]] = json.loads(behind["text"])
            elif behind := _FACTS.match(self._text, self._place):
                phrase.facts = behind["facts"].split(", ")
            else:
                break
            self._place = behind.end()
        if not phrase.name and not phrase.marks:
            raise OwnTextError
        return phrase

    def read_nodes(self) -> list["_Node"]:
        self._depth += 1
        if self._depth > DEEPEST:
            raise OwnTextError
        nodes = [self.read_node()]
        while self.take(", "):
            nodes.append(self.read_node())
        self._depth -= 1
        return nodes

    def read_node(self) -> "_Node":
        node = _Node(self.read_phrase(), self._line)
        if self.take(" ["):
            node.inside = self.read_nodes()
            if not self.take("]"):
                raise OwnTextError
        elif self.take(": "):
            node.inside = self.read_nodes()
        return node

    def read_whole(self) -> "_Node":
        node = self.read_node()
        if self._place < len(self._text.rstrip()):
            raise OwnTextError
        return node


@dataclass(slots=True)
class _Node:
    phrase: _Phrase
    line: int
    inside: list["_Node"] = field(default_factory=list)
    categories: list[ListedCategory] = field(default_factory=list)
    forces: list["_Node"] = field(default_factory=list)

    def build_item(self) -> ListedItem:
        texts, group = self.phrase.texts, self.phrase.choose_group()
        # Pairs of association and ref.
        bonds = [bond.rpartition("=") for bond in texts.get("joins", "").split()]
        return ListedItem(
            entry=Text(self.phrase.choose_entry(), self.line),
            group=Text(group, self.line) if group else Text(),
            count=self.phrase.count,
            name=texts.get("as", ""),
            notes=texts.get("note", ""),
            leads="leads" in self.phrase.facts,
            ref=Text(texts.get("ref", ""), self.line),
            attached=tuple((Text(association, self.line), (Text(ref, self.line),)) for association, _, ref in bonds),
            options=tuple(node.build_item() for node in self.inside),
        )

    def build_force(self) -> ListedForce:
        entry = self.phrase.choose_entry()
        catalogue = self.phrase.texts.get("of", "")
        return ListedForce(
            force=Text(entry, self.line),
            outside=entry == OUTSIDE_WORD,
            catalogue=Text(catalogue, self.line) if catalogue else Text(),
            name=self.phrase.texts.get("as", ""),
            notes=self.phrase.texts.get("note", ""),
            categories=tuple(self.categories),
            units=tuple(node.build_item() for node in self.inside),
            detachments=tuple(force.build_force() for force in self.forces),
        )

    def build_pasted(self) -> PastedItem:
        items = [node.build_pasted() for node in self.inside]
        return PastedItem(self.phrase.name, self.phrase.count, items=items, line=self.line, counted=True)


def read_unsigned(lines: Sequence[TextLine]) -> PastedList | None:
    """Read our own text without its last line, using the current data; None if any line is different."""
    filled = [line for line in lines if line.text]
    if len(filled) < LEAST_LINES or not OWN_POINTS.fullmatch(filled[1].text):
        return None
    # Our headings have no cost, and units follow a heading.
    if any(line.is_bare and not line.column and match_unit(line.text, bare=True) for line in filled[2:-1]):
        return None
    # An unindented last line is the verdict, not a heading.
    last = filled[-1]
    has_verdict = not last.column and not last.bullet
    end = last.number - lines[0].number if has_verdict else len(lines)
    reader = OwnTextReader([line.raw for line in lines[:end]], lines[0].number)
    pasted = reader.read_list(is_signed=False)
    pasted.lines += [PastedLine(line.number, line.raw, LineKind.NOTE, Reading.UNDERSTOOD) for line in lines[end:]]
    is_ours = all(line.reading is Reading.UNDERSTOOD for line in pasted.lines)
    return pasted if is_ours and pasted.units else None


class OwnTextReader:
    def __init__(self, lines: Sequence[str], first: int = 1) -> None:
        self._lines = lines
        self._first = first
        self._claims = HeaderClaims(made_with=FOOTER)
        self._texts: dict[str, str] = {}
        self._limits: list[ListedLimit] = []
        self._read: list[PastedLine] = []
        self._forces: list[_Node] = []
        self._open: list[_Node] = []
        self._units: list[PastedUnit] = []
        self._sections: list[PastedSection] = []
        self._stack: list[tuple[int, _Node]] = []
        self._head = 0
        self._in_body = False
        self._apart = False
        self._is_short = False

    def read_list(self, *, is_signed: bool = True) -> PastedList:
        """Return the text as pages show it, with its list document.

        A text is short if its last line says so or, without that line, if it has no options.
        """
        for number, raw in enumerate(self._lines, self._first):
            kind, reading = self._read_line(number, clean_line(raw).expandtabs(4))
            self._read.append(PastedLine(number, raw.rstrip(), kind, reading))
        claims, texts = self._claims, self._texts
        if not is_signed:
            self._is_short = not any(unit.items for unit in self._units)
        left_out = texts.get("Not shown", "")
        document = ListDocument(
            game=Text(claims.game, 3),
            version=Text(texts.get("version", ""), 0),
            faction=Text(claims.faction, 2),
            rules=Text(texts.get("Rules", ""), 0),
            homebrew=texts.get("House rules", ""),
            name=claims.title,
            player=texts.get("Player", ""),
            event=texts.get("Event", ""),
            notes=texts.get("Notes", ""),
            # Units of a short text get their automatic selections.
            exact=not self._is_short,
            stacked=True,
            limits=tuple(self._limits),
            unshown=tuple(left_out.split(", ")) if left_out else (),
            detachments=tuple(force.build_force() for force in self._forces),
        )
        pasted = PastedList(PastedLayout.OWN, claims, self._sections, self._units, self._read, document)
        if self._is_short:
            pasted.doubts.append(Doubt(DoubtKind.LEFT_OUT))
        return pasted

    def _read_line(self, number: int, line: str) -> tuple[LineKind, Reading]:
        if not line.strip():
            self._apart = True
            self._in_body = self._in_body or self._head > 0
            return LineKind.BLANK, Reading.UNDERSTOOD
        if match := _FOOTER.fullmatch(line.strip()):
            self._texts["version"] = match["version"] or ""
            self._is_short = match["short"] is not None
            return LineKind.FOOTER, Reading.UNDERSTOOD
        try:
            kind = self._read_body(number, line) if self._in_body else self._read_head(line.strip())
        except (OwnTextError, ValueError):
            return LineKind.UNKNOWN, Reading.UNREAD
        self._apart = False
        return kind, Reading.UNDERSTOOD

    def _read_head(self, text: str) -> LineKind:
        claims = self._claims
        self._head += 1
        if self._head == 1:
            title = text.removeprefix("# ")
            claims.title = json.loads(title) if title.startswith('"') else title
            return LineKind.TITLE

        if self._head == 2:
            match = OWN_POINTS.fullmatch(text)
            claims.faction = match["faction"] if match else text
            if match:
                claims.total = _read_number(match["used"])
            if match and match["limit"]:
                claims.limit = _read_number(match["limit"])
                self._limits.append(ListedLimit(type=Text(POINTS_NAME), value=claims.limit))
        elif self._head == 3:
            claims.game = text
        elif match := _KEY.fullmatch(text):
            self._texts[match["key"]] = json.loads(match["text"])
        elif text.startswith("Limits: "):
            for limit in _LIMIT.finditer(text.removeprefix("Limits: ")):
                value = None if limit["value"] == "none" else _read_number(limit["value"])
                name = json.loads(limit["quoted"]) if limit["quoted"] else limit["plain"]
                self._limits.append(ListedLimit(type=Text(name), value=value))
        else:
            raise OwnTextError
        return LineKind.CLAIM

    def _read_body(self, number: int, line: str) -> LineKind:
        # The verdict is right above the last line.
        following = self._lines[number - self._first + 1 : number - self._first + 2]
        if any(map(is_own_footer, following)):
            return LineKind.NOTE
        if heading := _HEADING.match(line):
            is_slot = heading["signs"] == "###"
            return self._read_heading(number, line[heading.end() :], is_slot=is_slot)
        if not line.startswith((" ", "- ", "• ")):
            return self._read_heading(number, line, is_slot=not self._apart)
        return self._read_node(number, line)

    def _read_heading(self, number: int, text: str, *, is_slot: bool) -> LineKind:
        # Each sign in front is one level of nesting.
        name = re.sub(r"\A(?:\+ )+", "", text)
        depth = (len(text) - len(name)) // 2
        node = _Scanner(name, number).read_whole()
        phrase = node.phrase
        self._stack.clear()
        self._sections.append(PastedSection(phrase.name, number))

        if is_slot and self._open:
            # Units find their slots themselves.
            if phrase.texts:
                entry, texts = Text(phrase.choose_entry(), number), phrase.texts
                category = ListedCategory(category=entry, name=texts.get("as", ""), notes=texts.get("note", ""))
                self._open[-1].categories.append(category)
            return LineKind.SECTION
        if depth > DEEPEST:
            raise OwnTextError
        del self._open[depth:]
        (self._open[-1].forces if self._open else self._forces).append(node)
        self._open.append(node)
        self._claims.detachments.append(phrase.name)
        return LineKind.SECTION

    def _read_node(self, number: int, line: str) -> LineKind:
        match = _INDENT.match(line)
        column = match.end() if match else 0
        node = _Scanner(line[column:].replace("**", ""), number).read_whole()
        while self._stack and self._stack[-1][0] >= column:
            self._stack.pop()

        if self._stack:
            if len(self._stack) >= DEEPEST:
                raise OwnTextError
            self._stack[-1][1].inside.append(node)
            self._units[-1].items = [inner.build_pasted() for inner in self._stack[0][1].inside]
            kind = LineKind.OPTION
        else:
            if not self._open:
                raise OwnTextError
            phrase, points = node.phrase, node.phrase.find_points()
            self._open[-1].inside.append(node)
            section = self._sections[-1].name if self._sections else ""
            items = [inner.build_pasted() for inner in node.inside]
            self._units.append(PastedUnit(phrase.name, number, points, phrase.count, section, items=items))
            kind = LineKind.UNIT
        self._stack.append((column, node))
        return kind
