"""Make single changes of a list document: a unit more, an option fewer, another mission, another size."""

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random
from typing import Any

from catalogue.definitions.planning import PlanPart
from tests.second_reading.reading import Document, Figures, count_of, detachments_of, id_of, units_of

Change = tuple[str, Document]
"""A description and the changed document."""


def changes_of(document: Document, figures: Figures, donors: list[Document]) -> Iterator[Change]:
    """Yield every single change of a list, also with options of the `donors`."""
    yield "as it is", document
    yield from _change_units(document, figures)
    yield from _change_options(document, donors)
    yield from _change_detachments(document, figures)
    yield from _change_limits(document)
    yield from _change_plan(document, figures)


def sample(changes: Iterable[Change], number: int, seed: str) -> list[Change]:
    """Return at most `number` changes of all kinds, the same for the same seed.

    A change's kind is its description up to the colon.
    """
    chooser = Random(seed)
    by_kind: dict[str, list[Change]] = {}
    for change in changes:
        by_kind.setdefault(change[0].split(":")[0], []).append(change)
    for kind in by_kind.values():
        chooser.shuffle(kind)
    # Take one of each kind in turn, so that frequent kinds leave room for others. The seed varies which kind comes
    # first, because samples are small.
    kinds = list(by_kind.values())
    chooser.shuffle(kinds)
    longest = max(map(len, by_kind.values()), default=0)
    turns = (kind[turn] for turn in range(longest) for kind in kinds if turn < len(kind))
    return list(islice(turns, number))


def copy_of(part: Any) -> Any:
    """Copy a document or a part, fast, because tens of thousands are copied."""
    if isinstance(part, dict):
        return {key: copy_of(value) for key, value in part.items()}
    return [copy_of(value) for value in part] if isinstance(part, list) else part


def _places(document: Document) -> Iterator[tuple[int, int]]:
    for number, detachment in enumerate(detachments_of(document)):
        for index in range(len(units_of(detachment))):
            yield number, index


# ---- units ---------------------------------------------------------------------------------------------------------


def _change_units(document: Document, figures: Figures) -> Iterator[Change]:
    for number, index in _places(document):
        unit = units_of(detachments_of(document)[number])[index]
        changed = copy_of(document)
        del units_of(detachments_of(changed)[number])[index]
        yield f"one unit fewer: {id_of(unit)}", changed
        changed = copy_of(document)
        again = copy_of(unit)
        if isinstance(again, dict):
            again.pop("ref", None)
            again.pop("leads", None)
        units_of(detachments_of(changed)[number]).append(again)
        yield f"one unit more: {id_of(unit)}", changed
        if isinstance(unit, dict):
            changed = copy_of(document)
            other = units_of(detachments_of(changed)[number])[index]
            other["leads"] = not other.get("leads", False)
            yield f"leader: {id_of(unit)}", changed
    factions = {document.get("faction", ""), *(d.get("catalogue", "") for d in detachments_of(document))}
    for faction, entries in figures.units.items():
        kind = "unit of the faction" if faction in factions else "unit of another faction"
        for entry in entries:
            for number in range(len(detachments_of(document))):
                changed = copy_of(document)
                detachments_of(changed)[number].setdefault("units", []).append(entry)
                yield f"{kind}: {entry}", changed


# ---- options -------------------------------------------------------------------------------------------------------


