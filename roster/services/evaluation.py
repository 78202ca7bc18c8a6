"""Evaluate and summarise lists."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from typing import TypedDict

import msgspec

from catalogue.definitions.entries import CARDS, NO_LIMIT
from catalogue.definitions.numbers import Number, format_number
from catalogue.definitions.queries import Bound
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.ids import get_target_id
from catalogue.graph.ruleset import Ruleset
from catalogue.models import PackVersion
from catalogue.services.lru import Lru
from catalogue.services.texts import fold_text
from roster.engine.checks import list_checks, measure_check
from roster.engine.evaluate import build_report, list_untried
from roster.engine.evaluation import Deadline, Evaluation, expire_never
from roster.engine.model_profiles import holds_models, is_unit_node, list_model_nodes
from roster.engine.open_choices import list_open_choices
from roster.engine.plan import GamePlan
from roster.engine.report import (
    NOT_FINISHED,
    OTHER_FACTIONS,
    CostTotal,
    Location,
    Report,
    Verdict,
    Violation,
    find_cost,
)
from roster.engine.tree import Force, RosterTree, copy_with
from roster.models import Roster
from roster.models.roster import SEARCH_LENGTH, SHOWN_UNITS
from roster.services.limits import LOOKING_SECONDS
from roster.services.rulesets import Publications, get_publications, load_list_ruleset

UNKNOWN_CODES = (RuleCode.UNKNOWN_ENTRY, RuleCode.UNKNOWN_FORCE)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(RosterTree)
_outlook_decoder = msgspec.json.Decoder(tuple[Violation, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedList:
    """`points`, if any, is the cost that sizes the list."""

    evaluation: Evaluation
    report: Report
    points: CostTotal | None
    game: GamePlan | None = None

    @property
    def ruleset(self) -> Ruleset:
        return self.evaluation.ruleset

    @property
    def points_id(self) -> str:
        return self.points.type_id if self.points else ""

    @property
    def tree(self) -> RosterTree:
        return self.evaluation.roster.document

    @property
    def overlay_name(self) -> str:
        system = self.ruleset.binding.game_system
        return system.overlay_name if system else ""

    @property
    def homebrew(self) -> str:
        """The name of the house rules that changed the data, or ""."""
        system = self.ruleset.binding.game_system
        return system.homebrew if system else ""

    @property
    def missing_names(self) -> tuple[str, ...]:
        unknown = (violation.on for violation in self.report.violations if violation.code in UNKNOWN_CODES)
        return tuple(dict.fromkeys(place.name or place.entry_id for place in unknown))

    @property
    def knows_decks(self) -> bool:
        return bool(self.deck_ids)

    @property
    def deck_ids(self) -> frozenset[str]:
        return frozenset(deck.entry_id for catalogue in self.ruleset.data.catalogues for deck in catalogue.decks)

    @property
    def setting_ids(self) -> frozenset[str]:
        """Ids of settings and notes, which are not units and have no price. Needs the effective tree."""
        decks = self.deck_ids
        settings: set[str] = set()
        for force in self.report.walk_forces():
            for node in force.selections:
                # A placeholder counts as a unit, so that players notice it.
                costs = any(cost.value for cost in node.totals)
                is_unit = node.placeholder or holds_models(node) or node.profiles or costs
                if not is_unit and get_target_id(node.entry_id) not in decks:
                    settings.add(node.id)
        return frozenset(settings)

    @property
    def open_choices(self) -> tuple[Location, ...]:
        """Settings without a choice that no rule requires."""
        return list_open_choices(self.evaluation)

    @property
    def is_empty(self) -> bool:
        """Whether the list has only automatic contents, such as settings."""
        if self.points and self.points.value:
            return False
        # An entry that the data lacks is not automatic, so a player must have added it.
        nodes = self.evaluation.roster.selections
        return all(node.option and not is_unit_node(self.ruleset, node) for node in nodes)

    @property
    def verdict(self) -> Verdict:
        """The report's verdict; an empty legal list is incomplete."""
        verdict = self.report.verdict
        return Verdict.INCOMPLETE if verdict is Verdict.LEGAL and self.is_empty else verdict

    @property
    def books(self) -> Publications:
        return get_publications(self.ruleset)


def evaluate_list(
    version: PackVersion,
    faction_id: str,
    document: RosterTree | str | bytes,
    *,
    tree: bool = True,
    deadline: Deadline = expire_never,
) -> EvaluatedList:
    """Evaluate a list. Raises msgspec.ValidationError and OverdueError."""
    read = document if isinstance(document, RosterTree) else decode_tree(document)
    roster = copy_with(read, faction=faction_id)
    return evaluate_with(load_list_ruleset(version, faction_id, roster), roster, tree=tree, deadline=deadline)


