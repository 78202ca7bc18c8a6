"""Template tags of statistics. They write rows in Python, because a page has hundreds, with thousands of options."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalogue.templatetags.emblems import make_hue_class, render_base

if TYPE_CHECKING:
    from roster.club.views.statistics import ShareRow, WonRow

register = template.Library()


@register.simple_tag(name="share_rows")
def render_share_rows(rows: "Iterable[ShareRow]", chosen: str = "", *, plain: bool = False) -> SafeString:
    """Render shares as bars. `chosen` is the id of the shown faction; `plain` rows have no emblems."""
    find_lists, show_options = escape(_("Public lists with this unit")), escape(_("Options"))
    lines: list[str] = []
    for row in rows:
        name: str = escape(row.name)
        if row.address:
            about = "" if row.faction_id else f' title="{find_lists}"'
            if row.faction_id and row.faction_id == chosen:
                about = ' aria-current="true"'
            name = f'<a href="{escape(row.address)}"{about}>{name}</a>'
        options = "".join(
            f"<li>{escape(option.name)} <b>{option.percent}</b> {option.number} / {option.total}</li>"
            for option in row.options
        )
        if options:
            options = f'<details><summary>{show_options}</summary><ul class="plain">{options}</ul></details>'
        lines.append(
            f'<tr class="{make_hue_class(row.faction)}"><th scope="row">'
            f'<div class="pick{" plain" if plain else ""}">{"" if plain else render_base(row.emblem)}'
            f'<span class="nm">{name}</span>'
            f'<svg class="sharebar" aria-hidden="true"><rect width="{row.width:.1f}%" height="100%"/></svg></div>'
            f"{options}</th><td>{row.percent}</td><td>{row.number} / {row.total}</td></tr>"
        )
    return SafeString("".join(lines))


@register.simple_tag(name="won_rows")
def render_won_rows(rows: "Iterable[WonRow]") -> SafeString:
    """Render shares of won games with their confidence limits; few games have no share."""
    few, limits = escape(_("too few to say")), _("%(low)s to %(high)s %%")
    lines: list[str] = []
    for row in rows:
        if row.won.is_few:
            picture, share = f'<span class="few">{few}</span>', "–"
        else:
            picture = (
                '<svg class="whisker" aria-hidden="true"><line x1="50%" x2="50%" y1="0" y2="100%"/>'
                f'<rect x="{row.low}%" width="{row.width}%" y="33%" height="34%" rx="4"/>'
                f'<circle cx="{row.middle}%" cy="50%" r="6"/></svg>'
            )
            share = f"{row.middle} %<small>{escape(limits % {'low': row.low, 'high': row.high})}</small>"
        lines.append(
            f'<tr class="{make_hue_class(row.faction)}"><th scope="row"><div class="pick">{render_base(row.emblem)}'
            f'<span class="nm">{escape(row.name)}</span>{picture}</div></th>'
            f"<td>{share}</td><td>{row.won.games}</td></tr>"
        )
    return SafeString("".join(lines))
