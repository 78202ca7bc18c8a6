"""Parse a unit's models, options and enhancements, with their numbers."""

import re

from catalogue.definitions.numbers import Number
from roster.formats.text.pasted import ItemRole, PastedItem
from roster.formats.text.shapes import TextLine, has_letters, match_unit, parse_cost, parse_number, split_count
from roster.formats.text.words import (
    COMMAND_WORDS,
    ENHANCEMENT_WORDS,
    NOTE_KEYS,
    WARLORD_WORDS,
    is_attachment,
    simplify_words,
)

_ITEM_KEYS = ENHANCEMENT_WORDS | NOTE_KEYS
_PART = re.compile(r"(\d{1,4})\s*(?:x\s*)?(?:with|w/|mit|avec|con|z|з)\s+(?=\S)", re.I)
_WITH = re.compile(r"\s+(?:with|w/|mit|avec)\s+", re.I)
_AND = re.compile(r"\s+(?:and|und|et|y|e|i)\s+", re.I)
_KEY = re.compile(r"([^:()\[\]]{1,60}?)\s*:\s+(?=\S)|([^:()\[\]]{1,60}?)\s*:$")
_COST = re.compile(r"\s*[\[(]([^\[\]()]{1,60})[\])]\s*(?=[:,]|$)")
_DASHED_COST = re.compile(r"\s+[-–—]\s+\((\d{1,4})\)\s*(?:points|pts)?\.?$", re.I)
_RANGE = re.compile(r"^(\d{1,3}x\s+)?\d{1,3}(?:\"|'')\s+")
_FIGURES = re.compile(r"\s*\(A\d+(?:[^()]|\([^()]*\))*\)$")
_GROUP = re.compile(r"(?P<name>[^()]*\S)\s*\((?P<inside>[^()]*(?:\([^()]*\)[^()]*)*)\)")


def split_at_commas(text: str) -> list[str]:
    """Split items at the commas outside brackets.

    >>> split_at_commas("Bow, Banner set (Flag, 2x Pole)")
    ['Bow', 'Banner set (Flag, 2x Pole)']
    """
    parts, start, depth = [], 0, 0
    for index, sign in enumerate(text):
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            # Ignore unmatched closing brackets, so that later commas still count.
            depth = max(0, depth - 1)
        elif depth == 0 and sign in ",;" and text[index + 1 : index + 2] in (" ", ""):
            # A comma without a space after it belongs to a number or a name.
            parts.append(text[start:index].strip())
            start = index + 1
    return list(filter(None, [*parts, text[start:].strip()]))


