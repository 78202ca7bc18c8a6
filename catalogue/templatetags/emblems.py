"""Identities on pages: colours and emblems of games and factions, bases of units."""

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
    """A row with a dark and a light colour, each `#` and six hexadecimal digits."""

    accents: tuple[str, str]


@register.filter("hue")
def make_hue_class(row: Coloured | str | None) -> str:
    """Return the class that gives a page or a part of it the colours of a game or faction; blank for none.

    The stylesheet of colours has one rule for each pair: a pair is its own name, so that no two rows can collide.
    """
    # A page without a game has none in its context, which a template reads as text.
    if not row or isinstance(row, str):
        return ""
    dark, light = row.accents
    return f"hue-{dark[1:]}-{light[1:]}"


@register.simple_tag(name="emblem")
@lru_cache(maxsize=1024)
def render_emblem(name: str, css: str = "") -> SafeString:
    """Render an emblem as large as the text around it; nothing for one that is not bundled."""
    if name not in EMBLEMS:
        return SafeString("")
    return format_html(
        '<svg class="gi{}" aria-hidden="true"><use href="{}#e"/></svg>',
        f" {css}" if css else "",
        static(f"icons/emblems/{name}.svg"),
    )


@register.simple_tag(name="base")
def render_base(name: str, css: str = "", count: int | str | None = None) -> SafeString:
    """Render an emblem on a round base; `css` is its size and kind, `count` the badge on its rim.

    Kinds: none for a faction, `slot` for a unit to be taken, `slot in` for one that is taken, `empty` for a free slot.
    """
    badge = "" if count in (None, "") else format_html('<span class="n">{}</span>', count)
    return format_html('<span class="base{}">{}{}</span>', f" {css}" if css else "", render_emblem(name), badge)


@register.simple_tag(name="tape")
def render_tape(spent: str | Decimal | float, limit: str | Decimal | float | None, css: str = "") -> SafeString:
    """Render how much of a limit is spent as a tape measure; nothing without a limit above 0."""
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
    """Return what a mapping has under a name; blank where it has nothing, or is missing itself."""
    return mapping.get(name, "") if isinstance(mapping, Mapping) else ""


@register.filter("at")
def get_item(items: Sequence[Any], index: int) -> Any:
    """Return the item at a place, from 0."""
    return items[index]
