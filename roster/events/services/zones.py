from functools import cache
from zoneinfo import available_timezones


@cache
def list_zones() -> tuple[str, ...]:
    """List all time zones, cached because Python reads their folder on each call."""
    return tuple(sorted(available_timezones()))
