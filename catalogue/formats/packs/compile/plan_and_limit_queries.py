"""Compile questions for what is known beforehand: limits, and everything that the game plan says."""

from collections.abc import Mapping

from catalogue.definitions.queries import (
    ABOARD_ITSELF,
    AGREED,
    ALLIES,
    ANY,
    CHOSEN,
    HELD_ALONE,
    KNOWN,
    LIMIT,
    MISSION,
    OPPONENTS,
    PLANNED,
    PLAYERS,
    SIDE,
    SPECIAL,
    Query,
    Scope,
)
from catalogue.formats.packs.compile.unit_names import list_names
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id


def build_known_query(noun: str, scope: str, pack: PackSyntax) -> Query | None:
    """Return the query for a noun that asks for something known beforehand; None for any other noun."""
    field = _find_field(noun, pack)
    if field is None:
        return None
    place = scope if field.startswith(CHOSEN + KNOWN) else Scope.ROSTER
    return Query(field=field, scope=place, child_id=ANY)


def _find_field(noun: str, pack: PackSyntax) -> str | None:
    if make_id(noun) in (ABOARD_ITSELF, HELD_ALONE):
        return f"{make_id(noun)}{KNOWN}"
    first, _, rest = noun.partition(" ")
    name, _, last = noun.rpartition(" ")
    if last == "limit" and make_id(name) in pack.costs:
        return f"{LIMIT}{KNOWN}{make_id(name)}"
    if first == AGREED and make_id(rest.removesuffix(" limit")) in pack.costs:
        return f"{AGREED}{KNOWN}{make_id(rest.removesuffix(' limit'))}"
    if first == "planned" and rest:
        return f"{PLANNED}{KNOWN}{make_id(rest)}"
    if first == "chosen":
        return _find_answer_field(rest, pack)
    if first in (OPPONENTS, ALLIES, PLAYERS):
        return _find_players_field(first, rest, pack)
    known = _list_mission_names(pack).get(first, {})
    return f"{first}{KNOWN}{known[make_id(rest)]}" if make_id(rest) in known else None


def _list_mission_names(pack: PackSyntax) -> dict[str, Mapping[str, str]]:
    """Return the ids of what missions bring, by the slugs of their names."""
    sides = [side for form in pack.play.missions for side in form.sides]
    return {
        SPECIAL: {special.id: special.id for special in pack.play.specials},
        MISSION: {make_id(called): form.id for form in pack.play.missions for called in (form.name, form.id)},
        SIDE: {make_id(called): side.id for side in sides for called in (side.name, side.id)},
    }


def _find_answer_field(words: str, pack: PackSyntax) -> str | None:
    """Return the field of `chosen aims`, the number of answers, or of `chosen raid as aims`, how many are that one."""
    answer_name, _, question_name = words.rpartition(" as ")
    for question in pack.plan.questions:
        if make_id(question_name) not in (question.id, make_id(question.name)):
            continue
        if not answer_name:
            return f"{CHOSEN}{KNOWN}{question.id}"
        for answer in question.answers:
            if make_id(answer_name) in (answer.id, make_id(answer.name)):
                return f"{CHOSEN}{KNOWN}{question.id}/{answer.id}"
        return None
    return None


def _find_players_field(first: str, rest: str, pack: PackSyntax) -> str | None:
    """Return the field of `players` or `players of a faction`; `opponents` and `allies` likewise."""
    if not rest:
        return f"{first}{KNOWN}"
    name = make_id(rest.removeprefix("of "))
    for faction in pack.factions.values():
        if name in list_names(faction):
            return f"{first}{KNOWN}{faction.id}"
    return None
