"""Reuse an earlier evaluation's results for unchanged parts. `docs/adr/0039-judging-on.md` says why this is safe."""

from collections.abc import Hashable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from catalogue.graph.compiled_constraints import iterate_queries
from roster.engine.effects import CATEGORY, list_all_sources
from roster.engine.evaluation import Evaluation
from roster.engine.footprints import Ask, Footprint, Question
from roster.engine.nodes import Container, ForceNode, Node, RosterNode, SelectionNode, SlotNode
from roster.engine.scopes import walk_outward


def take_over(evaluation: Evaluation, before: Evaluation) -> None:
    """Reuse rows and clean verdicts of forces and units unchanged since `before`, which must have a report with its
    tree.
    """
    if _are_comparable(evaluation, before):
        comparison = _Comparison(evaluation, before)
        comparison.take_over_force_offers(evaluation.roster, before.roster)
        for force in evaluation.roster.all_forces:
            comparison.take_over_force(force)


def _are_comparable(evaluation: Evaluation, before: Evaluation) -> bool:
    """Compare everything that footprints do not record."""
    new, old = evaluation.roster.document, before.roster.document
    is_same = (
        evaluation.ruleset is before.ruleset
        and (new.limits, new.of, new.origin) == (old.limits, old.of, old.origin)
        and evaluation.plan is None
        and before.plan is None
        # A commander depends on the whole list.
        and evaluation.ruleset.command_id is None
    )
    if not is_same:
        return False
    changing = [cost_type for cost_type in evaluation.ruleset.binding.cost_types.values() if cost_type.modifiers]
    return all(map(_has_plain_units, (evaluation, before))) and all(
        evaluation.is_cost_hidden(cost_type) == before.is_cost_hidden(cost_type) for cost_type in changing
    )


def _has_plain_units(evaluation: Evaluation) -> bool:
    forces = list(evaluation.roster.all_forces)
    ids = [force.document.id for force in forces]
    ids += [node.written.id for force in forces for node in force.members]
    if len(set(ids)) < len(ids) or evaluation.costs.has_readers:
        return False
    cost_types = evaluation.ruleset.binding.cost_types
    modifiers = (effect.modifier for _, entry in list_all_sources(evaluation.roster) for effect in entry.effects)
    queries = (iterate_queries(modifier) for modifier in modifiers if modifier.field in cost_types)
    return not any(query.field in cost_types for query in chain.from_iterable(queries))


class WideEffect(NamedTuple):
    effect_id: int
    times: int
    place: Hashable


def _list_wide_effects(evaluation: Evaluation) -> list[WideEffect]:
    if _list_wide_effects not in evaluation.memo:
        evaluation.memo[_list_wide_effects] = list(_find_wide_effects(evaluation))
    wide: list[WideEffect] = evaluation.memo[_list_wide_effects]
    return wide


def _find_wide_effects(evaluation: Evaluation) -> Iterator[WideEffect]:
    for source, entry in list_all_sources(evaluation.roster):
        for effect in entry.effects:
            place = evaluation.scopes.find_place(effect.scope, source)
            if isinstance(place, ForceNode | RosterNode):
                times = evaluation.conditions.count_times(effect.modifier, source)
                if times:
                    yield WideEffect(id(effect), times, place.token)


def _list_effects_on(evaluation: Evaluation, place: RosterNode | ForceNode) -> list[WideEffect]:
    around = {outer.token for outer in walk_outward(place)}
    return [effect for effect in _list_wide_effects(evaluation) if effect.place in around]


class Answers:
    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._forces = {force.document.id: force for force in evaluation.roster.all_forces}
        # Stored in the memo, because this object refers to the evaluation.
        self._answers: dict[Question, object] = evaluation.memo.setdefault(Answers, {})

    def are_same(self, footprint: Footprint) -> bool:
        if not footprint.is_repeatable:
            return False
        answers = self._answers
        for question, (definition, answer) in footprint.answers.items():
            if question not in answers:
                answers[question] = self._answer(question, definition)
            if answers[question] != answer:
                return False
        return True

    def _answer(self, question: Question, definition: Any) -> object:
        ask, _, key, token = question
        place = self._find_place(token)
        if place is None:
            return None
        conditions, queries = self._evaluation.conditions, self._evaluation.queries
        if ask is Ask.HOLDS:
            return conditions.is_satisfied(definition, place)
        if ask is Ask.IS_MET:
            return conditions.is_met(definition, place)
        if ask is Ask.IS_HIDDEN:
            return self._evaluation.values.find_hidden_widely(place)[definition]
        if ask is Ask.ARE_HIDDEN and isinstance(place, ForceNode):
            return self._evaluation.values.list_hidden_widely(definition, place)
        if ask is Ask.IS_SLOT_HIDDEN and isinstance(place, SlotNode):
            return self._evaluation.values.is_slot_hidden(place)
        if ask is Ask.CATEGORIES and isinstance(place, ForceNode):
            return self._evaluation.categories.get_uncommanded(self._evaluation.preview_selection(place, definition))
        return queries.answer_at(ask, definition, key, place)

    def _find_place(self, token: Any) -> Node | None:
        if not token:
            return self._evaluation.roster
        force_id, *category_ids = token
        force = self._forces.get(force_id)
        return self._evaluation.scopes.get_slot(force, category_ids[0]) if force and category_ids else force


