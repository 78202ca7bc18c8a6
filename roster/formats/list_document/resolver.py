"""Resolve a list document's ids and names against a game's data."""

from collections.abc import Iterable, Sequence
from itertools import count

from catalogue.definitions.entries import NO_LIMIT, Entry, EntryKind, EntryType, ForceEntry
from catalogue.graph.compiled_entry import CompiledGroup, CompiledOption, ContainerOptions
from catalogue.graph.ids import compose_id
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from roster.engine.edits import IdSource
from roster.engine.evaluation import Deadline, expire_never
from roster.engine.tree import (
    Attachment,
    CategoryNote,
    Limit,
    RosterTree,
    Selection,
    copy_with,
    find_path,
    prune_attachments,
    replace_node,
)
from roster.formats.list_document.document import ListDocument, ListedForce, ListedItem, list_present
from roster.formats.list_document.values import (
    Candidate,
    Text,
    build_text_error,
    find_only,
    list_identified,
    rank_matches,
    resolve_name,
)
from roster.formats.list_text import simplify_name

Ids = tuple[str, ...]


class UnitReferences:
    """The items that a plan may refer to. `lenient` keeps unknown names."""

    def __init__(self, *, lenient: bool) -> None:
        self.lenient = lenient
        self._by_ref: dict[str, list[Ids]] = {}
        self._by_name: tuple[dict[str, list[Ids]], ...] = ({}, {}, {})
        """By custom name, by entry id and by entry name, the most reliable first."""

    def register_item(self, item: ListedItem, option: CompiledOption, ids: Sequence[str], *, root: bool) -> None:
        """Register an item. Items inside another are known only by `ref` and custom name."""
        if not ids:
            return
        if item.ref:
            self._by_ref.setdefault(item.ref.value, []).append(tuple(ids))
        # In the order of `_by_name`. Many units share the names of options inside them.
        names = (item.name, *((option.local_id, option.name) if root else ()))
        for items, name in zip(self._by_name, names, strict=False):
            if name:
                items.setdefault(simplify_name(name), []).append(tuple(ids))

    def resolve_all(self, given: Text) -> Ids:
        """Raise UnreadableError unless `given` means exactly one item."""
        plain = simplify_name(given.value)
        levels = (self._by_ref.get(given.value), *(index.get(plain) for index in self._by_name))
        items = next(filter(None, levels), None)
        if items is None:
            if self.lenient:
                return (given.value,)
            raise build_text_error("unknown-planned-unit", given)
        # Two items of one name at this level are ambiguous, even if a lower level has only one.
        if len(items) > 1:
            raise build_text_error("ambiguous-unit", given)
        return items[0]

    def resolve_one(self, given: Text) -> str:
        """Raise UnreadableError unless `given` means exactly one selection."""
        ids = self.resolve_all(given)
        if len(ids) > 1:
            raise build_text_error("ambiguous-unit", given)
        return ids[0]


def list_candidates(contents: ContainerOptions) -> list[Candidate[CompiledOption]]:
    candidates: list[Candidate[CompiledOption]] = []
    for option in contents.options:
        entry = option.entry
        # The unambiguous id comes first. Link and target may have the same id.
        ids = (option.local_id, *((entry.link.id,) if entry.link else ()), entry.target.id)
        candidates.append(Candidate(option, tuple(dict.fromkeys(ids)), option.name))
    return candidates


def find_ids(candidates: Iterable[Candidate[CompiledOption]], option: CompiledOption) -> tuple[str, ...]:
    return next(candidate.ids for candidate in candidates if candidate.value is option)


def list_groups(contents: ContainerOptions) -> list[Candidate[CompiledGroup]]:
    return [Candidate(group, (group.local_id, group.entry.target.id), group.entry.name) for group in contents.groups]


def list_force_entries(catalogue: CompiledCatalogue | None, parent: ForceEntry | None) -> Sequence[ForceEntry]:
    if parent:
        return parent.forces
    return catalogue.force_entries if catalogue else ()


