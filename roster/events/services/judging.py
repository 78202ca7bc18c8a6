"""Evaluate lists with an event's data version, house rules and limits, which override those of the list."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
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
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree, copy_with
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
    WrittenLimit,
    describe_things,
    find_contradiction,
    read_house_rules,
)
from roster.events.models.event import Event, ListVerdict
from roster.formats.list_document import Unreadable
from roster.formats.list_document.nodes import UnreadableError
from roster.formats.list_document.values import Candidate, resolve_name
from roster.models.homebrew import CopiedHomebrew
from roster.services.evaluation import EvaluatedList, evaluate_with
from roster.services.rulesets import RULES_GONE, apply_overlay, collect_catalogue_ids, lay_homebrew, list_overlays
from roster.wording.api_payload import serialize_list

RulesProblem = Unreadable | Contradiction
EVENT_RULES = "event-rules"
"""The code of the note that a pack does not know an event's house rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesInForce:
    """An event's data version and house rules.

    `homebrew` changes values of the data. `book` names an overlay of a pack that also applies.
    """

    version: PackVersion
    rules: HouseRules
    key: str
    homebrew: CopiedHomebrew | None = None
    book: str = ""


def hash_rules(text: str, homebrew: CopiedHomebrew | None = None) -> str:
    """Return the SHA-256 of house rules and changed values, "" without any."""
    if homebrew is not None:
        return sha256(f"{homebrew.content_hash}\n{text}".encode()).hexdigest()
    return sha256(text.encode()).hexdigest() if text.strip() else ""


def check_house_rules(
    version: PackVersion, text: str, homebrew: CopiedHomebrew | None = None
) -> HouseRules | RulesProblem:
    """Read house rules; check their names and that they do not contradict each other.

    With `homebrew`, which changes prices, limits are not compared with prices.
    """
    rules = read_house_rules(text)
    if isinstance(rules, Unreadable):
        return rules
    if contradiction := find_contradiction(rules):
        return contradiction
    if rules.book and not find_book(version, rules):
        return Unreadable("unknown-rules", rules.book.line, rules.book.column, rules.book.value)

    data = apply_copied_homebrew(load_data_set(version), homebrew)
    if unknown_name := find_unknown_name(data, rules):
        unknown, names = unknown_name
        try:
            # This fails with the same suggestion as for a misspelt name in a list.
            resolve_name(unknown, [Candidate(name, (name,), name) for name in names], "unknown-entry")
        except UnreadableError as error:
            return error.unreadable
        return Unreadable("unknown-entry", unknown.line, unknown.column, unknown.value)
    prices: dict[str, Number] = {}
    if homebrew is None:
        if too_dear := _find_too_dear(version, data, rules):
            return too_dear
        units = UnitEntry.objects.filter(faction__version=version).values_list("entry_id")
        prices = {entry_id: cheapest for entry_id, cheapest in units.annotate(Min("points")) if cheapest is not None}
    if colliding := find_colliding_rules(data, rules, version.points_id, prices):
        return Contradiction(code="rules-collide", line=colliding[-1].line, name=colliding[-1].name, rules=colliding)
    return rules


def _find_too_dear(version: PackVersion, data: DataSet, rules: HouseRules) -> Contradiction | None:
    limit = find_points_limit(version, data, rules)
    if limit is None or limit.value is None:
        return None
    things = index_things(data)
    for cap in rules.caps:
        units = UnitEntry.objects.filter(faction__version=version, entry_id__in=things.find_all_ids(cap.what))
        cheapest: Number | None = units.aggregate(cheapest=Min("points"))["cheapest"]
        needed = cap.least * cheapest if cheapest is not None else 0
        if needed > limit.value:
            return Contradiction(
                code="least-too-dear",
                name=describe_things(cap.what),
                line=cap.where.line,
                other_line=limit.type.line,
                first=format_number(needed),
                second=format_number(limit.value),
            )
    return None


def find_points_limit(version: PackVersion, data: DataSet, rules: HouseRules) -> WrittenLimit | None:
    limits = (limit for limit in rules.limits if find_cost_type(data, limit.type.value) == version.points_id)
    return next(limits, None)


