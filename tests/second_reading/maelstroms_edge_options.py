"""Unit size and options: which rules a unit breaks, and what it costs."""

from collections import Counter
from collections.abc import Iterator

from tests.second_reading.maelstroms_edge_entries import ADD_ON, Choices, Sheet, Unit, sheet_of
from tests.second_reading.printed_line import ANY, Entry, Line, Part, amounts, own_id
from tests.second_reading.reading import count_of, id_of, parts_of

LISTED = "option-listed-only"
REPLACE = "option-replace"
ONE_OF = "option-choose-one"
UP_TO = "option-up-to-n"
FOOTNOTE = "option-footnote-cap"
PER_MODEL = "option-max-per-model"
PLAIN_LINE = "option-one-each-line"
SEVERAL = "multi-unit-max"
SAME_ENTRY = "multi-unit-same-entry"
ONE_ADD_ON = "addon-one-type"
ADD_ONS = "addon-quantity"
USUAL_SIZE = "addon-normal-max"
TOO_SMALL = "unit-size-min"
TOO_LARGE = "unit-size-max"


# ---- what is wrong with the options --------------------------------------------------------------------------------


def faults(unit: Unit, prefix: str) -> set[str]:
    """Return the rules that a unit's models, options and add-ons break, with the book's prefix."""
    broken = (*_faults_on(unit, unit.part, unit.sheet, None), *faults_of_add_ons(unit))
    return {prefix + rule.removeprefix(prefix) for rule in broken}


def _faults_on(unit: Unit, part: Part, sheet: Sheet, model: Entry | None) -> Iterator[str]:
    here: Counter[str] = Counter()
    for inner in parts_of(part):
        line = sheet.lines.get(id_of(inner))
        if line is None:
            yield from strange(unit, inner)
            continue
        here[line.id] += count_of(inner)
        yield from _faults_on(unit, inner, sheet_of(line.written, line.id), line.written)
    for line in sheet.lines.values():
        yield from _faults_of_line(unit, line, here[line.id])
    for choices in sheet.choices:
        yield from _faults_of_choices(unit, sheet, choices, here)
        if "swap" in choices.written:
            carried = unit.carried(choices.written, model)
            yield from _faults_of_swap(choices.written, sheet.total(choices, here), carried)


def strange(unit: Unit, inner: Part) -> Iterator[str]:
    """Multi-unit selections; Unit options: units are taken as one if the entry says so, all of that entry."""
    entry = unit.entries.get(own_id(inner))
    if entry is None:
        yield LISTED
    elif entry["type"] != ADD_ON:
        if "units" not in unit.entry or entry["unit"] == unit.entry["unit"]:
            yield SEVERAL
        if entry["faction"] != unit.entry["faction"]:
            yield LISTED
        elif entry["unit"] != unit.entry["unit"]:
            yield SAME_ENTRY


def faults_of_add_ons(unit: Unit) -> Iterator[str]:
    """Add-on models: one kind to a unit, in number and place as printed, within the usual size."""
    kinds = {add_on["unit"]: add_on for add_on, _ in unit.add_ons}
    if len(kinds) > 1:
        yield ONE_ADD_ON
    yield from misplaced_add_ons(unit)
    within_size = any(add_on["joins"].get("within size") for add_on in kinds.values())
    if within_size and unit.amount("models") > unit.largest_size:
        yield USUAL_SIZE


def misplaced_add_ons(unit: Unit) -> Iterator[str]:
    """Add-on models: number and units as printed."""
    numbers: Counter[str] = Counter()
    for add_on, number in unit.add_ons:
        numbers[add_on["unit"]] += number
        terms = add_on["joins"]
        if numbers[add_on["unit"]] > terms.get("up to", 1) or unit.entry["unit"] not in terms["units"]:
            yield ADD_ONS


