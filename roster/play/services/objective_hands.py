from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone
from msgspec.structs import replace

from catalogue.definitions.missions import ObjectiveDefinition, ObjectiveGroup
from catalogue.models import PackVersion
from catalogue.services.play import Play, load_play
from roster.models.ownership import Visibility
from roster.play import objective_hand as engine
from roster.play.chance import derive_dice, new_seed
from roster.play.models import ObjectiveHand
from roster.play.objective_hand import DrawnObjective, Hand, HandRules, encode_hand
from roster.services.limits import check_room
from roster.services.outcomes import Conflict, Refused
from roster.services.owners import Visitor, filter_owned, find_own

Fields = Mapping[str, str]
Act = Callable[[HandRules, Hand, Fields, engine.Roll], Hand | Refused]


@dataclass(frozen=True, slots=True)
class HandCard:
    """`others` may replace the objective if it cannot be achieved."""

    place: int
    drawn: DrawnObjective
    objective: ObjectiveDefinition
    group: ObjectiveGroup
    lines: list[tuple[str, str]]
    worth: int
    barred: bool
    up: ObjectiveDefinition | None
    down: ObjectiveDefinition | None
    one: ObjectiveDefinition | None
    others: list[ObjectiveDefinition]


def list_hands(visitor: Visitor) -> QuerySet[ObjectiveHand]:
    return filter_owned(visitor, ObjectiveHand.objects.select_related("version__game"))


def find_own_hand(public_id: str, visitor: Visitor) -> ObjectiveHand:
    """Return the visitor's hand. Raises ObjectiveHand.DoesNotExist."""
    return find_own(visitor, ObjectiveHand.objects.select_related("version__game"), public_id)


def open_hand(visitor: Visitor, version: PackVersion, mission_id: str, size_id: str) -> ObjectiveHand | Refused:
    play = load_play(version)
    mission = play.missions.get(mission_id)
    if mission is None or mission.draw is None:
        return Refused(code="unknown-mission", subject_id=mission_id)
    if size_id not in play.sizes:
        return Refused(code="unknown-size", subject_id=size_id)
    if full := check_room(visitor, ObjectiveHand):
        return full
    document = encode_hand(Hand(mission_id=mission_id, size_id=size_id, seed=new_seed()))
    return ObjectiveHand.objects.create(
        name=mission.name, version=version, document=document, visibility=Visibility.PRIVATE, **visitor.fields
    )


def get_rules(hand: ObjectiveHand) -> HandRules:
    play = load_play(hand.version)
    return make_rules(play, hand.hand)


def make_rules(play: Play, hand: Hand) -> HandRules:
    draw = play.missions[hand.mission_id].draw
    assert draw is not None  # noqa: S101 - a hand is opened for such a mission only, and its version never changes
    objectives = {group: play.list_objectives(group) for group in play.groups}
    return HandRules(
        draw=draw,
        objectives={group: members for group, members in objectives.items() if members},
        stratagems={stratagem.act: stratagem for stratagem in play.stratagems.values() if stratagem.act},
    )


def build_card(play: Play, rules: HandRules, held: Hand, place: int) -> HandCard:
    drawn = held.now.drawn[place]
    objective = play.objectives[drawn.objective_id]
    return HandCard(
        place=place,
        drawn=drawn,
        objective=objective,
        group=play.groups[drawn.group_id],
        lines=objective.list_lines(held.size_id),
        worth=engine.count_worth(rules, held, drawn),
        barred=drawn.named and rules.draw.named == engine.BARRED,
        up=_find_free(rules, held, drawn, drawn.roll + 1),
        down=_find_free(rules, held, drawn, drawn.roll - 1),
        one=_find_free(rules, held, drawn, 1),
        others=[other for other in play.list_objectives(drawn.group_id) if other.id not in held.now.seen],
    )


def _find_free(rules: HandRules, held: Hand, drawn: DrawnObjective, roll: int) -> ObjectiveDefinition | None:
    return engine.find_unseen(rules, held, drawn, roll) if drawn.roll else None