def find_book(version: PackVersion, rules: HouseRules) -> str:
    book_id = rules.book.value
    offers = list_overlays(version) if book_id else []
    return next((offer.name for offer in offers if book_id in (offer.name, offer.game, offer.title)), "")


def load_event_rules(event: Event) -> RulesInForce:
    return load_rules(event.version, event.rules, event.homebrew)


def load_rules(version: PackVersion, text: str, homebrew: CopiedHomebrew | None = None) -> RulesInForce:
    """Load rules. Unreadable house rules are ignored."""
    rules = read_house_rules(text)
    # They were valid when they were saved. Only a newer reader can refuse them.
    readable = NO_RULES if isinstance(rules, Unreadable) else rules
    key = hash_rules(text, homebrew)
    if homebrew is not None and homebrew.is_hidden:
        key += RULES_GONE
    return RulesInForce(version=version, rules=readable, key=key, homebrew=homebrew, book=find_book(version, readable))


def apply_copied_homebrew(data: DataSet, homebrew: CopiedHomebrew | None, *, is_partial: bool = False) -> DataSet:
    """Change the values of the data. House rules that staff hide are reported as unchecked."""
    if homebrew is None:
        return data
    document = "" if homebrew.is_hidden else homebrew.document
    return lay_homebrew(data, document, homebrew.key, is_partial=is_partial)


def load_event_ruleset(force: RulesInForce, faction_id: str, others: Iterable[str] = (), overlay: str = "") -> Ruleset:
    def lay_rules(data: DataSet) -> DataSet:
        overlaid = apply_overlay(data, overlay)
        changed = apply_copied_homebrew(overlaid, force.homebrew, is_partial=force.version.is_community)
        return lay_house_rules(changed, force.rules)

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
    """Evaluate a list by an event's rules. Raises OverdueError after the deadline.

    `tree` also builds the effective tree. `look_ahead` checks whether an incomplete list can be completed, except with
    community data.
    """
    overlay = force.book or roster.overlay
    ruleset = load_event_ruleset(force, faction_id, collect_catalogue_ids(roster), overlay)
    limits = list_limits(ruleset.data, force.rules)
    replaced = {limit.type_id for limit in limits}
    own_limits = (limit for limit in roster.limits if limit.type_id not in replaced)
    limited = copy_with(
        roster,
        faction=faction_id,
        overlay=overlay,
        homebrew=force.homebrew.key if force.homebrew else "",
        limits=(*own_limits, *limits),
    )
    ahead = look_ahead and not force.version.is_community
    evaluated_list = evaluate_with(ruleset, limited, tree=tree, look_ahead=ahead, deadline=deadline)
    # An event settles which house rules are played, even if it has none.
    unchecked = tuple(note for note in evaluated_list.report.unchecked if note.code != EVENT_RULES)
    return replace(evaluated_list, report=copy_with(evaluated_list.report, unchecked=unchecked))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedList:
    verdict: str
    points: str = ""
    violations: int = 0
    unchecked: int = 0
    report: dict[str, Any]

    @property
    def columns(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "points": self.points,
            "violations": self.violations,
            "unchecked": self.unchecked,
            "report": self.report,
        }


def summarize_judgement(evaluated_list: EvaluatedList, as_read: str = "") -> JudgedList:
    """Return a verdict's stored form, with sentences in the current language.

    `as_read` says what is unclear in a text; its verdict is then at best "legal as far as read".
    """
    report = serialize_list(evaluated_list)
    verdict = evaluated_list.verdict.value
    if as_read:
        report["as_read"] = as_read
        if evaluated_list.verdict is Verdict.LEGAL:
            verdict = ListVerdict.AS_READ
            report |= {"verdict": verdict.value, "word": as_read, "legal": False}
    elif evaluated_list.homebrew and evaluated_list.verdict is Verdict.LEGAL:
        verdict = ListVerdict.BY_RULES
        report["verdict"] = verdict.value
    return JudgedList(
        verdict=verdict,
        points=format_number(evaluated_list.points.value) if evaluated_list.points else "",
        violations=evaluated_list.report.error_count,
        unchecked=len(evaluated_list.report.unchecked),
        report=report,
    )


def refuse_list(code: str, text: str) -> JudgedList:
    return JudgedList(verdict=ListVerdict.UNREADABLE, report={"unreadable": {"code": code, "text": text}})
