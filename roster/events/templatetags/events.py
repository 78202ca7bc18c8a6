from collections.abc import Container, Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from catalogue.templatetags.emblems import render_base
from roster.events.models import Event, Participant, SubmissionStatus
from roster.events.models.event import LEGAL_VERDICTS, ListVerdict
from roster.events.models.submission import is_for_judges
from roster.events.services.access import EventStanding, list_coming_events, list_organised_events
from roster.events.services.audit import name_person
from roster.events.services.event_homebrew import lacks_homebrew
from roster.events.services.handouts import make_table_anchor
from roster.events.services.teams import weigh_verdict
from roster.events.services.zones import Zoned
from roster.events.wording import describe_verdict
from roster.templatetags.theme import PILLS, render_sign
from roster.wording.api_payload import group_serialized

register = template.Library()

DOTS = {"missing": "late", "new": "new", "accepted": "ok", "returned": "back"}
"""CSS classes of the statuses."""


@register.simple_tag(name="event_tabs")
def list_tabs(standing: EventStanding) -> list[tuple[str, str]]:
    tabs = [
        ("event", _("Event")),
        ("bench", _("Submissions")),
        ("checks", _("Who checks")),
        ("numbers", _("Numbers")),
        ("pairings", _("Pairings")),
        ("print", _("Print")),
    ]
    if standing.event.is_team:
        tabs.append(("teams", _("Teams")))
    if standing.is_organiser:
        tabs += [("upload", _("Upload lists")), ("settings", _("Settings")), ("audit", _("Log"))]
    return tabs


@register.simple_tag(name="coming_events", takes_context=True)
def find_coming_events(context: template.RequestContext) -> list[tuple[Event, Participant | None]]:
    return list_coming_events(context["request"].user)


@register.simple_tag(name="organised_events", takes_context=True)
def find_organised_events(context: template.RequestContext, game_id: int) -> list[Event]:
    return list_organised_events(context["request"].user, game_id)


@register.filter("zoned")
def format_zoned(when: datetime | None, zoned: Zoned) -> SafeString | str:
    """Format a moment in the zone of an event. A script adds the reader's zone if it differs."""
    if when is None:
        return ""
    formatted = date_format(when.astimezone(zoned.timezone), _("j M Y, H:i"))
    return format_html(
        '<time datetime="{0}" data-zoned="{1}">{2} ({1})</time>', when.isoformat(), zoned.zone, formatted
    )


@register.filter("short_moment")
def format_short_moment(when: datetime | None, event: Event) -> str:
    """Return "20 Nov 18:02" in the event's zone, for narrow columns."""
    return date_format(when.astimezone(event.timezone), _("j M H:i")) if when else "–"


@register.simple_tag(name="list_pill")
def render_list_pill(verdict: str, left_open: int = 0) -> SafeString:
    """Render a verdict as a badge, marked if a judge has to check notes."""
    # Open notes matter only on a legal list.
    is_open = bool(left_open) and verdict in LEGAL_VERDICTS
    return _build_pill(verdict, is_open, get_language() or "")


@lru_cache(maxsize=256)
def _build_pill(verdict: str, is_open: bool, language: str) -> SafeString:
    """Build a badge once per language, because a table has hundreds."""
    if not verdict:
        return format_html('<span class="v pill none">{}{}</span>', render_sign("empty"), _("No list"))
    kind = PILLS.get(verdict, "no")
    word = ListVerdict(verdict).label
    note = format_html('<span class="sr"> {}</span>', _("To check by hand")) if is_open else ""
    mark = format_html('<span aria-hidden="true" title="{}">*</span>', _("To check by hand")) if is_open else ""
    return format_html('<span class="v pill {}">{}{}{}{}</span>', kind, render_sign(verdict), word, mark, note)


@register.simple_tag(name="status")
def render_status(player: Participant) -> SafeString:
    return _build_status(player.status, player.is_late, get_language() or "")


@lru_cache(maxsize=256)
def _build_status(status: str, is_late: bool, language: str) -> SafeString:
    late = format_html(' <span class="st late">{}</span>', _("Late")) if is_late else ""
    return format_html('<span class="st {}">{}</span>{}', DOTS[status], SubmissionStatus(status).label, late)


@register.filter("at_key")
def get_value(mapping: dict[str, Any], key: str) -> Any:
    return mapping.get(key, 0)


@register.filter("grouped")
def group_reported(report: dict[str, Any] | None) -> list[tuple[dict[str, Any], int]]:
    return group_serialized((report or {}).get("violations", ()))


@register.filter("by_hand")
def list_notes_for_judges(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [note for note in report.get("unchecked", ()) if is_for_judges(note)]


@register.filter("never_checked")
def list_standing_notes(report: dict[str, Any]) -> list[dict[str, Any]]:
    """List a report's notes that do not depend on the list."""
    return [note for note in report.get("unchecked", ()) if not is_for_judges(note)]


@register.filter("dot")
def get_status_class(status: str) -> str:
    return DOTS.get(status, "")


@register.filter("status_word")
def get_status_word(status: str) -> str:
    return str(SubmissionStatus(status).label)


@register.simple_tag(name="list_word")
def get_list_word(verdict: str, report: dict[str, Any]) -> str:
    return describe_verdict(verdict, report)


@register.filter("is_legal")
def is_legal_verdict(verdict: str) -> bool:
    return verdict in LEGAL_VERDICTS


register.filter("table_anchor", make_table_anchor)
register.filter("lacks_homebrew", lacks_homebrew)


@register.filter("person")
def get_person_name(user: User | None) -> str:
    return name_person(user)


@register.simple_tag(name="queue_rows")
def render_queue(
    players: Iterable[Participant], event: Event, at: str, query: str, doubled: Container[int]
) -> SafeString:
    """Render the bench's hundreds of rows without a template. All texts from users are escaped here."""
    address = reverse("events:bench", args=[event.public_id]) + (f"?{query}&" if query else "?") + "at="
    choose = _("Choose %(name)s")
    mark = format_html(' <span class="st back">{}</span>', _("Army twice"))
    rows = []
    for player in players:
        public_id = player.public_id
        link = escape(address + public_id)
        css = " ".join(filter(None, ("at" if public_id == at else "", "gone" if player.dropped else "")))
        differs = " diff" if player.differs_in_points else ""
        emblem = render_base(player.emblem, "s") if player.emblem else ""
        team = f' <span class="soft">{escape(player.team.name)}</span>' if player.team else ""
        is_doubled = player.pk in doubled
        rows.append(
            f'<tr class="{css}" data-list="{public_id}">'
            f'<td><input type="checkbox" name="list" value="{public_id}" form="bulk" '
            f'aria-label="{escape(choose % {"name": player.name})}"></td>'
            f'<td><a href="{link}">{escape(player.name)}</a>'
            f"{team}{mark if is_doubled else ''}</td>"
            f'<td class="hide"><span class="row">{emblem}{escape(player.faction)}</span></td>'
            f'<td class="r hide"><span class="num">{escape(player.claimed) or "–"}</span></td>'
            f'<td class="r"><span class="num{differs}">{escape(player.points) or "–"}</span></td>'
            f"<td>{render_list_pill(weigh_verdict(player.verdict, is_doubled), player.left_open)}</td>"
            f"<td>{render_status(player)}</td>"
            f'<td class="soft hide">{format_short_moment(player.received, event)}</td></tr>'
        )
    return SafeString("".join(rows))
