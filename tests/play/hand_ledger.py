"""The ledger of objectives that are drawn: the examples beside the missions, played as the page lets them be played.

`scores/*.yaml` of a pack name what happens on the table: under `objectives` by the objective, under `hands` by the
mission. What is drawn comes from the seed of the game, so a seed is looked for that draws what an example asks for.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.play.chance import derive_dice
from roster.play.game_state import STEP, Operation, TableStep
from roster.play.models import Game
from roster.play.objective_hand import Hand, HandRules, start_round
from roster.play.services.game_rules import GameRules, load_rules
from roster.play.services.game_standings import score_rows
from roster.play.views.forms import TapForm
from tests.plain_yaml import load_yaml_file
from tests.play.games import begin, join, make_tap, tap

DRAW = "objectives"
PLACES = ("first", "second", "third", "fourth")
EVERYTHING = "chaotic-engagement"
"""The mission in which any objective can be drawn."""
_TAP = re.compile(
    r"(?:only (?P<only>[\w-]+) in )?(?:(?P<name>name)(?: (?P<named>\w+))? in )?"
    r"(?:(?P<nth>first|second|third|fourth) in )?"
    r"(?P<round>\d) (?P<phase>[\w-]+)(?::(?P<turn>[01]))?(?: of (?P<side>[01]))?(?P<back> back)?"
)
_BUTTON = re.compile(r"<button\b[^>]*>")
_VALUE = re.compile(r'\bvalue="([^"]*)"')


@dataclass(frozen=True, slots=True)
class HandExample:
    """What happens on the table, and what the first side has scored in all after the taps.

    `drawn` are the objectives that come first in a round, `size` is the battle size; `secret` the category that is
    noted, `more` says that the side has more markers, `keep` is the round in which what was drawn before is kept.
    """

    mission: str
    says: str
    taps: tuple[str, ...]
    points: int
    drawn: Mapping[int, tuple[str, ...]]
    objective: str = ""
    size: str = "strike-force"
    secret: str = ""
    more: bool = False
    keep: int = 0


def read_hand_examples(pack: Path) -> list[HandExample]:
    return [example for file in sorted((pack / "scores").glob("*.yaml")) for example in _read_file(file)]


def _read_file(file: Path) -> Iterator[HandExample]:
    tree = load_yaml_file(file)
    for objective, examples in (tree.get("objectives") or {}).items():
        for written in examples:
            yield _read_example(EVERYTHING, {"drawn": {2: [objective]}, **written}, objective)
    for mission, examples in (tree.get("hands") or {}).items():
        for written in examples:
            yield _read_example(mission, written, "")


def _read_example(mission: str, written: Mapping[str, Any], objective: str) -> HandExample:
    taps = [written["taps"]] if isinstance(written["taps"], str) else written["taps"]
    assert all(map(_TAP.fullmatch, taps)), written
    more = {key: value for key, value in written.items() if key not in ("says", "taps", "points", "drawn")}
    drawn = {number: tuple(names) for number, names in written["drawn"].items()}
    return HandExample(mission, written["says"], tuple(taps), written["points"], drawn, objective, **more)


def find_seed(rules: HandRules, hand: Hand, example: HandExample) -> str:
    """Return a seed that draws for the first side what an example asks for; a fourth objective is worth 5."""
    for number in count(1):
        seed = f"{number:064x}"
        if all(_draws(rules, hand, seed, round_number, names) for round_number, names in example.drawn.items()):
            return seed
    raise AssertionError


def _draws(rules: HandRules, hand: Hand, seed: str, number: int, names: tuple[str, ...]) -> bool:
    later = start_round(
        rules, hand, derive_dice(seed, 0, number), number=number, extra=bool(rules.draw.extra) and number > 1
    )
    assert isinstance(later, Hand)
    drawn = later.now.drawn
    others = [rules.find_objective(one.objective_id) for one in drawn[1:]]
    # The others bring 5 points each, so that sums are known.
    return tuple(one.objective_id for one in drawn[: len(names)]) == names and all(
        other is not None and other.scores[0].points == "5" for other in others
    )


@dataclass(slots=True)
class HandGame:
    """A game of two phones that an example is played in."""

    game: Game
    clients: tuple[Client, Client]
    example: HandExample
    rules: GameRules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = load_rules(self.game)

    def list_buttons(self, place: int) -> list[str]:
        """Return the values of the buttons that the page of a side has and that can be pressed."""
        page = self.clients[place].get(reverse("play:game", args=[self.game.public_id])).content.decode()
        buttons = [button for button in _BUTTON.findall(page) if " disabled" not in button and " hidden" not in button]
        return [unescape(value[1]) for button in buttons if (value := _VALUE.search(button))]

    def press(self, place: int, value: str, **fields: str | list[str]) -> bool:
        """Press a button of the page of a side; return False if the page has none now."""
        if value not in self.list_buttons(place):
            return False
        form = QueryDict(mutable=True)
        form.update({"op": value, "form_id": str(uuid4())})
        for name, sent in fields.items():
            form.setlist(name.replace("_", "-"), sent if isinstance(sent, list) else [sent])
        tapped = TapForm(form)
        assert tapped.is_valid(), (value, tapped.errors)
        operation = tapped.cleaned_data["operation"]
        assert isinstance(operation, Operation)
        receipt = tap(self.game, place, operation)
        assert not receipt.refused, (value, receipt.refused)
        return True

    def go_to(self, step: TableStep) -> None:
        """Go to a step, and draw for both sides in the first step of each round on the way."""
        for number in range(self.game.now.step.round, step.round + 1):
            opening = TableStep(round=number, phase=DRAW)
            if number > self.game.now.step.round or not self._has_drawn(number):
                self._move(opening)
                for place in (0, 1):
                    if not self._has_drawn(number, place):
                        self._draw(place, number)
        self._move(step)

    def _move(self, step: TableStep) -> None:
        now = self.game.now.step
        if now != step:
            tap(self.game, 0, make_tap("step", STEP, text=f"{now} {step}", side=None))

    def _has_drawn(self, number: int, place: int = 0) -> bool:
        hand = self.game.now.sides[place].hand
        return hand is not None and len(hand.rounds) >= number

    def _draw(self, place: int, number: int) -> None:
        fields: dict[str, str | list[str]] = {}
        if place == 0 and self.example.more:
            fields["h0_extra"] = "on"
        if place == 0 and self.example.keep == number:
            hand = self.game.now.sides[0].hand
            assert hand is not None
            fields["h0_keep"] = [hand.now.drawn[0].objective_id]
        assert self.press(place, f"hand {place} hand begin", **fields), f"nothing to draw in round {number}"

    def do(self, text: str) -> None:
        """Do one tap of an example, if the page has a button for it."""
        match = _TAP.fullmatch(text)
        assert match is not None
        self.go_to(TableStep(round=int(match["round"]), turn=int(match["turn"] or 0), phase=match["phase"]))
        side = int(match["side"] or 0)
        hand = self.game.now.sides[side].hand
        assert hand is not None
        if match["name"]:
            self.press(1 - side, f"hand {side} hand name {PLACES.index(match['named'] or 'first')}")
            return
        place = PLACES.index(match["nth"] or "first")
        if match["only"] and hand.now.drawn[place].objective_id != match["only"]:
            return
        self.press(side, f"hand {side} hand {'unscore' if match['back'] else 'score'} {place}")


def play_hand_example(client: Client, roster: Roster, example: HandExample) -> int:
    """Play an example with both sides on phones of their own; return what the first side has scored."""
    game = begin(client, roster, mission=example.mission, size=example.size)
    rules = load_rules(game).fold.hand
    assert rules is not None
    groups = _choose_groups(rules, example)
    hand = Hand(mission_id=example.mission, size_id=example.size, groups=groups)
    Game.objects.filter(pk=game.pk).update(seed=find_seed(rules, hand, example))
    game.refresh_from_db()
    other = join(game, Client(), inviter=client)
    played = HandGame(game, (client, other), example)
    if rules.draw.choose:
        for place in (0, 1):
            fields: dict[str, str | list[str]] = {f"h{place}_group": list(groups)}
            if rules.draw.secret:
                fields[f"h{place}_secret"] = example.secret
            assert played.press(place, f"hand {place} hand choose", **fields)
    for text in example.taps:
        played.do(text)
    rows = game.sides.order_by("place")
    return score_rows(game, rows, load_rules(game))[0].total


def _choose_groups(rules: HandRules, example: HandExample) -> tuple[str, ...]:
    """Return categories that the objectives of an example can come from."""
    names = [name for drawn in example.drawn.values() for name in drawn]
    wanted = [objective.group for name in names if (objective := rules.find_objective(name))]
    groups = dict.fromkeys([*wanted, *filter(None, [example.secret]), *rules.objectives])
    return tuple(groups)[: rules.draw.choose]
