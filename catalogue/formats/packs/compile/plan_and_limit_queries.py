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
from catalogue.formats.packs.forms.game import Forms
from catalogue.formats.packs.words import slug


def build_known_query(noun: str, scope: str, forms: Forms) -> Query | None:
    """The query for a noun that asks for something known beforehand; None for any other noun."""
    field = _find_field(noun, forms)
    if field is None:
        return None
    place = scope if field.startswith(CHOSEN + KNOWN) else Scope.ROSTER
    return Query(field=field, scope=place, child_id=ANY)


def _find_field(noun: str, forms: Forms) -> str | None:
    if slug(noun) in (ABOARD_ITSELF, HELD_ALONE):
        return f"{slug(noun)}{KNOWN}"
    first, _, rest = noun.partition(" ")
    name, _, last = noun.rpartition(" ")
    if last == "limit" and slug(name) in forms.costs:
        return f"{LIMIT}{KNOWN}{slug(name)}"
    if first == AGREED and slug(rest.removesuffix(" limit")) in forms.costs:
        return f"{AGREED}{KNOWN}{slug(rest.removesuffix(' limit'))}"
    if first == "planned" and rest:
        return f"{PLANNED}{KNOWN}{slug(rest)}"
    if first == "chosen":
        return _find_answer_field(rest, forms)
    if first in (OPPONENTS, ALLIES, PLAYERS):
        return _find_players_field(first, rest, forms)
    known = _list_mission_names(forms).get(first, {})
    return f"{first}{KNOWN}{known[slug(rest)]}" if slug(rest) in known else None


def _list_mission_names(forms: Forms) -> dict[str, Mapping[str, str]]:
    """The ids of what missions bring, by the slugs that they are called by."""
    sides = [side for form in forms.play.missions for side in form.sides]
    return {
        SPECIAL: {special.id: special.id for special in forms.play.specials},
        MISSION: {slug(called): form.id for form in forms.play.missions for called in (form.name, form.id)},
        SIDE: {slug(called): side.id for side in sides for called in (side.name, side.id)},
    }


def _find_answer_field(words: str, forms: Forms) -> str | None:
    """`chosen aims`: how many answers there are; `chosen raid as aims`: how many of them are that one."""
    answer, _, question = words.rpartition(" as ")
    form = next((q for q in forms.plan.questions if slug(question) in (q.id, slug(q.name))), None)
    if form is None:
        return None
    if not answer:
        return f"{CHOSEN}{KNOWN}{form.id}"
    answer_id = next((a.id for a in form.answers if slug(answer) in (a.id, slug(a.name))), None)
    return f"{CHOSEN}{KNOWN}{form.id}/{answer_id}" if answer_id else None


def _find_players_field(first: str, rest: str, forms: Forms) -> str | None:
    """`players`, `players of a faction`; `opponents` and `allies` likewise."""
    faction = slug(rest.removeprefix("of "))
    faction_id = next((f.id for f in forms.factions.values() if faction in (f.id, slug(f.name))), "")
    return f"{first}{KNOWN}{faction_id}" if faction_id or not rest else None
