"""Definitions made ready for evaluation: one ruleset per version of a game's data, shared by all threads."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from threading import RLock

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.data_checks import check_data
from catalogue.definitions.diagnostics import Diagnostic
from catalogue.definitions.entries import Category, CategoryLink, Entry, EntryKind, ForceEntry
from catalogue.definitions.link_index import Binding, Found
from catalogue.definitions.queries import Modifier
from catalogue.definitions.rule_codes import RuleCode
from roster.engine.demands import Demands, by_field, demand_of
from roster.engine.layouts import Layout, Option, arrange
from roster.engine.options import SEPARATOR
from roster.engine.templates import Template

GROUPS = (EntryKind.GROUP, EntryKind.GROUP_LINK)
ASTRAY = (RuleCode.WRONG_PLACE, RuleCode.FOREIGN_ENTRY)
"""The rules about what stands where the data does not offer it."""


class Slot:
    """A category's place in a force: the force's link to it and the category itself, merged."""

    __slots__ = ("category", "demands", "hidden", "id", "link", "modifiers", "name")

    def __init__(self, category_id: str, category: Category | None, link: CategoryLink | None) -> None:
        parts = tuple(part for part in (category, link) if part)
        self.id = category_id
        self.category = category
        self.link = link
        self.name = next((p.name for p in parts if p.name), category_id)
        self.hidden = any(p.hidden for p in parts)
        self.modifiers = by_field(m for p in parts for m in p.modifiers)
        self.demands = Demands(
            demand_of(c, p.id or category_id, self.name, self.modifiers) for p in parts for c in p.constraints
        )


class ForceTemplate:
    """A force entry with its slots, in order; `loose` are categories with constraints that it has no slot for."""

    __slots__ = ("by_category", "demands", "entry", "loose", "modifiers", "slots")

    def __init__(self, entry: ForceEntry, categories: dict[str, Category]) -> None:
        self.entry = entry
        self.modifiers = by_field(entry.modifiers)
        self.demands = demands_of(entry.constraints, entry.id, entry.name, entry.modifiers)
        self.slots = tuple(
            Slot(link.target_id, categories.get(link.target_id), link) for link in entry.categories
        )
        self.by_category = {slot.id: slot for slot in self.slots}
        self.loose = tuple(
            Slot(c.id, c, None) for c in categories.values() if c.constraints and c.id not in self.by_category
        )


def demands_of(
    constraints: Iterable[Constraint], owner_id: str, owner_name: str, modifiers: Iterable[Modifier] = ()
) -> Demands:
    """The constraints of one owner, each with the modifiers that change it."""
    fields = by_field(modifiers)
    return Demands(demand_of(c, owner_id, owner_name, fields) for c in constraints)


class Book:
    """What a force of one catalogue may take at its root, and which force entries and rules it has."""

    def __init__(self, ruleset: "Ruleset", catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.closure = ruleset.binding.closure(catalogue)
        self._ruleset = ruleset
        self._layout: Layout | None = None

    @property
    def layout(self) -> Layout:
        """The root options, compiled when first asked for."""
        if self._layout is None:
            with self._ruleset.lock:
                if self._layout is None:
                    roots = self._ruleset.binding.root_entries(self.catalogue)
                    self._layout = arrange(self._ruleset, roots, root=True)
        return self._layout

    @cached_property
    def grouped(self) -> Layout:
        """What groups at the root hold. It is not on offer, but lists of other programs have selections of it."""
        with self._ruleset.lock:
            roots = self._ruleset.binding.root_entries(self.catalogue)
            return arrange(self._ruleset, (found for found in roots if found.entry.kind in GROUPS))

    @cached_property
    def force_entries(self) -> tuple[ForceEntry, ...]:
        """The force entries a roster may start a force with: its own, imported ones, the game system's."""
        catalogues = self._ruleset.binding.importing(self.catalogue)
        return tuple(force for catalogue in catalogues for force in catalogue.forces)

    def force_template(self, force_entry_id: str) -> ForceTemplate | None:
        """The compiled force entry of that id as this catalogue sees it; None where there is none."""
        entry = self._ruleset.binding.force_entry(force_entry_id, self.catalogue)
        return self._ruleset.force_template(entry) if entry else None


