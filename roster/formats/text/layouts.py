"""Detect a text's layout and the start of each list."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise, takewhile

from catalogue.definitions.numbers import Number
from roster.formats.text.pasted import PastedLayout
from roster.formats.text.shapes import MAX_LINE, TextLine, UnitShape, is_battle_size, keep_filled, match_unit
from roster.formats.text.words import ClaimKey, find_claim_key, is_footer, match_detachment

WTC_CLAIM = re.compile(r"\+\s*(?P<key>[^:+\[\]()]{2,40}?)\s*:\s*(?P<value>.*)")
ROSTER_HEADING = re.compile(r"\+\+\s*army roster\s*\+\+.*", re.I)
FORCE_HEADING = re.compile(r"\+\+\s*(?P<name>.+?)\s*\+\+\s*(?P<rest>.*)")
DIVIDED_TITLE = re.compile(r"(?P<title>\S.*?) - (?P<faction>\S.*?) - (?P<detachment>\S.*?)\s*[\[(][^\[\]()]*[\])]")
AOS_TITLE = re.compile(
    r"(?:(?P<title>.+?)\s+)?(?P<total>\d[\d.,]*)\s*/\s*(?P<limit>\d[\d.,]*)\s*(?:pts?|points?)", re.I
)
HANDBOOK_TITLE = re.compile(
    r"(?P<title>.+?)\s*\((?P<total>\d[\d.,]*)\s*(?:pts|points)\)\s*[-–—]\s*(?P<handbook>.*\bhandbook\b.*)", re.I
)
"""New Recruit's title of a list for Age of Sigmar. The rest has the layout of the publisher's app."""
_AOS_PART = re.compile(r"(?:general'?s regiment|regiment 1|drops\s*:\s*\d+|wounds\s*:\s*\d+)\b.*", re.I)
"""Only lists for Age of Sigmar have several of these lines."""
_FACTION_KEYS = ("FACTION KEYWORD", "ARMY FACTION", "FACTION")
_TOTAL = re.compile(r"\+\+\s*total\s*:", re.I)
_FIRST = 14
"""The number of lines in which the header is searched for."""
_LONGEST = 300
"""The number of lines in which units are searched for."""


def detect_layout(lines: Sequence[TextLine]) -> PastedLayout:
    signs = LayoutSigns(lines)
    return next((layout for layout, is_written in _SIGNS if is_written(signs)), PastedLayout.PLAIN)


class LayoutSigns:
    def __init__(self, lines: Sequence[TextLine]) -> None:
        # No program writes longer lines, and patterns are slow on them.
        self.filled = [line for line in keep_filled(lines) if len(line.text) <= MAX_LINE]
        self.texts = [line.text for line in self.filled]
        self.head = self.texts[:_FIRST]
        self.lower = "\n".join(self.texts).lower()

    def mentions(self, *words: str) -> bool:
        return any(word in self.lower for word in words)

    def has_line(self, pattern: re.Pattern[str]) -> bool:
        return any(pattern.fullmatch(text) for text in self.texts)

    def has_wtc_claim(self) -> bool:
        matches = (WTC_CLAIM.fullmatch(text) for text in self.texts)
        return any(match is not None and match["key"].upper() == match["key"] for match in matches)

    def has_markdown(self) -> bool:
        has_force = any(line.heading == 1 and FORCE_HEADING.fullmatch(line.text) for line in self.filled)
        return has_force or self.has_line(ROSTER_HEADING) or sum(line.heading == 2 for line in self.filled) >= 2

    def has_aos_title(self) -> bool:
        title = find_aos_title(self.filled)
        if title is None:
            return False
        # Further down, a line of points may be the total of any list.
        return title is self.filled[0] or sum(_AOS_PART.fullmatch(text) is not None for text in self.texts) > 1

    def has_bullet(self, bullet: str) -> bool:
        return any(line.bullet == bullet for line in self.filled)

    def has_titled_forces(self) -> bool:
        """Find force headings with a title or options with dashes, unlike BattleScribe's."""
        if not self.has_line(_ANY_FORCE):
            return False
        return self.has_bullet("-") or _is_title(self.filled[0])

    def has_divided_title(self) -> bool:
        """Find a title of three parts above headings with a colon, as List Forge writes."""
        has_title = bool(self.head) and DIVIDED_TITLE.fullmatch(self.head[0]) is not None
        return has_title and any(text.endswith(":") for text in self.head[1:])

    def has_app_head(self) -> bool:
        """Find a title and a line that only the publisher's app writes."""
        # The names of a team and a player may be above the title.
        if not any(_is_title(line) and not _names_size(line.text) for line in self.filled[:3]):
            return False
        if any(match_detachment(text) or _names_size(text) for text in self.head):
            return True
        return any(map(is_footer, self.texts[-2:])) or self._has_limit_below_title()

    def _has_limit_below_title(self) -> bool:
        """Return whether a line below the title, with at least its points, gives the game's size in any language."""
        bare = list(takewhile(lambda line: line.is_bare, self.filled))
        if not bare or len(bare) == len(self.filled) or match_unit(bare[-1].text) is None:
            return False
        costs: list[Number] = []
        for line in bare[:_FIRST]:
            shape = match_unit(line.text) if _is_title(line) else None
            if shape and shape.bracketed and not shape.cost.signed and shape.cost.points:
                costs.append(shape.cost.points)
        if len(costs) < 3 or max(costs[1:-1]) < costs[0]:
            return False
        # The units below come to no more than the title states.
        limit = next(place for place, cost in enumerate(costs) if place and cost >= costs[0])
        return sum(costs[limit + 1 :]) <= costs[0]

    def has_only_units(self) -> bool:
        matches = [match_unit(line.text) for line in self.filled if not line.bullet]
        shapes = [shape for shape in matches if shape and shape.bracketed]
        if not shapes or len(shapes) != len(matches):
            return False
        # If the first cost is the sum of the others, it belongs to a title.
        return not _comes_to_first([shape.points for shape in shapes])


