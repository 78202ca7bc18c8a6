"""Fill a deck from the deck of a ready army of the same faction."""

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
    """List the ready armies whose decks would put cards into this one; `node` is the deck, None before it is begun."""
    armies = list_starters().filter(version=roster.version_id, faction_id=roster.faction_id)
    # Starters are listed without their documents, which are what is asked for here.
    for army in armies.defer(None)[:MOST_OFFERED]:
        other_deck = _find_deck(army.tree.forces, force.document.entry_id, deck.entry_id)
        if other_deck is None:
            continue
        has_units, has_cards = _count_present(force, node)
        units = _choose_units(has_units, other_deck)
        cards = _choose_cards(has_cards, other_deck, deck, set(has_units | units))
        if cards:
            yield DeckFill(
                name=army.name,
                force_id=force.document.id,
                entry_id=other_deck[1].entry_id,
                units=units,
                cards=cards,
                units_added=_count_added(units, has_units),
                cards_added=_count_added(cards, has_cards),
            )


def _count_present(force: ForceNode, node: SelectionNode | None) -> tuple[Counter[str], Counter[str]]:
    """Return how many of each unit there are beside a deck, and how many of each card in it."""
    # The deck stands among the units of its force and is none of them.
    units = _count_entries(member.document for member in force.members if member is not node)
    return units, _count_entries(member.document for member in node.members) if node else Counter[str]()


def _count_added(wanted: Counter[str], there: Counter[str]) -> int:
    """Return how many more there would be; `wanted` includes what is there of the same entries."""
    return wanted.total() - sum(there[entry_id] for entry_id in wanted)


def _find_deck(forces: Iterable[Force], force_entry_id: str, deck_entry_id: str) -> tuple[Force, Selection] | None:
    """Return the deck of an army with the detachment it is in, which is to be of the same kind."""
    for force in forces:
        for selection in force.selections:
            if force.entry_id == force_entry_id and get_target_id(selection.entry_id) == deck_entry_id:
                return force, selection
    return None


def _choose_units(has: Counter[str], of_army: tuple[Force, Selection]) -> Counter[str]:
    """Return how many of each unit of an army a list is to have, those that it has already left out."""
    force, deck = of_army
    wanted = _count_entries(selection for selection in force.selections if selection is not deck)
    # Only a list without other units takes in those of the army: together they could be too many.
    if has - wanted:
        return Counter()
    return Counter({entry_id: number for entry_id, number in wanted.items() if number > has[entry_id]})


def _choose_cards(has: Counter[str], of_army: tuple[Force, Selection], deck: Deck, units: set[str]) -> Counter[str]:
    """Return how many of each card the deck is to have, so that it gets no larger than that of the army."""
    useless = _list_useless_cards(deck, units)
    wanted = _count_entries(of_army[1].selections)
    room = wanted.total() - has.total()
    chosen = Counter[str]()
    for entry_id, number in wanted.items():
        more = min(room, number - has[entry_id])
        if more > 0 and get_target_id(entry_id) not in useless:
            chosen[entry_id] = has[entry_id] + more
            room -= more
    return chosen


def _list_useless_cards(deck: Deck, units: set[str]) -> set[str]:
    """List the cards that need a unit of which there is none."""
    present = set(map(get_target_id, units))
    return {card.entry_id for card in deck.cards if card.needs and present.isdisjoint(card.needs)}


def _count_entries(selections: Iterable[Selection | None]) -> Counter[str]:
    counts = Counter[str]()
    for selection in selections:
        if selection is not None:
            counts[selection.entry_id] += selection.number
    return counts
