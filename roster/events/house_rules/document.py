"""House rules in YAML, which organisers reuse for other events.

Names are resolved when the rules are laid over data.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import Any

from catalogue.definitions.numbers import Number
from catalogue.documents.node import DocumentNode
from catalogue.documents.section import KeySpec, ValueType, expect_section, key, need, read_section
from roster.formats.list_document import Media, Text, Unreadable
from roster.formats.list_document.document import ListSection
from roster.formats.list_document.nodes import UnreadableError, quote_node, read_source, refuse_node
from roster.formats.list_document.values import COUNT, INTEGER, LIMIT, NAME, NOTES, NOTHING, WORD, WORDS, list_of
from roster.formats.list_text import simplify_name

HOUSE_RULES_FORM = 1
MOST_RULES = 200


class WrittenRule(ListSection):
    text: str = key("text", NOTES, "one sentence in your own words")
    source: str = key("source", NAME, "its source: `Event pack, p. 3`")


class WrittenBan(WrittenRule):
    short = "ban"

    what: tuple[Text, ...] = need("ban", WORDS, "ids or names: units, options, cards, types of units")


class WrittenCap(WrittenRule):
    """A limit on several things counts them together."""

    what: tuple[Text, ...] = need("cap", WORDS, "ids or names: units, options, cards, types of units")
    most: int | None = key("at most", COUNT, "how many a list may have", None)
    least: int = key("at least", COUNT, "how many a list must have", 0)


class WrittenLimit(WrittenRule):
    """The most that a list may cost. May be written as a number."""

    short = "at most"

    type: Text = NOTHING
    value: Number | None = need("at most", LIMIT, "how much a list may cost; `none` for no limit")

    @classmethod
    def is_lone(cls, node: DocumentNode) -> bool:
        return not node.is_map

    @classmethod
    def read_common_keys(cls, mapping: Any, context: Any, under: DocumentNode | None) -> tuple[dict[str, Any], Any]:
        named = under or mapping.node
        return {"type": Text(str(named.content), named.line, named.column)}, context


class WrittenDetachments(WrittenRule):
    """The allowed kinds of detachment. May be written as a list of names."""

    short = "allowed"
    short_list = True

    allowed: tuple[Text, ...] = need("allowed", WORDS, "ids or names of kinds of detachment")


class WrittenTeamRule(WrittenRule):
    """How many players of a team may have one faction. May be written as a number."""

    short = "at most"

    most: int = need("at most", COUNT, "how many players of a team may have one faction")


class WrittenNote(WrittenRule):
    """A rule that no program can check. Verdicts mention it."""

    short = "note"

    note: str = need("note", NOTES, "the rule in your own words")


ONE_ARMY = WrittenTeamRule(most=1)
"""No army twice: the rule for teams if the house rules have none."""


def _read_limits(node: DocumentNode, context: object) -> tuple[WrittenLimit, ...]:
    if not node.is_map:
        refuse_node("not-fields", node, given=quote_node(node))
    return tuple(read_section(WrittenLimit, value, context, under=name) for name, value in node.members)


LIMITS: ValueType[tuple[WrittenLimit, ...]] = ValueType("`cost: limit`", _read_limits, lambda _: (), {})


class HouseRules(ListSection):
    name: str = key("name", NAME, "the name of these rules")
    source: str = key("source", NAME, "their source, for rules without their own `source`")
    book: Text = key("book", WORD, "a pack whose rules are laid over this data, as `rules:` in a list")
    limits: tuple[WrittenLimit, ...] = key("limits", LIMITS, "the most that a list may cost: `{points: 1000}`")
    detachments: WrittenDetachments | None = key(
        "detachments", expect_section(WrittenDetachments), "the only kinds of detachment allowed", None
    )
    bans: tuple[WrittenBan, ...] = key("bans", list_of("list of bans", expect_section(WrittenBan)), "what is banned")
    caps: tuple[WrittenCap, ...] = key("caps", list_of("list of caps", expect_section(WrittenCap)), "what is capped")
    same_faction: WrittenTeamRule = key(
        "same faction", expect_section(WrittenTeamRule), "how many players of a team may have one faction", ONE_ARMY
    )
    notes: tuple[WrittenNote, ...] = key(
        "notes", list_of("list of notes", expect_section(WrittenNote)), "rules that cannot be checked from a list"
    )

    @property
    def allowed_detachments(self) -> tuple[Text, ...]:
        """The allowed detachments' names; empty if all are allowed."""
        return self.detachments.allowed if self.detachments else ()

    def get_source(self, rule: WrittenRule) -> str:
        # The default rule has no author.
        if rule is ONE_ARMY:
            return ""
        return rule.source or self.source or self.name

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


