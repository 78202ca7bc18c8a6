from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from catalogue.graph.ruleset import Ruleset
from roster.engine import edits as engine
from roster.engine.edits import Refused
from roster.engine.evaluation import Evaluation
from roster.engine.namesakes import take_namesakes
from roster.engine.stacks import index_equal, list_equal_places, repeat_edit, set_stack_number, split_off
from roster.engine.tree import Force, RosterTree, copy_with, find_name, find_path
from roster.services import changes
from roster.services.choices import (
    choose_option,
    limit_copies,
    list_selections,
    set_option_count,
    toggle_option,
    write_card,
)
from roster.services.limits import MAX_NOTES, MAX_NUMBER, check_name, check_text, parse_amount
from roster.services.sizes import find_size_choice


@dataclass(frozen=True, slots=True)
class AppliedChange:
    tree: RosterTree
    act: str
    subject: str
    created: tuple[str, ...]
    evaluation: Evaluation | None = None


@dataclass(frozen=True, slots=True)
class EditContext:
    ruleset: Ruleset
    tree: RosterTree
    faction_id: str


def apply_change(
    ruleset: Ruleset, tree: RosterTree, change: changes.Change, faction_id: str
) -> AppliedChange | Refused:
    """Apply a change, or refuse it. Never raises."""
    if isinstance(change, changes.Describe):
        return _apply_description(ruleset, tree, change, faction_id)
    outcome = _ACTS[type(change)](EditContext(ruleset, tree, faction_id), change)
    if isinstance(outcome, Refused):
        return outcome
    act = str(change.__struct_config__.tag)
    subject = _name_subject(tree, outcome, change)
    return AppliedChange(outcome.roster, act, subject, outcome.created, outcome.evaluation)


def _apply_description(
    ruleset: Ruleset, tree: RosterTree, change: changes.Describe, faction_id: str
) -> AppliedChange | Refused:
    acts, now = [], tree
    for part in change.split_changes():
        applied = apply_change(ruleset, now, part, faction_id)
        if isinstance(applied, Refused):
            return applied
        if applied.tree != now:
            acts.append(applied.act)
        now = applied.tree
    act = acts[0] if len(acts) == 1 else "describe"
    return AppliedChange(now, act, find_name(now, change.node), ())


def _name_subject(before: RosterTree, outcome: engine.EditedRoster, change: changes.Change) -> str:
    # Removed parts are only in the list before the change.
    if outcome.created:
        return find_name(outcome.roster, outcome.created[0])
    node = getattr(change, "node", "")
    return find_name(outcome.roster, node) or find_name(before, node)


def _add_detachment(context: EditContext, change: changes.AddDetachment) -> engine.EditedRoster | Refused:
    catalogue = change.catalogue or context.faction_id
    added = engine.add_force(context.ruleset, context.tree, change.entry, catalogue, change.node)
    return added if isinstance(added, Refused) else _take_stated_size(context.ruleset, added)


def _take_stated_size(ruleset: Ruleset, added: engine.EditedRoster) -> engine.EditedRoster:
    force = find_path(added.roster, added.created[0])[-1]
    size = find_size_choice(ruleset, added.roster, force) if isinstance(force, Force) else None
    sized = choose_option(ruleset, added.roster, size.node, size.group, size.entry) if size else added
    return added if isinstance(sized, Refused) else engine.EditedRoster(roster=sized.roster, created=added.created)


def _change_detachment(context: EditContext, change: changes.ChangeDetachment) -> engine.EditedRoster | Refused:
    return engine.change_force(context.ruleset, context.tree, change.node, change.entry)


def _remove_detachment(context: EditContext, change: changes.RemoveDetachment) -> engine.EditedRoster | Refused:
    return engine.remove_force(context.tree, change.node)


def _duplicate_detachment(context: EditContext, change: changes.DuplicateDetachment) -> engine.EditedRoster | Refused:
    return engine.duplicate_force(context.ruleset, context.tree, change.node)


def _add_unit(context: EditContext, change: changes.AddUnit) -> engine.EditedRoster | Refused:
    # Remove the replaced unit first, so that limits do not count both.
    if not change.instead:
        return engine.select(context.ruleset, context.tree, change.node, change.entry)
    cleared = engine.set_number(context.ruleset, context.tree, change.instead, 0)
    if isinstance(cleared, Refused):
        return cleared
    return engine.select(context.ruleset, cleared.roster, change.node, change.entry)


