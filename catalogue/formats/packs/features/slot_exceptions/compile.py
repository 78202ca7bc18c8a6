"""Compile the ranges of a slot."""

from collections.abc import Iterator
from dataclasses import replace

from catalogue.definitions.queries import ALWAYS, Guard
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard
from catalogue.formats.packs.syntax.base import RuleText
from catalogue.formats.packs.syntax.detachments import SlotSyntax
from catalogue.formats.packs.syntax.expressions import ConditionGroup
from catalogue.formats.packs.syntax.scalars import CountRange


def list_ranges(
    slot: SlotSyntax, text: RuleText, origin: QueryOrigin
) -> Iterator[tuple[str, CountRange, RuleText, Guard]]:
    """Yield id prefix, range, rule and guard of each bound of a slot.

    Exactly one guard holds. Too many units are mendable if a larger exception is within reach.
    """
    none_before: list[Guard] = []
    for number, exception in enumerate(slot.exceptions, start=1):
        when = _join_guards([*none_before, build_guard(exception.when, origin)])
        yield from _split_range(f"exception-{number}-", exception.range, slot, text, when)
        none_before.append(build_guard(exception.when, origin, negated=True))
    yield from _split_range("", slot.range, slot, text, _join_guards(none_before))


def _join_guards(guards: list[Guard]) -> Guard:
    return Guard(guards=tuple(guards)) if guards else ALWAYS


def _split_range(
    prefix: str, numbers: CountRange, slot: SlotSyntax, text: RuleText, when: Guard
) -> Iterator[tuple[str, CountRange, RuleText, Guard]]:
    yield prefix, CountRange(numbers.low, None), text, when
    if numbers.high is None:
        return
    further = [other for other in slot.exceptions if other.range.high is None or other.range.high > numbers.high]
    if further:
        reach = ConditionGroup(tuple(other.reach or ConditionGroup(()) for other in further), any_of=True)
        text = replace(text, mendable=True, room=reach)
    yield prefix, CountRange(0, numbers.high), text, when
