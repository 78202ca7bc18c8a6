"""A hand of objectives that are drawn anew in each round: the acts of Maelstrom of War as values in, values out.

What a mission asks of a hand is its `Draw`. Dice come from outside: `roll(6)` answers 1 to 6. Illegal input is a
`Refused`, never an exception.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from catalogue.definitions.base import Definition
from catalogue.definitions.missions import Draw, Objective, Stratagem
from roster.engine.edits import Refused

Roll = Callable[[int], int]
CAP = 90
"""Points that objectives can bring in one game."""
ROUNDS = 5
MOST_ROLLS = 8
DOUBLE, BARRED = "double", "barred"
KEEP, SWAP, SHIFT, ONE = "keep", "swap-category", "shift", "set-to-one"


class Drawn(Definition):
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

    drawn: tuple[Drawn, ...] = ()
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


def from_document(document: str) -> Hand:
    """A hand as it is kept."""
    return msgspec.json.decode(document, type=Hand)


def to_document(hand: Hand) -> str:
    return msgspec.json.encode(hand).decode()


@dataclass(frozen=True, slots=True)
class Rules:
    """What binds a hand: how its mission draws, the objectives by group and roll, the stratagems by what they do."""

    draw: Draw
    objectives: Mapping[str, Sequence[Objective]]
    stratagems: Mapping[str, Stratagem]

    def find(self, objective_id: str) -> Objective | None:
        return next((o for own in self.objectives.values() for o in own if o.id == objective_id), None)

    def at(self, group_id: str, roll: int) -> Objective | None:
        return next((o for o in self.objectives.get(group_id, ()) if o.roll == roll), None)

    def results(self, group_id: str) -> list[Objective]:
        """The objectives of a group that its die leads to, in the order of their results."""
        sides = range(1, len(self.objectives.get(group_id, ())) + 1)
        return [objective for roll in sides if (objective := self.at(group_id, roll))]

    def cost(self, act: str) -> int:
        found = self.stratagems.get(act)
        return 0 if found is None or found.id in self.draw.free else found.cost


def choose(rules: Rules, hand: Hand, groups: Sequence[str], secret: str = "") -> Hand | Refused:
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


def begin(
    rules: Rules, hand: Hand, roll: Roll, *, extra: bool = False, keep: Sequence[str] = ()
) -> Hand | Refused:
    """The next round, drawn; `extra`: one more, as the mission says; `keep`: some of last round's, by id."""
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
    drawn = [Drawn(objective_id=own, group_id=left[own].group_id, kept=True) for own in keep]
    for group, letter in _groups(rules, hand, roll, number - len(drawn), drawn):
        made = _draw(rules, group, letter, {each.objective_id for each in drawn}, roll)
        drawn += [made] if made else []
    used = (stratagem.id,) * len(keep) if stratagem else ()
    spent = hand.spent + rules.cost(KEEP) * len(keep)
    return replace(hand, rounds=(*hand.rounds, Round(drawn=tuple(drawn), used=used)), spent=spent)


def take_back(rules: Rules, hand: Hand) -> Hand | Refused:
    """Take the last round back with all that was done in it, so that the one before goes on."""
    if not hand.rounds:
        return Refused(code="bad-change")
    acts = {stratagem.id: act for act, stratagem in rules.stratagems.items()}
    spent = sum(rules.cost(acts[own]) for own in hand.now.used)
    groups = hand.now.groups or hand.groups
    return replace(hand, rounds=hand.rounds[:-1], groups=groups, spent=hand.spent - spent)


def _groups(
    rules: Rules, hand: Hand, roll: Roll, number: int, kept: Sequence[Drawn]
) -> list[tuple[str, str]]:
    """Which categories are drawn from, each with its letter."""
    draw = rules.draw
    if draw.each:
        taken = {drawn.group_id for drawn in kept}
        return [(group, "") for group in hand.groups if group not in taken][:number]
    table = draw.table or hand.groups
    sides = min(draw.die, len(table))
    places = [roll(sides) - 1 for _ in range(number)] if sides else []
    return [(table[place], draw.letters[place] if place < len(draw.letters) else "") for place in places]


def _draw(rules: Rules, group: str, letter: str, taken: Container[str], roll: Roll) -> Drawn | None:
    """An objective of a category, rolled again while it is taken already; None where no result leads to one.

    Rolling comes to an end: the last roll is one among the results that are left, each as likely as by going on.
    """
    results = rules.results(group)
    left = [each for each in results if each.id not in taken] or results
    if not left:
        return None
    rolls = (rules.at(group, roll(len(rules.objectives[group]))) for _ in range(MOST_ROLLS))
    drawn = next((each for each in rolls if each in left), None) or left[roll(len(left)) - 1]
    return Drawn(objective_id=drawn.id, group_id=group, roll=drawn.roll or 0, letter=letter)


