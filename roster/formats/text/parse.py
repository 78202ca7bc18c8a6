"""Parse a pasted text into its lists: one reader for all layouts, line by line, that drops no line silently."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property
from itertools import islice

from catalogue.definitions.numbers import Number
from roster.formats.text.items import ItemParser, has_added_cost, is_item_start, split_at_commas
from roster.formats.text.layouts import (
    AOS_TITLE,
    DIVIDED_TITLE,
    FORCE_HEADING,
    ROSTER_HEADING,
    WTC_CLAIM,
    detect_layout,
    split_lists,
)
from roster.formats.text.own_reader import OWN_POINTS, OwnTextReader, is_own_footer
from roster.formats.text.pasted import (
    HeaderClaims,
    ItemRole,
    LineKind,
    PastedItem,
    PastedLayout,
    PastedLine,
    PastedList,
    PastedSection,
    PastedText,
    PastedUnit,
    Reading,
    sum_points,
)
from roster.formats.text.shapes import (
    MAX_LINE,
    TextLine,
    UnitShape,
    WrittenCost,
    has_letters,
    is_battle_size,
    is_capitals,
    keep_filled,
    match_lone_cost,
    match_unit,
    parse_cost,
    parse_number,
    split_count,
    split_lines,
)
from roster.formats.text.surroundings import (
    DASHED,
    ClosedUnit,
    drop_margin,
    find_closed_units,
    find_colon_units,
    find_operatives,
    has_bare_points,
    is_sum,
)
from roster.formats.text.words import (
    CLAIM_KEYS,
    CONFIGURATION_WORDS,
    FREE_SECTIONS,
    WARLORD_WORDS,
    ClaimKey,
    find_claim_key,
    is_attachment,
    is_footer,
    is_numbered_section,
    is_page_number,
    is_section_word,
    match_detachment,
    simplify_words,
    split_joined_names,
)

MAX_TEXT = 100_000
"""How many characters a paste may have: those of a large team and more."""
MAX_LINES = 4_000
MAX_REPEATED = 500
"""How many units the lines of a list may stand for that name several of a kind."""

_KEY_VALUE = re.compile(r"(?P<key>[^:()\[\]]{2,40}?)\s*:\s*(?P<value>.*)")
_PLUS_UNIT = re.compile(r"\+\s*(?P<name>[^:]+?)\s*\((?P<count>\d{1,4})\)")
_COST_AT_END = re.compile(r"(?P<name>[^\[\]]{0,200}?)[\s:-]{0,8}[\[(](?P<cost>[^\[\]()]{1,80})[\])]\s*:?")
_TOTAL_BELOW = re.compile(r"total\s*:\s*[\[(]?(?P<cost>.*?)[\])]?", re.I)
_FORCE_OF_FACTION = re.compile(r"(?P<kind>.+?)\s*\((?P<faction>.+)\)")
_SCORE = re.compile(
    r"(?P<total>\d[\d.,]*)\s*/\s*(?P<limit>\d[\d.,]*)\s*[^\W\d_]*\.?\s*"
    r"(?:[\[(,–—-]?\s*(?P<units>\d+)\s+(?:activations?|units?)[\])]?)?",
    re.I,
)
_LORE = re.compile(r"^([\w ]{3,20}lore) - ", re.I)
_NAME = re.compile(r"[^\W\d_][\w'.()\[\]-]*(?: [\w'.()\[\]-]+){0,5}")
_TITLED = frozenset(
    {
        PastedLayout.NEW_RECRUIT,
        PastedLayout.APP_40K,
        PastedLayout.LIST_FORGE,
        PastedLayout.WAR_ORGAN,
        PastedLayout.OLD_WORLD_BUILDER,
        PastedLayout.APP_AOS,
    }
)
_WITH_HEAD = _TITLED | {PastedLayout.PLAIN}
_HEADLESS = frozenset({PastedLayout.WTC, PastedLayout.NEW_RECRUIT_SHORT})
_FREE_SECTIONS = frozenset({PastedLayout.WAR_ORGAN})
"""Layouts in which players name the parts of a list themselves."""
_UNCOSTED = frozenset({PastedLayout.BATTLESCRIBE, PastedLayout.OLD_WORLD_BUILDER})
"""Layouts that exist without points as well."""


def parse_text(text: str) -> PastedText:
    """Read a pasted text. Whatever it is, the answer says of each line what it was taken for.

    Raises ValueError for a text that is longer than any paste of lists.
    """
    if len(text) > MAX_TEXT or text.count("\n") > MAX_LINES:
        raise ValueError("too long")
    return PastedText(tuple(_read_lists(split_lines(text))))


def _read_lists(lines: list[TextLine]) -> Iterator[PastedList]:
    """Read our own texts, and what is before, between and behind them."""
    start = 0
    for end in _find_own_ends(lines):
        first = _find_own_start(lines, start, end)
        yield from _read_foreign_lists(lines[start:first])
        yield _read_own_list(lines[first : end + 1])
        start = end + 1
    rest = lines[start:]
    # A text of nothing is a list of nothing, so that there is something to show.
    if not start or _has_text(rest):
        yield from _read_foreign_lists(rest)


def _has_text(lines: Iterable[TextLine]) -> bool:
    return any(line.text for line in lines)


def _find_own_ends(lines: Sequence[TextLine]) -> list[int]:
    """Return where texts of our own end: their last line tells, and lists of others may be before it and after it."""
    return [place for place, line in enumerate(lines) if is_own_footer(line.raw)]


def _read_own_list(lines: Sequence[TextLine]) -> PastedList:
    return OwnTextReader([line.raw for line in lines], lines[0].number).read_list()


def _read_foreign_lists(lines: list[TextLine]) -> Iterator[PastedList]:
    for chunk in split_lists(lines):
        yield ListReader(chunk).read_list()


def _find_own_start(lines: Sequence[TextLine], start: int, end: int) -> int:
    """Return where a text of our own begins: at the first line with words, unless other lists are before it."""
    first = _find_first_text(lines, start)
    heads = (place for place in range(end - 1, first, -1) if _is_own_head(lines, place))
    return next(heads, first)


def _find_first_text(lines: Sequence[TextLine], start: int) -> int:
    """Return the place of the first line from `start` on that is not blank; there is one."""
    return next(place for place in range(start, len(lines)) if not lines[place].is_blank)


def _is_own_head(lines: Sequence[TextLine], place: int) -> bool:
    return lines[place].is_blank and place + 2 < len(lines) and OWN_POINTS.fullmatch(lines[place + 2].text) is not None


class ListReader:
    """One list while it is read, line after line."""

    def __init__(self, lines: Sequence[TextLine], layout: PastedLayout | None = None) -> None:
        self._lines = drop_margin(lines)
        self._layout = layout or detect_layout(self._lines)
        self._bare = self._layout is PastedLayout.APP_AOS or has_bare_points(self._lines)
        self._closed_units = find_closed_units(self._lines)
        self._operatives = find_operatives(self._lines) if self._layout is PastedLayout.PLAIN else {}
        self._items = ItemParser(joined=self._layout is PastedLayout.WAR_ORGAN)
        self._bulleted_units = self._find_bulleted_units()
        self._claims = HeaderClaims()
        self._sections: list[PastedSection] = []
        self._units: list[PastedUnit] = []
        self._read: list[PastedLine] = []
        self._stack: list[tuple[int, PastedItem]] = []
        self._in_head = True
        self._last_claim = ""
        self._place = 0
        self._skip_to = 0
        self._repeated: dict[int, int] = {}
        """How many units a line stands for, by its number, where it is more than one."""

    def read_list(self) -> PastedList:
        for place, line in enumerate(self._lines):
            self._place = place
            self._read_line(line)
        self._settle_forge_total()
        return PastedList(self._layout, self._claims, self._sections, list(self._repeat_units()), self._read)

    def _read_line(self, line: TextLine) -> None:
        if self._place < self._skip_to:
            self._note(line, LineKind.UNIT)
        elif len(line.text) > MAX_LINE or not self._ask_readers(line):
            self._note(line, LineKind.UNKNOWN, Reading.UNREAD)

    def _ask_readers(self, line: TextLine) -> bool:
        """Ask all readers for a line, one after the other, until one takes it."""
        # The first reader that takes a line ends the search; each notes what it took.
        return any(read(line) for read in self._readers)

    @cached_property
    def _readers(self) -> tuple[Callable[[TextLine], bool], ...]:
        # The order is part of the grammar: what has unmistakable signs is asked first, a bare line last.
        return (
            self._read_blank,
            self._read_footer,
            self._read_closed_unit,
            self._read_operative,
            self._read_wtc_claim,
            self._read_title,
            self._read_plus_unit,
            self._read_roster_heading,
            self._read_force,
            self._read_marked_heading,
            self._read_dashed_heading,
            self._read_head_line,
            self._read_below_claim,
            self._read_section,
            self._read_unit,
            self._read_item,
            self._read_claim,
            self._read_sum_below,
            self._read_bare_line,
        )

    # ---- looking around ----------------------------------------------------------------------------------------------

    def _note(self, line: TextLine, kind: LineKind, reading: Reading = Reading.UNDERSTOOD) -> bool:
        self._read.append(PastedLine(line.number, line.raw.rstrip(), kind, reading))
        return True

    def _list_below(self) -> Iterator[TextLine]:
        """List the lines with words that are below the line at hand."""
        return filter(_is_filled, self._lines[self._place + 1 :])

    def _look_ahead(self) -> TextLine | None:
        """Return the next line with words."""
        return next(self._list_below(), None)

    def _look_right_below(self) -> TextLine | None:
        """Return the next line with words, None where a blank one comes first."""
        # A rule between two lines does not part them.
        following = next((line for line in self._lines[self._place + 1 :] if not line.is_rule), None)
        return following if following and following.is_filled else None

    @property
    def _last_kind(self) -> LineKind:
        """What the line right above was taken for."""
        return self._read[-1].kind if self._read else LineKind.BLANK

    def _match_unit(self, line: TextLine) -> UnitShape | None:
        shape = self._match_shape(line) if self._may_be_unit(line) else None
        return shape if shape and _has_unit_cost(shape) and not is_sum(shape) else None

    def _match_shape(self, line: TextLine) -> UnitShape | None:
        """Match a name and a cost in any of the ways that the layout has for them."""
        ends = self._layout in (PastedLayout.OLD_WORLD_BUILDER, PastedLayout.PLAIN)
        return self._colon_units.get(line.number) or match_unit(line.text, bare=self._bare, ends=ends)

    @cached_property
    def _colon_units(self) -> dict[int, UnitShape]:
        if self._layout is not PastedLayout.PLAIN:
            return {}
        filled = keep_filled(self._lines)
        return find_colon_units(filled, list(self._list_unit_costs(filled)))

    def _list_unit_costs(self, lines: Sequence[TextLine]) -> Iterator[Number]:
        """Yield what the units of a list cost that say so without a colon."""
        # The first line is the title, and its points are those of the list.
        for line in lines[1:]:
            shape = None if line.bullet else match_unit(line.text, bare=self._bare, ends=True)
            if shape and not is_sum(shape):
                yield shape.points

    def _may_be_unit(self, line: TextLine) -> bool:
        """Whether a line has the signs in front that units of this list have."""
        if line.heading and not self._bulleted_units:
            return False
        return self._has_unit_bullet(line) and not has_added_cost(line.text)

    def _has_unit_bullet(self, line: TextLine) -> bool:
        # BattleScribe has dots in front of what is in a unit.
        return bool(line.bullet) is self._bulleted_units and line.bullet != "."

    def _find_bulleted_units(self) -> bool:
        """Whether the units of the list carry bullets: costs are on bulleted lines only."""
        bulleted = plain = 0
        for line in self._lines:
            if self._is_costed(line):
                bulleted += bool(line.bullet)
                plain += not line.bullet
        # One plain line with a cost may be the title above them.
        return bulleted >= 2 and plain <= 1

    def _is_costed(self, line: TextLine) -> bool:
        """Whether a line has a cost, and neither a heading nor an option has it."""
        if line.heading or has_added_cost(line.text):
            return False
        return match_unit(line.text, bare=self._bare) is not None and not _is_costed_heading(line.text)

    def _is_followed_by_unit(self) -> bool:
        """Whether the next line with words is a unit, or a heading above one."""
        for line in self._list_below():
            if self._match_unit(line):
                return True
            if not _is_wordy_heading(line):
                return False
        return False

    # ---- lines that are nothing of the list itself -------------------------------------------------------------------

    def _read_blank(self, line: TextLine) -> bool:
        if line.is_blank:
            return self._note(line, LineKind.BLANK)
        return self._is_divider(line) and self._note(line, LineKind.RULE)

    def _is_divider(self, line: TextLine) -> bool:
        """Whether a line only divides: a rule, or the number of a page."""
        # In the head a lone number is the points of the list.
        return line.is_rule or (not self._in_head and is_page_number(f"{line.bullet} {line.text}"))

    def _read_footer(self, line: TextLine) -> bool:
        if line.bullet or not is_footer(line.text):
            return False
        self._claims.made_with = self._claims.made_with or line.text.strip("[]")
        return self._note(line, LineKind.FOOTER)

    # ---- what the list says of itself --------------------------------------------------------------------------------

    def _read_wtc_claim(self, line: TextLine) -> bool:
        if line.text.startswith("& ") and self._last_claim:
            return self._extend_claim(line)
        match = WTC_CLAIM.fullmatch(line.text)
        if match is None or not _is_claim_key(match["key"]):
            return False
        self._claim_value(match["key"], match["value"])
        self._last_claim = match["key"]
        return self._note(line, LineKind.CLAIM)

    def _extend_claim(self, line: TextLine) -> bool:
        """Add a line to the last claim."""
        # The tournament format goes on in the next line with `&`.
        self._claims.other[self._last_claim] = f"{self._claims.other.get(self._last_claim, '')} {line.text}"
        return self._note(line, LineKind.CLAIM)

    def _claim_value(self, written: str, value: str) -> None:
        """Keep what the head says under a key."""
        key = find_claim_key(written) or ClaimKey.OTHER
        claim = {
            ClaimKey.FACTION: self._claim_faction,
            ClaimKey.DETACHMENT: self._claim_detachments,
            ClaimKey.SIZE: self._claim_size,
            ClaimKey.TOTAL: self._claim_total,
            ClaimKey.LIMIT: self._claim_limit,
            ClaimKey.UNITS: self._claim_units,
        }.get(key)
        if claim:
            claim(value)
        elif key is ClaimKey.OTHER:
            self._claims.other[written] = value.strip()
        else:
            self._claim_once(key, value)

    def _claim_once(self, key: ClaimKey, value: str) -> None:
        """Keep the first value that the head has under a key."""
        if not getattr(self._claims, key.value):
            setattr(self._claims, key.value, value.strip())

    def _claim_faction(self, value: str) -> None:
        # `Imperium - Adepta - Order`: the narrowest comes last. The first line that names a faction is believed.
        self._claims.faction = self._claims.faction or value.rsplit(" - ", 1)[-1].strip()

    def _claim_detachments(self, value: str) -> None:
        for name in split_at_commas(value):
            plain = match_detachment(name) or re.sub(r"\s*\([^()]*\)\s*$", "", name)
            self._claims.detachments.append(plain)

    def _claim_size(self, value: str) -> None:
        self._claims.size = value
        # `2. Strike Force (2000 Point limit)`: the smaller number is that of the choice.
        largest = max(_list_numbers(value), default=0)
        if largest and not self._claims.limit:
            self._claims.limit = largest

    def _claim_total(self, value: str) -> None:
        numbers = _list_numbers(value)
        # What is said first stands nearest to the title; sums of parts come further down.
        if numbers and self._claims.total is None:
            self._claims.total = numbers[0]
        if len(numbers) > 1 and "/" in value:
            self._claims.limit = numbers[1]

    def _claim_limit(self, value: str) -> None:
        self._claims.limit = next(iter(_list_numbers(value)), None)

    def _claim_units(self, value: str) -> None:
        self._claims.units = next((int(number) for number in _list_numbers(value)), None)

    def _read_title(self, line: TextLine) -> bool:
        """Read the first line of a list where it names the list."""
        # Lists for the WTC have none.
        if line.bullet or self._layout is PastedLayout.WTC or not self._is_first():
            return False
        if FORCE_HEADING.fullmatch(line.text):
            return self._read_forge_title(line)
        if self._read_aos_title(line):
            return True
        if self._layout is PastedLayout.LIST_FORGE:
            self._claim_divided_title(line.text)
        return self._read_plain_title(line)

    def _read_plain_title(self, line: TextLine) -> bool:
        shape = match_unit(line.text, bare=True)
        if shape is None and self._stands_above_title():
            self._claims.player = line.text
            return self._note(line, LineKind.CLAIM)
        if self._is_title(line, shape):
            self._claim_title(line.text, shape)
            return self._note(line, LineKind.TITLE)
        return False

    def _stands_above_title(self) -> bool:
        """Whether one of the next two lines is the title of a list in the publisher's app: names are above it."""
        if self._layout is not PastedLayout.APP_40K:
            return False
        return any(_is_app_title(line) for line in islice(self._list_below(), 2))

    def _claim_divided_title(self, text: str) -> None:
        """Keep what a title says besides the name of the list: `Name - Faction - Detachment`."""
        if match := DIVIDED_TITLE.fullmatch(text):
            self._claims.faction = match["faction"]
            self._claims.detachments = split_at_commas(match["detachment"])

    def _is_first(self) -> bool:
        """Whether nothing but claims is above the line at hand."""
        before = (LineKind.BLANK, LineKind.RULE, LineKind.CLAIM)
        return self._in_head and all(read.kind in before for read in self._read)

    def _claim_title(self, text: str, shape: UnitShape | None) -> None:
        claims = self._claims
        claims.title = self._take_faction(_drop_cost(text))
        if shape and shape.cost.points is not None:
            claims.total, claims.limit = shape.cost.points, shape.cost.limit

    def _take_faction(self, title: str) -> str:
        """Return the name of the list in a title, and keep the faction where the layout has that in front of it."""
        if self._layout is PastedLayout.LIST_FORGE and self._claims.faction:
            return title.split(" - ")[0]
        if self._layout is not PastedLayout.NEW_RECRUIT or " - " not in title:
            return title
        return self._split_faction(title)

    def _split_faction(self, title: str) -> str:
        """Return the name in `Game - Faction - Name` or `Faction - Name`, and keep the faction."""
        parts = list(filter(None, title.split(" - ")))
        # Of two parts there is none for the game.
        self._claims.faction = parts[1] if len(parts) > 2 else parts[0]
        return parts[-1]

    def _is_title(self, line: TextLine, shape: UnitShape | None) -> bool:
        if self._layout in _TITLED and line.heading != 2:
            return not is_section_word(_drop_cost(line.text))
        return self._layout is PastedLayout.PLAIN and self._is_plain_title(line.text, shape)

    def _is_plain_title(self, text: str, shape: UnitShape | None) -> bool:
        """Whether the first line of a list that no program wrote names it, with its points or without."""
        if shape is None:
            return not is_section_word(text.rstrip(":")) and not self._has_key(text)
        return not shape.is_detailed and self._is_total(shape)

    def _is_total(self, shape: UnitShape) -> bool:
        """Whether the cost of a line is about what all units below it come to, and nothing belongs under it."""
        costs = self._list_costs_below()
        # Three quarters of the sum: a list need not be full, and some costs may not have been read.
        return bool(costs) and shape.points * 4 >= sum(costs) * 3 and not self._looks_like_unit()

    def _list_costs_below(self) -> list[Number]:
        matches = [self._match_unit(line) for line in self._lines[self._place + 1 :]]
        return [match.points for match in matches if match]

    def _states_total(self, cost: WrittenCost) -> bool:
        """Whether points alone are what all units below come to."""
        if not self._in_head:
            return False
        costs = self._list_costs_below()
        # Of a single unit the same number would be its own cost.
        return len(costs) > 1 and sum(costs) == cost.points

    def _has_key(self, text: str) -> bool:
        match = _KEY_VALUE.fullmatch(text)
        return match is not None and find_claim_key(match["key"]) is not None

    def _read_aos_title(self, line: TextLine) -> bool:
        match = AOS_TITLE.fullmatch(line.text)
        if match is None:
            return False
        self._claims.title = match["title"]
        self._claim_total(f"{match['total']}/{match['limit']}")
        return self._note(line, LineKind.TITLE)

    def _read_forge_title(self, line: TextLine) -> bool:
        """Read `++ Name [1000pts] ++` of Army Forge."""
        match = FORCE_HEADING.fullmatch(line.text)
        if match is None or self._layout is not PastedLayout.ARMY_FORGE:
            return False
        self._claims.title = _drop_cost(match["name"])
        if cost := re.search(r"(\d[\d.,]*)\s*pts", match["name"], re.I):
            self._claims.total = parse_number(cost[1])
        return self._note(line, LineKind.TITLE)

    def _read_head_line(self, line: TextLine) -> bool:
        """Read the lines between title and list: faction, size, detachments, in any order and language."""
        if not self._can_be_in_head(line):
            return False
        if self._read_claim(line) or self._read_score(line):
            return True
        # Left to the readers that come later: the line is the first of the list itself.
        if self._ends_head(line):
            self._in_head = False
            return False
        self._claim_head_line(line)
        return self._note(line, LineKind.CLAIM)

    def _can_be_in_head(self, line: TextLine) -> bool:
        return self._in_head and not line.bullet and self._layout not in _HEADLESS

    def _read_score(self, line: TextLine) -> bool:
        """Read `796/800 (8 activations)`, or points alone that are those of the list."""
        if self._read_lone_total(line):
            return True
        match = _SCORE.fullmatch(line.text)
        if match is None:
            return False
        self._claim_total(f"{match['total']}/{match['limit']}")
        if match["units"]:
            self._claim_units(match["units"])
        return self._note(line, LineKind.CLAIM)

    def _read_lone_total(self, line: TextLine) -> bool:
        cost = match_lone_cost(line.text)
        if cost is None or not self._states_total(cost):
            return False
        self._claims.total = self._claims.total or cost.points
        return self._note(line, LineKind.CLAIM)

    def _claim_head_line(self, line: TextLine) -> None:
        """Keep what a line without a key says, by its shape and by what is known already."""
        claims, shape = self._claims, match_unit(line.text)
        if match_detachment(line.text):
            self._claim_joined_detachments(line.text)
        elif shape and shape.cost.points is not None:
            claims.size, claims.limit = shape.name, shape.cost.points
        elif "|" in line.text:
            self._claim_divided_line(line.text)
        else:
            self._claim_shapeless_line(line)

    def _claim_shapeless_line(self, line: TextLine) -> None:
        """Keep what a line of words says by what is known already: the game, the faction, then whatever else."""
        claims = self._claims
        if self._layout is PastedLayout.OLD_WORLD_BUILDER and not claims.game:
            self._claim_game_line(line.text)
        elif not claims.faction:
            claims.faction = line.text
        else:
            claims.other.setdefault(f"line {line.number}", line.text)

    def _claim_joined_detachments(self, text: str) -> None:
        for part in split_at_commas(text):
            self._claims.detachments.extend(split_joined_names(match_detachment(part) or part))

    def _claim_game_line(self, text: str) -> None:
        """Keep `Game, Faction, Rules`."""
        self._claims.game, _, rest = text.partition(", ")
        self._claims.faction, _, self._claims.other["Rules"] = rest.partition(", ")

    def _claim_divided_line(self, text: str) -> None:
        """Keep `Grand Alliance | Faction | Formation`."""
        alliance, *rest = (part.strip() for part in text.split("|"))
        self._claims.faction = self._claims.faction or next(iter(rest), alliance)
        self._claims.detachments.extend(rest[1:])

    def _ends_head(self, line: TextLine) -> bool:
        """Whether the list itself starts at a line."""
        if self._layout not in _WITH_HEAD or _has_heading_signs(line):
            return True
        shape = self._match_unit(line)
        if shape:
            return self._is_below_head(line, shape)
        return line.text.endswith(":") or is_section_word(line.text) or self._is_above_units(line)

    def _is_below_head(self, line: TextLine, shape: UnitShape) -> bool:
        """Whether a line with a cost is a unit, and no size of the game or detachment."""
        if shape.is_detailed or self._looks_like_unit():
            return True
        # A cost that is not a limit of the list: it is a unit without options.
        return not _is_setting(line, shape) and shape.points < (self._claims.total or 0)

    def _is_above_units(self, line: TextLine) -> bool:
        """Whether a bare line is the first heading of the list."""
        following = self._look_ahead()
        if following is None:
            return False
        match self._layout:
            case PastedLayout.WAR_ORGAN:
                return bool(self._claims.faction) and self._is_followed_by_unit()
            case PastedLayout.PLAIN:
                return self._is_right_above_unit(following)
        return is_numbered_section(following.text) or (is_capitals(line.text) and self._is_followed_by_unit())

    def _is_right_above_unit(self, following: TextLine) -> bool:
        """Whether the next line is a unit, and the line at hand its heading: right above it, or below the faction."""
        if self._match_unit(following) is None:
            return False
        return self._look_right_below() is following or bool(self._claims.faction)

    def _may_claim(self, line: TextLine, separated: str) -> bool:
        return not line.bullet and self._has_key(separated) and not self._is_item_of_unit(line)

    def _read_claim(self, line: TextLine) -> bool:
        """Read `Key: value` with a key that heads are known to have; any key among what configures a list."""
        if self._is_configuring() and not line.heading:
            return self._read_configuration(line)
        separated = _LORE.sub(r"\1: ", line.text)
        if not self._may_claim(line, separated):
            return False
        key, _, value = separated.partition(":")
        # `Characters:` above units is a heading, whatever else the word may be the key of.
        if not value.strip() and self._is_followed_by_unit():
            return False
        self._claim_value(key, value)
        return self._note(line, LineKind.CLAIM)

    def _is_item_of_unit(self, line: TextLine) -> bool:
        return bool(self._units) and is_item_start(line.text)

    def _is_configuring(self) -> bool:
        """Whether the section that is open says what configures the list, not what is taken."""
        return bool(self._sections) and self._sections[-1].configures

    def _read_below_claim(self, line: TextLine) -> bool:
        """Read what is below `Command cards:`, where a list says behind its units what goes with them."""
        above = self._lines[self._place - 1].text
        if self._in_head or self._last_kind is not LineKind.CLAIM or not above.endswith(":"):
            return False
        self._claims.other[above.strip(" :")] = line.text
        return self._note(line, LineKind.CLAIM)

    def _read_configuration(self, line: TextLine) -> bool:
        match = _KEY_VALUE.fullmatch(line.text)
        if match:
            self._claim_value(match["key"], match["value"])
        else:
            self._claim_value(line.text, "")
        return self._note(line, LineKind.CLAIM)

    # ---- sections ----------------------------------------------------------------------------------------------------

    def _open_section(self, line: TextLine, name: str, cost: str = "", reading: Reading = Reading.UNDERSTOOD) -> bool:
        read = parse_cost(cost)
        configures = simplify_words(name) in CONFIGURATION_WORDS
        self._sections.append(PastedSection(name, line.number, read.points if read else None, configures))
        self._stack.clear()
        self._in_head = False
        self._last_claim = ""
        return self._note(line, LineKind.SECTION, reading)

    def _read_roster_heading(self, line: TextLine) -> bool:
        """Read `++ Army Roster ++`."""
        if ROSTER_HEADING.fullmatch(line.text) is None:
            return False
        self._claim_total(line.text)
        return self._note(line, LineKind.TITLE)

    def _read_marked_heading(self, line: TextLine) -> bool:
        """Read `## X [P]`."""
        return self._is_marked_heading(line) and self._open_costed_section(line, line.text)

    def _read_dashed_heading(self, line: TextLine) -> bool:
        """Read `+ X +` and `--- X --- [P]`."""
        match = None if line.bullet else DASHED.fullmatch(line.text)
        return match is not None and self._open_costed_section(line, f"{match['name']} {match['rest'] or ''}")

    def _is_marked_heading(self, line: TextLine) -> bool:
        """Whether a line is a heading in Markdown; from the third level on such lists write units as headings."""
        return 0 < line.heading <= 2 or (line.heading > 2 and self._match_unit(line) is None)

    def _open_costed_section(self, line: TextLine, text: str) -> bool:
        cost = _COST_AT_END.fullmatch(text.strip())
        return self._open_section(line, _drop_cost(text.strip()), cost["cost"] if cost else "")

    def _read_force(self, line: TextLine) -> bool:
        """Read `++ Patrol (Reedfolk) [80pts] ++`, or the total below the last one."""
        match = FORCE_HEADING.fullmatch(line.text)
        if match is None:
            return False
        whole = f"{match['name']} {match['rest']}".strip()
        if total := _TOTAL_BELOW.fullmatch(whole):
            self._claim_total_below(total["cost"])
            return self._note(line, LineKind.CLAIM)
        if self._layout is PastedLayout.BATTLESCRIBE:
            self._claim_force(_drop_cost(whole))
        return self._open_costed_section(line, whole)

    def _claim_total_below(self, text: str) -> None:
        cost = parse_cost(text)
        # A total in something else than points says nothing of what the list may have.
        if cost and cost.points is not None:
            self._claims.total = cost.points

    def _claim_force(self, text: str) -> None:
        """Keep what a force is called: `Patrol (Reedfolk)`."""
        if match := _FORCE_OF_FACTION.fullmatch(text):
            self._claim_faction(match["faction"])
            self._claims.detachments.append(match["kind"])

    def _read_section(self, line: TextLine) -> bool:
        """Read a heading that stands bare: a known word, capitals, a word and a colon, `Catégorie 2 :`."""
        if not line.may_begin_part or self._names_warlord(line):
            return False
        name, cost = _split_heading(line.text)
        if is_section_word(name) and not self._is_unit_with_items(line):
            return self._open_section(line, name, cost)
        return not cost and self._is_bare_heading(line, name) and self._open_section(line, name)

    def _is_unit_with_items(self, line: TextLine) -> bool:
        """Whether a line is a unit, though it is called like a section."""
        return self._match_unit(line) is not None and self._looks_like_unit()

    def _names_warlord(self, line: TextLine) -> bool:
        """Whether a line without a bullet says who leads: the word is that of a section, too, in some languages."""
        return self._follows_unit() and simplify_words(line.text) in WARLORD_WORDS

    def _follows_unit(self) -> bool:
        """Whether the line right above belongs to a unit."""
        return self._last_kind in (LineKind.UNIT, LineKind.OPTION, LineKind.NOTE)

    def _is_bare_heading(self, line: TextLine, name: str) -> bool:
        """Whether a line is a heading by its shape and by what follows it."""
        if self._match_unit(line):
            return False
        following = self._look_ahead()
        if following is None:
            return _is_in_capitals(line, name)
        if self._is_above_first_unit(following):
            return True
        return self._has_heading_shape(line, name) and self._is_followed_by_unit()

    def _is_above_first_unit(self, following: TextLine) -> bool:
        """Whether the publisher's app has a numbered heading next, and no unit was read yet."""
        return self._layout is PastedLayout.APP_40K and not self._units and is_numbered_section(following.text)

    def _has_heading_shape(self, line: TextLine, name: str) -> bool:
        if line.text.endswith(":") and not self._is_inside(line):
            return True
        return _is_in_capitals(line, name)

    def _looks_like_unit(self) -> bool:
        """Whether something belongs under the line: then a unit is called like a section."""
        line, following = self._lines[self._place], self._look_right_below()
        return following is not None and (bool(following.bullet) or following.column > line.column)

    # ---- units and what is in them -----------------------------------------------------------------------------------

    def _read_closed_unit(self, line: TextLine) -> bool:
        """Read a unit that has its parts below it, each with its cost, and its sum at the end: `Unit total: 82`."""
        closed = self._closed_units.get(self._place)
        if closed is None:
            return False
        if self._place == closed.last:
            return self._note(line, LineKind.CLAIM)
        if self._place > closed.first:
            return self._read_closed_part(line)
        return self._open_closed_unit(line, closed)

    def _read_closed_part(self, line: TextLine) -> bool:
        """Read a part of a unit that has its sum at the end."""
        self._units[-1].items.extend(self._items.parse_line(line))
        costed = match_unit(line.text, bare=True) is not None
        return self._note(line, LineKind.OPTION, _choose_reading(costed or bool(line.bullet)))

    def _open_closed_unit(self, line: TextLine, closed: ClosedUnit) -> bool:
        """Read the first line of a unit that has its sum at the end."""
        shape = match_unit(line.text, bare=True)
        count, name = (shape.count, shape.name) if shape else split_count(line.text)
        self._add_unit(PastedUnit(name, line.number, closed.points, count))
        return self._note(line, LineKind.UNIT)

    def _read_operative(self, line: TextLine) -> bool:
        """Read one of a team without points, `Gunner: long rifle, knife`, or what is there of the whole team."""
        operative = self._operatives.get(line.number)
        if operative is None:
            return False
        if operative.is_claim:
            self._claims.other[operative.name] = operative.weapons
            return self._note(line, LineKind.CLAIM)
        count, name = split_count(operative.name)
        unit = PastedUnit(name, line.number, None, count)
        self._add_unit(unit)
        unit.items.extend(self._items.parse_inside(operative.weapons, line.number))
        return self._note(line, LineKind.UNIT)

    def _settle_forge_total(self) -> None:
        """Find out what the numbers of Army Forge are: those of the list, or its limit; of each unit, or of all."""
        total = self._claims.total
        if self._layout is not PastedLayout.ARMY_FORGE or total is None:
            return
        # With repeated units the sum is the one stated: each line has the cost of one.
        if total == self._sum_repeated():
            return
        # Each line has the cost of all its units.
        if total == sum_points(self._units):
            self._repeated.clear()
        else:
            self._claims.total, self._claims.limit = None, total

    def _count_repeated(self, unit: PastedUnit) -> int:
        return self._repeated.get(unit.line, 1)

    def _sum_repeated(self) -> Number:
        """Add up all units where each line has the cost of one of those that it stands for."""
        return sum((unit.points or 0) * self._count_repeated(unit) for unit in self._units)

    def _repeat_units(self) -> Iterator[PastedUnit]:
        """List all units: a line may stand for several of one kind."""
        for unit in self._units:
            yield unit
            for _ in range(1, self._count_repeated(unit)):
                yield deepcopy(unit)

    def _read_plus_unit(self, line: TextLine) -> bool:
        """Read a unit whose points are on the next line: `+ UNIT NAME (5)`, or a bare name."""
        following = self._look_right_below()
        cost = match_lone_cost(following.text) if following else None
        if following is None or cost is None:
            return False
        return self._take_plus_unit(line, following, cost)

    def _take_plus_unit(self, line: TextLine, following: TextLine, cost: WrittenCost) -> bool:
        """Take a unit and the line below it that has its cost, where what is above that cost names one."""
        count, name = self._name_plus_unit(line, cost)
        if not has_letters(name):
            return False
        self._in_head = False
        self._add_unit(PastedUnit(name.strip(), line.number, cost.points, count))
        # The line of the cost is a part of the unit, and is not read again.
        self._skip_to = self._lines.index(following) + 1
        return self._note(line, LineKind.UNIT)

    def _name_plus_unit(self, line: TextLine, cost: WrittenCost) -> tuple[int | None, str]:
        """Return the number and the name of a unit whose cost stands below it; no name where that is none."""
        if match := _PLUS_UNIT.fullmatch(line.text):
            return int(match["count"]), match["name"]
        # Below a key, or below the name of the list, points are those of the list.
        if self._has_key(line.text) or self._states_total(cost) or not self._is_bare_name(line):
            return None, ""
        return split_count(line.text)

    def _is_bare_name(self, line: TextLine) -> bool:
        """Whether a line has neither signs in front nor a cost."""
        return line.is_bare and not line.text.startswith("+") and self._match_unit(line) is None

    def _read_unit(self, line: TextLine) -> bool:
        shape = self._match_unit(line)
        if shape is None:
            return self._read_uncosted_unit(line)
        if self._is_inside(line) and not shape.reference:
            return False
        self._add_unit(PastedUnit(shape.name, line.number, shape.cost.points, shape.count, reference=shape.reference))
        self._repeat_line(line, shape.units)
        self._read_tail(line, shape.tail)
        return self._note(line, LineKind.UNIT)

    def _repeat_line(self, line: TextLine, units: int) -> None:
        """Remember how many units a line stands for, as long as the list does not become endless by it."""
        if 1 < units <= MAX_REPEATED - sum(self._repeated.values()):
            self._repeated[line.number] = units

    def _read_uncosted_unit(self, line: TextLine) -> bool:
        """Read a unit without points, in layouts that leave them out or for what costs nothing."""
        if not self._may_be_uncosted(line):
            return False
        name, _, tail = line.text.partition(": ")
        if tail and self._has_costs and not self._looks_like_unit():
            # `Mark: none` among units with points says something of the list.
            self._claim_value(name, tail)
            return self._note(line, LineKind.CLAIM)
        count, plain = split_count(name)
        self._add_unit(PastedUnit(plain, line.number, None, count))
        self._read_tail(line, tail)
        return self._note(line, LineKind.UNIT, _choose_reading(bool(tail) or self._is_surely_unit()))

    def _read_tail(self, line: TextLine, tail: str) -> None:
        """Read what stands behind a unit on its own line."""
        if tail:
            self._units[-1].items.extend(self._items.parse_inside(tail, line.number))

    def _is_surely_unit(self) -> bool:
        """Whether a line without points is a unit for certain, by its layout or by what is around it."""
        if self._layout is PastedLayout.APP_AOS or self._stands_alone():
            return True
        # Among units with points, one without any is as likely a heading.
        return self._looks_like_unit() and not self._has_costs

    def _may_be_uncosted(self, line: TextLine) -> bool:
        # Above the first section, and in what configures a list, nothing is taken yet.
        if line.column or not self._sections or self._is_configuring():
            return False
        return line.is_bare and self._can_leave_cost(line) and _can_name_unit(line.text)

    def _can_leave_cost(self, line: TextLine) -> bool:
        """Whether points may be missing: the layout exists without them, or nothing costs any in the section."""
        return self._layout in _UNCOSTED or self._is_free(line)

    def _is_free(self, line: TextLine) -> bool:
        """Whether a line names something where nothing has to cost points, as the terrain of a faction."""
        if self._layout is not PastedLayout.APP_AOS:
            return False
        return simplify_words(self._sections[-1].name) in FREE_SECTIONS and _NAME.fullmatch(line.text) is not None

    def _stands_alone(self) -> bool:
        """Whether a line has nothing right above and below it; BattleScribe sets units apart like that."""
        around = self._lines[max(0, self._place - 1) : self._place + 2]
        apart = sum(line.is_blank for line in around)
        return apart == 2 or (apart == 1 and len(around) < 3)

    @cached_property
    def _has_costs(self) -> bool:
        return any(self._match_unit(line) for line in self._lines)

    def _add_unit(self, unit: PastedUnit) -> None:
        unit.section = self._sections[-1].name if self._sections else ""
        self._units.append(unit)
        self._unit_column = self._lines[self._place].column
        self._stack.clear()
        self._in_head = False
        self._last_claim = ""

    def _is_inside(self, line: TextLine) -> bool:
        """Whether a line stands further in than the unit above it."""
        return bool(self._units) and line.column > self._unit_column

    def _read_item(self, line: TextLine) -> bool:
        """Read what is under a unit."""
        if not self._belongs_to_unit(line):
            return False
        items = self._items.parse_line(line, whole=self._is_above_bullet(line))
        for item in items:
            item.line = line.number
        self._leave_items(line.column)
        self._find_owner(line, items).extend(items)
        if _can_have_items(items):
            self._stack.append((line.column, items[0]))
        return self._note(line, _choose_item_kind(items))

    def _is_above_bullet(self, line: TextLine) -> bool:
        """Whether something stands under a row: then the row is one name, as `1 net, 3 poles`."""
        following = self._look_right_below()
        return following is not None and bool(following.bullet) and following.column > line.column

    def _leave_items(self, column: int) -> None:
        """Close what does not stand further out than a column."""
        while self._stack and self._stack[-1][0] >= column:
            self._stack.pop()

    def _belongs_to_unit(self, line: TextLine) -> bool:
        """Whether a line can only be about the last unit."""
        return self._is_below_unit() and (self._has_item_signs(line) or self._continues_forge(line))

    def _has_item_signs(self, line: TextLine) -> bool:
        """Whether a line is written as what is in a unit: with a bullet, further in, or with a count and a name."""
        return bool(line.bullet) or self._is_inside(line) or is_item_start(line.text)

    def _is_below_unit(self) -> bool:
        """Whether there is a unit above, and no section has begun since."""
        return bool(self._units) and not self._is_below_heading()

    def _is_below_heading(self) -> bool:
        """Whether a section has begun since the last unit."""
        return bool(self._sections) and self._sections[-1].line > self._units[-1].line

    def _find_owner(self, line: TextLine, items: Sequence[PastedItem]) -> list[PastedItem]:
        """Return the row that items belong to: that of the models they are a part of, of what they are under."""
        if self._stack:
            return self._stack[-1][1].items
        unit = self._units[-1]
        return _find_last_models(unit).items if _is_about_models(line, items) else unit.items

    def _continues_forge(self, line: TextLine) -> bool:
        """Whether a line holds the weapons below a unit of Army Forge."""
        return self._layout is PastedLayout.ARMY_FORGE and self._last_kind is LineKind.UNIT and "(" in line.text

    # ---- lines that stand alone --------------------------------------------------------------------------------------

    def _read_bare_line(self, line: TextLine) -> bool:
        """Read a line that nothing tells of but what stands around it."""
        if not line.may_begin_part or not has_letters(line.text):
            return False
        # Below a unit a row of names is what it carries; elsewhere it is a heading or text.
        if _is_row_of_names(line.text) and self._guess_item(line):
            return True
        return self._guess_heading(line) or self._read_player(line) or self._guess_item(line)

    def _guess_heading(self, line: TextLine) -> bool:
        """Take a bare line above units for their heading."""
        if not self._is_followed_by_unit():
            return False
        reading = _choose_reading(self._is_surely_heading())
        return self._open_section(line, line.text.rstrip(": "), reading=reading)

    def _read_player(self, line: TextLine) -> bool:
        if not self._names_player(line):
            return False
        self._claims.player = self._claims.player or line.text
        return self._note(line, LineKind.CLAIM)

    def _is_surely_heading(self) -> bool:
        """Whether a bare line above units is their heading for certain: elsewhere it may be a note, or a unit."""
        return self._layout in _FREE_SECTIONS or (self._in_head and self._layout is not PastedLayout.WTC)

    def _names_player(self, line: TextLine) -> bool:
        """Whether a line says whose the list is: nothing else is above the head of one for the WTC."""
        if self._layout is not PastedLayout.WTC or self._units or not self._in_head:
            return False
        return _NAME.fullmatch(line.text) is not None

    def _read_sum_below(self, line: TextLine) -> bool:
        """Read a number alone that is what all units above it come to."""
        if not re.fullmatch(r"\d[\d.,]*", line.text):
            return False
        total = sum_points(self._units)
        if not total or parse_number(line.text) != total:
            return False
        self._claims.total = self._claims.total or total
        return self._note(line, LineKind.CLAIM)

    def _guess_item(self, line: TextLine) -> bool:
        """Take a line right below a unit, or below its options, for another option that lost its bullet."""
        if not self._units or not self._follows_unit():
            return False
        self._units[-1].items.extend(self._items.parse_line(line))
        return self._note(line, LineKind.OPTION, _choose_reading(_is_row_of_names(line.text)))


