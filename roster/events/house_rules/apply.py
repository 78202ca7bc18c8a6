"""Apply the house rules of an event to data: a pure function from a data set to a data set that loses nothing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet, Unchecked
from catalogue.definitions.citations import NOWHERE, Citation, Publication
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CostType, Entry, ForceEntry
from catalogue.definitions.link_index import walk_entries, walk_forces
from catalogue.definitions.queries import Bound, Field, Query, Scope, Term
from roster.engine.tree import Limit
from roster.events.house_rules.document import HouseRules, WrittenRule, describe_things, simplify_things
from roster.formats.list_document import Text
from roster.formats.list_text import simplify_name

PREFIX = "house-rules"
NOTE = "house-rule"


@dataclass(slots=True)
class KnownThings:
    """What can be named in house rules, by name and by id in the form that names are compared in.

    Of equal names units come before what is inside them, and that before types of units.
    """

    units: dict[str, set[str]] = field(default_factory=dict)
    options: dict[str, set[str]] = field(default_factory=dict)
    categories: dict[str, set[str]] = field(default_factory=dict)

    def find_ids(self, name: str) -> set[str]:
        """Return the ids of all that a name means, which is nothing where the data does not know it."""
        key = simplify_name(name)
        return self.units.get(key) or self.options.get(key) or self.categories.get(key) or set()

    def find_all_ids(self, things: Iterable[Text]) -> set[str]:
        """Return the ids of all that any of some names means."""
        return {thing_id for thing in things for thing_id in self.find_ids(thing.value)}


def index_things(data: DataSet) -> KnownThings:
    """Index the units, options, cards and types of units of some data."""
    things = KnownThings()
    for catalogue in data.catalogues:
        for entry in catalogue.entries:
            _add_entry(things.units, entry)
        for entry in walk_entries((*catalogue.entries, *catalogue.shared_entries)):
            _add_entry(things.options, entry)
        for category in catalogue.categories:
            _add_thing(things.categories, category.name, category.id)
    return things


def _add_entry(index: dict[str, set[str]], entry: Entry) -> None:
    # What is chosen by a link counts as what the link leads to.
    _add_thing(index, entry.name, entry.target_id or entry.id)


def _add_thing(index: dict[str, set[str]], name: str, thing_id: str) -> None:
    for key in (simplify_name(name), simplify_name(thing_id)):
        if key:
            index.setdefault(key, set()).add(thing_id)


def list_limits(data: DataSet, rules: HouseRules) -> tuple[Limit, ...]:
    """Return what lists may cost by the rules, by cost types of the data; a cost type that it lacks is left out."""
    limits = []
    for limit in rules.limits:
        type_id = find_cost_type(data, limit.type.value)
        if type_id:
            limits.append(Limit(type_id=type_id, value=-1 if limit.value is None else limit.value))
    return tuple(limits)


def find_cost_type(data: DataSet, name: str) -> str:
    """Return the id of the cost type that is called so, blank for none."""
    wanted = simplify_name(name)
    types = (cost_type for catalogue in data.catalogues for cost_type in catalogue.cost_types)
    return next((t.id for t in types if wanted in (simplify_name(t.id), simplify_name(t.name))), "")


def find_unknown_name(data: DataSet, rules: HouseRules) -> tuple[Text, list[str]] | None:
    """Return the first name in the rules that the data does not know, and those that may be there; None for none."""
    return _find_unknown_limit(data, rules) or _find_unknown_force(data, rules) or _find_unknown_thing(data, rules)


def _find_unknown_limit(data: DataSet, rules: HouseRules) -> tuple[Text, list[str]] | None:
    for limit in rules.limits:
        if not find_cost_type(data, limit.type.value):
            types = chain.from_iterable(catalogue.cost_types for catalogue in data.catalogues)
            return limit.type, [cost_type.name for cost_type in types]
    return None


def _find_unknown_force(data: DataSet, rules: HouseRules) -> tuple[Text, list[str]] | None:
    forces = index_forces(data)
    unknown = next((named for named in rules.allowed_detachments if simplify_name(named.value) not in forces), None)
    return (unknown, sorted({force.name for force in forces.values()})) if unknown else None


def _find_unknown_thing(data: DataSet, rules: HouseRules) -> tuple[Text, list[str]] | None:
    things = index_things(data)
    named = [rule.what for rule in rules.bans] + [rule.what for rule in rules.caps]
    for thing in chain.from_iterable(named):
        if not things.find_ids(thing.value):
            return thing, list_known_names(data)
    return None


def list_known_names(data: DataSet) -> list[str]:
    """Return the names of units, options and types of units."""
    names = {entry.name for c in data.catalogues for entry in walk_entries((*c.entries, *c.shared_entries))}
    return sorted(names | {category.name for c in data.catalogues for category in c.categories})


def index_forces(data: DataSet) -> dict[str, ForceEntry]:
    """Return every kind of detachment by its id and by its name, as names are compared."""
    forces: dict[str, ForceEntry] = {}
    for catalogue in data.catalogues:
        for force in walk_forces(catalogue.forces):
            forces[simplify_name(force.id)] = force
            forces[simplify_name(force.name)] = force
    return forces


def lay_house_rules(data: DataSet, rules: HouseRules) -> DataSet:
    """Lay the rules over the data: bans and caps bind whole lists, notes stand with what was not checked."""
    laying = _Laying(data, rules)
    return DataSet(catalogues=tuple(laying.change_catalogue(catalogue) for catalogue in data.catalogues))


class _Laying:
    """House rules while they are laid over one data set."""

    def __init__(self, data: DataSet, rules: HouseRules) -> None:
        self.data, self.rules = data, rules
        self.things = index_things(data)
        self.publications: dict[str, Publication] = {}
        # Cited at once: publications belong to the game, and types of cost may stand anywhere.
        self.limits = {find_cost_type(data, limit.type.value): (limit, self._cite(limit)) for limit in rules.limits}

    def change_catalogue(self, catalogue: Catalogue) -> Catalogue:
        cost_types = tuple(self._change_cost_type(cost_type) for cost_type in catalogue.cost_types)
        if catalogue.kind is not CatalogueKind.GAME_SYSTEM:
            return msgspec.structs.replace(catalogue, cost_types=cost_types)
        constraints = tuple(self._list_constraints())
        notes = tuple(self._list_notes())
        title = self.rules.name
        return msgspec.structs.replace(
            catalogue,
            cost_types=cost_types,
            constraints=(*catalogue.constraints, *constraints),
            unchecked=(*catalogue.unchecked, *notes),
            publications=(*catalogue.publications, *self.publications.values()),
            overlay_name=", ".join(part for part in (catalogue.overlay_name, title) if part),
        )

    def _list_constraints(self) -> Iterator[Constraint]:
        yield from self._bind_bans()
        yield from self._bind_caps()
        yield from self._bind_detachments()

    def _bind_bans(self) -> Iterator[Constraint]:
        for number, ban in enumerate(self.rules.bans):
            for thing in ban.what:
                yield from self._bind_count(f"ban-{number}", ban, (thing,), Bound.MAX, 0)

    def _bind_caps(self) -> Iterator[Constraint]:
        for number, cap in enumerate(self.rules.caps):
            if cap.most is not None:
                yield from self._bind_count(f"most-{number}", cap, cap.what, Bound.MAX, cap.most)
            if cap.least:
                yield from self._bind_count(f"least-{number}", cap, cap.what, Bound.MIN, cap.least)

    def _bind_count(
        self, key: str, rule: WrittenRule, things: Sequence[Text], bound: Bound, value: int
    ) -> Iterator[Constraint]:
        """Yield the constraint on how many of some things a list has, counted together."""
        ids = sorted(self.things.find_all_ids(things))
        if not ids:
            return
        first, *others = (_count_thing(thing_id) for thing_id in ids)
        yield Constraint(
            id=f"{PREFIX}:{key}:{ids[0]}",
            bound=bound,
            value=value,
            query=first,
            # One count may be asked for: the others are taken off what is allowed.
            terms=tuple(Term(query=query, coefficient=-1) for query in others),
            rule=f"{PREFIX}-{key}",
            name=describe_things(tuple(things)),
            text=rule.text,
            citation=self._cite(rule),
        )

    def _bind_detachments(self) -> Iterator[Constraint]:
        """Yield a constraint for each kind of detachment that is not allowed."""
        rule = self.rules.detachments
        if rule is None or not rule.allowed:
            return
        allowed = simplify_things(rule.allowed)
        for force in _list_forces(self.data):
            if not {simplify_name(force.id), simplify_name(force.name)} & allowed:
                yield Constraint(
                    id=f"{PREFIX}:detachment:{force.id}",
                    bound=Bound.MAX,
                    value=0,
                    query=Query(
                        field=Field.FORCES, scope=Scope.ROSTER, child_id=force.id, deep=True, include_child_forces=True
                    ),
                    rule=f"{PREFIX}-detachments",
                    name=force.name,
                    text=rule.text,
                    citation=self._cite(rule),
                )

    def _list_notes(self) -> Iterator[Unchecked]:
        for note in self.rules.notes:
            yield Unchecked(code=NOTE, text=note.note, citation=self._cite(note))

    def _change_cost_type(self, cost_type: CostType) -> CostType:
        """Return a cost type whose limit, where the rules set one, has their words and is cited as they are."""
        if cost_type.id not in self.limits:
            return cost_type
        limit, citation = self.limits[cost_type.id]
        return msgspec.structs.replace(cost_type, rule=f"{PREFIX}-limit", rule_text=limit.text, citation=citation)

    def _cite(self, rule: WrittenRule) -> Citation:
        """Return the citation of where a rule is in the author's words, which becomes a publication of the data."""
        title = self.rules.get_source(rule)
        if not title:
            return NOWHERE
        publication = self.publications.setdefault(
            title, Publication(id=f"{PREFIX}-{len(self.publications)}", name=title)
        )
        return Citation(publication_id=publication.id)


def _count_thing(thing_id: str) -> Query:
    return Query(scope=Scope.ROSTER, child_id=thing_id, deep=True, include_child_forces=True)


def _list_forces(data: DataSet) -> Iterable[ForceEntry]:
    forces = (force for catalogue in data.catalogues for force in walk_forces(catalogue.forces))
    return {force.id: force for force in forces}.values()
