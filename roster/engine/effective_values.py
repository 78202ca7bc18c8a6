"""Effective values: names, hidden flags, numbers and texts after modifiers."""

from collections.abc import Iterable

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Modifier
from catalogue.graph.compiled_constraints import Modifiers
from catalogue.graph.compiled_entry import CompiledGroup
from roster.engine.conditions import Conditions
from roster.engine.modifier_math import change_flag, change_number, change_text
from roster.engine.nodes import Container, GroupNode, Node, SelectionNode
from roster.engine.tree import copy_with


def append_annotation(name: str, annotation: str) -> str:
    """Append what is said about a name, in brackets.

    >>> append_annotation("Squad", " veteran"), append_annotation("Squad", "")
    ('Squad (veteran)', 'Squad')
    """
    return f"{name} ({annotation.strip()})" if annotation.strip() else name


class EffectiveValues:
    """Applies modifiers as seen from a node, in the order of the data. What is asked often is remembered."""

    def __init__(self, conditions: Conditions) -> None:
        self._conditions = conditions
        self._names: dict[SelectionNode, str] = {}
        self._hidden: dict[Node, bool] = {}
        self._groups: dict[tuple[CompiledGroup, Container], GroupNode] = {}

    def adjust_number(self, modifiers: Iterable[Modifier], base: Number, node: Node) -> Number:
        """Apply `modifiers` to a number."""
        for modifier in modifiers:
            base = change_number(
                modifier.change, base, modifier.value, self._conditions.count_times(modifier, node)
            )
        return base

    def adjust_text(self, modifiers: Iterable[Modifier], base: str, node: Node) -> str:
        """Apply `modifiers` to a text."""
        for modifier in modifiers:
            base = change_text(modifier, base, self._conditions.count_times(modifier, node))
        return base

    def adjust_flag(self, modifiers: Iterable[Modifier], base: bool, node: Node) -> bool:
        """Apply `modifiers` to a flag."""
        for modifier in modifiers:
            base = change_flag(
                modifier.change, base, modifier.value, self._conditions.count_times(modifier, node)
            )
        return base

    def get_name(self, node: SelectionNode) -> str:
        """Return what a selection is called now; a placeholder keeps the name it was taken by."""
        known = self._names.get(node)
        if known is None:
            known = self._names[node] = self._build_name(node)
        return known

    def _build_name(self, node: SelectionNode) -> str:
        if node.option is None:
            return (node.document.name if node.document else "") or node.target_id
        return self.adjust_name(node.option.entry.modifiers, node.option.entry.name, node)

    def adjust_name(self, fields: Modifiers, name: str, node: Node) -> str:
        """Apply modifiers to a name, and append its annotation in brackets."""
        name = self.adjust_text(fields.get("name", ()), name, node)
        return append_annotation(name, self.adjust_text(fields.get("annotation", ()), "", node))

    def is_hidden(self, node: SelectionNode) -> bool:
        """Return whether an entry may not be taken here: it is hidden itself, or a group around it is."""
        known = self._hidden.get(node)
        if known is None:
            known = self.is_hidden_itself(node) or any(
                self.is_group_hidden(self.get_group(group, node.container))
                for group in (node.option.groups if node.option else ())
            )
            self._hidden[node] = known
        return known

    def is_hidden_itself(self, node: SelectionNode) -> bool:
        """Return whether the entry is hidden, whatever its groups are."""
        if node.option is None:
            return False
        entry = node.option.entry
        return self.adjust_flag(entry.modifiers.get("hidden", ()), entry.hidden, node)

    def get_group(self, group: CompiledGroup, container: Container) -> GroupNode:
        """Return a group at its place, with its members."""
        node = self._groups.get((group, container))
        if node is None:
            node = self._groups[group, container] = GroupNode(group, container)
        return node

    def is_group_hidden(self, node: GroupNode) -> bool:
        """Return whether a group is hidden, or one around it is."""
        known = self._hidden.get(node)
        if known is None:
            entry = node.group.entry
            known = self.adjust_flag(entry.modifiers.get("hidden", ()), entry.hidden, node) or any(
                self.is_group_hidden(self.get_group(outer, node.container))
                for outer in node.group.groups[:-1]
            )
            self._hidden[node] = known
        return known

    def get_group_name(self, node: GroupNode) -> str:
        """Return what a group is called now."""
        return self.adjust_name(node.group.entry.modifiers, node.group.entry.name, node)

    def get_citation(self, node: SelectionNode) -> Citation:
        """Return where a selection's entry stands; modifiers may change the page."""
        if node.option is None:
            return NOWHERE
        return self.adjust_citation(node.option.entry.modifiers, node.option.entry.citation, node)

    def adjust_citation(self, fields: Modifiers, citation: Citation, node: Node) -> Citation:
        """Apply modifiers of its page to a citation."""
        page = self.adjust_text(fields.get("page", ()), citation.page, node)
        return citation if page == citation.page else copy_with(citation, page=page)