def score(rules: Rules, hand: Hand, place: int, scored: bool) -> Hand | Refused:
    """Score an objective of this round, or take that back. One that the opponent barred cannot be scored."""
    drawn = _at(hand, place)
    if drawn is None or (scored and drawn.named and rules.draw.named == BARRED):
        return Refused(code="bad-change")
    return _put(hand, place, replace(drawn, scored=scored))


def name(rules: Rules, hand: Hand, place: int) -> Hand | Refused:
    """The opponent names one objective of the round: it is doubled or barred, as the mission says."""
    drawn = _at(hand, place)
    if drawn is None or not rules.draw.named:
        return Refused(code="bad-change")
    free = tuple(replace(each, named=number == place) for number, each in enumerate(hand.now.drawn))
    barred = rules.draw.named == BARRED
    free = tuple(replace(each, scored=False) if each.named and barred else each for each in free)
    return _round(hand, replace(hand.now, drawn=free))


def swap(rules: Rules, hand: Hand, place: int, objective_id: str, roll: Roll) -> Hand | Refused:
    """Replace one that cannot be achieved: by `objective_id` of the same category, or (blank) by another draw."""
    drawn = _at(hand, place)
    if drawn is None or drawn.scored:
        return Refused(code="bad-change")
    if not objective_id:
        made = _draw(rules, drawn.group_id, drawn.letter, hand.now.seen, roll)
        if made is None:
            return Refused(code="bad-change")
        return _change(hand, place, replace(made, replaced=drawn.objective_id, named=drawn.named))
    found = rules.find(objective_id)
    if found is None or found.group != drawn.group_id or found.id in hand.now.seen:
        return Refused(code="bad-change")
    made = replace(drawn, objective_id=found.id, roll=found.roll or 0, replaced=drawn.objective_id)
    return _change(hand, place, made)


def reroll(rules: Rules, hand: Hand, place: int, act: str, step: int = 0) -> Hand | Refused:
    """Change the roll of an objective by a stratagem: `shift` by one up or down, `set-to-one`."""
    drawn, stratagem = _at(hand, place), rules.stratagems.get(act)
    if drawn is None or stratagem is None or act not in (SHIFT, ONE) or not drawn.roll or drawn.scored:
        return Refused(code="bad-change")
    if stratagem.id in hand.now.used:
        return Refused(code="used-already")
    rolled = 1 if act == ONE else drawn.roll + step
    found = rules.at(drawn.group_id, rolled)
    if abs(step) > 1 or found is None or found.id in hand.now.seen:
        return Refused(code="roll-taken")
    here = _change(hand, place, replace(drawn, objective_id=found.id, roll=rolled))
    now = replace(here.now, used=(*here.now.used, stratagem.id))
    return replace(_round(here, now), spent=hand.spent + rules.cost(act))


def swap_category(rules: Rules, hand: Hand, old: str, new: str) -> Hand | Refused:
    """Give up a chosen category for one that was not chosen, once in the battle, at the end of a round.

    The one noted in secret stays noted: what was scored of it keeps its worth.
    """
    stratagem = rules.stratagems.get(SWAP)
    if stratagem is None or old not in hand.groups or new not in rules.objectives or new in hand.groups:
        return Refused(code="bad-change")
    if not hand.rounds or any(stratagem.id in each.used for each in hand.rounds):
        return Refused(code="used-already")
    groups = tuple(new if group == old else group for group in hand.groups)
    here = _round(hand, replace(hand.now, used=(*hand.now.used, stratagem.id), groups=hand.groups))
    return replace(here, groups=groups, spent=hand.spent + rules.cost(SWAP))


def worth(rules: Rules, hand: Hand, drawn: Drawn) -> int:
    """What an objective brings when it is scored."""
    found = rules.find(drawn.objective_id)
    points = next((int(s.points) for s in found.scores if s.points.isdigit()), 0) if found else 0
    if drawn.named and rules.draw.named == DOUBLE:
        points *= 2
    return points + (rules.draw.secret if hand.secret and drawn.group_id == hand.secret else 0)


def total(rules: Rules, hand: Hand) -> int:
    """The points scored so far, up to what objectives can bring."""
    scored = (worth(rules, hand, d) for each in hand.rounds for d in each.drawn if d.scored)
    return min(CAP, sum(scored))


def _at(hand: Hand, place: int) -> Drawn | None:
    return hand.now.drawn[place] if 0 <= place < len(hand.now.drawn) else None


def _put(hand: Hand, place: int, drawn: Drawn) -> Hand:
    here = hand.now.drawn
    return _round(hand, replace(hand.now, drawn=(*here[:place], drawn, *here[place + 1 :])))


def _change(hand: Hand, place: int, drawn: Drawn) -> Hand:
    """Put another objective in a place; the one that was there is gone for this round."""
    gone = (*hand.now.gone, hand.now.drawn[place].objective_id)
    here = _put(hand, place, drawn)
    return _round(here, replace(here.now, gone=gone))


def _round(hand: Hand, now: Round) -> Hand:
    return replace(hand, rounds=(*hand.rounds[:-1], now))