def evaluate_with(
    ruleset: Ruleset,
    roster: RosterTree,
    game: GamePlan | None = None,
    *,
    tree: bool = True,
    look_ahead: bool = False,
    seconds: float = LOOKING_SECONDS,
    deadline: Deadline = expire_never,
    before: EvaluatedList | None = None,
    begun: Evaluation | None = None,
) -> EvaluatedList:
    """Evaluate a list with a loaded ruleset and, if given, its `game` plan.

    Unchanged parts of `before`, a similar list, are reused. `begun` is an evaluation without a report. With
    `look_ahead`, a list that cannot be completed is illegal; the report says if the search used up `seconds` of
    processor time.
    """
    # Offers and boards need the evaluation too.
    if begun and begun.ruleset is ruleset and begun.roster.document is roster and game is None:
        evaluation = begun
        evaluation.deadline = deadline
    else:
        evaluation = Evaluation(ruleset, roster, game, deadline=deadline)
    report = build_report(
        evaluation, tree=tree, look_ahead=look_ahead, seconds=seconds, before=before.evaluation if before else None
    )
    points, sized_by = None, ruleset.points_type
    if sized_by:
        nothing = CostTotal(type_id=sized_by.id, name=sized_by.name, value=0)
        points = find_cost(report.costs, sized_by.id) or nothing
    return EvaluatedList(evaluation=evaluation, report=report, points=points, game=game)


def evaluate_roster(roster: Roster, *, tree: bool = True) -> EvaluatedList:
    return recall_outlook(evaluate_list(roster.version, roster.faction_id, roster.tree, tree=tree), roster.outlook)


def recall_outlook(evaluated_list: EvaluatedList, outlook: str) -> EvaluatedList:
    """Add a stored outlook, so that all readers see the owner's verdict."""
    # Outlooks are only computed for incomplete lists.
    if not outlook or evaluated_list.report.verdict is not Verdict.INCOMPLETE:
        return evaluated_list
    try:
        dead_ends = _outlook_decoder.decode(outlook)
    except msgspec.ValidationError:
        return evaluated_list
    report = evaluated_list.report
    unchecked = (*report.unchecked, *list_untried(evaluated_list.ruleset, dead_ends))
    recalled = copy_with(report, violations=(*report.violations, *dead_ends), unchecked=unchecked)
    return replace(evaluated_list, report=recalled)


def forget_outlook(evaluated_list: EvaluatedList) -> EvaluatedList:
    report = evaluated_list.report
    violations = tuple(one for one in report.violations if one.code != RuleCode.NO_COMPLETION)
    unchecked = tuple(note for note in report.unchecked if note.code not in (NOT_FINISHED, OTHER_FACTIONS))
    return replace(evaluated_list, report=copy_with(report, violations=violations, unchecked=unchecked))


def get_cost_value(costs: Iterable[CostTotal], type_id: str) -> Number | None:
    """Return a cost, 0 if missing; None if a game has no points."""
    if not type_id:
        return None
    cost = find_cost(costs, type_id)
    return cost.value if cost else 0


def encode_tree(roster: RosterTree) -> str:
    """Encode a list as JSON; equal lists give equal text."""
    return _encoder.encode(copy_with(roster, faction="")).decode()


def decode_tree(document: str | bytes) -> RosterTree:
    """Decode a stored list. Raises msgspec.ValidationError."""
    return _decoder.decode(document)


def hash_document(document: str) -> str:
    return sha256(document.encode()).hexdigest()


class ListSummary(TypedDict):
    """Columns of `Roster`; `RosterRevision` has points, verdict, violations and outlook."""

    name: str
    search_text: str
    points: str
    limit: str
    cards: int | None
    cards_needed: int | None
    units: list[tuple[str, int, str]]
    verdict: str
    violations: int
    outlook: str
    homebrew: str


