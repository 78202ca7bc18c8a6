"""Detect the layout of a text, and where each of its lists starts."""

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
AOS_TITLE = re.compile(r"(?P<title>.+?)\s+(?P<total>\d[\d.,]*)\s*/\s*(?P<limit>\d[\d.,]*)\s*(?:pts|points)", re.I)
_FACTION_KEYS = ("FACTION KEYWORD", "ARMY FACTION", "FACTION")
_TOTAL = re.compile(r"\+\+\s*total\s*:", re.I)
_FIRST = 14
"""How many lines of a list are looked at for its head."""
_LONGEST = 300
"""How many lines are looked at for the units of a list."""


def detect_layout(lines: Sequence[TextLine]) -> PastedLayout:
    """Return the layout of one list; `PLAIN` where nothing tells."""
    signs = LayoutSigns(lines)
    return next((layout for layout, is_written in _SIGNS if is_written(signs)), PastedLayout.PLAIN)


class LayoutSigns:
    """What tells the layout of a list: its lines with words, and all of them as one text in lower case."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        # No program writes a longer line, and patterns take their time on one.
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
        return self.has_line(ROSTER_HEADING) or sum(line.heading == 2 for line in self.filled) >= 2

    def has_bullet(self, bullet: str) -> bool:
        return any(line.bullet == bullet for line in self.filled)

    def has_titled_forces(self) -> bool:
        """Whether headings like BattleScribe's are below a title, or above options with dashes, as that has none."""
        if not self.has_line(_ANY_FORCE):
            return False
        return self.has_bullet("-") or _is_title(self.filled[0])

    def has_divided_title(self) -> bool:
        """Whether it starts like List Forge's lists: a title of three parts, and sections that end in a colon."""
        titled = bool(self.head) and DIVIDED_TITLE.fullmatch(self.head[0]) is not None
        return titled and any(text.endswith(":") for text in self.head[1:])

    def has_app_head(self) -> bool:
        """Whether it has the title of the publisher's app, and one of the lines that only that writes."""
        # The names of a team and a player may be above the title.
        return any(map(_is_name_of_list, self.filled[:3])) and (self._has_app_line() or self._has_limit_below_title())

    def _has_app_line(self) -> bool:
        """Whether the publisher's app wrote a line of the head, or the last one."""
        return any(map(_is_head_of_app, self.head)) or any(map(is_footer, self.texts[-2:]))

    def _has_limit_below_title(self) -> bool:
        """Whether a bare line names as many points as the title or more, above units with theirs: that is not a unit.

        So the size of a game is known by any word that some language has for it.
        """
        bare = list(takewhile(lambda line: line.is_bare, self.filled[:_FIRST]))
        costs: list[Number] = list(filter(None, map(_read_bare_cost, bare)))
        if len(costs) < 3 or len(bare) == len(self.filled) or match_unit(bare[-1].text) is None:
            return False
        return max(costs[1:-1]) >= costs[0]

    def has_only_units(self) -> bool:
        matches = [match_unit(line.text) for line in self.filled if not line.bullet]
        shapes = [shape for shape in matches if shape and shape.bracketed]
        return bool(shapes) and len(shapes) == len(matches) and not _has_sum_in_front(shapes)


def _has_sum_in_front(shapes: Sequence[UnitShape]) -> bool:
    """Whether the first of several costs is what the others come to: that is in a title."""
    return _comes_to_first([shape.points for shape in shapes])


_ANY_FORCE = re.compile(r"\+\+\s*.+")
_FORGE_STATS = re.compile(r".*\[\d+\]\s*Q\d\+\s*D\d\+.*")
_BATTLE_SIZE = re.compile(r"battle size\s*:.*", re.I)
_SIGNS: tuple[tuple[PastedLayout, Callable[[LayoutSigns], bool]], ...] = (
    (PastedLayout.WTC, LayoutSigns.has_wtc_claim),
    (PastedLayout.OLD_WORLD_BUILDER, lambda signs: signs.mentions("old world builder", "old-world-builder")),
    (PastedLayout.NEW_RECRUIT, LayoutSigns.has_markdown),
    (PastedLayout.ARMY_FORGE, lambda signs: signs.has_line(_FORGE_STATS)),
    (PastedLayout.BATTLESCRIBE, lambda signs: signs.has_bullet(".") or signs.mentions("battlescribe")),
    (PastedLayout.APP_AOS, lambda signs: signs.mentions("age of sigmar: the app") or _is_aos_title(signs.head)),
    (PastedLayout.WAR_ORGAN, lambda signs: signs.mentions("warorgan", "war organ")),
    (PastedLayout.OLD_WORLD_BUILDER, LayoutSigns.has_titled_forces),
    (PastedLayout.BATTLESCRIBE, lambda signs: signs.has_line(_ANY_FORCE)),
    (PastedLayout.WAR_ORGAN, lambda signs: any(_BATTLE_SIZE.fullmatch(text) for text in signs.head)),
    (PastedLayout.LIST_FORGE, LayoutSigns.has_divided_title),
    (PastedLayout.APP_40K, LayoutSigns.has_app_head),
    (PastedLayout.NEW_RECRUIT_SHORT, LayoutSigns.has_only_units),
)
"""What tells a layout, the surest first."""


