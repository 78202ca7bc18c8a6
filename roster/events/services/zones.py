"""The time zones that an event or a user can have."""

from functools import cache
from zoneinfo import available_timezones


@cache
def list_zones() -> tuple[str, ...]:
    """Return the sorted names of all time zones. Python itself reads the whole folder of zones at each call."""
    return tuple(sorted(available_timezones()))
