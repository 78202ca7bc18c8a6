"""Find the rulebook's rule for a violation of a rule kind."""

from itertools import islice

from catalogue.definitions.constraints import RuleWords
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.report import Violation
from roster.engine.tree import copy_with

IN_FORCE, IN_SELECTION, IN_OWN, BETWEEN_HOSTS = "force", "selection", "own", "hosts"
"""Values of `RuleWords.place`: in a force, in another selection, in a selection of the same entry, or in a force
although several selections could hold it.
"""

AS_WELL = {IN_OWN: (IN_SELECTION,)}
"""Wider places, if the exact place has no words."""


def get_place_kind(node: SelectionNode) -> str:
    if isinstance(node.container, ForceNode):
        return IN_FORCE
    return IN_OWN if node.container.target_id == node.target_id else IN_SELECTION


def has_several_hosts(evaluation: Evaluation, node: SelectionNode) -> bool:
    """Return whether a selection in a force could be in several selections instead."""
    if not isinstance(node.container, ForceNode):
        return False
    key = (has_several_hosts, node.target_id)
    if key not in evaluation.memo:
        hosts = (host for host in evaluation.roster.selections if _can_hold(host, node.target_id))
        evaluation.memo[key] = len([*islice(hosts, 2)]) > 1
    return bool(evaluation.memo[key])


def _can_hold(host: SelectionNode, target_id: str) -> bool:
    if host.option is None:
        return False
    return any(option.entry.target.id == target_id for option in host.option.entry.contents.options)


def attach_rule_text(evaluation: Evaluation, violation: Violation, node: SelectionNode) -> Violation:
    """Prefer the words of the selection's force to the game's."""
    category_ids = {"", *evaluation.categories.get_membership(node).ids}
    # The same rule forbids an unknown option and an option of another unit.
    codes = (violation.code, RuleCode.UNKNOWN_ENTRY) if node.is_unknown else (violation.code,)
    ids_by_code = dict.fromkeys(codes, category_ids)
    if node.is_unknown and isinstance(node.container, SelectionNode):
        # Unknown selections have no categories: the words for them are about what holds them.
        around = set(evaluation.categories.get_membership(node.container).ids)
        ids_by_code[RuleCode.UNKNOWN_ENTRY] = category_ids | around

    # Lower ranks are better.
    here = get_place_kind(node)
    ranks = {"": 1, here: 1}
    ranks |= dict.fromkeys(AS_WELL.get(here, ()), 2)
    if node.misplaced and has_several_hosts(evaluation, node):
        ranks[BETWEEN_HOSTS] = 0

    compiled_force = node.force.compiled_force if node.force else None
    force_words = compiled_force.entry.words if compiled_force else ()
    fitting = [
        words
        for words in (*force_words, *get_game_words(evaluation))
        if words.of in ids_by_code.get(words.code, ()) and words.place in ranks
    ]
    if not fitting:
        return violation
    # Of equal ranks the first wins: force before game, narrower before wider words.
    return attach_words(violation, min(fitting, key=lambda words: ranks[words.place]))


def get_game_words(evaluation: Evaluation) -> tuple[RuleWords, ...]:
    system = evaluation.ruleset.binding.game_system
    return system.words if system else ()


def list_game_words(evaluation: Evaluation, code: str) -> list[RuleWords]:
    return [words for words in get_game_words(evaluation) if words.code == code]


def attach_words(violation: Violation, words: RuleWords) -> Violation:
    return copy_with(
        violation, rule=words.rule, name=words.name, text=words.text, citation=words.citation, severity=words.severity
    )
