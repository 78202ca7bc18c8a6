"""Match the shapes of lines: indentation, bullets, costs, and units."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from string import capwords

from catalogue.definitions import numbers
from catalogue.definitions.numbers import Number
from roster.formats.text.words import BATTLE_SIZES, POINTS_WORDS, is_section_word, simplify_words

MAX_LINE = 800
"""No pattern is tried on longer lines."""

_UNSEEN = dict.fromkeys(
    map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
)
_FOLDED = str.maketrans("\u00a0\u2007\u202f\u2009’‘‚´“”„（）：×", "    " + "'" * 4 + '"' * 3 + "():x")
_QUOTES = str.maketrans("\u00a0“”„", ' """')
_BULLET = re.compile(r"(?:[•◦●○▪▫■□‣▸►➢➤·∙*–—-]|->)(?=[\s\w(\[])\s*|-#\s+")
_PICTURE = re.compile(
    r"\s*([\u2190-\u21ff\u2460-\u24ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\ufe0f?)\s+(?=\S)"
)
LEAST_PICTURES = 3
"""The fewest lines that start with an emoji or another symbol, if it is their bullet."""
_INNER_BULLETS = "◦○▪▫"
_QUOTED = re.compile(r" {0,3}> ?")
_DOTS = re.compile(r"(?:\.\s)+(?=\S)")
_HEADING = re.compile(r"(#{1,6})\s+(?=\S)")
_TAGS = re.compile(r"<\s*/?\s*(?:br|p|div|li|ul|ol|span|b|i|strong|em|h[1-6]|tr|td|pre)\b[^<>]{0,200}>", re.I)
_BREAKS = re.compile(r"<\s*(?:br|/p|/div|/li|/tr|/h[1-6])\b[^<>]{0,200}>", re.I)
LEAST_JOINED = 4
"""The fewest parts of a line that was several lines before."""
_JOINTS = (re.compile(r" {2,}|\s(?=[•◦▪])"), re.compile(r";\s+"))
_COMMA = re.compile(r",\s+")
FARTHEST_PART = 8
"""Lines that are indented further belong to the line above."""
RULE = re.compile(r"[\s+\-=_*.~#•–—|:`>]+")


@dataclass(frozen=True, slots=True)
class TextLine:
    """`column` is the start of its words, and determines nesting."""

    number: int
    raw: str
    text: str
    column: int
    bullet: str = ""
    heading: int = 0

    @property
    def is_blank(self) -> bool:
        return not self.text

    @property
    def is_filled(self) -> bool:
        return bool(self.text) and RULE.fullmatch(self.text) is None

    @property
    def is_bare(self) -> bool:
        return not (self.bullet or self.heading)

    @property
    def may_begin_part(self) -> bool:
        return not self.bullet and self.column <= FARTHEST_PART

    @property
    def is_rule(self) -> bool:
        return bool(self.text) and RULE.fullmatch(self.text) is not None


def keep_filled(lines: Iterable[TextLine]) -> list[TextLine]:
    return [line for line in lines if line.is_filled]


def split_lines(text: str) -> list[TextLine]:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    if _BREAKS.search(text):
        text = html.unescape(_TAGS.sub("", _BREAKS.sub("\n", text)))
    raws = text.split("\n")
    is_alone = sum(map(bool, map(str.strip, raws))) == 1
    return shape_lines(enumerate((part for raw in raws for part in _split_joined(raw, is_alone=is_alone)), 1))


def shape_lines(numbered: Iterable[tuple[int, str]]) -> list[TextLine]:
    """Normalise lines; text that is all capitals becomes title case."""
    numbered = list(numbered)
    pictures = _find_pictures(raw for _number, raw in numbered)
    lines = [_read_line(number, raw, pictures) for number, raw in numbered]
    if is_capitals("".join(line.text for line in lines)):
        return [replace(line, text=capwords(line.text)) for line in lines]
    return lines


