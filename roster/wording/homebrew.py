"""Word players' house rules: the source of a line, and why one is refused."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from roster.formats.homebrew.apply import RefusedLine
from roster.formats.homebrew.document import ChangedField, ChangedValue, CopiedUnit, Homebrew, HomebrewLine
from roster.services.evaluation import EvaluatedList
from roster.services.homebrew import find_counting_rules

_REASONS = {
    "catalogue-gone": gettext_lazy("This data has no such faction."),
    "entry-gone": gettext_lazy("This data no longer has that unit, option or profile."),
    "value-gone": gettext_lazy("It no longer has this value in this data."),
    "value-differs": gettext_lazy("The data now says %(given)s, not %(was)s."),
    "value-already": gettext_lazy("The data already says %(given)s."),
    "contradicts": gettext_lazy("Another line changes the same value to %(given)s."),
    "removed": gettext_lazy("Another line removes “%(given)s”."),
    "no-change": gettext_lazy("The data already says that."),
    "not-a-value": gettext_lazy("“%(given)s” cannot be this value. Write a number such as 22."),
    "below-other": gettext_lazy("The maximum must be at least %(given)s."),
    "above-other": gettext_lazy("The minimum must be at most %(given)s."),
    "needs-text": gettext_lazy("This game has no ability “%(given)s”. Write its sentence, too."),
    "unknown-slot": gettext_lazy("This game has no slot “%(given)s”."),
    "id-taken": gettext_lazy("This data already uses the id %(given)s."),
    "not-copyable": gettext_lazy("That unit cannot be copied."),
}


def explain_refused_line(refused: RefusedLine) -> str:
    was = refused.line.was if isinstance(refused.line, ChangedValue) else ""
    return str(_REASONS[refused.code]) % {"given": refused.given, "was": was}


def format_line_source(homebrew: Homebrew, line: HomebrewLine) -> str:
    """Return a line's source: "FAQ 3, p. 2"."""
    source = homebrew.get_source(line)
    return _("%(book)s, p. %(page)s") % {"book": source, "page": line.cited_page} if line.cited_page else source


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingText:
    """What house rules change in a list: their name, author or "", and lines with sources."""

    name: str
    author: str
    number: int
    link_id: str
    lines: tuple[tuple[str, str], ...]


def describe_counting_rules(evaluated_list: EvaluatedList) -> CountingText | None:
    """Return what a player's house rules change, None without any."""
    counting = find_counting_rules(evaluated_list)
    if counting is None:
        return None
    homebrew_set = counting.version.homebrew_set
    return CountingText(
        name=counting.homebrew.name,
        author=homebrew_set.author,
        number=counting.version.number,
        link_id=homebrew_set.link_id,
        lines=tuple((describe_line(line), format_line_source(counting.homebrew, line)) for line in counting.lines),
    )


def describe_line(line: HomebrewLine) -> str:
    """Write a line as one text: "Lychguard, points: 25 → 22"."""
    if isinstance(line, CopiedUnit):
        return _("%(name)s: a new unit") % {"name": line.name}
    if line.was and line.to:
        return _("%(name)s: %(before)s → %(after)s") % {"name": line.name, "before": line.was, "after": line.to}
    if line.field in (ChangedField.MOST, ChangedField.NEEDS):
        return _("%(name)s: %(after)s") % {"name": line.name, "after": line.to}
    if line.to:
        return _("%(name)s: with %(after)s") % {"name": line.name, "after": line.to}
    return _("%(name)s: without %(before)s") % {"name": line.name, "before": line.was}