class ItemParser:
    """Parses one layout's items.

    `joined` means that a word joins the last two items, `bare` that a number in brackets is points, `figures` that
    weapons have range and characteristics: `5x 24" Rifles (A5, AP(1))`.
    """

    def __init__(self, *, joined: bool = False, bare: bool = False, figures: bool = False) -> None:
        self._joined = joined
        self._bare = bare
        self._figures = figures

    def parse_row(self, text: str, line: int) -> list[PastedItem]:
        parts = split_at_commas(text)
        if self._joined and parts:
            parts[-1:] = filter(None, _AND.split(parts[-1]))
        return [self.parse_item(part, line) for part in parts]

    def parse_line(self, line: TextLine, *, whole: bool = False) -> list[PastedItem]:
        """Parse a separate line. If it is `whole`, commas belong to its only name."""
        text = line.text
        if _is_in_brackets(text):
            return self.parse_row(text[1:-1], line.number)
        if match := _PART.match(text):
            return [self._build_part(int(match[1]), text[match.end() :], line.number)]

        if self._joined and split_count(text)[0] and _WITH.search(text):
            # `5 Guard with spear, shield`: the commas separate equipment.
            is_row = False
        elif self._joined:
            is_row = True
        else:
            # `B: 1 maul, 7 blades` is one label.
            is_plain = "," in text and "(+" not in text and not _find_key(text)
            is_row = not whole and is_plain and len(split_at_commas(text)) > 1
        return self.parse_row(text, line.number) if is_row else [self.parse_item(text, line.number)]

    def parse_rules(self, text: str, line: int) -> list[PastedItem]:
        """Parse special rules and upgrades: `Strider, Tough(3), Banner(Fear(1))`."""
        rules = []
        for written in split_at_commas(text):
            count, rest = split_count(written)
            name = rest.partition("(")[0].strip()
            rules.append(PastedItem(name or rest, count or 1, role=ItemRole.NOTE, line=line, written=written))
        return rules

    def parse_item(self, text: str, line: int) -> PastedItem:
        """Parse `2x Name (+20 pts)`, `Model: a, b`, `Enhancement: X`, `Group (a, b)`."""
        key = simplify_words(_find_key(text))
        if key in ENHANCEMENT_WORDS:
            item = self._parse_counted(text.split(":", 1)[1].strip(), line)
            item.role = ItemRole.ENHANCEMENT
            return item
        if key in NOTE_KEYS or is_attachment(text):
            return PastedItem(text, role=ItemRole.NOTE, line=line, written=text)
        return self._parse_counted(text, line)

    def _parse_counted(self, text: str, line: int) -> PastedItem:
        count, rest = split_count(drop_figures(text) if self._figures else text)
        points, role, rest = _take_cost(rest, bare=self._bare)
        name, inside = self._split_inside(rest, counted=count is not None)
        if simplify_words(name) in WARLORD_WORDS and not inside:
            role = ItemRole.WARLORD
        return PastedItem(
            name.strip(" .") or rest,
            count or 1,
            points,
            role,
            self.parse_inside(inside, line),
            line,
            text,
            counted=count is not None,
        )

    def _split_inside(self, text: str, *, counted: bool) -> tuple[str, str]:
        if match := _KEY.match(text):
            return match[1] or match[2], text[match.end() :]
        if match := _GROUP.fullmatch(text):
            # `Veteran (champion)` gives the usual name of the model.
            return match["name"], "" if simplify_words(match["inside"]) in COMMAND_WORDS else match["inside"]
        # Models may have equipment without brackets: `5 Guard with spear`.
        match = _WITH.search(text) if counted and self._joined else None
        return (text[: match.start()], text[match.end() :]) if match else (text, "")

    def parse_inside(self, text: str, line: int) -> list[PastedItem]:
        if not text:
            return []
        if match := _PART.match(text):
            return [self._build_part(int(match[1]), text[match.end() :], line)]
        return self.parse_row(text, line)

    def _build_part(self, count: int, text: str, line: int) -> PastedItem:
        items = self.parse_row(text, line)
        return PastedItem("", count, None, ItemRole.PART, items, line, text, counted=True)


def drop_figures(name: str) -> str:
    """Remove a weapon's range and characteristics.

    >>> drop_figures('2x 24" Rifle (A2, AP(1))'), drop_figures("Blade (A1)"), drop_figures("Guard (Veteran)")
    ('2x Rifle', 'Blade', 'Guard (Veteran)')
    """
    return _FIGURES.sub("", _RANGE.sub(r"\1", name)).strip() or name


def _find_key(text: str) -> str:
    match = _KEY.match(text)
    return (match[1] or match[2] or "") if match else ""


def _take_cost(text: str, *, bare: bool) -> tuple[Number | None, ItemRole, str]:
    # The Age of Sigmar app writes `Thickened Scales - (20) Points`.
    match = _DASHED_COST.search(text)
    if match and (points := parse_number(match[1])) is not None:
        return points, ItemRole.ENHANCEMENT, text[: match.start()]
    match = _COST.search(text)
    if match is None and (loose := match_unit(text)) and not (loose.bracketed or loose.tail):
        # `biting blade 5 pts`
        return loose.cost.points, ItemRole.OPTION, loose.name
    # A bracket without a name in front is itself the name.
    cost = parse_cost(match[1], bare=bare) if match and text[: match.start()].strip() else None
    if match is None or cost is None:
        return None, ItemRole.OPTION, text
    before, after = text[: match.start()], text[match.end() :]
    role = ItemRole.ENHANCEMENT if cost.points and not after.strip() else ItemRole.OPTION
    return cost.points, role, before + after


def _is_in_brackets(text: str) -> bool:
    return text.startswith("(") and text.endswith(")")


def is_item_start(text: str) -> bool:
    if _PART.match(text) or has_added_cost(text) or _is_in_brackets(text) or is_attachment(text):
        return True
    count, name = split_count(text)
    if count is not None and has_letters(name):
        return True
    return simplify_words(text) in WARLORD_WORDS or simplify_words(_find_key(text)) in _ITEM_KEYS


def has_added_cost(text: str) -> bool:
    return any((cost := parse_cost(match[1])) and cost.signed for match in _COST.finditer(text))
