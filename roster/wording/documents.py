"""Explain why a list document cannot be read, and how to fix it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from roster.formats.list_document import Unreadable
from roster.formats.other_files import DOCUMENT, PACKED, PDF, PICTURE, SHEET, WEB_PAGE
from roster.formats.ros import ReadError
from roster.services.outcomes import Refused
from roster.wording.refusals import explain_refusal

_REASONS = {
    "alias": gettext_lazy("A list cannot use anchors and aliases (& and *)."),
    "ambiguous": gettext_lazy("“%(given)s” could mean several things here."),
    "ambiguous-unit": gettext_lazy(
        "“%(given)s” could be several units. Give the one you mean a `ref:` of its own and write that here."
    ),
    "bad-json": gettext_lazy("This is not JSON: %(detail)s."),
    "bad-key": gettext_lazy("A key has to be a plain word."),
    "bad-link": gettext_lazy("This armylist link is damaged. Copy it again, from the first letter to the last."),
    "bad-number": gettext_lazy("You cannot take that number of “%(given)s”."),
    "bad-yaml": gettext_lazy("This is not YAML: %(detail)s."),
    "count-too-high": gettext_lazy("A count is at most %(detail)s, not %(given)s."),
    "duplicate-key": gettext_lazy("“%(given)s” is here twice."),
    "empty": gettext_lazy("There is nothing in this document."),
    "missing-key": gettext_lazy("“%(given)s” is missing here."),
    "no-text": gettext_lazy("This isn’t text. Perhaps it is a picture or an archive."),
    "not-a-number": gettext_lazy("“%(given)s” isn’t a valid number here."),
    "not-a-truth": gettext_lazy("“%(given)s” is neither yes nor no."),
    "not-a-verdict": gettext_lazy("“%(given)s” is not a verdict."),
    "named-twice": gettext_lazy("“%(given)s” is already here, under another name."),
    "not-fields": gettext_lazy("Expected keys with values, such as “name: Low water”."),
    "not-items": gettext_lazy("Expected a list, one item per line after a hyphen."),
    "not-text": gettext_lazy("Expected a single word or text."),
    "not-utf-8": gettext_lazy("This document is not written in UTF-8."),
    "tag": gettext_lazy("A list cannot use tags such as %(given)s."),
    "place-in-itself": gettext_lazy("“%(given)s” is within or next to itself, perhaps through other places."),
    "text-too-long": gettext_lazy("This text has %(given)s characters; at most %(detail)s fit."),
    "bad-players": gettext_lazy(
        "A table has 2 to %(detail)s players; only four players can form teams, two teams of two."
    ),
    "too-big": gettext_lazy("This document is too large; at most %(detail)s bytes or parts are read."),
    "too-deep": gettext_lazy("This is nested too deeply; at most %(detail)s levels are read."),
    "too-large": gettext_lazy("A list holds at most %(detail)s parts."),
    "too-many-detachments": gettext_lazy(
        "This list has %(given)s detachments; a list holds at most %(detail)s. Take some out, or split the list in two."
    ),
    "too-slow": gettext_lazy(
        "Judging this list takes more than %(detail)s seconds. Leave out units or options and try again."
    ),
    "two-documents": gettext_lazy("A file holds one list; a second document begins here."),
    "unknown-category": gettext_lazy("There is no type of unit called “%(given)s”."),
    "unknown-cost-type": gettext_lazy("This game has no cost called “%(given)s”."),
    "unknown-detachment": gettext_lazy("There is no detachment called “%(given)s” here."),
    "unknown-entry": gettext_lazy("“%(given)s” cannot be taken here."),
    "unknown-faction": gettext_lazy("There is no faction called “%(given)s”."),
    "doubled-number": gettext_lazy("Two of these have the number %(given)s."),
    "unknown-table-form": gettext_lazy("Version %(given)s of a table setup isn’t supported; use %(detail)s."),
    "unknown-campaign-form": gettext_lazy("Version %(given)s of a campaign isn’t supported; use %(detail)s."),
    "unknown-occasion": gettext_lazy("An award cannot be for “%(given)s”."),
    "unknown-field": gettext_lazy("House rules cannot change “%(given)s”."),
    "unknown-form": gettext_lazy("Version %(given)s of the list format isn’t supported; use %(detail)s."),
    "unknown-game": gettext_lazy("No game called “%(given)s” is installed."),
    "unknown-group": gettext_lazy("There is no group of options called “%(given)s” here."),
    "unknown-key": gettext_lazy("Unknown key “%(given)s”."),
    "unknown-mission": gettext_lazy("This game has no mission called “%(given)s”."),
    "unknown-option": gettext_lazy("There is no option called “%(given)s” here."),
    "unknown-planned-unit": gettext_lazy("The list has nothing called “%(given)s”."),
    "unknown-place": gettext_lazy("There is no place called “%(given)s”."),
    "unknown-player": gettext_lazy("The club has no member called “%(given)s”."),
    "unknown-question": gettext_lazy("This game has no question called “%(given)s”."),
    "unknown-rules": gettext_lazy("This game has no extra rules called “%(given)s”."),
    "unknown-side": gettext_lazy("That mission has no side called “%(given)s”."),
    "unknown-association": gettext_lazy("Nothing can be attached as “%(given)s” here."),
    "unknown-unit": gettext_lazy("There is no unit called “%(given)s” here."),
    "unknown-version": gettext_lazy("This game has no version called “%(given)s”."),
}
INSTALL = "manage.py load_packs"
OTHER_FILES = {
    PDF: gettext_lazy("This is a PDF. Open it, select all, copy the text and paste it or save it as .txt."),
    DOCUMENT: gettext_lazy("This is a word processor document. Copy its text and paste it, or save it as .txt."),
    SHEET: gettext_lazy("This is a spreadsheet. Copy its cells and paste them, or save it as CSV."),
    PICTURE: gettext_lazy("This is a picture. Copy the list as text from the program that made it."),
    WEB_PAGE: gettext_lazy("This is a web page. Open it, select all, copy the text and paste it or save it as .txt."),
    PACKED: gettext_lazy("This is a packed file. Unpack it and take the list inside."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """Why a document cannot be read. Without a place, `line` and `column` are 0."""

    line: int
    column: int
    reason: str
    mend: str = ""

    def __str__(self) -> str:
        return f"{self.reason} {self.mend}".rstrip()


def explain_unreadable(error: Unreadable | ReadError) -> Complaint:
    if isinstance(error, ReadError):
        return Complaint(line=error.line, column=0, reason=error.message, mend=error.mend)
    reason = _REASONS.get(error.code) or OTHER_FILES.get(error.code)
    if reason:
        text = str(reason) % {"given": error.given, "detail": error.detail}
    else:
        # The engine refused an edit that the document requires.
        text = explain_refusal(Refused(code=error.code, subject_id=error.given))
    return Complaint(line=error.line, column=error.column, reason=text, mend=_suggest_fix(error))


def _suggest_fix(error: Unreadable) -> str:
    names = ", ".join(error.suggestions)
    if error.code == "unknown-game":
        installed = _("Installed: %(names)s.") % {"names": names} if names else _("None is installed.")
        return _("%(installed)s Install packs with: %(command)s") % {"installed": installed, "command": INSTALL}
    if error.code == "missing-key" and error.given == "list":
        return _("Begin with “list: 1”; docs/lists.md shows a whole list.")
    if not names:
        return ""
    if error.code == "unknown-version":
        return _("Choose one of: %(names)s.") % {"names": names}
    if error.code == "ambiguous":
        return _("Write one of: %(names)s.") % {"names": names}
    # List a few allowed keys in full; a likely name among hundreds becomes a question.
    likely = 2 if error.code == "unknown-key" else 1
    if len(error.suggestions) > likely and error.code in ("missing-key", "not-fields", "unknown-key"):
        return _("Allowed: %(names)s.") % {"names": names}
    return _("Did you mean: %(names)s?") % {"names": names}
