"""Template tags of collections, and whether a list's owner has one, for the builder, which does not depend on them."""

from collections.abc import Iterable

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalogue.templatetags.emblems import render_base
from roster.club.models import Collection, ModelState, OwnedKind
from roster.club.services.needs import KindRow, Needs
from roster.models import Roster

register = template.Library()


@register.simple_tag(name="count_models")
def count_models(kind: OwnedKind | None, state: str) -> int:
    """Return how many models of a kind are in a state; 0 without a kind."""
    return kind.count(state) if kind else 0


@register.simple_tag(name="owns_models")
def owns_models(roster: Roster) -> bool:
    """Return whether a list's owner has a collection of its game."""
    owned = Collection.objects.filter(owner=roster.owner_id, owner_key=roster.owner_key)
    return owned.filter(game=roster.version.game_id).exists()


@register.simple_tag(name="kind_row")
def render_kind_row(row: KindRow, states: Iterable[ModelState], needs: Needs, editable: bool) -> SafeString:
    """Render the cells of a kind without a template, because there are hundreds. Texts of users are escaped here."""
    category = f"<small>{escape(row.category)}</small>" if row.category else ""
    cells = [
        f'<span class="u">{render_base(row.emblem, "m")}<span><b>{escape(row.name)}</b>{category}</span></span>',
        '<span class="states">',
    ]
    for state in states:
        number = count_models(row.kind, state)
        css, base = (state.value, render_base(row.emblem)) if number else (f"{state.value} none", "")
        label = f'<span class="sr">{escape(state.label)}:</span>'
        cells.append(f'<span class="state {css}">{label}{base}<b>{number or "–"}</b></span>')
    lent = row.kind.lent if row.kind else 0
    on_loan = f"<small>{escape(_('%(n)s on loan') % {'n': lent})}</small>" if lent else ""
    cells.append(f'</span><span class="own"><span class="sr">{_("Own")}:</span>{row.owned}{on_loan}</span>')
    if editable:
        cells.append(f'<span class="need">{_render_need(row, needs)}</span>')
    return SafeString("".join(cells))


def _render_need(row: KindRow, needs: Needs) -> str:
    number = len(row.needs)
    if not number:
        return f'<span class="soft">{_("in no list")}</span>' if needs.lists else ""
    where = _("all %(n)s lists") if number == len(needs.lists) else _("in %(n)s lists")
    named = row.needs[0].roster.name if number == 1 else where % {"n": number}
    short = f'<span class="short">{_("%(n)s short") % {"n": row.short}}</span>'
    enough = f'<span class="soft">{_("enough")}</span>'
    return f"<b>{row.needed}, {escape(named)}</b> {short if row.short else enough}"
