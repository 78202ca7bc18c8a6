"""Count by walking through a list without indexes: slow, but obviously right. With a game for it."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from catalogue.definitions.queries import Query
from roster.engine.tree import Force, RosterTree, Selection
from tests.engine.games import game

HARBOUR = """
game:
  cost_types: [{id: pts, name: points}]
  categories: [{id: big, name: Big}, {id: loud, name: Loud}]
  forces:
    - id: patrol
      name: Patrol
      categories: [{id: s1, target_id: big}, {id: s2, target_id: loud}]
      forces: [{id: wing, name: Wing, categories: [{id: s3, target_id: big}, {id: s4, target_id: loud}]}]
army:
  shared_entries:
    - {id: gun, name: Gun, costs: [{type_id: pts, value: 2.5}], categories: [{id: c1, target_id: loud}]}
    - id: box
      kind: group
      name: Box
      entries: [{id: l-gun, kind: entry-link, target_id: gun}, {id: rope, name: Rope}]
    - id: crew
      name: Crew
      type: model
      costs: [{type_id: pts, value: 4}]
      entries:
        - {id: l-arm, kind: entry-link, target_id: gun}
        - {id: l-box, kind: group-link, target_id: box}
  entries:
    - id: boat
      name: Boat
      type: unit
      costs: [{type_id: pts, value: 30}]
      categories: [{id: c2, target_id: big, primary: true}]
      entries:
        - {id: l-crew, kind: entry-link, target_id: crew}
        - id: deck
          kind: group
          name: Deck
          entries:
            - {id: lamp, name: Lamp}
            - {id: stern, kind: group, name: Stern, entries: [{id: horn, name: Horn}]}
    - {id: l-pilot, kind: entry-link, target_id: crew, categories: [{id: c3, target_id: loud, primary: true}]}
"""
RULESET = game(HARBOUR)
PRICES = {"gun": Decimal("2.5"), "crew": 4, "boat": 30}
TYPES = {"crew": "model", "boat": "unit"}
CATEGORIES = {"gun": ["loud"], "boat": ["big"], "l-pilot::crew": ["loud"]}
AROUND = {"stern": "deck"}


class Seen(NamedTuple):
    """A selection with everything around it, outermost first."""

    outer: tuple[Force | Selection, ...]
    selection: Selection

    @property
    def force(self) -> Force:
        return next(node for node in reversed(self.outer) if isinstance(node, Force))


def forces_of(forces: tuple[Force, ...]) -> Iterator[Force]:
    for force in forces:
        yield force
        yield from forces_of(force.forces)


def everything(roster: RosterTree) -> Iterator[Seen]:
    pending: list[tuple[Force | Selection, ...]] = [(force,) for force in roster.forces]
    for outer in pending:
        inner = outer[-1]
        if isinstance(inner, Force):
            pending.extend((*outer, force) for force in inner.forces)
        for selection in inner.selections:
            yield Seen(outer, selection)
            pending.append((*outer, selection))


def called(selection: Selection, inside: Force | Selection, *, shared: bool) -> set[str]:
    start = inside.entry_id.split("::")[:-1] if isinstance(inside, Selection) else []
    *links, target = selection.entry_id.split("::")
    *way, group = selection.group_id.split("::")
    groups = [group, AROUND.get(group, group)] if group else []
    own = {"any", TYPES.get(target, "upgrade"), *links[len(start) :], *categories(selection)}
    if shared:
        return own | {target, *groups}
    return own | {selection.entry_id, *("::".join((*way, name)) for name in groups)}


def categories(selection: Selection) -> list[str]:
    target = selection.entry_id.rpartition("::")[2]
    return CATEGORIES.get(selection.entry_id, CATEGORIES.get(target, []))


def places(query: Query, seen: Seen, roster: RosterTree) -> list[Force | Selection] | None:
    wide: tuple[Force, ...]
    if query.scope == "roster":
        wide = roster.forces
    elif query.scope == "force":
        wide = (seen.force,)
    elif query.scope == "self":
        return [seen.selection]
    else:
        way = [*seen.outer, seen.selection]
        found = way[-2:-1] if query.scope == "parent" else [n for n in way if is_called(n, query.scope)]
        if not found:
            return None
        if isinstance(found[-1], Selection):
            return [found[-1]]
        wide = (found[-1],)
    return [*forces_of(wide)] if query.include_child_forces else [*wide]


def is_called(node: Force | Selection, wanted: str) -> bool:
    if isinstance(node, Force):
        return node.entry_id == wanted
    *links, target = node.entry_id.split("::")
    return wanted in (target, *links[-1:])


def recounted(query: Query, seen: Seen, roster: RosterTree) -> int | Decimal | None:
    if query.scope == "ancestor":
        pairs = [(n, o) for n, o in zip(seen.outer[1:], seen.outer, strict=False) if isinstance(n, Selection)]
        around = [node for node, outer in pairs if query.child_id in called(node, outer, shared=True) | {node.entry_id}]
        if query.field == "pts":
            return price_of(around[0]) if around else 0
        return len(around)
    members: list[tuple[Selection, Force | Selection]] = []
    if query.scope in ("big", "primary-category"):
        root = next(n for n in (*seen.outer, seen.selection) if isinstance(n, Selection))
        slot = categories(root)[0] if query.scope == "primary-category" else "big"
        members = [(member, seen.force) for member in seen.force.selections if slot in categories(member)]
    else:
        where = places(query, seen, roster)
        if where is None:
            return None
        members = [(member, place) for place in where for member in place.selections]
    amount = spent if query.field == "pts" else counted
    return sum((member.number * amount(query, member, outer) for member, outer in members), 0)


def counted(query: Query, member: Selection, outer: Force | Selection) -> int:
    """Return how many match: the member itself and, if the query is deep, what is inside it."""
    inside = sum(inner.number * counted(query, inner, member) for inner in member.selections) if query.deep else 0
    return int(query.child_id in called(member, outer, shared=query.shared)) + inside


def spent(query: Query, member: Selection, outer: Force | Selection) -> int | Decimal:
    """Return the cost of what matches: of the whole member, else of the matches inside it."""
    if query.child_id in called(member, outer, shared=query.shared):
        return price_of(member)
    return sum((inner.number * spent(query, inner, member) for inner in member.selections), 0) if query.deep else 0


def price_of(selection: Selection) -> int | Decimal:
    own = PRICES.get(selection.entry_id.rpartition("::")[2], 0)
    return own + sum((inner.number * price_of(inner) for inner in selection.selections), 0)
