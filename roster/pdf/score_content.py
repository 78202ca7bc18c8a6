"""Collect what scores in a mission, and when, for its score sheet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from catalogue.definitions.missions import MissionDefinition, MissionSide, ScoreSheet
from catalogue.definitions.score_lines import ScoreLine
from catalogue.definitions.table_rules import PhaseGain, TableResource, TieBreak
from catalogue.services.play import Play
from catalogue.services.score_lines import (
    count_rounds,
    find_capture,
    find_score_sheet,
    list_mission_lines,
    list_table_lines,
)
from roster.pdf.score_sheet import NOBODY_YET, CapturedTokens, ScoreColumn, Scores, ScoreSide, ScoreTally, Seat
from roster.pdf.type.signs import BOX
from roster.wording import cards as words

TURNS = 5
BATTLE = "battle"


def build_scores(play: Play, mission: MissionDefinition, seats: Sequence[Seat] = (), size_id: str = "") -> Scores:
    sheet = find_score_sheet(play, mission)
    rounds = count_rounds(play.table, mission, sheet)
    turns = range(1, (rounds or (0 if sheet.turns == 0 else TURNS)) + 1)
    scorer = _Scorer(play, mission, sheet, size_id, turns, rounds)
    draw = mission.draw
    return Scores(
        title=mission.name,
        heading=words.get_label("score sheet"),
        turn=sheet.turn or words.get_label("turn"),
        turns=tuple(turns),
        sides=tuple(_assign_seats(scorer.build_sides(), seats)),
        categories=tuple(group.name for group in play.groups.values()) if draw and draw.choose else (),
        letters=words.format_letters(draw.letters) if draw and draw.letters else "",
        lines=tuple(scorer.list_boxes()),
        tallies=tuple(ScoreTally(name=row.name, text=row.text or BOX * row.boxes) for row in sheet.rows),
        sums=tuple(scorer.list_sums()),
        notes=tuple(scorer.list_notes()),
        capture=scorer.describe_capture(),
    )


class _Scorer:
    def __init__(
        self, play: Play, mission: MissionDefinition, sheet: ScoreSheet, size_id: str, turns: Sequence[int], rounds: int
    ) -> None:
        self.play = play
        self.mission = mission
        self.sheet = sheet
        self.size = play.sizes.get(size_id)
        self.turns = turns
        self.lines = [] if mission.draw else list(list_mission_lines(play, mission, rounds))
        # Lines that score once, such as a painted army, are boxes below the turns.
        items = list(list_table_lines(play.table, mission.id, rounds)) if turns else []
        self.single = [line for line in items if line.most is not None and line.most == line.points[-1]]
        self.items = [line for line in items if line not in self.single]

    def build_sides(self) -> list[tuple[str, ScoreSide]]:
        sides = {side.name: side for side in self.mission.sides}
        names = [brief.name for brief in self.play.list_briefs(self.mission) if brief.name]
        if self.mission.draw or len(names) < 2:
            columns = self._list_columns("")
            players = range(1, self.mission.players + 1)
            return [("", ScoreSide(name=words.format_player(number), columns=columns)) for number in players]
        return [self._build_role(sides[name]) for name in names]

    def _build_role(self, side: MissionSide) -> tuple[str, ScoreSide]:
        goal = words.format_points_to_win(side.total) if side.total else ""
        return side.id, ScoreSide(name=side.name, columns=self._list_columns(side.id), has_role=True, goal=goal)

    def _list_columns(self, side_id: str) -> tuple[ScoreColumn, ...]:
        scored = {line.name: line for line in self.items}
        columns = [ScoreColumn(name=name, cells=(BOX,) * len(self.turns), is_ticked=True) for name in self.sheet.ticks]
        columns += [self._note_column(name, scored.pop(name, None)) for name in self._noted]
        if draw := self.mission.draw:
            columns += [self._draw_column(number) for number in range(1, draw.number + bool(draw.extra) + 1)]
        objectives: dict[str, list[ScoreLine]] = {}
        for line in self.lines:
            if not side_id or line.side in ("", side_id):
                objectives.setdefault(line.objective or line.name, []).append(line)
        columns += [
            self._score_column(lines) for lines in (*objectives.values(), *([line] for line in scored.values()))
        ]
        # If nothing says what scores, there is room for points.
        return tuple(columns or [ScoreColumn(name=words.get_label("points column"))])

    @property
    def _noted(self) -> list[str]:
        boxed = {resource.name for resource, _ in self._boxed_resources}
        return [name for name in self.sheet.columns if name not in boxed]

    def _note_column(self, name: str, line: ScoreLine | None) -> ScoreColumn:
        if line:
            return self._score_column([line])
        resource = next((one for one in self.play.table.resources if one.name == name), None)
        phases = self.play.table.phases
        gains = [gain for phase in phases for gain in phase.gains if resource and gain.resource == resource.id]
        cells = tuple(" + ".join(_describe_gains(gains, number)) for number in self.turns) if gains else ()
        return ScoreColumn(name=name, cells=cells)

    def _draw_column(self, number: int) -> ScoreColumn:
        draw = self.mission.draw
        is_extra = draw is not None and number > draw.number
        # The extra objective is drawn from round two on.
        cells = tuple(None if is_extra and turn == 1 else "" for turn in self.turns)
        notes = (words.describe_extra_draw(draw.extra),) if draw and is_extra else ()
        return ScoreColumn(name=words.format_objective_number(number), notes=notes, cells=cells, is_drawn=True)

    def _score_column(self, lines: Sequence[ScoreLine]) -> ScoreColumn:
        notes = dict.fromkeys(filter(None, (line.zone.rstrip(".") for line in lines)))
        notes |= dict.fromkeys(filter(None, (words.describe_score_moment(line.timing.counts) for line in lines)))
        caps = {line.most_round for line in lines if line.most_round}
        notes |= dict.fromkeys(words.format_most_each(most) for most in caps)
        cells = tuple(_describe_worth(lines, number) for number in self.turns)
        return ScoreColumn(name=lines[0].objective or lines[0].name, notes=tuple(notes), cells=cells)

    @property
    def _boxed_resources(self) -> list[tuple[TableResource, int]]:
        figures = {fact.name: fact.value for fact in self.size.facts} if self.size else {}
        return [
            (resource, int(figures.get(resource.size_figure, 0)))
            for resource in self.play.table.resources
            if resource.size_figure and resource.name in self.sheet.columns
        ]

    def list_boxes(self) -> Iterator[ScoreTally]:
        for resource, number in self._boxed_resources:
            yield ScoreTally(name=resource.name, text=BOX * number or "_" * 8)
            for change in resource.earns:
                yield ScoreTally(name=change.text, text=BOX * (change.amount * len(self.turns)))
        if draw := self.mission.draw:
            for plan in self.play.stratagems.values():
                if plan.limit == BATTLE:
                    yield ScoreTally(name=plan.name, text=f"{BOX} {words.format_frequency(plan.limit)}")
            if draw.secret:
                yield ScoreTally(name=words.format_secret_category(draw.secret), text="_" * 20)

    def list_sums(self) -> Iterator[ScoreTally]:
        """Yield the sums at the end of the game. The last line decides."""
        if not self.turns:
            return
        if most := self.sheet.most:
            yield ScoreTally(name=words.get_label("objectives"), text=words.format_at_most(most))
        for line in self.single:
            yield ScoreTally(name=line.name, text=words.format_points(line.points[-1]))
        for row in self.sheet.rows:
            yield ScoreTally(name=row.name, text=row.text)
        total = self.mission.total
        limits = [words.format_at_most(self.play.table.most)] if self.play.table.most else []
        limits += [words.format_points_to_win(total)] if total else []
        yield ScoreTally(name=words.get_label("final score"), text=", ".join(limits))

    def list_notes(self) -> Iterator[str]:
        if (draw := self.mission.draw) and draw.named:
            yield words.describe_named_objective(draw.named)
        if victory := self.play.table.victory:
            yield from (
                f"{label}: {rule}" for label, rule in words.list_level_rules(victory.level, victory.level_points)
            )

    def describe_capture(self) -> CapturedTokens | None:
        capture, victory = find_capture(self.play.table, self.mission.id), self.play.table.victory
        if capture is None:
            return None
        row, rule = 0, ""
        if victory and self.mission.teams and victory.by_team:
            rule = words.format_captured_by_team(victory.by_team)
        elif victory and not self.mission.teams and victory.from_each:
            row, rule = victory.from_each, words.format_captured_from_each(victory.from_each)
        level = victory.level if victory else ()
        ties = [words.describe_tie_break(tie) for tie in level if tie in (TieBreak.TOKENS, TieBreak.MODELS)]
        return CapturedTokens(
            name=capture.name,
            tokens=capture.tokens,
            row=row,
            teams=self.mission.teams,
            rule=rule,
            ties=tuple(words.format_tie_break(number, tie) for number, tie in enumerate(ties)),
        )


def _describe_worth(lines: Iterable[ScoreLine], number: int) -> str | None:
    """Return what lines score in a turn: "" if that is open, None if nothing scores."""
    open_lines = [line for line in lines if line.is_open(number)]
    if not open_lines:
        return None
    return " · ".join(filter(None, (_describe_line(line, number) for line in open_lines)))


def _describe_line(line: ScoreLine, number: int) -> str:
    if line.is_free or len(line.points) > 1:
        return ""
    worth = str(line.count_worth(number))
    return worth if line.most_times == 1 else words.format_each(worth)


def _describe_gains(gains: Iterable[PhaseGain], number: int) -> Iterator[str]:
    for gain in gains:
        if amount := gain.amount + (number if gain.by_round else 0):
            yield str(amount)
        if gain.list_figure:
            yield gain.list_figure


def _assign_seats(sides: Sequence[tuple[str, ScoreSide]], seats: Sequence[Seat]) -> Iterator[ScoreSide]:
    """Give each side the player whose list plans for it; other players take the rest in order."""
    ids = set(filter(None, (side_id for side_id, _ in sides)))
    # If two lists plan the same side, the first gets it.
    planned = {seat.side: seat for seat in reversed(seats) if seat.side in ids}
    # Never guess which of two unplanned lists attacks.
    is_open = bool(ids) and not planned
    free = iter([] if is_open else [seat for seat in seats if seat not in planned.values()])
    for side_id, side in sides:
        yield replace(side, seat=planned.get(side_id) or next(free, NOBODY_YET))
