"""More single changes for lists of The Edge: Dawnfall."""

from collections.abc import Iterator

from catalogue.formats.packs.syntax.scalars import make_id
from tests.second_reading.mutations import Change, copy_of
from tests.second_reading.reading import Document, Figures, count_of, detachments_of, id_of, parts_of, units_of


def changes(document: Document, figures: Figures) -> Iterator[Change]:
    yield from _exchange_units(document, figures)
    yield from _leave_squads_at_home(document, figures)
    yield from _exchange_cards(document, figures)
    yield from _invite_others(document, figures)


def _exchange_units(document: Document, figures: Figures) -> Iterator[Change]:
    """Replace each squad, banner, shrine and deployment card by every other one."""
    for number, detachment in enumerate(detachments_of(document)):
        faction = detachment.get("catalogue", document["faction"])
        for index, unit in enumerate(units_of(detachment)):
            for kind in figures.categories(id_of(unit)) & {"squad", "banner", "shrine", "deployment"}:
                for other in figures.units[faction]:
                    if kind in figures.categories(other) and other != id_of(unit):
                        changed = copy_of(document)
                        units_of(detachments_of(changed)[number])[index] = _at_full_strength(other, figures)
                        yield f"another {kind}: {id_of(unit)} {other}", changed


def _leave_squads_at_home(document: Document, figures: Figures) -> Iterator[Change]:
    """Remove all squads, and all but the first."""
    for left in (0, 1):
        changed = copy_of(document)
        for detachment in detachments_of(changed):
            squads = [unit for unit in units_of(detachment) if "squad" in figures.categories(id_of(unit))]
            detachment["units"] = [unit for unit in units_of(detachment) if unit not in squads[left:]]
        yield f"squads at home: all but {left}", changed


def _at_full_strength(unit_id: str, figures: Figures) -> Document:
    models = figures.written[figures.name(unit_id)].get("models", ())
    options = [{"option": f"{unit_id}/{make_id(m['model'])}", "count": m["count"]} for m in models]
    return {"unit": unit_id, "options": options}


def _exchange_cards(document: Document, figures: Figures) -> Iterator[Change]:
    """Replace other cards of the deck by all copies of each card, and by one more."""
    for number, detachment in enumerate(detachments_of(document)):
        for index, unit in enumerate(units_of(detachment)):
            entry = figures.entry(id_of(unit))
            for card in entry.entries if entry else ():
                for copies in (0, 1) if figures.printed_card(card.id) else ():
                    target = figures.printed_card(card.id)["copies"] + copies
                    changed = copy_of(document)
                    deck = units_of(detachments_of(changed)[number])[index]
                    deck["options"] = [*_fewer(deck, card.id, target), {"option": card.id, "count": target}]
                    yield f"copies: {card.id} {target}", changed


def _fewer(deck: Document, card_id: str, number: int) -> Iterator[Document]:
    """Yield the deck's other cards, reduced by the number that one card gains."""
    surplus = number - sum(count_of(option) for option in parts_of(deck) if id_of(option) == card_id)
    for option in parts_of(deck):
        if id_of(option) != card_id:
            left = max(0, count_of(option) - max(0, surplus))
            surplus -= count_of(option) - left
            if left:
                yield {"option": id_of(option), "count": left}


def _invite_others(document: Document, figures: Figures) -> Iterator[Change]:
    """Play each kind of list in each mode with zero to four others, as opponents and as partners."""
    factions = [faction for faction in figures.units if faction != document["faction"]]
    missions = [mission.id for mission in figures.data.game_system.missions]
    kinds = [force.id for catalogue in figures.data.catalogues for force in catalogue.forces]
    for mission in missions:
        for others in range(5):
            for partners in range(min(others, 2) + 1):
                for kind in kinds:
                    changed = copy_of(document)
                    for detachment in detachments_of(changed):
                        detachment["detachment"] = kind
                    changed["plan"] = {
                        "mission": mission,
                        "opponents": factions[partners:others],
                        "allies": factions[:partners],
                    }
                    yield f"at the table: {kind}, {mission}, {others} others, {partners} partners", changed
    for faction in figures.units:
        for key in ("opponents", "allies"):
            changed = copy_of(document)
            changed.setdefault("plan", {}).setdefault(key, []).append(faction)
            yield f"one {key} more: {faction}", changed
