"""Random rosters from what a game offers."""

from dataclasses import dataclass
from itertools import count
from random import Random

from hypothesis import strategies as st

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.definitions.entries import ForceEntry
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from roster.engine.edits import (
    EditedRoster,
    Refused,
    add_force,
    create_roster,
    select,
    set_limit,
    set_number,
    set_texts,
)
from roster.engine.new_selections import register_cost_types
from roster.engine.nodes import Container, build_nodes
from roster.engine.tree import RosterTree

TEXT = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"), max_size=12)
STEPS = 8


@dataclass
class Hand:
    """Draws and does the next edit."""

    draw: st.DrawFn
    ruleset: Ruleset
    roster: RosterTree

    def __post_init__(self) -> None:
        self._count = count(1)

    def fresh(self) -> str:
        return f"n{next(self._count)}"

    def keep(self, edited: EditedRoster | Refused) -> None:
        if isinstance(edited, EditedRoster):
            self.roster = edited.roster

    def add_force(self, books: list[CompiledCatalogue]) -> None:
        book = self.draw(st.sampled_from(books))
        entry = self.draw(st.sampled_from(book.force_entries))
        self.keep(add_force(self.ruleset, self.roster, entry.id, book.catalogue.id, ids=self.fresh))

    def containers(self) -> list[Container]:
        root = build_nodes(self.ruleset, self.roster)
        nodes: list[Container] = [*root.all_forces, *root.selections]
        return [node for node in nodes if node.contents and node.contents.options]

    def select(self) -> None:
        containers = self.containers()
        if containers:
            container = self.draw(st.sampled_from(containers))
            assert container.contents
            assert container.document
            option = self.draw(st.sampled_from(container.contents.options))
            self.keep(select(self.ruleset, self.roster, container.document.id, option.local_id, ids=self.fresh))

    def change(self) -> None:
        nodes = [node.document for node in build_nodes(self.ruleset, self.roster).selections if node.document]
        if nodes:
            node = self.draw(st.sampled_from(nodes))
            self.keep(set_number(self.ruleset, self.roster, node.id, self.draw(st.integers(1, 4))))
            self.keep(set_texts(self.roster, node.id, custom_name=self.draw(TEXT), notes=self.draw(TEXT)))


@st.composite
def rosters(draw: st.DrawFn, ruleset: Ruleset, *, of_factions: bool = False) -> RosterTree:
    hand = Hand(draw, ruleset, RosterTree(id="r"))
    hand.keep(create_roster(ruleset, draw(TEXT), ids=hand.fresh))
    kinds = {CatalogueKind.FACTION} if of_factions else set(CatalogueKind)
    catalogues = [c for c in ruleset.data.catalogues if c.kind in kinds]
    books = [book for c in catalogues if (book := ruleset.find_catalogue(c.id)) and book.force_entries]
    for _ in range(draw(st.integers(1, 2))):
        hand.add_force(books)
    for _ in range(draw(st.integers(0, STEPS))):
        hand.select()
    hand.change()
    for type_id in list(ruleset.binding.cost_types)[:1]:
        hand.keep(set_limit(ruleset, hand.roster, type_id, draw(st.integers(0, 2000))))
    hand.keep(set_texts(hand.roster, "", notes=draw(TEXT)))
    for force in hand.roster.forces:
        for slot in force_slots(ruleset, hand.roster, force.id):
            hand.keep(set_texts(hand.roster, force.id, category_id=slot, notes="!" + draw(TEXT)))
    return register_cost_types(ruleset, hand.roster)


def force_slots(ruleset: Ruleset, roster: RosterTree, force_id: str) -> list[str]:
    force = next(f for f in build_nodes(ruleset, roster).all_forces if f.document.id == force_id)
    return [slot.id for slot in force.compiled_force.slots[:2]] if force.compiled_force else []


class Wanderer:
    """Builds a large roster of one catalogue: nested forces, deep options, large numbers."""

    def __init__(self, ruleset: Ruleset, book: CompiledCatalogue) -> None:
        self.ruleset = ruleset
        self.book = book
        self.dice = Random(book.catalogue.id)
        self.roster = RosterTree(id="r")
        self._count = count(1)

    def wander(self, steps: int) -> RosterTree:
        self.keep(create_roster(self.ruleset, "List", ids=self.fresh))
        for entry in self.dice.sample(self.book.force_entries, min(2, len(self.book.force_entries))):
            self.add_force(entry, "")
        for _ in range(steps):
            self.step()
        return register_cost_types(self.ruleset, self.roster)

    def fresh(self) -> str:
        return f"n{next(self._count)}"

    def keep(self, edited: EditedRoster | Refused) -> None:
        if isinstance(edited, EditedRoster):
            self.roster = edited.roster

    def add_force(self, entry: ForceEntry, parent_id: str) -> None:
        done = add_force(self.ruleset, self.roster, entry.id, self.book.catalogue.id, parent_id, ids=self.fresh)
        assert isinstance(done, EditedRoster)
        self.keep(done)
        if entry.forces:
            self.add_force(self.dice.choice(entry.forces), done.created[0])

    def step(self) -> None:
        """Add an option somewhere, and sometimes change a number."""
        root = build_nodes(self.ruleset, self.roster)
        nodes: list[Container] = [*root.all_forces, *root.selections]
        open_nodes = [node for node in nodes if node.contents and node.contents.options]
        if open_nodes:
            container = self.dice.choice(open_nodes)
            option = self.dice.choice(container.contents.options)
            self.keep(select(self.ruleset, self.roster, container.document.id, option.local_id, ids=self.fresh))
        if root.selections and self.dice.random() < 0.3:
            chosen = self.dice.choice(root.selections).document.id
            self.keep(set_number(self.ruleset, self.roster, chosen, self.dice.randint(1, 7)))
