"""One change, carried out by the engine on a list in memory. Nothing here reads or writes the database."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from roster.engine import edits as engine
from roster.engine.compile import Ruleset
from roster.engine.edits import Refused
from roster.engine.paths import path_to
from roster.engine.tree import Force, changed
from roster.engine.tree import Roster as Tree
from roster.services import changes
from roster.services.choices import bring_to, choose, toggle
from roster.services.deck_copies import fitting_copies
from roster.services.limits import MAX_NOTES, MAX_NUMBER, checked_amount, checked_name, checked_text
from roster.services.named_cards import write_card
from roster.services.tree_lookup import name_of


@dataclass(frozen=True, slots=True)
class Applied:
    """The list after a change; `act` and `subject` are what the history says of it."""

    tree: Tree
    act: str
    subject: str
    created: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Desk:
    """What a change is made with."""

    ruleset: Ruleset
    tree: Tree
    faction_id: str


def apply_change(ruleset: Ruleset, tree: Tree, change: changes.Change, faction_id: str) -> Applied | Refused:
    """The list after `change`, or why it cannot be made. Never raises, whatever the change says."""
    if isinstance(change, changes.Describe):
        return _describe(ruleset, tree, change, faction_id)
    outcome = _ACTS[type(change)](Desk(ruleset, tree, faction_id), change)
    if isinstance(outcome, Refused):
        return outcome
    act = str(change.__struct_config__.tag)
    return Applied(outcome.roster, act, _subject(tree, outcome, change), outcome.created)


def _describe(ruleset: Ruleset, tree: Tree, change: changes.Describe, faction_id: str) -> Applied | Refused:
    """All of it or nothing; the history says what of it changed something, where that is one thing."""
    acts, now = [], tree
    for part in change.parts():
        applied = apply_change(ruleset, now, part, faction_id)
        if isinstance(applied, Refused):
            return applied
        if applied.tree != now:
            acts.append(applied.act)
        now = applied.tree
    act = acts[0] if len(acts) == 1 else "describe"
    return Applied(now, act, name_of(now, change.node), ())


def _subject(before: Tree, outcome: engine.Edited, change: changes.Change) -> str:
    if outcome.created:
        return name_of(outcome.roster, outcome.created[0])
    node = getattr(change, "node", "")
    return name_of(outcome.roster, node) or name_of(before, node)


def _add_detachment(desk: Desk, change: changes.AddDetachment) -> engine.Edited | Refused:
    catalogue = change.catalogue or desk.faction_id
    return engine.add_force(desk.ruleset, desk.tree, change.entry, catalogue, change.node)


def _change_detachment(desk: Desk, change: changes.ChangeDetachment) -> engine.Edited | Refused:
    return engine.change_force(desk.ruleset, desk.tree, change.node, change.entry)


def _remove_detachment(desk: Desk, change: changes.RemoveDetachment) -> engine.Edited | Refused:
    return engine.remove_force(desk.tree, change.node)


def _duplicate_detachment(desk: Desk, change: changes.DuplicateDetachment) -> engine.Edited | Refused:
    return engine.duplicate_force(desk.ruleset, desk.tree, change.node)


def _add_unit(desk: Desk, change: changes.AddUnit) -> engine.Edited | Refused:
    if not change.instead:
        return engine.select(desk.ruleset, desk.tree, change.node, change.entry)
    cleared = engine.set_number(desk.ruleset, desk.tree, change.instead, 0)
    if isinstance(cleared, Refused):
        return cleared
    return engine.select(desk.ruleset, cleared.roster, change.node, change.entry)


def _write_card(desk: Desk, change: changes.WriteCard) -> engine.Edited | Refused:
    name = checked_name(change.text, subject=change.node)
    if isinstance(name, Refused):
        return name
    if not 1 <= change.number <= MAX_NUMBER:
        return Refused(code="bad-number", subject_id=change.node, measured=change.number, allowed=MAX_NUMBER)
    written = write_card(desk.ruleset, desk.tree, change.node, change.entry, name, change.number)
    return fitting_copies(desk.ruleset, desk.tree, written, change.node)


def _remove(desk: Desk, change: changes.Remove) -> engine.Edited | Refused:
    return engine.set_number(desk.ruleset, desk.tree, change.node, 0)


def _duplicate_unit(desk: Desk, change: changes.DuplicateUnit) -> engine.Edited | Refused:
    return engine.duplicate_selection(desk.ruleset, desk.tree, change.node)


def _set_number(desk: Desk, change: changes.SetNumber) -> engine.Edited | Refused:
    if not 0 <= change.number <= MAX_NUMBER:
        return Refused(code="bad-number", subject_id=change.node, measured=change.number, allowed=MAX_NUMBER)
    counted = (
        bring_to(desk.ruleset, desk.tree, change.node, change.entry, change.number)
        if change.entry
        else engine.set_number(desk.ruleset, desk.tree, change.node, change.number)
    )
    return fitting_copies(desk.ruleset, desk.tree, counted, change.node)


def _choose(desk: Desk, change: changes.Choose) -> engine.Edited | Refused:
    return choose(desk.ruleset, desk.tree, change.node, change.group, change.entry)


def _toggle(desk: Desk, change: changes.Toggle) -> engine.Edited | Refused:
    return toggle(desk.ruleset, desk.tree, change.node, change.entry, change.on)


def _rename(desk: Desk, change: changes.Rename) -> engine.Edited | Refused:
    name = checked_name(change.text, subject=change.node)
    if isinstance(name, Refused):
        return name
    return engine.customise(desk.tree, change.node, custom_name=name)


def _notes(desk: Desk, change: changes.Notes) -> engine.Edited | Refused:
    notes = checked_text(change.text, MAX_NOTES, lines=True, subject=change.node)
    if isinstance(notes, Refused):
        return notes
    return engine.customise(desk.tree, change.node, notes=notes, category_id=change.category)


def _occasion(desk: Desk, change: changes.Occasion) -> engine.Edited | Refused:
    tree = desk.tree
    player = checked_name(tree.player if change.player is None else change.player)
    event = checked_name(tree.event if change.event is None else change.event)
    if isinstance(player, Refused):
        return player
    if isinstance(event, Refused):
        return event
    return engine.Edited(roster=changed(tree, player=player, event=event))


def _leader(desk: Desk, change: changes.Leader) -> engine.Edited | Refused:
    path = path_to(desk.tree, change.node)
    force_id = path[-2].id if len(path) > 1 and isinstance(path[-2], Force) else ""
    return engine.declare_leader(desk.tree, force_id, change.node if change.on else "")


def _set_rules(desk: Desk, change: changes.SetRules) -> engine.Edited | Refused:
    """Whether there are such rules is known before; the list only says which."""
    return engine.Edited(roster=changed(desk.tree, overlay=change.rules))


def _set_limit(desk: Desk, change: changes.SetLimit) -> engine.Edited | Refused:
    amount = checked_amount(change.value, subject=change.type)
    if isinstance(amount, Refused):
        return amount
    return engine.set_limit(desk.ruleset, desk.tree, change.type, amount)


def _move(desk: Desk, change: changes.Move) -> engine.Edited | Refused:
    return engine.move(desk.tree, change.node, change.position)


_ACTS: dict[type, Callable[[Desk, Any], engine.Edited | Refused]] = {
    changes.AddDetachment: _add_detachment,
    changes.ChangeDetachment: _change_detachment,
    changes.RemoveDetachment: _remove_detachment,
    changes.DuplicateDetachment: _duplicate_detachment,
    changes.AddUnit: _add_unit,
    changes.Remove: _remove,
    changes.DuplicateUnit: _duplicate_unit,
    changes.SetNumber: _set_number,
    changes.WriteCard: _write_card,
    changes.Choose: _choose,
    changes.Toggle: _toggle,
    changes.Rename: _rename,
    changes.Notes: _notes,
    changes.Occasion: _occasion,
    changes.Leader: _leader,
    changes.SetLimit: _set_limit,
    changes.SetRules: _set_rules,
    changes.Move: _move,
}