def _is_filled(line: TextLine) -> bool:
    return line.is_filled


def _has_unit_cost(shape: UnitShape) -> bool:
    """Whether a cost is that of a unit: one with a sign, as `+5`, is what an option adds."""
    return not shape.cost.signed and shape.cost.points is not None


def _is_app_title(line: TextLine) -> bool:
    shape = match_unit(line.text)
    return shape is not None and not is_battle_size(shape.name)


def _is_costed_heading(text: str) -> bool:
    """Whether a line with a cost is a heading, and its cost that of a section or a force."""
    return is_section_word(_drop_cost(text)) or FORCE_HEADING.fullmatch(text) is not None


def _is_wordy_heading(line: TextLine) -> bool:
    """Whether a line is a heading that may stand between another and the first unit."""
    return not line.bullet and (is_section_word(line.text) or is_capitals(line.text))


def _is_in_capitals(line: TextLine, name: str) -> bool:
    """Whether a name without its cost is a heading in capitals, and no item with a count in front."""
    return is_capitals(name) and not is_item_start(line.text)


def _is_setting(line: TextLine, shape: UnitShape) -> bool:
    """Whether a line with a number says how the game is played: its size, or a detachment."""
    return is_battle_size(shape.name) or bool(match_detachment(line.text))


def _can_have_items(items: Sequence[PastedItem]) -> bool:
    """Whether the items of a line are a single thing that something else may be under."""
    return len(items) == 1 and items[0].role not in (ItemRole.NOTE, ItemRole.PART)


