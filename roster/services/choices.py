"""Radio buttons, ticks, numbers and cards, each one change."""

from collections import Counter
from collections.abc import Iterable

from catalogue.graph.declared import find_copies_allowed
from catalogue.graph.ids import compose_id, get_target_id, has_final_id, strip_link_prefix
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits as engine
from roster.engine.edits import EditedRoster, Refused
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.stacks import MAX_SEPARATE
from roster.engine.tree import RosterTree, Selection, find_node, find_path


def list_selections(roster: RosterTree, container_id: str, entry_id: str) -> tuple[Selection, ...]:
    container = find_node(roster, container_id)
    if container is None:
        return ()
    return tuple(s for s in container.selections if has_final_id(s.entry_id, entry_id))


def set_option_count(
    ruleset: Ruleset, roster: RosterTree, container_id: str, entry_id: str, number: int
) -> EditedRoster | Refused:
    have = sum(s.number for s in list_selections(roster, container_id, entry_id))
    if number >= have:
        return _add_options(ruleset, roster, container_id, entry_id, number - have)
    return _remove_options(ruleset, roster, container_id, entry_id, have - number)


def _add_options(
    ruleset: Ruleset, roster: RosterTree, container_id: str, entry_id: str, missing: int
) -> EditedRoster | Refused:
    edited = EditedRoster(roster=roster)
    created: tuple[str, ...] = ()
    for step in range(missing):
        # Each is an edit: a mistyped number must not start thousands.
        if step == MAX_SEPARATE:
            return Refused(code="bad-number", subject_id=entry_id, measured=missing, allowed=MAX_SEPARATE)
        before = {s.id: s.number for s in list_selections(edited.roster, container_id, entry_id)}
        outcome = engine.select(ruleset, edited.roster, container_id, entry_id)
        if isinstance(outcome, Refused):
            return outcome
        edited = EditedRoster(roster=outcome.roster, created=created + outcome.created)
        created = edited.created
        # The engine raised an equal selection; the rest is one change of its number.
        for selection in list_selections(edited.roster, container_id, entry_id):
            if selection.number > before.get(selection.id, selection.number):
                number = selection.number + missing - step - 1
                raised = engine.set_number(ruleset, edited.roster, selection.id, number)
                return raised if isinstance(raised, Refused) else EditedRoster(roster=raised.roster, created=created)
    return edited


def _remove_options(
    ruleset: Ruleset, roster: RosterTree, container_id: str, entry_id: str, surplus: int
) -> EditedRoster | Refused:
    edited = EditedRoster(roster=roster)
    # Remove the newest first, keeping what was configured first.
    for selection in reversed(list_selections(roster, container_id, entry_id)):
        less = min(surplus, selection.number)
        outcome = engine.set_number(ruleset, edited.roster, selection.id, selection.number - less)
        if isinstance(outcome, Refused):
            return outcome
        edited, surplus = outcome, surplus - less
        if not surplus:
            break
    return EditedRoster(roster=edited.roster)


def toggle_option(
    ruleset: Ruleset, roster: RosterTree, container_id: str, entry_id: str, on: bool | None
) -> EditedRoster | Refused:
    """Take an entry if `on` is True, drop it if False, and switch it if None."""
    here = list_selections(roster, container_id, entry_id)
    # An outdated page sends its direction, so repeating it changes nothing.
    is_on = not here if on is None else on
    if is_on:
        return EditedRoster(roster=roster) if here else engine.select(ruleset, roster, container_id, entry_id)
    if here:
        return set_option_count(ruleset, roster, container_id, entry_id, 0)
    # Nothing to drop: try it to get the refusal.
    tried = engine.select(ruleset, roster, container_id, entry_id)
    return tried if isinstance(tried, Refused) else EditedRoster(roster=roster)


