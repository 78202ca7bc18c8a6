"""Units of an overlay that count together because of their names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import msgspec

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.overlays import NameSet, Overlay
from catalogue.definitions.queries import Condition, Guard, Operator, Query, Scope
from catalogue.definitions.rewrite_queries import rewrite_queries


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedUnit:
    """A unit on offer: the id of what it is, its name, its type in the overlay, the names of its faction keywords."""

    id: str
    name: str
    type_id: str
    factions: frozenset[str]


@dataclass(slots=True)
class NameSets:
    """The families that there are: their names and rules, and by unit the ones it is of."""

    names: dict[str, str] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)
    stand_ins: set[str] = field(default_factory=set)
    _of: dict[str, list[str]] = field(default_factory=dict)

    def get_sets_of(self, unit_id: str) -> Sequence[str]:
        """Return the categories of the sets that a unit is of."""
        return self._of.get(unit_id, ())

    def add_set(self, family: NameSet, category_id: str, name: str, members: Iterable[str]) -> None:
        """Add a set with its members; one without two of them binds nobody."""
        units = list(dict.fromkeys(members))
        if len(units) < 2:
            return
        self.names[category_id] = name
        for unit in units:
            self._of.setdefault(unit, []).append(category_id)
        mixed = _guard_mixed(units) if family.mixed else Guard()
        self.constraints += [_bind_constraint(c, family.id, category_id, mixed) for c in family.constraints]

    def add_stand_in(self, family: NameSet, unit_id: str, members: Iterable[str]) -> None:
        """Bind a unit that stands for one of `members` to what they keep to, where none of them is there.

        What is inside it is of the members' own entries, so that they count it.
        """
        self.stand_ins.add(unit_id)
        for member in dict.fromkeys(members):
            alone = Condition(
                operator=Operator.AT_MOST, query=Query(scope=Scope.ROSTER, child_id=member), value=0
            )
            guard = Guard(conditions=(_require_taken(unit_id), alone))
            self.constraints += [_bind_constraint(c, family.id, member, guard) for c in family.constraints]


def build_name_sets(units: Sequence[OfferedUnit], overlay: Overlay) -> NameSets:
    """Build the sets that the names of these units make."""
    name_sets = NameSets()
    for family in overlay.families:
        inside = [unit for unit in units if not family.within or unit.type_id in family.within]
        if family.of:
            for title, name, pair in _pair_alike(inside, family):
                name_sets.add_set(family, f"{family.id}-{title}", name, pair)
        else:
            members = [unit.id for unit in inside if is_called(unit, family.called)]
            name_sets.add_set(family, family.id, family.name, members)
            for unit in inside:
                if is_called(unit, family.also_in):
                    name_sets.add_stand_in(family, unit.id, members)
    return name_sets


def is_called(unit: OfferedUnit, names: Iterable[str]) -> bool:
    """Return whether a unit has one of these names, as they are compared."""
    return _fold_name(unit.name) in {_fold_name(name) for name in names}


def _pair_alike(units: Sequence[OfferedUnit], family: NameSet) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Yield each title that a unit of either keyword has: its id, the name it stands under, the two units."""
    there = {_make_title(unit, family): unit for unit in units if family.to in unit.factions}
    for unit in units:
        title = _make_title(unit, family)
        other = there.get(title)
        if family.of in unit.factions and other and other.id != unit.id:
            yield title.replace(" ", "-"), other.name, (other.id, unit.id)


def _make_title(unit: OfferedUnit, family: NameSet) -> str:
    title = unit.name
    for words in family.strike:
        title = re.sub(rf"\b{re.escape(words)}\b", " ", title, flags=re.IGNORECASE)
    return " ".join(title.lower().split())


def _fold_name(name: str) -> str:
    """Fold a name as it is compared: case, blanks and the community's way to write “with” make no difference."""
    return " ".join(name.casefold().replace("w/", "with").split())


def _guard_mixed(units: Sequence[str]) -> Guard:
    """Require that two of the units are taken."""
    pairs = combinations([_require_taken(unit_id) for unit_id in units], 2)
    return Guard(any_of=True, guards=tuple(Guard(conditions=pair) for pair in pairs))


def _require_taken(unit_id: str) -> Condition:
    query = Query(scope=Scope.ROSTER, child_id=unit_id, deep=True)
    return Condition(operator=Operator.AT_LEAST, query=query, value=1)


def _bind_constraint(constraint: Constraint, family_id: str, counted_id: str, mixed: Guard) -> Constraint:
    def change(query: Query) -> Query:
        return msgspec.structs.replace(query, child_id=counted_id) if query.child_id == family_id else query

    rewritten = rewrite_queries(constraint, change)
    when = Guard(guards=(rewritten.when, mixed)) if rewritten.when and mixed else rewritten.when or mixed
    return msgspec.structs.replace(
        rewritten, id=f"{rewritten.id}-{counted_id}" if counted_id != family_id else rewritten.id, when=when
    )
