"""The time zones that an event or a user can have."""

from functools import cache
from zoneinfo import available_timezones


@cache
def list_zones() -> tuple[str, ...]:
    """Return the names of all time zones, sorted. Cached: Python reads the folder of zones at each call."""
    return tuple(sorted(available_timezones()))
