"""Lists with one of each unit of a faction, without a database, for tests and benchmarks of paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import cast

from catalogue.definitions.identity import Identity
from catalogue.graph.ruleset import CompiledCatalogue
from catalogue.services.play import Play
from roster.engine.edits import EditedRoster, add_force, create_roster, select
from roster.engine.evaluate import evaluate
from roster.pdf.game_pack import GamePackJob
from roster.pdf.game_pack_content import build_game_pack
from roster.pdf.score_sheet import Seat
from roster.pdf.shapes import Imprint, ListSheet
from roster.pdf.sheet_job import SheetJob
from roster.pdf.sheet_model import build_sheet_model
from roster.pdf.sheet_options import SheetOptions
from tests.shipped_packs import read_ruleset

LIST_NAME = "Foundation line, all contractors of the outer rim"
PLAIN = SheetOptions()
IDENTITY = Identity(emblem="whirlwind", dark="#27415c", light="#9cc4ec")


def list_books(pack: Path) -> list[CompiledCatalogue]:
    """Return the factions that lists can be made of, the largest first."""
    ruleset = read_ruleset(pack)
    books = (ruleset.find_catalogue(one.id) for one in ruleset.data.catalogues)
    playable = [book for book in books if book and book.force_entries]
    return sorted(playable, key=lambda book: -len(book.root_options.options))


@cache
def full_sheet(pack: Path, units: int = 60, faction: int = 0) -> ListSheet:
    """Return the sheet of a list with the first units of a pack's largest faction; `faction` selects smaller ones."""
    ruleset = read_ruleset(pack)
    books = list_books(pack)
    book = books[faction % len(books)]
    entry = max(book.force_entries, key=lambda force: len(force.categories))
    added = add_force(ruleset, create_roster(ruleset, LIST_NAME).roster, entry.id, book.catalogue.id)
    assert isinstance(added, EditedRoster)
    roster, force = added.roster, added.created[0]
    for option in islice(book.root_options.options, units):
        taken = select(ruleset, roster, force, option.local_id)
        roster = taken.roster if isinstance(taken, EditedRoster) else roster
    imprint = Imprint(game="A game", identity=IDENTITY)
    return build_sheet_model(
        evaluate(ruleset, roster),
        imprint,
        title=LIST_NAME,
        cite=lambda place: place.page,
        play=ruleset.data.game_system.play,
    )


@dataclass(frozen=True, slots=True)
class ReadyList:
    """A judged list in place of the print job of a stored one."""

    sheet: ListSheet
    options: SheetOptions = PLAIN

    def build_sheet(self) -> ListSheet:
        return self.sheet

    @property
    def texts(self) -> tuple[str, ...]:
        return (repr(self.sheet),)


NAMES = ("Anna", "The long night"), ("Bruno", "Morning")
"""The names of the players, and of their lists."""


def full_pack(
    pack: Path,
    mission: int = 0,
    units: int = 16,
    options: SheetOptions = PLAIN,
    names: Sequence[tuple[str, str]] = NAMES,
) -> GamePackJob:
    play = Play(read_ruleset(pack).data.game_system)
    missions = list(play.missions.values())
    lists = [ReadyList(full_sheet(pack, units, faction), options) for faction in range(2)]
    books = list_books(pack)
    seats = [
        Seat(player=player, list_name=name, identity=books[number % len(books)].catalogue.identity)
        for number, (player, name) in enumerate(names)
    ]
    return build_game_pack(
        play,
        missions[mission % len(missions)],
        cast("list[SheetJob]", lists),
        seats,
        [],
        paper=options.paper,
        ink=options.ink,
        identity=IDENTITY,
    )
