"""Which rule of the book it is that a kind of rule finds broken: the words that the data has for it."""

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
    """Return where a selection stands, as words name it."""
    if isinstance(node.container, ForceNode):
        return IN_FORCE
    return IN_OWN if node.container.target_id == node.target_id else IN_SELECTION


def has_several_hosts(evaluation: Evaluation, node: SelectionNode) -> bool:
    """Return whether a selection that stands in a force could stand in several selections of the list instead.

    Asked once for all selections of one entry: a list may have thousands that stand wrongly.
    """
    if not isinstance(node.container, ForceNode):
        return False
    key = (has_several_hosts, node.target_id)
    if key not in evaluation.memo:
        hosts = (
            host
            for host in evaluation.roster.selections
            if host.option
            and any(option.entry.target.id == node.target_id for option in host.option.entry.contents.options)
        )
        evaluation.memo[key] = len([*islice(hosts, 2)]) > 1
    return bool(evaluation.memo[key])


def attach_rule_text(evaluation: Evaluation, violation: Violation, node: SelectionNode) -> Violation:
    """Attach the data's words to a violation about a selection: those of its force before those of the game."""
    entry = node.force.compiled_force if node.force else None
    force_words = entry.entry.words if entry else ()
    kinds = {"", *evaluation.categories.get_membership(node).ids}
    if node.option is None and not node.owners and isinstance(node.container, SelectionNode):
        kinds |= {
            *evaluation.categories.get_membership(node.container).ids
        }  # what is unknown is of nothing itself
    here = get_place_kind(node)
    less_fitting = AS_WELL.get(here, ())
    more_fitting = (BETWEEN_HOSTS,) if node.misplaced and has_several_hosts(evaluation, node) else ()
    fitting = [
        words
        for words in (*force_words, *get_game_words(evaluation))
        if words.code == violation.code
        and words.of in kinds
        and words.place in ("", here, *less_fitting, *more_fitting)
    ]
    fitting.sort(key=lambda words: (words.place not in more_fitting, words.place in less_fitting))
    return attach_words(violation, fitting[0]) if fitting else violation


def get_game_words(evaluation: Evaluation) -> tuple[RuleWords, ...]:
    """Return the words that hold in the whole game."""
    system = evaluation.ruleset.binding.game_system
    return system.words if system else ()


def attach_words(violation: Violation, words: RuleWords) -> Violation:
    """Make a violation one of the rule that `words` name."""
    return copy_with(
        violation,
        rule=words.rule,
        name=words.name,
        text=words.text,
        citation=words.citation,
        severity=words.severity,
    )
