"""Emblems and colours of games and factions, and bases of units."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, Protocol

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalogue.definitions.identity import EMBLEMS

register = template.Library()


class Coloured(Protocol):
    """Each colour is `#` and six hexadecimal digits."""

    @property
    def accents(self) -> tuple[str, str]: ...


@register.filter("hue")
def make_hue_class(row: Coloured | str | None) -> str:
    """Return the class that gives part of a page the colours of a game or faction, or "".

    The stylesheet has one rule per pair of colours, named after the pair, so rows cannot collide.
    """
    # The template passes "" if the page has no game.
    if not row or isinstance(row, str):
        return ""
    dark, light = row.accents
    return f"hue-{dark[1:]}-{light[1:]}"


@register.simple_tag(name="emblem")
@lru_cache(maxsize=1024)
def render_emblem(name: str, css: str = "") -> SafeString:
    """Render an emblem at the size of the text, or nothing if it is not bundled."""
    if name not in EMBLEMS:
        return SafeString("")
    return format_html(
        '<svg class="gi{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        f" {css}" if css else "",
        static("icons/emblems.svg"),
        name,
    )


@register.simple_tag(name="base")
def render_base(name: str, css: str = "", count: int | str | None = None) -> SafeString:
    """Render an emblem on a round base with a badge for `count`. `css` is its size and kind.

    Kinds: none for a faction, `slot` for a unit on offer, `slot in` for a taken unit, `empty` for a free slot.
    """
    badge = "" if count in (None, "") else format_html('<span class="n">{}</span>', count)
    return format_html('<span class="base{}">{}{}</span>', f" {css}" if css else "", render_emblem(name), badge)


@register.simple_tag(name="tape")
def render_tape(spent: str | Decimal | float, limit: str | Decimal | float | None, css: str = "") -> SafeString:
    """Render the spent share of a limit as a tape measure, or nothing if the limit is not above 0."""
    try:
        share = Decimal(str(spent)) / Decimal(str(limit)) * 100
    except (InvalidOperation, ZeroDivisionError):
        return SafeString("")
    if not share.is_finite():
        return SafeString("")
    kind = " ".join(filter(None, ("tape", css, "over" if share > 100 else "")))
    percent = max(0, min(100, round(share)))
    return format_html(
        '<span class="{}" role="img" aria-label="{}"><svg aria-hidden="true">'
        '<rect width="{}%" height="100%"/></svg></span>',
        kind,
        _("%(percent)d percent of the limit") % {"percent": percent},
        percent,
    )


@register.filter("lookup")
def look_up(mapping: Mapping[str, str] | str, name: str) -> str:
    """Return "" if the value or the mapping is missing."""
    return mapping.get(name, "") if isinstance(mapping, Mapping) else ""


@register.filter("at")
def get_item(items: Sequence[Any], index: int) -> Any:
    return items[index]
