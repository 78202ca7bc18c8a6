"""Find everything that a pack, or a part of it, asks for, however deep inside."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from catalogue.definitions.queries import AGREED, LIMIT
from catalogue.formats.packs.compile.expressions import EACH, PLURALS, QueryOrigin
from catalogue.formats.packs.compile.plan_and_limit_queries import build_known_query
from catalogue.formats.packs.parse.expressions import PLACES
from catalogue.formats.packs.syntax.expressions import CountExpression
from catalogue.formats.packs.syntax.rules import RuleSyntax
from catalogue.formats.packs.syntax.scalars import make_id


def is_asking_plan(form: Any, origin: QueryOrigin) -> bool:
    """Return whether a form, however deep inside, asks for something that is known from a game plan only."""
    pack = origin.index.pack
    for ask in walk_questions(form):
        known = build_known_query(origin.replace_each(ask.noun), "", pack)
        if ask.scope in PLACES or (known and not known.field.startswith((LIMIT, AGREED))):
            return True
    return False


def walk_nouns(form: Any) -> Iterator[str]:
    """Yield every noun that a form asks for, however deep inside."""
    if isinstance(form, RuleSyntax) and form.for_each:
        # “each” stands for what the rule is made for, one thing after the other.
        inside = list(walk_nouns(replace(form, for_each=())))
        yield from (EACH.sub(make_id(name.text), noun) for name in form.for_each for noun in inside)
    elif isinstance(form, CountExpression):
        yield PLURALS.get(make_id(form.noun), make_id(form.noun))
    else:
        for value in _list_values(form):
            yield from walk_nouns(value)


def walk_questions(form: Any) -> Iterator[CountExpression]:
    """Yield every question of a form, however deep inside."""
    if isinstance(form, CountExpression):
        yield form
    else:
        for value in _list_values(form):
            yield from walk_questions(value)


def _list_values(form: Any) -> Iterable[Any]:
    if is_dataclass(form):
        return (getattr(form, field.name) for field in fields(form))
    if isinstance(form, dict):
        return form.values()
    return form if isinstance(form, (list, tuple)) else ()
