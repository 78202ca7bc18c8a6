"""An evaluation is freed without the collector."""

import gc
from collections.abc import Callable, Iterator

import pytest

from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import Ruleset
from roster.engine.compare import compare_rosters
from roster.engine.completion.complete import complete, fill
from roster.engine.completion.look_ahead import LookAhead
from roster.engine.completion.repair import repair
from roster.engine.draft import Draft
from roster.engine.edits import EditedRoster, Refused, add_force, create_roster, select, set_texts
from roster.engine.evaluate import build_report, evaluate
from roster.engine.evaluation import Evaluation, OverdueError
from roster.engine.namesakes import take_namesakes
from roster.engine.new_selections import generate_id
from roster.engine.nodes import Node
from roster.engine.offers import find_barred_forces, list_offered_forces, list_offers
from roster.engine.tree import Force, RosterTree
from tests.extent import sample
from tests.shipped_packs import read_ruleset

PACKS = ("reeds_and_rust/first", "warzone/resurrection", "maelstroms_edge/second")
UNITS = 12


@pytest.fixture(params=PACKS, scope="module")
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return read_ruleset(SHIPPED / request.param)


@pytest.fixture(scope="module")
def roster(ruleset: Ruleset) -> Iterator[RosterTree]:
    """Return a list with several units in which the commander is open, if the game has commanders."""
    books = (ruleset.find_catalogue(catalogue.id) for catalogue in ruleset.data.catalogues)
    book = next(book for book in books if book and book.force_entries)
    empty = create_roster(ruleset).roster
    added = add_force(ruleset, empty, book.force_entries[0].id, book.catalogue.id)
    assert isinstance(added, EditedRoster)
    grown = added.roster
    for option in book.root_options.options[:UNITS]:
        taken = select(ruleset, grown, added.created[0], option.local_id)
        grown = taken.roster if isinstance(taken, EditedRoster) else grown
    # Values cached with the data are not counted.
    act_on(ruleset, grown)
    # Keep compiled packs and objects of earlier tests from the collector.
    gc.freeze()
    yield grown
    gc.unfreeze()


@pytest.fixture
def collector_off() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def list_left() -> list[str]:
    """Return the evaluations and nodes that still exist, without evaluating lazy objects of others."""
    return [type(thing).__name__ for thing in gc.get_objects() if issubclass(type(thing), (Evaluation, Node))]


def get_force(roster: RosterTree) -> Force:
    return roster.forces[0]


def list_roots(ruleset: Ruleset, roster: RosterTree) -> tuple[CompiledOption, ...]:
    catalogue = ruleset.find_catalogue(get_force(roster).catalogue_id)
    assert catalogue is not None
    return catalogue.root_options.options


def act_on(ruleset: Ruleset, roster: RosterTree) -> None:
    evaluation = Evaluation(ruleset, roster)
    build_report(evaluation)
    force = get_force(roster)
    for node in (force, *force.selections):
        list_offers(evaluation, node.id)
    catalogue = ruleset.find_catalogue(force.catalogue_id)
    assert catalogue is not None
    list_offered_forces(evaluation, catalogue.force_entries, force.catalogue_id)
    find_barred_forces(evaluation, [entry.id for entry in catalogue.force_entries], force.catalogue_id)


def edit(ruleset: Ruleset, roster: RosterTree) -> None:
    force = get_force(roster)
    for option in list_roots(ruleset, roster)[:3]:
        select(ruleset, roster, force.id, option.local_id)
    assert isinstance(select(ruleset, roster, force.id, "nothing"), Refused)
    add_force(ruleset, roster, force.entry_id, force.catalogue_id)
    take_namesakes(ruleset, roster)


def judge_on(ruleset: Ruleset, roster: RosterTree) -> None:
    """Judge a chain of lists, each from the one before."""
    before = None
    for selection in get_force(roster).selections:
        edited = set_texts(roster, selection.id, custom_name="Anna")
        assert isinstance(edited, EditedRoster)
        evaluation = Evaluation(ruleset, edited.roster)
        build_report(evaluation, before=before)
        before = evaluation


def draft(ruleset: Ruleset, roster: RosterTree) -> None:
    begun = Draft(ruleset, create_roster(ruleset).roster, generate_id)
    force = get_force(roster)
    force_id = begun.add_force(force.entry_id, force.catalogue_id)
    assert isinstance(force_id, str)
    for option in list_roots(ruleset, roster)[:3]:
        begun.select(force_id, option.local_id)
    for selection in begun.get_children(force_id)[:1]:
        begun.set_number(selection.id, 0)
    begun.build_roster()


def end_overdue(ruleset: Ruleset, roster: RosterTree) -> None:
    """Stop judging after each of its steps."""
    for steps in (1, 5, 20):
        left = iter(range(steps))

        def expire(left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise OverdueError

        with pytest.raises(OverdueError):
            build_report(Evaluation(ruleset, roster, deadline=expire))


ACTS: tuple[Callable[[Ruleset, RosterTree], object], ...] = (
    evaluate,
    act_on,
    edit,
    judge_on,
    draft,
    end_overdue,
    lambda _, roster: compare_rosters(roster, roster),
    lambda ruleset, roster: LookAhead(ruleset, roster).judge(),
    lambda ruleset, roster: LookAhead(ruleset, roster).judge_units(),
    complete,
    repair,
    lambda ruleset, roster: fill(ruleset, roster, seed=1),
)


@pytest.mark.usefixtures("collector_off")
@pytest.mark.parametrize("act", sample(ACTS, 12))
def test_nothing_is_left_for_the_collector(
    ruleset: Ruleset, roster: RosterTree, act: Callable[[Ruleset, RosterTree], object]
) -> None:
    before = list_left()
    act(ruleset, roster)
    assert list_left() == before
