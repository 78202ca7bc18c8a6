"""Hands of objectives: opened for a mission, changed act by act, kept."""

import secrets
from collections.abc import Callable, Mapping

from django.db.models import QuerySet

from catalogue.models import PackVersion
from catalogue.services.play import Play, play_of
from roster.engine import hand as engine
from roster.engine.hand import Hand, Rules, to_document
from roster.models import ObjectiveHand
from roster.models.ownership import Visibility
from roster.services.outcomes import Conflict, Refused
from roster.services.owners import Visitor, filter_owned, find_own
from roster.services.quotas import check_room

_dice = secrets.SystemRandom()

Fields = Mapping[str, str]
Act = Callable[[Rules, Hand, Fields], Hand | Refused]


def hands_of(visitor: Visitor) -> QuerySet[ObjectiveHand]:
    return filter_owned(visitor, ObjectiveHand.objects.select_related("version__game"))


def own_hand(public_id: str, visitor: Visitor) -> ObjectiveHand:
    """The visitor's hand; raises ObjectiveHand.DoesNotExist for everybody else's."""
    return find_own(visitor, ObjectiveHand.objects.select_related("version__game"), public_id)


def open_hand(
    visitor: Visitor, version: PackVersion, mission_id: str, size_id: str
) -> ObjectiveHand | Refused:
    """A hand for a mission in which objectives are drawn."""
    play = play_of(version)
    mission = play.missions.get(mission_id)
    if mission is None or mission.draw is None:
        return Refused(code="unknown-mission", subject_id=mission_id)
    if size_id not in play.sizes:
        return Refused(code="unknown-size", subject_id=size_id)
    if full := check_room(visitor, ObjectiveHand):
        return full
    document = to_document(Hand(mission_id=mission_id, size_id=size_id))
    return ObjectiveHand.objects.create(
        name=mission.name,
        version=version,
        document=document,
        visibility=Visibility.PRIVATE,
        **visitor.fields,
    )


def rules_for(kept: ObjectiveHand) -> Rules:
    """What binds a kept hand."""
    play = play_of(kept.version)
    return rules_of(play, kept.hand)


def rules_of(play: Play, hand: Hand) -> Rules:
    draw = play.missions[hand.mission_id].draw
    assert draw is not None  # noqa: S101 - a hand is opened for such a mission only, and its version never changes
    return Rules(
        draw=draw,
        objectives={group: found for group in play.groups if (found := play.in_group(group))},
        stratagems={stratagem.act: stratagem for stratagem in play.stratagems.values() if stratagem.act},
    )


def act_on(
    kept: ObjectiveHand, revision: int, act: str, fields: Fields
) -> ObjectiveHand | Refused | Conflict:
    """Do one act on the revision that it was made on; nothing is changed unless all of it can be."""
    found = ACTS.get(act)
    if found is None:
        return Refused(code="bad-change")
    if kept.revision != revision:
        return Conflict(made_on=revision, head=kept.revision)
    made = found(rules_for(kept), kept.hand, fields)
    if isinstance(made, Refused):
        return made
    changed = ObjectiveHand.objects.filter(pk=kept.pk, revision=revision)
    if not changed.update(document=to_document(made), revision=revision + 1):
        return Conflict(made_on=revision, head=kept.revision)
    kept.refresh_from_db()
    kept.save(update_fields=["updated"])
    return kept


def _roll(sides: int) -> int:
    return _dice.randint(1, sides)


def _place(fields: Fields) -> int:
    text = fields.get("place", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else -1


def _choose(rules: Rules, hand: Hand, fields: Fields) -> Hand | Refused:
    return engine.choose(rules, hand, fields.get("group", "").split(), fields.get("secret", ""))


def _begin(rules: Rules, hand: Hand, fields: Fields) -> Hand | Refused:
    extra = fields.get("extra") == "on"
    return engine.begin(rules, hand, _roll, extra=extra, keep=fields.get("keep", "").split())


ACTS: Mapping[str, Act] = {
    "choose": _choose,
    "begin": _begin,
    "back": lambda rules, hand, fields: engine.take_back(rules, hand),
    "score": lambda rules, hand, fields: engine.score(rules, hand, _place(fields), True),
    "unscore": lambda rules, hand, fields: engine.score(rules, hand, _place(fields), False),
    "name": lambda rules, hand, fields: engine.name(rules, hand, _place(fields)),
    "replace": lambda rules, hand, fields: engine.swap(
        rules, hand, _place(fields), fields.get("objective", ""), _roll
    ),
    "up": lambda rules, hand, fields: engine.reroll(rules, hand, _place(fields), engine.SHIFT, 1),
    "down": lambda rules, hand, fields: engine.reroll(rules, hand, _place(fields), engine.SHIFT, -1),
    "one": lambda rules, hand, fields: engine.reroll(rules, hand, _place(fields), engine.ONE),
    "category": lambda rules, hand, fields: engine.swap_category(
        rules, hand, fields.get("old", ""), fields.get("new", "")
    ),
}
"""What can be done with a hand, by the word that forms send."""
