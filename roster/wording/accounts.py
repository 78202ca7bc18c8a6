"""What to say of things that change hands or go."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from roster.models.ownership import Shared


def format_claimed(given: Mapping[type[Shared], int]) -> str:
    """Say how much a guest made that belongs to the account now."""
    return _("What you made in this browser belongs to your account now: %s.") % format_counts(given)


def format_counts(numbers: Mapping[type[Shared], int]) -> str:
    """Say how many there are of each kind: "2 lists, 1 mission deck"; blank for nothing."""
    return ", ".join(kind.counted % number for kind, number in numbers.items())


def format_expired(number: int, days: int) -> str:
    """Say how many lists of guests were deleted after being left alone too long."""
    text = ngettext(
        "%(number)d list that a guest had left alone for %(days)d days is deleted.",
        "%(number)d lists that guests had left alone for %(days)d days are deleted.",
        number,
    )
    return text % {"number": number, "days": days}


def format_purged(number: int, days: int) -> str:
    """Say how many lists were deleted after being in the bin too long."""
    text = ngettext(
        "%(number)d list that was in the bin for %(days)d days is deleted.",
        "%(number)d lists that were in the bin for %(days)d days are deleted.",
        number,
    )
    return text % {"number": number, "days": days}