def _choose_item_kind(items: Iterable[PastedItem]) -> LineKind:
    return LineKind.NOTE if all(item.role is ItemRole.NOTE for item in items) else LineKind.OPTION


def _is_about_models(line: TextLine, items: Sequence[PastedItem]) -> bool:
    """Whether a line without a bullet says what some of the models right above have."""
    return not line.bullet and bool(items) and items[0].role is ItemRole.PART


def _can_name_unit(text: str) -> bool:
    """Whether a line without a cost may be the name of a unit, by its shape alone."""
    if text.startswith("(") or is_attachment(text):
        return False
    return split_count(text)[0] is not None or not is_item_start(text)


def _find_last_models(unit: PastedUnit) -> PastedItem | PastedUnit:
    """Return the models that a unit had last in a text; the unit where it had none."""
    models = [item for item in unit.items if item.counted and item.role is ItemRole.OPTION]
    return models[-1] if models else unit


def _is_row_of_names(text: str) -> bool:
    """Whether a line is nothing but short names with commas between them."""
    parts = split_at_commas(text)
    return len(parts) > 1 and all(map(_is_short_name, parts))


def _is_short_name(text: str) -> bool:
    """Whether a text is so short as names are, and no sentence."""
    return len(text.split()) <= 5 and text[-1] not in ".?!"


