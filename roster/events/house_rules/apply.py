"""Lay house rules over a data set. The result is a new data set that contains the old one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet, Unchecked
from catalogue.definitions.citations import NOWHERE, Citation, Publication
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Entry, ForceEntry
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
    """The names that house rules can use, by id and by simplified name.

    Of equal names, a unit takes precedence over an option inside a unit, and an option over a type of units.
    """

    units: dict[str, set[str]] = field(default_factory=dict)
    options: dict[str, set[str]] = field(default_factory=dict)
    categories: dict[str, set[str]] = field(default_factory=dict)

    def find_ids(self, name: str) -> set[str]:
        key = simplify_name(name)
        return self.units.get(key) or self.options.get(key) or self.categories.get(key) or set()

    def find_all_ids(self, things: Iterable[Text]) -> set[str]:
        return {thing_id for thing in things for thing_id in self.find_ids(thing.value)}


def index_things(data: DataSet) -> KnownThings:
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
    # A link counts as its target.
    _add_thing(index, entry.name, entry.target_id or entry.id)


def _add_thing(index: dict[str, set[str]], name: str, thing_id: str) -> None:
    for key in (simplify_name(name), simplify_name(thing_id)):
        if key:
            index.setdefault(key, set()).add(thing_id)


def list_limits(data: DataSet, rules: HouseRules) -> tuple[Limit, ...]:
    """List the rules' cost limits, without unknown cost types."""
    limits = []
    for limit in rules.limits:
        type_id = find_cost_type(data, limit.type.value)
        if type_id:
            limits.append(Limit(type_id=type_id, value=-1 if limit.value is None else limit.value))
    return tuple(limits)


def find_cost_type(data: DataSet, name: str) -> str:
    simplified = simplify_name(name)
    types = (cost_type for catalogue in data.catalogues for cost_type in catalogue.cost_types)
    return next((t.id for t in types if simplified in (simplify_name(t.id), simplify_name(t.name))), "")


def find_unknown_name(data: DataSet, rules: HouseRules) -> tuple[Text, list[str]] | None:
    """Return the rules' first unknown name, with all names that would be valid there."""
    for limit in rules.limits:
        if not find_cost_type(data, limit.type.value):
            types = chain.from_iterable(catalogue.cost_types for catalogue in data.catalogues)
            return limit.type, [cost_type.name for cost_type in types]

    forces = index_forces(data)
    for force_name in rules.allowed_detachments:
        if simplify_name(force_name.value) not in forces:
            return force_name, sorted({force.name for force in forces.values()})

    things = index_things(data)
    named = [*(ban.what for ban in rules.bans), *(cap.what for cap in rules.caps)]
    for thing in chain.from_iterable(named):
        if not things.find_ids(thing.value):
            return thing, list_known_names(data)
    return None


def list_known_names(data: DataSet) -> list[str]:
    names = {entry.name for c in data.catalogues for entry in walk_entries((*c.entries, *c.shared_entries))}
    return sorted(names | {category.name for c in data.catalogues for category in c.categories})


def index_forces(data: DataSet) -> dict[str, ForceEntry]:
    forces: dict[str, ForceEntry] = {}
    for catalogue in data.catalogues:
        for force in walk_forces(catalogue.forces):
            forces[simplify_name(force.id)] = force
            forces[simplify_name(force.name)] = force
    return forces


def lay_house_rules(data: DataSet, rules: HouseRules) -> DataSet:
    """Lay the rules over the data: bans and caps become constraints, notes become unchecked rules."""
    laying = _Laying(data, rules)
    return DataSet(catalogues=tuple(laying.change_catalogue(catalogue) for catalogue in data.catalogues))


class _Laying:
    def __init__(self, data: DataSet, rules: HouseRules) -> None:
        self.data, self.rules = data, rules
        self.things = index_things(data)
        self.publications: dict[str, Publication] = {}
        # Cite first: publications belong to the game system, but any catalogue may have the cost types.
        self.limits = {find_cost_type(data, limit.type.value): (limit, self._cite(limit)) for limit in rules.limits}

    def change_catalogue(self, catalogue: Catalogue) -> Catalogue:
        cost_types = []
        for cost_type in catalogue.cost_types:
            if cost_type.id in self.limits:
                limit, citation = self.limits[cost_type.id]
                cost_type = msgspec.structs.replace(
                    cost_type, rule=f"{PREFIX}-limit", rule_text=limit.text, citation=citation
                )
            cost_types.append(cost_type)
        if catalogue.kind is not CatalogueKind.GAME_SYSTEM:
            return msgspec.structs.replace(catalogue, cost_types=tuple(cost_types))

        constraints = tuple(self._list_constraints())
        notes = [Unchecked(code=NOTE, text=note.note, citation=self._cite(note)) for note in self.rules.notes]
        return msgspec.structs.replace(
            catalogue,
            cost_types=tuple(cost_types),
            constraints=(*catalogue.constraints, *constraints),
            unchecked=(*catalogue.unchecked, *notes),
            publications=(*catalogue.publications, *self.publications.values()),
            overlay_name=", ".join(part for part in (catalogue.overlay_name, self.rules.name) if part),
        )

    def _list_constraints(self) -> Iterator[Constraint]:
        for number, ban in enumerate(self.rules.bans):
            for thing in ban.what:
                yield from self._bind_count(f"ban-{number}", ban, (thing,), Bound.MAX, 0)

        for number, cap in enumerate(self.rules.caps):
            if cap.most is not None:
                yield from self._bind_count(f"most-{number}", cap, cap.what, Bound.MAX, cap.most)
            if cap.least:
                yield from self._bind_count(f"least-{number}", cap, cap.what, Bound.MIN, cap.least)

        rule = self.rules.detachments
        if rule is None or not rule.allowed:
            return
        allowed = simplify_things(rule.allowed)
        forces = {force.id: force for catalogue in self.data.catalogues for force in walk_forces(catalogue.forces)}
        for force in forces.values():
            if {simplify_name(force.id), simplify_name(force.name)} & allowed:
                continue
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

    def _bind_count(
        self, key: str, rule: WrittenRule, things: Sequence[Text], bound: Bound, value: int
    ) -> Iterator[Constraint]:
        ids = sorted(self.things.find_all_ids(things))
        if not ids:
            return
        first, *others = (
            Query(scope=Scope.ROSTER, child_id=thing_id, deep=True, include_child_forces=True) for thing_id in ids
        )
        yield Constraint(
            id=f"{PREFIX}:{key}:{ids[0]}",
            bound=bound,
            value=value,
            query=first,
            # A constraint has one query, so the other counts are subtracted from its bound.
            terms=tuple(Term(query=query, coefficient=-1) for query in others),
            rule=f"{PREFIX}-{key}",
            name=describe_things(tuple(things)),
            text=rule.text,
            citation=self._cite(rule),
        )

    def _cite(self, rule: WrittenRule) -> Citation:
        title = self.rules.get_source(rule)
        if not title:
            return NOWHERE
        publication = self.publications.setdefault(
            title, Publication(id=f"{PREFIX}-{len(self.publications)}", name=title)
        )
        return Citation(publication_id=publication.id)