def _split_joined(raw: str, *, is_alone: bool) -> list[str]:
    """Split a line that was several lines.

    If it `is_alone`, it may be a typed list: `Necrons: Overlord 90, Immortals 70`.
    """
    plain = raw.translate(_FOLDED).strip()
    best, units = [raw], 1
    for pattern in (*_JOINTS, _COMMA) if is_alone else _JOINTS:
        parts = list(filter(None, map(str.strip, pattern.split(plain))))
        name, colon, first = parts[0].partition(": ") if is_alone and parts else ("", "", "")
        if colon and not any(map(str.isdigit, name)):
            parts[:1] = [name, first]
        # A comma before the blanks separates items of one unit.
        if len(parts) < LEAST_JOINED or any(part.endswith(",") for part in parts[:-1]):
            continue
        matched = sum(_is_unit(_strip_markup(part), is_typed=is_alone) for part in parts)
        if matched > units:
            best, units = parts, matched
    return best


def _is_unit(text: str, *, is_typed: bool) -> bool:
    shape = match_unit(text, bare=True) or (match_typed_numbers(text, has_costs=True) if is_typed else None)
    return shape is not None


def clean_line(raw: str, signs: Mapping[int, int] | None = None) -> str:
    """Drop invisible characters and mail's quote marks, and use plain quotation marks."""
    plain = raw.translate(_UNSEEN).translate(signs or _QUOTES).rstrip()
    if quoted := _QUOTED.match(plain):
        plain = plain[quoted.end() :]
    return plain


def _find_pictures(raws: Iterable[str]) -> frozenset[str]:
    """Find symbols that start several lines, mostly not headings, as unusual bullets."""
    marked: dict[str, list[str]] = {}
    for raw in raws:
        if match := _PICTURE.match(raw):
            marked.setdefault(match[1], []).append(raw[match.end() :])
    return frozenset(
        sign
        for sign, texts in marked.items()
        if len(texts) >= LEAST_PICTURES and sum(map(is_section_word, texts)) * 2 < len(texts)
    )


def _read_line(number: int, raw: str, pictures: frozenset[str]) -> TextLine:
    plain = clean_line(raw, _FOLDED).expandtabs(4)
    if (picture := _PICTURE.match(plain)) and picture[1] in pictures:
        plain = f"{plain[: picture.start(1)]}• {plain[picture.end() :]}"
    start = plain.lstrip()
    column = len(plain) - len(start)
    if len(start) > MAX_LINE or RULE.fullmatch(start):
        return TextLine(number, raw, start, column)
    if match := _HEADING.match(start):
        return TextLine(number, raw, _strip_markup(start[match.end() :]), column, heading=len(match[1]))
    if match := _DOTS.match(start):
        return TextLine(number, raw, start[match.end() :].strip(), column + match.end(), bullet=".")

    # Several signs in a row are a rule around words, or bold type.
    match = None if re.match(r"[-–—*]{2,}", start) else _BULLET.match(start)
    if match is None:
        return TextLine(number, raw, _strip_markup(start), column)
    bullet = match[0].strip()
    inner = int(bullet in _INNER_BULLETS)
    return TextLine(number, raw, _strip_markup(start[match.end() :]), column + match.end() + inner, bullet)


def _strip_markup(text: str) -> str:
    plain = text.replace("**", "").replace("__", "").replace("`", "").strip()
    # `Portal (20 Points`: the last sign of a line is easily lost.
    unclosed = _UNCLOSED.search(plain)
    return plain + (")" if unclosed[0].startswith("(") else "]") if unclosed else plain


# ---- costs ---------------------------------------------------------------------------------------------------------

NUMBER = r"[+-]?(?:\d{1,3}(?:[., ]\d{3})+(?!\d)|\d+(?:[.,]\d{1,2})?)"
_WORD = r"[^\W\d_][^\d\[\]();,|]{0,40}?"
_COST_PART = re.compile(rf"\s*({NUMBER})\s*({_WORD})?\.?\s*")
_BETWEEN_COSTS = re.compile(r"[,;]\s+|(?<=[^\W\d_])[,;]|\s\|\s|\s/\s")
_BRACKET = re.compile(r"[\[(]([^\[\]()]{1,80})[\])]")


