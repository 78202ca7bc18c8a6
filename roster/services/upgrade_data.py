"""Compare lists, and move a list to another version of its data."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from catalogue.definitions.numbers import Number
from catalogue.models import Faction, PackVersion
from catalogue.services.releases import find_published_on, list_published_versions
from roster.engine.compare import Difference, DifferenceKind, DifferencePart, compare_rosters, rename_selections
from roster.engine.edits import Refused
from roster.engine.namesakes import Namesake, take_namesakes
from roster.engine.report import EffectiveForce, EffectiveSelection, Report, Verdict, Violation
from roster.models import Roster, RosterRevision
from roster.services.evaluation import EvaluatedList, evaluate_list, get_cost_value
from roster.services.outcomes import Conflict, Outcome
from roster.services.revisions import NewRevision, append_revision


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedList:
    evaluated_list: EvaluatedList
    version: PackVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class CostChange:
    type_id: str
    name: str
    before: Number
    after: Number

    @property
    def more(self) -> Number:
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Only the second list has the violations `new`, only the first `gone`.

    `missing` names contents that the second list's version lacks.
    """

    before: ComparedList
    after: ComparedList
    differences: tuple[Difference, ...]
    costs: tuple[CostChange, ...]
    new: tuple[Violation, ...]
    gone: tuple[Violation, ...]
    missing: tuple[str, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, Verdict]:
        return self.before.evaluated_list.verdict, self.after.evaluated_list.verdict

    @property
    def same(self) -> bool:
        return not self.differences and self.before.version.pk == self.after.version.pk


def evaluate_compared_list(held: Roster | RosterRevision, faction_id: str) -> ComparedList:
    return ComparedList(evaluated_list=evaluate_list(held.version, faction_id, held.tree), version=held.version)


def compare_lists(before: ComparedList, after: ComparedList, *, one_list: bool = True) -> Comparison:
    """Compare two states of one list, or two lists without their names and notes."""
    one, other = before.evaluated_list, after.evaluated_list
    differences = compare_rosters(one.tree, other.tree)
    if not one_list:
        differences = tuple(
            difference
            for difference in differences
            if difference.what is not DifferencePart.LIST
            or difference.kind in (DifferenceKind.LIMIT, DifferenceKind.RULES)
        )
    return Comparison(
        before=before,
        after=after,
        differences=differences,
        costs=tuple(_compare_costs(one.report, other.report)),
        new=_subtract_violations(other.report.violations, one.report.violations),
        gone=_subtract_violations(one.report.violations, other.report.violations),
        missing=other.missing_names if before.version.pk != after.version.pk else (),
    )


def _compare_costs(before: Report, after: Report) -> Iterable[CostChange]:
    # By type, not by place: another version may have other costs.
    was = {cost.type_id: cost for cost in before.costs if not cost.hidden}
    now = {cost.type_id: cost for cost in after.costs if not cost.hidden}
    for type_id, cost in (was | now).items():
        old = was[type_id].value if type_id in was else 0
        new = now[type_id].value if type_id in now else 0
        yield CostChange(type_id=type_id, name=cost.name, before=old, after=new)


def _subtract_violations(these: Iterable[Violation], those: Iterable[Violation]) -> tuple[Violation, ...]:
    like = Counter(violation.rule_key for violation in those)
    remaining = []
    for violation in these:
        key = violation.rule_key
        if like[key]:
            like[key] -= 1
        else:
            remaining.append(violation)
    return tuple(remaining)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceChange:
    name: str
    before: Number
    after: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradePreview:
    """`namesakes` could replace unknown contents; `mended` is the verdict after that."""

    comparison: Comparison
    repriced: tuple[PriceChange, ...]
    namesakes: tuple[Namesake, ...] = ()
    mended: Verdict | None = None

    @property
    def homebrew(self) -> str:
        return self.comparison.after.evaluated_list.homebrew


def list_versions(roster: Roster) -> list[PackVersion]:
    """List versions that a list may use, newest first."""
    versions = [one.version for one in list_published_versions(roster.version.game)]
    # The list's version may have been withdrawn.
    return versions if roster.version in versions else [*versions, roster.version]


