"""A hand of objectives that are drawn anew in each round: the acts of Maelstrom of War as values in, values out.

What a mission asks of a hand is its `Draw`. Dice come from outside: `roll(6)` answers 1 to 6. Illegal input is a
`Refused`, never an exception.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from catalogue.definitions.base import Definition
from catalogue.definitions.missions import Draw, ObjectiveDefinition, Stratagem
from roster.engine.edits import Refused

Roll = Callable[[int], int]
CAP = 90
"""Points that objectives can bring in one game."""
ROUNDS = 5
MOST_ROLLS = 8
DOUBLE, BARRED = "double", "barred"
KEEP, SWAP, SHIFT, ONE = "keep", "swap-category", "shift", "set-to-one"


class DrawnObjective(Definition):
    """An objective in the hand: what was rolled for it, whether it is scored, whether the opponent named it."""

    objective_id: str
    group_id: str
    roll: int = 0
    letter: str = ""
    scored: bool = False
    named: bool = False
    kept: bool = False
    replaced: str = ""


class Round(Definition):
    """A battle round: its objectives, the stratagems used in it by id, objectives that were drawn and changed since.

    `groups` are the categories before one of them was given up in it, empty where none was.
    """

    drawn: tuple[DrawnObjective, ...] = ()
    used: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    @property
    def seen(self) -> set[str]:
        """What was drawn in it so far: none of it comes a second time."""
        return {drawn.objective_id for drawn in self.drawn} | set(self.gone)


class Hand(Definition):
    """A hand: the mission, the battle size, the chosen categories in the order of their letters, and the rounds."""

    mission_id: str
    size_id: str = ""
    groups: tuple[str, ...] = ()
    secret: str = ""
    rounds: tuple[Round, ...] = ()
    spent: int = 0

    @property
    def now(self) -> Round:
        """The round that is played; an empty one before the first."""
        return self.rounds[-1] if self.rounds else Round()


def decode_hand(document: str) -> Hand:
    """Return a hand as it is kept."""
    return msgspec.json.decode(document, type=Hand)


def encode_hand(hand: Hand) -> str:
    return msgspec.json.encode(hand).decode()


@dataclass(frozen=True, slots=True)
class HandRules:
    """What binds a hand: how its mission draws, the objectives by group and roll, the stratagems by what they do."""

    draw: Draw
    objectives: Mapping[str, Sequence[ObjectiveDefinition]]
    stratagems: Mapping[str, Stratagem]

    def find_objective(self, objective_id: str) -> ObjectiveDefinition | None:
        return next((o for group in self.objectives.values() for o in group if o.id == objective_id), None)

    def find_result(self, group_id: str, roll: int) -> ObjectiveDefinition | None:
        return next((o for o in self.objectives.get(group_id, ()) if o.roll == roll), None)

    def list_results(self, group_id: str) -> list[ObjectiveDefinition]:
        """Return the objectives of a group that its die leads to, in the order of their results."""
        sides = range(1, len(self.objectives.get(group_id, ())) + 1)
        return [objective for roll in sides if (objective := self.find_result(group_id, roll))]

    def get_cost(self, act: str) -> int:
        stratagem = self.stratagems.get(act)
        return 0 if stratagem is None or stratagem.id in self.draw.free else stratagem.cost


def choose_categories(
    rules: HandRules, hand: Hand, groups: Sequence[str], secret: str = ""
) -> Hand | Refused:
    """Choose the categories before the first round; `secret` is the one noted where the mission asks for it."""
    if hand.rounds:
        return Refused(code="too-late")
    if len(groups) != rules.draw.choose or len(set(groups)) != len(groups):
        return Refused(code="wrong-categories", allowed=rules.draw.choose, measured=len(set(groups)))
    if any(group not in rules.objectives for group in groups):
        return Refused(code="bad-change")
    if secret and secret not in groups:
        return Refused(code="other-secret", subject_id=secret)
    if rules.draw.secret and not secret:
        return Refused(code="no-secret")
    return replace(hand, groups=tuple(groups), secret=secret if rules.draw.secret else "")


def start_round(
    rules: HandRules, hand: Hand, roll: Roll, *, extra: bool = False, keep: Sequence[str] = ()
) -> Hand | Refused:
    """Return the next round, drawn; `extra`: one more, as the mission says; `keep`: some of last round's, by id."""
    if len(hand.rounds) >= ROUNDS:
        return Refused(code="game-over")
    if len(hand.groups) != rules.draw.choose:
        return Refused(code="wrong-categories", allowed=rules.draw.choose, measured=len(hand.groups))
    number, stratagem = rules.draw.number + extra, rules.stratagems.get(KEEP)
    left = {drawn.objective_id: drawn for drawn in hand.now.drawn if not drawn.scored}
    if (
        (extra and not (rules.draw.extra and hand.rounds))
        or len(set(keep)) != len(keep)
        or len(keep) > number
    ):
        return Refused(code="bad-change")
    if keep and (stratagem is None or not left.keys() >= set(keep)):
        return Refused(code="bad-change")
    drawn = [
        DrawnObjective(objective_id=objective_id, group_id=left[objective_id].group_id, kept=True)
        for objective_id in keep
    ]
    for group, letter in _pick_categories(rules, hand, roll, number - len(drawn), drawn):
        objective = _draw_objective(
            rules, group, letter, {objective.objective_id for objective in drawn}, roll
        )
        drawn += [objective] if objective else []
    used = (stratagem.id,) * len(keep) if stratagem else ()
    spent = hand.spent + rules.get_cost(KEEP) * len(keep)
    return replace(hand, rounds=(*hand.rounds, Round(drawn=tuple(drawn), used=used)), spent=spent)