class _Comparison:
    def __init__(self, evaluation: Evaluation, before: Evaluation) -> None:
        self._evaluation = evaluation
        self._before = before
        self._old_forces = {force.document.id: force for force in before.roster.all_forces}
        self._answers = Answers(evaluation)

    def take_over_force_offers(self, roster: RosterNode, old_roster: RosterNode) -> None:
        if _list_effects_on(self._before, old_roster) == _list_effects_on(self._evaluation, roster):
            self._hand_on_force_offers(roster, old_roster)

    def _hand_on_force_offers(self, place: RosterNode | ForceNode, old_place: RosterNode | ForceNode) -> None:
        before = self._before
        still_earlier = before.earlier_force_offers.get(old_place, {})
        self._evaluation.earlier_force_offers[place] = still_earlier | before.force_offers.get(old_place, {})

    def take_over_force(self, force: ForceNode) -> None:
        evaluation, before = self._evaluation, self._before
        old_force = self._old_forces.get(force.document.id)
        if old_force is None or _describe_force(old_force) != _describe_force(force):
            return
        # An effect may change anything in the force.
        if _list_effects_on(before, old_force) != _list_effects_on(evaluation, force):
            return
        if _describe_for_picks(evaluation, force) == _describe_for_picks(before, old_force):
            # Other offers come from older evaluations.
            still_earlier = before.earlier_offers.get(old_force, {})
            evaluation.earlier_offers[force] = still_earlier | before.offers.get(old_force, {})
        self._hand_on_force_offers(force, old_force)
        _include_demanded(before, old_force)
        old_units = {unit.written.id: unit for unit in old_force.members}
        taken: dict[SelectionNode, SelectionNode] = {}
        for unit in force.members:
            old_unit = old_units.get(unit.written.id)
            if old_unit and old_unit in before.unit_rows and self._is_unit_unchanged(unit, old_unit):
                evaluation.unit_rows[unit] = before.unit_rows[old_unit]
                _adopt(unit, old_unit)
                taken[unit] = old_unit
        if old_force in before.force_rows and self._is_force_unchanged(force, old_force, taken):
            evaluation.force_rows[force] = before.force_rows[old_force]
            if old_force in before.force_figures:
                evaluation.force_figures[force] = before.force_figures[old_force]
            _adopt(force, old_force)

    def _is_unit_unchanged(self, unit: SelectionNode, old_unit: SelectionNode) -> bool:
        evaluation, before = self._evaluation, self._before
        # Groups of a force are evaluated with the force.
        if unit.document != old_unit.document or unit.option is None or unit.option.groups:
            return False
        attached = (evaluation.scopes.attached, before.scopes.attached)
        are_reached = CATEGORY in evaluation.ruleset.effect_fields
        for node, old_node in zip(unit.walk(), old_unit.walk(), strict=True):
            # An attachment depends on the other selection.
            if node.written.attachments or any(node.written.id in targets for targets in attached):
                return False
            can_move = are_reached or (node.option is not None and node.option.moves_category)
            if can_move and evaluation.categories.get_membership(node) != before.categories.get_membership(old_node):
                return False
        return self._are_answers_same(old_unit)

    def _is_force_unchanged(
        self, force: ForceNode, old_force: ForceNode, taken: Mapping[SelectionNode, SelectionNode]
    ) -> bool:
        return (
            force.document == old_force.document
            and not force.forces
            and len(taken) == len(force.members)
            and self._evaluation.ordinals.get(force) == self._before.ordinals.get(old_force)
            and self._are_answers_same(old_force)
        )

    def _are_answers_same(self, old: Container) -> bool:
        return old.footprint is not None and self._answers.are_same(old.footprint)


def _describe_force(force: ForceNode) -> tuple[Hashable, ...]:
    outer = _describe_force(force.parent) if isinstance(force.parent, ForceNode) else ()
    return (force.document.id, force.document.entry_id, force.document.catalogue_id, *outer)


def _describe_for_picks(evaluation: Evaluation, force: ForceNode) -> tuple[Hashable, ...]:
    return (force.document.name, force.document.custom_name, evaluation.ordinals.get(force))


def _include_demanded(evaluation: Evaluation, force: ForceNode) -> None:
    demanding = force.contents.demanding_options.values() if force.contents else ()
    for option in chain.from_iterable(demanding):
        preview = evaluation.find_preview(force, option)
        if preview and preview.footprint and force.footprint:
            force.footprint.include(preview.footprint)
    for kind in force.compiled_force.demanded_forces if force.compiled_force else ():
        # Another catalogue may have to meet the demand.
        for catalogue_id in (force.document.catalogue_id, *kind.named_catalogues):
            inner = evaluation.find_force_preview(force, kind.entry.id, catalogue_id)
            if inner and inner.footprint and force.footprint:
                force.footprint.include(inner.footprint)


def _adopt(new: Container, old: Container) -> None:
    if new.footprint and old.footprint:
        new.footprint.answers |= old.footprint.answers
        new.footprint.known_broken = frozenset(old.footprint.broken)
