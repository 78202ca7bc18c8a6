"""Fill a deck from a ready army's deck of the same faction."""

from collections import Counter
from collections.abc import Iterable, Iterator

from catalogue.definitions.entries import Deck
from catalogue.graph.ids import get_target_id
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.tree import Force, Selection
from roster.models import Roster
from roster.services.deck_shapes import DeckFill
from roster.services.rosters import list_starters

MOST_OFFERED = 4


def list_deck_fills(roster: Roster, force: ForceNode, deck: Deck, node: SelectionNode | None) -> Iterator[DeckFill]:
    armies = list_starters().filter(version=roster.version_id, faction_id=roster.faction_id)
    # Starters are loaded without their documents, which are needed here.
    for army in armies.defer(None)[:MOST_OFFERED]:
        other_deck = _find_deck(army.tree.forces, force.document.entry_id, deck.entry_id)
        if other_deck is None:
            continue
        has_units = _count_entries(member.document for member in force.members if member is not node)
        has_cards = _count_entries(member.document for member in node.members) if node else Counter[str]()
        units = _choose_units(has_units, other_deck)
        cards = _choose_cards(has_cards, other_deck, deck, set(has_units | units))
        if cards:
            yield DeckFill(
                name=army.name,
                force_id=force.document.id,
                entry_id=other_deck[1].entry_id,
                units=units,
                cards=cards,
                units_added=units.total() - sum(has_units[entry_id] for entry_id in units),
                cards_added=cards.total() - sum(has_cards[entry_id] for entry_id in cards),
            )


def _find_deck(forces: Iterable[Force], force_entry_id: str, deck_entry_id: str) -> tuple[Force, Selection] | None:
    for force in forces:
        for selection in force.selections:
            if force.entry_id == force_entry_id and get_target_id(selection.entry_id) == deck_entry_id:
                return force, selection
    return None


def _choose_units(has: Counter[str], of_army: tuple[Force, Selection]) -> Counter[str]:
    force, deck = of_army
    numbers = _count_entries(selection for selection in force.selections if selection is not deck)
    # Add the army's units only if the list has no others, because both together could be too many.
    if has - numbers:
        return Counter()
    return Counter({entry_id: number for entry_id, number in numbers.items() if number > has[entry_id]})


def _choose_cards(has: Counter[str], of_army: tuple[Force, Selection], deck: Deck, units: set[str]) -> Counter[str]:
    present = set(map(get_target_id, units))
    useless = {card.entry_id for card in deck.cards if card.needs and present.isdisjoint(card.needs)}
    numbers = _count_entries(of_army[1].selections)
    room = numbers.total() - has.total()
    chosen = Counter[str]()
    for entry_id, number in numbers.items():
        more = min(room, number - has[entry_id])
        if more > 0 and get_target_id(entry_id) not in useless:
            chosen[entry_id] = has[entry_id] + more
            room -= more
    return chosen


def _count_entries(selections: Iterable[Selection | None]) -> Counter[str]:
    counts = Counter[str]()
    for selection in selections:
        if selection is not None:
            counts[selection.entry_id] += selection.number
    return counts
