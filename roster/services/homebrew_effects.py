"""Judge a few of an owner's lists by house rules that are not published yet."""

from collections.abc import Iterator
from dataclasses import dataclass

from catalogue.graph.ids import split_id
from catalogue.graph.ruleset import Ruleset
from catalogue.models import UnitEntry
from roster.engine.evaluation import OverdueError, expire_after
from roster.engine.report import CostTotal, Verdict
from roster.engine.tree import RosterTree
from roster.formats.homebrew.apply import RefusedLine
from roster.formats.homebrew.document import ChangedValue, Homebrew, HomebrewLine
from roster.models import Roster
from roster.services.evaluation import EvaluatedList, evaluate_with, forget_outlook, lend_evaluation
from roster.services.homebrew import collect_taken_ids, is_about
from roster.services.owners import Visitor, filter_owned
from roster.services.rulesets import collect_catalogue_ids, compile_draft
from roster.services.upgrade_data import PriceChange, list_price_changes

LISTS_SEARCHED = 12
LISTS_SHOWN = 5
LISTS_JUDGED = 3
SECONDS = 3.0
"""Of processor time, for all lists of one request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedState:
    points: CostTotal | None
    verdict: Verdict
    is_empty: bool
    homebrew: str

    @property
    def kind(self) -> str:
        """What overviews call the state: the verdict, or "empty"."""
        return "empty" if self.is_empty else self.verdict.value


@dataclass(frozen=True, slots=True, kw_only=True)
class HomebrewEffect:
    """A list before and after a change; both are None if it was not judged.

    `prices` are of units, `lines` all that affect the list. `refused` tells why its data does not take the new line.
    """

    roster: Roster
    has_unit: bool
    before: JudgedState | None = None
    after: JudgedState | None = None
    prices: tuple[PriceChange, ...] = ()
    lines: tuple[HomebrewLine, ...] = ()
    refused: RefusedLine | None = None


def list_effects(
    owner: Visitor, unit: UnitEntry, homebrew: Homebrew, line: ChangedValue, first: Roster | None = None
) -> list[HomebrewEffect]:
    """Judge the `first` list, and the owner's newest lists with the unit, by draft rules with a new `line`.

    Further lists of the unit's faction follow. The work is bounded, however many lists there are.
    """
    judge = _EffectJudge(homebrew, line)
    entry_ids = {*split_id(unit.entry_id), *filter(None, [line.entry])}
    effects: list[HomebrewEffect] = []
    others: list[HomebrewEffect] = []
    for roster in _find_lists(owner, unit, first):
        tree = roster.tree
        has_unit = not entry_ids.isdisjoint(collect_taken_ids(tree))
        if has_unit or roster is first:
            is_judged = len(effects) < LISTS_JUDGED
            effects.append(
                judge.judge_list(roster, tree, has_unit=has_unit)
                if is_judged
                else HomebrewEffect(roster=roster, has_unit=has_unit)
            )
        elif roster.faction_id == unit.faction.faction_id:
            others.append(HomebrewEffect(roster=roster, has_unit=False))
    return [*effects, *others][:LISTS_SHOWN]


def _find_lists(owner: Visitor, unit: UnitEntry, first: Roster | None) -> Iterator[Roster]:
    if first:
        yield first
    lists = Roster.objects.filter(binned=None, version__game=unit.faction.version.game_id)
    newest = filter_owned(owner, lists).select_related("version__game").order_by("-updated", "-pk")[:LISTS_SEARCHED]
    yield from (roster for roster in newest if first is None or roster.pk != first.pk)


class _EffectJudge:
    """Judges lists within the processor time of one request."""

    def __init__(self, homebrew: Homebrew, line: ChangedValue) -> None:
        self._homebrew, self._line = homebrew, line
        self._deadline = expire_after(SECONDS)
        self._compiled: dict[tuple[object, ...], tuple[Ruleset, tuple[RefusedLine, ...]]] = {}

    def judge_list(self, roster: Roster, tree: RosterTree, *, has_unit: bool) -> HomebrewEffect:
        try:
            self._deadline()
            ruleset, refused = self._compile_rules(roster, tree)
            after = evaluate_with(ruleset, tree, deadline=self._deadline)
        except OverdueError:
            return HomebrewEffect(roster=roster, has_unit=has_unit)
        taken, left_out = collect_taken_ids(tree), {id(one.line) for one in refused}
        with lend_evaluation(roster) as lent:
            # The draft was not looked ahead with, either.
            before = forget_outlook(lent)
            return HomebrewEffect(
                roster=roster,
                has_unit=has_unit,
                before=read_state(before),
                after=read_state(after),
                prices=tuple(list_price_changes(before, after)),
                lines=tuple(one for one in self._homebrew.lines if is_about(one, taken) and id(one) not in left_out),
                refused=next((one for one in refused if one.line is self._line), None),
            )

    def _compile_rules(self, roster: Roster, tree: RosterTree) -> tuple[Ruleset, tuple[RefusedLine, ...]]:
        # Most lists of a faction share one ruleset.
        key = (roster.version_id, roster.faction_id, tree.overlay, *sorted(collect_catalogue_ids(tree)))
        if key not in self._compiled:
            self._compiled[key] = compile_draft(roster.version, roster.faction_id, tree, self._homebrew)
        return self._compiled[key]


def read_state(evaluated_list: EvaluatedList) -> JudgedState:
    return JudgedState(
        points=evaluated_list.points,
        verdict=evaluated_list.verdict,
        is_empty=evaluated_list.is_empty,
        homebrew=evaluated_list.homebrew,
    )
