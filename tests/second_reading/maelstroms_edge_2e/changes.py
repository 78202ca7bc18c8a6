"""More single changes for Maelstrom's Edge: deployment tokens, joined characters, units taken as one."""

from collections.abc import Iterator
from typing import Any

from tests.second_reading.maelstroms_edge_entries import ADD_ON
from tests.second_reading.mutations import Change, copy_of
from tests.second_reading.printed_line import slug
from tests.second_reading.reading import Document, Figures, detachments_of, id_of, parts_of, units_of

UNSHOWN = ("options", "unit-points", "option-points", "detachments", "add-on-hosts")
NARRATIVE = ("the-last-stand", "night-raid", "escalation")
SIDES = ("attacker", "defender")
TOKENS = {"cover-tokens": 1, "on-the-move-tokens": 2}
"""Tokens for each unit."""
SOME = 5


def changes(document: Document, figures: Figures) -> Iterator[Change]:
    yield from _leave_out(document)
    yield from _take_as_one(document, figures)
    planned = with_refs(document)
    yield from _add_on(planned, figures)
    yield from _deploy(planned)
    yield from _join(planned)


def with_refs(document: Document) -> Document:
    """Return a list with a plan and a `ref` for each unit, also for units taken as one."""
    changed = copy_of(document)
    number = 0
    for detachment in detachments_of(changed):
        units = detachment.get("units", [])
        for index, unit in enumerate(units):
            units[index] = unit = {"unit": unit} if isinstance(unit, str) else unit
            several = [part for part in parts_of(unit) if id_of(part) == f"{id_of(unit)}/unit"]
            if several:
                unit["options"] = [_spelled_out(part) for part in unit["options"]]
            for called in [part for part in unit["options"] if part in several] if several else [unit]:
                number += 1
                called.setdefault("ref", f"r{number}")
    changed.setdefault("plan", {})
    return changed


def _spelled_out(option: Any) -> Document:
    return {"option": option} if isinstance(option, str) else option


def refs_of(document: Document) -> list[str]:
    return [
        part["ref"]
        for detachment in detachments_of(document)
        for unit in units_of(detachment)
        for part in (unit, *parts_of(unit))
        if isinstance(part, dict) and "ref" in part
    ]


def _leave_out(document: Document) -> Iterator[Change]:
    for word in UNSHOWN:
        changed = copy_of(document)
        changed["unshown"] = [word]
        yield f"unshown: {word}", changed


def _take_as_one(document: Document, figures: Figures) -> Iterator[Change]:
    """Take each unit as two, and put another unit into each."""
    others = [unit for units in figures.units.values() for unit in units[:2]]
    for number, detachment in enumerate(detachments_of(document)):
        for index, unit in enumerate(units_of(detachment)):
            for label, more in (("two as one", {"count": 2}), ("leads", {"leads": True})):
                changed = copy_of(document)
                units = units_of(detachments_of(changed)[number])
                units[index] = {**({"unit": unit} if isinstance(unit, str) else unit), **more}
                yield f"{label}: {id_of(unit)}", changed
            for other in others:
                changed = copy_of(document)
                units = units_of(detachments_of(changed)[number])
                inside = {"unit": unit} if isinstance(unit, str) else units[index]
                units[index] = {**inside, "options": [*parts_of(unit), other]}
                yield f"unit in a unit: {other} in {id_of(unit)}", changed


def _add_on(planned: Document, figures: Figures) -> Iterator[Change]:
    """Place each add-on alone, in each unit, next to each other add-on, and in a joined unit."""
    add_ons = [slug(name) for name, entry in figures.written.items() if entry["type"] == ADD_ON]
    refs = refs_of(planned)
    for number, index, add_on in [
        (number, index, add_on)
        for number, detachment in enumerate(detachments_of(planned))
        for index in range(len(units_of(detachment)))
        for add_on in add_ons
    ]:
        changed = copy_of(planned)
        units = units_of(detachments_of(changed)[number])
        alone = copy_of(planned)
        units_of(detachments_of(alone)[number]).append(add_on)
        yield f"add-on alone: {add_on}", alone
        units[index].setdefault("options", []).append(add_on)
        yield f"add-on: {add_on} in {id_of(units[index])}", changed
        for ref in refs if "ref" in units[index] else ():
            changed_again = copy_of(changed)
            changed_again["plan"]["joins"] = {ref: units[index]["ref"]}
            yield f"add-on joined: {add_on} in {id_of(units[index])} by {ref}", changed_again
        for other in add_ons:
            changed_again = copy_of(changed)
            units_of(detachments_of(changed_again)[number])[index]["options"].append(other)
            yield f"add-ons: {add_on} and {other} in {id_of(units[index])}", changed_again


def _deploy(planned: Document) -> Iterator[Change]:
    """Deploy with the allowed tokens and one more; hold back all units, one and none."""
    refs = refs_of(planned)
    for mission in NARRATIVE:
        for side in SIDES:
            for held in ([], refs[:1], refs):
                changed = copy_of(planned)
                changed["plan"] |= {"mission": mission, "side": side, "reserves": held}
                yield f"held back: {len(held)} in {mission}, {side}", changed
                yield from _deploy_with_tokens(changed, len(refs) - len(held))


def _deploy_with_tokens(planned: Document, units: int) -> Iterator[Change]:
    for token, of_a_unit in TOKENS.items():
        for number in (of_a_unit * units + bonus + more for bonus in (0, 6) for more in (0, 1)):
            changed = copy_of(planned)
            changed["plan"]["numbers"] = {token: number}
            yield f"tokens: {number} {token} for {units}", changed


def _join(planned: Document) -> Iterator[Change]:
    """Let units command and join each other: two join one, and one joins a unit that has joined another."""
    all_refs = refs_of(planned)
    refs = all_refs[:: max(1, len(all_refs) // SOME)]
    for ref in refs:
        changed = copy_of(planned)
        changed["plan"]["commander"] = ref
        yield f"commander named: {ref}", changed
        for host in refs:
            changed = copy_of(planned)
            changed["plan"]["joins"] = {ref: host}
            yield f"joined: {host} by {ref}", changed
            attacking = copy_of(changed)
            attacking["plan"] |= {"side": "attacker"}
            yield from _deploy_with_tokens(attacking, len(all_refs) - 1)
            for mission in ("escalation", "night-raid"):
                changed_again = copy_of(changed)
                changed_again["plan"] |= {"mission": mission, "side": "defender", "reserves": [host]}
                yield f"joined in reserve: {host} by {ref}, {mission}", changed_again
            for third in (refs[0], refs[-1]):
                changed_again = copy_of(changed)
                changed_again["plan"]["joins"] |= {third: host}
                yield f"both join: {ref} and {third} {host}", changed_again
