"""Word figures, citations, and notes on lists and units."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor

from django.utils.translation import get_language, gettext_noop, ngettext
from django.utils.translation import gettext as _

from catalogue.definitions.citations import Citation
from catalogue.definitions.numbers import Number, format_number
from catalogue.definitions.queries import AGREED, ALLIES, KNOWN, LIMIT, OPPONENTS, PLAYERS
from catalogue.definitions.rule_codes import RuleCode
from catalogue.definitions.rulebook import RuleKind, RuleStage
from catalogue.services.texts import name_book
from roster.engine.report import CommanderInfo, EffectiveAttachment, EffectiveSelection, Report, Violation
from roster.services.evaluation import EvaluatedList
from roster.services.rulesets import Publications

MOST_NAMES = 4
"""More names are not listed in a sentence."""

GENERAL_NAMES = {
    "any": "",
    "unit": gettext_noop("units"),
    "model": gettext_noop("models"),
    "upgrade": gettext_noop("options"),
    "mount": gettext_noop("mounts"),
    "crew": gettext_noop("crew"),
    PLAYERS + KNOWN: gettext_noop("players"),
    OPPONENTS + KNOWN: gettext_noop("opponents"),
    ALLIES + KNOWN: gettext_noop("partners"),
}
"""Things counted by kind rather than by a name in the data."""


LEADING = frozenset(("warlord", "general", "commander", "leader"))
"""Options that games use to declare a leader."""


def is_about_limit(violation: Violation, *words: str) -> bool:
    """Return whether a violation is about a limit of the list, or about one of `words` if given."""
    word, mark, _counted = violation.counted_id.partition(KNOWN)
    return bool(mark) and word in (words or (LIMIT, AGREED))


def describe_counted(violation: Violation) -> str:
    return get_counted_name(violation) or violation.on.name or _("choices")


def get_counted_name(violation: Violation) -> str:
    """Return what was counted, or "" if players do not know its name."""
    # Without a name in the data, the engine gives the id.
    if violation.counted not in ("", violation.counted_id):
        return violation.counted
    # Ids with a slash are made by the pack's compiler.
    if "/" in violation.counted_id:
        return ""  # a pack counts it for its own purposes
    general = GENERAL_NAMES.get(violation.counted_id)
    if general is None:
        return violation.counted
    return _(general) if general else ""  # the translation of "" is the head of the catalogue


def write_leader(name: str) -> str:
    """Write a leader in the language's case: "the warlord", but "zum Warlord"; other names stay."""
    return name.lower() if name.casefold() in LEADING and get_language() != "de" else name


def reads_as_plural(name: str) -> bool:
    """Return whether a name is probably plural: “1 Characters” reads badly.

    >>> reads_as_plural("Characters"), reads_as_plural("Core"), reads_as_plural("Fortress")
    (True, False, False)
    """
    return name.endswith("s") and not name.endswith("ss")


def get_bound(violation: Violation) -> Number:
    """Return the bound for display, rounded if only whole numbers occur."""
    measured, allowed = violation.measured, violation.allowed
    # Half points exist, so their bounds stay exact.
    if measured != int(measured) or violation.code not in (RuleCode.MAXIMUM, RuleCode.MINIMUM):
        return allowed
    # Round a maximum down and a minimum up, so that the whole number keeps the rule.
    return floor(allowed) if measured > allowed else ceil(allowed)


def format_both(violation: Violation) -> dict[str, str]:
    return {"measured": format_number(violation.measured), "allowed": format_number(get_bound(violation))}


def format_spent(violation: Violation) -> dict[str, str]:
    return {
        "measured": format_number(violation.measured),
        "allowed": format_number(violation.allowed),
        "over": format_number(max(violation.measured - violation.allowed, violation.allowed - violation.measured)),
        "unit": violation.unit,
    }


def suggest_removal(over: Number) -> str:
    text = ngettext("Remove %(number)s.", "Remove %(number)s.", round_for_plural(over))
    return text % {"number": format_number(over)}


def suggest_removal_or_addition(over: Number) -> str:
    text = ngettext(
        "Remove %(number)s, or add something that allows more.",
        "Remove %(number)s, or add something that allows more.",
        round_for_plural(over),
    )
    return text % {"number": format_number(over)}


def list_blockers(violation: Violation) -> str:
    names = tuple(dict.fromkeys(place.name for place in violation.cause))
    kind = get_counted_name(violation)
    if not 0 < len(names) <= MOST_NAMES or violation.cause == (violation.on,) or names == (kind,):
        return ""
    return f"{', '.join(names)} ({kind})" if kind else ", ".join(names)


def suggest_taking_out(violation: Violation) -> str:
    # Crowded: further picks would fix it, but there is no room for them.
    if violation.mendable and not violation.crowded:
        return ngettext(
            "Remove it, or add something that allows it.",
            "Remove them, or add something that allows them.",
            len(violation.cause),
        )
    return ngettext("Remove it.", "Remove them.", len(violation.cause))


