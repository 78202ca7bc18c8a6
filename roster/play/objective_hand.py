"""A hand of objectives that are drawn anew in each round: the rules of Maelstrom of War. Pure: values in, values out.

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
    carried_over: bool = msgspec.field(default=False, name="kept")
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
        # By the die, not by what is written: an objective whose result is on no side would never be drawn.
        sides = range(1, len(self.objectives.get(group_id, ())) + 1)
        return [objective for roll in sides if (objective := self.find_result(group_id, roll))]

    def get_cost(self, act: str) -> int:
        stratagem = self.stratagems.get(act)
        return 0 if stratagem is None or stratagem.id in self.draw.free else stratagem.cost


def choose_categories(rules: HandRules, hand: Hand, groups: Sequence[str], secret: str = "") -> Hand | Refused:
    """Choose the categories before the first round; `secret` is the one noted where the mission asks for it."""
    if hand.rounds:
        return Refused(code="too-late")
    refused = _check_categories(rules, groups) or _check_secret(rules, groups, secret)
    if refused:
        return refused
    return replace(hand, groups=tuple(groups), secret=secret if rules.draw.secret else "")


def _check_categories(rules: HandRules, groups: Sequence[str]) -> Refused | None:
    """Return why these categories cannot be chosen, None if they can."""
    # A category chosen twice would be one fewer than the book asks for.
    different = len(set(groups))
    if len(groups) != rules.draw.choose or different != len(groups):
        return Refused(code="wrong-categories", allowed=rules.draw.choose, measured=different)
    if not rules.objectives.keys() >= set(groups):
        return Refused(code="bad-change")
    return None


def _check_secret(rules: HandRules, groups: Sequence[str], secret: str) -> Refused | None:
    """Return why the category noted in secret cannot be that one, None if it can."""
    if secret and secret not in groups:
        return Refused(code="other-secret", subject_id=secret)
    if rules.draw.secret and not secret:
        return Refused(code="no-secret")
    return None


def start_round(
    rules: HandRules, hand: Hand, roll: Roll, *, extra: bool = False, keep: Sequence[str] = ()
) -> Hand | Refused:
    """Return the next round, drawn; `extra`: one more, as the mission says; `keep`: some of last round's, by id."""
    # The extra objective counts as one of the round, so what is kept leaves less to draw.
    number = rules.draw.number + extra
    left = _index_unscored(hand)
    refused = _check_start(rules, hand, extra=extra) or _check_keeping(rules, left, keep, number)
    if refused:
        return refused
    drawn = _draw_missing(rules, hand, roll, number, _keep_objectives(left, keep))
    stratagem = rules.stratagems.get(KEEP)
    # Each objective that is kept is paid for by itself.
    used = (stratagem.id,) * len(keep) if stratagem else ()
    spent = hand.spent + rules.get_cost(KEEP) * len(keep)
    return replace(hand, rounds=(*hand.rounds, Round(drawn=tuple(drawn), used=used)), spent=spent)


def _keep_objectives(left: Mapping[str, DrawnObjective], keep: Sequence[str]) -> list[DrawnObjective]:
    return [
        DrawnObjective(objective_id=objective_id, group_id=left[objective_id].group_id, carried_over=True)
        for objective_id in keep
    ]


def _index_unscored(hand: Hand) -> dict[str, DrawnObjective]:
    """Return what this round leaves unscored, by the id of the objective."""
    return {drawn.objective_id: drawn for drawn in hand.now.drawn if not drawn.scored}


def _check_start(rules: HandRules, hand: Hand, *, extra: bool) -> Refused | None:
    """Return why no round can begin, None if one can."""
    if len(hand.rounds) >= ROUNDS:
        return Refused(code="game-over")
    if len(hand.groups) != rules.draw.choose:
        return Refused(code="wrong-categories", allowed=rules.draw.choose, measured=len(hand.groups))
    # The mission's extra objective comes from the second round on.
    if extra and not (rules.draw.extra and hand.rounds):
        return Refused(code="bad-change")
    return None


