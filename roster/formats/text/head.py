"""Read a list's title, the lines below it, and keys with values anywhere."""

import re
from itertools import islice

from roster.formats.text.claims import KEY_VALUE, add_claim, add_written_claim, has_claim_key
from roster.formats.text.cursor import Cursor
from roster.formats.text.items import is_item_start, split_at_commas
from roster.formats.text.layouts import AOS_TITLE, DIVIDED_TITLE, FORCE_HEADING, HANDBOOK_TITLE, WTC_CLAIM
from roster.formats.text.pasted import LineKind, PastedLayout, sum_points
from roster.formats.text.shapes import (
    NAME,
    NUMBER,
    POINTS_PATTERN,
    TextLine,
    UnitShape,
    drop_cost,
    find_cost_at_end,
    is_battle_size,
    is_capitals,
    match_lone_cost,
    match_unit,
    parse_cost,
    parse_number,
)
from roster.formats.text.surroundings import DASHED
from roster.formats.text.words import (
    CLAIM_KEYS,
    ClaimKey,
    is_footer,
    is_numbered_section,
    is_section_word,
    match_detachment,
    simplify_words,
    split_joined_names,
)

_SCORE = re.compile(
    r"(?P<total>\d[\d.,]*)\s*/\s*(?P<limit>\d[\d.,]*)\s*[^\W\d_]*\.?\s*"
    r"(?:[\[(,–—-]?\s*(?P<units>\d+)\s+(?:activations?|units?)[\])]?)?",
    re.I,
)
_NAMED_SCORE = re.compile(
    r"(?P<name>[^\[\]()|:]*[^\W\d_][^\[\]()|:]*?)\s*[\[(](?P<score>\d[\d.,]*\s*/\s*\d[\d.,]*)[\])]"
)
_SUM_BELOW = re.compile(rf"(?P<number>{NUMBER})\s*(?:{POINTS_PATTERN})?\.?\s*(?:\([^()]*\))?", re.I)
_BARE_TOTAL = re.compile(r"^(total)\s+(?=\d{2,5}\b)", re.I)
_LORE = re.compile(r"^([\w ]{3,20}lore) - ", re.I)
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
MOST_FACTION_WORDS = 8
"""The most words of a bare line that may name the faction."""
MOST_OTHER_LINES = 6
"""The most unknown lines at the start of a list from a program."""
LEAST_FULL = 10
"""A total is at least this fraction of the limit."""
_HEADLESS = frozenset({PastedLayout.WTC, PastedLayout.NEW_RECRUIT_SHORT})


