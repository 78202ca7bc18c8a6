import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.entries import CARDS
from catalogue.definitions.numbers import format_number
from catalogue.graph.ruleset import Ruleset
from roster import wording
from roster.engine.checks import list_missing_allies
from roster.engine.nodes import ForceNode
from roster.engine.report import (
    CostTotal,
    Location,
    PlaceKind,
    Verdict,
    Violation,
    ViolationKey,
    group_needs,
    group_violations,
)
from roster.engine.tree import copy_with
from roster.services.board import Board
from roster.services.board.shapes import Shape
from roster.services.deeds import Deed
from roster.wording import Sentence
from roster.wording.figures import ListFact, Reminder, describe_facts, list_reminders
from roster.wording.homebrew import CountingText, describe_counting_rules

PLACES = 8
EMPTY = "empty"
REPORT_ADDRESS = "verdict/"
"""From the builder and from a list's link, so that the pieces of all lists have the same."""
SEVERITIES = tuple(Severity)
"""In display order: the severity that decides a verdict comes first."""

Deeds = Mapping[ViolationKey, tuple[Deed, ...]]
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")


class UnitLink(Shape):
    name: str
    href: str


class SuggestedFix(Shape):
    """A detachment and a type of unit, or the deck. `allies` means that it is on the page of other factions'
    detachments.
    """

    into: str
    type: str
    query: str
    title: str
    deck: bool = False
    allies: bool = False


class DeedButton(Shape):
    words: str
    cost: str
    fields: tuple[tuple[str, str], ...]


class ViolationItem(Shape):
    """`kind`: illegal, incomplete (more picks could fix it), warning or remark. `counter` is the required number ("1 /
    2"), or "" if the headline has it. `rule` and `report` are addresses: of the rule's coverage, and of the report
    form. `has_room` means that space is reserved for deeds, which load after the page.
    """

    id: str
    kind: str
    sentence: Sentence
    counter: str = ""
    rule: str = ""
    report: str = ""
    places: tuple[UnitLink, ...] = ()
    others: int = 0
    fits: SuggestedFix | None = None
    deeds: tuple[DeedButton, ...] = ()
    has_room: bool = False

    @property
    def stands_in(self) -> bool:
        """Whether the fix is shown instead of a first deed."""
        return self.fits is not None and not (self.deeds or self.fits.type or self.fits.deck)

    @property
    def other_deeds(self) -> int:
        return max(0, len(self.deeds) - 1)


class MissingItem(Shape):
    """An empty slot with the wording of its rule."""

    title: str
    text: str = ""


class VerdictRibbon(Shape):
    """An empty list `needs` something. `rules` are a player's house rules, `unchosen` are settings without a choice.
    `report` is the report form's address, "" if the data is private.
    """

    state: str
    word: str
    tally: str
    costs: tuple[CostTotal, ...]
    why: tuple[ViolationItem, ...]
    unchecked: tuple[str, ...]
    needs: tuple[MissingItem, ...] = ()
    unchosen: tuple[UnitLink, ...] = ()
    report: str = ""
    facts: tuple[ListFact, ...] = ()
    reminders: tuple[Reminder, ...] = ()
    rules: CountingText | None = None


def make_dom_id(kind: str, node_id: str) -> str:
    if _PLAIN.fullmatch(node_id):
        return f"{kind}-{node_id}"
    return f"{kind}-{zlib.crc32(node_id.encode()):x}"


