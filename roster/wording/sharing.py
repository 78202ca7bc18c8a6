"""Word the visibility of lists and decks, and how printouts compare with them."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from roster.models import Roster
from roster.models.ownership import Shared, Visibility
from roster.services.revisions import PaperState, ShownList


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilityChoice:
    value: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperNotice:
    """How a printout compares with the list; `good` means that it shows the current list."""

    title: str
    text: str
    good: bool = False


def list_visibilities(thing: Shared) -> list[VisibilityChoice]:
    words = thing.sharing_words
    choices = [
        VisibilityChoice(value=Visibility.PRIVATE, name=_("Only me"), text=_("No link works.")),
        VisibilityChoice(value=Visibility.LINK, name=_("Anyone with the link"), text=str(words.by_link)),
    ]
    if words.everybody and not thing.is_of_private_game:
        choices.append(VisibilityChoice(value=Visibility.PUBLIC, name=_("Public"), text=str(words.everybody)))
    return choices


def describe_visibility(thing: Shared, before: str) -> str:
    text = {
        Visibility.PRIVATE: _("Only you can see it."),
        Visibility.LINK: _("Anyone with the link can see it."),
        Visibility.PUBLIC: _("Everybody can see it."),
    }[Visibility(thing.visibility)]
    if isinstance(thing, Roster) and thing.is_secret and thing.visibility != Visibility.PRIVATE:
        text += " " + _("Points and options stay hidden.")
    if before == Visibility.PUBLIC and thing.visibility == Visibility.LINK:
        text += " " + _("Search engines may know the link; reset it if they should not.")
    return text


def explain_paper(shown_list: ShownList) -> PaperNotice | None:
    fields = {"number": shown_list.number, "name": shown_list.name}
    which = {"which": (_("“%(name)s”, revision %(number)d") if shown_list.name else _("revision %(number)d")) % fields}
    match shown_list.paper:
        case PaperState.SAME:
            return PaperNotice(
                title=_("Nothing has changed"),
                text=_("The list has not changed since %(which)s, the revision on your printout or in your link.")
                % which,
                good=True,
            )
        case PaperState.CHANGED:
            return PaperNotice(
                title=_("Changed since then"),
                text=_("This is %(which)s, the revision on your printout or in your link. The list has changed since.")
                % which,
            )
        case PaperState.NEWER_DATA:
            return PaperNotice(
                title=_("Checked with newer data today"),
                text=_("You are looking at %(which)s with the data of that day. The list itself is the same.") % which,
            )
        case PaperState.UNKNOWN:
            return PaperNotice(
                title=_("No such state of this list"),
                text=_(
                    "This list doesn’t have the revision on your printout or in your link. You see it as it is today."
                ),
            )
    return None