def _is_aos_title(head: Sequence[str]) -> bool:
    return bool(head) and AOS_TITLE.fullmatch(head[0]) is not None


def _is_title(line: TextLine) -> bool:
    """Whether a line could be `Name (N points)` above a list: no bullet, no number in front, nothing behind it."""
    shape = None if line.bullet else match_unit(line.text)
    return shape is not None and not (shape.tail or shape.reference) and shape.count is None


def _is_name_of_list(line: TextLine) -> bool:
    """Whether a line could be the title of a list, and is no size of a game."""
    return _is_title(line) and not _names_size(line.text)


def _is_head_of_app(text: str) -> bool:
    """Whether a line is one that the publisher's app has below its title."""
    return bool(match_detachment(text)) or _names_size(text)


def _read_bare_cost(line: TextLine) -> Number | None:
    """Return the points of a line that is a name and points, nothing else."""
    shape = match_unit(line.text) if _is_title(line) else None
    return shape.cost.points if shape and shape.bracketed and not shape.cost.signed else None


def _names_size(text: str) -> bool:
    shape = match_unit(text)
    return shape is not None and is_battle_size(shape.name)


def split_lists(lines: list[TextLine]) -> list[list[TextLine]]:
    """Split the lines of a paste where another list starts."""
    starts = ListSplitter(lines).find_starts()
    return [lines[start:end] for start, end in pairwise([*starts, len(lines)]) if end > start]


class ListSplitter:
    """Walks over the lines of a paste once; knows what the list at hand has had so far."""

    def __init__(self, lines: list[TextLine]) -> None:
        self._lines = lines
        # All units first: where none are left below, no other list begins.
        self._units_left = sum(_weigh_unit(line) for line in lines)
        self._open_list(0)

    def _open_list(self, start: int) -> None:
        self._start = start
        self._units = 0
        self._closed = False
        self._costs: list[Number] = []
        self._claims: set[tuple[str, str]] = set()

    def find_starts(self) -> list[int]:
        starts = [0]
        for index, line in enumerate(self._lines):
            if line.is_blank:
                continue
            if _is_at_end(line.text):
                # Above the units a total is that of the head, and ends nothing.
                self._closed = self._closed or self._units > 0
            elif self._starts_list(index):
                starts.append(_go_back_to_name(self._lines, self._start, index))
                self._open_list(index)
            self._note_line(line)
        return starts

    def _note_line(self, line: TextLine) -> None:
        weight = _weigh_unit(line)
        self._units += weight
        self._costs += _list_costs((line,))
        self._units_left -= weight
        self._claims |= _list_claims((line,))

    def _starts_list(self, index: int) -> bool:
        """Whether another list begins at a line."""
        line = self._lines[index]
        # A single line with a cost may still be the title of the list at hand.
        if line.bullet or self._units < 2:
            return False
        return self._opens_wtc_head(index) if line.is_rule else self._is_start_of_list(index)

    def _is_start_of_list(self, index: int) -> bool:
        """Whether a line of words opens another list."""
        return self._is_past_end(self._lines[index]) or self._opens_list_with_sum(index) or self._has_title_at(index)

    def _is_past_end(self, line: TextLine) -> bool:
        """Whether the list at hand is at its end, by its own words or by the name of another player."""
        return self._units_left > 1 and (self._closed or _names_player(line.text))

    def _opens_list_with_sum(self, index: int) -> bool:
        """Whether the list at hand has all that its title says, and the next lines are what a line says as well."""
        if not _comes_to_first(self._costs) or not _is_title(self._lines[index]):
            return False
        if not _list_costs(self._lines[index : index + 1]):
            return False
        costs = _list_costs(self._lines[index : index + _LONGEST])
        sums = list(accumulate(costs[1:]))
        # Two units have to come to it: a single one of the same cost proves nothing.
        return costs[0] in sums[1:]

    def _has_title_at(self, index: int) -> bool:
        if AOS_TITLE.fullmatch(self._lines[index].text):
            return True
        return _opens_titled_list(keep_filled(self._lines[index : index + _FIRST]))

    def _opens_wtc_head(self, index: int) -> bool:
        """Whether a fence opens the head of another list: one that names a faction and is not the same head again."""
        inside = self._lines[index + 1 : index + 1 + _FIRST]
        head = _list_claims(takewhile(lambda line: not line.text.startswith("+++"), inside))
        # A head that says the same once more belongs to the same list: it was pasted page by page.
        return _has_faction(head) and (not self._claims or not head <= self._claims)


