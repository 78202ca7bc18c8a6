"""Read the headings of a list, marked or bare."""

import re

from roster.formats.text.claims import add_claim, has_claim_key
from roster.formats.text.cursor import Cursor
from roster.formats.text.items import is_item_start
from roster.formats.text.layouts import FORCE_HEADING, ROSTER_HEADING
from roster.formats.text.pasted import LineKind, PastedLayout, PastedSection
from roster.formats.text.shapes import TextLine, drop_cost, find_cost_at_end, is_capitals, match_unit, parse_cost
from roster.formats.text.surroundings import DASHED
from roster.formats.text.words import (
    CONFIGURATION_WORDS,
    WARLORD_WORDS,
    ClaimKey,
    is_numbered_section,
    is_section_word,
    simplify_words,
)

_TOTAL_BELOW = re.compile(r"total\s*:\s*[\[(]?(?P<cost>.*?)[\])]?", re.I)
_FORCE_OF_FACTION = re.compile(r"(?P<kind>.+?)\s*\((?P<faction>.+)\)")
_FREE_SECTIONS = frozenset({PastedLayout.WAR_ORGAN})
"""Layouts whose players name the sections themselves."""


class SectionReader:
    """Reads headings. Methods return whether they take the line."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor

    def read_roster_heading(self, line: TextLine) -> bool:
        if ROSTER_HEADING.fullmatch(line.text) is None:
            return False
        add_claim(self._cursor.pasted.claims, ClaimKey.TOTAL, line.text)
        return self._cursor.note(line, LineKind.TITLE)

    def read_force(self, line: TextLine) -> bool:
        """Read `++ Patrol (Reedfolk) [80pts] ++`, or the total below the last force."""
        match = FORCE_HEADING.fullmatch(line.text)
        if match is None:
            return False
        claims = self._cursor.pasted.claims
        whole = f"{match['name']} {match['rest']}".strip()
        if total := _TOTAL_BELOW.fullmatch(whole):
            cost = parse_cost(total["cost"])
            if cost and cost.points is not None:
                claims.total = cost.points
            return self._cursor.note(line, LineKind.CLAIM)

        # Our texts write `>` for each level of nesting.
        is_inner = whole.startswith(">")
        whole = whole.lstrip("> ")
        is_battlescribe = self._cursor.layout is PastedLayout.BATTLESCRIBE
        if is_battlescribe and (force := _FORCE_OF_FACTION.fullmatch(drop_cost(whole))):
            add_claim(claims, ClaimKey.FACTION, force["faction"])
            if is_inner:
                whole = whole.replace(f"({force['faction']})", "", 1)
            else:
                claims.detachments.append(force["kind"])
        self._open_costed_section(line, whole)
        self._cursor.pasted.sections[-1].heads_force = True
        return True

    def read_marked_heading(self, line: TextLine) -> bool:
        """Read `## X [P]`; from the third level on, a Markdown heading may be a unit."""
        if not line.heading or (line.heading > 2 and self._cursor.match_unit(line)):
            return False
        return self._open_costed_section(line, line.text)

    def read_dashed_heading(self, line: TextLine) -> bool:
        """Read `+ X +` and `--- X --- [P]`."""
        match = None if line.bullet else DASHED.fullmatch(line.text)
        return match is not None and self._open_costed_section(line, f"{match['name']} {match['rest'] or ''}")

    def read_section(self, line: TextLine) -> bool:
        """Read a bare heading: a known word, capitals, a word and a colon, `Catégorie 2 :`."""
        cursor = self._cursor
        if not line.may_begin_part:
            return False
        # In some languages the word for a warlord is also a section's.
        if cursor.follows_unit and simplify_words(line.text) in WARLORD_WORDS:
            return False

        # `TROOPS 215 pts`
        shape = match_unit(line.text)
        if shape and not shape.bracketed and not shape.is_detailed and is_section_word(shape.name):
            return self._open_section(line, shape.name, f"{shape.points} pts")

        cost = find_cost_at_end(line.text)
        if not parse_cost(cost):
            cost = ""
        name = (drop_cost(line.text) if cost else line.text).rstrip(": ")
        is_unit = cursor.match_unit(line) is not None
        # A unit named like a section has something under it.
        if is_section_word(name) and not (is_unit and cursor.has_contents()):
            return self._open_section(line, name, cost)
        if cost or is_unit:
            return False

        # `TOTAL: 200` is a claim.
        if has_claim_key(line.text) and not line.text.endswith(":"):
            return False
        is_in_capitals = is_capitals(name) and not is_item_start(line.text)
        following = cursor.look_ahead()
        if following is None:
            is_heading = is_in_capitals
        elif cursor.layout is PastedLayout.APP_40K and not cursor.pasted.units and is_numbered_section(following.text):
            is_heading = True
        else:
            ends_in_colon = line.text.endswith(":") and not cursor.is_inside(line)
            is_heading = (ends_in_colon or is_in_capitals) and cursor.is_followed_by_unit()
        return is_heading and self._open_section(line, name)

    def guess_heading(self, line: TextLine) -> bool:
        """Read a bare line above units, in most layouts as a guess."""
        cursor = self._cursor
        if not cursor.is_followed_by_unit():
            return False
        sure = cursor.layout in _FREE_SECTIONS or (cursor.in_head and cursor.layout is not PastedLayout.WTC)
        return self._open_section(line, line.text.rstrip(": "), sure=sure)

    def _open_costed_section(self, line: TextLine, text: str) -> bool:
        text = text.strip()
        return self._open_section(line, drop_cost(text), find_cost_at_end(text))

    def _open_section(self, line: TextLine, name: str, written_cost: str = "", *, sure: bool = True) -> bool:
        cost = parse_cost(written_cost)
        configures = simplify_words(name) in CONFIGURATION_WORDS
        section = PastedSection(name, line.number, cost.points if cost else None, configures)
        self._cursor.pasted.sections.append(section)
        self._cursor.begin_part()
        return self._cursor.note(line, LineKind.SECTION, sure=sure)
