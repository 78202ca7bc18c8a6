"""Report mistakes beyond single names."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from catalogue.definitions.diagnostics import Level
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.decks import count_copies, list_cards
from catalogue.formats.packs.compile.models import sum_limits
from catalogue.formats.packs.compile.name_index import get_type_id, walk_models, walk_parts
from catalogue.formats.packs.syntax.base import NamedSyntax
from catalogue.formats.packs.syntax.decks import DeckSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def check_constructs(context: CompileContext) -> None:
    of_units = chain.from_iterable((*unit.models, *unit.options) for unit in context.pack.units)
    for part in walk_parts((*of_units, *context.pack.lists)):
        if part.kind == "choice" and part.parts:
            _check_choice(part, context)
    for deck in context.pack.decks:
        _check_deck(deck, context)
    for shared in context.pack.lists:
        _check_circle(shared, context)
    # Not every game prints these for all units, so compare with other units of the type.
    units = [unit for unit in context.pack.units if not unit.empty]
    _check_prices(units, context)
    _check_profiles(units, context)


def _check_choice(part: PartSyntax, context: CompileContext) -> None:
    room = sum_limits(_count_room_of(member, part) for member in part.parts)
    if room is not None and part.range.low > room:
        message = f"“{part.name}” asks for {part.range.low}, but at most {room} can be taken."
        context.problems.add(part.where, "min-over-max", message, "Ask for fewer, or let more be taken.")


def _count_room_of(member: PartSyntax, part: PartSyntax) -> int | None:
    # Only a list can tell how often these can be taken.
    if member.kind in ("list", "swap") or member.per is not None:
        return None
    # The choice limits its members by default.
    limited = member if member.explicit or member.kind == "choice" else part
    return limited.range.high


def _check_deck(deck: DeckSyntax, context: CompileContext) -> None:
    most = sum_limits(count_copies(card, deck) for card in list_cards(deck, context))
    if most is not None and most < deck.cards.low:
        message = f"The deck “{deck.name}” needs {deck.cards.low} cards, but all copies together are {most}."
        context.problems.add(deck.where, "min-over-max", message, "Ask for fewer cards, or allow more copies.")


def _check_circle(shared: PartSyntax, context: CompileContext) -> None:
    seen: set[str] = set()
    left = [shared]
    while left:
        for part in walk_parts((left.pop(),)):
            target = context.index.lists.get(make_id(part.target.text)) if part.target else None
            if target is None:
                continue
            if target is shared:
                message = f"The shared list “{shared.name}” leads back to itself."
                context.problems.add(part.where, "cyclic-reference", message, "Remove one of the `list:` lines.")
                return
            if target.id not in seen:
                seen.add(target.id)
                left.append(target)


def _check_prices(units: list[UnitSyntax], context: CompileContext) -> None:
    priced = _find_types_that_mostly(units, lambda unit: bool(unit.prices))
    cost = next(iter(context.pack.costs), "points")
    mend = f"Add `{cost}:` with the price of the smallest unit, 0 where it is free."
    for unit in units:
        if get_type_id(unit) in priced and not unit.prices:
            message = f"The unit “{unit.name}” has no price."
            context.problems.add(unit.where, "no-price", message, mend, Level.WARNING)


def _check_profiles(units: list[UnitSyntax], context: CompileContext) -> None:
    drawn = _find_types_that_mostly(units, lambda unit: not any(_find_missing_profiles(unit)))
    for unit in units:
        for owner in _find_missing_profiles(unit) if get_type_id(unit) in drawn else ():
            message = f"There is no profile of “{owner.name}”."
            context.problems.add(owner.where, "no-profile", message, "Add `profile:`.", Level.WARNING)


def _find_types_that_mostly(units: Iterable[UnitSyntax], has: Callable[[UnitSyntax], bool]) -> set[str]:
    surplus_by_type = Counter[str]()
    for unit in units:
        surplus_by_type[get_type_id(unit)] += 1 if has(unit) else -1
    return {type_id for type_id, surplus in surplus_by_type.items() if surplus > 0}


def _find_missing_profiles(unit: UnitSyntax) -> Iterator[NamedSyntax]:
    if unit.row:
        return
    owners: list[UnitSyntax | PartSyntax] = [*walk_models(unit.models)] or [unit]
    yield from (owner for owner in owners if not owner.row)
