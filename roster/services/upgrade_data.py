"""Compare two lists or two states of one, and move a list to another version of its game's data."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
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
    """One of the two: a list by the rules of one version."""

    judged: EvaluatedList
    version: PackVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class CostChange:
    """How much a cost type came to and comes to now."""

    type_id: str
    name: str
    before: Number
    after: Number

    @property
    def more(self) -> Number:
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How the second of two lists differs from the first. `roster.wording.summarize_comparison` makes the sentences.

    `new` are the violations that only the second has, `gone` those that only the first has. `missing` names what other
    data does not have of the second: that stays as a placeholder.
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
        return self.before.judged.verdict, self.after.judged.verdict

    @property
    def same(self) -> bool:
        """Whether nothing differs, not even the data."""
        return not self.differences and self.before.version.pk == self.after.version.pk


def evaluate_compared_list(held: Roster | RosterRevision, faction_id: str) -> ComparedList:
    """Evaluate what a list is now, or was at a revision, by its own data."""
    return ComparedList(judged=evaluate_list(held.version, faction_id, held.tree), version=held.version)


def compare_lists(before: ComparedList, after: ComparedList, *, one_list: bool = True) -> Comparison:
    """Compare two states of one list or, without `one_list`, two lists; of those, name and notes are left out."""
    one, other = before.judged, after.judged
    differences = compare_rosters(one.tree, other.tree)
    if not one_list:
        # Two lists have names and notes of their own.
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
    # By type, not by place: another version may know other costs.
    was = {cost.type_id: cost for cost in before.costs if not cost.hidden}
    now = {cost.type_id: cost for cost in after.costs if not cost.hidden}
    for type_id, cost in (was | now).items():
        old = was[type_id].value if type_id in was else 0
        new = now[type_id].value if type_id in now else 0
        yield CostChange(type_id=type_id, name=cost.name, before=old, after=new)


def _subtract_violations(these: Iterable[Violation], those: Iterable[Violation]) -> tuple[Violation, ...]:
    """Return the violations of `these` without a counterpart in `those`, one for one."""
    # A multiset: two equal violations in one list and one in the other differ by one.
    like = Counter(_identify_violation(violation) for violation in those)
    remaining = []
    for violation in these:
        key = _identify_violation(violation)
        if like[key]:
            like[key] -= 1
        else:
            remaining.append(violation)
    return tuple(remaining)


def _identify_violation(violation: Violation) -> Hashable:
    """Return what makes a violation the same in two lists: its rule and subject, not its figures or its unit."""
    on = violation.on
    # By entry, not by selection: two lists have no selections in common.
    return (violation.code, violation.constraint_id, violation.owner_id, violation.counted_id, on.kind, on.entry_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceChange:
    """A unit that costs otherwise than before."""

    name: str
    before: Number
    after: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradePreview:
    """What a version would make of a list. What is called otherwise stands among the differences of the comparison.

    `namesakes` are entries of the same name for what that version does not know by its id; `mended` is the verdict of
    the list with them.
    """

    comparison: Comparison
    repriced: tuple[PriceChange, ...]
    namesakes: tuple[Namesake, ...] = ()
    mended: Verdict | None = None


def list_versions(roster: Roster) -> list[PackVersion]:
    """Return the versions that a list may be moved to, the newest first, and the one it has."""
    versions = [one.version for one in list_published_versions(roster.version.game)]
    # A list may be of data that was held back again since.
    return versions if roster.version in versions else [*versions, roster.version]


def find_version(roster: Roster, short_hash: str) -> PackVersion | None:
    """Return the version among those whose hash begins with `short_hash`."""
    return next((version for version in list_versions(roster) if version.short_hash == short_hash), None)


def find_version_on(roster: Roster, day: date) -> PackVersion | None:
    """Return the version that was current for the list's game on a day; None before its first."""
    return find_published_on(roster.version.game, day)


