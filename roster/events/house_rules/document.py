"""House rules as people write them: a small YAML file that can be used again for the next event.

What it says is found here, without any game: names are looked up when the rules are laid over data.
"""

from dataclasses import dataclass
from typing import Any

from catalogue.documents.section import KeySpec, expect_section, key, need, read_section
from roster.formats.list_document import Media, Text, Unreadable
from roster.formats.list_document.document import LIMITS, ListedLimit, ListSection
from roster.formats.list_document.nodes import UnreadableError, read_source, refuse_node
from roster.formats.list_document.values import COUNT, INTEGER, NAME, NOTES, WORD, WORDS, list_of
from roster.formats.list_text import simplify_name

HOUSE_RULES_FORM = 1
MOST_RULES = 200


class WrittenRule(ListSection):
    """One house rule: its sentence and where it stands."""

    text: str = key("text", NOTES, "one sentence that says it, in your own words")
    source: str = key("source", NAME, "where it stands: `Event pack, p. 3`")


class WrittenBan(WrittenRule):
    """What nobody may take."""

    short = "ban"

    what: tuple[Text, ...] = need("ban", WORDS, "ids or names: units, options, cards, types of units")


class WrittenCap(WrittenRule):
    """How many of something a list may, or has to, take; several things count together."""

    what: tuple[Text, ...] = need("cap", WORDS, "ids or names: units, options, cards, types of units")
    most: int | None = key("at most", COUNT, "how many a list may have", None)
    least: int = key("at least", COUNT, "how many a list has to have", 0)


class WrittenNote(WrittenRule):
    """A rule that no program can check; every verdict says so."""

    short = "note"

    note: str = need("note", NOTES, "the rule in your own words")


class HouseRules(ListSection):
    """The rules of an event beside those of its game."""

    name: str = key("name", NAME, "what these rules are called")
    source: str = key("source", NAME, "where they stand, for every rule that does not say it itself")
    book: Text = key("book", WORD, "a pack whose rules are laid over this data, as `rules:` in a list")
    limits: tuple[ListedLimit, ...] = key("limits", LIMITS, "what a list may cost: `{points: 1000}`")
    detachments: tuple[Text, ...] = key("detachments", WORDS, "the only kinds of detachment that may be used")
    bans: tuple[WrittenBan, ...] = key("bans", list_of("list of bans", expect_section(WrittenBan)), "what is banned")
    caps: tuple[WrittenCap, ...] = key("caps", list_of("list of caps", expect_section(WrittenCap)), "what is capped")
    same_faction: int = key("same faction", COUNT, "how many players of a team may have one faction", 1)
    notes: tuple[WrittenNote, ...] = key(
        "notes", list_of("list of notes", expect_section(WrittenNote)), "rules that nobody can check from a list"
    )

    @classmethod
    def read_common_keys(cls, mapping: Any, context: Any, under: object) -> tuple[dict[str, Any], Any]:
        node = mapping.need("house-rules")
        form = INTEGER.read(node, context)
        if form != HOUSE_RULES_FORM:
            refuse_node("unknown-form", node, given=str(form), detail=str(HOUSE_RULES_FORM))
        return {}, context

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (KeySpec("house-rules", INTEGER, f"the form of the document: `{HOUSE_RULES_FORM}`", required=True),)


NO_RULES = HouseRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two house rules that no list can keep to both, or one that none can; `line` is where the second stands.

    The codes are `at-least-over-at-most`, `ban-and-cap`, `banned-twice`, `capped-apart`, `limit-zero`, `limit-twice`,
    `least-too-dear`, `nothing-asked`.
    """

    code: str
    name: str
    line: int = 0
    first: str = ""
    second: str = ""


def read_house_rules(text: str) -> HouseRules | Unreadable:
    """Return the rules that a text holds, or why it holds none; a blank text holds no rules."""
    if not text.strip():
        return NO_RULES
    try:
        rules = read_section(HouseRules, read_source(text.encode(), Media.AUTO), None)
        if len(rules.bans) + len(rules.caps) + len(rules.notes) > MOST_RULES:
            refuse_node("too-big", given="", detail=str(MOST_RULES))
    except UnreadableError as error:
        return error.unreadable
    return rules


def find_contradiction(rules: HouseRules) -> Contradiction | None:
    """Return the first contradiction between rules, as far as their words alone tell it."""
    return _check_limits(rules) or _check_caps(rules) or _check_bans(rules)


def _check_limits(rules: HouseRules) -> Contradiction | None:
    seen: set[str] = set()
    for limit in rules.limits:
        name, line = limit.type.value, limit.type.line
        if limit.value is not None and limit.value <= 0:
            return Contradiction(code="limit-zero", name=name, line=line)
        if simplify_name(name) in seen:
            return Contradiction(code="limit-twice", name=name, line=line)
        seen.add(simplify_name(name))
    return None


def _check_caps(rules: HouseRules) -> Contradiction | None:
    seen: dict[frozenset[str], WrittenCap] = {}
    for cap in rules.caps:
        name, line = describe_things(cap.what), cap.where.line
        if cap.most is None and not cap.least:
            return Contradiction(code="nothing-asked", name=name, line=line)
        if cap.most is not None and cap.least > cap.most:
            return Contradiction(
                code="at-least-over-at-most", name=name, line=line, first=str(cap.least), second=str(cap.most)
            )
        before = seen.setdefault(simplify_things(cap.what), cap)
        if not _can_hold_both(before, cap):
            return Contradiction(code="capped-apart", name=name, line=line, first=str(before.where.line))
    return None


def _can_hold_both(one: WrittenCap, other: WrittenCap) -> bool:
    """Return whether any number keeps to both caps."""
    bounds = [cap.most for cap in (one, other) if cap.most is not None]
    return not bounds or max(one.least, other.least) <= min(bounds)


def _check_bans(rules: HouseRules) -> Contradiction | None:
    banned: dict[str, Text] = {}
    for thing in (thing for ban in rules.bans for thing in ban.what):
        if simplify_name(thing.value) in banned:
            return Contradiction(code="banned-twice", name=thing.value, line=thing.line)
        banned[simplify_name(thing.value)] = thing
    for cap in rules.caps:
        if cap.least and simplify_things(cap.what) <= banned.keys():
            return Contradiction(
                code="ban-and-cap", name=describe_things(cap.what), line=cap.where.line, first=str(cap.least)
            )
    return None


def simplify_things(things: tuple[Text, ...]) -> frozenset[str]:
    return frozenset(simplify_name(thing.value) for thing in things)


def describe_things(things: tuple[Text, ...]) -> str:
    """Return the names of what a rule is about, as its author wrote them."""
    return ", ".join(thing.value for thing in things)
