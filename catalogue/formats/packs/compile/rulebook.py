"""Compile the inventory of a pack's rules: what it lists, with the words that it has for them elsewhere."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.rulebook import Clause, RuleEntry, RuleKind, RuleStage
from catalogue.documents.problems import Problems, suggest_names
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.syntax.base import RuleText
from catalogue.formats.packs.syntax.rules import InventoryRuleSyntax, RuleSyntax


def build_rulebook(context: CompileContext) -> tuple[RuleEntry, ...]:
    """Return every rule of the inventory; without one, the rules that the pack carries out."""
    declared = {text.rule: (text, stage) for text, stage in reversed(list(_walk_rule_texts(context.pack)))}
    listed = context.pack.inventory
    if not listed:
        return tuple(_build_entry_without_inventory(text, stage) for text, stage in declared.values())
    known = _check_inventory(listed, declared, context.problems)
    return tuple(_build_entry(form, declared.get(form.id, (None, None))[0]) for form in known.values())


def _walk_rule_texts(form: Any, stage: Stage = Stage.LIST) -> Iterator[tuple[RuleText, Stage]]:
    """Yield the words of all rules of a pack, with the stage at which they are judged."""
    if isinstance(form, RuleSyntax):
        stage = form.stage
    if isinstance(form, RuleText):
        if form.rule:
            yield form, stage
    elif is_dataclass(form):
        for field in fields(form):
            yield from _walk_rule_texts(getattr(form, field.name), stage)
    elif isinstance(form, dict):
        for value in form.values():
            yield from _walk_rule_texts(value, stage)
    elif isinstance(form, (list, tuple)):
        for value in form:
            yield from _walk_rule_texts(value, stage)


def _check_inventory(
    listed: list[InventoryRuleSyntax], declared: dict[str, tuple[RuleText, Stage]], problems: Problems
) -> dict[str, InventoryRuleSyntax]:
    """Return the inventory by id; report what is wrong with it."""
    known: dict[str, InventoryRuleSyntax] = {}
    for rule in listed:
        if rule.id in known:
            message = f"The rule “{rule.id}” stands in the inventory twice."
            problems.add(rule.where, "duplicate-id", message, "Keep one of them.")
        known.setdefault(rule.id, rule)
    for rule in listed:
        for name in rule.part_of:
            if name.text not in known:
                message = f"The inventory has no rule “{name.text}”."
                problems.add(name.where, "unknown-name", message, suggest_names(name.text, declared))
        if rule.id not in declared and not (rule.name and rule.text):
            message = (
                f"The inventory has no words for the rule “{rule.id}”, and nothing else in the pack has."
            )
            problems.add(rule.where, "missing-key", message, "Add `name:` and `text:`.")
    for rule_id in [rule_id for rule_id in declared if rule_id not in known]:
        message = f"The pack carries out the rule “{rule_id}”, which its inventory does not list."
        problems.add(listed[0].where, "unknown-name", message, f"Add `- rule: {rule_id}`.")
    return known


def _build_entry(rule: InventoryRuleSyntax, words: RuleText | None) -> RuleEntry:
    return RuleEntry(
        id=rule.id,
        name=rule.name or (words.name if words else ""),
        text=rule.text or (words.text if words else ""),
        kind=rule.kind,
        stage=rule.stage,
        reading=rule.reading,
        caveat=rule.caveat,
        part_of=tuple(name.text for name in rule.part_of),
        clauses=tuple(Clause(id=clause.id, text=clause.text, open=clause.open) for clause in rule.clauses),
        citation=rule.cite if rule.cited or words is None else words.cite,
    )


def _build_entry_without_inventory(words: RuleText, stage: Stage) -> RuleEntry:
    kind = RuleKind.HARD if words.severity is Severity.ERROR else RuleKind.SOFT
    return RuleEntry(
        id=words.rule,
        name=words.name,
        text=words.text,
        kind=kind,
        stage=RuleStage(stage.value),
        citation=words.cite,
    )
