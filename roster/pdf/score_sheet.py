"""Set a game's score sheet: turns of each player, or a table of captured tokens. Lengths are in millimetres."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from django.utils.safestring import SafeString

from catalogue.definitions.identity import UNKNOWN, Identity
from roster.pdf.flow import Solid, render_runs
from roster.pdf.markup import break_lines, join, mm, place, tag
from roster.pdf.pages import PageLook, choose_colour
from roster.pdf.type.measure import POINT, FittedText, TextRun, count_lines, fit_text, measure_width
from roster.pdf.type.signs import BOX, find_sign
from roster.wording import cards as words

NAME_HEAD, NAME_GAP = 8.4, 1.6
NAME_LINE, ABOUT_LINE = 7.0, 8.4
"""Line heights of a player's name, and of the text beside it, which has the same baseline."""
PLAYER_SHARE = 0.6
"""The largest share of a player's name if there is a text beside it."""
LINE, LINE_GAP = 5.4, 1.6
LETTER_BOX = 7.0
HEAD_SIZE, NOTE_SIZE = 8.0, 7.0
HEAD_LINE, HEAD_PADDING = 3.2, 0.7
ROUND_WIDTH, SUM_WIDTH, POINTS_WIDTH, TICK_WIDTH = 12.0, 15.0, 10.0, 10.0
FIGURE_SIZE = 10.0
SUM_BOX, SUM_ROW, MOST_LABEL = 15.0, 9.0, 36.0
RESULT_WIDTH, SIGNATURE_WIDTH = 31.0, 40.0
FOOT_GAP, SIDE_GAP = 2.0, 3.0
TICK = 4.0
FIELD, BOX_SIZE, MOST_FIELDS = 7.6, 3.6, 4
"""The height of a field, the size of its boxes, and the most fields in a row."""
BOX_WIDTH = measure_width(BOX, "signs", 1 / POINT)
MATRIX_LABEL, MATRIX_SUM = 36.0, 20.0
MATRIX_HEAD, MATRIX_TITLE = 7.0, 7.2
SIGNATURES = 16.0
Thing = TypeVar("Thing")
LEAST_TURN, MOST_TURN = 5.0, 14.0
MOST_CAPTURES, MOST_OWN = 44.0, 13.0
"""Heights of rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """What is known of a player. `side` is the id of a side of the mission."""

    player: str = ""
    list_name: str = ""
    side: str = ""
    identity: Identity = UNKNOWN


NOBODY_YET = Seat()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreColumn:
    """A column of the table of turns.

    `cells` say what each turn scores, None for nothing. With `is_drawn`, players write an objective's name, and its
    points in another column. With `is_ticked`, cells are boxes and the column is narrow.
    """

    name: str
    notes: tuple[str, ...] = ()
    cells: tuple[str | None, ...] = ()
    is_drawn: bool = False
    is_ticked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSide:
    """A player, or a role if it `has_role`. `goal` is how the side wins."""

    name: str
    columns: tuple[ScoreColumn, ...] = ()
    has_role: bool = False
    goal: str = ""
    seat: Seat = NOBODY_YET

    @property
    def title(self) -> str:
        return self.seat.player or self.name

    @property
    def is_named_by_player(self) -> bool:
        return bool(self.seat.player) and not self.has_role


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTally:
    name: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedTokens:
    """Tokens that players capture from each other.

    `row` tokens of each opponent win the game, unless it is 0. `teams` is 0 if players play alone. `ties` are
    tie-breaks in order.
    """

    name: str
    tokens: int
    row: int = 0
    teams: int = 0
    rule: str = ""
    ties: tuple[str, ...] = ()

    def can_capture(self, player: int, other: int) -> bool:
        return player != other and not (self.teams and player % self.teams == other % self.teams)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """A table of turns for each player, and counts for the whole game.

    `lines` are above the turns. `categories` get one of `letters` if given, otherwise a cross. The last of the `sums`
    decides.
    """

    title: str
    heading: str
    turn: str
    turns: tuple[int, ...]
    sides: tuple[ScoreSide, ...]
    categories: tuple[str, ...] = ()
    letters: str = ""
    lines: tuple[ScoreTally, ...] = ()
    tallies: tuple[ScoreTally, ...] = ()
    sums: tuple[ScoreTally, ...] = ()
    notes: tuple[str, ...] = ()
    capture: CapturedTokens | None = None


def split_rows(things: Sequence[Thing], per_row: int) -> list[Sequence[Thing]]:
    """Return things in rows.

    >>> split_rows("abcde", 2)
    ['ab', 'cd', 'e']
    """
    return [things[start : start + per_row] for start in range(0, len(things), per_row)]


def build_short_scores(scores: Scores, look: PageLook, roles: str) -> Solid | None:
    """Build a score sheet without turns to print below other content; None if it needs a page."""
    if scores.turns or scores.capture:
        return None
    sides = [_build_fields(side, scores, look, roles) for side in scores.sides]
    return Solid(sum(side.height for side in sides), tag("div", *(side.render() for side in sides)))


def build_turn_scores(scores: Scores, look: PageLook, roles: str, turn: float) -> Solid:
    """Set all players' turns, each `turn` millimetres high."""
    sides = [_build_turns(side, scores, look, roles, turn) for side in scores.sides]
    notes = [_build_note(note, look) for note in scores.notes]
    parts = [*sides, *notes]
    return Solid(sum(part.height for part in parts), tag("div", *(part.render() for part in parts)))