_ANY_FORCE = re.compile(r"\+\+\s*.+")
_FORGE_STATS = re.compile(r".*\[\d+\]\s*Q\d\+\s*D\d\+.*")
_BATTLE_SIZE = re.compile(r"battle size\s*:.*", re.I)
_SIGNS: tuple[tuple[PastedLayout, Callable[[LayoutSigns], bool]], ...] = (
    (PastedLayout.WTC, LayoutSigns.has_wtc_claim),
    (PastedLayout.OLD_WORLD_BUILDER, lambda signs: signs.mentions("old world builder", "old-world-builder")),
    (PastedLayout.NEW_RECRUIT, LayoutSigns.has_markdown),
    (PastedLayout.ARMY_FORGE, lambda signs: signs.has_line(_FORGE_STATS)),
    (PastedLayout.BATTLESCRIBE, lambda signs: signs.has_bullet(".") or signs.mentions("battlescribe")),
    (
        PastedLayout.APP_AOS,
        lambda signs: signs.mentions("age of sigmar: the app", "sigdex.io") or signs.has_aos_title(),
    ),
    (PastedLayout.WAR_ORGAN, lambda signs: signs.mentions("warorgan", "war organ")),
    (PastedLayout.OLD_WORLD_BUILDER, LayoutSigns.has_titled_forces),
    (PastedLayout.BATTLESCRIBE, lambda signs: signs.has_line(_ANY_FORCE)),
    (PastedLayout.WAR_ORGAN, lambda signs: any(_BATTLE_SIZE.fullmatch(text) for text in signs.head)),
    (PastedLayout.LIST_FORGE, LayoutSigns.has_divided_title),
    (PastedLayout.APP_40K, LayoutSigns.has_app_head),
    (PastedLayout.NEW_RECRUIT_SHORT, LayoutSigns.has_only_units),
)
"""Tests for each layout, the most reliable first."""


def _is_title(line: TextLine) -> bool:
    shape = None if line.bullet else match_unit(line.text)
    return shape is not None and not (shape.tail or shape.reference) and shape.count is None


def find_aos_title(filled: Sequence[TextLine]) -> TextLine | None:
    return next(filter(_is_aos_title, filled[:_FIRST]), None)


def _is_aos_title(line: TextLine) -> bool:
    return line.is_bare and any(title.fullmatch(line.text) for title in (AOS_TITLE, HANDBOOK_TITLE))


def _names_size(text: str) -> bool:
    shape = match_unit(text)
    return shape is not None and is_battle_size(shape.name)


def split_lists(lines: list[TextLine]) -> list[list[TextLine]]:
    starts = ListSplitter(lines).find_starts()
    return [lines[start:end] for start, end in pairwise([*starts, len(lines)]) if end > start]


_NUMBERED_LIST = re.compile(
    r"(?:army )?(?:list|liste|lista|roster|armée|army)\s*(?:n°|nr\.?|#)?\s*\d{1,2}\b(?:[^\w].*)?", re.I
)


