"""Moving a list to another version of its game's data: what that would do, and doing it when its owner asks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from catalogue.definitions.numbers import Number
from catalogue.models import Faction, PackVersion
from catalogue.services.releasing import released, version_on
from roster.engine.edits import Refused
from roster.engine.renaming import renamed
from roster.engine.report import EffectiveForce, EffectiveSelection, Report
from roster.models import Roster
from roster.services.comparison import ComparedList, Comparison, compare_lists, evaluate_compared_list
from roster.services.evaluation import EvaluatedList, evaluate_list, get_cost_value
from roster.services.outcomes import Conflict, Outcome
from roster.services.revision_store import NewRevision, append_revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Repriced:
    """A unit that costs otherwise than before."""

    name: str
    before: Number
    after: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a version would make of a list. What is called otherwise stands among the differences of the comparison."""

    comparison: Comparison
    repriced: tuple[Repriced, ...]


def versions_for(roster: Roster) -> list[PackVersion]:
    """The versions that a list may be moved to, the newest first: what was published, and what it is judged by."""
    found = [one.version for one in released(roster.version.game)]
    return found if roster.version in found else [*found, roster.version]


def version_for(roster: Roster, short_hash: str) -> PackVersion | None:
    """The one of those that begins with a hash."""
    return next((version for version in versions_for(roster) if version.short_hash == short_hash), None)


def version_then(roster: Roster, day: date) -> PackVersion | None:
    """The version that was the current one of the list's game on a day; None before its first."""
    return version_on(roster.version.game, day)


def preview(roster: Roster, version: PackVersion) -> Preview:
    """What a version would make of a list. Nothing is stored."""
    before = evaluate_compared_list(roster, roster.faction_id)
    after = _judged_anew(before.judged, roster.faction_id, version)
    return Preview(
        comparison=compare_lists(before, ComparedList(judged=after, version=version)),
        repriced=tuple(_repriced(before.judged, after)),
    )


def move_list(roster: Roster, on_revision: int, version: PackVersion) -> Outcome:
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
    after = _judged_anew(judged, roster.faction_id, version)
    label = version.label or version.short_hash
    return append_revision(roster, NewRevision(judged=after, version=version, act="move-data", subject=label))


def _judged_anew(before: EvaluatedList, faction_id: str, version: PackVersion) -> EvaluatedList:
    """The same list by another version, everything called as that version calls it."""
    after = evaluate_list(version, faction_id, before.tree)
    was, now = names_in(before.report), names_in(after.report)
    others = {key: name for key, name in now.items() if key in was and was[key] != name}
    return evaluate_list(version, faction_id, renamed(before.tree, others)) if others else after


def names_in(report: Report) -> dict[str, str]:
    """What the data calls each selection, by id; without what it does not have."""
    found: dict[str, str] = {}
    pending: list[EffectiveSelection] = list(units_in(report.forces))
    while pending:
        selection = pending.pop()
        pending.extend(selection.selections)
        if not selection.placeholder:
            found[selection.id] = selection.name
    return found


def units_in(forces: Iterable[EffectiveForce]) -> Iterable[EffectiveSelection]:
    """The units of all detachments, those inside others included."""
    for force in forces:
        yield from force.selections
        yield from units_in(force.forces)


def _repriced(before: EvaluatedList, after: EvaluatedList) -> Iterable[Repriced]:
    was, now = _prices(before), _prices(after)
    for key, (name, points) in now.items():
        if key in was and was[key][1] != points:
            yield Repriced(name=name, before=was[key][1], after=points)


def _prices(judged: EvaluatedList) -> Mapping[str, tuple[str, Number]]:
    type_id = judged.points.type_id if judged.points else ""
    return {
        unit.id: (unit.custom_name or unit.name, get_cost_value(unit.totals, type_id) or 0)
        for unit in units_in(judged.report.forces)
        if not unit.placeholder
    }