def _check_keeping(
    rules: HandRules, left: Mapping[str, DrawnObjective], keep: Sequence[str], number: int
) -> Refused | None:
    """Return why these objectives cannot be kept from the round before, None if they can."""
    different = set(keep)
    # No page of ours sends one twice, or more than are drawn.
    sound = len(keep) == len(different) <= number and different <= left.keys()
    if keep and not (sound and KEEP in rules.stratagems):
        return Refused(code="bad-change")
    return None


def _draw_missing(
    rules: HandRules, hand: Hand, roll: Roll, number: int, kept_objectives: Sequence[DrawnObjective]
) -> list[DrawnObjective]:
    """Return the objectives of a round: those that are kept, then what is drawn until there are `number`."""
    drawn = list(kept_objectives)
    for group, letter in _pick_categories(rules, hand, roll, number - len(drawn), kept_objectives):
        taken = {objective.objective_id for objective in drawn}
        objective = _draw_objective(rules, group, letter, taken, roll)
        if objective is not None:
            drawn.append(objective)
    return drawn


def take_round_back(rules: HandRules, hand: Hand) -> Hand | Refused:
    """Take the last round back with all that was done in it, so that the one before goes on."""
    if not hand.rounds:
        return Refused(code="bad-change")
    # A category that was given up in this round is back, too.
    groups = hand.now.groups or hand.groups
    return replace(hand, rounds=hand.rounds[:-1], groups=groups, spent=hand.spent - _sum_spent(rules, hand.now))


def _sum_spent(rules: HandRules, played: Round) -> int:
    """Return what the stratagems of a round cost."""
    acts = {stratagem.id: act for act, stratagem in rules.stratagems.items()}
    return sum(rules.get_cost(acts[stratagem_id]) for stratagem_id in played.used)


def _pick_categories(
    rules: HandRules, hand: Hand, roll: Roll, number: int, kept_objectives: Sequence[DrawnObjective]
) -> list[tuple[str, str]]:
    """Which categories are drawn from, each with its letter."""
    draw = rules.draw
    if not draw.one_from_each:
        return _roll_categories(draw, draw.table or hand.groups, roll, number)
    taken = {drawn.group_id for drawn in kept_objectives}
    # One of each category: a category from which one is kept draws none.
    return [(group, "") for group in hand.groups if group not in taken][:number]


def _roll_categories(draw: Draw, table: Sequence[str], roll: Roll, number: int) -> list[tuple[str, str]]:
    # A pack may name a larger die than its table has rows; what would lead to nothing is not rolled.
    sides = min(draw.die, len(table))
    if not sides:
        return []
    places = [roll(sides) - 1 for _ in range(number)]
    return [(table[place], _get_letter(draw, place)) for place in places]


def _get_letter(draw: Draw, index: int) -> str:
    return draw.letters[index] if index < len(draw.letters) else ""


def _draw_objective(
    rules: HandRules, group: str, letter: str, taken: Container[str], roll: Roll
) -> DrawnObjective | None:
    """Return an objective of a category, rolled again while it is taken already; None where no result leads to one."""
    results = rules.list_results(group)
    if not results:
        return None
    left = [objective for objective in results if objective.id not in taken]
    # Where all are taken, one comes a second time rather than none.
    drawn = _roll_until_left(rules, group, left or results, roll)
    return DrawnObjective(objective_id=drawn.id, group_id=group, roll=drawn.roll or 0, letter=letter)


def _roll_until_left(rules: HandRules, group: str, left: list[ObjectiveDefinition], roll: Roll) -> ObjectiveDefinition:
    """Roll for a category until one that is left comes up.

    Rolling comes to an end: the last roll is one among the results that are left, each as likely as by going on.
    """
    sides = len(rules.objectives[group])
    # Rolled as at the table, so that what comes up is as likely as there; bounded, so that no data can hang a worker.
    for _ in range(MOST_ROLLS):
        objective = rules.find_result(group, roll(sides))
        if objective in left:
            return objective
    return left[roll(len(left)) - 1]


def score_objective(rules: HandRules, hand: Hand, index: int, scored: bool) -> Hand | Refused:
    """Score an objective of this round, or take that back. One that the opponent barred cannot be scored."""
    drawn = _find_drawn(hand, index)
    if drawn is None or (scored and drawn.named and rules.draw.named == BARRED):
        return Refused(code="bad-change")
    return _put_drawn(hand, index, replace(drawn, scored=scored))


