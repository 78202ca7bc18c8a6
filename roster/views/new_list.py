"""Starting a list: the front page, the form, and what comes of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.definitions.numbers import Number, format_number
from catalogue.formats.packs.pack import Preset
from catalogue.models import Faction, GameSystem, PackVersion
from catalogue.services.releases import list_published_versions
from catalogue.views.decorators import allow
from catalogue.views.responses import REFUSED, HtmxRequest, redirect_after_post, render_page
from roster.engine.edits import Refused
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services.changes import AddDetachment
from roster.services.edits import edit_roster
from roster.services.limits import parse_amount
from roster.services.owners import Visitor, identify_visitor, make_owner
from roster.services.rosters import list_examples, list_rosters, start_roster
from roster.services.rulesets import OverlayOffer, list_overlays

LONGEST = 400
READY = 4
"""How many of the lists that a pack comes with stand on the form."""


class StartForm(forms.Form):
    """What somebody asked for. `version` is the short hash of published data; blank for that which is current.

    Cleaning stops at the first field that cannot be: what follows depends on it.
    """

    game = forms.CharField(required=False)
    version = forms.CharField(required=False)
    faction = forms.CharField(required=False)
    way = forms.CharField(required=False)
    limit = forms.CharField(required=False)
    name = forms.CharField(required=False, strip=False)

    def clean(self) -> dict[str, Any]:
        """Replace what was typed by the version, the limit and the size of game that it names."""
        fields = {name: value[:LONGEST] for name, value in self.cleaned_data.items()}
        game = list_available_games().filter(slug=fields["game"]).first()
        if game is None:
            raise ValidationError({"game": _("Choose a game.")})
        version = find_version(game, fields["version"])
        if version is None:
            raise ValidationError({"game": _("This version of the data is not to be had here.")})
        names = {faction.faction_id: faction.name for faction in version.factions.all()}
        if fields["faction"] not in names:
            raise ValidationError({"faction": _("Choose a faction.")})
        limit = parse_amount(fields["limit"])
        if isinstance(limit, Refused):
            raise ValidationError({"limit": _("A number, or nothing for no limit.")})
        size = next((size for size in list_game_sizes(version) if size.id == fields["way"]), None)
        if fields["way"] and size is None:
            raise ValidationError({"way": _("Choose a size; this one is not to be had here.")})
        return {
            "version": version,
            "faction": fields["faction"],
            "name": fields["name"] or names[fields["faction"]],
            "size": size,
            "limit": limit,
        }

    def add_refusal(self, refused: Refused) -> None:
        """Show why the list was not started, beside the field if it is about one."""
        if refused.code == "too-long":
            self.add_error("name", _("This name is too long."))
        else:
            self.add_error("game", _("This list could not be started."))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenGame:
    """The game that the form is about, with its factions, the sizes to offer, and lists that are ready to be copied."""

    game: GameSystem
    version: PackVersion
    factions: list[Faction]
    ways: list["GameSize"]
    ready: list["ReadyList"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyList:
    """A list to be copied: its address, and what tells it from the others. `points` is blank in a game without them."""

    link_id: str
    name: str
    faction: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSize:
    """A common size of game, ready for a button; `preset` is what it stands for, under the rules `overlay`."""

    id: str
    name: str
    text: str
    limit: str
    preset: Preset
    overlay: str = ""


def list_available_games() -> QuerySet[GameSystem]:
    """Return the games that have data, examples last, with their factions."""
    games = GameSystem.objects.filter(current__isnull=False).select_related("current")
    return games.order_by("example", "name", "edition", "slug").prefetch_related("current__factions")


def build_start_context(form: StartForm) -> dict[str, Any]:
    """Return what the form's template shows: the games, and the one that was asked for, else the first."""
    games = list(list_available_games())
    slug, version = form["game"].value(), form["version"].value() or ""
    game = next((game for game in games if game.slug == slug), games[0] if games else None)
    chosen = _describe_game(game, find_version(game, version) or game.shown) if game else None
    return {"form": form, "games": games, "chosen": chosen}


def find_version(game: GameSystem, short_hash: str) -> PackVersion | None:
    """Return the published version that was asked for, the current one where none was."""
    if not short_hash:
        return game.shown
    return next(
        (one.version for one in list_published_versions(game) if one.version.short_hash == short_hash), None
    )


