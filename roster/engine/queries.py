"""Answer how many or how much is in a scope."""

from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from typing import Protocol

from catalogue.definitions.entries import NO_LIMIT
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import AGREED, ANY, ARMY, KNOWN, LIMIT, Field, Guard, Query, Scope
from catalogue.graph.ids import compose_id
from catalogue.graph.ruleset import Ruleset
from roster.engine.footprints import Ask
from roster.engine.nodes import ForceNode, Node, RosterNode, SelectionNode
from roster.engine.scopes import Scopes, find_selection, list_enclosing
from roster.engine.tree import Attachment, Origin

# ---- amounts by key ----------------------------------------------------------------------------------------


Table = dict[Hashable, Number]
EMPTY: Table = {}
"""Shared: never write to it."""


def count_one(_: SelectionNode) -> Number:
    return 1


class CountIndex:
    """Amounts by key inside nodes.

    The direct table sums number times weight over members, the deep table over all contents.
    """

    def __init__(
        self, keys: Callable[[SelectionNode], Iterable[Hashable]], weight: Callable[[SelectionNode], Number] = count_one
    ) -> None:
        self._keys = keys
        self._weight = weight
        self._direct: dict[Node, Table] = {}
        self._deep: dict[Node, Table] = {}

    def count_direct(self, node: Node) -> Table:
        table = self._direct.get(node)
        if table is None:
            sums: Table = {}
            for member in node.members:
                amount = member.number * self._weight(member)
                for key in self._keys(member):
                    sums[key] = sums.get(key, 0) + amount
            table = self._direct[node] = sums or EMPTY
        return table

    def count_deep(self, node: Node) -> Table:
        table = self._deep.get(node)
        if table is None:
            table = self._deep[node] = self._sum_deep(node)
        return table

    def forget(self, node: Node) -> None:
        if self._direct.pop(node, None) is not None:
            self._deep.pop(node, None)

    def recount(self, node: SelectionNode, gone: Iterable[Hashable], come: Iterable[Hashable]) -> None:
        # These share the members of their container, and are few.
        for place in [place for place in self._direct if not isinstance(place, SelectionNode | ForceNode | RosterNode)]:
            self.forget(place)
        amount = node.number * self._weight(node)
        changes = [*((key, -1) for key in gone), *((key, 1) for key in come)]
        outer, is_direct = node.parent, True
        while outer is not None:
            direct, deep = self._direct.get(outer), self._deep.get(outer)
            if direct is EMPTY:
                self.forget(outer)
            elif direct is not None:
                # Without nested members the tables are the same object.
                tables = [direct] if is_direct else []
                tables += [deep] if deep is not None and deep is not direct else []
                for table in tables:
                    for key, sign in changes:
                        table[key] = table.get(key, 0) + sign * amount
            if isinstance(outer, SelectionNode):
                amount, is_direct = amount * outer.number, False
            elif isinstance(outer.parent, ForceNode):
                # Inner forces do not count in the force around them.
                break
            outer = outer.parent

    def _sum_deep(self, node: Node) -> Table:
        direct = self.count_direct(node)
        nesting = [member for member in node.members if member.members]
        if not nesting:
            return direct
        table = dict(direct)
        for member in nesting:
            number = member.number
            for key, amount in self.count_deep(member).items():
                table[key] = table.get(key, 0) + number * amount
        return table


# ---- answers -----------------------------------------------------------------------------------------------


ANCESTOR, SELECTIONS, FORCES = Scope.ANCESTOR.value, Field.SELECTIONS.value, Field.FORCES.value
ASSOCIATIONS = Field.ASSOCIATIONS.value
COUNTED = (SELECTIONS, FORCES)
"""Fields that do not change while costs settle."""


class CostSource(Protocol):
    @property
    def are_settled(self) -> bool: ...

    def sum_costs(self, type_id: str, places: Iterable[Node], key: Hashable, *, deep: bool, shared: bool) -> Number: ...

    def sum_around(self, type_id: str, node: Node, key: Hashable) -> Number: ...

    def get_whole_cost(self, node: SelectionNode, type_id: str) -> Number: ...


