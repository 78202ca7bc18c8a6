"""Word violations as plain text, which pages escape."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from django.utils.text import capfirst
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.citations import Publication
from catalogue.definitions.constraints import Severity
from catalogue.definitions.emphasis import remove_marks
from catalogue.definitions.numbers import format_number
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.report import Location, PlaceKind, Verdict, Violation, group_violations
from roster.services.evaluation import EvaluatedList
from roster.services.rulesets import Publications
from roster.wording.figures import (
    describe_counted,
    format_citation,
    get_bound,
    get_counted_name,
    get_exact_source,
    list_blockers,
    reads_as_plural,
    write_leader,
)
from roster.wording.violation_text import Sentence, get_words

MAXIMUMS = (RuleCode.MAXIMUM, RuleCode.EXACTLY)
MINIMUMS = (RuleCode.MINIMUM, RuleCode.EXACTLY)
SENTENCE_ENDS = (".", "!", "?")


def format_violations(evaluated_list: EvaluatedList) -> tuple[Sentence, ...]:
    """Format a list's violations in report order, with equal places merged."""
    groups = group_violations(evaluated_list.report.violations)
    return tuple(format_violation(group[0], evaluated_list.books, times=len(group)) for group in groups)


def format_violation(violation: Violation, books: Publications, place: str = "", times: int = 1) -> Sentence:
    """Format one violation.

    `place` follows the headline in brackets unless the headline contains it; `times` is the number of equal places.
    """
    return _write_sentence(violation, books.get(violation.citation.publication_id), get_language(), place, times)


def format_addition(violation: Violation, books: Publications, name: str = "", times: int = 1) -> Sentence:
    """Format a violation that more picks would fix as something to add: "Add 1 Troops", "No warlord yet".

    `name` is the readers' word for what is missing. `detail` is blank, because pages show the figures. Equal places are
    summed.
    """
    return _write_addition(violation, books.get(violation.citation.publication_id), get_language(), name, times)


def format_need(needs: Sequence[Violation], books: Publications, times: int = 1) -> Sentence:
    """Format an excess that other picks would fix as something to add: "Needs 1 Core", then the rule.

    `needs` are the excess and the other violations that the same picks would fix.
    """
    sentence = format_violation(needs[0], books, times=times)
    lacking = needs[0].lacking
    if lacking is None:
        return sentence
    details, numbers = [], []
    for violation in needs:
        if violation.lacking is None:
            numbers.append(violation.allowed - violation.measured)
            continue
        numbers.append(violation.lacking.number)
        worded = format_violation(violation, books, times=times if violation is needs[0] else 1)
        figures = list_blockers(violation) if get_bound(violation) <= 0 else worded.detail
        named = {"what": worded.headline, "detail": figures}
        details.append(_("%(what)s: %(detail)s") % named if figures else worded.headline)
    needed = {"number": format_number(max(numbers)), "name": lacking.name}
    return replace(sentence, headline=_("Needs %(number)s %(name)s") % needed, detail="; ".join(details))


# Most violations remain after an edit, and wording is slow.
@lru_cache(maxsize=1024)
def _write_sentence(
    violation: Violation, book: Publication | None, language: str | None, place: str, times: int
) -> Sentence:
    words = get_words(violation)
    headline = remove_marks(violation.name or words.headline)
    headline = f"{headline} ({place})" if place and place not in headline else headline
    detail, counted = words.detail, get_counted_name(violation)
    # The words of most kinds already name what they count.
    if counted and violation.name and counted not in detail:
        detail = _("%(what)s: %(detail)s") % {"what": capfirst(counted), "detail": detail}
    return _cite_rule(
        violation,
        book,
        headline=f"{times} × {headline}" if times > 1 else headline,
        detail=detail,
        hint=words.hint,
        text=_get_rule_text(violation, words),
    )


