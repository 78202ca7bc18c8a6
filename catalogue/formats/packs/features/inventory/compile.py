"""Compile the inventory, with its rules' wording."""

from collections.abc import Iterable, Iterator
from typing import Any

from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.diagnostics import Level
from catalogue.definitions.rulebook import Clause, RuleEntry, RuleKind, RuleStage
from catalogue.documents.problems import Problems
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import list_values
from catalogue.formats.packs.features.inventory.syntax import InventoryRuleSyntax
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT, RuleText
from catalogue.formats.packs.syntax.rules import RuleSyntax

RULE_TEXTS = (
    *("withheld", "command", "common", "costs", "texts", "rules", "one_faction", "detachments", "units", "lists"),
    *("shown", "plan", "overlays"),
)
"""The parts of a pack that word rules. The first wording of a rule counts."""
AT_TABLE = "at-table"
"""The code of notes about facts that are only known at the table."""


def build_rulebook(context: CompileContext) -> tuple[RuleEntry, ...]:
    """Return the inventory's rules, or the pack's if there is none."""
    constructs = [getattr(context.pack, name) for name in RULE_TEXTS]
    # Reversed, so that the first wording of a rule counts.
    declared = {text.rule: (text, stage) for text, stage in reversed(list(_walk_rule_texts(constructs)))}
    listed = context.pack.inventory
    rules_by_id = _check_inventory(listed, declared, context.problems) if listed else {}
    gaps: dict[str, list[str]] = {}
    for unit in context.pack.units:
        for note in unit.unchecked:
            gaps.setdefault(note.rule, []).append(f"{unit.name}: {note.text}")
            if note.rule and note.rule not in (rules_by_id or declared):
                message = f"No rule of the pack is called “{note.rule}”."
                context.problems.add_unknown(unit.where, note.rule, rules_by_id or declared, message)
            elif listed and not note.rule and note.code != AT_TABLE:
                message = f"A note of the unit “{unit.name}” leaves something open, and no rule of the ledger says so."
                mend = "Add `rule:` with the id of the rule that is only partly implemented."
                context.problems.add(unit.where, "open-note", message, mend, Level.WARNING)
    if not listed:
        return tuple(
            _build_entry_without_inventory(*declaration, gaps.get(rule, ())) for rule, declaration in declared.items()
        )
    unwritten = (NO_RULE_TEXT, Stage.LIST)
    return tuple(
        _build_entry(syntax, declared.get(syntax.id, unwritten)[0], gaps.get(syntax.id, ()))
        for syntax in rules_by_id.values()
    )


def _walk_rule_texts(construct: Any, stage: Stage = Stage.LIST) -> Iterator[tuple[RuleText, Stage]]:
    if isinstance(construct, RuleText):
        if construct.rule:
            yield construct, stage
        return
    if isinstance(construct, RuleSyntax):
        stage = construct.stage
    for part in list_values(construct):
        yield from _walk_rule_texts(part, stage)


def _check_inventory(
    listed: tuple[InventoryRuleSyntax, ...], declared: dict[str, tuple[RuleText, Stage]], problems: Problems
) -> dict[str, InventoryRuleSyntax]:
    rules_by_id: dict[str, InventoryRuleSyntax] = {}
    for rule in listed:
        if rule.id in rules_by_id:
            message = f"The rule “{rule.id}” is in the inventory twice."
            problems.add(rule.where, "duplicate-id", message, "Keep one of them.")
        rules_by_id.setdefault(rule.id, rule)

    for rule in listed:
        for name in rule.part_of:
            if name.text not in rules_by_id:
                problems.add_unknown(name.where, name.text, declared, f"The inventory has no rule “{name.text}”.")
        if rule.id not in declared and not (rule.name and rule.text):
            message = f"The inventory has no words for the rule “{rule.id}”, and nothing else in the pack has."
            problems.add(rule.where, "missing-key", message, "Add `name:` and `text:`.")

    for rule_id in set(declared).difference(rules_by_id):
        # Missing rules have no line of their own.
        message = f"The pack implements the rule “{rule_id}”, which its inventory does not list."
        problems.add(listed[0].where, "unknown-name", message, f"Add `- rule: {rule_id}`.")
    return rules_by_id


def _build_entry(rule: InventoryRuleSyntax, words: RuleText, gaps: Iterable[str]) -> RuleEntry:
    """Complete a rule from `words`. `gaps` are notes of units."""
    # Rules without implementation have the inventory's citation.
    is_cited_itself = rule.cited or not words.rule
    return RuleEntry(
        id=rule.id,
        name=rule.name or words.name,
        text=rule.text or words.text,
        kind=rule.kind,
        stage=rule.stage,
        reading=rule.reading,
        caveat=" ".join(filter(None, (rule.caveat, *gaps))),
        part_of=tuple(name.text for name in rule.part_of),
        clauses=tuple(Clause(id=clause.id, text=clause.text, open=clause.open) for clause in rule.clauses),
        citation=rule.cite if is_cited_itself else words.cite,
    )


def _build_entry_without_inventory(words: RuleText, stage: Stage, gaps: Iterable[str]) -> RuleEntry:
    kind = RuleKind.HARD if words.severity is Severity.ERROR else RuleKind.SOFT
    return RuleEntry(
        id=words.rule,
        name=words.name,
        text=words.text,
        kind=kind,
        stage=RuleStage(stage.value),
        caveat=" ".join(gaps),
        citation=words.cite,
    )
