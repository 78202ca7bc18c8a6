"""Collect a game pack's cards and score sheet."""

from collections.abc import Sequence

from catalogue.definitions.identity import UNKNOWN, Identity
from catalogue.definitions.missions import MissionDefinition
from catalogue.models import MapMeasures
from catalogue.services.play import Play
from roster.pdf.game_pack import GamePackJob
from roster.pdf.imposition.card_face import Face
from roster.pdf.imposition.select_cards import CardKind, read_selection, select_cards
from roster.pdf.score_content import build_scores
from roster.pdf.score_sheet import Seat
from roster.pdf.sheet_job import SheetJob
from roster.pdf.sheet_options import Ink, PaperSize
from roster.wording import cards as words


def build_game_pack(
    play: Play,
    mission: MissionDefinition,
    lists: Sequence[SheetJob],
    seats: Sequence[Seat],
    measures: Sequence[MapMeasures],
    *,
    misfits: tuple[str, ...] = (),
    size_id: str = "",
    paper: PaperSize = PaperSize.A4,
    ink: Ink = Ink.LIGHT,
    identity: Identity = UNKNOWN,
) -> GamePackJob:
    """Build the pack. Raises CannotPrintError."""

    def select_faces(kind: CardKind) -> tuple[Face, ...]:
        choice = read_selection(play, [kind.value], [mission.id], size_id)
        return tuple(card.front for card in select_cards(play, choice, measures))

    # A mission already contains its fixed objectives; only drawn ones are listed.
    objectives = select_faces(CardKind.OBJECTIVES) if mission.draw else ()
    return GamePackJob(
        title=words.format_game_title(", ".join(seat.list_name for seat in seats)),
        heading=" · ".join(filter(None, (play.name, mission.name, mission.pack))),
        lists=tuple(lists),
        seats=tuple(seats),
        misfits=misfits,
        size=_describe_size(play, size_id),
        mission=select_faces(CardKind.MISSIONS),
        maps=select_faces(CardKind.MAPS),
        objectives=objectives,
        stratagems=select_faces(CardKind.STRATAGEMS) if mission.draw else (),
        reference=select_faces(CardKind.REFERENCE),
        scores=build_scores(play, mission, seats, size_id),
        paper=paper,
        ink=ink,
        identity=identity,
    )


def _describe_size(play: Play, size_id: str) -> tuple[tuple[str, str], ...]:
    lines = []
    for size in [play.sizes[size_id]] if size_id in play.sizes else play.sizes.values():
        points = words.format_points(size.points) if size.points else ""
        table = f'{size.width}" x {size.depth}"' if size.width and size.depth else ""
        figures = " · ".join(filter(None, (points, table, *(f"{fact.value} {fact.name}" for fact in size.facts))))
        if figures:
            lines.append((size.name, figures))
    return tuple(lines)