def suggest_addition(violation: Violation, missing: Number) -> str:
    """Suggest adding more, or making room first if there is none."""
    if violation.crowded:
        return _("There is no room for more as the list stands; something else has to change first.")
    text = ngettext("Add %(number)s more.", "Add %(number)s more.", round_for_plural(missing))
    return text % {"number": format_number(missing)}


def suggest_change(violation: Violation) -> str:
    return _("Change what requires %(allowed)s; adding more doesn’t help.") % format_both(violation)


def round_for_plural(number: Number) -> int:
    """Return the integer that selects a plural form; fractions use that of 2."""
    return int(number) if number == int(number) else 2


# ---- citations ---------------------------------------------------------------------------------------------


def format_citation(place: Citation, books: Publications) -> str:
    """Format a citation without unknown books; "" if it is blank."""
    book = books.get(place.publication_id)
    parts = []
    if book and book.name:
        parts.append(name_book(book.name))
    if place.section:
        parts.append(_("“%(section)s”") % {"section": place.section})
    if place.page:
        # "14", "14-15" or "14, 18". A single page may be called “14a”, so look for separators.
        is_several = any(sign in place.page for sign in "-–,")
        parts.append((_("pp. %(page)s") if is_several else _("p. %(page)s")) % {"page": place.page})
    return ", ".join(parts)


def get_exact_source(place: Citation, books: Publications) -> str:
    """Return a community citation's repository and commit, or ""."""
    book = books.get(place.publication_id)
    return book.name if book and name_book(book.name) != book.name else ""


# ---- notes on lists and units ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFact:
    """A key fact about a list. `reason` means that `text` gives the reason, for print."""

    name: str
    value: str
    text: str = ""
    reason: bool = False


def describe_facts(report: Report) -> tuple[ListFact, ...]:
    return tuple(_list_facts(report))


def _list_facts(report: Report) -> Iterator[ListFact]:
    if report.command:
        yield _describe_commander(report.command)
    for figure in report.figures:
        if figure.value:
            yield ListFact(name=figure.name, value=format_number(figure.value), text=figure.text)


def _describe_commander(commander: CommanderInfo) -> ListFact:
    words = {"by": commander.by, "rank": format_number(commander.rank), "able": commander.able, "n": commander.highest}
    if commander.commander:
        only = _("%(by)s %(rank)s, the only one who can command.")
        text = only if commander.able == 1 else _("%(by)s %(rank)s, of %(able)s who could command.")
        return ListFact(name=commander.name, value=commander.commander.name, text=text % words, reason=True)
    if commander.able:
        text = _("%(n)s characters have %(by)s %(rank)s. Choose one of them in the menu of its row.") % words
        return ListFact(name=commander.name, value=_("open"), text=text)
    return ListFact(name=commander.name, value=_("nobody"), text=_("No character here can command."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    id: str
    name: str
    text: str
    place: Citation
    citation: str


def list_reminders(evaluated_list: EvaluatedList) -> Iterator[Reminder]:
    system = evaluated_list.ruleset.binding.game_system
    for rule in system.rulebook if system else ():
        if rule.kind is RuleKind.SOFT and rule.stage is RuleStage.PRINT:
            yield Reminder(
                id=rule.id,
                name=rule.name,
                text=rule.text,
                place=rule.citation,
                citation=format_citation(rule.citation, evaluated_list.books),
            )


# ---- attachments -----------------------------------------------------------------------------------------------------


def list_bond_words(selection: EffectiveSelection) -> Iterator[str]:
    """Yield attachments in both directions: "Leads Reed Cutters", "Led by Lock Warden"."""
    for attachment in selection.attachments:
        yield describe_attachment(attachment)
    for attachment in selection.joined_by:
        yield describe_joining(attachment)


def describe_attachment(attachment: EffectiveAttachment) -> str:
    words = {"name": attachment.name, "unit": attachment.to.name}
    if is_leading(attachment.name):
        return _("Leads %(unit)s") % words
    if is_supporting(attachment.name):
        return _("Supports %(unit)s") % words
    return _("%(name)s: %(unit)s") % words if attachment.name else _("Attached to %(unit)s") % words


def describe_joining(attachment: EffectiveAttachment) -> str:
    words = {"name": attachment.name, "unit": attachment.to.name}
    if is_leading(attachment.name):
        return _("Led by %(unit)s") % words
    return _("Supported by %(unit)s") % words if is_supporting(attachment.name) else _("Joined by %(unit)s") % words


def name_control(name: str) -> str:
    if is_leading(name):
        return _("Leads")
    if is_supporting(name):
        return _("Supports")
    return name or _("Attached to")


def is_leading(name: str) -> bool:
    return name.casefold().startswith("lead")


def is_supporting(name: str) -> bool:
    return name.casefold() == "support"