class GuardJudge(Protocol):
    def holds_for(self, guard: Guard, counted: SelectionNode, asker: Node) -> bool: ...


class Queries:
    """Answers queries about one roster from count indexes.

    `Conditions` sets `judge` to itself, for guards. `notes_footprints` records units' questions about their
    surroundings.
    """

    judge: GuardJudge
    notes_footprints = False

    def __init__(self, ruleset: Ruleset, scopes: Scopes, entries: CountIndex, costs: CostSource | None = None) -> None:
        self._categories_known: Container[object] = ruleset.binding.categories.keys()
        self._forces_known: Container[object] = ruleset.force_entry_ids
        self._cost_types: Container[str] = ruleset.binding.cost_types.keys()
        self._scopes = scopes
        self._costs = costs
        self._entries = entries
        self._categories = CountIndex(lambda node: scopes.counted.get_uncommanded(node).ids)
        # The commander's category has its own index, because its search needs the whole list. BattleScribe does not
        # resolve ids of links to groups, so such sums are 0 in its lists.
        like_battlescribe = scopes.roster.document.origin is Origin.BATTLESCRIBE
        self._uncounted = ruleset.binding.group_link_ids if like_battlescribe else frozenset()
        self._command_id = ruleset.command_id
        self._commanders = CountIndex(lambda node: scopes.counted.get_membership(node).ids)
        self._paths = CountIndex(list_path_keys)
        self._amounts: dict[tuple[int, Node, Hashable], tuple[Query, Number | None]] = {}

    def compute_amount(self, query: Query, node: Node, owner_key: Hashable = None) -> Number | None:
        """Return None without the scope or a key. Without `child_id`, count `owner_key`."""
        key = owner_key if query.child_id is None else query.child_id
        field, scope = query.field, query.scope
        if scope == ANCESTOR:
            return self._measure_ancestors(query, node, key)
        if KNOWN in field:
            return self._get_known_value(query, node)
        if key is None:
            return None
        if query.child_id in self._uncounted:
            return 0
        # Fast path for the most frequent queries.
        is_plain = query.where is None and not query.include_child_forces and key not in self._forces_known
        if field == SELECTIONS and is_plain:
            place = self._scopes.find_place(scope, node)
            return None if place is None else self._count_at(query, place, key, node)
        return self._compute_rarer(query, node, key)

    def _count_at(self, query: Query, place: Node, key: Hashable, asker: Node) -> Number:
        amount = self._count_selections(query, [place], key)
        if asker.footprint and place.footprint is not asker.footprint and self.notes_footprints:
            asker.footprint.note(Ask.COUNT, query, key, place.token, amount)
        return amount

    def _compute_rarer(self, query: Query, node: Node, key: Hashable) -> Number | None:
        if query.field == ASSOCIATIONS:
            if node.footprint:
                node.footprint.is_repeatable = False
            return self._count_attached(node, key)
        if query.where is not None:
            places = self._scopes.list_places(query, node)
            # It may depend on the order of the list.
            if node.footprint:
                node.footprint.is_repeatable = False
            return None if places is None else self._sum_where(query, query.where, places, node, key)
        place = self._scopes.find_place(query.scope, node)
        if place is None:
            return None
        amount = self._compute_at(query, place, key)
        if node.footprint and place.footprint is not node.footprint and self.notes_footprints:
            node.footprint.note(Ask.AMOUNT, query, key, place.token, amount)
        return amount

    def _compute_at(self, query: Query, place: Node, key: Hashable) -> Number | None:
        # Every force may ask the same of the list or the force around it.
        is_whole = isinstance(place, RosterNode | ForceNode)
        question = id(query), place, key
        cached = self._amounts.get(question) if is_whole else None
        if cached is not None:
            return cached[1]
        places = self._scopes.list_places_at(query, place)
        amount: Number | None = None
        if query.field == SELECTIONS:
            amount = self._count_selections(query, places, key)
        elif query.field == FORCES:
            amount = sum(is_force(force, key) for force in list_forces_in(query, places[0]))
        elif query.field in self._cost_types and self._costs:
            amount = self.sum_spent(query.field, query, places, key)
        if is_whole and (query.field in COUNTED or (self._costs and self._costs.are_settled)):
            # Keep the query alive, so that its id is not reused.
            self._amounts[question] = query, amount
        return amount

    def sum_spent(self, type_id: str, query: Query, places: list[Node], key: Hashable) -> Number:
        if self._costs is None:
            return 0
        if key in self._forces_known:
            places, key = list_forces_of(query, places, key), ANY
        return self._costs.sum_costs(type_id, places, key, deep=query.deep, shared=counts_shared(query, key))

    def _measure_ancestors(self, query: Query, node: Node, key: Hashable) -> Number:
        if query.field in self._cost_types and self._costs:
            return self._costs.sum_around(query.field, node, ANY if key is None else key)
        enclosing = list_enclosing(node)
        if key is None:
            return sum(isinstance(outer, SelectionNode) for outer in enclosing)
        return sum(self._scopes.is_match(outer, str(key)) for outer in enclosing)

    def _count_attached(self, node: Node, key: Hashable) -> Number:
        asking = find_selection(node)
        if asking is None or asking.document is None:
            return 0
        return sum(
            source.number
            for attachment, source in self._scopes.attached.get(asking.document.id, ())
            if key == ANY or key in list_association_names(source, attachment)
        )

    def _sum_where(self, query: Query, where: Guard, places: list[Node], asker: Node, key: Hashable) -> Number:
        is_cost = query.field in self._cost_types
        total: Number = 0
        pending = [(member, member.number) for place in places for member in place.members]
        for member, number in pending:  # grows during the loop
            is_match = key == ANY or self._scopes.is_match(member, str(key))
            is_counted = is_match and self.judge.holds_for(where, member, asker)
            if is_counted:
                weight = self._costs.get_whole_cost(member, query.field) if is_cost and self._costs else 1
                total += number * weight
            if query.deep and not (is_counted and is_cost):
                pending.extend((inner, number * inner.number) for inner in member.members)
        return total

    def _count_selections(self, query: Query, places: list[Node], key: Hashable) -> Number:
        if key in self._forces_known:
            places, key = list_forces_of(query, places, key), ANY
        if key in self._categories_known:
            tally = self._commanders if key == self._command_id else self._categories
        else:
            tally = self._entries if counts_shared(query, key) else self._paths
        read = tally.count_deep if query.deep else tally.count_direct
        if len(places) == 1:
            return read(places[0]).get(key, 0)
        return sum(read(place).get(key, 0) for place in places)

    def count_siblings(self, query: Query, node: Node, owner_key: Hashable) -> Number:
        return self._count_at(query, node.parent or self._scopes.roster, owner_key, node)

    def recategorise(self, node: SelectionNode, old_ids: Iterable[str], new_ids: Iterable[str]) -> None:
        for tally in (self._categories, self._commanders):
            tally.recount(node, old_ids, new_ids)
        self._amounts.clear()

    def forget(self, node: Node) -> None:
        outer: Node | None = node
        while isinstance(outer, SelectionNode):
            for tally in (self._entries, self._categories, self._commanders, self._paths):
                tally.forget(outer)
            # Selections of the list never count previews.
            outer = outer.parent if outer.document is None else None

    def compute_total(self, query: Query, node: Node) -> Number:
        """Return the total that a percentage of `query` refers to."""
        place = self._scopes.find_place(query.scope, node)
        total = self._compute_total_at(query, place) if place else 0
        if node.footprint and place and place.footprint is not node.footprint and self.notes_footprints:
            node.footprint.note(Ask.TOTAL, query, None, place.token, total)
        return total

    def _compute_total_at(self, query: Query, place: Node) -> Number:
        places = self._scopes.list_places_at(query, place)
        if query.field == FORCES:
            return sum(1 for place in places[:1] for _ in list_forces_in(query, place))
        if query.field in self._cost_types and self._costs:
            return self._costs.sum_costs(query.field, places, ANY, deep=query.deep, shared=True)
        return self._count_selections(query, places, ANY)

    def _get_known_value(self, query: Query, node: Node) -> Number | None:
        word, _, subject_id = query.field.partition(KNOWN)
        if word == ARMY:
            return int(self._scopes.roster.document.of == subject_id)
        if word == LIMIT:
            return self._find_limit(subject_id)
        if word == AGREED:
            return int(self._find_limit(subject_id) != NO_LIMIT)
        plan = self._scopes.plan
        return plan.get_number(query.field, self._scopes.find_place(query.scope, node)) if plan else None

    def _find_limit(self, type_id: str) -> Number:
        limit = self._scopes.roster.document.find_limit(type_id)
        return NO_LIMIT if limit is None else limit

    def answer_at(self, ask: Ask, query: Query, key: Hashable, place: Node) -> Number | None:
        if ask is Ask.COUNT:
            return self._count_selections(query, [place], key)
        if ask is Ask.AMOUNT:
            return self._compute_at(query, place, key)
        return self._compute_total_at(query, place)

    def has_category(self, force: ForceNode, category_id: str) -> bool:
        tally = self._commanders if category_id == self._command_id else self._categories
        return tally.count_deep(force).get(category_id, 0) > 0


