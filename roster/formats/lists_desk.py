"""What the ids and names in a list document mean by the rules of a game."""

from collections.abc import Iterable
from itertools import count

from catalogue.definitions.entries import NO_LIMIT, ForceEntry
from roster.engine.compile import Ruleset
from roster.engine.edits import IdSource
from roster.engine.options import composite
from roster.engine.templates import Layout, Option
from roster.engine.tree import CategoryNote, Limit
from roster.formats.lists_handles import Handles
from roster.formats.lists_names import Candidate, meant
from roster.formats.lists_shapes import ListDocument, ListedForce, ListedItem


def option_candidates(layout: Layout) -> list[Candidate[Option]]:
    """Everything that may be taken in a container."""
    found = []
    for option in layout.options:
        link = option.template.link
        ids = (option.local_id, *((link.id,) if link else ()), option.template.target.id)
        found.append(Candidate(option, tuple(dict.fromkeys(ids)), option.name))
    return found


def option_of(layout: Layout, listed: ListedItem, code: str) -> Option:
    candidates = option_candidates(layout)
    if listed.group:
        groups = [Candidate(g, (g.local_id, g.template.target.id), g.template.name) for g in layout.groups]
        group = meant(listed.group, groups, "unknown-group")
        candidates = [c for c in candidates if group in c.value.groups]
    return meant(listed.entry, candidates, code)


def _force_entry(listed: ListedForce, entries: Iterable[ForceEntry]) -> ForceEntry:
    return meant(listed.force, [Candidate(f, (f.id,), f.name) for f in entries], "unknown-detachment")


def group_id_of(start: str, option: Option) -> str:
    return composite(start, option.group) if option.group else ""


def numbered() -> IdSource:
    """Ids for the parts of a list in the order in which they are made: equal documents make equal lists."""
    numbers = count(1)
    return lambda: str(next(numbers))


class Desk:
    """What both builders look things up with."""

    exact = False

    def __init__(self, ruleset: Ruleset, faction_id: str) -> None:
        self.ruleset = ruleset
        self.faction_id = faction_id
        self.ids = numbered()
        self.handles = Handles(lenient=self.exact)

    def limits(self, document: ListDocument) -> tuple[Limit, ...]:
        known = [Candidate(c.id, (c.id,), c.name) for c in self.ruleset.binding.cost_types.values()]
        return tuple(
            Limit(
                type_id=meant(limit.type, known, "unknown-cost-type"),
                value=NO_LIMIT if limit.value is None else limit.value,
            )
            for limit in document.limits
        )

    def catalogue_id(self, listed: ListedForce) -> str:
        if not listed.catalogue:
            return self.faction_id
        known = [Candidate(c.id, (c.id,), c.name) for c in self.ruleset.data.catalogues]
        return meant(listed.catalogue, known, "unknown-faction")

    def entry(self, listed: ListedForce, catalogue_id: str, parent: ForceEntry | None) -> ForceEntry:
        """What kind of force is meant: by its id anywhere in the data, by its name where it may stand."""
        book = self.ruleset.book(catalogue_id)
        template = book.force_template(listed.force.value) if book else None
        if template is not None:
            return template.entry
        return _force_entry(listed, parent.forces if parent else book.force_entries if book else ())

    def layout(self, catalogue_id: str) -> Layout:
        book = self.ruleset.book(catalogue_id)
        assert book is not None  # noqa: S101 - the id was looked up among the catalogues of this ruleset
        return book.layout

    def notes(self, listed: ListedForce) -> tuple[CategoryNote, ...]:
        known = [Candidate(c.id, (c.id,), c.name) for c in self.ruleset.binding.categories.values()]
        return tuple(
            CategoryNote(
                category_id=meant(c.category, known, "unknown-category"), custom_name=c.name, notes=c.notes
            )
            for c in listed.categories
        )
