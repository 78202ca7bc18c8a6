"""Template tags of collections. The builder includes their template without depending on this app."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from catalogue.templatetags.emblems import render_base
from roster.club.models import Collection, ModelState, OwnedKind
from roster.club.services.collections import select_counting
from roster.club.services.needs import Needs
from roster.models import Roster

register = template.Library()


@register.simple_tag(name="count_models")
def count_models(kind: OwnedKind | None, state: str) -> int:
    """Count a kind's models in a state; 0 without a kind."""
    return kind.count(state) if kind else 0


@register.simple_tag(name="owns_models")
def owns_models(roster: Roster) -> bool:
    """Return whether a list's owner has a collection that counts for its game."""
    owned = Collection.objects.filter(owner=roster.owner_id, owner_key=roster.owner_key)
    return select_counting(owned, roster.version.game_id).exists()


@register.simple_tag(name="kind_rows", takes_context=True)
def render_kind_rows(context: template.RequestContext, needs: Needs, editable: bool) -> SafeString:
    """Render a collection's hundreds of kinds without a template. Only the opened one has photos and forms."""
    language, opened, photos = get_language() or "", context.get("opened"), context["photos"]
    lists = len(needs.lists)
    rows: list[str] = []
    for row in needs.rows:
        kind = row.kind
        numbers = (kind.sprue, kind.built, kind.primed, kind.painted, kind.based, kind.lent) if kind else (0,) * 6
        kind_photos = photos.get(kind.pk, ()) if kind else ()
        photo = kind_photos[0].small_address if kind_photos else ""
        location = kind.location if kind and editable else ""
        cells = _render_cells(language, row.name, row.category, location, row.emblem, photo, numbers)
        need = ""
        if editable and lists:
            named = row.needs[0].roster.name if len(row.needs) == 1 else ""
            need = _render_need(language, lists, len(row.needs), named, row.needed, row.short)
        if kind is None or not (editable or kind_photos):
            rows.append(f'<div class="kind">{cells}{need}</div>')
            continue
        is_open = kind.pk == opened
        query = "" if is_open else f"open={kind.pk}"
        rows.append(
            f'<a class="kind" id="kind-{kind.pk}" href="?{query}#kind-{kind.pk}" '
            f'aria-expanded="{"true" if is_open else "false"}">{cells}{need}</a>'
        )
        if is_open:
            fields = {name: context.get(name) for name in ("collection", "states", "all_states")}
            fields |= {"kind": kind, "photos": kind_photos, "editable": editable}
            rows.append(render_to_string("club/parts/opened_kind.html", fields, context["request"]))
    return SafeString("".join(rows))


@lru_cache(maxsize=4096)
def _render_cells(
    language: str, name: str, category: str, location: str, emblem: str, photo: str, numbers: tuple[int, ...]
) -> str:
    """Render a kind's photo or emblem, name and numbers, with users' texts escaped. `photo` is an address or ""."""
    picture = f'<img class="base m" src="{photo}" alt="" loading="lazy">' if photo else render_base(emblem, "m")
    facts = " · ".join(filter(None, (category, location)))
    second = f"<small>{escape(facts)}</small>" if facts else ""
    cells = [f'<span class="u">{picture}<span><b>{escape(name)}</b>{second}</span></span>', '<span class="states">']
    *work, lent = numbers
    for state, number in zip(ModelState, work, strict=False):
        css, base = (state.value, render_base(emblem)) if number else (f"{state.value} none", "")
        label = f'<span class="sr">{escape(state.label)}:</span>'
        cells.append(f'<span class="state {css}">{label}{base}<b>{number or "–"}</b></span>')
    loan, label = _("%(n)s on loan") % {"n": lent}, _("Own")
    on_loan = f"<small>{escape(loan)}</small>" if lent else ""
    cells.append(f'</span><span class="own"><span class="sr">{escape(label)}:</span>{sum(numbers)}{on_loan}</span>')
    return "".join(cells)


@lru_cache(maxsize=4096)
def _render_need(language: str, lists: int, number: int, named: str, needed: int, short: int) -> str:
    if not number:
        text = _("in no list")
        return f'<span class="need"><span class="soft">{escape(text)}</span></span>'
    where = _("all %(n)s lists") if number == lists else _("in %(n)s lists")
    css, text = ("short", _("%(n)s short") % {"n": short}) if short else ("soft", _("enough"))
    words = f'<span class="{css}">{escape(text)}</span>'
    return f'<span class="need"><b>{needed}, {escape(named or where % {"n": number})}</b> {words}</span>'
