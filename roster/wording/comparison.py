"""Describe how two lists differ: "+1 Reed Cutters, Net instead of Sickle, +4 points, now legal"."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalogue.definitions.numbers import Number, format_number
from roster.engine.compare import Difference, DifferenceKind, DifferencePart
from roster.engine.namesakes import Namesake
from roster.engine.report import Verdict
from roster.engine.tree import Origin
from roster.services.upgrade_data import Comparison, CostChange, PriceChange

MINUS = "−"


def summarize_comparison(comparison: Comparison) -> str:
    return ", ".join(_list_changes(comparison)) or _("no difference")


def describe_difference(difference: Difference, cost_names: dict[str, str]) -> str:
    """Describe one difference. Limits need `cost_names` by cost type id."""
    if difference.kind is DifferenceKind.LIMIT:
        return _describe_limit(difference, cost_names)
    return _WORDS[difference.kind](difference)


def describe_differences(comparison: Comparison) -> list[tuple[DifferenceKind, str]]:
    names = {cost.type_id: cost.name for cost in comparison.costs}
    descriptions: list[tuple[DifferenceKind, str]] = []
    for difference in comparison.differences:
        description = (difference.kind, describe_difference(difference, names))
        # A unit of one model has the same name twice; only renames are merged.
        if difference.kind is not DifferenceKind.RENAMED or description not in descriptions:
            descriptions.append(description)
    return descriptions


def format_cost_change(cost: CostChange) -> str:
    """Format "+4 points"."""
    return f"{format_signed(cost.more)} {cost.name}"


def format_verdict_change(comparison: Comparison) -> str:
    before, after = comparison.verdicts
    was, now = comparison.before.evaluated_list.homebrew, comparison.after.evaluated_list.homebrew
    is_legal_otherwise = before is after is Verdict.LEGAL and was != now
    if before is after and not is_legal_otherwise:
        return ""
    return _("now legal by %(rules)s") % {"rules": now} if now and after is Verdict.LEGAL else str(_NOW[after])


def format_signed(number: Number) -> str:
    """Format a number with its sign.

    >>> format_signed(4), format_signed(-2), format_signed(0)
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


def _list_changes(comparison: Comparison) -> Iterator[str]:
    yield from (text for _kind, text in describe_differences(comparison))
    yield from (format_cost_change(cost) for cost in comparison.costs if cost.more)
    # The data alone may explain a difference in points.
    if comparison.before.version.pk != comparison.after.version.pk:
        yield _("with the data of %(version)s") % {"version": comparison.after.version}
    if change := format_verdict_change(comparison):
        yield change


def _describe_added(difference: Difference) -> str:
    return _append_unit(f"{format_signed(difference.number)} {difference.name}", difference.unit)


def _describe_removed(difference: Difference) -> str:
    return _append_unit(f"{format_signed(-difference.number)} {difference.name}", difference.unit)


def _describe_replaced(difference: Difference) -> str:
    if difference.name == difference.before:
        return _append_unit(_("another %(name)s") % {"name": difference.name}, difference.unit)
    text = _("%(name)s instead of %(before)s") % {"name": difference.name, "before": difference.before}
    return _append_unit(text, difference.unit)


def _describe_divided(difference: Difference) -> str:
    return _append_unit(_("%(name)s divided differently") % {"name": difference.name}, difference.unit)


def _describe_moved(difference: Difference) -> str:
    if difference.what is DifferencePart.OPTION:
        return _append_unit(_("%(name)s in another group") % {"name": difference.name}, difference.unit)
    if not difference.unit:
        return _("%(name)s outside every detachment") % {"name": difference.name}
    return _("%(name)s moved to %(detachment)s") % {"name": difference.name, "detachment": difference.unit}


def _describe_renamed(difference: Difference) -> str:
    if difference.what is DifferencePart.LIST:
        return _("the list is now called “%(name)s” instead of “%(before)s”") % {
            "name": difference.name,
            "before": difference.before,
        }
    return _("%(before)s renamed to %(name)s") % {"name": difference.name, "before": difference.before}