def _options(part: Document | str, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    for index, option in enumerate([] if isinstance(part, str) else part.get("options", [])):
        yield (*path, index), option
        yield from _options(option, (*path, index))


def _holder(unit: Any, path: tuple[int, ...]) -> list[Any]:
    for index in path[:-1]:
        unit = unit["options"][index]
    return unit["options"]


def _change_options(document: Document, donors: list[Document]) -> Iterator[Change]:
    for number, index in _places(document):
        unit = units_of(detachments_of(document)[number])[index]
        for path, option in _options(unit):
            for step in (-1, 1):
                changed = copy_of(document)
                holder = _holder(units_of(detachments_of(changed)[number])[index], path)
                amount = count_of(option) + step
                if amount:
                    written = {"option": option} if isinstance(option, str) else holder[path[-1]]
                    holder[path[-1]] = {**written, "count": amount}
                else:
                    del holder[path[-1]]
                yield f"option {step:+}: {id_of(unit)} {id_of(option)}", changed
        for given in _strange_options(unit, donors):
            changed = copy_of(document)
            units = units_of(detachments_of(changed)[number])
            if isinstance(units[index], str):
                units[index] = {"unit": units[index]}
            units[index].setdefault("options", []).append(given)
            yield f"option of another list: {id_of(unit)} {id_of(given)}", changed


def _strange_options(unit: Document | str, donors: list[Document]) -> Iterator[Any]:
    """Yield options that the same unit has in other lists, and some of other units."""
    taken = {id_of(option) for _, option in _options(unit)}
    elsewhere: dict[str, Any] = {}
    for donor in donors:
        for detachment in detachments_of(donor):
            for other in units_of(detachment):
                for path, option in _options(other):
                    if len(path) == 1 and id_of(option) not in taken:
                        elsewhere.setdefault(id_of(option), option)
    yield from elsewhere.values()


# ---- detachments and limits ----------------------------------------------------------------------------------------


def _change_detachments(document: Document, figures: Figures) -> Iterator[Change]:
    kinds = sorted({force.id for catalogue in figures.data.catalogues for force in catalogue.forces})
    for kind in (*kinds, "none"):
        changed = copy_of(document)
        changed.setdefault("detachments", []).append({"detachment": kind})
        yield f"one detachment more: {kind}", changed
        for number in range(len(document.get("detachments", []))):
            changed = copy_of(document)
            changed["detachments"][number]["detachment"] = kind
            yield f"detachment of another kind: {kind}", changed
    for number, detachment in enumerate(document.get("detachments", [])):
        changed = copy_of(document)
        del changed["detachments"][number]
        yield f"one detachment fewer: {number}", changed
        changed = copy_of(document)
        changed["detachments"].append(copy_of(detachment))
        yield f"a detachment twice: {number}", changed
        for faction in figures.units:
            changed = copy_of(document)
            changed["detachments"][number]["catalogue"] = faction
            yield f"detachment of another faction: {faction}", changed
    for faction in figures.units:
        changed = copy_of(document)
        changed["faction"] = faction
        for detachment in changed.get("detachments", []):
            detachment.setdefault("catalogue", document.get("faction"))
        yield f"list of another faction: {faction}", changed


def _change_limits(document: Document) -> Iterator[Change]:
    for cost, value in document.get("limits", {}).items():
        if isinstance(value, int | float):
            for other in (value - 1, value + 1, value // 2, value * 2, 0):
                changed = copy_of(document)
                changed["limits"][cost] = other
                yield f"limit: {cost} {other}", changed
        changed = copy_of(document)
        changed["limits"][cost] = "none"
        yield f"limit: {cost} none", changed
        changed = copy_of(document)
        del changed["limits"][cost]
        yield f"limit: no {cost}", changed


# ---- the plan ------------------------------------------------------------------------------------------------------


def _change_plan(document: Document, figures: Figures) -> Iterator[Change]:
    missions = figures.data.game_system.missions
    for mission in missions:
        for side in ("", *(side.id for side in mission.sides)):
            changed = copy_of(document)
            plan = changed.setdefault("plan", {})
            plan["mission"] = mission.id
            plan.pop("side", None)
            if side:
                plan["side"] = side
            yield f"mission: {mission.id} {side}", changed
    if "plan" not in document:
        return
    for key, value in document["plan"].items():
        changed = copy_of(document)
        del changed["plan"][key]
        yield f"plan without: {key}", changed
        if isinstance(value, list):
            for index in range(len(value)):
                changed = copy_of(document)
                del changed["plan"][key][index]
                yield f"plan with one fewer: {key}", changed
                changed = copy_of(document)
                changed["plan"][key].append(value[index])
                yield f"plan with one twice: {key}", changed
        if isinstance(value, dict):
            for name, inner in value.items():
                changed = copy_of(document)
                del changed["plan"][key][name]
                yield f"plan with one fewer: {key}", changed
                for other in (inner - 1, inner + 1) if isinstance(inner, int) else ():
                    changed = copy_of(document)
                    changed["plan"][key][name] = other
                    yield f"plan with another number: {key} {name} {other}", changed
    parts = {settled.part for settled in figures.data.game_system.planning.parts}
    yield from _change_who(document, parts)


def _change_who(document: Document, parts: set[PlanPart]) -> Iterator[Change]:
    """Let each unit with a `ref` be held back, command, join and ride, if the game has these."""
    refs = [
        unit["ref"]
        for detachment in detachments_of(document)
        for unit in units_of(detachment)
        if isinstance(unit, dict) and "ref" in unit
    ]
    pairs = [key for part, key in ((PlanPart.JOINS, "joins"), (PlanPart.RIDES, "aboard")) if part in parts]
    for ref in refs:
        if PlanPart.RESERVES in parts:
            changed = copy_of(document)
            changed["plan"].setdefault("reserves", []).append(ref)
            yield f"reserve: {ref}", changed
        if PlanPart.COMMANDER in parts:
            changed = copy_of(document)
            changed["plan"]["commander"] = ref
            yield f"commander: {ref}", changed
        for other in refs:
            for key in pairs:
                changed = copy_of(document)
                changed["plan"].setdefault(key, {})[ref] = other
                yield f"{key}: {ref} {other}", changed