def find_version(roster: Roster, short_hash: str) -> PackVersion | None:
    return next((version for version in list_versions(roster) if version.short_hash == short_hash), None)


def find_version_on(roster: Roster, day: date) -> PackVersion | None:
    """Find the game's current version on a day, None before the first."""
    return find_published_on(roster.version.game, day)


def preview_upgrade(roster: Roster, version: PackVersion) -> UpgradePreview:
    before = evaluate_compared_list(roster, roster.faction_id)
    # Rename first, or every renamed unit would be a difference.
    after = _evaluate_renamed(before.evaluated_list, roster.faction_id, version)
    # The page shows the result beforehand.
    mended, namesakes = _take_namesakes(after, roster.faction_id, version)
    return UpgradePreview(
        comparison=compare_lists(before, ComparedList(evaluated_list=after, version=version)),
        repriced=tuple(list_price_changes(before.evaluated_list, after)),
        namesakes=namesakes,
        mended=mended.verdict if namesakes else None,
    )


def upgrade_list(roster: Roster, on_revision: int, version: PackVersion, *, mend: bool = False) -> Outcome:
    """Move a list to another version as a new revision. With `mend`, namesakes replace unknown contents."""
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    if version.pk == roster.version_id:
        return Refused(code="same-version")
    # Check before judging, which needs the faction.
    if not Faction.objects.filter(version=version, faction_id=roster.faction_id).exists():
        return Refused(code="unknown-faction", subject_id=roster.faction_id)
    evaluated_list = evaluate_list(roster.version, roster.faction_id, roster.tree)
    after = _evaluate_renamed(evaluated_list, roster.faction_id, version)
    if mend:
        after, _ = _take_namesakes(after, roster.faction_id, version)
    label = version.label or version.short_hash
    return append_revision(roster, NewRevision(evaluated_list=after, version=version, act="move-data", subject=label))


def _evaluate_renamed(before: EvaluatedList, faction_id: str, version: PackVersion) -> EvaluatedList:
    after = evaluate_list(version, faction_id, before.tree)
    was, now = index_data_names(before.report), index_data_names(after.report)
    # The player's own names stay.
    others = {key: name for key, name in now.items() if key in was and was[key] != name}
    return evaluate_list(version, faction_id, rename_selections(before.tree, others)) if others else after


def _take_namesakes(
    evaluated_list: EvaluatedList, faction_id: str, version: PackVersion
) -> tuple[EvaluatedList, tuple[Namesake, ...]]:
    if not evaluated_list.missing_names:
        return evaluated_list, ()
    tree, namesakes = take_namesakes(evaluated_list.ruleset, evaluated_list.tree)
    return (evaluate_list(version, faction_id, tree) if namesakes else evaluated_list), namesakes


def index_data_names(report: Report) -> dict[str, str]:
    """Index the names that the data gives to contents, without placeholders."""
    names: dict[str, str] = {}
    for unit in walk_units(report.forces):
        for selection in unit.walk():
            if not selection.placeholder:
                names[selection.id] = selection.name
    return names


def walk_units(forces: Iterable[EffectiveForce]) -> Iterable[EffectiveSelection]:
    for force in forces:
        for inner in force.walk_forces():
            yield from inner.selections


def list_price_changes(before: EvaluatedList, after: EvaluatedList) -> Iterable[PriceChange]:
    """Yield units whose prices differ between two evaluations of one list."""
    was, now = _index_prices(before), _index_prices(after)
    for key, (name, points) in now.items():
        if key in was and was[key][1] != points:
            yield PriceChange(name=name, before=was[key][1], after=points)


def _index_prices(evaluated_list: EvaluatedList) -> Mapping[str, tuple[str, Number]]:
    type_id = evaluated_list.points_id
    return {
        unit.id: (unit.custom_name or unit.name, get_cost_value(unit.totals, type_id) or 0)
        for unit in walk_units(evaluated_list.report.forces)
        if not unit.placeholder
    }
