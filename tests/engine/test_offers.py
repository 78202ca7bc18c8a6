"""Offers: what may be taken, its cost, the possible numbers, and what prevents it."""

from collections.abc import Callable

import msgspec
import pytest

from catalogue.graph.ruleset import Ruleset
from roster.engine import edits
from roster.engine.edits import IdSource
from roster.engine.evaluate import build_report
from roster.engine.evaluation import Evaluation
from roster.engine.offers import OfferedGroup, OfferedOption, Offers, list_offers
from roster.engine.tree import RosterTree
from tests.engine.games import WORKSHOP, counting_ids, done, game, started

Take = Callable[..., str]


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return game(WORKSHOP)


class Desk:
    """A list in the making."""

    def __init__(self, ruleset: Ruleset, ids: IdSource) -> None:
        self.ruleset = ruleset
        self.ids = ids
        self.roster: RosterTree
        self.roster, self.force = started(ruleset, ids)

    def take(self, entry_id: str, inside: str = "") -> str:
        edited = done(edits.select(self.ruleset, self.roster, inside or self.force, entry_id, ids=self.ids))
        self.roster = edited.roster
        return edited.created[0]

    def limit(self, value: int) -> None:
        self.roster = done(edits.set_limit(self.ruleset, self.roster, "pts", value)).roster

    def offered(self, inside: str = "") -> dict[str, OfferedOption]:
        found = list_offers(Evaluation(self.ruleset, self.roster), inside or self.force)
        return {option.entry_id: option for option in found.options}

    def blocked(self, inside: str = "") -> dict[str, str]:
        return {
            entry_id: f"{option.blocked.code} {option.blocked.owner_id}/{option.blocked.constraint_id}"
            for entry_id, option in self.offered(inside).items()
            if option.blocked
        }


@pytest.fixture
def desk(ruleset: Ruleset) -> Desk:
    return Desk(ruleset, counting_ids())


def costs(option: OfferedOption) -> dict[str, str]:
    return {cost.type_id: str(cost.value) for cost in option.costs}


def test_a_force_offers_roots_with_a_slot_in_the_order_of_the_data(desk: Desk) -> None:
    assert list(desk.offered()) == ["captain", "squad", "guard", "secret"]


def test_an_option_says_what_it_is(desk: Desk) -> None:
    captain = desk.offered()["captain"]
    assert (captain.name, captain.type) == ("Captain", "model")
    assert (captain.category_id, captain.category_name, captain.category_ids) == ("hq", "HQ", ("hq",))
    assert (captain.number, captain.min, captain.max) == (0, 0, 1)


def test_costs_are_those_with_all_that_comes_along(desk: Desk) -> None:
    offered = desk.offered()
    assert costs(offered["captain"]) == {"pts": "32"}
    assert costs(offered["squad"]) == {"pts": "30"}


def test_costs_are_those_that_one_more_adds_to_the_whole_unit(desk: Desk) -> None:
    squad = desk.take("squad")
    assert costs(desk.offered(squad)["trooper"]) == {"pts": "10"}
    desk.take("trooper", squad)
    assert costs(desk.offered(squad)["trooper"]) == {"pts": "5"}  # five for 9 each instead of four for 10


def test_costs_count_once_for_each_of_the_parent(desk: Desk) -> None:
    captain = desk.take("captain")
    desk.roster = done(edits.set_number(desk.ruleset, desk.roster, captain, 3)).roster
    assert costs(desk.offered(captain)["axe"]) == {"pts": "9"}


def test_a_group_says_how_many(desk: Desk) -> None:
    captain = desk.take("captain")
    (arms,) = list_offers(Evaluation(desk.ruleset, desk.roster), captain).items
    assert isinstance(arms, OfferedGroup)
    assert (arms.group_id, arms.name, arms.min, arms.max, arms.count) == ("arms", "Arms", 1, 2, 1)
    assert arms.default_id == "l-sword::sword"
    assert [i.entry_id for i in arms.items if isinstance(i, OfferedOption)] == ["l-sword::sword", "axe"]
    assert [i.default for i in arms.items if isinstance(i, OfferedOption)] == [True, False]


def test_an_option_says_what_was_taken_of_it(desk: Desk) -> None:
    squad = desk.take("squad")
    trooper = desk.offered(squad)["trooper"]
    assert (trooper.number, trooper.min, trooper.max) == (3, 3, 6)
    assert trooper.selection_ids == (desk.roster.forces[0].selections[0].selections[0].id,)
    assert desk.offered()["squad"].selection_ids == (squad,)


