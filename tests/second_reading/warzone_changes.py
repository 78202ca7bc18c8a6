"""More single changes for Warzone lists: ways to deploy, agreements, cards, weapons."""

from collections.abc import Iterator

from tests.second_reading.mutations import Change, copy_of
from tests.second_reading.reading import Document, Figures, count_of, detachments_of, id_of, units_of

WAYS = ("regular", "infiltrate", "stalk", "preemptive-strike", "rapid-deployment", "flank-deployment", "by-balloon")
AGREED = {
    "agreed-chart": ("skirmish", "standard", "heavy", "mega", "gargantuan", "other"),
    "agreed-megadeck": ("with-it", "without-it"),
    "occasion": ("tournament", "friendly-game"),
}


def changes(document: Document, figures: Figures) -> Iterator[Change]:
    yield from _agree(document, figures)
    yield from _deploy(document)
    yield from _change_deck(document)
    yield from _arm(document)


def _agree(document: Document, figures: Figures) -> Iterator[Change]:
    for question, answers in AGREED.items():
        for answer in answers:
            changed = copy_of(document)
            changed.setdefault("plan", {}).setdefault("choices", {})[question] = [answer]
            yield f"agreed: {question} {answer}", changed
    for faction in figures.units:
        changed = copy_of(document)
        changed.setdefault("plan", {})["opponents"] = [faction]
        yield f"against: {faction}", changed


def _deploy(document: Document) -> Iterator[Change]:
    """Deploy each unit in each way, in each mission, alone and next to another way."""
    for number, detachment in enumerate(detachments_of(document)):
        for index, unit in enumerate(units_of(detachment)):
            for way in WAYS:
                for ways in ([way], [way, "stalk"]):
                    changed = copy_of(document)
                    held = units_of(detachments_of(changed)[number])
                    if isinstance(unit, str):
                        held[index] = {"unit": unit}
                    ref = held[index].setdefault("ref", "deployed")
                    units = changed.setdefault("plan", {}).setdefault("units", {})
                    units.setdefault(ref, {})["deployment"] = sorted(set(ways))
                    yield f"deployment of {id_of(unit)}: {ways}", changed


def _change_deck(document: Document) -> Iterator[Change]:
    for number, detachment in enumerate(detachments_of(document)):
        for index, unit in enumerate(units_of(detachment)):
            if id_of(unit) != "megadeck" or isinstance(unit, str):
                continue
            for card in range(len(unit["options"])):
                changed = copy_of(document)
                cards = units_of(detachments_of(changed)[number])[index]["options"]
                cards[card]["name"] = cards[card - 1]["name"].upper()
                yield f"card of the same name: {card}", changed
            changed = copy_of(document)
            units_of(detachments_of(changed)[number])[index]["options"].append("resource-card")
            yield "card of another type: one", changed


def _arm(document: Document) -> Iterator[Change]:
    """Give each option of a squad to all models, and to one fewer."""
    for number, detachment in enumerate(detachments_of(document)):
        for index, unit in enumerate(units_of(detachment)):
            options = [] if isinstance(unit, str) else unit.get("options", [])
            models = max(map(count_of, options), default=0)
            for place, option in enumerate(options):
                for many in (models, models - 1) if models > 1 else ():
                    changed = copy_of(document)
                    held = units_of(detachments_of(changed)[number])[index]["options"]
                    held[place] = {**({"option": option} if isinstance(option, str) else option), "count": many}
                    yield f"carried by {many}: {id_of(unit)} {id_of(option)}", changed