@dataclass(frozen=True, slots=True)
class WrittenCost:
    """A cost. A `signed` cost is added to another."""

    points: Number | None
    signed: bool = False
    limit: Number | None = None


def parse_number(text: str) -> Number | None:
    """Return the written number, with or without thousands separators.

    >>> parse_number("1,995"), parse_number("2.000"), parse_number("12.5,"), parse_number("1..2")
    (1995, 2000, Decimal('12.5'), None)
    """
    plain = text.replace(" ", "").rstrip(".,")
    if re.fullmatch(r"[+-]?\d{1,3}(?:[.,]\d{3})+", plain):
        plain = plain.replace(",", "").replace(".", "")
    if len(plain) > numbers.MOST_DIGITS:
        return None
    try:
        return numbers.parse_number(plain.replace(",", "."))
    except ValueError:
        return None


def parse_cost(text: str, *, bare: bool = False) -> WrittenCost | None:
    """Parse the text between two brackets: `95 pts`, `+20 points`, `5 PL, 90pts`, `715 / 1000 points`.

    If `bare`, a number alone is points.
    """
    parts = list(filter(str.strip, _BETWEEN_COSTS.split(text)))
    matches = list(filter(None, map(_COST_PART.fullmatch, parts)))
    if not matches or len(matches) != len(parts):
        return None

    words = [simplify_words(match[2] or "") for match in matches]
    if bare and len(words) == 1:
        place: int | None = 0
    else:
        place = next((index for index, word in enumerate(words) if word in POINTS_WORDS), None)
    if place is None:
        # A cost in another unit needs a word.
        return WrittenCost(None, matches[0][1][0] in "+-") if all(words) else None
    # A bare number before points is the sum, and the points are its limit.
    if place == 1 and not words[0]:
        return WrittenCost(parse_number(matches[0][1]), limit=parse_number(matches[1][1]))
    return _cost_of(matches[place][1])


# ---- units ---------------------------------------------------------------------------------------------------------

