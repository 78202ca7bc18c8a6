"""Numbers that come in forms and addresses."""

LONGEST = 9


def whole_number(text: str) -> int | None:
    """A number of plain digits, else None.

    >>> whole_number("12"), whole_number("-1"), whole_number("٣"), whole_number(""), whole_number("9" * 20)
    (12, None, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None
