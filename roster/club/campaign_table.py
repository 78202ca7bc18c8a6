"""Read campaign tables: the gains and injuries of a force's units, from YAML that players can share."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from catalogue.documents.node import DocumentNode
from catalogue.documents.section import KeySpec, ValueType, expect_section, key, need, read_section
from roster.formats.list_document import Unreadable
from roster.formats.list_document.document import ListSection
from roster.formats.list_document.nodes import Media, UnreadableError, quote_node, read_source, refuse_node
from roster.formats.list_document.values import COUNT, INTEGER, NAME, NOTES, list_of

CAMPAIGN_FORM = 1
MOST_ROWS = 60
MOST_AMOUNT = 9_999
_SIGNED = re.compile(r"[-+−]?[0-9]{1,4}")


class Occasion(StrEnum):
    """When a game gives a unit an award."""

    GAME = "game"
    SURVIVED = "survived"
    DESTROYED = "destroyed"
    KILL = "kill"
    CHOSEN = "chosen"


def _read_signed(node: DocumentNode, _context: object) -> int:
    text = quote_node(node).replace(" ", "")
    if not _SIGNED.fullmatch(text):
        refuse_node("not-a-number", node, given=text)
    return int(text.replace("−", "-"))


def _read_occasion(node: DocumentNode, _context: object) -> Occasion:
    word = quote_node(node).strip()
    if word not in tuple(Occasion):
        refuse_node("unknown-occasion", node, given=word, suggestions=tuple(Occasion))
    return Occasion(word)


SIGNED = ValueType("whole number, also below 0", _read_signed, lambda _: 0, {"type": "integer"})
OCCASION = ValueType(
    " or ".join(f"`{one}`" for one in Occasion), _read_occasion, lambda _: Occasion.CHOSEN, {"enum": list(Occasion)}
)
NAMES = list_of("list of names", NAME)


class WrittenRank(ListSection):
    short = "name"

    name: str = need("name", NAME, "its name")
    start: int = key("from", COUNT, "the experience from which a unit has it")
    cost: int = key("cost", SIGNED, "what it adds to the cost of the unit")


class WrittenAward(ListSection):
    short = "name"

    name: str = need("name", NAME, "its name")
    experience: int = key("gives", SIGNED, "the experience that it gives", 1)
    occasion: Occasion = key(
        "for",
        OCCASION,
        "each `game`, having `survived` or being `destroyed` in it, each `kill`, or what a player has `chosen`",
    )


class WrittenMark(ListSection):
    """An honour or an injury."""

    short = "name"

    name: str = need("name", NAME, "its name")
    cost: int = key("cost", SIGNED, "what it adds to the cost of the unit")
    roll: str = key("roll", NAME, "the result of the die, such as `3-4`")
    text: str = key("text", NOTES, "what it does, in your own words")


class CampaignTable(ListSection):
    name: str = need("name", NAME, "the campaign's name", "")
    about: str = key("about", NOTES, "what players should know")
    experience: str = key("experience", NAME, "what the campaign calls experience, in short: `xp`", "xp")
    ranks: tuple[WrittenRank, ...] = key(
        "ranks", list_of("list of ranks", expect_section(WrittenRank)), "names for units with enough experience"
    )
    awards: tuple[WrittenAward, ...] = key(
        "awards", list_of("list of awards", expect_section(WrittenAward)), "what gives experience after a game"
    )
    honours: tuple[WrittenMark, ...] = key(
        "honours", list_of("list of honours", expect_section(WrittenMark)), "what units can gain"
    )
    injuries: tuple[WrittenMark, ...] = key(
        "injuries", list_of("list of injuries", expect_section(WrittenMark)), "what units can suffer"
    )
    counters: tuple[str, ...] = key("counters", NAMES, "anything else that is counted for each unit")

    @classmethod
    def read_common_keys(cls, mapping: Any, context: Any, under: object) -> tuple[dict[str, Any], Any]:
        node: DocumentNode = mapping.need("campaign")
        form = INTEGER.read(node, context)
        if form != CAMPAIGN_FORM:
            refuse_node("unknown-campaign-form", node, given=str(form), detail=str(CAMPAIGN_FORM))
        return {}, context

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (KeySpec("campaign", INTEGER, f"the form of the document: `{CAMPAIGN_FORM}`", required=True),)

    def find_rank(self, experience: int) -> WrittenRank | None:
        """Return the highest rank that the experience reaches."""
        reached = [rank for rank in self.ranks if rank.start <= experience]
        return max(reached, key=lambda rank: rank.start, default=None)

    def find_honour(self, name: str) -> WrittenMark | None:
        return next((mark for mark in self.honours if mark.name == name), None)

    def find_injury(self, name: str) -> WrittenMark | None:
        return next((mark for mark in self.injuries if mark.name == name), None)


def read_campaign(text: str) -> CampaignTable | Unreadable:
    """Read a campaign table.

    >>> read_campaign("campaign: 1\\nname: Low tide\\nranks: [{name: Blooded, from: 4}]").find_rank(5).name
    'Blooded'
    >>> read_campaign("campaign: 1\\nname: Low tide\\nawards: [{name: Lost, for: crying}]").line
    3
    """
    try:
        root = read_source(text.encode(), Media.AUTO)
        table = read_section(CampaignTable, root, None)
        named: Sequence[WrittenRank | WrittenAward | WrittenMark]
        for named in (table.ranks, table.awards, table.honours, table.injuries):
            if len(named) > MOST_ROWS:
                refuse_node("too-big", root, given=str(len(named)), detail=str(MOST_ROWS))
            seen: set[str] = set()
            for row in named:
                if row.name in seen:
                    refuse_node("duplicate-key", line=row.where.line, given=row.name)
                seen.add(row.name)
        if len(table.counters) > MOST_ROWS:
            refuse_node("too-big", root, given=str(len(table.counters)), detail=str(MOST_ROWS))
    except UnreadableError as error:
        return error.unreadable
    return table