def preview_upgrade(roster: Roster, version: PackVersion) -> UpgradePreview:
    """Return what a version would make of a list. Nothing is stored."""
    before = evaluate_compared_list(roster, roster.faction_id)
    # The names of the data first, else every unit that was renamed would be a difference of the list.
    after = _evaluate_renamed(before.judged, roster.faction_id, version)
    # Tried at once, so that the page can say what taking them would come to before anybody does.
    mended, namesakes = _take_namesakes(after, roster.faction_id, version)
    return UpgradePreview(
        comparison=compare_lists(before, ComparedList(judged=after, version=version)),
        repriced=tuple(_list_price_changes(before.judged, after)),
        namesakes=namesakes,
        mended=mended.verdict if namesakes else None,
    )


def upgrade_list(roster: Roster, on_revision: int, version: PackVersion, *, mend: bool = False) -> Outcome:
    """Judge a list by another version from now on, as a new revision; undo goes back to the version before.

    With `mend`, what that version does not know by its id becomes the entry of the same name at its place.
    `unknown-faction` where that version does not have the list's faction.
    """
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    if version.pk == roster.version_id:
        return Refused(code="same-version")
    # Asked before the list is judged: without its faction nothing in it could be.
    if not Faction.objects.filter(version=version, faction_id=roster.faction_id).exists():
        return Refused(code="unknown-faction", subject_id=roster.faction_id)
    judged = evaluate_list(roster.version, roster.faction_id, roster.tree)
    after = _evaluate_renamed(judged, roster.faction_id, version)
    if mend:
        after, _ = _take_namesakes(after, roster.faction_id, version)
    label = version.label or version.short_hash
    return append_revision(roster, NewRevision(judged=after, version=version, act="move-data", subject=label))


def _evaluate_renamed(before: EvaluatedList, faction_id: str, version: PackVersion) -> EvaluatedList:
    """Evaluate the list by another version, with everything named as that version names it."""
    after = evaluate_list(version, faction_id, before.tree)
    was, now = index_data_names(before.report), index_data_names(after.report)
    # Names the user gave stay; only names of the data follow the data.
    others = {key: name for key, name in now.items() if key in was and was[key] != name}
    return evaluate_list(version, faction_id, rename_selections(before.tree, others)) if others else after


def _take_namesakes(
    judged: EvaluatedList, faction_id: str, version: PackVersion
) -> tuple[EvaluatedList, tuple[Namesake, ...]]:
    """Return a list with the entries of the same name for what its version does not know, and those entries."""
    if not judged.missing_names:
        return judged, ()
    tree, namesakes = take_namesakes(judged.ruleset, judged.tree)
    return (evaluate_list(version, faction_id, tree) if namesakes else judged), namesakes


def index_data_names(report: Report) -> dict[str, str]:
    """Return what the data calls each selection, by id, without placeholders."""
    names: dict[str, str] = {}
    for unit in walk_units(report.forces):
        for selection in unit.walk():
            if not selection.placeholder:
                names[selection.id] = selection.name
    return names


def walk_units(forces: Iterable[EffectiveForce]) -> Iterable[EffectiveSelection]:
    """Yield the units of all detachments, also of those inside others."""
    for force in forces:
        for inner in force.walk_forces():
            yield from inner.selections


def _list_price_changes(before: EvaluatedList, after: EvaluatedList) -> Iterable[PriceChange]:
    was, now = _index_prices(before), _index_prices(after)
    for key, (name, points) in now.items():
        # What only one of the versions knows has no two prices to compare.
        if key in was and was[key][1] != points:
            yield PriceChange(name=name, before=was[key][1], after=points)


def _index_prices(judged: EvaluatedList) -> Mapping[str, tuple[str, Number]]:
    """Return what each unit is called and what it costs, by its id."""
    type_id = judged.points_id
    return {
        unit.id: (unit.custom_name or unit.name, get_cost_value(unit.totals, type_id) or 0)
        for unit in walk_units(judged.report.forces)
        if not unit.placeholder
    }
