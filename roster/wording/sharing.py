"""What to say of who may see a list, and of a paper that was printed of it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from roster.models import Roster
from roster.models.ownership import Visibility
from roster.services.revisions import Paper, Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer to the question who may see a list."""

    value: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSaid:
    """`good`: the paper is what the list is now."""

    title: str
    text: str
    good: bool = False


def visibilities() -> list[Choice]:
    """The answers, from nobody to everybody."""
    return [
        Choice(
            value=Visibility.PRIVATE,
            name=_("Only me"),
            text=_("The address, and the QR code of every sheet, leads nowhere for anybody else."),
        ),
        Choice(
            value=Visibility.LINK,
            name=_("Whoever has the address"),
            text=_("It stands on printed sheets as a QR code. No search finds it and nobody can guess it."),
        ),
        Choice(
            value=Visibility.PUBLIC,
            name=_("Everybody"),
            text=_("The list stands among the public lists, and search engines may find it."),
        ),
    ]


def shared(roster: Roster) -> str:
    """What came of a choice."""
    return {
        Visibility.PRIVATE: _("Only you can see the list."),
        Visibility.LINK: _("Whoever has the address can see the list."),
        Visibility.PUBLIC: _("Everybody can see the list."),
    }[Visibility(roster.visibility)]


def paper(shown: Shown) -> PaperSaid | None:
    """What the read-only page says to somebody who came by a printed QR code."""
    number = {"number": shown.number}
    match shown.paper:
        case Paper.SAME:
            return PaperSaid(
                title=_("Nothing has changed"),
                text=_(
                    "The list is today what it was at revision %(number)d, which your paper or link names."
                )
                % number,
                good=True,
            )
        case Paper.CHANGED:
            return PaperSaid(
                title=_("Changed since then"),
                text=_(
                    "You see revision %(number)d, which your paper or link names. The list is another today."
                )
                % number,
            )
        case Paper.NEWER_DATA:
            return PaperSaid(
                title=_("Judged by newer data today"),
                text=_("You see revision %(number)d with the data of that day. The list itself is the same.")
                % number,
            )
        case Paper.UNKNOWN:
            return PaperSaid(
                title=_("No such state of this list"),
                text=_("What your paper or link names, this list never was. You see it as it is today."),
            )
    return None