def _choose_reading(sure: bool) -> Reading:
    return Reading.UNDERSTOOD if sure else Reading.GUESSED


def _is_claim_key(text: str) -> bool:
    """Whether a key of a WTC head is one: in capitals, or known."""
    return text.upper() == text or simplify_words(text) in CLAIM_KEYS


def _has_heading_signs(line: TextLine) -> bool:
    return line.heading == 2 or line.text.startswith("++") or DASHED.fullmatch(line.text) is not None


def _split_heading(text: str) -> tuple[str, str]:
    """Split a bare heading into its name and the cost in brackets at its end."""
    cost = _find_cost_at_end(text)
    return (_drop_cost(text) if cost else text).rstrip(": "), cost


def _find_cost_at_end(text: str) -> str:
    """Return the cost in the brackets at the end of a heading, empty where they hold something else."""
    match = _COST_AT_END.fullmatch(text)
    return match["cost"] if match and parse_cost(match["cost"]) else ""


def _list_numbers(text: str) -> list[Number]:
    numbers = map(parse_number, re.findall(r"\d[\d.,]*", text))
    return [number for number in numbers if number is not None]


def _drop_cost(text: str) -> str:
    """Return a heading without the costs behind it."""
    match = _COST_AT_END.fullmatch(text)
    if match and match["name"] and _is_number_of_points(match["cost"]):
        return match["name"].strip(" -+:")
    return text.strip(" +:")


def _is_number_of_points(text: str) -> bool:
    return any(c.isdigit() for c in text) and parse_cost(text, bare=True) is not None