def _write_card(context: EditContext, change: changes.WriteCard) -> engine.EditedRoster | Refused:
    name = check_name(change.text, subject=change.node)
    if isinstance(name, Refused):
        return name
    if not 1 <= change.number <= MAX_NUMBER:
        return Refused(code="bad-number", subject_id=change.node, measured=change.number, allowed=MAX_NUMBER)
    # Writing a known name again raises its number.
    written = write_card(context.ruleset, context.tree, change.node, change.entry, name, change.number)
    return limit_copies(context.ruleset, context.tree, written, change.node)


def _fill_deck(context: EditContext, change: changes.FillDeck) -> engine.EditedRoster | Refused:
    numbers = [*change.units.values(), *change.cards.values()]
    if wrong := next((number for number in numbers if not 0 <= number <= MAX_NUMBER), None):
        return Refused(code="bad-number", subject_id=change.entry, measured=wrong, allowed=MAX_NUMBER)
    begun = _set_counts(context, context.tree, change.node, change.units | {change.entry: 1})
    if isinstance(begun, Refused):
        return begun
    deck_id = list_selections(begun.roster, change.node, change.entry)[0].id
    filled = _set_counts(context, begun.roster, deck_id, change.cards)
    return limit_copies(context.ruleset, begun.roster, filled, deck_id)


def _set_counts(
    context: EditContext, tree: RosterTree, container_id: str, counts: Mapping[str, int]
) -> engine.EditedRoster | Refused:
    for entry_id, number in counts.items():
        counted = set_option_count(context.ruleset, tree, container_id, entry_id, number)
        if isinstance(counted, Refused):
            return counted
        tree = counted.roster
    return engine.EditedRoster(roster=tree)


def _remove_selection(context: EditContext, change: changes.Remove) -> engine.EditedRoster | Refused:
    if change.stack:
        return set_stack_number(context.ruleset, context.tree, change.node, 0, change.apart)
    removed = engine.set_number(context.ruleset, context.tree, change.node, 0)
    for node_id in change.more.split():
        if isinstance(removed, Refused):
            return removed
        removed = engine.set_number(context.ruleset, removed.roster, node_id, 0)
    return removed


def _take_namesake(context: EditContext, change: changes.TakeNamesake) -> engine.EditedRoster | Refused:
    tree, namesakes = take_namesakes(context.ruleset, context.tree, change.node)
    if not namesakes:
        return Refused(code="no-namesake", subject_id=change.node)
    return engine.EditedRoster(roster=tree, created=tuple(namesake.selection_id for namesake in namesakes))


def _duplicate_unit(context: EditContext, change: changes.DuplicateUnit) -> engine.EditedRoster | Refused:
    return engine.duplicate_selection(context.ruleset, context.tree, change.node)


def _set_number(context: EditContext, change: changes.SetNumber) -> engine.EditedRoster | Refused:
    if not 0 <= change.number <= MAX_NUMBER:
        return Refused(code="bad-number", subject_id=change.node, measured=change.number, allowed=MAX_NUMBER)
    ruleset, tree = context.ruleset, context.tree
    if change.entry:
        counted = set_option_count(ruleset, tree, change.node, change.entry, change.number)
        counted = _repeat_in_stack(context, change, counted)
    elif change.stack:
        counted = set_stack_number(ruleset, tree, change.node, change.number, change.apart)
    else:
        counted = engine.set_number(ruleset, tree, change.node, change.number)
    return limit_copies(ruleset, tree, counted, change.node)


def _split_off(context: EditContext, change: changes.SplitOff) -> engine.EditedRoster | Refused:
    return split_off(context.tree, change.node)


def _choose_option(context: EditContext, change: changes.Choose) -> engine.EditedRoster | Refused:
    chosen = choose_option(context.ruleset, context.tree, change.node, change.group, change.entry)
    return _repeat_in_stack(context, change, chosen)


def _toggle_option(context: EditContext, change: changes.Toggle) -> engine.EditedRoster | Refused:
    toggled = toggle_option(context.ruleset, context.tree, change.node, change.entry, change.on)
    return _repeat_in_stack(context, change, toggled)


