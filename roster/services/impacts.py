"""Summarise a new version's effects on lists for staff."""

import math
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse

from catalogue.definitions.constraints import Severity
from catalogue.models import Job, PackVersion
from catalogue.services.jobs import Step, start_job
from roster.models import Impact, Roster
from roster.services.evaluation import UNKNOWN_CODES
from roster.services.upgrade_data import UpgradePreview, preview_upgrade

IMPACT_JOB = "impact"

BATCH = 50
MOST_NAMED = 12


LONGEST = 120.0
"""Seconds that a command evaluates lists; staff can continue with the rest."""


def start_impact(version: PackVersion, job: Job | None) -> bool:
    """Evaluate all lists with an unpublished version, for a background job; return whether all are done."""
    if job is None:
        evaluate_impacts(version, LONGEST)
    else:
        address = reverse("roster:version", args=[version.short_hash])
        start_job(job.user, IMPACT_JOB, str(version), {"version": version.pk, "address": address})
    return not _find_waiting_lists(version).exists()


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictShift:
    before: str
    after: str
    lists: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactSummary:
    """The impact on lists evaluated so far, with the most frequent `broken` and `missing`."""

    lists: int
    impacts: int
    moved: tuple[VerdictShift, ...]
    repriced: int
    broken: tuple[tuple[str, str, int], ...]
    missing: tuple[tuple[str, int], ...]

    @property
    def left(self) -> int:
        return self.lists - self.impacts


def find_affected_lists(version: PackVersion) -> QuerySet[Roster]:
    return Roster.objects.filter(version__game=version.game, binned=None).exclude(version=version)


def evaluate_impacts(version: PackVersion, seconds: float | None = None) -> int:
    """Evaluate new or changed lists within a time limit; return their number."""
    end = math.inf if seconds is None else time.monotonic() + seconds
    done, after = 0, 0
    while time.monotonic() < end:
        rows = _find_waiting_lists(version).filter(pk__gt=after).select_related("version__game").order_by("pk")[:BATCH]
        batch = list(rows)
        if not batch:
            break
        Impact.objects.bulk_create(
            [_evaluate_impact(version, roster) for roster in batch],
            update_conflicts=True,
            unique_fields=["version", "roster"],
            update_fields=["revision", "before", "after", "repriced", "missing", "broken"],
        )
        done, after = done + len(batch), batch[-1].pk
    return done


def do_impact_step(job: Job, seconds: float) -> Step:
    version = PackVersion.objects.select_related("game").get(pk=job.arguments["version"])
    number = evaluate_impacts(version, seconds)
    summary = summarize_impact(version)
    is_last = summary.left == 0 or number == 0
    result = {"address": job.arguments["address"]} if is_last else {}
    return Step(summary.impacts, summary.lists, result, is_last=is_last)


def summarize_impact(version: PackVersion) -> ImpactSummary:
    impacts = _filter_judged(version)
    verdicts = impacts.values_list("before", "after").annotate(lists=Count("pk")).order_by("-lists", "before")
    counts = impacts.aggregate(count=Count("pk"), repriced=Count("pk", filter=Q(repriced=True)))
    broken: Counter[tuple[str, str]] = Counter()
    missing: Counter[str] = Counter()
    for rules, names in impacts.exclude(broken=[], missing=[]).values_list("broken", "missing").iterator():
        broken.update({(code, name) for code, name in rules})
        missing.update(set(names))
    return ImpactSummary(
        lists=find_affected_lists(version).count(),
        impacts=counts["count"],
        moved=tuple(VerdictShift(before=one, after=other, lists=lists) for one, other, lists in verdicts),
        repriced=counts["repriced"],
        broken=tuple((code, name, lists) for (code, name), lists in broken.most_common(MOST_NAMED)),
        missing=tuple(missing.most_common(MOST_NAMED)),
    )


def preview_changed_lists(version: PackVersion, most: int) -> Iterator[UpgradePreview]:
    """Yield previews of lists whose costs or verdict would change."""
    changed = _filter_judged(version).filter(Q(repriced=True) | ~Q(before=F("after")))
    for impact in changed.select_related("roster__version__game").order_by("pk")[:most]:
        yield preview_upgrade(impact.roster, version)


def _filter_judged(version: PackVersion) -> QuerySet[Impact]:
    return Impact.objects.filter(version=version, revision=F("roster__head")).exclude(roster__version=version)


def _find_waiting_lists(version: PackVersion) -> QuerySet[Roster]:
    impacts = Impact.objects.filter(version=version, roster=OuterRef("pk"), revision=OuterRef("head"))
    return find_affected_lists(version).filter(~Exists(impacts))


def _evaluate_impact(version: PackVersion, roster: Roster) -> Impact:
    would = preview_upgrade(roster, version)
    before, after = would.comparison.verdicts
    # Broken rules by name, else by code and what they count, without placeholders.
    broken: set[tuple[str, str]] = set()
    for violation in would.comparison.new:
        if violation.severity is Severity.ERROR and violation.code not in UNKNOWN_CODES:
            broken.add(("", violation.name) if violation.name else (violation.code, violation.counted))
    return Impact(
        version=version,
        roster=roster,
        revision=roster.head,
        before=before.value,
        after=after.value,
        repriced=any(cost.more for cost in would.comparison.costs),
        missing=list(would.comparison.missing),
        broken=sorted(broken),
    )