def name_objective(rules: HandRules, hand: Hand, index: int) -> Hand | Refused:
    """Let the opponent name one objective of the round: it is doubled or barred, as the mission says."""
    drawn = _find_drawn(hand, index)
    if drawn is None or not rules.draw.named:
        return Refused(code="bad-change")
    objectives = tuple(
        _mark_named(rules, objective, number == index) for number, objective in enumerate(hand.now.drawn)
    )
    return _replace_round(hand, replace(hand.now, drawn=objectives))


def _mark_named(rules: HandRules, drawn: DrawnObjective, named: bool) -> DrawnObjective:
    """Mark whether the opponent named an objective; one that is barred by it is scored no longer."""
    if named and rules.draw.named == BARRED:
        return replace(drawn, named=True, scored=False)
    return replace(drawn, named=named)


def replace_objective(rules: HandRules, hand: Hand, index: int, objective_id: str, roll: Roll) -> Hand | Refused:
    """Replace one that cannot be achieved: by `objective_id` of the same category, or (blank) by another draw."""
    drawn = _find_drawn(hand, index)
    if drawn is None or drawn.scored:
        return Refused(code="bad-change")
    replacement = _find_replacement(rules, hand, drawn, objective_id, roll)
    if replacement is None:
        return Refused(code="bad-change")
    return _replace_drawn(hand, index, replacement)


def _find_replacement(
    rules: HandRules, hand: Hand, drawn: DrawnObjective, objective_id: str, roll: Roll
) -> DrawnObjective | None:
    if objective_id:
        return _choose_replacement(rules, hand, drawn, objective_id)
    return _draw_replacement(rules, hand, drawn, roll)


def _choose_replacement(
    rules: HandRules, hand: Hand, drawn: DrawnObjective, objective_id: str
) -> DrawnObjective | None:
    """Put a certain objective in the place of one of its category; None for one of another, or seen before."""
    objective = rules.find_objective(objective_id)
    if objective is None or objective.group != drawn.group_id or objective.id in hand.now.seen:
        return None
    return replace(drawn, objective_id=objective.id, roll=objective.roll or 0, replaced=drawn.objective_id)


def _draw_replacement(rules: HandRules, hand: Hand, drawn: DrawnObjective, roll: Roll) -> DrawnObjective | None:
    """Draw another objective of a category in the place of one; None where its category has no results."""
    replacement = _draw_objective(rules, drawn.group_id, drawn.letter, hand.now.seen, roll)
    if replacement is None:
        return None
    return replace(replacement, replaced=drawn.objective_id, named=drawn.named)


def change_roll(rules: HandRules, hand: Hand, index: int, act: str, step: int = 0) -> Hand | Refused:
    """Change the roll of an objective by a stratagem: `shift` by one up or down, `set-to-one`."""
    drawn, stratagem = _find_drawn(hand, index), rules.stratagems.get(act)
    if drawn is None or stratagem is None or not _can_change_roll(drawn, act):
        return Refused(code="bad-change")
    if stratagem.id in hand.now.used:
        return Refused(code="used-already")
    shifted = _shift_drawn(rules, hand, drawn, 1 - drawn.roll if act == ONE else step)
    if abs(step) > 1 or shifted is None:
        return Refused(code="roll-taken")
    # As if it had been rolled so: the objective drawn first is gone for this round.
    here = _replace_drawn(hand, index, shifted)
    now = replace(here.now, used=(*here.now.used, stratagem.id))
    return replace(_replace_round(here, now), spent=hand.spent + rules.get_cost(act))


def _shift_drawn(rules: HandRules, hand: Hand, drawn: DrawnObjective, step: int) -> DrawnObjective | None:
    """Return the objective that another roll leads to; None for one that was seen, or for none."""
    rolled = drawn.roll + step
    objective = find_unseen(rules, hand, drawn, rolled)
    return replace(drawn, objective_id=objective.id, roll=rolled) if objective else None


def find_unseen(rules: HandRules, hand: Hand, drawn: DrawnObjective, roll: int) -> ObjectiveDefinition | None:
    """Return what another roll for an objective leads to; None for what was drawn in this round already."""
    # A die has no side beyond its last: `find_result` then finds nothing.
    objective = rules.find_result(drawn.group_id, roll)
    if objective is None or objective.id in hand.now.seen:
        return None
    return objective