def take_round_back(rules: HandRules, hand: Hand) -> Hand | Refused:
    """Take the last round back with all that was done in it, so that the one before goes on."""
    if not hand.rounds:
        return Refused(code="bad-change")
    acts = {stratagem.id: act for act, stratagem in rules.stratagems.items()}
    spent = sum(rules.get_cost(acts[stratagem_id]) for stratagem_id in hand.now.used)
    groups = hand.now.groups or hand.groups
    return replace(hand, rounds=hand.rounds[:-1], groups=groups, spent=hand.spent - spent)


def _pick_categories(
    rules: HandRules, hand: Hand, roll: Roll, number: int, kept_objectives: Sequence[DrawnObjective]
) -> list[tuple[str, str]]:
    """Which categories are drawn from, each with its letter."""
    draw = rules.draw
    if draw.each:
        taken = {drawn.group_id for drawn in kept_objectives}
        return [(group, "") for group in hand.groups if group not in taken][:number]
    table = draw.table or hand.groups
    sides = min(draw.die, len(table))
    places = [roll(sides) - 1 for _ in range(number)] if sides else []
    return [(table[place], draw.letters[place] if place < len(draw.letters) else "") for place in places]


def _draw_objective(
    rules: HandRules, group: str, letter: str, taken: Container[str], roll: Roll
) -> DrawnObjective | None:
    """Return an objective of a category, rolled again while it is taken already; None where no result leads to one.

    Rolling comes to an end: the last roll is one among the results that are left, each as likely as by going on.
    """
    results = rules.list_results(group)
    left = [objective for objective in results if objective.id not in taken] or results
    if not left:
        return None
    rolls = (rules.find_result(group, roll(len(rules.objectives[group]))) for _ in range(MOST_ROLLS))
    drawn = next((each for each in rolls if each in left), None) or left[roll(len(left)) - 1]
    return DrawnObjective(objective_id=drawn.id, group_id=group, roll=drawn.roll or 0, letter=letter)


def score_objective(rules: HandRules, hand: Hand, place: int, scored: bool) -> Hand | Refused:
    """Score an objective of this round, or take that back. One that the opponent barred cannot be scored."""
    drawn = _find_drawn(hand, place)
    if drawn is None or (scored and drawn.named and rules.draw.named == BARRED):
        return Refused(code="bad-change")
    return _put_drawn(hand, place, replace(drawn, scored=scored))


def name_objective(rules: HandRules, hand: Hand, place: int) -> Hand | Refused:
    """Let the opponent name one objective of the round: it is doubled or barred, as the mission says."""
    drawn = _find_drawn(hand, place)
    if drawn is None or not rules.draw.named:
        return Refused(code="bad-change")
    free = tuple(
        replace(drawn_objective, named=number == place)
        for number, drawn_objective in enumerate(hand.now.drawn)
    )
    barred = rules.draw.named == BARRED
    free = tuple(replace(each, scored=False) if each.named and barred else each for each in free)
    return _replace_round(hand, replace(hand.now, drawn=free))