class VerdictPresenter:
    """Words each violation once, with links to units on the page.

    `later` are units whose rows are not loaded yet.
    """

    def __init__(self, board: Board, deeds: Deeds | None = None, later: Collection[str] = ()) -> None:
        self.board = board
        self._later = later
        self._deeds = deeds or {}
        # Staff may not see the data of private games.
        self.report_address = "" if board.roster.is_of_private_game else REPORT_ADDRESS
        self.types = {offered.id: offered.name for offered in board.offered}
        self.forces = {detachment.id for detachment in board.detachments}
        self._described: dict[int, ViolationItem] = {}
        self._groups = {id(violation): group for group in group_violations(board.violations) for violation in group}
        self._needs = {id(violation): group for group in group_needs(board.violations) for violation in group}

    def describe_violation(self, violation: Violation) -> ViolationItem:
        """Describe a violation, its repetitions at equal places, and others that the same picks would fix."""
        needs = self._needs.get(id(violation), (violation,))
        violation = needs[0]
        group = self._groups.get(id(violation), (violation,))
        violation = group[0]
        if id(violation) in self._described:
            return self._described[id(violation)]
        books = self.board.evaluated_list.books
        if is_missing(violation):
            # Point only at the place that lacks something, not at what it has.
            concerned = [one.on for one in group]
            sentence = wording.format_addition(violation, books, self._name_counted(violation), len(group))
        else:
            concerned = [place for one in group for place in (*one.cause, one.on)]
            is_need = violation.lacking and violation.mendable and not violation.crowded
            if is_need:
                sentence = wording.format_need(needs, books, times=len(group))
            else:
                sentence = wording.format_violation(violation, books, times=len(group))
        has_counter = is_missing(violation) and len(group) == 1 and not wording.is_first_missing(violation)
        counter = f"{format_number(violation.measured)} / {format_number(violation.allowed)}" if has_counter else ""
        deeds = (
            DeedButton(
                words=wording.format_deed(deed), cost=wording.format_deed_cost(deed), fields=tuple(deed.fields.items())
            )
            for key in dict.fromkeys(one.key for one in needs)
            for deed in self._deeds.get(key, ())
        )
        links = self._link_units(violation, concerned)
        item = copy_with(
            build_violation_item(violation, sentence, self.board.evaluated_list.ruleset, links),
            counter=counter,
            report=f"{self.report_address}?on={make_violation_id(violation)}" if self.report_address else "",
            fits=self._suggest_fix(violation),
            deeds=tuple({deed.words: deed for deed in deeds}.values()),
            has_room=_may_have_deeds(violation),
        )
        self._described[id(violation)] = item
        return item

    def _name_counted(self, violation: Violation) -> str:
        named = self.types.get(self._find_asked_type(violation)) or capfirst(wording.get_counted_name(violation))
        return named.rstrip(" :")

    def _link_units(self, violation: Violation, concerned: Iterable[Location]) -> tuple[UnitLink, ...]:
        links: dict[str, UnitLink] = {}
        for place in concerned:
            unit = self.board.unit_by_node.get(place.id) if place.kind is PlaceKind.SELECTION else None
            if unit:
                anchor = "#" + make_dom_id("u", unit.id)
                href = f"?{urlencode({'at': unit.id})}{anchor}" if unit.id in self._later else anchor
                links.setdefault(unit.id, UnitLink(name=unit.custom_name or unit.name, href=href))
        # Advice about every unit points at none.
        is_advice = violation.severity is not Severity.ERROR
        if is_advice and len(links) == sum(
            len(force.selections) for force in self.board.evaluated_list.report.walk_forces()
        ):
            return ()
        if len(links) <= PLACES:
            return tuple(links.values())
        # Too many to show each: one link for each name.
        counted = Counter(link.name for link in links.values())
        first = {link.name: link for link in reversed(links.values())}
        return tuple(
            copy_with(first[name], name=f"{number} × {name}") if number > 1 else first[name]
            for name, number in counted.items()
        )

    def _suggest_fix(self, violation: Violation) -> SuggestedFix | None:
        if not violation.mendable or violation.on.kind is PlaceKind.SELECTION:
            return None
        # Its deed adds a detachment, unless it belongs to another faction.
        if is_missing(violation) and violation.counted_id in self.board.evaluated_list.ruleset.force_entry_ids:
            missing = list_missing_allies(self.board.evaluated_list.evaluation)
            allied = next((force for force in missing if violation.counted_id in force.names), None)
            if allied is None or not isinstance(allied.parent, ForceNode):
                return None
            address = "?" + urlencode({"node": allied.parent.document.id})
            return SuggestedFix(into="", type="", query=address, title=_("From another faction"), allies=True)
        into = violation.on.id if violation.on.id in self.forces else self.board.into
        query, title = {"into": into}, _("Add units")
        type_id = self._find_asked_type(violation)
        if type_id:
            query["type"], title = type_id, _("Show %(type)s") % {"type": self.types[type_id]}
        is_card = violation.counted_id == CARDS
        return SuggestedFix(into=into, type=type_id, query="?" + urlencode(query), title=title, deck=is_card)

    def describe_missing(self, violation: Violation, times: int = 1) -> MissingItem:
        item = self.describe_violation(violation)
        title = wording.format_open_slot(violation, self._name_counted(violation), times)
        return MissingItem(title=title, text=item.sentence.text)

    def _find_asked_type(self, violation: Violation) -> str:
        """Return the type of unit to add: too much of one type may need more of another."""
        if violation.measured > violation.allowed:
            return next((entry_id for entry_id in violation.mended_by if entry_id in self.types), "")
        if violation.counted_id in self.types:
            return violation.counted_id
        return next((type_id for type_id, name in self.types.items() if name and name == violation.counted), "")

    def build_verdict(self) -> VerdictRibbon:
        board = self.board
        violations = sorted(board.violations, key=lambda violation: SEVERITIES.index(violation.severity))
        # An empty list breaks no rule yet: show what it will need.
        broken = (violation for violation in violations if not (board.is_empty and violation.mendable))
        ribbon = VerdictRibbon(
            state=board.verdict.value,
            word=wording.get_verdict_word(board.verdict),
            tally=format_tally(board.verdict, board.evaluated_list.report.error_count),
            costs=tuple(cost for cost in board.totals if cost.type_id != board.evaluated_list.points_id),
            why=tuple(_offer_once(dict.fromkeys(map(self.describe_violation, broken)))),
            unchecked=tuple(wording.list_unchecked(board.unchecked, board.books)),
            unchosen=tuple(map(_link_setting, board.evaluated_list.open_choices)),
            report=self.report_address,
            facts=describe_facts(board.evaluated_list.report),
            reminders=tuple(list_reminders(board.evaluated_list)),
            rules=describe_counting_rules(board.evaluated_list),
        )
        if not board.is_empty:
            return ribbon
        needed = (
            violation for violation in violations if is_missing(violation) and violation.severity is Severity.ERROR
        )
        needs = tuple(dict.fromkeys(self.describe_missing(group[0], len(group)) for group in group_violations(needed)))
        return copy_with(ribbon, state=EMPTY, word=_("Empty"), tally="", needs=needs)


