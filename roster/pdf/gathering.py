"""What a game pack is made of: cards of a mission in the order in which they are read, and its score sheet."""

from collections.abc import Sequence

from catalogue.definitions.missions import Mission
from catalogue.models import MapMeasures
from catalogue.services.play import Play
from roster.pdf.decks.choosing import What, chosen_cards, read_choice
from roster.pdf.decks.faces import PrintCard, Reading
from roster.pdf.options import Ink, Paper
from roster.pdf.packs import GamePack, Scores, Side
from roster.pdf.sheets import Order
from roster.wording import cards as words

TURNS = 5
PLAYERS = 2


def gather(
    play: Play,
    mission: Mission,
    lists: Sequence[Order],
    names: Sequence[str],
    measures: Sequence[MapMeasures],
    *,
    size_id: str = "",
    paper: Paper = Paper.A4,
    ink: Ink = Ink.LIGHT,
    accent: str = "",
) -> GamePack:
    """The pack for a game of these lists. Raises CannotPrintError for a battle size that does not exist."""

    def cards(kind: What) -> tuple[PrintCard, ...]:
        choice = read_choice(play, [kind.value], [mission.id], size_id)
        return tuple(chosen_cards(play, choice, measures))

    objectives = (*cards(What.OBJECTIVES), *(cards(What.STRATAGEMS) if mission.draw else ()))
    told = cards(What.MISSIONS)
    before = (
        Reading(title=mission.name, sub=mission.pack, cards=told, columns=2 if len(told) > 1 else 1),
        Reading(title=words.deployment(), sub=mission.name, cards=cards(What.MAPS)),
        Reading(title=words.objectives(), sub=mission.name, cards=objectives),
    )
    after = (Reading(title=words.reference(), sub=play.name, cards=cards(What.REFERENCE)),)
    return GamePack(
        title=words.game_pack(", ".join(names)),
        heading=" · ".join(filter(None, (play.name, mission.name, mission.pack))),
        lists=tuple(lists),
        before=tuple(reading for reading in before if reading.cards),
        scores=scores_of(play, mission),
        after=tuple(reading for reading in after if reading.cards),
        paper=paper,
        ink=ink,
        accent=accent,
    )


def scores_of(play: Play, mission: Mission) -> Scores:
    """A column for each objective of a side; of those drawn anew, as many as are drawn; else one for points."""
    told = list(play.told(mission))
    sides = [
        Side(name=each.name, aims=tuple(_column(aim.name, aim.aim.points) for aim in each.aims))
        for each in told
    ]
    if mission.draw:
        number = mission.draw.number + bool(mission.draw.extra)
        drawn = tuple(words.drawn_objective(n) for n in range(1, number + 1))
        sides = [Side(name="", aims=drawn)]
    if len(sides) == 1:
        aims = sides[0].aims
        sides = [Side(name=words.player(n), aims=aims) for n in range(1, PLAYERS + 1)]
    filled = tuple(Side(name=side.name, aims=side.aims or (words.points_column(),)) for side in sides)
    turns = max((each.brief.turns or 0 for each in told), default=0) or TURNS
    totals = [(each.name, each.brief.total) for each in told if each.brief.total]
    notes = tuple(f"{name}: {words.to_win(total)}" if name else words.to_win(total) for name, total in totals)
    return Scores(
        title=mission.name,
        heading=words.score_sheet(),
        turns=tuple(range(1, turns + 1)),
        sides=filled,
        notes=notes,
    )


def _column(name: str, points: str) -> str:
    return f"{name} ({points})" if points else name