class ListSplitter:
    def __init__(self, lines: list[TextLine]) -> None:
        self._lines = lines
        # If no units are left below, no other list begins.
        self._units_left = sum(_weigh_unit(line) for line in lines)
        self._open_list(0)

    def _open_list(self, start: int) -> None:
        self._start = start
        self._units = 0
        self._closed = False
        self._titled = _is_aos_title(self._lines[start]) if start < len(self._lines) else False
        first = next((line for line in self._lines[start:] if not line.is_blank), None)
        self._numbered = first is not None and _NUMBERED_LIST.fullmatch(first.text) is not None
        self._costs: list[Number] = []
        self._claims: set[tuple[str, str]] = set()

    def find_starts(self) -> list[int]:
        starts = [0]
        for index, line in enumerate(self._lines):
            if line.is_blank:
                continue
            if is_footer(line.text) or _TOTAL.match(line.text):
                # A total above the units belongs to the head and ends nothing.
                self._closed = self._closed or self._units > 0
            elif self._starts_list(index):
                starts.append(_go_back_to_name(self._lines, self._start, index))
                self._open_list(index)

            weight = _weigh_unit(line)
            self._units += weight
            self._units_left -= weight
            self._costs += _list_costs((line,))
            self._claims |= _list_claims((line,))
        return starts

    def _starts_list(self, index: int) -> bool:
        line = self._lines[index]
        if self._numbered and self._units and _NUMBERED_LIST.fullmatch(line.text):
            return True
        if _is_aos_title(line):
            is_second, self._titled = self._titled, True
            return is_second
        # A single line with a cost may still be the title of the current list.
        if line.bullet or self._units < 2:
            return False
        if line.is_rule:
            return self._opens_wtc_head(index)
        # The current list may end with a footer or a total, or at the name of another player.
        key, _, value = line.text.partition(":")
        names_player = bool(value.strip()) and find_claim_key(key) is ClaimKey.PLAYER
        if self._units_left > 1 and (self._closed or names_player):
            return True
        return self._opens_list_with_sum(index) or self._has_title_at(index)

    def _opens_list_with_sum(self, index: int) -> bool:
        if not _comes_to_first(self._costs) or not _is_title(self._lines[index]):
            return False
        if not _list_costs(self._lines[index : index + 1]):
            return False
        costs = _list_costs(self._lines[index : index + _LONGEST])
        sums = list(accumulate(costs[1:]))
        # One unit of the same cost proves nothing.
        return costs[0] in sums[1:]

    def _has_title_at(self, index: int) -> bool:
        following = keep_filled(self._lines[index : index + _FIRST])
        if len(following) < 2:
            return False
        title, second = following[0], following[1].text
        if ROSTER_HEADING.match(second) or (DIVIDED_TITLE.fullmatch(title.text) and second.endswith(":")):
            return True

        # The publisher's app has bare lines there before any bullet; one of them names the size.
        if not _is_title(title):
            return False
        for line in following[1:7]:
            if line.bullet or line.column > title.column + 1:
                return False
            if _names_size(line.text) or _BATTLE_SIZE.fullmatch(line.text):
                return True
        return False

    def _opens_wtc_head(self, index: int) -> bool:
        inside = self._lines[index + 1 : index + 1 + _FIRST]
        head = _list_claims(takewhile(lambda line: not line.text.startswith("+++"), inside))
        if not any(key in _FACTION_KEYS for key, _ in head):
            return False
        # A list that was pasted page by page repeats its head.
        return not self._claims or not head <= self._claims


def _match_bare_unit(line: TextLine) -> UnitShape | None:
    # A line with a bullet may be part of a unit.
    return match_unit(line.text) if line.is_bare else None


def _list_costs(lines: Iterable[TextLine]) -> list[Number]:
    shapes = map(_match_bare_unit, lines)
    return [shape.cost.points for shape in shapes if shape and shape.cost.points and not shape.cost.signed]


def _comes_to_first(costs: Sequence[Number]) -> bool:
    return len(costs) > 2 and costs[0] == sum(costs[1:])


def _weigh_unit(line: TextLine) -> int:
    shape = _match_bare_unit(line)
    if shape is None or is_battle_size(shape.name):
        return 0
    return 2 if shape.tail or shape.count else 1


def _list_claims(lines: Iterable[TextLine]) -> set[tuple[str, str]]:
    matches = (WTC_CLAIM.fullmatch(line.text) for line in lines)
    return {(match["key"].upper(), match["value"]) for match in matches if match}


def _go_back_to_name(lines: Sequence[TextLine], start: int, index: int) -> int:
    for above in range(index - 1, max(start, index - 4), -1):
        line = lines[above]
        if line.is_blank:
            continue
        is_end = is_footer(line.text) or find_claim_key(line.text.partition(":")[0]) is ClaimKey.TOTAL
        is_bare = not (line.bullet or line.column or line.is_rule or is_end)
        is_name = is_bare and match_unit(line.text) is None
        return above if is_name and lines[above - 1].is_blank else index
    return index