def _faults_of_line(unit: Unit, line: Line, number: int) -> Iterator[str]:
    """Unit options: each on the terms of its own line."""
    least, most = line.bounds
    if number < least:
        yield TOO_SMALL
    if number > most:
        yield TOO_LARGE if line.is_model else PER_MODEL if "up to" in line.written else PLAIN_LINE
    if number:
        yield from _unmet(unit, line.written)
    yield from _limits(unit, line.written, number)


def _unmet(unit: Unit, written: Entry) -> Iterator[str]:
    """Unit options: their conditions, requirements and exclusions."""
    if "only when" in written and not unit.holds(written["only when"]):
        yield LISTED
    if not all(map(unit.of, written.get("needs", ()))) or any(map(unit.of, written.get("not with", ()))):
        yield LISTED


def _limits(unit: Unit, written: Entry, number: int) -> Iterator[str]:
    """Unit entry, the starred footnote and its like."""
    for limit in written.get("limits", ()):
        if "when" in limit and not unit.holds(limit["when"]):
            continue
        if "at most" in limit:
            first, *others = (unit.amount(word) for word in str(limit["at most"]).split(" - "))
            if number > first - sum(others):
                yield limit.get("rule", FOOTNOTE)
        elif number < limit["at least"]:
            yield limit.get("rule", FOOTNOTE)


def _faults_of_choices(unit: Unit, sheet: Sheet, choices: Choices, here: Counter[str]) -> Iterator[str]:
    number = sheet.total(choices, here)
    least, most = choices.bounds
    of_models = any(line.is_model for line in sheet.inside(choices))
    if number < least:
        yield TOO_SMALL if of_models else LISTED
    if number > most:
        yield TOO_LARGE if of_models else ONE_OF if most == 1 else UP_TO
    yield from _limits(unit, choices.written, number)


def _faults_of_swap(swap: Entry, number: int, carried: int) -> Iterator[str]:
    """Unit entry, K: either of the carried things may be replaced, each once; a whole unit replaces all at once."""
    if number > carried:
        yield REPLACE
    if number > swap.get("at most", ANY):
        yield UP_TO


# ---- what it costs -------------------------------------------------------------------------------------------------


def price(unit: Unit) -> int:
    """Unit entry, D and K: the printed points are those of the smallest unit; options and more models are added."""
    printed = unit.entry["points"] - sum(_starting(model) for model in unit.entry.get("models", ()))
    add_ons = sum(number * add_on["points"] for add_on, number in unit.add_ons)
    return printed + add_ons + _price_of(unit, unit.part, unit.sheet, 1)


def _price_of(unit: Unit, part: Part, sheet: Sheet, times: int) -> int:
    points = 0
    for inner in parts_of(part):
        line = sheet.lines.get(id_of(inner))
        if line is None:
            continue
        number = times * count_of(inner)
        points += number * _points(unit, line.written)
        points += _price_of(unit, inner, sheet_of(line.written, line.id), number)
    return points


def _points(unit: Unit, written: Entry) -> int:
    for dearer in written.get("prices", ()):
        if unit.holds(dearer["when"]):
            return int(dearer["points"])
    price_of_one, per_model, _ = str(written.get("points", 0)).partition(" per model")
    return int(price_of_one) * (unit.size if per_model else 1)


def _starting(model: Entry) -> int:
    """Return the cost of the models that the printed points include."""
    if "choose" not in model:
        return Line("", model).bounds[0] * model.get("points", 0)
    least = amounts(model["choose"])[0]
    members = [member for member in model["from"] if "model" in member]
    inner = [member for member in model["from"] if "choose" in member]
    number = {member["model"]: Line("", member).bounds[0] for member in members}
    points = sum(number[member["model"]] * member.get("points", 0) for member in members)
    points += sum(map(_starting, inner))
    missing = least - sum(number.values()) - sum(amounts(member["choose"])[0] for member in inner)
    default = next((member for member in members if member["model"] == model.get("default")), None)
    return points + (missing * default.get("points", 0) if default else 0)