def summarize_list(evaluated_list: EvaluatedList) -> ListSummary:
    points = evaluated_list.points
    cards, needed = (None, None) if points else _count_cards(evaluated_list.evaluation)
    limits = (limit.value for limit in evaluated_list.tree.limits if points and limit.type_id == points.type_id)
    limit = next(limits, NO_LIMIT)
    return ListSummary(
        name=evaluated_list.tree.name,
        search_text=build_search_text(evaluated_list.tree),
        points=format_number(points.value) if points else "0",
        limit="" if limit < 0 else format_number(limit),
        cards=cards,
        cards_needed=needed,
        units=[
            (unit.custom_name or unit.name, unit.models, unit.emblem)
            for unit in islice(count_models(evaluated_list.evaluation), SHOWN_UNITS)
        ],
        verdict=evaluated_list.verdict.value,
        violations=evaluated_list.report.error_count,
        outlook=encode_outlook(evaluated_list),
        homebrew=evaluated_list.homebrew,
    )


def encode_outlook(evaluated_list: EvaluatedList) -> str:
    """Encode dead ends; "" for none."""
    violations = [
        violation for violation in evaluated_list.report.violations if violation.code == RuleCode.NO_COMPLETION
    ]
    return _encoder.encode(violations).decode() if violations else ""


def _count_cards(evaluation: Evaluation) -> tuple[int | None, int | None]:
    """Count a deck's cards and the required cards; None without a requirement."""
    about_cards = (
        measure_check(evaluation, check)
        for bound in (Bound.MIN, Bound.EXACTLY)
        for check in list_checks(evaluation, bound)
        if check.constraint.query.child_id == CARDS
    )
    sizes = [(int(check.allowed), int(check.measured)) for check in about_cards if check]
    # The largest requirement concerns the whole detachment, not a part of its deck.
    needed, count = max(sizes, default=(None, None))
    return count, needed


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitModels:
    """`name` is the data's, `custom_name` the player's or ""."""

    entry_id: str
    name: str
    custom_name: str
    models: int
    emblem: str


def count_models(evaluation: Evaluation) -> Iterator[UnitModels]:
    for unit in (unit for force in evaluation.roster.all_forces for unit in force.members):
        if is_unit_node(evaluation.ruleset, unit):
            document = unit.document
            yield UnitModels(
                entry_id=unit.entry_id,
                name=document.name if document else "",
                custom_name=document.custom_name if document else "",
                # A unit without models counts as one itself.
                models=sum(node.total for node in list_model_nodes(evaluation.ruleset, unit)) or unit.total,
                emblem=evaluation.ruleset.choose_emblem(unit.option) if unit.option else "",
            )


def build_search_text(tree: RosterTree) -> str:
    """Build text to search and sort by: the name, then a line with the words of units."""
    name = fold_text(tree.name)
    # Fold before cutting, as searches fold their words.
    words = (word for text in _list_unit_names(tree.forces) for word in fold_text(text).split())
    return "\n".join((name, " ".join(dict.fromkeys(words))))[:SEARCH_LENGTH].rstrip()


def _list_unit_names(forces: Iterable[Force]) -> Iterator[str]:
    for force in forces:
        for unit in force.selections:
            yield f"{unit.custom_name} {unit.name}"
        yield from _list_unit_names(force.forces)


# ---- recent evaluations ----------------------------------------------------------------------------------------------


LISTS_REMEMBERED = 12
"""An evaluated list takes up to ten megabytes, forty times as much as its document."""

EvaluationKey = tuple[int, str, str]

# After an edit, the page asks several questions about one revision.
_recent: Lru[EvaluationKey, EvaluatedList] = Lru(LISTS_REMEMBERED)


def take_evaluation(version: PackVersion, faction_id: str, document: str) -> EvaluatedList:
    """Take a list without outlook out of the cache, because evaluations compute lazily."""
    evaluated_list = _recent.take((version.pk, faction_id, document))
    # Reloading data makes a new ruleset of the same version.
    if evaluated_list is not None and evaluated_list.ruleset is load_list_ruleset(
        version, faction_id, evaluated_list.tree
    ):
        return evaluated_list
    return evaluate_list(version, faction_id, document)


@contextmanager
def lend_evaluation(roster: Roster, evaluated_list: EvaluatedList | None = None) -> Iterator[EvaluatedList]:
    """Lend an evaluation with its outlook, and cache it on success."""
    lent = evaluated_list or recall_outlook(
        take_evaluation(roster.version, roster.faction_id, roster.document), roster.outlook
    )
    yield lent
    key = (roster.version_id, roster.faction_id, roster.document)
    _recent.put(key, forget_outlook(lent))


@contextmanager
def borrow_evaluation(version: PackVersion, faction_id: str, document: str) -> Iterator[EvaluatedList | None]:
    key = (version.pk, faction_id, document)
    lent = _recent.take(key)
    yield lent
    if lent:
        _recent.put(key, lent)


def forget_evaluations() -> None:
    _recent.clear()
