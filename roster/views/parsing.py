"""Parse numbers and dates from forms and addresses."""

from datetime import date

LONGEST = 9
LARGEST = 10**LONGEST - 1
FIRST_YEAR, LAST_YEAR = 1970, 2200


def parse_whole_number(text: str) -> int | None:
    """Parse a number of plain digits; None for anything else.

    >>> [parse_whole_number(text) for text in ("12", "-1", "٣", "", "9" * 20)]
    [12, None, None, None, None]
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None


def parse_date(text: str) -> date | None:
    """Parse a day as ISO writes it, of a year that people play in; None for anything else.

    >>> [parse_date(text) for text in ("2026-03-21", "21.3.2026", "0001-01-01", "9999-12-31")]
    [datetime.date(2026, 3, 21), None, None, None]
    """
    try:
        parsed_day = date.fromisoformat(text)
    except ValueError:
        return None
    return parsed_day if FIRST_YEAR <= parsed_day.year <= LAST_YEAR else None
