"""Word ways: the labels of their buttons, and messages if there is no way."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from roster.engine.edits import Refused
from roster.services.ways import FoundWays, Way, WayKind, name_outcome
from roster.wording.comparison import describe_difference
from roster.wording.refusals import explain_refusal


def format_way(way: Way) -> str:
    """Format a way on one line: "Make it legal: −1 Sluice Giants, +1 Lock Warden"."""
    patterns = {
        WayKind.COMPLETE: _("Complete it: %(changes)s"),
        WayKind.FILL: _("Fill with what fits: %(changes)s"),
        WayKind.REPAIR: _("Make it legal: %(changes)s"),
    }
    return patterns[way.kind] % {"changes": ", ".join(list_way_changes(way)) or _("no difference")}


def list_way_changes(way: Way) -> Iterator[str]:
    """Yield a way's changes in words, each once."""
    names = {cost.type_id: cost.name for cost in way.evaluated_list.report.costs}
    yield from dict.fromkeys(describe_difference(difference, names) for difference in way.differences)


def explain_search(kind: WayKind, search: FoundWays) -> str:
    """Explain a search that found no way or ran out of time; "" if nothing needs explaining."""
    code = name_outcome(kind, search)
    return explain_refusal(Refused(code=code)) if code else ""
