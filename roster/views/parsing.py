"""Numbers and days that come in forms and addresses."""

from datetime import date

LONGEST = 9
FIRST_YEAR, LAST_YEAR = 1970, 2200


def parse_whole_number(text: str) -> int | None:
    """A number of plain digits, else None.

    >>> whole_number("12"), whole_number("-1"), whole_number("٣"), whole_number(""), whole_number("9" * 20)
    (12, None, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None


def parse_date(text: str) -> date | None:
    """A day as ISO writes it, of a year that people play in; else None.

    >>> day("2026-03-21"), day("21.3.2026"), day("0001-01-01"), day("9999-12-31")
    (datetime.date(2026, 3, 21), None, None, None)
    """
    try:
        parsed_day = date.fromisoformat(text)
    except ValueError:
        return None
    return parsed_day if FIRST_YEAR <= parsed_day.year <= LAST_YEAR else None
