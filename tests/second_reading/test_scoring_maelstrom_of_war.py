"""Game and second reading of Maelstrom of War agree on draws, names, scores, totals, winners and the record."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from django.test import Client

from roster.models import Roster
from roster.play.game_state import HandNote, Operation, TableStep, write_hand_note
from roster.play.game_victory import Ending
from roster.play.models import Game
from roster.play.services.game_records import compute_record
from roster.play.services.game_rules import load_rules
from roster.play.services.game_standings import score_rows
from roster.play.services.games import end_game
from roster.services.owners import Visitor
from tests.extent import COMPLETE, SEED
from tests.play.games import NINTH, begin, load_army, make_tap, tap
from tests.second_reading.scoring.maelstrom_of_war import MISSIONS, PHASES, ROUNDS, TABLES, Moment, Referee

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

GAMES = 120 if COMPLETE else 6
OPENING = "objectives"


def make_id(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.casefold()).replace("--", "-").strip("-")


def make_act(act: str, side: int, **fields: str) -> Operation:
    return make_tap("hand", "hand", text=write_hand_note(HandNote(act=act, fields=fields)), side=side)


class Battle:
    """A random battle. The referee checks each action in the game."""

    def __init__(self, client: Client, army: Roster, dice: Random, referee: Referee) -> None:
        self.dice, self.referee = dice, referee
        self.game: Game = begin(client, army, mission=make_id(referee.mission), size="strike-force", opponent="Tom")
        Game.objects.filter(pk=self.game.pk).update(seed=f"{dice.getrandbits(256):064x}")
        self.game.refresh_from_db()
        self.disputed: list[str] = []

    def do(self, operation: Operation) -> bool:
        return operation.uid not in tap(self.game, 0, operation).refused

    def compare(self, what: str, mine: object, theirs: object) -> None:
        if mine != theirs:
            mission, number = self.referee.mission, self.game.now.step.round
            self.disputed.append(f"{mission}, round {number}: {what}: {mine}, by the reading {theirs}")

    def go_to(self, moment: Moment) -> None:
        phase = {"Movement": "movement"}.get(moment.phase, moment.phase.casefold()) or OPENING
        target = TableStep(round=moment.round, turn=moment.turn, phase=phase)
        if self.game.now.step != target:
            assert self.do(make_tap("step", "step", text=f"{self.game.now.step} {target}", side=None))

    def choose(self) -> None:
        if self.referee.mission == "Chaotic Engagement":
            return
        for player in (0, 1):
            chosen = tuple(self.dice.sample(tuple(TABLES), 3))
            secret = self.dice.choice(chosen) if self.referee.mission == "Complex Front" else ""
            self.referee.players[player].categories = chosen
            self.referee.players[player].secret = secret
            fields = {"group": " ".join(map(make_id, chosen))} | ({"secret": make_id(secret)} if secret else {})
            assert self.do(make_act("choose", player, **fields))

    def list_hand(self, player: int) -> list[str]:
        rules, hand = load_rules(self.game).fold.hand, self.game.now.sides[player].hand
        assert rules is not None
        assert hand is not None
        objectives = [rules.find_objective(drawn.objective_id) for drawn in hand.now.drawn]
        return [objective.name for objective in objectives if objective]

    def draw(self) -> None:
        first = self.dice.randint(0, 1)
        for player in (first, 1 - first):
            more = self.dice.random() < 0.5
            took = self.do(make_act("begin", player, **({"extra": "on"} if more else {})))
            if not took:
                # Both claim to control more markers.
                self.compare("a fourth for both", self.referee.fourth, 1 - player)
                more = False
                assert self.do(make_act("begin", player))
            fault = self.referee.draw(player, self.list_hand(player), more_markers=more)
            self.compare("what was drawn", fault, "")

    def name(self) -> None:
        for player in (0, 1):
            place = self.dice.randrange(5)
            may = self.referee.may_name(player) and place < len(self.referee.players[player].hand)
            if self.dice.random() < 0.7:
                took = self.do(make_act("name", player, place=str(place)))
                self.compare(f"naming {place} of {player}", took, may)
                if may:
                    self.referee.name(player, place)

    def score(self, moment: Moment) -> None:
        self.go_to(moment)
        player, place = self.dice.randint(0, 1), self.dice.randrange(4)
        hand = self.game.now.sides[player].hand
        # The page has no such button once an objective is scored.
        if hand is None or place >= len(hand.now.drawn) or hand.now.drawn[place].scored:
            return
        may = self.referee.may_score(player, place, moment)
        operation = make_act("score", player, place=str(place))
        self.compare(f"scoring {self.list_hand(player)[place]} in {moment}", self.do(operation), may)
        if not may:
            return
        if self.dice.random() < 0.2:
            # A wrong tap, undone.
            self.do(make_tap("undo", operation.uid, side=None))
        else:
            self.referee.score(player, place)

    def play(self) -> Game:
        self.choose()
        lively = self.dice.choice((1, 8, 40))
        for number in range(1, ROUNDS + 1):
            self.go_to(Moment(number))
            self.referee.begin_round(number)
            self.draw()
            if self.dice.random() < 0.8:
                self.name()
            moments = [Moment(number, turn, phase) for turn in (0, 1) for phase in PHASES]
            moments += [Moment(number, 1, "Morale")] * lively
            for moment in sorted(self.dice.choices(moments, k=lively), key=lambda one: one.order):
                self.score(moment)
            self.compare("totals", self.count(), self.referee.totals)
        for player in (0, 1):
            if self.dice.random() < 0.5:
                self.referee.players[player].painted = True
                self.do(make_tap("count", "score:battle-ready:5", 10, side=player))
        self.compare("totals", self.count(), self.referee.totals)
        ended = end_game(self.game, "")
        assert isinstance(ended, Game)
        self.compare("the winner", ended.winner, self.referee.winner)
        self.compare("the ending", ended.ending, Ending.DRAW if self.referee.winner is None else Ending.STANDARD)
        return ended

    def count(self) -> tuple[int, ...]:
        scores = score_rows(self.game, self.game.sides.order_by("place"), load_rules(self.game))
        return tuple(score.total for score in scores)


def hold(
    client: Client, army: Roster, seeds: list[str], make: Callable[[str], Referee] = Referee
) -> tuple[list[str], Counter[str]]:
    """Play random battles; return the differences and the reading's results."""
    disputed: list[str] = []
    results: Counter[str] = Counter()
    game = None
    for number, seed in enumerate(seeds):
        referee = make(MISSIONS[number % len(MISSIONS)])
        battle = Battle(client, army, Random(seed), referee)
        game = battle.play()
        disputed += [f"{seed}: {fault}" for fault in battle.disputed]
        results["draws" if referee.winner is None else "losses" if referee.winner else "wins"] += 1
    if game is not None:
        (line,) = compute_record(Visitor(key=game.owner_key)).lists
        if +Counter(wins=line.wins, draws=line.draws, losses=line.losses) != results:
            disputed.append(f"the record has {line}, the reading {results}")
    return disputed, results


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(NINTH, "necrons-incursion")


def test_both_count_alike(client: Client, army: Roster) -> None:
    disputed, results = hold(client, army, [f"{SEED} {number}" for number in range(GAMES)])
    assert disputed[:5] == []
    assert results["wins"]
    assert results["losses"]


def test_a_reading_that_counts_otherwise_is_found_out(client: Client, army: Roster) -> None:
    class Generous(Referee):
        def has_fourth(self, player: int, *, more_markers: bool) -> bool:
            return self.round > 1

    disputed, _results = hold(client, army, [f"{SEED} 0"], Generous)
    assert disputed
