from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalogue.definitions.numbers import Number, format_number
from roster.club.models import LedgerEntry, LedgerKind
from roster.club.services.veterans import LedgerLine, UnitSnapshot, VeteranState, describe_gear
from roster.club.wording import describe_entry, write_figure

register = template.Library()

MOST_PIPS = 24
"""Above this experience, ranks are told in words and numbers only."""


@register.filter("entry")
def show_entry(entry: LedgerEntry) -> str:
    return describe_entry(entry)


@register.simple_tag(name="figure")
def show_figure(entry: LedgerEntry, experience: str) -> str:
    return write_figure(entry, experience)


@register.filter("number")
def show_number(value: Number) -> str:
    return format_number(value)


@register.filter("plus")
def show_plus(value: int) -> str:
    """Write a number with its sign, or "" for 0."""
    return f"{value:+d}".replace("-", "−") if value else ""


@register.filter("gear")
def show_gear(state: VeteranState) -> str:
    return describe_gear(state.unit, state.name)


@register.filter("offered_gear")
def show_offered_gear(unit: UnitSnapshot) -> str:
    return describe_gear(unit, unit.selection.custom_name or unit.name)


@register.filter("lines")
def list_ledger_lines(state: VeteranState) -> list[LedgerLine]:
    """List a ledger's lines, newest first, without undos."""
    return [line for line in state.lines if line.entry.kind != LedgerKind.UNDO]


@register.simple_tag(name="pips")
def render_pips(state: VeteranState) -> SafeString:
    """Render a unit's experience as pips up to the highest rank, with a line before each rank."""
    starts = {rank.start for rank in state.table.ranks if rank.start}
    most = max(starts, default=0)
    rank = state.rank.name if state.rank else ""
    words = " · ".join(filter(None, (rank, f"{state.experience} {state.table.experience}")))
    if not 0 < most <= MOST_PIPS:
        return format_html('<span class="xp-words">{}</span>', words) if state.experience else SafeString("")
    pips = format_html_join(
        "",
        "{}<i{}></i>",
        (
            (
                SafeString('<span class="at"></span>') if number in starts else "",
                SafeString(' class="on"') if number < state.experience else "",
            )
            for number in range(most)
        ),
    )
    label = _("Experience: %(words)s") % {"words": words}
    return format_html('<span class="xp" role="img" aria-label="{}" title="{}">{}</span>', label, words, pips)
