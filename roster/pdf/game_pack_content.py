"""What a game pack is made of: cards of a mission in the order in which they are read, and its score sheet."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from catalogue.definitions.missions import Mission, ScoreSheet
from catalogue.models import MapMeasures
from catalogue.services.play import Play, Told
from roster.pdf.game_pack import NOBODY_YET, GamePackJob, Scores, ScoreSide, ScoreTally, Seat
from roster.pdf.imposition.card_face import PrintCard, ReadingSection
from roster.pdf.imposition.select_cards import CardKind, read_selection, select_cards
from roster.pdf.sheet_job import SheetJob
from roster.pdf.sheet_options import Ink, PaperSize
from roster.wording import cards as words

TURNS = 5
BOX = "\N{BALLOT BOX}"


def build_game_pack(
    play: Play,
    mission: Mission,
    lists: Sequence[SheetJob],
    seats: Sequence[Seat],
    measures: Sequence[MapMeasures],
    *,
    size_id: str = "",
    paper: PaperSize = PaperSize.A4,
    ink: Ink = Ink.LIGHT,
    accent: str = "",
) -> GamePackJob:
    """Return the pack for a game of these lists. Raises CannotPrintError for a battle size that does not exist."""

    def select_kind(kind: CardKind) -> tuple[PrintCard, ...]:
        choice = read_selection(play, [kind.value], [mission.id], size_id)
        return tuple(select_cards(play, choice, measures))

    objectives = (
        *select_kind(CardKind.OBJECTIVES),
        *(select_kind(CardKind.STRATAGEMS) if mission.draw else ()),
    )
    mission_cards = select_kind(CardKind.MISSIONS)
    before = (
        ReadingSection(
            title=mission.name,
            sub=mission.pack,
            cards=mission_cards,
            columns=2 if len(mission_cards) > 1 else 1,
        ),
        ReadingSection(
            title=words.get_label("deployment"), sub=mission.name, cards=select_kind(CardKind.MAPS)
        ),
        ReadingSection(title=words.get_label("objectives"), sub=mission.name, cards=objectives),
    )
    after = (
        ReadingSection(
            title=words.get_label("reference"), sub=play.name, cards=select_kind(CardKind.REFERENCE)
        ),
    )
    return GamePackJob(
        title=words.format_game_title(", ".join(seat.list_name for seat in seats)),
        heading=" · ".join(filter(None, (play.name, mission.name, mission.pack))),
        lists=tuple(lists),
        before=tuple(reading for reading in before if reading.cards),
        scores=build_scores(play, mission, seats),
        after=tuple(reading for reading in after if reading.cards),
        paper=paper,
        ink=ink,
        accent=accent,
    )


def build_scores(play: Play, mission: Mission, seats: Sequence[Seat] = ()) -> Scores:
    """Return the score sheet of a mission, with the players filled in."""
    sides = list(play.told(mission))
    sheet = _find_score_sheet(play, mission)
    turns = max((side.brief.turns or 0 for side in sides), default=0) or sheet.turns
    totals = [(side.name, side.brief.total) for side in sides if side.brief.total]
    return Scores(
        title=mission.name,
        heading=words.get_label("score sheet"),
        turn=sheet.turn or words.get_label("turn"),
        turns=tuple(range(1, (TURNS if turns is None else turns) + 1)),
        total=words.get_label("total") if sheet.most is None else words.format_capped_total(sheet.most),
        sides=tuple(_assign_seats(_build_sides(mission, sides, sheet), seats)),
        tallies=tuple(ScoreTally(name=row.name, text=row.text or BOX * row.boxes) for row in sheet.rows),
        notes=tuple(
            f"{name}: {words.format_points_to_win(total)}" if name else words.format_points_to_win(total)
            for name, total in totals
        ),
    )


def _find_score_sheet(play: Play, mission: Mission) -> ScoreSheet:
    """Return the score sheet of the mission, or else that of its pack."""
    packs = (pack.score for pack in play.packs.values() if pack.name == mission.pack)
    return mission.score or next(packs, None) or ScoreSheet()


def _build_sides(mission: Mission, sides: Sequence[Told], sheet: ScoreSheet) -> list[tuple[str, ScoreSide]]:
    """Return the sides that score, with their ids: a column for each objective, or for each one that is drawn.

    If nothing scores by turns and nothing is noted, there is a column for points.
    """
    if mission.draw:
        number = mission.draw.number + bool(mission.draw.extra)
        drawn = tuple(words.format_objective_number(n) for n in range(1, number + 1))
        aims = [("", "", drawn)]
    else:
        ids = {side.name: side.id for side in mission.sides}
        shared = tuple(aim for one in sides if not one.name for aim in one.aims)
        named = [(one.name, (*shared, *one.aims)) for one in sides if one.name] or [("", shared)]
        aims = [
            (ids.get(name, ""), name, tuple(_name_column(aim.name, aim.aim.points) for aim in side_aims))
            for name, side_aims in named
        ]
    if len(aims) == 1:
        aims = [("", words.format_player(n), aims[0][2]) for n in range(1, mission.players + 1)]
    spare = () if sheet.columns else (words.get_label("points column"),)
    return [
        (side_id, ScoreSide(name=name, columns=sheet.columns, aims=columns or spare))
        for side_id, name, columns in aims
    ]


def _assign_seats(sides: Sequence[tuple[str, ScoreSide]], seats: Sequence[Seat]) -> Iterator[ScoreSide]:
    """Yield the sides with their players: as the plan of a list says, the others in order.

    Which of two unplanned lists attacks is never guessed.
    """
    ids = {side_id for side_id, _side in sides if side_id}
    planned = {seat.side: seat for seat in reversed(seats) if seat.side in ids}
    free = [seat for seat in seats if seat not in planned.values()] if planned or not ids else []
    for side_id, side in sides:
        seat = planned.get(side_id) or (free.pop(0) if free else NOBODY_YET)
        yield replace(side, seat=seat)


def _name_column(name: str, points: str) -> str:
    return f"{name} ({points})" if points else name
