"""The site's appearance: theme, emblems, symbols and dates."""

from datetime import date, datetime, timedelta
from functools import cache

from django import template
from django.conf import settings
from django.contrib.auth.models import User
from django.template.base import Parser, TextNode, Token
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.models import Faction, GameSystem
from catalogue.services.play import load_play
from roster import wording
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services.accounts import get_player_name
from roster.services.faces import load_faction

register = template.Library()

CHOICES = {"theme": ("auto", "light", "dark"), "density": ("comfortable", "compact")}
PILLS = {"legal": "ok", "by-rules": "ok", "as-read": "part", "incomplete": "todo", "illegal": "no"}
SIGNS = {name: name for name in ("empty", "legal", "incomplete", "illegal", "warning", "remark")}
SIGNS |= {"as-read": "incomplete", "by-rules": "hammer"}
# Answers to reports, and messages of webhooks.
SIGNS |= {
    "confirmed": "check",
    "not-reproducible": "illegal",
    "needs-information": "help",
    "inconclusive": "incomplete",
}
SIGNS |= {"open": "history", "delivered": "check", "waiting": "history", "failed": "warning"}


@register.filter("appearance")
def choose_appearance(chosen: str | None, what: str) -> str:
    return chosen if chosen in CHOICES[what] else CHOICES[what][0]


@register.filter("section")
def name_section(page: object) -> str:
    """Return the site section that `page` names. In the builder `page` is another object."""
    return page if isinstance(page, str) else ""


@register.filter("display_name")
def get_display_name(user: User) -> str:
    """Return the user's name on their own pages: the player name or the start of the address."""
    return get_player_name(user) or user.first_name or user.email.partition("@")[0] or user.get_username()


@register.filter("age")
def format_age(when: datetime) -> str:
    """Return "2 min ago", "yesterday", "19 Nov" or "19 Nov 2025"."""
    now = timezone.now()
    minutes = int((now - when).total_seconds() // 60)
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return _("%(count)d min ago") % {"count": minutes}
    day, today = timezone.localdate(when), timezone.localdate(now)
    if day == today:
        return ngettext("%(count)d hour ago", "%(count)d hours ago", minutes // 60) % {"count": minutes // 60}
    if day == today - timedelta(days=1):
        return _("yesterday")
    return date_format(day, _("j M") if day.year == today.year else _("j M Y"))


@register.filter("moment")
def format_moment(when: datetime | None) -> str:
    """Return "19 Nov 2026, 06:16"."""
    return date_format(timezone.localtime(when), _("j M Y, H:i")) if when else ""


@register.filter("day")
def format_day(when: date | None) -> str:
    """Return "19 Nov 2026"."""
    if when is None:
        return ""
    return date_format(timezone.localdate(when) if isinstance(when, datetime) else when, _("j M Y"))


@register.filter("trouble")
def get_trouble(trouble: str) -> str:
    return wording.explain_trouble(trouble)


@register.tag("icon")
def parse_icon(parser: Parser, token: Token) -> TextNode:
    """Parse `{% icon "undo" %}`. It is rendered when the template is compiled."""
    name = token.split_contents()[1].strip("\"'")
    return TextNode(_render_icon(name))


@register.filter("sign")
@cache
def render_sign(name: str) -> SafeString:
    return mark_safe(_render_icon(SIGNS.get(name, "illegal")))  # noqa: S308 - one of our own names


@cache
def _render_icon(name: str) -> str:
    return f'<svg class="i" aria-hidden="true"><use href="{find_static_address("icons/i.svg")}#{name}"/></svg>'


@register.simple_tag(name="face_of")
def find_face(roster: Roster) -> Faction | GameSystem:
    """Return the faction or game that gives a list's pages their colours and emblem."""
    return load_faction(roster.version_id, roster.faction_id).row or roster.version.game


@register.simple_tag(name="quick_reference")
def find_quick_reference(roster: Roster) -> str:
    if not load_play(roster.version).reference:
        return ""
    return reverse("catalogue:game-missions", args=[roster.version.game.slug]) + "#reference"


@register.simple_tag(name="verdict_word")
def get_shown_word(verdict: str, is_empty: bool = False, rules: str = "") -> str:
    return _("Empty") if is_empty else wording.get_verdict_word(Verdict(verdict), rules)


@register.simple_tag(name="pill")
def render_pill(verdict: str, is_empty: bool = False, word: str = "", rules: str = "") -> SafeString:
    """Render the state of a list as a badge. `word` replaces the verdict's; house `rules` get a badge beside it."""
    kind = "none" if is_empty else PILLS[verdict]
    sign = render_sign("empty" if is_empty else verdict)
    pill = format_html('<span class="v pill {}">{}{}</span>', kind, sign, word or get_shown_word(verdict, is_empty))
    return format_html("{} {}", pill, render_house_badge(rules)) if rules else pill


@register.simple_tag(name="house_badge")
def render_house_badge(rules: str) -> SafeString:
    """Render the badge of a list that is judged by a player's house rules, which it names; "" without."""
    if not rules:
        return SafeString()
    hammer = mark_safe(_render_icon("hammer"))  # noqa: S308 - one of our own names
    badge = '<span class="house" title="{}">{}{}<span class="sr">: {}</span></span>'
    return format_html(badge, rules, hammer, _("By house rules"), rules)


@register.simple_tag(name="static_or_plain")
def find_static_address(path: str) -> str:
    """Return the address of a static file. Never raises, for the error page."""
    try:
        return static(path)
    except ValueError:
        return f"{settings.STATIC_URL}{path}"
