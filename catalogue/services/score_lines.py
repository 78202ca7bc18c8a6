import re
from collections.abc import Iterator
from dataclasses import replace

from catalogue.definitions.missions import MissionDefinition, ScoreSheet
from catalogue.definitions.score_lines import ScoreLine
from catalogue.definitions.table_rules import ScoreMoment, ScoreTiming, TableRules, TokenCapture
from catalogue.services.play import Play

MOST_POINTS = 3
_NUMBER = re.compile(r"\d{1,2}")


def find_score_sheet(play: Play, mission: MissionDefinition) -> ScoreSheet:
    pack = play.find_pack(mission.pack)
    return mission.score or (pack and pack.score) or ScoreSheet()


def count_rounds(table: TableRules, mission: MissionDefinition, sheet: ScoreSheet) -> int:
    """Return the number of rounds, 0 if not fixed. If sides end at different turns, the last one counts."""
    turns = max(brief.turns or 0 for brief in (mission, *mission.sides))
    return turns or sheet.turns or table.rounds or 0


def find_capture(table: TableRules, mission_id: str) -> TokenCapture | None:
    capture = table.capture
    return capture if capture and (not capture.missions or mission_id in capture.missions) else None


def list_table_lines(table: TableRules, mission_id: str, rounds: int) -> Iterator[ScoreLine]:
    """Yield lines of the table rules; `mission_id` is "" in a game without a mission."""
    for item in table.items:
        if not item.missions or mission_id in item.missions:
            yield ScoreLine(
                id=item.id,
                name=item.name,
                # Packs that are older than the default may have no step.
                points=item.points or (1,),
                when=item.when,
                text=item.text,
                rounds=rounds,
                most=item.most,
                most_round=item.most_round,
                below_zero=item.below_zero,
                timing=item.timing,
            )


def list_mission_lines(play: Play, mission: MissionDefinition, rounds: int) -> Iterator[ScoreLine]:
    """Yield lines of objectives, then of paragraphs. The score sheet limits their sum."""
    most = find_score_sheet(play, mission).most
    side_ids = {side.name: side.id for side in mission.sides}
    for page in play.list_briefs(mission):
        # Sides may share an objective with different points, so each side gets its own counter.
        side_id = side_ids.get(page.name, "")
        start = f"{side_id}." if side_id else ""
        for aim in page.aims:
            objective = aim.objective
            for number, (scoring, text, points) in enumerate(aim.scored_lines, 1):
                yield ScoreLine(
                    id=f"{start}{aim.aim.objective_id}.{number}",
                    name=aim.name,
                    points=_read_points(points, scoring.timing),
                    when=scoring.when,
                    text=text,
                    objective=f"{aim.aim.label}: {aim.name}" if aim.aim.label else aim.name,
                    zone=aim.aim.zone or (objective.zone if objective else ""),
                    setup=objective.setup if objective else "",
                    special=objective.special if objective else "",
                    icon=objective.icon if objective else "",
                    side=side_id,
                    phase=_find_phase(play, scoring.timing),
                    rounds=rounds,
                    most=most,
                    is_of_mission=True,
                    timing=scoring.timing,
                )
        for paragraph in page.brief.paragraphs:
            if paragraph.points:
                yield ScoreLine(
                    id=re.sub(r"\W+", "-", f"{page.name} {paragraph.label}".strip().casefold()),
                    name=paragraph.label,
                    points=_read_points(paragraph.points, paragraph.timing),
                    text=paragraph.text,
                    side=side_id,
                    phase=_find_phase(play, paragraph.timing),
                    rounds=rounds,
                    most=most,
                    is_of_mission=True,
                    timing=paragraph.timing,
                    theirs=paragraph.theirs,
                )


def list_own_mission_lines(play: Play, mission_id: str, rounds: int) -> Iterator[ScoreLine]:
    """Yield lines of all missions, each for the sides that play it, in a game that names `mission_id`."""
    for mission in play.missions.values():
        # Missions may have lines of the same name; older games know the lines of their mission by these names.
        start = "" if mission.id == mission_id else f"{mission.id}."
        for line in list_mission_lines(play, mission, rounds):
            yield replace(line, id=f"{start}{line.id}", side=mission.id, is_of_mission=not line.theirs)


def _find_phase(play: Play, timing: ScoreTiming) -> str:
    return "" if timing.counts in (ScoreMoment.FREELY, ScoreMoment.AT_ONCE) else play.table.scored_in


def _read_points(text: str, timing: ScoreTiming) -> tuple[int, ...]:
    """Return the steps by which a line is scored.

    >>> from catalogue.definitions.table_rules import ANY_TIME, ScoreMoment
    >>> _read_points("3 more", ANY_TIME), _read_points("1 or 2", ANY_TIME)
    ((3,), (1, 2))

    Points in words, or that may be scored in part, are counted one by one.

    >>> _read_points("half of it", ANY_TIME), _read_points("half of it", ScoreTiming(counts=ScoreMoment.EACH_TURN))
    ((1,), (1, 5))
    >>> _read_points("3", ScoreTiming(counts=ScoreMoment.EACH_TURN, in_part=True))
    (1, 3)
    """
    numbers = (int(number) for number in _NUMBER.findall(text))
    points = tuple(sorted({number for number in numbers if number}))[:MOST_POINTS]
    if timing.counts and not points:
        return (1, 5)
    if timing.in_part:
        return (1, *points) if points != (1,) else points
    return points or (1,)
