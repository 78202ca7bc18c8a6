"""Write calendars of whole days and of evenings as RFC 5545 (iCalendar)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

LONGEST_LINE = 75
"""Octets. Longer lines are folded."""
_ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarDay:
    """A whole-day entry, or one from `starts` to `ends`. `uid` stays the same if the day or the words change."""

    uid: str
    day: date
    starts: datetime | None = None
    ends: datetime | None = None
    place: str = ""
    title: str
    text: str = ""
    address: str = ""
    changed: datetime


def write_calendar(name: str, days: Iterable[CalendarDay]) -> str:
    """Write the file. Its lines end in CR and LF, as the RFC requires."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Armybuilder//EN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_escape(name)}",
    ]
    for day in days:
        lines += ["BEGIN:VEVENT", f"UID:{day.uid}", f"DTSTAMP:{_write_moment(day.changed)}"]
        if day.starts and day.ends:
            lines += [f"DTSTART:{_write_moment(day.starts)}", f"DTEND:{_write_moment(day.ends)}"]
        else:
            # The end of a day is the next one. Nobody is busy for all of it.
            lines += [
                f"DTSTART;VALUE=DATE:{day.day:%Y%m%d}",
                f"DTEND;VALUE=DATE:{day.day + timedelta(days=1):%Y%m%d}",
                "TRANSP:TRANSPARENT",
            ]
        lines.append(f"SUMMARY:{_escape(day.title)}")
        if day.place:
            lines.append(f"LOCATION:{_escape(day.place)}")
        if day.text:
            lines.append(f"DESCRIPTION:{_escape(day.text)}")
        if day.address:
            lines.append(f"URL:{day.address}")
        lines.append("END:VEVENT")
    return "".join(map(_fold, [*lines, "END:VCALENDAR"]))


def _write_moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


def _fold(line: str) -> str:
    """Fold a line after at most 75 octets, never inside a character."""
    parts, size = [""], 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > LONGEST_LINE:
            parts.append(" ")
            size = 1
        parts[-1] += letter
        size += octets
    return "\r\n".join(parts) + "\r\n"