def _has_faction(claims: Iterable[tuple[str, str]]) -> bool:
    return any(key in _FACTION_KEYS for key, _ in claims)


def _is_at_end(text: str) -> bool:
    """Whether a line is one of those that come at the end of a list."""
    return is_footer(text) or _TOTAL.match(text) is not None


def _opens_titled_list(following: Sequence[TextLine]) -> bool:
    """Whether lines are the title of a list and what layouts have right below it."""
    if len(following) < 2:
        return False
    title, second = following[0], following[1].text
    if ROSTER_HEADING.match(second) or _is_divided_title(title.text, second):
        return True
    return _is_title(title) and _has_app_head(following)


def _is_divided_title(title: str, second: str) -> bool:
    """Whether a title has three parts, and a section is right below it."""
    return DIVIDED_TITLE.fullmatch(title) is not None and second.endswith(":")


def _names_player(text: str) -> bool:
    key, colon, name = text.partition(":")
    return bool(colon and name.strip()) and find_claim_key(key) is ClaimKey.PLAYER


def _list_costs(lines: Iterable[TextLine]) -> list[Number]:
    return list(filter(None, map(_read_unit_cost, lines)))


def _match_bare_unit(line: TextLine) -> UnitShape | None:
    # With a sign in front it may as well be something in a unit.
    return match_unit(line.text) if line.is_bare else None


def _read_unit_cost(line: TextLine) -> Number | None:
    """Return what a bare line says that something costs; a cost with a sign is what an option adds."""
    shape = _match_bare_unit(line)
    return shape.cost.points if shape and not shape.cost.signed else None


def _comes_to_first(costs: Sequence[Number]) -> bool:
    """Whether the first cost is what at least two others come to."""
    return len(costs) > 2 and costs[0] == sum(costs[1:])


def _weigh_unit(line: TextLine) -> int:
    """Return 2 for what can only be a unit, 1 for what may be a title as well."""
    shape = _match_bare_unit(line)
    if shape is None or is_battle_size(shape.name):
        return 0
    return 2 if shape.tail or shape.count else 1


def _has_app_head(following: Sequence[TextLine]) -> bool:
    """Whether the lines below a title are a head: bare ones, one of which names the size, before any bullet."""
    for line in following[1:7]:
        if line.bullet or line.column > following[0].column + 1:
            return False
        if _is_size_line(line.text):
            return True
    return False


def _is_size_line(text: str) -> bool:
    """Whether a line names the size of the game, with its points or behind a key."""
    return _names_size(text) or _BATTLE_SIZE.fullmatch(text) is not None


def _list_claims(lines: Iterable[TextLine]) -> set[tuple[str, str]]:
    matches = (WTC_CLAIM.fullmatch(line.text) for line in lines)
    return {(match["key"].upper(), match["value"]) for match in matches if match}


def _go_back_to_name(lines: list[TextLine], start: int, index: int) -> int:
    """Return where the list at `place` starts when the name of a player stands right above it."""
    above = _find_line_above(lines, start, index)
    return above if above and lines[above - 1].is_blank and _is_plain_name(lines[above]) else index


def _find_line_above(lines: Sequence[TextLine], start: int, index: int) -> int:
    """Return the place of the last of the three lines above that is not blank; 0 where there is none in the list."""
    # What stands further away belongs to the list before.
    return next((back for back in range(index - 1, max(start, index - 4), -1) if not lines[back].is_blank), 0)


def _is_plain_name(line: TextLine) -> bool:
    return not (line.bullet or line.column or _is_between_lists(line)) and match_unit(line.text) is None


def _is_between_lists(line: TextLine) -> bool:
    return line.is_rule or is_footer(line.text)
