"""Judge lists for an event: by its pinned data, its house rules and its limits, whatever the list itself says."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import Min

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.numbers import Number, format_number
from catalogue.graph.ruleset import Ruleset
from catalogue.models import PackVersion, UnitEntry
from catalogue.services.documents import load_data_set
from catalogue.services.rulesets import load_compiled
from roster.engine.evaluation import Deadline, expire_never
from roster.engine.tree import Limit, RosterTree, copy_with
from roster.events.house_rules.apply import (
    find_cost_type,
    find_unknown_name,
    index_things,
    lay_house_rules,
    list_limits,
)
from roster.events.house_rules.collisions import find_colliding_rules
from roster.events.house_rules.document import (
    NO_RULES,
    Contradiction,
    HouseRules,
    WrittenCap,
    WrittenLimit,
    describe_things,
    find_contradiction,
    read_house_rules,
)
from roster.events.models.event import Event, ListVerdict
from roster.formats.list_document import Text, Unreadable
from roster.formats.list_document.nodes import UnreadableError
from roster.formats.list_document.values import Candidate, resolve_name
from roster.services.evaluation import EvaluatedList, evaluate_with
from roster.services.rulesets import apply_overlay, collect_catalogue_ids, list_overlays
from roster.wording.api_payload import serialize_list

RulesProblem = Unreadable | Contradiction


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesInForce:
    """By what the lists of an event are judged: a version of the data, and the house rules laid over it.

    `key` tells these rules from others of the same data; `book` are the rules of a pack that lists are judged by
    besides, as a list names them.
    """

    version: PackVersion
    rules: HouseRules
    key: str
    book: str = ""


def hash_rules(text: str) -> str:
    """Return the SHA-256 of house rules as they are written, in hexadecimal; blank for none."""
    return sha256(text.encode()).hexdigest() if text.strip() else ""


def check_house_rules(version: PackVersion, text: str) -> HouseRules | RulesProblem:
    """Read house rules for some data: every name has to be known there, and no two may contradict each other."""
    rules = read_house_rules(text)
    if isinstance(rules, Unreadable):
        return rules
    known = find_contradiction(rules) or _check_names(version, rules)
    return known or _check_cost(version, rules) or _check_together(version, rules) or rules


def _check_names(version: PackVersion, rules: HouseRules) -> RulesProblem | None:
    if rules.book and not find_book(version, rules):
        return Unreadable("unknown-rules", rules.book.line, rules.book.column, rules.book.value)
    unknown_name = find_unknown_name(load_data_set(version), rules)
    return _refuse_name(*unknown_name) if unknown_name else None


def _refuse_name(unknown: Text, names: list[str]) -> Unreadable:
    try:
        # Resolving it fails, and says what was probably meant: the same words as in lists.
        known = [Candidate(name, (name,), name) for name in names]
        resolve_name(unknown, known, "unknown-entry")
    except UnreadableError as error:
        return error.unreadable
    return Unreadable("unknown-entry", unknown.line, unknown.column, unknown.value)


def _check_cost(version: PackVersion, rules: HouseRules) -> Contradiction | None:
    """Return the first thing that lists have to have and that costs more than they may."""
    data = load_data_set(version)
    limit = find_points_limit(version, data, rules)
    if limit is None or limit.value is None:
        return None
    for cap in rules.caps:
        needed = _price_cap(version, data, cap)
        if needed > limit.value:
            return _refuse_cost(cap, needed, limit)
    return None


def _refuse_cost(cap: WrittenCap, needed: Number, limit: WrittenLimit) -> Contradiction:
    return Contradiction(
        code="least-too-dear",
        name=describe_things(cap.what),
        line=cap.where.line,
        other_line=limit.type.line,
        first=format_number(needed),
        second=format_number(limit.value or 0),
    )


def find_points_limit(version: PackVersion, data: DataSet, rules: HouseRules) -> WrittenLimit | None:
    """Return the limit that house rules set on points; None for none."""
    limits = (limit for limit in rules.limits if find_cost_type(data, limit.type.value) == version.points_id)
    return next(limits, None)


def _check_together(version: PackVersion, rules: HouseRules) -> Contradiction | None:
    """Return rules that no list can keep to, by what they name and what that costs."""
    units = UnitEntry.objects.filter(faction__version=version).values_list("entry_id")
    prices = {entry_id: cheapest for entry_id, cheapest in units.annotate(Min("points")) if cheapest is not None}
    colliding = find_colliding_rules(load_data_set(version), rules, version.points_id, prices)
    if not colliding:
        return None
    return Contradiction(code="rules-collide", line=colliding[-1].line, name=colliding[-1].name, rules=colliding)


def _price_cap(version: PackVersion, data: DataSet, cap: WrittenCap) -> Number:
    """Return what the units cost, at least, that a cap asks for; 0 where that is not known."""
    things = index_things(data)
    ids = things.find_all_ids(cap.what)
    units = UnitEntry.objects.filter(faction__version=version, entry_id__in=ids)
    cheapest: Number | None = units.aggregate(cheapest=Min("points"))["cheapest"]
    return cap.least * cheapest if cheapest is not None else 0


def find_book(version: PackVersion, rules: HouseRules) -> str:
    """Return the rules of a pack that house rules ask for, as a list names them; blank for none."""
    wanted = rules.book.value
    offers = list_overlays(version) if wanted else []
    return next((offer.name for offer in offers if wanted in (offer.name, offer.game, offer.title)), "")


def load_event_rules(event: Event) -> RulesInForce:
    """Return by what the lists of an event are judged now."""
    return load_rules(event.version, event.rules)


def load_rules(version: PackVersion, text: str) -> RulesInForce:
    """Return by what lists are judged under house rules; rules that cannot be read bind nobody."""
    rules = read_house_rules(text)
    # They were checked when they were saved: only a newer reader can find fault with them.
    readable = NO_RULES if isinstance(rules, Unreadable) else rules
    return RulesInForce(version=version, rules=readable, key=hash_rules(text), book=find_book(version, readable))


def load_event_ruleset(force: RulesInForce, faction_id: str, others: Iterable[str] = (), overlay: str = "") -> Ruleset:
    """Return the compiled rules for lists of a faction; compiled once per process, data and house rules."""

    def lay_rules(data: DataSet) -> DataSet:
        return lay_house_rules(apply_overlay(data, overlay), force.rules)

    key = f"{overlay}|{force.key}" if force.key else overlay
    return load_compiled(force.version, (faction_id, *others), key, lay_rules)


def judge_tree(
    force: RulesInForce,
    faction_id: str,
    roster: RosterTree,
    *,
    tree: bool = False,
    look_ahead: bool = True,
    deadline: Deadline = expire_never,
) -> EvaluatedList:
    """Judge a list by the rules of an event: their limits are in the place of those that the list says itself.

    `tree` also fills in everything derived for each unit, for pages and paper; `look_ahead` asks, in a pack, whether
    anything can still complete an incomplete list. Raises OverdueError after the deadline.
    """
    overlay = force.book or roster.overlay
    ruleset = load_event_ruleset(force, faction_id, collect_catalogue_ids(roster), overlay)
    limits = _replace_limits(roster.limits, list_limits(ruleset.data, force.rules))
    limited = copy_with(roster, faction=faction_id, overlay=overlay, limits=limits)
    ahead = look_ahead and not force.version.is_community
    return evaluate_with(ruleset, limited, tree=tree, look_ahead=ahead, deadline=deadline)


def _replace_limits(before: Iterable[Limit], limits: Sequence[Limit]) -> tuple[Limit, ...]:
    set_types = {limit.type_id for limit in limits}
    return (*(limit for limit in before if limit.type_id not in set_types), *limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedList:
    """What a list came to under an event, as its columns and its report keep it."""

    verdict: str
    points: str = ""
    violations: int = 0
    unchecked: int = 0
    report: dict[str, Any]

    @property
    def columns(self) -> dict[str, Any]:
        """The values of the columns that every verdict has."""
        return {
            "verdict": self.verdict,
            "points": self.points,
            "violations": self.violations,
            "unchecked": self.unchecked,
            "report": self.report,
        }


def summarize_judgement(judged: EvaluatedList) -> JudgedList:
    """Return what is kept of a verdict: its word, its figures, and its sentences in the reader's language."""
    return JudgedList(
        verdict=judged.verdict.value,
        points=format_number(judged.points.value) if judged.points else "",
        violations=len(judged.report.errors),
        unchecked=len(judged.report.unchecked),
        report=serialize_list(judged),
    )


def refuse_list(code: str, text: str) -> JudgedList:
    """Return what is kept of something that could not be read or judged; `text` says why."""
    return JudgedList(verdict=ListVerdict.UNREADABLE, report={"unreadable": {"code": code, "text": text}})
