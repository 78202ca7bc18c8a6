from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.utils import timezone

from roster.club.models import Collection, ModelState, OwnedKind, StateChange
from roster.club.services.collections import MOST_CHANGES

MONTHS = 6
READY = frozenset({ModelState.PAINTED.value, ModelState.BASED.value})


@dataclass(frozen=True, slots=True)
class MonthEnd:
    """The models at the end of a month, or today. `month` is its first day."""

    month: date
    owned: int
    ready: int


def measure_progress(collection: Collection, kinds: Sequence[OwnedKind]) -> list[MonthEnd]:
    """Return the last months in order, counted back from today's numbers.

    It starts with the month of the first known step: earlier numbers are unknown.
    """
    steps = list(
        StateChange.objects.filter(kind__collection=collection)
        .order_by("-pk")
        .values_list("created", "source", "target", "number")[:MOST_CHANGES]
    )
    owned, ready = sum(kind.owned for kind in kinds), sum(kind.ready for kind in kinds)
    month = timezone.localdate().replace(day=1)
    ends = [MonthEnd(month, owned, ready)]
    begin = _begin(month)
    for created, source, target, number in steps:
        while created < begin and len(ends) < MONTHS:
            month = _step_back(month)
            begin = _begin(month)
            ends.append(MonthEnd(month, owned, ready))
        if created < begin:
            break
        owned -= number * (bool(target) - bool(source))
        ready -= number * ((target in READY) - (source in READY))
    return ends[::-1]


def _begin(month: date) -> datetime:
    return timezone.make_aware(datetime.combine(month, time()))


def _step_back(month: date) -> date:
    return date(month.year - (month.month == 1), (month.month - 2) % 12 + 1, 1)