def _offer_once(items: Iterable[ViolationItem]) -> Iterator[ViolationItem]:
    """Drop deeds whose label an earlier item has."""
    offered: set[str] = set()
    for item in items:
        deeds = tuple(deed for deed in item.deeds if deed.words not in offered)
        offered.update(deed.words for deed in deeds)
        yield item if deeds == item.deeds else copy_with(item, deeds=deeds)


def _link_setting(place: Location) -> UnitLink:
    return UnitLink(name=place.name, href=f"?{urlencode({'open': place.id})}#{make_dom_id('u', place.id)}")


def build_violation_item(
    violation: Violation, sentence: Sentence, ruleset: Ruleset, links: tuple[UnitLink, ...] = ()
) -> ViolationItem:
    return ViolationItem(
        id=make_violation_id(violation),
        kind=classify_violation(violation),
        sentence=sentence,
        rule=find_rule_address(violation, ruleset),
        places=links[:PLACES],
        others=max(0, len(links) - PLACES),
    )


def _may_have_deeds(violation: Violation) -> bool:
    """Return whether a violation could have deeds, without trying any."""
    if violation.severity is not Severity.ERROR or violation.stage is not Stage.LIST:
        return False
    return bool(violation.choices) or violation.measured > violation.allowed or violation.mendable


def format_tally(verdict: Verdict, errors: int) -> str:
    """Format the number next to a verdict: "2 to do", "1 rule broken"."""
    if verdict is Verdict.LEGAL:
        return ""
    if verdict is Verdict.INCOMPLETE and not errors:
        return _("no units yet")
    if verdict is Verdict.INCOMPLETE:
        return ngettext("%d to do", "%d to do", errors) % errors
    return ngettext("%d rule broken", "%d rules broken", errors) % errors


def find_rule_address(violation: Violation, ruleset: Ruleset) -> str:
    system = ruleset.binding.game_system
    if not violation.rule or not system or not system.rulebook:
        return ""
    return f"{reverse('roster:rules', args=[system.id])}#{violation.rule}"


def classify_violation(violation: Violation) -> str:
    """Return the severity: an error is "incomplete" if more picks could fix it, else "illegal"."""
    if violation.severity is not Severity.ERROR:
        return violation.severity.value
    return "incomplete" if violation.mendable else "illegal"


def is_missing(violation: Violation) -> bool:
    return violation.mendable and violation.measured < violation.allowed


def make_violation_id(violation: Violation) -> str:
    parts = (violation.code, violation.on.id, violation.constraint_id, violation.counted_id)
    return f"v-{zlib.crc32(' '.join(parts).encode()):x}"