def list_association_names(source: SelectionNode, attachment: Attachment) -> set[str]:
    names = {attachment.association_id}
    for part in source.option.entry.parts if source.option else ():
        for association in part.associations:
            if association.id == attachment.association_id:
                names |= {association.label, association.name} - {""}
    return names


def counts_shared(query: Query, key: Hashable) -> bool:
    """Return whether a key means all links to an entry. Keys other than text are options or groups at a place."""
    return query.shared or not isinstance(key, str)


def list_members(place: Node, *, deep: bool) -> Iterator[tuple[SelectionNode, int]]:
    """Yield a node's contents with their numbers per node."""
    pending = [(member, member.number) for member in place.members]
    for node, number in pending:
        yield node, number
        if deep:
            pending.extend((inner, number * inner.number) for inner in node.members)


def list_path_keys(node: SelectionNode) -> list[Hashable]:
    """List what a selection counts as when links are not shared."""
    keys: dict[Hashable, None] = {node.entry_id: None, ANY: None}
    if node.option:
        entry = node.option.entry
        keys[entry.target.type.value] = None
        parts = [entry.link] if entry.link else []
        for group in node.option.groups:
            keys[compose_id(node.container.start, group)] = None
            parts += [group.entry.link] if group.entry.link else []
        keys.update(dict.fromkeys(part.id for part in parts))
    return list(keys)


def list_forces_in(query: Query, place: Node) -> Iterator[ForceNode]:
    """Yield nested forces only if the query asks for them.

    A force that counts its own kind includes nested forces, which may be the only place for it.
    """
    nested = query.include_child_forces or query.child_id is None
    if isinstance(place, RosterNode | ForceNode):
        for force in place.forces:
            yield from force.with_nested if nested else (force,)


def list_forces_at(places: Iterable[Node]) -> Iterator[ForceNode]:
    """Yield the forces among `places`, and the outer forces of a roster."""
    for place in places:
        if isinstance(place, RosterNode):
            yield from place.forces
        elif isinstance(place, ForceNode):
            yield place


def list_forces_of(query: Query, places: Iterable[Node], key: Hashable) -> list[Node]:
    kinds: list[ForceNode] = []
    for place in places:
        around = list_forces_in(query, place) if isinstance(place, RosterNode) else list_forces_at([place])
        kinds += [force for force in around if key in force.names]
    counted = [f for force in kinds for f in (force.with_nested if query.include_child_forces else (force,))]
    return list(dict.fromkeys(counted))


def is_force(force: ForceNode, key: Hashable) -> bool:
    return not force.is_outside and (key in (ANY, force.document.catalogue_id) or key in force.names)
