"""The cards of a deck: those whose names the owner writes, and how many copies of one the rules allow.

A list that was read in may hold more. It is shown and judged as it is, and may be brought down step by step.
"""

from collections import Counter

from catalogue.graph.ids import get_target_id, strip_link_prefix
from catalogue.graph.limits import find_copies_allowed
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits as engine
from roster.engine.document_paths import find_path
from roster.engine.edits import EditedRoster, Refused
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.tree import RosterTree, Selection
from roster.services.choices import list_selections


def limit_copies(
    ruleset: Ruleset, before: RosterTree, outcome: EditedRoster | Refused, node_id: str
) -> EditedRoster | Refused:
    """Return the outcome of a change to a deck, or `too-many-copies`; other changes pass unchanged."""
    deck = _find_deck(ruleset, before, node_id)
    if deck is None or isinstance(outcome, Refused):
        return outcome
    had = Counter[str]()
    for card in deck.selections:
        had[_get_card_key(card)] += card.number
    container = Evaluation(ruleset, outcome.roster).find_container(deck.id)
    has, most = Counter[str](), dict[str, int]()
    for node in container.members if container else ():
        if node.document is not None:
            key, allowed = _get_card_key(node.document), get_allowed_copies(node)
            has[key] += node.number
            if allowed is not None:
                most[key] = min(allowed, most.get(key, allowed))
    for key, allowed in most.items():
        # A list that was read with too many copies may keep them, or come down step by step.
        if has[key] > max(allowed, had[key]):
            return Refused(code="too-many-copies", subject_id=node_id, measured=has[key], allowed=allowed)
    return outcome


def fold_card_name(name: str) -> str:
    """Fold case and blanks of a name: cards with the same result are copies of one card."""
    return " ".join(name.casefold().split())


def _find_deck(ruleset: Ruleset, roster: RosterTree, node_id: str) -> Selection | None:
    """Return the deck that a node is or is in."""
    decks = {deck.entry_id for catalogue in ruleset.data.catalogues for deck in catalogue.decks}
    if not decks:
        return None
    around = (node for node in find_path(roster, node_id) if isinstance(node, Selection))
    return next((node for node in around if get_target_id(node.entry_id) in decks), None)


def _get_card_key(card: Selection) -> str:
    return fold_card_name(card.custom_name) or card.entry_id


def get_allowed_copies(node: SelectionNode) -> int | None:
    """Return how many copies of a card the rules allow, None for any number."""
    if node.option is None:
        return None
    is_named = node.document is not None and bool(node.document.custom_name)
    if node.option.entry.target.copies is not None and not is_named:
        return None  # copies are counted by name, and it has none yet
    return find_copies_allowed(node.option.entry)


def write_card(
    ruleset: Ruleset, roster: RosterTree, deck_id: str, entry_id: str, name: str, number: int
) -> EditedRoster | Refused:
    """Put `number` copies more of a card of that name and kind into a deck."""
    if not name:
        return Refused(code="no-name", subject_id=deck_id)
    if not _is_written(ruleset, roster, deck_id, entry_id):
        return Refused(code="unknown-entry", subject_id=entry_id)
    alike = (
        s
        for s in list_selections(roster, deck_id, entry_id)
        if fold_card_name(s.custom_name) == fold_card_name(name)
    )
    same = next(alike, None)
    if same is not None:
        return engine.set_number(ruleset, roster, same.id, same.number + number)
    added = engine.select(ruleset, roster, deck_id, entry_id)
    if isinstance(added, Refused):
        return added
    named = engine.set_texts(added.roster, added.created[0], custom_name=name)
    if isinstance(named, Refused):
        return named
    counted = engine.set_number(ruleset, named.roster, added.created[0], number)
    return (
        counted
        if isinstance(counted, Refused)
        else EditedRoster(roster=counted.roster, created=added.created)
    )


def _is_written(ruleset: Ruleset, roster: RosterTree, deck_id: str, entry_id: str) -> bool:
    """Return whether an entry stands for cards that owners name."""
    deck = Evaluation(ruleset, roster).find_container(deck_id)
    option = (
        deck.contents.find_option(strip_link_prefix(deck.start, entry_id)) if deck and deck.contents else None
    )
    return option is not None and option.entry.target.copies is not None