POINTS_PATTERN = "|".join(sorted((re.escape(word) for word in POINTS_WORDS), key=len, reverse=True))
_POINTS_WORD = re.compile(rf"(?:{POINTS_PATTERN})\b", re.I)
_REFERENCE = re.compile(r"([^\W\d_]{2,14}(?: [^\W\d_]{2,14}){0,2}\s?\d{1,3})\s?:\s+(?=\S)")
"""French forms write this before a unit: `QG1 : `, `Épic hero 2: `."""
_MODELS = r"(?:models?|modèles?|figurines?|modelle?|miniatur(?:es?|en)?|modelos?|modelli)"
_COUNT_AT_END = re.compile(
    rf"(?P<name>.*[^\W\d_].*?)(?:\s*\((?P<count>\d{{1,3}})(?:\s{_MODELS})?\)|\s+x(?P<times>\d{{1,3}})"
    rf"|\s*[\s,:–—-]\s*(?P<models>\d{{1,3}})\s{_MODELS})",
    re.I,
)
_TYPED_NUMBERS = re.compile(
    rf"(?P<name>.*?[^\W\d_][^\d\s]*)(?:[\s,;:=x(–—-]+(?P<count>\d{{1,3}})(?:\s{_MODELS})?\)?)?"
    rf"[\s,;:=–—-]+(?P<number>\d{{1,4}})\s*(?:{POINTS_PATTERN})?\.?",
    re.I,
)
MOST_MODELS = 20
"""A larger number alone after a typed name is its points."""
_RELATED = re.compile(r"\((?:\+\d+|warlord|général|general)\)\s*|\[warlord\]\s*", re.I)
"""Some players write this before a unit that is joined or leads."""
_COUNT = re.compile(r"(\d{1,4})\s*(x\s*)?(?<=[\dx\s])(?=[^\W\d_'\"(])", re.I)
_TRAILING = re.compile(rf"(?<=[\s:|=,.…–—-])({NUMBER})\s*(?:{POINTS_PATTERN})\.?$", re.I)
_LEADING = re.compile(rf"(?P<number>{NUMBER})\s*(?:{POINTS_PATTERN})?\.?\s*[:–—-]\s+(?P<name>[^\W_].*)", re.I)
_DETAILED = re.compile(
    rf"(?P<name>[^:]*[^\W\d_][^:]*?)[\s|=,.…–—-]+(?P<number>{NUMBER})\s*(?:{POINTS_PATTERN})\.?:\s+(?P<tail>\S.*)", re.I
)
_ENDING = re.compile(r"\s[=–—-]\s+(\d[\d.,]*)$")
_CARRIED = re.compile(r"(?:with|w/|mit|avec)\s*(?=\w)", re.I)
"""Players write the equipment behind the points: `Guard (80 pts) with banner`."""
_SUMMED = re.compile(
    rf"(?P<name>[^\[\]():=]+?)\s*[\[(](?P<each>{NUMBER})(?:\s*(?:{POINTS_PATTERN}))?\.?[\])]\s*(?P<tail>[:,].*?)?"
    rf"\s*=\s*(?P<sum>{NUMBER})(?:\s*(?:{POINTS_PATTERN}))?\.?",
    re.I,
)
_LONE_COST = re.compile(rf"[\[(]?\s*({NUMBER})\s*(?:{POINTS_PATTERN})\.?\s*[\])]?", re.I)
_FORGE_SIZE = re.compile(r"\[(\d{1,4})\]")
_FORGE_COST = re.compile(rf"({NUMBER})\s*(?:{POINTS_PATTERN})?", re.I)
NAME = re.compile(r"[^\W\d_][\w'.()\[\]-]*(?: [\w'.()\[\]-]+){0,5}")
_UNCLOSED = re.compile(rf"[\[(]\s*{NUMBER}\s*(?:{POINTS_PATTERN})?\.?$", re.I)
_SEPARATORS = " \t:|=,.…–—-"
_BEHIND_COST = frozenset((*":,-–—|({.", ""))


def has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


@dataclass(frozen=True, slots=True)
class UnitShape:
    """A line with a name and its cost; `tail` is the text after them."""

    name: str
    cost: WrittenCost
    count: int | None = None
    tail: str = ""
    reference: str = ""
    bracketed: bool = True
    units: int = 1
    """The number of units; the cost is for each."""
    parts: Number | None = None
    """The sum of the numbers before the sum: `Guard (44): horn (22) = 66`."""

    @property
    def points(self) -> Number:
        return self.cost.points or 0

    @property
    def is_detailed(self) -> bool:
        """Whether it has a number in front or text after the cost, as only units do."""
        return bool(self.tail) or self.count is not None


@lru_cache(maxsize=2048)
def match_unit(text: str, *, bare: bool = False, ends: bool = False) -> UnitShape | None:
    """Match a line with a cost: `10x Name (65 pts): items`, `Name : 80 pts`, `80 pts - Name`.

    If `bare`, a number in brackets is points; with `ends`, so is a number before or after a dash, or after `=`.
    """
    if len(text) > MAX_LINE or not any(map(str.isdigit, text)):
        return None
    shape = _match_forge(text) or _match_summed(text) or _match_bracket(text, bare=bare)
    if shape:
        return shape
    # Only at the very end, or before a colon: other points belong to an item.
    if match := _TRAILING.search(text):
        return _shape_unit(text[: match.start()].rstrip(_SEPARATORS), _cost_of(match[1]), "", bracketed=False)
    if match := _DETAILED.fullmatch(text):
        return _shape_unit(match["name"], _cost_of(match["number"]), match["tail"], bracketed=False)
    return _match_loose_number(text, ends=ends)


