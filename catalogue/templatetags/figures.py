"""Numbers, limits and citations on catalogue pages."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
from django import template
from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from catalogue.definitions.diagnostics import Diagnostic, DiagnosticGroup, group_diagnostics
from catalogue.definitions.numbers import Number, format_number, shorten_number
from catalogue.services.texts import name_book

register = template.Library()


@register.filter("number")
def format_exact_number(value: Number | None) -> str:
    """Format an exact number, or "" for None.

    >>> format_exact_number(Decimal("12.5000")), format_exact_number(None)
    ('12.5', '')
    """
    return "" if value is None else format_number(_make_exact(value))


@register.filter("percent")
def format_percent(share: Fraction) -> str:
    """Format a share as a whole number of percent.

    >>> format_percent(Fraction(2, 3))
    '67\\xa0%'
    """
    return f"{round(100 * share)}\N{NO-BREAK SPACE}%"


@register.filter("grouped")
def group_findings(findings: list[Any]) -> list[DiagnosticGroup]:
    """Group equal findings of an import, given as plain JSON or as diagnostics."""
    return group_diagnostics(msgspec.convert(findings, list[Diagnostic]))


@register.filter("signed_number")
def format_signed(value: Number | None) -> str:
    """Format the points of an option: `+3`, `−2`, `±0`."""
    if value is None:
        return ""
    plain = format_number(_make_exact(value)).lstrip("-")
    return f"±{plain}" if value == 0 else f"{'−' if value < 0 else '+'}{plain}"


def _make_exact(value: Number) -> Number:
    return shorten_number(value) if isinstance(value, Decimal) else value


@register.simple_tag(name="data_language")
def mark_data_language() -> SafeString:
    """Mark English data for screen readers on a page in another language."""
    return SafeString("" if get_language() == settings.LANGUAGE_CODE else 'lang="en"')


@register.simple_tag(name="limits_label")
def format_limits(least: int | None, most: int | None) -> str:
    """Format limits: `2`, `1–4`, `at least 1`, or "".

    >>> format_limits(1, 4), format_limits(None, 2), format_limits(3, 3), format_limits(None, None)
    ('1–4', '0–2', '3', '')
    """
    if most is None:
        return _("at least %(least)d") % {"least": least} if least else ""
    return str(most) if least == most else f"{least or 0}–{most}"


@register.filter("citation")
def format_citation(place: Any) -> str:
    """Format a citation from a row or a mapping with `book`, `section` and `page`.

    >>> format_citation({"book": "Field Book", "section": "Musters", "page": "8"})
    'Field Book, “Musters”, p. 8'
    """
    book, section, page = (_read_citation_part(place, part) for part in ("book", "section", "page"))
    parts = [name_book(book), _("“%s”") % section if section else "", _("p. %s") % page if page else ""]
    return ", ".join(part for part in parts if part)


@register.filter("exact_source")
def get_exact_source(place: Any) -> str:
    """Return the repository and commit that `citation` shortens to the owner's name, or "" for books."""
    book = _read_citation_part(place, "book")
    return book if name_book(book) != book else ""


def _read_citation_part(place: Any, name: str) -> str:
    value = place.get(name, "") if isinstance(place, Mapping) else getattr(place, name, "")
    return str(value)


@register.filter("term_name")
def describe_term(kind: str) -> str:
    names = {
        "keyword": _("Keyword"),
        "weapon": _("Weapon"),
        "ability": _("Ability"),
        "option": _("Option"),
        "profile": _("Profile"),
    }
    return names.get(kind, kind)
