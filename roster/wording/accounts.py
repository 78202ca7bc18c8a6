"""What to say of things that change hands or go."""

from django.utils.translation import ngettext


def claimed(number: int) -> str:
    """Of what a guest made, once the guest has signed in."""
    said = ngettext(
        "%(number)d list that you made in this browser belongs to your account now.",
        "%(number)d lists that you made in this browser belong to your account now.",
        number,
    )
    return said % {"number": number}


def expired(number: int, days: int) -> str:
    """Of what guests left alone for longer than it is kept."""
    said = ngettext(
        "%(number)d list that a guest had left alone for %(days)d days is deleted.",
        "%(number)d lists that guests had left alone for %(days)d days are deleted.",
        number,
    )
    return said % {"number": number, "days": days}


def emptied(number: int, days: int) -> str:
    """Of what was in the bin for longer than it is kept."""
    said = ngettext(
        "%(number)d list that was in the bin for %(days)d days is deleted.",
        "%(number)d lists that were in the bin for %(days)d days are deleted.",
        number,
    )
    return said % {"number": number, "days": days}