def replace_objective(
    rules: HandRules, hand: Hand, place: int, objective_id: str, roll: Roll
) -> Hand | Refused:
    """Replace one that cannot be achieved: by `objective_id` of the same category, or (blank) by another draw."""
    drawn = _find_drawn(hand, place)
    if drawn is None or drawn.scored:
        return Refused(code="bad-change")
    if not objective_id:
        replacement = _draw_objective(rules, drawn.group_id, drawn.letter, hand.now.seen, roll)
        if replacement is None:
            return Refused(code="bad-change")
        return _replace_drawn(
            hand, place, replace(replacement, replaced=drawn.objective_id, named=drawn.named)
        )
    objective = rules.find_objective(objective_id)
    if objective is None or objective.group != drawn.group_id or objective.id in hand.now.seen:
        return Refused(code="bad-change")
    replacement = replace(
        drawn, objective_id=objective.id, roll=objective.roll or 0, replaced=drawn.objective_id
    )
    return _replace_drawn(hand, place, replacement)


def change_roll(rules: HandRules, hand: Hand, place: int, act: str, step: int = 0) -> Hand | Refused:
    """Change the roll of an objective by a stratagem: `shift` by one up or down, `set-to-one`."""
    drawn, stratagem = _find_drawn(hand, place), rules.stratagems.get(act)
    if drawn is None or stratagem is None or act not in (SHIFT, ONE) or not drawn.roll or drawn.scored:
        return Refused(code="bad-change")
    if stratagem.id in hand.now.used:
        return Refused(code="used-already")
    rolled = 1 if act == ONE else drawn.roll + step
    objective = rules.find_result(drawn.group_id, rolled)
    if abs(step) > 1 or objective is None or objective.id in hand.now.seen:
        return Refused(code="roll-taken")
    here = _replace_drawn(hand, place, replace(drawn, objective_id=objective.id, roll=rolled))
    now = replace(here.now, used=(*here.now.used, stratagem.id))
    return replace(_replace_round(here, now), spent=hand.spent + rules.get_cost(act))


def swap_category(rules: HandRules, hand: Hand, old: str, new: str) -> Hand | Refused:
    """Give up a chosen category for one that was not chosen, once in the battle, at the end of a round.

    The one noted in secret stays noted: what was scored of it keeps its worth.
    """
    stratagem = rules.stratagems.get(SWAP)
    if stratagem is None or old not in hand.groups or new not in rules.objectives or new in hand.groups:
        return Refused(code="bad-change")
    if not hand.rounds or any(stratagem.id in battle_round.used for battle_round in hand.rounds):
        return Refused(code="used-already")
    groups = tuple(new if group == old else group for group in hand.groups)
    here = _replace_round(hand, replace(hand.now, used=(*hand.now.used, stratagem.id), groups=hand.groups))
    return replace(here, groups=groups, spent=hand.spent + rules.get_cost(SWAP))


def count_worth(rules: HandRules, hand: Hand, drawn: DrawnObjective) -> int:
    """Return what an objective brings when it is scored."""
    objective = rules.find_objective(drawn.objective_id)
    points = next((int(s.points) for s in objective.scores if s.points.isdigit()), 0) if objective else 0
    if drawn.named and rules.draw.named == DOUBLE:
        points *= 2
    return points + (rules.draw.secret if hand.secret and drawn.group_id == hand.secret else 0)


def sum_points(rules: HandRules, hand: Hand) -> int:
    """Return the points scored so far, up to what objectives can bring."""
    scored = (
        count_worth(rules, hand, d) for battle_round in hand.rounds for d in battle_round.drawn if d.scored
    )
    return min(CAP, sum(scored))


def _find_drawn(hand: Hand, place: int) -> DrawnObjective | None:
    return hand.now.drawn[place] if 0 <= place < len(hand.now.drawn) else None


def _put_drawn(hand: Hand, place: int, drawn: DrawnObjective) -> Hand:
    here = hand.now.drawn
    return _replace_round(hand, replace(hand.now, drawn=(*here[:place], drawn, *here[place + 1 :])))


def _replace_drawn(hand: Hand, place: int, drawn: DrawnObjective) -> Hand:
    """Put another objective in a place; the one that was there is gone for this round."""
    gone = (*hand.now.gone, hand.now.drawn[place].objective_id)
    here = _put_drawn(hand, place, drawn)
    return _replace_round(here, replace(here.now, gone=gone))


def _replace_round(hand: Hand, now: Round) -> Hand:
    return replace(hand, rounds=(*hand.rounds[:-1], now))
