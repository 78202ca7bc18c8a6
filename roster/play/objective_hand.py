"""Draw hands of objectives by the rules of Maelstrom of War.

The caller provides the dice: `roll(6, "category 1")` returns 1 to 6, and a repeated action uses the same names. Illegal
input returns `Refused` and never raises.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from catalogue.definitions.base import Definition
from catalogue.definitions.missions import Draw, ObjectiveDefinition, Stratagem
from roster.engine.edits import Refused

Roll = Callable[[int, str], int]
CAP = 90
"""The most points from objectives in one game."""
ROUNDS = 5
MOST_ROLLS = 8
DOUBLE, BARRED = "double", "barred"
KEEP, SWAP, SHIFT, ONE = "keep", "swap-category", "shift", "set-to-one"


class DrawnObjective(Definition):
    """An objective in the hand; the opponent may have `named` it."""

    objective_id: str
    group_id: str
    roll: int = 0
    letter: str = ""
    scored: bool = False
    named: bool = False
    carried_over: bool = msgspec.field(default=False, name="kept")
    replaced: str = ""


class Round(Definition):
    """A battle round. `used` are stratagem ids, `gone` are replaced objectives.

    `groups` are the categories before a swap. `dice` are all rolls, as sides and result.
    """

    drawn: tuple[DrawnObjective, ...] = ()
    used: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    dice: tuple[tuple[int, int], ...] = ()
    extra: bool = False

    @property
    def seen(self) -> set[str]:
        """The objectives that cannot be drawn again."""
        return {drawn.objective_id for drawn in self.drawn} | set(self.gone)


class Hand(Definition):
    """A hand with its categories in the order of their letters. Dice come from `seed` or the game's seed."""

    mission_id: str
    size_id: str = ""
    groups: tuple[str, ...] = ()
    secret: str = ""
    rounds: tuple[Round, ...] = ()
    spent: int = 0
    seed: str = ""

    @property
    def now(self) -> Round:
        """The current round; an empty round before the first."""
        return self.rounds[-1] if self.rounds else Round()


def decode_hand(document: str) -> Hand:
    """Decode a stored hand. Raises msgspec.DecodeError."""
    return msgspec.json.decode(document, type=Hand)


def encode_hand(hand: Hand) -> str:
    return msgspec.json.encode(hand).decode()


@dataclass(frozen=True, slots=True)
class HandRules:
    draw: Draw
    objectives: Mapping[str, Sequence[ObjectiveDefinition]]
    stratagems: Mapping[str, Stratagem]

    def find_objective(self, objective_id: str) -> ObjectiveDefinition | None:
        return next((o for group in self.objectives.values() for o in group if o.id == objective_id), None)

    def find_result(self, group_id: str, roll: int) -> ObjectiveDefinition | None:
        return next((o for o in self.objectives.get(group_id, ()) if o.roll == roll), None)

    def list_results(self, group_id: str) -> list[ObjectiveDefinition]:
        sides = range(1, len(self.objectives.get(group_id, ())) + 1)
        return [objective for roll in sides if (objective := self.find_result(group_id, roll))]

    def get_cost(self, act: str) -> int:
        stratagem = self.stratagems.get(act)
        return 0 if stratagem is None or stratagem.id in self.draw.free else stratagem.cost


def choose_categories(rules: HandRules, hand: Hand, groups: Sequence[str], secret: str = "") -> Hand | Refused:
    if hand.rounds:
        return Refused(code="too-late")
    # A category chosen twice would leave fewer than the book asks for.
    different = len(set(groups))
    if len(groups) != rules.draw.choose or different != len(groups):
        return Refused(code="wrong-categories", allowed=rules.draw.choose, measured=different)
    if not rules.objectives.keys() >= set(groups):
        return Refused(code="bad-change")
    if secret and secret not in groups:
        return Refused(code="other-secret", subject_id=secret)
    if rules.draw.secret and not secret:
        return Refused(code="no-secret")
    return replace(hand, groups=tuple(groups), secret=secret if rules.draw.secret else "")


