"""Resolve the ids and names in a list document against the data of a game."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count

from catalogue.definitions.entries import NO_LIMIT, Entry, EntryKind, ForceEntry
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
    resolve_name,
)
from roster.formats.list_text import simplify_name

Ids = tuple[str, ...]
"""The selections that one item of a document became."""


class UnitReferences:
    """All items of a document that a plan may mean. `lenient`: what nothing is called by stands for itself."""

    def __init__(self, *, lenient: bool) -> None:
        self.lenient = lenient
        self._by_ref: dict[str, list[Ids]] = {}
        self._by_name: tuple[dict[str, list[Ids]], ...] = ({}, {}, {})
        """By their own names, by ids and by names of entries: the surest first."""

    def register_item(self, item: ListedItem, option: CompiledOption, ids: Sequence[str], *, root: bool) -> None:
        """Remember an item. What is inside another one is meant by its `ref` or its own name only."""
        if not ids:
            return
        if item.ref:
            self._by_ref.setdefault(item.ref.value, []).append(tuple(ids))
        # The order is that of `_by_name`; options inside units have names that many units share.
        names = (item.name, *((option.local_id, option.name) if root else ()))
        for known, name in zip(self._by_name, names, strict=False):
            if name:
                known.setdefault(simplify_name(name), []).append(tuple(ids))

    def resolve_all(self, given: Text) -> Ids:
        """Return the ids of all selections of the one item that `given` means."""
        items = self._find_items(given)
        # Several of one name at this level are ambiguous, even if a weaker level knows one.
        if len(items) > 1:
            raise build_text_error("ambiguous-unit", given)
        return items[0]

    def _find_items(self, given: Text) -> list[Ids]:
        """Return the items that are called so, by the surest way in which any is."""
        plain = simplify_name(given.value)
        levels = (self._by_ref.get(given.value), *(known.get(plain) for known in self._by_name))
        items = next(filter(None, levels), None)
        # In an exact document what was meant may be gone, and the engine says so.
        if items is None and not self.lenient:
            raise build_text_error("unknown-planned-unit", given)
        return items or [(given.value,)]

    def resolve_one(self, given: Text) -> str:
        """Return the id of the one selection that `given` means."""
        ids = self.resolve_all(given)
        if len(ids) > 1:
            raise build_text_error("ambiguous-unit", given)
        return ids[0]


def list_candidates(contents: ContainerOptions) -> list[Candidate[CompiledOption]]:
    """List everything that may be taken in a container."""
    return [Candidate(option, tuple(dict.fromkeys(_list_ids(option))), option.name) for option in contents.options]


def _list_ids(option: CompiledOption) -> Iterator[str]:
    """List what an option is known by, the id that means nothing else first."""
    yield option.local_id
    if option.entry.link:
        yield option.entry.link.id
    yield option.entry.target.id


def find_ids(candidates: Iterable[Candidate[CompiledOption]], option: CompiledOption) -> tuple[str, ...]:
    """Return all that an option is known by among candidates, one of which it is."""
    return next(candidate.ids for candidate in candidates if candidate.value is option)


def list_groups(contents: ContainerOptions) -> list[Candidate[CompiledGroup]]:
    """List the groups in a container."""
    return [Candidate(group, (group.local_id, group.entry.target.id), group.entry.name) for group in contents.groups]


def list_force_entries(catalogue: CompiledCatalogue | None, parent: ForceEntry | None) -> Sequence[ForceEntry]:
    """Return the kinds of detachments among which one is chosen: inside another, or of a faction."""
    if parent:
        return parent.forces
    return catalogue.force_entries if catalogue else ()


class ForeignEntries:
    """The entries of factions that a catalogue does not build on, by id and by name, where it has no such entry."""

    def __init__(self, ruleset: Ruleset, home: CompiledCatalogue) -> None:
        self._own = {
            key
            for entry in ruleset.index_faction_entries(home.catalogue).values()
            for key in (entry.id, _fold_for_lookup(entry.name))
        }
        self._ids: dict[str, Entry] = {}
        self._names: dict[str, Entry] = {}
        for entry in _list_foreign(ruleset, home):
            self._ids.setdefault(entry.id, entry)
            self._names.setdefault(_fold_for_lookup(entry.name), entry)

    def find(self, given: str) -> Entry | None:
        """Return the entry of that id or name."""
        if not given or self._is_at_home(given):
            return None
        return self._ids.get(given) or self._names.get(_fold_for_lookup(given))

    def _is_at_home(self, given: str) -> bool:
        """Whether the faction has something of that id or name."""
        # What it has somewhere is never a stranger, be it out of place.
        return given in self._own or _fold_for_lookup(given) in self._own


def _list_foreign(ruleset: Ruleset, home: CompiledCatalogue) -> Iterator[Entry]:
    """List the entries of factions that a catalogue does not build on."""
    for faction in ruleset.list_other_factions(home):
        for entry in ruleset.index_faction_entries(faction).values():
            if entry.kind is EntryKind.ENTRY:
                yield entry


def _fold_for_lookup(name: str) -> str:
    """Fold a name to a form that no id has, so that both can be looked up at once."""
    return f" {simplify_name(name)}"


def get_group_id(start: str, option: CompiledOption) -> str:
    return compose_id(start, option.group) if option.group else ""


def number_parts() -> IdSource:
    """Return a source of ids that counts the parts of a list as they are made: equal documents make equal lists."""
    numbers = count(1)
    return lambda: str(next(numbers))


class Resolver:
    """Resolves names for both builders."""

    exact = False

    def __init__(self, ruleset: Ruleset, faction_id: str, deadline: Deadline = expire_never) -> None:
        self.ruleset = ruleset
        self.faction_id = faction_id
        self.deadline = deadline
        self.home_id = faction_id
        """The faction of the detachment that is being built."""
        self.ids = number_parts()
        self.references = UnitReferences(lenient=self.exact)
        self._attached: list[tuple[str, CompiledOption, ListedItem]] = []
        self._candidates: dict[ContainerOptions, list[Candidate[CompiledOption]]] = {}
        self._options: dict[tuple[ContainerOptions, str, str], CompiledOption | None] = {}
        self._foreign: dict[str, ForeignEntries] = {}

    def resolve_limits(self, document: ListDocument) -> tuple[Limit, ...]:
        known = list_identified(self.ruleset.binding.cost_types.values())
        return tuple(
            Limit(
                type_id=resolve_name(limit.type, known, "unknown-cost-type").id,
                value=NO_LIMIT if limit.value is None else limit.value,
            )
            for limit in document.limits
        )

    def resolve_catalogue_id(self, listed: ListedForce) -> str:
        if not listed.catalogue:
            return self.faction_id
        return resolve_name(listed.catalogue, list_identified(self.ruleset.data.catalogues), "unknown-faction").id

    def resolve_force_entry(self, listed: ListedForce, catalogue_id: str, parent: ForceEntry | None) -> ForceEntry:
        """Return the kind of force that is meant: by its id anywhere in the data, by its name where it may stand."""
        catalogue = self.ruleset.find_catalogue(catalogue_id)
        compiled_force = catalogue.find_force(listed.force.value) if catalogue else None
        # An id is unambiguous anywhere; a name may stand for another force elsewhere.
        if compiled_force is not None:
            return compiled_force.entry
        known = list_identified(list_force_entries(catalogue, parent))
        return resolve_name(listed.force, known, "unknown-detachment")

    def find_foreign_entry(self, given: Text) -> Entry | None:
        """Return what other factions have by that id or name, if the detachment's has nothing of the kind."""
        home = self.ruleset.find_catalogue(self.home_id)
        if home is None:
            return None
        if self.home_id not in self._foreign:
            self._foreign[self.home_id] = ForeignEntries(self.ruleset, home)
        return self._foreign[self.home_id].find(given.value)

    def resolve_option(self, contents: ContainerOptions, listed: ListedItem, code: str) -> CompiledOption:
        """Return what an item means in a container; raises UnreadableError with `code` for nothing there."""
        group = None
        if listed.group:
            group = resolve_name(listed.group, list_groups(contents), "unknown-group")
        return resolve_name(listed.entry, self.list_option_candidates(contents, group), code)

    def find_option(self, contents: ContainerOptions, listed: ListedItem) -> CompiledOption | None:
        """Return what an item means in a container, or None; looked up once, however often a list has it."""
        # A list of forty equal options would otherwise compare names forty times.
        asked = (contents, listed.entry.value, listed.group.value)
        if asked not in self._options:
            self._options[asked] = find_only(listed.entry.value, self._list_in_group(contents, listed.group))
        return self._options[asked]

    def _list_in_group(self, contents: ContainerOptions, given: Text) -> list[Candidate[CompiledOption]]:
        """List what may be taken in the group of that name; everything in the container where none is named."""
        if not given:
            return self.list_option_candidates(contents)
        group = find_only(given.value, list_groups(contents))
        # An unknown group leaves nothing open: without it the option might be taken from elsewhere.
        return self.list_option_candidates(contents, group) if group else []

    def list_option_candidates(
        self, contents: ContainerOptions, group: CompiledGroup | None = None
    ) -> list[Candidate[CompiledOption]]:
        """List everything that may be taken in a container, or in a group of it."""
        candidates = self._candidates.get(contents)
        if candidates is None:
            candidates = self._candidates[contents] = list_candidates(contents)
        return [c for c in candidates if group in c.value.groups] if group else candidates

    def build_placeholder(self, item: ListedItem, entry: Entry | None, selection_id: str) -> Selection:
        """Build something that cannot be taken here or that the data does not know: its name and contents stay."""
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
        """Remember what an item became: others, and the plan, may mean it."""
        self.references.register_item(item, option, ids, root=root)
        if item.attached and ids:
            self._attached.append((ids[0], option, item))

    def attach_selections(self, roster: RosterTree) -> RosterTree:
        """Attach what the document attaches, once everything is there."""
        for selection_id, option, item in self._attached:
            attachments = tuple(self._resolve_attachments(option, item))
            # Found anew each time: every attachment before has made another tree.
            path = find_path(roster, selection_id)
            roster = replace_node(path, copy_with(path[-1], attachments=attachments))
        return prune_attachments(roster)

    def _resolve_attachments(self, option: CompiledOption, item: ListedItem) -> Iterator[Attachment]:
        for name, targets in item.attached:
            for target in targets:
                association_id = self._find_association_id(option, name)
                yield Attachment(association_id=association_id, to_id=self.references.resolve_one(target))

    def _find_association_id(self, option: CompiledOption, given: Text) -> str:
        """Return the id of the association that is meant; a blank one is the first."""
        for association in chain.from_iterable(part.associations for part in option.entry.parts):
            if given.value in ("", association.id, association.label, association.name):
                return association.id
        if self.exact and given:
            return given.value
        raise build_text_error("unknown-association", given)

    def get_root_options(self, catalogue_id: str) -> ContainerOptions:
        catalogue = self.ruleset.find_catalogue(catalogue_id)
        assert catalogue is not None  # noqa: S101 - the id was looked up among the catalogues of this ruleset
        return catalogue.root_options

    def resolve_category_notes(self, listed: ListedForce) -> tuple[CategoryNote, ...]:
        known = list_identified(self.ruleset.binding.categories.values())
        return tuple(
            CategoryNote(
                category_id=resolve_name(c.category, known, "unknown-category").id, custom_name=c.name, notes=c.notes
            )
            for c in listed.categories
        )