class TestBlocked:
    def test_nothing_at_first_but_what_is_hidden_or_comes_too_soon(self, desk: Desk) -> None:
        assert desk.blocked() == {"secret": "hidden secret/hidden", "guard": "maximum patrol/core-first"}

    def test_what_is_hidden_says_so_and_has_no_price_until_it_is_taken(self, desk: Desk) -> None:
        secret = desk.offered()["secret"]
        assert (secret.hidden, secret.name, secret.costs, secret.max) == (True, "Secret", (), None)
        taken = desk.take("secret")
        again = desk.offered()["secret"]
        assert (again.hidden, again.selection_ids) == (True, (taken,))
        assert desk.blocked()["secret"] == "hidden secret/hidden"

    def test_by_its_own_maximum(self, desk: Desk) -> None:
        desk.take("captain")
        assert desk.blocked()["captain"] == "maximum captain/one"

    def test_by_its_groups_maximum(self, desk: Desk) -> None:
        captain = desk.take("captain")
        desk.take("axe", captain)
        assert set(desk.blocked(captain)) == {"l-sword::sword", "axe"}
        assert desk.blocked(captain)["axe"] == "maximum arms/few"

    def test_inside_a_selection_by_its_own_demands_before_a_full_group(self) -> None:
        axe = "{id: axe, name: Axe, "
        not_yet = "constraints: [{id: not-yet, bound: max, value: 0, mendable: true, query: {scope: parent}}], "
        assert axe in WORKSHOP
        desk = Desk(game(WORKSHOP.replace(axe, axe + not_yet)), counting_ids())
        captain = desk.take("captain")
        desk.take("l-sword::sword", captain)
        assert desk.blocked(captain) == {"l-sword::sword": "maximum sword/max-sword", "axe": "maximum axe/not-yet"}

    def test_by_the_category(self) -> None:
        ruleset = game(WORKSHOP.replace("{id: one, bound: max, value: 1,", "{id: one, bound: max, value: 9,"))
        desk = Desk(ruleset, counting_ids())
        desk.take("captain")
        assert desk.blocked()["captain"] == "maximum s1/one-hq"

    def test_by_what_nothing_can_mend_before_what_more_picks_could(self) -> None:
        can_be_mended = "{id: one, bound: max, value: 1, mendable: true,"
        ruleset = game(WORKSHOP.replace("{id: one, bound: max, value: 1,", can_be_mended))
        desk = Desk(ruleset, counting_ids())
        desk.take("captain")
        assert desk.blocked()["captain"] == "maximum s1/one-hq"

    def test_by_a_sum_until_there_is_enough_of_the_other(self, desk: Desk) -> None:
        assert desk.blocked()["guard"] == "maximum patrol/core-first"
        desk.take("squad")
        assert "guard" not in desk.blocked()
        desk.take("guard")
        assert desk.blocked()["guard"] == "maximum patrol/core-first"

    def test_by_the_limit_with_all_that_comes_along(self, desk: Desk) -> None:
        desk.limit(31)
        blocked = desk.blocked()
        assert blocked["captain"] == "cost-limit costLimits/pts"
        assert "squad" not in blocked

    def test_not_by_a_limit_that_it_does_not_touch(self, desk: Desk) -> None:
        desk.take("squad")
        desk.limit(1)
        assert "guard" not in desk.blocked()

    def test_not_by_a_minimum(self, desk: Desk) -> None:
        squad = desk.take("squad")
        trooper = desk.roster.forces[0].selections[0].selections[0].id
        desk.roster = done(edits.remove_one(desk.roster, trooper)).roster
        assert desk.blocked(squad) == {}

    def test_with_the_figures_after_the_pick(self, desk: Desk) -> None:
        desk.take("captain")
        blocked = desk.offered()["captain"].blocked
        assert blocked
        assert (blocked.measured, blocked.allowed, blocked.counted) == (2, 1, "Captain")


def test_a_container_that_is_not_there_offers_nothing(desk: Desk) -> None:
    assert list_offers(Evaluation(desk.ruleset, desk.roster), "nobody") == Offers(container_id="nobody")


def test_an_unknown_selection_offers_nothing(desk: Desk) -> None:
    assert list_offers(Evaluation(game("{}"), desk.roster), desk.force) == Offers(container_id=desk.force)


def test_offers_are_json(desk: Desk) -> None:
    captain = desk.take("captain")
    found = list_offers(Evaluation(desk.ruleset, desk.roster), captain)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Offers) == found


GUNS = """
game:
  forces: [{id: patrol, name: Patrol}]
army:
  shared_entries: [{id: gun, name: Gun}]
  entries:
    - id: boat
      name: Boat
      entries:
        - id: aft
          kind: entry-link
          target_id: gun
          constraints: [{id: few, bound: max, value: 1, query: {scope: roster, deep: true, shared: true}}]
        - {id: fore, kind: entry-link, target_id: gun}
"""


def test_the_limit_of_one_link_bars_the_other_while_it_is_used() -> None:
    boats = Desk(game(GUNS), counting_ids())
    boat, other = boats.take("boat"), boats.take("boat")
    boats.take("fore::gun", boat)
    assert boats.blocked(other) == {"aft::gun": "maximum aft/few"}
    boats.roster = done(edits.remove_one(boats.roster, boats.roster.forces[0].selections[0].selections[0].id)).roster
    boats.take("aft::gun", boat)
    assert boats.blocked(other) == {"aft::gun": "maximum aft/few", "fore::gun": "maximum aft/few"}


def test_offers_are_the_same_before_and_after_the_report() -> None:
    # What comes with the crew hides it. Whether it is offered must not depend on what was tried before.
    ruleset = game(
        """
        game:
          categories: [{id: core, name: Core}]
          forces:
            - id: patrol
              name: Patrol
              categories:
                - id: slot
                  target_id: core
                  constraints: [{id: least, bound: min, value: 1, query: {scope: parent}}]
        army:
          entries:
            - id: crew
              name: Crew
              type: unit
              categories: [{id: c, target_id: core, primary: true}]
              modifiers:
                - change: set
                  field: hidden
                  value: "true"
                  guard: {conditions: [{operator: atLeast, value: 1, query: {scope: self, child_id: flag}}]}
              entries:
                - {id: flag, name: Flag, constraints: [{id: one, bound: min, value: 1, query: {scope: parent}}]}
        """
    )
    roster, force_id = started(ruleset, counting_ids())
    offered = list_offers(Evaluation(ruleset, roster), force_id)
    assert [option.hidden for option in offered.options] == [False]
    evaluation = Evaluation(ruleset, roster)
    (missing,) = build_report(evaluation).violations
    assert not missing.crowded
    assert list_offers(evaluation, force_id) == offered