def start_round(
    rules: HandRules, hand: Hand, roll: Roll, *, extra: bool = False, keep: Sequence[str] = (), number: int = 0
) -> Hand | Refused:
    """Draw the next round. `extra` adds the mission's extra objective; `keep` are ids from the last round.

    `number` is the game's round; missed rounds stay empty.
    """
    missed = (Round(),) * max(0, min(number, ROUNDS + 1) - len(hand.rounds) - 1)
    hand = replace(hand, rounds=hand.rounds + missed)
    if len(hand.rounds) >= ROUNDS:
        return Refused(code="game-over")
    if len(hand.groups) != rules.draw.choose:
        return Refused(code="wrong-categories", allowed=rules.draw.choose, measured=len(hand.groups))
    # The mission's extra objective comes from the second round on.
    if extra and not (rules.draw.extra and hand.rounds):
        return Refused(code="bad-change")

    # The extra objective counts, so each kept objective leaves one less to draw.
    most = rules.draw.number + extra
    unscored = {drawn.objective_id: drawn for drawn in hand.now.drawn if not drawn.scored}
    # Our pages never send this.
    is_sound = len(keep) == len(set(keep)) <= most and set(keep) <= unscored.keys()
    if keep and not (is_sound and KEEP in rules.stratagems):
        return Refused(code="bad-change")

    dice: list[tuple[int, int]] = []
    objectives = [
        DrawnObjective(objective_id=objective_id, group_id=unscored[objective_id].group_id, carried_over=True)
        for objective_id in keep
    ]
    note_roll = _note_rolls(roll, dice)
    for place, group, letter in _pick_categories(rules, hand, note_roll, most - len(objectives), objectives):
        taken = {objective.objective_id for objective in objectives}
        drawn = _draw_objective(rules, group, letter, taken, note_roll, f"objective {place}")
        if drawn is not None:
            objectives.append(drawn)

    # Each kept objective is paid for separately.
    stratagem = rules.stratagems.get(KEEP)
    used = (stratagem.id,) * len(keep) if stratagem else ()
    spent = hand.spent + rules.get_cost(KEEP) * len(keep)
    now = Round(drawn=tuple(objectives), used=used, dice=tuple(dice), extra=extra)
    return replace(hand, rounds=(*hand.rounds, now), spent=spent)


def _note_rolls(roll: Roll, dice: list[tuple[int, int]]) -> Roll:

    def note_roll(sides: int, name: str) -> int:
        result = roll(sides, name)
        dice.append((sides, result))
        return result

    return note_roll


def take_round_back(rules: HandRules, hand: Hand) -> Hand | Refused:
    if not hand.rounds:
        return Refused(code="bad-change")
    # A category swapped in this round comes back, too.
    groups = hand.now.groups or hand.groups
    acts = {stratagem.id: act for act, stratagem in rules.stratagems.items()}
    spent = sum(rules.get_cost(acts[stratagem_id]) for stratagem_id in hand.now.used)
    return replace(hand, rounds=hand.rounds[:-1], groups=groups, spent=hand.spent - spent)


def _pick_categories(
    rules: HandRules, hand: Hand, roll: Roll, number: int, kept_objectives: Sequence[DrawnObjective]
) -> list[tuple[int, str, str]]:
    draw = rules.draw
    if draw.one_from_each:
        # A category with a kept objective draws none.
        taken = {drawn.group_id for drawn in kept_objectives}
        return [(place, group, "") for place, group in enumerate(hand.groups, 1) if group not in taken][:number]
    # A die may have more sides than the table has rows; only existing rows are rolled.
    table = draw.table or hand.groups
    sides = min(draw.die, len(table))
    if not sides:
        return []
    rolled = [roll(sides, f"category {place}") - 1 for place in range(1, number + 1)]
    letters = [draw.letters[result] if result < len(draw.letters) else "" for result in rolled]
    return [
        (place, table[result], letter) for place, (result, letter) in enumerate(zip(rolled, letters, strict=True), 1)
    ]


