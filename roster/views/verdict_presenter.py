"""The verdict as pages show it: what is wrong, by which rule, where, and how to fix it."""

import re
import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from urllib.parse import urlencode

import msgspec
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.entries import CARDS
from catalogue.definitions.numbers import format_number
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.ruleset import Ruleset
from roster import wording
from roster.engine.report import CostTotal, Location, PlaceKind, Verdict, Violation, ViolationKey
from roster.engine.tree import copy_with
from roster.services.board import Board
from roster.services.board.shapes import Shape
from roster.services.deeds import MOST_OFFERED, Deed
from roster.services.evaluation import EvaluatedList
from roster.wording import Sentence
from roster.wording.figures import ListFact, Reminder, describe_facts, list_reminders

PLACES = 8
EMPTY = "empty"
SEVERITIES = tuple(Severity)
"""Those that decide a verdict first."""
SENTENCE_ENDS = (".", "!", "?")

Deeds = Mapping[ViolationKey, tuple[Deed, ...]]
"""What mends each violation."""
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")


class UnitLink(Shape):
    """A unit that a violation points at."""

    name: str
    href: str


class SuggestedFix(Shape):
    """Where the page says what would mend it: a detachment, and a type of unit where one is asked for, or the deck."""

    into: str
    type: str
    query: str
    title: str
    deck: bool = False


class DeedButton(Shape):
    """A deed as a button: its words, what the list then costs more or less, and the fields of its form."""

    words: str
    cost: str
    fields: tuple[tuple[str, str], ...]


class ViolationItem(Shape):
    """A violation in words, and what the page adds: its mark, the address of its rule, the units it points at.

    `kind`: illegal, incomplete (more picks could mend it), warning or remark. `counter` is how many there are of how
    many of what is missing, blank where the headline says it. `room` is how many deeds it has at most: they come when
    the page is there already, and nothing is to move then.
    """

    id: str
    kind: str
    sentence: Sentence
    counter: str = ""
    rule: str = ""
    places: tuple[UnitLink, ...] = ()
    others: int = 0
    fits: SuggestedFix | None = None
    deeds: tuple[DeedButton, ...] = ()
    room: int = 0

    @property
    def spare(self) -> range:
        """The lines that were kept free for deeds and have none."""
        stands_in = self.fits and not (self.deeds or self.fits.type or self.fits.deck)
        return range(self.room - len(self.deeds) - bool(stands_in))

    @property
    def key(self) -> str:
        """A text that differs when the item shows something else."""
        return f"{self.id} {zlib.crc32(msgspec.json.encode(self)):x}"


class MissingItem(Shape):
    """Something that is required and not there: a dashed slot. `type` is the category that fills it, if one does.

    `advised`: nothing demands it. `deck`: it is filled in the deck.
    """

    title: str
    text: str = ""
    type: str = ""
    advised: bool = False
    deck: bool = False


class VerdictRibbon(Shape):
    """The ribbon and what is below it. `needs` is what an empty list will need; then nothing of it is wrong yet."""

    state: str
    word: str
    tally: str
    costs: tuple[CostTotal, ...]
    why: tuple[ViolationItem, ...]
    unchecked: tuple[str, ...]
    needs: tuple[MissingItem, ...] = ()
    facts: tuple[ListFact, ...] = ()
    reminders: tuple[Reminder, ...] = ()


def make_dom_id(kind: str, node_id: str) -> str:
    """Make the id on the page of a part of the list."""
    if _PLAIN.fullmatch(node_id):
        return f"{kind}-{node_id}"
    return f"{kind}-{zlib.crc32(node_id.encode()):x}"


