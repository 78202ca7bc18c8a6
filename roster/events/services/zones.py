from functools import cache
from zoneinfo import available_timezones


@cache
def list_zones() -> tuple[str, ...]:
    """Return all time zones. Cached because Python reads their folder at each call."""
    return tuple(sorted(available_timezones()))