def choose_option(
    ruleset: Ruleset, roster: RosterTree, container_id: str, group_id: str, entry_id: str
) -> EditedRoster | Refused:
    """Take one entry of a group instead of the others, or none if `entry_id` is ""."""
    evaluation = Evaluation(ruleset, roster)
    container = evaluation.find_container(container_id)
    if container is None:
        return Refused(code="unknown-node", subject_id=container_id)
    groups = container.contents.groups if container.contents else ()
    group = next((group for group in groups if compose_id(container.start, group) == group_id), None)
    if group is None:
        return Refused(code="unknown-group", subject_id=group_id)
    chosen = next((option for option in group.options if compose_id(container.start, option) == entry_id), None)
    if entry_id and chosen is None:
        return Refused(code="unknown-entry", subject_id=entry_id)
    members = [member for member in container.members if member.option and group in member.option.groups]

    # A full group would refuse another selection.
    tree = roster
    for member in members:
        if member.option is chosen or member.document is None:
            continue
        dropped = engine.set_number(ruleset, tree, member.document.id, 0)
        if isinstance(dropped, Refused):
            return dropped
        tree = dropped.roster
    if chosen is None or any(member.option is chosen for member in members):
        return EditedRoster(roster=tree)
    return engine.select(ruleset, tree, container_id, entry_id)


def limit_copies(
    ruleset: Ruleset, before: RosterTree, outcome: EditedRoster | Refused, node_id: str
) -> EditedRoster | Refused:
    deck = _find_deck(ruleset, before, node_id)
    if deck is None or isinstance(outcome, Refused):
        return outcome
    # Keep a reference: an evaluation takes its nodes apart when it is deleted.
    evaluation = Evaluation(ruleset, outcome.roster)
    container = evaluation.find_container(deck.id)
    if container is None:
        return outcome

    most: dict[str, int] = {}
    for node in container.members:
        allowed = get_allowed_copies(node)
        if node.document is not None and allowed is not None:
            key = _get_card_key(node.document)
            most[key] = min(allowed, most.get(key, allowed))
    had = _count_copies(deck.selections)
    has = _count_copies(node.document for node in container.members if node.document)
    for key, allowed in most.items():
        # An imported list may keep its surplus copies or reduce them step by step.
        if has[key] > max(allowed, had[key]):
            return Refused(code="too-many-copies", subject_id=node_id, measured=has[key], allowed=allowed)
    return outcome


def _count_copies(cards: Iterable[Selection]) -> Counter[str]:
    copies = Counter[str]()
    for card in cards:
        copies[_get_card_key(card)] += card.number
    return copies


def fold_card_name(name: str) -> str:
    """Fold case and spaces: cards with equal folded names are copies."""
    return " ".join(name.casefold().split())


def _find_deck(ruleset: Ruleset, roster: RosterTree, node_id: str) -> Selection | None:
    decks = {deck.entry_id for catalogue in ruleset.data.catalogues for deck in catalogue.decks}
    if not decks:
        return None
    around = (node for node in find_path(roster, node_id) if isinstance(node, Selection))
    return next((node for node in around if get_target_id(node.entry_id) in decks), None)


def _get_card_key(card: Selection) -> str:
    return fold_card_name(card.custom_name) or card.entry_id


def get_allowed_copies(node: SelectionNode) -> int | None:
    if node.option is None:
        return None
    is_named = node.document is not None and bool(node.document.custom_name)
    if node.option.entry.target.copies is not None and not is_named:
        return None  # copies are counted by name, and it has none yet
    return find_copies_allowed(node.option.entry)


def write_card(
    ruleset: Ruleset, roster: RosterTree, deck_id: str, entry_id: str, name: str, number: int
) -> EditedRoster | Refused:
    if not name:
        return Refused(code="no-name", subject_id=deck_id)
    evaluation = Evaluation(ruleset, roster)
    deck = evaluation.find_container(deck_id)
    option = deck.contents.find_option(strip_link_prefix(deck.start, entry_id)) if deck and deck.contents else None
    # Only some entries are cards that owners name.
    if option is None or option.entry.target.copies is None:
        return Refused(code="unknown-entry", subject_id=entry_id)
    for card in list_selections(roster, deck_id, entry_id):
        if fold_card_name(card.custom_name) == fold_card_name(name):
            return engine.set_number(ruleset, roster, card.id, card.number + number)
    return _add_named_card(ruleset, roster, deck_id, entry_id, name, number)


def _add_named_card(
    ruleset: Ruleset, roster: RosterTree, deck_id: str, entry_id: str, name: str, number: int
) -> EditedRoster | Refused:
    added = engine.select(ruleset, roster, deck_id, entry_id)
    if isinstance(added, Refused):
        return added
    named = engine.set_texts(added.roster, added.created[0], custom_name=name)
    if isinstance(named, Refused):
        return named
    counted = engine.set_number(ruleset, named.roster, added.created[0], number)
    if isinstance(counted, Refused):
        return counted
    return EditedRoster(roster=counted.roster, created=added.created)