class VerdictPresenter:
    """Says what is wrong with a board: each violation once, with the places on the page it points at.

    `later` are units whose rows the page does not have yet: what points at them asks for a page that has them.
    """

    def __init__(self, board: Board, deeds: Deeds | None = None, later: Collection[str] = ()) -> None:
        self.board = board
        self._later = later
        self._deeds = deeds or {}
        self.unit_of = _index_units(board)
        self.types = {offered.id: offered.name for offered in board.offered}
        self.forces = {detachment.id for detachment in board.detachments}
        self._said: dict[int, ViolationItem] = {}

    def describe_violation(self, violation: Violation) -> ViolationItem:
        """Put a violation into words, once however often it is shown."""
        item = self._said.get(id(violation))
        if item is None:
            item = self._said[id(violation)] = self._build_violation_item(violation)
        return item

    def _build_violation_item(self, violation: Violation) -> ViolationItem:
        # Of what is missing, only where it goes is pointed at: what is there already does not have to go.
        concerned = (violation.on,) if is_missing(violation) else (*violation.cause, violation.on)
        links, fits = self._link_units(violation, concerned), self._suggest_fix(violation)
        item = build_violation_item(violation, self.board.judged, links=links, fits=fits)
        if is_missing(violation):
            # What is missing is said as what there is to do, and how many there are of it in figures.
            headline, text = item.sentence.headline, item.sentence.text
            sentence = replace(
                item.sentence,
                headline=self._name_addition(violation, headline),
                detail="",
                text=f"{headline}: {text}" if text else "",
            )
            counter = f"{format_number(violation.measured)} / {format_number(violation.allowed)}"
            item = copy_with(item, sentence=sentence, counter="" if _is_first_missing(violation) else counter)
        buttons = tuple(
            DeedButton(
                words=wording.format_deed(deed), cost=wording.format_deed_cost(deed), fields=tuple(deed.fields.items())
            )
            for deed in self._deeds.get(violation.key, ())
        )
        return copy_with(item, deeds=buttons, room=_count_deed_room(violation))

    def _name_addition(self, violation: Violation, headline: str) -> str:
        """Say what is to be added: "Add 1 Troops", "No warlord yet"."""
        name = self._name_counted(violation) or headline
        # Authors of data also name things by what their readers are to do: "You need to add a regiment."
        if violation.severity is not Severity.ERROR or name.endswith(SENTENCE_ENDS):
            return name
        if _is_first_missing(violation):
            return _("No %(name)s yet") % {"name": wording.write_leader(name)}
        missing = format_number(violation.allowed - violation.measured)
        return _("Add %(number)s %(name)s") % {"number": missing, "name": name}

    def _name_counted(self, violation: Violation) -> str:
        named = self.types.get(self._find_asked_type(violation)) or capfirst(wording.get_counted_name(violation))
        return named.rstrip(" :")

    def _link_units(self, violation: Violation, concerned: Iterable[Location]) -> tuple[UnitLink, ...]:
        links: dict[str, UnitLink] = {}
        for place in concerned:
            unit = self.unit_of.get(place.id) if place.kind is PlaceKind.SELECTION else None
            if unit is None:
                continue
            unit_id, name = unit
            address = "#" + make_dom_id("u", unit_id)
            if unit_id in self._later:
                address = f"?{urlencode({'at': unit_id})}{address}"
            links.setdefault(unit_id, UnitLink(name=name, href=address))
        # Advice about every unit points at none.
        is_everywhere = len(links) == len(set(self.unit_of.values()))
        return () if is_everywhere and violation.severity is not Severity.ERROR else tuple(links.values())

    def _suggest_fix(self, violation: Violation) -> SuggestedFix | None:
        if not violation.mendable or violation.on.kind is PlaceKind.SELECTION:
            return None
        into = violation.on.id if violation.on.id in self.forces else self.board.into
        type_id = self._find_asked_type(violation)
        query = {"into": into, "type": type_id} if type_id else {"into": into}
        return SuggestedFix(
            into=into,
            type=type_id,
            query="?" + urlencode(query),
            title=_("Show %(type)s") % {"type": self.types[type_id]} if type_id else _("Add units"),
            deck=violation.counted_id == CARDS,
        )

    def describe_missing(self, violation: Violation) -> MissingItem:
        """Present a violation that more picks would mend as an empty slot: "Core: 2 more"."""
        wanted = self._find_asked_type(violation)
        item = self.describe_violation(violation)
        missing = violation.allowed - violation.measured
        named = self._name_counted(violation) or item.sentence.headline
        advised = violation.severity is not Severity.ERROR
        if advised:
            title = _("room for %(n)s %(name)s")
        elif missing == 1 and wording.reads_as_plural(named):
            # The number comes last if one is missing of what reads as several.
            title = _("%(name)s: %(n)s")
        else:
            title = _("%(n)s %(name)s")
        return MissingItem(
            title=title % {"name": wording.write_leader(named), "n": format_number(missing)},
            text=item.sentence.text,
            type=wanted,
            advised=advised,
            deck=violation.counted_id == CARDS,
        )

    def _find_asked_type(self, violation: Violation) -> str:
        """Find the type of unit that a violation asks for, by its id or, where its places are counted, by its name.

        Where there is too much of one type, more of another may be what is asked for.
        """
        if violation.measured > violation.allowed:
            return next((entry_id for entry_id in violation.mended_by if entry_id in self.types), "")
        if violation.counted_id in self.types:
            return violation.counted_id
        names = self.types.items()
        return next((type_id for type_id, name in names if name and name == violation.counted), "")

    def build_verdict(self) -> VerdictRibbon:
        """Present the ribbon and everything below it, errors first."""
        board = self.board
        violations = sorted(board.violations, key=lambda violation: SEVERITIES.index(violation.severity))
        # An opening move breaks no rule: what is missing is said as what the list will need.
        wrong = [violation for violation in violations if not (board.is_empty and violation.mendable)]
        points_id = board.judged.points_id
        ribbon = VerdictRibbon(
            state=board.verdict.value,
            word=wording.get_verdict_word(board.verdict),
            tally=format_tally(board.verdict, len(board.judged.report.errors)),
            costs=tuple(cost for cost in board.totals if cost.type_id != points_id),
            why=tuple(dict.fromkeys(map(self.describe_violation, wrong))),
            unchecked=tuple(wording.list_unchecked(board.unchecked, board.books)),
            facts=describe_facts(board.judged.report),
            reminders=tuple(list_reminders(board.judged)),
        )
        if not board.is_empty:
            return ribbon
        needed = [lack for lack in violations if is_missing(lack) and lack.severity is Severity.ERROR]
        needs = tuple(dict.fromkeys(map(self.describe_missing, needed)))
        return copy_with(ribbon, state=EMPTY, word=_("Empty"), tally="", needs=needs)


