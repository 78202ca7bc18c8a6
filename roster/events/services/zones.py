from datetime import tzinfo
from functools import cache
from typing import Protocol
from zoneinfo import available_timezones


class Zoned(Protocol):
    """Something that happens in a time zone, such as an event."""

    @property
    def zone(self) -> str:
        """Return the zone's name, such as "Europe/Berlin"."""

    @property
    def timezone(self) -> tzinfo: ...


@cache
def list_zones() -> tuple[str, ...]:
    """List all time zones, cached because Python reads their folder on each call."""
    return tuple(sorted(available_timezones()))