def set_score_page(scores: Scores, look: PageLook, roles: str, room: float) -> SafeString:
    if scores.capture:
        return _set_captures(scores.capture, scores, look, room)
    if not scores.turns:
        return join([_build_fields(side, scores, look, roles).render() for side in scores.sides])
    least = build_turn_scores(scores, look, roles, 0.0).height
    turn = (room - least) / (len(scores.turns) * max(1, len(scores.sides)))
    return build_turn_scores(scores, look, roles, max(LEAST_TURN, min(MOST_TURN, turn))).content


def _set_name(side: ScoreSide, look: PageLook, roles: str) -> SafeString:
    colour = "#111" if look.saves_ink else choose_colour(side.seat.identity.dark)
    sign = find_sign(side.seat.identity.emblem)
    left = 9.0 if sign else 0.0
    # The boxes are wider than characters.
    right = measure_width(roles.replace(BOX, ""), "text", 9.5) + roles.count(BOX) * TICK * BOX_WIDTH if roles else 0.0
    room = look.width - left - right - 4.0
    about = " · ".join(filter(None, ("" if side.is_named_by_player else side.name, side.seat.list_name)))
    share = PLAYER_SHARE if about else 1.0
    name = fit_text(side.seat.player or "_" * 22, "name", room * share, 15, 9, 2)
    start = max(measure_width(line, "name", name.size) for line in name.lines) + 2.0
    small = fit_text(about, "text", room - start, 8.5, 7, 2)
    pieces = [tag("p", sign, css="i", style=f"color:{colour}")] if sign else []
    pieces.append(_set_name_part("h2", name, left, NAME_LINE))
    if about:
        pieces.append(_set_name_part("p", small, left + start, ABOUT_LINE, "ab"))
    if roles:
        pieces.append(tag("p", *_mark_boxes(roles), css="ro"))
    return tag("div", *pieces, css="pn", style=f"border-color:{colour}")


def _set_name_part(element: str, fitted: FittedText, left: float, line: float, css: str = "") -> SafeString:
    rows = len(fitted.lines)
    style = place(left=left, size=fitted.size, line=NAME_LINE / rows if rows > 1 else line)
    return tag(element, break_lines(fitted.lines), css=css, style=style)


def _mark_boxes(text: str) -> list[SafeString | str]:
    pieces: list[SafeString | str] = []
    for number, part in enumerate(text.split(BOX)):
        if number:
            pieces.append(tag("s", BOX))
        pieces.append(part)
    return pieces


def _build_turns(side: ScoreSide, scores: Scores, look: PageLook, roles: str, turn: float) -> Solid:
    pieces, height = [_set_name(side, look, roles)], NAME_HEAD + NAME_GAP
    if scores.categories:
        pieces.append(_set_categories(scores, look))
        height += LETTER_BOX + LINE_GAP
    for line in _fill_lines(scores.lines, look.width):
        pieces.append(tag("p", *(piece for tally in line for piece in _set_boxes(tally)), css="cpl"))
        height += LINE + LINE_GAP
    table, head = _set_turn_table(side, scores, look, turn)
    pieces.append(table)
    height += head + turn * len(scores.turns) + FOOT_GAP
    foot, foot_height = _set_sums(side, scores, look)
    return Solid(height + foot_height, tag("div", *pieces, foot, css="pl"), SIDE_GAP)


