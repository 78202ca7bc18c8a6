"""The ledger of scores: the examples beside the missions of a pack, played as the page of a game lets them be played.

`scores/*.yaml` of a pack name, by mission and score line, what happens on the table, the taps for it, and the points of
the side in all. A tap is made only if the page has a button for it at that step, and it is the button that is sent.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from uuid import uuid4

from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SCORES
from roster.models import Roster
from roster.play.game_state import SIDES, STEP, Operation, TableStep
from roster.play.models import Game
from roster.play.services.game_rules import GameRules, load_rules, make_course
from roster.play.services.game_standings import score_rows
from roster.play.views.forms import TapForm
from tests.plain_yaml import load_yaml_file
from tests.play.games import begin, make_tap, tap

EVERY = "any mission"
"""The heading of lines that all missions have: their examples are played in the first mission."""
_TAP = re.compile(
    r"(?:(?P<line>\S+) in )?(?P<round>\d+) (?P<phase>[\w-]+)(?::(?P<turn>[0-3]))?(?: of (?P<side>[0-3]))?"
    r"(?: \+(?P<points>\d+))?(?: x(?P<times>\d+))?(?P<back> back)?"
)
_BUTTON = re.compile(r"<button\b[^>]*>")
_VALUE = re.compile(r'\bvalue="([^"]*)"')


@dataclass(frozen=True, slots=True)
class ExampleTap:
    """Taps on one button: at which step, by which side, for which line (blank: that of the example), how often.

    `points` names the button of a line that has several; `back` is the button that takes a count back.
    """

    step: TableStep
    line: str = ""
    side: int = 0
    points: int | None = None
    times: int = 1
    back: bool = False


@dataclass(frozen=True, slots=True)
class ScoreExample:
    """What happens on the table, the taps for it, and the points of the side whose line it is, in all.

    `theirs` are the points of the other side. `mission` and `line` are ids; the mission is blank for a line of all.
    """

    mission: str
    line: str
    says: str
    taps: tuple[ExampleTap, ...]
    points: int
    theirs: int


def read_tap(text: str) -> ExampleTap:
    """Read a tap as the ledger writes it.

    >>> read_tap("3 end x2").step.round, read_tap("3 end x2").times, read_tap("major-victory in 4 end of 1").side
    (3, 2, 1)
    """
    match = _TAP.fullmatch(text)
    assert match is not None, f"“{text}” is no tap"
    return ExampleTap(
        step=TableStep(round=int(match["round"]), turn=int(match["turn"] or 0), phase=match["phase"]),
        line=match["line"] or "",
        side=int(match["side"] or 0),
        points=int(match["points"]) if match["points"] else None,
        times=int(match["times"] or 1),
        back=bool(match["back"]),
    )


def read_scores(pack: Path) -> list[ScoreExample]:
    """Return the examples of a pack."""
    return [example for file in sorted((pack / SCORES).glob("*.yaml")) for example in _read_file(file)]


def _read_file(file: Path) -> Iterator[ScoreExample]:
    tree = load_yaml_file(file)
    sections = [(mission, lines) for mission, lines in (tree.get("missions") or {}).items()]
    for mission, lines in [*sections, ("", tree.get(EVERY) or {})]:
        for line, examples in lines.items():
            for written in examples:
                yield _read_example(mission, line, written)


def _read_example(mission: str, line: str, written: Mapping[str, object]) -> ScoreExample:
    assert written.keys() <= {"says", "taps", "points", "theirs"}, written
    taps = written["taps"]
    texts = [taps] if isinstance(taps, str) else taps
    assert isinstance(texts, list)
    return ScoreExample(
        mission=mission,
        line=line,
        says=str(written["says"]),
        taps=tuple(map(read_tap, texts)),
        points=int(str(written["points"])),
        theirs=int(str(written.get("theirs", 0))),
    )


def list_line_ids(game: Game) -> dict[str, bool]:
    """Return the ids of the score lines of the first side, each with whether it can bring any points at all."""
    rules = load_rules(game)
    # If each side plays a mission of its own, both play this one.
    ids = [game.mission_id if rules.table.own_missions else ""] * SIDES
    return {line.id: line.most != 0 for line in rules.score.list_lines_at(0, ids)}


def play_example(client: Client, roster: Roster, mission: str, example: ScoreExample) -> tuple[int, int]:
    """Play an example in a game of a list, as the side that has its line; return the points of it and of the other."""
    game = begin(client, roster, mission=mission)
    rules = load_rules(game)
    line = next(line for line in rules.score.lines if line.id == example.line)
    if rules.table.own_missions:
        # Both play the objective, so each line has the side that scores it.
        tap(game, 0, make_tap("set", "mission", text=mission, side=1))
    elif line.side:
        game = begin(client, roster, mission=mission, mission_side=line.side)
    for each in example.taps:
        go_to(game, rules, each.step)
        for _time in range(each.times):
            press_button(client, game, each, example.line)
    scores = score_rows(game, game.sides.order_by("place"), rules)
    return scores[0].total, scores[1].total


def press_button(client: Client, game: Game, wanted: ExampleTap, line: str) -> None:
    """Press a button of the line, or of another that the tap names, if the page has it at this step."""
    for operation in list_buttons(client, game, wanted.side, wanted.line or line):
        if (operation.amount < 0) == wanted.back and wanted.points in (None, abs(operation.amount)):
            tap(game, 0, operation)
            return


def go_to(game: Game, rules: GameRules, step: TableStep) -> None:
    """Go to a step by the buttons of rounds and phases."""
    course = make_course(game, rules)
    for target in (course.start_round(step.round), step):
        assert course.has(target), f"the game has no step {target}"
        now = game.now.step
        if target != now:
            tap(game, 0, make_tap("step", STEP, text=f"{now} {target}", side=None))


def list_buttons(client: Client, game: Game, place: int, line_id: str) -> list[Operation]:
    """Return what the buttons of a score line that can be pressed now send."""
    page = client.get(reverse("play:game", args=[game.public_id])).content.decode()
    line = re.search(rf'<article[^>]*data-line="{place} {re.escape(line_id)}".*?</article>', page, re.DOTALL)
    buttons = _BUTTON.findall(line[0]) if line else []
    return [_read_button(button) for button in buttons if " disabled" not in button]


def _read_button(button: str) -> Operation:
    value = _VALUE.search(button)
    assert value is not None, button
    form = QueryDict(mutable=True)
    form.update({"op": unescape(value[1]), "form_id": str(uuid4())})
    tapped = TapForm(form)
    assert tapped.is_valid(), button
    operation = tapped.cleaned_data["operation"]
    assert isinstance(operation, Operation)
    return operation


def find_faults(examples: Sequence[ScoreExample], lines: Mapping[str, bool]) -> list[str]:
    """Return which lines of a mission lack an example that scores, or one that does not, and which are no lines."""
    faults = [f"{line}: no such line" for line in {example.line for example in examples} - lines.keys()]
    for line, can_score in lines.items():
        points = [example.points for example in examples if example.line == line]
        if can_score and not any(points):
            faults.append(f"{line}: no example scores")
        if all(points):
            faults.append(f"{line}: no example scores nothing")
    return sorted(faults)
