import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.second_reading.maelstrom_of_war_datasheets import Datasheet, DatasheetLine, slug
from tests.second_reading.reading import Document, count_of, every_part, id_of, parts_of


def models_in(sheet: Datasheet, unit: Document | str) -> int:
    """Count a unit's models; a unit without printed models is a single one."""
    if not sheet.has_models:
        return count_of(unit)
    return sum(number for part, number in every_part(unit) if part in sheet.lines and sheet.lines[part].is_model)


def keywords_of(sheet: Datasheet, unit: Document | str) -> frozenset[str]:
    chosen = (sheet.lines[part].written for part, _ in every_part(unit) if part in sheet.lines)
    return sheet.keywords | {slug(word) for written in chosen for word in written.get("keywords", [])}


def number_of(unit: Document | str, name: str) -> int:
    return sum(number for part, number in every_part(unit) if f"/{part}".endswith(f"/{name}"))


def is_understrength(sheet: Datasheet, unit: Document | str) -> bool:
    """Return whether a unit has fewer models of a kind than its datasheet asks for."""
    return any(
        _chosen(line, holder) < line.least
        for held, holder in _holders(sheet, unit)
        for line in _reachable(held)
        if line.is_model
    )


def is_not_as_printed(sheet: Datasheet, unit: Document | str) -> bool:
    """Return whether a unit exceeds its datasheet, lacks a required choice, or combines things wrongly."""
    return (
        any(part not in sheet.lines for part, _ in every_part(unit))
        or any(_breaks_a_figure(sheet, unit, held, holder) for held, holder in _holders(sheet, unit))
        or any(_breaks_a_limit(limit, sheet, unit) for limit in sheet.unit.written.get("limits", []))
        or _has_what_does_not_go_together(sheet, unit)
    )


def _holders(sheet: Datasheet, unit: Document | str) -> Iterator[tuple[DatasheetLine, Document | str]]:
    """Yield a unit, and each model and option in it that can hold others, with its line."""
    yield sheet.unit, unit
    pending = list(parts_of(unit))
    for part in pending:
        if id_of(part) in sheet.lines:
            yield sheet.lines[id_of(part)], part
        pending.extend(parts_of(part))


def _reachable(held: DatasheetLine) -> Iterator[DatasheetLine]:
    """Yield the lines of a holder and its choices, but not what these lines hold."""
    for line in held.inside:
        yield line
        if line.is_choice:
            yield from _reachable(line)


def _chosen(line: DatasheetLine, holder: Document | str) -> int:
    """Return how many of a thing a holder has; of a choice, how many of all its options."""
    if line.is_choice:
        return sum(_chosen(inner, holder) for inner in line.inside)
    return sum(count_of(part) for part in parts_of(holder) if id_of(part) == line.id)


def _breaks_a_figure(sheet: Datasheet, unit: Document | str, held: DatasheetLine, holder: Document | str) -> bool:
    places = {line.id for line in _reachable(held)}
    if any(id_of(part) not in places for part in parts_of(holder)):
        return True
    for line in _reachable(held):
        number = _chosen(line, holder)
        if number > _most(line, sheet, unit) or (number < line.least and not line.is_model):
            return True
    return False


def _most(line: DatasheetLine, sheet: Datasheet, unit: Document | str) -> int:
    most = line.most
    if "one per" in line.written:
        most = min(most, models_in(sheet, unit) // int(str(line.written["one per"]).split()[0]))
    for limit in line.written.get("limits", []):
        if holds(limit.get("when"), sheet, unit):
            most = min(most, limit["at most"])
    return most


def holds(condition: str | None, sheet: Datasheet, unit: Document | str) -> bool:
    """Return whether a footnote's condition holds: `fewer than 10 models`, `no random fractured personality`."""
    if condition is None:
        return True
    if condition.startswith("no "):
        return number_of(unit, slug(condition[3:])) == 0
    figure = re.fullmatch(r"fewer than (\d+) models", condition)
    assert figure, condition
    return models_in(sheet, unit) < int(figure[1])


def _breaks_a_limit(limit: Mapping[str, Any], sheet: Datasheet, unit: Document | str) -> bool:
    if not holds(limit.get("when"), sheet, unit):
        return False
    number = _sum(limit["count"], sheet, unit)
    if "at least" in limit:
        return number < _sum(limit["at least"], sheet, unit)
    return number > _sum(limit["at most"], sheet, unit)


def _sum(words: str | int, sheet: Datasheet, unit: Document | str) -> int:
    """Return the value of a sum in words: `models`, `10 x magna-rail-rifle`, `this + that`."""
    total = 0
    for term in str(words).split(" + "):
        times, _, thing = term.rpartition(" x ")
        if thing.isdigit():
            number = int(thing)
        else:
            number = models_in(sheet, unit) if thing == "models" else number_of(unit, thing)
        total += int(times or 1) * number
    return total


def _has_what_does_not_go_together(sheet: Datasheet, unit: Document | str) -> bool:
    return any(
        _is_out_of_place(line, holder)
        or any(_has(sheet, unit, other) for other in line.written.get("not with", []))
        or any(not _has(sheet, unit, other) for other in line.written.get("needs", []))
        for held, holder in _holders(sheet, unit)
        for line in _reachable(held)
        if _chosen(line, holder)
    )


def _is_out_of_place(line: DatasheetLine, holder: Document | str) -> bool:
    """Return whether a model has a weapon without the weapon that it goes with."""
    condition = line.written.get("only when", "")
    assert condition == "" or condition.endswith(" in model"), condition
    weapon = condition.removesuffix(" in model")
    return bool(weapon) and not any(id_of(part).endswith(weapon) for part in parts_of(holder))


def _has(sheet: Datasheet, unit: Document | str, other: str) -> bool:
    called = other if "/" in other else slug(other)
    lines = [line for line in sheet.lines.values() if f"/{line.id}".endswith(f"/{called}")]
    return any(_chosen(line, holder) for line in lines for _, holder in _holders(sheet, unit))
