"""What a game pack is made of: cards of a mission in the order in which they are read, and its score sheet."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from catalogue.definitions.missions import Mission, ScoreSheet
from catalogue.models import MapMeasures
from catalogue.services.play import Play, Told
from roster.pdf.game_pack import NOBODY_YET, GamePackJob, Scores, Seat, Side, Tally
from roster.pdf.imposition.card_face import PrintCard, Reading
from roster.pdf.imposition.select_cards import What, chosen_cards, read_choice
from roster.pdf.sheet_job import SheetJob
from roster.pdf.sheet_options import Ink, Paper
from roster.wording import cards as words

TURNS = 5
BOX = "\N{BALLOT BOX}"


def gather(
    play: Play,
    mission: Mission,
    lists: Sequence[SheetJob],
    seats: Sequence[Seat],
    measures: Sequence[MapMeasures],
    *,
    size_id: str = "",
    paper: Paper = Paper.A4,
    ink: Ink = Ink.LIGHT,
    accent: str = "",
) -> GamePackJob:
    """The pack for a game of these lists. Raises CannotPrintError for a battle size that does not exist."""

    def cards(kind: What) -> tuple[PrintCard, ...]:
        choice = read_choice(play, [kind.value], [mission.id], size_id)
        return tuple(chosen_cards(play, choice, measures))

    objectives = (*cards(What.OBJECTIVES), *(cards(What.STRATAGEMS) if mission.draw else ()))
    told = cards(What.MISSIONS)
    before = (
        Reading(title=mission.name, sub=mission.pack, cards=told, columns=2 if len(told) > 1 else 1),
        Reading(title=words.get_label("deployment"), sub=mission.name, cards=cards(What.MAPS)),
        Reading(title=words.get_label("objectives"), sub=mission.name, cards=objectives),
    )
    after = (Reading(title=words.get_label("reference"), sub=play.name, cards=cards(What.REFERENCE)),)
    return GamePackJob(
        title=words.format_game_title(", ".join(seat.list_name for seat in seats)),
        heading=" · ".join(filter(None, (play.name, mission.name, mission.pack))),
        lists=tuple(lists),
        before=tuple(reading for reading in before if reading.cards),
        scores=scores_of(play, mission, seats),
        after=tuple(reading for reading in after if reading.cards),
        paper=paper,
        ink=ink,
        accent=accent,
    )


def scores_of(play: Play, mission: Mission, seats: Sequence[Seat] = ()) -> Scores:
    """The score sheet of a mission, with who plays it filled in."""
    told = list(play.told(mission))
    sheet = _sheet_of(play, mission)
    turns = max((each.brief.turns or 0 for each in told), default=0) or sheet.turns
    totals = [(each.name, each.brief.total) for each in told if each.brief.total]
    return Scores(
        title=mission.name,
        heading=words.get_label("score sheet"),
        turn=sheet.turn or words.get_label("turn"),
        turns=tuple(range(1, (TURNS if turns is None else turns) + 1)),
        total=words.get_label("total") if sheet.most is None else words.format_capped_total(sheet.most),
        sides=tuple(_seated(_sides(mission, told, sheet), seats)),
        tallies=tuple(Tally(name=row.name, text=row.text or BOX * row.boxes) for row in sheet.rows),
        notes=tuple(
            f"{name}: {words.format_points_to_win(total)}" if name else words.format_points_to_win(total)
            for name, total in totals
        ),
    )


def _sheet_of(play: Play, mission: Mission) -> ScoreSheet:
    """What the mission has on its score sheet, else its pack."""
    packs = (pack.score for pack in play.packs.values() if pack.name == mission.pack)
    return mission.score or next(packs, None) or ScoreSheet()


def _sides(mission: Mission, told: Sequence[Told], sheet: ScoreSheet) -> list[tuple[str, Side]]:
    """Who scores, by the ids of sides: a column for each objective; of those drawn anew, as many as are drawn.

    Where neither scores nor is noted by turns, points are.
    """
    if mission.draw:
        number = mission.draw.number + bool(mission.draw.extra)
        drawn = tuple(words.format_objective_number(n) for n in range(1, number + 1))
        aims = [("", "", drawn)]
    else:
        ids = {side.name: side.id for side in mission.sides}
        shared = tuple(aim for one in told if not one.name for aim in one.aims)
        named = [(one.name, (*shared, *one.aims)) for one in told if one.name] or [("", shared)]
        aims = [
            (ids.get(name, ""), name, tuple(_column(aim.name, aim.aim.points) for aim in found))
            for name, found in named
        ]
    if len(aims) == 1:
        aims = [("", words.format_player(n), aims[0][2]) for n in range(1, mission.players + 1)]
    spare = () if sheet.columns else (words.get_label("points column"),)
    return [(own, Side(name=name, columns=sheet.columns, aims=found or spare)) for own, name, found in aims]


def _seated(sides: Sequence[tuple[str, Side]], seats: Sequence[Seat]) -> Iterator[Side]:
    """Sides with who plays them: as a list's plan says, the others in order. Who attacks is never guessed."""
    ids = {own for own, _side in sides if own}
    planned = {seat.side: seat for seat in reversed(seats) if seat.side in ids}
    free = [seat for seat in seats if seat not in planned.values()] if planned or not ids else []
    for own, side in sides:
        seat = planned.get(own) or (free.pop(0) if free else NOBODY_YET)
        yield replace(side, seat=seat)


def _column(name: str, points: str) -> str:
    return f"{name} ({points})" if points else name
