"""What is different between two lists, in words: "+1 Reed Cutters, Net instead of Sickle, +4 points, now legal"."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalogue.definitions.numbers import Number, format_number
from roster.engine.compare import Difference, DifferenceKind, DifferencePart
from roster.engine.report import Verdict
from roster.services.comparison import Comparison, CostChange
from roster.services.upgrade_data import PriceChange

MINUS = "−"


def compared(comparison: Comparison) -> str:
    """All of a comparison on one line."""
    return ", ".join(_said(comparison)) or _("no difference")


def difference(found: Difference, cost_names: dict[str, str]) -> str:
    """One difference in words; `cost_names` by cost type id, for limits."""
    if found.kind is DifferenceKind.LIMIT:
        return _limit(found, cost_names)
    return _WORDS[found.kind](found)


def differences_of(comparison: Comparison) -> list[tuple[DifferenceKind, str]]:
    """Every difference of what was chosen, in words; a new name once, be it of a unit and of its model."""
    names = {cost.type_id: cost.name for cost in comparison.costs}
    said = [(found.kind, difference(found, names)) for found in comparison.differences]
    return [
        one
        for place, one in enumerate(said)
        if one[0] is not DifferenceKind.RENAMED or one not in said[:place]
    ]


def cost_change(cost: CostChange) -> str:
    """How much more or less of a cost: "+4 points"."""
    return f"{signed(cost.more)} {cost.name}"


def verdict_change(comparison: Comparison) -> str:
    """What became of the verdict: "now legal"; blank where it stayed the same."""
    before, after = comparison.verdicts
    return str(_NOW[after]) if before is not after else ""


def signed(number: Number) -> str:
    """A number with its sign.

    >>> signed(4), signed(-2), signed(0)
    ('+4', '−2', '0')
    """
    if not number:
        return "0"
    return f"+{format_number(number)}" if number > 0 else MINUS + format_number(-number)


_NOW = {
    Verdict.LEGAL: gettext_lazy("now legal"),
    Verdict.INCOMPLETE: gettext_lazy("now incomplete"),
    Verdict.ILLEGAL: gettext_lazy("now illegal"),
}


def _said(comparison: Comparison) -> Iterator[str]:
    yield from (text for _kind, text in differences_of(comparison))
    yield from (cost_change(cost) for cost in comparison.costs if cost.more)
    if comparison.before.version.pk != comparison.after.version.pk:
        yield _("by the data of %(version)s") % {"version": comparison.after.version}
    if change := verdict_change(comparison):
        yield change


def _added(found: Difference) -> str:
    return _placed(f"{signed(found.number)} {found.name}", found.unit)


def _removed(found: Difference) -> str:
    return _placed(f"{signed(-found.number)} {found.name}", found.unit)


def _replaced(found: Difference) -> str:
    said = _("%(name)s instead of %(before)s") % {"name": found.name, "before": found.before}
    return _placed(said, found.unit)


def _renamed(found: Difference) -> str:
    if found.what is DifferencePart.LIST:
        return _("the list is called “%(name)s”, before “%(before)s”") % {
            "name": found.name,
            "before": found.before,
        }
    return _("%(before)s is called %(name)s") % {"name": found.name, "before": found.before}


def _noted(found: Difference) -> str:
    if found.what is DifferencePart.LIST:
        return _("other notes, player or event")
    return _("another note on %(name)s") % {"name": found.name}


def _leads(found: Difference) -> str:
    if not found.name:
        return _("nobody is named to lead %(unit)s") % {"unit": found.unit}
    return _("%(name)s leads %(unit)s") % {"name": found.name, "unit": found.unit}


def _reordered(found: Difference) -> str:
    return _("the same in another order")


def _rules(found: Difference) -> str:
    if not found.name:
        return _("judged by the rules of the data alone")
    return _("judged by the rules %(name)s besides") % {"name": found.name}


def _limit(found: Difference, cost_names: dict[str, str]) -> str:
    name = cost_names.get(found.name, found.name)
    if found.now is None:
        return _("no limit of %(name)s") % {"name": name}
    return _("limit %(now)s %(name)s") % {"now": format_number(found.now), "name": name}


def _placed(said: str, unit: str) -> str:
    return f"{said} ({unit})" if unit else said


_WORDS: dict[DifferenceKind, Callable[[Difference], str]] = {
    DifferenceKind.ADDED: _added,
    DifferenceKind.REMOVED: _removed,
    DifferenceKind.REPLACED: _replaced,
    DifferenceKind.RENAMED: _renamed,
    DifferenceKind.NOTED: _noted,
    DifferenceKind.LEADS: _leads,
    DifferenceKind.REORDERED: _reordered,
    DifferenceKind.RULES: _rules,
}


def missing(name: str) -> str:
    """Something that a version of the data does not have."""
    return _("%(name)s is not in this data and stays as a placeholder") % {"name": name}


def repriced(unit: PriceChange, points: str) -> str:
    """A unit that costs otherwise."""
    return _("%(name)s: %(after)s instead of %(before)s %(points)s") % {
        "name": unit.name,
        "before": format_number(unit.before),
        "after": format_number(unit.after),
        "points": points,
    }
