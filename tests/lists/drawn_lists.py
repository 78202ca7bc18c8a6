"""Random lists of a faction with options, twins, leaders, allies, nested forces and custom names."""

from random import Random

from catalogue.definitions.entries import EntryType, ForceEntry
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from roster.engine import edits
from roster.engine.attachments import list_attachment_offers
from roster.engine.completion.complete import complete
from roster.engine.completion.effort import Effort
from roster.engine.draft import Draft
from roster.engine.edits import Refused
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import generate_id
from roster.engine.nodes import SelectionNode
from roster.engine.tree import Force, RosterTree, Selection, copy_with

UNITS = 5
OPTIONS = 12
BRIEFLY = Effort(15_000)


def draw_list(rules: Ruleset, book: CompiledCatalogue, ally: CompiledCatalogue, dice: Random) -> RosterTree:
    """Return a list of some units, two equal except for options; legal if it can be completed."""
    points = rules.points_type
    started = edits.create_roster(rules, "Drawn list", limits={points.id: 2000} if points else {}, ids=generate_id)
    draft = Draft(rules, copy_with(started.roster, faction=book.catalogue.id), generate_id)
    force_id = add_force(draft, dice, book)
    if force_id is None:
        return draft.build_roster()
    take_units(draft, force_id, book, dice, twins=True)
    if dice.random() < 0.4:
        completion = complete(rules, draft.build_roster(), effort=BRIEFLY)
        return attach_leaders(rules, completion.roster or draft.build_roster())
    kind = book.find_force(draft.build_roster().forces[0].entry_id)
    for inner in dice.sample(kind.entry.forces, min(2, len(kind.entry.forces))) if kind else ():
        inner_id = draft.add_force(inner.id, book.catalogue.id, force_id)
        if isinstance(inner_id, str):
            take_units(draft, inner_id, book, dice)
    if dice.random() < 0.3 and (ally_id := add_force(draft, dice, ally)):
        take_units(draft, ally_id, ally, dice)
    return attach_leaders(rules, change_options(rules, draft.build_roster(), dice))


def add_force(draft: Draft, dice: Random, book: CompiledCatalogue) -> str | None:
    kinds = [kind for kind in book.force_entries if not kind.hidden] or list(book.force_entries)
    weights = [1 + len(kind.categories) for kind in kinds]
    kind: ForceEntry = dice.choices(kinds, weights)[0]
    added = draft.add_force(kind.id, book.catalogue.id, "")
    return None if isinstance(added, Refused) else added


def take_units(draft: Draft, force_id: str, book: CompiledCatalogue, dice: Random, *, twins: bool = False) -> None:
    roots: list[CompiledOption] = []
    for root in book.distinct_roots:
        if not root.hidden and root.entry.target.type is not EntryType.UPGRADE:
            roots.append(root)
    picked = dice.sample(roots, min(UNITS, len(roots)))
    for root in picked + picked[:2] * twins:
        taken = draft.select(force_id, root.local_id)
        if isinstance(taken, str) and dice.random() < 0.2:
            draft.set_texts(taken, custom_name="The “Old” Guard (2nd)", notes="")


def change_options(rules: Ruleset, roster: RosterTree, dice: Random) -> RosterTree:
    for _ in range(OPTIONS):
        place: Force | Selection = dice.choice(roster.forces)
        while place.selections and (isinstance(place, Force) or dice.random() < 0.5):
            place = dice.choice(place.selections)
        node = Evaluation(rules, roster).find_container(place.id)
        if not isinstance(node, SelectionNode) or node.option is None:
            continue
        options = [option for option in node.option.entry.contents.options if not option.hidden]
        if options:
            outcome = edits.select(rules, roster, place.id, dice.choice(options).local_id)
            roster = roster if isinstance(outcome, Refused) else outcome.roster
    return roster


def attach_leaders(rules: Ruleset, roster: RosterTree) -> RosterTree:
    for force in roster.forces:
        for unit in force.selections:
            for offer in list_attachment_offers(Evaluation(rules, roster), unit.id):
                if offer.choices:
                    outcome = edits.attach(rules, roster, unit.id, offer.association_id, offer.choices[-1].id)
                    roster = roster if isinstance(outcome, Refused) else outcome.roster
    return roster
