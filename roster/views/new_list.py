"""Start a list: the front page, the form, and its result."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from catalogue.definitions.entries import NO_LIMIT
from catalogue.definitions.numbers import Number, format_number
from catalogue.formats.packs.pack import Preset
from catalogue.models import GameSystem, PackVersion
from catalogue.services.gallery import count_missing_games
from catalogue.services.lru import Lru
from catalogue.services.published_games import identify_catalogue
from catalogue.services.releases import list_published_versions
from catalogue.views.decorators import allow
from catalogue.views.responses import REFUSED, HtmxRequest, read_query, redirect_after_post, render_page
from roster import wording
from roster.engine.completion.solver import is_solver_installed
from roster.engine.edits import Refused
from roster.models import Roster
from roster.services.board.unit_offers import offer_forces
from roster.services.changes import AddDetachment
from roster.services.edits import edit_roster
from roster.services.evaluation import evaluate_roster
from roster.services.limits import parse_amount
from roster.services.owners import Visitor, identify_visitor, make_owner
from roster.services.rosters import list_rosters, list_starters, start_roster
from roster.services.rulesets import OverlayOffer, list_overlays
from roster.services.sizes import list_stated_sizes, list_usual_sizes
from roster.services.starting import (
    FactionChoice,
    FactionGroup,
    arrange_games,
    group_factions,
    list_available_games,
    list_own_tiles,
    list_played_games,
)
from roster.services.ways import WayKind, take_way
from roster.views.builder.ways import GO_ON, tell_fullness
from roster.views.list_rows import ListRow, build_list_rows

LONGEST = 400
READY = 12
RECENT = 5
GAMES_IN_FRONT = 12
SHOWN_ARMIES = 3
SHELVES_KEPT = 48
MOST_CARDS = 12
"""How many factions are shown as cards; above that, they are folded rows."""

FRONT_GAMES, NEW_GAMES = "roster/parts/front_games.html", "roster/parts/new_games.html"


class WrittenGames(NamedTuple):
    """Rendered games; `total` counts all matches, even if fewer are shown."""

    total: int
    html: SafeString


_shelves: Lru[tuple[object, ...], WrittenGames] = Lru(SHELVES_KEPT)


class StartForm(forms.Form):
    """`version` is a short hash, blank for the current version.

    Cleaning stops at the first error, because later fields depend on earlier ones. An account `reader` can also choose
    its private games.
    """

    def __init__(self, *args: Any, reader: int | None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.reader = reader

    game = forms.CharField(required=False)
    version = forms.CharField(required=False)
    faction = forms.CharField(required=False)
    way = forms.CharField(required=False)
    limit = forms.CharField(required=False)
    name = forms.CharField(required=False, strip=False)

    def clean(self) -> dict[str, Any]:
        """Replace the input by the version, limit and size that it means."""
        fields = {name: value[:LONGEST] for name, value in self.cleaned_data.items()}
        game = list_available_games(self.reader).filter(slug=fields["game"]).first()
        if game is None:
            raise ValidationError({"game": _("Choose a game.")})
        version = find_version(game, fields["version"])
        if version is None:
            raise ValidationError({"game": _("That data version isn’t available on this server.")})
        if fields["faction"] not in {faction.faction_id for faction in version.factions.all()}:
            raise ValidationError({"faction": _("Choose a faction.")})
        limit = parse_amount(fields["limit"])
        if isinstance(limit, Refused):
            raise ValidationError({"limit": _("Enter a number, or leave blank for no limit.")})
        sizes = {size.id: size for size in list_game_sizes(version)}
        if fields["way"] and fields["way"] not in sizes:
            raise ValidationError({"way": _("Choose a size; this one isn’t available here.")})
        return {
            "version": version,
            "faction": fields["faction"],
            "name": fields["name"],
            # A blank way is a size, too. Without the field, the list gets the game's defaults.
            "size": sizes.get(fields["way"]) if "way" in self.data else None,
            "limit": limit,
        }

    def add_refusal(self, refused: Refused) -> None:
        if refused.code == "too-long":
            self.add_error("name", _("This name is too long."))
        else:
            self.add_error("game", _("This list could not be started."))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenGame:
    game: GameSystem
    version: PackVersion
    groups: list[FactionGroup]
    faction: FactionChoice | None
    ways: list["GameSize"]
    ready: list[ListRow]

    @property
    def has_many_factions(self) -> bool:
        return sum(len(group.choices) for group in self.groups) > MOST_CARDS


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSize:
    """A usual game size as a button: `preset` under the rules `overlay`."""

    id: str
    name: str
    text: str
    limit: str
    preset: Preset
    overlay: str = ""


def build_start_context(request: HttpRequest, form: StartForm) -> dict[str, Any]:
    slug, version_hash = form["game"].value(), form["version"].value() or ""
    games = list_available_games(form.reader)
    game = games.filter(slug=slug).first() if slug else None
    if game is None and games.count() == 1:
        game = games.get()
    chosen = None
    if game:
        version = find_version(game, version_hash) or game.shown_version
        groups, faction_id = group_factions(version.factions.all()), form["faction"].value()
        choices = [choice for group in groups for choice in group.choices]
        faction_choice = next((choice for choice in choices if choice.row.faction_id == faction_id), None)
        chosen = ChosenGame(
            game=game,
            version=version,
            groups=groups,
            faction=faction_choice or next(iter(choices), None),
            ways=list_game_sizes(version),
            ready=build_list_rows(_pick_armies(list_starters().filter(version=version), READY, "faction_id")),
        )
    text = read_query(request, "q")
    return {
        "form": form,
        "can_fill": is_solver_installed(),
        "page": "games",
        "text": text,
        "chosen": chosen,
        "own_tiles": [] if game or text else list_own_tiles(form.reader),
        "games": None if game else _write_games(NEW_GAMES, list_played_games(identify_visitor(request)), text),
    }


def find_version(game: GameSystem, short_hash: str) -> PackVersion | None:
    if not short_hash:
        return game.shown_version
    return next((one.version for one in list_published_versions(game) if one.version.short_hash == short_hash), None)


def _pick_armies(starters: QuerySet[Roster], most: int, apart: str) -> list[Roster]:
    """Return armies, beginning with one for each value of `apart`."""
    armies = list(starters)
    first = {getattr(roster, apart): roster for roster in reversed(armies)}
    others = [roster for roster in armies if roster not in first.values()]
    return [*reversed(first.values()), *others][:most]


def list_game_sizes(version: PackVersion) -> list[GameSize]:
    overlay_ways = [
        _build_game_size(version, preset, offered) for offered in list_overlays(version) for preset in offered.presets
    ]
    presets = list(version.read_presets())
    offered_limits = list_stated_sizes(version) or list_usual_sizes(version)
    if offered_limits and not presets:
        presets = [*offered_limits, Preset(id="", name=_("No limit"), limits={version.points_id: NO_LIMIT})]
    elif overlay_ways and not presets:
        presets.append(Preset(id="", name=_("As in the data")))
    return [*(_build_game_size(version, preset) for preset in presets), *overlay_ways]


def _build_game_size(version: PackVersion, preset: Preset, offered: OverlayOffer | None = None) -> GameSize:
    limit = preset.limits.get(version.points_id)
    return GameSize(
        id=f"{offered.name}/{preset.id}" if offered else preset.id,
        name=f"{offered.title}: {preset.name}" if offered else preset.name,
        text=preset.text,
        limit="" if limit is None or limit < 0 else format_number(limit),
        preset=preset,
        overlay=offered.name if offered else "",
    )


def start_list(cleaned: dict[str, Any], owner: Callable[[], Visitor]) -> Roster | Refused:
    version: PackVersion = cleaned["version"]
    size: GameSize | None = cleaned["size"]
    limit: Number | None = cleaned["limit"]
    limits: dict[str, Number] = dict(size.preset.limits) if size else {}
    if limit is not None and version.points_id and limits.get(version.points_id) != limit:
        # A different limit also drops the size's other limits.
        limits = {version.points_id: limit}
    overlay = size.overlay if size else ""
    roster = start_roster(owner(), version, cleaned["faction"], cleaned["name"], limits, overlay)
    if isinstance(roster, Refused):
        return roster
    detachments = size.preset.detachments if size else ()
    for entry_id in detachments or _find_only_detachment(roster):
        edit_roster(roster, roster.head, AddDetachment(entry=entry_id))
    return roster


def _find_only_detachment(roster: Roster) -> list[str]:
    if not roster.version.is_community:
        return []
    offered = offer_forces(evaluate_roster(roster), roster.faction_id)
    return [force.entry_id for force in offered] if len(offered) == 1 else []


@allow("GET", "POST")
def show_new_list(request: HtmxRequest) -> HttpResponse:
    if request.method != "POST":
        context = build_start_context(request, StartForm(initial=request.GET.dict(), reader=request.user.pk))
        return render_page(request, "roster/new.html", context, "games")
    return _answer_start(request, lambda roster: None)


@allow("POST")
def start_army(request: HtmxRequest) -> HttpResponse:
    def fill(roster: Roster) -> None:
        outcome = take_way(roster, roster.head, WayKind.FILL)
        if isinstance(outcome, Refused):
            messages.warning(request, wording.explain_refusal(outcome), extra_tags=GO_ON)
        tell_fullness(request, outcome)

    return _answer_start(request, fill)


def _answer_start(request: HtmxRequest, finish: Callable[[Roster], None]) -> HttpResponse:
    form = StartForm(request.POST, reader=request.user.pk)
    if form.is_valid():
        new_roster = start_list(form.cleaned_data, lambda: make_owner(request))
        if not isinstance(new_roster, Refused):
            finish(new_roster)
            return redirect_after_post("roster:builder", new_roster.public_id)
        form.add_refusal(new_roster)
    return render(request, "roster/new.html", build_start_context(request, form), status=REFUSED)


@allow("GET")
def show_front_page(request: HttpRequest) -> HttpResponse:
    mine = list_rosters(identify_visitor(request))
    rows = build_list_rows(mine[:RECENT])
    context: dict[str, Any] = {
        "games": _write_games(
            FRONT_GAMES, dict.fromkeys(row.roster.version.game_id for row in rows), most=GAMES_IN_FRONT
        ).html,
        "last": rows[0] if rows else None,
        "recent": rows[1:],
        "total": len(rows) if len(rows) < RECENT else mine.count(),
        "guest_days": settings.ARMYBUILDER["GUEST_DAYS"],
    }
    if not rows:
        context["ready"] = build_list_rows(_pick_armies(list_starters(), SHOWN_ARMIES, "version_id"))
    return render(request, "roster/front.html", context)


def _write_games(template: str, played: Iterable[int], text: str = "", most: int | None = None) -> WrittenGames:
    """Render games, `played` ones first, cached unless `text` is searched."""
    first = tuple(played)
    missing = count_missing_games()

    def write() -> WrittenGames:
        shelf = arrange_games(first, text, most)
        context = {"shelf": shelf, "returning": bool(first), "missing": missing}
        return WrittenGames(shelf.total, render_to_string(template, context))

    return write() if text else _shelves.get((template, get_language(), first, missing, *identify_catalogue()), write)