def _set_categories(scores: Scores, look: PageLook) -> SafeString:
    label = 22.0
    width = (look.width - label) / len(scores.categories)
    title = tag("p", tag("b", words.get_label("categories")))
    cells = [tag("td", title, tag("p", scores.letters), style=f"width:{mm(label)}")]
    for name in scores.categories:
        cells.append(tag("td", "", css="b", style=f"width:{mm(LETTER_BOX)}"))
        cells.append(tag("td", name, css="nm", style=f"width:{mm(width - LETTER_BOX)}"))
    return tag("table", tag("tr", *cells), css="kt")


def _fill_lines(tallies: Sequence[ScoreTally], room: float) -> list[list[ScoreTally]]:
    lines: list[list[ScoreTally]] = []
    left = 0.0
    for tally in tallies:
        words_width = measure_width(tally.name, "bold", 9) + measure_width(tally.text.replace(BOX, ""), "text", 9)
        width = words_width + tally.text.count(BOX) * TICK * BOX_WIDTH + 5.0
        if width > left or not lines:
            lines.append([])
            left = room
        lines[-1].append(tally)
        left -= width
    return lines


def _set_boxes(tally: ScoreTally) -> list[SafeString | str]:
    return [tag("b", tally.name), " ", *_mark_boxes(tally.text), " \N{EM SPACE}"]


def _set_turn_table(side: ScoreSide, scores: Scores, look: PageLook, turn: float) -> tuple[SafeString, float]:
    ends = [scores.turn, words.get_label("total")]
    drawn = sum(column.is_drawn for column in side.columns)
    ticked = sum(column.is_ticked for column in side.columns)
    room = look.width - ROUND_WIDTH - SUM_WIDTH * len(ends) - POINTS_WIDTH * drawn - TICK_WIDTH * ticked
    shared = room / max(1, len(side.columns) - ticked)
    head, lines = [tag("th", scores.turn, style=f"width:{mm(ROUND_WIDTH)}")], 1
    for column in side.columns:
        width = TICK_WIDTH if column.is_ticked else shared
        name = [TextRun(column.name, "semi", HEAD_SIZE)]
        notes = [[TextRun(note, "text", NOTE_SIZE)] for note in column.notes]
        lines = max(lines, sum(count_lines(runs, width - 1.8) for runs in (name, *notes)))
        small = [tag("p", *render_runs(note, NOTE_SIZE)) for note in notes]
        head.append(tag("th", column.name, *small, css="l" if column.is_drawn else "", style=f"width:{mm(width)}"))
        if column.is_drawn:
            head.append(tag("th", words.get_label("victory points"), style=f"width:{mm(POINTS_WIDTH)}"))
    head += [tag("th", end, style=f"width:{mm(SUM_WIDTH)}") for end in ends]
    rows = []
    for index, number in enumerate(scores.turns):
        cells = [tag("td", str(number), css="rn")]
        for column in side.columns:
            worth = column.cells[index] if column.cells else ""
            css = "no" if worth is None else "v"
            cells.append(tag("td", *_mark_boxes(worth or ""), css=css))
            if column.is_drawn:
                cells.append(tag("td", "", css="no" if worth is None else "r2"))
        cells += [tag("td", "", css="r2"), tag("td", "", css="rt")]
        rows.append(tag("tr", *cells, style=f"height:{mm(turn)}"))
    height = lines * HEAD_LINE + 2 * HEAD_PADDING + 0.3
    top = tag("tr", *head, style=f"height:{mm(height)}")
    return tag("table", top, *rows, css="st"), height


def _set_sums(side: ScoreSide, scores: Scores, look: PageLook) -> tuple[SafeString, float]:
    *others, final = scores.sums
    sums = [*others, replace(final, text=", ".join(filter(None, (final.text, side.goal))))]
    labels = [_measure_label(tally) for tally in sums]
    taken = sum(labels) + len(labels) * SUM_BOX
    has_own_row = look.width - taken < RESULT_WIDTH + SIGNATURE_WIDTH
    cells = []
    for number, (tally, width) in enumerate(zip(sums, labels, strict=True), 1):
        is_last = number == len(sums)
        label = [tag("p", tag("b", tally.name) if is_last else tally.name), tag("p", tally.text, css="sm")]
        cells.append(tag("td", *label, css="nm", style=f"width:{mm(width)}"))
        cells.append(tag("td", "", css="w f" if is_last else "w", style=f"width:{mm(SUM_BOX)}"))
    won, drew, conceded = (f"{BOX} {words.get_label(name)}" for name in ("won", "drew", "conceded"))
    result = tag("td", *(tag("p", *_mark_boxes(line)) for line in (f"{won}  {drew}", conceded)), css="nm re")
    signature = tag("td", tag("p", words.format_signature(side.title), css="sgn"), css="sg")
    style = f"height:{mm(SUM_ROW)}"
    if not has_own_row:
        return tag("table", tag("tr", *cells, result, signature, style=style), css="sums"), SUM_ROW
    rest = tag("tr", result, signature, style=style)
    return (
        join([tag("table", tag("tr", *cells, style=style), css="sums"), tag("table", rest, css="sums")]),
        2 * SUM_ROW,
    )