def _describe_game(game: GameSystem, version: PackVersion) -> ChosenGame:
    factions = list(version.factions.all())
    names = {faction.faction_id: faction.name for faction in factions}
    ready = list_examples().filter(version=version, verdict=Verdict.LEGAL)[:READY]
    return ChosenGame(
        game=game,
        version=version,
        factions=factions,
        ways=list_game_sizes(version),
        ready=[
            ReadyList(
                link_id=roster.link_id,
                name=roster.name,
                faction=names.get(roster.faction_id, ""),
                points=roster.points if version.points_id else "",
            )
            for roster in ready
        ],
    )


def list_game_sizes(version: PackVersion) -> list[GameSize]:
    """List the sizes of a version: its own, then those of other rules that its lists may be checked against."""
    own_ways = [_build_game_size(version, preset) for preset in version.read_presets()]
    overlay_ways = [
        _build_game_size(version, preset, offered)
        for offered in list_overlays(version)
        for preset in offered.presets
    ]
    plain = Preset(id="", name=_("As the data has it"))
    return [
        *own_ways,
        *([_build_game_size(version, plain)] if overlay_ways and not own_ways else []),
        *overlay_ways,
    ]


def _build_game_size(version: PackVersion, preset: Preset, offered: OverlayOffer | None = None) -> GameSize:
    return GameSize(
        id=f"{offered.name}/{preset.id}" if offered else preset.id,
        name=f"{offered.title}: {preset.name}" if offered else preset.name,
        text=preset.text,
        limit=_format_preset_limit(version, preset),
        preset=preset,
        overlay=offered.name if offered else "",
    )


def _format_preset_limit(version: PackVersion, preset: Preset) -> str:
    limit = preset.limits.get(version.points_id)
    return "" if limit is None else format_number(limit)


def start_list(cleaned: dict[str, Any], owner: Callable[[], Visitor]) -> Roster | Refused:
    """Start the list that a form asks for, with the detachments its size begins with."""
    version: PackVersion = cleaned["version"]
    size: GameSize | None = cleaned["size"]
    limits: dict[str, Number] = dict(size.preset.limits) if size else {}
    limit: Number | None = cleaned["limit"]
    if limit is not None and version.points_id and limits.get(version.points_id) != limit:
        # Another limit than that size's: what else the size limits went with it.
        limits = {version.points_id: limit}
    overlay = size.overlay if size else ""
    new_roster = start_roster(owner(), version, cleaned["faction"], cleaned["name"], limits, overlay)
    if isinstance(new_roster, Refused):
        return new_roster
    for entry_id in size.preset.detachments if size else ():
        edit_roster(new_roster, new_roster.head, AddDetachment(entry=entry_id))
    return new_roster


@allow("GET", "POST")
def show_new_list(request: HtmxRequest) -> HttpResponse:
    if request.method != "POST":
        context = build_start_context(StartForm(initial=request.GET.dict())) | {"page": "new"}
        return render_page(request, "roster/new.html", context, "start")
    form = StartForm(request.POST)
    if form.is_valid():
        new_roster = start_list(form.cleaned_data, lambda: make_owner(request))
        if not isinstance(new_roster, Refused):
            return redirect_after_post("roster:builder", new_roster.public_id)
        form.add_refusal(new_roster)
    return render(request, "roster/new.html", build_start_context(form), status=REFUSED)


RECENT = 6
EXAMPLES_EACH = 2


@allow("GET")
def show_front_page(request: HtmxRequest) -> HttpResponse:
    context = build_start_context(StartForm(initial=request.GET.dict())) | {"page": "front"}
    if not request.htmx:
        context["guest_days"] = settings.ARMYBUILDER["GUEST_DAYS"]
        context["recent"] = list_rosters(identify_visitor(request))[:RECENT]
        context["examples"] = _pick_examples(list_examples().order_by("name"))
    return render_page(request, "roster/front.html", context, "start")


def _pick_examples(lists: Iterable[Roster]) -> list[Roster]:
    """Pick a few lists of each verdict, the legal ones first."""
    by_verdict: dict[str, list[Roster]] = {Verdict.LEGAL: [], Verdict.INCOMPLETE: [], Verdict.ILLEGAL: []}
    for example in lists:
        by_verdict[example.verdict].append(example)
    return [example for examples in by_verdict.values() for example in examples[:EXAMPLES_EACH]]
