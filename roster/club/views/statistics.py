from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.models import Faction
from catalogue.services.public_answers import State, keep_public
from catalogue.services.published_games import select_games
from catalogue.views.decorators import allow
from catalogue.views.responses import read_query
from roster.club.models import ListSource, SliceStatistics
from roster.club.services import shown_statistics as verbs
from roster.club.tallies import FEWEST_GAMES, FEWEST_PLAYERS, WonShare, order_by_share
from roster.club.views.files import MEDIA_TYPES
from roster.views.plots import draw_bars

ADDRESS_LENGTH = 300
"""The longest value of `slice` or `faction` that is read."""
MOST_UNITS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareRow:
    """A share as a bar: `number` of `total`. `address` is the link of its name, or ""."""

    name: str
    number: int
    total: int
    emblem: str = ""
    faction: Faction | None = None
    faction_id: str = ""
    address: str = ""
    options: tuple["ShareRow", ...] = ()

    @property
    def width(self) -> float:
        return 100 * self.number / (self.total or 1)

    @property
    def percent(self) -> str:
        return f"{round(self.width)}\N{NO-BREAK SPACE}%"


@dataclass(frozen=True, slots=True, kw_only=True)
class WonRow:
    """A share of won games with its confidence limits, in percent."""

    name: str
    won: WonShare
    emblem: str = ""
    faction: Faction | None = None

    @property
    def middle(self) -> int:
        return round(100 * self.won.share)

    @property
    def low(self) -> int:
        return round(100 * self.won.interval[0])

    @property
    def high(self) -> int:
        return round(100 * self.won.interval[1])

    @property
    def width(self) -> int:
        return self.high - self.low

    @property
    def crosses_half(self) -> bool:
        low, high = self.won.interval
        return low <= 0.5 <= high


def identify_pages(request: HttpRequest, game: str = "") -> State:
    return verbs.identify_statistics(game)


@keep_public(identify_pages)
@allow("GET")
def list_statistics(request: HttpRequest) -> HttpResponse:
    wholes = verbs.list_statistics()
    context = {"page": "public", "wholes": wholes, "fewest": FEWEST_PLAYERS}
    return render(request, "club/all_statistics.html", context)


@keep_public(identify_pages)
@allow("GET")
def show_statistics(request: HttpRequest, game: str) -> HttpResponse:
    shown_statistics = _find_shown(request, game)
    row = get_object_or_404(select_games(), slug=game) if shown_statistics is None else shown_statistics.game
    context: dict[str, Any] = {
        "page": "public",
        "game": row,
        "face": row,
        "shown": shown_statistics,
        "fewest": FEWEST_PLAYERS,
        "fewest_games": FEWEST_GAMES,
        "all_sources": ListSource,
    }
    if shown_statistics is not None and shown_statistics.slice is not None:
        context |= _build_context(shown_statistics, shown_statistics.slice)
    return render(request, "club/statistics.html", context)


def _find_shown(request: HttpRequest, game: str) -> verbs.ShownStatistics | None:
    row = get_object_or_404(select_games(), slug=game)
    names = ("source", "slice", "faction")
    return verbs.find_shown(row, *(read_query(request, name, ADDRESS_LENGTH) for name in names))


def _build_context(shown_statistics: verbs.ShownStatistics, part: SliceStatistics) -> dict[str, Any]:
    faces = verbs.load_faces(shown_statistics)
    factions = [
        ShareRow(
            name=row.name,
            number=row.players,
            total=part.lists,
            emblem=row.emblem,
            faction=faces.get(row.faction_id),
            faction_id=row.faction_id,
            address="?"
            + urlencode({"source": shown_statistics.source, "slice": part.key, "faction": row.faction_id})
            + "#picks",
        )
        for row in shown_statistics.factions
    ]
    results = [(row, results) for row in shown_statistics.factions if (results := row.read_won()) is not None]
    won = [
        WonRow(name=row.name, won=share, emblem=row.emblem, faction=faces.get(row.faction_id))
        for row, share in order_by_share(results)
    ]
    sure = [row for row in won if not row.won.is_few]
    months = list(shown_statistics.list_slices("month"))
    context: dict[str, Any] = {
        "part": part,
        "part_name": name_slice(part),
        "sources": [(ListSource(whole.source), whole) for whole in shown_statistics.wholes],
        "groups": [
            (title, [(one.key, name_slice(one)) for one in shown_statistics.list_slices(kind)])
            for kind, title in _list_kinds().items()
            if shown_statistics.list_slices(kind)
        ],
        "factions": factions,
        "won": won,
        "sure": sure,
        "all_cross": bool(sure) and all(row.crosses_half for row in sure),
        "months": draw_bars(
            ((name_slice(one), one.players, str(one.players)) for one in months),
            max((one.players for one in months), default=1),
        ),
        "faction": shown_statistics.faction,
    }
    if shown_statistics.faction is not None:
        context |= _build_faction_context(shown_statistics, faces.get(shown_statistics.faction.faction_id))
    return context


