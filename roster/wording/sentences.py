"""A breach of a rule in words. Text only: whoever puts it into a page escapes it there."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.numbers import Number, format_number
from roster.engine.report import PlaceKind, Verdict, Violation
from roster.services.judging import Judged
from roster.services.rulesets import Books
from roster.wording.citations import citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """What is said of one breach.

    `headline` says what is wrong, `text` the rule in the data's own words (often blank), `detail` the figures, `where` the
    part of the list (blank: all of it), `citation` the book and place, `hint` a way out. `code` and `severity` are the
    violation's.
    """

    code: str
    severity: str
    headline: str
    text: str = ""
    detail: str = ""
    where: str = ""
    citation: str = ""
    hint: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in (self.headline, self.text, self.detail) if part)


@dataclass(frozen=True, slots=True)
class Words:
    """The parts of a sentence that depend on the kind of rule."""

    headline: str
    detail: str
    hint: str


def sentences(judged: Judged) -> tuple[Sentence, ...]:
    """All breaches of a list in words, in the order of the report."""
    return tuple(sentence(violation, judged.books) for violation in judged.report.violations)


def sentence(violation: Violation, books: Books) -> Sentence:
    """One breach in words; `books` is `Judged.books` or `Board.books`."""
    words = KINDS.get(violation.code, bound)(violation)
    return Sentence(
        code=violation.code,
        severity=violation.severity.value,
        headline=violation.name or words.headline,
        text=violation.text,
        detail=words.detail,
        where=violation.on.name if violation.on.kind is not PlaceKind.ROSTER else "",
        citation=citation(violation.citation, books),
        hint=words.hint,
    )


def short(violation: Violation) -> str:
    """A breach on one line, for a reason beside something that cannot be taken: "Columns: 3 counted, at most 2"."""
    words = KINDS.get(violation.code, bound)(violation)
    return violation.name or words.headline


def unchecked(note: Unchecked, books: Books) -> str:
    """What was not judged, with the place to read it up."""
    place = citation(note.citation, books)
    return f"{note.text} ({place})" if place else note.text


def verdict_word(verdict: Verdict) -> str:
    """The verdict in a word."""
    return {
        Verdict.LEGAL: _("Legal"),
        Verdict.INCOMPLETE: _("Incomplete"),
        Verdict.ILLEGAL: _("Illegal"),
    }[verdict]


# ---- the kinds of rules ------------------------------------------------------------------------------------------


def bound(violation: Violation) -> Words:
    """Two figures compared: whichever rule it is, it says too many or too few."""
    return _too_many(violation) if violation.measured > violation.allowed else _too_few(violation)


def _too_many(violation: Violation) -> Words:
    over = violation.measured - violation.allowed
    hint = ngettext("Take %(number)s away.", "Take %(number)s away.", plural(over)) % {
        "number": format_number(over)
    }
    if violation.mendable:
        hint = _("%(hint)s Or add what allows more.") % {"hint": hint}
    return Words(_("Too many: %(counted)s") % {"counted": counted(violation)}, at_most(violation), hint)


def _too_few(violation: Violation) -> Words:
    missing = violation.allowed - violation.measured
    hint = ngettext("Add %(number)s more.", "Add %(number)s more.", plural(missing))
    return Words(
        _("Too few: %(counted)s") % {"counted": counted(violation)},
        at_least(violation),
        hint % {"number": format_number(missing)},
    )


def counted(violation: Violation) -> str:
    """The name of what was counted, else of what it is about."""
    return violation.counted or violation.on.name or _("choices")


def at_most(violation: Violation) -> str:
    """The figures of a maximum."""
    return ngettext(
        "%(measured)s counted, at most %(allowed)s allowed.",
        "%(measured)s counted, at most %(allowed)s allowed.",
        plural(violation.measured),
    ) % figures(violation)


def at_least(violation: Violation) -> str:
    """The figures of a minimum."""
    return ngettext(
        "%(measured)s counted, at least %(allowed)s needed.",
        "%(measured)s counted, at least %(allowed)s needed.",
        plural(violation.measured),
    ) % figures(violation)


def figures(violation: Violation) -> dict[str, str]:
    return {"measured": format_number(violation.measured), "allowed": format_number(violation.allowed)}


def plural(number: Number) -> int:
    """A number as the choice of a plural form takes it: half a point is said like two."""
    return int(number) if number == int(number) else 2


KINDS: dict[str, Callable[[Violation], Words]] = {}
"""The wording of each rule kind by its code. Kinds that only compare two figures need none of their own."""
