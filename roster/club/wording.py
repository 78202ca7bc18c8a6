"""Sentences about collections."""

from django.utils.translation import gettext as _

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
