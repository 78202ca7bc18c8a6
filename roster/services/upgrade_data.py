"""Moving a list to another version of its game's data: what that would do, and doing it when its owner asks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from catalogue.definitions.numbers import Number
from catalogue.models import Faction, PackVersion
from catalogue.services.releases import find_published_on, list_published_versions
from roster.engine.compare import rename_selections
from roster.engine.edits import Refused
from roster.engine.report import EffectiveForce, EffectiveSelection, Report
from roster.models import Roster
from roster.services.comparison import ComparedList, Comparison, compare_lists, evaluate_compared_list
from roster.services.evaluation import EvaluatedList, evaluate_list, get_cost_value
from roster.services.outcomes import Conflict, Outcome
from roster.services.revision_store import NewRevision, append_revision


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceChange:
    """A unit that costs otherwise than before."""

    name: str
    before: Number
    after: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradePreview:
    """What a version would make of a list. What is called otherwise stands among the differences of the comparison."""

    comparison: Comparison
    repriced: tuple[PriceChange, ...]


def list_versions(roster: Roster) -> list[PackVersion]:
    """Return the versions that a list may be moved to, the newest first, and the one it has."""
    versions = [one.version for one in list_published_versions(roster.version.game)]
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
    after = _evaluate_renamed(before.judged, roster.faction_id, version)
    return UpgradePreview(
        comparison=compare_lists(before, ComparedList(judged=after, version=version)),
        repriced=tuple(_list_price_changes(before.judged, after)),
    )


def upgrade_list(roster: Roster, on_revision: int, version: PackVersion) -> Outcome:
    """Judge a list by another version from now on, as a new revision; undo goes back to the version before.

    `unknown-faction` where that version does not have the list's faction.
    """
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    if version.pk == roster.version_id:
        return Refused(code="same-version")
    if not Faction.objects.filter(version=version, faction_id=roster.faction_id).exists():
        return Refused(code="unknown-faction", subject_id=roster.faction_id)
    judged = evaluate_list(roster.version, roster.faction_id, roster.tree)
    after = _evaluate_renamed(judged, roster.faction_id, version)
    label = version.label or version.short_hash
    return append_revision(roster, NewRevision(judged=after, version=version, act="move-data", subject=label))


def _evaluate_renamed(before: EvaluatedList, faction_id: str, version: PackVersion) -> EvaluatedList:
    """Evaluate the list by another version, with everything named as that version names it."""
    after = evaluate_list(version, faction_id, before.tree)
    was, now = index_data_names(before.report), index_data_names(after.report)
    # Names the user gave stay; only names of the data follow the data.
    others = {key: name for key, name in now.items() if key in was and was[key] != name}
    return evaluate_list(version, faction_id, rename_selections(before.tree, others)) if others else after


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
        if key in was and was[key][1] != points:
            yield PriceChange(name=name, before=was[key][1], after=points)


def _index_prices(judged: EvaluatedList) -> Mapping[str, tuple[str, Number]]:
    type_id = judged.points.type_id if judged.points else ""
    return {
        unit.id: (unit.custom_name or unit.name, get_cost_value(unit.totals, type_id) or 0)
        for unit in walk_units(judged.report.forces)
        if not unit.placeholder
    }