@lru_cache(maxsize=1024)
def _write_addition(
    violation: Violation, book: Publication | None, language: str | None, name: str, times: int
) -> Sentence:
    words = get_words(violation)
    rule = remove_marks(violation.name or words.headline)
    text = _get_rule_text(violation, words)
    headline = name or rule
    # Some data names are instructions: "You need to add a regiment."
    if violation.severity is Severity.ERROR and not headline.endswith(SENTENCE_ENDS):
        if is_first_missing(violation) and times == 1:
            headline = _("No %(name)s yet") % {"name": write_leader(headline)}
        else:
            missing = format_number((violation.allowed - violation.measured) * times)
            headline = _("Add %(number)s %(name)s") % {"number": missing, "name": headline}
    return _cite_rule(
        violation, book, headline=headline, detail="", hint=words.hint, text=f"{rule}: {text}" if text else ""
    )


def format_open_slot(violation: Violation, name: str = "", times: int = 1) -> str:
    """Format a violation that more picks would fix as an empty slot: "2 Core". Equal places are summed."""
    name = name or remove_marks(violation.name or get_words(violation).headline)
    missing = (violation.allowed - violation.measured) * times
    if violation.severity is not Severity.ERROR:
        slot = _("room for %(n)s %(name)s")
    elif missing == 1 and reads_as_plural(name):
        # "1 Scouts" reads like a mistake.
        slot = _("%(name)s: %(n)s")
    else:
        slot = _("%(n)s %(name)s")
    return slot % {"name": write_leader(name), "n": format_number(missing)}


def is_first_missing(violation: Violation) -> bool:
    """Return whether exactly one is required and missing, so that figures are unnecessary."""
    return violation.severity is Severity.ERROR and not violation.measured and violation.allowed == 1


def _get_rule_text(violation: Violation, words: Sentence) -> str:
    # Some packs use one sentence for headline and text: show it once.
    return remove_marks(violation.text) if violation.text != (violation.name or words.headline) else ""


def _cite_rule(
    violation: Violation, book: Publication | None, *, headline: str, detail: str, hint: str, text: str
) -> Sentence:
    books = {violation.citation.publication_id: book} if book else {}
    return Sentence(
        headline=headline,
        detail=detail,
        hint=hint,
        code=violation.code,
        severity=violation.severity.value,
        rule=violation.rule,
        text=text,
        # The whole list needs no place.
        where=violation.on.name if violation.on.kind is not PlaceKind.ROSTER else "",
        citation=format_citation(violation.citation, books),
        source=get_exact_source(violation.citation, books),
    )


def get_rule_name(code: str, name: str) -> str:
    """Return a rule's name, or its kind's words for what was counted."""
    if not code:
        return name
    return get_words(Violation(code=code, on=Location(kind=PlaceKind.ROSTER), counted=name)).headline


def explain_block(blocked: Violation, *, is_excess_said: bool = False) -> str:
    """Explain on one line why something cannot be taken, or what taking it would require.

    `is_excess_said` means that the excess is shown separately.
    """
    is_unnamed = bool(blocked.name and blocked.counted_id and not get_counted_name(blocked))
    can_use_figures = blocked.allowed > 0 and not blocked.mendable and not is_unnamed
    if blocked.text and not can_use_figures:
        return remove_marks(blocked.text)
    if blocked.mendable:
        # Taking it is allowed, so name the consequence.
        return _("Would leave the list incomplete: %(rule)s") % {"rule": blocked.name or get_words(blocked).headline}
    if blocked.code == RuleCode.NO_COMPLETION:
        return _("With this, no further pick leads to a legal list.")
    if blocked.allowed > 0 and (blocked.code in MAXIMUMS or is_excess_said):
        words = Sentence(describe_counted(blocked), _explain_most(blocked, is_excess_said=is_excess_said))
    else:
        words = get_words(blocked)

    # A rule's own name needs what it counts, unless the words contain it.
    headline = blocked.name or words.headline
    counted = ""
    if blocked.name and blocked.counted_id != blocked.owner_id:
        counted = get_counted_name(blocked)
        if counted.casefold() in f"{headline} {words.detail}".casefold():
            counted = ""
    return ": ".join(filter(None, (headline, counted, words.detail)))


