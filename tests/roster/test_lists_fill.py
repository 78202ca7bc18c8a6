"""Filling a list in one pass gives the same result as single edits on a whole roster."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.formats.packs.load import find_packs
from catalogue.graph.compiled_entry import CategoryMembership, CompiledOption, ContainerOptions
from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.categories import EffectiveCategories
from roster.engine.edits import EditedRoster, Refused
from roster.engine.evaluation import Deadline
from roster.engine.new_selections import IdSource, insert_option
from roster.engine.nodes import SelectionNode
from roster.engine.tree import (
    CategoryNote,
    Force,
    RosterTree,
    Selection,
    append_selection,
    copy_with,
    count_nodes,
    find_path,
)
from roster.formats.list_document import BuiltList, ListDocument, Media, Unreadable, build_list, fill, read_list
from roster.formats.list_document.document import ListedForce, ListedItem
from roster.formats.list_document.values import Text
from tests.shipped_packs import read_ruleset

PACKS = {"/".join(path.parts[-2:]): path for path in find_packs()}
GENERATED = 12

games = pytest.mark.parametrize("game", PACKS)


def ruleset(game: str) -> Ruleset:
    return read_ruleset(PACKS[game])


class EditedDraft:
    """Does what `roster.engine.draft.Draft` does, by the usual edits."""

    def __init__(self, ruleset: Ruleset, roster: RosterTree, ids: IdSource, deadline: Deadline) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._ids = ids

    @property
    def parts(self) -> int:
        return count_nodes(self._roster)

    def build_roster(self) -> RosterTree:
        return self._roster

    def get_children(self, container_id: str) -> list[Selection]:
        return list(find_path(self._roster, container_id)[-1].selections)

    def get_number(self, selection_id: str) -> int:
        return find_path(self._roster, selection_id)[-1].number

    def _do(self, outcome: EditedRoster | Refused, node_id: str = "") -> str | Refused:
        if isinstance(outcome, Refused):
            return outcome
        self._roster = outcome.roster
        return outcome.created[0] if outcome.created else node_id

    def add_force(self, entry_id: str, catalogue_id: str, parent_id: str = "") -> str | Refused:
        return self._do(edits.add_force(self._ruleset, self._roster, entry_id, catalogue_id, parent_id, ids=self._ids))

    def put_force(self, document: Force) -> None:
        self._roster = copy_with(self._roster, forces=(*self._roster.forces, document))

    def note_category(self, force_id: str, note: CategoryNote) -> None:
        texts = {"custom_name": note.custom_name, "notes": note.notes}
        self._do(edits.set_texts(self._roster, force_id, category_id=note.category_id, **texts))

    def declare_leader(self, force_id: str, selection_id: str) -> str | Refused:
        return self._do(edits.declare_leader(self._roster, force_id, selection_id, beside=True))

    def select(self, parent_id: str, entry_id: str) -> str | Refused:
        return self._do(edits.select(self._ruleset, self._roster, parent_id, entry_id, ids=self._ids))

    def insert_option(self, parent_id: str, option: CompiledOption) -> str:
        self._roster, planted_id = insert_option(self._ruleset, self._roster, parent_id, option, self._ids)
        return planted_id

    def put_selection(self, parent_id: str, document: Selection) -> None:
        self._roster = append_selection(find_path(self._roster, parent_id), document)

    def set_number(self, selection_id: str, number: int) -> str | Refused:
        return self._do(edits.set_number(self._ruleset, self._roster, selection_id, number), selection_id)

    def set_texts(self, node_id: str, *, custom_name: str, notes: str) -> None:
        self._do(edits.set_texts(self._roster, node_id, custom_name=custom_name, notes=notes))


def assert_filled_alike(
    monkeypatch: pytest.MonkeyPatch, rules: Ruleset, document: ListDocument
) -> BuiltList | Unreadable:
    built = build_list(rules, document, document.faction.value)
    with monkeypatch.context() as patch:
        patch.setattr(fill, "Draft", EditedDraft)
        assert build_list(rules, document, document.faction.value) == built
    return built


@games
def test_worked_lists_are_what_edits_make_of_them(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    filled = 0
    for path in sorted(PACKS[game].glob("lists/*.yaml")):
        document = read_list(path.read_bytes(), Media.YAML)
        assert isinstance(document, ListDocument)
        if not document.exact:
            filled += isinstance(assert_filled_alike(monkeypatch, ruleset(game), document), BuiltList)
    assert filled


@games
def test_lists_of_anything_are_what_edits_make_of_them(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = 0
    for seed in range(GENERATED):
        document = Author(ruleset(game), Random(f"{game} {seed}")).document()
        refused += isinstance(assert_filled_alike(monkeypatch, ruleset(game), document), Unreadable)
    assert refused < GENERATED


class Author:
    """Writes random list documents: options, numbers, names, leaders, nested detachments."""

    def __init__(self, rules: Ruleset, dice: Random) -> None:
        self.dice = dice
        factions = [c for c in rules.data.catalogues if c.kind is not CatalogueKind.LIBRARY]
        books = [book for c in factions if (book := rules.find_catalogue(c.id)) and book.force_entries]
        self.book = dice.choice(books)
        self.strange = dice.choice(books).root_options.options

    def document(self) -> ListDocument:
        entries = self.book.force_entries
        forces = tuple(self.force(self.dice.choice(entries)) for _ in range(self.dice.randint(1, 2)))
        faction = Text(self.book.catalogue.id)
        return ListDocument(game=Text("any"), faction=faction, name="Any", detachments=forces)

    def force(self, entry: object) -> ListedForce:
        inner = tuple(self.force(nested) for nested in entry.forces if self.dice.random() < 0.5)
        return ListedForce(
            force=Text(entry.id),
            name=self.dice.choice(["", "First"]),
            units=tuple(islice(self.items(self.book.root_options, 0), 8)),
            detachments=inner,
        )

    def items(self, layout: ContainerOptions, depth: int) -> Iterator[ListedItem]:
        # Naming an automatic option changes it instead of adding it.
        likely = [*layout.automatic_options, *(default for _, default in layout.default_choices)]
        for _ in range(self.dice.randint(1, 8 - 2 * min(depth, 3))):
            pool = likely if likely and self.dice.random() < 0.4 else layout.options
            pool = self.strange if self.dice.random() < 0.05 else pool
            if pool:
                yield self.item(self.dice.choice(pool), depth)

    def item(self, option: CompiledOption, depth: int) -> ListedItem:
        inside = option.entry.contents
        deeper = depth < 3 and inside.options and self.dice.random() < 0.7
        return ListedItem(
            entry=Text(option.local_id),
            group=Text(option.group.local_id) if option.group else Text(),
            count=self.dice.choice([None, None, None, 0, 1, 2, 7]),
            name=self.dice.choice(["", "", "Anna"]),
            leads=depth == 0 and self.dice.random() < 0.1,
            options=tuple(self.items(inside, depth + 1)) if deeper else None,
        )


def count_categories_worked_out(monkeypatch: pytest.MonkeyPatch, units: int) -> int:
    """Return how often category modifiers are applied while a number of Étoiles Mortant are read."""
    lines = ["list: 1", "game: warzone-resurrection", "faction: bauhaus", "detachments:", "- detachment: standard"]
    text = "\n".join([*lines, "  units:", *units * ["  - etoiles-mortant"]])
    document = read_list(text.encode(), Media.YAML)
    assert isinstance(document, ListDocument)
    asked: list[SelectionNode] = []
    apply_modifiers = EffectiveCategories._apply_modifiers

    def count(self: EffectiveCategories, node: SelectionNode) -> CategoryMembership:
        asked.append(node)
        return apply_modifiers(self, node)

    with monkeypatch.context() as patch:
        patch.setattr(EffectiveCategories, "_apply_modifiers", count)
        assert isinstance(build_list(ruleset("warzone/resurrection"), document, "bauhaus"), BuiltList)
    return len(asked)


def test_what_is_in_a_list_is_not_worked_out_anew_for_each_unit_added(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (count_categories_worked_out(monkeypatch, units) for units in (20, 60))
    assert 0 < many - few <= 2 * 40
