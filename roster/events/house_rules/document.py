"""House rules as people write them: a small YAML file that can be used again for the next event.

What it says is found here, without any game: names are looked up when the rules are laid over data.
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


class WrittenLimit(WrittenRule):
    """What a list may cost, of one type of cost; by its number alone or with more."""

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
    """The only kinds of detachment that may be used; by their names alone or with more."""

    short = "allowed"
    short_list = True

    allowed: tuple[Text, ...] = need("allowed", WORDS, "ids or names of kinds of detachment")


class WrittenTeamRule(WrittenRule):
    """How many players of a team may have one faction; by the number alone or with more."""

    short = "at most"

    most: int = need("at most", COUNT, "how many players of a team may have one faction")


class WrittenNote(WrittenRule):
    """A rule that no program can check; every verdict says so."""

    short = "note"

    note: str = need("note", NOTES, "the rule in your own words")


ONE_ARMY = WrittenTeamRule(most=1)
"""No army twice: what holds for teams unless the rules say otherwise."""


def _read_limits(node: DocumentNode, context: object) -> tuple[WrittenLimit, ...]:
    if not node.is_map:
        refuse_node("not-fields", node, given=quote_node(node))
    return tuple(read_section(WrittenLimit, value, context, under=name) for name, value in node.members)


LIMITS: ValueType[tuple[WrittenLimit, ...]] = ValueType("`cost: limit`", _read_limits, lambda _: (), {})


class HouseRules(ListSection):
    """The rules of an event beside those of its game."""

    name: str = key("name", NAME, "what these rules are called")
    source: str = key("source", NAME, "where they stand, for every rule that does not say it itself")
    book: Text = key("book", WORD, "a pack whose rules are laid over this data, as `rules:` in a list")
    limits: tuple[WrittenLimit, ...] = key("limits", LIMITS, "what a list may cost: `{points: 1000}`")
    detachments: WrittenDetachments | None = key(
        "detachments", expect_section(WrittenDetachments), "the only kinds of detachment that may be used", None
    )
    bans: tuple[WrittenBan, ...] = key("bans", list_of("list of bans", expect_section(WrittenBan)), "what is banned")
    caps: tuple[WrittenCap, ...] = key("caps", list_of("list of caps", expect_section(WrittenCap)), "what is capped")
    same_faction: WrittenTeamRule = key(
        "same faction", expect_section(WrittenTeamRule), "how many players of a team may have one faction", ONE_ARMY
    )
    notes: tuple[WrittenNote, ...] = key(
        "notes", list_of("list of notes", expect_section(WrittenNote)), "rules that nobody can check from a list"
    )

    @property
    def allowed_detachments(self) -> tuple[Text, ...]:
        """The only kinds of detachment that may be used; none where all may."""
        return self.detachments.allowed if self.detachments else ()

    def get_source(self, rule: WrittenRule) -> str:
        """Return where a rule stands, in the words of its author; blank for what the rules do not say themselves."""
        # Nobody wrote it: it holds where the rules are silent.
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
    """A house rule by what it is about, and the line where it stands."""

    name: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two house rules that no list can keep to both, or one that none can; `line` is where the later one stands.

    `other_line` is where the one before stands. `rules` are names and lines where more than two collide, or two that
    are about different things. The codes are `at-least-over-at-most`, `ban-and-cap`, `banned-twice`, `capped-apart`,
    `limit-zero`, `limit-twice`, `least-too-dear`, `nothing-asked`, `nobody-plays`, `rules-collide`.
    """

    code: str
    name: str
    line: int = 0
    other_line: int = 0
    first: str = ""
    second: str = ""
    rules: tuple["NamedRule", ...] = ()


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
    checks = (_check_limits, _check_team_rule, _check_caps, _check_bans, _check_banned_caps)
    return next(filter(None, (check(rules) for check in checks)), None)


def _check_team_rule(rules: HouseRules) -> Contradiction | None:
    rule = rules.same_faction
    return None if rule.most else Contradiction(code="nobody-plays", name="same faction", line=rule.where.line)


def _check_limits(rules: HouseRules) -> Contradiction | None:
    seen: dict[str, int] = {}
    for limit in rules.limits:
        name, line = limit.type.value, limit.type.line
        if limit.value is not None and limit.value <= 0:
            return Contradiction(code="limit-zero", name=name, line=line)
        if simplify_name(name) in seen:
            return Contradiction(code="limit-twice", name=name, line=line, other_line=seen[simplify_name(name)])
        seen[simplify_name(name)] = line
    return None


def _check_caps(rules: HouseRules) -> Contradiction | None:
    caps: defaultdict[frozenset[str], list[WrittenCap]] = defaultdict(list)
    for cap in rules.caps:
        alike = caps[simplify_things(cap.what)]
        wrong = _check_cap(cap) or _check_against(alike, cap)
        if wrong is not None:
            return wrong
        alike.append(cap)
    return None


def _check_against(alike: list[WrittenCap], cap: WrittenCap) -> Contradiction | None:
    """Return the first of the caps on the same things that cannot hold beside this one."""
    for before in alike:
        if not _can_hold_both(before, cap):
            name, line = describe_things(cap.what), cap.where.line
            return Contradiction(code="capped-apart", name=name, line=line, other_line=before.where.line)
    return None


def _check_cap(cap: WrittenCap) -> Contradiction | None:
    """Return what is wrong with a cap by itself."""
    name, line = describe_things(cap.what), cap.where.line
    if cap.most is None:
        return None if cap.least else Contradiction(code="nothing-asked", name=name, line=line)
    if cap.least <= cap.most:
        return None
    least, most = str(cap.least), str(cap.most)
    return Contradiction(code="at-least-over-at-most", name=name, line=line, first=least, second=most)


def _can_hold_both(one: WrittenCap, other: WrittenCap) -> bool:
    """Return whether any number keeps to both caps."""
    bounds = [cap.most for cap in (one, other) if cap.most is not None]
    return not bounds or max(one.least, other.least) <= min(bounds)


def _check_bans(rules: HouseRules) -> Contradiction | None:
    seen: dict[str, Text] = {}
    for thing in (thing for ban in rules.bans for thing in ban.what):
        before = seen.setdefault(simplify_name(thing.value), thing)
        if before is not thing:
            return Contradiction(code="banned-twice", name=thing.value, line=thing.line, other_line=before.line)
    return None


def _check_banned_caps(rules: HouseRules) -> Contradiction | None:
    """Return the first cap that asks for something of which every kind is banned."""
    banned = _find_banned_lines(rules)
    for cap in rules.caps:
        things = simplify_things(cap.what)
        # A cap on several things is kept by any of them that may still be taken.
        if cap.least and things <= banned.keys():
            name, line = describe_things(cap.what), cap.where.line
            other_line = max(map(banned.__getitem__, things))
            return Contradiction(code="ban-and-cap", name=name, line=line, other_line=other_line, first=str(cap.least))
    return None


def _find_banned_lines(rules: HouseRules) -> dict[str, int]:
    """Return the lines of all that is banned, by name."""
    things = chain.from_iterable(ban.what for ban in rules.bans)
    return {simplify_name(thing.value): thing.line for thing in things}


def simplify_things(things: tuple[Text, ...]) -> frozenset[str]:
    return frozenset(simplify_name(thing.value) for thing in things)


def describe_things(things: tuple[Text, ...]) -> str:
    """Return the names of what a rule is about, as its author wrote them."""
    return ", ".join(thing.value for thing in things)