class HeadReader:
    """Reads lines about the whole list. Methods return whether they take the line."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._claims = cursor.pasted.claims

    def read_footer(self, line: TextLine) -> bool:
        if line.bullet or not is_footer(line.text):
            return False
        self._claims.made_with = self._claims.made_with or line.text.strip("[]")
        return self._cursor.note(line, LineKind.FOOTER)

    def read_wtc_claim(self, line: TextLine) -> bool:
        """Read `+ KEY: value`; a line starting with `&` continues the value."""
        cursor, other = self._cursor, self._claims.other
        if line.text.startswith("& ") and cursor.open_claim:
            other[cursor.open_claim] = f"{other.get(cursor.open_claim, '')} {line.text}"
            return cursor.note(line, LineKind.CLAIM)

        match = WTC_CLAIM.fullmatch(line.text)
        if match is None or not (match["key"].upper() == match["key"] or simplify_words(match["key"]) in CLAIM_KEYS):
            return False
        add_written_claim(self._claims, match["key"], match["value"])
        cursor.open_claim = match["key"]
        return cursor.note(line, LineKind.CLAIM)

    # ---- the title ---------------------------------------------------------------------------------------------------

    def read_title(self, line: TextLine) -> bool:
        cursor, claims = self._cursor, self._claims
        # A line that names a unit of the game is that unit. WTC lists have no title.
        if cursor.is_named(line) or line.bullet or cursor.layout is PastedLayout.WTC or not cursor.in_head:
            return False
        if cursor.title and line.number < cursor.title.number and not has_claim_key(line.text):
            claims.title = f"{claims.title} {line.text}".lstrip()
            return cursor.note(line, LineKind.TITLE)
        before_title = [LineKind.BLANK, LineKind.RULE, LineKind.CLAIM]
        if line is cursor.title:
            before_title.append(LineKind.TITLE)
        if claims.faction and DASHED.fullmatch(line.text):
            # `== Detachment [245 pts] ==` below the claims is the heading of the first part.
            return False
        if any(above.kind not in before_title for above in cursor.pasted.lines):
            return False

        if match := FORCE_HEADING.fullmatch(line.text):
            if cursor.layout is not PastedLayout.ARMY_FORGE:
                return False
            # The brackets also hold the game: `++ Name - Army [GF 1000pts] ++`
            claims.title, _, claims.faction = match["name"].partition("[")[0].strip().partition(" - ")
            if cost := re.search(r"(\d[\d.,]*)\s*pts", match["name"], re.I):
                claims.total = parse_number(cost[1])
            return cursor.note(line, LineKind.TITLE)

        if match := AOS_TITLE.fullmatch(line.text):
            claims.title = f"{claims.title} {match['title'] or ''}".strip()
            total, limit = parse_number(match["total"]) or 0, parse_number(match["limit"]) or 0
            claims.limit = limit
            # `buck o' 5/2000 pts` is a name that ends in a number.
            claims.total = total if total * LEAST_FULL >= limit else None
            return cursor.note(line, LineKind.TITLE)
        if match := HANDBOOK_TITLE.fullmatch(line.text):
            claims.title = match["title"]
            claims.other["Handbook"] = match["handbook"].strip(" ✦")
            add_claim(claims, ClaimKey.TOTAL, match["total"])
            return cursor.note(line, LineKind.TITLE)
        return self._read_plain_title(line)

    def _read_plain_title(self, line: TextLine) -> bool:
        cursor, claims = self._cursor, self._claims
        # `Name - Faction - Detachment`
        if cursor.layout is PastedLayout.LIST_FORGE and (match := DIVIDED_TITLE.fullmatch(line.text)):
            claims.faction = match["faction"]
            claims.detachments = split_at_commas(match["detachment"])

        typed = cursor.get_typed_shape(line)
        shape = typed or match_unit(line.text, bare=True)
        if shape is None and cursor.layout is PastedLayout.APP_40K:
            # The names of a team and a player may be above the title of the publisher's app.
            below = [match_unit(following.text) for following in islice(cursor.list_below(), 2)]
            if any(title and not is_battle_size(title.name) for title in below):
                claims.player = line.text
                return cursor.note(line, LineKind.CLAIM)
        if has_claim_key(line.text) or not self._is_title(line, shape):
            return False

        dashed = DASHED.fullmatch(line.text)
        title = typed.name if typed else drop_cost(dashed["name"] if dashed else line.text)
        if cursor.layout is PastedLayout.LIST_FORGE and claims.faction:
            title = title.split(" - ")[0]
        elif cursor.layout is PastedLayout.NEW_RECRUIT and " - " in title:
            # `Game - Faction - Name` or `Faction - Name`. The narrowest faction of `Imperium - Order - Name` comes
            # last.
            *parts, title = filter(None, title.split(" - "))
            claims.faction = parts[-1] if parts else title
        claims.title = title
        if typed and typed.points != sum(cursor.list_costs_below()):
            # `Necrons 1000` gives the size of the game.
            claims.limit = typed.points
        elif shape and shape.cost.points is not None:
            claims.total, claims.limit = shape.cost.points, shape.cost.limit
        return cursor.note(line, LineKind.TITLE)

    def _is_title(self, line: TextLine, shape: UnitShape | None) -> bool:
        cursor = self._cursor
        if cursor.layout in _TITLED and line.heading != 2:
            return not is_section_word(drop_cost(line.text))
        if cursor.layout is not PastedLayout.PLAIN:
            return False
        if shape is None:
            return not is_section_word(line.text.rstrip(":")) and not has_claim_key(line.text)

        # The cost belongs to the list if it is about the sum of the units below and nothing is indented under it.
        if shape.is_detailed or cursor.has_contents():
            return False
        return cursor.may_be_sum(shape.points)

    # ---- below the title ---------------------------------------------------------------------------------------------

    def read_head_line(self, line: TextLine) -> bool:
        """Read faction, size or detachments between title and list, in any order and language."""
        cursor, claims, text = self._cursor, self._claims, line.text
        if not cursor.in_head or line.bullet or cursor.layout in _HEADLESS:
            return False
        if self.read_claim(line) or self._read_score(line):
            return True
        if self._ends_head(line):
            cursor.in_head = False
            return False

        if cursor.layout is PastedLayout.APP_AOS and (priced := match_unit(text)) and priced.cost.points is not None:
            # `Ethersea Predators (20 Points)`: in this layout units have a bare number.
            cursor.pasted.lore_points += priced.cost.points
            text = priced.name
        # The first line of each kind counts; later ones are kept as guesses, because programs write several.
        shape = match_unit(text)
        is_of_program = cursor.layout is not PastedLayout.PLAIN
        sure = True
        if match_detachment(text):
            for part in split_at_commas(text):
                claims.detachments.extend(split_joined_names(match_detachment(part) or part))
        elif shape and shape.cost.points is not None:
            sure = is_of_program or not claims.size
            claims.size, claims.limit = shape.name, shape.cost.points
        elif "|" in text and not claims.faction:
            # `Grand Alliance | Faction | Formation`
            alliance, *rest = (part.strip() for part in text.split("|"))
            claims.faction = next(iter(rest), alliance)
            claims.detachments.extend(rest[1:])
            # Without the alliance, the line is faction and formation, or a part of the faction.
            if len(rest) == 1:
                claims.other.setdefault(f"line {line.number}", text)
        elif cursor.layout is PastedLayout.OLD_WORLD_BUILDER and not claims.game:
            # `Game, Faction, Rules`
            claims.game, _, rest_of_line = text.partition(", ")
            claims.faction, _, claims.other["Rules"] = rest_of_line.partition(", ")
        elif not claims.faction:
            claims.faction = text
            # Names of factions are short and are not sentences.
            sure = is_of_program or (":" not in text and len(text.split()) <= MOST_FACTION_WORDS)
        else:
            others = sum(key.startswith("line ") for key in claims.other)
            claims.other.setdefault(f"line {line.number}", text)
            sure = is_of_program and others < MOST_OTHER_LINES
        return cursor.note(line, LineKind.CLAIM, sure=sure)

    def _read_score(self, line: TextLine) -> bool:
        cost = match_lone_cost(line.text)
        if cost and self._cursor.states_total(cost):
            self._claims.total = self._claims.total or cost.points
            return self._cursor.note(line, LineKind.CLAIM)

        if match := _NAMED_SCORE.fullmatch(line.text):
            self._claims.other.setdefault(f"line {line.number}", match["name"])
            return self._add_score(match["score"]) and self._cursor.note(line, LineKind.CLAIM)
        return self._add_score(line.text) and self._cursor.note(line, LineKind.CLAIM)

    def _add_score(self, text: str) -> bool:
        match = _SCORE.fullmatch(text)
        if match is None:
            return False
        add_claim(self._claims, ClaimKey.TOTAL, f"{match['total']}/{match['limit']}")
        if match["units"]:
            add_claim(self._claims, ClaimKey.UNITS, match["units"])
        return True

    def _ends_head(self, line: TextLine) -> bool:
        cursor, claims, text = self._cursor, self._claims, line.text
        if (
            cursor.is_named(line)
            or cursor.layout not in _WITH_HEAD
            or line.heading == 2
            or text.startswith("++")
            or DASHED.fullmatch(text)
        ):
            return True
        shape = cursor.match_unit(line)
        if shape and cursor.layout is PastedLayout.APP_AOS and match_unit(text):
            return False
        if shape:
            if shape.is_detailed or cursor.has_contents():
                return True
            # Game sizes and detachments have numbers, too. A line that costs less than the total is a unit.
            if is_battle_size(shape.name) or match_detachment(text):
                return False
            following = cursor.look_ahead()
            is_in_row = following is not None and cursor.match_unit(following) is not None
            if claims.total or cursor.layout is not PastedLayout.PLAIN or not is_in_row:
                return shape.points < (claims.total or claims.limit or 0)
            # The line right above units may be the size if their sum fits into it.
            return not cursor.may_be_sum(shape.points)
        if text.endswith(":") or is_section_word(text):
            return True

        following = cursor.look_ahead()
        if following is None:
            return False
        if cursor.layout is PastedLayout.WAR_ORGAN:
            return bool(claims.faction) and cursor.is_followed_by_unit()
        if cursor.layout is PastedLayout.PLAIN:
            # Before the faction is known, a heading must be right above its unit.
            is_right_above = bool(claims.faction) or cursor.look_right_below() is following
            return is_right_above and cursor.match_unit(following) is not None
        return is_numbered_section(following.text) or (is_capitals(text) and cursor.is_followed_by_unit())

    # ---- anywhere ----------------------------------------------------------------------------------------------------

    def read_claim(self, line: TextLine) -> bool:
        """Read `Key: value` with a known key, or any key in a configuration section."""
        cursor, sections = self._cursor, self._cursor.pasted.sections
        if sections and sections[-1].configures and not line.heading:
            match = KEY_VALUE.fullmatch(line.text)
            key, value = (match["key"], match["value"]) if match else (line.text, "")
            add_written_claim(self._claims, key, value)
            return cursor.note(line, LineKind.CLAIM)

        separated = _BARE_TOTAL.sub(r"\1: ", _LORE.sub(r"\1: ", line.text))
        if line.bullet or not has_claim_key(separated):
            return False
        # Below a unit, a line of the same words may be one of its options.
        if cursor.pasted.units and is_item_start(line.text):
            return False
        key, _, value = separated.partition(":")
        # `Characters:` above units is a heading, even if the word is a key.
        if not value.strip() and cursor.is_followed_by_unit():
            return False
        # `Faction: Marsh Compact | 200/250 pts`
        value, *others = value.split(" | ")
        if cursor.layout is PastedLayout.APP_AOS and (cost := parse_cost(find_cost_at_end(value), bare=True)):
            # `Manifestation Lore - Morbid Conjuration (30 Points)`
            cursor.pasted.lore_points += cost.points or 0
        add_written_claim(self._claims, key, value)
        cursor.close_if_complete()
        sure = True
        for other in others:
            if has_claim_key(other):
                add_written_claim(self._claims, *other.split(":", 1))
            elif not self._add_score(other.strip()):
                sure = False
        return cursor.note(line, LineKind.CLAIM, sure=sure)

    def read_below_claim(self, line: TextLine) -> bool:
        """Read the line below `Command cards:` in lists with such keys after their units."""
        above = self._cursor.lines[self._cursor.place - 1].text
        if self._cursor.in_head or self._cursor.last_kind is not LineKind.CLAIM or not above.endswith(":"):
            return False
        self._claims.other[above.strip(" :")] = line.text
        return self._cursor.note(line, LineKind.CLAIM)

    def read_sum_below(self, line: TextLine) -> bool:
        """Read the sum of all units above, alone or with a remark: `1220 Pts (4 Platoons)`."""
        match = _SUM_BELOW.fullmatch(line.text)
        total = sum_points(self._cursor.pasted.units)
        if match is None or not total or parse_number(match["number"]) != total:
            return False
        self._claims.total = self._claims.total or total
        self._cursor.close_if_complete()
        return self._cursor.note(line, LineKind.CLAIM)

    def read_player(self, line: TextLine) -> bool:
        cursor = self._cursor
        if cursor.layout is not PastedLayout.WTC or cursor.pasted.units or not cursor.in_head:
            return False
        if NAME.fullmatch(line.text) is None:
            return False
        self._claims.player = self._claims.player or line.text
        return cursor.note(line, LineKind.CLAIM)
