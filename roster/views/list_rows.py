from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from django.utils.translation import gettext as _

from catalogue.models import Faction, GameSystem
from roster.engine.report import Verdict
from roster.models import Photo, Roster
from roster.services.board.shapes import Shape
from roster.views.verdict_presenter import format_tally


@dataclass(frozen=True, slots=True)
class RowUnit:
    name: str
    count: int
    emblem: str


@dataclass(frozen=True, slots=True)
class ListSize:
    """`unit` is the cost type, or the word for cards."""

    amount: str
    limit: str
    unit: str


@dataclass(frozen=True, slots=True)
class ListRow:
    """`faction` is None if the data no longer has it."""

    roster: Roster
    faction: Faction | None
    tags: Sequence[str] = ()
    photo: Photo | None = None

    __getitem__ = Shape.__getitem__

    @property
    def face(self) -> Faction | GameSystem:
        return self.faction or self.roster.version.game

    @property
    def units(self) -> Sequence[RowUnit]:
        """Its first units; empty if its owner hides the contents."""
        return [] if self.roster.is_secret else [RowUnit(*unit) for unit in self.roster.units]

    @property
    def unit_line(self) -> str:
        """Its first units as text: "Captain, Intercessors ×5"."""
        return ", ".join(f"{unit.name} ×{unit.count}" if unit.count > 1 else unit.name for unit in self.units)

    @property
    def size(self) -> ListSize | None:
        """Its cost, or in a game without costs the cards of its deck."""
        roster = self.roster
        if roster.version.points_id:
            return ListSize(roster.points, roster.limit, "" if roster.limit else roster.version.points_name)
        if roster.cards is None:
            return None
        return ListSize(str(roster.cards), str(roster.cards_needed or ""), _("cards"))

    @property
    def tally(self) -> str:
        return "" if self.is_empty else format_tally(Verdict(self.roster.verdict), self.roster.violations)

    @property
    def when(self) -> datetime:
        return self.roster.binned or self.roster.updated

    @property
    def key(self) -> str:
        """The cache key of its HTML, which covers everything but its age."""
        roster, version, identity = self.roster, self.roster.version, self.face.identity
        faction_name = self.faction.name if self.faction else None
        names = (roster.public_id, roster.link_id, roster.name, faction_name, version.game.heading, self.tags)
        folder = None if roster.binned else roster.folder
        size = (roster.points, roster.limit, roster.cards, roster.cards_needed, version.points_id, version.points_name)
        contents = (roster.units, roster.is_secret, roster.verdict, roster.homebrew, roster.taken_down)
        photo = self.photo and self.photo.pk
        return repr((names, folder and folder.name, size, contents, identity, photo, roster.updated, roster.binned))

    @property
    def player(self) -> str:
        return self.roster.player_name

    @property
    def is_empty(self) -> bool:
        return not self.roster.units and self.roster.points == "0"


def build_list_rows(rosters: Iterable[Roster]) -> list[ListRow]:
    listed = list(rosters)
    keys = {(roster.version_id, roster.faction_id) for roster in listed}
    factions = Faction.objects.filter(
        version__in={version for version, _faction in keys}, faction_id__in={faction for _version, faction in keys}
    )
    return match_list_rows(listed, factions if listed else ())


def match_list_rows(
    rosters: Iterable[Roster],
    factions: Iterable[Faction],
    tags: Mapping[int, Sequence[str]] = MappingProxyType({}),
    photos: Mapping[int, Photo] = MappingProxyType({}),
) -> list[ListRow]:
    factions_by_key = {(faction.version_id, faction.faction_id): faction for faction in factions}
    return [
        ListRow(
            roster,
            factions_by_key.get((roster.version_id, roster.faction_id)),
            tags.get(roster.pk, ()),
            photos.get(roster.pk),
        )
        for roster in rosters
    ]