def _measure_label(tally: ScoreTally) -> float:
    widths = measure_width(tally.name, "bold", 9), measure_width(tally.text, "text", 7.4)
    return min(MOST_LABEL, max(widths) + 4.5)


def _build_fields(side: ScoreSide, scores: Scores, look: PageLook, roles: str) -> Solid:
    tallies = [*scores.tallies, ScoreTally(name=words.format_signature(side.title))]
    per_row = min(len(tallies), MOST_FIELDS)
    width = look.width / per_row
    rows, height = [], NAME_HEAD + NAME_GAP
    for row in split_rows(tallies, per_row):
        lines = max(_count_box_lines(tally.text, width) for tally in row)
        row_height = FIELD + lines * (BOX_SIZE + 0.8)
        cells = [tag("td", *_set_field(tally), style=f"width:{mm(width)}") for tally in row]
        rows.append(tag("tr", *cells, style=f"height:{mm(row_height)}"))
        height += row_height
    table = tag("table", *rows, css="fin")
    return Solid(height, tag("div", _set_name(side, look, roles), table, css="pl"), FOOT_GAP)


def _count_box_lines(text: str, width: float) -> int:
    boxes = text.count(BOX)
    per_line = max(1, int((width - 3.0) / (BOX_SIZE * BOX_WIDTH)))
    return -(-boxes // per_line)


def _set_field(tally: ScoreTally) -> list[SafeString | str]:
    if BOX in tally.text:
        return [tag("b", tally.name), tag("p", tag("s", tally.text), css="bxs")]
    return [tag("b", tally.name), " ", tag("small", tally.text)]


def _build_note(note: str, look: PageLook) -> Solid:
    lines = count_lines([TextRun(note, "text", 9)], look.width)
    return Solid(lines * 4.2, tag("p", note, css="kv"), 0.8)


# ---- captured tokens ------------------------------------------------------------------------------------------------


def _set_captures(capture: CapturedTokens, scores: Scores, look: PageLook, room: float) -> SafeString:
    players = max(1, len(scores.sides))
    notes = [_build_note(note, look) for note in scores.notes]
    fixed = 2 * (MATRIX_TITLE + MATRIX_HEAD + 2 * FOOT_GAP) + SIGNATURES + sum(note.height for note in notes)
    token_row = min(MOST_OWN, (room - fixed) / players / 3)
    row = min(MOST_CAPTURES, (room - fixed) / players - token_row)
    pieces = [
        _set_title(capture.name, capture.rule, look),
        _set_matrix(capture, scores, look, row),
        _set_title(words.get_label("own tokens"), words.get_label("own tokens rule"), look),
        _set_own_tokens(capture, scores, look, token_row),
        *(note.render() for note in notes),
    ]
    width = (look.width - 4.0 * (players - 1)) / players
    for number, side in enumerate(scores.sides):
        style = place(left=number * (width + 4.0), width=width)
        pieces.append(tag("p", words.format_signature(side.title), css="sgn at", style=style))
    return tag("div", *pieces, css="cap", style=f"height:{mm(room)}")


def _set_title(title: str, note: str, look: PageLook) -> SafeString:
    size = fit_text(note, "text", look.width - measure_width(title, "name", 13) - 2.0, 8.5, 6.5).size
    heading = tag("h2", title, tag("small", f" {note}", style=f"font-size:{size:g}pt"))
    return tag("div", heading, css="ct", style=f"border-color:{look.dark}")


def _set_matrix(capture: CapturedTokens, scores: Scores, look: PageLook, row: float) -> SafeString:
    players = len(scores.sides)
    width = (look.width - MATRIX_LABEL - MATRIX_SUM) / players
    head = [tag("th", words.get_label("captured by"), css="l", style=f"width:{mm(MATRIX_LABEL)}")]
    for side in scores.sides:
        name = fit_text(words.format_captured_from(side.title), "semi", width - 2.0, 9, 7, 2)
        head.append(tag("th", break_lines(name.lines), style=f"width:{mm(width)};font-size:{name.size:g}pt"))
    head.append(tag("th", words.get_label("captured"), style=f"width:{mm(MATRIX_SUM)}"))
    rows = [tag("tr", *head, style=f"height:{mm(MATRIX_HEAD)}")]
    upper, lower = capture.row, capture.tokens - capture.row
    boxes = []
    if upper:
        boxes.append(_set_box_row(upper, min(7.0, (width - 3.0) / upper / BOX_WIDTH, row / 4), 1.8))
    # At most six smaller boxes to a row.
    for part in split_rows(range(lower), 6 if upper else 5):
        boxes.append(_set_box_row(len(part), min(5.0, (width - 3.0) / 6 / BOX_WIDTH, row / 6), 1.4))
    for player, side in enumerate(scores.sides):
        cells = [_set_player(side, row)]
        for other in range(players):
            can_capture = capture.can_capture(player, other)
            cells.append(tag("td", *boxes) if can_capture else tag("td", "", css="x"))
        cells.append(tag("td", "", css="v"))
        rows.append(tag("tr", *cells, style=f"height:{mm(row)}"))
    return tag("table", *rows, css="cap2")


def _set_box_row(number: int, size: float, gap: float) -> SafeString:
    return tag("p", tag("s", BOX * number, style=f"font-size:{mm(size)}"), style=f"line-height:{mm(size + gap)}")


def _set_player(side: ScoreSide, row: float) -> SafeString:
    sign = find_sign(side.seat.identity.emblem)
    pieces = []
    if sign and row >= 24:
        colour = choose_colour(side.seat.identity.dark)
        pieces.append(tag("p", sign, css="em", style=f"font-size:9mm;line-height:10mm;color:{colour}"))
    pieces.append(_set_player_name(side, 13))
    if side.seat.list_name:
        small = fit_text(side.seat.list_name, "text", MATRIX_LABEL - 3.0, 7.4, 6.5, 3)
        pieces.append(tag("p", break_lines(small.lines), css="sm", style=f"font-size:{small.size:g}pt"))
    return tag("td", *pieces, css="l")


def _set_player_name(side: ScoreSide, largest: float) -> SafeString:
    name = fit_text(side.title, "name", MATRIX_LABEL - 3.0, largest, 8, 3)
    style = f"font-size:{name.size:g}pt"
    if len(name.lines) > 1:
        style = f"{style};line-height:{mm(name.size * 1.1 * POINT)}"
    return tag("h3", break_lines(name.lines), style=style)


def _set_own_tokens(capture: CapturedTokens, scores: Scores, look: PageLook, token_row: float) -> SafeString:
    tie, place_width = 36.0, 16.0
    boxes_width = look.width - MATRIX_LABEL - tie * len(capture.ties) - place_width
    head = [
        tag("th", words.get_label("player"), css="l", style=f"width:{mm(MATRIX_LABEL)}"),
        tag("th", words.format_own_tokens(capture.tokens), style=f"width:{mm(boxes_width)}"),
        *(tag("th", text, style=f"width:{mm(tie)}") for text in capture.ties),
        tag("th", words.get_label("place"), style=f"width:{mm(place_width)}"),
    ]
    size = min(5.2, token_row * 0.5, (boxes_width - 6.0) / (capture.tokens + 1) / BOX_WIDTH)
    pieces: list[SafeString | str] = []
    for part in split_rows(range(capture.tokens), 5):
        pieces += ["\N{EN SPACE}"] if pieces else []
        pieces.append(tag("s", BOX * len(part), style=f"font-size:{mm(size)}"))
    boxes = tag("td", tag("p", *pieces, style=f"line-height:{mm(size + 1.4)}"))
    blanks = [tag("td", "", css="v")] * (len(capture.ties) + 1)
    rows = [tag("tr", *head, style=f"height:{mm(MATRIX_HEAD)}")]
    for side in scores.sides:
        player = tag("td", _set_player_name(side, 12), css="l")
        rows.append(tag("tr", player, boxes, *blanks, style=f"height:{mm(token_row)}"))
    return tag("table", *rows, css="cap2")