def _match_forge(text: str) -> UnitShape | None:
    """Match Army Forge's `Name [5] Q4+ D5+ | 80pts | rules`."""
    head, _, rest = text.partition("|")
    written, _, tail = rest.partition("|")
    size, cost = _FORGE_SIZE.search(head), _FORGE_COST.fullmatch(written.strip())
    if size is None or cost is None:
        return None
    shape = _shape_unit(head[: size.start()], _cost_of(cost[1]), tail.strip())
    return replace(shape, units=shape.count or 1, count=int(size[1])) if shape else None


def _match_summed(text: str) -> UnitShape | None:
    """Match units with a final sum: `3x Guard (44): horn (22) = 66`."""
    match = _SUMMED.fullmatch(text)
    if match is None:
        return None
    shape = _shape_unit(match["name"], _cost_of(match["sum"]), "")
    unit_cost = parse_number(match["each"])
    if shape is None or unit_cost is None:
        return None

    tail = (match["tail"] or "").strip(":, ")
    options = (parse_cost(bracket[1], bare=True) for bracket in _BRACKET.finditer(tail))
    unit_points = unit_cost + sum(cost.points for cost in options if cost and cost.points is not None)
    # Some write the sum of one unit, others of all.
    units = shape.count or 1
    points = unit_points if shape.points == unit_points * units else shape.points
    return replace(shape, cost=WrittenCost(points), count=None, tail=tail, units=units, parts=unit_points)


def _match_bracket(text: str, *, bare: bool) -> UnitShape | None:
    brackets = list(_BRACKET.finditer(text))
    if shape := _match_square_cost(text, brackets, bare=bare):
        return shape
    # A bare number in brackets may count models; then the cost comes later.
    if bare and ": " not in text:
        brackets.reverse()
    for bracket in brackets:
        cost = parse_cost(bracket[1], bare=bare)
        if cost is None:
            continue
        before, after = text[: bracket.start()].rstrip(" :-–—\t"), text[bracket.end() :].strip()
        if before and (after[:1] in _BEHIND_COST or _CARRIED.match(after)):
            return _shape_unit(before, cost, _CARRIED.sub("", after.lstrip(":,-–—|. "), count=1))
        if after and not before:
            return _shape_unit(after, cost, "")
    return None


def _match_square_cost(text: str, brackets: Sequence[re.Match[str]], *, bare: bool) -> UnitShape | None:
    """Match a cost in square brackets among costs in round ones.

    `Name [120 pts] Pistol (0), Sword (0)`, or at the end: `HQ1 : Name(90), Sword(5) [95]`.
    """
    square = [bracket for bracket in brackets if bracket[0].startswith("[")]
    if not any(bracket[0].startswith("(") and parse_cost(bracket[1], bare=True) for bracket in brackets):
        return None
    for bracket in square:
        is_last = bracket.end() == len(text)
        cost = parse_cost(bracket[1], bare=bare or is_last)
        before = text[: bracket.start()].rstrip(" :-–—\t")
        if cost is None or cost.points is None or not before:
            continue
        if not is_last:
            return _shape_unit(before, cost, text[bracket.end() :].lstrip(" :,-–—|."))
        inside = _REFERENCE.match(before)
        start = inside.end() if inside else 0
        # The text before the first comma is the unit, with or without its own cost.
        name, _, tail = before[start:].partition(",")
        return _shape_unit(before[:start] + _BRACKET.sub("", name).strip(), cost, tail.strip())
    return None


def _match_loose_number(text: str, *, ends: bool) -> UnitShape | None:
    """Match a cost before a name, or after it and a sign. With `ends`, no word for points is needed."""
    match = _LEADING.fullmatch(text)
    if match and (ends or _POINTS_WORD.search(text[: match.start("name")])):
        name, number = match["name"], match["number"]
    elif ends and (ending := _ENDING.search(text)):
        name, number = text[: ending.start()], ending[1]
    else:
        return None
    plain, _, tail = name.partition(", ")
    return _shape_unit(plain, _cost_of(number), tail, bracketed=False)