def _draw_objective(
    rules: HandRules, group: str, letter: str, taken: Container[str], roll: Roll, name: str
) -> DrawnObjective | None:
    left = [objective for objective in rules.list_results(group) if objective.id not in taken]
    if not left:
        return None
    sides = len(rules.objectives[group])
    # Reroll as at the table, for the same odds; bounded, so that bad data cannot hang a worker.
    for attempt in range(1, MOST_ROLLS + 1):
        objective = rules.find_result(group, roll(sides, f"{name} {attempt}"))
        if objective in left:
            break
    else:
        objective = left[roll(len(left), f"{name} last") - 1]
    return DrawnObjective(objective_id=objective.id, group_id=group, roll=objective.roll or 0, letter=letter)


def score_objective(rules: HandRules, hand: Hand, index: int, scored: bool) -> Hand | Refused:
    drawn = _find_drawn(hand, index)
    if drawn is None or (scored and drawn.named and rules.draw.named == BARRED):
        return Refused(code="bad-change")
    return _put_drawn(hand, index, replace(drawn, scored=scored))


def name_objective(rules: HandRules, hand: Hand, index: int) -> Hand | Refused:
    """Let the opponent name one objective, which the mission doubles or bars."""
    drawn = _find_drawn(hand, index)
    if drawn is None or not rules.draw.named:
        return Refused(code="bad-change")
    objectives = [replace(objective, named=number == index) for number, objective in enumerate(hand.now.drawn)]
    if rules.draw.named == BARRED:
        objectives[index] = replace(objectives[index], scored=False)
    return _replace_round(hand, replace(hand.now, drawn=tuple(objectives)))


def replace_objective(rules: HandRules, hand: Hand, index: int, objective_id: str, roll: Roll) -> Hand | Refused:
    """Replace an objective that cannot be achieved.

    If it asks for keywords, the player selects `objective_id` from its category. If its own text says when to draw
    another, a blank id draws it.
    """
    drawn = _find_drawn(hand, index)
    if drawn is None or drawn.scored:
        return Refused(code="bad-change")
    replaced = rules.find_objective(drawn.objective_id)
    if objective_id:
        objective = rules.find_objective(objective_id)
        if objective is None or objective.group != drawn.group_id or objective.id in hand.now.seen:
            return Refused(code="bad-change")
        if replaced is None or not replaced.asks_for:
            return Refused(code="achievable")
        # It was not rolled, so stratagems cannot change its roll.
        chosen = replace(drawn, objective_id=objective.id, roll=0, replaced=drawn.objective_id)
        return _replace_drawn(hand, index, chosen)
    if replaced is None or not replaced.replace:
        return Refused(code="achievable")
    dice: list[tuple[int, int]] = []
    name = f"instead {index + 1} {len(hand.now.gone) + 1}"
    redrawn = _draw_objective(rules, drawn.group_id, drawn.letter, hand.now.seen, _note_rolls(roll, dice), name)
    if redrawn is None:
        return Refused(code="none-left")
    here = _replace_drawn(hand, index, replace(redrawn, replaced=drawn.objective_id, named=drawn.named))
    return _replace_round(here, replace(here.now, dice=(*here.now.dice, *dice)))