class ForeignEntries:
    """The entries that only other factions have, and a faction's own options, by id or name."""

    def __init__(self, ruleset: Ruleset, home: CompiledCatalogue) -> None:
        self._own: set[str] = set()
        self._options: dict[str, Entry] = {}
        for entry in ruleset.index_faction_entries(home.catalogue).values():
            keys = (entry.id, _fold_for_lookup(entry.name))
            self._own.update(keys)
            if entry.kind is EntryKind.ENTRY and entry.type is EntryType.UPGRADE:
                for key in keys:
                    self._options.setdefault(key, entry)
        self._ids: dict[str, Entry] = {}
        self._names: dict[str, Entry] = {}
        for faction in ruleset.list_other_factions(home):
            for entry in ruleset.index_faction_entries(faction).values():
                if entry.kind is EntryKind.ENTRY:
                    self._ids.setdefault(entry.id, entry)
                    self._names.setdefault(_fold_for_lookup(entry.name), entry)

    def find(self, given: str) -> Entry | None:
        folded = _fold_for_lookup(given)
        if not given or given in self._own or folded in self._own:
            return None
        return self._ids.get(given) or self._names.get(folded)

    def find_own_option(self, given: str) -> Entry | None:
        """Search all units of the faction."""
        return self._options.get(given) or self._options.get(_fold_for_lookup(given))


def _fold_for_lookup(name: str) -> str:
    return f" {simplify_name(name)}"


def get_group_id(start: str, option: CompiledOption) -> str:
    return compose_id(start, option.group) if option.group else ""


def number_parts() -> IdSource:
    """Return sequential ids, so that equal documents give equal lists."""
    numbers = count(1)
    return lambda: str(next(numbers))