def _cost_of(number: str) -> WrittenCost:
    return WrittenCost(parse_number(number), number[0] in "+-")


def _shape_unit(
    name: str, cost: WrittenCost, tail: str, count: int | None = None, *, bracketed: bool = True
) -> UnitShape | None:
    reference = ""
    if match := _REFERENCE.match(name):
        reference, name = match[1], name[match.end() :]
    if match := _RELATED.match(name):
        name = name[match.end() :]
    number, plain = split_count_off(name.lstrip("= "))
    # `1220 Pts (4 Platoons)` does not name a unit.
    if not has_letters(plain) or simplify_words(plain) in POINTS_WORDS:
        return None
    return UnitShape(plain, cost, number if count is None else count, tail, reference, bracketed)


def split_count(text: str) -> tuple[int | None, str]:
    """Split the number in front from a name.

    >>> split_count("10x Reed Guard"), split_count("4 Guard"), split_count("Guard")
    ((10, 'Reed Guard'), (4, 'Guard'), (None, 'Guard'))
    """
    match = _COUNT.match(text)
    return (int(match[1]), text[match.end() :].strip()) if match else (None, text.strip())


def split_count_off(text: str) -> tuple[int | None, str]:
    """Split the number before or after a name from it.

    >>> split_count_off("Guard x10"), split_count_off("10 Guard"), split_count_off("Guard (10)")
    ((10, 'Guard'), (10, 'Guard'), (10, 'Guard'))
    >>> split_count_off("Guard - 10 models"), split_count_off("Guard (5 models)")
    ((10, 'Guard'), (5, 'Guard'))
    """
    number, plain = split_count(text)
    if number is None and (match := _COUNT_AT_END.fullmatch(plain)):
        return int(match["count"] or match["times"] or match["models"]), match["name"]
    return number, plain


def match_typed_numbers(text: str, *, has_costs: bool) -> UnitShape | None:
    """Match a name followed by the bare numbers of models and points, or one of them.

    `has_costs` means that other lines have points, so a number alone is points, however small.

    >>> shape = match_typed_numbers("Guard 10 150", has_costs=True)
    >>> shape and (shape.name, shape.count, shape.points)
    ('Guard', 10, 150)
    """
    match = _TYPED_NUMBERS.fullmatch(text)
    if match is None:
        return None
    count, name = split_count(match["name"].rstrip(" ,;:–—-"))
    number = int(match["number"])
    if match["count"]:
        count = int(match["count"])
    elif count is None and number <= MOST_MODELS and not has_costs:
        return UnitShape(name, WrittenCost(None), number, bracketed=False)
    return UnitShape(name, WrittenCost(number), count, bracketed=False)


def match_lone_cost(text: str) -> WrittenCost | None:
    match = _LONE_COST.fullmatch(text)
    return _cost_of(match[1]) if match else None


def is_capitals(text: str) -> bool:
    return text.upper() == text and text.lower() != text


def is_battle_size(name: str) -> bool:
    return simplify_words(name) in BATTLE_SIZES


_COST_AT_END = re.compile(r"(?P<name>[^\[\]]{0,200}?)[\s:-]{0,8}[\[(](?P<cost>[^\[\]()]{1,80})[\])]\s*:?")


def find_cost_at_end(text: str) -> str:
    match = _COST_AT_END.fullmatch(text)
    return match["cost"] if match else ""


def drop_cost(text: str) -> str:
    """Remove a heading's points.

    >>> drop_cost("+ Line: [80 pts]"), drop_cost("Line [broken]")
    ('Line', 'Line [broken]')
    """
    match = _COST_AT_END.fullmatch(text)
    if match and match["name"] and any(map(str.isdigit, match["cost"])) and parse_cost(match["cost"], bare=True):
        return match["name"].strip(" -+:")
    return text.strip(" +:")
