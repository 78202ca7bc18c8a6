"""Starting a list: the small form on the front page, and what comes of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from catalogue.definitions.numbers import Number, format_number
from catalogue.formats.packs.pack import Preset
from catalogue.models import Faction, GameSystem, PackVersion
from catalogue.services.releasing import released
from roster.engine.edits import Refused
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services.changes import AddDetachment
from roster.services.edits import edit_roster
from roster.services.examples import list_examples
from roster.services.limits import parse_amount
from roster.services.overlays import OverlayOffer, list_overlays
from roster.services.owners import Visitor
from roster.services.rosters import start_roster

LONGEST = 400
READY = 4
"""How many of the lists that a pack comes with stand on the form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartForm:
    """What somebody asked for, as it was typed; `wrong` says by field what cannot be.

    `version` is the short hash of published data; blank for that which is current.
    """

    game: str = ""
    version: str = ""
    faction: str = ""
    way: str = ""
    limit: str = ""
    name: str = ""
    wrong: Mapping[str, str] | None = None

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> "StartForm":
        def field(name: str) -> str:
            return fields.get(name, "")[:LONGEST]

        return cls(
            game=field("game"),
            version=field("version"),
            faction=field("faction"),
            way=field("way"),
            limit=field("limit"),
            name=field("name"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The game that the form is about, with its factions, the sizes to offer, and lists that are ready to be copied."""

    game: GameSystem
    version: PackVersion
    factions: list[Faction]
    ways: list["Way"]
    ready: list["Ready"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A list to be copied: its address, and what tells it from the others. `points` is blank in a game without them."""

    link_id: str
    name: str
    faction: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A common size of game, ready for a button; `preset` is what it stands for, under the rules `overlay`."""

    id: str
    name: str
    text: str
    limit: str
    preset: Preset
    overlay: str = ""


def games_on_offer() -> QuerySet[GameSystem]:
    """The games that have data, examples last, with their factions."""
    games = GameSystem.objects.filter(current__isnull=False).select_related("current")
    return games.order_by("example", "name", "edition", "slug").prefetch_related("current__factions")


def form_context(form: StartForm) -> dict[str, Any]:
    """What the form's template shows: the games, and the one that was asked for, else the first."""
    games = list(games_on_offer())
    game = next((game for game in games if game.slug == form.game), games[0] if games else None)
    chosen = _chosen(game, _version(game, form.version) or game.shown) if game else None
    return {"form": form, "games": games, "chosen": chosen}


def _version(game: GameSystem, short_hash: str) -> PackVersion | None:
    """The published version that was asked for, the current one where none was."""
    if not short_hash:
        return game.shown
    return next((one.version for one in released(game) if one.version.short_hash == short_hash), None)


def _chosen(game: GameSystem, version: PackVersion) -> Chosen:
    factions = list(version.factions.all())
    names = {faction.faction_id: faction.name for faction in factions}
    ready = list_examples().filter(version=version, verdict=Verdict.LEGAL)[:READY]
    return Chosen(
        game=game,
        version=version,
        factions=factions,
        ways=ways_of(version),
        ready=[
            Ready(
                link_id=roster.link_id,
                name=roster.name,
                faction=names.get(roster.faction_id, ""),
                points=roster.points if version.points_id else "",
            )
            for roster in ready
        ],
    )


def ways_of(version: PackVersion) -> list[Way]:
    """The sizes to offer for a version: its own, then those of other rules that its lists may be judged by besides."""
    own = [_way(version, preset) for preset in version.ways_to_play()]
    laid = [
        _way(version, preset, offered) for offered in list_overlays(version) for preset in offered.presets
    ]
    plain = Preset(id="", name=_("As the data has it"))
    return [*own, *([_way(version, plain)] if laid and not own else []), *laid]


def _way(version: PackVersion, preset: Preset, offered: OverlayOffer | None = None) -> Way:
    return Way(
        id=f"{offered.name}/{preset.id}" if offered else preset.id,
        name=f"{offered.title}: {preset.name}" if offered else preset.name,
        text=preset.text,
        limit=_limit_of(version, preset),
        preset=preset,
        overlay=offered.name if offered else "",
    )


def _limit_of(version: PackVersion, preset: Preset) -> str:
    limit = preset.limits.get(version.points_id)
    return "" if limit is None else format_number(limit)


def start(form: StartForm, owner: Callable[[], Visitor]) -> Roster | Refused:
    """The list that was asked for, with the detachments its size begins with."""
    game = games_on_offer().filter(slug=form.game).first()
    if game is None:
        return Refused(code="unknown-game", subject_id=form.game)
    version = _version(game, form.version)
    if version is None:
        return Refused(code="unknown-version", subject_id=form.version)
    factions = {faction.faction_id: faction.name for faction in version.factions.all()}
    if form.faction not in factions:
        return Refused(code="unknown-faction", subject_id=form.faction)
    limit = parse_amount(form.limit)
    if isinstance(limit, Refused):
        return limit
    way = next((way for way in ways_of(version) if way.id == form.way), None)
    if form.way and way is None:
        return Refused(code="unknown-way", subject_id=form.way)
    limits: dict[str, Number] = dict(way.preset.limits) if way else {}
    if limit is not None and version.points_id and limits.get(version.points_id) != limit:
        limits = {
            version.points_id: limit
        }  # another size than that way's: what else it limits went with that
    name, overlay = form.name or factions[form.faction], way.overlay if way else ""
    made = start_roster(owner(), version, form.faction, name, limits, overlay)
    return (
        made if isinstance(made, Refused) else _with_detachments(made, way.preset.detachments if way else ())
    )


def _with_detachments(roster: Roster, detachments: tuple[str, ...]) -> Roster:
    for entry_id in detachments:
        edit_roster(roster, roster.head, AddDetachment(entry=entry_id))
    return roster


def refused_start(form: StartForm, refused: Refused) -> StartForm:
    """The form again, with the reason beside the field."""
    said = {
        "unknown-game": ("game", _("Choose a game.")),
        "unknown-version": ("game", _("This version of the data is not to be had here.")),
        "unknown-faction": ("faction", _("Choose a faction.")),
        "unknown-way": ("way", _("Choose a size; this one is not to be had here.")),
        "bad-number": ("limit", _("A number, or nothing for no limit.")),
        "too-long": ("name", _("This name is too long.")),
    }
    field, text = said.get(refused.code, ("game", _("This list could not be started.")))
    return replace(form, wrong={field: text})