@dataclass(frozen=True, slots=True)
class NamedRule:
    name: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """One or two house rules that no list can satisfy, at their lines; `rules` is set if more collide.

    Codes: `at-least-over-at-most`, `ban-and-cap`, `banned-twice`, `capped-apart`, `limit-zero`, `limit-twice`,
    `least-too-dear`, `nothing-asked`, `nobody-plays`, `rules-collide`.
    """

    code: str
    name: str
    line: int = 0
    other_line: int = 0
    first: str = ""
    second: str = ""
    rules: tuple["NamedRule", ...] = ()


def read_house_rules(text: str) -> HouseRules | Unreadable:
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
    """Return the first contradiction that can be found without game data."""
    limit_lines: dict[str, int] = {}
    for limit in rules.limits:
        name, line = limit.type.value, limit.type.line
        key_name = simplify_name(name)
        if limit.value is not None and limit.value <= 0:
            return Contradiction(code="limit-zero", name=name, line=line)
        if key_name in limit_lines:
            return Contradiction(code="limit-twice", name=name, line=line, other_line=limit_lines[key_name])
        limit_lines[key_name] = line

    if not rules.same_faction.most:
        return Contradiction(code="nobody-plays", name="same faction", line=rules.same_faction.where.line)
    return _check_caps(rules) or _check_bans(rules)


def _check_caps(rules: HouseRules) -> Contradiction | None:
    caps: defaultdict[frozenset[str], list[WrittenCap]] = defaultdict(list)
    for cap in rules.caps:
        name, line = describe_things(cap.what), cap.where.line
        if cap.most is None and not cap.least:
            return Contradiction(code="nothing-asked", name=name, line=line)
        if cap.most is not None and cap.least > cap.most:
            least, most = str(cap.least), str(cap.most)
            return Contradiction(code="at-least-over-at-most", name=name, line=line, first=least, second=most)

        # Two caps on the same things contradict each other if no number satisfies both.
        alike = caps[simplify_things(cap.what)]
        for before in alike:
            upper_bounds = [one.most for one in (before, cap) if one.most is not None]
            if upper_bounds and max(before.least, cap.least) > min(upper_bounds):
                return Contradiction(code="capped-apart", name=name, line=line, other_line=before.where.line)
        alike.append(cap)
    return None


def _check_bans(rules: HouseRules) -> Contradiction | None:
    banned: dict[str, Text] = {}
    for thing in chain.from_iterable(ban.what for ban in rules.bans):
        before = banned.setdefault(simplify_name(thing.value), thing)
        if before is not thing:
            return Contradiction(code="banned-twice", name=thing.value, line=thing.line, other_line=before.line)

    for cap in rules.caps:
        things = simplify_things(cap.what)
        # A cap on several things can be satisfied with any of them that is not banned.
        if cap.least and things <= banned.keys():
            name, line = describe_things(cap.what), cap.where.line
            other_line = max(banned[thing].line for thing in things)
            return Contradiction(code="ban-and-cap", name=name, line=line, other_line=other_line, first=str(cap.least))
    return None


def simplify_things(things: tuple[Text, ...]) -> frozenset[str]:
    return frozenset(simplify_name(thing.value) for thing in things)


def describe_things(things: tuple[Text, ...]) -> str:
    return ", ".join(thing.value for thing in things)
