"""Words about the visibility of lists and decks, and about printouts of them."""

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
    """How a printout compares with the list; `good`: it shows the current list."""

    title: str
    text: str
    good: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingWords:
    by_link: str
    everybody: str
    hidden: str
    renew: str
    renewed: str
    report: str
    reasons: str


def get_sharing_words(thing: Shared) -> SharingWords:
    if isinstance(thing, Roster):
        return SharingWords(
            by_link=_("Read only. Not in search."),
            everybody=_("Shown in Public lists; search engines may find it."),
            hidden=_("The staff have hidden this list: whatever you choose, only you and they can see it."),
            renew=_("Reset the link: the old one stops working, on paper and in messages, too."),
            renewed=_("The link was reset. The old one no longer works."),
            report=_("What is wrong with this list?"),
            reasons=_("Reports are anonymous. Don’t report illegal lists: the verdict already shows that."),
        )
    return SharingWords(
        by_link=_("Read only. Not in search."),
        everybody=_("Shown among public mission decks; search engines may find it."),
        hidden=_("The staff have hidden this deck: whatever you choose, only you and they can see it."),
        renew=_("Reset the link: the old one stops working."),
        renewed=_("The link was reset. The old one no longer works."),
        report=_("What is wrong with this deck?"),
        reasons=_("Reports are anonymous."),
    )


def list_visibilities(thing: Shared) -> list[VisibilityChoice]:
    words = get_sharing_words(thing)
    nobody = _("No link works.")
    return [
        VisibilityChoice(value=Visibility.PRIVATE, name=_("Only me"), text=nobody),
        VisibilityChoice(value=Visibility.LINK, name=_("Anyone with the link"), text=words.by_link),
        VisibilityChoice(value=Visibility.PUBLIC, name=_("Public"), text=words.everybody),
    ]


def describe_visibility(thing: Shared, before: str) -> str:
    """Describe a new visibility; `before` is the previous one."""
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


def explain_paper(shown: ShownList) -> PaperNotice | None:
    fields = {"number": shown.number, "name": shown.name}
    which = {"which": (_("“%(name)s”, revision %(number)d") if shown.name else _("revision %(number)d")) % fields}
    match shown.paper:
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