def shorten_block(blocked: Violation, taken: int = 0, *, too_dear: bool = False) -> str:
    """Say briefly why something cannot be taken, or what taking it would require.

    `taken` is the number in the list. `too_dear` means that it costs more than is left.
    """
    if blocked.mendable:
        return _shorten_need(blocked)
    if blocked.code == RuleCode.NO_COMPLETION:
        return _("Leaves no legal list")
    if too_dear or blocked.code == RuleCode.COST_LIMIT:
        return _("%(number)s over") % {"number": format_number(blocked.measured - get_bound(blocked))}
    short = _shorten_maximum(blocked, taken) if blocked.code in MAXIMUMS else ""
    return short or blocked.name or get_words(blocked).headline


def _shorten_maximum(blocked: Violation, taken: int) -> str:
    if blocked.allowed <= 0 and blocked.on.kind is PlaceKind.FORCE and blocked.on.name:
        return _("Not in %(place)s") % {"place": blocked.on.name}
    if blocked.allowed <= 0:
        return blocked.name or _("Not available here")
    if taken >= blocked.allowed == 1:
        return _("Already in list")
    if taken >= blocked.allowed:
        return _("Max %(number)s taken") % {"number": format_number(get_bound(blocked))}
    counted = capfirst(get_counted_name(blocked))
    return _("%(name)s full") % {"name": counted} if counted else ""


def _shorten_need(blocked: Violation) -> str:
    name, missing = capfirst(get_counted_name(blocked)), blocked.allowed - blocked.measured
    # If the maximum depends on other picks, name the picks that raise it.
    if blocked.lacking:
        name, missing = blocked.lacking.name, blocked.lacking.number
    elif blocked.code not in MINIMUMS:
        name = ""
    if name and missing > 0:
        return _("Then needs %(number)s %(name)s") % {"number": format_number(missing), "name": name}
    return _("Then incomplete")


def _explain_most(blocked: Violation, *, is_excess_said: bool) -> str:
    bound = get_bound(blocked)
    text = _("%(allowed)s at most.")
    # “3 at most” is enough for the fourth.
    if blocked.measured != bound + 1 and not is_excess_said:
        text = _("%(allowed)s at most, and this would make %(measured)s.")
    return text % {"allowed": format_number(bound), "measured": format_number(blocked.measured)}


REMARKS = {
    "no-limit": gettext_lazy("There is no limit for %(what)s, so shares of it aren’t checked."),
    "undecided-categories": gettext_lazy(
        "The categories of %(what)s depend on other units, which in turn depend on it, "
        "so the order of the list decided."
    ),
    "rules-gone": gettext_lazy("The rules %(what)s are no longer installed; the list is checked without them."),
    "homebrew-refused": gettext_lazy(
        "The house rule about %(what)s doesn’t fit this data, so the data’s value counts."
    ),
    "not-finished": gettext_lazy("Whether this list can still be completed: looking ahead is not finished."),
    "other-factions": gettext_lazy("Whether a detachment of another faction would complete this list."),
}
"""Our own remarks, by code; other remarks are worded by the data."""


def format_remark(note: Unchecked) -> str:
    return REMARKS[note.code] % {"what": note.text} if note.code in REMARKS else note.text


NOTE_PLACES = 2


def list_unchecked(notes: Iterable[Unchecked], books: Publications) -> Iterator[str]:
    """Yield each unchecked text once, with its first sources."""
    places: dict[str, dict[str, None]] = {}
    for note in notes:
        # A book has the same remark for many units.
        places.setdefault(format_remark(note), {})[format_citation(note.citation, books)] = None
    for text, citations in places.items():
        cited = [place for place in citations if place]
        if cited:
            more = "; …" if len(cited) > NOTE_PLACES else ""
            text = f"{text} ({'; '.join(cited[:NOTE_PLACES])}{more})"
        yield text


VERDICT_WORDS = {
    Verdict.LEGAL: gettext_lazy("Legal"),
    Verdict.INCOMPLETE: gettext_lazy("Incomplete"),
    Verdict.ILLEGAL: gettext_lazy("Illegal"),
}


def get_verdict_word(verdict: Verdict, rules: str = "") -> str:
    """Word a verdict. With a player's house `rules`, a list is never plainly legal."""
    if rules and verdict is Verdict.LEGAL:
        return _("Legal by %(rules)s") % {"rules": rules}
    return str(VERDICT_WORDS[verdict])