def _can_change_roll(drawn: DrawnObjective, act: str) -> bool:
    """Return whether the roll of an objective may be changed by an act: it was rolled for, and is not scored."""
    return act in (SHIFT, ONE) and drawn.roll != 0 and not drawn.scored


def swap_category(rules: HandRules, hand: Hand, old: str, new: str) -> Hand | Refused:
    """Give up a chosen category for one that was not chosen, once in the battle, at the end of a round.

    The one noted in secret stays noted: what was scored of it keeps its worth.
    """
    stratagem = rules.stratagems.get(SWAP)
    if stratagem is None or not _can_swap(rules, hand, old, new):
        return Refused(code="bad-change")
    # Once in the battle, where others are once in a round.
    if not hand.rounds or _is_used_in_battle(hand, stratagem):
        return Refused(code="used-already")
    place = hand.groups.index(old)
    groups = (*hand.groups[:place], new, *hand.groups[place + 1 :])
    # The round remembers the categories before the swap, so that it can be taken back.
    here = _replace_round(hand, replace(hand.now, used=(*hand.now.used, stratagem.id), groups=hand.groups))
    return replace(here, groups=groups, spent=hand.spent + rules.get_cost(SWAP))


def _can_swap(rules: HandRules, hand: Hand, old: str, new: str) -> bool:
    return old in hand.groups and new in rules.objectives and new not in hand.groups


def _is_used_in_battle(hand: Hand, stratagem: Stratagem) -> bool:
    return any(stratagem.id in battle_round.used for battle_round in hand.rounds)


def count_worth(rules: HandRules, hand: Hand, drawn: DrawnObjective) -> int:
    """Return what an objective brings when it is scored."""
    points = _get_points(rules.find_objective(drawn.objective_id))
    if drawn.named and rules.draw.named == DOUBLE:
        points *= 2
    if hand.secret and drawn.group_id == hand.secret:
        # On top of the doubled worth, not doubled itself.
        points += rules.draw.secret
    return points


def _get_points(objective: ObjectiveDefinition | None) -> int:
    """Return the first number of points that an objective states, 0 where it states none."""
    scores = objective.scores if objective else ()
    # Points such as “1 per unit” are counted at the table.
    return next((int(score.points) for score in scores if score.points.isdecimal()), 0)


def count_scored(rules: HandRules, hand: Hand, drawn: DrawnObjective) -> int:
    """Return what an objective has brought: nothing before it is scored."""
    return count_worth(rules, hand, drawn) if drawn.scored else 0


def sum_round(rules: HandRules, hand: Hand, battle_round: Round) -> int:
    """Return what the objectives of a round have brought."""
    return sum(count_scored(rules, hand, drawn) for drawn in battle_round.drawn)


def sum_points(rules: HandRules, hand: Hand) -> int:
    """Return the points scored so far, up to what objectives can bring."""
    # Objectives alone bring no more than the book allows; the rest of the game's points come from elsewhere.
    return min(CAP, sum(sum_round(rules, hand, battle_round) for battle_round in hand.rounds))


def _find_drawn(hand: Hand, index: int) -> DrawnObjective | None:
    return hand.now.drawn[index] if 0 <= index < len(hand.now.drawn) else None


def _put_drawn(hand: Hand, index: int, drawn: DrawnObjective) -> Hand:
    here = hand.now.drawn
    return _replace_round(hand, replace(hand.now, drawn=(*here[:index], drawn, *here[index + 1 :])))


def _replace_drawn(hand: Hand, index: int, drawn: DrawnObjective) -> Hand:
    """Put another objective in a place; the one that was there is gone for this round."""
    # Remembered, so that it is not drawn again in the same round.
    gone = (*hand.now.gone, hand.now.drawn[index].objective_id)
    here = _put_drawn(hand, index, drawn)
    return _replace_round(here, replace(here.now, gone=gone))


def _replace_round(hand: Hand, now: Round) -> Hand:
    return replace(hand, rounds=(*hand.rounds[:-1], now))
