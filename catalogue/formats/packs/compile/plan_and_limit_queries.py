"""Questions for what is known beforehand: limits, and everything that the game plan says."""

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
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id


def build_known_query(noun: str, scope: str, forms: PackSyntax) -> Query | None:
    """Return the query for a noun that asks for something known beforehand; None for any other noun."""
    field = _find_field(noun, forms)
    if field is None:
        return None
    place = scope if field.startswith(CHOSEN + KNOWN) else Scope.ROSTER
    return Query(field=field, scope=place, child_id=ANY)


def _find_field(noun: str, forms: PackSyntax) -> str | None:
    if make_id(noun) in (ABOARD_ITSELF, HELD_ALONE):
        return f"{make_id(noun)}{KNOWN}"
    first, _, rest = noun.partition(" ")
    name, _, last = noun.rpartition(" ")
    if last == "limit" and make_id(name) in forms.costs:
        return f"{LIMIT}{KNOWN}{make_id(name)}"
    if first == AGREED and make_id(rest.removesuffix(" limit")) in forms.costs:
        return f"{AGREED}{KNOWN}{make_id(rest.removesuffix(' limit'))}"
    if first == "planned" and rest:
        return f"{PLANNED}{KNOWN}{make_id(rest)}"
    if first == "chosen":
        return _find_answer_field(rest, forms)
    if first in (OPPONENTS, ALLIES, PLAYERS):
        return _find_players_field(first, rest, forms)
    known = _list_mission_names(forms).get(first, {})
    return f"{first}{KNOWN}{known[make_id(rest)]}" if make_id(rest) in known else None


def _list_mission_names(forms: PackSyntax) -> dict[str, Mapping[str, str]]:
    """Return the ids of what missions bring, by the slugs of their names."""
    sides = [side for form in forms.play.missions for side in form.sides]
    return {
        SPECIAL: {special.id: special.id for special in forms.play.specials},
        MISSION: {
            make_id(called): form.id for form in forms.play.missions for called in (form.name, form.id)
        },
        SIDE: {make_id(called): side.id for side in sides for called in (side.name, side.id)},
    }


def _find_answer_field(words: str, forms: PackSyntax) -> str | None:
    """Return the field of `chosen aims`, the number of answers, or of `chosen raid as aims`, how many are that one."""
    answer, _, question = words.rpartition(" as ")
    form = next((q for q in forms.plan.questions if make_id(question) in (q.id, make_id(q.name))), None)
    if form is None:
        return None
    if not answer:
        return f"{CHOSEN}{KNOWN}{form.id}"
    answer_id = next((a.id for a in form.answers if make_id(answer) in (a.id, make_id(a.name))), None)
    return f"{CHOSEN}{KNOWN}{form.id}/{answer_id}" if answer_id else None


def _find_players_field(first: str, rest: str, forms: PackSyntax) -> str | None:
    """Return the field of `players` or `players of a faction`; `opponents` and `allies` likewise."""
    faction = make_id(rest.removeprefix("of "))
    faction_id = next((f.id for f in forms.factions.values() if faction in (f.id, make_id(f.name))), "")
    return f"{first}{KNOWN}{faction_id}" if faction_id or not rest else None
