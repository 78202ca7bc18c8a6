"""Find the rule of the book that a rule kind finds broken, in the words of the data."""

from itertools import islice

from catalogue.definitions.constraints import RuleWords
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, SelectionNode
from roster.engine.report import Violation
from roster.engine.tree import copy_with

IN_FORCE, IN_SELECTION, IN_OWN, BETWEEN_HOSTS = "force", "selection", "own", "hosts"
"""Where a selection stands, as `RuleWords.place` says it: in a force, in another selection, in one of its own entry; in
a force where several selections of the list could hold it."""

AS_WELL = {IN_OWN: (IN_SELECTION,)}
"""What a place is besides, where there are no words for just that place."""


def get_place_kind(node: SelectionNode) -> str:
    """Return where a selection is, as words name it."""
    if isinstance(node.container, ForceNode):
        return IN_FORCE
    return IN_OWN if node.container.target_id == node.target_id else IN_SELECTION


def has_several_hosts(evaluation: Evaluation, node: SelectionNode) -> bool:
    """Return whether a selection that is in a force could be in several selections of the list instead.

    Asked once for all selections of one entry: a list may have thousands that are misplaced.
    """
    if not isinstance(node.container, ForceNode):
        return False
    key = (has_several_hosts, node.target_id)
    if key not in evaluation.memo:
        hosts = (host for host in evaluation.roster.selections if _can_hold(host, node.target_id))
        # Two are several: the rest need not be looked for.
        evaluation.memo[key] = len([*islice(hosts, 2)]) > 1
    return bool(evaluation.memo[key])


def _can_hold(host: SelectionNode, target_id: str) -> bool:
    """Return whether an entry is on offer in a selection."""
    if host.option is None:
        return False
    return any(option.entry.target.id == target_id for option in host.option.entry.contents.options)


def attach_rule_text(evaluation: Evaluation, violation: Violation, node: SelectionNode) -> Violation:
    """Attach the data's words to a violation about a selection: words of its force before words of the game."""
    # The categories that the words may be of; blank means any.
    category_ids = {"", *evaluation.categories.get_membership(node).ids}
    if node.is_unknown and isinstance(node.container, SelectionNode):
        # An unknown selection has no categories of its own: words speak of its container.
        category_ids |= set(evaluation.categories.get_membership(node.container).ids)

    # The places that the words may name, the better fitting ones with a lower number.
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
        if words.code == violation.code and words.of in category_ids and words.place in ranks
    ]
    if not fitting:
        return violation
    # `min` takes the first of the best: packs write the narrower words first, and forces come before the game.
    return attach_words(violation, min(fitting, key=lambda words: ranks[words.place]))


def get_game_words(evaluation: Evaluation) -> tuple[RuleWords, ...]:
    """Return the words that hold in the whole game."""
    system = evaluation.ruleset.binding.game_system
    return system.words if system else ()


def list_game_words(evaluation: Evaluation, code: str) -> list[RuleWords]:
    """Return the words of the game for one kind of rule, in the order of the data."""
    return [words for words in get_game_words(evaluation) if words.code == code]


def attach_words(violation: Violation, words: RuleWords) -> Violation:
    """Make a violation one of the rule that `words` name."""
    return copy_with(
        violation, rule=words.rule, name=words.name, text=words.text, citation=words.citation, severity=words.severity
    )
