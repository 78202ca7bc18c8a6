"""Sentences about collections, clubs and seasons."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from roster.club.models import ModelState, StateChange
from roster.services.outcomes import Refused
from roster.wording import explain_refusal


def explain_collection_refusal(refused: Refused) -> str:
    """Explain why a step of a collection was refused."""
    fields = {"allowed": refused.allowed, "measured": refused.measured, "name": refused.subject_id}
    match refused.code:
        case "too-few":
            return _("You have %(measured)s of these, not %(allowed)s.") % fields
        case "too-many":
            return _("At most %(allowed)s fit here.") % fields
        case "no-name":
            return _("Write the name of the model.")
        case "bad-number":
            return _("Write how many, as a number from 1.")
        case "nothing-owned-fits":
            return _("Nothing that you own fits into this list.")
        case "nothing-to-undo":
            return _("Nothing to undo.")
    return explain_refusal(refused)


def describe_change(change: StateChange) -> str:
    """Describe a step that was done or undone."""
    fields = {"number": change.number, "name": change.kind.name}
    if not change.source:
        return _("%(number)s %(name)s added") % fields
    if not change.target:
        return _("%(number)s %(name)s removed") % fields
    fields |= {"state": ModelState(change.target).label}
    return _("%(number)s %(name)s: %(state)s") % fields


_CLUB_REFUSALS = {
    "no-name": gettext_lazy("Give it a name."),
    "no-room": gettext_lazy("At most %(allowed)s are possible."),
    "full": gettext_lazy("At most %(allowed)s are possible."),
    "last-organiser": gettext_lazy("You are the only organiser. Make someone else an organiser first."),
    "bad-points": gettext_lazy("A win must be worth at least as much as a draw, and a draw as much as a loss."),
    "bad-number": gettext_lazy("Enter a whole number from %(measured)s to %(allowed)s."),
    "bad-score": gettext_lazy("Enter both scores as whole numbers."),
    "bad-day": gettext_lazy("Enter a date from today on."),
    "season-over": gettext_lazy("This season is over."),
    "season-full": gettext_lazy("The rounds are fixed already, so nobody can enter any more."),
    "too-few-players": gettext_lazy("At least two players are needed."),
    "too-many-players": gettext_lazy("Each with each, at most %(allowed)s can play. Use the Swiss system for more."),
    "challenged": gettext_lazy("You two have a game to play already."),
    "too-many-challenges": gettext_lazy("%(allowed)s of your challenges wait to be played. Play one first."),
    "has-result": gettext_lazy(
        "This game has a result already: %(name)s. Confirm it, or ask an organiser to correct it."
    ),
    "running-result": gettext_lazy("A game that is not over is entered for this meeting already."),
    "scores-changed": gettext_lazy("The result has changed since: it is %(name)s now. Look at it again."),
    "other-player": gettext_lazy("That game was not played against %(name)s."),
}


def explain_club_refusal(refused: Refused) -> str:
    """Explain why an act in a club or a season was refused."""
    if refused.code not in _CLUB_REFUSALS:
        return explain_refusal(refused)
    fields = {"allowed": refused.allowed, "measured": refused.measured, "name": refused.subject_id}
    return str(_CLUB_REFUSALS[refused.code]) % fields