def build_violation_item(
    violation: Violation,
    judged: EvaluatedList,
    *,
    place: str = "",
    links: tuple[UnitLink, ...] = (),
    fits: SuggestedFix | None = None,
) -> ViolationItem:
    """Put a violation into words for a page; `place` is added to the headline where that does not name it."""
    sentence = wording.format_violation(violation, judged.books)
    if place and place not in sentence.headline:
        sentence = replace(sentence, headline=f"{sentence.headline} ({place})")
    return ViolationItem(
        id=make_violation_id(violation),
        kind=classify_violation(violation),
        sentence=sentence,
        rule=find_rule_address(violation, judged.ruleset),
        places=links[:PLACES],
        others=max(0, len(links) - PLACES),
        fits=fits,
    )


def _count_deed_room(violation: Violation) -> int:
    """Return how many deeds a violation has at most, as far as that is known before any is tried."""
    if violation.severity is not Severity.ERROR or violation.stage is not Stage.LIST:
        return 0
    if violation.choices:
        return min(MOST_OFFERED, len(violation.choices))
    if violation.measured <= violation.allowed:
        return MOST_OFFERED if violation.mendable else 0
    if violation.mended_by or violation.code == RuleCode.COST_LIMIT or violation.on.kind is PlaceKind.SELECTION:
        return MOST_OFFERED
    # There is too much: what the violation names can be taken out, each name once.
    names = {place.name for place in violation.cause}
    return min(MOST_OFFERED, len(names) or MOST_OFFERED)


def format_tally(verdict: Verdict, errors: int) -> str:
    """Say how much decides a verdict: "2 to do", "1 rule broken"."""
    if verdict is Verdict.LEGAL:
        return ""
    if verdict is Verdict.INCOMPLETE and not errors:
        return _("no units yet")
    if verdict is Verdict.INCOMPLETE:
        return ngettext("%d to do", "%d to do", errors) % errors
    return ngettext("%d rule broken", "%d rules broken", errors) % errors


def find_rule_address(violation: Violation, ruleset: Ruleset) -> str:
    """Return the address of the rule in the game's rule ledger; blank for data that lists no rules."""
    system = ruleset.binding.game_system
    if not violation.rule or not system or not system.rulebook:
        return ""
    return f"{reverse('roster:rules', args=[system.id])}#{violation.rule}"


def classify_violation(violation: Violation) -> str:
    """Tell how a violation is marked: by its severity, an error by whether more picks could mend it."""
    if violation.severity is not Severity.ERROR:
        return violation.severity.value
    return "incomplete" if violation.mendable else "illegal"


def is_missing(violation: Violation) -> bool:
    """Tell whether something is missing, so that the page shows an empty slot for it."""
    return violation.mendable and violation.measured < violation.allowed


def _is_first_missing(violation: Violation) -> bool:
    """Return whether the only one that is needed is missing, which a figure would say twice."""
    return violation.severity is Severity.ERROR and not violation.measured and violation.allowed == 1


def make_violation_id(violation: Violation) -> str:
    """Make the id on the page of a violation."""
    parts = (violation.code, violation.on.id, violation.constraint_id, violation.counted_id)
    return f"v-{zlib.crc32(' '.join(parts).encode()):x}"


def _index_units(board: Board) -> dict[str, tuple[str, str]]:
    """Map each selection of the list to the unit it is or belongs to: id and name."""
    unit_by_selection: dict[str, tuple[str, str]] = {}
    for force in board.judged.report.walk_forces():
        for unit in force.selections:
            for selection in unit.walk():
                unit_by_selection[selection.id] = (unit.id, unit.custom_name or unit.name)
    return unit_by_selection
