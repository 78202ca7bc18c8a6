"""Ways in words: the labels of their buttons, and what to say if none was found."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from roster.engine.completion.solver import Possibility
from roster.services.ways import FoundWays, Way, WayKind
from roster.wording.comparison import describe_difference


def format_way(way: Way) -> str:
    """Format what a way does, on one line: "Make it legal: −1 Sluice Giants, +1 Lock Warden"."""
    patterns = {
        WayKind.COMPLETE: _("Complete it: %(changes)s"),
        WayKind.FILL: _("Fill with what fits: %(changes)s"),
        WayKind.REPAIR: _("Make it legal: %(changes)s"),
    }
    return patterns[way.kind] % {"changes": ", ".join(list_way_changes(way)) or _("no difference")}


def list_way_changes(way: Way) -> Iterator[str]:
    """List what a way changes, each in a few words; what is said of several parts alike is said once."""
    names = {cost.type_id: cost.name for cost in way.judged.report.costs}
    yield from dict.fromkeys(describe_difference(difference, names) for difference in way.differences)


def explain_no_ways(kind: WayKind, search: FoundWays) -> str:
    """Explain that there is no way, or that none was found; blank where there are some."""
    if search.ways:
        return ""
    if search.plan_forbids:
        return _("The list alone can be legal, but its game plan breaks a rule. Change the plan first.")
    is_proved = search.answer is Possibility.NO
    if kind is WayKind.REPAIR and is_proved:
        return _(
            "Nothing you could add or remove makes this list legal within its limits. Change a limit, then try again."
        )
    if kind is WayKind.REPAIR:
        return _("No small fix was found in time. Remove something, then try again.")
    if is_proved:
        return _("Nothing you could add makes this list legal. Remove something first.")
    return _("No way to complete this list was found in time; there may be one. Add what it needs, then try again.")
