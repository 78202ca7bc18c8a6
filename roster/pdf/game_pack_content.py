"""The content of a game pack: cards of a mission in reading order, and its score sheet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from catalogue.definitions.identity import UNKNOWN, Identity
from catalogue.definitions.missions import MissionDefinition, ScoreSheet
from catalogue.models import MapMeasures
from catalogue.services.play import MissionBrief, Play
from roster.pdf.game_pack import NOBODY_YET, GamePackJob, Scores, ScoreSide, ScoreTally, Seat
from roster.pdf.imposition.card_face import Face
from roster.pdf.imposition.select_cards import CardKind, read_selection, select_cards
from roster.pdf.sheet_job import SheetJob
from roster.pdf.sheet_options import Ink, PaperSize
from roster.wording import cards as words

TURNS = 5
BOX = "\N{BALLOT BOX}"

_SideAims = tuple[str, str, tuple[str, ...]]
"""The id of a side, its name, and its scoring columns."""


def build_game_pack(
    play: Play,
    mission: MissionDefinition,
    lists: Sequence[SheetJob],
    seats: Sequence[Seat],
    measures: Sequence[MapMeasures],
    *,
    size_id: str = "",
    paper: PaperSize = PaperSize.A4,
    ink: Ink = Ink.LIGHT,
    identity: Identity = UNKNOWN,
) -> GamePackJob:
    """Return the game pack for these lists. Raises CannotPrintError for an unknown battle size."""

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
        size=_describe_size(play, size_id),
        mission=select_faces(CardKind.MISSIONS),
        maps=select_faces(CardKind.MAPS),
        objectives=objectives,
        stratagems=select_faces(CardKind.STRATAGEMS) if mission.draw else (),
        reference=select_faces(CardKind.REFERENCE),
        scores=build_scores(play, mission, seats),
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


def build_scores(play: Play, mission: MissionDefinition, seats: Sequence[Seat] = ()) -> Scores:
    """Return the score sheet of a mission, with the players' names if `seats` has them."""
    sides = list(play.list_briefs(mission))
    packs = (pack.score for pack in play.packs.values() if pack.name == mission.pack)
    sheet = mission.score or next(packs, None) or ScoreSheet()
    # The turns of the longest side, else of the score sheet; 0 if it counts no turns.
    turns = max((side.brief.turns or 0 for side in sides), default=0) or sheet.turns
    turns = TURNS if turns is None else turns
    notes = []
    for side in sides:
        if side.brief.total:
            note = words.format_points_to_win(side.brief.total)
            notes.append(f"{side.name}: {note}" if side.name else note)
    return Scores(
        title=mission.name,
        heading=words.get_label("score sheet"),
        turn=sheet.turn or words.get_label("turn"),
        turns=tuple(range(1, turns + 1)),
        total=words.get_label("total") if sheet.most is None else words.format_capped_total(sheet.most),
        sides=tuple(_assign_seats(_build_sides(mission, sides, sheet), seats)),
        tallies=tuple(ScoreTally(name=row.name, text=row.text or BOX * row.boxes) for row in sheet.rows),
        notes=tuple(notes),
    )


def _build_sides(
    mission: MissionDefinition, sides: Sequence[MissionBrief], sheet: ScoreSheet
) -> list[tuple[str, ScoreSide]]:
    """Return the sides that score, with their ids: a column for each objective or each drawn one.

    Without turn scoring and noted columns, there is a column for points.
    """
    by_side: list[_SideAims]
    if mission.draw:
        number = mission.draw.number + bool(mission.draw.extra)
        by_side = [("", "", tuple(words.format_objective_number(n) for n in range(1, number + 1)))]
    else:
        ids = {side.name: side.id for side in mission.sides}
        shared = _name_columns(side for side in sides if not side.name)
        by_side = [
            (ids.get(side.name, ""), side.name, (*shared, *_name_columns([side]))) for side in sides if side.name
        ] or [("", "", shared)]
    if len(by_side) == 1:
        _, _, aims = by_side[0]
        by_side = [("", words.format_player(number), aims) for number in range(1, mission.players + 1)]
    spare = () if sheet.columns else (words.get_label("points column"),)
    return [
        (side_id, ScoreSide(name=name, columns=sheet.columns, aims=aims or spare)) for side_id, name, aims in by_side
    ]


def _name_columns(sides: Iterable[MissionBrief]) -> tuple[str, ...]:
    aims = (aim for side in sides for aim in side.aims)
    return tuple(f"{aim.name} ({aim.aim.points})" if aim.aim.points else aim.name for aim in aims)


def _assign_seats(sides: Sequence[tuple[str, ScoreSide]], seats: Sequence[Seat]) -> Iterator[ScoreSide]:
    """Yield the sides with their players: as the lists' plans say, the others in order."""
    ids = set(filter(None, (side_id for side_id, _ in sides)))
    # If two lists plan the same side, the first gets it.
    planned = {seat.side: seat for seat in reversed(seats) if seat.side in ids}
    # Never guess which of two unplanned lists attacks.
    is_open = bool(ids) and not planned
    free = iter([] if is_open else [seat for seat in seats if seat not in planned.values()])
    for side_id, side in sides:
        yield replace(side, seat=planned.get(side_id) or next(free, NOBODY_YET))