class Ruleset:
    """The compiled form of a `DataSet`: bound links, and one lazily compiled book per catalogue.

    Immutable as far as callers can see, safe to share between threads, and worth keeping per process: compiling costs
    tens of milliseconds for the largest public data, evaluating a roster a few.
    """

    def __init__(self, data: DataSet) -> None:
        self.data = data
        self.binding = Binding(data)
        self.lock = RLock()
        self._books: dict[str, Book] = {}
        self._templates: dict[tuple[int, int], Template] = {}
        self._forces: dict[int, ForceTemplate] = {}
        self._demands: dict[str, Demands] = {}
        self._strays: dict[str, Option] = {}
        self._reaches: dict[str, Mapping[str, Entry]] = {}

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the data: links to nothing, cyclic links, ids given twice."""
        return check_data(self.binding)

    @cached_property
    def force_entry_ids(self) -> frozenset[str]:
        """The ids of all force entries in the data."""
        ids = (force_id for forces in self.binding.forces.values() for force_id in forces)
        return frozenset(part for force_id in ids for part in (force_id, *force_id.split(SEPARATOR)))

    @cached_property
    def command_id(self) -> str | None:
        """The category of whoever commands a list; None where the data knows no such thing."""
        system = self.binding.game_system
        return system.command.id if system and system.command else None

    def book(self, catalogue_id: str) -> Book | None:
        """The book of a catalogue; None where the data has no such catalogue."""
        book = self._books.get(catalogue_id)
        catalogue = self.binding.by_id.get(catalogue_id)
        if book is None and catalogue:
            with self.lock:
                book = self._books.setdefault(catalogue_id, Book(self, catalogue))
        return book

    def template(self, entry: Entry, home: Catalogue) -> Template | None:
        """The template of an entry, or of a link in `home` with its target; None where the link leads nowhere."""
        link = entry if entry.is_link else None
        found = self.binding.entry(entry.target_id, home) if link else Found(entry, home)
        if found is None:
            return None
        key = (id(link), id(found.entry))
        with self.lock:
            template = self._templates.get(key)
            if template is None:
                template = self._templates[key] = Template(self, found, link, home)
        return template

    def stray(self, entry_id: str) -> Option | None:
        """The option of a selection of this entry at a place where the data does not offer it.

        Only root and shared entries are known there, what is in a deck too, and only where the data says which rule
        that breaks. One of another faction is known by it too.
        """
        option = self._strays.get(entry_id)
        home = None if option else self._homes.get(entry_id)
        template = self.template(*home) if home else None
        if template:
            option = self._strays.setdefault(entry_id, Option(template, (), ()))
        return option

    @cached_property
    def _homes(self) -> Mapping[str, Found]:
        """Where the entries are that may turn up where the data does not offer them, by their ids."""
        system = self.binding.game_system
        kinds = {words.of for words in system.words if words.code in ASTRAY} if system else set()
        homes: dict[str, Found] = {}
        for catalogue in self.binding.catalogues if kinds else ():
            roots = (*catalogue.entries, *catalogue.shared_entries)
            inside = (inner for root in roots for inner in root.entries if _is_any(inner, kinds))
            for entry in (*roots, *inside):
                if entry.kind is EntryKind.ENTRY:
                    homes.setdefault(entry.id, Found(entry, catalogue))
        return homes

    def other_owners(self, entry_id: str, book: Book) -> tuple[Catalogue, ...]:
        """The factions that have an entry somewhere, where `book` has it nowhere."""
        others = self.other_factions(book)
        if not others or entry_id in self.reach(book.catalogue):
            return ()
        return tuple(faction for faction in others if entry_id in self.reach(faction))

    def other_factions(self, book: Book) -> tuple[Catalogue, ...]:
        """The factions of the data that `book` does not build on."""
        seen = {catalogue.id for catalogue in book.closure}
        return tuple(
            c for c in self.binding.catalogues if c.kind is CatalogueKind.FACTION and c.id not in seen
        )

    def reach(self, faction: Catalogue) -> Mapping[str, Entry]:
        """All entries and links that a faction has, at whatever depth, by id; those nearest to its root first."""
        if faction.id not in self._reaches:
            shared = (Found(entry, faction) for entry in faction.shared_entries)
            pending = [*self.binding.root_entries(faction), *shared]
            entries: dict[str, Entry] = {}
            for entry, home in pending:  # grows while it is walked: breadth first
                if entry.id not in entries:
                    entries[entry.id] = entry
                    pending.extend(Found(inner, home) for inner in entry.entries)
                    target = self.binding.entry(entry.target_id, home) if entry.is_link else None
                    pending.extend([target] if target else [])
            self._reaches[faction.id] = entries
        return self._reaches[faction.id]

    def demands(self, catalogue: Catalogue) -> Demands:
        """What a catalogue demands of whole rosters."""
        found = self._demands.get(catalogue.id)
        if found is None:
            made = demands_of(catalogue.constraints, catalogue.id, catalogue.name)
            found = self._demands.setdefault(catalogue.id, made)
        return found

    def force_template(self, entry: ForceEntry) -> ForceTemplate:
        """The compiled form of a force entry."""
        with self.lock:
            template = self._forces.get(id(entry))
            if template is None:
                template = self._forces[id(entry)] = ForceTemplate(entry, self.binding.categories)
        return template


def _is_any(entry: Entry, category_ids: Collection[str]) -> bool:
    return any(link.target_id in category_ids for link in entry.categories)


def compile_ruleset(data: DataSet) -> Ruleset:
    """Make `data` ready for evaluation. Never raises on bad data: see `Ruleset.diagnostics`."""
    return Ruleset(data)
