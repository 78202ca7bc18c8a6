"""Cards whose names the owner of a list writes."""

from catalogue.graph.ids import strip_link_prefix
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits as engine
from roster.engine.edits import Edited, Refused
from roster.engine.evaluation import Evaluation
from roster.engine.tree import Roster
from roster.services.choices import list_selections
from roster.services.deck_copies import folded_name


def write_card(
    ruleset: Ruleset, roster: Roster, deck_id: str, entry_id: str, name: str, number: int
) -> Edited | Refused:
    """Put `number` copies more of a card of that name and kind into a deck."""
    if not name:
        return Refused(code="no-name", subject_id=deck_id)
    if not _is_written(ruleset, roster, deck_id, entry_id):
        return Refused(code="unknown-entry", subject_id=entry_id)
    alike = (
        s
        for s in list_selections(roster, deck_id, entry_id)
        if folded_name(s.custom_name) == folded_name(name)
    )
    same = next(alike, None)
    if same is not None:
        return engine.set_number(ruleset, roster, same.id, same.number + number)
    added = engine.select(ruleset, roster, deck_id, entry_id)
    if isinstance(added, Refused):
        return added
    named = engine.customise(added.roster, added.created[0], custom_name=name)
    if isinstance(named, Refused):
        return named
    counted = engine.set_number(ruleset, named.roster, added.created[0], number)
    return counted if isinstance(counted, Refused) else Edited(roster=counted.roster, created=added.created)


def _is_written(ruleset: Ruleset, roster: Roster, deck_id: str, entry_id: str) -> bool:
    """Whether an entry stands for cards that owners name."""
    deck = Evaluation(ruleset, roster).container(deck_id)
    option = (
        deck.layout.find_option(strip_link_prefix(deck.start, entry_id)) if deck and deck.layout else None
    )
    return option is not None and option.entry.target.copies is not None