def change_roll(rules: HandRules, hand: Hand, index: int, act: str, step: int = 0) -> Hand | Refused:
    """Change an objective's roll by a stratagem: `shift` by one, or `set-to-one`."""
    drawn, stratagem = _find_drawn(hand, index), rules.stratagems.get(act)
    if drawn is None or stratagem is None or act not in (SHIFT, ONE):
        return Refused(code="bad-change")
    if drawn.roll == 0 or drawn.scored:
        return Refused(code="bad-change")
    if stratagem.id in hand.now.used:
        return Refused(code="used-already")
    rolled = 1 if act == ONE else drawn.roll + step
    objective = find_unseen(rules, hand, drawn, rolled)
    if abs(step) > 1 or objective is None:
        return Refused(code="roll-taken")
    # As if rolled first: the replaced objective is gone for this round.
    here = _replace_drawn(hand, index, replace(drawn, objective_id=objective.id, roll=rolled))
    now = replace(here.now, used=(*here.now.used, stratagem.id))
    return replace(_replace_round(here, now), spent=hand.spent + rules.get_cost(act))


def find_unseen(rules: HandRules, hand: Hand, drawn: DrawnObjective, roll: int) -> ObjectiveDefinition | None:
    """Return the objective of another roll, or None if this round has already drawn it or the die lacks it."""
    objective = rules.find_result(drawn.group_id, roll)
    if objective is None or objective.id in hand.now.seen:
        return None
    return objective


def swap_category(rules: HandRules, hand: Hand, old: str, new: str) -> Hand | Refused:
    """Swap a chosen category for another, once per battle.

    The secret category stays noted, so that its scored objectives keep their value.
    """
    stratagem = rules.stratagems.get(SWAP)
    can_swap = old in hand.groups and new in rules.objectives and new not in hand.groups
    if stratagem is None or not can_swap:
        return Refused(code="bad-change")
    # Once in the battle; other stratagems are used once a round.
    if not hand.rounds or any(stratagem.id in battle_round.used for battle_round in hand.rounds):
        return Refused(code="used-already")
    place = hand.groups.index(old)
    groups = (*hand.groups[:place], new, *hand.groups[place + 1 :])
    # Kept for undoing the round.
    here = _replace_round(hand, replace(hand.now, used=(*hand.now.used, stratagem.id), groups=hand.groups))
    return replace(here, groups=groups, spent=hand.spent + rules.get_cost(SWAP))


def count_worth(rules: HandRules, hand: Hand, drawn: DrawnObjective) -> int:
    objective = rules.find_objective(drawn.objective_id)
    scores = objective.scores if objective else ()
    # Players count points such as “1 per unit” at the table.
    points = next((int(score.points) for score in scores if score.points.isdecimal()), 0)
    if drawn.named and rules.draw.named == DOUBLE:
        points *= 2
    if hand.secret and drawn.group_id == hand.secret:
        # Added to the doubled worth, not doubled itself.
        points += rules.draw.secret
    return points


def count_scored(rules: HandRules, hand: Hand, drawn: DrawnObjective) -> int:
    return count_worth(rules, hand, drawn) if drawn.scored else 0


def sum_round(rules: HandRules, hand: Hand, battle_round: Round) -> int:
    return sum(count_scored(rules, hand, drawn) for drawn in battle_round.drawn)


def sum_points(rules: HandRules, hand: Hand) -> int:
    # The rest of the game's points come from elsewhere.
    return min(CAP, sum(sum_round(rules, hand, battle_round) for battle_round in hand.rounds))


def _find_drawn(hand: Hand, index: int) -> DrawnObjective | None:
    return hand.now.drawn[index] if 0 <= index < len(hand.now.drawn) else None


def _put_drawn(hand: Hand, index: int, drawn: DrawnObjective) -> Hand:
    here = hand.now.drawn
    return _replace_round(hand, replace(hand.now, drawn=(*here[:index], drawn, *here[index + 1 :])))


def _replace_drawn(hand: Hand, index: int, drawn: DrawnObjective) -> Hand:
    gone = (*hand.now.gone, hand.now.drawn[index].objective_id)
    here = _put_drawn(hand, index, drawn)
    return _replace_round(here, replace(here.now, gone=gone))


def _replace_round(hand: Hand, now: Round) -> Hand:
    return replace(hand, rounds=(*hand.rounds[:-1], now))