def _repeat_in_stack(
    context: EditContext,
    change: changes.Choose | changes.Toggle | changes.SetNumber,
    outcome: engine.EditedRoster | Refused,
) -> engine.EditedRoster | Refused:
    if isinstance(outcome, Refused) or not change.stack:
        return outcome
    keys = index_equal(context.tree, change.apart)
    places = list_equal_places(context.tree, change.node, keys)
    repeated = repeat_edit(context.tree, outcome, change.node, places, keys)
    return engine.drop_hidden_picks(context.ruleset, repeated.roster, repeated.created)


def _rename_node(context: EditContext, change: changes.Rename) -> engine.EditedRoster | Refused:
    name = check_name(change.text, subject=change.node)
    if isinstance(name, Refused):
        return name
    return engine.set_texts(context.tree, change.node, custom_name=name)


def _set_notes(context: EditContext, change: changes.SetNotes) -> engine.EditedRoster | Refused:
    notes = check_text(change.text, MAX_NOTES, lines=True, subject=change.node)
    if isinstance(notes, Refused):
        return notes
    return engine.set_texts(context.tree, change.node, notes=notes, category_id=change.category)


def _set_event_details(context: EditContext, change: changes.SetEventDetails) -> engine.EditedRoster | Refused:
    tree = context.tree
    player = check_name(tree.player if change.player is None else change.player)
    event = check_name(tree.event if change.event is None else change.event)
    if isinstance(player, Refused):
        return player
    if isinstance(event, Refused):
        return event
    return engine.EditedRoster(roster=copy_with(tree, player=player, event=event))


def _declare_leader(context: EditContext, change: changes.DeclareLeader) -> engine.EditedRoster | Refused:
    path = find_path(context.tree, change.node)
    force_id = path[-2].id if len(path) > 1 and isinstance(path[-2], Force) else ""
    return engine.declare_leader(context.tree, force_id, change.node if change.on else "")


def _attach_selection(context: EditContext, change: changes.Attach) -> engine.EditedRoster | Refused:
    if not change.to:
        return engine.detach(context.tree, change.node, change.association)
    return engine.attach(context.ruleset, context.tree, change.node, change.association, change.to)


def _detach_selection(context: EditContext, change: changes.Detach) -> engine.EditedRoster | Refused:
    return engine.detach(context.tree, change.node, change.association, change.to)


def _set_rules(context: EditContext, change: changes.SetRules) -> engine.EditedRoster | Refused:
    return engine.EditedRoster(roster=copy_with(context.tree, overlay=change.rules))


def _set_homebrew(context: EditContext, change: changes.SetHomebrew) -> engine.EditedRoster | Refused:
    return engine.EditedRoster(roster=copy_with(context.tree, homebrew=change.homebrew))


def _set_limit(context: EditContext, change: changes.SetLimit) -> engine.EditedRoster | Refused:
    amount = parse_amount(change.value, subject=change.type)
    if isinstance(amount, Refused):
        return amount
    return engine.set_limit(context.ruleset, context.tree, change.type, amount)


def _move_node(context: EditContext, change: changes.Move) -> engine.EditedRoster | Refused:
    return engine.move(context.tree, change.node, change.position)


_ACTS: dict[type, Callable[[EditContext, Any], engine.EditedRoster | Refused]] = {
    changes.AddDetachment: _add_detachment,
    changes.ChangeDetachment: _change_detachment,
    changes.RemoveDetachment: _remove_detachment,
    changes.DuplicateDetachment: _duplicate_detachment,
    changes.AddUnit: _add_unit,
    changes.Remove: _remove_selection,
    changes.TakeNamesake: _take_namesake,
    changes.DuplicateUnit: _duplicate_unit,
    changes.SetNumber: _set_number,
    changes.SplitOff: _split_off,
    changes.WriteCard: _write_card,
    changes.FillDeck: _fill_deck,
    changes.Choose: _choose_option,
    changes.Toggle: _toggle_option,
    changes.Rename: _rename_node,
    changes.SetNotes: _set_notes,
    changes.SetEventDetails: _set_event_details,
    changes.DeclareLeader: _declare_leader,
    changes.Attach: _attach_selection,
    changes.Detach: _detach_selection,
    changes.SetLimit: _set_limit,
    changes.SetRules: _set_rules,
    changes.SetHomebrew: _set_homebrew,
    changes.Move: _move_node,
}