class Resolver:
    """Resolves one document's names. `exact` means that nothing is filled in."""

    exact = False

    def __init__(self, ruleset: Ruleset, faction_id: str, deadline: Deadline = expire_never) -> None:
        self.ruleset = ruleset
        self.faction_id = faction_id
        self.deadline = deadline
        self.home_id = faction_id
        """The faction of the current detachment."""
        self.ids = number_parts()
        self.references = UnitReferences(lenient=self.exact)
        self.named: set[str] = set()
        self._attached: list[tuple[str, CompiledOption, ListedItem]] = []
        self._candidates: dict[ContainerOptions, list[Candidate[CompiledOption]]] = {}
        self._options: dict[tuple[ContainerOptions, str, str], CompiledOption | None] = {}
        self._foreign: dict[str, ForeignEntries] = {}
        self._slots: frozenset[str] = frozenset()
        self._misplaced: dict[str, str] | None = None

    def resolve_limits(self, document: ListDocument) -> tuple[Limit, ...]:
        candidates = list_identified(self.ruleset.binding.cost_types.values())
        return tuple(
            Limit(
                type_id=resolve_name(limit.type, candidates, "unknown-cost-type").id,
                value=NO_LIMIT if limit.value is None else limit.value,
            )
            for limit in document.limits
        )

    def resolve_catalogue_id(self, listed: ListedForce) -> str:
        if not listed.catalogue:
            return self.faction_id
        return resolve_name(listed.catalogue, list_identified(self.ruleset.data.catalogues), "unknown-faction").id

    def resolve_force_entry(self, listed: ListedForce, catalogue_id: str, parent: ForceEntry | None) -> ForceEntry:
        catalogue = self.ruleset.find_catalogue(catalogue_id)
        compiled_force = catalogue.find_force(listed.force.value) if catalogue else None
        if compiled_force is not None:
            return compiled_force.entry
        candidates = list_identified(list_force_entries(catalogue, parent))
        return resolve_name(listed.force, candidates, "unknown-detachment")

    def find_foreign_entry(self, given: Text) -> Entry | None:
        entries = self._index_home()
        return entries.find(given.value) if entries else None

    def find_own_option(self, given: Text) -> Entry | None:
        """Find an option by id or name in any unit of the detachment's faction."""
        entries = self._index_home()
        return entries.find_own_option(given.value) if entries else None

    def _index_home(self) -> ForeignEntries | None:
        home = self.ruleset.find_catalogue(self.home_id)
        if home is None:
            return None
        if self.home_id not in self._foreign:
            self._foreign[self.home_id] = ForeignEntries(self.ruleset, home)
        return self._foreign[self.home_id]

    def resolve_option(self, contents: ContainerOptions, listed: ListedItem, code: str) -> CompiledOption:
        """Raise UnreadableError with `code` if an item means no single option."""
        group = None
        if listed.group:
            group = resolve_name(listed.group, list_groups(contents), "unknown-group")
        candidates = self.list_option_candidates(contents, group)
        named = self._narrow(listed.entry, rank_matches(listed.entry.value, candidates))
        return named[0].value if len(named) == 1 else resolve_name(listed.entry, candidates, code)

    def find_option(self, contents: ContainerOptions, listed: ListedItem) -> CompiledOption | None:
        """Cache the option that an item means: lists may name it often."""
        key = (contents, listed.entry.value, listed.group.value)
        if key not in self._options:
            candidates = self.list_option_candidates(contents)
            if listed.group:
                group = find_only(listed.group.value, list_groups(contents))
                # Without its group the option could be taken from elsewhere.
                candidates = self.list_option_candidates(contents, group) if group else []
            named = self._narrow(listed.entry, rank_matches(listed.entry.value, candidates))
            self._options[key] = named[0].value if len(named) == 1 else None
        return self._options[key]

    def _narrow(self, given: Text, named: list[Candidate[CompiledOption]]) -> list[Candidate[CompiledOption]]:
        """Return the likeliest of several options of a name.

        Prefer visible options with a slot in the detachment. If all cost the same, the option with the name as its id
        wins: `broodlord` before `broodlord-no-slot`.
        """
        if len(named) < 2:
            return named
        named = [candidate for candidate in named if not candidate.value.hidden] or named
        named = [candidate for candidate in named if self._slots.intersection(candidate.value.membership.ids)] or named
        if len({tuple(cost.value for cost in candidate.value.entry.target.costs) for candidate in named}) > 1:
            return named
        plain = simplify_name(given.value)
        called = [candidate for candidate in named if simplify_name(candidate.ids[-1].rpartition("/")[2]) == plain]
        return called if len(called) == 1 else named

    def set_slots(self, catalogue: CompiledCatalogue | None, entry: ForceEntry | None) -> None:
        force = catalogue.compile_force(entry) if catalogue and entry else None
        self._slots = frozenset(force.slots_by_category) if force else frozenset()
        self._options.clear()

    def find_misplaced_option(self, given: Text) -> CompiledOption | None:
        """Search the whole game, if it has a rule for misplaced options."""
        if option := self.ruleset.find_misplaced_option(given.value):
            return option
        if self._misplaced is None:
            self._misplaced = {}
            for entry in self.ruleset.list_misplaceable_entries():
                self._misplaced.setdefault(simplify_name(entry.name), entry.id)
        return self.ruleset.find_misplaced_option(self._misplaced.get(simplify_name(given.value), ""))

    def list_option_candidates(
        self, contents: ContainerOptions, group: CompiledGroup | None = None
    ) -> list[Candidate[CompiledOption]]:
        candidates = self._candidates.get(contents)
        if candidates is None:
            candidates = self._candidates[contents] = list_candidates(contents)
        return [c for c in candidates if group in c.value.groups] if group else candidates

    def build_placeholder(self, item: ListedItem, entry: Entry | None, selection_id: str) -> Selection:
        """Keep the name and contents of a selection that cannot be evaluated."""
        inner = [self.build_placeholder(part, None, self.ids()) for part in list_present(item.options or ())]
        entry_id, name = (entry.id, entry.name) if entry else (item.entry.value, item.entry.value)
        return Selection(
            id=selection_id,
            entry_id=entry_id,
            number=item.count or 1,
            name=name,
            custom_name=item.name,
            notes=item.notes,
            selections=tuple(inner),
        )

    def register_item(self, item: ListedItem, option: CompiledOption, ids: Sequence[str], *, root: bool) -> None:
        self.references.register_item(item, option, ids, root=root)
        self.named.update(ids)
        if item.attached and ids:
            self._attached.append((ids[0], option, item))

    def attach_selections(self, roster: RosterTree) -> RosterTree:
        """Raise UnreadableError for unknown names."""
        for selection_id, option, item in self._attached:
            attachments: list[Attachment] = []
            for name, targets in item.attached:
                for target in targets:
                    association_id = self._find_association_id(option, name)
                    to_id = self.references.resolve_one(target)
                    attachments.append(Attachment(association_id=association_id, to_id=to_id))
            # Find the path again: each attachment makes a new tree.
            path = find_path(roster, selection_id)
            roster = replace_node(path, copy_with(path[-1], attachments=tuple(attachments)))
        return prune_attachments(roster)

    def _find_association_id(self, option: CompiledOption, given: Text) -> str:
        for association in self.ruleset.leaders.list_associations(option.entry):
            if given.value in ("", association.id, association.label, association.name):
                return association.id
        if self.exact and given:
            return given.value
        raise build_text_error("unknown-association", given)

    def resolve_category_notes(self, listed: ListedForce) -> tuple[CategoryNote, ...]:
        candidates = list_identified(self.ruleset.binding.categories.values())
        return tuple(
            CategoryNote(
                category_id=resolve_name(c.category, candidates, "unknown-category").id,
                custom_name=c.name,
                notes=c.notes,
            )
            for c in listed.categories
        )
