"""More single changes for lists of Maelstrom of War: categories, upgrades, reserves, repeated datasheets."""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from zlib import crc32

from tests.second_reading.maelstrom_of_war_army import FACTION_KEYWORDS, Army
from tests.second_reading.maelstrom_of_war_datasheets import datasheets
from tests.second_reading.maelstrom_of_war_samples import borders_of
from tests.second_reading.mutations import Change, copy_of
from tests.second_reading.reading import Document, Figures

QUESTIONS = ("alpha", "beta", "gamma", "categories", "overriding")
ANSWERS = ("raid", "eradication", "holding-the-line", "recon")
SHARES = 8
MISSIONS = ("territorial-control", "complex-front", "chaotic-engagement", "never-surrender")


def changes_of_maelstrom(document: Document, figures: Figures) -> Iterator[Change]:
    yield "unshown: upgrades", {**document, "unshown": ["upgrades"]}
    yield from _change_points(document, figures)
    yield from _note_command_points(document)
    yield from _repeat_datasheets(document, figures)
    yield from _share_less(document, figures)
    yield from _change_datasheets(document, figures)
    if "plan" in document:
        yield from _change_categories(document)
        yield from _change_reserves(document, figures)


def _change_points(document: Document, figures: Figures) -> Iterator[Change]:
    """Change the points limit to the list's cost, and to a point less."""
    points = Army(document, figures).points
    for limit in (points - 1, points):
        changed = copy_of(document)
        changed["limits"]["points"] = limit
        yield f"to the point: {limit}", changed


def _note_command_points(document: Document) -> Iterator[Change]:
    for number in range(1, 20):
        changed = copy_of(document)
        point = {"option": "command-points-spent/command-point", "count": number}
        changed["detachments"].append(
            {"detachment": "other-spending", "units": [{"unit": "command-points-spent", "options": [point]}]}
        )
        yield f"upgrades: {number}", changed


def _repeat_datasheets(document: Document, figures: Figures) -> Iterator[Change]:
    """Add two units of one datasheet, in all of its entries."""
    entries: dict[str, list[str]] = {}
    for sheet in datasheets(figures.folder).values():
        if sheet.faction == document["faction"]:
            entries.setdefault(sheet.title.split(" with ")[0], []).append(sheet.id)
    for title, several in entries.items():
        for pair in combinations_with_replacement(several, 2):
            changed = copy_of(document)
            changed["detachments"][-1].setdefault("units", []).extend(pair)
            yield f"a datasheet twice: {title}", changed


def _share_less(document: Document, figures: Figures) -> Iterator[Change]:
    """Add a unit of each of the faction's sets of keywords to each detachment."""
    kinds = {
        sheet.keywords & FACTION_KEYWORDS: sheet.id
        for sheet in datasheets(figures.folder).values()
        if sheet.faction == document["faction"]
    }
    for entry in kinds.values():
        for number in range(len(document["detachments"])):
            changed = copy_of(document)
            changed["detachments"][number].setdefault("units", []).append(entry)
            yield f"other keywords: {entry}", changed


def _change_datasheets(document: Document, figures: Figures) -> Iterator[Change]:
    """Add a unit with one option at its limits, and one beyond.

    Each list covers its own share of the datasheets, so that all lists together cover most of them.
    """
    share = crc32(document.get("name", "").encode()) % SHARES
    for index, sheet in enumerate(datasheets(figures.folder).values()):
        if sheet.faction == document["faction"] and index % SHARES == share:
            for what, unit in borders_of(sheet):
                changed = copy_of(document)
                changed["detachments"][0].setdefault("units", []).append(unit)
                yield f"datasheet: {what}", changed


def _change_categories(document: Document) -> Iterator[Change]:
    choices = document["plan"].get("choices", {})
    for question in QUESTIONS:
        chosen = choices.get(question, [])
        for answer in ANSWERS:
            for answers in ([answer], [*chosen, answer], [answer, *chosen[1:]]):
                changed = copy_of(document)
                changed["plan"].setdefault("choices", {})[question] = answers
                yield f"category: {question} {answers}", changed
    for mission in MISSIONS:
        changed = copy_of(document)
        changed["plan"]["mission"] = mission
        changed["plan"].pop("choices", None)
        yield f"no categories: {mission}", changed


def _change_reserves(document: Document, figures: Figures) -> Iterator[Change]:
    """Hold back one or several of the plan's units."""
    refs = [unit.ref for unit in Army(document, figures).units if unit.ref]
    for number in range(1, len(refs) + 1):
        for waiting in combinations(refs, number):
            changed = copy_of(document)
            changed["plan"]["reserves"] = list(waiting)
            yield f"held back: {' '.join(waiting)}", changed