def list_past_rounds(
    play: Play, rules: HandRules, held: Hand
) -> list[tuple[int, list[tuple[ObjectiveDefinition, int]], list[str]]]:
    past = []
    for number, battle_round in enumerate(held.rounds[:-1], 1):
        scored = [
            (play.objectives[drawn.objective_id], engine.count_scored(rules, held, drawn))
            for drawn in battle_round.drawn
        ]
        past.append((number, scored, [play.stratagems[stratagem_id].name for stratagem_id in battle_round.used]))
    return past[::-1]


def list_unused(rules: HandRules, held: Hand) -> list[str]:
    """Return the ids of the stratagems that their limit still allows."""
    unused = []
    for stratagem in rules.stratagems.values():
        rounds = held.rounds if stratagem.limit == "battle" else held.rounds[-1:]
        if all(stratagem.id not in battle_round.used for battle_round in rounds):
            unused.append(stratagem.id)
    return unused


def act_on(stored: ObjectiveHand, revision: int, act: str, fields: Fields) -> ObjectiveHand | Refused | Conflict:
    """Perform an action on the revision that it was made for. A refused action changes nothing."""
    act_of_word = ACTS.get(act)
    if act_of_word is None:
        return Refused(code="bad-change")
    if stored.revision != revision:
        return Conflict(made_on=revision, head=stored.revision)
    hand = stored.hand
    # A hand that is older than seeds gets one now.
    hand = hand if hand.seed else replace(hand, seed=new_seed())
    changed_hand = act_of_word(get_rules(stored), hand, fields, derive_dice(hand.seed, 0, count_round(hand, act)))
    if isinstance(changed_hand, Refused):
        return changed_hand
    changed = ObjectiveHand.objects.filter(pk=stored.pk, revision=revision)
    if not changed.update(document=encode_hand(changed_hand), revision=revision + 1, updated=timezone.now()):
        return Conflict(made_on=revision, head=stored.revision)
    stored.refresh_from_db()
    return stored


def delete_hand(stored: ObjectiveHand, revision: int | None = None) -> bool:
    """Delete a hand, or with a revision only while it has not changed since. Return whether it was deleted."""
    unchanged = {} if revision is None else {"revision": revision}
    return bool(ObjectiveHand.objects.filter(pk=stored.pk, **unchanged).delete()[0])


def count_round(hand: Hand, act: str) -> int:
    return len(hand.rounds) + (act == "begin")


def _read_index(fields: Fields) -> int:
    return _read_number(fields, "place", -1)


def _read_number(fields: Fields, name: str, otherwise: int = 0) -> int:
    text = fields.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else otherwise


ACTS: Mapping[str, Act] = {
    "choose": lambda rules, hand, fields, _roll: engine.choose_categories(
        rules, hand, fields.get("group", "").split(), fields.get("secret", "")
    ),
    "begin": lambda rules, hand, fields, roll: engine.start_round(
        rules,
        hand,
        roll,
        extra=fields.get("extra") == "on",
        keep=fields.get("keep", "").split(),
        number=_read_number(fields, "round"),
    ),
    "back": lambda rules, hand, fields, _roll: engine.take_round_back(rules, hand),
    "score": lambda rules, hand, fields, _roll: engine.score_objective(rules, hand, _read_index(fields), True),
    "unscore": lambda rules, hand, fields, _roll: engine.score_objective(rules, hand, _read_index(fields), False),
    "name": lambda rules, hand, fields, _roll: engine.name_objective(rules, hand, _read_index(fields)),
    "replace": lambda rules, hand, fields, roll: engine.replace_objective(
        rules, hand, _read_index(fields), fields.get("objective", ""), roll
    ),
    "up": lambda rules, hand, fields, _roll: engine.change_roll(rules, hand, _read_index(fields), engine.SHIFT, 1),
    "down": lambda rules, hand, fields, _roll: engine.change_roll(rules, hand, _read_index(fields), engine.SHIFT, -1),
    "one": lambda rules, hand, fields, _roll: engine.change_roll(rules, hand, _read_index(fields), engine.ONE),
    "category": lambda rules, hand, fields, _roll: engine.swap_category(
        rules, hand, fields.get("old", ""), fields.get("new", "")
    ),
}
"""Actions by the word that forms send."""