def _build_faction_context(shown_statistics: verbs.ShownStatistics, face: Faction | None) -> dict[str, Any]:
    row = shown_statistics.faction
    report = row.read_report() if row else None
    if row is None or report is None:
        return {"is_being_renewed": row is not None, "faction_face": face}
    query = {"game": shown_statistics.game.slug, "faction": row.faction_id}
    units = [
        ShareRow(
            name=line.name,
            address=f"{reverse('roster:public')}?{urlencode(query | {'q': line.name})}",
            number=line.players,
            total=report.players,
            emblem=line.emblem,
            options=tuple(ShareRow(name=name, number=number, total=line.players) for name, number in line.options),
        )
        for line in report.units[:MOST_UNITS]
    ]
    emblems = {line.name: line.emblem for line in report.units}
    won_with = order_by_share([(line.name, line.won) for line in report.units[:MOST_UNITS] if line.won is not None])
    steps = [(f"{low:g}–{high:g}", number, str(number)) for low, high, number in report.points]
    return {
        "faction_face": face,
        "units": units,
        "unshown": len(report.units) - len(units),
        "choices": _group_choices(report.choices, report.players),
        "won_with": [WonRow(name=name, won=won, emblem=emblems[name]) for name, won in won_with],
        "points": draw_bars(steps, max((number for _low, _high, number in report.points), default=1)),
    }


def _group_choices(choices: Iterable[tuple[str, str, int]], players: int) -> list[tuple[str, list[ShareRow]]]:
    groups: dict[str, list[ShareRow]] = {}
    for group, name, number in choices:
        rows = groups.setdefault(group or _("Detachments"), [])
        rows.append(ShareRow(name=name, number=number, total=players))
    return list(groups.items())


def _list_kinds() -> dict[str, str]:
    return {"size": _("Size"), "version": _("Data version"), "month": _("Month"), "event": _("Event")}


def name_slice(part: SliceStatistics) -> str:
    if part.kind == "month":
        year, month = map(int, part.value.split("-"))
        return date_format(date(year, month, 1), "YEAR_MONTH_FORMAT")
    return part.label or _("Everything")


@allow("GET")
def export_statistics(request: HttpRequest, game: str, ending: str) -> HttpResponse:
    """Download one slice with all its factions. Unknown file extensions get a 404."""
    shown_statistics = _find_shown(request, game)
    if ending not in MEDIA_TYPES or shown_statistics is None or shown_statistics.slice is None:
        raise Http404
    is_csv = ending == "csv"
    content = (
        verbs.write_statistics_csv(shown_statistics.slice)
        if is_csv
        else verbs.write_statistics_json(shown_statistics, shown_statistics.slice)
    )
    name = f"{game}-statistics.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=MEDIA_TYPES[ending], headers=headers)


@keep_public(identify_pages)
@allow("GET")
def send_feed(request: HttpRequest, game: str) -> HttpResponse:
    row = get_object_or_404(select_games(), slug=game)
    shown_statistics = verbs.find_shown(row, "", "", "")
    if shown_statistics is None:
        raise Http404
    page = request.build_absolute_uri(reverse("club:statistics", args=[game]))
    feed = Atom1Feed(
        title=_("Statistics: %(game)s") % {"game": row},
        link=page,
        description="",
        feed_url=request.build_absolute_uri(),
    )
    months = [one for one in shown_statistics.slices if one.kind == "month"]
    for one in sorted(months, key=lambda one: (one.value, one.source), reverse=True):
        address = f"{page}?source={one.source}&slice={one.key}"
        players = ngettext("%(n)d player", "%(n)d players", one.players) % {"n": one.players}
        feed.add_item(
            title=_("%(month)s: %(players)s (%(source)s)")
            % {"month": name_slice(one), "players": players, "source": ListSource(one.source).label},
            link=address,
            description="",
            unique_id=address,
            updateddate=shown_statistics.statistics.counted,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)