def _describe_note(difference: Difference) -> str:
    if difference.what is DifferencePart.LIST:
        return _("different notes, player or event")
    if difference.what is DifferencePart.CATEGORY:
        return _("different notes on types of unit in %(name)s") % {"name": difference.name}
    return _("different note on %(name)s") % {"name": difference.name}


def _describe_leader(difference: Difference) -> str:
    if not difference.name:
        return _("no leader chosen for %(unit)s") % {"unit": difference.unit}
    return _("%(name)s leads %(unit)s") % {"name": difference.name, "unit": difference.unit}


def _describe_joined(difference: Difference) -> str:
    words = {"name": difference.name, "unit": difference.unit}
    if not difference.unit:
        return _("%(name)s joins a unit that is not in the list") % words
    return (
        _("%(name)s joins %(unit)s in another way") % words
        if difference.before
        else _("%(name)s joins %(unit)s") % words
    )


def _describe_left(difference: Difference) -> str:
    words = {"name": difference.name, "unit": difference.unit}
    if not difference.unit:
        return _("%(name)s no longer joins a unit that is not in the list") % words
    return _("%(name)s no longer joins %(unit)s") % words


def _describe_order(difference: Difference) -> str:
    return _("same units in another order")


def _describe_rules(difference: Difference) -> str:
    if not difference.name:
        return _("checked against the rules of the data alone")
    return _("also checked against %(name)s") % {"name": difference.name}


def _describe_homebrew(difference: Difference) -> str:
    return _("other house rules") if difference.name else _("without house rules")


def _describe_origin(difference: Difference) -> str:
    if difference.name == Origin.BATTLESCRIBE:
        return _("counted as BattleScribe counts")
    return _("counted as the data intends")


def _describe_unshown(difference: Difference) -> str:
    return _("the original list shows other parts")


def _describe_faction(difference: Difference) -> str:
    return _("%(name)s of another faction") % {"name": difference.name}


def _describe_limit(difference: Difference, cost_names: dict[str, str]) -> str:
    name = cost_names.get(difference.name, difference.name)
    if difference.now is None:
        return _("no limit of %(name)s") % {"name": name}
    return _("limit %(now)s %(name)s") % {"now": format_number(difference.now), "name": name}


def _append_unit(text: str, unit: str) -> str:
    return f"{text} ({unit})" if unit else text


_WORDS: dict[DifferenceKind, Callable[[Difference], str]] = {
    DifferenceKind.ADDED: _describe_added,
    DifferenceKind.REMOVED: _describe_removed,
    DifferenceKind.REPLACED: _describe_replaced,
    DifferenceKind.DIVIDED: _describe_divided,
    DifferenceKind.MOVED: _describe_moved,
    DifferenceKind.RENAMED: _describe_renamed,
    DifferenceKind.NOTED: _describe_note,
    DifferenceKind.LEADS: _describe_leader,
    DifferenceKind.JOINED: _describe_joined,
    DifferenceKind.LEFT: _describe_left,
    DifferenceKind.REORDERED: _describe_order,
    DifferenceKind.RULES: _describe_rules,
    DifferenceKind.HOMEBREW: _describe_homebrew,
    DifferenceKind.ORIGIN: _describe_origin,
    DifferenceKind.UNSHOWN: _describe_unshown,
    DifferenceKind.FACTION: _describe_faction,
}


def describe_missing(name: str) -> str:
    return _("%(name)s is not in this data and stays as a placeholder") % {"name": name}


def describe_namesake(namesake: Namesake) -> str:
    if namesake.unit:
        return _("%(unit)s: %(name)s") % {"unit": namesake.unit, "name": namesake.name}
    return namesake.name


def describe_price_change(unit: PriceChange, points: str) -> str:
    return _("%(name)s: %(after)s instead of %(before)s %(points)s") % {
        "name": unit.name,
        "before": format_number(unit.before),
        "after": format_number(unit.after),
        "points": points,
    }
